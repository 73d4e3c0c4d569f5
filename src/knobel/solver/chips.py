"""The whole game of rounds for two or three players: who loses a round takes a chip, who owns all of them loses.

A position is the chips of the players in turn from the opener on; what they lack lies in the kitty. Everyone makes his
expected place as small as he can, shared places averaged; for two players that is the chance to lose, plus one. Each
round is solved with the places that follow it, every total of it told apart, until nothing changes any more. Where it
makes no difference to a player he does what he would do in a single round.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, groupby, permutations, product
from typing import TypeAlias

import numpy as np

from knobel.dice import hand
from knobel.solver.rounds import AIMS, SAME, Aim, Cup, RoundMove, best_first
from knobel.solver.tables import Floats, Ints

Chips: TypeAlias = tuple[int, ...]
Places: TypeAlias = tuple[float, ...]
Later: TypeAlias = dict[int, dict[Chips, Places]]

STILL = 1e-14
SWEEPS = 10_000


@dataclass(frozen=True, slots=True)
class Standing:
    """How a round ended: who left it with the special hand, and the others best first, the loser last.

    Where roll-offs decide, each of several orders is as likely as the others.
    """

    left: tuple[int, ...]
    orders: tuple[tuple[int, ...], ...]


def standing(ranks: Sequence[int], target: int, special: int) -> Standing:
    """Order a round: who beat the opener, the opener, who failed; `ranks` are those of the followers in turn."""
    seats = [seat for seat, rank in enumerate(ranks, 1) if rank < special]
    seats.sort(key=lambda seat: -ranks[seat - 1])
    beat = [seat for seat in seats if ranks[seat - 1] > target]
    failed = [seat for seat in seats if ranks[seat - 1] <= target]
    orders = product(rolled_off(beat, ranks), [(0,)], rolled_off(failed, ranks))
    left = tuple(seat for seat, rank in enumerate(ranks, 1) if rank == special)
    return Standing(left, tuple(tuple(chain(*parts)) for parts in orders))


def rolled_off(seats: Sequence[int], ranks: Sequence[int]) -> list[tuple[int, ...]]:
    """List every order that roll-offs among equals can give, all equally likely."""
    tied = [list(group) for _, group in groupby(seats, key=lambda seat: ranks[seat - 1])]
    return [tuple(chain(*order)) for order in product(*map(permutations, tied))]


def settle(chips: Chips, left: tuple[int, ...], order: tuple[int, ...], whole: int, later: Later) -> Places:
    """Give everybody's expected place after a round, from the places of the positions that can follow."""
    owned = [0 if seat in left else count for seat, count in enumerate(chips)]
    places = {seat: float(place) for place, seat in enumerate(left, 1)}
    loser, staying = order[-1], sorted(order)
    if len(order) > 1:
        if sum(owned) == whole:
            owned[next(seat for seat in order[:-1] if owned[seat])] -= 1
        owned[loser] += 1
    if len(order) == 1 or owned[loser] == whole:
        shared = (len(places) + 1 + len(chips) - 1) / 2
        places |= {seat: float(len(chips)) if seat == loser else shared for seat in staying}
        return tuple(places[seat] for seat in range(len(chips)))
    without = [seat for seat in staying if not owned[seat]]
    if len(staying) == 3 and sum(owned) == whole and len(without) == 1:
        places[without[0]] = float(len(places) + 1)
        staying.remove(without[0])
    turn = staying.index(loser)
    return go_on(places, staying[turn:] + staying[:turn], owned, later)


def go_on(places: dict[int, float], seats: list[int], owned: Sequence[int], later: Later) -> Places:
    """Add the places of those who play on, in turn from the next opener on."""
    gone = len(places)
    if len(seats) == 1:
        places |= {seats[0]: gone + 1.0}
    else:
        then = later[len(seats)][tuple(owned[seat] for seat in seats)]
        places |= {seat: gone + place for seat, place in zip(seats, then, strict=True)}
    return tuple(places[seat] for seat in range(len(places)))


