"""Games of rounds: everybody's chance to lose the round, and the game where it is solved, at any moment of a round."""

from dataclasses import dataclass, replace

import numpy as np

from knobel.coach.rounds import (
    convert_aim,
    describe_game_situation,
    describe_round_situation,
    is_whole_game_solved,
    list_chips_from_opener,
    list_seats_in_round,
    solve_single_round,
    solve_whole_game,
)
from knobel.dice import sort_dice
from knobel.game import CHANCE
from knobel.games.round_state import FOLLOW, RoundState
from knobel.games.rounds import RoundsGame
from knobel.solver.arrays import Floats
from knobel.solver.chip_game import choose_aims
from knobel.solver.round_dice import DiceTurn
from knobel.solver.rounds import AIMS, FollowerSituation, RoundSolution, value_openings

PLAYERS_WITH_LOSING_CHANCE = 2
"""With so many players the expected place says how likely the game is lost."""


@dataclass(frozen=True, slots=True)
class RoundChances:
    """The chances of all seats: 0 for those not in the round.

    All players make their chance to lose the round as small as they can; `void` is the chance that nobody loses it.
    For two and three players `expected_places` are those in the whole game under best play, ties averaged, and for two
    `lose_game` is the chance to lose it; otherwise they are not known.
    """

    lose_round: tuple[float, ...]
    void: float
    expected_places: tuple[float, ...] | None
    lose_game: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class LosingChances:
    """Who loses a round: each of those who share the worst failure, the opener, and the followers still to come."""

    sharer: float
    opener: float
    to_come: tuple[float, ...]


def compute_round_chances(game: RoundsGame, state: RoundState) -> RoundChances | None:
    """Work out everybody's chances; there are none when the game is over or dice are rolled to break a tie."""
    if state.seat is None or state.rolloff:
        return None
    seats = list_seats_in_round(state)
    losing, void = find_losing_chances(game, state, seats)
    places = find_expected_places(game, state) if is_whole_game_solved(state) else None
    placed = sum(len(group) for group in state.places) - len(state.out_this_round if state.phase == FOLLOW else ())
    by_seat = None if places is None else spread_over_seats(state, seats, [placed + place for place in places])
    lost = None
    if places is not None and len(seats) == PLAYERS_WITH_LOSING_CHANCE:
        lost = spread_over_seats(state, seats, [place - 1 for place in places])
    return RoundChances(spread_over_seats(state, seats, losing), void, by_seat, lost)


def spread_over_seats(state: RoundState, seats: list[int], numbers: list[float]) -> tuple[float, ...]:
    found = dict(zip(seats, numbers, strict=True))
    return tuple(found.get(seat, 0.0) for seat in range(len(state.chips)))


def follow_state(turn: DiceTurn, state: RoundState) -> Floats:
    """Follow best play of a turn from the dice as they lie, or roll, to where it stops: roll, hand."""
    if state.seat == CHANCE and state.dice:
        kept = sort_dice(die for place, die in enumerate(state.dice) if place not in state.rolling)
        return turn.follow_keep(kept, state.rolls_used)
    if not state.dice:
        return turn.find_stop_chances()[:, 0]
    return turn.follow_hand(state.dice, state.rolls_used)


def find_losing_chances(game: RoundsGame, state: RoundState, seats: list[int]) -> tuple[list[float], float]:
    """Give the chance to lose the round of each seat in it, from the opener on, and that nobody does."""
    solution = solve_single_round(game, state.players_at_start if state.phase == FOLLOW else len(state.active))
    if state.phase == FOLLOW:
        return find_follower_chances(game, state, seats, solution), 0.0
    dice, losing, void = solution.round_dice, np.zeros(len(seats)), 0.0
    stops = follow_state(DiceTurn(dice, value_openings(dice, solution.openings)), state)
    for rolled, chances in enumerate(stops, 1):
        for hand, chance in zip(dice.hands, chances.tolist(), strict=True):
            if chance and dice.special and set(hand) == {1}:
                void += chance
            elif chance:
                opening = solution.openings[rolled, sum(hand)]
                followers = solution.followers[opening.aim, rolled]
                later = followers.losing_chances[dice.rank_total(opening.aim, sum(hand))]
                losing += chance * np.array([opening.losing_chance, *later])
    return losing.tolist(), void


