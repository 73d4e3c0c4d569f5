"""A small policy that learns: a linear value of the column, improved by playing in a batch of games.

Within a turn the learner knows the chances of the dice; what a column is worth after the turn it has to find out. Each
round it plays some games by what it knows so far, notes for every column it meets what a turn from there is worth by
its own values, and fits its weights to everything noted, the latest most.
"""

from collections.abc import Callable, Iterator

import numpy as np

from knobel.lab.action_values import ActionValues
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import ANNOUNCED, TOP_DOWN, Floats, Ints
from knobel.solver.batch import GameBatch
from knobel.solver.batch_arrays import FLAG_STATE, HAND, IS_OVER, MASK, NO_DICE, POSITION_SIZE, ROLLS_LEFT, UPPER_TOTAL
from knobel.solver.position import BookValues, find_book_rows
from knobel.solver.solve import count_book_rows
from knobel.solver.tables import Tables, build_tables

GAMES_PER_ROUND = 48
ROUNDS = 40
RIDGE = 1e-3
FORGETTING = 0.8
"""How much what was noted in a round counts in the next one."""
TRACE = 0.9
"""How much of an error found later in a game is blamed on the values before."""
KNOTS = (-18.0, -12.0, -8.0, -4.0, 0.0, 4.0, 8.0)
"""Where the value of being ahead of or behind the bonus pace bends, in points."""


class LinearValues:
    """The value of a column as a sum of weights: one for each open box, each pair of them, and the bonus pace."""

    def __init__(self, rules: SheetRules) -> None:
        self.tables: Tables = build_tables(rules)
        self.pace = measure_pace(self.tables)
        size = self.describe(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64)).shape[1]
        self.weights: Floats = np.zeros(size)
        self.moments: Floats = RIDGE * np.eye(size)
        self.targets: Floats = np.zeros(size)

    def describe(self, masks: Ints, flag_states: Ints, upper_totals: Ints) -> Floats:
        """Write columns as the numbers that the weights belong to."""
        return np.concatenate(
            [self.describe_bonus(masks, upper_totals), self.describe_boxes(masks, flag_states)], axis=1
        )

    def describe_boxes(self, masks: Ints, flag_states: Ints) -> Floats:
        """Write down which boxes are open, each two of them together, and the flags."""
        offer, is_open = self.tables.offer, self.mark_open(masks)
        firsts, seconds = np.triu_indices(is_open.shape[1], 1)
        flags = np.stack([flag_states & offer.scored_flag, flag_states & offer.rolled_flag], axis=1) != 0
        pairs, left = is_open[:, firsts] * is_open[:, seconds], is_open.sum(axis=1)[:, None]
        return np.concatenate([is_open, pairs, flags, flags * left, np.ones((len(masks), 1))], axis=1)

    def describe_bonus(self, masks: Ints, upper_totals: Ints) -> Floats:
        """Write down how far a column is ahead of the bonus pace, by itself and for each upper box to come."""
        is_open = self.mark_open(masks)
        ahead = upper_totals - (1.0 - is_open) @ self.pace
        bends = np.maximum(ahead[:, None] - np.array(KNOTS), 0.0)
        upper_open = (is_open @ (self.pace > 0))[:, None]
        return np.concatenate([bends, bends * upper_open, (upper_totals >= self.tables.upper_cap)[:, None]], axis=1)

    def mark_open(self, masks: Ints) -> Floats:
        return np.asarray(1.0 - (masks[:, None] >> np.arange(self.tables.offer.box_count) & 1), np.float64)

    def build_book(self) -> BookValues:
        """Value every column by the weights; a full sheet is worth its bonus, which is known."""
        tables, masks = self.tables, list_masks(self.tables)
        states, totals = tables.flag_states, np.arange(tables.upper_states)
        # The bonus depends on the upper boxes alone, and there are few sets of them.
        uppers, places = np.unique(masks & tables.offer.upper_bits, return_inverse=True)
        bonus = self.describe_bonus(np.repeat(uppers, totals.size), np.tile(totals, uppers.size))
        boxes = self.describe_boxes(np.repeat(masks, states), np.tile(np.arange(states), masks.size))
        size = bonus.shape[1]
        by_total = (bonus @ self.weights[:size]).reshape(uppers.size, 1, totals.size)
        values = by_total[places] + (boxes @ self.weights[size:]).reshape(masks.size, states, 1)
        values = values.reshape(-1, totals.size)
        values[-states:] = np.where(totals >= tables.upper_cap, tables.bonus, 0.0)
        return BookValues(tables, values)

    def fit(self, features: Floats, values: Floats) -> None:
        """Fit the weights to what was noted, what is older counting less."""
        size = self.weights.size
        self.moments = FORGETTING * self.moments + features.T @ features + (1 - FORGETTING) * RIDGE * np.eye(size)
        self.targets = FORGETTING * self.targets + features.T @ values
        self.weights = np.asarray(np.linalg.solve(self.moments, self.targets), np.float64)


def learn_values(
    rules: SheetRules,
    seed: int = 0,
    rounds: int = ROUNDS,
    games: int = GAMES_PER_ROUND,
    progress: Callable[[float], None] | None = None,
) -> LinearValues:
    """Learn from scratch by playing."""
    learner = LinearValues(rules)
    batch = GameBatch(learner.tables, games)
    for number in range(rounds):
        batch.reset(seed * rounds + number)
        learner.fit(*play_round(batch, ActionValues(learner.build_book()), learner))
        if progress:
            progress((number + 1) / rounds)
    batch.close()
    return learner


def play_round(batch: GameBatch, values: ActionValues, learner: LinearValues) -> tuple[Floats, Floats]:
    """Play every game of a batch once; give the columns that began a turn, and what they turned out to be worth."""
    turns: list[list[tuple[Floats, float]]] = [[] for _ in range(batch.count)]
    positions = batch.games.positions.reshape(-1, POSITION_SIZE)
    is_announcing, first_roll = batch.tables.sheet.offer.order == ANNOUNCED, batch.tables.rolls - 1
    is_over = np.zeros(batch.count, np.bool_)
    while not is_over.all():
        worth = values.list_values(batch)
        begins = positions[:, HAND] == NO_DICE if is_announcing else positions[:, ROLLS_LEFT] == first_roll
        for game in np.flatnonzero(begins & ~is_over).tolist():
            turn = worth[game].max() if is_announcing else values.find_turn(batch, game, None).start_value()
            column = positions[game : game + 1]
            seen = learner.describe(column[:, MASK], column[:, FLAG_STATE], column[:, UPPER_TOTAL])[0]
            turns[game].append((seen, turn))
        batch.step(np.where(is_over, 0, worth.argmax(axis=1)))
        is_over |= positions[:, IS_OVER] == 1
    noted = [note for game in turns for note in trace_back(game, learner.weights)]
    return np.array([seen for seen, _ in noted]), np.array([target for _, target in noted])


def trace_back(turns: list[tuple[Floats, float]], weights: Floats) -> Iterator[tuple[Floats, float]]:
    """Correct what each turn seemed worth by how wrong the value of the column after it was, from the last turn back.

    The chances of the dice are worked out within each turn, so once the values are right nothing is left to luck.
    """
    correction = 0.0
    for seen, turn in reversed(turns):
        target = turn + TRACE * correction
        yield seen, target
        correction = target - float(seen @ weights)


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
