"""The environments keep the contracts of Gymnasium and PettingZoo, and play by the rules of the game."""

import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import knobel.lab
from knobel.bots import load_bot
from knobel.dice import sort_dice
from knobel.errors import IllegalAction
from knobel.game import Outcome
from knobel.lab.batch_env import BatchEnv
from knobel.lab.families import rate_places
from knobel.lab.single_env import SinglePlayerEnv
from knobel.lab.table_env import TableEnv
from knobel.rules import edition_ids
from tests.support.guide_examples import list_wrong_examples
from tests.support.house_rules import EXAMPLES
from tests.support.selection import mostly_rest

DICTIONARY_WARNINGS = "Observation (space for each agent probably|is not a NumPy array)"
"""The checker of PettingZoo expects a plain array, but its own games show a mask beside it as we do."""


def play_out(env: SinglePlayerEnv, bot: str, seed: int) -> tuple[float, float]:
    """Play a game as a bot plays; give the sum of the rewards and that of the losses."""
    policy, random = load_bot(bot, env.rules.family), Random(seed)
    env.reset(seed=seed)
    rewards, losses, is_over = 0.0, 0.0, False
    while not is_over:
        move = policy(env.game, env.state, random)
        seen, reward, is_over, _, info = env.step(np.int64(env.encoding.encode(env.state, move)))
        assert env.observation_space.contains(seen)
        rewards, losses = rewards + reward, losses + info.get("loss", 0.0)
    return rewards, losses


@pytest.mark.parametrize("name", edition_ids())
def test_every_edition_is_registered_and_keeps_the_contract(name: str) -> None:
    check_env(gymnasium.make(f"knobel/{name}-v0").unwrapped)


def test_house_rules_are_registered_by_a_name_of_their_own() -> None:
    name = knobel.lab.register_environment("ours", EXAMPLES / "two-dice.toml")
    check_env(gymnasium.make(name).unwrapped)
    assert gymnasium.make("knobel/tactic-xl-yatzy-v0", text="da").unwrapped.rules.order == "announced"  # type: ignore[attr-defined]


PLAYED: dict[str, tuple[str | Path, str | None]] = {
    **{name: (name, None) for name in edition_ids()},
    **{f"{one.id} {text}": (one.id, text) for one in knobel.editions() for text in one.texts},
    **{path.stem: (path, None) for path in sorted(EXAMPLES.glob("*.toml"))},
}
"""Every edition, every text that plays differently and every example of house rules."""


@pytest.mark.parametrize("name", mostly_rest(list(PLAYED), "noris-yatzy", "carlit-chicago", "poker-dice"))
def test_a_table_of_three_keeps_the_contract(name: str) -> None:
    rules, text = PLAYED[name]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", DICTIONARY_WARNINGS)
        api_test(knobel.lab.make_table_env(rules, 3, text=text), num_cycles=200)
    seed_test(lambda: knobel.lab.make_table_env(rules, 3, text=text), num_cycles=20)


@pytest.mark.parametrize("name", mostly_rest(list(PLAYED), "tactic-xl-yatzy da", "poker-dice"))
def test_a_lone_player_and_one_against_bots_keep_the_contract(name: str) -> None:
    rules, text = PLAYED[name]
    known = f"knobel/{rules}-v0"
    found = known if known in knobel.lab.ENVIRONMENTS else knobel.lab.register_environment(name, rules)
    check_env(gymnasium.make(found, text=text).unwrapped)
    check_env(gymnasium.make(found, text=text, opponents=("random", "greedy")).unwrapped)


@pytest.mark.parametrize("wrong", [-1, 9999, "nonsense", None, 1.5])
def test_a_table_refuses_what_is_no_action(wrong: Any) -> None:
    table = TableEnv("mb-yahtzee", 2)
    table.reset(seed=1)
    with pytest.raises(IllegalAction):
        table.step(wrong)
    ending = knobel.lab.make_table_env("mb-yahtzee", 2)
    ending.reset(seed=1)
    ending.step(wrong)
    assert ending.terminations == {"player_0": True, "player_1": True}
    assert ending.rewards == {"player_0": -1.0, "player_1": 0}


def test_a_table_takes_of_equal_dice_only_the_first() -> None:
    table = TableEnv("mb-yahtzee", 2)
    ordered: tuple[int, ...] = ()
    for seed in range(20):
        table.reset(seed=seed)
        ordered = sort_dice(table.state_of_game.dice)
        if len(set(ordered)) < len(ordered):
            break
    second = next(place for place in range(1, 5) if ordered[place] == ordered[place - 1])
    with pytest.raises(IllegalAction):
        table.step(1 << second)


