"""Why a move in a game of rounds is worse than the best one: how likely each way the round can end is.

Where the whole game is solved, these are losing the round and having its best result; where only the round is, beating
the total to beat, and for an opener being beaten by the next player and by all others, which is how an opener loses. An
opener who rolls on lets the others roll more often, too. Where all ones are special, everybody may roll them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from knobel.coach.figures import format_percents
from knobel.coach.round_endings import find_ending_chances
from knobel.coach.rounds import (
    compute_chance_to_beat,
    convert_aim,
    count_players,
    find_follower_turn,
    find_total_to_beat,
    is_whole_game_solved,
    list_chips_from_opener,
    list_follower_totals,
    solve_single_round,
    solve_whole_game,
)
from knobel.dice import sort_dice
from knobel.game import Move, Roll, Stand
from knobel.games.round_state import FOLLOW, RoundState
from knobel.games.rounds import RoundsGame
from knobel.phrase import Phrase, Value, phrase
from knobel.solver.arrays import Floats
from knobel.solver.chip_game import choose_aims
from knobel.solver.round_dice import DiceTurn
from knobel.solver.rounds import AIMS, RoundSolution

NOTICEABLE = 0.005
"""A chance that differs by less is not named."""
MAX_WORSE = 2
GOOD_WAYS = ("best", "beats", "special")


@dataclass(frozen=True, slots=True)
class WayComparison:
    """One way a round can end: how likely it is after the move played and after the best one."""

    name: str
    played: float
    best: float

    @property
    def lost(self) -> float:
        """How much worse the move played is."""
        return self.best - self.played if self.name in GOOD_WAYS else self.played - self.best


def find_round_reasons(
    game: RoundsGame, state: RoundState, played: Move, best: Move, chances: Sequence[float], kind: str
) -> tuple[Phrase, ...]:
    """Say how likely each way is, what is worse first; where no way is, say the chance of not losing itself."""
    ways = sorted(compare_ways(game, state, played, best), key=lambda one: -one.lost)
    worse, better = (
        [describe_way(game, state, one) for one in ways if sign * one.lost >= NOTICEABLE] for sign in (1, -1)
    )
    if not worse:
        percents = format_percents(*chances)
        worse = [phrase(f"coach.why.away_{kind}", played=percents[0], best=percents[1])]
    return (*worse[:MAX_WORSE], *describe_more_rolls(game, state, played, best), *better[-1:])


def describe_way(game: RoundsGame, state: RoundState, way: WayComparison) -> Phrase:
    percents = format_percents(way.played, way.best)
    name = way.name if way.lost > 0 else f"but_{way.name}"
    shown: dict[str, Value] = {"played": percents[0], "best": percents[1]}
    if way.name == "beats":
        shown["total"] = find_total_to_beat(game, state)
    return phrase(f"coach.why.{name}", **shown)


def describe_more_rolls(game: RoundsGame, state: RoundState, played: Move, best: Move) -> Iterator[Phrase]:
    """Say how often an opener who should have stood lets the others roll, at least as long as they may roll on."""
    if state.phase != FOLLOW and isinstance(played, Roll) and isinstance(best, Stand):
        rolls = state.rolls_used + 1
        key = "coach.why.at_least_rolls" if rolls < game.rules.rolls else "coach.why.more_rolls"
        yield phrase(key, n=rolls, best=state.rolls_used)


def compare_ways(game: RoundsGame, state: RoundState, played: Move, best: Move) -> Iterator[WayComparison]:
    """Compare the ways the round can end."""
    for name in list_ways(game, state):
        chances = [compute_way_chance(game, state, name, move) for move in (played, best)]
        yield WayComparison(name, chances[0], chances[1])


def list_ways(game: RoundsGame, state: RoundState) -> Iterator[str]:
    """List the ways a round can end for whoever's turn it is."""
    if is_whole_game_solved(state):
        yield "loses"
        if count_players(state) > 2:  # of two, who does not lose has the best result
            yield "best"
    elif state.phase == FOLLOW:
        yield "beats"
    else:
        yield from ("next_beaten", "all_beaten")
    if game.rules.chicago_special:
        yield "special"


def compute_way_chance(game: RoundsGame, state: RoundState, name: str, move: Move) -> float:
    """Compute how likely the round ends in some way after a move, everybody followed by best play."""
    if name == "beats":
        return compute_chance_to_beat(game, state, move)
    turn = find_turn(game, state)
    if name == "special":
        ones = np.array([float(set(hand) == {1}) for hand in turn.round_dice.hands])
        return follow_turn(turn, [ones] * len(turn.stand_values), state, move)
    if state.phase == FOLLOW:
        return follow_turn(turn, [find_follower_chances(game, state, name)] * state.rolls_allowed, state, move)
    by_aim = find_opener_chances(game, state, name)
    if isinstance(move, Stand) and move.aim in AIMS:
        hand = turn.round_dice.find_place(state.dice) - turn.round_dice.first_hand
        return float(by_aim[state.rolls_used - 1][AIMS.index(move.aim), hand])
    aims = [choose_aims(values) for values in find_stand_values(game, state)]
    return follow_turn(
        turn,
        [np.take_along_axis(one, aim[None], axis=0)[0] for one, aim in zip(by_aim, aims, strict=True)],
        state,
        move,
    )


