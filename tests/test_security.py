"""Who may do what over the wire: only our own pages, one's own seat, no guessing, no secret before its time."""

import asyncio
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
from knobel.lang import LANGUAGES, Translator, is_complete
from knobel.record.verify import verify
from knobel.rooms.intents import AnyIntent
from knobel.web.app import SECURITY_HEADERS
from knobel.web.connection import NO_SUCH_ROOM
from knobel.web.rate_limits import CODES_PER_ADDRESS, CODES_PER_DEVICE, MAX_KEYS, RateLimits, WindowLimiter
from knobel.web.schema import INCOMING
from knobel.web.sockets import MAX_CLOSE_REASON, OUTDATED, OUTDATED_SECONDS
from knobel.web.wire import WIRE_VERSION
from tests.crowd import Json
from tests.guests import HEX, INTENTS, Guest, Place, called, intent, laid, opened, stored
from tests.kept import rows
from tests.parties import awaited

ORIGINS = [None, "null", "", "http://evil.example", "http://localhost:1", "http://localhost", "file://localhost:{port}"]
NOWHERE = ["nowhere", "AAAAAAAAAAAAAAAA", "..", "%00", "%F0%9F%8E%B2", "x" * 64]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A house that may not complain about anything that is done to it here."""
    with opened(tmp_path_factory.mktemp("house")) as place:
        yield place


def own(place: Place) -> str:
    """The origin of the house's own pages."""
    return f"http://localhost:{place.port}"


# The door.


async def turned_away(knock: connect) -> InvalidStatus:
    """Insist that a socket is not opened."""
    with pytest.raises(InvalidStatus) as caught:
        async with knock:
            pass
    return caught.value


@pytest.mark.parametrize("origin", [*ORIGINS, "http://localhost:{port}.evil.example", "http://evil@localhost:{port}"])
@awaited
async def test_a_socket_is_opened_only_from_the_houses_own_pages(origin: str | None, house: Place) -> None:
    knock = called(
        house.port, HEX, origin=None, headers={} if origin is None else {"Origin": origin.format(port=house.port)}
    )
    answer = (await turned_away(knock)).response
    assert answer.status_code == 403
    assert {name: answer.headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS


@pytest.mark.parametrize("origin", ORIGINS)
def test_nothing_is_posted_from_elsewhere(origin: str | None, house: Place) -> None:
    answer = house.ask("/api/house-rules", "POST", b"dice = ", origin=origin and origin.format(port=house.port))
    assert (answer.status, json.loads(answer.body)["code"]) == (403, "origin_foreign")


def test_what_is_posted_from_the_houses_own_pages_is_read(house: Place) -> None:
    answer = house.ask("/api/house-rules", "POST", b"dice = ", origin=own(house))
    assert (answer.status, json.loads(answer.body)["code"]) == (400, "file_toml")


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "localhost.evil.example", "evil@localhost", "localhost?", "", "10.0.0.1"],
)
@awaited
async def test_another_name_than_the_houses_is_nobodys(host: str, house: Place) -> None:
    answer = house.ask("/", host=host)
    assert (answer.status, answer.body, "set-cookie" in answer.headers) == (421, b"", False)
    posted = house.ask("/api/house-rules", "POST", b"", host=host, origin=f"http://{host}")
    assert posted.status == 421


@awaited
async def test_a_socket_by_another_name_is_not_opened(house: Place) -> None:
    uri = f"ws://evil.example:{house.port}/ws/{WIRE_VERSION}/nowhere"
    knock = connect(uri, host="127.0.0.1", port=house.port, origin=f"http://evil.example:{house.port}", proxy=None)  # type: ignore[arg-type]
    assert (await turned_away(knock)).response.status_code == 421


@pytest.mark.parametrize("token", [None, "", "0" * 32, "0" * 63, "0" * 65, "g" * 64, "A" * 64, '"' + "0" * 62 + '"'])
@awaited
async def test_without_a_whole_token_nothing_at_all_can_be_said(token: str | None, house: Place) -> None:
    assert (await turned_away(called(house.port, token))).response.status_code == 403
    fresh = house.ask("/", cookie=None if token is None else f"knobel={token}").headers["set-cookie"]
    assert re.match(r"knobel=[0-9a-f]{64};", fresh)


