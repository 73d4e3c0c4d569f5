"""A small policy that learns: a linear value of the column, improved by playing in a batch of games.

Within a turn the learner knows the chances of the dice; what a column is worth after the turn it has to find out. Each
round it plays some games by what it knows so far, notes for every column it meets what a turn from there is worth by
its own values, and fits its weights to everything noted, the latest most.
"""

from collections.abc import Callable

import numpy as np

from knobel.lab.action_values import ActionValues
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import TOP_DOWN, Floats, Ints
from knobel.solver.batch import GameBatch
from knobel.solver.batch_arrays import FLAG_STATE, IS_OVER, MASK, NO_DICE, POSITION_SIZE, ROLLS_LEFT, UPPER_TOTAL
from knobel.solver.batch_arrays import HAND as HAND_NUMBER
from knobel.solver.position import Book, find_book_rows
from knobel.solver.solve import count_book_rows
from knobel.solver.tables import Tables, build_tables

GAMES_PER_ROUND = 48
ROUNDS = 40
RIDGE = 1e-3
FORGETTING = 0.8
"""How much what was noted in a round counts in the next one."""
KNOTS = (-18.0, -12.0, -8.0, -4.0, 0.0, 4.0, 8.0)
"""Where the value of being ahead of or behind the bonus pace bends, in points."""


class LinearValues:
    """The value of a column as a sum of weights: one for each open box, each pair of them, and the bonus pace."""

    def __init__(self, rules: SheetRules) -> None:
        self.tables: Tables = build_tables(rules)
        self.pace = measure_pace(self.tables)
        size = self.describe(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64)).shape[1]
        self.weights = np.zeros(size)
        self.moments, self.targets = RIDGE * np.eye(size), np.zeros(size)

    def describe(self, masks: Ints, flag_states: Ints, upper_totals: Ints) -> Floats:
        """Write columns as the numbers that the weights belong to."""
        offer, boxes = self.tables.offer, self.tables.offer.box_count
        is_open = 1.0 - (masks[:, None] >> np.arange(boxes) & 1)
        firsts, seconds = np.triu_indices(boxes, 1)
        ahead = upper_totals - ((1.0 - is_open) @ self.pace)
        upper_open = (is_open @ (self.pace > 0))[:, None]
        bends = np.maximum(ahead[:, None] - np.array(KNOTS), 0.0)
        is_earned = (upper_totals >= self.tables.upper_cap)[:, None]
        flags = np.stack([flag_states & offer.scored_flag, flag_states & offer.rolled_flag], axis=1) != 0
        parts = [is_open, is_open[:, firsts] * is_open[:, seconds], bends, bends * upper_open, is_earned]
        return np.concatenate([*parts, flags, flags * is_open.sum(axis=1)[:, None], np.ones((len(masks), 1))], axis=1)

    def build_book(self) -> Book:
        """Value every column by the weights; a full sheet is worth its bonus, which is known."""
        tables = self.tables
        states, totals = tables.flag_states, np.arange(tables.upper_states)
        masks = list_masks(tables)
        values = np.zeros((len(masks) * states, tables.upper_states))
        for row, mask in enumerate(masks):
            for state in range(states):
                columns = np.full(totals.size, mask), np.full(totals.size, state), totals
                values[row * states + state] = self.describe(*columns) @ self.weights
        values[-states:] = np.where(totals >= tables.upper_cap, tables.bonus, 0.0)
        return Book(tables, values)

    def fit(self, features: Floats, values: Floats) -> None:
        """Fit the weights to what was noted, what is older counting less."""
        size = self.weights.size
        self.moments = FORGETTING * self.moments + features.T @ features + (1 - FORGETTING) * RIDGE * np.eye(size)
        self.targets = FORGETTING * self.targets + features.T @ values
        self.weights = np.linalg.solve(self.moments, self.targets)


def learn_values(
    rules: SheetRules, seed: int = 0, rounds: int = ROUNDS, progress: Callable[[float], None] | None = None
) -> LinearValues:
    """Learn from scratch by playing."""
    learner = LinearValues(rules)
    batch = GameBatch(learner.tables, GAMES_PER_ROUND)
    for number in range(rounds):
        batch.reset(seed * rounds + number)
        learner.fit(*play_round(batch, ActionValues(learner.build_book()), learner))
        if progress:
            progress((number + 1) / rounds)
    batch.close()
    return learner


def play_round(batch: GameBatch, values: ActionValues, learner: LinearValues) -> tuple[Floats, Floats]:
    """Play every game of a batch once; note the columns that begin a turn, and what a turn from there is worth."""
    features, targets, positions = [], [], batch.games.positions.reshape(-1, POSITION_SIZE)
    rolls = batch.tables.rolls
    is_over = np.zeros(batch.count, np.bool_)
    while not is_over.all():
        is_announcing = (positions[:, HAND_NUMBER] == NO_DICE) & ~is_over
        begins = np.flatnonzero(~is_over & (is_announcing | (positions[:, ROLLS_LEFT] == rolls - 1)))
        worth = values.list_values(batch)
        if learner.tables.rules.order == "announced":
            begins = np.flatnonzero(is_announcing)
            targets += worth[begins].max(axis=1).tolist()
        else:
            targets += [values.find_turn(batch, int(game), None).start_value() for game in begins]
        columns = positions[begins]
        features.append(learner.describe(columns[:, MASK], columns[:, FLAG_STATE], columns[:, UPPER_TOTAL]))
        batch.step(np.where(is_over, 0, worth.argmax(axis=1)))
        is_over |= positions[:, IS_OVER] == 1
    return np.concatenate(features), np.array(targets)


def list_masks(tables: Tables) -> Ints:
    """List the sets of used boxes in the order of the book."""
    boxes = tables.offer.box_count
    if tables.offer.order == TOP_DOWN:
        return np.array([(1 << used) - 1 for used in range(boxes + 1)], np.int64)
    masks = np.arange(count_book_rows(tables.rules), dtype=np.int64)
    return np.asarray(masks[np.argsort(find_book_rows(tables, masks))], np.int64)


def measure_pace(tables: Tables) -> Floats:
    """Say how many points each upper box brings on an even pace to the bonus."""
    best = tables.worth.max(axis=0) * tables.is_upper
    return np.asarray(best * (tables.upper_cap / max(int(best.sum()), 1)), np.float64)
