"""Keeps the summaries in step with the results: what is new is counted once, whoever counts it."""

import asyncio
import json
from collections.abc import Sequence

from knobel.stats.documents import decode_summary, encode_summary
from knobel.stats.families import has_totals
from knobel.stats.keeping import SeatNews, SummaryBook, SummaryKey, list_keys, summarize_person
from knobel.stats.summary import FinishedGame, SeatScore, Summary
from knobel.stats.versus import Versus
from knobel.store import Store, StoreWrite, WriteConflict
from knobel.store.people import (
    MarkCounted,
    MarkStale,
    PutSummary,
    ResultRow,
    StoredPerson,
    StoredSummary,
)

BATCH_GAMES = 500
MAX_TRIES = 8


class StatisticsKeeper:
    """Counts results into summaries; several processes may do so at once."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.lock = asyncio.Lock()

    async def catch_up(self) -> None:
        """Count everything that is not counted yet, and make stale summaries anew."""
        async with self.lock:
            for _ in range(MAX_TRIES):
                try:
                    while await self.count_batch():
                        pass
                    await self.renew_stale()
                except WriteConflict:
                    continue  # another process was faster
                return

    async def count_batch(self) -> int:
        """Count some games; tell how many there were."""
        waiting = await self.store.list_waiting_games(BATCH_GAMES)
        if not waiting:
            return 0
        rows = [one.row for one in await self.store.list_results(waiting)]
        games = group_games(rows)
        known = await self.load_summaries(list_keys(game for game, _ in games))
        # Beside the event loop: nobody who plays waits for statistics.
        await self.store.commit(*await asyncio.to_thread(plan_counting, rows, games, known))
        return len(waiting)

    async def load_summaries(self, keys: set[SummaryKey]) -> dict[SummaryKey, StoredSummary]:
        people = sorted({key.person for key in keys} | {key.other for key in keys})
        found = await self.store.list_all_summaries(people)
        stored = {SummaryKey(one.person, one.other, one.edition): one for one in found}
        return {key: one for key, one in stored.items() if key in keys}

    async def renew_stale(self) -> None:
        """Make the summaries anew of people who were merged, or whose games came in another order than they ended."""
        for person in await self.store.list_stale_people():
            await self.renew_person(person)

    async def renew_person(self, person: StoredPerson) -> None:
        # Read first: if a game is counted meanwhile, its version is another one, and this is done again.
        stored = await self.store.list_person_summaries(person.id)
        known = {SummaryKey(one.person, one.other, one.edition): one for one in stored}
        rows = await self.store.list_person_results(person.id)
        book = await asyncio.to_thread(lambda: summarize_person(person.id, group_games(rows)))
        await self.store.commit(*plan_summaries(book, known), MarkStale(person.id, False))


def plan_counting(
    rows: Sequence[ResultRow],
    games: Sequence[tuple[FinishedGame, dict[int, SeatNews]]],
    known: dict[SummaryKey, StoredSummary],
) -> list[StoreWrite]:
    """Plan to count some games into the summaries that are known."""
    book = SummaryBook({key: decode_stored(one) for key, one in known.items()})
    for game, news in games:
        book.add(game, news)
    writes: list[StoreWrite] = [
        MarkCounted(row.game, row.seat, row.counted, 1 + row.reviewed)
        for row in sorted(rows, key=lambda row: (row.game, row.seat))
        if row.counted < 1 + row.reviewed
    ]
    writes += plan_summaries(book, known)
    return [*writes, *(MarkStale(person, True) for person in sorted(book.stale))]


def plan_summaries(book: SummaryBook, known: dict[SummaryKey, StoredSummary]) -> list[StoreWrite]:
    """Plan to write those summaries that changed, always in the same order."""
    writes: list[StoreWrite] = []
    for key, summary in sort_summaries(book):
        body, before = encode_summary(summary), known.get(key)
        if before is None or before.body != body:
            writes.append(PutSummary(StoredSummary(*key, before.version if before else 0, body)))
    return writes


def sort_summaries(book: SummaryBook) -> list[tuple[SummaryKey, Summary | Versus]]:
    return sorted(book.summaries.items(), key=lambda one: one[0])


def decode_stored(one: StoredSummary) -> Summary | Versus:
    return decode_summary(one.body, Versus) if one.other else decode_summary(one.body, Summary)


def group_games(rows: Sequence[ResultRow]) -> list[tuple[FinishedGame, dict[int, SeatNews]]]:
    """Put the seats of each game together, in the order in which the games ended."""
    found: dict[str, list[ResultRow]] = {}
    for row in rows:
        found.setdefault(row.game, []).append(row)
    games = [
        (build_game(seats), {row.seat: SeatNews(row.counted, 1 + row.reviewed) for row in seats})
        for seats in found.values()
    ]
    return sorted(games, key=lambda one: one[0].key)


def build_game(rows: Sequence[ResultRow]) -> FinishedGame:
    first = rows[0]
    seats = tuple(build_seat(row) for row in sorted(rows, key=lambda row: row.seat))
    return FinishedGame(first.game, first.edition, first.fingerprint, first.ended, has_totals(first.family), seats)


def build_seat(row: ResultRow) -> SeatScore:
    return SeatScore(
        row.seat,
        row.person,
        row.total,
        row.place,
        bool(row.counts),
        json.loads(row.detail),
        bool(row.assisted),
        bool(row.real_dice),
        row.luck,
        row.lost,
        row.level,
    )
