"""A terminal beside browsers at one table: over the same wire, through a server that is killed, with fair dice."""

import asyncio
import json
import os
import re
import sys
import time
from asyncio.subprocess import Process
from pathlib import Path
from typing import Any

import pytest

from knobel.record.file import encode_log
from knobel.record.verify import verify
from knobel.rules import load_edition
from tests.support.promises import find_faults, find_wrong_records, read_database
from tests.support.socket_players import EDITION, PlayerPool, ServerProcess, connect_to_room, encode_message, post_json
from tests.support.waiting import HANG_SECONDS, wait_until

PATIENT_COMMAND = (sys.executable, "-m", "tests.support.patient_terminal")
BOXES = [box.id for box in load_edition(EDITION).rules().boxes]
SCRIPT = "".join(f"r\ns {box}\ns {box}\n" for box in BOXES)
"""Fills every box with the first roll; a zero is asked about, and then typed again."""


async def start_terminal(folder: Path, *words: str) -> Process:
    """Start a terminal with a home of its own, which gives nothing up because the machine is busy."""
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "LC_ALL": "C.UTF-8", "COLUMNS": "80"}
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *PATIENT_COMMAND, *words, stdin=pipe, stdout=pipe, stderr=pipe, env=environment
    )


def close_input(terminal: Process, typed: str) -> None:
    """Type all there is to type."""
    assert terminal.stdin is not None
    terminal.stdin.write(typed.encode())
    terminal.stdin.close()


async def listen_until(terminal: Process, awaited: bytes) -> bytes:
    """Read what a terminal says until something was said, or to the end."""
    assert terminal.stdout is not None
    said = b""
    async with asyncio.timeout(HANG_SECONDS):
        while awaited not in said and (line := await terminal.stdout.readline()):
            said += line
    return said


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
        # Whoever looks on is there before the last player comes, so nothing of the game is missed.
        watcher = await start_terminal(folder / "watcher", "watch", link)
        close_input(watcher, "")
        lobby = await listen_until(watcher, b"Waiting")
        player = await start_terminal(folder / "player", "join", link, "--name", "Ann")
        close_input(player, SCRIPT)
        first_roll = await listen_until(player, b"Ann, roll 1 of 3")
        seen = asyncio.gather(watcher.communicate(), player.communicate())
        await wait_until(lambda: pool.acknowledged_count > 40)
        server.kill()
        await server.start()
        (watched, _), (played, wrong) = await asyncio.wait_for(seen, HANG_SECONDS)
        watched, played = lobby + watched, first_roll + played
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
        # A move that arrived with the end of the connection may be told in between, and the server may close another
        # one while it is busy.
        told = re.findall(r"The connection is lost\. Trying again…|Connected again\.", said)
        assert len(told) >= 2
        assert told == [("Connected again." if place % 2 else told[0]) for place in range(len(told))]
        assert told[0].startswith("The connection is lost.")
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


async def begin_when_all_sit(port: int, room: str, token: str) -> None:
    """Begin as soon as everybody has taken the seat that is saved for them, and promised a seed."""
    async with connect_to_room(port, token, room) as link:
        async for message in link:
            heard = json.loads(message)
            view: dict[str, Any] = heard["view"] if heard["is"] == "room" else {"game": "running"}
            if view["game"] is None and not any(seat["offered"] for seat in view["seats"]):
                command = f"begin-{time.monotonic_ns()}"
                await link.send(encode_message({"do": "want", "id": command, "intent": {"want": "begin"}}))


async def play_until_heard(terminal: Process, typed: str, awaited: bytes, heard: asyncio.Event) -> tuple[bytes, bytes]:
    """Play to the end, and let others know once the terminal has said something."""
    close_input(terminal, typed)
    said = await listen_until(terminal, awaited)
    heard.set()
    rest, wrong = await terminal.communicate()
    return said + rest, wrong


async def play_afterwards(terminal: Process, typed: str, heard: asyncio.Event) -> tuple[bytes, bytes]:
    await heard.wait()
    return await terminal.communicate(typed.encode())


