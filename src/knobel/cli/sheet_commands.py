"""What players of a score-sheet game can type: score, cross out, announce, enter points, correct."""

from contextlib import suppress
from dataclasses import replace
from typing import cast

from knobel.cli.commands import CommandTable, TypedCommand
from knobel.cli.conversation import CORRECT_NAME, Conversation
from knobel.cli.parser import parse_int
from knobel.cli.typed_boxes import find_typed_box, match_boxes
from knobel.cli.verbs import (
    LEAVING,
    ROLLING,
    awaits_real_dice,
    awaits_whole_turn,
    enter_dice,
    has_entered_real_dice,
    is_at_dice,
    say_preview,
    show_board,
    type_dice,
)
from knobel.errors import KnobelError, PointsMissing
from knobel.game import Announce, EnterPoints, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.lang import Translator
from knobel.phrase import BoxName
from knobel.record.marks import list_marked_boxes
from knobel.rules.sheet_rules import SheetRules

EXAMPLE_BOX = "full_house"
FIGURE_ENDS = "0123456789*"
"""What points end with."""


def score(conversation: Conversation, rest: str) -> None:
    """Score the dice in a box; a zero needs confirmation while other boxes would score."""
    box = read_box(conversation, rest)
    option = find_game(conversation).list_options(conversation.state)[box] if conversation.state.dice else None
    if option is None or not option.warn_zero or conversation.confirm("zero"):
        conversation.act(Score(box))


def cross_out(conversation: Conversation, rest: str) -> None:
    """Cross out a box, after confirmation unless these dice could score nowhere."""
    box, state = read_box(conversation, rest), conversation.state
    conversation.table.decide(conversation.player, Score(box, cross_out=True))
    options = find_game(conversation).list_options(state) if state.dice else {}
    could_score = any(option.points and option.refusal is None for option in options.values())
    if not could_score or conversation.confirm("zero"):
        conversation.act(Score(box, cross_out=True))


def name_box_alone(conversation: Conversation, rest: str) -> None:
    """Do what a box alone means: announce it before the first roll, enter points after it, else score the dice."""
    if conversation.state.dice:
        score(conversation, rest)
    elif rest.rpartition(" ")[2][:1].isdecimal() and conversation.has_real_dice:
        enter_points(conversation, rest)
    else:
        announce(conversation, rest) if can_announce(conversation) else score(conversation, rest)


def is_box_alone(conversation: Conversation, line: str) -> bool:
    """Tell whether a line is the name of a box, or begins like one; after it points may follow."""
    name = line.rpartition(" ")[0] if line[-1] in FIGURE_ENDS else line
    rules = find_game(conversation).rules
    return len(name) > 1 and conversation.is_own_turn and bool(match_boxes(conversation.words, rules, name))


def announce(conversation: Conversation, rest: str) -> None:
    conversation.act(Announce(read_box(conversation, rest)))


def enter_points(conversation: Conversation, rest: str) -> None:
    """Enter points of real dice, with their extra after a plus."""
    conversation.act(parse_entry(conversation, rest))


def enter_anyway(conversation: Conversation, rest: str) -> None:
    """Score the dice or some points although the rules forbid it."""
    if conversation.state.dice:
        conversation.act(Score(read_box(conversation, rest), anyway=True))
    else:
        conversation.act(parse_entry(conversation, rest, anyway=True))


def correct(conversation: Conversation, rest: str) -> None:
    """Put other points in place of an entry of real dice, or swap two: one's own, or of the player named first."""
    first, _, others = rest.partition(" ")
    seat = conversation.roster.find_seat(first) if first.isdecimal() else conversation.player
    typed = (others if first.isdecimal() else rest).strip()
    if boxes := read_two_boxes(conversation, typed.split()):
        conversation.client.swap(seat, *boxes)
        return
    entry = parse_entry(conversation, typed.removeprefix("~").strip(), typed.startswith("~"))
    if entry.box in list_marked_boxes(conversation.table.replay, seat)[0]:
        entry = replace(entry, anyway=True)
    announced = find_game(conversation).rules_for(seat).order == "announced" and not entry.anyway
    conversation.client.correct(seat, entry.box, (*((Announce(entry.box),) if announced else ()), entry))


