"""`knobel review`: looks at a game again: what it cost, what was luck, and why."""

import contextlib
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from knobel.atomic_write import write_atomically
from knobel.cli.parser import JSON, LANG, Argument, Command, CommandOption, Given
from knobel.cli.progress import ProgressBar
from knobel.cli.room_client import DATABASE, find_game, open_host
from knobel.cli.screen import say, say_json, say_paragraph, screen_width, width
from knobel.coach.ledger import UNSEEN, ReviewPart, TurnSummary
from knobel.coach.report import (
    describe_decision,
    describe_luck_extremes,
    format_ledger,
    format_signed,
    list_remarks,
    render_report,
)
from knobel.coach.review import Review, review_seat
from knobel.coach.serialize import REASON_SEPARATOR, serialize_review
from knobel.coach.serialize import serialize_headline as headline_form
from knobel.coach.sheet import SheetCoach, open_coach
from knobel.errors import GameTooLarge, NumberOutOfRange
from knobel.host.archive import export_record
from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator, choose_language
from knobel.phrase import FormattedNumber, Phrase, phrase
from knobel.record.events import Record
from knobel.record.file import SUFFIX, load_record, parse_record
from knobel.record.replay import Replay, replay_record
from knobel.rules.fields import clean_text
from knobel.rules.sheet_rules import SheetRules
from knobel.solve_worker import prepare
from knobel.solver.request import EXPECTED_SCORES, SolveRequest

RECORD_ARGUMENT = "file|game"
BAR_WIDTH, MIN_BAR_WIDTH = 14, 4
"""How long a bar of luck is at most to either side, and at least."""
NO_BREAK_SPACE = "\u00a0"


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """A game looked at again: everybody's ledger, and whose game it is about."""

    record: Record
    replay: Replay
    reviews: tuple[Review, ...]
    seat: int

    @property
    def selected(self) -> Review:
        """The review it is about."""
        return self.reviews[self.seat]

    @property
    def names(self) -> list[str]:
        """Who plays; a nameless seat has its number."""
        return [seat.name or str(place) for place, seat in enumerate(self.record.header.seats, 1)]


def run(given: Given) -> None:
    """Review a game."""
    record, name = find_record(given)
    replay = replay_record(record, name)
    words = Translator(choose_language(given.value("lang")), rebuild_edition(record.header))
    seat = choose_seat(record, given.number("player", "--player"))
    seats = range(len(record.header.seats))
    reviewed = ReviewedGame(
        record, replay, tuple(review_seat(record, replay, one, CoachLoader(words)) for one in seats), seat
    )
    page = given.value("html")
    if page:
        write_page(reviewed, words, Path(page))
    if given.has("json"):
        say_json(build_report_json(reviewed, words))
        return
    show(reviewed, words)
    if page:
        say(words("coach.report.written", file=page))


def find_record(given: Given) -> tuple[Record, str]:
    """Find the record: a file, else a kept game."""
    word = given.required(RECORD_ARGUMENT)
    path = Path(word)
    if path.suffix == SUFFIX or path.exists() or len(path.parts) > 1:
        return load_record(path), clean_text(path.name)
    with open_host(given.value("database")) as (runner, host):
        game = runner.run(find_game(host.store, word))
        return parse_record(runner.run(export_record(host.store, game.id)), game.id), game.id


def choose_seat(record: Record, number: int | None) -> int:
    """Say whose game it is about: who was asked for, else the first person."""
    seats = record.header.seats
    if number is not None:
        if not 1 <= number <= len(seats):
            raise NumberOutOfRange(name="--player", least=1, most=len(seats), value=number)
        return number - 1
    return next((place for place, seat in enumerate(seats) if seat.bot is None), 0)


@dataclass(frozen=True, slots=True)
class CoachLoader:
    """Finds the coach of some rules, ready to look ahead; what is missing is written first, with a bar."""

    words: Translator

    def __call__(self, rules: SheetRules) -> SheetCoach:
        """Find the coach."""
        bar = ProgressBar()
        try:
            known = open_coach(rules, self.warn, bar)
            with contextlib.suppress(GameTooLarge):
                prepare(SolveRequest(rules, EXPECTED_SCORES), bar)
        finally:
            bar.clear()
        return known

    def warn(self, message: Phrase) -> None:
        """Say something beside the answer."""
        sys.stderr.write(f"{self.words.translate(message)}\n")


def show(reviewed: ReviewedGame, words: Translator) -> None:
    """Write a review for people."""
    header, own, names = reviewed.record.header, reviewed.selected, reviewed.names
    say(words("coach.report.title", title=header.edition.title, game=header.game, name=names[reviewed.seat]))
    say()
    say_paragraph(words.translate(format_headline(own)))
    say(words("coach.report.class", rating=phrase(f"coach.class.{own.rating}")))
    for remark in list_remarks(own):
        say_paragraph(words.translate(remark))
    if len(own.parts) > 1:
        say()
        show_parts(own, words)
    say()
    show_decisions(own, words)
    say()
    show_turns(own, words)
    if len(names) > 1:
        say()
        show_players(reviewed, words)


def format_headline(own: Review) -> Phrase:
    """Say the ledger in one line."""
    par, luck, lost, final = format_ledger(own)
    return phrase(f"coach.report.headline_{own.unit}", par=par, luck=luck, lost=lost, final=final)


def show_decisions(own: Review, words: Translator) -> None:
    """List the decisions that were worse than fine, each with its reasons."""
    if not own.flawed_decisions:
        say(words("coach.report.nothing_better"))
        return
    say(words("coach.report.better"))
    for decision in own.flawed_decisions:
        grade = words(f"coach.grade.{decision.grade}")
        cost, described = FormattedNumber(-decision.loss, 2), words.translate(describe_decision(own, decision))
        say_unbroken(f"{words.format_number(cost)} {grade}. {described}", "  ")
        say_unbroken(words.translate(REASON_SEPARATOR).join(map(words.translate, decision.reasons)), "      ")


