"""The questions about people and results that both databases answer."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from knobel.store.people import BestResult, GameFilter, NamedResult, ResultRow, StoredPerson, StoredSummary

RESULT_COLUMNS = len(ResultRow.__slots__)


class RowReader(ABC):
    """A database says how a named statement is run, and how it writes lists."""

    @abstractmethod
    async def _read(self, name: str, *values: object) -> list[Any]:
        """Fetch the rows of a named statement."""

    @staticmethod
    @abstractmethod
    def _encode_list(items: Sequence[str]) -> object: ...


class PeopleReader(RowReader):
    """What can be read about people."""

    async def erase_traces(self) -> None:
        """Overwrite what was deleted, where a database does not do so itself when it vacuums."""

    async def find_person(self, person: str) -> StoredPerson | None:
        found = await self._read("find_person", person)
        return build_person(found[0]) if found else None

    async def list_people(self) -> Sequence[StoredPerson]:
        """List everybody, by name."""
        return [build_person(row) for row in await self._read("list_people")]

    async def list_known_people(self, people: Sequence[str]) -> Sequence[StoredPerson]:
        """List people, and everybody who finished a game with one of them."""
        encoded = self._encode_list(people)
        return [build_person(row) for row in await self._read("list_known_people", encoded, encoded, encoded)]

    async def list_stale_people(self) -> Sequence[StoredPerson]:
        """List the people whose summaries must be made anew."""
        return [build_person(row) for row in await self._read("list_stale_people")]

    async def list_held_people(self, identity: str) -> Sequence[StoredPerson]:
        """List the people an identity speaks for, the oldest first."""
        return [build_person(row) for row in await self._read("list_held_people", identity)]

    async def list_holders(self, person: str) -> Sequence[str]:
        """List the identities that speak for a person."""
        return [str(identity) for (identity,) in await self._read("list_holders", person)]

    async def find_person_code(self, code: str, at: float) -> str | None:
        """Find the person a code gives, unless it has expired."""
        found = await self._read("find_person_code", code, at)
        return str(found[0][0]) if found else None

    async def list_players(self, game_id: str) -> dict[int, str]:
        """Say who plays on which seat of a game."""
        return dict(await self._read("list_players", game_id))

    async def list_open_games(self, people: Sequence[str], limit: int) -> Sequence[tuple[str, str]]:
        """List the games and rooms in which some people play now, the most recently used first."""
        found = await self._read("list_open_games", self._encode_list(people), limit)
        return [(str(game), str(room)) for game, room in found]

    async def list_rooms_of_person(self, person: str) -> Sequence[str]:
        """List the rooms in which a person has a seat."""
        return [str(room) for (room,) in await self._read("list_rooms_of_person", f'%"{person}"%')]


class ResultReader(RowReader):
    """What can be read about games that are over."""

    async def list_result_games(self, wanted: GameFilter) -> Sequence[tuple[float, str]]:
        """List when which games ended, the last first."""
        edition, times = (wanted.edition, wanted.edition), (wanted.since, wanted.until, *wanted.before)
        if not wanted.person:
            found = await self._read("list_all_games", *edition, *times, wanted.limit)
        else:
            won = (0 if wanted.won is None else 1 if wanted.won else 2,) * 3
            asked = [wanted.person, wanted.other] if wanted.other else []
            counts = {one: games for one, games, _ in await self.list_person_counts(asked)} if asked else {}
            if wanted.other and counts.get(wanted.other, 0) < counts.get(wanted.person, 0):
                # Whoever played less has fewer games to look through.
                own = (wanted.person, *won, wanted.limit)
                found = await self._read("list_shared_games", wanted.other, *edition, *times, *own)
            else:
                others = (wanted.other, wanted.other, wanted.limit)
                found = await self._read("list_person_games", wanted.person, *edition, *times, *won, *others)
        return [(float(ended), str(game)) for ended, game in found]

    async def list_results(self, games: Sequence[str]) -> Sequence[NamedResult]:
        """List what came of every seat of some games."""
        found = await self._read("list_results", self._encode_list(games))
        return [NamedResult(ResultRow(*row[:RESULT_COLUMNS]), *row[RESULT_COLUMNS:]) for row in found]

    async def list_person_results(self, person: str) -> Sequence[ResultRow]:
        """List what came of every seat of the games of a person that are counted, the first game first."""
        return [ResultRow(*row) for row in await self._read("list_person_results", person)]

    async def list_person_counts(self, people: Sequence[str]) -> Sequence[tuple[str, int, float]]:
        """Say of people how many games they have finished, and when the last one."""
        found = await self._read("list_person_counts", self._encode_list(people))
        return [(str(person), int(games), float(last)) for person, games, last in found]

    async def list_person_editions(self, people: Sequence[str]) -> Sequence[tuple[str, int, float]]:
        """List the editions people have played, how often, and when last; the last one first."""
        found = await self._read("list_person_editions", self._encode_list(people))
        return [(str(edition), int(games), float(last)) for edition, games, last in found]

    async def list_best_results(self, person: str, fingerprint: str, limit: int) -> Sequence[BestResult]:
        """List the best totals of a person by the same rules, the best first; of equal ones the older first."""
        found = await self._read("list_best_results", person, fingerprint, limit)
        return [BestResult(str(game), int(total), float(ended), bool(asked)) for game, total, ended, asked in found]

    async def list_points_lost(self, person: str, edition: str, limit: int) -> Sequence[float]:
        """List what a person lost by their choices in their last reviewed games of an edition, in points."""
        return [int(lost) / 1000 for (lost,) in await self._read("list_points_lost", person, edition, limit)]

    async def list_waiting_games(self, limit: int) -> Sequence[str]:
        """List games of which something is not in the summaries yet."""
        return [str(game) for (game,) in await self._read("list_waiting_games", limit)]

    async def list_pending_reviews(self, limit: int) -> Sequence[tuple[str, int]]:
        """List the seats that nobody has reviewed yet, the last game first."""
        return [(str(game), int(seat)) for game, seat in await self._read("list_pending_reviews", limit)]

    async def list_closed_games(self, after: str, limit: int) -> Sequence[str]:
        """List closed games by name, after one of them."""
        return [str(game) for (game,) in await self._read("list_closed_games", after, limit)]

    async def list_summaries(self, person: str) -> Sequence[StoredSummary]:
        """List the summaries of a person alone, or of everybody."""
        return [StoredSummary(*row) for row in await self._read("list_summaries", person)]

    async def list_person_summaries(self, person: str) -> Sequence[StoredSummary]:
        """List the summaries of a person, alone and against others."""
        return [StoredSummary(*row) for row in await self._read("list_person_summaries", person, person)]

    async def list_all_summaries(self, people: Sequence[str]) -> Sequence[StoredSummary]:
        """List every summary about some people: each alone and against anybody, and everybody’s."""
        encoded = self._encode_list((*people, ""))
        return [StoredSummary(*row) for row in await self._read("list_all_summaries", encoded, encoded)]

    async def list_pair_summaries(self, person: str, other: str) -> Sequence[StoredSummary]:
        """List the summaries of two people against each other."""
        found = await self._read("list_pair_summaries", *sorted((person, other)))
        return [StoredSummary(*row) for row in found]

    async def list_companions(self, person: str) -> Sequence[tuple[str, str]]:
        """List the pairs of people in which a person is, by their summaries."""
        return [(str(one), str(other)) for one, other in await self._read("list_companions", person, person)]


def build_person(row: Sequence[Any]) -> StoredPerson:
    person, name, colour, emblem, hidden, created, stale = row
    return StoredPerson(person, name, colour, emblem, bool(hidden), created, bool(stale))