def find_follower_chances(
    game: RoundsGame, state: RoundState, seats: list[int], solution: RoundSolution
) -> list[float]:
    """Give the chance to lose of each seat while a follower plays."""
    situation = describe_round_situation(game, state)
    stops = follow_state(solution.follower_turn(situation), state).sum(axis=0)
    now = RoundFollower(solution, {}).mix_totals(situation, stops)
    totals, worst = dict(state.totals), situation.worst
    found = dict(zip([seat for seat in seats if seat in state.active and seat not in totals], now.to_come, strict=True))
    for seat, total in totals.items():
        if seat == state.opener:
            found[seat] = now.opener
        elif total == worst and game.has_failed(state, seat, total):
            found[seat] = now.sharer
    return [found.get(seat, 0.0) for seat in seats]


@dataclass(frozen=True, slots=True)
class RoundFollower:
    """Follows a round from one of its followers to the last; what was worked out is remembered."""

    solution: RoundSolution
    known: dict[FollowerSituation, LosingChances]

    def follow(self, situation: FollowerSituation) -> LosingChances:
        """Give the chances before the turn of a follower."""
        if situation not in self.known:
            stops = self.solution.follower_turn(situation).find_stop_chances()[:, 0].sum(axis=0)
            self.known[situation] = self.mix_totals(situation, stops)
        return self.known[situation]

    def mix_totals(self, situation: FollowerSituation, stops: Floats) -> LosingChances:
        """Mix what follows each total that the follower whose turn it is may end with."""
        dice = self.solution.round_dice
        sharer, opener, to_come = 0.0, 0.0, np.zeros(situation.to_come + 1)
        for total in range(dice.total_count):
            chance = float(stops @ (dice.totals == total))
            if not chance:
                continue
            fails, beats_worst, after = self.count_total(situation, total)
            then = self.finish(after)
            is_sharer = fails and not beats_worst
            to_come += chance * np.array([then.sharer if is_sharer else 0.0, *then.to_come])
            opener += chance * then.opener
            still_worst = after.worst == situation.worst
            sharer += chance * then.sharer if still_worst else 0.0
        return LosingChances(sharer, opener, tuple(to_come.tolist()))

    def count_total(self, situation: FollowerSituation, total: int) -> tuple[bool, bool, FollowerSituation]:
        """Say whether a total, counted from the smallest, fails, whether it beats the worst, and what follows."""
        dice, aim = self.solution.round_dice, situation.aim
        rank = int(dice.rank_totals(aim)[total])
        target = dice.rank_total(aim, situation.target)
        worst = None if situation.worst is None else dice.rank_total(aim, situation.worst)
        later = replace(situation, to_come=situation.to_come - 1)
        fails = rank <= target
        if worst is None:
            return fails, False, replace(later, worst=total + dice.dice, sharing=1) if fails else later
        if rank > worst:
            return fails, True, later
        if rank == worst:
            return fails, False, replace(later, sharing=situation.sharing + 1)
        return fails, False, replace(later, worst=total + dice.dice, sharing=1)

    def finish(self, situation: FollowerSituation) -> LosingChances:
        """Give the chances after a follower's turn: somebody is next, or the round is over."""
        if situation.to_come >= 0:
            return self.follow(situation)
        if situation.worst is None:
            return LosingChances(0.0, 1.0, ())
        return LosingChances(1 / situation.sharing, 0.0, ())


def find_expected_places(game: RoundsGame, state: RoundState) -> list[float]:
    """Give the expected place in the whole game of each seat in the round, from the opener on."""
    solution = solve_whole_game(game, len(list_seats_in_round(state)))
    chips = list_chips_from_opener(state)
    solved, dice = solution.solved_round(chips), solution.round_dice
    if state.phase == FOLLOW:
        situation = describe_game_situation(state)
        after = solved.places_after[situation.rolls_allowed][len(situation.earlier_totals) + 1]
        totals = [total - dice.dice for total in (situation.target, *situation.earlier_totals)]
        places = after[(AIMS.index(convert_aim(state)), *totals)]
        stops = follow_state(solution.follower_turn(situation), state).sum(axis=0)
        return list((stops @ places[dice.totals]).tolist())
    found = np.zeros(len(chips))
    for rolled, chances in enumerate(follow_state(solved.opener_turn, state), 1):
        by_aim = solved.opener_stand_values[rolled - 1]
        ends = solved.places_after[rolled][0][choose_aims(by_aim), dice.totals]
        if dice.special:
            ends[0] = solved.void_places
        found += chances @ ends
    return list(found.tolist())
