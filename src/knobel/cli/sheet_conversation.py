"""The conversation about a score-sheet game: what the dice would bring, what was written, how the bonus stands."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

from knobel.cli.conversation import Conversation
from knobel.cli.parser import parse_int
from knobel.cli.position import find_box
from knobel.cli.score_sheet import show_sheet
from knobel.cli.screen import say, say_paragraph
from knobel.errors import KnobelError
from knobel.game import Announce, EnterDice, EnterPoints, Land, Roll, Score
from knobel.games.sheet import SheetGame
from knobel.phrase import BoxName, FormattedNumber
from knobel.record.events import Undone
from knobel.record.marks import list_marked_boxes
from knobel.record.track import Step


class SheetConversation(Conversation):
    """A conversation with boxes in it."""

    @property
    def game(self) -> Any:
        """The game that is played."""
        return self.table.game

    def score(self, rest: str) -> None:
        """Write the dice into a box; a zero while others score is asked twice."""
        box = self.find_box(rest)
        option = self.game.list_options(self.state)[box] if self.state.dice else None
        if option is None or not option.warn_zero or self.confirm(f"s {rest}", "zero"):
            self.act(Score(box))

    def cross_out(self, rest: str) -> None:
        """Write a deliberate zero, asked twice."""
        box = self.find_box(rest)
        self.table.decide(self.player, Score(box, cross_out=True))
        if self.confirm(f"x {rest}", "zero"):
            self.act(Score(box, cross_out=True))

    def announce(self, rest: str) -> None:
        """Announce a box."""
        self.act(Announce(self.find_box(rest)))

    def enter_points(self, rest: str) -> None:
        """Write points of dice thrown on the table, with their extra after a plus."""
        self.act(self.parse_entry(rest, "e"))

    def parse_entry(self, rest: str, command: str, anyway: bool = False) -> EnterPoints:
        """Read the box and the points of a command."""
        name, _, figures = rest.rpartition(" ")
        plain = figures.removesuffix("*")
        points, _, extra = plain.partition("+")
        added = parse_int(extra, command) if extra else 0
        return EnterPoints(self.find_box(name), parse_int(points, command), added, plain != figures, anyway)

    def enter_anyway(self, rest: str) -> None:
        """Write the dice or some points although the rules forbid it."""
        self.act(
            Score(self.find_box(rest), anyway=True) if self.state.dice else self.parse_entry(rest, "~", anyway=True)
        )

    def correct(self, rest: str) -> None:
        """Put other points in place of an entry of real dice, or swap two: one's own, or of the player named first."""
        first, _, others = rest.partition(" ")
        seat = self.find_seat(first) if first.isdecimal() else self.player
        entry = (others if first.isdecimal() else rest).strip()
        if boxes := self.find_two_boxes(entry.split()):
            self.client.swap(seat, *boxes)
            return
        noted = self.parse_entry(entry.removeprefix("~").strip(), "c", entry.startswith("~"))
        if noted.box in list_marked_boxes(self.table.replay, seat)[0]:
            noted = replace(noted, anyway=True)
        called = self.game.rules_for(seat).order == "announced" and not noted.anyway
        self.client.correct(seat, noted.box, (*((Announce(noted.box),) if called else ()), noted))

    def find_two_boxes(self, words: list[str]) -> tuple[str, str] | None:
        """Find two boxes that were typed one after the other, if that was so."""
        for place in range(1, len(words)):
            with suppress(KnobelError):
                return self.find_box(" ".join(words[:place])), self.find_box(" ".join(words[place:]))
        return None

    def find_box(self, name: str) -> str:
        """Find the box that was typed."""
        return find_box(self.words, self.game.rules, name)

    def show_board(self) -> None:
        """Show the sheet."""
        show_sheet(self.words, self.game, self.state, [seat.name for seat in self.table.header.seats])

    def say_turn(self) -> None:
        """Say whose turn it is, and how the bonus stands."""
        state, name = self.state, self.player_name(self.player)
        if state.rolloff:
            say(self.words("interface.play.rolloff", name=name))
            self.say_how_to_roll()
            return
        game: SheetGame = self.game
        tally, rules = game.tally(state, self.player), game.rules_for(self.player)
        say(self.words("interface.play.turn", name=name, total=tally.total, n=len(state.column.open_boxes)))
        if rules.bonus:
            gap = FormattedNumber(tally.bonus_pace, signed=True)
            say(self.words("interface.play.bonus", gap=gap, upper=tally.upper, goal=rules.bonus.goal))
        if rules.order == "announced":
            say(self.words("interface.play.announce"))
        else:
            self.say_how_to_roll()

    def on_step(self, step: Step) -> None:
        """Say what was done, and to a person what the dice would bring."""
        person = not self.is_bot(step.before.player)
        if not isinstance(step.action, Roll) or not person:
            self.say_step(step)
        landed = isinstance(step.action, Land | EnterDice) and not step.before.rolloff
        if isinstance(step.event, Undone) or (landed and person):
            self.say_preview()

    def say_preview(self) -> None:
        """Say what the dice would bring, best first; if nothing, where a zero may go."""
        if not self.state.dice:
            return
        options = self.game.list_options(self.state)
        free = {box: option for box, option in options.items() if option.refusal is None}
        best = sorted(free, key=lambda box: -free[box].points)
        scoring = [
            self.words("interface.play.option", box=BoxName(box), n=free[box].points)
            for box in best
            if free[box].points
        ]
        if scoring:
            say_paragraph(self.words("interface.play.options", options=self.words.join_list(scoring)))
        else:
            say_paragraph(
                self.words("interface.play.zeros", boxes=self.words.join_list(map(self.words.name_box, best)))
            )
        if extra := max((option.extra for option in free.values()), default=0):
            say(self.words("interface.play.extra", n=extra))

    commands: ClassVar[Mapping[str, Callable[[Any, str], None]]] = {
        "s": score,
        "x": cross_out,
        "a": announce,
        "e": enter_points,
        "w": enter_points,
        "~": enter_anyway,
        "c": correct,
    }
    help_keys: ClassVar[Mapping[str, str]] = {
        "r": "roll",
        "k 6 6": "keep",
        "s BOX": "score",
        "x BOX": "cross_out",
        "a BOX": "announce",
        "d 3 3 5 5 5": "land",
        "33555": "shown",
        "e BOX 18": "enter",
        "~ BOX 18": "anyway",
        "c BOX 18": "correct",
        "c BOX BOX": "swap",
        "o": "options",
        "p": "sheet",
        "undo": "undo",
        "leave": "leave",
        "q": "quit",
    }
