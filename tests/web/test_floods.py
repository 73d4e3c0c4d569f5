"""Too much of everything: messages, sockets, rooms, nonsense; the server stays small, polite and open to the others."""

import asyncio
import contextlib
import gc
import secrets
import socket
import sqlite3
import struct
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import chain, count, takewhile
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from knobel.errors import TooManyPages
from knobel.host import Host
from knobel.host.archive import DAY_SECONDS, LOBBY_DAYS, tidy_rooms
from knobel.host.session import RoomSession
from knobel.lang import Translator
from knobel.store.sqlite import SqliteStore
from knobel.web import serve as serving
from knobel.web import server as serving_process
from knobel.web.app import AppContext
from knobel.web.connection import DECODER, INTENT_DECODER, MAX_MALFORMED, MAX_MESSAGE, ClientConnection
from knobel.web.hubs import Client, RoomHub
from knobel.web.message_budget import BURST_MESSAGES, MESSAGES_PER_SECOND
from knobel.web.options import ServerOptions
from knobel.web.protocol import MAX_FRAGMENTS
from knobel.web.rate_limits import MAX_SOCKETS, ROOMS_PER_DEVICE
from knobel.web.wire import WIRE_VERSION, RawCommand
from tests.support.devices import (
    EDITION,
    SAMPLE_INTENTS,
    Device,
    RunningServer,
    build_intent,
    command,
    connect_socket,
    read_stored_room,
    run_server,
    start_game,
)
from tests.support.hosted_rooms import run_async
from tests.support.house_rules import EXAMPLES
from tests.support.promises import find_faults, find_wrong_records, read_database
from tests.support.proofs import proof_protocols
from tests.support.socket_players import Behaviour, Json, PlayerPool
from tests.support.stored_games import dump_tables
from tests.support.waiting import wait_until

MB = 1024 * 1024
TEXT, CLOSE = 0x81, 0x88  # The first byte of a frame, by its kind.
TWO_BYTES_FOLLOW = 126  # The length that says: the true one is in the next two bytes.
BINARY, NOT_TEXT, WRONG, TOO_MUCH, SLOW = 1003, 1007, 1008, 1009, 1013


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that may not complain about anything that is done to it here."""
    with run_server(tmp_path_factory.mktemp("house")) as place:
        yield place


async def hung_up(device: Device) -> int | None:
    """Wait until the server hangs up, and give its code."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await device.receive()
    return device.socket.close_code


# Messages.


@pytest.mark.parametrize(("depth", "first"), [(8, True), (9, False), (500, True), (1900, False)])
@run_async
async def test_nothing_deep_is_read(depth: int, first: bool, server: RunningServer) -> None:
    deep = '"x":' + "[" * depth + "]" * depth
    flat = '"do":"set_language","lang":"de"'
    async with Device(server.port).session() as device:
        await device.open_room()
        assert (await device.send_and_wait(f"{{{deep},{flat}}}" if first else f"{{{flat},{deep}}}"))[
            "code"
        ] == "message_malformed"


@run_async
async def test_four_kib_are_read_and_no_more(server: RunningServer) -> None:
    def pinging(size: int) -> str:
        message = '{"do":"ping"}'
        return message + " " * (size - len(message))

    async with Device(server.port).session() as device:
        room = await device.open_room("Ann")
        await device.send(pinging(MAX_MESSAGE))
        await device.receive_until(lambda one: one["is"] == "pong")
        await device.send(pinging(MAX_MESSAGE + 1))
        assert await hung_up(device) == TOO_MUCH
    async with device.session():
        assert (await device.enter_room(room))["id"] == room


