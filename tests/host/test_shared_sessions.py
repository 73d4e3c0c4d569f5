"""Rooms that are read, changed and let go of at the same moment, by one process or by two, are kept up to date."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import cycle
from random import Random

from knobel.errors import DatabaseUnreachable
from knobel.host import Host
from knobel.host.commands import MAX_TRIES
from knobel.host.session import SessionUpdate
from knobel.rooms.intents import AskCoach, RenameSeat, Sit, SitBot
from knobel.store import EventRow, StoredRoom, StoreWrite
from tests.simulated.shared_database import SharedDatabase, SimulatedStore
from tests.support.hosted_rooms import ANN, HostedRoom, run_async
from tests.support.waiting import wait_until


class DeafStore(SimulatedStore):
    """Hears nothing of what others write."""

    def send_news(self, room_id: str | None) -> None: ...


class PromptStore(SimulatedStore):
    """Hears of what others write at once."""

    def send_news(self, room_id: str | None) -> None:
        self._hear(room_id)


@asynccontextmanager
async def open_two(other: type[SimulatedStore]) -> AsyncIterator[tuple[HostedRoom, Host]]:
    """Open a room with two players at one host, and another host on the same database."""
    database = SharedDatabase()
    hosts = [Host(store, paced=False, seed_seconds=0.0) for store in (SimulatedStore(database), other(database))]
    try:
        yield await HostedRoom.open(hosts[0], seating=((ANN, Sit("Ann")), (ANN, SitBot("random", "Robot")))), hosts[1]
    finally:
        for host in hosts:
            await host.close()
        database.connection.close()


class OvertakenStore(DeafStore):
    """Is overtaken by another process again and again; the last try is carried out, and its answer lost."""

    overtake: Callable[[], Awaitable[None]] | None = None
    tries = 0

    async def commit(self, *writes: StoreWrite) -> None:
        self.tries += 1
        if self.overtake is None:
            return await super().commit(*writes)
        if self.tries < MAX_TRIES:
            await self.overtake()
        else:
            await super().commit(*writes)
        return await super().commit(*writes)


def ignore(_: SessionUpdate) -> None: ...


@run_async
async def test_a_room_that_is_let_go_while_another_waits_for_it_is_read_again() -> None:
    async with open_two(DeafStore) as (hosted, other):
        first = asyncio.create_task(other.watch(hosted.id, ignore))
        heard: list[SessionUpdate] = []
        second = asyncio.create_task(other.watch(hosted.id, heard.append))
        first.add_done_callback(lambda done: other.unwatch(done.result(), ignore))
        session = await second
        assert session is not await first
        assert other.registry.sessions[hosted.id] is session
        assert not session.is_dropped


@run_async
async def test_what_another_process_writes_while_a_room_is_read_is_not_missed() -> None:
    async with open_two(PromptStore) as (hosted, other):
        find_room = other.store.find_room

        async def find_room_and_change_it(room_id: str) -> StoredRoom | None:
            found = await find_room(room_id)
            other.store.find_room = find_room  # type: ignore[method-assign]
            await hosted.execute(RenameSeat(0, "Anna"))
            return found

        other.store.find_room = find_room_and_change_it  # type: ignore[method-assign]
        session = await other.watch(hosted.id, ignore)
        await wait_until(lambda: session.room.seats[0].name == "Anna")


class FailingStore(DeafStore):
    """Cannot list events when it is told so."""

    fails = False

    async def list_events(self, game_id: str, after: int = 0) -> Sequence[EventRow]:
        if self.fails:
            self.fails = False
            raise DatabaseUnreachable(value="here", reason="away")
        return await super().list_events(game_id, after)


@run_async
async def test_a_change_that_could_not_be_read_is_looked_for_again_and_shown() -> None:
    async with open_two(FailingStore) as (hosted, other):
        await hosted.begin_game()
        heard: list[SessionUpdate] = []
        session = await other.watch(hosted.id, heard.append)
        await hosted.execute(RenameSeat(0, "Anna"))
        assert isinstance(other.store, FailingStore)
        other.store.fails = True
        await other.registry.refresh(session)
        assert (heard, session.room.seats[0].name) == ([], "Ann")
        await other.registry.sweep_once()
        await wait_until(lambda: [update.is_renamed for update in heard] == [True])
        assert session.room.seats[0].name == "Anna"
        heard.clear()
        await other.registry.sweep_once()
        await hosted.execute(RenameSeat(0, "Hanna"))
        await other.registry.refresh(session)
        assert len(heard) == 1


@run_async
async def test_a_command_that_waited_for_a_room_which_was_let_go_runs_in_the_one_that_is_watched() -> None:
    async with open_two(DeafStore) as (hosted, _):
        host = hosted.host
        session = await host.watch(hosted.id, ignore)
        version = session.version
        await session.lock.acquire()
        waiting = asyncio.create_task(hosted.execute(RenameSeat(0, "Anna")))
        while not session.lock._waiters:
            await asyncio.sleep(0)
        session.lock.release()
        host.unwatch(session, ignore)
        watched = await host.watch(hosted.id, ignore)
        await waiting
        assert session.version == version
        assert watched.room.seats[0].name == "Anna"


@run_async
async def test_a_command_whose_last_try_was_carried_out_without_an_answer_is_acknowledged() -> None:
    async with open_two(OvertakenStore) as (hosted, other):
        await hosted.begin_game()
        store, presences = other.store, cycle((False, True))
        assert isinstance(store, OvertakenStore)
        store.overtake = lambda: hosted.host.record_attendance(hosted.id, (0,), present=next(presences))
        there = await hosted.reopen_at(other)
        reply = await there.execute(AskCoach(0))
        assert store.tries == MAX_TRIES
        rows = await store.list_events((await there.table()).header.game)
        assert reply.count == rows[-1].seq == (await there.table()).replay.count


@run_async
async def test_a_bot_moves_under_the_number_of_its_event_even_if_another_process_was_faster() -> None:
    async with open_two(DeafStore) as (hosted, other):
        await hosted.begin_game()
        random, table = Random(1), await hosted.table()
        while table.state.player == 0:
            await hosted.play_move(random)
        await other.watch(hosted.id, ignore)
        await hosted.host.record_attendance(hosted.id, (0,), present=False)
        assert await other.step(hosted.id)
        assert await other.step(hosted.id)
        rows = await other.store.list_events(table.header.game)
        moves = [(row.command, row.seq) for row in rows if (row.command or "").startswith("bot:")]
        assert moves
        assert moves == [(f"bot:{number}", number) for _, number in moves]
