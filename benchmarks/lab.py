"""Measure the lab: what simple policies and a learned one lose against perfect play, and how fast games are stepped.

python -m benchmarks.lab                          the table of docs/lab.md, some minutes
python -m benchmarks.lab --edition noris-yatzy    another edition
python -m benchmarks.lab --games 50 --rounds 5    rougher and faster
python -m benchmarks.lab --speed                  only how fast games are stepped: for a machine that does nothing else
python -m benchmarks.lab --speed --edition carlit-chicago    the same for Chicago
"""

import argparse
import os
import time
from collections.abc import Callable
from random import Random
from statistics import fmean, stdev
from typing import Any

import numpy as np

import knobel
from knobel.bots import load_bot
from knobel.coach.sheet import SheetCoach
from knobel.game import Move
from knobel.lab import BatchEnv, SinglePlayerEnv
from knobel.lab.learner import ROUNDS, learn_values
from knobel.rules.families import expect_sheet_rules
from knobel.solver.solve import count_processors

Policy = Callable[[Any, Any, Random], Move]
GAMES = 300
BATCH, STEPS = 16_384, 200


def measure_policy(env: SinglePlayerEnv, policy: Policy, games: int) -> tuple[list[float], list[float]]:
    """Play games; give the total and the regret of each, which is the sum of what its decisions lost."""
    random, totals, regrets = Random(1), [], []
    for game in range(games):
        env.reset(seed=game)
        total, regret, is_over = 0.0, 0.0, False
        while not is_over:
            action = env.encoding.encode(env.state, policy(env.game, env.state, random))
            _, reward, is_over, _, info = env.step(np.int64(action))
            total, regret = total + reward, regret + info["loss"]
        totals.append(total)
        regrets.append(regret)
    return totals, regrets


def learn_policy(rules: Any, rounds: int) -> Policy:
    """Learn values and play by them."""
    wall, busy = time.perf_counter(), time.process_time()
    coach = SheetCoach(learn_values(rules, rounds=rounds).build_book())
    print(f"learned in {time.perf_counter() - wall:.0f} s, {time.process_time() - busy:.0f} s of processor time")
    return lambda game, state, _: coach.rank_moves(game, state)[0].move


def measure_speed(rules: Any) -> None:
    """Step a batch with random actions, and one game at a time as the reference."""
    env, random = BatchEnv(rules, BATCH), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    wall, busy = 0.0, 0.0
    for _ in range(STEPS):
        masks = seen["action_mask"]
        actions = (masks * random.random(masks.shape, np.float32)).argmax(axis=1)
        begin = time.perf_counter(), time.process_time()
        seen, *_ = env.step(actions)
        wall, busy = wall + time.perf_counter() - begin[0], busy + time.process_time() - begin[1]
    env.close()
    decisions = BATCH * STEPS
    single, begin_single, count = SinglePlayerEnv(rules), time.process_time(), 0
    for game in range(5):
        looked, is_over = single.reset(seed=game)[0], False
        while not is_over:
            looked, _, is_over, _, _ = single.step(np.int64(random.choice(np.flatnonzero(looked["action_mask"]))))
            count += 1
    alone = count / (time.process_time() - begin_single)
    print(f"batches of {BATCH:,}, load average {os.getloadavg()[0]:.1f}, {count_processors()} processors")
    print(f"{decisions / wall:,.0f} decisions a second on the clock (goal 1,000,000)")
    print(f"{decisions / busy:,.0f} for each second of a processor, {decisions / busy / alone:,.0f} times one by one")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default="mb-yahtzee")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--speed", action="store_true")
    given = parser.parse_args()
    played = knobel.edition(given.edition).rules()
    measure_speed(played)
    if given.speed:
        return
    rules = expect_sheet_rules(played, given.edition)
    env = SinglePlayerEnv(rules, oracle=True)
    policies: dict[str, Policy] = {name: load_bot(name, rules.family) for name in ("random", "greedy", "cautious")}
    policies["learned"] = learn_policy(rules, given.rounds)
    policies["perfect"] = load_bot("perfect", rules.family)
    print(f"par {knobel.solve(rules).par:.3f}\n| policy | mean total | regret per game |\n|---|---|---|")
    for name, policy in policies.items():
        totals, regrets = measure_policy(env, policy, given.games)
        error = stdev(regrets) / len(regrets) ** 0.5
        print(f"| {name} | {fmean(totals):.1f} | {fmean(regrets):.2f} ± {error:.2f} |", flush=True)


if __name__ == "__main__":
    main()
