"""Too much of everything: messages, sockets, rooms, nonsense; the house stays small, polite and open to the others."""

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
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from knobel.errors import TooManyPages
from knobel.host import Host
from knobel.host.archive import DAY_SECONDS, LOBBY_DAYS
from knobel.host.session import RoomSession
from knobel.lang import Translator
from knobel.store.sqlite import SqliteStore
from knobel.web import serve as serving
from knobel.web.app import AppContext
from knobel.web.connection import DECODER, INTENT_DECODER, MAX_MALFORMED, MAX_MESSAGE, ClientConnection
from knobel.web.hubs import BURST_MESSAGES, MESSAGES_PER_SECOND, Client, RoomHub
from knobel.web.protocol import MAX_FRAGMENTS
from knobel.web.rate_limits import MAX_SOCKETS, ROOMS_PER_DEVICE
from knobel.web.wire import WIRE_VERSION, RawCommand
from tests.crowd import Crowd, Json, Manners, faults, kept_in, until, wrong_records
from tests.guests import EDITION, INTENTS, Guest, Place, called, intent, laid, opened, stored
from tests.house import EXAMPLES
from tests.kept import rows
from tests.parties import awaited

MB = 1024 * 1024
BINARY, NOT_TEXT, WRONG, TOO_MUCH, SLOW = 1003, 1007, 1008, 1009, 1013


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A house that may not complain about anything that is done to it here."""
    with opened(tmp_path_factory.mktemp("house")) as place:
        yield place


async def hung_up(guest: Guest) -> int | None:
    """Wait until the house hangs up, and give its code."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await guest.hear()
    return guest.line.close_code


# Messages.


@pytest.mark.parametrize(("depth", "first"), [(8, True), (9, False), (500, True), (1900, False)])
@awaited
async def test_nothing_deep_is_read(depth: int, first: bool, house: Place) -> None:
    deep = '"x":' + "[" * depth + "]" * depth
    flat = '"do":"set_language","lang":"de"'
    async with Guest(house.port).here() as guest:
        await guest.open()
        assert (await guest.told(f"{{{deep},{flat}}}" if first else f"{{{flat},{deep}}}"))[
            "code"
        ] == "message_malformed"


@awaited
async def test_four_kib_are_read_and_no_more(house: Place) -> None:
    def pinging(size: int) -> str:
        message = '{"do":"ping"}'
        return message + " " * (size - len(message))

    async with Guest(house.port).here() as guest:
        room = await guest.open("Ann")
        await guest.send(pinging(MAX_MESSAGE))
        await guest.until(lambda one: one["is"] == "pong")
        await guest.send(pinging(MAX_MESSAGE + 1))
        assert await hung_up(guest) == TOO_MUCH
    async with guest.here():
        assert (await guest.enter(room))["id"] == room


@awaited
async def test_house_rules_come_as_a_file_once_and_settings_name_them(house: Place) -> None:
    rules = (EXAMPLES / "two-dice.toml").read_text(encoding="utf-8")
    async with Guest(house.port).here() as guest:
        fingerprint = await guest.bring(rules + "#" * (30_000 - len(rules)))
        assert fingerprint == await guest.bring(rules + "#" * (30_000 - len(rules)))
        await guest.open("Ann", edition="two-dice", house_rules=fingerprint)
        assert guest.room["house_rules"] == fingerprint
        assert (await guest.want({"want": "settle", "edition": "mb-yahtzee"}))["is"] == "done"
        settle = {"want": "settle", "edition": "two-dice", "house_rules": fingerprint}
        assert (await guest.want(settle))["is"] == "done"
        unknown = {**settle, "house_rules": "0" * 64}
        assert (await guest.want(unknown))["code"] == "house_rules_unknown"


def test_house_rules_are_there_after_a_restart_and_rooms_only_name_them(tmp_path: Path) -> None:
    rules = (EXAMPLES / "two-dice.toml").read_text(encoding="utf-8")
    guest = Guest(0)

    async def brings() -> str:
        async with guest.here():
            fingerprint = await guest.bring(rules)
            await guest.open("Ann", edition="two-dice", house_rules=fingerprint)
            return fingerprint

    async def settles(fingerprint: str, room: str) -> None:
        async with guest.here():
            assert (await guest.enter(room))["house_rules"] == fingerprint
            settle = {"want": "settle", "edition": "two-dice", "house_rules": fingerprint, "games": 2}
            assert (await guest.want(settle))["is"] == "done"

    with opened(tmp_path) as place:
        guest.port = place.port
        fingerprint = asyncio.run(brings())
    with opened(tmp_path) as place:
        guest.port = place.port
        asyncio.run(settles(fingerprint, guest.room["id"]))
        found = rows(place.database)
    assert sum(rules in row for row in found["house_rules"]) == 1
    assert all("pattern" not in str(row) for row in found["rooms"])


