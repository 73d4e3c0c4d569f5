"""Bots for games of rounds: one goes for the far end of the dice, one has the rounds solved."""

from random import Random

from knobel.game import Move, Stand, Throw
from knobel.games.round_state import FOLLOW, OVER, UNDER, RoundState
from knobel.games.rounds import Rounds
from knobel.round_coach import judge


def greedy(game: Rounds, state: RoundState, random: Random) -> Move:  # noqa: ARG001
    """Throw again what lies on the wrong side of the middle, until the total is safe."""
    if not state.dice:
        return Throw()
    aim = state.aim or (OVER if 2 * sum(state.dice) >= game.rules.dice * (game.rules.faces + 1) else UNDER)
    stand = Stand() if state.phase == FOLLOW or game.is_all_ones(state.dice) else Stand(aim)
    keep = tuple(place for place, die in enumerate(state.dice) if good(die, aim, game.rules.faces))
    throw = Throw(keep)
    return stand if safe(game, state) or game.refusal(state, throw) is not None else throw


def perfect(game: Rounds, state: RoundState, random: Random) -> Move:  # noqa: ARG001
    """Play the move with the smallest chance to lose, in the game with few players, else in the round."""
    if not state.dice:
        return Throw()
    return judge(game, state)[0].move


def safe(game: Rounds, state: RoundState) -> bool:
    """Tell whether one may stop: a follower who beats the opener, an opener near an end of the dice."""
    if state.phase == FOLLOW:
        return game.beats(state, sum(state.dice)) or game.is_all_ones(state.dice)
    middle = game.rules.dice * (game.rules.faces + 1) / 2
    return abs(sum(state.dice) - middle) >= middle / 3


def good(die: int, aim: str, faces: int) -> bool:
    """Tell whether a die lies on the right side of the middle."""
    return 2 * die > faces + 1 if aim == OVER else 2 * die < faces + 1
