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
from knobel.store.backup import OLD_TABLES, restore_backup
from knobel.store.room_upgrade import upgrade_room
from tests.parties import ANN, BEN, HOUSE, Party
from tests.test_store import NOWHERE, alone, execute, run

HERE = Path(__file__).parent / "schemas" / "played"
ROOMS: dict[str, str] = json.loads((HERE / "rooms.json").read_text(encoding="utf-8"))
DUMP = (HERE / "0001.sql").read_text(encoding="utf-8")
LAST_TOUCH = 1_790_000_000.0
RUNNING = ("play", "house play", "free", "rounds", "typed")


def statements(dialect: str) -> list[str]:
    text = DUMP.replace("/*sqlite", "").replace("*/", "") if dialect == "sqlite" else DUMP
    return [statement for statement in text.split(";\n") if statement.strip()]


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Lay down the old database, and give its address."""
    kind = str(request.param)
    place = f"sqlite:///{tmp_path}/knobel.db" if kind == "sqlite" else str(request.getfixturevalue("postgres_address"))
    execute(place, *statements(kind))
    return place


def played(address: str, scene: Callable[[Host], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        host = Host(await open_store(address, NOWHERE), paced=False)
        try:
            await scene(host)
        finally:
            await host.close()

    run(main(), 120)


def found(host: Host, room_id: str) -> Party:
    """Go on in an old room, with commands the room does not remember yet."""
    return Party(host, room_id, count(1000))


def test_every_room_is_there_with_its_people_and_settings(address: str) -> None:
    async def scene(host: Host) -> None:
        for name, room_id in ROOMS.items():
            room = (await host.find_session(room_id)).room
            assert room.id == room_id
            assert room.host == ANN
            assert room.running == (name in (*RUNNING, "seeds"))
            assert (room.settings.house is not None) == (name in ("house lobby", "house play", "over"))
        lobby = (await host.find_session(ROOMS["lobby"])).room
        assert [(seat.name, seat.device, seat.bot, seat.beginner, seat.offered) for seat in lobby.seats] == [
            ("Ann", ANN, None, False, False),
            ("Bénédicte", BEN, None, True, False),
            ("Cid", ANN, None, False, True),
            ("Robo", None, "greedy", False, False),
        ]
        assert await host.find_room_by_code(lobby.code or "") == lobby.id
        house = (await host.find_session(ROOMS["house lobby"])).room
        assert [seat.real_dice for seat in house.seats] == [True, False]
        assert (house.settings.pace, house.settings.edition) == (2.0, "two-dice")
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
        party = found(host, ROOMS[name])
        table = await party.table()
        game, length = table.header.game, table.replay.count
        before = await host.store.list_events(game)
        assert len(before) == length > 0
        await party.finish(Random(11))
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
        party = found(host, ROOMS["seeds"])
        await party.reveal(BEN)
        await party.finish(Random(12))
        game = (await party.table()).header.game
        verdict = verify(await export_record(host.store, game), game)
        assert (verdict.is_verified, verdict.seeds) == (True, 2)

    played(address, scene)


@pytest.mark.parametrize("name", ["house lobby", "lobby", "over"])
def test_the_next_game_of_an_old_room_is_of_the_new_format(address: str, name: str) -> None:
    async def scene(host: Host) -> None:
        party = found(host, ROOMS[name])
        await party.begin()
        table = await party.play(Random(13), most=6)
        assert table.header.knobel == FORMAT
        stored = await host.store.find_game(table.header.game)
        assert stored is not None
        rows = await host.store.list_events(table.header.game)
        assert any('"roll":' in row.body for row in rows)
        assert (stored.house_rules is not None) == (name != "lobby")

    played(address, scene)


def test_house_rules_are_stored_once_and_no_room_carries_them(address: str) -> None:
    async def scene(host: Host) -> None:
        party = found(host, ROOMS["house lobby"])
        await party.want(Sit("Dora"), BEN)

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
        party = found(host, ROOMS["house play"])
        await party.finish(Random(14))
        game, rules = (await party.table()).header.game, resolve_rules((await party.now()).settings)
        await expire_rooms(host.store, LAST_TOUCH + 5000 * DAY_SECONDS)
        assert list(await host.store.list_rooms()) == []
        host.registry.sessions.clear()
        room = await continue_game(host, ANN, "go on", game, 5, 0, "greedy")
        assert resolve_rules(room.settings).fingerprint == rules.fingerprint
        assert len(execute(address, "SELECT fingerprint FROM house_rules")) == 1

    played(address, scene)


def test_a_room_with_house_rules_is_written_without_their_text(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/new.db"

    async def scene(host: Host) -> None:
        party = await Party.open(host, ChangeSettings("two-dice", house=HOUSE), [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        await party.want(BeginGame(anyway=True))
        host.registry.sessions.clear()
        assert (await party.now()).settings.house == HOUSE

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
    copy = tmp_path / "knobel.db.before-2"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["knobel.db", "knobel.db.before-2"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert rows_of(copy) == before
    assert execute(f"sqlite:///{copy}", "SELECT version FROM schema") == [(1,)]
    assert execute(f"sqlite:///{path}", "SELECT version FROM schema") == [(2,)]
    assert len(rows_of(path)[0]) == len(before[0]) + 1


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
        patch.setattr("knobel.store.sqlite_connection.plan_room_upgrades", interrupted)
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
    assert execute(address, "SELECT version FROM schema") == [(2,)]


def test_an_older_program_refuses_a_newer_database_in_one_sentence(tmp_path: Path) -> None:
    async def scene(_: Any) -> None: ...

    address = f"sqlite:///{tmp_path}/knobel.db"
    alone(address, scene)
    execute(address, "UPDATE schema SET version = 3")
    line = [sys.executable, "-m", "knobel", "games", "--database", address, "--lang", "en"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert str(tmp_path) in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["knobel.db"]


# Backups.


def old_backup(path: Path) -> None:
    """Write the old database as a backup of format 1."""
    link = sqlite3.connect(":memory:")
    for statement in statements("sqlite"):
        link.execute(statement)
    lines: list[object] = [{"knobel-backup": 1, "tables": OLD_TABLES}]
    for table, columns in OLD_TABLES.items():
        lines += [[table, *row] for row in link.execute(f"SELECT {', '.join(columns)} FROM {table}")]  # noqa: S608
    link.close()
    packed = gzip.compress("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode())
    path.write_bytes(packed + f'{{"sha256":"{hashlib.sha256(packed).hexdigest()}"}}\n'.encode())


def test_a_backup_of_the_old_format_is_restored_as_the_database_would_be_migrated(address: str, tmp_path: Path) -> None:
    old_backup(tmp_path / "old.backup")

    async def main() -> None:
        await (await open_store(address, NOWHERE)).close()
        store = await open_store(f"sqlite:///{tmp_path}/restored.db", NOWHERE)
        await restore_backup(tmp_path / "old.backup", store)
        await store.close()

    run(main())
    for table in ("house_rules", "rooms", "games", "heads", "names", "events"):
        both = (execute(where, f"SELECT * FROM {table}") for where in (address, f"sqlite:///{tmp_path}/restored.db"))  # noqa: S608
        migrated, restored = (sorted(rows, key=repr) for rows in both)
        assert migrated == restored


@pytest.mark.parametrize("body", ["", "{}", "[]", "nonsense", '{"title":"Küche"}', '{"room":1}'])
def test_a_document_that_is_no_room_stays_as_it_is(body: str) -> None:
    assert upgrade_room(body).body == body
