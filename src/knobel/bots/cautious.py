"""A bot that plays as a sensible person does: it weighs each box against what that box usually brings."""

from functools import lru_cache
from random import Random

import numpy as np

from knobel.dice import hand
from knobel.game import Announce, Fill, Move, Throw
from knobel.games.sheet import Sheet, SheetState
from knobel.rules.ruleset import SheetRules
from knobel.solver.position import NEVER, Place, keeps_of, offers_of, place_of
from knobel.solver.tables import Floats, Tables, tables

USUAL = 0.75
"""How much of the best one can hope for in a box a person usually gets there."""


def cautious(game: Sheet, state: SheetState, random: Random) -> Move:  # noqa: ARG001
    """Take the move that gains most over the usual."""
    rules = game.rules_of(state.player)
    known = tables(rules)
    place = place_of(known, state.column)
    if not state.dice and rules.order == "announced" and state.announced is None and not state.rolloff:
        boxes = [rules.boxes[free].id for free in state.column.open]
        return Announce(max(boxes, key=lambda box: first_throw(known, place, rules.index[box])))
    if not state.dice:
        return Throw()
    return best_move(game, state, gains(known, place, announced_of(rules, state)), known)


def announced_of(rules: SheetRules, state: SheetState) -> int:
    """Give the place of the announced box."""
    return -1 if state.announced is None else rules.index[state.announced]


def best_move(game: Sheet, state: SheetState, gained: Floats, known: Tables) -> Move:
    """Compare writing now with the best dice to keep."""
    sets, row = known.sets, known.sets.index[state.hand] - known.sets.first
    box = int(gained[row].argmax())
    now, left = gained[row, box], game.rules.throws - state.thrown
    if left > 0:
        values = keeps_of(known, gained.max(axis=1), left)
        keep = max(game.keeps(state), key=lambda kept: values[sets.index[hand(state.dice[place] for place in kept)]])
        if values[sets.index[hand(state.dice[place] for place in keep)]] > now:
            return Throw(keep)
    return Fill(game.rules.boxes[box].id)


def first_throw(known: Tables, place: Place, announced: int) -> float:
    """Say what a turn for this box gains before its first throw."""
    return float(keeps_of(known, gains(known, place, announced).max(axis=1), known.rules.throws)[0])


def gains(known: Tables, place: Place, announced: int) -> Floats:
    """Say for every hand and box how much better than usual that would be, the bonus in mind."""
    offers = offers_of(known, place, announced)
    usual = usual_points(known.rules)
    worth = offers.points * (1 + bonus_share(known) * known.upper) + offers.extra[:, None]
    return np.where(offers.closed, NEVER, worth - usual)


def bonus_share(known: Tables) -> float:
    """Spread the bonus over the points that lead to it."""
    return known.bonus / known.cap if known.cap else 0.0


@lru_cache(maxsize=8)
def usual_points(rules: SheetRules) -> Floats:
    """Say what each box usually brings: most of what a turn played for it alone would bring."""
    known = tables(rules)
    found = []
    for place in range(len(rules.boxes)):
        stopped = known.worth[: len(known.sets.hands), place] * (1 + bonus_share(known) * known.upper[place])
        found.append(USUAL * keeps_of(known, stopped.astype(float), rules.throws)[0])
    return np.array(found)
