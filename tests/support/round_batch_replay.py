"""Games of rounds of a batch, played again by the game itself and its bots on the same dice."""

from random import Random
from typing import Any

import numpy as np

from knobel.lab.single_env import SinglePlayerEnv
from knobel.rules.round_rules import RoundRules
from knobel.solver.round_batch import RoundBatch

MASK = (1 << 64) - 1
GAMMA, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


class DiceStream:
    """The dice of one game of a batch, written a second time: SplitMix64, and no face favoured."""

    def __init__(self, counter: int) -> None:
        self.counter = counter

    def integers(self, low: int, high: int, count: int, endpoint: bool) -> Any:
        assert (low, endpoint) == (1, True)
        return np.array([self.draw(high) for _ in range(count)])

    def draw(self, faces: int) -> int:
        while True:
            self.counter = (self.counter + GAMMA) & MASK
            bits = self.counter
            bits = ((bits ^ (bits >> 30)) * FIRST) & MASK
            bits = ((bits ^ (bits >> 27)) * SECOND) & MASK
            drawn = ((bits ^ (bits >> 31)) >> 32) * faces
            if drawn & 0xFFFFFFFF >= (1 << 32) % faces:
                return 1 + (drawn >> 32)


class ReplayedRounds:
    """One game of a batch as an ordinary environment; it begins anew as the batch does."""

    def __init__(self, rules: RoundRules, batch: RoundBatch, place: int) -> None:
        self.env = SinglePlayerEnv(rules, opponents=("greedy",) * (batch.tables.seats - 1))
        self.batch, self.place = batch, place

    def begin(self, counter: int) -> None:
        """Begin with the dice that come after this count."""
        self.env.reset(seed=0)
        stream: Any = DiceStream(counter)
        self.env.np_random = stream
        self.env.random = Random(0)
        self.env.state = self.env.continue_to_decision(self.env.game.start(self.env.players, 0))

    @property
    def counter(self) -> int:
        return int(self.env.np_random.counter)  # type: ignore[attr-defined]

    def list_differences(self) -> list[tuple[str, float, float]]:
        """List every number of the batch that is not what the game says."""
        tables, view, place = self.batch.tables, self.batch.view, self.place
        seen = view.observations[place * tables.observation_size : (place + 1) * tables.observation_size]
        mask = view.action_masks[place * tables.action_count : (place + 1) * tables.action_count]
        names = (*self.env.encoding.observation_names, *self.env.encoding.action_names)
        looked = self.env.look()
        own = np.concatenate([looked["observation"], looked["action_mask"]])
        pairs = zip(names, np.concatenate([seen, mask]).tolist(), own.tolist(), strict=True)
        return [(name, left, right) for name, left, right in pairs if left != right]
