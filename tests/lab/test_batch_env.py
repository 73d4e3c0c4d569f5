"""Many games at once play as the game itself does on the same dice."""

import gymnasium
import numpy as np
import pytest

import knobel.lab
from knobel.errors import WrongArgument
from knobel.lab.batch_env import BatchEnv
from knobel.rules import edition_ids, load_edition
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.batch import GameBatch
from knobel.solver.batch_arrays import ILLEGAL_REWARD, IS_OVER, POSITION_SIZE
from knobel.solver.tables import build_tables
from tests.support.batch_replay import Replayed, choose_at_random
from tests.support.house_rules import EXAMPLES
from tests.support.selection import mostly_rest

GAMES = 6
PLAYED = [(one, text) for one in edition_ids() for text in (None, *load_edition(one).texts)]
SHEETS: dict[str, SheetRules] = {
    f"{one} {text or ''}".rstrip(): rules
    for one, text in PLAYED
    if isinstance(rules := load_edition(one).rules(text), SheetRules)
} | {path.stem: load_edition(str(path)).rules() for path in sorted(EXAMPLES.glob("*.toml"))}
USUAL = ("mb-yahtzee", "noris-yatzy", "tactic-xl-yatzy da", "philos-yatzi", "two-dice")
"""A prime and jokers, locked dice and must-fit, an announced box, a second Yatzy, another number of dice."""


@pytest.mark.parametrize("name", mostly_rest(list(SHEETS), *USUAL))
def test_every_number_of_a_batch_is_that_of_the_game(name: str) -> None:
    rules, random = SHEETS[name], np.random.default_rng(7)
    batch = GameBatch(build_tables(rules), GAMES, seed=3)
    replays = [Replayed(rules, batch, place) for place in range(GAMES)]
    for _ in range(len(rules.boxes) * (rules.rolls + 1)):
        assert [one.list_differences() for one in replays] == [[]] * GAMES
        is_over = batch.games.positions[IS_OVER::POSITION_SIZE] == 1
        actions = choose_at_random(batch, random)
        rewards = batch.step(actions).rewards
        for place in range(GAMES):
            if is_over[place]:
                replays[place] = Replayed(rules, batch, place)
                assert rewards[place] == 0.0
            else:
                assert rewards[place] == replays[place].play(int(actions[place]))
    batch.close()


def test_a_seed_gives_the_same_dice_whatever_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    for processors in (1, 3):
        monkeypatch.setattr("knobel.solver.batch.count_processors", lambda found=processors: found)
        batch = GameBatch(build_tables(SHEETS["two-dice"]), 1000, seed=11)
        for step in range(12):
            batch.step(choose_at_random(batch, np.random.default_rng(step)))
        seen.append(batch.view.observations.copy())
        batch.close()
    assert np.array_equal(seen[0], seen[1])


def test_faces_come_equally_often() -> None:
    batch = GameBatch(build_tables(SHEETS["mb-yahtzee"]), 20_000, seed=5)
    dice = batch.view.observations.reshape(20_000, -1)[:, :5].astype(int)
    counts = np.bincount(dice.reshape(-1))[1:]
    expected = counts.sum() / 6
    assert ((counts - expected) ** 2 / expected).sum() < 20.5  # one in a thousand, five degrees of freedom
    batch.close()


def test_it_is_a_vectorised_environment_that_begins_anew_by_itself() -> None:
    env = gymnasium.make_vec("knobel/mb-yahtzee-v0", num_envs=3, vectorization_mode="vector_entry_point")
    assert isinstance(env.unwrapped, BatchEnv)
    seen, _ = env.reset(seed=1)
    totals, ends = np.zeros(3), 0
    while not ends:
        assert env.observation_space.contains(seen)
        actions = seen["action_mask"].argmax(axis=1)
        before = seen["observation"].copy()
        seen, rewards, ended, _, _ = env.step(actions)
        totals, ends = totals + rewards, int(ended.sum())
    points = knobel.lab.SinglePlayerEnv("mb-yahtzee").encoding.observation_names.index("points")
    assert (seen["observation"][ended, points] == totals[ended]).all()
    assert (before[:, points] <= seen["observation"][:, points]).all()
    seen, rewards, _, _, _ = env.step(np.zeros(3, int))
    assert (rewards[ended].sum(), seen["observation"][ended, points].sum()) == (0, 0)
    env.close()


@pytest.mark.parametrize("wrong", [None, [1], [1, 2, 3], ["a", "b"], [0.5, 1.5], [[1], [1, 2]]])
def test_a_batch_takes_a_whole_number_for_every_game(wrong: object) -> None:
    env = BatchEnv("mb-yahtzee", 2)
    env.reset(seed=1)
    with pytest.raises(WrongArgument, match="actions"):
        env.step(wrong)
    env.close()


def test_what_is_not_possible_changes_nothing_and_costs_a_point() -> None:
    env = BatchEnv("mb-yahtzee", 2)
    before, _ = env.reset(seed=1)
    possible = int(before["action_mask"][0].argmax())
    after, rewards, _, _, info = env.step(np.array([possible, 999]))
    assert (rewards[1], info["illegal"].tolist()) == (ILLEGAL_REWARD, [False, True])
    assert np.array_equal(before["observation"][1], after["observation"][1])
    env.close()
