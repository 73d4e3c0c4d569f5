"""Solved rounds against slow recursion with exact fractions, against each other, and against dice."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product
from math import sqrt
from random import Random

import numpy as np
import pytest

from knobel.solver.chip_game import ChipCounts, ChipFollowerSituation, ChipGameSolution, solve_chip_game
from knobel.solver.round_dice import Aim
from knobel.solver.rounds import AIMS, FollowerSituation, RoundMove, RoundSolution, solve_round
from tests.support.selection import rest

Dice = tuple[int, ...]
Chances = tuple[Fraction, ...]
Made = tuple[tuple[int, bool], ...]

FACES = range(1, 7)
FEW, MANY = 8_000, 200_000
"""How many rounds are rolled, usually and in torture."""
SAMPLES = pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.torture)])


def goes(aim: Aim, mine: int, other: int) -> bool:
    """Whether a total is strictly better."""
    return mine > other if aim == "over" else mine < other


@cache
def find_losers(aim: Aim, target: int, made: Made) -> Chances:
    """Say by the rules who loses a finished round, with which chance; totals come with whether they are special."""
    failing = {seat: total for seat, (total, out) in enumerate(made, 1) if not out and not goes(aim, total, target)}
    worst = [seat for seat in failing if not any(goes(aim, failing[seat], total) for total in failing.values())]
    losers = worst or [0]
    return tuple(Fraction(seat in losers, len(losers)) for seat in range(len(made) + 1))


def brute(players: int, dice: int, faces: int, rolls: int, special: bool) -> Chances:
    """Solve a round by walking through every history of it; the last entry is the chance that nobody loses."""

    def out(held: Dice) -> bool:
        return special and set(held) == {1}

    def turn(held: Dice, seat: int, left: int, stop: Callable[[Dice, int], Chances]) -> Chances:
        """Play on with the dice held and some rolls left; stopping also gives how many are left."""
        best = stop(held, left)
        if left == 0:
            return best
        for count in range(dice - 1, -1, -1):
            for keep in sorted(set(combinations(sorted(held), count))):
                here = roll(keep, seat, left - 1, stop)
                if here[seat] < best[seat]:
                    best = here
        return best

    known: dict[tuple[object, ...], Chances] = {}

    def roll(keep: Dice, seat: int, left: int, stop: Callable[[Dice, int], Chances]) -> Chances:
        if (key := (keep, seat, left, stop)) not in known:
            falls = Counter(
                tuple(sorted(keep + fall)) for fall in product(range(1, faces + 1), repeat=dice - len(keep))
            )
            ends = [(ways, turn(held, seat, left, stop)) for held, ways in falls.items()]
            known[key] = tuple(
                sum((ways * end[place] for ways, end in ends), Fraction()) / falls.total()
                for place in range(players + 1)
            )
        return known[key]

    @cache
    def follow(aim: Aim, target: int, allowed: int, made: Made) -> Chances:
        if len(made) == players - 1:
            return *find_losers(aim, target, made), Fraction(0)

        def stop(held: Dice, left: int) -> Chances:
            return follow(aim, target, allowed, (*made, (sum(held), out(held))))

        return roll((), len(made) + 1, allowed - 1, stop)

    def stand(held: Dice, left: int) -> Chances:
        if out(held):
            return *[Fraction(0)] * players, Fraction(1)
        return min((follow(aim, sum(held), rolls - left, ()) for aim in AIMS), key=lambda ends: ends[0])

    return roll((), 0, rolls - 1, stand)


@pytest.mark.parametrize("special", [True, False])
@pytest.mark.parametrize(
    ("players", "dice", "faces", "rolls"),
    [(2, 2, 3, 2), (2, 2, 3, 3), rest(2, 3, 6, 3), (3, 2, 3, 2), rest(3, 2, 4, 3), (4, 2, 3, 2)],
)
def test_small_rounds_are_what_every_history_says(
    players: int, dice: int, faces: int, rolls: int, special: bool
) -> None:
    solution = solve_round(players, dice, faces, rolls, special)
    assert (*solution.losing_chances, solution.void_chance) == pytest.approx(
        [float(chance) for chance in brute(players, dice, faces, rolls, special)], abs=1e-13
    )


@pytest.mark.parametrize("special", [True, False])
@pytest.mark.parametrize("players", [*range(2, 9), 16])
def test_somebody_loses_or_the_round_is_void(players: int, special: bool) -> None:
    solution = solve_round(players, special=special)
    assert sum(solution.losing_chances) + solution.void_chance == pytest.approx(1, abs=1e-13)
    assert (solution.void_chance > 0) == special
    for table in solution.followers.values():
        assert table.losing_chances.sum(axis=1) + table.opener_losing_chances[-1] == pytest.approx(
            np.ones(16), abs=1e-13
        )


@pytest.mark.parametrize("players", range(2, 9))
def test_a_better_total_and_fewer_rolls_are_safer(players: int) -> None:
    opening = solve_round(players).openings
    for (rolls, total), here in opening.items():
        if total < 18:
            above = opening[rolls, total + 1]
            assert above.over <= here.over
            assert above.under >= here.under
        if rolls < 3:
            assert opening[rolls + 1, total].losing_chance >= here.losing_chance
    fewer = solve_round(players - 1).losing_chances if players > 2 else (1.0,)
    assert solve_round(players).losing_chances[0] < fewer[0]


@pytest.mark.parametrize("players", range(3, 9))
def test_in_company_the_opener_stands_on_whatever_they_roll_first(players: int) -> None:
    solution = solve_round(players)
    assert solution.stand_totals[0] == tuple(range(4, 19))
    assert solution.void_chance == pytest.approx(1 / 216)
    assert np.ptp(solution.losing_chances[1:]) < 1e-13


def test_without_the_special_hand_over_and_under_mirror_each_other() -> None:
    opening = solve_round(4, special=False).openings
    for (rolls, total), here in opening.items():
        assert here.over == pytest.approx(opening[rolls, 21 - total].under, rel=1e-12)
        assert here.aim == ("over" if total > 10 else "under")


def test_followers_know_what_they_do() -> None:
    solution = solve_round(4)
    stand = solution.follower_moves((2, 3, 6), 1, FollowerSituation("over", 15, 3, 9, 1, 2))[0]
    assert (stand.is_stand, stand.value) == (True, 0)
    tied = solution.follower_moves((2, 3, 4), 3, FollowerSituation("over", 15, 3, 9, 2, 0))
    assert tied == (RoundMove(None, None, 1 / 3),)
    special = solution.follower_moves((1, 1, 1), 1, FollowerSituation("over", 15, 3, None, 0, 2))[0]
    assert (special.is_stand, special.value) == (True, 0)
    moves = solution.follower_moves((6, 1, 6), 1, FollowerSituation("over", 15, 3, None, 0, 2))
    assert moves[0].keep == (6, 6)
    assert len(moves) == 6
    assert [move.value for move in moves] == sorted(move.value for move in moves)


def test_openers_know_what_they_do() -> None:
    solution = solve_round(2)
    moves = solution.opener_moves((6, 6, 4), 1)
    assert (moves[0].is_stand, moves[0].aim, moves[0].value) == (True, "over", solution.openings[1, 16].over)
    assert solution.opener_moves((1, 1, 1), 1)[0] == RoundMove(None, None, 0)
    assert solution.opener_moves((1, 2, 3), 3)[0].aim == "under"
    first = sum(solution.opener_moves(dice, 1)[0].value for dice in product(range(1, 7), repeat=3))
    assert first / 216 == pytest.approx(solution.losing_chances[0], abs=1e-13)


class Player:
    """Plays solved rounds with real dice, remembering every decision."""

    def __init__(self, seed: int) -> None:
        self.luck = Random(seed)
        self.known: dict[tuple[object, ...], RoundMove] = {}

    def turn(self, ask: Callable[[Dice, int], tuple[RoundMove, ...]], *key: object) -> tuple[Dice, int, Aim | None]:
        """Roll until the best is to stand."""
        keep: Dice | None = ()
        held: Dice = ()
        rolled = 0
        while True:
            assert keep is not None
            held = tuple(sorted((*keep, *self.luck.choices(FACES, k=3 - len(keep)))))
            rolled += 1
            if (asked := (held, rolled, *key)) not in self.known:
                self.known[asked] = ask(held, rolled)[0]
            move = self.known[asked]
            if move.is_stand:
                return held, rolled, move.aim
            keep = move.keep

    def followers(self, solution: RoundSolution, aim: Aim, target: int, allowed: int) -> int:
        """Let the followers answer, and say which seat loses."""
        made: list[tuple[int, bool]] = []
        for seat in range(1, solution.players):
            failed = [total for total, out in made if not out and not goes(aim, total, target)]
            worst = (min(failed) if aim == "over" else max(failed)) if failed else None
            sharing, to_come = failed.count(worst or 0), solution.players - 1 - seat
            situation = FollowerSituation(aim, target, allowed, worst, sharing, to_come)
            held, _, _ = self.turn(partial(solution.follower_moves, situation=situation), situation)
            made.append((sum(held), solution.round_dice.special and sum(held) == 3))
        chances = find_losers(aim, target, tuple(made))
        return self.luck.choice([seat for seat, chance in enumerate(chances) if chance])

    def round(self, solution: RoundSolution) -> int | None:
        """Play one round and say which seat loses it."""
        held, allowed, aim = self.turn(solution.opener_moves)
        return None if aim is None else self.followers(solution, aim, sum(held), allowed)


def assert_near(seen: Counter[int | None], expected: dict[int | None, float]) -> None:
    """Counted and solved chances lie within four standard errors."""
    for seat, chance in expected.items():
        error = sqrt(chance * (1 - chance) / seen.total())
        assert abs(seen[seat] / seen.total() - chance) <= 4 * error + 1e-12


@SAMPLES
@pytest.mark.parametrize(
    ("players", "special"), [(2, True), rest(3, True), rest(4, True), rest(5, True), rest(2, False)]
)
def test_dice_agree_with_the_solved_chances(players: int, special: bool, count: int) -> None:
    solution, player = solve_round(players, special=special), Player(players)
    seen = Counter(player.round(solution) for _ in range(count))
    assert_near(seen, {**dict(enumerate(solution.losing_chances)), None: solution.void_chance})


@SAMPLES
@pytest.mark.parametrize(("aim", "target", "allowed"), [rest("over", 12, 3), ("under", 9, 2), rest("over", 8, 3)])
def test_dice_agree_when_followers_have_much_to_decide(aim: Aim, target: int, allowed: int, count: int) -> None:
    solution, player = solve_round(5), Player(target)
    table, rank = solution.followers[aim, allowed], solution.round_dice.rank_total(aim, target)
    seen: Counter[int | None] = Counter(player.followers(solution, aim, target, allowed) for _ in range(count))
    assert_near(
        seen, dict(enumerate([float(table.opener_losing_chances[-1, rank]), *table.losing_chances[rank].tolist()]))
    )


@pytest.mark.parametrize("special", [True, False])
def test_two_players_share_one_defeat(special: bool) -> None:
    game = solve_chip_game(2, special=special)
    assert game.residual <= 1e-13
    assert len(game.losing_chances) == 8
    for chances in game.losing_chances.values():
        assert sum(chances) == pytest.approx(1, abs=1e-12)
    assert game.losing_chances[1, 2][0] < game.losing_chances[0, 0][0] < game.losing_chances[2, 1][0]


def test_two_players_without_the_special_hand_play_one_chain_of_rounds() -> None:
    game, opener = solve_chip_game(2, special=False), solve_round(2, special=False).losing_chances[0]
    states = list(game.losing_chances)
    matrix, ends = np.eye(len(states)), np.zeros(len(states))
    for row, (mine, other) in enumerate(states):
        full = mine + other == 3
        for chance, loser, winner, same in ((opener, mine, other, True), (1 - opener, other, mine, False)):
            after = (loser + 1, winner - full)
            if after[0] == 3:
                ends[row] += chance * same
            else:
                matrix[row, states.index(after)] -= chance * (1 if same else -1)
                ends[row] += chance * (not same)
    solved = np.linalg.solve(matrix, ends)
    assert [game.losing_chances[state][0] for state in states] == pytest.approx(solved, abs=1e-12)


@pytest.mark.parametrize("special", [True, False])
def test_three_players_share_six_places(special: bool) -> None:
    game = solve_chip_game(3, special=special)
    assert game.residual <= 1e-13
    assert len(game.places) == 11
    for places in game.places.values():
        assert sum(places) == pytest.approx(6, abs=1e-12)
    first = sum(game.opener_moves((0, 0, 0), dice, 1)[0].value for dice in product(range(1, 7), repeat=3))
    assert first / 216 == pytest.approx(game.places[0, 0, 0][0], abs=1e-12)


def whole_game(player: Player, games: dict[int, ChipGameSolution], players: int, special: bool) -> list[float]:
    """Play a game by the letter of the rules and give every seat its place."""
    seats, chips, kitty = list(range(players)), [0] * players, 3
    gone: list[int] = []
    places = [0.0] * players

    def leave(seat: int) -> None:
        nonlocal kitty
        kitty += chips[seat]
        chips[seat] = 0
        seats.remove(seat)
        gone.append(seat)
        places[seat] = len(gone)

    opener = 0
    while True:
        turn = seats.index(opener)
        order = seats[turn:] + seats[:turn]
        game = games[len(order)]
        here: ChipCounts = tuple(chips[seat] for seat in order)
        held, allowed, aim = player.turn(partial(game.opener_moves, here), here)
        if special and sum(held) == 3:
            leave(opener)
            opener = order[1]
        else:
            assert aim is not None
            totals = {opener: sum(held)}
            for seat in order[1:]:
                made = tuple(totals.values())[1:]
                situation = ChipFollowerSituation(here, aim, sum(held), allowed, made)
                mine, _, _ = player.turn(partial(game.follower_moves, situation=situation), situation)
                totals[seat] = sum(mine)
                if special and sum(mine) == 3:
                    leave(seat)
            rank = {seat: (2 * total if aim == "over" else -2 * total) for seat, total in totals.items()}
            rank[opener] += 1
            drawn = {seat: (-rank[seat], player.luck.random()) for seat in order if seat in seats}
            still = sorted(drawn, key=drawn.__getitem__)
            loser = still[-1]
            if kitty:
                kitty -= 1
            elif len(still) > 1:
                chips[next(seat for seat in still[:-1] if chips[seat])] -= 1
            chips[loser] += 1
            opener = loser
        if len(seats) == 1 or 3 in chips:
            last = opener
            for seat in seats:
                places[seat] = players if seat == last else (len(gone) + players) / 2
            return places
        without = [seat for seat in seats if not chips[seat]]
        if len(seats) == 3 and not kitty and len(without) == 1:
            leave(without[0])


@SAMPLES
@pytest.mark.parametrize("special", [True, rest(False)])
@pytest.mark.parametrize("players", [2, rest(3)])
def test_played_games_agree_with_the_solved_places(players: int, special: bool, count: int) -> None:
    games = {seats: solve_chip_game(seats, special=special) for seats in range(2, players + 1)}
    player = Player(players)
    played = np.array([whole_game(player, games, players, special) for _ in range(count // 4)])
    error = played.std(axis=0) / sqrt(len(played))
    solved = games[players].places[(0,) * players]
    assert np.all(np.abs(played.mean(axis=0) - solved) <= 4 * error)
