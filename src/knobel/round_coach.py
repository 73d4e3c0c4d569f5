"""How good is each move in a game of rounds: the chance to lose, and what a move costs against the best one."""

from dataclasses import dataclass

from knobel.dice import Hand, hand
from knobel.game import Move, Stand, Throw
from knobel.games.round_state import FOLLOW, OVER, RoundState, clock, clockwise
from knobel.games.rounds import Rounds
from knobel.solver.chips import ChipGame, solve_chips
from knobel.solver.rounds import Aim, Cup, RoundMove, RoundSolution, solve_round
from knobel.solver.tables import Floats

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


def playing(state: RoundState) -> int:
    """Say how many play this round; while the opener throws, whoever quits has never been in it."""
    return state.began if state.phase == FOLLOW else len(state.inside)


def is_whole(state: RoundState) -> bool:
    """Tell whether moves are judged by the whole game: few play, and nobody has quit since the opener stood."""
    players = playing(state)
    return players in FEW and players == len(in_round(state))


def in_round(state: RoundState) -> list[int]:
    """List who plays this round from the opener on, with those who left it with the special hand."""
    there = {*state.inside, *(state.gone if state.phase == FOLLOW else ())}
    return sorted(there, key=lambda seat: clock(state, seat))


def solved_moves(game: Rounds, state: RoundState) -> tuple[RoundMove, ...]:
    """Ask the solution of the game, or of the round."""
    if is_whole(state):
        return game_moves(whole_game(game, playing(state)), state)
    return round_moves(game, round_solution(game, playing(state)), state)


def game_moves(solution: ChipGame, state: RoundState) -> tuple[RoundMove, ...]:
    """Ask the solution of the whole game, players counted from the opener on."""
    if state.phase != FOLLOW:
        return solution.opener_moves(chips_of(state), state.dice, state.thrown)
    return solution.follower_moves(
        chips_of(state), state.dice, state.thrown, aim_of(state), state.target, state.allowed, made_of(state)
    )


def round_moves(game: Rounds, solution: RoundSolution, state: RoundState) -> tuple[RoundMove, ...]:
    """Ask the solution of the round."""
    if state.phase != FOLLOW:
        return solution.opener_moves(state.dice, state.thrown)
    worst, sharing, to_come = failures(game, state)
    return solution.follower_moves(
        state.dice, state.thrown, aim_of(state), state.target, state.allowed, worst, sharing, to_come
    )


def chips_of(state: RoundState) -> tuple[int, ...]:
    """Give everybody's chips from the opener on; who left with the special hand has none any more."""
    return tuple(state.chips[seat] for seat in in_round(state))


def made_of(state: RoundState) -> tuple[int, ...]:
    """Give the totals of the followers before this one."""
    return tuple(total for seat, total in state.totals if seat != state.opener)


def aim_of(state: RoundState) -> Aim:
    """Give the aim as the solver calls it."""
    return "over" if state.aim == OVER else "under"


def failures(game: Rounds, state: RoundState) -> tuple[int | None, int, int]:
    """Give the worst total that failed so far, how many have it, and how many are to come after this one."""
    failed = [total for seat, total in state.totals if game.failed(state, seat, total)]
    worst = (min if state.aim == OVER else max)(failed) if failed else None
    to_come = len([seat for seat in state.inside if seat not in dict(state.totals)]) - 1
    return worst, failed.count(worst or 0), to_come


def follower_stands(game: Rounds, state: RoundState) -> list[Floats]:
    """Say for the follower whose turn it is what standing on each hand is worth, at each of his throws."""
    if is_whole(state):
        solution = whole_game(game, playing(state))
        return solution.follower_stands(chips_of(state), aim_of(state), state.target, state.allowed, made_of(state))
    worst, sharing, to_come = failures(game, state)
    return round_solution(game, playing(state)).follower_stands(
        aim_of(state), state.target, state.allowed, worst, sharing, to_come
    )


def before_round(game: Rounds, state: RoundState, seat: int) -> float:
    """Say what a seat may expect before the first throw of a round."""
    turn = [state.opener, *clockwise(state, state.opener)].index(seat)
    if is_whole(state):
        solution, chips = whole_game(game, playing(state)), chips_of(state)
        # Who quits can leave chips behind that no round would have ended with.
        places = solution.places[chips] if chips in solution.places else solution.round(chips).places
        return places[turn]
    return round_solution(game, playing(state)).lose[turn]


def before_turn(game: Rounds, state: RoundState) -> float:
    """Say what the player whose turn it is may expect before his first throw."""
    if state.phase != FOLLOW:
        return before_round(game, state, state.player)
    return cup_of(game, state).before(follower_stands(game, state))


def cup_of(game: Rounds, state: RoundState) -> Cup:
    """Give the dice of the solution."""
    players = playing(state)
    return whole_game(game, players).cup if is_whole(state) else round_solution(game, players).cup


def to_beat(game: Rounds, state: RoundState) -> int:
    """Give the total a follower must do better than: the worst one that failed, else the opener's."""
    worst, _, _ = failures(game, state)
    return state.target if worst is None else worst


def chance_to_beat(game: Rounds, state: RoundState, move: Move) -> float:
    """Say how likely a follower's move does better than the total he must beat, best play after it."""
    cup = cup_of(game, state)
    wanted = cup.better(aim_of(state), to_beat(game, state))
    kept = hand(state.dice[place] for place in move.keep) if isinstance(move, Throw) else hand(state.dice)
    return cup.chances(follower_stands(game, state), wanted, state.dice, state.thrown)[kept]


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
