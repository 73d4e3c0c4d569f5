"""Bots for games of rounds: one goes for the far end of the dice, one has the rounds solved."""

from random import Random

from knobel.coach.rounds import rank_moves
from knobel.game import Move, Roll, Stand
from knobel.games.round_state import FOLLOW, OVER, UNDER, RoundState
from knobel.games.rounds import RoundsGame


def greedy_bot(game: RoundsGame, state: RoundState, random: Random) -> Move:  # noqa: ARG001
    """Throw again what lies on the wrong side of the middle, until the total is safe."""
    if not state.dice:
        return Roll()
    aim = state.aim or (OVER if 2 * sum(state.dice) >= game.rules.dice * (game.rules.faces + 1) else UNDER)
    stand = Stand() if state.phase == FOLLOW or game.is_all_ones(state.dice) else Stand(aim)
    keep = tuple(place for place, die in enumerate(state.dice) if is_good_die(die, aim, game.rules.faces))
    throw = Roll(keep)
    return stand if is_safe(game, state) or game.refusal(state, throw) is not None else throw


def perfect_bot(game: RoundsGame, state: RoundState, random: Random) -> Move:  # noqa: ARG001
    """Play the move with the smallest chance to lose, in the game with few players, else in the round."""
    if not state.dice:
        return Roll()
    return rank_moves(game, state)[0].move


def is_safe(game: RoundsGame, state: RoundState) -> bool:
    """Tell whether one may stop: a follower who beats the opener, an opener near an end of the dice."""
    if state.phase == FOLLOW:
        return game.beats_opener(state, sum(state.dice)) or game.is_all_ones(state.dice)
    middle = game.rules.dice * (game.rules.faces + 1) / 2
    return abs(sum(state.dice) - middle) >= middle / 3


def is_good_die(die: int, aim: str, faces: int) -> bool:
    """Tell whether a die lies on the right side of the middle."""
    return 2 * die > faces + 1 if aim == OVER else 2 * die < faces + 1
