"""The conversation about a game of rounds: who opens, over or under what, who took a chip, who left."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from knobel.cli.screen import columns, say
from knobel.cli.talk import Talk, shown_dice
from knobel.errors import NotationError
from knobel.game import Land, Show, Stand, Throw
from knobel.games.round_state import AIMS, FOLLOW, RoundState
from knobel.lang import Words
from knobel.record.events import Undone
from knobel.record.lane import Step
from knobel.rules.fields import shown
from knobel.view.rounds import asked


class RoundTalk(Talk):
    """A conversation with chips in it."""

    def stand(self, rest: str) -> None:
        """Stop throwing; an opener says over or under."""
        self.do(Stand(rest.casefold() or None))

    def correct(self, rest: str) -> None:
        """Tell other dice for a round: one's own, or of the player whose number comes first; an opener says his aim."""
        words = rest.casefold().split()
        aim = words.pop() if words and words[-1] in AIMS else None
        if not 2 <= len(words) <= 3 or not all(word.isdecimal() for word in words[:-1]):
            raise NotationError(text=shown(f"c {rest}"))
        seat = self.seat(words[0]) if len(words) == 3 else self.player
        self.sitting.correct(seat, words[-2], (shown_dice(words[-1]), Stand(aim)))

    def board(self) -> None:
        """Show the chips."""
        show_chips(self.words, self.table.game, self.state, [seat.name for seat in self.table.header.seats])

    def invite(self) -> None:
        """Say whose turn it is, and what for."""
        say(self.words.say(asked(self.game, self.state, self.name(self.player))))
        self.say_how()

    def hear(self, step: Step) -> None:
        """Say what was done, what the round came to, and to a person the sum."""
        person = not self.is_bot(step.before.player)
        if not isinstance(step.action, Throw) or not person:
            self.tell(step)
        landed = isinstance(step.action, Land | Show) and not step.before.tied
        if isinstance(step.event, Undone) or (landed and person):
            self.previews()

    def previews(self) -> None:
        """Say the sum, and whether it beats the opener."""
        state: RoundState = self.state
        if not state.dice:
            return
        total = sum(state.dice)
        if state.phase != FOLLOW:
            say(self.words("interface.rounds.sum", n=total))
            return
        beats = self.game.beats(state, total) or self.game.is_all_ones(state.dice)
        say(self.words("interface.rounds.beats" if beats else "interface.rounds.fails", n=total))

    @property
    def game(self) -> Any:
        """The game that is played."""
        return self.table.game

    commands: ClassVar[Mapping[str, Callable[[Any, str], None]]] = {"s": stand, "stand": stand, "c": correct}
    helps: ClassVar[Mapping[str, str]] = {
        "t": "throw",
        "k 6 6": "keep",
        "s over": "stand_over",
        "s under": "stand_under",
        "s": "stand",
        "d 1 4 3": "land",
        "143:2": "shown_throws",
        "c 3 143:2 over": "correct_round",
        "o": "sum",
        "p": "chips",
        "undo": "undo",
        "leave": "leave",
        "q": "quit",
    }


def show_chips(words: Words, game: Any, state: RoundState, names: Sequence[str]) -> None:  # noqa: ARG001
    """Show who holds how many chips, and what lies in the kitty."""
    rows = [[f"  {name}", str(state.chips[seat])] for seat, name in enumerate(names)]
    columns([*rows, [f"  {words.term('rules.term.kitty') or ''}", str(state.kitty)]])
