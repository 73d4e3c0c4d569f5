"""The oracle of a batch: exact values of every action, so that par plus luck minus regret is the total."""

import numpy as np
import pytest

from knobel.coach.sheet import open_coach
from knobel.lab.action_values import ActionValues, open_oracle
from knobel.lab.learner import learn_values
from knobel.rules import load_edition
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.batch import GameBatch
from knobel.solver.tables import build_tables
from tests.support.batch_replay import Replayed, choose_at_random
from tests.support.house_rules import EXAMPLES

TWO_DICE: SheetRules = load_edition(str(EXAMPLES / "two-dice.toml")).rules()
POKER_DICE: SheetRules = load_edition(str(EXAMPLES / "poker-dice.toml")).rules()
TOP_DOWN: SheetRules = load_edition("carlit-yatzy").rules(order="top_down")


@pytest.mark.parametrize("rules", [TWO_DICE, TOP_DOWN], ids=["two dice", "top down"])
def test_losses_are_those_the_coach_finds(rules: SheetRules) -> None:
    oracle, coach, random = open_oracle(rules), open_coach(rules), np.random.default_rng(5)
    batch = GameBatch(build_tables(rules), 4, seed=9)
    replays = [Replayed(rules, batch, place) for place in range(4)]
    for _ in range(len(rules.boxes)):
        actions = choose_at_random(batch, random)
        losses = oracle.find_losses(batch, actions)
        for place, one in enumerate(replays):
            ranked = {found.move: found.loss for found in coach.rank_moves(one.game, one.state)}
            move = one.encoding.decode(one.game, one.state, int(actions[place]))
            assert losses[place] == pytest.approx(ranked[move], abs=1e-9)
        batch.step(actions)
        for place, one in enumerate(replays):
            one.play(int(actions[place]))
    batch.close()


def play_batch(rules: SheetRules, values: ActionValues, games: int) -> float:
    """Play by some values; give the mean regret of a game by the exact ones."""
    oracle, batch, regret = open_oracle(rules), GameBatch(build_tables(rules), games, seed=2), 0.0
    for _ in range(len(rules.boxes) * rules.rolls):
        actions = values.choose_best(batch)
        regret += float(oracle.find_losses(batch, actions).sum())
        batch.step(actions)
    batch.close()
    return regret / games


def test_a_policy_that_learns_gets_better() -> None:
    regrets = [
        play_batch(POKER_DICE, ActionValues(learn_values(POKER_DICE, rounds=rounds, games=10).build_book()), 20)
        for rounds in (0, 5)
    ]
    assert abs(play_batch(POKER_DICE, open_oracle(POKER_DICE), 20)) < 1e-9
    assert 0 < regrets[1] < 0.8 * regrets[0]
