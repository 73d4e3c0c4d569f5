"""What a client is told: the room, the block, the position, in its own language."""

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from knobel.host.desk import Desk
from knobel.host.speaking import edition_of
from knobel.lang import Words
from knobel.phrase import Phrase, phrase
from knobel.record.lane import Step
from knobel.room.chairs import Room
from knobel.rules.articles import about_pattern, about_points
from knobel.rules.ruleset import SheetRules
from knobel.table import Table
from knobel.view.lobby import room_view
from knobel.view.rounds import rounds_view
from knobel.view.sheet import sheet_view, turn_view, undoable
from knobel.view.told import told
from knobel.web.wire import Block, Board, BonusWords, BoxWords, Out, Position, RoomNews, RoundsPosition, Turn

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


def block(table: Table, rules: SheetRules, words: Words) -> Block:
    """Describe the printed block of the game."""
    header = table.header
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


def board(table: Table, rules: Any) -> Board:
    """Describe what a game of rounds is played with."""
    header = table.header
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
    parts = news.split(NOT_YOURS)
    marked = "".join(part + (YOURS if place in mine else NOT_YOURS) for place, part in enumerate(parts[:-1]))
    undo = undoable(table, mine)
    last = parts[-1] if undo is None else parts[-1].replace(NO_UNDO, f'"undo":{undo}', 1)
    return marked + last


def turn_news(command: str, room: Room, table: Table, lang: str, seat: int, box: str, dice: str) -> str:
    """Tell what the turn behind an entry was, and what it could be instead."""
    words = spoken(table, lang).words
    found = turn_view(table, seat, box, dice, lambda what: sentence(words.say(what)))
    return written(Turn(command, room.room, found))


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
        words, rules = Words(lang, edition_of(table.header)), table.game.rules
        drawn = block(table, rules, words) if isinstance(rules, SheetRules) else board(table, rules)
        known[lang] = Spoken(words, written(drawn))
    return known[lang]


def sentence(text: str) -> str:
    """Let a reason stand alone: with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
