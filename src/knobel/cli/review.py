"""`knobel review`: looks at a game again: what it cost, what was luck, and why."""

import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from knobel.cli.line import JSON, LANG, Argument, Command, Given, Option
from knobel.cli.progress import Bar
from knobel.cli.screen import paragraph, say, say_json, screen_width, width
from knobel.cli.sitting import DATABASE, at_home, find_game
from knobel.coach import Coach, coach
from knobel.errors import NumberRange
from knobel.host.keeping import exported
from knobel.host.speaking import edition_of
from knobel.lang import Words, language
from knobel.phrase import Figure, Phrase, phrase
from knobel.record.events import Record
from knobel.record.file import SUFFIX, load, parse
from knobel.record.replay import Replay, replayed
from knobel.review import Review, review
from knobel.review.form import JOINED, form
from knobel.review.form import headline as headline_form
from knobel.review.ledger import UNSEEN, Part, TurnLine
from knobel.review.report import extremes, ledger, remarks, report, signed, spoken
from knobel.rules.fields import clean
from knobel.rules.ruleset import SheetRules
from knobel.whole import whole

WHICH = "file|game"
BAR, SHORTEST = 14, 4
"""How long a bar of luck is at most to either side, and at least."""
KEPT = "\u00a0"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A game looked at again: everybody's ledger, and whose game it is about."""

    record: Record
    replay: Replay
    reviews: tuple[Review, ...]
    seat: int

    @property
    def own(self) -> Review:
        """The review it is about."""
        return self.reviews[self.seat]

    @property
    def names(self) -> list[str]:
        """Who plays; a nameless seat has its number."""
        return [seat.name or str(place) for place, seat in enumerate(self.record.header.seats, 1)]


def run(given: Given) -> None:
    """Review a game."""
    record, name = found(given)
    replay = replayed(record, name)
    words = Words(language(given.word("lang")), edition_of(record.header))
    seat = whose(record, given.number("player", "--player"))
    seats = range(len(record.header.seats))
    reviewed = Reviewed(record, replay, tuple(review(record, replay, one, Prepared(words)) for one in seats), seat)
    page = given.word("html")
    if page:
        write_page(reviewed, words, Path(page))
    if given.flag("json"):
        say_json(for_machines(reviewed, words))
        return
    show(reviewed, words)
    if page:
        say(words("coach.report.written", file=page))


def found(given: Given) -> tuple[Record, str]:
    """Find the record: a file, else a kept game."""
    word = given.the(WHICH)
    path = Path(word)
    if path.suffix == SUFFIX or path.exists() or len(path.parts) > 1:
        return load(path), clean(path.name)
    with at_home(given.word("database")) as (runner, host):
        game = runner.run(find_game(host.store, word))
        return parse(runner.run(exported(host.store, game.game)), game.game), game.game


def whose(record: Record, asked: int | None) -> int:
    """Say whose game it is about: who was asked for, else the first person."""
    seats = record.header.seats
    if asked is not None:
        if not 1 <= asked <= len(seats):
            raise NumberRange(name="--player", least=1, most=len(seats), value=asked)
        return asked - 1
    return next((place for place, seat in enumerate(seats) if seat.bot is None), 0)


@dataclass(frozen=True, slots=True)
class Prepared:
    """Finds the coach of some rules, ready to look ahead; what is missing is written first, with a bar."""

    words: Words

    def __call__(self, rules: SheetRules) -> Coach:
        """Find the coach."""
        bar = Bar()
        try:
            known = coach(rules, self.warn, bar)
            known.look_ahead(bar)
        finally:
            bar.done()
        return known

    def warn(self, said: Phrase) -> None:
        """Say something beside the answer."""
        sys.stderr.write(f"{self.words.say(said)}\n")


def show(reviewed: Reviewed, words: Words) -> None:
    """Write a review for people."""
    header, own, names = reviewed.record.header, reviewed.own, reviewed.names
    say(words("coach.report.title", title=header.edition.title, game=header.game, name=names[reviewed.seat]))
    say()
    paragraph(words.say(headline(own)))
    say(words("coach.report.class", rating=phrase(f"coach.class.{own.rating}")))
    for remark in remarks(own):
        paragraph(words.say(remark))
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


def headline(own: Review) -> Phrase:
    """Say the ledger in one line."""
    par, luck, lost, final = ledger(own)
    return phrase(f"coach.report.headline_{own.unit}", par=par, luck=luck, lost=lost, final=final)


def show_decisions(own: Review, words: Words) -> None:
    """List the decisions that were worse than fine, each with its reasons."""
    if not own.worst:
        say(words("coach.report.nothing_better"))
        return
    say(words("coach.report.better"))
    for decision in own.worst:
        grade = words(f"coach.grade.{decision.grade}")
        told(f"{words.figure(Figure(-decision.loss, 2))} {grade}. {words.say(spoken(own, decision))}", "  ")
        told(words.say(JOINED).join(map(words.say, decision.why)), "      ")


