"""One round solved exactly: the opener sets a total and an aim, the followers try in turn to beat it, one player loses.

Everybody sees everything, so working backwards from the last follower finds each player's best play. Everyone makes
their own chance to lose as small as they can; where it makes no difference they stand, else they keep more dice, of
equally many the lower ones, and announce over. Totals are ranked by how good they are for the aim, as in `round_dice`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from knobel.dice import Hand, sort_dice
from knobel.solver.arrays import Floats
from knobel.solver.round_dice import TIE_FACTOR, Aim, DiceTurn, RoundDice

AIMS: tuple[Aim, Aim] = ("over", "under")


@dataclass(frozen=True, slots=True)
class RoundMove:
    """Something a player may do: keep these dice and roll the rest, or stand; the smaller its value the better."""

    keep: Hand | None
    aim: Aim | None
    value: float

    @property
    def is_stand(self) -> bool:
        return self.keep is None


def sort_best_first(moves: Sequence[RoundMove]) -> tuple[RoundMove, ...]:
    """Sort moves given in the order they are liked: the first that nothing beats, then the others by their value."""
    least = min(move.value for move in moves)
    chosen = next(move for move in moves if move.value <= least * TIE_FACTOR)
    return chosen, *sorted((move for move in moves if move is not chosen), key=lambda move: move.value)


@dataclass(frozen=True, slots=True)
class FollowerSituation:
    """What a follower faces: the aim, the opener's total, and how many followers are still to come.

    `worst` is the worst total that failed so far and `sharing` how many have it; None while all beat the opener.
    """

    aim: Aim
    target: int
    rolls_allowed: int
    worst: int | None
    sharing: int
    to_come: int


@dataclass(frozen=True)
class FollowersSolution:
    """What awaits everybody once aim and rolls are known, by how many followers are still to come.

    `losing_if_worst[to_come, rank, sharing]` is the chance to lose of one who shares the worst failure so far;
    `opener_losing_chances[to_come, target]` the opener's chance while all have done better; `losing_chances[target]`
    the chance of each follower in turn before the first of them rolls.
    """

    round_dice: RoundDice
    aim: Aim
    rolls_allowed: int
    losing_if_worst: Floats
    opener_losing_chances: Floats
    losing_chances: Floats

    def find_stand_values(self, target: int, worst: int | None, sharing: int, to_come: int) -> list[Floats]:
        """Say for a follower what standing on each hand is worth, after each roll; totals are ranks."""
        losing = self.losing_if_worst[to_come]
        limit = target if worst is None else worst
        values = np.append(losing[:, 1], 0.0)
        values[limit + 1 :] = 0
        if worst is not None:
            values[worst] = losing[worst, sharing + 1]
        return [values[self.round_dice.rank_totals(self.aim)[self.round_dice.totals]][None, :]] * self.rolls_allowed


def solve_followers(round_dice: RoundDice, aim: Aim, rolls_allowed: int, max_followers: int) -> FollowersSolution:
    """Solve the followers backwards, up to this many of them.

    Once one has failed the target no longer matters: the opener is safe, and to be better than the worst is enough.
    A case of a follower's turn is a rank to beat and how many share it as the worst failure: 0 means that it is the
    target, and nobody has failed yet.
    """
    count, ranks = round_dice.total_count, round_dice.rank_totals(aim)[round_dice.totals]
    every = np.arange(count)
    has_rank = (ranks[:, None] == np.arange(count + 1)).astype(np.float64)
    above = np.arange(count + 1) > every[:, None]
    below = every < every[:, None]
    losing = np.zeros((max_followers + 1, count, max_followers + 2))
    losing[0, :, 1:] = 1 / np.arange(1, max_followers + 2)
    opener = np.ones((max_followers + 1, count))
    unfailed, failed = np.zeros((count, 0)), np.zeros((count, max_followers + 1, 0))
    for to_come in range(max_followers):
        shares = max_followers - to_come
        alone, shared = losing[to_come, :, 1], losing[to_come, :, 2 : shares + 2]
        values = np.zeros((count, shares + 1, count + 1))
        values[:, 0, :count] = np.where(above[:, :count], 0, alone)
        values[:, 1:, :count] = np.where(below, alone, 0)[:, None, :]
        values[every, 1:, every] = shared
        turn = DiceTurn(round_dice, [values.reshape(-1, count + 1)[:, ranks]] * rolls_allowed)
        chances = (turn.find_stop_chances().sum(axis=0) @ has_rank).reshape(count, shares + 1, count + 1)
        better = (chances * above[:, None, :]).sum(axis=2)
        equal = chances[every, 1:, every]
        own = (chances * values).sum(axis=2, keepdims=True)
        opener[to_come + 1] = better[:, 0] * opener[to_come]
        losing[to_come + 1, :, 1 : shares + 1] = better[:, 1:] * losing[to_come, :, 1 : shares + 1] + equal * shared
        fails = np.where(above[:, :count], 0, chances[:, 0, :count]) @ failed[:, 0]
        worse = np.where(below[:, None, :], chances[:, 1:, :count], 0) @ failed[:, 0]
        stays = better[:, 1:, None] * failed[:, :shares] + equal[:, :, None] * failed[:, 1 : shares + 1]
        unfailed = np.hstack((own[:, 0], better[:, :1] * unfailed + fails))
        failed = np.concatenate((own[:, 1:], stays + worse), axis=2)
    return FollowersSolution(round_dice, aim, rolls_allowed, losing, opener, unfailed)


@dataclass(frozen=True, slots=True)
class Opening:
    """A total the opener may stand on after this many rolls, with their chance to lose either way."""

    rolls: int
    total: int
    over: float
    under: float

    @property
    def aim(self) -> Aim:
        return "over" if self.over <= self.under * TIE_FACTOR else "under"

    @property
    def losing_chance(self) -> float:
        return self.over if self.aim == "over" else self.under


@dataclass(frozen=True)
class RoundSolution:
    """A solved round: everybody's chance to lose it, the opener first, and the chance that nobody does.

    `openings` holds every total by rolls and total; `stand_totals` the totals the opener stands on after each roll but
    the last, whatever dice they are made of; `sometimes_stand_totals` those they stand on with some dice only.
    """

    players: int
    losing_chances: tuple[float, ...]
    void_chance: float
    openings: dict[tuple[int, int], Opening]
    stand_totals: tuple[tuple[int, ...], ...]
    sometimes_stand_totals: tuple[tuple[int, ...], ...]
    round_dice: RoundDice
    followers: dict[tuple[Aim, int], FollowersSolution]

    def opener_moves(self, dice: Iterable[int], rolled: int) -> tuple[RoundMove, ...]:
        """Give the opener's options after this many rolls, each with their chance to lose, best first."""
        held = sort_dice(dice)
        moves = []
        for keep, value in DiceTurn(self.round_dice, value_openings(self.round_dice, self.openings)).value_options(
            held, rolled
        ):
            if keep is not None or (self.round_dice.special and set(held) == {1}):
                moves.append(RoundMove(keep, None, value))
            else:
                opening = self.openings[rolled, sum(held)]
                moves += [RoundMove(None, "over", opening.over), RoundMove(None, "under", opening.under)]
        return sort_best_first(moves)

    def follower_turn(self, situation: FollowerSituation) -> DiceTurn:
        """Give a follower's turn, the chance to lose as its value."""
        aim, worst = situation.aim, situation.worst
        stand_values = self.followers[aim, situation.rolls_allowed].find_stand_values(
            self.round_dice.rank_total(aim, situation.target),
            None if worst is None else self.round_dice.rank_total(aim, worst),
            situation.sharing,
            situation.to_come,
        )
        return DiceTurn(self.round_dice, stand_values)

    def follower_moves(self, dice: Iterable[int], rolled: int, situation: FollowerSituation) -> tuple[RoundMove, ...]:
        """Give a follower's options after this many rolls, each with their chance to lose, best first."""
        options = self.follower_turn(situation).value_options(dice, rolled)
        return sort_best_first([RoundMove(keep, None, value) for keep, value in options])


