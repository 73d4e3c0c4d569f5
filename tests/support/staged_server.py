"""A server with rooms that were played before it started, for tests that need a table in a certain state."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from knobel.host import Host
from knobel.store.sqlite import SqliteStore
from tests.screenshots import ADA, BEFORE, Stage
from tests.support.browser import Screen, Server
from tests.support.proofs import proof_script


class StagedServer(Server):
    """A server with rooms that were played before it started."""

    rooms: dict[str, str]
    games: dict[str, str]

    def __init__(self, folder: Path, play: Callable[[Stage], Awaitable[None]]) -> None:
        super().__init__(folder)
        asyncio.run(self.stage(play))

    async def stage(self, play: Callable[[Stage], Awaitable[None]]) -> None:
        """Play the rooms."""
        host = Host(await SqliteStore.open(self.database), paced=False)
        stage = Stage(host)
        await play(stage)
        self.rooms = stage.rooms
        self.games = {name: str((await host.find_session(one)).room.game) for name, one in stage.rooms.items()}
        await host.close()

    def address(self, room: str) -> str:
        """The address of a room."""
        return f"{self.url}/room/{self.rooms[room]}"


def own(one: Screen, server: Server, token: str = ADA, **prefs: object) -> Screen:
    """Make this the browser of somebody, with what it remembers."""
    context = one.page.context
    context.add_cookies([{"name": "knobel", "value": token, "url": server.url}])
    kept = json.dumps(BEFORE | prefs)
    context.add_init_script(f"localStorage['knobel.prefs'] ??= {json.dumps(kept)}")
    context.add_init_script(proof_script(token))
    return one


def enter(one: Screen, server: StagedServer, room: str, token: str = ADA, **prefs: object) -> Screen:
    """Enter a room with somebody's browser."""
    own(one, server, token, **prefs).page.goto(server.address(room))
    one.wait_for("knobel-table .tray")
    return one
