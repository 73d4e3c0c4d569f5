"""Measures what people's pages ask for in a database with very many games, beside the same with a thousand.

python -m benchmarks.history                       100,000 games in SQLite
python -m benchmarks.history 20000 postgresql://…  another number, in another database; it must be empty

One person plays in every game, against others among two hundred: the worst case of every question.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from itertools import islice
from pathlib import Path

from tests.support.asgi import HOST_NAME, PlainServer
from tests.support.made_games import make_games

from knobel.host import Host
from knobel.store import NewGame
from knobel.store.address import open_store
from knobel.store.people import AddPerson, HoldPerson, PutResults, ResultRow
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


async def fill(host: Host, games: int) -> None:
    """Fill a database with made games, and count them."""
    people = [f"p{number:03}" for number in range(PEOPLE)]
    await host.store.commit(*(AddPerson(one, f"Player {one}", 0, 0, 1.0) for one in people), HoldPerson(DEVICE, ME))
    made = make_games(games, people[1:], EDITIONS, always=ME)
    while chunk := list(islice(made, CHUNK)):
        await host.store.commit(*(write for rows in chunk for write in (begin_game(rows), PutResults(rows))))


def begin_game(rows: tuple[ResultRow, ...]) -> NewGame:
    """Give what stands beside results: the names, and who sat where."""
    first, seated = rows[0], tuple(row.person for row in rows)
    names = tuple(f"Player {person}" if person else "Robot" for person in seated)
    return NewGame(first.game, first.room, "{}", "", names, first.ended - 900, None, seated)


async def time_best(work: Callable[[], Awaitable[object]]) -> float:
    found = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        await work()
        found.append(time.perf_counter() - begin)
    return min(found)


async def measure(address: str, games: int) -> dict[str, float]:
    """Measure every question, warm."""
    host = Host(await open_store(address, Path("unused")), paced=False)
    try:
        begin = time.perf_counter()
        await fill(host, games)
        filled = time.perf_counter()
        await host.statistics.catch_up()
        counted = time.perf_counter()
        print(f"{games} games: made in {filled - begin:.1f} s, counted in {counted - filled:.1f} s", flush=True)
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
