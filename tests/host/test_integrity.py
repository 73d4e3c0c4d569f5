"""Stored logs are checked when they are read: what is damaged is set aside with a word, and everything else goes on."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from knobel.cli.doctor import check_database
from knobel.errors import GameDamaged, GameNotFound, HistoryRolledBack, RoomDamaged
from knobel.host.archive import DAY_SECONDS, expire_rooms, export_record
from knobel.host.integrity import find_damage, load_checked_table
from knobel.record.file import parse_record
from knobel.rooms.intents import Act, ChangeSettings, Sit
from knobel.store import EventRow
from tests.support.hosted_rooms import ANN, BEN, SHORT_GAME, HostedRoom, open_host, run_async

TWO = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))
DAMAGE = {
    "dice": ("UPDATE events SET body = replace(body, '\"dice\":[', '\"dice\":[6,') WHERE game = ? AND seq = 4", 5),
    "a hash": ("UPDATE events SET previous = body WHERE game = ? AND seq = 3", 3),
    "the last event": ("UPDATE events SET body = replace(body, '}', ' }') WHERE game = ? AND seq = 8", 8),
    "the seed": ("UPDATE games SET seed = substr(seed, 3) || '00' WHERE game = ?", 0),
    "a missing end": ("DELETE FROM events WHERE game = ? AND seq > 6", 7),
    "a missing middle": ("DELETE FROM events WHERE game = ? AND seq = 5", 5),
    "no JSON": ("UPDATE events SET body = '{' WHERE game = ? AND seq = 8", 8),
    "the header": ("UPDATE games SET header = replace(header, '\"first\":null', '\"first\":0') WHERE game = ?", 1),
    "no header": ("UPDATE games SET header = '' WHERE game = ?", 0),
    "no head": ("DELETE FROM heads WHERE game = ?", 0),
    "no game": ("DELETE FROM games WHERE game = ?", 0),
    "an event too many": (
        "INSERT INTO events SELECT game, 9, 'x', request_body, 9, previous, body, at FROM events"
        " WHERE game = ? AND seq = 8",
        9,
    ),
}


def change(path: Path, statement: str, *values: object) -> None:
    link = sqlite3.connect(path / "host.db")
    with link:
        assert link.execute(statement, values).rowcount > 0
    link.close()


async def play_two_rooms(path: Path) -> tuple[HostedRoom, str, tuple[int, str]]:
    """Play a little in one room and in another, and give the first with what was seen of it last."""
    async with open_host(path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        table = await hosted.begin_game()
        for seat in (0, 1):
            await hosted.act(seat, "..")
            await hosted.act(seat, "chance")
        assert table.replay.count == 8
        other = await HostedRoom.open(host, replace(SHORT_GAME, games=2), TWO)
        await other.begin_game()
        return hosted, other.id, (table.replay.count, table.head)


@pytest.mark.parametrize("kind", DAMAGE)
@run_async
async def test_a_damaged_log_is_set_aside_and_another_game_begins(tmp_path: Path, kind: str) -> None:
    statement, event = DAMAGE[kind]
    before, other, _ = await play_two_rooms(tmp_path)
    async with open_host(tmp_path) as host:
        game = (await before.reopen_at(host)).id
        name = str((await host.find_session(game)).room.game)
    change(tmp_path, statement, name)
    async with open_host(tmp_path) as host:
        hosted = await before.reopen_at(host)
        room_session = await hosted.session()
        assert room_session.table is None
        assert not room_session.room.running
        assert room_session.damage is not None
        assert room_session.damage.values == {"name": name, "event": event}
        with pytest.raises(GameDamaged):
            await hosted.execute(Act(0, 4, ".."))
        assert [error.values for error in [one async for one in find_damage(host.store)]] == [
            room_session.damage.values
        ]
        assert (await host.find_session(other)).table is not None
        await hosted.begin_game()
        await hosted.finish()
        assert (await hosted.room()).game != name
    address = f"sqlite:///{tmp_path}/host.db"
    findings = await asyncio.to_thread(lambda: list(check_database(address)))
    assert [(one.ok, one.message.key) for one in findings] == [
        (False, "errors.game_damaged"),
        (True, "interface.doctor.database"),
    ]


GONE = {"no head", "no game"}


@pytest.mark.parametrize("kind", DAMAGE)
@run_async
async def test_a_damaged_log_is_not_given_out(tmp_path: Path, kind: str) -> None:
    before, _, _ = await play_two_rooms(tmp_path)
    async with open_host(tmp_path) as host:
        name = str((await host.find_session(before.id)).room.game)
        assert parse_record(await export_record(host.store, name), name).header.game == name
    change(tmp_path, DAMAGE[kind][0], name)
    async with open_host(tmp_path) as host:
        with pytest.raises(GameNotFound if kind in GONE else GameDamaged):
            await export_record(host.store, name)


@run_async
async def test_a_room_that_names_a_game_nobody_has_is_found_and_plays_on(tmp_path: Path) -> None:
    hosted, _, _ = await play_two_rooms(tmp_path)
    async with open_host(tmp_path) as host:
        name = str((await host.find_session(hosted.id)).room.game)
    gone = name[:-1] + ("0" if name[-1] != "0" else "1")
    change(tmp_path, "UPDATE rooms SET body = replace(body, ?, ?) WHERE room = ?", name, gone, hosted.id)
    async with open_host(tmp_path) as host:
        hosted = await hosted.reopen_at(host)
        damage = [one async for one in find_damage(host.store)]
        assert [(type(one), one.values) for one in damage] == [(GameDamaged, {"name": gone, "event": 0})]
        await expire_rooms(host.store, 0, 1e9)
        assert await expire_rooms(host.store, 400 * DAY_SECONDS, 1e9) == 1
        await hosted.begin_game()
        await hosted.finish()


@run_async
async def test_rules_nobody_knows_are_found(tmp_path: Path) -> None:
    hosted, other, _ = await play_two_rooms(tmp_path)
    async with open_host(tmp_path) as host:
        printed = await HostedRoom.open(host, ChangeSettings("mb-yahtzee"), TWO)
    change(tmp_path, "UPDATE rooms SET body = replace(body, ?, 'nobodys') WHERE room = ?", "mb-yahtzee", printed.id)
    async with open_host(tmp_path) as host:
        found = [one async for one in find_damage(host.store)]
        assert [(type(one), one.values) for one in found] == [(RoomDamaged, {"name": printed.id})]
    change(tmp_path, "DELETE FROM house_rules")
    async with open_host(tmp_path) as host:
        found = [one async for one in find_damage(host.store)]
        assert {one.values["name"] for one in found if isinstance(one, RoomDamaged)} == {hosted.id, other, printed.id}


@run_async
async def test_the_doctor_lets_sqlite_check_its_file(tmp_path: Path) -> None:
    await play_two_rooms(tmp_path)
    link = sqlite3.connect(tmp_path / "host.db")
    with link:
        link.execute("PRAGMA writable_schema = ON")
        link.execute(
            "UPDATE sqlite_master SET sql = replace(sql, 'code TEXT', 'code TEXT NOT NULL') WHERE name = 'rooms'"
        )
    link.close()
    address = f"sqlite:///{tmp_path}/host.db"
    findings = await asyncio.to_thread(lambda: list(check_database(address)))
    assert {(one.ok, one.message.key) for one in findings} == {
        (False, "interface.doctor.fault"),
        (True, "interface.doctor.database"),
    }
    assert "NULL value in rooms.code" in {one.message.values["reason"] for one in findings if not one.ok}


@run_async
async def test_a_room_that_cannot_be_read_harms_no_other(tmp_path: Path) -> None:
    hosted, other, _ = await play_two_rooms(tmp_path)
    change(tmp_path, "UPDATE rooms SET body = 'no room' WHERE room = ?", hosted.id)
    async with open_host(tmp_path) as host:
        with pytest.raises(RoomDamaged):
            await host.find_session(hosted.id)
        assert (await host.find_session(other)).table is not None
        assert [type(error) for error in [one async for one in find_damage(host.store)]] == [RoomDamaged]


@run_async
async def test_a_server_that_went_back_in_time_is_noticed(tmp_path: Path) -> None:
    before, _, (count, head) = await play_two_rooms(tmp_path)
    async with open_host(tmp_path) as host:
        hosted = await before.reopen_at(host)
        game = (await hosted.table()).header.game
        await host.check_seen(hosted.id, game, count, head)
        await host.check_seen(hosted.id, game, 0, (await hosted.table()).heads[0])
        for seen in ((count + 1, head), (count, "0" * 64), (count - 1, head)):
            with pytest.raises(HistoryRolledBack):
                await host.check_seen(hosted.id, game, *seen)
        with pytest.raises(HistoryRolledBack):
            await host.check_seen(hosted.id, "0" * 16, 3, head)
        await hosted.finish()
        await hosted.begin_game()
        await host.check_seen(hosted.id, game, count, head)


@run_async
async def test_what_another_process_writes_meanwhile_is_no_damage(tmp_path: Path) -> None:
    async with open_host(tmp_path) as one, open_host(tmp_path) as two:
        hosted = await HostedRoom.open(one, seating=TWO)
        await hosted.begin_game()
        other = await hosted.reopen_at(two)
        for _ in range(3):
            await hosted.play(most=2)
            assert await (await other.session()).catch_up()
            assert (await other.table()).head == (await hosted.table()).head


@run_async
async def test_what_is_played_while_a_log_is_read_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        table = await hosted.begin_game()
        list_events = host.store.list_events

        async def list_events_late(game_id: str, after: int = 0) -> Sequence[EventRow]:
            await hosted.play(most=1)
            return await list_events(game_id, after)

        monkeypatch.setattr(host.store, "list_events", list_events_late)
        found = await load_checked_table(host.store, table.header.game)
    assert found is not None
    read, game, rows = found
    assert table.replay.count > read.replay.count == game.event_count == len(rows)
