"""Compiles the solver once before the tests, so that their workers do not all do it at the same moment."""

from knobel.rules import load
from knobel.solver.odds import odds
from knobel.solver.prospects import find_prospects
from knobel.solver.simulate import simulate
from knobel.solver.solve import solve
from knobel.solver.tables import tables
from tests.house import EXAMPLES

if __name__ == "__main__":
    game = tables(load(str(EXAMPLES / "two-dice.toml")).rules())
    values = solve(game).values
    simulate(game, values, 1, 1)
    odds(game, values)
    find_prospects(game, values)
