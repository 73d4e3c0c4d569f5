"""The kinds of values a rules file may hold: reading one gives the value, or says what is wrong with it."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from knobel.errors import (
    KeyBlank,
    KeyNotAllowed,
    KeyOutOfRange,
    KeyWrongLength,
    KeyWrongType,
    NumberOutOfRange,
    WrongArgument,
)
from knobel.phrase import phrase

MAX_SHOWN = 40
MAX_LISTED = 160
MAX_CODE_POINTS_PER_CHARACTER = 6
MAX_COMBINING_MARKS = 3
"""The most combining marks on one letter; more would run into the lines above."""
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that show nothing, and would make a name look like none."""
SELECTORS = re.compile(
    "[\ufe00-\ufe0d\u180b-\u180f\U000e0100-\U000e01ef]"
    "|(?<![\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff])[\ufe0e\ufe0f]"
)
"""Variation selectors, which show nothing; after a symbol they choose between its plain and its coloured form."""
SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
FLAG_LETTERS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class KeyPath:
    """Where in which file a value stands."""

    file: str
    key: str = ""

    def child(self, key: str) -> "KeyPath":
        """Go one key deeper."""
        return KeyPath(self.file, f"{self.key}.{key}" if self.key else key)


class FieldType(Protocol[T_co]):
    """Reads one kind of value."""

    def read(self, value: object, path: KeyPath) -> T_co:
        """Give the value, or raise what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Int:
    """A whole number in a range."""

    least: int
    most: int

    def read(self, value: object, path: KeyPath) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise wrong_type_error("whole", value, path)
        if not self.least <= value <= self.most:
            raise KeyOutOfRange(file=path.file, key=path.key, least=self.least, most=self.most, value=abbreviate(value))
        return value


@dataclass(frozen=True, slots=True)
class Bool:
    """True or false."""

    def read(self, value: object, path: KeyPath) -> bool:
        if not isinstance(value, bool):
            raise wrong_type_error("truth", value, path)
        return value


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    allowed: tuple[str, ...]

    def read(self, value: object, path: KeyPath) -> str:
        if not isinstance(value, str):
            raise wrong_type_error("word", value, path)
        if value not in self.allowed:
            raise KeyNotAllowed(file=path.file, key=path.key, allowed=self.allowed, value=abbreviate(value))
        return value


@dataclass(frozen=True, slots=True)
class Name:
    """Words for people: normalised, without control or direction characters, not too long."""

    most: int

    def read(self, value: object, path: KeyPath) -> str:
        if not isinstance(value, str):
            raise wrong_type_error("word", value, path)
        if len(value) > MAX_CODE_POINTS_PER_CHARACTER * self.most:
            raise KeyWrongLength(file=path.file, key=path.key, least=1, most=self.most, value=len(value))
        name = clean_text(value)
        if not name:
            raise KeyBlank(file=path.file, key=path.key)
        if (length := count_graphemes(name)) > self.most:
            raise KeyWrongLength(file=path.file, key=path.key, least=1, most=self.most, value=length)
        return name


@dataclass(frozen=True, slots=True)
class IntList:
    """A list of whole numbers."""

    least: int
    most: int
    min_length: int
    max_length: int
    distinct: bool = False

    def read(self, value: object, path: KeyPath) -> tuple[int, ...]:
        """Give the numbers, largest first, so that equal rules read equal."""
        if not isinstance(value, list):
            raise wrong_type_error("list", value, path)
        count = len(value)
        if not self.min_length <= count <= self.max_length:
            raise KeyWrongLength(file=path.file, key=path.key, least=self.min_length, most=self.max_length, value=count)
        number = Int(self.least, self.most)
        numbers = sorted((number.read(item, path) for item in value), reverse=True)
        return tuple(dict.fromkeys(numbers)) if self.distinct else tuple(numbers)


@dataclass(frozen=True, slots=True)
class TableField:
    """A table of keys, whose reader knows them."""

    def read(self, value: object, path: KeyPath) -> dict[str, object]:
        if not isinstance(value, dict):
            raise wrong_type_error("table", value, path)
        return value


def clean_text(text: str) -> str:
    """Normalise words for people and drop what could disturb a screen: control, format and unassigned characters."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    shown = SELECTORS.sub("", text)
    visible = "".join(" " if character.isspace() else character for character in shown if is_visible(character))
    return " ".join("".join(split_graphemes(unicodedata.normalize("NFC", visible))).split())


def is_visible(character: str) -> bool:
    """Tell whether a character is one to be seen, or a space."""
    hidden = unicodedata.category(character).startswith("C") or character in INVISIBLE
    return character.isspace() or not hidden


def split_graphemes(text: str) -> list[str]:
    """Split a text into graphemes, each with a limited number of combining marks."""
    found: list[str] = []
    for character in text:
        before = found[-1] if found else " "
        if not is_grapheme_extension(before, character):
            found.append(character)
        elif len(before) <= MAX_COMBINING_MARKS and not before.isspace():
            found[-1] += character
    return found


def is_grapheme_extension(before: str, character: str) -> bool:
    """Tell whether a character only changes the one before it: a mark, a colour of skin, the other half of a flag."""
    if character in FLAG_LETTERS:
        return len(before) == 1 and before in FLAG_LETTERS
    return unicodedata.category(character).startswith("M") or character in SKIN_TONES


def count_graphemes(text: str) -> int:
    """Count the graphemes of a text: what a reader sees as characters."""
    return len(split_graphemes(text))


def truncate(text: str, most: int) -> str:
    """Truncate a text to this many graphemes."""
    return "".join(split_graphemes(text)[:most]).rstrip()


def abbreviate(value: object, most: int = MAX_SHOWN) -> str:
    """Shorten a wrong value for an error message."""
    text = str(value).lower() if isinstance(value, bool) else format_value(value)
    text = clean_text(text[: MAX_CODE_POINTS_PER_CHARACTER * most])
    return text if len(text) <= most else text[: most - 1] + "…"


def check_type(name: str, value: object, *kinds: type) -> None:
    """Refuse an argument of none of these types; true and false are no numbers."""
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        wanted = " | ".join(kind.__name__ for kind in kinds)
        raise WrongArgument(name=name, wanted=wanted, value=abbreviate(repr(value)))


def check_number(name: str, value: int, least: int, most: int) -> None:
    """Refuse an argument that is no whole number in its range."""
    check_type(name, value, int)
    if not least <= value <= most:
        raise NumberOutOfRange(name=name, least=least, most=most, value=abbreviate(value))


def abbreviate_all(names: Iterable[str]) -> tuple[str, ...]:
    """Show as many names as a line takes."""
    found: list[str] = []
    room = MAX_LISTED
    for name in map(abbreviate, names):
        room -= len(name) + 2
        if room < 0:
            return (*found, "…")
        found.append(name)
    return tuple(found)


def format_value(value: object) -> str:
    """Format any value; Python refuses to print huge numbers in decimal."""
    if isinstance(value, int) and value.bit_length() > 128:
        return hex(value)[: MAX_SHOWN + 2]
    if isinstance(value, (list, dict)):
        return "[…]" if isinstance(value, list) else "{…}"
    return str(value)


def wrong_type_error(wanted: str, value: object, path: KeyPath) -> KeyWrongType:
    """Say which kind of value was wanted."""
    return KeyWrongType(file=path.file, key=path.key, wanted=phrase(f"errors.kind.{wanted}"), value=abbreviate(value))
