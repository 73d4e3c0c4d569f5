"""House rules as odd as the schema lets them be, and what every part of the solver must find out about them alike.

`python -m tests.support.odd_rules FIRST COUNT KIND` solves the rules of so many seeds and prints as JSON how many there
were and on which of them the ways to solve them disagree.
"""

import json
import sys
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import numpy as np

from knobel.rules.column import empty_column
from knobel.rules.fields import KeyPath
from knobel.rules.schema import read_sheet_rules
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import Floats
from knobel.solver.column_position import ColumnPosition
from knobel.solver.expected_scores import ExpectedScores, compute_expected_scores, find_column_starts
from knobel.solver.final_totals import compute_all_points_to_come
from knobel.solver.moments import Moments, compute_moments
from knobel.solver.odds import compute_odds
from knobel.solver.oracle import solve_column
from knobel.solver.position import BookValues, TurnValues, encode_column
from knobel.solver.simulate import simulate
from knobel.solver.solve import pad_to_stride, solve
from knobel.solver.tables import Tables, build_tables
from knobel.solver.total_values import TotalWorth, compute_total_values

NEAR = 1e-6
SINGLE_NEAR = 1e-4
GAMES = 64


def draw_box(random: Random, dice: int, faces: int) -> dict[str, Any]:
    """Draw a box of any pattern, upper or not, worth anything."""
    patterns: list[dict[str, Any]] = [
        {"pattern": "sum"},
        {"pattern": "only", "faces": sorted(random.sample(range(1, faces + 1), random.randint(1, faces)))},
    ]
    if dice > 1:
        patterns += [{"pattern": "group", "size": random.randint(2, dice)}, {"pattern": "run", "length": 2}]
    return {
        **random.choice(patterns),
        "counts": random.choice(["nothing", "group", "all"]),
        "points": random.choice([0, 0, 1, 9]),
    }


def draw_odd_rules(seed: int) -> SheetRules:
    """Draw small rules in which any box may be Chance, the Yatzy box, an upper box, or all of them."""
    random = Random(f"odd {seed}")
    dice, faces = random.choice([(1, 2), (1, 3), (2, 2), (2, 2), (2, 3), (3, 2), (2, 4)])
    upper = random.sample(range(1, faces + 1), random.randint(0, min(faces, 2)))
    boxes: dict[str, dict[str, Any]] = {
        f"face{face}": {"pattern": "faces", "face": face, "counts": random.choice(["group", "nothing"]), "upper": True}
        for face in upper
    }
    for number in range(random.randint(0 if upper else 1, 2)):
        boxes[f"box{number}"] = {**draw_box(random, dice, faces), "upper": random.random() < 0.2}
    sheet = random.sample(sorted(boxes), len(boxes))
    table: dict[str, Any] = {
        "dice": dice,
        "faces": faces,
        "rolls": random.randint(1, 3),
        "boxes": boxes,
        "sheet": sheet,
        "order": random.choice(["free", "free", "top_down", "announced"]),
        "must_fit": random.random() < 0.3,
        "locked_dice": random.random() < 0.3,
    }
    if random.random() < 0.6:
        table["bonus"] = {"threshold": random.choice([1, 3, 8, 40]), "points": 7, "strict": random.random() < 0.5}
    if random.random() < 0.7:
        table["chance"] = {"box": random.choice(sheet), "rule": random.choice(["free", "last_resort", "last_box"])}
    if random.random() < 0.85:
        table["yatzy"] = {
            "box": random.choice(sheet),
            "joker": random.choice(["none", "free", "forced"]),
            "prime": random.choice([0, 11, 1000]),
            "second": random.choice([0, 3, 30]) if "chance" in table else 0,
            "forced_zero": random.choice(["literal", "all_upper", "lenient"]),
        }
    return read_sheet_rules(table, KeyPath(f"seed {seed}"))


