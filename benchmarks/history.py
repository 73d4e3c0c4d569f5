"""Measures what people's pages ask for in a database with very many games, beside the same with a thousand.

python -m benchmarks.history                       100,000 games in SQLite
python -m benchmarks.history 20000 postgresql://…  another number, in another database; it must be empty

One person plays in every game, against others among two hundred: the worst case of every question.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from tests.support.asgi import HOST_NAME, PlainServer
from tests.support.made_games import make_games

from knobel.host import Host
from knobel.host.statistics import group_games
from knobel.stats.documents import encode_summary
from knobel.stats.keeping import SummaryBook
from knobel.store.address import open_store
from knobel.store.people_statements import list_values
from knobel.web.app import AppContext, build_app

GOAL_SECONDS = 0.2
FEW = 1_000
MANY = 100_000
PEOPLE = 200
EDITIONS = ("mb-yahtzee", "carlit-yatzy", "tactic-xl-yatzy")
CHUNK = 500
TIMES = 7
ME = "p000"
DEVICE = "the device"
HTTP_OK = 200


def list_rows(games: int) -> Iterator[tuple[str, list[Any]]]:
    """List the rows of a database of made games, with everything counted, as a backup would hold them."""
    people = [f"p{number:03}" for number in range(PEOPLE)]
    yield "people", [[one, f"Player {one}", 0, 0, 0, 1.0, 0] for one in people]
    yield "holders", [[DEVICE, ME]]
    made, book = make_games(games, people[1:], EDITIONS, always=ME), SummaryBook()
    while chunk := list(islice(made, CHUNK)):
        rows = [row for one in chunk for row in one]
        for game, news in group_games(rows):
            book.add(game, news)
        firsts = [one[0] for one in chunk]
        yield "games", [[one.game, one.room, "{}", "", one.ended - 900, None] for one in firsts]
        yield "heads", [[one.game, 1, one.ended, 1, None] for one in firsts]
        yield "names", [[row.game, row.seat, f"Player {row.person}" if row.person else "Robot"] for row in rows]
        yield "players", [[row.game, row.seat, row.person] for row in rows if row.person]
        yield "results", [list_values(replace(row, counted=1 + row.reviewed)) for row in rows]
        yield "searched_seats", [[row.game, row.seat] for row in rows if row.reviewed]
    yield "summaries", [[*key, 1, encode_summary(one)] for key, one in book.summaries.items()]


async def time_best(work: Callable[[], Awaitable[object]]) -> float:
    found = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        await work()
        found.append(time.perf_counter() - begin)
    return min(found)


async def measure(address: str, games: int) -> dict[str, float]:
    """Measure every question, warm."""
    store, begin = await open_store(address, Path("unused")), time.perf_counter()
    if not await store.snapshot.restore_rows(list_rows(games)):
        raise SystemExit(f"{address} is not empty")
    host = Host(store, paced=False)
    try:
        print(f"{games} games: made, counted and written in {time.perf_counter() - begin:.1f} s", flush=True)
        server = PlainServer(host, build_app(AppContext(host, frozenset({HOST_NAME}))))
        await server.introduce(DEVICE)
        paths = {
            "history, first page": "/api/history",
            "history, lost games of one edition": "/api/history?edition=carlit-yatzy&result=lost",
            "history, with somebody": f"/api/history?person={ME}&with=p007",
            "history, from the middle": "/api/history?before=1600000900.5~zzz",
            "statistics": f"/api/statistics?person={ME}",
            "versus": f"/api/versus?person={ME}&other=p007",
            "records": "/api/table-records",
            "people": "/api/people",
            "home": "/api/home",
        }
        found = {}
        for name, path in paths.items():
            if (await server.get(path, DEVICE)).status != HTTP_OK:
                raise SystemExit(path)
            found[name] = await time_best(lambda path=path: server.get(path, DEVICE))  # type: ignore[misc]
        return found
    finally:
        await host.close()


async def main() -> None:
    words = sys.argv[1:]
    games = int(words[0]) if words else MANY
    with tempfile.TemporaryDirectory() as folder:
        few = await measure(f"sqlite:///{folder}/few.db", FEW)
        many = await measure(words[1] if len(words) > 1 else f"sqlite:///{folder}/many.db", games)
    for name, seconds in many.items():
        verdict = "" if seconds < GOAL_SECONDS else f"  over the goal of {GOAL_SECONDS * 1e3:.0f} ms"
        print(f"{name:<36} {seconds * 1e3:9.2f} ms  {seconds / few[name]:7.2f} x {FEW} games in SQLite{verdict}")


if __name__ == "__main__":
    asyncio.run(main())
