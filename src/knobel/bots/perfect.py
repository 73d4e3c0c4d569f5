"""Bots that play by the book: one never errs, one errs by about as many points a game as its level says."""

from collections.abc import Callable
from random import Random

from knobel.bots.levels import MAX_LOSS, calibrate_level, draw_move
from knobel.coach.plans import list_planned_moves
from knobel.coach.sheet import open_coach
from knobel.errors import BotLossOutOfRange
from knobel.game import Move
from knobel.games.sheet import SheetGame, SheetState


def perfect_bot(game: SheetGame, state: SheetState, random: Random) -> Move:  # noqa: ARG001
    """Play the move with the highest expected total."""
    return open_coach(game.rules_for(state.player)).rank_moves(game, state)[0].move


def make_human_bot(level: str) -> Callable[[SheetGame, SheetState, Random], Move]:
    """Make a bot that loses about this many points a game by following plans as people have them."""
    if not level.isdecimal() or not 1 <= int(level) <= MAX_LOSS:
        raise BotLossOutOfRange(value=level, most=MAX_LOSS)
    loss = int(level)

    def choose_move(game: SheetGame, state: SheetState, random: Random) -> Move:
        rules = game.rules_for(state.player)
        moves = list_planned_moves(open_coach(rules), game, state)
        return draw_move(moves, calibrate_level(rules, loss), random).move

    return choose_move
