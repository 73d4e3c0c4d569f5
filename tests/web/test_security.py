"""Who may do what over the wire: only our own pages, one's own seat, no guessing, no secret before its time."""

import asyncio
import contextlib
import hashlib
import json
import re
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import get_args

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from knobel.errors import WireOutdated
from knobel.lang import COMPLETE, Translator
from knobel.record.verify import verify
from knobel.rooms.intents import AnyIntent
from knobel.web.app import SECURITY_HEADERS
from knobel.web.connection import MAX_CLOSE_REASON, NO_SUCH_ROOM
from knobel.web.rate_limits import CODES_PER_ADDRESS, CODES_PER_DEVICE, MAX_KEYS, RateLimits, WindowLimiter
from knobel.web.schema import INCOMING
from knobel.web.sockets import OUTDATED, OUTDATED_SECONDS
from knobel.web.wire import WIRE_VERSION
from tests.support.devices import (
    SAMPLE_INTENTS,
    ZERO_HASH,
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
from tests.support.selection import mostly_rest
from tests.support.socket_players import Json
from tests.support.stored_games import dump_tables

ORIGINS = [None, "null", "", "http://evil.example", "http://localhost:1", "http://localhost", "file://localhost:{port}"]
NOWHERE = ["nowhere", "AAAAAAAAAAAAAAAA", "..", "%00", "%F0%9F%8E%B2", "x" * 64]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that may not complain about anything that is done to it here."""
    with run_server(tmp_path_factory.mktemp("house")) as place:
        yield place


def own(place: RunningServer) -> str:
    """The origin of the server's own pages."""
    return f"http://localhost:{place.port}"


# The door.


async def assert_turned_away(knock: connect) -> InvalidStatus:
    """Insist that a socket is not opened."""
    with pytest.raises(InvalidStatus) as caught:
        async with knock:
            pass
    return caught.value


@pytest.mark.parametrize("origin", [*ORIGINS, "http://localhost:{port}.evil.example", "http://evil@localhost:{port}"])
@run_async
async def test_a_socket_is_opened_only_from_the_servers_own_pages(origin: str | None, server: RunningServer) -> None:
    knock = connect_socket(
        server.port,
        ZERO_HASH,
        origin=None,
        headers={} if origin is None else {"Origin": origin.format(port=server.port)},
    )
    answer = (await assert_turned_away(knock)).response
    assert answer.status_code == 403
    assert {name: answer.headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS


@pytest.mark.parametrize("origin", ORIGINS)
def test_nothing_is_posted_from_elsewhere(origin: str | None, server: RunningServer) -> None:
    answer = server.request("/api/house-rules", "POST", b"dice = ", origin=origin and origin.format(port=server.port))
    assert (answer.status, json.loads(answer.body)["code"]) == (403, "origin_foreign")


def test_what_is_posted_from_the_servers_own_pages_is_read(server: RunningServer) -> None:
    answer = server.request("/api/house-rules", "POST", b"dice = ", origin=own(server))
    assert (answer.status, json.loads(answer.body)["code"]) == (400, "file_toml")


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "localhost.evil.example", "evil@localhost", "localhost?", "", "10.0.0.1"],
)
@run_async
async def test_another_name_than_the_servers_is_nobodys(host: str, server: RunningServer) -> None:
    answer = server.request("/", host=host)
    assert (answer.status, answer.body, "set-cookie" in answer.headers) == (421, b"", False)
    posted = server.request("/api/house-rules", "POST", b"", host=host, origin=f"http://{host}")
    assert posted.status == 421


@run_async
async def test_a_socket_by_another_name_is_not_opened(server: RunningServer) -> None:
    uri = f"ws://evil.example:{server.port}/ws/{WIRE_VERSION}/nowhere"
    knock = connect(uri, host="127.0.0.1", port=server.port, origin=f"http://evil.example:{server.port}", proxy=None)  # type: ignore[arg-type]
    assert (await assert_turned_away(knock)).response.status_code == 421


