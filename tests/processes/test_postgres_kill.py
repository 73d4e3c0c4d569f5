"""On PostgreSQL, whether the server or the database is killed: nothing promised is lost, nothing is done twice."""

import asyncio

import psycopg
import pytest

from tests.processes.test_kill import LEAST, check_kept, play_through_kills
from tests.support.postgres import PostgresProcess
from tests.support.selection import rest
from tests.support.socket_players import ServerProcess


def check_server_kills(address: str, kills: int, seed: int) -> None:
    """Kill the server again and again, and insist that every promise was kept."""
    seen = asyncio.run(play_through_kills(ServerProcess(address), kills, seed, resends=kills + 1))
    print(seen)
    check_kept(seen)
    assert seen.promised >= LEAST * kills
    assert seen.resent > kills


def check_database_kills(postgres: PostgresProcess, kills: int, seed: int) -> None:
    """Kill the database again and again under a server that stays, and insist that every promise was kept."""
    with psycopg.connect(postgres.address.format("postgres"), autocommit=True) as link:
        link.execute(b"CREATE DATABASE killed")

    async def crash_database(_: ServerProcess) -> None:
        await asyncio.to_thread(postgres.kill)
        await asyncio.to_thread(postgres.start)

    server = ServerProcess(postgres.address.format("killed"))
    seen = asyncio.run(play_through_kills(server, kills, seed, crash=crash_database))
    print(seen)
    check_kept(seen)
    assert seen.promised >= LEAST * kills


@pytest.mark.parametrize("kills", [1, rest(10)])
def test_server_kills_on_postgresql_lose_nothing_and_double_nothing(postgres_address: str, kills: int) -> None:
    check_server_kills(postgres_address, kills, 5)


@pytest.mark.parametrize("kills", [1, rest(4)])
def test_kills_of_the_database_lose_nothing_and_double_nothing(own_postgres: PostgresProcess, kills: int) -> None:
    check_database_kills(own_postgres, kills, 6)


@pytest.mark.torture
def test_a_hundred_server_kills_on_postgresql_lose_nothing_and_double_nothing(postgres_address: str) -> None:
    check_server_kills(postgres_address, 100, 7)


@pytest.mark.torture
def test_thirty_kills_of_the_database_lose_nothing_and_double_nothing(own_postgres: PostgresProcess) -> None:
    check_database_kills(own_postgres, 30, 8)
