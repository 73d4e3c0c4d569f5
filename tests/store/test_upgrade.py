"""An existing database opens after the change: `schemas/played` was written by the last program with schema 1.

Its rooms are in a lobby, in play, waiting for seeds, over; with house rules, with real dice at a free table, in a game
of rounds, with a typed seed. `rooms.json` says which is which.
"""

import asyncio
import gzip
import hashlib
import json
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Coroutine
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from knobel.errors import DatabaseFull
from knobel.host import Host
from knobel.host.archive import DAY_SECONDS, expire_rooms, export_record
from knobel.host.continuation import continue_game
from knobel.record.formats import FORMAT, FORMATS
from knobel.record.verify import verify
from knobel.rooms.intents import BeginGame, ChangeSettings, Sit
from knobel.rooms.room import resolve_rules
from knobel.store.address import open_store
from knobel.store.backup import KNOWN_TABLES, restore_backup
from knobel.store.room_upgrade import UPGRADES, upgrade_room
from knobel.store.schema import load_migrations
from knobel.store.sqlite_connection import SQL
from tests.store.test_store import NOWHERE, alone, execute, run
from tests.support.hosted_rooms import ANN, BEN, HOUSE_RULES, HostedRoom
from tests.support.selection import rest
from tests.support.waiting import HANG_SECONDS

HERE = Path(__file__).parents[1] / "schemas" / "played"
ROOMS: dict[str, str] = json.loads((HERE / "rooms.json").read_text(encoding="utf-8"))
DUMP = (HERE / "0001.sql").read_text(encoding="utf-8")
LAST_TOUCH = 1_790_000_000.0
RUNNING = ("play", "house play", "free", "rounds", "typed")


def statements(dialect: str) -> list[str]:
    text = DUMP.replace("/*sqlite", "").replace("*/", "") if dialect == "sqlite" else DUMP
    return [statement for statement in text.split(";\n") if statement.strip()]