@pytest.mark.parametrize("token", [None, "", "0" * 32, "0" * 63, "0" * 65, "g" * 64, "A" * 64, '"' + "0" * 62 + '"'])
@run_async
async def test_without_a_whole_token_nothing_at_all_can_be_said(token: str | None, server: RunningServer) -> None:
    assert (await assert_turned_away(connect_socket(server.port, token))).response.status_code == 403
    fresh = server.request("/", cookie=None if token is None else f"knobel={token}").headers["set-cookie"]
    assert re.match(r"knobel=[0-9a-f]{64};", fresh)


def test_a_devices_key_is_out_of_reach_for_scripts_and_other_sites(server: RunningServer) -> None:
    found = [server.request(path).headers["set-cookie"].split("; ") for path in ("/", "/room/x", "/")]
    assert all({"HttpOnly", "SameSite=lax", "Path=/"} <= set(parts) for parts in found)
    assert not any("Secure" in parts or "Domain" in str(parts) for parts in found)
    assert len({parts[0] for parts in found}) == 3
    assert "set-cookie" not in server.request("/", cookie=found[0][0]).headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("HEAD", "/", 200),
        ("GET", "/room/whatever", 200),
        ("GET", "/api/hello", 200),
        ("GET", "/api/rules?edition=nothing", 400),
        ("GET", "/api/bots?edition=nothing", 400),
        ("GET", "/api/rules?edition=tactic-xl-yatzy&set=nothing", 400),
        ("GET", "/api/rooms?ids=a,b", 403),
        ("GET", "/schema.json", 200),
        ("GET", "/static/app.js", 200),
        ("GET", "/static/nothing.js", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/static/%2e%2e/app.py", 404),
        ("GET", "/static/..%5c..%5capp.py", 404),
        ("GET", "/nothing", 404),
        ("GET", "/qr/nowhere.svg", 404),
        ("GET", "/games/nothing.knobel", 404),
        ("GET", "/games/%2e%2e%2fhouse.knobel", 404),
        ("GET", "/api/house-rules", 405),
        ("POST", "/", 405),
        ("DELETE", "/api/rooms", 405),
        ("POST", "/api/house-rules", 400),
        ("GET", "/ws/5/nowhere", 404),
        ("GET", "/ws", 404),
        ("GET", "/api/codes", 405),
        ("POST", "/api/rooms", 403),
        ("POST", "/api/rooms/from-game", 403),
        ("POST", "/api/codes", 403),
    ],
)
def test_every_answer_has_the_servers_headers(method: str, path: str, status: int, server: RunningServer) -> None:
    answer = server.request(path, method, b"" if method == "POST" else None, origin=own(server))
    assert answer.status == status
    assert {name: answer.headers.get(name.lower()) for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert "server" not in answer.headers
    assert "access-control-allow-origin" not in answer.headers
    assert not re.search("script-src|unsafe", SECURITY_HEADERS["Content-Security-Policy"])


def test_refusals_at_the_door_have_the_headers_too(server: RunningServer) -> None:
    for answer in (server.request("/", host="evil.example"), server.request("/api/house-rules", "POST", b"")):
        assert {name: answer.headers.get(name.lower()) for name in SECURITY_HEADERS} == SECURITY_HEADERS


# Seats.

ALWAYS = {"is", "id", "code", "text"}


FREE = {"seen", "chances", "set_language", "ping"}
"""What anybody may say who has the link."""


def list_other_messages() -> list[Json]:
    """List every other message a device can send, for a seat that is not its own."""
    return [
        {"do": "hint", "id": "hint", "seat": 0},
        {"do": "ledger", "id": "ledger", "seat": 0},
        {"do": "turn", "id": "turn", "seat": 0, "box": "chance"},
        {"do": "say", "seat": 0, "remark": "hello"},
    ]


def test_there_is_an_intent_and_a_message_of_every_kind() -> None:
    assert set(SAMPLE_INTENTS) == {kind.__struct_config__.tag for kind in get_args(AnyIntent)}
    spoken = {message["do"] for message in list_other_messages()}
    assert spoken | FREE | {"want"} == {kind.__struct_config__.tag for kind in INCOMING}


@run_async
async def test_whoever_only_watches_a_game_can_change_nothing_in_it(server: RunningServer) -> None:
    ann, ben, eve = (Device(server.port) for _ in range(3))
    async with ann.session(), ben.session(), eve.session():
        room = await start_game(ann, ben)
        await eve.enter_room(room)
        assert not any(seat["yours"] for seat in eve.room["seats"])
        assert eve.room["host"] is False
        before = read_stored_room(server, room)
        for want in SAMPLE_INTENTS:
            answer = await eve.send_intent(build_intent(want, eve.room))
            assert (answer["is"], set(answer)) == ("refused", ALWAYS), (want, answer)
            assert answer["code"] in ("not_yours", "not_host", "game_running"), (want, answer)
        for message in list_other_messages():
            answer = await eve.send_and_wait(message, message.get("id"))
            assert answer["is"] == "refused", (message, answer)
        on = {"id": "on", "game": eve.room["game"], "event": 0, "seat": 0, "bot": "random"}
        assert (await eve.post("/api/rooms/from-game", on)).status == 404
        assert read_stored_room(server, room) == before
        assert (await ann.send_intent({"want": "act", "seat": 0, "ply": 0, "action": "....."}))["is"] == "done"
        assert not any('"remark"' in text for text in ann.received)


@run_async
async def test_whoever_only_watches_a_lobby_can_sit_down_and_nothing_else(server: RunningServer) -> None:
    ann, eve = Device(server.port), Device(server.port)
    async with ann.session(), eve.session():
        room = await ann.open_room("Ann", "Anna")
        await eve.enter_room(room)
        before = read_stored_room(server, room)
        for want in set(SAMPLE_INTENTS) - {"sit"}:
            answer = await eve.send_intent(build_intent(want, eve.room))
            assert answer["is"] == "refused", (want, answer)
            assert answer["code"] in ("not_yours", "not_host", "no_game"), (want, answer)
        assert read_stored_room(server, room) == before


@run_async
async def test_a_player_speaks_for_no_other_seat_and_decides_nothing_of_the_hosts(server: RunningServer) -> None:
    ann, ben = Device(server.port), Device(server.port)
    async with ann.session(), ben.session():
        room = await start_game(ann, ben)
        before = read_stored_room(server, room)
        for want in ("act", "undo", "correct", "swap_boxes", "leave", "put_in", "return", "assist"):
            assert (await ben.send_intent(build_intent(want, ben.room)))["code"] == "not_yours", want
        for want in ("stop", "start_without", "hand_over", "begin"):
            assert (await ben.send_intent(build_intent(want, ben.room)))["code"] == "not_host", want
        assert (await ben.send_intent(build_intent("reveal", ben.room)))["is"] == "refused"
        for message in list_other_messages():
            assert (await ben.send_and_wait(message, message.get("id")))["is"] == "refused", message
        assert read_stored_room(server, room) == before


@run_async
async def test_a_player_in_a_lobby_decides_nothing_of_the_hosts_and_seals_for_themselves_alone(
    server: RunningServer,
) -> None:
    ann, ben = Device(server.port), Device(server.port)
    async with ann.session(), ben.session():
        await ben.enter_room(await ann.open_room("Ann"))
        await ben.send_intent({"want": "sit", "name": "Ben"})
        before = read_stored_room(server, ben.room["id"])
        for want in ("settle", "sit_bot", "swap", "hand_over", "begin"):
            assert (await ben.send_intent(build_intent(want, ben.room)))["code"] == "not_host", want
        assert (await ben.send_intent({"want": "get_up", "seat": 0}))["code"] == "not_yours"
        assert (await ben.send_intent({"want": "real_dice", "seat": 0, "real": True}))["code"] == "not_yours"
        assert read_stored_room(server, ben.room["id"]) == before
        await ben.seal_seed()
        view = await ben.enter_room(ben.room["id"])
        assert [seat["sealed"] for seat in view["seats"]] == [False, True]


@run_async
async def test_knowing_a_devices_name_is_not_having_its_key(server: RunningServer) -> None:
    ann, ben = Device(server.port), Device(server.port)
    async with ann.session(), ben.session():
        room = await start_game(ann, ben)
    thief = Device(server.port, ann.id)
    async with thief.session():
        await thief.enter_room(room)
        assert not any(seat["yours"] for seat in thief.room["seats"])
        assert (await thief.send_intent(build_intent("stop", thief.room)))["code"] == "not_host"


@run_async
async def test_a_command_seen_elsewhere_is_not_carried_out_for_somebody_else(server: RunningServer) -> None:
    ann, ben = Device(server.port), Device(server.port)
    async with ann.session(), ben.session():
        room = await start_game(ann, ben)
        act = command("mine", build_intent("act", ann.room), ann.room)
        assert (await ann.send_and_wait(act, "mine"))["is"] == "done"
        before = read_stored_room(server, room)
        assert (await ben.send_and_wait(act, "mine"))["code"] == "command_reused"
        assert read_stored_room(server, room) == before


# Codes and links.


async def try_code(device: Device, code: str, **headers: str) -> Json:
    """Try a code, and give the answer."""
    answer = await device.post("/api/codes", {"code": code}, **headers)
    found: Json = json.loads(answer.body)
    assert answer.status == {"room_unknown": 404, "codes_too_many": 429}.get(found.get("code", ""), 200)
    return found


@run_async
async def test_a_code_opens_a_room_until_its_game_begins_and_wrong_and_missing_sound_alike(
    server: RunningServer,
) -> None:
    ann, ben, eve = (Device(server.port, address=f"127.0.1.{n}") for n in range(1, 4))
    async with ann.session(), ben.session(), eve.session():
        room = await ann.open_room("Ann")
        code = ann.room["code"]
        assert re.fullmatch(r"[2-9A-HJ-NP-Z]{8}", code)
        assert await try_code(eve, code.lower()) == {"room": room}
        await ann.seal_seed()
        assert (await ann.send_intent({"want": "begin"}))["is"] == "done"
        answers = [await try_code(ben, one) for one in (code, "AAAAAAAA", "", "%' OR 1=1", "\x00", "\u202e" * 16)]
        assert all(answer == answers[0] for answer in answers)
        assert answers[0]["code"] == "room_unknown"


@run_async
async def test_one_device_guesses_only_so_often_however_it_comes_back(server: RunningServer) -> None:
    ann, eve = Device(server.port), Device(server.port, address="127.0.2.1")
    async with ann.session():
        await ann.open_room("Ann")
        codes = [await one_guess(eve, f"WRONG{n:03}") for n in range(CODES_PER_DEVICE)]
        assert set(codes) == {"room_unknown"}
        other = Device(server.port, eve.token, address="127.0.2.2")
        assert await one_guess(other, "WRONG999") == "codes_too_many"
        assert await one_guess(other, ann.room["code"]) == "codes_too_many"
        assert await one_guess(Device(server.port, address="127.0.2.3"), ann.room["code"]) == "room"


@run_async
async def test_one_address_guesses_only_so_often_however_many_devices_it_has(server: RunningServer) -> None:
    ann = Device(server.port)
    async with ann.session():
        await ann.open_room("Ann")
        found = [
            await one_guess(Device(server.port, address="127.0.0.1"), "WRONGONE") for _ in range(CODES_PER_ADDRESS)
        ]
        assert set(found) == {"room_unknown"}
        liar = Device(server.port, address="127.0.0.1")
        assert await one_guess(liar, ann.room["code"], **{"X-Forwarded-For": "127.0.3.9"}) == "codes_too_many"
        assert await one_guess(Device(server.port, address="127.0.3.2"), ann.room["code"]) == "room"


@run_async
async def test_a_right_code_is_no_guess(server: RunningServer) -> None:
    ann, ben = Device(server.port), Device(server.port, address="127.0.4.1")
    async with ann.session():
        await ann.open_room("Ann")
        assert {await one_guess(ben, ann.room["code"]) for _ in range(2 * CODES_PER_DEVICE)} == {"room"}


async def one_guess(device: Device, code: str, **headers: str) -> str:
    """Try one code; gives how it was refused, or that it is a room's."""
    answer = await try_code(device, code, **headers)
    return str(answer.get("code", "room"))


def test_the_limiter_forgets_in_time_and_remembers_no_more_than_it_can_hold() -> None:
    now = 1000.0
    limiter = WindowLimiter(2, 60.0, lambda: now)
    assert [limiter.count_try("a") for _ in range(3)] == [True, True, False]
    assert limiter.count_try("b")
    now += 61
    assert limiter.count_try("a")
    for number in range(2 * MAX_KEYS):
        limiter.count_try(str(number))
    assert len(limiter.tries) <= MAX_KEYS + 1
    assert not limiter.count_try("somebody new")
    now += 61
    limiter.expire()
    assert not limiter.tries
    door = RateLimits(lambda: now)
    door.count_code("a", "b")
    door.refund_code("a", "b")
    door.open_socket("a")
    door.close_socket("a")
    assert not any((door.sockets, *(one.tries for one in door.codes)))


@run_async
async def test_a_strangers_room_and_none_at_all_are_answered_alike(server: RunningServer) -> None:
    ann = Device(server.port)
    async with ann.session():
        room = await ann.open_room("Ann")
    lists = [server.get_as(ZERO_HASH, f"/api/rooms?ids={ids}") for ids in (room, *NOWHERE, "", ",".join([room] * 30))]
    assert {(answer.status, answer.body) for answer in lists} == {(200, b"[]")}
    assert [one["id"] for one in json.loads(server.get_as(ann.token, f"/api/rooms?ids={room}").body)] == [room]
    pictures = [server.request(f"/qr/{name}.svg", cookie=f"knobel={ZERO_HASH}") for name in NOWHERE if name != ".."]
    assert {answer.status for answer in pictures} == {404}
    assert len({answer.body for answer in pictures}) == 1
    sentences = set()
    for name in NOWHERE:
        if name != "..":
            async with connect_socket(server.port, ZERO_HASH, room=name) as link:
                sentences.add(await link.recv())
                await link.wait_closed()
                assert link.close_code == NO_SUCH_ROOM
    assert len(sentences) == 1


@run_async
async def test_a_record_that_is_not_there_is_answered_alike_and_shown_short(server: RunningServer) -> None:
    ann, ben = Device(server.port), Device(server.port)
    async with ann.session(), ben.session():
        await start_game(ann, ben)
        names = ["0" * 16, ann.room["next_game"], ann.room["id"], "%1b[31m%E2%80%AE" + "x" * 500]
    found = [server.request(f"/games/{name}.knobel") for name in names]
    assert {answer.status for answer in found} == {404}
    assert (
        len({json.loads(answer.body)["text"].replace(name, "") for answer, name in zip(found[:3], names, strict=False)})
        == 1
    )
    assert json.loads(found[3].body)["text"].isprintable()
    assert len(found[3].body) < 200


# Pages of another version.


@pytest.mark.process
@pytest.mark.parametrize(
    "path", mostly_rest(["/ws", "/ws/4/nowhere", "/ws/6/nowhere", "/ws/5", "/ws/5/a/b", "/ws/x"], "/ws/4/nowhere")
)
@run_async
async def test_a_page_of_another_version_is_told_to_reload_and_nothing_it_sends_is_refused(
    path: str, server: RunningServer
) -> None:
    began = time.monotonic()
    async with connect_socket(server.port, ZERO_HASH, path=path) as link:
        with contextlib.suppress(ConnectionClosed):  # On a busy machine it is closed before everything is sent.
            await link.send('{"do":"enter","room":"nowhere"}')
            await link.send(
                '{"do":"want","id":"a.1","room":"nowhere","intent":{"want":"act","seat":0,"ply":0,"action":"ones"}}'
            )
        with pytest.raises(ConnectionClosed):
            await link.recv()
        assert (link.close_code, link.close_reason) == (OUTDATED, Translator("en").describe_error(WireOutdated()))
        assert time.monotonic() - began > OUTDATED_SECONDS / 2


@pytest.mark.parametrize("lang", COMPLETE)
def test_the_word_to_reload_fits_the_reason_of_a_close_in_every_complete_language(lang: str) -> None:
    words = Translator(lang).describe_error(WireOutdated())
    assert len(words.encode()) <= MAX_CLOSE_REASON


# Rooms over HTTP.


@run_async
async def test_the_same_request_twice_opens_one_room_and_another_devices_opens_its_own(server: RunningServer) -> None:
    ann, ben = Device(server.port), Device(server.port)
    body = {"id": "one", "settings": {"edition": "mb-yahtzee"}, "seats": [{"want": "sit", "name": "Ann"}]}
    answers = [await device.post("/api/rooms", body) for device in (ann, ann, ben)]
    assert {answer.status for answer in answers} == {200}
    rooms = [json.loads(answer.body)["room"] for answer in answers]
    assert (rooms[0] == rooms[1], rooms[0] == rooms[2]) == (True, False)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"id":"a"}',
        b'{"id":"","settings":{"edition":"mb-yahtzee"}}',
        b'{"id":"a","settings":{"edition":"mb-yahtzee"},"x":1}',
        b'{"id":"a","id":"b","settings":{"edition":"mb-yahtzee"}}',
        b'{"id":"a","settings":{"edition":"mb-yahtzee","edition":"noris-yatzy"}}',
        b'{"id":"a","settings":{"want":"sit","edition":"mb-yahtzee"}}',
        b'{"id":"a","settings":{"edition":"mb-yahtzee","seed":"1"}}',
        b'{"id":"a","settings":{"edition":"mb-yahtzee"},"seats":[{"name":"Ann"}]}',
        b'{"id":"a","settings":{"edition":"mb-yahtzee"}}' + b" " * 5000,
        b"[" * 4000,
    ],
)
@run_async
async def test_a_request_that_is_none_is_refused_in_one_sentence(body: bytes, server: RunningServer) -> None:
    answer = await Device(server.port).post("/api/rooms", body)
    assert (answer.status, json.loads(answer.body)["code"]) == (400, "message_malformed")


