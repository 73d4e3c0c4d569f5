"""The whole game of rounds for two or three players: who loses a round takes a chip, who owns all of them loses.

A position is the chips of the players in turn from the opener on; what they lack lies in the kitty. Everyone makes
their expected place as small as they can, shared places averaged; for two players that is the chance to lose, plus one.
Each round is solved with the places that follow it, every total of it told apart, until nothing changes any more. Where
it makes no difference, players do what they would do in a single round.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, groupby, permutations, product
from typing import TypeAlias

import numpy as np

from knobel.dice import sort_dice
from knobel.solver.arrays import Floats, Ints
from knobel.solver.round_dice import TIE_FACTOR, Aim, DiceTurn, RoundDice
from knobel.solver.rounds import AIMS, RoundMove, sort_best_first

ChipCounts: TypeAlias = tuple[int, ...]
ExpectedPlaces: TypeAlias = tuple[float, ...]
PlacesByPlayerCount: TypeAlias = dict[int, dict[ChipCounts, ExpectedPlaces]]

CONVERGENCE_TOLERANCE = 1e-14
MAX_SWEEPS = 10_000


@dataclass(frozen=True, slots=True)
class RoundEnding:
    """How a round ended: who left it with the special hand, and the others best first, the loser last.

    Where roll-offs decide, each of several orders is as likely as the others.
    """

    out: tuple[int, ...]
    orders: tuple[tuple[int, ...], ...]


def find_ending(ranks: Sequence[int], target: int, special: int) -> RoundEnding:
    """Order a round: who beat the opener, the opener, who failed; `ranks` are those of the followers in turn."""
    seats = [seat for seat, rank in enumerate(ranks, 1) if rank < special]
    seats.sort(key=lambda seat: -ranks[seat - 1])
    beat = [seat for seat in seats if ranks[seat - 1] > target]
    failed = [seat for seat in seats if ranks[seat - 1] <= target]
    orders = product(list_roll_off_orders(beat, ranks), [(0,)], list_roll_off_orders(failed, ranks))
    left = tuple(seat for seat, rank in enumerate(ranks, 1) if rank == special)
    return RoundEnding(left, tuple(tuple(chain(*parts)) for parts in orders))


def list_roll_off_orders(seats: Sequence[int], ranks: Sequence[int]) -> list[tuple[int, ...]]:
    """List every order that roll-offs among equals can give, all equally likely."""
    tied = [list(group) for _, group in groupby(seats, key=lambda seat: ranks[seat - 1])]
    return [tuple(chain(*order)) for order in product(*map(permutations, tied))]


def settle_round(
    chips: ChipCounts, out: tuple[int, ...], order: tuple[int, ...], total_chips: int, next_places: PlacesByPlayerCount
) -> ExpectedPlaces:
    """Give everybody's expected place after a round, from the places of the positions that can follow."""
    owned = [0 if seat in out else count for seat, count in enumerate(chips)]
    places = {seat: float(place) for place, seat in enumerate(out, 1)}
    loser, staying = order[-1], sorted(order)
    if len(order) > 1:
        if sum(owned) == total_chips:
            owned[next(seat for seat in order[:-1] if owned[seat])] -= 1
        owned[loser] += 1
    if len(order) == 1 or owned[loser] == total_chips:
        shared = (len(places) + 1 + len(chips) - 1) / 2
        places |= {seat: float(len(chips)) if seat == loser else shared for seat in staying}
        return tuple(places[seat] for seat in range(len(chips)))
    without = [seat for seat in staying if not owned[seat]]
    if len(staying) == 3 and sum(owned) == total_chips and len(without) == 1:
        places[without[0]] = float(len(places) + 1)
        staying.remove(without[0])
    turn = staying.index(loser)
    return add_remaining_places(places, staying[turn:] + staying[:turn], owned, next_places)


def add_remaining_places(
    places: dict[int, float], seats: list[int], chips: Sequence[int], next_places: PlacesByPlayerCount
) -> ExpectedPlaces:
    """Add the places of those who play on, in turn from the next opener on."""
    gone = len(places)
    if len(seats) == 1:
        places |= {seats[0]: gone + 1.0}
    else:
        then = next_places[len(seats)][tuple(chips[seat] for seat in seats)]
        places |= {seat: gone + place for seat, place in zip(seats, then, strict=True)}
    return tuple(places[seat] for seat in range(len(places)))


@lru_cache(maxsize=8)
def list_endings(round_dice: RoundDice, players: int) -> tuple[tuple[RoundEnding, ...], Ints]:
    """List how a round can end, and which ending follows from aim, target and the followers' totals, in turn."""
    found: dict[RoundEnding, int] = {}
    shape = (len(AIMS), *[round_dice.total_count] * players)
    table = np.empty(shape, np.int64)
    for aim, name in enumerate(AIMS):
        ranks = round_dice.rank_totals(name).tolist()
        for totals in product(range(round_dice.total_count), repeat=players):
            target = round_dice.rank_total(name, totals[0] + round_dice.dice)
            ended = find_ending(
                [ranks[total] for total in totals[1:]],
                target,
                round_dice.total_count if round_dice.special else round_dice.total_count + 1,
            )
            table[(aim, *totals)] = found.setdefault(ended, len(found))
    return tuple(found), table