def value_openings(round_dice: RoundDice, openings: dict[tuple[int, int], Opening]) -> list[Floats]:
    """Say for the opener what standing on each hand is worth, after each roll; all ones never lose."""
    rows = [
        [
            openings[rolled, sum(dice)].losing_chance if (rolled, sum(dice)) in openings else 0.0
            for dice in round_dice.hands
        ]
        for rolled in range(1, round_dice.rolls + 1)
    ]
    return [np.array([row]) for row in rows]


@lru_cache(maxsize=32)
def solve_round(players: int, dice: int = 3, faces: int = 6, rolls: int = 3, special: bool = True) -> RoundSolution:
    if players < 2:
        raise ValueError(players)
    round_dice = RoundDice(dice, faces, rolls, special)
    followers = {
        (aim, allowed): solve_followers(round_dice, aim, allowed, players - 1)
        for aim in AIMS
        for allowed in range(1, rolls + 1)
    }
    openings = list_openings(round_dice, followers)
    turn = DiceTurn(round_dice, value_openings(round_dice, openings))
    stops = turn.find_stop_chances()[:, 0]
    losing = np.zeros(players)
    for (rolled, total), opening in openings.items():
        chance = float(stops[rolled - 1] @ (round_dice.totals == total - dice))
        later = followers[opening.aim, rolled].losing_chances[round_dice.rank_total(opening.aim, total)]
        losing += chance * np.array([opening.losing_chance, *later])
    always, sometimes = find_stand_totals(turn)
    void = float(stops[:, 0].sum()) if special else 0.0
    return RoundSolution(players, tuple(losing.tolist()), void, openings, always, sometimes, round_dice, followers)


def list_openings(
    round_dice: RoundDice, followers: dict[tuple[Aim, int], FollowersSolution]
) -> dict[tuple[int, int], Opening]:
    """List every total the opener may stand on, by rolls and total; the special hand ends the round."""

    def losing_chance(aim: Aim, rolled: int, total: int) -> float:
        return float(followers[aim, rolled].opener_losing_chances[-1, round_dice.rank_total(aim, total)])

    return {
        (rolled, total): Opening(
            rolled, total, losing_chance("over", rolled, total), losing_chance("under", rolled, total)
        )
        for rolled in range(1, round_dice.rolls + 1)
        for total in range(round_dice.dice + round_dice.special, round_dice.dice * round_dice.faces + 1)
    }


def find_stand_totals(turn: DiceTurn) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """List for each roll but the last the totals the opener stands on with every hand, and those with some."""
    always, sometimes, round_dice = [], [], turn.round_dice
    totals = range(int(round_dice.special), round_dice.total_count)
    for values in turn.set_values:
        stood = round_dice.choose_options(values)[0] == round_dice.keep_options[:, 0]
        every = {total for total in totals if stood[round_dice.totals == total].all()}
        some = {total for total in totals if stood[round_dice.totals == total].any()}
        always.append(tuple(total + round_dice.dice for total in sorted(every)))
        sometimes.append(tuple(total + round_dice.dice for total in sorted(some - every)))
    return tuple(always), tuple(sometimes)
