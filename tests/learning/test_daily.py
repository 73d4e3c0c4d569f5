"""The position and the game of the day: the same everywhere, fair to compare, and kept to the UTC date."""

import json
import subprocess
import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knobel.coach.sheet import SheetCoach, open_coach
from knobel.game import Land
from knobel.games.sheet import SheetGame
from knobel.lang import Translator
from knobel.learning.daily import count_streak, name_day
from knobel.learning.game_of_day import DayPar, GameOfDay, describe_to_share, find_day_par, name_seed
from knobel.rules import load_edition
from knobel.rules.column import tally
from knobel.rules.sheet_rules import SheetRules
from tests.support.house_rules import EXAMPLES

TWO_DICE = str(EXAMPLES / "two-dice.toml")
RULES = load_edition(TWO_DICE).rules()
NOON = 1_700_000_000.0

ASK = """
import json, sys
from knobel.coach.sheet import open_coach
from knobel.games.sheet import SheetGame
from knobel.learning.daily import find_position_of_day, name_day
from knobel.learning.game_of_day import GameOfDay
from knobel.rules import load_edition
rules = load_edition(sys.argv[1]).rules()
day = name_day(float(sys.argv[2]))
puzzle = find_position_of_day(SheetGame(rules, practice=True), open_coach(rules), day)
print(json.dumps([day, repr(puzzle.state), GameOfDay(rules, day).list_turns()]))
"""


def test_two_machines_in_different_time_zones_have_the_same_day(tmp_path: object) -> None:
    late = 1_700_006_400.0  # midnight UTC: yesterday in the west, today in the east
    answers = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", ASK, TWO_DICE, str(late)],
                env={"TZ": zone, "XDG_CACHE_HOME": str(tmp_path), "PATH": ""},
                capture_output=True,
                check=True,
                text=True,
            ).stdout
        )
        for zone in ("Pacific/Honolulu", "Pacific/Kiritimati")
    ]
    assert answers[0] == answers[1]
    assert answers[0][0] == "2023-11-15"


@pytest.mark.parametrize(
    ("days", "today", "length"),
    [
        ((), "2026-03-01", 0),
        (("2026-03-01",), "2026-03-01", 1),
        (("2026-02-28",), "2026-03-01", 1),
        (("2026-02-27",), "2026-03-01", 1),
        (("2026-02-26",), "2026-03-01", 0),
        (("2026-02-26", "2026-02-28", "2026-03-01"), "2026-03-01", 3),
        (("2026-02-25", "2026-02-28", "2026-03-01"), "2026-03-01", 2),
        (("2026-03-01", "2026-03-02"), "2026-03-01", 1),
    ],
)
def test_a_streak_forgives_one_missed_day(days: tuple[str, ...], today: str, length: int) -> None:
    assert count_streak(days, today) == length


def play_at_random(of_day: GameOfDay, random: Random) -> int:
    """Play the game of a day without any plan."""
    game = SheetGame(of_day.rules, practice=True)
    state = game.start(1, 0)
    while state.seat is not None:
        if pending := game.pending_roll(state):
            values = of_day.roll(pending.turn, pending.roll_number)
            state = game.apply(state, Land(tuple(values[place] for place in pending.positions)))
        else:
            state = game.apply(state, random.choice(list(game.legal_moves(state))))
    return tally(of_day.rules, state.columns[0]).total


def load_coach() -> SheetCoach:
    return open_coach(RULES)


@settings(deadline=None, max_examples=25)
@given(day=st.dates().map(str), random=st.randoms(use_true_random=False))
def test_the_clairvoyant_is_never_below_what_was_played(day: str, random: Random) -> None:
    of_day = GameOfDay(RULES, day)
    par = find_day_par(of_day, load_coach())
    assert par.clairvoyant >= par.perfect
    assert par.clairvoyant >= play_at_random(of_day, random)


def test_each_day_and_each_ruleset_has_its_own_dice() -> None:
    other: SheetRules = load_edition("carlit-yatzy").rules()
    games = [GameOfDay(RULES, "2026-03-01"), GameOfDay(RULES, "2026-03-02"), GameOfDay(other, "2026-03-01")]
    assert len({game.key for game in games}) == 3


def test_what_is_shared_gives_no_dice_away() -> None:
    of_day = GameOfDay(RULES, name_day(NOON))
    text = Translator("en").translate(describe_to_share("Two dice", of_day.day, 14, DayPar(15, 20)))
    assert "Two dice" in text
    assert "14" in text
    assert of_day.game_id not in text
    assert name_seed(of_day.day) not in text
