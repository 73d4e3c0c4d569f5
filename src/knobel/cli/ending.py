"""The end of a game in a conversation: the result, a review, and another game."""

from collections.abc import Callable, Iterator, Sequence

from knobel.cli.aligned_rows import align_rows
from knobel.cli.display import combine_tracks
from knobel.cli.families import FAMILIES
from knobel.cli.replay import say_standings
from knobel.cli.screen import say, say_paragraph
from knobel.cli.typed_words import fold, list_words
from knobel.errors import KnobelError, UnknownMove
from knobel.extras import SOLVER, require_extra
from knobel.lang import Translator
from knobel.phrase import FormattedNumber
from knobel.record.duplicate_result import DuplicateResult
from knobel.record.file import parse_record
from knobel.rules.fields import abbreviate
from knobel.table import Table

ANSWERS = ("review", "again", "quit")
NOT_KNOWN = "–"


def show_result(table: Table, words: Translator) -> None:
    """Show the board and the places."""
    names = [seat.name for seat in table.header.seats]
    say()
    FAMILIES[table.game.rules.family].show_board(words, table.game, combine_tracks(table.replay), names)
    say()
    say_standings(words, table.replay, names)


def show_duplicate_result(words: Translator, names: Sequence[str], result: DuplicateResult) -> None:
    """Show what everybody made of the same dice: beside the average, beside par, and with the points lost."""

    def write(value: float | None, digits: int, signed: bool) -> str:
        return NOT_KNOWN if value is None else words.format_number(FormattedNumber(value, digits, signed))

    heads = [words(f"web.end.{key}") for key in ("against_average", "against_par", "points_lost")]
    rows = [
        [name, write(one.against_average, 1, True), write(one.against_par, 0, True), write(one.lost, 1, False)]
        for name, one in zip(names, result.seats, strict=True)
    ]
    say()
    say_paragraph(words("web.end.same_dice"))
    for line in align_rows([["", *heads], *rows], 0):
        say(line)
    if result.par is not None:
        say_paragraph(words("web.end.par_of_dice", n=result.par))


def offer_more(words: Translator, lines: Iterator[str], seat: int, export_record: Callable[[], bytes]) -> bool:
    """Offer a review and another game until one of them is chosen; tell whether it is another game."""
    while True:
        say_paragraph(words("interface.play.more"))
        typed = fold(next(lines, ""))
        answer = next((one for one in ANSWERS if typed in list_words(words, one)), None)
        if not typed or answer == "quit" or typed == "q":
            return False
        if answer == "again":
            return True
        try:
            if answer is None:
                known = tuple(word for one in ANSWERS for word in list_words(words, one))
                raise UnknownMove(name=abbreviate(typed), known=known)
            review(words, seat, export_record())
        except KnobelError as error:
            say_paragraph(words.describe_error(error))


def review(words: Translator, seat: int, record: bytes) -> None:
    """Review the game for one seat, where the solver is installed."""
    require_extra(SOLVER)
    from knobel.cli.review_report import show_review  # numpy loads only where it is needed

    say()
    show_review(parse_record(record, ""), seat, words)
    say()