def find_values(rules: SheetRules) -> dict[str, float]:
    """Find par by walking through every position, from the values of all, and from one position."""
    tables = build_tables(rules)
    values = solve(tables).values
    book = BookValues(tables, values.reshape(-1, tables.stride)[:, : tables.upper_states])
    return {
        "oracle": solve_column(rules, empty_column(rules)),
        "solve": book.par,
        "position": find_start_value(rules, book),
    }


def find_figures(rules: SheetRules) -> dict[str, float]:
    """Find par in every way the solver knows, and play some games to the end."""
    tables = build_tables(rules)
    values = solve(tables).values
    odds, played = compute_odds(tables, values), simulate(tables, values, GAMES, 1)
    if int(played.histogram.sum()) != GAMES:
        raise AssertionError(played)
    return find_values(rules) | {
        "odds": odds.mean,
        "odds by box": sum(box.mean for box in odds.boxes) + odds.prime_mean + odds.bonus_chance * tables.bonus,
        "expected scores": sum_expected_scores(tables, values) + odds.prime_mean,
    }


def find_chances(rules: SheetRules) -> dict[str, float]:
    """Find par by what chances and aims are worked out with: lanes, moments, and several moments in one pass."""
    tables = build_tables(rules)
    values = solve(tables).values
    book = BookValues(tables, values.reshape(-1, tables.stride)[:, : tables.upper_states])
    start = ColumnPosition(empty_column(rules))
    together = compute_all_points_to_come(book, [start, start, start])
    return {
        "oracle": solve_column(rules, empty_column(rules)),
        "lanes": find_lane_value(tables),
        "moments": find_moment_mean(book),
        **{f"pass {lane}": one.mean for lane, one in enumerate(together)},
    }


def find_lane_value(tables: Tables) -> float:
    """Find par by making the mean of a total as large as it can be that is worth as much as it has points."""
    key = encode_column(tables, empty_column(tables.rules))
    most = int(tables.worth.max(axis=0).sum()) + tables.offer.box_count * tables.sheet_arrays.prime + tables.bonus + 1
    worth = TotalWorth(0, np.arange(most) / most)
    double, single = (compute_total_values(tables, key, worth, None, kind).value_at(0) for kind in (True, False))
    if abs(double - single) > SINGLE_NEAR:
        raise AssertionError(double, single)
    return double * most


def find_moment_mean(book: BookValues) -> float:
    """Find par among the moments; equally good moves spread differently, so the spread need only be possible."""
    tables = book.tables
    key = encode_column(tables, empty_column(tables.rules))
    moments = Moments(book, compute_moments(tables, pad_to_stride(tables, book.values)))
    mean, variance, third = moments.look_up(*(np.array([one]) for one in (key.mask, key.flag_state, key.upper_total)))
    if not (np.isfinite(variance[0]) and np.isfinite(third[0]) and variance[0] >= -SINGLE_NEAR):
        raise AssertionError(variance, third)
    return float(mean[0])


def find_start_value(rules: SheetRules, book: BookValues) -> float:
    boxes = [box.id for box in rules.boxes] if rules.order == "announced" else [None]
    return max(TurnValues(book, empty_column(rules), box).start_value() for box in boxes)


def sum_expected_scores(tables: Tables, values: Floats) -> float:
    found = ExpectedScores(tables, find_column_starts(tables), compute_expected_scores(tables, values))
    means, bonus = found.look_up(encode_column(tables, empty_column(tables.rules)))
    return float(means.sum()) + bonus * tables.bonus


def find_disagreements(
    seeds: Iterable[int], find: Callable[[SheetRules], dict[str, float]]
) -> dict[int, dict[str, float]]:
    """Give by its seed what the solver says about rules of which it says different things."""
    found = {seed: find(draw_odd_rules(seed)) for seed in seeds}
    return {
        seed: figures
        for seed, figures in found.items()
        if max(figures.values()) - min(figures.values()) > NEAR * max(1.0, figures["oracle"])
    }


KINDS = {"values": find_values, "figures": find_figures, "chances": find_chances}

if __name__ == "__main__":
    first, count = map(int, sys.argv[1:3])
    print(json.dumps([count, find_disagreements(range(first, first + count), KINDS[sys.argv[3]])]))