@lru_cache(maxsize=8)
def endings(cup: Cup, players: int) -> tuple[tuple[Standing, ...], Ints]:
    """List how a round can end, and which ending follows from aim, target and the followers' totals, in turn."""
    found: dict[Standing, int] = {}
    shape = (len(AIMS), *[cup.sums] * players)
    table = np.empty(shape, np.int64)
    for aim, name in enumerate(AIMS):
        ranks = cup.ranks(name).tolist()
        for totals in product(range(cup.sums), repeat=players):
            target = cup.rank(name, totals[0] + cup.dice)
            ended = standing([ranks[total] for total in totals[1:]], target, cup.sums if cup.special else cup.sums + 1)
            table[(aim, *totals)] = found.setdefault(ended, len(found))
    return tuple(found), table


@dataclass(frozen=True)
class ChipRound:
    """One round of the whole game, solved with what follows it.

    `after[count][made]` holds everybody's expected place when the opener used `count` throws, by aim, target and the
    totals of the first `made` followers.
    """

    cup: Cup
    after: dict[int, list[Floats]]
    void: Places

    @cached_property
    def opening(self) -> list[Floats]:
        """What standing on each hand is worth to the opener, at each of his throws, by aim."""
        rows = [self.after[count][0][:, self.cup.totals, 0].copy() for count in range(1, self.cup.throws + 1)]
        if self.cup.special:
            for row in rows:
                row[:, 0] = self.void[0]
        return rows

    @cached_property
    def places(self) -> Places:
        """Everybody's expected place before the first throw."""
        stops = self.cup.play([least(row)[None, :] for row in self.opening])[:, 0]
        places = np.zeros(len(self.void))
        for count, row in enumerate(self.opening, 1):
            aims = np.where(row[0] <= row[1] * (1 + SAME), 0, 1)
            ends = self.after[count][0][aims, self.cup.totals]
            if self.cup.special:
                ends[0] = self.void
            places += stops[count - 1] @ ends
        return tuple(places.tolist())


def least(row: Floats) -> Floats:
    """Give what each hand is worth, announced the better way."""
    best: Floats = np.where(row[0] <= row[1] * (1 + SAME), row[0], row[1])
    return best


def solve_chip_round(cup: Cup, chips: Chips, whole: int, later: Later) -> ChipRound:
    """Solve a round backwards from its last follower, every total told apart."""
    players = len(chips)
    found, table = endings(cup, players)
    worth = np.array(
        [np.mean([settle(chips, ended.left, order, whole, later) for order in ended.orders], axis=0) for ended in found]
    )
    sort = (cup.totals[:, None] == np.arange(cup.sums)).astype(np.float64)
    after: dict[int, list[Floats]] = {}
    for count in range(1, cup.throws + 1):
        known = [worth[table]]
        for seat in range(players - 1, 0, -1):
            places = known[0]
            pay = places[..., seat].reshape(-1, cup.sums)[:, cup.totals]
            chance = (cup.play([pay] * count).sum(axis=0) @ sort).reshape(places.shape[:-1])
            known.insert(0, np.einsum("...x,...xp->...p", chance, places))
        after[count] = known
    void = go_on({0: 1.0}, list(range(1, players)), chips, later) if cup.special else (0.0,) * players
    return ChipRound(cup, after, void)


def positions(players: int, whole: int) -> Iterator[Chips]:
    """Walk through the positions in which a round begins, the fullest first."""
    for chips in sorted(product(range(whole), repeat=players), key=lambda chips: -sum(chips)):
        if sum(chips) <= whole and not (players == 3 and sum(chips) == whole and chips.count(0) == 1):
            yield chips


