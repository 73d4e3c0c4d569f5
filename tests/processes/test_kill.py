"""Killed at any moment, again and again, the server loses nothing it promised, and does nothing twice."""

import asyncio
import resource
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.support.promises import Faults, find_faults, find_wrong_records, read_database
from tests.support.selection import rest
from tests.support.socket_players import Behaviour, PlayerPool, ServerProcess, find_wrongly_served_rooms
from tests.support.waiting import wait_until

GROUPS = 20
LEAST = 20
"""However busy the machine is, so many commands at least are promised between two kills."""
MOST = 20
"""However quickly a server answers, one kill in so many at least hits commands that have no answer yet."""


@dataclass(frozen=True)
class Seen:
    """What the players met: their faults, how much they were promised, and how the server came back."""

    faults: Faults
    wrong: list[str]
    promised: int
    resent: int
    games: int
    closed: int
    kills: int

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.promised} acknowledged, {self.resent} sent again, "
            f"{self.games} games ({self.closed} closed)"
        )


async def crash_server(server: ServerProcess) -> None:
    """Kill a server, and start it again."""
    server.kill()
    await server.start()


async def play_on(pool: PlayerPool, commands: int) -> None:
    """Wait until so many more commands are promised, and somebody waits for an answer."""
    enough = pool.acknowledged_count + commands
    await wait_until(lambda: pool.acknowledged_count >= enough and pool.is_waiting)


async def play_through_kills(
    server: ServerProcess,
    kills: int,
    seed: int,
    least: int = LEAST,
    resends: int = 0,
    crash: Callable[[ServerProcess], Awaitable[None]] = crash_server,
    groups: int = GROUPS,
    comes_to_rest: bool = True,
) -> Seen:
    """Play under load while something is killed at random moments, then compare all promises with what is stored.

    It is killed so often, and then until so many commands had to be sent again. A server that may never come to rest
    is killed once more instead, and only what it stored is compared.
    """
    pool, chance = PlayerPool([server.port], groups, seed), Random(seed)
    try:
        await server.start()
        pool.start()
        await play_on(pool, least + chance.randrange(3 * LEAST))
        killed = 0
        while killed < kills or (pool.resend_count < resends and killed < MOST * kills):
            await crash(server)
            killed += 1
            await play_on(pool, least + chance.randrange(3 * LEAST))
        if comes_to_rest:
            await pool.wait_until_idle()
        else:
            server.kill()
        kept = await read_database(server.database)
        wrong = find_wrong_records(kept)
        wrong += await find_wrongly_served_rooms(server.port, kept) if comes_to_rest else []
        closed = sum(log.game.is_closed for log in kept.logs.values())
        found = find_faults(pool, kept)
        return Seen(
            found,
            wrong,
            pool.acknowledged_count,
            pool.resend_count,
            len(kept.logs),
            closed,
            killed,
        )
    finally:
        await pool.stop()
        server.kill()


def database(folder: Path) -> str:
    """Give the address of a file in a folder."""
    return f"sqlite:///{folder / 'kill.db'}"


def check_killed(folder: Path, kills: int, seed: int) -> None:
    """Insist that nothing is lost, doubled or missing, and that the server is soon there again."""
    seen = asyncio.run(play_through_kills(ServerProcess(database(folder)), kills, seed, resends=kills + 1))
    print(seen)
    check_kept(seen)
    assert seen.promised >= LEAST * kills
    assert seen.resent > kills


def check_kept(seen: Seen) -> None:
    """Insist that every promise was kept, once, and that stored, served and replayed are the same."""
    assert seen.faults == {name: [] for name in seen.faults}
    assert seen.wrong == []


@pytest.mark.parametrize("kills", [3, rest(50)])
def test_kills_under_load_lose_nothing_double_nothing_and_leave_no_gap(tmp_path: Path, kills: int) -> None:
    check_killed(tmp_path, kills, 1)


@pytest.mark.torture
def test_five_hundred_kills_under_load_lose_nothing_double_nothing_and_leave_no_gap(tmp_path: Path) -> None:
    check_killed(tmp_path, 500, 2)


def mutant(name: str, folder: Path) -> Faults:
    """Put a server with one thing wrong through the same kills as the right one, and insist that it does not pass."""
    server = ServerProcess(database(folder), (sys.executable, "-m", "tests.support.faulty_servers", name))
    seen = asyncio.run(play_through_kills(server, 2, 3, least=600, comes_to_rest=False))
    with pytest.raises(AssertionError):
        check_kept(seen)
    print(seen, {kind: len(found) for kind, found in seen.faults.items()})
    return seen.faults


@pytest.mark.rest
def test_a_server_that_is_killed_before_it_comes_to_rest_has_kept_all_promises(tmp_path: Path) -> None:
    check_kept(asyncio.run(play_through_kills(ServerProcess(database(tmp_path)), 2, 3, least=600, comes_to_rest=False)))


@pytest.mark.rest
def test_a_server_that_answers_before_it_commits_is_caught_losing_what_it_promised(tmp_path: Path) -> None:
    assert mutant("ack-before-commit", tmp_path)["lost"]


@pytest.mark.rest
def test_a_server_that_knows_no_command_again_is_caught_doing_things_twice(tmp_path: Path) -> None:
    found = mutant("no-command-id", tmp_path)
    assert found["duplicated"]
    assert found["contradicted"]


async def wait_until_nothing_is_stored(pool: PlayerPool) -> int:
    """Wait until everybody is refused again and again and nothing is promised meanwhile; count the promises so far."""
    while True:
        promised, refused = pool.acknowledged_count, len(pool.refusals_with("database_full"))
        enough = refused + 2 * len(pool.players)
        await wait_until(lambda enough=enough: len(pool.refusals_with("database_full")) >= enough)  # type: ignore[misc]
        if pool.acknowledged_count == promised:
            return promised


async def fill_up(server: ServerProcess) -> tuple[PlayerPool, Faults, list[str]]:
    """Play, let the disk be full for a while, and play on."""
    pool = PlayerPool([server.port], 6, 4, behaviour=Behaviour(think_seconds=0.01))
    try:
        await server.start()
        pool.start()
        await wait_until(lambda: pool.acknowledged_count > 150)
        assert server.process is not None
        sizes = [file.stat().st_size for file in Path(server.database.removeprefix("sqlite:///")).parent.iterdir()]
        free = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (max(sizes), free[1]))
        full = await wait_until_nothing_is_stored(pool)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, free)
        await wait_until(lambda: pool.acknowledged_count > full + 50)
        await pool.wait_until_idle()
        kept = await read_database(server.database)
        return (
            pool,
            find_faults(pool, kept),
            find_wrong_records(kept) + await find_wrongly_served_rooms(server.port, kept),
        )
    finally:
        await pool.stop()
        server.kill()


def test_a_full_disk_is_said_in_a_sentence_loses_nothing_and_is_over_when_there_is_space_again(tmp_path: Path) -> None:
    pool, found, wrong = asyncio.run(fill_up(ServerProcess(database(tmp_path))))
    assert found == {name: [] for name in found}
    assert wrong == []
    said = {text for _, text in pool.refusals_with("database_full")}
    assert len(said) == 1
    assert str(tmp_path) not in said.pop()
