"""The end of a game in a conversation: the result, a review, and another game."""

from collections.abc import Callable, Iterator

from knobel.cli.display import combine_tracks
from knobel.cli.families import FAMILIES
from knobel.cli.replay import say_standings
from knobel.cli.screen import say, say_paragraph
from knobel.cli.typed_words import fold, list_words
from knobel.errors import KnobelError, UnknownMove
from knobel.extras import SOLVER, require_extra
from knobel.lang import Translator
from knobel.record.file import parse_record
from knobel.rules.fields import abbreviate
from knobel.table import Table

ANSWERS = ("review", "again", "quit")


def show_result(table: Table, words: Translator) -> None:
    """Show the board and the places."""
    names = [seat.name for seat in table.header.seats]
    say()
    FAMILIES[table.game.rules.family].show_board(words, table.game, combine_tracks(table.replay), names)
    say()
    say_standings(words, table.replay, names)


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
