"""Makes everything derived anew from the logs: the results of all games, then all summaries."""

from collections.abc import Callable
from dataclasses import replace

from knobel.errors import KnobelError
from knobel.host.archive import load_table
from knobel.host.results import build_results
from knobel.host.statistics import StatisticsKeeper
from knobel.store import Store
from knobel.store.people import ReplaceResults, ResetSummaries, ResultRow

BATCH_GAMES = 200


async def rebuild_statistics(store: Store, report: Callable[[int], None] = lambda _: None) -> int:
    """Derive everything again and tell how many games have results; a damaged game keeps what it has.

    What reviews found stays, and so do imported totals: neither stands in a log. `report` hears how many games were
    looked at.
    """
    seen, found, last = 0, 0, ""
    while games := await store.list_closed_games(last, BATCH_GAMES):
        for game in games:
            found += await rebuild_game(store, game)
            seen += 1
            report(seen)
        last = games[-1]
    await store.commit(ResetSummaries())
    await StatisticsKeeper(store).catch_up()
    return found


async def rebuild_game(store: Store, game: str) -> bool:
    """Derive the results of one game; tell whether there are any."""
    known = {one.row.seat: one.row for one in await store.list_results([game])}
    try:
        table, stored = await load_table(store, game)
    except KnobelError:
        return bool(known)
    people = await store.list_players(game)
    rows = build_results(table, stored.room_id, people, stored.touched_at)
    await store.commit(ReplaceResults(game, tuple(keep_review(row, known.get(row.seat)) for row in rows)))
    return bool(rows)


def keep_review(row: ResultRow, known: ResultRow | None) -> ResultRow:
    """Keep what a review found about a seat."""
    if known is None or not known.reviewed:
        return row
    return replace(row, luck=known.luck, lost=known.lost, level=known.level, reviewed=known.reviewed)
