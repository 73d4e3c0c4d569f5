"""Two servers race for the same rooms on one PostgreSQL, deaf now and then, dead now and then: no room ever forks."""

import asyncio
import os
import time
from collections import Counter
from dataclasses import dataclass
from random import Random

import psycopg
import pytest

from tests.crowd import (
    Crowd,
    Faults,
    House,
    Kept,
    faults,
    kept_in,
    until,
    wrong_records,
    wrongly_served,
)

HEALED = 3.0
CUT = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE %s
"""


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
    healed: float

    def __str__(self) -> str:
        return (
            f"{self.promised} promises, {self.bots} moves of bots, {self.cuts} cuts, {self.kills} kills, "
            f"healed after {self.healed:.2f} s, refused {dict(self.refused)}, load {os.getloadavg()[0]:.1f}"
        )


async def cut(address: str) -> int:
    """Cut the connections on which servers hear of each other."""
    async with await psycopg.AsyncConnection.connect(address, autocommit=True) as link:
        row = await (await link.execute(CUT, ("LISTEN%",))).fetchone()
        return int(row[0]) if row else 0


async def raced(address: str, commands: int, parties: int, kills: int, seed: int) -> Raced:
    """Let two servers race for so many commands, and compare what everybody saw with what is stored."""
    houses, chance = [House(address), House(address)], Random(seed)
    crowd = Crowd([house.port for house in houses], parties, seed, bots=2)
    cuts = 0
    try:
        for house in houses:
            await house.start()
        crowd.come()
        dying = [commands * (turn + 1) // (kills + 1) for turn in range(kills)]
        while crowd.promised < commands:
            await asyncio.sleep(chance.uniform(0.1, 0.4))
            cuts += await cut(address)
            if dying and crowd.promised >= dying[0]:
                dying.pop(0)
                house = chance.choice(houses)
                house.kill()
                await house.start()
        crowd.closing = True
        await until(lambda: not any(player.asked for player in crowd.players), 30)
        cuts += await cut(address)
        begin = time.time()
        while (left := await behind(crowd, address)) and time.time() < begin + 20:
            await asyncio.sleep(0.05)
        assert left == []
        healed = time.time()
        kept = await kept_in(address)
        healed -= max(begin, *(log.game.touched_at for log in kept.logs.values()))
        wrong = wrong_records(kept)
        for house in houses:
            wrong += await wrongly_served(house.port, kept)
        refused = Counter(code for player in crowd.players for _, code, _ in player.complaints)
        return Raced(faults(crowd, kept), wrong, crowd.promised, refused, bots_of(kept), cuts, kills, healed)
    finally:
        await crowd.leave()
        for house in houses:
            house.kill()


async def behind(crowd: Crowd, address: str) -> list[str]:
    """List who, at either server, does not see the end of the log yet, or for whom something is still to come."""
    async with await psycopg.AsyncConnection.connect(address) as link:
        stored: dict[str, int] = dict(await (await link.execute("SELECT game, count FROM heads")).fetchall())
    found = []
    for player in crowd.players:
        game, number = (player.position or {}).get("game"), (player.position or {}).get("count")
        if not player.quiet or game is None or stored[game] != number:
            found.append(f"{player.name} at {player.ports[0]} sees {game}/{number} of {stored.get(game or '')}")
    return found


def bots_of(kept: Kept) -> int:
    """Count what the house did by itself."""
    return sum((row.command or "").startswith("bot:") for log in kept.logs.values() for row in log.rows)


def check_raced(address: str, commands: int, parties: int, kills: int, seed: int) -> None:
    """Insist that every log is whole, that every command was carried out once, and that all see the same."""
    found = asyncio.run(raced(address, commands, parties, kills, seed))
    print(found)
    assert found.faults == {name: [] for name in found.faults}
    assert found.wrong == []
    assert found.promised >= commands
    assert found.bots > 5
    assert found.cuts > 2
    assert found.healed < HEALED


def test_two_servers_that_race_for_six_hundred_commands_never_fork_a_room(postgres_address: str) -> None:
    check_raced(postgres_address, 600, 8, 1, 1)


@pytest.mark.torture
def test_two_servers_that_race_for_five_thousand_commands_never_fork_a_room(postgres_address: str) -> None:
    check_raced(postgres_address, 5000, 30, 12, 2)