@dataclass(frozen=True)
class ChipRound:
    """One round of the whole game, solved with what follows it.

    `places_after[rolled][followers]` holds everybody's expected place when the opener rolled so often, by aim, target
    and the totals of this many followers.
    """

    round_dice: RoundDice
    places_after: dict[int, list[Floats]]
    void_places: ExpectedPlaces

    @cached_property
    def opener_stand_values(self) -> list[Floats]:
        """What standing on each hand is worth to the opener, after each roll, by aim."""
        rows = [
            self.places_after[count][0][:, self.round_dice.totals, 0].copy()
            for count in range(1, self.round_dice.rolls + 1)
        ]
        if self.round_dice.special:
            for row in rows:
                row[:, 0] = self.void_places[0]
        return rows

    @cached_property
    def places(self) -> ExpectedPlaces:
        """Everybody's expected place before the first roll."""
        stops = self.opener_turn.find_stop_chances()[:, 0]
        places = np.zeros(len(self.void_places))
        for rolled, by_aim in enumerate(self.opener_stand_values, 1):
            ends = self.places_after[rolled][0][choose_aims(by_aim), self.round_dice.totals]
            if self.round_dice.special:
                ends[0] = self.void_places
            places += stops[rolled - 1] @ ends
        return tuple(places.tolist())

    @property
    def opener_turn(self) -> DiceTurn:
        """The opener's turn, each hand announced the better way."""
        rows = [np.take_along_axis(row, choose_aims(row)[None, :], axis=0) for row in self.opener_stand_values]
        return DiceTurn(self.round_dice, rows)


def choose_aims(by_aim: Floats) -> Ints:
    """Give for each hand the place of the better way to announce it among AIMS."""
    over, under = by_aim
    return np.where(over <= under * TIE_FACTOR, 0, 1)


def solve_chip_round(
    round_dice: RoundDice, chips: ChipCounts, total_chips: int, next_places: PlacesByPlayerCount
) -> ChipRound:
    """Solve a round backwards from its last follower, with each total distinct."""
    players = len(chips)
    endings, table = list_endings(round_dice, players)
    worth = np.array(
        [
            np.mean([settle_round(chips, ended.out, order, total_chips, next_places) for order in ended.orders], axis=0)
            for ended in endings
        ]
    )
    has_total = (round_dice.totals[:, None] == np.arange(round_dice.total_count)).astype(np.float64)
    after: dict[int, list[Floats]] = {}
    for rolled in range(1, round_dice.rolls + 1):
        known = [worth[table]]
        for seat in range(players - 1, 0, -1):
            places = known[0]
            turn = DiceTurn(
                round_dice, [places[..., seat].reshape(-1, round_dice.total_count)[:, round_dice.totals]] * rolled
            )
            chance = (turn.find_stop_chances().sum(axis=0) @ has_total).reshape(places.shape[:-1])
            known.insert(0, np.einsum("...t,...tp->...p", chance, places))
        after[rolled] = known
    void = (
        add_remaining_places({0: 1.0}, list(range(1, players)), chips, next_places)
        if round_dice.special
        else (0.0,) * players
    )
    return ChipRound(round_dice, after, void)


def list_positions(players: int, total_chips: int) -> Iterator[ChipCounts]:
    """Walk through the positions in which a round begins, the fullest first."""
    for chips in sorted(product(range(total_chips), repeat=players), key=lambda chips: -sum(chips)):
        if sum(chips) <= total_chips and not (players == 3 and sum(chips) == total_chips and chips.count(0) == 1):
            yield chips


@dataclass(frozen=True, slots=True)
class ChipFollowerSituation:
    """What a follower faces in the whole game: the chips, the opener's total and those of the followers before."""

    chips: ChipCounts
    aim: Aim
    target: int
    rolls_allowed: int
    earlier_totals: tuple[int, ...]


