"""What every action is worth in the games of a batch, by the book: exact values, so that regret is exact."""

from functools import lru_cache

import numpy as np

from knobel.coach.sheet import open_coach
from knobel.library.selection import RulesLike, resolve_rules
from knobel.rules.column import Column
from knobel.rules.families import expect_sheet_rules
from knobel.solver.arrays import NO_BOX, Floats, Ints
from knobel.solver.batch import GameBatch
from knobel.solver.batch_arrays import (
    ANNOUNCED_BOX,
    FLAG_STATE,
    HAND,
    IS_OVER,
    NO_DICE,
    OPEN_BOX,
    POSITION_SIZE,
    ROLLS_LEFT,
)
from knobel.solver.position import BookValues, TurnValues

IMPOSSIBLE = -np.inf
CACHED_TURNS = 4096


class ActionValues:
    """Values actions by a book: that of perfect play, or one that was learned."""

    def __init__(self, book: BookValues) -> None:
        self.book = book
        self.boxes = tuple(box.id for box in book.tables.rules.boxes)
        self.value_turn = lru_cache(maxsize=CACHED_TURNS)(self.build_turn)

    def build_turn(self, entries: tuple[int | None, ...], has_rolled: bool, announced: str | None) -> TurnValues:
        """Value a turn from a column; points that no rule looks at any more make no difference."""
        return TurnValues(self.book, Column(entries, yatzys=int(has_rolled)), announced)

    def list_values(self, batch: GameBatch) -> Floats:
        """Give for every game a row with the expected points to come of each action."""
        rows = [self.value_game(batch, game) for game in range(batch.count)]
        return np.array(rows)

    def find_losses(self, batch: GameBatch, actions: Ints) -> Floats:
        """Say what the actions would lose against the best ones; nothing in games that are over."""
        values = self.list_values(batch)
        is_over = batch.games.positions[IS_OVER::POSITION_SIZE] == 1
        with np.errstate(invalid="ignore"):
            losses = values.max(axis=1) - values[np.arange(batch.count), actions]
        return np.where(is_over, 0.0, losses)

    def choose_best(self, batch: GameBatch) -> Ints:
        """Find the best action of every game."""
        return np.asarray(self.list_values(batch).argmax(axis=1), np.int64)

    def value_game(self, batch: GameBatch, game: int) -> Floats:
        tables, boxes = batch.tables, len(self.boxes)
        position = batch.games.positions[game * POSITION_SIZE : (game + 1) * POSITION_SIZE].tolist()
        mask = batch.view.action_masks[game * tables.action_count : (game + 1) * tables.action_count]
        values = np.full(tables.action_count, IMPOSSIBLE)
        if position[IS_OVER]:
            return values
        if position[HAND] == NO_DICE:
            for box in np.flatnonzero(mask) - tables.keep_count - boxes:
                values[tables.keep_count + boxes + box] = self.find_turn(batch, game, self.boxes[box]).start_value()
            return values
        box = position[ANNOUNCED_BOX]
        turn = self.find_turn(batch, game, None if box == NO_BOX else self.boxes[box])
        hand = position[HAND] - tables.first_hand
        if position[ROLLS_LEFT]:
            kept = tables.keeps[hand * tables.keep_count : (hand + 1) * tables.keep_count]
            values[: tables.keep_count] = turn.keep_values(position[ROLLS_LEFT])[kept]
        values[tables.keep_count : tables.keep_count + boxes] = turn.entry_values[hand]
        return np.where(mask == 1, values, IMPOSSIBLE)

    def find_turn(self, batch: GameBatch, game: int, announced: str | None) -> TurnValues:
        """Find the turn a game is in."""
        boxes = len(self.boxes)
        points = batch.games.entries[game * boxes : (game + 1) * boxes].tolist()
        entries = tuple(None if one == OPEN_BOX else one for one in points)
        flag_state = int(batch.games.positions[game * POSITION_SIZE + FLAG_STATE])
        return self.value_turn(entries, bool(flag_state & self.book.tables.offer.rolled_flag), announced)


def open_oracle(rules: RulesLike) -> ActionValues:
    """Open the exact values of some rules; they are solved first if nobody has."""
    return ActionValues(open_coach(expect_sheet_rules(resolve_rules(rules), str(rules))).book)
