"""Worked examples beside the rules of a score sheet: one for each box."""

from knobel.dice import sort_dice
from knobel.game import Announce, Move, Score
from knobel.games.sheet import SheetState
from knobel.paper.boxes import (
    ANY_FACE,
    CaptionedExample,
    PageTranslator,
    PicturedDice,
    build_example,
    list_wanted_dice,
)
from knobel.phrase import phrase
from knobel.rules.articles import describe_pattern, describe_points
from knobel.rules.scoring import find_pattern
from knobel.rules.sheet_rules import SheetRules


def build_sheet_examples(rules: SheetRules, words: PageTranslator) -> tuple[CaptionedExample, ...]:
    return tuple(
        CaptionedExample(
            words.name_box(box.id),
            words.translate(phrase("rules.how", pattern=describe_pattern(box, rules), points=describe_points(box))),
            build_example(box, rules),
        )
        for box in rules.boxes
    )


def picture_sheet_move(rules: SheetRules, state: SheetState, move: Move) -> PicturedDice:
    """Picture the box of a move; a move without a box has no picture."""
    if not isinstance(move, Score | Announce):
        return PicturedDice()
    box = rules.boxes[rules.index[move.box]]
    is_scored = isinstance(move, Score) and not move.cross_out
    found = find_pattern(box.pattern, sort_dice(state.dice)) if is_scored else None
    if not found:
        return PicturedDice(list_wanted_dice(box, rules))
    return PicturedDice((*found, *(ANY_FACE,) * (rules.dice - len(found))), fits=True)
