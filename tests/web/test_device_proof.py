"""A cookie alone takes no seat: a device proves itself by a second secret, which a code moves to another browser."""

import asyncio
import json
import secrets
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from knobel.web.rate_limits import CODES_PER_DEVICE, RECOVERIES_PER_DEVICE
from knobel.web.sockets import UNPROVEN
from tests.support.devices import Device, HttpResponse, RunningServer, connect_socket, post_json, run_server
from tests.support.hosted_rooms import run_async
from tests.support.proofs import derive_secret, proof_headers
from tests.support.stored_games import dump_tables
from tests.support.waiting import HANG_SECONDS


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with run_server(tmp_path_factory.mktemp("proof")) as running:
        yield running


def post_with(server: RunningServer, token: str, secret: str, path: str, body: object) -> HttpResponse:
    """Post something with a cookie and some secret."""
    return post_json(server.port, path, body, token, **{"Knobel-Secret": secret})


def read_code(answer: HttpResponse) -> str:
    assert answer.status == 200, answer.body
    return str(json.loads(answer.body)["code"])


async def hear_first(server: RunningServer, token: str, secret: str, room: str) -> dict[str, Any]:
    """Open a socket with a cookie and some secret; give the first message, with the close code if it ends there."""
    protocols = ["knobel", f"secret.{secret}"]
    async with connect_socket(server.port, token, room=room, subprotocols=protocols) as socket:
        async with asyncio.timeout(HANG_SECONDS):
            first: dict[str, Any] = json.loads(await socket.recv())
            if first["is"] == "refused":
                with pytest.raises(ConnectionClosed):
                    await socket.recv()
                first["closed"] = socket.close_code
        return first


def has_seat(first: dict[str, Any]) -> bool:
    return any(seat["yours"] for seat in first["view"]["seats"])


@run_async
async def test_a_cookie_without_the_secret_of_its_page_takes_no_seat(server: RunningServer) -> None:
    async with Device(server.port).session() as ann:
        room = await ann.open_room("Ann")
    before = dump_tables(server.database)["rooms"]
    stolen = secrets.token_hex(32)
    first = await hear_first(server, ann.token, stolen, room)
    assert (first["is"], first["code"], first["closed"]) == ("refused", "device_unproven", UNPROVEN)
    opened = post_with(server, ann.token, stolen, "/api/rooms", {"id": "x", "settings": {"edition": "mb-yahtzee"}})
    assert (opened.status, json.loads(opened.body)["code"]) == (403, "device_unproven")
    asked = post_with(server, ann.token, stolen, "/api/device/code", {})
    assert (asked.status, json.loads(asked.body)["code"]) == (403, "device_unproven")
    headers = {**proof_headers(ann.token), "Knobel-Secret": stolen}
    assert server.request(f"/api/rooms?ids={room}", "GET", None, **headers).status == 403
    assert dump_tables(server.database)["rooms"] == before
    assert has_seat(await hear_first(server, ann.token, derive_secret(ann.token), room))


@pytest.mark.parametrize("protocols", [[], ["knobel"], ["knobel", "secret."], ["knobel", "secret.beef"]])
@run_async
async def test_without_a_whole_secret_no_socket_is_opened(server: RunningServer, protocols: list[str]) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with connect_socket(server.port, secrets.token_hex(32), subprotocols=protocols or None):
            pass
    assert refused.value.response.status_code == 403


def test_a_request_without_a_secret_is_that_of_an_older_page_which_is_told_to_reload(server: RunningServer) -> None:
    body = {"id": "x", "settings": {"edition": "mb-yahtzee"}}
    answer = post_with(server, secrets.token_hex(32), "", "/api/rooms", body)
    assert (answer.status, json.loads(answer.body)["code"]) == (400, "wire_outdated")