def told(text: str, indent: str) -> None:
    """Write a paragraph in which a number and its percent sign stay together."""
    filled = textwrap.fill(
        text.replace(" %", f"{KEPT}%"), screen_width(), initial_indent=indent, subsequent_indent=indent
    )
    say(filled.replace(KEPT, " "))


def show_turns(own: Review, words: Words) -> None:
    """Write the luck turn by turn as a table, with a bar for each turn where there is room."""
    say(words("coach.report.luck_by_turn"))
    unseen = {roll.turn for roll in own.rolls if roll.kind == UNSEEN}
    first = ["turn", "entry"] if own.sheet else ["round"]
    heads = [words(f"coach.report.{name}") for name in (*first, "luck", "lost", "then")]
    cells = lined([heads, *([f"{line.turn}", *entry(line, unseen, words)] for line in own.turns)], left=len(first) - 1)
    room = min(BAR, (screen_width() - width(cells[0]) - 4) // 2)
    most = max((abs(line.luck) for line in own.turns), default=0.0) or 1.0
    say(cells[0])
    for cell, line in zip(cells[1:], own.turns, strict=True):
        say(f"{cell}  {drawn(line.luck / most, room)}".rstrip() if room >= SHORTEST else cell)
    for extreme in extremes(own):
        say(words.say(extreme))


def lined(rows: list[list[str]], left: int) -> list[str]:
    """Write rows as lines, numbers to the right, names to the left."""
    widths = [max(width(row[place]) for row in rows) for place in range(len(rows[0]))]
    return ["  " + "  ".join(padded(row, widths, left)).rstrip() for row in rows]


def padded(row: list[str], widths: list[int], left: int) -> list[str]:
    """Fill the cells of a row up with blanks."""
    blanks = [" " * (size - width(cell)) for cell, size in zip(row, widths, strict=True)]
    pairs = zip(row, blanks, strict=True)
    return [cell + blank if place == left else blank + cell for place, (cell, blank) in enumerate(pairs)]


def entry(line: TurnLine, unseen: set[int], words: Words) -> list[str]:
    """Write a turn as cells."""
    mark = f" ({words('coach.report.not_seen')})" if line.turn in unseen else ""
    shown = [f"{words.box(line.box)} {line.points}{mark}"] if line.box else []
    figures = (signed(line.luck), Figure(line.lost, 2), Figure(line.value, 1))
    return [*shown, *map(words.figure, figures)]


def drawn(part: float, room: int) -> str:
    """Draw luck with plain characters: good luck to the right, bad luck to the left."""
    long = round(abs(part) * room)
    left, right = ("", "+" * long) if part > 0 else ("-" * long, "")
    return f"{left:>{room}}|{right}"


def show_parts(own: Review, words: Words) -> None:
    """Write the ledger of every part of a game of rounds."""
    heads = [words(f"coach.report.{name}") for name in ("part", "par", "luck", "lost", "final")]
    rows = [
        [
            words(f"coach.report.part_{part.kind}", turn=part.turn, n=part.players),
            *cells(part, words),
        ]
        for part in own.parts
    ]
    for line in lined([heads, *rows], left=0):
        say(line)


def cells(own: Review | Part, words: Words) -> list[str]:
    """Write a ledger as cells."""
    return [*map(words.figure, ledger(own))]


def show_players(reviewed: Reviewed, words: Words) -> None:
    """Write everybody's ledger."""
    heads = [words(f"coach.report.{name}") for name in ("player", "par", "luck", "lost", "final")]
    everybody = list(zip(reviewed.names, reviewed.reviews, strict=True))
    rows = [[name, *cells(own, words)] for name, own in everybody]
    classes = [words("coach.report.how"), *(words(f"coach.class.{own.rating}") for _, own in everybody)]
    for line, how in zip(lined([heads, *rows], left=0), classes, strict=True):
        say(f"{line}  {how}")


def for_machines(reviewed: Reviewed, words: Words) -> dict[str, object]:
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
        **form(reviewed.own, words.say),
        "players": [{"name": name, **headline_form(own)} for name, own in everybody],
    }


def write_page(reviewed: Reviewed, words: Words, path: Path) -> None:
    """Write the report as a page."""
    header = reviewed.record.header
    pairs = list(zip(reviewed.names, reviewed.reviews, strict=True))
    with whole(path) as file:
        page = report(header.edition.title, header.game, pairs, reviewed.seat, words.lang, words.say)
        file.write(page.encode())


COMMAND = Command(
    "review",
    (Argument(WHICH),),
    (Option("player", "N", meant="whose"), Option("html", "FILE"), DATABASE, LANG, JSON),
    run,
)