@run_async
async def test_house_rules_come_as_a_file_once_and_settings_name_them(server: RunningServer) -> None:
    rules = (EXAMPLES / "two-dice.toml").read_text(encoding="utf-8")
    async with Device(server.port).session() as device:
        fingerprint = await device.upload_house_rules(rules + "#" * (30_000 - len(rules)))
        assert fingerprint == await device.upload_house_rules(rules + "#" * (30_000 - len(rules)))
        await device.open_room("Ann", edition="two-dice", house_rules=fingerprint)
        assert device.room["house_rules"] == fingerprint
        assert (await device.send_intent({"want": "settle", "edition": "mb-yahtzee"}))["is"] == "done"
        settle = {"want": "settle", "edition": "two-dice", "house_rules": fingerprint}
        assert (await device.send_intent(settle))["is"] == "done"
        unknown = {**settle, "house_rules": "0" * 64}
        assert (await device.send_intent(unknown))["code"] == "house_rules_unknown"


@pytest.mark.process
def test_house_rules_are_there_after_a_restart_and_rooms_only_name_them(tmp_path: Path) -> None:
    rules = (EXAMPLES / "two-dice.toml").read_text(encoding="utf-8")
    device = Device(0)

    async def brings() -> str:
        async with device.session():
            fingerprint = await device.upload_house_rules(rules)
            await device.open_room("Ann", edition="two-dice", house_rules=fingerprint)
            return fingerprint

    async def settles(fingerprint: str, room: str) -> None:
        async with device.session():
            assert (await device.enter_room(room))["house_rules"] == fingerprint
            settle = {"want": "settle", "edition": "two-dice", "house_rules": fingerprint, "games": 2}
            assert (await device.send_intent(settle))["is"] == "done"

    with run_server(tmp_path) as place:
        device.port = place.port
        fingerprint = asyncio.run(brings())
    with run_server(tmp_path) as place:
        device.port = place.port
        asyncio.run(settles(fingerprint, device.room["id"]))
        found = dump_tables(place.database)
    assert sum(rules in row for row in found["house_rules"]) == 1
    assert all("pattern" not in str(row) for row in found["rooms"])


@pytest.mark.process
def test_where_house_rules_are_not_welcome_none_can_be_brought_in(tmp_path: Path) -> None:
    rules = (EXAMPLES / "two-dice.toml").read_text(encoding="utf-8")
    with run_server(tmp_path, "--lan") as place:
        assert (
            place.request("/api/house-rules", "POST", rules.encode(), origin=f"http://localhost:{place.port}").status
            == 403
        )


@pytest.mark.parametrize(
    ("content", "code"), [(b"{}", BINARY), (b"", BINARY), (["{", b"}"], BINARY)], ids=["bytes", "nothing", "pieces"]
)
@run_async
async def test_bytes_are_no_message(content: Any, code: int, server: RunningServer) -> None:
    async with Device(server.port).session() as device:
        await device.open_room()
        if isinstance(content, list):
            await device.socket.send([one.encode() if isinstance(one, str) else one for one in content])
        else:
            await device.socket.send(content)
        assert await hung_up(device) == code


@run_async
async def test_text_that_is_none_ends_the_line(server: RunningServer) -> None:
    for content in (b"\xff", b'{"do":"set_language","lang":"\xed\xa0\x80"}', b"\xc3"):
        async with Device(server.port).session() as device:
            await device.open_room()
            await device.socket.send(content, text=True)
            assert await hung_up(device) == NOT_TEXT


@run_async
async def test_after_so_many_messages_that_are_none_the_server_hangs_up(server: RunningServer) -> None:
    async with Device(server.port).session() as device:
        await device.open_room()
        for _ in range(MAX_MALFORMED):
            await device.send("nonsense")
        assert await hung_up(device) == WRONG
        assert sum('"refused"' in text for text in device.received) <= MAX_MALFORMED


