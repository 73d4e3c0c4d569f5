"""The families of games on paper: an empty pad, a played game, worked examples beside the rules."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from knobel.errors import PrintedSingly
from knobel.game import Move
from knobel.paper.boxes import CaptionedExample, PageTranslator, PicturedDice, picture_sheet_move
from knobel.paper.chips import build_blank_table
from knobel.paper.filled_pad import build_filled_pad
from knobel.paper.filled_table import build_filled_table
from knobel.paper.pad import PadOptions, build_blank_pad
from knobel.paper.round_examples import build_round_examples
from knobel.paper.several_games import PlayedGame, build_joined_pad
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
    build_joined: Callable[[Sequence[PlayedGame], PageTranslator, str | None], Hashable] | None = None
    """Several games on one sheet; none where every game needs its own."""
    picture_move: Callable[[Any, Any, Move], PicturedDice] = lambda _rules, _state, _move: PicturedDice()
    """How dice picture a choice in a lesson for children; by default not at all."""


FAMILIES: dict[str, PaperFamily] = {
    SheetRules.family: PaperFamily(
        "pad", build_blank_pad, build_filled_pad, build_sheet_examples, build_joined_pad, picture_sheet_move
    ),
    RoundRules.family: PaperFamily("chips", build_blank_table, build_filled_table, build_round_examples),
}


def lay_out_pad(rules: Rules, words: PageTranslator, title: str, publisher: str, options: PadOptions) -> PrintJob:
    family = FAMILIES[rules.family]
    return PrintJob(family.template, family.build_blank(rules, words, title, publisher, options))


def lay_out_game(replay: Replay, words: PageTranslator, chain_head: str, date: str = "") -> PrintJob:
    family = FAMILIES[replay.game.rules.family]
    return PrintJob(family.template, family.build_filled(replay, words, chain_head, date))


def lay_out_games(games: Sequence[PlayedGame], words: PageTranslator, player: str | None = None) -> PrintJob:
    """Lay out several games on one sheet, or the columns of one player."""
    replay = games[0].replay
    family = FAMILIES[replay.game.rules.family]
    if family.build_joined is None:
        raise PrintedSingly(title=replay.header.edition.title)
    return PrintJob(family.template, family.build_joined(games, words, player))


def picture_move(rules: Rules, state: Any, move: Move) -> PicturedDice:
    """Picture the box of a move by its dice."""
    return FAMILIES[rules.family].picture_move(rules, state, move)
