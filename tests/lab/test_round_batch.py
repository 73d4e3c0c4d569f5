"""Many games of rounds at once play as the game and its greedy bot do on the same dice."""

import gymnasium
import numpy as np
import pytest

import knobel.lab
from knobel.lab.batch_env import BatchEnv
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import PlayerLimits
from knobel.solver.batch_arrays import ILLEGAL_REWARD
from knobel.solver.round_batch import RoundBatch
from tests.support.round_batch_replay import ReplayedRounds

GAMES = 8
ANY_NUMBER = PlayerLimits(1, None)
PLAYED: dict[str, tuple[RoundRules, int]] = {
    **{f"Chicago, {seats}": (knobel.edition("carlit-chicago").rules(), seats) for seats in (2, 3, 4, 5, 9)},
    "French": (knobel.edition("carlit-chicago").rules("fr"), 4),
    "two dice, one chip": (RoundRules(2, 6, 2, 1, True, ANY_NUMBER), 5),
    "four dice of three faces": (RoundRules(4, 3, 3, 4, True, ANY_NUMBER), 6),
    "one die, two faces": (RoundRules(1, 2, 3, 5, True, ANY_NUMBER), 5),
}
"""Few faces make many ties and many games that somebody leaves with all ones."""


def open_batch(name: str, games: int = GAMES) -> tuple[RoundRules, RoundBatch]:
    rules, seats = PLAYED[name]
    env = BatchEnv(rules, games, opponents=("greedy",) * (seats - 1))
    assert isinstance(env.batch, RoundBatch)
    return rules, env.batch


@pytest.mark.parametrize("name", PLAYED)
def test_every_number_of_a_batch_is_that_of_the_game(name: str) -> None:
    (rules, batch), random, endings = open_batch(name), np.random.default_rng(5), 0
    replays = [ReplayedRounds(rules, batch, place) for place in range(GAMES)]
    batch.games.counters[:] = starts = np.arange(1, GAMES + 1, dtype=np.uint64) << np.uint64(40)
    batch.reset()
    for one, start in zip(replays, starts.tolist(), strict=True):
        one.begin(start)
    for _ in range(120):
        assert [one.list_differences() for one in replays] == [[]] * GAMES
        was_over, masks = batch.is_over.copy(), batch.view.action_masks.reshape(GAMES, -1)
        actions = (masks * random.random(masks.shape)).argmax(axis=1)
        rewards = batch.step(actions).rewards
        for place, one in enumerate(replays):
            if was_over[place]:
                endings += 1
                one.begin(one.counter)
            else:
                reward, is_over = one.env.step(np.int64(actions[place]))[1:3]
                assert (rewards[place], batch.is_over[place]) == (reward, is_over)
            assert batch.games.counters[place] == one.counter
    assert endings > GAMES
    batch.close()


def test_chicago_is_a_vectorised_environment() -> None:
    env = gymnasium.make_vec("knobel/carlit-chicago-v0", 5, "vector_entry_point", opponents=["greedy"] * 3)
    seen, _ = env.reset(seed=1)
    assert np.array_equal(seen["observation"], env.reset(seed=1)[0]["observation"])
    ended = np.zeros(5, bool)
    while not ended.any():
        assert env.observation_space.contains(seen)
        seen, rewards, ended, _, _ = env.step(seen["action_mask"].argmax(axis=1))
    assert set(rewards[ended]) <= {1.0, 2 / 3, 1 / 3, 0.0, -1 / 3, -2 / 3, -1.0}
    assert not rewards[~ended].any()
    env.close()


def test_what_is_not_possible_changes_nothing_and_costs_a_point() -> None:
    env = BatchEnv("carlit-chicago", 2)
    before, _ = env.reset(seed=1)
    after, rewards, _, _, info = env.step([999, -1])
    assert (rewards.tolist(), info["illegal"].tolist()) == ([ILLEGAL_REWARD] * 2, [True, True])
    assert np.array_equal(before["observation"], after["observation"])
    env.close()


def test_only_the_bot_that_is_compiled_plays_in_a_batch() -> None:
    for rules, opponents in (("carlit-chicago", ("greedy", "random")), ("mb-yahtzee", ("greedy",))):
        with pytest.raises(knobel.KnobelError, match="opponents"):
            BatchEnv(rules, 2, opponents=opponents)
    with pytest.raises(knobel.KnobelError):
        BatchEnv("carlit-chicago", 2, opponents=())