@dataclass(frozen=True)
class ChipGameSolution:
    """The solved game: everybody's expected place in each position, the opener first.

    `residual` is the largest change of the last sweep, `sweeps` how many the most stubborn positions took.
    """

    players: int
    total_chips: int
    places: dict[ChipCounts, ExpectedPlaces]
    residual: float
    sweeps: int
    round_dice: RoundDice
    next_places: PlacesByPlayerCount

    @cached_property
    def losing_chances(self) -> dict[ChipCounts, tuple[float, ...]]:
        """For two players, the chance of each to lose the game."""
        if self.players != 2:
            raise ValueError(self.players)
        return {chips: tuple(place - 1 for place in places) for chips, places in self.places.items()}

    def solved_round(self, chips: ChipCounts) -> ChipRound:
        """Solve the round of a position again."""
        if chips not in self.round_cache:
            self.round_cache[chips] = solve_chip_round(self.round_dice, chips, self.total_chips, self.next_places)
        return self.round_cache[chips]

    @cached_property
    def round_cache(self) -> dict[ChipCounts, ChipRound]:
        return {}

    def opener_moves(self, chips: ChipCounts, dice: Iterable[int], rolled: int) -> tuple[RoundMove, ...]:
        """Give the opener's options after this many rolls, each with their expected place, best first."""
        held, solved = sort_dice(dice), self.solved_round(chips)
        moves = []
        for keep, value in solved.opener_turn.value_options(held, rolled):
            if keep is not None or (self.round_dice.special and set(held) == {1}):
                moves.append(RoundMove(keep, None, value))
            else:
                by_aim = solved.opener_stand_values[rolled - 1][:, self.round_dice.hands.index(held)].tolist()
                moves += [RoundMove(None, aim, place) for aim, place in zip(AIMS, by_aim, strict=True)]
        return sort_best_first(moves)

    def follower_turn(self, situation: ChipFollowerSituation) -> DiceTurn:
        """Give a follower's turn, the expected place as its value."""
        follower = len(situation.earlier_totals) + 1
        after = self.solved_round(situation.chips).places_after[situation.rolls_allowed][follower]
        totals = [total - self.round_dice.dice for total in (situation.target, *situation.earlier_totals)]
        places = after[(AIMS.index(situation.aim), *totals)]
        return DiceTurn(self.round_dice, [places[self.round_dice.totals, follower][None, :]] * situation.rolls_allowed)

    def follower_moves(
        self, dice: Iterable[int], rolled: int, situation: ChipFollowerSituation
    ) -> tuple[RoundMove, ...]:
        """Give a follower's options after this many rolls, each with their expected place, best first."""
        options = self.follower_turn(situation).value_options(dice, rolled)
        return sort_best_first([RoundMove(keep, None, value) for keep, value in options])


@lru_cache(maxsize=8)
def solve_chip_game(
    players: int, total_chips: int = 3, dice: int = 3, faces: int = 6, rolls: int = 3, special: bool = True
) -> ChipGameSolution:
    """Solve the whole game for two or three players by solving its rounds again and again until nothing changes."""
    if players not in (2, 3):
        raise ValueError(players)
    round_dice = RoundDice(dice, faces, rolls, special)
    fair = (*[(players + 1) / 2] * players,)
    places = dict.fromkeys(list_positions(players, total_chips), fair)
    later: PlacesByPlayerCount = {players: places}
    if players == 3:
        later[2] = solve_chip_game(2, total_chips, dice, faces, rolls, special).places
    residual, sweeps = 0.0, 0
    for _, group in groupby(places, key=sum):  # the kitty fills only when somebody leaves, so fuller positions are done
        alike = list(group)
        changes = [sweep_positions(round_dice, alike, total_chips, later)]
        if sum(alike[0]) < total_chips:  # such a round takes a chip from the kitty, so it never comes back here
            continue
        seen = [copy_places(places, alike)]
        while changes[-1] > CONVERGENCE_TOLERANCE and len(changes) < MAX_SWEEPS:
            changes.append(sweep_positions(round_dice, alike, total_chips, later))
            seen.append(copy_places(places, alike))
            if len(seen) == 3 and changes[-1] > CONVERGENCE_TOLERANCE:
                places.update(zip(alike, extrapolate_places(*seen), strict=True))
                seen.clear()
        residual, sweeps = max(residual, changes[-1]), max(sweeps, len(changes))
    return ChipGameSolution(players, total_chips, places, residual, sweeps, round_dice, later)


def sweep_positions(
    round_dice: RoundDice, chips: Sequence[ChipCounts], total_chips: int, next_places: PlacesByPlayerCount
) -> float:
    """Solve the rounds of some positions again and return the largest change."""
    places = next_places[len(chips[0])]
    change = 0.0
    for position in chips:
        new = solve_chip_round(round_dice, position, total_chips, next_places).places
        change = max(change, *(abs(old - now) for old, now in zip(places[position], new, strict=True)))
        places[position] = new
    return change


def copy_places(places: dict[ChipCounts, ExpectedPlaces], chips: Sequence[ChipCounts]) -> list[ExpectedPlaces]:
    """Note the values of some positions."""
    return [places[position] for position in chips]


def extrapolate_places(
    first: list[ExpectedPlaces], second: list[ExpectedPlaces], third: list[ExpectedPlaces]
) -> list[ExpectedPlaces]:
    """Guess where values that close in evenly will end; the sweeps after it say whether that was right."""
    return [tuple(map(extrapolate_limit, *rows)) for rows in zip(first, second, third, strict=True)]


def extrapolate_limit(first: float, second: float, third: float) -> float:
    """Guess the limit of a sequence from three members, as Aitken did."""
    step, bend = third - second, third - 2 * second + first
    return third - step * step / bend if abs(bend) > CONVERGENCE_TOLERANCE else third