@run_async
async def test_a_flood_is_slowed_and_nobody_else_is(server: RunningServer) -> None:
    flood, calm = Device(server.port), Device(server.port)
    async with flood.session(), calm.session():
        room = await calm.open_room("Ann")
        await flood.open_room()
        answered, began = 0, time.monotonic()
        for _ in range(300):
            await flood.send({"do": "ping"})

        async def keep_flooding() -> None:
            """Send another message for each that is answered, so that the flood is never over."""
            nonlocal answered
            while True:
                if (await flood.receive())["is"] == "pong":
                    answered += 1
                    await flood.send({"do": "ping"})

        flooding = asyncio.create_task(keep_flooding())
        for _ in range(10):
            await calm.enter_room(room)
        await wait_until(lambda: answered >= BURST_MESSAGES + 10)
        flooding.cancel()
        # However slow the machine is, the last answers came no sooner than the limit lets them.
        assert answered <= BURST_MESSAGES + MESSAGES_PER_SECOND * (time.monotonic() - began) + 1


# Sockets and rooms.


@run_async
async def test_a_device_has_only_so_many_pages_open_and_is_told_so(server: RunningServer) -> None:
    token = secrets.token_hex(32)
    async with AsyncExitStack() as stack:
        room = await (await stack.enter_async_context(Device(server.port).session())).open_room("Cid")
        pages = [
            await stack.enter_async_context(connect_socket(server.port, token, room=room)) for _ in range(MAX_SOCKETS)
        ]
        late = await stack.enter_async_context(connect_socket(server.port, token, room=room))
        await late.wait_closed()
        assert (late.close_code, late.close_reason) == (
            SLOW,
            Translator("en").describe_error(TooManyPages(n=MAX_SOCKETS)),
        )
        async with Device(server.port).session() as other:
            await other.open_room("Ann")
        await pages[0].close()

        async def may_open_another() -> bool:
            async with connect_socket(server.port, token, room=room) as page:
                with contextlib.suppress(ConnectionClosed):
                    return bool(await page.recv())
            return False

        await wait_until(may_open_another)


@run_async
async def test_a_device_opens_only_so_many_rooms_in_an_hour(server: RunningServer) -> None:
    token = secrets.token_hex(32)
    opened: Counter[str] = Counter()
    for number in range(70):
        answer = await Device(server.port, token).post(
            "/api/rooms", {"id": f"{number}", "settings": {"edition": EDITION}}
        )
        opened[str(msgspec.json.decode(answer.body).get("code", answer.status))] += 1
        assert answer.status in (200, 429)
    assert opened == {"200": ROOMS_PER_DEVICE, "rooms_too_many": 70 - ROOMS_PER_DEVICE}
    opener = Device(server.port, token).id
    assert sum(opener in str(row) for row in dump_tables(server.database)["rooms"]) == ROOMS_PER_DEVICE


# Nonsense.


def mangled(chance: Random, good: list[Json]) -> str | bytes:
    """Make a message that is none, or nearly one."""
    message: Json = msgspec.json.decode(msgspec.json.encode(chance.choice(good)))
    inner = message.get("intent", message) if chance.random() < 0.5 else message
    key = chance.choice(list(inner))
    odd: list[Any] = [
        None,
        True,
        -1,
        2**63,
        10**300,
        1e308,
        -0.0,
        "",
        "\x00",
        "\u202e" * 50,
        "x" * 3000,
        [],
        {},
        [[[[]]]],
        {"": {}},
    ]
    match chance.randrange(12):
        case 0:
            del inner[key]
        case 1:
            inner[chance.choice(["x", "", "seed", "dice", "owner", "__proto__"])] = chance.choice(odd)
        case 2:
            inner[key] = chance.choice(odd)
        case 3:
            text = msgspec.json.encode(message).decode()
            return text[: chance.randrange(len(text))]
        case 4:
            text = msgspec.json.encode(message).decode()
            at = chance.randrange(len(text))
            return text[:at] + chr(chance.choice([chance.randrange(32), chance.randrange(0xD800)])) + text[at + 1 :]
        case 5:
            text = msgspec.json.encode(message).decode()
            return f'{text[:-1]},"{key}":{chance.choice(["NaN", "1e999", "-Infinity", "0x1", "00", "9" * 3000])}}}'
        case 6:
            text = msgspec.json.encode(message).decode()
            return text[:-1] + "," + text[1:]
        case 7:
            deep = chance.randrange(1, 1500)
            return msgspec.json.encode(message).decode()[:-1] + f',"{key}":' + "[{"[chance.randrange(2)] * deep
        case 8:
            tail = chance.choice(["", "x", "\\ud800"])
            return f'{{"do":"set_language","lang":"\\ud8{chance.randrange(16):02x}{tail}"}}'
        case 9:
            return chance.choice(
                ["", " ", "null", "0", "[]", "{}", '""', "true", "[" * 4000, "{" * 4000, '"' * 4000, "\ufeff{}"]
            )
        case 10:
            return "".join(chr(chance.randrange(1, 0xD800)) for _ in range(chance.randrange(200)))
        case _:
            inner[key] = {key: inner[key]}
    return msgspec.json.encode(message)[:4000].decode(errors="ignore")


