"""The conversation about a game of rounds: who opens, over or under what, who took a chip, who left."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from knobel.cli.conversation import Conversation, parse_final_dice
from knobel.cli.screen import say, say_columns
from knobel.errors import NotationError
from knobel.game import EnterDice, Land, Roll, Stand
from knobel.games.round_state import AIMS, FOLLOW, RoundState
from knobel.lang import Translator
from knobel.record.events import Undone
from knobel.record.track import Step
from knobel.rules.fields import abbreviate
from knobel.view.rounds import build_prompt


class RoundConversation(Conversation):
    """A conversation with chips in it."""

    def stand(self, rest: str) -> None:
        """Stop throwing; an opener says over or under."""
        self.act(Stand(rest.casefold() or None))

    def correct(self, rest: str) -> None:
        """Tell other dice for a round: one's own, or of the player whose number comes first; an opener says his aim."""
        words = rest.casefold().split()
        aim = words.pop() if words and words[-1] in AIMS else None
        if not 2 <= len(words) <= 3 or not all(word.isdecimal() for word in words[:-1]):
            raise NotationError(text=abbreviate(f"c {rest}"))
        seat = self.find_seat(words[0]) if len(words) == 3 else self.player
        self.client.correct(seat, words[-2], (parse_final_dice(words[-1]), Stand(aim)))

    def show_board(self) -> None:
        """Show the chips."""
        show_chips(self.words, self.table.game, self.state, [seat.name for seat in self.table.header.seats])

    def say_turn(self) -> None:
        """Say whose turn it is, and what for."""
        say(self.words.translate(build_prompt(self.game, self.state, self.player_name(self.player))))
        self.say_how_to_roll()

    def on_step(self, step: Step) -> None:
        """Say what was done, what the round came to, and to a person the sum."""
        person = not self.is_bot(step.before.player)
        if not isinstance(step.action, Roll) or not person:
            self.say_step(step)
        landed = isinstance(step.action, Land | EnterDice) and not step.before.rolloff
        if isinstance(step.event, Undone) or (landed and person):
            self.say_preview()

    def say_preview(self) -> None:
        """Say the sum, and whether it beats the opener."""
        state: RoundState = self.state
        if not state.dice:
            return
        total = sum(state.dice)
        if state.phase != FOLLOW:
            say(self.words("interface.rounds.sum", n=total))
            return
        beats = self.game.beats_opener(state, total) or self.game.is_all_ones(state.dice)
        say(self.words("interface.rounds.beats" if beats else "interface.rounds.fails", n=total))

    @property
    def game(self) -> Any:
        """The game that is played."""
        return self.table.game

    commands: ClassVar[Mapping[str, Callable[[Any, str], None]]] = {"s": stand, "stand": stand, "c": correct}
    help_keys: ClassVar[Mapping[str, str]] = {
        "r": "roll",
        "k 6 6": "keep",
        "s over": "stand_over",
        "s under": "stand_under",
        "s": "stand",
        "d 1 4 3": "land",
        "143:2": "shown_rolls",
        "c 3 143:2 over": "correct_round",
        "o": "sum",
        "p": "chips",
        "undo": "undo",
        "leave": "leave",
        "q": "quit",
    }


def show_chips(words: Translator, game: Any, state: RoundState, names: Sequence[str]) -> None:  # noqa: ARG001
    """Show who holds how many chips, and what lies in the kitty."""
    rows = [[f"  {name}", str(state.chips[seat])] for seat, name in enumerate(names)]
    say_columns([*rows, [f"  {words.find_term('rules.term.kitty') or ''}", str(state.kitty)]])
