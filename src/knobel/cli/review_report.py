"""What the decisions of a game cost, what was luck, and why: as text, JSON or a page."""

import contextlib
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from knobel.atomic_write import write_atomically
from knobel.cli.aligned_rows import align_rows
from knobel.cli.books import warn_if_unsaved
from knobel.cli.parser import Given
from knobel.cli.progress import ProgressBar
from knobel.cli.records import read_record
from knobel.cli.review_chart import chart_game, show_win_chart
from knobel.cli.review_retry import retry_mistakes
from knobel.cli.screen import NO_BREAK_SPACE, count_cells, say, say_json, say_paragraph, say_row, screen_width
from knobel.coach.figures import format_signed
from knobel.coach.ledger import UNSEEN, Headline, ReviewPart, TurnSummary
from knobel.coach.report import (
    LEDGER_COLUMNS,
    PLAYER_COLUMNS,
    describe_decision,
    describe_luck_extremes,
    describe_play,
    format_headline,
    format_ledger,
    list_remarks,
    name_level,
    render_report,
)
from knobel.coach.review import Review, review_seat
from knobel.coach.serialize import REASON_SEPARATOR, serialize_headline, serialize_review
from knobel.coach.sheet import SheetCoach, open_coach
from knobel.coach.win_chart import WinChart
from knobel.coach.win_story import describe_choice_change, serialize_win_chart
from knobel.errors import GameTooLarge
from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator, choose_language
from knobel.phrase import FormattedNumber, Phrase
from knobel.record.events import Record
from knobel.record.replay import Replay, replay_record
from knobel.rules.sheet_rules import SheetRules
from knobel.solve_worker import prepare
from knobel.solver.request import EXPECTED_SCORES, SolveRequest

BAR_WIDTH, MIN_BAR_WIDTH = 14, 4
"""How long a bar of luck is at most on either side; where there is less room than the least, there is none."""


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """The reviews of all seats of a record, and the seat the report is about."""

    record: Record
    replay: Replay
    reviews: tuple[Review, ...]
    seat: int
    chart: WinChart | None = None

    @property
    def selected(self) -> Review:
        return self.reviews[self.seat]

    @property
    def names(self) -> list[str]:
        """The names of the players; a seat without one has its number."""
        return [seat.name or str(place) for place, seat in enumerate(self.record.header.seats, 1)]


def report_review(given: Given, argument: str) -> None:
    """Answer the command for every seat of a record, one of them in full."""
    record, name = read_record(given.required(argument), given.read_value("database"))
    replay = replay_record(record, name)
    words = Translator(choose_language(given.read_value("lang")), rebuild_edition(record.header))
    seat = choose_seat(record, given.read_number("player", 1, len(record.header.seats)))
    seats = range(len(record.header.seats))
    reviews = tuple(review_seat(record, replay, one, CoachLoader(words)) for one in seats)
    chart = None if given.has("retry") else chart_game(replay)
    reviewed = ReviewedGame(record, replay, reviews, seat, chart)
    page = given.read_value("html")
    if page:
        write_page(reviewed, words, Path(page))
    if given.has("json"):
        say_json(build_report_json(reviewed, words))
        return
    if given.has("retry"):
        retry_mistakes(replay, reviewed.selected, reviewed.names, words)
        return
    show(reviewed, words)
    if page:
        say(words("coach.report.written", file=page))


def show_review(record: Record, seat: int, words: Translator) -> None:
    """Review a game that was just played, for one seat in full."""
    replay, seats = replay_record(record), range(len(record.header.seats))
    reviews = tuple(review_seat(record, replay, one, CoachLoader(words)) for one in seats)
    show(ReviewedGame(record, replay, reviews, seat, chart_game(replay)), words)


def choose_seat(record: Record, number: int | None) -> int:
    """Choose the seat that was asked for, else that of the first person."""
    if number is not None:
        return number - 1
    return next((place for place, seat in enumerate(record.header.seats) if seat.bot is None), 0)


@dataclass(frozen=True, slots=True)
class CoachLoader:
    """Opens the coach of some rules with the expected scores; solves with a progress bar what is missing."""

    words: Translator

    def __call__(self, rules: SheetRules) -> SheetCoach:
        bar = ProgressBar()
        try:
            coach = open_coach(rules, self.warn, bar)
            with contextlib.suppress(GameTooLarge):
                prepare(SolveRequest(rules, EXPECTED_SCORES), bar)
        finally:
            bar.clear()
            warn_if_unsaved(self.words)
        return coach

    def warn(self, message: Phrase) -> None:
        sys.stderr.write(f"{self.words.translate(message)}\n")


def show(reviewed: ReviewedGame, words: Translator) -> None:
    header, review, names = reviewed.record.header, reviewed.selected, reviewed.names
    say_paragraph(words("coach.report.title", title=header.edition.title, game=header.game, name=names[reviewed.seat]))
    say()
    for headline in review.headlines:
        say_paragraph(words.translate(format_headline(headline)))
    for remark in (*describe_play(review), *list_remarks(review)):
        say_paragraph(words.translate(remark))
    if len(review.parts) > 1:
        say()
        show_parts(review, words)
    say()
    show_decisions(review, words, reviewed.chart.find_choice_changes(reviewed.seat) if reviewed.chart else {})
    say()
    show_turns(review, words)
    if reviewed.chart:
        say()
        show_win_chart(reviewed.chart, reviewed.seat, names, words)
    if len(names) > 1:
        say()
        show_players(reviewed, words)


