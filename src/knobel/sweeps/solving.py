"""Solves one set of rules and says what a designer wants to know of it; runs in any process, on any machine."""

import time
from typing import Any, TypeAlias

from knobel.errors import KnobelError
from knobel.rules.sheet_rules import SheetRules

Figures: TypeAlias = dict[str, Any]
"""What was found out: numbers by name, or `error` with the code of what went wrong."""


def solve_rules(rules: SheetRules, processors: int = 1) -> Figures:
    """Solve the rules and follow perfect play through them; where they are too large for one of both, say so."""
    from knobel.solver.odds import compute_odds
    from knobel.solver.solve import PROCESSOR_LIMIT, limit_processors, solve
    from knobel.solver.tables import build_tables

    begin, limit_before = time.perf_counter(), list(PROCESSOR_LIMIT)
    figures: Figures = {}
    try:
        limit_processors(processors)
        tables = build_tables(rules)
        solution = solve(tables)
        figures = {"par": float(solution.values[0]), "states": solution.states}
        odds = compute_odds(tables, solution.values)
    except KnobelError as error:
        return {**figures, "seconds": time.perf_counter() - begin, "error": error.code}
    finally:
        PROCESSOR_LIMIT[:] = limit_before
    boxes = dict(zip((box.id for box in rules.boxes), odds.boxes, strict=True))
    upper = sum(boxes[box.id].mean for box in rules.boxes if box.upper)
    bonus = odds.bonus_chance * (rules.bonus.points if rules.bonus else 0)
    return {
        **figures,
        "sd": odds.sd,
        "median": odds.quantile(0.5),
        "bonus_chance": odds.bonus_chance,
        "upper_mean": upper,
        "bonus_mean": bonus,
        "lower_mean": sum(one.mean for one in boxes.values()) - upper,
        "extra_mean": odds.prime_mean,
        "seconds": time.perf_counter() - begin,
        "boxes": {box: [one.mean, one.chance] for box, one in boxes.items()},
    }
