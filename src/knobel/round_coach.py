"""How good is each move in a game of rounds: the chance to lose, and what a move costs against the best one."""

from dataclasses import dataclass

from knobel.dice import Hand
from knobel.game import Move, Stand, Throw
from knobel.games.round_state import FOLLOW, OVER, RoundState, clockwise
from knobel.games.rounds import Rounds
from knobel.solver.chips import ChipGame, solve_chips
from knobel.solver.rounds import Aim, RoundMove, RoundSolution, solve_round

FEW = (2, 3)
"""With so many players the whole game is solved, with more the round."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A move, how bad it may end, and what it costs against the best one; smaller is better."""

    move: Move
    value: float
    loss: float


def judge(game: Rounds, state: RoundState) -> list[Judged]:
    """Judge every move of the player whose turn it is, best first."""
    found = [(spoken(game, state, one), one.value) for one in solved_moves(game, state)]
    best = found[0][1]
    return [Judged(move, value, value - best) for move, value in found]


def solved_moves(game: Rounds, state: RoundState) -> tuple[RoundMove, ...]:
    """Ask the solution of the game, or of the round."""
    players = state.began if state.phase == FOLLOW else len(state.inside)
    if players in FEW and len(state.inside) == players:
        return game_moves(whole_game(game, players), state)
    return round_moves(game, round_solution(game, players), state)


def game_moves(solution: ChipGame, state: RoundState) -> tuple[RoundMove, ...]:
    """Ask the solution of the whole game, players counted from the opener on."""
    seats = [state.opener, *clockwise(state, state.opener)]
    chips = tuple(state.chips[seat] for seat in seats)
    if state.phase != FOLLOW:
        return solution.opener_moves(chips, state.dice, state.thrown)
    made = tuple(total for seat, total in state.totals if seat != state.opener)
    aim: Aim = "over" if state.aim == OVER else "under"
    return solution.follower_moves(chips, state.dice, state.thrown, aim, state.target, state.allowed, made)


def round_moves(game: Rounds, solution: RoundSolution, state: RoundState) -> tuple[RoundMove, ...]:
    """Ask the solution of the round."""
    if state.phase != FOLLOW:
        return solution.opener_moves(state.dice, state.thrown)
    failed = [total for seat, total in state.totals if game.failed(state, seat, total)]
    worst = (min if state.aim == OVER else max)(failed) if failed else None
    to_come = len([seat for seat in state.inside if seat not in dict(state.totals)]) - 1
    aim: Aim = "over" if state.aim == OVER else "under"
    return solution.follower_moves(
        state.dice, state.thrown, aim, state.target, state.allowed, worst, failed.count(worst or 0), to_come
    )


def spoken(game: Rounds, state: RoundState, found: RoundMove) -> Move:
    """Turn a solved move into one of the game."""
    if found.keep is not None:
        return Throw(places(game, state, found.keep))
    return Stand(found.aim if state.phase != FOLLOW else None)


def places(game: Rounds, state: RoundState, kept: Hand) -> tuple[int, ...]:
    """Find the dice to keep on the tray."""
    return game.positions(state, kept) or ()


def whole_game(game: Rounds, players: int) -> ChipGame:
    """Solve the whole game for few players; remembered."""
    rules = game.rules
    return solve_chips(players, rules.chips, rules.dice, rules.faces, rules.throws, rules.chicago_special)


def round_solution(game: Rounds, players: int) -> RoundSolution:
    """Solve one round; remembered."""
    rules = game.rules
    return solve_round(players, rules.dice, rules.faces, rules.throws, rules.chicago_special)
