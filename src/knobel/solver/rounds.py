"""One round solved exactly: the opener sets a total and an aim, the followers try in turn to beat it, one player loses.

Everybody sees everything, so working backwards from the last follower finds each player's best play. Everyone makes
his own chance to lose as small as he can; where it makes no difference to him he stands, else he keeps more dice, of
equally many the lower ones, and announces over. Totals are told apart by how good they are for the aim: rank 0 is the
worst, and the special hand of all ones, where it is played, stands above every rank.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

import numpy as np

from knobel.dice import Hand, sort_dice
from knobel.solver.arrays import Floats, Ints
from knobel.solver.oracle import build_transitions

Aim: TypeAlias = Literal["over", "under"]

AIMS: tuple[Aim, Aim] = ("over", "under")
TIE_TOLERANCE = 1e-12
"""Two chances this close, as a part of the smaller one, differ only by rounding: all are sums of positive products."""


@dataclass(frozen=True, slots=True)
class RoundMove:
    """Something a player may do: keep these dice and throw the rest, or stand; the smaller its value the better."""

    keep: Hand | None
    aim: Aim | None
    value: float

    @property
    def is_stand(self) -> bool:
        """Whether no more dice are thrown."""
        return self.keep is None


@dataclass(frozen=True)
class Cup:
    """The dice of a round: how many, how often they may be thrown, and whether all ones are special."""

    dice: int = 3
    faces: int = 6
    rolls: int = 3
    special: bool = True

    @cached_property
    def sets(self) -> tuple[Hand, ...]:
        """Every multiset that can be kept, the full hands last."""
        return tuple(build_transitions(self.dice, self.faces)[2])

    @cached_property
    def first_hand(self) -> int:
        """Where the full hands begin."""
        return next(place for place, kept in enumerate(self.sets) if len(kept) == self.dice)

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """The full hands, all ones first."""
        return self.sets[self.first_hand :]

    @cached_property
    def roll_chances(self) -> Floats:
        """The chance of each hand after each smaller multiset was kept."""
        return build_transitions(self.dice, self.faces)[0][: self.first_hand]

    @cached_property
    def keep_options(self) -> Ints:
        """For each hand what may be done, best liked first: stand, then every keep; rows are filled up with stand."""
        rows = [
            sorted(places, key=lambda place: (-len(self.sets[place]), self.sets[place]))
            for places in build_transitions(self.dice, self.faces)[1]
        ]
        width = max(map(len, rows))
        return np.array([row + [row[0]] * (width - len(row)) for row in rows], np.int64)

    @cached_property
    def totals(self) -> Ints:
        """For each hand its total, counted from the smallest one."""
        return np.array([sum(dice) - self.dice for dice in self.hands], np.int64)

    @property
    def total_count(self) -> int:
        """How many different totals there are."""
        return self.dice * (self.faces - 1) + 1

    def rank_totals(self, aim: Aim) -> Ints:
        """Say of each total, counted from the smallest one, how good it is for the aim."""
        ranks = np.arange(self.total_count) if aim == "over" else np.arange(self.total_count)[::-1].copy()
        if self.special:
            ranks[0] = self.total_count
        return ranks

    def rank_total(self, aim: Aim, total: int) -> int:
        """Say how good a total is for the aim, as the target or as a failure; neither is ever special."""
        return total - self.dice if aim == "over" else self.dice * self.faces - total

    def mark_better_hands(self, aim: Aim, total: int) -> Floats:
        """Mark the hands that do better than a total."""
        return (self.rank_totals(aim)[self.totals] > self.rank_total(aim, total)).astype(np.float64)

    def value_sets(self, stand_values: Sequence[Floats]) -> list[Floats]:
        """Value every set at each throw but the last: smaller ones kept, full ones stood on, in lanes.

        `stands` says for each throw what standing on each hand is worth.
        """
        works: list[Floats] = []
        value = stand_values[-1]
        for standing in reversed(stand_values[:-1]):
            works.insert(0, np.hstack((value @ self.roll_chances.T, standing)))
            choice = self.choose_options(works[0])
            value = np.take_along_axis(works[0], choice, axis=1)
        return works

    def choose_options(self, set_values: Floats) -> Ints:
        """Choose for each hand the first of its options that nothing beats."""
        offered = set_values[:, self.keep_options]
        best = offered.min(axis=2, keepdims=True)
        liked = np.argmax(offered <= best * (1 + TIE_TOLERANCE), axis=2)
        chosen: Ints = self.keep_options[np.arange(len(self.hands)), liked]
        return chosen

    def find_stop_chances(self, stand_values: Sequence[Floats]) -> Floats:
        """Give the chance to stop at each throw on each hand under best play, in lanes: throw, lane, hand."""
        lanes = len(stand_values[0])
        here = np.repeat((self.roll_chances[0])[None, :], lanes, axis=0)
        stops = []
        for work in self.value_sets(stand_values):
            cells = self.choose_options(work) + np.arange(lanes)[:, None] * len(self.sets)
            moved = np.bincount(cells.ravel(), here.ravel(), lanes * len(self.sets)).reshape(lanes, -1)
            stops.append(moved[:, self.first_hand :])
            here = moved[:, : self.first_hand] @ self.roll_chances
        return np.array([*stops, here])

    def start_value(self, stand_values: Sequence[Floats]) -> float:
        """Give the value before the first throw."""
        value = stand_values[-1]
        for work in reversed(self.value_sets(stand_values)):
            value = np.take_along_axis(work, self.choose_options(work), axis=1)
        return float((value @ self.roll_chances[0])[0])

    def find_success_chances(
        self, stand_values: Sequence[Floats], wanted: Floats, dice: Iterable[int], rolled: int
    ) -> dict[Hand, float]:
        """Give for each option of a hand, itself for standing, how likely best play ends on one of the wanted hands."""
        place, found = self.sets.index(sort_dice(dice)), wanted[None, :]
        if rolled == len(stand_values):
            return {self.sets[place]: float(wanted[place - self.first_hand])}
        works = self.value_sets(stand_values[rolled - 1 :])
        for work in reversed(works[1:]):
            found = np.take_along_axis(
                np.hstack((found @ self.roll_chances.T, wanted[None, :])), self.choose_options(work), axis=1
            )
        every = np.hstack((found @ self.roll_chances.T, wanted[None, :]))[0]
        return {
            self.sets[option]: float(every[option]) for option in self.keep_options[place - self.first_hand].tolist()
        }

    def value_moves(
        self, stand_values: Sequence[Floats], dice: Iterable[int], rolled: int
    ) -> list[tuple[Hand | None, float]]:
        """Give each option of a hand after so many throws with its value, in the order they are liked."""
        place = self.sets.index(sort_dice(dice))
        if rolled == len(stand_values):
            return [(None, float(stand_values[-1][0, place - self.first_hand]))]
        work = self.value_sets(stand_values[rolled - 1 :])[0][0]
        offered = dict.fromkeys(self.keep_options[place - self.first_hand].tolist())
        return [(None if option == place else self.sets[option], float(work[option])) for option in offered]


def sort_best_first(moves: Sequence[RoundMove]) -> tuple[RoundMove, ...]:
    """Sort moves given in the order they are liked: the first that nothing beats, then the others by their value."""
    least = min(move.value for move in moves)
    chosen = next(move for move in moves if move.value <= least * (1 + TIE_TOLERANCE))
    return chosen, *sorted((move for move in moves if move is not chosen), key=lambda move: move.value)


@dataclass(frozen=True)
class FollowersSolution:
    """What awaits everybody once aim and throws are known, by how many followers are still to come.

    `hold[to_come, rank, sharing]` is the chance to lose of one who shares the worst failure so far; `beaten[to_come,
    target]` the opener's chance while all have beaten him; `lose[target]` the chance of each follower in turn before
    the first of them throws.
    """

    cup: Cup
    aim: Aim
    rolls_allowed: int
    losing_if_worst: Floats
    opener_losing_chances: Floats
    losing_chances: Floats

    def find_stand_values(self, target: int, worst: int | None, sharing: int, to_come: int) -> list[Floats]:
        """Say for a follower what standing on each hand is worth, at each of his throws."""
        hold = self.losing_if_worst[to_come]
        limit = target if worst is None else worst
        pay = np.append(hold[:, 1], 0.0)
        pay[limit + 1 :] = 0
        if worst is not None:
            pay[worst] = hold[worst, sharing + 1]
        return [pay[self.cup.rank_totals(self.aim)[self.cup.totals]][None, :]] * self.rolls_allowed


def solve_followers(cup: Cup, aim: Aim, rolls_allowed: int, max_followers: int) -> FollowersSolution:
    """Solve the followers backwards, up to so many of them.

    Once one has failed the target no longer matters: the opener is safe, and to be better than the worst is enough.
    """
    sums = cup.total_count
    ranks = cup.rank_totals(aim)[cup.totals]
    sort = (ranks[:, None] == np.arange(sums + 1)).astype(np.float64)
    above = np.arange(sums + 1) > np.arange(sums)[:, None]
    below = np.arange(sums) < np.arange(sums)[:, None]
    hold = np.zeros((max_followers + 1, sums, max_followers + 2))
    hold[0, :, 1:] = 1 / np.arange(1, max_followers + 2)
    beaten = np.ones((max_followers + 1, sums))
    clean, failed = np.zeros((sums, 0)), np.zeros((sums, max_followers + 1, 0))
    for coming in range(max_followers):
        shared = max_followers - coming
        first, more = hold[coming, :, 1], hold[coming, :, 2 : shared + 2]
        pay = np.zeros((sums, shared + 1, sums + 1))
        pay[:, 0, :sums] = np.where(above[:, :sums], 0, first)
        pay[:, 1:, :sums] = np.where(below, first, 0)[:, None, :]
        pay[np.arange(sums), 1:, np.arange(sums)] = more
        stops = cup.find_stop_chances([pay.reshape(-1, sums + 1)[:, ranks]] * rolls_allowed).sum(axis=0)
        chance = (stops @ sort).reshape(sums, shared + 1, sums + 1)
        better = (chance * above[:, None, :]).sum(axis=2)
        equal = chance[np.arange(sums), 1:, np.arange(sums)]
        own = (chance * pay).sum(axis=2, keepdims=True)
        beaten[coming + 1] = better[:, 0] * beaten[coming]
        hold[coming + 1, :, 1 : shared + 1] = better[:, 1:] * hold[coming, :, 1 : shared + 1] + equal * more
        fails = np.where(above[:, :sums], 0, chance[:, 0, :sums]) @ failed[:, 0]
        worse = np.where(below[:, None, :], chance[:, 1:, :sums], 0) @ failed[:, 0]
        kept = better[:, 1:, None] * failed[:, :shared] + equal[:, :, None] * failed[:, 1 : shared + 1]
        clean = np.hstack((own[:, 0], better[:, :1] * clean + fails))
        failed = np.concatenate((own[:, 1:], kept + worse), axis=2)
    return FollowersSolution(cup, aim, rolls_allowed, hold, beaten, clean)


@dataclass(frozen=True, slots=True)
class Opening:
    """A total the opener may stand on after so many throws, with his chance to lose either way."""

    rolls: int
    total: int
    over: float
    under: float

    @property
    def aim(self) -> Aim:
        """The better way to announce."""
        return "over" if self.over <= self.under * (1 + TIE_TOLERANCE) else "under"

    @property
    def losing_chance(self) -> float:
        """The opener's chance to lose when he stands there."""
        return self.over if self.aim == "over" else self.under


