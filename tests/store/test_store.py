"""The store: one contract, kept by SQLite and PostgreSQL alike."""

import asyncio
import gzip
import hashlib
import os
import sqlite3
import stat
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar, cast

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knobel.errors import (
    BackupBroken,
    BackupFormatUnknown,
    DatabaseAddressUnknown,
    DatabaseDriverMissing,
    DatabaseForeign,
    DatabaseFull,
    DatabaseNewer,
    DatabaseNotEmpty,
    DatabaseUnreachable,
    FileMissing,
    FileUnwritable,
)
from knobel.store import (
    AddDevice,
    AppendEvents,
    BindDevice,
    ChangeListener,
    CommandResult,
    DropGame,
    DropRoom,
    DropUnusedHouseRules,
    EventRow,
    NewGame,
    PutHouseRules,
    PutRoom,
    RepeatedCommand,
    StoredGame,
    StoredRoom,
    StoreWrite,
    WriteConflict,
    postgres_connection,
    sqlite_writer,
)
from knobel.store.address import AnyStore, open_store
from knobel.store.backup import restore_backup, write_backup
from knobel.store.learning import PutAnswer, PutMistakes, StoredAnswer, StoredMistake
from knobel.store.postgres_connection import MAX_CONNECTIONS
from knobel.store.sqlite import SqliteStore
from knobel.store.sqlite_connection import SQL
from knobel.store.sqlite_writer import SqliteWriter
from tests.simulated.shared_database import SharedDatabase, SimulatedStore
from tests.support.selection import rest
from tests.support.waiting import HANG_SECONDS, wait_until

T = TypeVar("T")
HERE = Path(__file__).parents[1]
NOWHERE = Path("/nonexistent/never-used.db")
BOTH = ("sqlite", "postgres")
NUMBERS = count(1)


def run(main: Coroutine[Any, Any, T], seconds: float = HANG_SECONDS) -> T:
    async def timed() -> T:
        return await asyncio.wait_for(main, seconds)

    return asyncio.run(timed())


SIMULATED: dict[str, SharedDatabase] = {}
"""Simulated databases by their addresses."""


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[AnyStore]:
    if address.startswith("simulated"):
        store = cast(AnyStore, SimulatedStore(SIMULATED.setdefault(address, SharedDatabase())))
    else:
        store = await open_store(address, NOWHERE)
    try:
        yield store
    finally:
        await store.close()


def alone(address: str, scene: Callable[[AnyStore], Coroutine[Any, Any, T]]) -> T:
    """Play a scene with one store."""

    async def main() -> T:
        async with opened(address) as store:
            return await scene(store)

    return run(main())


def execute(address: str, *statements: str) -> list[Any]:
    """Speak to a database behind the back of the store, and fetch what the last statement says."""
    if address.startswith("sqlite"):
        link = sqlite3.connect(address.removeprefix("sqlite:///"), isolation_level=None)
        link.execute("PRAGMA synchronous = OFF")
        try:
            return [link.execute(statement).fetchall() for statement in statements][-1]
        finally:
            link.close()
    with psycopg.connect(address, autocommit=True) as other:
        cursors = [other.execute(statement.encode()) for statement in statements]
        return cursors[-1].fetchall() if cursors[-1].description else []


@pytest.fixture(params=BOTH)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    return str(request.getfixturevalue("postgres_address"))


