"""Mistakes and answers as rows: what is written, and what is read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from knobel.store.people_reader import RowReader


@dataclass(frozen=True, slots=True)
class StoredMistake:
    """A decision that cost something, by its event in the log of a game, and when to ask about it again."""

    person: str
    game: str
    event: int
    seat: int
    edition: str
    theme: str
    lost: int
    card: str
    due: float


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """A first answer: to the position of a day, to a puzzle, or the result of the game of a day."""

    owner: str
    kind: str
    fingerprint: str
    name: str
    edition: str
    theme: str
    lost: int
    body: str
    at: float


@dataclass(frozen=True, slots=True)
class PutMistakes:
    """Write what a search of a seat found, and that it was searched."""

    game_id: str
    seat: int
    rows: tuple[StoredMistake, ...]


@dataclass(frozen=True, slots=True)
class PutCard:
    """Write when to ask again, over the schedule that was read; another one there is a conflict."""

    mistake: StoredMistake
    card: str
    due: float


@dataclass(frozen=True, slots=True)
class PutAnswer:
    """Keep an answer; one that is there already stays, because the first try counts."""

    answer: StoredAnswer


LearningWrite: TypeAlias = PutMistakes | PutCard | PutAnswer


class LearningStore(Protocol):
    """What is known of practice."""

    async def list_mistakes(self, person: str) -> Sequence[StoredMistake]:
        """List the mistakes of a person, those first that are due first."""

    async def find_mistake(self, person: str, game: str, event: int) -> StoredMistake | None: ...

    async def list_unsearched(self, person: str, limit: int) -> Sequence[tuple[str, int, str]]:
        """List seats whose mistakes nobody has looked for, with their people, the last game first; of all, if empty."""

    async def list_answers(self, owner: str) -> Sequence[StoredAnswer]:
        """List the answers of somebody, the oldest first."""

    async def list_searched(self, person: str, most: int) -> Sequence[tuple[str, str]]:
        """List the last games of a person that were searched for mistakes, each with its edition, the latest first."""


class LearningReader(RowReader):
    """What can be read about practice."""

    async def list_mistakes(self, person: str) -> Sequence[StoredMistake]:
        """List the mistakes of a person, those first that are due first."""
        return [StoredMistake(*row) for row in await self._read("list_mistakes", person)]

    async def find_mistake(self, person: str, game: str, event: int) -> StoredMistake | None:
        found = await self._read("find_mistake", person, game, event)
        return StoredMistake(*found[0]) if found else None

    async def list_unsearched(self, person: str, limit: int) -> Sequence[tuple[str, int, str]]:
        """List seats whose mistakes nobody has looked for, with their people, the last game first; of all, if empty."""
        found = await self._read("list_unsearched", person, person, limit)
        return [(str(game), int(seat), str(owner)) for game, seat, owner in found]

    async def list_answers(self, owner: str) -> Sequence[StoredAnswer]:
        """List the answers of somebody, the oldest first."""
        return [StoredAnswer(*row) for row in await self._read("list_answers", owner)]

    async def list_searched(self, person: str, most: int) -> Sequence[tuple[str, str]]:
        """List the last games of a person that were searched for mistakes, each with its edition, the latest first."""
        return [(str(edition), str(game)) for edition, game in await self._read("list_searched", person, most)]
