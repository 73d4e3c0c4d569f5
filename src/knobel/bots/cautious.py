"""A bot that plays like a sensible person: it compares each box with the usual score there."""

from functools import lru_cache
from random import Random

import numpy as np

from knobel.dice import sort_dice
from knobel.game import Announce, Move, Roll, Score, list_keeps
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import WORST_VALUE, Floats
from knobel.solver.position import ColumnKey, compute_keep_values, encode_column, find_offers
from knobel.solver.tables import Tables, build_tables

USUAL_SHARE = 0.75
"""The share of the expected score of a turn played for one box alone that people usually get there."""


def cautious_bot(game: SheetGame, state: SheetState, random: Random) -> Move:  # noqa: ARG001
    """Play the move that gains most over the usual score."""
    rules = game.rules_for(state.player)
    tables = build_tables(rules)
    key = encode_column(tables, state.column)
    if not state.dice and rules.order == "announced" and state.announced is None and not state.rolloff:
        boxes = [rules.boxes[place].id for place in state.column.open_boxes]
        return Announce(max(boxes, key=lambda box: value_announcement(tables, key, rules.index[box])))
    if not state.dice:
        return Roll()
    return choose_move(game, state, compute_gains(tables, key, find_announced_index(rules, state)), tables)


def find_announced_index(rules: SheetRules, state: SheetState) -> int:
    """Give the index of the announced box, or -1."""
    return -1 if state.announced is None else rules.index[state.announced]


def choose_move(game: SheetGame, state: SheetState, gains: Floats, tables: Tables) -> Move:
    """Compare scoring now with the best dice to keep."""
    sets, row = tables.multisets, tables.multisets.index[state.hand] - tables.multisets.first_hand
    box = int(gains[row].argmax())
    now, left = gains[row, box], game.rules.rolls - state.rolls_used
    if left > 0:
        values = compute_keep_values(tables, gains.max(axis=1), left)
        keep = max(
            list_keeps(state.dice, state.locked),
            key=lambda kept: values[sets.index[sort_dice(state.dice[place] for place in kept)]],
        )
        if values[sets.index[sort_dice(state.dice[place] for place in keep)]] > now:
            return Roll(keep)
    return Score(game.rules.boxes[box].id)


def value_announcement(tables: Tables, key: ColumnKey, announced: int) -> float:
    """Value a turn for this box before its first roll."""
    gains = compute_gains(tables, key, announced).max(axis=1)
    return float(compute_keep_values(tables, gains, tables.rules.rolls)[0])


def compute_gains(tables: Tables, key: ColumnKey, announced: int) -> Floats:
    """Compute for every hand and box how much better than usual its score would be, with a share of the bonus."""
    offers = find_offers(tables, key, announced)
    usual = compute_usual_points(tables.rules)
    worth = offers.points * (1 + compute_bonus_share(tables) * tables.is_upper) + offers.extra[:, None]
    return np.where(offers.closed, WORST_VALUE, worth - usual)


def compute_bonus_share(tables: Tables) -> float:
    """Spread the bonus over the points that lead to it."""
    return tables.bonus / tables.upper_cap if tables.upper_cap else 0.0


@lru_cache(maxsize=8)
def compute_usual_points(rules: SheetRules) -> Floats:
    """Compute the usual score of each box: a fixed share of the expected score of a turn played for it alone."""
    tables = build_tables(rules)
    usual = []
    for place in range(len(rules.boxes)):
        weight = 1 + compute_bonus_share(tables) * tables.is_upper[place]
        worth = tables.worth[: len(tables.multisets.hands), place] * weight
        usual.append(USUAL_SHARE * compute_keep_values(tables, worth.astype(float), rules.rolls)[0])
    return np.array(usual)