@pytest.fixture(params=(*BOTH, "simulated"))
def any_address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the address of a database; the simulated one may stand for the others because it does the same."""
    if request.param != "simulated":
        yield (
            f"sqlite:///{tmp_path}/games.db"
            if request.param == "sqlite"
            else request.getfixturevalue("postgres_address")
        )
        return
    yield f"simulated {tmp_path}"
    for database in SIMULATED.values():
        database.connection.close()
    SIMULATED.clear()


GAME = NewGame("g", "r", "{}", "secret", ("Ann", "Bob"), 1.0)


def append(game: str, after: int, command: str, n: int = 1, at: float = 2.0, closes: bool = False) -> AppendEvents:
    links = tuple((f"h{after + i}", f"{command}.{i}") for i in range(n))
    return AppendEvents(game, after, command, f"asked {command}", links, at, closes)


async def fails(error: type[Exception], doing: Coroutine[Any, Any, None]) -> None:
    with pytest.raises(error):
        await doing


class TestARoom:
    def test_it_is_found_as_it_was_written(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            assert await store.find_room("r") is None
            await store.commit(PutRoom("r", 0, "one", "CODE", 1.5))
            assert await store.find_room("r") == StoredRoom("r", 1, "one", "CODE", 1.5)
            await store.commit(PutRoom("r", 1, "two ☃ ' %s ? {}", None, 2.5))
            assert await store.find_room("r") == StoredRoom("r", 2, "two ☃ ' %s ? {}", None, 2.5)

        alone(any_address, scene)

    def test_who_read_an_old_version_cannot_write(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await fails(WriteConflict, store.commit(PutRoom("r", 1, "early", None, 1.0)))
            await store.commit(PutRoom("r", 0, "one", None, 1.0))
            await fails(WriteConflict, store.commit(PutRoom("r", 0, "again", None, 1.0)))
            await store.commit(PutRoom("r", 1, "two", None, 1.0))
            await fails(WriteConflict, store.commit(PutRoom("r", 1, "late", None, 1.0)))
            await fails(WriteConflict, store.commit(PutRoom("r", 3, "future", None, 1.0)))
            assert await store.find_room("r") == StoredRoom("r", 2, "two", None, 1.0)

        alone(any_address, scene)

    def test_a_spoken_code_belongs_to_one_room_at_a_time(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await store.commit(PutRoom("a", 0, "", "CODE", 1.0))
            await fails(WriteConflict, store.commit(PutRoom("b", 0, "", "CODE", 1.0)))
            await store.commit(PutRoom("b", 0, "", None, 1.0), PutRoom("c", 0, "", None, 1.0))
            await fails(WriteConflict, store.commit(PutRoom("b", 1, "", "CODE", 1.0)))
            assert await store.find_room_by_code("CODE") == "a"
            assert await store.find_room_by_code("NONE") is None
            assert [await store.find_room_by_code("\0"), await store.find_room("\0"), await store.find_game("\0")] == [
                None
            ] * 3
            await store.commit(PutRoom("a", 1, "", None, 1.0), PutRoom("b", 1, "", "CODE", 1.0))
            assert await store.find_room_by_code("CODE") == "b"

        alone(any_address, scene)

    def test_rooms_are_listed_the_last_touched_first(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            for room, touched in (("a", 2.0), ("b", 3.0), ("c", 1.0)):
                await store.commit(PutRoom(room, 0, "", None, touched))
            assert [room.id for room in await store.list_rooms()] == ["b", "a", "c"]

        alone(any_address, scene)

    def test_it_is_forgotten_by_who_knows_its_version_and_its_games_stay(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await store.commit(PutRoom("r", 0, "", None, 1.0), GAME)
            await fails(WriteConflict, store.commit(DropRoom("r", 2)))
            await store.commit(DropRoom("r", 1))
            await fails(WriteConflict, store.commit(DropRoom("r", 1)))
            assert await store.find_room("r") is None
            assert await store.find_game("g") is not None

        alone(any_address, scene)


class TestAGame:
    def test_it_begins_without_events(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            assert await store.find_game("g") is None
            await store.commit(GAME)
            assert await store.find_game("g") == StoredGame(
                "g", "r", "{}", "secret", ("Ann", "Bob"), 1.0, 1.0, False, 0
            )
            assert list(await store.list_events("g")) == []
            await fails(WriteConflict, store.commit(GAME))

        alone(any_address, scene)

    def test_its_log_grows_by_commands(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await store.commit(GAME)
            await store.commit(append("g", 0, "c1", 2, at=5.0))
            await store.commit(append("g", 2, "c2", 1, at=6.5))
            rows = [
                EventRow(1, "h0", "c1.0", "c1", "asked c1", 2),
                EventRow(2, "h1", "c1.1"),
                EventRow(3, "h2", "c2.0", "c2", "asked c2", 3),
            ]
            assert list(await store.list_events("g")) == rows
            assert list(await store.list_events("g", 1)) == rows[1:]
            assert await store.find_command("g", "c1") == CommandResult("asked c1", 2)
            assert await store.find_command("g", "c2") == CommandResult("asked c2", 3)
            assert await store.find_command("g", "c3") is None
            game = await store.find_game("g")
            assert game is not None
            assert (game.event_count, game.touched_at, game.is_closed) == (3, 6.5, False)

        alone(any_address, scene)

    def test_a_number_is_written_once_and_there_are_no_gaps(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await store.commit(GAME, append("g", 0, "c1", 2))
            for after in (0, 1, 3, 7, -1):
                await fails(WriteConflict, store.commit(append("g", after, f"late{after}")))
                await fails(
                    WriteConflict, store.commit(append("g", after, f"late{after}"), PutRoom("r", 0, "", None, 1.0))
                )
            await fails(WriteConflict, store.commit(append("other", 0, "c1")))
            assert [row.seq for row in await store.list_events("g")] == [1, 2]
            assert await store.count_events(["g", "other"]) == {"g": 2}
            assert await store.list_rooms() == []

        alone(any_address, scene)

    def test_a_command_takes_effect_once(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await store.commit(GAME)
            await store.commit(append("g", 0, "c1", 2))
            for after in (0, 1, 2, 9):
                await fails(RepeatedCommand, store.commit(append("g", after, "c1", 3)))
                await fails(RepeatedCommand, store.commit(append("g", after, "c1"), PutRoom("r", 0, "", None, 1.0)))
            await store.commit(append("g", 2, "c2", closes=True))
            await fails(RepeatedCommand, store.commit(append("g", 2, "c2", closes=True)))
            assert await store.count_events(["g"]) == {"g": 3}

        alone(any_address, scene)

    def test_the_same_command_id_is_another_command_in_another_game(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await store.commit(NewGame("a", "r", "", "", (), 1.0), NewGame("b", "r", "", "", (), 1.0))
            await asyncio.gather(store.commit(append("a", 0, "c")), store.commit(append("b", 0, "c", 2)))
            assert await store.count_events(["a", "b"]) == {"a": 1, "b": 2}

        alone(any_address, scene)

    def test_nothing_is_added_to_a_closed_game(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await store.commit(GAME)
            await store.commit(append("g", 0, "c1", closes=True))
            await fails(WriteConflict, store.commit(append("g", 1, "c2")))
            game = await store.find_game("g")
            assert game is not None
            assert (game.is_closed, game.event_count) == (True, 1)

        alone(any_address, scene)

    def test_a_command_without_events_is_refused(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await store.commit(GAME)
            await fails(ValueError, store.commit(append("g", 0, "c", 0)))

        alone(any_address, scene)

    def test_it_can_be_forgotten_altogether_and_begun_anew(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await store.commit(GAME, append("g", 0, "c", 3))
            await store.commit(DropGame("g"))
            await store.commit(DropGame("g"))
            assert await store.find_game("g") is None
            assert list(await store.list_events("g")) == []
            assert await store.find_command("g", "c") is None
            await fails(WriteConflict, store.commit(append("g", 3, "d")))
            await store.commit(GAME, append("g", 0, "c"))
            assert await store.count_events(["g"]) == {"g": 1}

        alone(any_address, scene)

    def test_games_are_listed_the_last_touched_first(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            for n in range(5):
                await store.commit(NewGame(f"g{n}", "r", "", "", (f"p{n}", "q"), float(n)))
            await store.commit(append("g1", 0, "c", at=9.0), append("g2", 0, "c", at=8.0, closes=True))
            assert [game.id for game in await store.list_games()] == ["g1", "g2", "g4", "g3", "g0"]
            assert [game.id for game in await store.list_games(unfinished=True)] == ["g1", "g4", "g3", "g0"]
            found = await store.list_games(limit=2)
            assert [(game.id, game.names, game.is_closed) for game in found] == [
                ("g1", ("p1", "q"), False),
                ("g2", ("p2", "q"), True),
            ]
            assert await store.count_events([]) == {}

        alone(any_address, scene)


class TestHouseRules:
    def test_a_file_is_stored_once_and_found_by_its_fingerprint(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            assert await store.find_house_rules("aa") is None
            await store.commit(PutHouseRules("aa", "dice = 2 ☃\n", 1.0))
            await store.commit(PutHouseRules("aa", "dice = 2 ☃\n", 2.0), PutHouseRules("bb", "dice = 3\n", 2.0))
            assert await store.find_house_rules("aa") == "dice = 2 ☃\n"
            assert await store.find_house_rules("bb") == "dice = 3\n"
            assert await store.find_house_rules("\0") is None

        alone(any_address, scene)

    def test_rooms_and_games_refer_to_it_by_its_fingerprint(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            game = NewGame("h", "r", "{}", "secret", (), 1.0, "aa")
            await store.commit(PutHouseRules("aa", "dice = 2", 1.0), PutRoom("r", 0, "", None, 1.0, "aa"), game)
            assert await store.find_room("r") == StoredRoom("r", 1, "", None, 1.0, "aa")
            found = await store.find_game("h")
            assert found is not None
            assert found.house_rules == "aa"
            await store.commit(PutRoom("r", 1, "", None, 1.0, None))
            assert await store.find_room("r") == StoredRoom("r", 2, "", None, 1.0, None)

        alone(any_address, scene)

    def test_it_is_kept_as_long_as_a_room_or_a_game_refers_to_it(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            async def kept(now: float) -> list[str]:
                await store.commit(DropUnusedHouseRules(now))
                return [name for name in ("room", "game", "new") if await store.find_house_rules(name) is not None]

            await store.commit(*(PutHouseRules(name, name, 1.0) for name in ("room", "game", "none")))
            await store.commit(PutHouseRules("new", "new", 5.0))
            await store.commit(
                PutRoom("r", 0, "", None, 1.0, "room"), NewGame("h", "s", "{}", "secret", (), 1.0, "game")
            )
            assert await kept(3.0) == ["room", "game", "new"]
            assert await store.find_house_rules("none") is None
            assert await kept(9.0) == ["room", "game"]
            await store.commit(DropRoom("r", 1))
            assert await kept(9.0) == ["game"]
            await store.commit(DropGame("h"))
            assert await kept(9.0) == []

        alone(any_address, scene)


class TestACommit:
    def test_all_of_it_happens_or_nothing(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await store.commit(GAME, PutRoom("r", 0, "one", None, 1.0))
            for bad in (PutRoom("r", 0, "", None, 1.0), append("g", 5, "z"), GAME, DropRoom("x", 1)):
                first = (append("g", 0, "c"), PutRoom("s", 0, "", "CODE", 1.0))
                await fails(WriteConflict, store.commit(*first, bad))
                await fails(WriteConflict, store.commit(*first, DropGame("g"), DropRoom("r", 7)))
                await fails(WriteConflict, store.commit(bad, *first))
            assert await store.count_events(["g"]) == {"g": 0}
            assert [room.id for room in await store.list_rooms()] == ["r"]
            game = await store.find_game("g")
            assert game is not None
            assert game.names == ("Ann", "Bob")

        alone(any_address, scene)

    def test_it_sees_its_own_writes(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await store.commit(GAME, append("g", 0, "c1", 2), append("g", 2, "c2"), PutRoom("r", 0, "", None, 1.0))
            assert await store.count_events(["g"]) == {"g": 3}

        alone(any_address, scene)

    def test_one_that_fails_does_not_spoil_those_beside_it(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await store.commit(*(NewGame(f"g{n}", "r", "", "", (), 1.0) for n in range(20)))
            await store.commit(append("g3", 0, "c3"))
            wanted = [append(f"g{n}", 0, f"c{n}") for n in range(20)]
            wanted[5] = append("g5", 4, "gap")
            bad: Any = AppendEvents("g7", 0, "\ud800", "", (("", ""),), 1.0)
            wanted[7] = bad
            rooms = [PutRoom("r", 0, str(n), None, 1.0) for n in range(3)]
            writes: list[StoreWrite] = [*wanted, *rooms]
            got = await asyncio.gather(*(store.commit(write) for write in writes), return_exceptions=True)
            assert [type(error) for error in got[20:]].count(WriteConflict) == 2
            assert {n: type(error) for n, error in enumerate(got[:20]) if error} == {
                3: RepeatedCommand,
                5: WriteConflict,
                7: UnicodeEncodeError,
            }
            heads = await store.count_events([f"g{n}" for n in range(20)])
            assert {game for game, head in heads.items() if head == 0} == {"g5", "g7"}

        alone(any_address, scene)

    def test_of_many_who_want_the_same_number_one_wins(self, any_address: str) -> None:
        async def main() -> None:
            async with opened(any_address) as one, opened(any_address) as two:
                await one.commit(*(NewGame(f"g{n}", "r", "", "", (), 1.0) for n in range(4)))
                won: Counter[str] = Counter()

                async def player(store: AnyStore, game: str, name: str) -> None:
                    for turn in range(15):
                        after = (await store.count_events([game]))[game]
                        try:
                            await store.commit(append(game, after, f"{name}-{turn}", 2))
                            won[game] += 2
                        except WriteConflict:
                            pass

                await asyncio.gather(
                    *(
                        player(store, f"g{n}", f"{i}-{k}")
                        for i, store in enumerate((one, two))
                        for n in range(4)
                        for k in range(3)
                    )
                )
                for n in range(4):
                    rows = await two.list_events(f"g{n}")
                    assert [row.seq for row in rows] == list(range(1, won[f"g{n}"] + 1))
                    assert Counter(row.body[:-2] for row in rows).most_common(1)[0][1] == 2
                    assert won[f"g{n}"] >= 30

        run(main())

    def test_a_caller_who_leaves_does_not_stop_it(self, any_address: str) -> None:
        async def scene(store: AnyStore) -> None:
            await store.commit(GAME)
            task = asyncio.create_task(store.commit(append("g", 0, "c")))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await store.commit(NewGame("h", "r", "", "", (), 1.0))

            async def is_written() -> bool:
                return await store.count_events(["g"]) == {"g": 1}

            await wait_until(is_written)

        alone(any_address, scene)

    def test_what_waits_when_the_store_is_closed_is_written(self, any_address: str) -> None:
        async def main() -> None:
            async with opened(any_address) as store:
                await store.commit(*(NewGame(f"g{n}", "r", "", "", (), 1.0) for n in range(30)))
                tasks = [asyncio.create_task(store.commit(append(f"g{n}", 0, "c"))) for n in range(30)]
                await asyncio.sleep(0)
            await asyncio.gather(*tasks)
            await fails(RuntimeError, store.commit(GAME))
            async with opened(any_address) as store:
                assert set((await store.count_events([f"g{n}" for n in range(30)])).values()) == {1}

        run(main())


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    asked=st.lists(
        st.tuples(st.integers(0, 8), st.sampled_from("abcdef"), st.integers(1, 3), st.booleans()), max_size=12
    ),
    together=st.booleans(),
)
def test_a_log_is_what_a_plain_list_would_be(
    any_address: str, asked: list[tuple[int, str, int, bool]], together: bool
) -> None:
    game = f"game{next(NUMBERS)}"
    log: list[str] = []
    closed = False
    said: list[type[Exception] | None] = []
    for after, command, n, closes in asked:
        if f"{command}.0" in log:
            said.append(RepeatedCommand)
        elif closed or after != len(log):
            said.append(WriteConflict)
        else:
            said.append(None)
            log += [f"{command}.{i}" for i in range(n)]
            closed = closes

    async def scene(store: AnyStore) -> None:
        await store.commit(NewGame(game, "r", "", "", (), 1.0))
        doing = [store.commit(append(game, after, command, n, closes=closes)) for after, command, n, closes in asked]
        if together:
            got = await asyncio.gather(*doing, return_exceptions=True)
        else:
            got = [(await asyncio.gather(one, return_exceptions=True))[0] for one in doing]
        assert [type(error) if error else None for error in got] == said
        assert [row.body for row in await store.list_events(game)] == log
        assert [row.seq for row in await store.list_events(game)] == list(range(1, len(log) + 1))

    alone(any_address, scene)


# News.


class Ear:
    """Hears news, and can wait for them."""

    def __init__(self) -> None:
        self.heard: list[str | None] = []
        self.changed = asyncio.Event()

    def __call__(self, room: str | None) -> None:
        self.heard.append(room)
        self.changed.set()

    async def wait(self, room: str | None) -> None:
        await wait_until(lambda: room in self.heard)


def test_what_others_write_is_heard_and_what_oneself_writes_is_not(
    any_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    polls, poll = 0, SqliteWriter._poll_changes

    def counted(writer: SqliteWriter, listener: ChangeListener) -> None:
        nonlocal polls
        poll(writer, listener)
        polls += 1

    async def wait_for_polls() -> None:
        """Wait until a file was looked at once more after now; a database server tells in order."""
        before = polls
        await wait_until(lambda: not any_address.startswith("sqlite") or polls > before + 1)

    monkeypatch.setattr(sqlite_writer, "POLL_SECONDS", 0.001)
    monkeypatch.setattr(SqliteWriter, "_poll_changes", counted)

    async def main() -> None:
        async with opened(any_address) as one, opened(any_address) as two:
            ear = Ear()
            one.subscribe(ear)
            if any_address.startswith("sqlite"):
                await wait_for_polls()
            else:
                await ear.wait(None)
            ear.heard.clear()
            await one.commit(PutRoom("mine", 0, "", None, 1.0))
            await one.commit(NewGame("h", "mine", "", "", (), 1.0))
            await one.commit(append("h", 0, "c"))
            await wait_for_polls()
            heard = None if any_address.startswith("sqlite") else "r"
            await two.commit(PutRoom("r", 0, "", None, 1.0))
            await ear.wait(heard)
            assert ear.heard == [heard]
            for write in (
                GAME,
                append("g", 0, "c"),
                DropGame("g"),
            ):
                ear.heard.clear()
                await two.commit(write)
                await ear.wait(heard)

    run(main())


def test_a_broken_connection_is_reopened_and_may_have_missed_something(postgres_address: str) -> None:
    async def main() -> None:
        async with opened(postgres_address) as one, opened(postgres_address) as two:
            ear = Ear()
            one.subscribe(ear)
            await ear.wait(None)
            ear.heard.clear()
            cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN knobel'"
            assert execute(postgres_address, cut) == [(True,)]
            await ear.wait(None)
            await two.commit(PutRoom("r", 0, "", None, 1.0))
            await ear.wait("r")

    run(main())


def test_cut_connections_are_replaced_without_anybody_noticing(postgres_address: str) -> None:
    async def scene(store: AnyStore) -> None:
        await store.commit(GAME)
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"  # noqa: S608
        for n in range(3):
            await asyncio.gather(*(store.find_room("r") for _ in range(20)))
            execute(postgres_address, cut)
            await store.commit(append("g", 2 * n, f"a{n}"))
            execute(postgres_address, cut)
            await store.commit(append("g", 2 * n + 1, f"b{n}"), PutRoom(f"r{n}", 0, "", None, 1.0))
            execute(postgres_address, cut)
            assert await store.count_events(["g"]) == {"g": 2 * n + 2}

    alone(postgres_address, scene)


def test_however_many_ask_the_connections_are_few(postgres_address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_connection, "WAIT_SECONDS", HANG_SECONDS)
    others = b"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"

    async def scene(store: AnyStore) -> None:
        async with await psycopg.AsyncConnection.connect(postgres_address) as link:

            async def count_connections() -> int:
                await link.execute(b"SELECT pg_stat_clear_snapshot()")
                (number,) = await (await link.execute(others)).fetchone() or (0,)
                return int(number)

            async def are_all_open() -> bool:
                return await count_connections() >= MAX_CONNECTIONS

            # Nobody is answered, and no connection is free again, before the lock is released.
            await link.execute(b"LOCK TABLE rooms IN ACCESS EXCLUSIVE MODE")
            asking = [asyncio.create_task(store.find_room("r")) for _ in range(200)]
            await wait_until(are_all_open)
            await link.commit()
            await asyncio.gather(*asking)
            assert await count_connections() == MAX_CONNECTIONS

    alone(postgres_address, scene)


# No room to write.


def test_a_full_file_loses_nothing_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(f"sqlite:///{tmp_path}/games.db") as store:
            assert isinstance(store, SqliteStore)
            await store.commit(GAME)
            store.writer.connection.execute("PRAGMA max_page_count = 120")
            acknowledged = 0

            async def until_full() -> None:
                nonlocal acknowledged
                for n in range(10_000):
                    await store.commit(AppendEvents("g", n, f"c{n}", "", (("", "x" * 500),), 1.0))
                    acknowledged += 1

            with pytest.raises(DatabaseFull) as raised:
                await until_full()
            assert raised.value.values == {"value": f"{tmp_path}/games.db"}
            assert acknowledged > 20
            many = [PutRoom(f"r{n}", 0, "x" * 9000, None, 1.0) for n in range(50)]
            got = await asyncio.gather(*(store.commit(room) for room in many), return_exceptions=True)
            assert {type(error) for error in got} == {DatabaseFull}
            assert len(await store.list_events("g")) == acknowledged
            store.writer.connection.execute("PRAGMA max_page_count = 10000")
            await asyncio.gather(*(store.commit(room) for room in many))
            await store.commit(append("g", acknowledged, "last"))
            assert len(await store.list_events("g")) == acknowledged + 1

    run(main())


def test_a_new_file_has_small_pages_and_one_with_others_is_used_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def commit_to(path: Path, after: int) -> tuple[int, int, list[str]]:
        async with opened(f"sqlite:///{path}") as store:
            assert isinstance(store, SqliteStore)
            await store.commit(*(() if after else (GAME,)), append("g", after, f"c{after}"))
            (size,) = store.writer.connection.execute("PRAGMA page_size").fetchone()
            return size, len(await store.list_events("g")), list(await store.list_faults())

    new, older = tmp_path / "new.db", tmp_path / "older.db"
    assert run(commit_to(new, 0)) == (2048, 1, [])
    monkeypatch.setitem(SQL, "page_size", "PRAGMA page_size = 4096")
    assert run(commit_to(older, 0)) == (4096, 1, [])
    assert run(commit_to(new, 1)) == (2048, 2, [])
    monkeypatch.undo()
    assert run(commit_to(older, 1)) == (4096, 2, [])


CHILD = """
import asyncio, resource, sys
from pathlib import Path
from knobel.errors import DatabaseFull
from knobel.store import AppendEvents, NewGame
from knobel.store.address import open_store