def parse_entry(conversation: Conversation, rest: str, anyway: bool = False) -> EnterPoints:
    """Read a box and its points; after a plus the extra, and a star for dice all alike."""
    name, _, figures = rest.rpartition(" ")
    if not name or not figures[:1].isdecimal():
        raise PointsMissing(box=BoxName(read_box(conversation, rest)))
    plain = figures.removesuffix("*")
    points, _, extra = plain.partition("+")
    box = read_box(conversation, name)
    label = conversation.words.name_box(box)
    added = parse_int(extra, label) if extra else 0
    return EnterPoints(box, parse_int(points, label), added, plain != figures, anyway)


def read_two_boxes(conversation: Conversation, words: list[str]) -> tuple[str, str] | None:
    """Read two boxes typed one after the other, or give nothing: a name of several words is one box."""
    if match_boxes(conversation.words, find_game(conversation).rules, " ".join(words)):
        return None
    for place in range(1, len(words)):
        with suppress(KnobelError):
            return read_box(conversation, " ".join(words[:place])), read_box(conversation, " ".join(words[place:]))
    return None


def read_box(conversation: Conversation, name: str) -> str:
    """Read the box that is meant; of several, the only one that is still open."""
    rules = find_game(conversation).rules
    return find_typed_box(conversation.words, rules, name, list_open_boxes(conversation))


def list_open_boxes(conversation: Conversation) -> tuple[str, ...]:
    """List the open boxes of the player whose turn it is."""
    boxes, state = find_game(conversation).rules.boxes, cast("SheetState", conversation.state)
    return tuple(boxes[place].id for place in state.column.open_boxes)


def name_open_boxes(conversation: Conversation) -> tuple[str, ...]:
    """Name what could be typed instead of a misspelt box."""
    return tuple(conversation.words.name_box(box).lower() for box in list_open_boxes(conversation))


def can_announce(conversation: Conversation) -> bool:
    """Tell whether a box is to be announced now."""
    boxes = list_open_boxes(conversation)
    if not conversation.is_own_turn or not boxes:
        return False
    return any(conversation.game.refusal(conversation.state, Announce(box)) is None for box in boxes)


def can_cross_out(conversation: Conversation) -> bool:
    """Tell whether some box may be crossed out."""
    state, game = conversation.state, conversation.game
    boxes = list_open_boxes(conversation)
    return is_at_dice(conversation) and any(game.refusal(state, Score(box, cross_out=True)) is None for box in boxes)


def can_enter_points(conversation: Conversation) -> bool:
    """Tell whether points of real dice can be entered without the dice."""
    state = conversation.state
    return awaits_whole_turn(conversation) and not state.rolloff


def can_break_rules(conversation: Conversation) -> bool:
    """Tell whether something could be scored against the rules: with real dice only."""
    return conversation.is_own_turn and conversation.has_real_dice and not conversation.state.rolloff


def name_example_box(words: Translator) -> str:
    """Name a box of this edition for an example; most have a full house."""
    boxes = [box.id for box in cast("SheetRules", words.edition.rules()).boxes] if words.edition else []
    return words.name_box(EXAMPLE_BOX if EXAMPLE_BOX in boxes or not boxes else boxes[-1])


def find_game(conversation: Conversation) -> SheetGame:
    return cast("SheetGame", conversation.game)


SHEET_COMMANDS = CommandTable(
    (
        *ROLLING,
        TypedCommand(("s",), score, (("s BOX", "score"),), "score", is_at_dice),
        TypedCommand(("x",), cross_out, (("x BOX", "cross_out"),), "cross_out", can_cross_out),
        TypedCommand(("a",), announce, (("a BOX", "announce"),), "announce", can_announce),
        TypedCommand(("d",), enter_dice, (("d 3 3 5 5 5", "land"),), "dice", awaits_real_dice),
        TypedCommand((), type_dice, (("33555", "shown"),), helps=awaits_whole_turn),
        TypedCommand(("e", "w"), enter_points, (("e BOX 18", "enter"),), "enter", can_enter_points),
        TypedCommand(("~",), enter_anyway, (("~ BOX 18", "anyway"),), helps=can_break_rules),
        TypedCommand(
            (CORRECT_NAME,),
            correct,
            (("c BOX 18", "correct"), ("c BOX BOX", "swap")),
            "correct",
            has_entered_real_dice,
            changes_past=True,
        ),
        TypedCommand(("o",), say_preview, (("o", "options"),), "options", is_at_dice),
        TypedCommand(("p",), show_board, (("p", "sheet"),), "sheet"),
        *LEAVING,
        TypedCommand((), name_box_alone, fits=is_box_alone),
    ),
    lambda words: {"box": name_example_box(words).lower()},
    name_open_boxes,
)
