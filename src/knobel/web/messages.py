"""What a client is told: the room, the block, the position, in its own language."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from knobel.host.record_edition import rebuild_edition
from knobel.host.session import RoomSession
from knobel.lang import Translator
from knobel.phrase import Phrase, phrase
from knobel.record.events import Header
from knobel.record.track import Step
from knobel.rooms.room import Room
from knobel.rules.articles import describe_pattern, describe_points
from knobel.rules.sheet_rules import SheetRules
from knobel.table import Table
from knobel.view.lobby import build_room_view
from knobel.view.narration import narrate
from knobel.view.rounds import build_rounds_view
from knobel.view.sheet import build_sheet_view, find_undo_seat
from knobel.view.turns import TurnView, build_turn_view
from knobel.web.wire import (
    BoardMessage,
    BonusInfo,
    BoxInfo,
    PositionMessage,
    RoomMessage,
    RoundsPositionMessage,
    RoundTurnMessage,
    ServerMessage,
    SheetMessage,
    TurnMessage,
)

NO_DEVICE = ""
YOURS, NOT_YOURS, NO_UNDO = '"yours":true', '"yours":false', '"undo":null'


def encode_message(message: ServerMessage) -> str:
    """Write a message as it goes out."""
    return msgspec.json.encode(message).decode()


def encode_room(session: RoomSession, device: str, lang: str, present: frozenset[str]) -> str:
    """Tell a client about the room."""
    return encode_message(
        RoomMessage(
            build_room_view(
                session.room, device, present, lambda said: format_sentence(Translator(lang).translate(said))
            )
        )
    )


def encode_setup(table: Table, lang: str) -> str:
    """Give a client what the game is played on: the printed block, or chips and dice."""
    return localize_game(table, lang).setup


def build_sheet_message(header: Header, rules: SheetRules, words: Translator) -> SheetMessage:
    """Describe the printed block of the game."""
    return SheetMessage(
        game=header.game,
        title=header.edition.title,
        publisher=header.edition.publisher,
        text=header.text,
        dice=rules.dice,
        faces=rules.faces,
        rolls=rules.rolls,
        boxes=tuple(
            BoxInfo(
                box.id,
                words.name_box(box.id),
                words.translate(phrase("rules.how", pattern=describe_pattern(box, rules), points=describe_points(box))),
                box.upper,
                box.face,
            )
            for box in rules.boxes
        ),
        bonus=BonusInfo(rules.bonus.goal, rules.bonus.points) if rules.bonus else None,
        prime=bool(rules.yatzy and (rules.yatzy.prime or rules.yatzy.second)),
        locked_dice=rules.locked_dice,
        announced=rules.order == "announced",
    )


def build_board_message(header: Header, rules: Any) -> BoardMessage:
    """Describe what a game of rounds is played with."""
    return BoardMessage(
        game=header.game,
        title=header.edition.title,
        publisher=header.edition.publisher,
        text=header.text,
        dice=rules.dice,
        faces=rules.faces,
        rolls=rules.rolls,
        chips=rules.chips,
    )


def mark_own_seats(message: str, table: Table, room: Room, device: str) -> str:
    """Mark in what all are told of a position the seats of a device, and what it can take back.

    All see the same but for that, so a position is drawn once; within JSON no name can hold the marks.
    """
    mine = room.seats_of(device)
    if not mine:
        return message
    *parts, last = message.split(NOT_YOURS)
    marked = [part + (YOURS if place in mine else NOT_YOURS) for place, part in enumerate(parts)]
    undo = find_undo_seat(table, mine)
    return "".join((*marked, last if undo is None else last.replace(NO_UNDO, f'"undo":{undo}', 1)))


def encode_turn(command_id: str, room: Room, table: Table, lang: str, seat: int, box: str, dice: str) -> str:
    """Tell what the turn behind an entry was, and what it could be instead."""
    words = localize_game(table, lang).words
    found = build_turn_view(table, seat, box, dice, lambda what: format_sentence(words.translate(what)))
    news = (
        TurnMessage(command_id, room.id, found)
        if isinstance(found, TurnView)
        else RoundTurnMessage(command_id, room.id, found)
    )
    return encode_message(news)


def encode_position(room: Room, table: Table, lang: str, steps: tuple[Step, ...]) -> str:
    """Tell where the game stands and what just happened, as a device without a seat sees it."""
    words = localize_game(table, lang).words
    sentences = tuple(words.translate(said) for step in steps for said in narrate(table, step))
    events = tuple(step.event for step in steps)

    def say(what: Phrase) -> str:
        return format_sentence(words.translate(what))

    if isinstance(table.game.rules, SheetRules):
        return encode_message(
            PositionMessage(room.id, build_sheet_view(table, room, NO_DEVICE, say), events, sentences)
        )
    return encode_message(
        RoundsPositionMessage(room.id, build_rounds_view(table, room, NO_DEVICE, say), events, sentences)
    )


@dataclass(frozen=True, slots=True)
class LocalizedGame:
    """What is said about a game in one language, whatever happens in it: its words, and its block."""

    words: Translator
    setup: str


LOCALIZED: WeakKeyDictionary[Table, dict[str, LocalizedGame]] = WeakKeyDictionary()


def localize_game(table: Table, lang: str) -> LocalizedGame:
    """Find what is said about a game in a language; it is asked for at every move."""
    known = LOCALIZED.setdefault(table, {})
    if lang not in known:
        header, rules = table.header, table.game.rules
        about = msgspec.json.encode((header.edition, header.text, header.rules))
        words, drawn = localize_setup(SetupKey(about, header, rules), lang)
        known[lang] = LocalizedGame(words, encode_message(msgspec.structs.replace(drawn, game=header.game)))
    return known[lang]


@dataclass(frozen=True, slots=True)
class SetupKey:
    """What is printed about a game, known by its box, its text and its rules, whoever plays it."""

    encoded: bytes
    header: Header = field(compare=False)
    rules: Any = field(compare=False)


@lru_cache(maxsize=256)
def localize_setup(key: SetupKey, lang: str) -> tuple[Translator, SheetMessage | BoardMessage]:
    """Say it in a language, once for all games that are played on such a block."""
    words = Translator(lang, rebuild_edition(key.header))
    if isinstance(key.rules, SheetRules):
        return words, build_sheet_message(key.header, key.rules, words)
    return words, build_board_message(key.header, key.rules)


def format_sentence(text: str) -> str:
    """Let a reason stand alone: with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
