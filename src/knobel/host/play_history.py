"""The games that are over, as far as somebody may see them: those of the people their device holds.

Of other people a device sees what was played at its own tables; a server that was opened shows everything.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from knobel.errors import PersonUnknown
from knobel.host.statistics import StatisticsKeeper
from knobel.store import Store
from knobel.store.people import GameFilter, NamedResult, StoredPerson


@dataclass(frozen=True, slots=True)
class HistoryGame:
    """A game that is over, seat by seat; `own` are the people of whoever asks."""

    results: tuple[NamedResult, ...]
    own: frozenset[str]
    has_moves: bool = True
    """Whether its moves are kept; of an imported game there never were any."""

    @property
    def cursor(self) -> tuple[float, str]:
        """Where it stands among all games."""
        return self.results[0].row.ended, self.results[0].row.game


@dataclass(frozen=True, slots=True)
class PlayHistory:
    """Lists games; `is_open` lets everybody see everything."""

    store: Store
    keeper: StatisticsKeeper
    is_open: bool = False

    async def list_own_people(self, identity: str) -> frozenset[str]:
        return frozenset(person.id for person in await self.store.list_held_people(identity))

    async def list_visible_people(self, identity: str) -> dict[str, StoredPerson]:
        """List everybody a device may know: its own people, and whoever shared a table with them and is not hidden."""
        own = await self.list_own_people(identity)
        if self.is_open:
            everybody = await self.store.list_people()
            return {one.id: one for one in everybody if not one.is_hidden or one.id in own}
        await self.keeper.catch_up()
        known = await self.store.list_known_people(sorted(own)) if own else ()
        return {one.id: one for one in known if not one.is_hidden or one.id in own}

    async def check_visible(self, identity: str, *people: str) -> None:
        """Refuse to say anything about people a device may not know."""
        if not set(people) <= set(await self.list_visible_people(identity)):
            raise PersonUnknown

    async def list_games(self, identity: str, wanted: GameFilter) -> tuple[list[HistoryGame], tuple[float, str] | None]:
        """List games, the last first, and where the next page begins; without a person, those of all own people."""
        own = await self.list_own_people(identity)
        people = {person for person in (wanted.person, wanted.other) if person and person not in own}
        if people:
            await self.check_visible(identity, *people)
        if wanted.person and (wanted.person in own or self.is_open):
            filters = [wanted]
        elif wanted.person:
            # Somebody else's games: only those at own tables.
            shared = [wanted.other] if wanted.other in own else sorted(own)
            filters = [replace(wanted, other=person) for person in shared]
        else:
            filters = [replace(wanted, person=person) for person in sorted(own - {wanted.other})]
        return await self.load_games(filters, wanted.limit, own)

    async def list_all_games(
        self, wanted: GameFilter, own: frozenset[str] = frozenset()
    ) -> tuple[list[HistoryGame], tuple[float, str] | None]:
        """List the games of everybody, for whoever owns the database or opened it."""
        return await self.load_games([wanted], wanted.limit, own)

    async def load_games(
        self, filters: Sequence[GameFilter], limit: int, own: frozenset[str]
    ) -> tuple[list[HistoryGame], tuple[float, str] | None]:
        found = set[tuple[float, str]]()
        for one in filters:
            found |= set(await self.store.list_result_games(replace(one, limit=limit + 1)))
        page = sorted(found, reverse=True)
        games = await load_results(self.store, [game for _, game in page[:limit]])
        kept = await self.store.count_events(list(games)) if games else {}
        played = [HistoryGame(tuple(results), own, game in kept) for game, results in games.items()]
        return played, page[limit - 1] if len(page) > limit else None


async def load_results(store: Store, games: Sequence[str]) -> dict[str, list[NamedResult]]:
    """Load the results of some games, in that order."""
    found: dict[str, list[NamedResult]] = {game: [] for game in games}
    for result in await store.list_results(games) if games else ():
        found[result.row.game].append(result)
    return {game: results for game, results in found.items() if results}
