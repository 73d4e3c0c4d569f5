"""What each family prints about a game."""

from typing import Any

from msgspec import Struct

from knobel.lang import Translator
from knobel.phrase import phrase
from knobel.record.events import Header
from knobel.rules.articles import describe_pattern, describe_points
from knobel.rules.round_rules import RoundRules
from knobel.rules.scoring import Box
from knobel.rules.sheet_rules import SheetRules
from knobel.web.wire import GameMessage


class BoxInfo(Struct, frozen=True):
    """A box in words: its name, and how it scores."""

    box: str
    name: str
    how: str
    upper: bool
    face: int | None


class BonusInfo(Struct, frozen=True):
    """The bonus line: its name, the upper total it needs, and its points."""

    name: str
    goal: int
    points: int


class SheetGameMessage(GameMessage, frozen=True, tag="game"):
    """The printed score sheet."""

    boxes: tuple[BoxInfo, ...]
    bonus: BonusInfo | None
    prime: bool
    locked_dice: bool
    announced: bool
    upper_total: str | None
    """The name of the total of the upper boxes, where there is a bonus for it."""
    lower_total: str | None
    """The name of the total of the lower boxes, where the edition prints one."""


class RoundsGameMessage(GameMessage, frozen=True, tag="game"):
    """What a game of rounds is played with."""

    chips: int


def describe_game(header: Header, rules: SheetRules | RoundRules) -> dict[str, Any]:
    """Say what every family says about a game."""
    return {
        "family": rules.family,
        "game": header.game,
        "title": header.edition.title,
        "publisher": header.edition.printed_by,
        "text": header.text,
        "dice": rules.dice,
        "faces": rules.faces,
        "rolls": rules.rolls,
        "continues": None,
    }


def build_sheet_message(header: Header, rules: SheetRules, words: Translator) -> SheetGameMessage:
    bonus = rules.reachable_bonus
    return SheetGameMessage(
        **describe_game(header, rules),
        boxes=tuple(describe_box(box, rules, words) for box in rules.boxes),
        bonus=BonusInfo(words.name_printed("bonus"), bonus.goal, bonus.points) if bonus else None,
        prime=bool(rules.yatzy and (rules.yatzy.prime or rules.yatzy.second)),
        locked_dice=rules.locked_dice,
        announced=rules.order == "announced",
        upper_total=words.find_term("rules.term.upper_total") if bonus else None,
        lower_total=words.find_term("rules.term.lower_total") if words.edition and words.edition.lower_total else None,
    )


def describe_box(box: Box, rules: SheetRules, words: Translator) -> BoxInfo:
    how = phrase("rules.how", pattern=describe_pattern(box, rules), points=describe_points(box))
    return BoxInfo(box.id, words.name_box(box.id), words.translate(how), box.upper, box.face)


def build_rounds_message(header: Header, rules: RoundRules, _: Translator) -> RoundsGameMessage:
    return RoundsGameMessage(**describe_game(header, rules), chips=rules.chips)
