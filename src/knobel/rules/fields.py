"""The kinds of values a rules file may hold: reading one gives the value, or says what is wrong with it."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from knobel.errors import KeyChoice, KeyKind, KeyLength, KeyRange, KeyText
from knobel.phrase import phrase

SHOWN = 40
LISTED = 160
MARKS = 6
STACKED = 3
"""So many marks on one letter are writing; more of them are a tower over the lines above."""
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that show nothing, and would make a name look like none."""
SKINS = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
FLAG_LETTERS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Place:
    """Where in which file a value stands."""

    file: str
    key: str = ""

    def at(self, key: str) -> "Place":
        """Go one key deeper."""
        return Place(self.file, f"{self.key}.{key}" if self.key else key)


class Kind(Protocol[T_co]):
    """Reads one kind of value."""

    def read(self, value: object, place: Place) -> T_co:
        """Give the value, or raise what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number in a range."""

    least: int
    most: int

    def read(self, value: object, place: Place) -> int:
        """Give the number."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise wrong_kind("whole", value, place)
        if not self.least <= value <= self.most:
            raise KeyRange(file=place.file, key=place.key, least=self.least, most=self.most, value=shown(value))
        return value


@dataclass(frozen=True, slots=True)
class Truth:
    """True or false."""

    def read(self, value: object, place: Place) -> bool:
        """Give the truth value."""
        if not isinstance(value, bool):
            raise wrong_kind("truth", value, place)
        return value


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    allowed: tuple[str, ...]

    def read(self, value: object, place: Place) -> str:
        """Give the word."""
        if not isinstance(value, str):
            raise wrong_kind("word", value, place)
        if value not in self.allowed:
            raise KeyChoice(file=place.file, key=place.key, allowed=self.allowed, value=shown(value))
        return value


@dataclass(frozen=True, slots=True)
class Name:
    """Words for people: normalised, without control or direction characters, not too long."""

    most: int

    def read(self, value: object, place: Place) -> str:
        """Give the cleaned name."""
        if not isinstance(value, str):
            raise wrong_kind("word", value, place)
        if len(value) > MARKS * self.most:
            raise KeyLength(file=place.file, key=place.key, least=1, most=self.most, value=len(value))
        name = clean(value)
        if not name:
            raise KeyText(file=place.file, key=place.key)
        if (length := graphemes(name)) > self.most:
            raise KeyLength(file=place.file, key=place.key, least=1, most=self.most, value=length)
        return name


@dataclass(frozen=True, slots=True)
class Wholes:
    """A list of whole numbers."""

    least: int
    most: int
    shortest: int
    longest: int
    distinct: bool = False

    def read(self, value: object, place: Place) -> tuple[int, ...]:
        """Give the numbers, largest first, so that equal rules read equal."""
        if not isinstance(value, list):
            raise wrong_kind("list", value, place)
        count = len(value)
        if not self.shortest <= count <= self.longest:
            raise KeyLength(file=place.file, key=place.key, least=self.shortest, most=self.longest, value=count)
        number = Whole(self.least, self.most)
        numbers = sorted((number.read(item, place) for item in value), reverse=True)
        return tuple(dict.fromkeys(numbers)) if self.distinct else tuple(numbers)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of keys, read by whoever knows them."""

    def read(self, value: object, place: Place) -> dict[str, object]:
        """Give the table."""
        if not isinstance(value, dict):
            raise wrong_kind("table", value, place)
        return value


def clean(text: str) -> str:
    """Normalise words for people and drop what could disturb a screen: control, format and unassigned characters."""
    visible = "".join(" " if character.isspace() else character for character in text if shows(character))
    return " ".join("".join(letters(unicodedata.normalize("NFC", visible))).split())


def shows(character: str) -> bool:
    """Tell whether a character is one to be seen, or a space."""
    hidden = unicodedata.category(character).startswith("C") or character in BLANK
    return character.isspace() or not hidden


def letters(text: str) -> list[str]:
    """Take a text apart into what a reader sees as its characters, each with only so many marks on it."""
    found: list[str] = []
    for character in text:
        before = found[-1] if found else " "
        if not leans(before, character):
            found.append(character)
        elif len(before) <= STACKED and not before.isspace():
            found[-1] += character
    return found


def leans(before: str, character: str) -> bool:
    """Tell whether a character only changes the one before it: a mark, a colour of skin, the other half of a flag."""
    if character in FLAG_LETTERS:
        return len(before) == 1 and before in FLAG_LETTERS
    return unicodedata.category(character).startswith("M") or character in SKINS


def graphemes(text: str) -> int:
    """Count what a reader sees as characters."""
    return len(letters(text))


def cut(text: str, most: int) -> str:
    """Keep as much of a text as a reader sees as so many characters."""
    return "".join(letters(text)[:most]).rstrip()


def shown(value: object, most: int = SHOWN) -> str:
    """Show a wrong value in an error, never longer than a glance."""
    text = str(value).lower() if isinstance(value, bool) else printable(value)
    text = clean(text[: MARKS * most])
    return text if len(text) <= most else text[: most - 1] + "…"


def few(names: Iterable[str]) -> tuple[str, ...]:
    """Show as many names as a line takes."""
    found: list[str] = []
    room = LISTED
    for name in map(shown, names):
        room -= len(name) + 2
        if room < 0:
            return (*found, "…")
        found.append(name)
    return tuple(found)


def printable(value: object) -> str:
    """Write a value, however large: a huge number has no decimal form Python would print."""
    if isinstance(value, int) and value.bit_length() > 128:
        return hex(value)[: SHOWN + 2]
    if isinstance(value, (list, dict)):
        return "[…]" if isinstance(value, list) else "{…}"
    return str(value)


def wrong_kind(wanted: str, value: object, place: Place) -> KeyKind:
    """Say which kind of value was wanted."""
    return KeyKind(file=place.file, key=place.key, wanted=phrase(f"errors.kind.{wanted}"), value=shown(value))
