"""Two servers race for the same rooms on one PostgreSQL, deaf now and then, dead now and then: no room ever forks."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from random import Random

import psycopg
import pytest

from tests.support.promises import DatabaseContents, Faults, find_faults, find_wrong_records, read_database
from tests.support.selection import rest
from tests.support.socket_players import PlayerPool, ServerProcess, find_wrongly_served_rooms
from tests.support.waiting import wait_until

CUT = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE %s
"""
COUNT_BOT_MOVES = "SELECT count(*) FROM events WHERE command LIKE %s"
BOT_MOVES = 6
"""The fewest moves of bots in a race."""


@dataclass(frozen=True)
class Raced:
    """What came of a race."""

    faults: Faults
    wrong: list[str]
    promised: int
    refused: Counter[str]
    bots: int
    cuts: int
    kills: int

    def __str__(self) -> str:
        return (
            f"{self.promised} promises, {self.bots} moves of bots, {self.cuts} cuts, {self.kills} kills, "
            f"refused {dict(self.refused)}"
        )


async def count(address: str, query: str, pattern: str) -> int:
    """Give the number that a query answers with."""
    async with await psycopg.AsyncConnection.connect(address, autocommit=True) as link:
        row = await (await link.execute(query, (pattern,))).fetchone()
        return int(row[0]) if row else 0


async def cut(address: str) -> int:
    """Cut the connections on which servers hear of each other."""
    return await count(address, CUT, "LISTEN%")


async def run_race(address: str, commands: int, groups: int, kills: int, seed: int) -> Raced:
    """Let two servers race for some commands, and compare what everybody saw with what is stored."""
    servers, chance = [ServerProcess(address), ServerProcess(address)], Random(seed)
    pool = PlayerPool([server.port for server in servers], groups, seed, bots=2)
    cuts = 0
    try:
        for server in servers:
            await server.start()
        pool.start()
        dying = [commands * (turn + 1) // (kills + 1) for turn in range(kills)]
        while pool.acknowledged_count < commands or await count(address, COUNT_BOT_MOVES, "bot:%") < BOT_MOVES:
            enough = pool.acknowledged_count + chance.randint(1, 60)
            await wait_until(lambda enough=enough: pool.acknowledged_count >= enough)  # type: ignore[misc]
            cuts += await cut(address)
            if dying and pool.acknowledged_count >= dying[0]:
                dying.pop(0)
                server = chance.choice(servers)
                server.kill()
                await server.start()
        pool.is_stopping = True
        await wait_until(lambda: not any(player.pending for player in pool.players))

        async def has_cut_enough() -> bool:
            nonlocal cuts
            cuts += await cut(address)
            return cuts > 2

        async def is_level() -> bool:
            return await behind(pool, address) == []

        await wait_until(has_cut_enough)

        await wait_until(is_level)
        kept = await read_database(address)
        wrong = find_wrong_records(kept)
        for server in servers:
            wrong += await find_wrongly_served_rooms(server.port, kept)
        refused = Counter(code for player in pool.players for _, code, _ in player.refusal_log)
        return Raced(find_faults(pool, kept), wrong, pool.acknowledged_count, refused, bots_of(kept), cuts, kills)
    finally:
        await pool.stop()
        for server in servers:
            server.kill()


async def behind(pool: PlayerPool, address: str) -> list[str]:
    """List who, at either server, does not see the end of the log yet, or for whom something is still to come."""
    async with await psycopg.AsyncConnection.connect(address) as link:
        stored: dict[str, int] = dict(await (await link.execute("SELECT game, count FROM heads")).fetchall())
    found = []
    for player in pool.players:
        game, number = (player.position or {}).get("game"), (player.position or {}).get("count")
        if not player.is_idle or game is None or stored[game] != number:
            found.append(f"{player.name} at {player.ports[0]} sees {game}/{number} of {stored.get(game or '')}")
    return found


def bots_of(kept: DatabaseContents) -> int:
    """Count what the server did by itself."""
    return sum((row.command or "").startswith("bot:") for log in kept.logs.values() for row in log.rows)


def check_raced(address: str, commands: int, groups: int, kills: int, seed: int) -> None:
    """Insist that every log is whole, that every command was carried out once, and that all see the same."""
    found = asyncio.run(run_race(address, commands, groups, kills, seed))
    print(found)
    assert found.faults == {name: [] for name in found.faults}
    assert found.wrong == []
    assert found.promised >= commands
    assert found.bots >= BOT_MOVES


@pytest.mark.parametrize(("commands", "groups"), [(80, 4), rest(600, 8)])
def test_two_servers_that_race_for_commands_never_fork_a_room(
    postgres_address: str, commands: int, groups: int
) -> None:
    check_raced(postgres_address, commands, groups, 1, 1)


@pytest.mark.torture
def test_two_servers_that_race_for_five_thousand_commands_never_fork_a_room(postgres_address: str) -> None:
    check_raced(postgres_address, 5000, 30, 12, 2)