def is_message(text: str | bytes) -> bool:
    """Tell whether something is a message after all."""
    try:
        message = DECODER.decode(text)
        if isinstance(message, RawCommand):
            INTENT_DECODER.decode(message.intent)
    except (ValueError, RecursionError):
        return False
    return True


async def send_nonsense(
    server: RunningServer, room: str, messages: Iterator[str | bytes], token: str | None, codes: Counter[int | None]
) -> None:
    """Send messages, nineteen to a socket, and hear what comes back until the server has answered them all.

    Without a token each socket is a device of its own, as one device may send only a few messages a second.
    """
    while batch := [one for _, one in zip(range(MAX_MALFORMED - 1), messages, strict=False)]:
        async with Device(server.port, token or secrets.token_hex(32)).session() as device:
            await device.enter_room(room)
            for one in batch:
                await device.socket.send(one)
            await device.send({"do": "ping"})
            await device.receive_until(lambda one: one["is"] == "pong")
        codes[device.socket.close_code] += len(batch)


@pytest.mark.rest
@pytest.mark.process
def test_ten_thousand_malformed_messages_change_nothing_and_the_others_play_on(tmp_path: Path) -> None:
    chance = Random(20_26)
    codes: Counter[int | None] = Counter()

    async def play_beside_nonsense(place: RunningServer) -> PlayerPool:
        ann, ben = Device(place.port), Device(place.port)
        async with ann.session(), ben.session():
            room = await start_game(ann, ben)
            before, memory = read_stored_room(place, room), place.memory_bytes
            good: list[Json] = [command("w", build_intent(one, ann.room), ann.room) for one in SAMPLE_INTENTS]
            good += [{"do": "set_language", "lang": "de"}, {"do": "say", "seat": 0, "remark": "hello"}]
            pool = PlayerPool([place.port], 2, seed=1, behaviour=Behaviour(duplicate_chance=0.0), bots=2)
            pool.start()
            await wait_until(lambda: pool.acknowledged_count >= 20)
            strange = [mangled(chance, good) for _ in range(9_800)]
            broken = (one for one in (mangled(chance, good) for _ in count()) if not is_message(one))
            enough = pool.acknowledged_count + 21
            more = takewhile(lambda _: pool.acknowledged_count < enough, count())
            theirs = chain(strange, (mangled(chance, good) for _ in more))
            hers = (next(broken) for _ in range(200))
            senders = [send_nonsense(place, room, theirs, None, codes) for _ in range(6)]
            await asyncio.gather(
                *senders,
                send_nonsense(place, room, hers, ann.token, codes),
                send_nonsense(place, room, hers, ann.token, codes),
                wait_until(lambda: pool.acknowledged_count >= enough),
            )
            await pool.wait_until_idle()
            await pool.stop()
            assert read_stored_room(place, room) == before
            # About 75 MB of this is the coach, loaded for the games that ended meanwhile.
            assert place.memory_bytes - memory < 120 * MB
            assert (await ann.send_intent(build_intent("act", ann.room)))["is"] == "done"
        return pool

    with run_server(tmp_path) as place:
        pool = asyncio.run(play_beside_nonsense(place))
        kept = asyncio.run(read_database(f"sqlite:///{place.database}"))
    assert set(codes) == {1000}
    assert codes.total() >= 10_000
    ours = {group.room for group in pool.groups}
    theirs = type(kept)(
        {name: one for name, one in kept.rooms.items() if name in ours},
        {name: one for name, one in kept.logs.items() if one.game.room_id in ours},
    )
    assert not any(find_faults(pool, theirs).values())
    assert find_wrong_records(kept) == []