def show_decisions(review: Review, words: Translator, changes: Mapping[int, float]) -> None:
    """List the flawed decisions, each with its reasons, and with what it changed the chance to win by."""
    if not review.flawed_decisions:
        say_paragraph(words("coach.report.nothing_better"))
        return
    say_paragraph(words("coach.report.better"))
    for decision in review.flawed_decisions:
        grade = words(f"coach.grade.{decision.grade}")
        cost, described = FormattedNumber(-decision.loss, 2), words.translate(describe_decision(review, decision))
        to_win = describe_choice_change(changes.get(decision.event_number))
        costs = f"{words.format_number(cost)} ({words.translate(to_win)})" if to_win else words.format_number(cost)
        say_unbroken(f"{costs} {grade}. {described}", "  ")
        say_unbroken(words.translate(REASON_SEPARATOR).join(map(words.translate, decision.reasons)), "      ")


def say_unbroken(text: str, indent: str) -> None:
    """Print a paragraph in which a number and its percent sign stay together."""
    filled = textwrap.fill(
        text.replace(" %", f"{NO_BREAK_SPACE}%"), screen_width(), initial_indent=indent, subsequent_indent=indent
    )
    say(filled.replace(NO_BREAK_SPACE, " "))


def show_turns(review: Review, words: Translator) -> None:
    """Print the luck of each turn as a table, with a bar for each turn where there is room."""
    say_paragraph(words("coach.report.luck_by_turn"))
    unseen = {event.turn for event in review.luck_events if event.kind == UNSEEN}
    first = review.columns[:-1]
    headings = [words(f"coach.report.{name}") for name in (*first, "luck", "lost", "then")]
    turns = review.turn_summaries
    lines = align_rows(
        [headings, *([f"{turn.turn}", *format_turn(turn, unseen, words)] for turn in turns)], left=len(first) - 1
    )
    room = min(BAR_WIDTH, (screen_width() - count_cells(lines[0]) - 4) // 2)
    most = max((abs(turn.luck) for turn in turns), default=0.0) or 1.0
    say_row(lines[0])
    for line, turn in zip(lines[1:], turns, strict=True):
        say_row(f"{line}  {draw_luck_bar(turn.luck / most, room)}".rstrip() if room >= MIN_BAR_WIDTH else line)
    for extreme in describe_luck_extremes(review):
        say_paragraph(words.translate(extreme))


def format_turn(turn: TurnSummary, unseen: set[int], words: Translator) -> list[str]:
    mark = f" ({words('coach.report.not_seen')})" if turn.turn in unseen else ""
    entry = [f"{words.name_box(turn.box)} {turn.points}{mark}"] if turn.box else []
    figures = (format_signed(turn.luck), FormattedNumber(turn.lost, 2), FormattedNumber(turn.value, 1))
    return [*entry, *map(words.format_number, figures)]


def draw_luck_bar(part: float, room: int) -> str:
    """Draw luck as text: good luck to the right, bad luck to the left."""
    length = round(abs(part) * room)
    left, right = ("", "+" * length) if part > 0 else ("-" * length, "")
    return f"{left:>{room}}|{right}"


def show_parts(review: Review, words: Translator) -> None:
    """Print the ledger of every part of a game."""
    headings = [words(f"coach.report.{name}") for name in ("part", *LEDGER_COLUMNS)]
    rows = [
        [
            words(f"coach.report.part_{part.kind}", turn=part.turn, n=part.players),
            *format_ledger_cells(part, words),
        ]
        for part in review.parts
    ]
    for line in align_rows([headings, *rows], left=0):
        say_row(line)


def format_ledger_cells(ledger: Headline | ReviewPart, words: Translator) -> list[str]:
    return [*map(words.format_number, format_ledger(ledger))]


def show_players(reviewed: ReviewedGame, words: Translator) -> None:
    """Print the ledgers and ratings of all players."""
    *headings, last = [words(f"coach.report.{name}") for name in PLAYER_COLUMNS]
    players = list(zip(reviewed.names, reviewed.reviews, strict=True))
    rows = [[name, *format_ledger_cells(review.headlines[0], words)] for name, review in players]
    ratings = [last, *(words.translate(name_level(review)) for _, review in players)]
    for line, rating in zip(align_rows([headings, *rows], left=0), ratings, strict=True):
        say_row(f"{line}  {rating}")


def build_report_json(reviewed: ReviewedGame, words: Translator) -> dict[str, object]:
    """Build the review of one player and the ledgers of all as JSON."""
    header = reviewed.record.header
    players = zip(reviewed.names, reviewed.reviews, strict=True)
    return {
        "game": header.game,
        "edition": header.edition.id,
        "lang": words.lang,
        "text": header.text,
        "fingerprint": header.fingerprint,
        "name": reviewed.names[reviewed.seat],
        **serialize_review(reviewed.selected, words.translate),
        **({"win_chart": chart} if (chart := build_chart_json(reviewed, words)) else {}),
        "players": [{"name": name, **serialize_headline(review)} for name, review in players],
    }


def build_chart_json(reviewed: ReviewedGame, words: Translator) -> dict[str, object] | None:
    if reviewed.chart is None:
        return None
    return serialize_win_chart(reviewed.chart, reviewed.seat, reviewed.names, words.translate)


def write_page(reviewed: ReviewedGame, words: Translator, path: Path) -> None:
    header = reviewed.record.header
    pairs = list(zip(reviewed.names, reviewed.reviews, strict=True))
    with write_atomically(path) as file:
        page = render_report(
            header.edition.title, header.game, pairs, reviewed.seat, words.lang, words.translate, reviewed.chart
        )
        file.write(page.encode())
