"""A bot that plays as a sensible person does: it weighs each box against what that box usually brings."""

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
"""How much of the best one can hope for in a box a person usually gets there."""


def cautious_bot(game: SheetGame, state: SheetState, random: Random) -> Move:  # noqa: ARG001
    """Take the move that gains most over the usual."""
    rules = game.rules_for(state.player)
    known = build_tables(rules)
    place = encode_column(known, state.column)
    if not state.dice and rules.order == "announced" and state.announced is None and not state.rolloff:
        boxes = [rules.boxes[free].id for free in state.column.open_boxes]
        return Announce(max(boxes, key=lambda box: value_announcement(known, place, rules.index[box])))
    if not state.dice:
        return Roll()
    return choose_move(game, state, compute_gains(known, place, find_announced_index(rules, state)), known)


def find_announced_index(rules: SheetRules, state: SheetState) -> int:
    """Give the place of the announced box."""
    return -1 if state.announced is None else rules.index[state.announced]


def choose_move(game: SheetGame, state: SheetState, gains: Floats, known: Tables) -> Move:
    """Compare writing now with the best dice to keep."""
    sets, row = known.multisets, known.multisets.index[state.hand] - known.multisets.first_hand
    box = int(gains[row].argmax())
    now, left = gains[row, box], game.rules.rolls - state.rolls_used
    if left > 0:
        values = compute_keep_values(known, gains.max(axis=1), left)
        keep = max(
            list_keeps(state.dice, state.locked),
            key=lambda kept: values[sets.index[sort_dice(state.dice[place] for place in kept)]],
        )
        if values[sets.index[sort_dice(state.dice[place] for place in keep)]] > now:
            return Roll(keep)
    return Score(game.rules.boxes[box].id)


def value_announcement(known: Tables, place: ColumnKey, announced: int) -> float:
    """Say what a turn for this box gains before its first throw."""
    return float(compute_keep_values(known, compute_gains(known, place, announced).max(axis=1), known.rules.rolls)[0])


def compute_gains(known: Tables, place: ColumnKey, announced: int) -> Floats:
    """Say for every hand and box how much better than usual that would be, the bonus in mind."""
    offers = find_offers(known, place, announced)
    usual = compute_usual_points(known.rules)
    worth = offers.points * (1 + compute_bonus_share(known) * known.is_upper) + offers.extra[:, None]
    return np.where(offers.closed, WORST_VALUE, worth - usual)


def compute_bonus_share(known: Tables) -> float:
    """Spread the bonus over the points that lead to it."""
    return known.bonus / known.upper_cap if known.upper_cap else 0.0


@lru_cache(maxsize=8)
def compute_usual_points(rules: SheetRules) -> Floats:
    """Say what each box usually brings: most of what a turn played for it alone would bring."""
    known = build_tables(rules)
    found = []
    for place in range(len(rules.boxes)):
        stopped = known.worth[: len(known.multisets.hands), place] * (
            1 + compute_bonus_share(known) * known.is_upper[place]
        )
        found.append(USUAL_SHARE * compute_keep_values(known, stopped.astype(float), rules.rolls)[0])
    return np.array(found)
