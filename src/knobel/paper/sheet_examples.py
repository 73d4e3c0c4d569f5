"""Worked examples beside the rules of a score sheet: one for each box."""

from knobel.paper.boxes import CaptionedExample, PageTranslator, build_example
from knobel.phrase import phrase
from knobel.rules.articles import describe_pattern, describe_points
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
