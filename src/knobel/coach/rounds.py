"""How good is each move in a game of rounds: the chance to lose, and what a move costs against the best one."""

from dataclasses import dataclass

from knobel.dice import Hand, sort_dice
from knobel.game import Move, Roll, Stand
from knobel.games.round_state import FOLLOW, OVER, RoundState, list_clockwise, steps_from_opener
from knobel.games.rounds import RoundsGame
from knobel.solver.chip_game import ChipFollowerSituation, ChipGameSolution, solve_chip_game
from knobel.solver.cup import Aim, CupTurn
from knobel.solver.rounds import FollowerSituation, RoundMove, RoundSolution, solve_round

WHOLE_GAME_PLAYERS = (2, 3)
"""With so many players the whole game is solved, with more the round."""


@dataclass(frozen=True, slots=True)
class RoundMoveValue:
    """A move, how bad it may end, and what it costs against the best one; smaller is better."""

    move: Move
    value: float
    loss: float


def rank_moves(game: RoundsGame, state: RoundState) -> list[RoundMoveValue]:
    """Judge every move of the player whose turn it is, best first."""
    found = [(convert_move(game, state, one), one.value) for one in find_solved_moves(game, state)]
    best = found[0][1]
    return [RoundMoveValue(move, value, value - best) for move, value in found]


def count_players(state: RoundState) -> int:
    """Say how many play this round; while the opener throws, whoever quits has never been in it."""
    return state.players_at_start if state.phase == FOLLOW else len(state.active)


def is_whole_game_solved(state: RoundState) -> bool:
    """Tell whether moves are judged by the whole game: few play, and nobody has quit since the opener stood."""
    players = count_players(state)
    return players in WHOLE_GAME_PLAYERS and players == len(list_seats_in_round(state))


def list_seats_in_round(state: RoundState) -> list[int]:
    """List who plays this round from the opener on, with those who left it with the special hand."""
    there = {*state.active, *(state.out_this_round if state.phase == FOLLOW else ())}
    return sorted(there, key=lambda seat: steps_from_opener(state, seat))


def find_solved_moves(game: RoundsGame, state: RoundState) -> tuple[RoundMove, ...]:
    """Ask the solution of the game, or of the round."""
    if is_whole_game_solved(state):
        return find_game_moves(solve_whole_game(game, count_players(state)), state)
    return find_round_moves(game, solve_single_round(game, count_players(state)), state)


def find_game_moves(solution: ChipGameSolution, state: RoundState) -> tuple[RoundMove, ...]:
    """Ask the solution of the whole game, players counted from the opener on."""
    if state.phase != FOLLOW:
        return solution.opener_moves(list_chips_from_opener(state), state.dice, state.rolls_used)
    return solution.follower_moves(state.dice, state.rolls_used, describe_game_situation(state))


def find_round_moves(game: RoundsGame, solution: RoundSolution, state: RoundState) -> tuple[RoundMove, ...]:
    """Ask the solution of the round."""
    if state.phase != FOLLOW:
        return solution.opener_moves(state.dice, state.rolls_used)
    return solution.follower_moves(state.dice, state.rolls_used, describe_round_situation(game, state))


def describe_game_situation(state: RoundState) -> ChipFollowerSituation:
    """Say what the follower whose turn it is faces in the whole game."""
    return ChipFollowerSituation(
        chips=list_chips_from_opener(state),
        aim=convert_aim(state),
        target=state.target,
        rolls_allowed=state.rolls_allowed,
        earlier_totals=list_follower_totals(state),
    )


def describe_round_situation(game: RoundsGame, state: RoundState) -> FollowerSituation:
    """Say what the follower whose turn it is faces in the round."""
    failed = [total for seat, total in state.totals if game.has_failed(state, seat, total)]
    worst = (min if state.aim == OVER else max)(failed) if failed else None
    return FollowerSituation(
        aim=convert_aim(state),
        target=state.target,
        rolls_allowed=state.rolls_allowed,
        worst=worst,
        sharing=failed.count(worst or 0),
        to_come=len([seat for seat in state.active if seat not in dict(state.totals)]) - 1,
    )


def list_chips_from_opener(state: RoundState) -> tuple[int, ...]:
    """Give everybody's chips from the opener on; who left with the special hand has none any more."""
    return tuple(state.chips[seat] for seat in list_seats_in_round(state))


def list_follower_totals(state: RoundState) -> tuple[int, ...]:
    """Give the totals of the followers before this one."""
    return tuple(total for seat, total in state.totals if seat != state.opener)


def convert_aim(state: RoundState) -> Aim:
    """Give the aim as the solver calls it."""
    return "over" if state.aim == OVER else "under"


def find_follower_turn(game: RoundsGame, state: RoundState) -> CupTurn:
    """Give the turn of the follower whose turn it is, as it was solved."""
    players = count_players(state)
    if is_whole_game_solved(state):
        return solve_whole_game(game, players).follower_turn(describe_game_situation(state))
    return solve_single_round(game, players).follower_turn(describe_round_situation(game, state))


def value_before_round(game: RoundsGame, state: RoundState, seat: int) -> float:
    """Say what a seat may expect before the first throw of a round."""
    turn = [state.opener, *list_clockwise(state, state.opener)].index(seat)
    if is_whole_game_solved(state):
        solution, chips = solve_whole_game(game, count_players(state)), list_chips_from_opener(state)
        # Who quits can leave chips behind that no round would have ended with.
        places = solution.places[chips] if chips in solution.places else solution.solved_round(chips).places
        return places[turn]
    return solve_single_round(game, count_players(state)).losing_chances[turn]


def value_before_turn(game: RoundsGame, state: RoundState) -> float:
    """Say what the player whose turn it is may expect before his first throw."""
    if state.phase != FOLLOW:
        return value_before_round(game, state, state.player)
    return find_follower_turn(game, state).find_start_value()


def find_total_to_beat(game: RoundsGame, state: RoundState) -> int:
    """Give the total a follower must do better than: the worst one that failed, else the opener's."""
    worst = describe_round_situation(game, state).worst
    return state.target if worst is None else worst


def compute_chance_to_beat(game: RoundsGame, state: RoundState, move: Move) -> float:
    """Say how likely a follower's move does better than the total he must beat, best play after it."""
    turn = find_follower_turn(game, state)
    wanted = turn.cup.mark_better_hands(convert_aim(state), find_total_to_beat(game, state))
    kept = sort_dice(state.dice[place] for place in move.keep) if isinstance(move, Roll) else sort_dice(state.dice)
    return turn.find_success_chances(wanted, state.dice, state.rolls_used)[kept]


def convert_move(game: RoundsGame, state: RoundState, solved: RoundMove) -> Move:
    """Turn a solved move into one of the game."""
    if solved.keep is not None:
        return Roll(find_kept_positions(game, state, solved.keep))
    return Stand(solved.aim if state.phase != FOLLOW else None)


def find_kept_positions(game: RoundsGame, state: RoundState, kept: Hand) -> tuple[int, ...]:
    """Find the dice to keep on the tray."""
    return game.find_positions(state, kept) or ()


def solve_whole_game(game: RoundsGame, players: int) -> ChipGameSolution:
    """Solve the whole game for few players; remembered."""
    rules = game.rules
    return solve_chip_game(players, rules.chips, rules.dice, rules.faces, rules.rolls, rules.chicago_special)


def solve_single_round(game: RoundsGame, players: int) -> RoundSolution:
    """Solve one round; remembered."""
    rules = game.rules
    return solve_round(players, rules.dice, rules.faces, rules.rolls, rules.chicago_special)
