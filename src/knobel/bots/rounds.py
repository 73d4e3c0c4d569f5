"""Bots for games of rounds: one keeps dice far from the middle, one plays by the solution."""

from random import Random

from knobel.game import Move, Roll, Stand
from knobel.games.round_state import FOLLOW, OVER, UNDER, RoundState
from knobel.games.rounds import RoundsGame


def greedy_bot(game: RoundsGame, state: RoundState, random: Random) -> Move:  # noqa: ARG001
    """Re-roll the dice on the wrong side of the middle, until the total is safe."""
    if not state.dice:
        return Roll()
    aim = state.aim or (OVER if 2 * sum(state.dice) >= game.rules.dice * (game.rules.faces + 1) else UNDER)
    stand = Stand() if state.phase == FOLLOW or game.is_all_ones(state.dice) else Stand(aim)
    keep = tuple(place for place, die in enumerate(state.dice) if is_good_die(die, aim, game.rules.faces))
    roll = Roll(keep)
    return stand if is_safe(game, state) or game.refusal(state, roll) is not None else roll


def perfect_bot(game: RoundsGame, state: RoundState, random: Random) -> Move:  # noqa: ARG001
    """Play the move with the smallest chance of losing: the whole game with few players, else the round."""
    from knobel.coach.rounds import rank_moves  # numpy loads only where it is needed

    if not state.dice:
        return Roll()
    return rank_moves(game, state)[0].move


def is_safe(game: RoundsGame, state: RoundState) -> bool:
    """Tell whether to stand: as a follower who beats the opener, as an opener with a total far from the middle."""
    if state.phase == FOLLOW:
        return game.beats_opener(state, sum(state.dice)) or game.is_all_ones(state.dice)
    middle = game.rules.dice * (game.rules.faces + 1) / 2
    return abs(sum(state.dice) - middle) >= middle / 3


def is_good_die(die: int, aim: str, faces: int) -> bool:
    """Tell whether a die is on the right side of the middle."""
    return 2 * die > faces + 1 if aim == OVER else 2 * die < faces + 1
