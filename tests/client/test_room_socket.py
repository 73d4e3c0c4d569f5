"""A socket comes back by itself, and counts as connected only to a server that says something."""

import asyncio
import contextlib

import pytest
from websockets.asyncio.server import ServerConnection, serve

from knobel.client import room_socket
from knobel.client.device_file import KnownServer
from knobel.client.messages import News
from knobel.client.room_socket import RoomSocket, SocketEvents
from tests.support.hosted_rooms import run_async

SILENT_CONNECTIONS = 2


@run_async
async def test_a_server_that_takes_connections_and_says_nothing_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_socket, "IDLE_SECONDS", 0.05)
    monkeypatch.setattr(room_socket, "ANSWER_SECONDS", 0.05)
    taken, states, connected = list[ServerConnection](), list[bool](), asyncio.Event()

    async def take(link: ServerConnection) -> None:
        taken.append(link)
        if len(taken) > SILENT_CONNECTIONS:
            await link.send('{"is":"pong"}')
        await link.wait_closed()

    def note(is_connected: bool) -> None:
        states.append(is_connected)
        if is_connected:
            connected.set()

    async def ignore(_: News) -> None: ...

    async with serve(take, "127.0.0.1", 0) as server:
        here = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        events = SocketEvents(lambda: None, ignore, note)
        running = asyncio.create_task(
            RoomSocket(f"ws://{here}/", f"http://{here}", KnownServer("a" * 64, "b" * 64), events).run()
        )
        await connected.wait()
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
    # On a busy machine one that would have said something may be given up, too.
    assert (len(states) > SILENT_CONNECTIONS, states) == (True, [*[False] * (len(states) - 1), True])
