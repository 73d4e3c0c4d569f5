"""Ranks the moves in a game of rounds by the chance of losing, and what each costs against the best one."""

from dataclasses import dataclass

from knobel.dice import Hand, sort_dice
from knobel.game import Move, Roll, Stand
from knobel.games.round_state import FOLLOW, OVER, RoundState, list_clockwise, steps_from_opener
from knobel.games.rounds import RoundsGame
from knobel.solver.chip_game import ChipFollowerSituation, ChipGameSolution, solve_chip_game
from knobel.solver.round_dice import Aim, DiceTurn
from knobel.solver.rounds import FollowerSituation, RoundMove, RoundSolution, solve_round

WHOLE_GAME_PLAYERS = (2, 3)
"""With how many players the whole game is solved; with others, only the round."""


@dataclass(frozen=True, slots=True)
class RoundMoveValue:
    """A move, its expected loss of the round or place in the game, and what it costs; smaller is better."""

    move: Move
    value: float
    loss: float


def rank_moves(game: RoundsGame, state: RoundState) -> list[RoundMoveValue]:
    """Rank the moves of the player whose turn it is, best first."""
    solved = find_solved_moves(game, state)
    return [RoundMoveValue(convert_move(game, state, one), one.value, one.value - solved[0].value) for one in solved]


def count_players(state: RoundState) -> int:
    """Count the players of this round; those who left while the opener was rolling do not count."""
    return state.players_at_start if state.phase == FOLLOW else len(state.active)


def is_whole_game_solved(state: RoundState) -> bool:
    """Tell whether moves are valued by the whole game: few play, and nobody has left since the opener stood."""
    players = count_players(state)
    return players in WHOLE_GAME_PLAYERS and players == len(list_seats_in_round(state))


def list_seats_in_round(state: RoundState) -> list[int]:
    """List who plays this round from the opener on, with those who went out with the special hand."""
    seats = {*state.active, *(state.out_this_round if state.phase == FOLLOW else ())}
    return sorted(seats, key=lambda seat: steps_from_opener(state, seat))


def find_solved_moves(game: RoundsGame, state: RoundState) -> tuple[RoundMove, ...]:
    if is_whole_game_solved(state):
        return find_game_moves(solve_whole_game(game, count_players(state)), state)
    return find_round_moves(game, solve_single_round(game, count_players(state)), state)


def find_game_moves(solution: ChipGameSolution, state: RoundState) -> tuple[RoundMove, ...]:
    """Look moves up in the solution of the whole game, which counts players from the opener on."""
    if state.phase != FOLLOW:
        return solution.opener_moves(list_chips_from_opener(state), state.dice, state.rolls_used)
    return solution.follower_moves(state.dice, state.rolls_used, describe_game_situation(state))


def find_round_moves(game: RoundsGame, solution: RoundSolution, state: RoundState) -> tuple[RoundMove, ...]:
    """Look moves up in the solution of the round."""
    if state.phase != FOLLOW:
        return solution.opener_moves(state.dice, state.rolls_used)
    return solution.follower_moves(state.dice, state.rolls_used, describe_round_situation(game, state))


def describe_game_situation(state: RoundState) -> ChipFollowerSituation:
    """Describe what the follower whose turn it is faces in the whole game."""
    return ChipFollowerSituation(
        chips=list_chips_from_opener(state),
        aim=convert_aim(state),
        target=state.target,
        rolls_allowed=state.rolls_allowed,
        earlier_totals=list_follower_totals(state),
    )


def describe_round_situation(game: RoundsGame, state: RoundState) -> FollowerSituation:
    """Describe what the follower whose turn it is faces in the round."""
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
    """List everybody's chips from the opener on; players who went out with the special hand have none."""
    return tuple(state.chips[seat] for seat in list_seats_in_round(state))


def list_follower_totals(state: RoundState) -> tuple[int, ...]:
    """List the totals of the followers before this one."""
    return tuple(total for seat, total in state.totals if seat != state.opener)


def convert_aim(state: RoundState) -> Aim:
    return "over" if state.aim == OVER else "under"


def find_follower_turn(game: RoundsGame, state: RoundState) -> DiceTurn:
    """Look up the solved turn of the follower whose turn it is."""
    players = count_players(state)
    if is_whole_game_solved(state):
        return solve_whole_game(game, players).follower_turn(describe_game_situation(state))
    return solve_single_round(game, players).follower_turn(describe_round_situation(game, state))


def value_before_round(game: RoundsGame, state: RoundState, seat: int) -> float:
    """Give the expected value of a seat before the first roll of a round."""
    turn = list_clockwise(state).index(seat)
    if is_whole_game_solved(state):
        solution, chips = solve_whole_game(game, count_players(state)), list_chips_from_opener(state)
        # When a player leaves, the others can hold chips that no round ends with: such positions are solved now.
        places = solution.places[chips] if chips in solution.places else solution.solved_round(chips).places
        return places[turn]
    return solve_single_round(game, count_players(state)).losing_chances[turn]


def value_before_turn(game: RoundsGame, state: RoundState) -> float:
    """Give the expected value of the player whose turn it is before their first roll."""
    if state.phase != FOLLOW:
        return value_before_round(game, state, state.player)
    return find_follower_turn(game, state).find_start_value()


def find_total_to_beat(game: RoundsGame, state: RoundState) -> int:
    """Find the total a follower must beat: the worst one that failed, else the opener's."""
    worst = describe_round_situation(game, state).worst
    return state.target if worst is None else worst


def compute_chance_to_beat(game: RoundsGame, state: RoundState, move: Move) -> float:
    """Compute how likely a follower's move beats the total they must beat, followed by best play."""
    turn = find_follower_turn(game, state)
    wanted = turn.round_dice.mark_better_hands(convert_aim(state), find_total_to_beat(game, state))
    kept = sort_dice(state.dice[place] for place in move.keep) if isinstance(move, Roll) else sort_dice(state.dice)
    return turn.find_success_chances(wanted, state.dice, state.rolls_used)[kept]


def convert_move(game: RoundsGame, state: RoundState, solved: RoundMove) -> Move:
    """Turn a move of the solver into one of the game."""
    if solved.keep is not None:
        return Roll(find_kept_positions(game, state, solved.keep))
    return Stand(solved.aim if state.phase != FOLLOW else None)


def find_kept_positions(game: RoundsGame, state: RoundState, kept: Hand) -> tuple[int, ...]:
    return game.find_positions(state, kept) or ()


def solve_whole_game(game: RoundsGame, players: int) -> ChipGameSolution:
    """Solve the whole game for few players; the solver caches it."""
    rules = game.rules
    return solve_chip_game(players, rules.chips, rules.dice, rules.faces, rules.rolls, rules.chicago_special)


def solve_single_round(game: RoundsGame, players: int) -> RoundSolution:
    """Solve one round; the solver caches it."""
    rules = game.rules
    return solve_round(players, rules.dice, rules.faces, rules.rolls, rules.chicago_special)
