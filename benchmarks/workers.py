"""Measures how many commands a second one process and several workers hold, and what a command costs whom.

python -m benchmarks.workers                        everything, about twelve minutes on a quiet machine
python -m benchmarks.workers --rate 100             begin with so many commands a second
python -m benchmarks.workers --players 200 --seconds 5 --load 2   fewer players, shorter windows, two load processes

Each server is loaded with more and more commands a second until 99 of a hundred are no longer done within 150 ms. The
load comes from processes of its own; processor time of server, load and database is counted apart, so that a figure
for one core is honest on a machine whose cores they share. Then: how much later a move is seen by somebody who is
connected to another process than by somebody at the same one.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from tests.support.load_clients import (
    PLAYERS,
    ROOMS,
    SPECTATORS,
    LoadProfile,
    LoadResult,
    LoadRoom,
    measure_load,
    percentile_ms,
    raise_file_limit,
)
from tests.support.postgres import PostgresProcess, run_postgres
from tests.support.socket_players import ServerProcess
from tests.support.worker_servers import WorkerServer

from benchmarks.capacity import LIMIT_MS, RateResult, find_capacity
from benchmarks.load import read_option

SECONDS, RATE, WARM_UP = 10.0, 300.0, 4.0
WORKERS = (1, 2, 4)
HEAD = (
    "| server | commands/s | done after, 50 / 95 / 99 % | server, µs for a command | of that the parent "
    "| for one core of the server | database, µs | load, µs |\n|---|---|---|---|---|---|---|---|"
)


@contextmanager
def make_database(postgres: PostgresProcess, name: str) -> Iterator[str]:
    with psycopg.connect(postgres.address.format("postgres"), autocommit=True) as link:
        link.execute(f"CREATE DATABASE {name}".encode())
        yield postgres.address.format(name)
        link.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def list_database_processes(postgres: PostgresProcess) -> list[int]:
    main = postgres.server.get_postmaster_info().process
    return [main.pid, *(one.pid for one in main.children(recursive=True))]


def show_rate(found: RateResult) -> None:
    times = " / ".join(f"{one:.0f}" for one in found.times)
    print(
        f"    {found.wanted:6.0f} wanted, {found.rate:6.0f} commands/s done after {times} ms, {found.errors} errors, "
        f"server {found.server:.0f} µs, database {found.database:.0f} µs, load {found.load:.0f} µs, "
        f"load average {found.machine:.1f}: {'held' if found.is_held else 'not held'}",
        file=sys.stderr,
        flush=True,
    )


def write_row(name: str, found: RateResult | None, has_parent: bool) -> str:
    """Write one line of the table: the highest rate that was held, and what a command cost whom."""
    if found is None:
        return f"| {name} | none at {LIMIT_MS:.0f} ms | | | | | | |"
    times = " / ".join(f"{one:.0f}" for one in found.times)
    parent = f"{found.parent:.0f}" if has_parent else "no parent"
    return (
        f"| {name} | {found.rate:,.0f} | {times} ms | {found.server:.0f} | {parent} "
        f"| {1e6 / found.server:,.0f} commands/s | {found.database:.0f} | {found.load:.0f} |"
    )


def measure_capacities(postgres: PostgresProcess, profile: LoadProfile, processes: int) -> Iterator[str]:
    """Measure one process on SQLite, then workers on PostgreSQL; give a line of the table for each."""
    print("one process on SQLite", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        single = ServerProcess(f"sqlite:///{folder}/load.db")
        found = asyncio.run(find_capacity(single, profile, processes, list, show_rate))
    yield write_row("one process, SQLite", found, has_parent=False)
    for workers in WORKERS:
        print(f"workers on PostgreSQL: {workers}", file=sys.stderr, flush=True)
        with make_database(postgres, f"load{workers}") as address:
            server = WorkerServer(address, workers)
            databases = lambda: list_database_processes(postgres)  # noqa: E731
            found = asyncio.run(find_capacity(server, profile, processes, databases, show_rate))
        yield write_row(f"{workers} on PostgreSQL", found, has_parent=workers > 1)


def measure_distance(postgres: PostgresProcess, name: str, profile: LoadProfile, is_apart: bool) -> LoadResult:
    """Let everybody who only watches be connected to the same process, or to another one."""
    with make_database(postgres, name) as address:
        other = ServerProcess(address)

        class WatchedRoom(LoadRoom):
            """A room whose spectators are elsewhere."""

            async def set_up(self) -> None:
                for client in self.clients[len(self.players) :]:
                    client.port = other.port if is_apart else client.port
                await super().set_up()

        async def measure() -> LoadResult:
            await other.start()
            try:
                return await measure_load(ServerProcess(address), profile, WatchedRoom)
            finally:
                other.kill()

        return asyncio.run(measure())


def main(*words: str) -> int:
    raise_file_limit()
    share = read_option(words, "--players", PLAYERS) / PLAYERS
    profile = LoadProfile(
        players=round(PLAYERS * share),
        rooms=round(ROOMS * share),
        spectators=round(SPECTATORS * share),
        seconds=read_option(words, "--seconds", SECONDS),
        rate=read_option(words, "--rate", RATE),
        warm_up=WARM_UP,
    )
    with run_postgres() as server:
        postgres = PostgresProcess(server)
        print(f"{profile.players:,} players in {profile.rooms} rooms, {profile.spectators} spectators\n\n{HEAD}")
        for row in measure_capacities(postgres, profile, round(read_option(words, "--load", 1))):
            print(row, flush=True)
        print("\n| a move is seen by somebody at | 50 / 95 / 99 % |\n|---|---|")
        pairs = LoadProfile(players=20, rooms=20, spectators=20, seconds=profile.seconds, rate=30.0, warm_up=WARM_UP)
        for name, is_apart in (("near", False), ("far", True)):
            found = measure_distance(postgres, name, pairs, is_apart)
            times = " / ".join(f"{percentile_ms(found.update_seconds, part):.1f}" for part in (0.5, 0.95, 0.99))
            print(f"| {'another' if is_apart else 'the same'} process | {times} ms |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
