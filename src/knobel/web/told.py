"""What a client is told: the room, the block, the position, in its own language."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from knobel.host.desk import Desk
from knobel.host.speaking import edition_of
from knobel.lang import Words
from knobel.phrase import Phrase, phrase
from knobel.record.events import Header
from knobel.record.lane import Step
from knobel.room.chairs import Room
from knobel.rules.articles import about_pattern, about_points
from knobel.rules.ruleset import SheetRules
from knobel.table import Table
from knobel.view.lobby import room_view
from knobel.view.rounds import rounds_view
from knobel.view.sheet import sheet_view, undoable
from knobel.view.told import told
from knobel.view.turns import TurnView, turn_view
from knobel.web.wire import Block, Board, BonusWords, BoxWords, Out, Position, RoomNews, RoundsPosition, RoundTurn, Turn

NOBODY = ""
YOURS, NOT_YOURS, NO_UNDO = '"yours":true', '"yours":false', '"undo":null'


def written(message: Out) -> str:
    """Write a message as it goes out."""
    return msgspec.json.encode(message).decode()


def room_news(desk: Desk, owner: str, lang: str, present: frozenset[str]) -> str:
    """Tell a client about the room."""
    return written(RoomNews(room_view(desk.room, owner, present, lambda said: sentence(Words(lang).say(said)))))


def block_news(table: Table, lang: str) -> str:
    """Give a client what the game is played on: the printed block, or chips and dice."""
    return spoken(table, lang).block


def block(header: Header, rules: SheetRules, words: Words) -> Block:
    """Describe the printed block of the game."""
    return Block(
        game=header.game,
        title=header.edition.title,
        publisher=header.edition.publisher,
        text=header.text,
        dice=rules.dice,
        faces=rules.faces,
        throws=rules.throws,
        boxes=tuple(
            BoxWords(
                box.id,
                words.box(box.id),
                words.say(phrase("rules.how", pattern=about_pattern(box, rules), points=about_points(box))),
                box.upper,
                box.face,
            )
            for box in rules.boxes
        ),
        bonus=BonusWords(rules.bonus.goal, rules.bonus.points) if rules.bonus else None,
        prime=bool(rules.yatzy and (rules.yatzy.prime or rules.yatzy.second)),
        locked_dice=rules.locked_dice,
        announced=rules.order == "announced",
    )


def board(header: Header, rules: Any) -> Board:
    """Describe what a game of rounds is played with."""
    return Board(
        game=header.game,
        title=header.edition.title,
        publisher=header.edition.publisher,
        text=header.text,
        dice=rules.dice,
        faces=rules.faces,
        throws=rules.throws,
        chips=rules.chips,
    )


def owned_news(news: str, table: Table, room: Room, owner: str) -> str:
    """Mark in what all are told of a position the seats of a device, and what it can take back.

    All see the same but for that, so a position is drawn once; within JSON no name can hold the marks.
    """
    mine = room.seats_of(owner)
    if not mine:
        return news
    *parts, last = news.split(NOT_YOURS)
    marked = [part + (YOURS if place in mine else NOT_YOURS) for place, part in enumerate(parts)]
    undo = undoable(table, mine)
    return "".join((*marked, last if undo is None else last.replace(NO_UNDO, f'"undo":{undo}', 1)))


def turn_news(command: str, room: Room, table: Table, lang: str, seat: int, box: str, dice: str) -> str:
    """Tell what the turn behind an entry was, and what it could be instead."""
    words = spoken(table, lang).words
    found = turn_view(table, seat, box, dice, lambda what: sentence(words.say(what)))
    news = Turn(command, room.room, found) if isinstance(found, TurnView) else RoundTurn(command, room.room, found)
    return written(news)


def position_news(room: Room, table: Table, lang: str, steps: tuple[Step, ...]) -> str:
    """Tell where the game stands and what just happened, as a device without a seat sees it."""
    words = spoken(table, lang).words
    sentences = tuple(words.say(said) for step in steps for said in told(table, step))
    events = tuple(step.event for step in steps)

    def say(what: Phrase) -> str:
        return sentence(words.say(what))

    if isinstance(table.game.rules, SheetRules):
        return written(Position(room.room, sheet_view(table, room, NOBODY, say), events, sentences))
    return written(RoundsPosition(room.room, rounds_view(table, room, NOBODY, say), events, sentences))


@dataclass(frozen=True, slots=True)
class Spoken:
    """What is said about a game in one language, whatever happens in it: its words, and its block."""

    words: Words
    block: str


SPOKEN: WeakKeyDictionary[Table, dict[str, Spoken]] = WeakKeyDictionary()


def spoken(table: Table, lang: str) -> Spoken:
    """Find what is said about a game in a language; it is asked for at every move."""
    known = SPOKEN.setdefault(table, {})
    if lang not in known:
        header, rules = table.header, table.game.rules
        about = msgspec.json.encode((header.edition, header.text, header.rules))
        words, drawn = printed(Print(about, header, rules), lang)
        known[lang] = Spoken(words, written(msgspec.structs.replace(drawn, game=header.game)))
    return known[lang]


@dataclass(frozen=True, slots=True)
class Print:
    """What is printed about a game, known by its box, its text and its rules, whoever plays it."""

    text: bytes
    header: Header = field(compare=False)
    rules: Any = field(compare=False)


@lru_cache(maxsize=256)
def printed(what: Print, lang: str) -> tuple[Words, Block | Board]:
    """Say it in a language, once for all games that are played on such a block."""
    words = Words(lang, edition_of(what.header))
    if isinstance(what.rules, SheetRules):
        return words, block(what.header, what.rules, words)
    return words, board(what.header, what.rules)


def sentence(text: str) -> str:
    """Let a reason stand alone: with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
