"""Several workers behind one port: a room has one worker, nobody is refused while workers come and go."""

import asyncio
import contextlib
import signal
import socket
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from knobel.cli import main
from tests.support.promises import find_faults, find_wrong_records, read_database
from tests.support.socket_players import PlayerPool, connect_to_room, find_wrongly_served_rooms, receive_position
from tests.support.waiting import HANG_SECONDS, wait_until
from tests.support.worker_servers import WorkerServer

pytestmark = pytest.mark.process


def test_on_sqlite_several_workers_are_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = f"sqlite:///{tmp_path / 'games.db'}"
    assert main(["serve", "--no-open", "--workers", "2", "--lang", "en", "--database", database]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "PostgreSQL" in said.err
    assert "--workers 2" in said.err


CUT = b"cut"


def knock(port: int) -> bytes:
    """Open a new connection, ask for the page, and give the status; one that is cut gives `CUT`."""
    with socket.create_connection(("127.0.0.1", port), HANG_SECONDS) as link, contextlib.suppress(ConnectionError):
        link.sendall(f"GET / HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while part := link.recv(65536):
            answer += part
        return answer.split(b" ")[1] if answer else CUT
    return CUT


async def knock_while(port: int, task: asyncio.Task[None]) -> list[bytes]:
    """Come again and again until a task is done; give every status."""
    found = []
    while not task.done():
        found.append(await asyncio.to_thread(knock, port))
    await task
    return found


async def replace_workers(server: WorkerServer) -> None:
    """Ask for new workers, and wait until all are others."""
    assert server.process is not None
    before = set(server.list_workers())
    server.process.send_signal(signal.SIGHUP)
    await wait_until(lambda: len(now := server.list_workers()) == server.workers and before.isdisjoint(now))
    await wait_until(server.has_all_workers)


async def lose_worker(server: WorkerServer) -> None:
    """Kill a worker, and wait until another one has its place."""
    before = set(server.list_workers())
    server.kill_worker(Random(1))
    await wait_until(lambda: len(server.list_workers()) == server.workers and set(server.list_workers()) != before)
    await wait_until(server.has_all_workers)


async def walk_through_a_life(server: WorkerServer) -> None:
    """Play, replace the workers, lose one, and end, with somebody at the door all the time."""
    await server.start()
    await wait_until(server.has_all_workers)
    pool = PlayerPool([server.port], 5, 3)
    try:
        pool.start()
        await wait_until(lambda: pool.acknowledged_count > 40)
        rooms = server.count_by_process("knobel_rooms")
        assert sum(rooms.values()) == len(pool.groups), "a room has one worker, however many connections"
        assert server.count_by_process("knobel_connections").keys() == {"worker0", "worker1"}
        for change in (replace_workers, lose_worker):
            statuses = await knock_while(server.port, asyncio.create_task(change(server)))
            # A worker that is killed takes with it the one request it may just have begun to answer.
            if change is lose_worker and CUT in statuses:
                statuses.remove(CUT)
            assert set(statuses) == {b"200"}
            enough = pool.acknowledged_count + 30
            await wait_until(lambda enough=enough: pool.acknowledged_count > enough)  # type: ignore[misc]
        assert server.count_by_process("knobel_worker_deaths_total") == {"parent": 1}
        await pool.wait_until_idle()
        stored = await read_database(server.database)
        assert {kind: some for kind, some in find_faults(pool, stored).items() if some} == {}
        assert find_wrong_records(stored) + await find_wrongly_served_rooms(server.port, stored) == []
    finally:
        await pool.stop()
    await end_in_order(server, next(iter(stored.rooms)))


async def hear_until_closed(link: ClientConnection) -> ConnectionClosed:
    """Hear a server until it closes the connection, and say how it did."""
    while True:
        try:
            await asyncio.wait_for(link.recv(), HANG_SECONDS)
        except ConnectionClosed as closed:
            return closed


async def end_in_order(server: WorkerServer, room: str) -> None:
    """End the server while somebody watches, who is told so."""
    assert server.process is not None
    async with AsyncExitStack() as stack:
        link = await stack.enter_async_context(connect_to_room(server.port, "a" * 64, room))
        await receive_position(link)
        server.process.send_signal(signal.SIGTERM)
        closed = await hear_until_closed(link)
    assert closed.rcvd is not None
    assert (closed.rcvd.code, "restarting" in closed.rcvd.reason) == (1012, True)
    assert await asyncio.to_thread(server.process.wait, HANG_SECONDS) == 0


@pytest.mark.rest
@pytest.mark.database
def test_workers_come_and_go_and_nobody_at_the_door_is_refused(postgres_address: str) -> None:
    server = WorkerServer(postgres_address, 2)
    try:
        asyncio.run(walk_through_a_life(server))
    finally:
        server.kill()