@dataclass(frozen=True)
class ChipGame:
    """The solved game: everybody's expected place in each position, the opener first.

    `residual` is the largest change of the last sweep, `sweeps` how many the most stubborn positions took.
    """

    players: int
    whole: int
    places: dict[Chips, Places]
    residual: float
    sweeps: int
    cup: Cup
    later: Later

    @cached_property
    def lose(self) -> dict[Chips, tuple[float, ...]]:
        """For two players, the chance of each to lose the game."""
        if self.players != 2:
            raise ValueError(self.players)
        return {chips: tuple(place - 1 for place in places) for chips, places in self.places.items()}

    def round(self, chips: Chips) -> ChipRound:
        """Solve the round of a position again."""
        if chips not in self.rounds:
            self.rounds[chips] = solve_chip_round(self.cup, chips, self.whole, self.later)
        return self.rounds[chips]

    @cached_property
    def rounds(self) -> dict[Chips, ChipRound]:
        """The rounds solved again so far."""
        return {}

    def opener_moves(self, chips: Chips, dice: Iterable[int], thrown: int) -> tuple[RoundMove, ...]:
        """Give the opener's options after so many throws, each with his expected place, best first."""
        held, opening = hand(dice), self.round(chips).opening
        moves = []
        for keep, value in self.cup.moves([least(row)[None, :] for row in opening], held, thrown):
            if keep is not None or (self.cup.special and set(held) == {1}):
                moves.append(RoundMove(keep, None, value))
            else:
                row = opening[thrown - 1][:, self.cup.hands.index(held)].tolist()
                moves += [RoundMove(None, aim, place) for aim, place in zip(AIMS, row, strict=True)]
        return best_first(moves)

    def follower_stands(self, chips: Chips, aim: Aim, target: int, allowed: int, made: Sequence[int]) -> list[Floats]:
        """Say for a follower what standing on each hand is worth; `made` are the totals before his."""
        totals = tuple(total - self.cup.dice for total in (target, *made))
        places = self.round(chips).after[allowed][len(made) + 1][(AIMS.index(aim), *totals)]
        return [places[self.cup.totals, len(made) + 1][None, :]] * allowed

    def follower_moves(
        self, chips: Chips, dice: Iterable[int], thrown: int, aim: Aim, target: int, allowed: int, made: Sequence[int]
    ) -> tuple[RoundMove, ...]:
        """Give a follower's options, each with his expected place, best first; `made` are the totals before his."""
        stands = self.follower_stands(chips, aim, target, allowed, made)
        return best_first([RoundMove(keep, None, value) for keep, value in self.cup.moves(stands, dice, thrown)])


@lru_cache(maxsize=8)
def solve_chips(
    players: int, whole: int = 3, dice: int = 3, faces: int = 6, throws: int = 3, special: bool = True
) -> ChipGame:
    """Solve the whole game for two or three players by solving its rounds again and again until nothing changes."""
    if players not in (2, 3):
        raise ValueError(players)
    cup = Cup(dice, faces, throws, special)
    fair = (*[(players + 1) / 2] * players,)
    places = dict.fromkeys(positions(players, whole), fair)
    later: Later = {players: places}
    if players == 3:
        later[2] = solve_chips(2, whole, dice, faces, throws, special).places
    residual, sweeps = 0.0, 0
    for _, group in groupby(places, key=sum):  # the kitty fills only when somebody leaves, so fuller positions are done
        alike = list(group)
        changes = [sweep(cup, alike, whole, later)]
        if sum(alike[0]) < whole:  # such a round takes a chip from the kitty, so it never comes back here
            continue
        seen = [snapshot(places, alike)]
        while changes[-1] > STILL and len(changes) < SWEEPS:
            changes.append(sweep(cup, alike, whole, later))
            seen.append(snapshot(places, alike))
            if len(seen) == 3 and changes[-1] > STILL:
                places.update(zip(alike, leap(*seen), strict=True))
                seen.clear()
        residual, sweeps = max(residual, changes[-1]), max(sweeps, len(changes))
    return ChipGame(players, whole, places, residual, sweeps, cup, later)


def sweep(cup: Cup, chips: Sequence[Chips], whole: int, later: Later) -> float:
    """Solve the rounds of some positions anew and say how much the largest change was."""
    places = later[len(chips[0])]
    change = 0.0
    for position in chips:
        new = solve_chip_round(cup, position, whole, later).places
        change = max(change, *(abs(old - now) for old, now in zip(places[position], new, strict=True)))
        places[position] = new
    return change


def snapshot(places: dict[Chips, Places], chips: Sequence[Chips]) -> list[Places]:
    """Note the values of some positions."""
    return [places[position] for position in chips]


def leap(first: list[Places], second: list[Places], third: list[Places]) -> list[Places]:
    """Guess where values that close in evenly will end; the sweeps after it say whether that was right."""
    return [tuple(map(limit, *rows)) for rows in zip(first, second, third, strict=True)]


def limit(first: float, second: float, third: float) -> float:
    """Guess the limit of a sequence from three members, as Aitken did."""
    step, bend = third - second, third - 2 * second + first
    return third - step * step / bend if abs(bend) > STILL else third
