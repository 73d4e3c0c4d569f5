"""Messages to clients as they are sent: the room for one device, the game and its position for all of a language."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from knobel.errors import DatabaseError, KnobelError
from knobel.host.background import describe_trouble
from knobel.host.record_edition import rebuild_edition
from knobel.host.session import RoomSession, SolveProgress
from knobel.lang import Translator, format_sentence, list_printed_names
from knobel.phrase import Phrase
from knobel.record.events import Header
from knobel.record.track import Step
from knobel.rooms.room import find_room_edition
from knobel.table import Table
from knobel.view.address import OwnSentence, address, find_addressee
from knobel.view.families import find_family, find_family_name
from knobel.view.lobby import build_room_view
from knobel.view.narration import narrate
from knobel.view.turns import draw_turn
from knobel.web.families import FAMILIES
from knobel.web.wire import (
    GameMessage,
    PositionMessage,
    RoomMessage,
    ServerMessage,
    SolvingMessage,
    TurnMessage,
)

LOG = logging.getLogger("knobel")
LOG_SECONDS = 60.0
LOGGED: dict[str, float] = {}
"""When each kind of trouble was logged last: everybody who plays meets it again and again."""
MAX_SENTENCES = 1024
KEY_VALUES = ("key", "least", "most", "value")

ENCODER = msgspec.json.Encoder()


def encode_message(message: ServerMessage) -> bytes:
    return ENCODER.encode(message)


def describe_to_player(error: KnobelError, words: Translator) -> str:
    """Say what a player has to know: nothing of where the server keeps its data, which is said in its log."""
    if not isinstance(error, DatabaseError):
        return words.describe_error(error)
    now = time.monotonic()
    if now >= LOGGED.get(error.code, -LOG_SECONDS) + LOG_SECONDS:
        LOGGED[error.code] = now
        LOG.error("%s %s", error.code, error.values, extra={"knobel_fields": describe_trouble(error)})
    return words("errors.storage")


def describe_refusal(error: KnobelError, words: Translator) -> dict[str, object]:
    """Describe an error for a page; one about rules says which key is wrong, and its limits."""
    said: dict[str, object] = {"code": error.code, "text": describe_to_player(error, words)}
    if "key" in error.needs:
        said |= {name: error.values[name] for name in KEY_VALUES if name in error.needs}
    return said


@dataclass(frozen=True, slots=True)
class RoomWords:
    """What a room is described with in one language: the same for everybody there who reads it."""

    say: Callable[[Phrase], str]
    names: dict[str, str]


def find_room_words(session: RoomSession, lang: str) -> RoomWords:
    words = Translator(lang, find_room_edition(session.room))
    return RoomWords(make_sentences(words), list_printed_names(words))


def encode_room(session: RoomSession, device: str, words: RoomWords, present: frozenset[str]) -> bytes:
    view = build_room_view(session.room, device, present, words.say, words.names)
    return encode_message(RoomMessage(view))


def encode_game(table: Table, lang: str) -> bytes:
    """Describe what is printed about a game."""
    return localize_game(table, lang).description


def encode_position(table: Table, lang: str, steps: tuple[Step, ...] = (), seconds_left: float | None = None) -> bytes:
    """Draw where the game stands and what just happened, for everybody who reads this language."""
    return encode_shown_position(table, table, lang, steps, seconds_left)


def encode_shown_position(
    table: Table, shown: Table, lang: str, steps: tuple[Step, ...] = (), seconds_left: float | None = None
) -> bytes:
    """Draw a table as it is shown to somebody, and tell the steps that they may know of."""
    game = localize_game(table, lang)
    view = find_family(table).build_view(shown, game.say)
    said = [phrase for step in steps for phrase in narrate(table, step)]
    narration = tuple([game.words.translate(phrase) for phrase in said])
    own = tuple([build_own_sentence(table, phrase, game.words) for phrase in said])
    return encode_message(
        PositionMessage(game.family, view, tuple([step.event for step in steps]), narration, own, seconds_left)
    )


def build_own_sentence(table: Table, said: Phrase, words: Translator) -> OwnSentence | None:
    """Say a sentence as the player reads it whom it is about."""
    seat = find_addressee(table, said)
    return None if seat is None else OwnSentence(seat, words.translate(address(said)))


def encode_turn(command_id: str, table: Table, lang: str, seat: int, box: str, dice: str) -> bytes:
    """Show the turn behind an entry, and what could stand in its place."""
    view = draw_turn(table, seat, box, dice, localize_game(table, lang).say)
    return encode_message(TurnMessage(command_id, find_family_name(table), view))


def encode_solving(progress: SolveProgress, lang: str) -> bytes:
    """Say how far the solve is that a bot waits for, that it is done, or why it cannot be done."""
    words = Translator(lang)
    if progress.error is not None:
        return encode_message(SolvingMessage(None, refusal=words.describe_error(progress.error)))
    return encode_message(SolvingMessage(progress.fraction, describe_progress(progress, words)))


def describe_progress(progress: SolveProgress, words: Translator) -> str | None:
    """Say how far a solve is, or that it waits for another; nothing once it is done."""
    if progress.fraction is None:
        return None
    if progress.is_queued:
        return words("interface.solving.waiting")
    return words("interface.solving.working", percent=round(100 * progress.fraction))


@dataclass(frozen=True, slots=True)
class LocalizedGame:
    """What stays the same about a game in one language: its words, and what is printed about it."""

    family: str
    words: Translator
    description: bytes
    say: Callable[[Phrase], str]
    """Sentences are kept: the same few prompts and refusals are drawn at every move."""


LOCALIZED: WeakKeyDictionary[Table, dict[str, LocalizedGame]] = WeakKeyDictionary()


def localize_game(table: Table, lang: str) -> LocalizedGame:
    """Find what stays the same about a game in a language; needed at every move, so it is kept with the table."""
    if (known := LOCALIZED.get(table)) is None:
        known = LOCALIZED[table] = {}
    if lang not in known:
        header = table.header
        encoded = msgspec.json.encode((header.edition, header.text, header.rules))
        family = find_family_name(table)
        key = DescriptionKey(encoded, family, header, table.game.rules)
        words, say, described = describe_game(key, lang)
        own = {"game": header.game, "continues": header.quoted.game if header.quoted else None}
        description = encode_message(msgspec.structs.replace(described, **own))
        known[lang] = LocalizedGame(family, words, description, say)
    return known[lang]


def make_sentences(words: Translator) -> Callable[[Phrase], str]:
    return lambda what: format_sentence(words.translate(what))


@dataclass(frozen=True, slots=True)
class DescriptionKey:
    """What is printed about a game: the same for all games of equal edition, text and rules."""

    encoded: bytes
    family: str
    header: Header = field(compare=False)
    rules: Any = field(compare=False)


@lru_cache(maxsize=256)
def describe_game(key: DescriptionKey, lang: str) -> tuple[Translator, Callable[[Phrase], str], GameMessage]:
    words = Translator(lang, rebuild_edition(key.header))
    say = lru_cache(MAX_SENTENCES)(make_sentences(words))
    return words, say, FAMILIES[key.family].build_game(key.header, key.rules, words)
