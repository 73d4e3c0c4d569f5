"""Compiles the solver once before the tests, so that their workers do not all do it at the same moment."""

from knobel.rules import load_edition
from knobel.solver.batch import GameBatch
from knobel.solver.expected_scores import compute_expected_scores
from knobel.solver.known_dice import find_best_total
from knobel.solver.moments import compute_moments
from knobel.solver.odds import compute_odds
from knobel.solver.position import ColumnKey
from knobel.solver.round_batch import RoundBatch, build_round_tables
from knobel.solver.simulate import simulate
from knobel.solver.solve import solve
from knobel.solver.tables import build_tables
from knobel.solver.total_values import AIM, compute_total_values
from tests.support.house_rules import EXAMPLES

if __name__ == "__main__":
    game = build_tables(load_edition(str(EXAMPLES / "two-dice.toml")).rules())
    values = solve(game).values
    simulate(game, values, 1, 1)
    compute_odds(game, values)
    GameBatch(game, 1).close()
    RoundBatch(build_round_tables(dice=2, faces=6, rolls=2, chips=1, seats=2, all_ones_win=True), 1).close()
    find_best_total(game, [[[1] * game.rules.dice] * game.rules.rolls] * len(game.rules.boxes))
    compute_expected_scores(game, values)
    compute_moments(game, values)
    for in_double in (True, False):
        compute_total_values(game, ColumnKey(0, 0, 0), AIM, in_double=in_double)
