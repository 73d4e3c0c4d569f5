"""A terminal beside browsers at one table: over the same wire, through a server that is killed, with fair dice."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from knobel.rules import load_edition
from tests.support.socket_players import (
    EDITION,
    PlayerPool,
    ServerProcess,
    connect_to_room,
    encode_message,
    find_faults,
    find_wrong_records,
    post_json,
    read_database,
)
from tests.support.waiting import HANG_SECONDS, wait_until

BOXES = [box.id for box in load_edition(EDITION).rules().boxes]
SCRIPT = "".join(f"r\ns {box}\ns {box}\n" for box in BOXES)
"""Fills every box with the first roll; a zero is asked about, and then typed again."""


async def start_terminal(folder: Path, *words: str) -> asyncio.subprocess.Process:
    """Start a terminal with a home of its own."""
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "LC_ALL": "C.UTF-8", "COLUMNS": "80"}
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "knobel", *words), stdin=pipe, stdout=pipe, stderr=pipe, env=environment
    )


async def play_beside_browsers(folder: Path) -> tuple[str, str, PlayerPool, ServerProcess]:
    """Let a terminal play a whole game with two thin clients, while somebody looks on; kill the server in between."""
    server = ServerProcess(f"sqlite:///{folder / 'table.db'}")
    pool = PlayerPool([server.port], 1, seed=11)
    del pool.players[2:]
    pool.groups[0].has_bot = False
    try:
        await server.start()
        pool.start()
        await pool.groups[0].opened.wait()
        link = f"http://localhost:{server.port}/room/{pool.groups[0].room}"
        watcher = await start_terminal(folder / "watcher", "watch", link)
        player = await start_terminal(folder / "player", "join", link, "--name", "Ann")
        seen = asyncio.gather(watcher.communicate(), player.communicate(SCRIPT.encode()))
        await wait_until(lambda: pool.acknowledged_count > 40)
        server.kill()
        await server.start()
        (watched, _), (played, wrong) = await asyncio.wait_for(seen, HANG_SECONDS)
        assert (player.returncode, wrong.decode()) == (0, "")
        return played.decode(), watched.decode(), pool, server
    finally:
        await pool.stop()
        server.kill()


@pytest.mark.process
def test_a_terminal_plays_with_browsers_through_a_kill_and_checks_the_dice(tmp_path: Path) -> None:
    played, watched, pool, server = asyncio.run(play_beside_browsers(tmp_path))
    kept = asyncio.run(read_database(server.database))
    assert find_faults(pool, kept) == {name: [] for name in find_faults(pool, kept)}
    assert find_wrong_records(kept) == []
    first = next(log for log in kept.logs.values() if log.game.is_closed)
    assert "Ann" in first.game.names
    for text in (played, watched):
        said = " ".join(text.split())
        assert said.count("The connection is lost. Trying again… Connected again.") == 1
        assert "3. " in said
        assert f"game {first.game.id}" in said
        assert "the sealed seeds of 3 players were used" in said
    assert played.count("Ann scores") == len(BOXES)
    assert "The seed of this terminal is part of these dice." in " ".join(played.split())
    assert "The seed of this terminal" not in watched


async def host_real_dice(port: int, room: str, token: str) -> None:
    """Wait for one guest, give them real dice, and begin."""
    async with connect_to_room(port, token, room) as link:

        async def want(**intent: object) -> None:
            await link.send(encode_message({"do": "want", "id": f"host-{intent['want']}", "intent": intent}))

        async for message in link:
            heard = json.loads(message)
            if heard["is"] == "room" and not heard["view"]["running"] and len(heard["view"]["seats"]) == 2:
                if heard["view"]["seats"][1]["real_dice"]:
                    await want(want="begin")
                else:
                    await want(want="real_dice", seat=1, real=True)


async def join_with_real_dice(folder: Path, free: bool, typed: str) -> str:
    """Let a terminal join a room with real dice, beside a bot; free: everybody plays their own column."""
    server, token = ServerProcess(f"sqlite:///{folder / 'table.db'}"), "ab" * 32
    settings = {"edition": EDITION, "pace": 0.0, "free": free}
    request = {
        "id": "open",
        "settings": settings,
        "seats": [{"want": "sit_bot", "bot": "random", "name": "Robot"}],
    }
    try:
        await server.start()
        room = str((await post_json(server.port, "/api/rooms", request, token))["room"])
        host = asyncio.create_task(host_real_dice(server.port, room, token))
        terminal = await start_terminal(
            folder / "player", "join", f"http://localhost:{server.port}/room/{room}", "--name", "Ann"
        )
        played, wrong = await asyncio.wait_for(terminal.communicate(typed.encode()), HANG_SECONDS)
        host.cancel()
        assert (terminal.returncode, wrong.decode()) == (0, "")
        return " ".join(played.decode().split())
    finally:
        server.kill()


@pytest.mark.process
@pytest.mark.rest
@pytest.mark.parametrize("free", [False, True])
def test_a_terminal_enters_real_dice_at_a_table(tmp_path: Path, free: bool) -> None:
    said = asyncio.run(join_with_real_dice(tmp_path, free, "11135\ns ones\ne sixes 18\nq\n"))
    assert "Ann’s dice show 1 1 1 3 5." in said
    assert "Ann scores 3 in Ones. Total 3." in said
    assert "Ann scores 18 in Sixes. Total 21." in said
    assert "Come back with: knobel join" in said