@dataclass(frozen=True)
class RoundSolution:
    """A solved round: everybody's chance to lose it, the opener first, and the chance that nobody does.

    `opening` holds every total by throws and total; `stands` the totals the opener stands on after each throw but the
    last, whatever dice they are made of; `sometimes` those he stands on with some dice only.
    """

    players: int
    losing_chances: tuple[float, ...]
    void_chance: float
    openings: dict[tuple[int, int], Opening]
    stand_totals: tuple[tuple[int, ...], ...]
    sometimes_stand_totals: tuple[tuple[int, ...], ...]
    cup: Cup
    followers: dict[tuple[Aim, int], FollowersSolution]

    def opener_moves(self, dice: Iterable[int], rolled: int) -> tuple[RoundMove, ...]:
        """Give the opener's options after so many throws, each with his chance to lose, best first."""
        held = sort_dice(dice)
        stands = find_opener_stand_values(self.cup, self.openings)
        moves = []
        for keep, value in self.cup.value_moves(stands, held, rolled):
            if keep is not None or (self.cup.special and set(held) == {1}):
                moves.append(RoundMove(keep, None, value))
            else:
                opening = self.openings[rolled, sum(held)]
                moves += [RoundMove(None, "over", opening.over), RoundMove(None, "under", opening.under)]
        return sort_best_first(moves)

    def follower_stand_values(
        self, aim: Aim, target: int, rolls_allowed: int, worst: int | None, sharing: int, to_come: int
    ) -> list[Floats]:
        """Say for a follower what standing on each hand is worth.

        `worst` is the worst total that failed so far and `sharing` how many have it; None while all beat the opener.
        """
        below = None if worst is None else self.cup.rank_total(aim, worst)
        return self.followers[aim, rolls_allowed].find_stand_values(
            self.cup.rank_total(aim, target), below, sharing, to_come
        )

    def follower_moves(
        self,
        dice: Iterable[int],
        rolled: int,
        aim: Aim,
        target: int,
        rolls_allowed: int,
        worst: int | None,
        sharing: int,
        to_come: int,
    ) -> tuple[RoundMove, ...]:
        """Give a follower's options after so many throws, each with his chance to lose, best first."""
        stands = self.follower_stand_values(aim, target, rolls_allowed, worst, sharing, to_come)
        return sort_best_first(
            [RoundMove(keep, None, value) for keep, value in self.cup.value_moves(stands, dice, rolled)]
        )


