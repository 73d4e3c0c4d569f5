"""A bot that plays like a sensible person: it compares each box with the usual score there."""

from functools import lru_cache
from random import Random
from typing import NamedTuple, TypeAlias

from knobel.bots.turn_values import list_dice_sets, value_keeps
from knobel.dice import Hand, is_all_alike, sort_dice
from knobel.game import Announce, Move, Roll, Score, list_keeps
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules.column import Column, ScoringContext, build_context, extra_yatzy_points, list_worths, refuse_box
from knobel.rules.sheet_rules import SheetRules

USUAL_SHARE = 0.75
"""The share of the expected score of a turn played for one box alone that people usually get there."""
DIGITS = 9
"""Values that agree in so many digits count as equal, so that rounding never decides which move is played."""
OpenBoxes: TypeAlias = tuple[int, ...]


class BestEntry(NamedTuple):
    """Where a hand is best scored, and how much better than usual its score there is."""

    gain: float
    box: int


def cautious_bot(game: SheetGame, state: SheetState, random: Random) -> Move:  # noqa: ARG001
    """Play the move that gains most over the usual score."""
    rules, column = game.rules_for(state.player), state.column
    if not state.dice and rules.order == "announced" and state.announced is None and not state.rolloff:
        boxes = [rules.boxes[place].id for place in column.open_boxes]
        return Announce(max(boxes, key=lambda box: round(value_turn(rules, column, box, rules.rolls)[0], DIGITS)))
    if not state.dice:
        return Roll()
    best = find_best_entries(rules, column, state.announced)[state.hand]
    if (left := rules.rolls - state.rolls_used) > 0:
        values, index = value_turn(rules, column, state.announced, left), list_dice_sets(rules.dice, rules.faces).index
        keeps = {
            keep: round(values[index[sort_dice(state.dice[place] for place in keep)]], DIGITS)
            for keep in list_keeps(state.dice, state.locked)
        }
        keep = max(keeps, key=keeps.__getitem__)
        if keeps[keep] > round(best.gain, DIGITS):
            return Roll(keep)
    return Score(rules.boxes[best.box].id)


@lru_cache(maxsize=64)
def value_turn(rules: SheetRules, column: Column, announced: str | None, rolls_left: int) -> tuple[float, ...]:
    """Value keeping each set of dice; cached, because a turn is asked about after each of its rolls."""
    gains = [entry.gain for entry in find_best_entries(rules, column, announced).values()]
    return tuple(value_keeps(rules.dice, rules.faces, gains, rolls_left, rules.locked_dice))


@lru_cache(maxsize=32)
def find_best_entries(rules: SheetRules, column: Column, announced: str | None) -> dict[Hand, BestEntry]:
    """Find for every hand the box where it gains most over the usual score, with a share of the bonus."""
    usual, weights, allowed = compute_usual_points(rules), list_weights(rules), dict[OpenBoxes, OpenBoxes]()
    found = {}
    for hand in list_dice_sets(rules.dice, rules.faces).hands:
        turn = build_context(rules, column, hand, announced)
        extra = extra_yatzy_points(rules, column, hand)
        entries = [
            BestEntry(turn.points_in(box) * weights[box] + extra - usual[box], box)
            for box in find_allowed_boxes(turn, allowed)
        ]
        found[hand] = max(entries, key=lambda entry: entry.gain)
    return found


def find_allowed_boxes(turn: ScoringContext, known: dict[OpenBoxes, OpenBoxes]) -> OpenBoxes:
    """List where a hand may be scored; unless all dice are alike, only the boxes they score in matter for that."""
    boxes = turn.column.open_boxes
    if is_all_alike(turn.hand):
        return tuple(box for box in boxes if refuse_box(turn, box) is None)
    scoring = tuple(box for box in boxes if turn.values[box])
    if scoring not in known:
        known[scoring] = tuple(box for box in boxes if refuse_box(turn, box) is None)
    return known[scoring]


@lru_cache(maxsize=8)
def list_weights(rules: SheetRules) -> tuple[float, ...]:
    """Say for each box what a point there counts: the bonus is spread over the points that lead to it."""
    bonus = rules.bonus
    share = bonus.points / bonus.goal if bonus and bonus.goal else 0.0
    return tuple(1 + share * box.upper for box in rules.boxes)


@lru_cache(maxsize=8)
def compute_usual_points(rules: SheetRules) -> tuple[float, ...]:
    """Compute the usual score of each box: a fixed share of the expected score of a turn played for it alone."""
    hands = list_dice_sets(rules.dice, rules.faces).hands
    return tuple(
        USUAL_SHARE
        * value_keeps(
            rules.dice,
            rules.faces,
            [list_worths(rules, hand)[box] * weight for hand in hands],
            rules.rolls,
            rules.locked_dice,
        )[0]
        for box, weight in enumerate(list_weights(rules))
    )