def test_a_devices_key_is_out_of_reach_for_scripts_and_other_sites(house: Place) -> None:
    found = [house.ask(path).headers["set-cookie"].split("; ") for path in ("/", "/room/x", "/")]
    assert all({"HttpOnly", "SameSite=lax", "Path=/"} <= set(parts) for parts in found)
    assert not any("Secure" in parts or "Domain" in str(parts) for parts in found)
    assert len({parts[0] for parts in found}) == 3
    assert "set-cookie" not in house.ask("/", cookie=found[0][0]).headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("HEAD", "/", 200),
        ("GET", "/room/whatever", 200),
        ("GET", "/api/hello", 200),
        ("GET", "/api/rules?edition=nothing", 400),
        ("GET", "/api/rules?edition=tactic-xl-yatzy&set=nothing", 400),
        ("GET", "/api/rooms?ids=a,b", 200),
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
        ("GET", "/ws/3/nowhere", 404),
        ("GET", "/ws", 404),
        ("GET", "/api/codes", 405),
        ("POST", "/api/rooms", 403),
        ("POST", "/api/rooms/from-game", 403),
        ("POST", "/api/codes", 403),
    ],
)
def test_every_answer_has_the_houses_headers(method: str, path: str, status: int, house: Place) -> None:
    answer = house.ask(path, method, b"" if method == "POST" else None, origin=own(house))
    assert answer.status == status
    assert {name: answer.headers.get(name.lower()) for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert "server" not in answer.headers
    assert "access-control-allow-origin" not in answer.headers
    assert not re.search("script-src|unsafe", SECURITY_HEADERS["Content-Security-Policy"])


def test_refusals_at_the_door_have_the_headers_too(house: Place) -> None:
    for answer in (house.ask("/", host="evil.example"), house.ask("/api/house-rules", "POST", b"")):
        assert {name: answer.headers.get(name.lower()) for name in SECURITY_HEADERS} == SECURITY_HEADERS


# Seats.

ALWAYS = {"is", "id", "code", "text"}


FREE = {"set_language", "ping"}
"""What anybody may say who has the link."""


def asked() -> list[Json]:
    """Say everything else a device can say, for a seat that is not its own."""
    return [
        {"do": "hint", "id": "hint", "seat": 0},
        {"do": "ledger", "id": "ledger", "seat": 0},
        {"do": "turn", "id": "turn", "seat": 0, "box": "chance"},
        {"do": "say", "seat": 0, "remark": "hello"},
    ]


def test_there_is_an_intent_and_a_message_of_every_kind() -> None:
    assert set(INTENTS) == {kind.__struct_config__.tag for kind in get_args(AnyIntent)}
    spoken = {message["do"] for message in asked()}
    assert spoken | FREE | {"want"} == {kind.__struct_config__.tag for kind in INCOMING}


@awaited
async def test_whoever_only_watches_a_game_can_change_nothing_in_it(house: Place) -> None:
    ann, ben, eve = (Guest(house.port) for _ in range(3))
    async with ann.here(), ben.here(), eve.here():
        room = await laid(ann, ben)
        await eve.enter(room)
        assert not any(seat["yours"] for seat in eve.room["seats"])
        assert eve.room["host"] is False
        before = stored(house, room)
        for want in INTENTS:
            answer = await eve.want(intent(want, eve.room))
            assert (answer["is"], set(answer)) == ("refused", ALWAYS), (want, answer)
            assert answer["code"] in ("not_yours", "not_host", "game_running"), (want, answer)
        for message in asked():
            answer = await eve.told(message, message.get("id"))
            assert answer["is"] == "refused", (message, answer)
        on = {"id": "on", "game": eve.room["game"], "event": 0, "seat": 0, "bot": "random"}
        assert (await eve.post("/api/rooms/from-game", on)).status == 404
        assert stored(house, room) == before
        assert (await ann.want({"want": "act", "seat": 0, "ply": 0, "action": "....."}))["is"] == "done"
        assert not any('"remark"' in text for text in ann.heard)


@awaited
async def test_whoever_only_watches_a_lobby_can_sit_down_and_nothing_else(house: Place) -> None:
    ann, eve = Guest(house.port), Guest(house.port)
    async with ann.here(), eve.here():
        room = await ann.open("Ann", "Anna")
        await eve.enter(room)
        before = stored(house, room)
        for want in set(INTENTS) - {"sit"}:
            answer = await eve.want(intent(want, eve.room))
            assert answer["is"] == "refused", (want, answer)
            assert answer["code"] in ("not_yours", "not_host", "no_game"), (want, answer)
        assert stored(house, room) == before


@awaited
async def test_a_player_speaks_for_no_other_seat_and_decides_nothing_of_the_hosts(house: Place) -> None:
    ann, ben = Guest(house.port), Guest(house.port)
    async with ann.here(), ben.here():
        room = await laid(ann, ben)
        before = stored(house, room)
        for want in ("act", "undo", "correct", "swap_boxes", "leave", "put_in", "return", "assist"):
            assert (await ben.want(intent(want, ben.room)))["code"] == "not_yours", want
        for want in ("stop", "start_without", "hand_over", "begin"):
            assert (await ben.want(intent(want, ben.room)))["code"] == "not_host", want
        assert (await ben.want(intent("reveal", ben.room)))["is"] == "refused"
        for message in asked():
            assert (await ben.told(message, message.get("id")))["is"] == "refused", message
        assert stored(house, room) == before


@awaited
async def test_a_guest_in_a_lobby_decides_nothing_of_the_hosts_and_seals_for_himself_alone(house: Place) -> None:
    ann, ben = Guest(house.port), Guest(house.port)
    async with ann.here(), ben.here():
        await ben.enter(await ann.open("Ann"))
        await ben.want({"want": "sit", "name": "Ben"})
        before = stored(house, ben.room["id"])
        for want in ("settle", "sit_bot", "swap", "hand_over", "begin"):
            assert (await ben.want(intent(want, ben.room)))["code"] == "not_host", want
        assert (await ben.want({"want": "get_up", "seat": 0}))["code"] == "not_yours"
        assert (await ben.want({"want": "real_dice", "seat": 0, "real": True}))["code"] == "not_yours"
        assert stored(house, ben.room["id"]) == before
        await ben.seal()
        view = await ben.enter(ben.room["id"])
        assert [seat["sealed"] for seat in view["seats"]] == [False, True]


@awaited
async def test_knowing_a_devices_name_is_not_having_its_key(house: Place) -> None:
    ann, ben = Guest(house.port), Guest(house.port)
    async with ann.here(), ben.here():
        room = await laid(ann, ben)
    thief = Guest(house.port, ann.owner)
    async with thief.here():
        await thief.enter(room)
        assert not any(seat["yours"] for seat in thief.room["seats"])
        assert (await thief.want(intent("stop", thief.room)))["code"] == "not_host"


@awaited
async def test_a_command_seen_elsewhere_is_not_carried_out_for_somebody_else(house: Place) -> None:
    ann, ben = Guest(house.port), Guest(house.port)
    async with ann.here(), ben.here():
        room = await laid(ann, ben)
        act = {"do": "want", "id": "mine", "intent": intent("act", ann.room)}
        assert (await ann.told(act, "mine"))["is"] == "done"
        before = stored(house, room)
        assert (await ben.told(act, "mine"))["code"] == "command_reused"
        assert stored(house, room) == before


# Codes and links.


async def tried(guest: Guest, code: str, **headers: str) -> Json:
    """Try a code, and give the answer."""
    answer = await guest.post("/api/codes", {"code": code}, **headers)
    found: Json = json.loads(answer.body)
    assert answer.status == {"room_unknown": 404, "codes_too_many": 429}.get(found.get("code", ""), 200)
    return found


@awaited
async def test_a_code_opens_a_room_until_its_game_begins_and_wrong_and_missing_sound_alike(house: Place) -> None:
    ann, ben, eve = (Guest(house.port, address=f"127.0.1.{n}") for n in range(1, 4))
    async with ann.here(), ben.here(), eve.here():
        room = await ann.open("Ann")
        code = ann.room["code"]
        assert re.fullmatch(r"[2-9A-HJ-NP-Z]{8}", code)
        assert await tried(eve, code.lower()) == {"room": room}
        await ann.seal()
        assert (await ann.want({"want": "begin"}))["is"] == "done"
        answers = [await tried(ben, one) for one in (code, "AAAAAAAA", "", "%' OR 1=1", "\x00", "\u202e" * 16)]
        assert all(answer == answers[0] for answer in answers)
        assert answers[0]["code"] == "room_unknown"


@awaited
async def test_one_device_guesses_only_so_often_however_it_comes_back(house: Place) -> None:
    ann, eve = Guest(house.port), Guest(house.port, address="127.0.2.1")
    async with ann.here():
        await ann.open("Ann")
        codes = [await one_guess(eve, f"WRONG{n:03}") for n in range(CODES_PER_DEVICE)]
        assert set(codes) == {"room_unknown"}
        other = Guest(house.port, eve.token, address="127.0.2.2")
        assert await one_guess(other, "WRONG999") == "codes_too_many"
        assert await one_guess(other, ann.room["code"]) == "codes_too_many"
        assert await one_guess(Guest(house.port, address="127.0.2.3"), ann.room["code"]) == "room"


@awaited
async def test_one_address_guesses_only_so_often_however_many_devices_it_has(house: Place) -> None:
    ann = Guest(house.port)
    async with ann.here():
        await ann.open("Ann")
        found = [await one_guess(Guest(house.port, address="127.0.0.1"), "WRONGONE") for _ in range(CODES_PER_ADDRESS)]
        assert set(found) == {"room_unknown"}
        liar = Guest(house.port, address="127.0.0.1")
        assert await one_guess(liar, ann.room["code"], **{"X-Forwarded-For": "127.0.3.9"}) == "codes_too_many"
        assert await one_guess(Guest(house.port, address="127.0.3.2"), ann.room["code"]) == "room"


@awaited
async def test_a_right_code_is_no_guess(house: Place) -> None:
    ann, ben = Guest(house.port), Guest(house.port, address="127.0.4.1")
    async with ann.here():
        await ann.open("Ann")
        assert {await one_guess(ben, ann.room["code"]) for _ in range(2 * CODES_PER_DEVICE)} == {"room"}


async def one_guess(guest: Guest, code: str, **headers: str) -> str:
    """Try one code; gives how it was refused, or that it is a room's."""
    answer = await tried(guest, code, **headers)
    return str(answer.get("code", "room"))


def test_the_doorkeeper_forgets_in_time_and_remembers_no_more_than_it_can_hold() -> None:
    now = 1000.0
    patience = WindowLimiter(2, 60.0, lambda: now)
    assert [patience.count_try("a") for _ in range(3)] == [True, True, False]
    assert patience.count_try("b")
    now += 61
    assert patience.count_try("a")
    for number in range(2 * MAX_KEYS):
        patience.count_try(str(number))
    assert len(patience.tries) <= MAX_KEYS + 1
    assert not patience.count_try("somebody new")
    now += 61
    patience.expire()
    assert not patience.tries
    door = RateLimits(lambda: now)
    door.count_code("a", "b")
    door.refund_code("a", "b")
    door.open_socket("a")
    door.close_socket("a")
    assert not any((door.sockets, *(one.tries for one in door.codes)))


@awaited
async def test_a_strangers_room_and_none_at_all_are_answered_alike(house: Place) -> None:
    ann = Guest(house.port)
    async with ann.here():
        room = await ann.open("Ann")
    lists = [
        house.ask(f"/api/rooms?ids={ids}", cookie=f"knobel={HEX}")
        for ids in (room, *NOWHERE, "", ",".join([room] * 30))
    ]
    assert {(answer.status, answer.body) for answer in lists} == {(200, b"[]")}
    assert [
        one["id"] for one in json.loads(house.ask(f"/api/rooms?ids={room}", cookie=f"knobel={ann.token}").body)
    ] == [room]
    pictures = [house.ask(f"/qr/{name}.svg", cookie=f"knobel={HEX}") for name in NOWHERE if name != ".."]
    assert {answer.status for answer in pictures} == {404}
    assert len({answer.body for answer in pictures}) == 1
    sentences = set()
    for name in NOWHERE:
        if name != "..":
            async with called(house.port, HEX, room=name) as link:
                sentences.add(await link.recv())
                await link.wait_closed()
                assert link.close_code == NO_SUCH_ROOM
    assert len(sentences) == 1


@awaited
async def test_a_record_that_is_not_there_is_answered_alike_and_shown_short(house: Place) -> None:
    ann, ben = Guest(house.port), Guest(house.port)
    async with ann.here(), ben.here():
        await laid(ann, ben)
        names = ["0" * 16, ann.room["next_game"], ann.room["id"], "%1b[31m%E2%80%AE" + "x" * 500]
    found = [house.ask(f"/games/{name}.knobel") for name in names]
    assert {answer.status for answer in found} == {404}
    assert (
        len({json.loads(answer.body)["text"].replace(name, "") for answer, name in zip(found[:3], names, strict=False)})
        == 1
    )
    assert json.loads(found[3].body)["text"].isprintable()
    assert len(found[3].body) < 200


# Pages of another version.


@pytest.mark.parametrize("path", ["/ws", "/ws/2/nowhere", "/ws/4/nowhere", "/ws/3", "/ws/3/a/b", "/ws/x"])
@awaited
async def test_a_page_of_another_version_is_told_to_reload_and_nothing_it_sends_is_refused(
    path: str, house: Place
) -> None:
    async with called(house.port, HEX, path=path) as link:
        await link.send('{"do":"enter","room":"nowhere"}')
        await link.send(
            '{"do":"want","id":"a.1","room":"nowhere","intent":{"want":"act","seat":0,"ply":0,"action":"ones"}}'
        )
        began = time.monotonic()
        with pytest.raises(ConnectionClosed):
            await link.recv()
        assert (link.close_code, link.close_reason) == (OUTDATED, Translator("en").describe_error(WireOutdated()))
        assert time.monotonic() - began > OUTDATED_SECONDS / 2


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if is_complete(lang)])
def test_the_word_to_reload_fits_the_reason_of_a_close_in_every_complete_language(lang: str) -> None:
    words = Translator(lang).describe_error(WireOutdated())
    assert len(words.encode()) <= MAX_CLOSE_REASON
    assert lang == "en" or words != Translator("en").describe_error(WireOutdated())


