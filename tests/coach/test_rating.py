"""Levels: where the printed thresholds are, modest after few decisions, and right about as often as they say."""

from dataclasses import replace
from random import Random
from statistics import fmean

import pytest

from knobel.coach import random_play
from knobel.coach.random_play import (
    ALONE,
    find_round_rate,
    find_sheet_rate,
    load_printed_rates,
    measure_sheet,
)
from knobel.coach.rating import LEVELS, RatedPlay, find_gamma_quantile
from knobel.coach.round_reasons import compute_way_chance, list_ways
from knobel.coach.rounds import rank_moves
from knobel.coach.sheet import SheetCoach, open_coach
from knobel.game import Land, Roll, Stand, play
from knobel.games.sheet import SheetGame
from knobel.rules import edition_ids, load_edition
from knobel.rules.families import SHEET
from tests.support.chicago import make_game, make_position
from tests.support.house_rules import EXAMPLES

STANDARD_RATE, STANDARD_DECISIONS = 6.2, 42
"""What random moves lose per real decision on the standard sheet, and how many of these a game has, roughly."""
FAMILIAR = {
    "perfect": 0.3,
    "supernatural": 1.2,
    "world_class": 3.5,
    "expert": 7,
    "advanced": 14,
    "intermediate": 24,
    "casual": 40,
    "beginner": 65,
    "distracted": 100,
}
"""A loss in the middle of each level, as players know them."""


def rate(losses: list[float], decisions: int, random_rate: float) -> RatedPlay:
    """Rate some losses among so many decisions."""
    padded = losses + [0.0] * (decisions - len(losses))
    return RatedPlay(tuple(padded), (random_rate,) * decisions)


@pytest.mark.parametrize("level", [name for _, name in LEVELS])
def test_on_the_standard_sheet_levels_are_where_players_know_them(level: str) -> None:
    lost = FAMILIAR[level]
    assert rate([lost / 4] * 4, STANDARD_DECISIONS, STANDARD_RATE).level == level


def test_nobody_is_perfect_after_a_few_decisions() -> None:
    levels = [rate([], decisions, STANDARD_RATE).level for decisions in (1, 3, 8, 20, 42)]
    order = [name for _, name in LEVELS]
    assert levels[-1] == "perfect"
    assert [order.index(level) for level in levels] == sorted(order.index(level) for level in levels)
    assert levels[1] not in ("perfect", "supernatural", "world_class", "expert")


@pytest.mark.parametrize("decisions", [1, 2, 3, 8, 42])
def test_whoever_loses_nothing_may_be_perfect_however_few_decisions_there_were(decisions: int) -> None:
    assert rate([], decisions, STANDARD_RATE).best_level == "perfect"


def test_a_single_decision_tells_no_level_and_a_few_say_what_is_unlikely() -> None:
    assert [rate([], decisions, STANDARD_RATE).tells_level for decisions in (1, 2, 42)] == [False, True, True]
    assert not rate([STANDARD_RATE / 50], 1, STANDARD_RATE).tells_level
    assert rate([STANDARD_RATE * 2], 2, STANDARD_RATE).tells_level


def test_a_level_lies_between_its_limits_which_come_closer_with_more_decisions() -> None:
    widths = []
    for games in (1, 4, 16):
        play = rate([1.5, 4.0, 0.5, 2.0] * games, 42 * games, STANDARD_RATE)
        low, high = play.limits
        assert low < play.share < high
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 1.8 * widths[1] > 3 * widths[2]


@pytest.mark.parametrize("seed", range(40))
def test_a_level_lies_in_its_own_range_which_is_told_best_first(seed: int) -> None:
    random, order = Random(seed), [name for _, name in LEVELS]
    size, often, decisions = random.uniform(0.1, 30), random.random(), random.choice((1, 3, 9, 42, 200))
    losses = [random.expovariate(1 / size) if random.random() < often else 0.0 for _ in range(decisions)]
    play = rate(losses, decisions, STANDARD_RATE)
    assert order.index(play.best_level) >= order.index(play.level) >= order.index(play.worst_level)


def test_the_limits_hold_four_times_out_of_five() -> None:
    random, inside, games = Random(1), 0, 600
    truth = 42 * 0.15 * 2.5
    for _ in range(games):
        losses = [random.expovariate(1 / 2.5) if random.random() < 0.15 else 0.0 for _ in range(42)]
        low, high = (limit * 42 * STANDARD_RATE for limit in rate(losses, 42, STANDARD_RATE).limits)
        inside += low <= truth <= high
    assert 0.74 < inside / games < 0.92