def find_opener_stand_values(cup: Cup, openings: dict[tuple[int, int], Opening]) -> list[Floats]:
    """Say for the opener what standing on each hand is worth, at each of his throws; all ones never lose."""
    rows = [
        [openings[thrown, sum(dice)].losing_chance if (thrown, sum(dice)) in openings else 0.0 for dice in cup.hands]
        for thrown in range(1, cup.rolls + 1)
    ]
    return [np.array([row]) for row in rows]


@lru_cache(maxsize=32)
def solve_round(players: int, dice: int = 3, faces: int = 6, rolls: int = 3, special: bool = True) -> RoundSolution:
    """Solve a round for so many players."""
    if players < 2:
        raise ValueError(players)
    cup = Cup(dice, faces, rolls, special)
    most = players - 1
    allowed = range(1, rolls + 1)
    followers = {(aim, count): solve_followers(cup, aim, count, most) for aim in AIMS for count in allowed}
    opening = {
        (count, total): Opening(
            count,
            total,
            *(float(followers[aim, count].opener_losing_chances[most, cup.rank_total(aim, total)]) for aim in AIMS),
        )
        for count in allowed
        for total in range(dice + special, dice * faces + 1)
    }
    standing = find_opener_stand_values(cup, opening)
    stops = cup.find_stop_chances(standing)[:, 0]
    lose = np.zeros(players)
    for (count, total), option in opening.items():
        chance = float(stops[count - 1] @ (cup.totals == total - dice))
        later = followers[option.aim, count].losing_chances[cup.rank_total(option.aim, total)]
        lose += chance * np.array([option.losing_chance, *later])
    always, sometimes = find_stand_totals(cup, standing)
    void = float(stops[:, 0].sum()) if special else 0.0
    return RoundSolution(players, tuple(lose.tolist()), void, opening, always, sometimes, cup, followers)


def find_stand_totals(
    cup: Cup, stand_values: Sequence[Floats]
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """List for each throw but the last the totals the opener stands on with every hand, and those with some."""
    always, sometimes = [], []
    totals = range(int(cup.special), cup.total_count)
    for work in cup.value_sets(stand_values):
        stood = cup.choose_options(work)[0] == cup.keep_options[:, 0]
        every = {total for total in totals if stood[cup.totals == total].all()}
        some = {total for total in totals if stood[cup.totals == total].any()}
        always.append(tuple(total + cup.dice for total in sorted(every)))
        sometimes.append(tuple(total + cup.dice for total in sorted(some - every)))
    return tuple(always), tuple(sometimes)
