"""What the home page remembers for a device: games to go on with, what was played last, and how to play it again."""

from collections.abc import Sequence
from dataclasses import dataclass

from knobel.errors import KnobelError
from knobel.host.integrity import read_header
from knobel.host.play_history import HistoryGame, PlayHistory
from knobel.host.registry import SessionRegistry
from knobel.record.duplicate import is_duplicate
from knobel.record.events import Header
from knobel.rooms.documents import find_fingerprint
from knobel.rooms.room import Settings
from knobel.store.people import GameFilter, NamedResult, StoredPerson

MAX_UNFINISHED, MAX_RECENT, MAX_EDITIONS, MAX_PLAYERS = 20, 5, 12, 12


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """A person of a device, with how often and when they played last."""

    person: StoredPerson
    games: int
    last: float | None


@dataclass(frozen=True, slots=True)
class PlayedEdition:
    """An edition that was played, how often, and when last."""

    edition: str
    title: str
    games: int
    last: float


@dataclass(frozen=True, slots=True)
class LastTable:
    """What was agreed on for the last game, and who sat where; `house_rules` is a fingerprint."""

    game: HistoryGame
    header: Header
    settings: Settings
    house_rules: str | None


class HomeMemory:
    """Remembers for a device what its people played."""

    def __init__(self, history: PlayHistory, registry: SessionRegistry) -> None:
        self.history = history
        self.store = history.store
        self.registry = registry

    async def list_people(self, identity: str) -> list[KnownPerson]:
        """List the people of a device, who played last first, those who never did behind them."""
        held = await self.store.list_held_people(identity)
        counts = await self.store.list_person_counts([one.id for one in held]) if held else ()
        played = {person: (games, last) for person, games, last in counts}
        known = [KnownPerson(one, *played.get(one.id, (0, None))) for one in held]
        return sorted(known, key=lambda one: (-(one.last or 0.0), one.person.created_at))

    async def list_unfinished_rooms(self, people: Sequence[str]) -> list[str]:
        """List the rooms in which people of a device are in the middle of a game."""
        found = await self.store.list_open_games(people, MAX_UNFINISHED) if people else ()
        return list(dict.fromkeys(room for _, room in found))

    async def list_recent_games(self, identity: str, limit: int = MAX_RECENT) -> list[HistoryGame]:
        games, _ = await self.history.list_games(identity, GameFilter(limit=limit))
        return games

    async def list_editions(self, people: Sequence[str]) -> list[PlayedEdition]:
        """List the editions that were played, the last one first."""
        found = await self.store.list_person_editions(people) if people else ()
        editions = []
        for edition, games, last in list(found)[:MAX_EDITIONS]:
            title = await self.find_title(people, edition, last)
            editions.append(PlayedEdition(edition, title, games, last))
        return editions

    async def find_title(self, people: Sequence[str], edition: str, last: float) -> str:
        """Find how an edition was called when it was played last."""
        for person in people:
            wanted = GameFilter(person, edition, since=last, limit=1)
            for _, game in await self.store.list_result_games(wanted):
                return next((one.row.title for one in await self.store.list_results([game])), edition)
        return edition

    async def find_last_table(self, games: Sequence[HistoryGame]) -> LastTable | None:
        """Find what was agreed on for the last game whose log is there."""
        for played in games:
            row = played.results[0].row
            stored = await self.store.find_game(row.game)
            header = None if stored is None else read_header(stored)
            if stored is None or header is None:
                continue
            try:
                room = (await self.registry.find(row.room)).room
            except KnobelError:
                room = None
            if room is not None and room.settings.edition == header.edition.id and room.settings.quoted is None:
                return LastTable(played, header, room.settings, find_fingerprint(room))
            settings = Settings(
                header.edition.id,
                header.text,
                header.switches,
                header.evening.games,
                free=header.free,
                duplicate=is_duplicate(header),
            )
            return LastTable(played, header, settings, stored.house_rules)
        return None


def list_last_players(games: Sequence[HistoryGame]) -> list[NamedResult]:
    """List who sat at the last tables, the last first, each name once."""
    found = dict[str, NamedResult]()
    for game in games:
        for one in game.results:
            if one.name:
                found.setdefault(one.name, one)
    return list(found.values())[:MAX_PLAYERS]
