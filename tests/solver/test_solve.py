"""The solver against its slow oracle, against the published values, and against single turns worked out alone."""

from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knobel.errors import GameTooLarge
from knobel.rules import load_edition
from knobel.rules.column import Column, list_options, possible_points
from knobel.rules.fields import KeyPath
from knobel.rules.schema import read_sheet_rules
from knobel.rules.sheet_rules import SheetRules
from knobel.solver import oracle
from knobel.solver.position import (
    BookValues,
    TurnValues,
    compute_keep_values,
    encode_column,
    find_offers,
    look_up_value,
)
from knobel.solver.solve import SheetSolution, check_size, estimate_cost, solve
from knobel.solver.tables import build_tables
from tests.support.selection import rest

UPPER = {"counts": "group", "upper": True}
LOWER: dict[str, dict[str, object]] = {
    "pair": {"pattern": "group", "size": 2, "counts": "group"},
    "run": {"pattern": "run", "length": 2, "points": 9},
    "odd": {"pattern": "only", "faces": [1, 3], "counts": "all", "points": 2},
    "alike": {"pattern": "group", "size": 3, "points": 20},
    "chance": {"pattern": "sum", "counts": "all"},
}


def book_of(rules: SheetRules) -> BookValues:
    """Solve rules without a cache folder."""
    known = build_tables(rules)
    values = solve(known).values.reshape(-1, known.stride)[:, : known.upper_states]
    return BookValues(known, values)


@st.composite
def small_rules(draw: st.DrawFn) -> SheetRules:
    """Draw a small game with every rule the family knows."""
    dice, faces = draw(st.integers(2, 3)), draw(st.integers(2, 4))
    boxes: dict[str, object] = {
        f"face{face}": {"pattern": "faces", "face": face, **UPPER}
        for face in draw(st.lists(st.integers(1, faces), min_size=0, max_size=2, unique=True))
    }
    alike = {"pattern": "group", "size": dice, "points": 20}
    lower = {**LOWER, "alike": alike}
    for name in draw(st.lists(st.sampled_from(sorted(lower)), min_size=1, max_size=3, unique=True)):
        boxes[name] = lower[name]
    table: dict[str, object] = {
        "dice": dice,
        "faces": faces,
        "rolls": draw(st.integers(1, 4)),
        "boxes": boxes,
        "order": draw(st.sampled_from(["free", "free", "top_down", "announced"])),
        "must_fit": draw(st.booleans()),
        "locked_dice": draw(st.booleans()),
    }
    if draw(st.booleans()):
        table["bonus"] = {"threshold": draw(st.integers(1, 8)), "points": 7, "strict": draw(st.booleans())}
    if "chance" in boxes:
        table["chance"] = {"box": "chance", "rule": draw(st.sampled_from(["free", "last_resort", "last_box"]))}
    if "alike" in boxes:
        second = draw(st.sampled_from([0, 30])) if "chance" in boxes else 0
        table["yatzy"] = {
            "box": "alike",
            "joker": draw(st.sampled_from(["none", "free", "forced"])),
            "prime": draw(st.sampled_from([0, 11])),
            "second": second,
            "forced_zero": draw(st.sampled_from(["literal", "all_upper", "lenient"])),
        }
    return read_sheet_rules(table, KeyPath("drawn"))


@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(small_rules())
def test_a_small_game_has_the_value_the_oracle_finds_by_walking_through_all_of_it(rules: SheetRules) -> None:
    empty = Column((None,) * len(rules.boxes))
    found = book_of(rules)
    assert found.par == pytest.approx(oracle.solve_column(rules, empty), abs=1e-9)