# Secrets.


@run_async
async def test_no_key_and_no_seed_is_told_to_anybody_before_the_end(server: RunningServer) -> None:
    ann, ben, eve = (Device(server.port) for _ in range(3))
    async with AsyncExitStack() as stack:
        for device in (ann, ben, eve):
            await stack.enter_async_context(device.session())
        room = await start_game(ann, ben)
        await eve.enter_room(room)
        game = ann.position["game"]
        for want in SAMPLE_INTENTS:
            await eve.send_intent(build_intent(want, eve.room))
        await ann.send_intent(build_intent("act", ann.room))
        await ann.send_intent({"want": "act", "seat": 0, "ply": 1, "action": "nonsense"})
        with sqlite3.connect(server.database) as link:
            (seed,) = link.execute("SELECT seed FROM games WHERE game = ?", (game,)).fetchone()
            (body,) = link.execute("SELECT body FROM rooms WHERE room = ?", (room,)).fetchone()
        coming = json.loads(body)["room"]["coming"]["seed"]
        record = server.request(f"/games/{game}.knobel").body.decode()
        paths = (
            "/",
            f"/room/{room}",
            "/api/hello",
            f"/api/rooms?ids={room}",
            f"/qr/{room}.svg",
            f"/games/{coming}.knobel",
        )
        pages = [server.get_as(ann.token, path).body.decode() for path in paths]
        said = "\n".join((*ann.received, *ben.received, *eve.received, record, *pages[:-1], server.stderr))
        assert len(seed) == len(coming) == 64
        secret = [seed, coming, ann.token, ben.token, eve.token, ann.id, ben.id, eve.id]
        assert [one for one in secret if one in said] == []
        assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() not in said
        assert (await ann.send_intent({"want": "stop"}))["is"] == "done"
        ended = server.request(f"/games/{game}.knobel").body
        assert seed in ended.decode()
        assert verify(ended, "stopped.knobel").is_verified
        assert [one for one in secret[1:] if one in ended.decode()] == []


def test_the_database_holds_no_key_of_any_device(server: RunningServer) -> None:
    token = secrets.token_hex(32)

    async def opens() -> str:
        async with Device(server.port, token).session() as device:
            return await device.open_room("Ann")

    room = asyncio.run(opens())
    found = repr(dump_tables(server.database))
    assert room in found
    assert hashlib.sha256(token.encode()).hexdigest() in found
    assert token not in found