def test_where_house_rules_are_not_welcome_none_can_be_brought_in(tmp_path: Path) -> None:
    rules = (EXAMPLES / "two-dice.toml").read_text(encoding="utf-8")
    with opened(tmp_path, "--lan") as place:
        assert (
            place.ask("/api/house-rules", "POST", rules.encode(), origin=f"http://localhost:{place.port}").status == 403
        )


@pytest.mark.parametrize(
    ("content", "code"), [(b"{}", BINARY), (b"", BINARY), (["{", b"}"], BINARY)], ids=["bytes", "nothing", "pieces"]
)
@awaited
async def test_bytes_are_no_message(content: Any, code: int, house: Place) -> None:
    async with Guest(house.port).here() as guest:
        await guest.open()
        if isinstance(content, list):
            await guest.line.send([one.encode() if isinstance(one, str) else one for one in content])
        else:
            await guest.line.send(content)
        assert await hung_up(guest) == code


@awaited
async def test_text_that_is_none_ends_the_line(house: Place) -> None:
    for content in (b"\xff", b'{"do":"set_language","lang":"\xed\xa0\x80"}', b"\xc3"):
        async with Guest(house.port).here() as guest:
            await guest.open()
            await guest.line.send(content, text=True)
            assert await hung_up(guest) == NOT_TEXT


@awaited
async def test_after_so_many_messages_that_are_none_the_house_hangs_up(house: Place) -> None:
    async with Guest(house.port).here() as guest:
        await guest.open()
        for _ in range(MAX_MALFORMED):
            await guest.send("nonsense")
        assert await hung_up(guest) == WRONG
        assert sum('"refused"' in text for text in guest.heard) <= MAX_MALFORMED


@awaited
async def test_a_flood_is_slowed_and_nobody_else_is(house: Place) -> None:
    flood, calm = Guest(house.port), Guest(house.port)
    async with flood.here(), calm.here():
        room = await calm.open("Ann")
        await flood.open()
        began = time.monotonic()
        for _ in range(300):
            await flood.send({"do": "ping"})
        longest = 0.0
        for _ in range(10):
            asked = time.monotonic()
            await calm.enter(room)
            longest = max(longest, time.monotonic() - asked)
            await asyncio.sleep(0.05)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                while True:
                    await flood.hear()
        answered, seconds = sum('"pong"' in text for text in flood.heard), time.monotonic() - began
        assert BURST_MESSAGES <= answered <= BURST_MESSAGES + MESSAGES_PER_SECOND * seconds + 1
        assert longest < 3.0


# Sockets and rooms.


@awaited
async def test_a_device_has_only_so_many_pages_open_and_is_told_so(house: Place) -> None:
    token = secrets.token_hex(32)
    async with AsyncExitStack() as stack:
        room = await (await stack.enter_async_context(Guest(house.port).here())).open("Cid")
        pages = [await stack.enter_async_context(called(house.port, token, room=room)) for _ in range(MAX_SOCKETS)]
        late = await stack.enter_async_context(called(house.port, token, room=room))
        await late.wait_closed()
        assert (late.close_code, late.close_reason) == (
            SLOW,
            Translator("en").describe_error(TooManyPages(n=MAX_SOCKETS)),
        )
        async with Guest(house.port).here() as other:
            await other.open("Ann")
        await pages[0].close()
        async with Guest(house.port, token).here() as again:
            assert await again.open("Ben")


@awaited
async def test_a_device_opens_only_so_many_rooms_in_an_hour(house: Place) -> None:
    token = secrets.token_hex(32)
    opened: Counter[str] = Counter()
    for number in range(70):
        answer = await Guest(house.port, token).post(
            "/api/rooms", {"id": f"{number}", "settings": {"edition": EDITION}}
        )
        opened[str(msgspec.json.decode(answer.body).get("code", answer.status))] += 1
        assert answer.status in (200, 429)
    assert opened == {"200": ROOMS_PER_DEVICE, "rooms_too_many": 70 - ROOMS_PER_DEVICE}
    assert sum(Guest(house.port, token).owner in str(row) for row in rows(house.database)["rooms"]) == ROOMS_PER_DEVICE


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


