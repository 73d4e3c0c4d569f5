"""Several workers behind one port: a room has one worker, nobody is refused while workers come and go."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, cast

import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from knobel.cli import main
from knobel.web import worker_pool, worker_process
from knobel.web.affinity import choose_slot
from knobel.web.options import ServerOptions
from knobel.web.serve import end_on_hangup
from knobel.web.server import KnobelServer
from knobel.web.worker_pool import WorkerPool
from tests.processes.test_kill import play_on
from tests.support.promises import find_faults, find_wrong_records, read_database
from tests.support.socket_players import (
    PlayerPool,
    ServerProcess,
    connect_to_room,
    find_wrongly_served_rooms,
    receive_position,
)
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
    assert list(tmp_path.iterdir()) == [], "what is refused opens no database"


def test_a_process_that_serves_alone_ends_in_order_when_its_terminal_is_closed(tmp_path: Path) -> None:
    server = ServerProcess(f"sqlite:///{tmp_path / 'games.db'}")

    async def open_room_and_end() -> None:
        await server.start()
        pool = PlayerPool([server.port], 1, 3)
        try:
            pool.start()
            await wait_until(lambda: pool.acknowledged_count > 20)
        finally:
            await pool.stop()
        await end_in_order(server, str(pool.groups[0].room), signal.SIGHUP)

    # As in a terminal: what is started by nohup, as these tests may be, hands on that it does not care.
    kept = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        asyncio.run(open_room_and_end())
    finally:
        signal.signal(signal.SIGHUP, kept)
        server.kill()


def test_a_server_started_not_to_care_about_its_terminal_does_not() -> None:
    async def prepare(before: signal.Handlers) -> bool:
        signal.signal(signal.SIGHUP, before)
        end_on_hangup(server)
        return signal.getsignal(signal.SIGHUP) == before

    server = KnobelServer(uvicorn.Config("nothing", log_config=None), cast(Any, None), lambda: None)
    kept = signal.getsignal(signal.SIGHUP)
    try:
        assert asyncio.run(prepare(signal.SIG_IGN))
        assert not asyncio.run(prepare(signal.SIG_DFL))
    finally:
        signal.signal(signal.SIGHUP, kept)


def test_a_new_worker_that_never_serves_is_killed_and_the_old_ones_stay(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(worker_process, "COMMAND", ("tail", "-f", "/dev/null"))
    monkeypatch.setattr(worker_pool, "PING_SECONDS", 0.0)
    monkeypatch.setattr(worker_pool, "SILENT_SECONDS", 0.0)

    async def renew_once(listener: socket.socket) -> None:
        pool = WorkerPool(listener, ServerOptions(0, workers=2), "postgresql://nowhere")
        watching = pool.spawn(pool.watch())
        try:
            pool.renew()
            await wait_until(lambda: pool.renewing is not None and pool.renewing.done() and not pool.alive)
            assert pool.current == [None, None]
        finally:
            watching.cancel()

    with socket.create_server(("127.0.0.1", 0)) as listener, caplog.at_level(logging.ERROR, "knobel"):
        asyncio.run(renew_once(listener))
    assert [record.getMessage() for record in caplog.records] == ["renewing_failed {'slot': 0}"]


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


async def count_by_worker(server: WorkerServer, name: str) -> Mapping[str, float]:
    """Read a metric of every worker, however long a busy one takes to tell it."""
    found: dict[str, float] = {}

    def is_told_by_all() -> bool:
        found.update(server.count_by_process(name))
        return len(found.keys() - {"parent"}) == server.workers

    await wait_until(is_told_by_all)
    return found


async def lose_worker(server: WorkerServer, slot: int) -> None:
    """Kill a worker, and wait until another one has its place."""
    lost = int((await count_by_worker(server, "knobel_process_id"))[f"worker{slot}"])
    os.kill(lost, signal.SIGKILL)
    await wait_until(lambda: len(now := server.list_workers()) == server.workers and lost not in now)
    await wait_until(server.has_all_workers)


async def walk_through_a_life(server: WorkerServer) -> None:
    """Play, lose a worker, replace all, and end, with somebody at the door all the time."""
    await server.start()
    await wait_until(server.has_all_workers)
    pool = PlayerPool([server.port], 8, 3)
    try:
        pool.start()
        await wait_until(lambda: pool.acknowledged_count > 60 and all(player.room for player in pool.players))
        rooms = await count_by_worker(server, "knobel_rooms")
        assert sum(rooms.values()) == len(pool.groups), "a room has one worker, however many connections"
        assert rooms.keys() == {"worker0", "worker1"}
        slots = {player: choose_slot(str(player.group.room), server.workers) for player in pool.players}
        lost = slots[pool.players[0]]
        healthy = {player: player.sockets for player, slot in slots.items() if slot != lost}
        statuses = await knock_while(server.port, asyncio.create_task(lose_worker(server, lost)))
        # A worker that is killed takes with it the one request it may just have begun to answer.
        if CUT in statuses:
            statuses.remove(CUT)
        assert set(statuses) == {b"200"}
        assert [player.name for player, sockets in healthy.items() if player.sockets is not sockets] == []
        await play_on(pool, 30)
        statuses = await knock_while(server.port, asyncio.create_task(replace_workers(server)))
        assert set(statuses) == {b"200"}
        await play_on(pool, 30)
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


async def end_in_order(server: ServerProcess, room: str, sign: signal.Signals = signal.SIGTERM) -> None:
    """End the server while somebody watches, who is told so."""
    assert server.process is not None
    async with AsyncExitStack() as stack:
        link = await stack.enter_async_context(connect_to_room(server.port, "a" * 64, room))
        await receive_position(link)
        server.process.send_signal(sign)
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
