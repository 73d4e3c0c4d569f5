"""The conversation about a game of rounds: who opens, over or under what, who took a chip, who left."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from knobel.cli.screen import columns, say
from knobel.cli.talk import Talk
from knobel.game import Land, Leave, Stand, Throw
from knobel.games.round_state import FOLLOW, RoundState, Told
from knobel.lang import Words
from knobel.record.events import Undone
from knobel.record.replay import Step


class RoundTalk(Talk):
    """A conversation with chips in it."""

    def stand(self, rest: str) -> None:
        """Stop throwing; an opener says over or under."""
        self.do(Stand(rest.casefold() or None))

    def board(self) -> None:
        """Show the chips."""
        show_chips(self.words, self.table.game, self.state, [seat.name for seat in self.table.header.seats])

    def invite(self) -> None:
        """Say whose turn it is, and what for."""
        state, name = self.state, self.name(self.player)
        if state.tied:
            say(self.words(f"interface.rounds.tied.{state.tied.kind}", name=name))
        elif state.phase == FOLLOW:
            key = f"interface.rounds.follow.{state.aim}"
            say(self.words(key, name=name, target=state.target, n=state.allowed))
        else:
            say(self.words("interface.rounds.open", name=name, n=self.table.game.rules.throws))
        self.say_how()

    def hear(self, step: Step) -> None:
        """Say what was done, and what the round came to."""
        player = step.before.player
        match step.action:
            case Throw(places) if places and self.is_bot(player):
                self.say_kept(step, player, places)
            case Land(dice) if step.before.tied:
                say(self.words("interface.rounds.thrown_off", name=self.name(player), sum=sum(dice)))
            case Land():
                allowed = step.before.allowed if step.before.phase == FOLLOW else self.table.game.rules.throws
                self.say_landed(step, player, allowed)
                if not self.is_bot(player):
                    self.previews()
            case Stand(aim):
                total = sum(step.before.dice)
                key = f"interface.rounds.stands.{aim}" if aim else "interface.rounds.stands.at"
                say(self.words(key, name=self.name(player), n=total))
            case Leave(seat):
                say(self.words("interface.play.gone", name=self.name(seat)))
            case None if isinstance(step.event, Undone):
                say(self.words("interface.play.undone"))
                self.previews()
        undone = isinstance(step.event, Undone)
        if step.after.told is not None and step.after.told is not step.before.told and not undone:
            self.tell(step.after, step.after.told)

    def tell(self, state: RoundState, told: Told) -> None:
        """Say what the round came to."""
        if told.loser is None:
            say(self.words("interface.rounds.void"))
        elif told.chip_from is None:
            say(self.words("interface.rounds.chip", name=self.name(told.loser), n=state.kitty))
        else:
            say(self.words("interface.rounds.chip_of", name=self.name(told.loser), other=self.name(told.chip_from)))
        for seat in told.left:
            say(self.words("interface.rounds.leaves", name=self.name(seat)))

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

    commands: ClassVar[Mapping[str, Callable[[Any, str], None]]] = {"s": stand, "stand": stand}
    helps: ClassVar[Mapping[str, str]] = {
        "t": "throw",
        "k 6 6": "keep",
        "s over": "stand_over",
        "s under": "stand_under",
        "s": "stand",
        "d 1 4 3": "land",
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
