"""Games of a batch, played again by the game itself on the same dice."""

from collections import Counter
from typing import Any

import numpy as np

from knobel.game import Land, Roll
from knobel.games.sheet import SheetGame, SheetState
from knobel.lab.sheet_encoding import SheetEncoding
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.batch import GameBatch
from knobel.solver.batch_arrays import HAND, POSITION_SIZE


class Replayed:
    """One game of a batch: it takes the same actions, and its dice land as those of the batch did."""

    def __init__(self, rules: SheetRules, batch: GameBatch, place: int) -> None:
        self.game, self.encoding = SheetGame(rules, practice=True), SheetEncoding(rules)
        self.batch, self.place = batch, place
        self.state: SheetState = self.game.start(1, 0)
        self.land()

    def play(self, action: int) -> float:
        """Carry out an action; give the points it scored, with the bonus at the end."""
        before = self.count_points()
        self.state = self.game.apply(self.state, self.encoding.decode(self.game, self.state, action))
        self.land()
        return self.count_points() - before

    def count_points(self) -> int:
        sums = self.game.tally(self.state, 0)
        return sums.total if self.state.seat is None else sums.total - sums.bonus

    def land(self) -> None:
        """Roll where nothing else can be done, and let the dice show what those of the batch show."""
        if self.state.seat is not None and not self.state.dice and not self.game.needs_announcement(self.state):
            self.state = self.game.apply(self.state, Roll()) if self.state.seat >= 0 else self.state
        if pending := self.game.pending_roll(self.state):
            tables = self.batch.tables
            hand = int(self.batch.games.positions[self.place * POSITION_SIZE + HAND]) - tables.first_hand
            shown = Counter(tables.hand_dice[hand * tables.dice : (hand + 1) * tables.dice].tolist())
            kept = [die for place, die in enumerate(self.state.dice) if place not in pending.positions]
            rolled = tuple((shown - Counter(kept)).elements())
            self.state = self.game.apply(self.state, Land(rolled))

    def list_differences(self) -> list[tuple[str, Any, Any]]:
        """List every number of the batch that is not what the game says."""
        tables, view, place = self.batch.tables, self.batch.view, self.place
        size, count = tables.observation_size, tables.action_count
        seen = view.observations[place * size : (place + 1) * size]
        mask = view.action_masks[place * count : (place + 1) * count]
        names = (*self.encoding.observation_names, *self.encoding.action_names)
        theirs = np.concatenate([seen, mask])
        own = np.concatenate(
            [self.encoding.observe(self.game, self.state, 0), self.encoding.mask(self.game, self.state)]
        )
        pairs = zip(names, theirs.tolist(), own.tolist(), strict=True)
        return [(name, left, right) for name, left, right in pairs if left != right]


def choose_at_random(batch: GameBatch, random: np.random.Generator) -> Any:
    """Choose a possible action of each game; boxes as often as dice to keep, so that turns end early too."""
    masks = batch.view.action_masks.reshape(batch.count, -1)
    return (masks * random.random(masks.shape)).argmax(axis=1)