@pytest.fixture(params=["sqlite", rest("postgres")])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Lay down the old database, and give its address."""
    kind = str(request.param)
    place = f"sqlite:///{tmp_path}/knobel.db" if kind == "sqlite" else str(request.getfixturevalue("postgres_address"))
    execute(place, "BEGIN", *statements(kind), "COMMIT")
    return place


def played(address: str, scene: Callable[[Host], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        host = Host(await open_store(address, NOWHERE), paced=False)
        try:
            await scene(host)
        finally:
            await host.close()

    run(main(), 120)


def continue_old_room(host: Host, room_id: str) -> HostedRoom:
    """Go on in an old room, with commands the room does not remember yet."""
    return HostedRoom(host, room_id, count(1000))


def test_every_room_is_there_with_its_people_and_settings(address: str) -> None:
    async def scene(host: Host) -> None:
        for name, room_id in ROOMS.items():
            room = (await host.find_session(room_id)).room
            assert room.id == room_id
            assert room.host == ANN
            assert room.running == (name in (*RUNNING, "seeds"))
            assert (room.settings.house_rules is not None) == (name in ("house lobby", "house play", "over"))
        lobby = (await host.find_session(ROOMS["lobby"])).room
        assert [(seat.name, seat.device, seat.bot, seat.beginner, seat.offered) for seat in lobby.seats] == [
            ("Ann", ANN, None, False, False),
            ("Bénédicte", BEN, None, True, False),
            ("Cid", ANN, None, False, True),
            ("Robo", None, "greedy", False, False),
        ]
        assert await host.find_room_by_code(lobby.code or "") == lobby.id
        with_house_rules = (await host.find_session(ROOMS["house lobby"])).room
        assert [seat.real_dice for seat in with_house_rules.seats] == [True, False]
        assert (with_house_rules.settings.pace, with_house_rules.settings.edition) == (2.0, "two-dice")
        assert len((await host.find_session(ROOMS["house play"])).room.totals) == 1

    played(address, scene)


def test_what_was_over_is_verified_as_it_was(address: str) -> None:
    async def scene(host: Host) -> None:
        closed = [game for game in await host.store.list_games() if game.is_closed]
        assert len(closed) == 2
        for game in closed:
            verdict = verify(await export_record(host.store, game.id), game.id)
            assert verdict.is_verified
            assert verdict.header.knobel == 2

    played(address, scene)


@pytest.mark.parametrize("name", RUNNING)
def test_a_running_game_goes_on_in_its_own_chain_and_is_verified_at_its_end(address: str, name: str) -> None:
    async def scene(host: Host) -> None:
        hosted = continue_old_room(host, ROOMS[name])
        table = await hosted.table()
        game, length = table.header.game, table.replay.count
        before = await host.store.list_events(game)
        assert len(before) == length > 0
        await hosted.finish(Random(11))
        after = await host.store.list_events(game)
        assert after[:length] == before
        assert len(after) > length
        assert not any('"roll":' in row.body or '"real":' in row.body for row in after)
        content = await export_record(host.store, game)
        verdict = verify(content, game)
        assert verdict.is_verified
        assert (verdict.header.knobel, verdict.head) == (2, table.head)
        assert FORMATS[2].decode_header(content.split(b"\n")[0]).fingerprint == table.header.fingerprint

    played(address, scene)


def test_a_game_that_waits_for_seeds_takes_them_and_is_played(address: str) -> None:
    async def scene(host: Host) -> None:
        hosted = continue_old_room(host, ROOMS["seeds"])
        await hosted.reveal_seeds(BEN)
        await hosted.finish(Random(12))
        game = (await hosted.table()).header.game
        verdict = verify(await export_record(host.store, game), game)
        assert (verdict.is_verified, verdict.seeds) == (True, 2)

    played(address, scene)


@pytest.mark.parametrize("name", ["house lobby", "lobby", "over"])
def test_the_next_game_of_an_old_room_is_of_the_new_format(address: str, name: str) -> None:
    async def scene(host: Host) -> None:
        hosted = continue_old_room(host, ROOMS[name])
        await hosted.begin_game()
        table = await hosted.play(Random(13), most=6)
        assert table.header.knobel == FORMAT
        stored = await host.store.find_game(table.header.game)
        assert stored is not None
        rows = await host.store.list_events(table.header.game)
        assert any('"roll":' in row.body for row in rows)
        assert (stored.house_rules is not None) == (name != "lobby")

    played(address, scene)


def test_house_rules_are_stored_once_and_no_room_carries_them(address: str) -> None:
    async def scene(host: Host) -> None:
        hosted = continue_old_room(host, ROOMS["house lobby"])
        await hosted.execute(Sit("Dora"), BEN)

    played(address, scene)
    stored = execute(address, "SELECT fingerprint, text FROM house_rules")
    assert len(stored) == 1
    assert hashlib.sha256(stored[0][1].encode()).hexdigest() == stored[0][0]
    bodies = [body for (body,) in execute(address, "SELECT body FROM rooms")]
    assert not any("boxes" in body for body in bodies)
    assert {json.loads(body)["format"] for body in bodies} == {2}
    referring = execute(address, "SELECT room FROM rooms WHERE house_rules IS NOT NULL")
    assert {room for (room,) in referring} == {ROOMS[name] for name in ("house lobby", "house play", "over")}
    assert len(execute(address, "SELECT game FROM games WHERE house_rules IS NOT NULL")) == 1


def test_house_rules_outlive_their_rooms_as_long_as_a_game_was_played_by_them(address: str) -> None:
    async def scene(host: Host) -> None:
        hosted = continue_old_room(host, ROOMS["house play"])
        await hosted.finish(Random(14))
        game, rules = (await hosted.table()).header.game, resolve_rules((await hosted.room()).settings)
        await expire_rooms(host.store, 0, LAST_TOUCH)
        await expire_rooms(host.store, 5000 * DAY_SECONDS, LAST_TOUCH + 5000 * DAY_SECONDS)
        assert list(await host.store.list_rooms()) == []
        host.registry.sessions.clear()
        room = await continue_game(host, ANN, "go on", game, 5, 0, "greedy")
        assert resolve_rules(room.settings).fingerprint == rules.fingerprint
        assert len(execute(address, "SELECT fingerprint FROM house_rules")) == 1

    played(address, scene)


def test_a_room_with_house_rules_is_written_without_their_text(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/new.db"

    async def scene(host: Host) -> None:
        hosted = await HostedRoom.open(
            host, ChangeSettings("two-dice", house_rules=HOUSE_RULES), [(ANN, Sit("Ann")), (BEN, Sit("Ben"))]
        )
        await hosted.execute(BeginGame(anyway=True))
        host.registry.sessions.clear()
        assert (await hosted.room()).settings.house_rules == HOUSE_RULES

    played(address, scene)
    bodies = execute(address, "SELECT body FROM rooms")
    assert not any("boxes" in body for (body,) in bodies)
    assert len(execute(address, "SELECT text FROM house_rules")) == 1


# The file before the migration.


def old_file(folder: Path) -> Path:
    execute(f"sqlite:///{folder}/knobel.db", *statements("sqlite"))
    return folder / "knobel.db"


def rows_of(path: Path, columns: str = "*") -> list[Any]:
    with sqlite3.connect(path) as link:
        return link.execute(f"SELECT {columns} FROM rooms ORDER BY room").fetchall()  # noqa: S608


def test_sqlite_is_copied_aside_before_it_is_migrated(tmp_path: Path) -> None:
    path = old_file(tmp_path)
    before = rows_of(path)

    async def scene(_: Any) -> None: ...

    alone(f"sqlite:///{path}", scene)
    alone(f"sqlite:///{path}", scene)
    copy = tmp_path / "knobel.db.before-7"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["knobel.db", "knobel.db.before-7"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert rows_of(copy) == before
    assert execute(f"sqlite:///{copy}", "SELECT version FROM schema") == [(1,)]
    assert execute(f"sqlite:///{path}", "SELECT version FROM schema") == [(7,)]
    assert len(rows_of(path)[0]) == len(before[0]) + 3


def test_a_copy_that_cannot_be_made_leaves_the_database_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = old_file(tmp_path)
    before = rows_of(path)

    def full(*_: object) -> None:
        raise DatabaseFull(value="copy")

    monkeypatch.setattr("knobel.store.sqlite_connection.copy_aside", full)
    with pytest.raises(DatabaseFull):
        run(open_store(f"sqlite:///{path}", NOWHERE))
    assert rows_of(path) == before
    assert execute(f"sqlite:///{path}", "SELECT version FROM schema") == [(1,)]


def test_a_migration_that_is_cut_off_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = old_file(tmp_path)
    before = rows_of(path)
    with monkeypatch.context() as patch:
        patch.setattr("knobel.store.sqlite_connection.UPGRADES", {2: interrupted})
        with pytest.raises(RuntimeError):
            run(open_store(f"sqlite:///{path}", NOWHERE))
    assert rows_of(path) == before

    async def scene(host: Host) -> None:
        assert (await host.find_session(ROOMS["play"])).table is not None

    played(f"sqlite:///{path}", scene)


def interrupted(*_: object) -> None:
    raise RuntimeError


def test_many_may_migrate_at_once(address: str) -> None:
    async def main() -> None:
        stores = await asyncio.gather(*(open_store(address, NOWHERE) for _ in range(4)))
        assert [len(await store.list_rooms()) for store in stores] == [len(ROOMS)] * 4
        await asyncio.gather(*(store.close() for store in stores))

    run(main())
    assert execute(address, "SELECT version FROM schema") == [(7,)]


@pytest.mark.process
def test_an_older_program_refuses_a_newer_database_in_one_sentence(tmp_path: Path) -> None:
    async def scene(_: Any) -> None: ...

    address = f"sqlite:///{tmp_path}/knobel.db"
    alone(address, scene)
    execute(address, "UPDATE schema SET version = 99")
    line = [sys.executable, "-m", "knobel", "games", "--database", address, "--lang", "en"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=HANG_SECONDS, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert str(tmp_path) in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["knobel.db"]


# Backups.

UNSAVED_TABLES = {"schema", "presence", "upkeep", "recovery_codes", "person_codes"}
UNSAVED_COLUMNS = {("rooms", "idle"), ("rooms", "counted")}
"""What no backup holds: who is connected, and how old rooms are; a restored room is as good as new."""


def old_backup(path: Path, version: int) -> None:
    """Write the played database as a backup of an earlier format: its tables and columns are those of that schema."""
    link = sqlite3.connect(":memory:")
    for statement in statements("sqlite"):
        link.execute(statement)
    for number, migration in enumerate(load_migrations("sqlite")[1:version], 2):
        for statement in migration:
            link.execute(statement)
        rooms = link.execute("SELECT room, body, touched FROM rooms ORDER BY room").fetchall()
        for name, values, _ in UPGRADES[number](rooms) if number in UPGRADES else ():
            link.execute(SQL[name], values)
    tables = {table: columns_of(link, table) for table in TABLES_OF_FORMAT[version]}
    lines: list[object] = [{"knobel-backup": version, "tables": tables}]
    for table, columns in tables.items():
        lines += [[table, *row] for row in link.execute(f"SELECT {', '.join(columns)} FROM {table}")]  # noqa: S608
    link.close()
    packed = gzip.compress("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode())
    path.write_bytes(packed + f'{{"sha256":"{hashlib.sha256(packed).hexdigest()}"}}\n'.encode())


TABLES_OF_FORMAT = {
    1: ("rooms", "games", "heads", "names", "events"),
    2: ("house_rules", "rooms", "games", "heads", "names", "events"),
    3: ("house_rules", "rooms", "games", "heads", "names", "events", "commands"),
    4: ("house_rules", "rooms", "games", "heads", "names", "events", "commands", "devices"),
    5: (
        *("house_rules", "rooms", "games", "heads", "names", "events", "commands", "devices"),
        *("people", "holders", "players", "results", "summaries"),
    ),
    6: (
        *("house_rules", "rooms", "games", "heads", "names", "events", "commands", "devices"),
        *("people", "holders", "players", "results", "summaries", "mistakes", "searched_seats", "answers"),
    ),
}


def columns_of(link: sqlite3.Connection, table: str) -> list[str]:
    found = [row[1] for row in link.execute(f"PRAGMA table_info({table})")]
    return [column for column in found if (table, column) not in UNSAVED_COLUMNS]


async def restore_old(folder: Path, version: int) -> str:
    """Restore a backup of an earlier format into a new database, and give its address."""
    old_backup(folder / "old.backup", version)
    address = f"sqlite:///{folder}/restored.db"
    store = await open_store(address, NOWHERE)
    await restore_backup(folder / "old.backup", store)
    await store.close()
    return address


@pytest.mark.parametrize("version", TABLES_OF_FORMAT)
def test_a_backup_of_an_earlier_format_is_restored_as_the_database_would_be_migrated(
    address: str, version: int, tmp_path: Path
) -> None:
    async def main() -> str:
        await (await open_store(address, NOWHERE)).close()
        return await restore_old(tmp_path, version)

    restored = run(main())
    for table in TABLES_OF_FORMAT[3]:
        rows = [sorted(execute(where, f"SELECT * FROM {table}"), key=repr) for where in (address, restored)]  # noqa: S608
        assert rows[0] == rows[1]
        assert rows[1]
    assert execute(restored, "SELECT version FROM schema") == [(7,)]


@pytest.mark.parametrize("version", TABLES_OF_FORMAT)
def test_in_a_backup_of_an_earlier_format_games_go_on_and_commands_are_remembered(version: int, tmp_path: Path) -> None:
    async def scene(host: Host) -> None:
        for room_id, command, asked in remembered:
            assert await host.store.find_room_command(room_id, command) == asked
        hosted = continue_old_room(host, ROOMS["play"])
        await hosted.finish(Random(11))
        game = (await hosted.table()).header.game
        assert verify(await export_record(host.store, game), game).is_verified
        await hosted.begin_game()

    address = run(restore_old(tmp_path, version))
    remembered = execute(address, "SELECT room, command, body FROM commands")
    assert len(remembered) > len(ROOMS)
    played(address, scene)


def test_a_committed_schema_has_the_tables_its_backups_hold() -> None:
    for version, tables in TABLES_OF_FORMAT.items():
        text = (HERE.parent / f"{version:04}.sql").read_text(encoding="utf-8")
        link = sqlite3.connect(":memory:")
        link.executescript(text.replace("/*sqlite", "").replace("*/", ""))
        existing = {name for (name,) in link.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert existing - UNSAVED_TABLES == set(tables)
        for table in tables:
            assert columns_of(link, table) == list(KNOWN_TABLES[version][table])
        link.close()


@pytest.mark.parametrize("body", ["", "{}", "[]", "nonsense", '{"title":"Küche"}', '{"room":1}'])
def test_a_document_that_is_no_room_stays_as_it_is(body: str) -> None:
    assert upgrade_room(body).body == body