# Lines that do not behave.


@asynccontextmanager
async def raw(server: RunningServer) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a socket by hand, to be used in ways no library would."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1024)
    here, token = f"localhost:{server.port}", secrets.token_hex(32)
    async with Device(server.port).session() as device:
        room = await device.open_room()
    writer.write(
        f"GET /ws/{WIRE_VERSION}/{room} HTTP/1.1\r\nHost: {here}\r\nOrigin: http://{here}\r\nCookie: knobel={token}\r\n"
        f"Sec-WebSocket-Protocol: {', '.join(proof_protocols(token))}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode()
    )
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


def frame(first: int, content: bytes = b"") -> bytes:
    """Write a frame as a client does, under a mask of zeros."""
    return struct.pack("!BB", first, 0x80 | len(content)) + bytes(4) + content


async def read_frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Read a frame as a server sends it, without a mask."""
    first, length = await reader.readexactly(2)
    if length == TWO_BYTES_FOLLOW:
        length = int.from_bytes(await reader.readexactly(2), "big")
    return first, await reader.readexactly(length)


@run_async
async def test_whoever_pings_and_never_reads_is_cut_off_before_it_costs_anything(server: RunningServer) -> None:
    before = server.memory_bytes
    async with raw(server) as (_, writer):
        sent = 0
        with contextlib.suppress(OSError):
            while sent < 40 * MB:
                writer.write(frame(0x89, bytes(125)) * 5000)
                await writer.drain()
                sent += 5000 * 131
        assert sent < 40 * MB
    assert server.memory_bytes - before < 20 * MB


@run_async
async def test_a_message_in_endless_pieces_is_none(server: RunningServer) -> None:
    async with raw(server) as (reader, writer):
        writer.write(frame(0x01, b"{") + frame(0x00) * (MAX_FRAGMENTS + 1))
        first, content = await read_frame(reader)
        while first == TEXT:  # The room may have told something first.
            first, content = await read_frame(reader)
        assert (first, int.from_bytes(content[:2], "big")) == (CLOSE, TOO_MUCH)


@pytest.mark.rest
@run_async
async def test_whoever_stops_reading_is_let_go_and_finds_everything_again(server: RunningServer) -> None:
    host, calm, sleeper = (Device(server.port) for _ in range(3))
    pool = [Device(server.port) for _ in range(8)]
    async with AsyncExitStack() as stack:
        for device in (host, calm, *pool):
            await stack.enter_async_context(device.session())
        await stack.enter_async_context(sleeper.session(max_queue=1, sock=narrow(server.port)))
        room = await host.open_room(*(f"Player {n}" for n in range(90)))
        quiet_room = await calm.open_room("Ann")
        for device in (*pool, sleeper):
            await device.enter_room(room)
        await asyncio.gather(*(wait_until_watched_by(device, len(pool) + 1) for device in pool))
        before = server.memory_bytes
        while pool[0].room["spectators"] > len(pool):
            await host.send_intent({"want": "swap", "seat": 1})
            await asyncio.gather(*(wait_until_shown(device, 1) for device in pool))
            await calm.enter_room(quiet_room)
        assert server.memory_bytes - before < 30 * MB
        assert await hung_up(sleeper) == SLOW
        async with sleeper.session():
            again = await sleeper.enter_room(room)
            await wait_until_watched_by(pool[0], len(pool) + 1)
            assert again == pool[0].room


async def wait_until_shown(device: Device, times: int) -> None:
    """Wait until a device has been shown the room `times` times."""
    for _ in range(times):
        await device.receive_until(lambda one: one["is"] == "room")


async def wait_until_watched_by(device: Device, many: int) -> None:
    """Wait until a device sees this many spectators."""
    await device.receive_until(lambda one: one["is"] == "room" and one["view"]["spectators"] == many)


def narrow(port: int) -> socket.socket:
    """Connect a socket that takes in very little before it is read."""
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.connect(("127.0.0.1", port))
    link.setblocking(False)
    return link


# A thousand rooms.


@pytest.mark.rest
@run_async
async def test_a_thousand_abandoned_rooms_leave_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[AppContext] = []
    moved = 0.0

    def noted(host: Host, *about: Any, **more: Any) -> AppContext:
        host.clock = lambda: time.time() + moved
        found.append(AppContext(host, *about, **more))
        found[0].hubs.away_seconds = 0.05
        for limiter in (*found[0].rate_limits.codes, *found[0].rate_limits.rooms):
            limiter.clock = lambda: time.monotonic() + moved
        return found[0]

    monkeypatch.setattr(serving_process, "AppContext", noted)
    store = await SqliteStore.open(tmp_path / "knobel.db")
    ready: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    door = ServerOptions(0)
    task = asyncio.create_task(serving.serve(store, door, lambda door: ready.set_result(door.port)))
    port = await ready
    await quiet(port)
    tasks, sockets = len(asyncio.all_tasks()), open_sockets()

    async def passes_by(number: int) -> None:
        device = Device(port, address=f"127.0.5.{number % 20 + 1}")
        async with device.session():
            opened = [await device.create_room() for _ in range(10)]
            for room in opened[:2]:
                await device.enter_room(room)
                await device.send_intent({"want": "sit", "name": "Ann"})
        for room in opened:
            await found[0].host.find_session(room)

    for ten in range(10):
        await asyncio.gather(*(passes_by(10 * ten + number) for number in range(10)))
    assert rooms_in(tmp_path / "knobel.db") == 1000
    assert found[0].host.registry.sessions
    assert found[0].rate_limits.rooms[0].tries
    for _ in range(LOBBY_DAYS + 1):  # One look at the clock ages rooms by a day at most.
        moved += DAY_SECONDS
        await tidy_rooms(store, found[0].host.clock(), DAY_SECONDS)
    tidying = asyncio.create_task(serving_process.run_cleanup(found[0]))
    await wait_until(lambda: not rooms_in(tmp_path / "knobel.db"))
    await wait_until(lambda: not found[0].host.registry.sessions)
    tidying.cancel()
    await wait_until(lambda: len(asyncio.all_tasks()) <= tasks and open_sockets() <= sockets)
    gc.collect()
    kinds = (RoomSession, RoomHub, Client, ClientConnection)
    left = Counter(type(one).__name__ for one in gc.get_objects() if isinstance(one, kinds))
    assert left == {}
    server = found[0]
    assert not any(
        (server.hubs.hubs, server.host.registry.sessions, server.host.registry.loading, server.rate_limits.sockets)
    )
    assert not any(limiter.tries for limiter in (*server.rate_limits.codes, *server.rate_limits.rooms))
    assert not any(dump_tables(tmp_path / "knobel.db")[table] for table in ("rooms", "games", "events"))
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await server.host.close()


async def quiet(port: int) -> None:
    """Wait until a server in this process answers."""

    async def answers() -> bool:
        with contextlib.suppress(OSError):
            async with connect_socket(port, secrets.token_hex(32)):
                return True
        return False

    await wait_until(answers)


def open_sockets() -> int:
    """Count the sockets this process has open."""
    found = 0
    for file in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found += str(file.readlink()).startswith("socket:")
    return found


def rooms_in(path: Path) -> int:
    """Count the rooms of a database."""
    with contextlib.closing(sqlite3.connect(path)) as link:
        return int(link.execute("SELECT count(*) FROM rooms").fetchone()[0])
