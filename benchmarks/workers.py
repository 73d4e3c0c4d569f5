"""Measures several workers on PostgreSQL: python -m benchmarks.workers [--rate N] [--seconds N].

Processor time of server and database for each command, apart, so that a figure for one core is honest on two; then how
much later a move is seen by somebody connected to another process than by somebody at the same one.
"""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from tests.support.load_clients import LoadProfile, LoadResult, LoadRoom, measure_load, percentile_ms, raise_file_limit
from tests.support.postgres import PostgresProcess, run_postgres
from tests.support.socket_players import ServerProcess, read_cpu_seconds
from tests.support.worker_servers import WorkerServer

from benchmarks.load import read_option

SECONDS, RATE = 12.0, 150.0
WORKERS = (1, 2, 4)


class MeteredServer(WorkerServer):
    """Reads the processor time of the database at the same moments as its own."""

    def __init__(self, database: str, workers: int, postgres: PostgresProcess) -> None:
        super().__init__(database, workers)
        self.postgres = postgres
        self.database_seconds: list[float] = []
        self.parent_seconds: list[float] = []

    def read_cpu_seconds(self) -> float:
        main = self.postgres.server.get_postmaster_info().process
        family = [main, *main.children(recursive=True)]
        self.database_seconds.append(sum(read_cpu_seconds(one.pid) for one in family))
        self.parent_seconds.append(read_cpu_seconds(self.list_processes()[0]))
        return super().read_cpu_seconds()


@contextmanager
def make_database(postgres: PostgresProcess, name: str) -> Iterator[str]:
    with psycopg.connect(postgres.address.format("postgres"), autocommit=True) as link:
        link.execute(f"CREATE DATABASE {name}".encode())
        yield postgres.address.format(name)
        link.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def measure_workers(postgres: PostgresProcess, workers: int, profile: LoadProfile) -> None:
    """Write one line: how fast, and what a command costs whom."""
    with make_database(postgres, f"load{workers}") as address:
        server = MeteredServer(address, workers, postgres)
        found = asyncio.run(measure_load(server, profile))
    commands = found.rate * found.seconds
    database, parent = (
        (times[-1] - times[0]) / commands * 1e6 for times in (server.database_seconds, server.parent_seconds)
    )
    times = " / ".join(f"{percentile_ms(found.command_seconds, part):.0f}" for part in (0.5, 0.95, 0.99))
    print(
        f"{workers} workers: {found.rate:.0f} commands/s, done after {times} ms, {len(found.errors)} errors; for each "
        f"command: server {found.cpu_microseconds:.0f} µs (parent {parent:.1f}), database {database:.0f} µs"
    )


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
    seconds, rate = read_option(words, "--seconds", SECONDS), read_option(words, "--rate", RATE)
    with run_postgres() as server:
        postgres = PostgresProcess(server)
        profile = LoadProfile(players=200, rooms=60, spectators=40, seconds=seconds, rate=rate)
        for workers in WORKERS:
            measure_workers(postgres, workers, profile)
        pairs = LoadProfile(players=20, rooms=20, spectators=20, seconds=seconds, rate=rate / 5, warm_up=4.0)
        for name, is_apart in (("near", False), ("far", True)):
            found = measure_distance(postgres, name, pairs, is_apart)
            times = " / ".join(f"{percentile_ms(found.update_seconds, part):.1f}" for part in (0.5, 0.95, 0.99))
            print(f"a move seen by somebody at {'another' if is_apart else 'the same'} process after {times} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
