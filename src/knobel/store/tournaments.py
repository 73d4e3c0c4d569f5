"""Tournaments as rows: what is written, and what is read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from knobel.store.people_reader import RowReader
from knobel.store.schema import Statement


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament as it was written last; `identity` is the device that may change it."""

    id: str
    version: int
    identity: str
    body: str
    touched_at: float
    house_rules: str | None = None


@dataclass(frozen=True, slots=True)
class PutTournament:
    """Write a tournament over the version that was read; version 0 creates it."""

    tournament_id: str
    version: int
    identity: str
    body: str
    at: float
    house_rules: str | None = None


@dataclass(frozen=True, slots=True)
class DropTournament:
    """Delete a tournament; the rooms of its rounds stay."""

    tournament_id: str
    version: int


TournamentWrite: TypeAlias = PutTournament | DropTournament


def plan_tournament_statements(write: TournamentWrite) -> Iterator[Statement]:
    match write:
        case PutTournament(tournament, 0, identity, body, at, house_rules):
            yield "insert_tournament", (tournament, identity, body, at, house_rules), True
        case PutTournament(tournament, version, _, body, at, _):
            yield "update_tournament", (body, at, tournament, version), True
        case DropTournament(tournament, version):
            yield "delete_tournament", (tournament, version), True


class TournamentStore(Protocol):
    """What is known of tournaments."""

    async def find_tournament(self, tournament_id: str) -> StoredTournament | None: ...

    async def list_tournaments(self, identity: str, limit: int) -> Sequence[StoredTournament]:
        """List the tournaments a device may change, the last used first."""


class TournamentReader(RowReader):
    """What can be read about tournaments."""

    async def find_tournament(self, tournament_id: str) -> StoredTournament | None:
        found = await self._read("find_tournament", tournament_id)
        return StoredTournament(*found[0]) if found else None

    async def list_tournaments(self, identity: str, limit: int) -> Sequence[StoredTournament]:
        """List the tournaments a device may change, the last used first."""
        return [StoredTournament(*row) for row in await self._read("list_tournaments", identity, limit)]