def find_follower_chances(game: RoundsGame, state: RoundState, name: str) -> Floats:
    """Find for each hand a follower may end with how likely the round ends in some way for them."""
    after = find_chances_after(game, state, name)[state.rolls_allowed]
    dice, earlier = solve_whole_game(game, count_players(state)).round_dice, list_follower_totals(state)
    totals = [total - dice.dice for total in (state.target, *earlier)]
    follower = len(earlier) + 1
    found: Floats = after[follower][(AIMS.index(convert_aim(state)), *totals)][:, follower][dice.totals]
    return found


def find_opener_chances(game: RoundsGame, state: RoundState, name: str) -> list[Floats]:
    """Find for each hand an opener may stand on how likely the round ends in some way, after each roll and by aim."""
    if name == "next_beaten":
        solution = solve_single_round(game, count_players(state))
        return [list_next_beaten(solution, rolled) for rolled in range(1, solution.round_dice.rolls + 1)]
    if not is_whole_game_solved(state):
        return find_stand_values(game, state)
    dice = solve_whole_game(game, count_players(state)).round_dice
    after = find_chances_after(game, state, name)
    found = [after[rolled][0][..., 0][:, dice.totals].copy() for rolled in range(1, dice.rolls + 1)]
    if dice.special:  # nobody follows an opener with all ones
        for one in found:
            one[:, 0] = 0.0
    return found


def find_chances_after(game: RoundsGame, state: RoundState, name: str) -> dict[int, list[Floats]]:
    chances = find_ending_chances(game, count_players(state), list_chips_from_opener(state))
    return chances.losing if name == "loses" else chances.best


def find_stand_values(game: RoundsGame, state: RoundState) -> list[Floats]:
    """Find what standing on each hand is worth to an opener, after each roll and by aim."""
    players = count_players(state)
    if is_whole_game_solved(state):
        return solve_whole_game(game, players).solved_round(list_chips_from_opener(state)).opener_stand_values
    solution = solve_single_round(game, players)
    return [list_openings(solution, rolled) for rolled in range(1, solution.round_dice.rolls + 1)]


def list_openings(solution: RoundSolution, rolled: int) -> Floats:
    """List an opener's chance to lose by aim and hand; all ones never lose."""
    known = [solution.openings.get((rolled, sum(hand))) for hand in solution.round_dice.hands]
    return np.array([[one.over if one else 0.0 for one in known], [one.under if one else 0.0 for one in known]])


def list_next_beaten(solution: RoundSolution, rolled: int) -> Floats:
    """List how likely the next player beats an opener by aim and hand; nobody follows all ones."""
    dice, found = solution.round_dice, []
    for aim in AIMS:
        *_, fewer, everybody = solution.followers[aim, rolled].opener_losing_chances
        chances = np.divide(everybody, fewer, out=np.zeros_like(everybody), where=fewer > 0)
        found.append(np.append(chances, 0.0)[dice.rank_totals(aim)[dice.totals]])
    return np.array(found)


def find_turn(game: RoundsGame, state: RoundState) -> DiceTurn:
    """Look up the solved turn of whoever's turn it is."""
    if state.phase == FOLLOW:
        return find_follower_turn(game, state)
    values = find_stand_values(game, state)
    dice = (solve_whole_game if is_whole_game_solved(state) else solve_single_round)(
        game, count_players(state)
    ).round_dice
    return DiceTurn(dice, [np.take_along_axis(one, choose_aims(one)[None], axis=0) for one in values])


def follow_turn(turn: DiceTurn, ends: Sequence[Floats], state: RoundState, move: Move) -> float:
    """Follow best play after a move; `ends` says for each roll and hand how likely something is after standing."""
    dice, rolled = turn.round_dice, state.rolls_used
    kept = sort_dice(state.dice[place] for place in move.keep) if isinstance(move, Roll) else sort_dice(state.dice)
    place = dice.find_place(kept)
    if not isinstance(move, Roll):
        return float(ends[rolled - 1][place - dice.first_hand])
    chances = ends[-1]
    for standing, values in zip(ends[rolled:-1][::-1], turn.set_values[rolled:][::-1], strict=True):
        both = np.concatenate((chances @ dice.roll_chances.T, standing))
        chances = both[dice.choose_options(values)[0]]
    return float((chances @ dice.roll_chances.T)[place])