async def pester(
    house: Place, room: str, messages: Iterator[str | bytes], token: str, codes: Counter[int | None]
) -> None:
    """Send messages, nineteen to a socket, and hear what comes back until the house has answered them all."""
    while batch := [one for _, one in zip(range(MAX_MALFORMED - 1), messages, strict=False)]:
        async with Guest(house.port, token).here() as guest:
            await guest.enter(room)
            for one in batch:
                await guest.line.send(one)
            await guest.send({"do": "ping"})
            await guest.until(lambda one: one["is"] == "pong")
        codes[guest.line.close_code] += len(batch)


def test_ten_thousand_malformed_messages_change_nothing_and_the_others_play_on(tmp_path: Path) -> None:
    chance = Random(20_26)
    codes: Counter[int | None] = Counter()

    async def besieged(place: Place) -> Crowd:
        ann, ben = Guest(place.port), Guest(place.port)
        async with ann.here(), ben.here():
            room = await laid(ann, ben)
            before, memory = stored(place, room), place.memory
            good: list[Json] = [{"do": "want", "id": "w", "intent": intent(one, ann.room)} for one in INTENTS]
            good += [{"do": "set_language", "lang": "de"}, {"do": "say", "seat": 0, "remark": "hello"}]
            crowd = Crowd([place.port], 2, seed=1, manners=Manners(impatience=0.0), bots=2)
            crowd.come()
            await until(lambda: crowd.promised >= 20, 20)
            strange = [mangled(chance, good) for _ in range(7_000)]
            broken = (one for one in (mangled(chance, good) for _ in count()) if not is_message(one))
            theirs, hers = iter(strange), (next(broken) for _ in range(3_000))
            begun = crowd.promised
            senders = [pester(place, room, theirs, secrets.token_hex(32), codes) for _ in range(6)]
            await asyncio.gather(
                *senders, pester(place, room, hers, ann.token, codes), pester(place, room, hers, ann.token, codes)
            )
            assert crowd.promised > begun + 20
            await crowd.settle()
            await crowd.leave()
            assert stored(place, room) == before
            assert place.memory - memory < 40 * MB
            assert (await ann.want(intent("act", ann.room)))["is"] == "done"
        return crowd

    with opened(tmp_path) as place:
        crowd = asyncio.run(besieged(place))
        kept = asyncio.run(kept_in(f"sqlite:///{place.database}"))
    assert codes == {1000: 10_000}
    ours = {party.room for party in crowd.parties}
    theirs = type(kept)(
        {name: one for name, one in kept.rooms.items() if name in ours},
        {name: one for name, one in kept.logs.items() if one.game.room_id in ours},
    )
    assert not any(faults(crowd, theirs).values())
    assert wrong_records(kept) == []


# Lines that do not behave.


