"""A connection goes to the worker of the room it names first."""

import asyncio
import socket
from collections import Counter

import pytest

from knobel.host.room_setup import derive_room_id
from knobel.web.affinity import choose_slot, find_room
from knobel.web.connection_gate import ConnectionGate
from knobel.web.wire import WIRE_VERSION

ROOM = derive_room_id("device", "command")


@pytest.mark.parametrize(
    "path",
    [
        *(f"/ws/{WIRE_VERSION}/{ROOM}?lang=en", f"/room/{ROOM}", f"/room/{ROOM}/screen", f"/qr/{ROOM}.svg"),
        *(f"/rooms/{ROOM}/certificate.pdf", f"/api/rooms/{ROOM}/sheet"),
    ],
)
def test_every_path_of_a_room_names_it(path: str) -> None:
    assert find_room(f"GET {path} HTTP/1.1\r\nHost: x\r\n".encode()) == ROOM


@pytest.mark.parametrize(
    "head",
    [
        *(b"", b"GE", b"GET / HTTP/1.1", b"POST /api/rooms HTTP/1.1", b"POST /api/rooms/from-game HTTP/1.1"),
        *(f"GET /room/{ROOM}x HTTP/1.1".encode(), f"GET /static/{ROOM} HTTP/1.1".encode()),
        *(b"GET /room/\xff\xff HTTP/1.1", b"\x16\x03\x01"),
    ],
)
def test_whatever_names_no_room_goes_to_any_worker(head: bytes) -> None:
    assert find_room(head) is None


def test_rooms_are_spread_evenly_and_always_alike() -> None:
    rooms = [derive_room_id("device", str(number)) for number in range(1000)]
    found = Counter(choose_slot(room, 4) for room in rooms)
    assert set(found) == {0, 1, 2, 3}
    assert min(found.values()) > 200
    assert [choose_slot(room, 4) for room in rooms[:50]] == [choose_slot(room, 4) for room in rooms[:50]]


async def run_gate(said: bytes | None) -> tuple[list[tuple[bytes, str | None]], int]:
    """Let one client say something at a gate; give what a worker would read, and how many are still silent."""
    listener, passed = socket.create_server(("127.0.0.1", 0)), asyncio.Event()
    found: list[tuple[bytes, str | None]] = []

    def pass_on(connection: socket.socket, room: str | None) -> None:
        with connection:
            found.append((connection.recv(1000), room))
        passed.set()

    gate = ConnectionGate(listener, pass_on)
    gate.open()
    with socket.create_connection(listener.getsockname()) as client:
        client.setblocking(False)
        if said is None:
            while not gate.silent:
                await asyncio.sleep(0)
        else:
            client.sendall(said)
            await passed.wait()
        silent = len(gate.silent)
        gate.close()
        if said is None:
            assert await asyncio.get_running_loop().sock_recv(client, 1) == b""
    return found, silent


def test_the_gate_takes_no_byte_of_what_the_worker_reads() -> None:
    said = f"GET /room/{ROOM} HTTP/1.1\r\n".encode()
    assert asyncio.run(run_gate(said)) == ([(said, ROOM)], 0)


def test_whoever_says_nothing_is_held_by_the_gate_alone_and_let_go_at_the_end() -> None:
    assert asyncio.run(run_gate(None)) == ([], 1)
