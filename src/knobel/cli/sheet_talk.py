"""The conversation about a score-sheet game: what the dice would bring, what was written, how the bonus stands."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

from knobel.cli.line import whole
from knobel.cli.screen import paragraph, say
from knobel.cli.sheet import show_sheet
from knobel.cli.situation import box_named
from knobel.cli.talk import Talk
from knobel.errors import KnobelError
from knobel.game import Announce, Fill, Land, Show, Throw, Write
from knobel.games.sheet import Sheet
from knobel.phrase import BoxName, Figure
from knobel.record.events import Undone
from knobel.record.lane import Step


class SheetTalk(Talk):
    """A conversation with boxes in it."""

    @property
    def game(self) -> Any:
        """The game that is played."""
        return self.table.game

    def score(self, rest: str) -> None:
        """Write the dice into a box; a zero while others score is asked twice."""
        box = self.box(rest)
        option = self.game.options(self.state)[box] if self.state.dice else None
        if option is None or not option.warn_zero or self.sure(f"s {rest}", "zero"):
            self.do(Fill(box))

    def strike(self, rest: str) -> None:
        """Write a deliberate zero, asked twice."""
        box = self.box(rest)
        self.table.decide(self.player, Fill(box, strike=True))
        if self.sure(f"x {rest}", "zero"):
            self.do(Fill(box, strike=True))

    def announce(self, rest: str) -> None:
        """Announce a box."""
        self.do(Announce(self.box(rest)))

    def write(self, rest: str) -> None:
        """Write points of dice thrown on the table, with their extra after a plus."""
        self.do(self.noted(rest, "w"))

    def noted(self, rest: str, command: str, anyway: bool = False) -> Write:
        """Read the box and the points of a command."""
        name, _, figures = rest.rpartition(" ")
        plain = figures.removesuffix("*")
        points, _, extra = plain.partition("+")
        added = whole(extra, command) if extra else 0
        return Write(self.box(name), whole(points, command), added, plain != figures, anyway)

    def anyway(self, rest: str) -> None:
        """Write the dice or some points although the rules forbid it."""
        self.do(Fill(self.box(rest), anyway=True) if self.state.dice else self.noted(rest, "~", anyway=True))

    def correct(self, rest: str) -> None:
        """Put other points in place of an entry of real dice, or swap two: one's own, or of the player named first."""
        first, _, others = rest.partition(" ")
        seat = self.seat(first) if first.isdecimal() else self.player
        entry = (others if first.isdecimal() else rest).strip()
        if boxes := self.two_boxes(entry.split()):
            self.sitting.swap(seat, *boxes)
            return
        noted = self.noted(entry.removeprefix("~").strip(), "c", entry.startswith("~"))
        if noted.box in self.table.replay.by_hand(seat)[0]:
            noted = replace(noted, anyway=True)
        called = self.game.rules_of(seat).order == "announced" and not noted.anyway
        self.sitting.correct(seat, noted.box, (*((Announce(noted.box),) if called else ()), noted))

    def two_boxes(self, words: list[str]) -> tuple[str, str] | None:
        """Find two boxes that were typed one after the other, if that was so."""
        for place in range(1, len(words)):
            with suppress(KnobelError):
                return self.box(" ".join(words[:place])), self.box(" ".join(words[place:]))
        return None

    def box(self, name: str) -> str:
        """Find the box that was typed."""
        return box_named(self.words, self.game.rules, name)

    def board(self) -> None:
        """Show the sheet."""
        show_sheet(self.words, self.game, self.state, [seat.name for seat in self.table.header.seats])

    def invite(self) -> None:
        """Say whose turn it is, and how the bonus stands."""
        state, name = self.state, self.name(self.player)
        if state.rolloff:
            say(self.words("interface.play.rolloff", name=name))
            self.say_how()
            return
        game: Sheet = self.game
        tally, rules = game.tally(state, self.player), game.rules_of(self.player)
        say(self.words("interface.play.turn", name=name, total=tally.total, n=len(state.column.open)))
        if rules.bonus:
            gap = Figure(tally.gap, signed=True)
            say(self.words("interface.play.bonus", gap=gap, upper=tally.upper, goal=rules.bonus.goal))
        if rules.order == "announced":
            say(self.words("interface.play.announce"))
        else:
            self.say_how()

    def hear(self, step: Step) -> None:
        """Say what was done, and to a person what the dice would bring."""
        person = not self.is_bot(step.before.player)
        if not isinstance(step.action, Throw) or not person:
            self.tell(step)
        landed = isinstance(step.action, Land | Show) and not step.before.rolloff
        if isinstance(step.event, Undone) or (landed and person):
            self.previews()

    def previews(self) -> None:
        """Say what the dice would bring, best first; if nothing, where a zero may go."""
        if not self.state.dice:
            return
        options = self.game.options(self.state)
        free = {box: option for box, option in options.items() if option.refusal is None}
        best = sorted(free, key=lambda box: -free[box].points)
        scoring = [
            self.words("interface.play.option", box=BoxName(box), n=free[box].points)
            for box in best
            if free[box].points
        ]
        if scoring:
            paragraph(self.words("interface.play.options", options=self.words.list(scoring)))
        else:
            paragraph(self.words("interface.play.zeros", boxes=self.words.list(map(self.words.box, best))))
        if extra := max((option.extra for option in free.values()), default=0):
            say(self.words("interface.play.extra", n=extra))

    commands: ClassVar[Mapping[str, Callable[[Any, str], None]]] = {
        "s": score,
        "x": strike,
        "a": announce,
        "w": write,
        "~": anyway,
        "c": correct,
    }
    helps: ClassVar[Mapping[str, str]] = {
        "t": "throw",
        "k 6 6": "keep",
        "s BOX": "score",
        "x BOX": "strike",
        "a BOX": "announce",
        "d 3 3 5 5 5": "land",
        "33555": "shown",
        "w BOX 18": "write",
        "~ BOX 18": "anyway",
        "c BOX 18": "correct",
        "c BOX BOX": "swap",
        "o": "options",
        "p": "sheet",
        "undo": "undo",
        "leave": "leave",
        "q": "quit",
    }