@asynccontextmanager
async def raw(house: Place) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a socket by hand, to be used in ways no library would."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port, limit=1024)
    here, token = f"localhost:{house.port}", secrets.token_hex(32)
    async with Guest(house.port).here() as guest:
        room = await guest.open()
    writer.write(
        f"GET /ws/{WIRE_VERSION}/{room} HTTP/1.1\r\nHost: {here}\r\nOrigin: http://{here}\r\nCookie: knobel={token}\r\n"
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


@awaited
async def test_whoever_pings_and_never_reads_is_cut_off_before_it_costs_anything(house: Place) -> None:
    before = house.memory
    async with raw(house) as (_, writer):
        sent = 0
        with contextlib.suppress(OSError):
            while sent < 40 * MB:
                writer.write(frame(0x89, bytes(125)) * 5000)
                await writer.drain()
                sent += 5000 * 131
        assert sent < 40 * MB
    assert house.memory - before < 20 * MB


@awaited
async def test_a_message_in_endless_pieces_is_none(house: Place) -> None:
    async with raw(house) as (reader, writer):
        writer.write(frame(0x01, b"{") + frame(0x00) * (MAX_FRAGMENTS + 1))
        head, length = await reader.readexactly(2)
        code = (await reader.readexactly(length))[:2]
        assert (head, int.from_bytes(code, "big")) == (0x88, TOO_MUCH)


@awaited
async def test_whoever_stops_reading_is_let_go_and_finds_everything_again(house: Place) -> None:
    host, calm, sleeper = (Guest(house.port) for _ in range(3))
    crowd = [Guest(house.port) for _ in range(8)]
    async with AsyncExitStack() as stack:
        for guest in (host, calm, *crowd):
            await stack.enter_async_context(guest.here())
        await stack.enter_async_context(sleeper.here(max_queue=1, sock=narrow(house.port)))
        room = await host.open(*(f"Player {n}" for n in range(90)))
        quiet_room = await calm.open("Ann")
        for guest in (*crowd, sleeper):
            await guest.enter(room)
        await asyncio.gather(*(watched_by(guest, len(crowd) + 1) for guest in crowd))
        before, longest = house.memory, 0.0
        while crowd[0].room["spectators"] > len(crowd):
            await host.want({"want": "swap", "seat": 1})
            await asyncio.gather(*(shown(guest, 1) for guest in crowd))
            began = time.monotonic()
            await calm.enter(quiet_room)
            longest = max(longest, time.monotonic() - began)
        assert longest < 3.0
        assert house.memory - before < 30 * MB
        assert await hung_up(sleeper) == SLOW
        async with sleeper.here():
            again = await sleeper.enter(room)
            await watched_by(crowd[0], len(crowd) + 1)
            assert again == crowd[0].room


async def shown(guest: Guest, times: int) -> None:
    """Wait until a guest was shown the room so many times."""
    for _ in range(times):
        await guest.until(lambda one: one["is"] == "room")


async def watched_by(guest: Guest, many: int) -> None:
    """Wait until a guest sees that so many watch."""
    await guest.until(lambda one: one["is"] == "room" and one["view"]["spectators"] == many)


def narrow(port: int) -> socket.socket:
    """Connect a socket that takes in very little before it is read."""
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.connect(("127.0.0.1", port))
    link.setblocking(False)
    return link


# A thousand rooms.


@awaited
async def test_a_thousand_abandoned_rooms_leave_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[AppContext] = []
    moved = 0.0

    def noted(host: Host, *about: Any) -> AppContext:
        host.clock = lambda: time.time() + moved
        found.append(AppContext(host, *about))
        found[0].hubs.away_seconds = 0.05
        for patience in (*found[0].rate_limits.codes, *found[0].rate_limits.rooms):
            patience.clock = lambda: time.monotonic() + moved
        return found[0]

    monkeypatch.setattr(serving, "AppContext", noted)
    store = await SqliteStore.open(tmp_path / "house.db")
    ready: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    door = serving.ServerOptions(0)
    server = asyncio.create_task(
        serving.serve(store, door, lambda door: ready.set_result(door.port), open_browser=False)
    )
    port = await ready
    await quiet(port)
    tasks, sockets = len(asyncio.all_tasks()), open_sockets()

    async def passes_by(number: int) -> None:
        guest = Guest(port, address=f"127.0.5.{number % 20 + 1}")
        async with guest.here():
            opened = [await guest.open_only() for _ in range(10)]
            for room in opened[:2]:
                await guest.enter(room)
                await guest.want({"want": "sit", "name": "Ann"})
        for room in opened:
            await found[0].host.find_session(room)

    for ten in range(10):
        await asyncio.gather(*(passes_by(10 * ten + number) for number in range(10)))
    assert rooms_in(tmp_path / "house.db") == 1000
    assert found[0].host.registry.sessions
    assert found[0].rate_limits.rooms[0].tries
    moved = (LOBBY_DAYS + 1) * DAY_SECONDS
    tidying = asyncio.create_task(serving.run_cleanup(found[0]))
    await until(lambda: not rooms_in(tmp_path / "house.db"), 20)
    await until(lambda: not found[0].host.registry.sessions, 5)
    tidying.cancel()
    await until(lambda: len(asyncio.all_tasks()) <= tasks and open_sockets() <= sockets, 10)
    gc.collect()
    kinds = (RoomSession, RoomHub, Client, ClientConnection)
    left = Counter(type(one).__name__ for one in gc.get_objects() if isinstance(one, kinds))
    assert left == {}
    house = found[0]
    assert not any(
        (house.hubs.hubs, house.host.registry.sessions, house.host.registry.loading, house.rate_limits.sockets)
    )
    assert not any(patience.tries for patience in (*house.rate_limits.codes, *house.rate_limits.rooms))
    assert not any(rows(tmp_path / "house.db")[table] for table in ("rooms", "games", "events"))
    server.cancel()
    await asyncio.gather(server, return_exceptions=True)
    await house.host.close()


async def quiet(port: int) -> None:
    """Wait until a house in this process answers."""

    async def answers() -> bool:
        with contextlib.suppress(OSError):
            async with called(port, secrets.token_hex(32)):
                return True
        return False

    while not await answers():
        await asyncio.sleep(0.05)


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