async def main():
    store = await open_store(sys.argv[1], Path("/nonexistent"))
    await store.commit(NewGame("g", "r", "", "", (), 1.0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, resource.RLIM_INFINITY))
    acknowledged = failed = 0
    while failed < 3:
        try:
            await store.commit(AppendEvents("g", acknowledged, f"c{acknowledged}", "", (("", "x" * 500),), 1.0))
            acknowledged += 1
        except DatabaseFull:
            failed += 1
    print(acknowledged, len(await store.list_events("g")))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    for n in range(acknowledged, acknowledged + 100):
        await store.commit(AppendEvents("g", n, f"c{n}", "", (("", "x" * 500),), 1.0))
    print(len(await store.list_events("g")))
    await store.close()

asyncio.run(main())
"""


@pytest.mark.process
def test_a_process_that_may_write_no_more_loses_nothing_and_goes_on_when_it_may(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/games.db"
    done = subprocess.run(
        [sys.executable, "-c", CHILD, address], capture_output=True, text=True, timeout=HANG_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    acknowledged, seen, at_last = map(int, done.stdout.split())
    assert acknowledged == seen > 20
    assert at_last == acknowledged + 100

    async def scene(store: AnyStore) -> None:
        assert [row.seq for row in await store.list_events("g")] == list(range(1, at_last + 1))

    alone(address, scene)


# Opening.


def test_the_file_is_for_its_owner_only_and_its_folder_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "games.db"

    async def main() -> None:
        store = await open_store(None, path)
        await store.commit(GAME)
        for file in path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
        await store.close()

    run(main())
    assert [file.name for file in path.parent.iterdir()] == ["games.db"]


def test_an_address_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def scene(store: AnyStore) -> None:
        await store.commit(GAME)

    alone("sqlite:///here/games.db", scene)
    assert (tmp_path / "here" / "games.db").is_file()


def assert_refused(address: str) -> dict[str, object]:
    """Open what cannot be opened, and give the values of the complaint."""

    async def scene(_: AnyStore) -> None:
        raise AssertionError

    with pytest.raises((DatabaseAddressUnknown, DatabaseUnreachable, DatabaseForeign, DatabaseNewer)) as raised:
        alone(address, scene)
    return {"": raised.type, **raised.value.values}


@pytest.mark.parametrize(
    "address",
    [
        "",
        "games.db",
        "/home/games.db",
        "sqlite:games.db",
        "sqlite://games.db",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite:///folder/",
        "mysql://me@host/db",
        "postgresql:/x",
        "http://host/games.db",
        ":memory:",
        "sqlite:///a\0b",
    ],
)
def test_an_address_of_no_known_kind_is_refused(address: str) -> None:
    assert assert_refused(address) == {"": DatabaseAddressUnknown, "value": address}


def test_no_complaint_shows_a_password() -> None:
    assert assert_refused("mysql://me:pa:s@s/w@host/db?password=pass")["value"] == "mysql://me@host/db?password=…"
    values = assert_refused("postgresql://me:geheim@127.0.0.1:1/db?password=geheim&connect_timeout=2")
    assert values[""] is DatabaseUnreachable
    assert values["value"] == "postgresql://me@127.0.0.1:1/db?password=…&connect_timeout=2"
    assert "geheim" not in str(values)
    assert "\n" not in str(values["reason"])
    assert "geheim" not in str(assert_refused("postgresql://me:geheim@host:port/db?nonsense=1"))


@pytest.mark.parametrize("module", ["psycopg", "psycopg_pool"])
def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DatabaseDriverMissing):
        run(open_store("postgresql://host/db", NOWHERE))


@pytest.mark.process
def test_sqlite_alone_never_loads_the_driver(tmp_path: Path) -> None:
    code = "import sys, knobel.store.address, knobel.store.backup; sys.exit('psycopg' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("content", [b"hello", b"SQLite format 3\0" + b"x" * 5000, bytes(range(256)) * 40], ids=len)
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(content)
    assert assert_refused(f"sqlite:///{path}") == {"": DatabaseForeign, "value": str(path)}
    assert path.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == ["games.db"]


@pytest.mark.parametrize(
    "table", ["CREATE TABLE songs (title TEXT)", "CREATE TABLE schema (x TEXT)", "CREATE TABLE games (game TEXT)"]
)
def test_a_database_of_somebody_else_is_refused_and_left_alone(address: str, table: str) -> None:
    execute(address, table)
    assert assert_refused(address)[""] is DatabaseForeign
    if address.startswith("sqlite"):
        assert execute(address, "PRAGMA journal_mode") == [("delete",)]
        assert execute(address, "SELECT count(*) FROM sqlite_master") == [(1,)]


def test_a_place_where_no_file_can_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert assert_refused(f"sqlite:///{tmp_path}")[""] is DatabaseUnreachable
    assert assert_refused(f"sqlite:///{tmp_path}/file/games.db")[""] is DatabaseUnreachable


def test_a_database_of_a_newer_knobel_is_refused(address: str) -> None:
    async def scene(store: AnyStore) -> None:
        await store.commit(GAME)

    alone(address, scene)
    execute(address, "UPDATE schema SET version = 99")
    values = assert_refused(address)
    assert (values[""], values["version"]) == (DatabaseNewer, 99)
    assert int(str(values["known"])) == len(list((HERE / "schemas").glob("*.sql")))


def test_many_may_open_a_new_database_at_once(address: str) -> None:
    async def main() -> None:
        stores = await asyncio.gather(*(open_store(address, NOWHERE) for _ in range(8)))
        await asyncio.gather(*(store.commit(PutRoom(f"r{n}", 0, "", None, 1.0)) for n, store in enumerate(stores)))
        assert len(await stores[0].list_rooms()) == 8
        await asyncio.gather(*(store.close() for store in stores))

    run(main())
    assert execute(address, "SELECT version FROM schema") == [(len(list((HERE / "schemas").glob("*.sql"))),)]


@pytest.mark.parametrize("schema", sorted((HERE / "schemas").glob("*.sql")), ids=lambda path: path.stem)
def test_a_database_of_every_earlier_schema_opens_with_all_it_holds(address: str, schema: Path) -> None:
    text = schema.read_text(encoding="utf-8")
    if address.startswith("sqlite"):
        text = text.replace("/*sqlite", "").replace("*/", "")
    execute(address, *(statement for statement in text.split(";\n") if statement.strip()))

    async def scene(store: AnyStore) -> None:
        assert list(await store.list_rooms()) == [
            StoredRoom("r1", 3, '{"title":"Küche"}', "ABCD2345", 30.5),
            StoredRoom("r2", 1, "{}", None, 20.0),
        ]
        assert list(await store.list_games()) == [
            StoredGame("g1", "r1", '{"knobel":1}', "00ff", ("Åsa", "Bob; or Bobby"), 10.0, 12.25, True, 3),
            StoredGame("g2", "r1", '{"knobel":1}', "11ee", (), 11.0, 11.0, False, 0),
        ]
        assert list(await store.list_events("g1")) == [
            EventRow(1, "", '{"n":1}', "c1", '{"throw":[]}', 2),
            EventRow(2, "aa", '{"n":2}'),
            EventRow(3, "bb", '{"n":3}', "c2", '{"close":true}', 3),
        ]
        assert await store.find_command("g1", "c1") == CommandResult('{"throw":[]}', 2)
        await fails(RepeatedCommand, store.commit(append("g1", 3, "c2")))
        await store.commit(append("g2", 0, "c1", 2), PutRoom("r1", 3, "", None, 40.0))

    alone(address, scene)


# Backups.

TABLES = (
    *("house_rules", "rooms", "games", "heads", "names", "events", "commands", "devices", "schema"),
    *("mistakes", "searched_seats", "answers"),
)


def everything(address: str) -> dict[str, list[Any]]:
    """Read every row of every table, in an order of our own."""
    return {table: sorted(execute(address, f"SELECT * FROM {table}"), key=repr) for table in TABLES}  # noqa: S608


@pytest.fixture(params=["sqlite", rest("postgres")])
def another(request: pytest.FixtureRequest, tmp_path: Path, postgres_server: str) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/another.db"
    name = f"another_{os.getpid()}_{next(NUMBERS)}"
    execute(postgres_server.format("postgres"), f"CREATE DATABASE {name}")
    return postgres_server.format(name)


async def furnish(store: AnyStore) -> None:
    """Write a bit of everything."""
    await store.commit(BindDevice("d", "s"), AddDevice("d", "t", "e"))
    mistake = StoredMistake("p", "g1", 3, 0, "box", "bonus", 1234, "{}", 1763254022.5)
    answer = StoredAnswer("p", "game", "aa", "2026-01-01", "box", "", 0, '{"total":1}', 0.25)
    await store.commit(PutMistakes("g1", 0, (mistake,)), PutAnswer(answer))
    await store.commit(PutHouseRules("aa", 'title = "Ours" # ☃\n', 7.5), PutRoom("h", 0, "{}", None, 0.2, "aa"))
    await store.commit(
        PutRoom("r", 0, "ünïcode \n \" \\ ' 🎲", "CODE", 1763254022.1234567), PutRoom("s", 0, "", None, 0.1)
    )
    for n in range(7):
        await store.commit(NewGame(f"g{n}", "r", "{}", "seed", ("Ann", "", "Ωμέγα"), 1 / 3 + n))
        await store.commit(
            append(f"g{n}", 0, "c", 400, at=1763254022.7654321), append(f"g{n}", 400, "d", closes=n % 2 == 0)
        )


def test_a_backup_restores_every_row_whatever_the_database(address: str, another: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(address) as store:
            await furnish(store)
            await write_backup(store, tmp_path / "new" / "all.backup")
        async with opened(another) as store:
            await restore_backup(tmp_path / "new" / "all.backup", store)
            await fails(RepeatedCommand, store.commit(append("g1", 401, "c")))
            with pytest.raises(DatabaseNotEmpty):
                await restore_backup(tmp_path / "new" / "all.backup", store)

    run(main())
    assert everything(another) == everything(address)
    assert len(everything(another)["events"]) == 7 * 401
    assert stat.S_IMODE((tmp_path / "new" / "all.backup").stat().st_mode) == 0o600
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["all.backup"]


def test_a_backup_is_of_one_moment_while_others_write_on(address: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(address) as store, opened(f"sqlite:///{tmp_path}/copy.db") as copy:
            await furnish(store)
            await store.commit(NewGame("x", "r", "", "", (), 1.0), NewGame("y", "r", "", "", (), 1.0))
            stop, written = False, 0

            async def writer() -> None:
                nonlocal written
                while not stop:
                    name = f"c{written}"
                    await store.commit(append("x", written, name), append("y", written, name))
                    written += 1

            writing = asyncio.create_task(writer())
            for n in range(3):
                before = written
                await wait_until(lambda before=before: written > before)  # type: ignore[misc]
                await write_backup(store, tmp_path / f"{n}.backup")
            stop = True
            await writing
            await restore_backup(tmp_path / "2.backup", copy)
            heads = await copy.count_events(["x", "y"])
            assert heads["x"] == heads["y"] > 0
            assert len(await copy.list_events("x")) == len(await copy.list_events("y")) == heads["x"]

    run(main())


def append_digest(packed: bytes) -> bytes:
    """Put a true digest behind bytes."""
    return packed + f'{{"sha256":"{hashlib.sha256(packed).hexdigest()}"}}\n'.encode()


def test_a_backup_that_was_changed_or_cut_is_never_restored(tmp_path: Path) -> None:
    path, broken = tmp_path / "all.backup", tmp_path / "broken.backup"

    async def main() -> None:
        async with opened(f"sqlite:///{tmp_path}/a.db") as store:
            await store.commit(GAME, append("g", 0, "c", 3), PutRoom("r", 0, "", None, 1.0))
            await write_backup(store, path)
        whole = path.read_bytes()
        plain = zlib.decompressobj(31).decompress(whole)
        lines = plain.splitlines(keepends=True)
        bad = [whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :] for at in range(len(whole))]
        bad += [whole[:at] for at in range(0, len(whole), 7)]
        bad += [
            whole + b"\n",
            whole + whole,
            b"",
            plain,
            append_digest(b""),
            append_digest(plain),
            append_digest(gzip.compress(plain)[:-1]),
        ]
        bad += [
            append_digest(gzip.compress(content)) for content in (b"", b"{}\n", b"[1]\n", b"nonsense\n", plain[:-1])
        ]
        bad += [append_digest(gzip.compress(lines[0] + content)) for content in (b'["songs",1]\n', b'["rooms",1]\n')]
        async with opened(f"sqlite:///{tmp_path}/b.db") as store:
            for content in bad:
                broken.write_bytes(content)
                with pytest.raises(BackupBroken) as raised:
                    await restore_backup(broken, store)
                assert raised.value.values == {"file": "broken.backup"}
            assert (list(await store.list_games()), list(await store.list_rooms())) == ([], [])
            await restore_backup(path, store)
            assert await store.count_events(["g"]) == {"g": 3}

    run(main())


def test_a_backup_of_another_format_says_which(tmp_path: Path) -> None:
    (tmp_path / "new.backup").write_bytes(append_digest(gzip.compress(b'{"knobel-backup":8}\n')))

    async def scene(store: AnyStore) -> None:
        with pytest.raises(BackupFormatUnknown) as raised:
            await restore_backup(tmp_path / "new.backup", store)
        assert raised.value.values == {"file": "new.backup", "version": "8", "known": 7}
        with pytest.raises(FileMissing):
            await restore_backup(tmp_path / "none.backup", store)
        with pytest.raises(FileUnwritable):
            await write_backup(store, tmp_path / "new.backup" / "below")

    alone(f"sqlite:///{tmp_path}/games.db", scene)
