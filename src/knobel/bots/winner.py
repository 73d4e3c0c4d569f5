"""A bot that plays to win: for points as long as many boxes are open, then for its chance against the others."""

from contextlib import suppress
from random import Random

from knobel.coach.sheet import open_coach
from knobel.coach.winning import can_play_to_win, rank_to_win
from knobel.errors import NotInBook
from knobel.game import Move
from knobel.games.sheet import SheetGame, SheetState


def winner_bot(game: SheetGame, state: SheetState, random: Random) -> Move:  # noqa: ARG001
    """Play the move with the greatest chance to win; of moves with equal chances the one with the most points."""
    if can_play_to_win(state):
        with suppress(NotInBook):  # nobody knows what somebody will get whose column has gaps that cannot be
            return rank_to_win(game, state)[0].move
    return open_coach(game.rules_for(state.player)).rank_moves(game, state)[0].move