def test_a_quantile_of_the_gamma_distribution_is_the_known_one() -> None:
    assert find_gamma_quantile(1.0, 1.0, 1.2816) == pytest.approx(2.3026, rel=0.01)
    assert find_gamma_quantile(10.0, 10.0, -1.2816) == pytest.approx(6.221, rel=0.01)


# What random moves lose.


@pytest.fixture(scope="module")
def two_dice() -> SheetCoach:
    return open_coach(load_edition(str(EXAMPLES / "two-dice.toml")).rules())


def test_every_printed_ruleset_was_measured() -> None:
    for name in edition_ids():
        for text in load_edition(name).printed:
            rules = load_edition(name).rules(text)
            players = [ALONE] if rules.family == SHEET else [2, 3, 4, 5]
            for count in players:
                key = rules.fingerprint, count
                assert load_printed_rates().get(key, 0) > 0, f"python -m benchmarks.random_play {name}"


def test_random_moves_lose_what_random_games_fall_short_of_par(two_dice: SheetCoach) -> None:
    """By the ledger the two are the same on average, so this finds the figure again another way."""
    rules = two_dice.book.tables.rules
    game, random, totals, decisions = SheetGame(rules, practice=True), Random(3), [], 0
    for _ in range(1500):
        state = game.start(1, 0)
        while state.seat is not None:
            if pending := game.pending_roll(state):
                state = game.apply(state, Land(tuple(random.randint(1, rules.faces) for _ in pending.positions)))
                continue
            moves = list(game.legal_moves(state))
            ranked = two_dice.rank_moves(game, state)
            decisions += ranked[-1].loss > 1e-6
            state = play(game, state, random.choice(moves))
        totals.append(game.tally(state, 0).total)
    lost = (two_dice.book.par - fmean(totals)) / (decisions / len(totals))
    assert measure_sheet(two_dice, 300).rate == pytest.approx(lost, rel=0.06)


def test_house_rules_are_measured_once_and_kept_beside_their_book(
    two_dice: SheetCoach, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = find_sheet_rate(two_dice)
    random_play.RATES.clear()
    monkeypatch.setattr(random_play, "measure_sheet", None)
    assert find_sheet_rate(two_dice) == first


def test_random_moves_cost_more_of_a_game_for_two_than_of_one_for_three() -> None:
    game = make_game()
    assert find_round_rate(game, 2) > find_round_rate(game, 3) > 1


# The chances of each way a round can end, found again roll by roll.


def list_falls(count: int) -> list[tuple[tuple[int, ...], float]]:
    """List what so many dice can show, with the chance of each."""
    falls: list[tuple[int, ...]] = [()]
    for _ in range(count):
        falls = [(*fall, die) for fall in falls for die in range(1, 7)]
    return [(fall, 1 / len(falls)) for fall in falls]


def test_how_often_a_follower_loses_the_round_is_found_again_roll_by_roll() -> None:
    game = make_game()
    state = make_position(game, 2, {0: 1})
    dealt = replace(
        state, phase="follow", aim="over", totals=((0, 11),), player=1, seat=1, rolls_allowed=2, dice=(2, 4, 5),
        rolls_used=1,
    )  # fmt: skip
    assert list(list_ways(game, dealt)) == ["loses", "special"]
    for one in rank_moves(game, dealt):
        if isinstance(one.move, Stand):
            lost, ones = float(sum(dealt.dice) <= 11), 0.0
        elif isinstance(one.move, Roll):
            kept = [dealt.dice[place] for place in one.move.keep]
            ends = [((*kept, *fall), chance) for fall, chance in list_falls(3 - len(kept))]
            ones = sum(chance for dice, chance in ends if set(dice) == {1})
            lost = sum(chance for dice, chance in ends if sum(dice) <= 11 and set(dice) != {1})
        assert compute_way_chance(game, dealt, "loses", one.move) == pytest.approx(lost, abs=1e-9)
        assert compute_way_chance(game, dealt, "special", one.move) == pytest.approx(ones, abs=1e-9)


def test_an_opener_of_two_loses_when_the_other_does_better() -> None:
    game = make_game()
    state = replace(make_position(game, 2, {0: 1}), dice=(2, 4, 5), rolls_used=1)
    for aim in ("over", "under"):
        lost = compute_way_chance(game, state, "loses", Stand(aim))
        wins = [sum(fall) > 11 if aim == "over" else sum(fall) < 11 for fall, _ in list_falls(3)]
        ones = 1 / 216 if aim == "over" else 0.0
        assert lost == pytest.approx(fmean(wins) + ones, abs=1e-9)
