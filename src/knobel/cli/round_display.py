"""A game of rounds in words: who opens, over or under what, and the chips."""

from collections.abc import Sequence
from typing import Any

from knobel.cli.display import GameDisplay
from knobel.cli.screen import say, say_columns
from knobel.games.round_state import AIM_WORDS, FOLLOW, RoundState
from knobel.lang import Translator
from knobel.view.rounds import build_prompt


class RoundDisplay(GameDisplay):
    """Writes about totals and chips."""

    how_real = "interface.play.how_real_round"

    @property
    def game(self) -> Any:
        return self.table.game

    def show_board(self) -> None:
        show_chips(self.words, self.game, self.state, self.roster.names)

    def say_turn(self) -> None:
        """Say whose turn it is, and what for."""
        say(self.words.translate(build_prompt(self.game, self.state, self.player_name)))
        self.say_how_to_roll()

    def say_preview(self) -> None:
        """Say the total, and whether it beats the opener."""
        state: RoundState = self.state
        if not state.dice:
            return
        total = sum(state.dice)
        if state.phase != FOLLOW:
            say(self.words("interface.rounds.sum", n=total, **AIM_WORDS))
            return
        beats = self.game.beats_opener(state, total) or self.game.is_all_ones(state.dice)
        say(self.words("interface.rounds.beats" if beats else "interface.rounds.fails", n=total))


def show_chips(words: Translator, game: Any, state: RoundState, names: Sequence[str]) -> None:  # noqa: ARG001
    """Show who holds how many chips, and how many are left in the kitty."""
    rows = [[f"  {name}", str(state.chips[seat])] for seat, name in enumerate(names)]
    say_columns([*rows, [f"  {words.find_term('rules.term.kitty') or ''}", str(state.kitty)]])