async def play_duplicate(folder: Path, first: str, second: str) -> tuple[list[str], bytes]:
    """Let two terminals play a duplicate game to its end; give what they say, and the record.

    The second one begins once the first has undone a move: later the turn would be over, and nothing undone any more.
    """
    server, token = ServerProcess(f"sqlite:///{folder / 'table.db'}"), "ab" * 32
    names = ("Ann", "Ben")
    seats = [{"want": "sit", "name": name, "offered": True} for name in names]
    request = {"id": "open", "settings": {"edition": EDITION, "duplicate": True}, "seats": seats}
    try:
        await server.start()
        room = str((await post_json(server.port, "/api/rooms", request, token))["room"])
        link = f"http://localhost:{server.port}/room/{room}"
        host = asyncio.create_task(begin_when_all_sit(server.port, room, token))
        terminals = [await start_terminal(folder / name, "join", link, "--name", name) for name in names]
        heard = asyncio.Event()
        talks = play_until_heard(terminals[0], first, b"Undone.", heard), play_afterwards(terminals[1], second, heard)
        said = await asyncio.wait_for(asyncio.gather(*talks), HANG_SECONDS)
        host.cancel()
        assert [(one.returncode, wrong.decode()) for one, (_, wrong) in zip(terminals, said, strict=True)] == [
            (0, "")
        ] * 2
        (log,) = (await read_database(server.database)).logs.values()
        links = [(row.previous, row.body) for row in log.rows]
        return [text.decode() for text, _ in said], encode_log(log.game.header, log.game.names, links)
    finally:
        server.kill()


@pytest.mark.process
def test_terminals_play_duplicate_and_see_the_others_turns_only_afterwards(tmp_path: Path) -> None:
    texts, record = asyncio.run(play_duplicate(tmp_path, "r\ns chance\nu\n" + SCRIPT.removeprefix("r\n"), SCRIPT))
    assert verify(record, "duplicate.knobel").is_verified
    for (name, other), text in zip((("Ann", "Ben"), ("Ben", "Ann")), texts, strict=True):
        said = " ".join(text.split())
        own, theirs = ([*re.finditer(rf"{one}, roll 1 of 3: ([1-6 ]+)", said)] for one in (name, other))
        assert [one[1] for one in own] == [one[1] for one in theirs]
        assert len(own) == len(BOXES)
        # A position that is replayed is not asked about again; after a move that was undone the box comes once more.
        assert said.count("Type r to roll.") == len(BOXES) + ("Undone." in said)
        scored = [one.start() for one in re.finditer(rf"{name} scores", said)]
        settled = [max(place for place in scored if place < later.start()) for later in own[1:]]
        assert all(place < shown.start() for place, shown in zip(settled, theirs, strict=False))
        assert "the sealed seeds of 2 players were used" in said
        assert "The seed of this terminal is part of these dice." in said
        # Both scored the same boxes with the same dice, so both are at the average.
        assert re.search(r"Everyone had the same dice vs. average .* Ann 0.0 .* Ben 0.0 ", said)
    assert "Undone." in texts[0]


async def join_without_input(folder: Path) -> str:
    """Let a terminal whose input has ended join a room of duplicate that it leads alone."""
    server, token = ServerProcess(f"sqlite:///{folder / 'table.db'}"), "ab" * 32
    request = {"id": "open", "settings": {"edition": EDITION, "duplicate": True}, "seats": []}
    try:
        await server.start()
        room = str((await post_json(server.port, "/api/rooms", request, token))["room"])
        link = f"http://localhost:{server.port}/room/{room}"
        terminal = await start_terminal(folder / "player", "join", link, "--name", "Ann")
        said, wrong = await asyncio.wait_for(terminal.communicate(b""), HANG_SECONDS)
        assert (terminal.returncode, wrong.decode()) == (0, "")
        return " ".join(said.decode().split())
    finally:
        server.kill()


@pytest.mark.process
def test_a_terminal_whose_input_has_ended_leaves_the_lobby_and_says_how_to_come_back(tmp_path: Path) -> None:
    said = asyncio.run(join_without_input(tmp_path))
    assert "Come back with: knobel join" in said
