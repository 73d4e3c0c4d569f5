"""A walk over every call of a game to its files: each fails once, in a process of its own, and all is compared.

Run under the shim of fault_shim.c; prints what was found as JSON, one line for each kind of call.

    LD_PRELOAD=fault_shim.so python -m tests.support.fault_walk FOLDER STEP
"""

import asyncio
import ctypes
import errno
import json
import os
import shutil
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from knobel.errors import DatabaseError, KnobelError
from knobel.host import Host
from knobel.host.archive import export_record
from knobel.record.verify import verify
from knobel.rooms.intents import Advance, Sit
from knobel.store.backup import write_backup
from knobel.store.sqlite import SqliteStore
from tests.support.hosted_rooms import ANN, SHORT_GAME, HostedRoom
from tests.support.waiting import HANG_SECONDS

KINDS = ("write", "sync", "open", "truncate", "rename", "unlink")
MAX_TRIES = 20
ResultT = TypeVar("ResultT")


class Player(HostedRoom):
    """Plays like a client: what has no answer is sent again under its old id; and notes every promise."""

    promises: dict[str, tuple[int | None, str | None]]
    refused: list[str]
    failures: int

    async def execute(self, intent: Any, device: str = ANN, command: str | None = None, game: str | None = None) -> Any:
        name = command or f"{device} {next(self.counter)}"
        reply = await self.insist(lambda: super(Player, self).execute(intent, device, name, game), name)
        self.promises[name] = (reply.count, reply.head)
        return reply

    async def insist(self, act: Callable[[], Awaitable[ResultT]], name: str) -> ResultT:
        """Try until there is an answer; a repeat that is refused for anything but the database is a fault."""
        for _ in range(MAX_TRIES):
            try:
                return await act()
            except DatabaseError:
                self.failures += 1
            except KnobelError as error:
                self.refused.append(f"{name}: {error.code}")
                raise
        raise TimeoutError(name)


async def open_patiently(path: Path, failures: list[int]) -> SqliteStore:
    """Open a file as somebody does who starts a server again that could not."""
    for _ in range(MAX_TRIES):
        try:
            return await SqliteStore.open(path, exclusive=True)
        except DatabaseError:
            failures.append(1)
    raise TimeoutError(path)


async def play(folder: Path) -> dict[str, Any]:
    """Play a game from an empty folder to its end, with a backup after it; give what was promised."""
    failed: list[int] = []
    store = await open_patiently(folder / "walk.db", failed)
    host = Host(store, paced=False, seed_seconds=0.0)
    player = Player(host, "")
    player.promises, player.refused, player.failures = {}, [], 0
    room = await player.insist(lambda: host.open_room(ANN, "open", SHORT_GAME), "open")
    player.id = room.id
    await player.execute(Sit("Ann"))
    await player.begin_game()
    table = await player.play(Random(1))
    await player.execute(Advance(table.replay.ply))
    for _ in range(MAX_TRIES):
        try:
            await write_backup(store, folder / "walk.backup")
            break
        except KnobelError:
            player.failures += 1
    game = table.header.game
    await host.close()
    return {
        "promises": player.promises,
        "refused": player.refused,
        "failures": player.failures + len(failed),
        "game": game,
    }


async def find_faults(folder: Path, told: dict[str, Any]) -> list[str]:
    """Compare what was promised with what is stored, in a process in which nothing fails."""
    store = await SqliteStore.open(folder / "walk.db")
    try:
        rows = await store.list_events(told["game"])
        stored = await store.find_game(told["game"])
        found = list(told["refused"])
        if stored is None or [row.seq for row in rows] != list(range(1, stored.event_count + 1)):
            return [*found, "gap"]
        ends = {row.command: row.last_seq for row in rows if row.command is not None}
        for name, (count, _) in told["promises"].items():
            room_command = await store.find_room_command(stored.room_id, name)
            if count is None and room_command is None:
                found.append(f"lost in the room: {name}")
            elif count is not None and room_command is None and ends.get(name, count) != count:
                found.append(f"another count: {name}")
            elif count is not None and room_command is None and name not in ends:
                found.append(f"lost in the game: {name}")
        if len([row for row in rows if row.command in told["promises"]]) != len(set(ends) & set(told["promises"])):
            found.append("doubled")
        if not verify(await export_record(store, told["game"]), "walk").is_verified:
            found.append("not verified")
        return found
    finally:
        await store.close()


def run_child(shim: ctypes.CDLL, folder: Path, kind: int, at: int) -> tuple[int, str]:
    """Play in a child in which one call fails; give how many calls there were, and the report of the child."""
    folder.mkdir(parents=True)
    ending, begin = os.pipe()
    if (child := os.fork()) == 0:
        os.close(ending)
        code = 1
        try:
            shim.fault_arm(str(folder).encode(), kind, ctypes.c_long(at), errno.EIO)
            told = asyncio.run(asyncio.wait_for(play(folder), HANG_SECONDS))
            counts = [shim.fault_count(one) for one in range(len(KINDS))]
            shim.fault_arm(b"/nowhere/at/all", -1, ctypes.c_long(0), 0)
            os.write(begin, json.dumps({**told, "counts": counts}).encode())
            code = 0
        except BaseException as error:  # noqa: BLE001 - the parent names it
            os.write(begin, json.dumps({"error": f"{type(error).__name__}: {error}"}).encode())
        finally:
            os._exit(code)
    os.close(begin)
    content = b""
    while piece := os.read(ending, 1 << 16):
        content += piece
    os.close(ending)
    return os.waitpid(child, 0)[1], content.decode()


def walk(shim: ctypes.CDLL, base: Path, step: int) -> None:
    """Let every call of every kind fail once, or only every nth call."""
    _, plain = run_child(shim, base / "plain", -1, 0)
    counts = json.loads(plain)["counts"]
    for kind, name in enumerate(KINDS):
        found: list[str] = []
        told = runs = met = 0
        for at in range(1, counts[kind] + 1, step):
            folder = base / f"{name}-{at}"
            _, content = run_child(shim, folder, kind, at)
            outcome = json.loads(content)
            runs += 1
            if "error" in outcome:
                found.append(f"{at}: {outcome['error']}")
            else:
                told += len(outcome["promises"])
                met += outcome["failures"] > 0
                found += [f"{at}: {fault}" for fault in asyncio.run(find_faults(folder, outcome))]
            shutil.rmtree(folder)
        line = {"call": name, "calls": counts[kind], "failed": runs, "noticed": met, "promises": told, "faults": found}
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    walk(ctypes.CDLL(os.environ["LD_PRELOAD"]), Path(sys.argv[1]), int(sys.argv[2]))