@settings(max_examples=40, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(small_rules(), st.randoms(use_true_random=False))
def test_the_tables_offer_every_hand_just_what_the_rules_offer_it(rules: SheetRules, random: Random) -> None:
    known = build_tables(rules)
    column = any_column(rules, random)
    announced = (
        random.choice([rules.boxes[place].id for place in column.open_boxes]) if rules.order == "announced" else None
    )
    offers = find_offers(known, encode_column(known, column), -1 if announced is None else rules.index[announced])
    for row, hand in enumerate(known.multisets.hands):
        asked = list_options(rules, column, hand, announced)
        for place, box in enumerate(rules.boxes):
            assert offers.closed[row, place] == (asked[box.id].refusal is not None)
            if asked[box.id].refusal is None:
                assert (offers.points[row, place], offers.extra[row]) == (asked[box.id].points, asked[box.id].extra)


LARGE = [
    rest("tactic-xl-yatzy", "en", {}),
    rest("tactic-xl-yatzy", "no", {"literal_chance": "true"}),
    ("mb-yahtzee", None, {}),
    rest("hasbro-yahtzee", None, {}),
    ("philos-yatzi", None, {}),
    rest("noris-yatzy", None, {}),
]


@pytest.mark.parametrize(("name", "text", "switches"), LARGE, ids=str)
def test_a_large_game_agrees_with_the_oracle_in_sampled_positions(
    name: str, text: str | None, switches: dict[str, str]
) -> None:
    rules = load_edition(name).rules(text, switches)
    found = book_of(rules)
    random = Random(7)
    for _ in range(3):
        column = any_column(rules, random)
        truth = oracle.value_column(rules, column, lambda below: look_up_value(found, below))
        assert look_up_value(found, column) == pytest.approx(truth, abs=1e-9)
        assert TurnValues(found, column).start_value() == pytest.approx(truth, abs=1e-9)


PUBLISHED = [
    ("hasbro-yahtzee", {}, 254.587729),
    rest("mb-yahtzee", {}, 254.589609),
    ("tactic-xl-yatzy", {}, 248.439989),
    rest("tactic-xl-yatzy", {"five_alike_full_house": "true"}, 248.468091),
]


@pytest.mark.parametrize(("name", "switches", "par"), PUBLISHED)
def test_par_is_the_published_value(name: str, switches: dict[str, str], par: float) -> None:
    assert float(solve(build_tables(load_edition(name).rules(None, switches))).values[0]) == pytest.approx(
        par, abs=1e-6
    )


@pytest.mark.parametrize(("bonus", "par"), [("", 245.870775), ("bonus = false", 229.638500)])
def test_par_of_the_plain_thirteen_boxes_is_the_published_value(bonus: str, par: float, tmp_path: Path) -> None:
    file = tmp_path / "plain.toml"
    file.write_text(f'title = "Plain"\nextends = "mb-yahtzee"\n{bonus}\nyatzy = {{ joker = "none", prime = 0 }}\n')
    assert float(solve(build_tables(load_edition(str(file)).rules())).values[0]) == pytest.approx(par, abs=1e-6)


SINGLE_TURNS = {
    "one_pair": 10.628797,
    "two_pairs": 11.907547,
    "small_straight": 2.952436,
    "full_house": 6.965727,
    "yatzy": 2.301432,
}


@pytest.mark.parametrize(("box", "points"), SINGLE_TURNS.items())
def test_a_turn_played_for_one_box_alone_brings_its_known_optimum(box: str, points: float) -> None:
    rules = load_edition("tactic-xl-yatzy").rules()
    known = build_tables(rules)
    stopped = known.worth[: len(known.multisets.hands), rules.index[box]].astype(float)
    assert compute_keep_values(known, stopped, rules.rolls)[0] == pytest.approx(points, abs=1e-6)


def test_five_alike_come_with_their_known_chance() -> None:
    known = build_tables(load_edition("tactic-xl-yatzy").rules())
    stopped = np.array([float(hand[0] == hand[-1]) for hand in known.multisets.hands])
    assert compute_keep_values(known, stopped, 3)[0] == pytest.approx(float(Fraction(347897, 7558272)), abs=1e-15)


def test_an_estimate_is_near_and_a_game_too_large_is_refused_with_its_number(tmp_path: Path) -> None:
    assert estimate_cost(load_edition("mb-yahtzee").rules()).states == 8192 * 2 * 64
    boxes = "\n".join(f'b{box} = {{ pattern = "sum", counts = "all", upper = true }}' for box in range(20))
    file = tmp_path / "huge.toml"
    file.write_text(
        'title = "Huge"\ndice = 8\nfaces = 12\nrolls = 6\n'
        f"bonus = {{ threshold = 900, points = 1 }}\n[boxes]\n{boxes}\n"
    )
    with pytest.raises(GameTooLarge) as refused:
        check_size(load_edition(str(file)).rules())
    assert int(str(refused.value.values["memory"])) > int(str(refused.value.values["most_memory"]))


def test_progress_runs_up_to_one() -> None:
    told: list[float] = []
    solution = solve(build_tables(load_edition("carlit-yatzy").rules(None, {"order": "top_down"})), told.append)
    assert isinstance(solution, SheetSolution)
    assert told == sorted(told)
    assert told[-1] == 1.0


def any_column(rules: SheetRules, random: Random) -> Column:
    """Draw a column with some boxes written."""
    count = random.randrange(len(rules.boxes))
    places = range(count) if rules.order == "top_down" else random.sample(range(len(rules.boxes)), count)
    entries: list[int | None] = [None] * len(rules.boxes)
    for place in places:
        entries[place] = random.choice(possible_points(rules, rules.boxes[place].id))
    seen = random.randrange(2) if count and rules.yatzy and rules.yatzy.second else 0
    return Column(tuple(entries), yatzys=seen)
