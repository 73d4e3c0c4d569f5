"""The families of games on paper: an empty pad, a played game, worked examples beside the rules."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from knobel.paper.boxes import CaptionedExample, PageTranslator
from knobel.paper.chips import build_blank_table
from knobel.paper.filled_pad import build_filled_pad
from knobel.paper.filled_table import build_filled_table
from knobel.paper.pad import PadOptions, build_blank_pad
from knobel.paper.round_examples import build_round_examples
from knobel.paper.sheet_examples import build_sheet_examples
from knobel.record.replay import Replay
from knobel.rules.families import Rules
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import SheetRules


@dataclass(frozen=True, slots=True)
class PrintJob:
    """A page and the template it is printed with."""

    template: str
    page: Hashable


@dataclass(frozen=True)
class PaperFamily:
    """How the games of a family are printed."""

    template: str
    build_blank: Callable[[Any, PageTranslator, str, str, PadOptions], Hashable]
    build_filled: Callable[[Replay, PageTranslator, str, str], Hashable]
    build_examples: Callable[[Any, PageTranslator], tuple[CaptionedExample, ...]]
    last_chapter_below: bool = False
    """The examples are few: the last chapter of the rules fits below them."""


FAMILIES: dict[str, PaperFamily] = {
    SheetRules.family: PaperFamily("pad", build_blank_pad, build_filled_pad, build_sheet_examples),
    RoundRules.family: PaperFamily(
        "chips", build_blank_table, build_filled_table, build_round_examples, last_chapter_below=True
    ),
}


def lay_out_pad(rules: Rules, words: PageTranslator, title: str, publisher: str, options: PadOptions) -> PrintJob:
    family = FAMILIES[rules.family]
    return PrintJob(family.template, family.build_blank(rules, words, title, publisher, options))


def lay_out_game(replay: Replay, words: PageTranslator, chain_head: str, date: str = "") -> PrintJob:
    family = FAMILIES[replay.game.rules.family]
    return PrintJob(family.template, family.build_filled(replay, words, chain_head, date))