@run_async
async def test_a_code_moves_the_seats_to_another_browser_and_its_own_the_other_way(server: RunningServer) -> None:
    async with Device(server.port).session() as ann, Device(server.port).session() as ben:
        room, other = await ann.open_room("Ann"), await ben.open_room("Ben")
        code = read_code(await ann.post("/api/device/code", {}))
        answer = await ben.post("/api/device/recover", {"code": f" {code.lower().replace('-', ' ')} "})
        assert answer.status == 200, answer.body
        for one in (ann, ben):
            async with asyncio.timeout(HANG_SECONDS):
                await one.socket.wait_closed()
        await ben.enter_room(room)
        assert [seat["yours"] for seat in ben.room["seats"]] == [True]
        assert ben.room["host"]
        await ann.enter_room(room)
        assert [seat["yours"] for seat in ann.room["seats"]] == [False]
        await ann.enter_room(other)
        assert [seat["yours"] for seat in ann.room["seats"]] == [True]
        again = await ben.post("/api/device/recover", {"code": code})
        assert (again.status, json.loads(again.body)["code"]) == (400, "recovery_code")


@run_async
async def test_a_browser_that_lost_its_secret_gets_its_seats_by_a_code_or_starts_as_a_new_device(
    server: RunningServer,
) -> None:
    async with Device(server.port).session() as ann:
        room = await ann.open_room("Ann")
        other_port, cleared = secrets.token_hex(32), secrets.token_hex(32)
        code = read_code(await ann.post("/api/device/code", {}))
    assert post_with(server, ann.token, other_port, "/api/device/recover", {"code": code}).status == 200
    assert has_seat(await hear_first(server, ann.token, other_port, room))
    assert not has_seat(await hear_first(server, ann.token, derive_secret(ann.token), room))
    assert (await hear_first(server, ann.token, cleared, room))["is"] == "refused"
    assert post_with(server, ann.token, cleared, "/api/device/new", {}).status == 200
    assert not has_seat(await hear_first(server, ann.token, cleared, room))
    assert has_seat(await hear_first(server, ann.token, other_port, room))


@run_async
async def test_codes_are_neither_guessed_nor_shown_without_end(server: RunningServer) -> None:
    async with Device(server.port).session() as ann, Device(server.port, address="127.0.0.9").session() as eve:
        await ann.open_room("Ann")
        shown = [await ann.post("/api/device/code", {}) for _ in range(RECOVERIES_PER_DEVICE + 1)]
        assert [answer.status for answer in shown] == [200] * RECOVERIES_PER_DEVICE + [429]
        await eve.open_room("Eve")
        tries = [
            await eve.post("/api/device/recover", {"code": f"23456-{number:05}"})
            for number in range(CODES_PER_DEVICE + 1)
        ]
        assert [answer.status for answer in tries] == [400] * CODES_PER_DEVICE + [429]
        late = await eve.post("/api/device/recover", {"code": read_code(shown[-2])})
        assert late.status == 429


@run_async
async def test_only_the_last_code_of_a_browser_works(server: RunningServer) -> None:
    async with Device(server.port).session() as ann, Device(server.port).session() as ben:
        await ann.open_room("Ann")
        codes = [read_code(await ann.post("/api/device/code", {})) for _ in range(2)]
        answers = [(await ben.post("/api/device/recover", {"code": code})).status for code in codes]
        assert answers == [400, 200]


@run_async
async def test_the_database_holds_hashes_of_secrets_and_codes_only(server: RunningServer) -> None:
    async with Device(server.port).session() as ann:
        await ann.open_room("Ann")
        code = read_code(await ann.post("/api/device/code", {}))
    stored = repr(dump_tables(server.database))
    assert ann.id in stored
    for secret in (ann.token, derive_secret(ann.token), code, code.replace("-", "")):
        assert secret not in stored


@run_async
async def test_two_pages_that_come_first_with_one_cookie_are_not_both_bound(server: RunningServer) -> None:
    async with Device(server.port).session() as host:
        room = await host.open_room("Host")
    token = secrets.token_hex(32)
    firsts = await asyncio.gather(*(hear_first(server, token, secrets.token_hex(32), room) for _ in range(6)))
    assert sorted(first["is"] for first in firsts) == ["refused"] * 5 + ["room"]
