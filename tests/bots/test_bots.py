"""Bots: the sensible one beats the greedy one, the perfect one never errs, the human one errs as much as asked."""

from math import exp
from pathlib import Path
from random import Random
from statistics import fmean
from tomllib import loads

import pytest

from knobel.bots import levels, load_bot
from knobel.bots.levels import KNOWN_CARE, WeighedChoice, calibrate_level, collect_choices, find_known_care
from knobel.coach.sheet import OPEN_COACHES, SheetCoach, add_points_so_far, open_coach
from knobel.errors import BotLossOutOfRange, UnknownBot
from knobel.game import Land, Roll, play
from knobel.games.sheet import SheetGame
from knobel.rules import load_edition
from knobel.rules.sheet_rules import SheetRules
from tests.support.house_rules import EXAMPLES
from tests.support.printed_rulesets import list_printed_rulesets

FREE = ["carlit-yatzy", "hasbro-yahtzee", "mb-yahtzee", "noris-yatzy", "philos-yatzi", "tactic-xl-yatzy"]


@pytest.fixture(scope="module")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("books")


@pytest.fixture(autouse=True)
def own_cache_folder(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_folder))
    OPEN_COACHES.clear()
    KNOWN_CARE.clear()


def total_of(rules: SheetRules, name: str, random: Random) -> int:
    """Play one game alone."""
    game, player = SheetGame(rules, practice=True), load_bot(name, "sheet")
    state = game.start(1, 0)
    while state.seat is not None:
        if fall := game.pending_roll(state):
            state = play(game, state, Land(tuple(random.randint(1, rules.faces) for _ in fall.positions)))
        else:
            state = play(game, state, player(game, state, random))
    return game.tally(state, 0).total


@pytest.mark.rest
@pytest.mark.solve
@pytest.mark.parametrize("name", [FREE[0], *(pytest.param(name, marks=pytest.mark.torture) for name in FREE[1:])])
def test_the_cautious_bot_beats_the_greedy_one_by_fifteen_points(name: str) -> None:
    rules = load_edition(name).rules()
    means = {kind: fmean(total_of(rules, kind, Random(seed)) for seed in range(50)) for kind in ("greedy", "cautious")}
    assert means["cautious"] > means["greedy"] + 15


@pytest.mark.solve
def test_the_perfect_bot_always_plays_a_best_move_and_the_ledger_closes() -> None:
    rules = load_edition("carlit-yatzy").rules(None, {"order": "top_down"})
    game, known, random = SheetGame(rules, practice=True), open_coach(rules), Random(5)
    state = game.start(1, 0)
    luck, before = 0.0, known.book.par
    while state.seat is not None:
        if fall := game.pending_roll(state):
            state = play(game, state, Land(tuple(random.randint(1, 6) for _ in fall.positions)))
            best = known.rank_moves(game, state)[0].value
            luck, before = luck + best - before, best
        else:
            move = load_bot("perfect", "sheet")(game, state, random)
            judged = {str(one.move): one.loss for one in known.rank_moves(game, state)}
            assert judged[str(move)] == 0
            state = play(game, state, move)
    assert game.tally(state, 0).total == pytest.approx(known.book.par + luck, abs=1e-6)


@pytest.mark.solve
def test_a_coach_values_the_empty_sheet_at_par() -> None:
    rules = load_edition("carlit-yatzy").rules(None, {"order": "top_down"})
    game = SheetGame(rules, practice=True)
    state = game.start(1, 0)
    judged = SheetCoach(open_coach(rules).book).rank_moves(game, state)
    assert add_points_so_far(rules, state.column) == 0
    assert [one.move for one in judged] == [Roll()]
    assert judged[0].value == pytest.approx(121.26949645623606, abs=1e-9)


def expected_loss(choice: WeighedChoice, care: float) -> float:
    """Say what a decision costs on average with some care."""
    pairs = list(zip(choice.weights, choice.losses, strict=True))
    weights = [weight * exp(-loss * care) for weight, loss in pairs]
    return sum(weight * loss for weight, (_, loss) in zip(weights, pairs, strict=True)) / sum(weights)


LONG = pytest.mark.torture


@pytest.mark.rest
@pytest.mark.parametrize(
    ("order", "points"),
    [
        ("free", 20),
        ("free", 80),
        ("top_down", 30),
        pytest.param("free", 5, marks=LONG),
        pytest.param("free", 50, marks=LONG),
    ],
)
def test_a_human_bot_loses_about_as_many_points_a_game_as_asked(order: str, points: int) -> None:
    rules = load_edition("mb-yahtzee").rules(None, {"order": order})
    care, random = calibrate_level(rules, points), Random(99)
    games = [sum(expected_loss(one, care) for one in collect_choices(rules, care, random)) for _ in range(120)]
    assert fmean(games) == pytest.approx(points, rel=0.12)


@pytest.mark.solve
def test_what_a_human_bot_learned_is_kept_with_the_book() -> None:
    rules = load_edition(str(EXAMPLES / "two-dice.toml")).rules()
    assert find_known_care(rules, 2) is None
    told: list[float] = []
    learned = calibrate_level(rules, 2, told.append)
    assert (told, told[-1]) == (sorted(told), 1.0)
    KNOWN_CARE.clear()
    assert find_known_care(rules, 2) == learned


def test_all_levels_are_learned_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_edition(str(EXAMPLES / "two-dice.toml")).rules()
    calibrate_level(rules, 2)
    monkeypatch.setattr(levels, "collect_choices", None)
    cares = [calibrate_level(rules, level) for level in range(1, 101)]
    assert cares == pytest.approx(sorted(cares, reverse=True))
    assert cares[0] > cares[2] > cares[-1]


def test_calibrating_takes_less_than_a_fifth_of_the_240_games_it_once_took() -> None:
    assert levels.CALIBRATION_GAMES * len(levels.CALIBRATION_LOSSES) <= 48


def test_printed_score_sheets_know_the_care_of_every_level_without_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "collect_choices", None)
    for ruleset in list_printed_rulesets():
        if isinstance(ruleset.rules, SheetRules):
            cares = [calibrate_level(ruleset.rules, level) for level in range(1, levels.MAX_LOSS + 1)]
            assert cares == sorted(cares, reverse=True)


def test_what_human_bots_lose_by_printed_rules_is_their_level() -> None:
    averages = loads((Path(levels.__file__).parent / "averages.toml").read_text(encoding="utf-8"))
    for fingerprint, bots in averages.items():
        for bot, measured in bots.items():
            if bot.startswith("human:"):
                level, lost = int(bot.partition(":")[2]), bots["perfect"]["mean"] - measured["mean"]
                # Both the care and what it costs were measured over some games.
                assert lost == pytest.approx(level, abs=4 * measured["error"], rel=0.05), (fingerprint, bot)


@pytest.mark.parametrize("name", ["human", "human:0", "human:x", "perfect:3", "genius"])
def test_a_bot_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises((UnknownBot, BotLossOutOfRange)):
        load_bot(name, "sheet")
