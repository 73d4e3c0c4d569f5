"""Whatever dies among workers, their parent and the database: nothing promised is lost, nothing is done twice."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random

import psycopg
import pytest

from tests.processes.test_kill import LEAST, Seen, check_kept, play_through_kills
from tests.support.postgres import PostgresProcess
from tests.support.socket_players import ServerProcess
from tests.support.standby import run_standby
from tests.support.worker_servers import WorkerServer

pytestmark = [pytest.mark.process, pytest.mark.database]

CLIENT_GROUPS = 30
"""Ninety clients, three in each room."""
CUT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class WorkerFaults:
    """Does one thing after another to a server of several workers, in an order drawn beforehand."""

    def __init__(self, server: WorkerServer, postgres: PostgresProcess, seed: int) -> None:
        self.server, self.postgres, self.chance = server, postgres, Random(seed)
        self.done: Counter[str] = Counter()
        self.coming: list[Callable[[], Awaitable[None]]] = []

    async def __call__(self, _: ServerProcess) -> None:
        """Do the next thing: each kind once before any comes again."""
        if not self.coming:
            kinds = (self.kill_worker, self.end_worker, self.kill_parent, self.kill_database, self.cut, self.renew)
            self.coming = self.chance.sample(kinds, len(kinds))
        fault = self.coming.pop()
        self.done[fault.__name__] += 1
        await fault()

    async def kill_worker(self) -> None:
        self.server.kill_worker(self.chance)

    async def end_worker(self) -> None:
        """Let a worker end in order, behind the back of its parent."""
        os.kill(self.chance.choice(self.server.list_workers()), signal.SIGTERM)

    async def kill_parent(self) -> None:
        """Kill the parent, whose workers then end, and start another one at once."""
        self.server.kill()
        await self.server.start()

    async def kill_database(self) -> None:
        await asyncio.to_thread(self.postgres.kill)
        await asyncio.to_thread(self.postgres.start)

    async def cut(self) -> None:
        """Cut every connection to the database."""
        async with await psycopg.AsyncConnection.connect(self.server.database, autocommit=True) as link:
            await link.execute(CUT)

    async def renew(self) -> None:
        assert self.server.process is not None
        self.server.process.send_signal(signal.SIGHUP)


def make_database(postgres: PostgresProcess) -> str:
    with psycopg.connect(postgres.address.format("postgres"), autocommit=True) as link:
        link.execute(b"CREATE DATABASE faults")
    return postgres.address.format("faults")


def check_faults(postgres: PostgresProcess, workers: int, faults: int, seed: int, groups: int) -> Seen:
    """Let many things go wrong, and insist that every promise was kept."""
    server = WorkerServer(make_database(postgres), workers)
    crash = WorkerFaults(server, postgres, seed)
    seen = asyncio.run(play_through_kills(server, faults, seed, crash=crash, groups=groups))
    print(seen, dict(crash.done))
    check_kept(seen)
    assert seen.promised >= LEAST * faults
    assert len(crash.done) == min(faults, 6)
    return seen


@pytest.mark.rest
def test_two_workers_their_parent_and_the_database_die_and_nothing_is_lost(own_postgres: PostgresProcess) -> None:
    check_faults(own_postgres, 2, 6, 11, groups=8)


@pytest.mark.torture
@pytest.mark.parametrize("workers", [2, 4])
def test_two_hundred_faults_lose_nothing_and_double_nothing(own_postgres: PostgresProcess, workers: int) -> None:
    check_faults(own_postgres, workers, 200, 12 + workers, groups=CLIENT_GROUPS)


@pytest.mark.torture
def test_a_standby_takes_over_and_nothing_is_lost(own_postgres: PostgresProcess) -> None:
    make_database(own_postgres)
    with run_standby(own_postgres) as standby:
        server = WorkerServer(standby.address("faults"), 2)

        async def fail_over(_: ServerProcess) -> None:
            await asyncio.to_thread(standby.promote)

        seen = asyncio.run(play_through_kills(server, 1, 17, least=200, crash=fail_over, groups=CLIENT_GROUPS))
    print(seen)
    check_kept(seen)
    assert seen.promised >= 2 * 200
