"""Rooms and games that are damaged in the database, as pages and programs see them: said, and no other one suffers."""

import json
import sqlite3
from collections.abc import Iterator

import pytest

from tests.support.devices import Device, RunningServer, run_server, start_game
from tests.support.hosted_rooms import run_async

DAMAGE = {
    "a room": "UPDATE rooms SET body = '{' WHERE room = ?",
    "an edition": 'UPDATE rooms SET body = replace(body, \'"edition":"\', \'"edition":"no-\') WHERE room = ?',
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with run_server(tmp_path_factory.mktemp("house")) as place:
        yield place


def change(server: RunningServer, statement: str, *values: str) -> None:
    link = sqlite3.connect(server.database)
    with link:
        assert link.execute(statement, values).rowcount > 0
    link.close()


@pytest.mark.parametrize("kind", DAMAGE)
@run_async
async def test_a_damaged_room_keeps_no_other_one_from_being_listed(kind: str, server: RunningServer) -> None:
    ann = Device(server.port)
    rooms = []
    for name in ("Ann", "Anna"):
        async with ann.session():
            rooms.append(await ann.open_room(name))
    change(server, DAMAGE[kind], rooms[0])
    answer = server.get_as(ann.token, f"/api/rooms?ids={','.join(rooms)}")
    assert answer.status == 200
    assert [room["id"] for room in json.loads(answer.body)] == rooms[1:]


@run_async
async def test_a_damaged_log_is_refused_in_a_sentence(server: RunningServer) -> None:
    ann, ben = Device(server.port), Device(server.port)
    async with ann.session(), ben.session():
        await start_game(ann, ben)
        game = ann.position["game"]
    assert server.request(f"/games/{game}.knobel").status == 200
    change(server, "UPDATE events SET body = replace(body, '}', ' }') WHERE game = ? AND seq = 1", game)
    answer = server.request(f"/games/{game}.knobel")
    assert answer.status == 500
    assert json.loads(answer.body)["code"] == "game_damaged"
