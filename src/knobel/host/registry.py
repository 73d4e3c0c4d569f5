"""The rooms in use, kept up to date with what other processes write."""

import asyncio
import contextlib
from collections.abc import Callable

from knobel.errors import KnobelError, RoomNotFound
from knobel.host.background import BackgroundTasks
from knobel.host.session import RoomSession
from knobel.store import Store

MAX_SESSIONS = 2000
SWEEP_SECONDS = 2.0


class SessionRegistry:
    """One session for each room in use; `on_refresh` hears of every session that was brought up to date."""

    def __init__(self, store: Store, tasks: BackgroundTasks, on_refresh: Callable[[RoomSession], None]) -> None:
        self.store = store
        self.tasks = tasks
        self.on_refresh = on_refresh
        self.sessions: dict[str, RoomSession] = {}
        self.loading: dict[str, asyncio.Future[RoomSession]] = {}
        self.changed_while_loading: set[str] = set()
        self.behind: set[str] = set()
        """The rooms that were changed by others and could not be read since."""
        store.subscribe(self.handle_store_change)

    async def find(self, room_id: str) -> RoomSession:
        """Find a room, in use or in the store; concurrent callers share one read and one session."""
        while (session := self.sessions.get(room_id)) is None and (loading := self.loading.get(room_id)) is not None:
            # Whoever read it may have let go of it again before we are told: then it is no longer kept up to date.
            await asyncio.shield(loading)
        return session or await self.load(room_id)

    async def load(self, room_id: str) -> RoomSession:
        """Read a room that nobody else is reading."""
        loading = self.loading[room_id] = asyncio.get_running_loop().create_future()
        try:
            session = await RoomSession.load(self.store, room_id)
        except BaseException as error:
            loading.set_exception(error)
            # Nobody may be waiting: an exception that is never fetched would be reported.
            loading.exception()
            raise
        else:
            self.evict()
            self.sessions[room_id] = session
            loading.set_result(session)
            if room_id in self.changed_while_loading:
                self.tasks.spawn(self.refresh(session))
            return session
        finally:
            del self.loading[room_id]
            self.changed_while_loading.discard(room_id)

    def hold(self, room_id: str) -> "RoomHold":
        """Have a room to oneself; one that was dropped while we waited is found again."""
        return RoomHold(self, room_id)

    def evict(self, limit: int | None = None) -> None:
        """Drop rooms nobody watches, the oldest first, until there are fewer than the limit."""
        limit = MAX_SESSIONS if limit is None else limit
        for room_id, session in tuple(self.sessions.items()):
            if len(self.sessions) < limit:
                return
            if not session.is_in_use:
                self.drop(room_id)

    def drop(self, room_id: str) -> None:
        """Forget the session of a room; the room stays in the store."""
        session = self.sessions.pop(room_id, None)
        self.behind.discard(room_id)
        if session:
            session.is_dropped = True
            session.cancel_timer()

    def handle_store_change(self, room_id: str | None) -> None:
        """Refresh the room another process wrote to; `None` means that it may be any.

        One that is being read may have been read in part before the change, so it is refreshed afterwards.
        """
        self.changed_while_loading.update(self.loading if room_id is None else {room_id} & self.loading.keys())
        if room_id is None:
            changed = tuple(self.sessions.values())
        else:
            changed = (self.sessions[room_id],) if room_id in self.sessions else ()
        for session in changed:
            self.tasks.spawn(self.refresh(session))

    async def refresh(self, session: RoomSession) -> None:
        """Catch up with what others wrote in a room."""
        async with session.lock:
            try:
                await session.catch_up()
            except RoomNotFound:
                self.drop(session.room.id)
                return
            except KnobelError:
                self.behind.add(session.room.id)
                return
        self.behind.discard(session.room.id)
        self.on_refresh(session)

    async def sweep(self) -> None:
        """Look for missed changes from time to time: a message between processes can be lost."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            with contextlib.suppress(KnobelError):
                await self.sweep_once()

    async def sweep_once(self) -> None:
        """Refresh the watched rooms whose game has events we do not know, and those that could not be read.

        One without a game is always looked at.
        """
        watched = [session for session in self.sessions.values() if session.watchers]
        games = [session.table.header.game for session in watched if session.table and session.room.running]
        counts = await self.store.count_events(games) if games else {}
        for session in watched:
            table = session.table if session.room.running else None
            is_behind = session.room.id in self.behind
            if table is None or is_behind or counts.get(table.header.game, 0) > table.replay.count:
                self.tasks.spawn(self.refresh(session))


class RoomHold:
    """The time in which a room does nothing else; a class, because a generator for each command costs more."""

    __slots__ = ("registry", "room_id", "session")

    def __init__(self, registry: SessionRegistry, room_id: str) -> None:
        self.registry, self.room_id = registry, room_id
        self.session: RoomSession | None = None

    async def __aenter__(self) -> RoomSession:
        while True:
            session = self.registry.sessions.get(self.room_id) or await self.registry.find(self.room_id)
            await session.lock.acquire()
            if not session.is_dropped:
                self.session = session
                return session
            session.lock.release()

    async def __aexit__(self, *_: object) -> None:
        if self.session is not None:
            self.session.lock.release()