@pytest.mark.parametrize(
    "call",
    [
        lambda: SinglePlayerEnv("mb-yahtze"),
        lambda: SinglePlayerEnv("mb-yahtzee", text=5),  # type: ignore[arg-type]
        lambda: SinglePlayerEnv("mb-yahtzee", opponents="greedy"),  # type: ignore[arg-type]
        lambda: SinglePlayerEnv("mb-yahtzee", oracle="yes"),  # type: ignore[arg-type]
        lambda: SinglePlayerEnv("mb-yahtzee", opponents=(5,)),  # type: ignore[arg-type]
        lambda: SinglePlayerEnv("carlit-chicago", opponents=()),
        lambda: TableEnv("mb-yahtzee", 0),
        lambda: TableEnv("mb-yahtzee", "two"),  # type: ignore[arg-type]
        lambda: TableEnv("carlit-chicago", 99),
        lambda: BatchEnv("carlit-chicago", 4, opponents=("perfect",)),
        lambda: BatchEnv("mb-yahtzee", 0),
        lambda: BatchEnv("mb-yahtzee", 1.5),  # type: ignore[arg-type]
        lambda: knobel.lab.register_environment("ours", "nope.toml"),
        lambda: knobel.lab.register_environment(5, "mb-yahtzee"),  # type: ignore[arg-type]
        lambda: knobel.lab.open_oracle("carlit-chicago"),
    ],
)
def test_a_wrong_argument_is_refused_in_one_line(call: Callable[[], object]) -> None:
    with pytest.raises(knobel.KnobelError) as found:
        call()
    assert "\n" not in str(found.value)


def test_an_environment_shows_its_position_as_text() -> None:
    env = gymnasium.make("knobel/mb-yahtzee-v0", render_mode="ansi")
    seen, _ = env.reset(seed=1)
    dice = " ".join(str(int(die)) for die in seen["observation"][:5])
    text = str(env.render()).splitlines()
    assert text[0] == "ones            ."
    assert sorted(text[-1].removeprefix("seat 0: ").split()) == dice.split()
    table = knobel.lab.make_table_env("carlit-chicago", 3, render_mode="ansi")
    table.reset(seed=1)
    assert table.render().splitlines()[0] == "total 0 0 0"
    assert SinglePlayerEnv("mb-yahtzee").render() is None


def test_the_rewards_of_a_sheet_add_up_to_the_total() -> None:
    env = SinglePlayerEnv("mb-yahtzee")
    rewards, _ = play_out(env, "greedy", 4)
    assert rewards == env.game.outcome(env.state).totals[0]  # type: ignore[union-attr]


@pytest.mark.parametrize(("name", "opponents"), [("carlit-chicago", None), ("mb-yahtzee", ("greedy", "random"))])
def test_against_opponents_the_reward_is_the_place(name: str, opponents: tuple[str, ...] | None) -> None:
    env = SinglePlayerEnv(name, opponents=opponents)
    rewards, _ = play_out(env, "greedy", 2)
    outcome = env.game.outcome(env.state)
    assert outcome is not None
    assert rewards == rate_places(outcome, env.players)[0]


def test_places_are_rated_evenly_and_ties_share() -> None:
    assert rate_places(Outcome(((2,), (0, 1)), (5, 5, 9)), 3) == [-0.5, -0.5, 1.0]


def test_perfect_play_loses_nothing_and_greedy_play_does() -> None:
    env = SinglePlayerEnv(EXAMPLES / "two-dice.toml", oracle=True)
    assert abs(play_out(env, "perfect", 1)[1]) < 1e-9
    assert sum(play_out(env, "greedy", seed)[1] for seed in range(5)) > 1.0


def test_the_loss_of_a_move_in_chicago_is_known() -> None:
    env = SinglePlayerEnv("carlit-chicago", oracle=True)
    assert abs(play_out(env, "perfect", 1)[1]) < 1e-9


def test_the_examples_of_the_guide_are_true() -> None:
    assert list_wrong_examples("lab.md") == (16, "")


def test_every_number_and_action_has_a_name() -> None:
    for env in (SinglePlayerEnv("mb-yahtzee"), SinglePlayerEnv("carlit-chicago")):
        env.reset(seed=0)
        assert len(env.encoding.observation_names) == env.look()["observation"].size
        assert len(set(env.encoding.observation_names)) == len(env.encoding.observation_names)
        assert len(set(env.encoding.action_names)) == env.look()["action_mask"].size


def test_what_is_not_possible_changes_nothing() -> None:
    env = SinglePlayerEnv("mb-yahtzee")
    before, _ = env.reset(seed=1)
    forbidden = np.int64(before["action_mask"].argmin())
    after, reward, is_over, _, info = env.step(forbidden)
    assert (reward, is_over, info) == (-1.0, False, {"illegal": True})
    assert np.array_equal(before["observation"], after["observation"])


def test_a_number_that_is_no_action_is_illegal_and_a_game_that_is_over_wants_a_reset() -> None:
    env = SinglePlayerEnv("mb-yahtzee")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))
    seen, _ = env.reset(seed=1)
    for wrong in (-1, len(seen["action_mask"])):
        assert env.step(np.int64(wrong))[4] == {"illegal": True}
    is_over = False
    while not is_over:
        seen, _, is_over, _, _ = env.step(np.int64(seen["action_mask"].nonzero()[0][-1]))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))