# Rooms over HTTP.


@awaited
async def test_the_same_request_twice_opens_one_room_and_another_devices_opens_its_own(house: Place) -> None:
    ann, ben = Guest(house.port), Guest(house.port)
    body = {"id": "one", "settings": {"edition": "mb-yahtzee"}, "seats": [{"want": "sit", "name": "Ann"}]}
    answers = [await guest.post("/api/rooms", body) for guest in (ann, ann, ben)]
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
        b'{"id":"a","settings":{"want":"sit","edition":"mb-yahtzee"}}',
        b'{"id":"a","settings":{"edition":"mb-yahtzee","seed":"1"}}',
        b'{"id":"a","settings":{"edition":"mb-yahtzee"},"seats":[{"name":"Ann"}]}',
        b'{"id":"a","settings":{"edition":"mb-yahtzee"}}' + b" " * 5000,
        b"[" * 4000,
    ],
)
@awaited
async def test_a_request_that_is_none_is_refused_in_one_sentence(body: bytes, house: Place) -> None:
    answer = await Guest(house.port).post("/api/rooms", body)
    assert (answer.status, json.loads(answer.body)["code"]) == (400, "message_malformed")


# Secrets.


@awaited
async def test_no_key_and_no_seed_is_told_to_anybody_before_the_end(house: Place) -> None:
    ann, ben, eve = (Guest(house.port) for _ in range(3))
    async with AsyncExitStack() as stack:
        for guest in (ann, ben, eve):
            await stack.enter_async_context(guest.here())
        room = await laid(ann, ben)
        await eve.enter(room)
        game = ann.position["game"]
        for want in INTENTS:
            await eve.want(intent(want, eve.room))
        await ann.want(intent("act", ann.room))
        await ann.want({"want": "act", "seat": 0, "ply": 1, "action": "nonsense"})
        with sqlite3.connect(house.database) as link:
            (seed,) = link.execute("SELECT seed FROM games WHERE game = ?", (game,)).fetchone()
            (body,) = link.execute("SELECT body FROM rooms WHERE room = ?", (room,)).fetchone()
        coming = json.loads(body)["room"]["coming"]["seed"]
        record = house.ask(f"/games/{game}.knobel").body.decode()
        paths = (
            "/",
            f"/room/{room}",
            "/api/hello",
            f"/api/rooms?ids={room}",
            f"/qr/{room}.svg",
            f"/games/{coming}.knobel",
        )
        pages = [house.ask(path, cookie=f"knobel={ann.token}").body.decode() for path in paths]
        said = "\n".join((*ann.heard, *ben.heard, *eve.heard, record, *pages[:-1], house.complaints))
        assert len(seed) == len(coming) == 64
        secret = [seed, coming, ann.token, ben.token, eve.token, ann.owner, ben.owner, eve.owner]
        assert [one for one in secret if one in said] == []
        assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() not in said
        assert (await ann.want({"want": "stop"}))["is"] == "done"
        ended = house.ask(f"/games/{game}.knobel").body
        assert seed in ended.decode()
        assert verify(ended, "stopped.knobel").is_verified
        assert [one for one in secret[1:] if one in ended.decode()] == []


def test_the_database_holds_no_key_of_any_device(house: Place) -> None:
    token = secrets.token_hex(32)

    async def opens() -> str:
        async with Guest(house.port, token).here() as guest:
            return await guest.open("Ann")

    room = asyncio.run(opens())
    found = repr(rows(house.database))
    assert room in found
    assert hashlib.sha256(token.encode()).hexdigest() in found
    assert token not in found
