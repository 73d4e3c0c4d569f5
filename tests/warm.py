"""Compiles the solver once before the tests, so that their workers do not all do it at the same moment."""

from knobel.rules import load_edition
from knobel.solver.expected_scores import compute_expected_scores
from knobel.solver.odds import compute_odds
from knobel.solver.simulate import simulate
from knobel.solver.solve import solve
from knobel.solver.tables import build_tables
from tests.support.house_rules import EXAMPLES

if __name__ == "__main__":
    game = build_tables(load_edition(str(EXAMPLES / "two-dice.toml")).rules())
    values = solve(game).values
    simulate(game, values, 1, 1)
    compute_odds(game, values)
    compute_expected_scores(game, values)