def say_unbroken(text: str, indent: str) -> None:
    """Write a paragraph in which a number and its percent sign stay together."""
    filled = textwrap.fill(
        text.replace(" %", f"{NO_BREAK_SPACE}%"), screen_width(), initial_indent=indent, subsequent_indent=indent
    )
    say(filled.replace(NO_BREAK_SPACE, " "))


def show_turns(own: Review, words: Translator) -> None:
    """Write the luck turn by turn as a table, with a bar for each turn where there is room."""
    say(words("coach.report.luck_by_turn"))
    unseen = {roll.turn for roll in own.luck_events if roll.kind == UNSEEN}
    first = ["turn", "entry"] if own.entries else ["round"]
    heads = [words(f"coach.report.{name}") for name in (*first, "luck", "lost", "then")]
    cells = align_rows(
        [heads, *([f"{line.turn}", *format_turn(line, unseen, words)] for line in own.turn_summaries)],
        left=len(first) - 1,
    )
    room = min(BAR_WIDTH, (screen_width() - width(cells[0]) - 4) // 2)
    most = max((abs(line.luck) for line in own.turn_summaries), default=0.0) or 1.0
    say(cells[0])
    for cell, line in zip(cells[1:], own.turn_summaries, strict=True):
        say(f"{cell}  {draw_luck_bar(line.luck / most, room)}".rstrip() if room >= MIN_BAR_WIDTH else cell)
    for extreme in describe_luck_extremes(own):
        say(words.translate(extreme))


def align_rows(rows: list[list[str]], left: int) -> list[str]:
    """Write rows as lines, numbers to the right, names to the left."""
    widths = [max(width(row[place]) for row in rows) for place in range(len(rows[0]))]
    return ["  " + "  ".join(fill_cells(row, widths, left)).rstrip() for row in rows]


def fill_cells(row: list[str], widths: list[int], left: int) -> list[str]:
    """Fill the cells of a row up with blanks."""
    blanks = [" " * (size - width(cell)) for cell, size in zip(row, widths, strict=True)]
    pairs = zip(row, blanks, strict=True)
    return [cell + blank if place == left else blank + cell for place, (cell, blank) in enumerate(pairs)]


def format_turn(line: TurnSummary, unseen: set[int], words: Translator) -> list[str]:
    """Write a turn as cells."""
    mark = f" ({words('coach.report.not_seen')})" if line.turn in unseen else ""
    shown = [f"{words.name_box(line.box)} {line.points}{mark}"] if line.box else []
    figures = (format_signed(line.luck), FormattedNumber(line.lost, 2), FormattedNumber(line.value, 1))
    return [*shown, *map(words.format_number, figures)]


def draw_luck_bar(part: float, room: int) -> str:
    """Draw luck with plain characters: good luck to the right, bad luck to the left."""
    long = round(abs(part) * room)
    left, right = ("", "+" * long) if part > 0 else ("-" * long, "")
    return f"{left:>{room}}|{right}"


def show_parts(own: Review, words: Translator) -> None:
    """Write the ledger of every part of a game of rounds."""
    heads = [words(f"coach.report.{name}") for name in ("part", "par", "luck", "lost", "final")]
    rows = [
        [
            words(f"coach.report.part_{part.kind}", turn=part.turn, n=part.players),
            *format_ledger_cells(part, words),
        ]
        for part in own.parts
    ]
    for line in align_rows([heads, *rows], left=0):
        say(line)


def format_ledger_cells(own: Review | ReviewPart, words: Translator) -> list[str]:
    """Write a ledger as cells."""
    return [*map(words.format_number, format_ledger(own))]


def show_players(reviewed: ReviewedGame, words: Translator) -> None:
    """Write everybody's ledger."""
    heads = [words(f"coach.report.{name}") for name in ("player", "par", "luck", "lost", "final")]
    everybody = list(zip(reviewed.names, reviewed.reviews, strict=True))
    rows = [[name, *format_ledger_cells(own, words)] for name, own in everybody]
    classes = [words("coach.report.how"), *(words(f"coach.class.{own.rating}") for _, own in everybody)]
    for line, how in zip(align_rows([heads, *rows], left=0), classes, strict=True):
        say(f"{line}  {how}")


def build_report_json(reviewed: ReviewedGame, words: Translator) -> dict[str, object]:
    """Write a review for machines: the ledger of one, the headline of all."""
    header = reviewed.record.header
    everybody = zip(reviewed.names, reviewed.reviews, strict=True)
    return {
        "game": header.game,
        "edition": header.edition.id,
        "lang": words.lang,
        "text": header.text,
        "fingerprint": header.fingerprint,
        "name": reviewed.names[reviewed.seat],
        **serialize_review(reviewed.selected, words.translate),
        "players": [{"name": name, **headline_form(own)} for name, own in everybody],
    }


def write_page(reviewed: ReviewedGame, words: Translator, path: Path) -> None:
    """Write the report as a page."""
    header = reviewed.record.header
    pairs = list(zip(reviewed.names, reviewed.reviews, strict=True))
    with write_atomically(path) as file:
        page = render_report(header.edition.title, header.game, pairs, reviewed.seat, words.lang, words.translate)
        file.write(page.encode())


COMMAND = Command(
    "review",
    (Argument(RECORD_ARGUMENT),),
    (CommandOption("player", "N", described_as="whose"), CommandOption("html", "FILE"), DATABASE, LANG, JSON),
    run,
)
