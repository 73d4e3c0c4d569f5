"""Messages to clients as they are sent: the room for one device, the game and its position for all of a language."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from knobel.host.record_edition import rebuild_edition
from knobel.host.session import RoomSession, SolveProgress
from knobel.lang import Translator
from knobel.phrase import Phrase
from knobel.record.events import Header
from knobel.record.track import Step
from knobel.table import Table
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

MAX_SENTENCES = 64


def encode_message(message: ServerMessage) -> str:
    return msgspec.json.encode(message).decode()


def encode_room(session: RoomSession, device: str, lang: str, present: frozenset[str]) -> str:
    words = Translator(lang)
    view = build_room_view(session.room, device, present, lambda said: format_sentence(words.translate(said)))
    return encode_message(RoomMessage(view))


def encode_game(table: Table, lang: str) -> str:
    """Describe what is printed about a game."""
    return localize_game(table, lang).description


def encode_position(table: Table, lang: str, steps: tuple[Step, ...] = ()) -> str:
    """Draw where the game stands and what just happened, for everybody who reads this language."""
    game = localize_game(table, lang)
    view = find_family(table).build_view(table, game.say)
    narration = tuple([game.words.translate(said) for step in steps for said in narrate(table, step)])
    return encode_message(
        PositionMessage(find_family_name(table), view, tuple([step.event for step in steps]), narration)
    )


def encode_turn(command_id: str, table: Table, lang: str, seat: int, box: str, dice: str) -> str:
    """Show the turn behind an entry, and what could stand in its place."""
    view = draw_turn(table, seat, box, dice, localize_game(table, lang).say)
    return encode_message(TurnMessage(command_id, find_family_name(table), view))


def encode_solving(progress: SolveProgress, lang: str) -> str:
    """Say how far the solve is that a bot waits for, that it is done, or why it cannot be done."""
    words = Translator(lang)
    if progress.error is not None:
        return encode_message(SolvingMessage(None, refusal=words.describe_error(progress.error)))
    if progress.fraction is None:
        return encode_message(SolvingMessage(None))
    if progress.is_queued:
        return encode_message(SolvingMessage(progress.fraction, words("interface.solving.waiting")))
    percent = round(100 * progress.fraction)
    return encode_message(SolvingMessage(progress.fraction, words("interface.solving.working", percent=percent)))


@dataclass(frozen=True, slots=True)
class LocalizedGame:
    """What stays the same about a game in one language: its words, and what is printed about it."""

    words: Translator
    description: str
    say: Callable[[Phrase], str]
    """Sentences are kept: the same few prompts and refusals are drawn at every move."""


LOCALIZED: WeakKeyDictionary[Table, dict[str, LocalizedGame]] = WeakKeyDictionary()


def localize_game(table: Table, lang: str) -> LocalizedGame:
    """Find what stays the same about a game in a language; needed at every move, so it is kept with the table."""
    known = LOCALIZED.setdefault(table, {})
    if lang not in known:
        header = table.header
        encoded = msgspec.json.encode((header.edition, header.text, header.rules))
        key = DescriptionKey(encoded, find_family_name(table), header, table.game.rules)
        words, described = describe_game(key, lang)
        description = encode_message(msgspec.structs.replace(described, game=header.game))
        known[lang] = LocalizedGame(words, description, lru_cache(MAX_SENTENCES)(make_sentences(words)))
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
def describe_game(key: DescriptionKey, lang: str) -> tuple[Translator, GameMessage]:
    words = Translator(lang, rebuild_edition(key.header))
    return words, FAMILIES[key.family].build_game(key.header, key.rules, words)


def format_sentence(text: str) -> str:
    """Let a reason stand alone: with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
