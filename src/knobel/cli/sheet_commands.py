"""What players of a score-sheet game can type: score, cross out, announce, enter points, correct."""

from contextlib import suppress
from dataclasses import replace
from typing import cast

from knobel.cli.commands import CommandTable, TypedCommand
from knobel.cli.conversation import CORRECT_NAME, Conversation
from knobel.cli.parser import parse_int
from knobel.cli.position import find_box
from knobel.cli.verbs import LEAVING, ROLLING, enter_dice, enter_final_dice, say_preview, show_board
from knobel.errors import KnobelError
from knobel.game import Announce, EnterPoints, Score
from knobel.games.sheet import SheetGame
from knobel.lang import Translator
from knobel.record.marks import list_marked_boxes
from knobel.rules.sheet_rules import SheetRules

EXAMPLE_BOX = "full_house"


def score(conversation: Conversation, rest: str) -> None:
    """Score the dice in a box; a zero needs confirmation while other boxes would score."""
    box = read_box(conversation, rest)
    option = find_game(conversation).list_options(conversation.state)[box] if conversation.state.dice else None
    if option is None or not option.warn_zero or conversation.confirm(f"s {rest}", "zero"):
        conversation.act(Score(box))


def cross_out(conversation: Conversation, rest: str) -> None:
    """Cross out a box, after confirmation."""
    box = read_box(conversation, rest)
    conversation.table.decide(conversation.player, Score(box, cross_out=True))
    if conversation.confirm(f"x {rest}", "zero"):
        conversation.act(Score(box, cross_out=True))


def announce(conversation: Conversation, rest: str) -> None:
    conversation.act(Announce(read_box(conversation, rest)))


def enter_points(conversation: Conversation, rest: str) -> None:
    """Enter points of real dice, with their extra after a plus."""
    conversation.act(parse_entry(conversation, rest, "e"))


def enter_anyway(conversation: Conversation, rest: str) -> None:
    """Score the dice or some points although the rules forbid it."""
    if conversation.state.dice:
        conversation.act(Score(read_box(conversation, rest), anyway=True))
    else:
        conversation.act(parse_entry(conversation, rest, "~", anyway=True))


def correct(conversation: Conversation, rest: str) -> None:
    """Put other points in place of an entry of real dice, or swap two: one's own, or of the player named first."""
    first, _, others = rest.partition(" ")
    seat = conversation.roster.find_seat(first) if first.isdecimal() else conversation.player
    typed = (others if first.isdecimal() else rest).strip()
    if boxes := read_two_boxes(conversation, typed.split()):
        conversation.client.swap(seat, *boxes)
        return
    entry = parse_entry(conversation, typed.removeprefix("~").strip(), CORRECT_NAME, typed.startswith("~"))
    if entry.box in list_marked_boxes(conversation.table.replay, seat)[0]:
        entry = replace(entry, anyway=True)
    announced = find_game(conversation).rules_for(seat).order == "announced" and not entry.anyway
    conversation.client.correct(seat, entry.box, (*((Announce(entry.box),) if announced else ()), entry))


def parse_entry(conversation: Conversation, rest: str, command: str, anyway: bool = False) -> EnterPoints:
    """Read a box and its points; after a plus the extra, and a star for dice all alike."""
    name, _, figures = rest.rpartition(" ")
    plain = figures.removesuffix("*")
    points, _, extra = plain.partition("+")
    added = parse_int(extra, command) if extra else 0
    return EnterPoints(read_box(conversation, name), parse_int(points, command), added, plain != figures, anyway)


def read_two_boxes(conversation: Conversation, words: list[str]) -> tuple[str, str] | None:
    """Read two boxes typed one after the other, or give nothing."""
    for place in range(1, len(words)):
        with suppress(KnobelError):
            return read_box(conversation, " ".join(words[:place])), read_box(conversation, " ".join(words[place:]))
    return None


def read_box(conversation: Conversation, name: str) -> str:
    return find_box(conversation.words, find_game(conversation).rules, name)


def name_example_box(words: Translator) -> str:
    """Name a box of this edition for an example; most have a full house."""
    boxes = [box.id for box in cast("SheetRules", words.edition.rules()).boxes] if words.edition else []
    return words.name_box(EXAMPLE_BOX if EXAMPLE_BOX in boxes or not boxes else boxes[-1])


def find_game(conversation: Conversation) -> SheetGame:
    return cast("SheetGame", conversation.table.game)


SHEET_COMMANDS = CommandTable(
    (
        *ROLLING,
        TypedCommand(("s",), score, (("s BOX", "score"),)),
        TypedCommand(("x",), cross_out, (("x BOX", "cross_out"),)),
        TypedCommand(("a",), announce, (("a BOX", "announce"),)),
        TypedCommand(("d",), enter_dice, (("d 3 3 5 5 5", "land"),)),
        TypedCommand((), enter_final_dice, (("33555", "shown"),)),
        TypedCommand(("e", "w"), enter_points, (("e BOX 18", "enter"),)),
        TypedCommand(("~",), enter_anyway, (("~ BOX 18", "anyway"),)),
        TypedCommand((CORRECT_NAME,), correct, (("c BOX 18", "correct"), ("c BOX BOX", "swap"))),
        TypedCommand(("o",), say_preview, (("o", "options"),)),
        TypedCommand(("p",), show_board, (("p", "sheet"),)),
        *LEAVING,
    ),
    lambda words: {"box": name_example_box(words).lower()},
)
