"""Faults of disks, files and backups: named as what they are, and nothing is acknowledged that is not stored."""

import asyncio
import contextlib
import errno
import gzip
import hashlib
import json
import os
import re
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from knobel.cli.doctor import check_database
from knobel.cli.serve import open_store_and_serve
from knobel.errors import (
    BackupBroken,
    DatabaseForeign,
    DatabaseFull,
    DatabaseGone,
    DatabaseInUse,
    DatabaseIoFailed,
    DatabaseUnreachable,
    DatabaseVersionMissing,
)
from knobel.lang import Translator
from knobel.store import PutRoom, postgres_connection
from knobel.store.address import AnyStore, open_store
from knobel.store.backup import FORMAT, MIN_UNPACKED, restore_backup
from knobel.store.postgres_connection import PgConnection, PostgresPool
from knobel.store.schema import TABLES
from knobel.store.sqlite import SqliteStore
from knobel.store.sqlite_connection import SAFE_VERSION, ProcessLock, translate_error
from knobel.web.options import ServerOptions
from tests.support.postgres import PostgresProcess
from tests.support.selection import mostly_rest
from tests.support.socket_players import ServerProcess, build_room_request, post_json
from tests.support.waiting import poll_until, wait_until

NOWHERE = Path()


def run_io_error(message: str, code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(message)
    error.sqlite_errorcode = code
    return error


def test_a_failing_disk_is_not_called_full(tmp_path: Path) -> None:
    path = tmp_path / "knobel.db"
    path.touch()
    failed = translate_error(run_io_error("disk I/O error", sqlite3.SQLITE_IOERR | (3 << 8)), path)
    assert isinstance(failed, DatabaseIoFailed)
    assert isinstance(translate_error(run_io_error("full", sqlite3.SQLITE_FULL), path), DatabaseFull)


def delete_file(path: Path) -> None:
    path.unlink()


def replace_file(path: Path) -> None:
    path.unlink()
    path.touch()


def empty_file(path: Path) -> None:
    os.truncate(path, 0)


def cut_file(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 2048)


@pytest.mark.parametrize("ending", ["", "-wal"])
@pytest.mark.parametrize("harm", [delete_file, replace_file, empty_file, cut_file])
@pytest.mark.parametrize("is_new", [False, True])
def test_nothing_is_acknowledged_once_the_file_is_gone(
    tmp_path: Path, harm: Callable[[Path], None], ending: str, is_new: bool
) -> None:
    async def main() -> None:
        path = tmp_path / "knobel.db"
        if not is_new:
            await open_and_close(path)
        store = await SqliteStore.open(path)
        await store.commit(PutRoom("r1", 0, "", None, 1.0))
        harm(path.with_name(f"{path.name}{ending}"))
        for room in ("r2", "r3"):
            with pytest.raises(DatabaseGone):
                await store.commit(PutRoom(room, 0, "", None, 1.0))
        await store.close()

    asyncio.run(main())


def test_a_process_without_file_descriptors_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    async def main() -> None:
        store = await SqliteStore.open(tmp_path / "knobel.db")
        monkeypatch.setattr(os, "open", refuse)
        for number in range(3):
            await store.commit(PutRoom(f"r{number}", 0, "", None, 1.0))
        monkeypatch.undo()
        await store.close()
        assert list(tmp_path.glob("*-wal")) == []

    asyncio.run(main())


@pytest.mark.parametrize("is_truncated", [False, True])
def test_a_log_that_was_copied_into_the_file_by_another_process_is_no_harm(tmp_path: Path, is_truncated: bool) -> None:
    async def main() -> None:
        path = tmp_path / "knobel.db"
        store = await SqliteStore.open(path)
        for number in range(3):
            await store.commit(PutRoom(f"r{number}", 0, "x" * 20_000, None, 1.0))
            with contextlib.closing(sqlite3.connect(path)) as other:
                other.execute(f"PRAGMA wal_checkpoint({'TRUNCATE' if is_truncated else 'RESTART'})")
        await store.commit(PutRoom("last", 0, "", None, 1.0))
        assert len(await store.list_rooms()) == 4
        await store.close()

    asyncio.run(main())


@pytest.mark.process
@pytest.mark.parametrize("is_replaced", mostly_rest([False, True], False))
def test_a_server_notices_by_itself_that_its_file_is_gone_and_says_so(tmp_path: Path, is_replaced: bool) -> None:
    folder, log = tmp_path / "data", tmp_path / "stderr.txt"
    path = folder / "knobel.db"
    process = ServerProcess(f"sqlite:///{path}")

    async def main() -> None:
        with log.open("wb") as stderr:
            process.stderr = stderr
            await process.start()
            path.unlink()
            if is_replaced:
                path.write_bytes(b"something else")
            await wait_until(lambda: b"or its log was deleted" in log.read_bytes())
            with pytest.raises(ConnectionError, match="database_"):
                await post_json(process.port, "/api/rooms", {"id": "o", **build_room_request(False)}, "a" * 64)

    try:
        asyncio.run(main())
    finally:
        process.kill()
    said = log.read_text(encoding="utf-8")
    assert said.count("or its log was deleted") == 1
    assert "Traceback" not in said


@pytest.mark.parametrize("statement", ["DELETE FROM schema", "UPDATE schema SET version = 'two'"])
def test_a_database_that_does_not_say_its_schema_is_refused_in_a_sentence(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "knobel.db"
    asyncio.run(open_and_close(path))
    link = sqlite3.connect(path)
    link.execute(statement)
    link.commit()
    link.close()
    with pytest.raises(DatabaseVersionMissing):
        asyncio.run(open_and_close(path))


async def open_and_close(path: Path, exclusive: bool = False) -> None:
    await (await SqliteStore.open(path, exclusive=exclusive)).close()


def test_a_file_others_could_read_is_theirs_no_longer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "knobel.db"
    asyncio.run(open_and_close(path))
    assert not caplog.records
    path.chmod(0o644)
    asyncio.run(open_and_close(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert any(str(path) in record.getMessage() for record in caplog.records)


def test_a_file_of_another_program_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(path)) as link:
        link.execute("CREATE TABLE songs (title TEXT)")
    path.chmod(0o644)
    with pytest.raises(DatabaseForeign):
        asyncio.run(open_and_close(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


UNSAFE_VERSION = (3, 40, 1)

HOLD = """
import asyncio, sqlite3, sys
from pathlib import Path
from knobel.store.sqlite import SqliteStore
sqlite3.sqlite_version_info = tuple(map(int, sys.argv[2:]))
async def main():
    store = await SqliteStore.open(Path(sys.argv[1]), exclusive=True)
    print("open", flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""


@pytest.mark.process
def test_a_second_process_that_would_play_in_a_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", UNSAFE_VERSION)
    path = tmp_path / "knobel.db"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), *map(str, UNSAFE_VERSION)], stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(DatabaseInUse) as refused:
            asyncio.run(open_and_close(path, exclusive=True))
        assert refused.value.values["pid"] == str(other.pid)
        asyncio.run(open_and_close(path))
        other.kill()
    asyncio.run(open_and_close(path, exclusive=True))


def test_a_newer_sqlite_needs_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", SAFE_VERSION)
    assert ProcessLock(tmp_path / "knobel.db").file is None
    assert list(tmp_path.iterdir()) == []


# Backups with a right digest and wrong content.


def write_crafted(path: Path, lines: list[object], raw: bytes = b"") -> None:
    head = json.dumps({"knobel-backup": FORMAT, "tables": TABLES}, separators=(",", ":"))
    body = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    packed = gzip.compress(f"{head}\n{body}".encode() + raw)
    path.write_bytes(packed + f'{{"sha256":"{hashlib.sha256(packed).hexdigest()}"}}\n'.encode())


CRAFTED: dict[str, list[object]] = {
    "no list": [{"rooms": 1}],
    "no table": [[]],
    "a table that is none": [[["rooms"], 1]],
    "text for a number": [["rooms", "r", "many", "{}", None, 1.0, None]],
    "an object": [["rooms", "r", 1, {"a": 1}, None, 1.0, None]],
    "a number too large": [["rooms", "r", 2**70, "{}", None, 1.0, None]],
    "true": [["rooms", "r", True, "{}", None, 1.0, None]],
    "a missing value": [["rooms", None, 1, "{}", None, 1.0, None]],
    "the same room twice": [["rooms", "r", 1, "{}", None, 1.0, None]] * 2,
    "a null character": [["rooms", "r\0", 1, "{}", None, 1.0, None]],
    "half a character": [["rooms", "\ud800", 1, "{}", None, 1.0, None]],
}


@pytest.mark.parametrize("kind", CRAFTED)
def test_a_crafted_backup_is_refused_in_a_sentence(tmp_path: Path, kind: str) -> None:
    write_crafted(tmp_path / "crafted.backup", CRAFTED[kind])
    with pytest.raises(BackupBroken):
        asyncio.run(restore(tmp_path))


@pytest.mark.parametrize(("line", "times"), [("no JSON", 1), ("[", 100_000), (" ", 20_000_000)])
def test_lines_that_cannot_be_read_and_bombs_are_refused(tmp_path: Path, line: str, times: int) -> None:
    write_crafted(tmp_path / "crafted.backup", [], line.encode() * times + b"\n")
    with pytest.raises(BackupBroken):
        asyncio.run(restore(tmp_path))


@pytest.mark.rest
def test_a_backup_that_unpacks_to_far_more_than_its_size_is_refused(tmp_path: Path) -> None:
    rows: list[object] = [["names", "g", seat, "a" * 1024 * 1024] for seat in range(MIN_UNPACKED // 1024 // 1024 + 1)]
    write_crafted(tmp_path / "crafted.backup", rows)
    with pytest.raises(BackupBroken):
        asyncio.run(restore(tmp_path))


async def restore(folder: Path) -> None:
    store = await SqliteStore.open(folder / "restored.db")
    try:
        await restore_backup(folder / "crafted.backup", store)
    finally:
        assert list(await store.list_rooms()) == []
        await store.close()


# PostgreSQL.


@pytest.mark.database
def test_commits_are_durable_whatever_the_role_is_set_to(postgres_address: str) -> None:
    with psycopg.connect(postgres_address, autocommit=True) as link:
        name = link.execute("SELECT current_database()").fetchone()
        link.execute(f"ALTER DATABASE {name[0] if name else ''} SET synchronous_commit = off".encode())

    async def main() -> None:
        store = await open_store(postgres_address, NOWHERE)
        assert "synchronous_commit" not in await store.list_risks()
        await store.commit(PutRoom("r", 0, "", None, 1.0))
        await store.close()

    asyncio.run(main())
    with psycopg.connect(postgres_address, autocommit=True) as link:
        assert link.execute("SHOW synchronous_commit").fetchone() == ("off",)


def turn_off(address: str, setting: str) -> None:
    with psycopg.connect(address, autocommit=True) as link:
        link.execute(f"ALTER SYSTEM SET {setting} = off".encode())
        link.execute("SELECT pg_reload_conf()")
        poll_until(lambda: link.execute(f"SHOW {setting}".encode()).fetchone() == ("off",))


@pytest.mark.database
def test_a_server_that_can_lose_what_it_confirmed_is_named_and_its_password_is_not(
    own_postgres: PostgresProcess, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = own_postgres.address.format("postgres")
    address = re.sub(r"//([^:@]*)[^@]*@", r"//\1:hunter2@", plain)
    assert "hunter2" in address

    async def serve_nothing(store: AnyStore, *_: object) -> None:
        await store.close()

    monkeypatch.setattr("knobel.cli.serve.serve", serve_nothing)
    named: list[object] = []
    for setting in (None, "full_page_writes", "fsync"):
        if setting:
            turn_off(plain, setting)
            named.insert(0, setting)
        asyncio.run(open_store_and_serve(address, ServerOptions(0), Translator("en"), False))
        warned = capsys.readouterr().err.splitlines()
        assert [f"“{name}”" in line for name, line in zip(named, warned, strict=True)] == [True] * len(named)
        found = list(check_database(address))
        assert [one.message.values["setting"] for one in found if not one.ok] == named
        assert "hunter2" not in repr(found)
        assert plain.partition("?")[2] in repr(found)


def test_a_database_that_was_gone_for_long_is_looked_for_anew_by_whoever_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(postgres_connection, "WAIT_SECONDS", 0.05)

    async def main() -> None:
        pool = PostgresPool(f"postgresql://knobel@/knobel?host={tmp_path}")
        await pool.open()

        async def is_given_up() -> bool:
            with pytest.raises(DatabaseUnreachable):
                await pool.run(ask_nothing)
            return "reconnection attempt" in caplog.text

        # Only an attempt that is given up makes room for the next one, which begins without a pause.
        for _ in range(2):
            await wait_until(is_given_up)
            caplog.clear()
        await pool.close()

    asyncio.run(main())


async def ask_nothing(_: PgConnection) -> None: ...
