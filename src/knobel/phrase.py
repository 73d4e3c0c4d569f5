"""Phrases: a message key and its values; `lang` turns them into sentences."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class BoxName:
    """Stands in a phrase for the name of a box."""

    box: str


@dataclass(frozen=True, slots=True)
class LanguageName:
    """Stands in a phrase for the name of a language."""

    lang: str


@dataclass(frozen=True, slots=True)
class FormattedNumber:
    """Stands in a phrase for a number with this many decimals, or for a share in percent; `about` marks it with ~."""

    value: float
    digits: int = 0
    signed: bool = False
    percent: bool = False
    about: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """A message key and its values; a value called `n` chooses between singular and plural."""

    key: str
    items: tuple[tuple[str, "Value"], ...] = ()

    @property
    def values(self) -> "dict[str, Value]":
        """The values by name."""
        return dict(self.items)


Value: TypeAlias = "int | str | BoxName | LanguageName | FormattedNumber | Phrase | tuple[Value, ...]"


def phrase(key: str, /, **values: Value) -> Phrase:
    return Phrase(key, tuple(values.items()))
