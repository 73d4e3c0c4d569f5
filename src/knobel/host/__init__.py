"""The one place that wires: opens rooms, seats people and bots, lets bots move; every window asks here."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from knobel.bots import is_slow, load_bot
from knobel.errors import (
    CannotStart,
    KnobelError,
    NoGameRunning,
    NotHost,
    RoomNotFound,
    SeatNotYours,
    SeedsMissing,
    StaleRequest,
)
from knobel.host.bot_requests import find_next_request, must_wait_for_book, require_book
from knobel.host.decisions import can_undo_last, decide_intent, find_bot_seat, finish_game, is_idle
from knobel.host.house_rules_reader import HouseRulesReader
from knobel.host.room_setup import derive_room_id, draw_next_game, draw_room_code, renew_next_game
from knobel.host.room_store import plan_room_writes
from knobel.host.session import CommandReply, RoomSession, SessionUpdate, SolveProgress, Watcher
from knobel.host.solve_queue import SolveQueue
from knobel.host.waiting_rooms import WaitingRooms
from knobel.record.chain import encode_header
from knobel.record.events import Away, Back, Closed
from knobel.record.replay import set_up_game
from knobel.rooms.documents import find_fingerprint
from knobel.rooms.intents import (
    Advance,
    AnyIntent,
    BeginGame,
    ChangeSettings,
    GameIntent,
    LobbyIntent,
    Sit,
    SitBot,
    StopGame,
)
from knobel.rooms.room import (
    Room,
    apply_lobby_intent,
    build_header,
    build_settings,
    explain_cannot_begin,
    open_edition,
    pass_host,
)
from knobel.store import DropGame, NewGame, RepeatedCommand, Store, WriteConflict
from knobel.table import Table, TableDecision

UNDO_SECONDS = 3.0
END_SECONDS = 5.0
SWEEP_SECONDS = 2.0
MAX_SESSIONS = 2000
MAX_TRIES = 4


class Host:
    """Rooms and their games, over a store; `paced`: bots move by themselves, slowly enough to be watched."""

    def __init__(
        self,
        store: Store,
        *,
        paced: bool = True,
        undo_seconds: float = UNDO_SECONDS,
        end_seconds: float = END_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self.paced = paced
        self.undo_seconds = undo_seconds
        self.end_seconds = end_seconds
        self.clock = clock
        self.sessions: dict[str, RoomSession] = {}
        self.loading: dict[str, asyncio.Future[RoomSession]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.solve_queue = SolveQueue()
        self.waiting_rooms = WaitingRooms(self.solve_queue, self.report_solving)
        self.house_rules_reader = HouseRulesReader()
        store.subscribe(self.handle_store_change)

    async def open_room(
        self,
        device: str,
        command: str,
        settle: ChangeSettings,
        seats: Sequence[Sit | SitBot] = (),
        seed: str | None = None,
    ) -> Room:
        """Open a room and seat whoever is there; the same command again gives the same room."""
        name = derive_room_id(device, command)
        await self.house_rules_reader.read_intent(settle)
        settings = build_settings(settle, seed)
        room = Room(name, device, settings, draw_next_game(settings, 1), code=draw_room_code())
        for chair in seats:
            room = apply_lobby_intent(room, device, chair)
        self.check_bots(room)
        try:
            await self.store.commit(*plan_room_writes(room, 0, self.clock()))
        except WriteConflict:
            return (await self.find_session(name)).room
        return room

    async def find_session(self, room_id: str) -> RoomSession:
        """Find a room, in use or in the store."""
        if (desk := self.sessions.get(room_id)) is not None:
            return desk
        if (finding := self.loading.get(room_id)) is not None:
            return await asyncio.shield(finding)
        finding = self.loading[room_id] = asyncio.get_running_loop().create_future()
        try:
            desk = await RoomSession.load(self.store, room_id)
        except BaseException as error:
            finding.set_exception(error)
            finding.exception()
            raise
        else:
            self.evict_sessions()
            self.sessions[room_id] = desk
            finding.set_result(desk)
            return desk
        finally:
            del self.loading[room_id]

    def evict_sessions(self, limit: int | None = None) -> None:
        """Put away rooms nobody looks at, the oldest first, until there are fewer than so many."""
        limit = MAX_SESSIONS if limit is None else limit
        if len(self.sessions) < limit:
            return
        for name in [name for name, desk in self.sessions.items() if not desk.watchers and not desk.lock.locked()]:
            self.drop_session(name)
            if len(self.sessions) < limit:
                return

    def drop_session(self, room_id: str) -> None:
        """Let go of a room; it stays in the store."""
        desk = self.sessions.pop(room_id, None)
        if desk and desk.timer:
            desk.timer.cancel()

    async def find_room_by_code(self, code: str) -> str:
        """Find the room with a spoken code; wrong and missing are answered alike."""
        room = await self.store.find_room_by_code(code.strip().upper().replace("-", "").replace(" ", ""))
        if room is None:
            raise RoomNotFound
        return room

    async def watch(self, room_id: str, watcher: Watcher) -> RoomSession:
        """Hear of everything that changes in a room from now on."""
        desk = await self.find_session(room_id)
        desk.watchers.append(watcher)
        self.schedule(desk)
        return desk

    def unwatch(self, session: RoomSession, watcher: Watcher) -> None:
        """Hear no more; a room nobody watches is put away."""
        if watcher in session.watchers:
            session.watchers.remove(watcher)
        if not session.watchers:
            self.waiting_rooms.schedule_leave(session.room.id)
        if not session.watchers and not session.lock.locked():
            self.drop_session(session.room.id)

    def report_solving(self, room_id: str, progress: SolveProgress) -> None:
        """Tell a room how far its book is; once it is written, bots go on."""
        if desk := self.sessions.get(room_id):
            desk.notify(SessionUpdate(desk, progress=progress))
            if progress.fraction is None:
                self.set_timer(desk)

    async def execute(
        self, room_id: str, device: str, command: str, intent: AnyIntent, body: str | None = None
    ) -> CommandReply:
        """Carry out what somebody wants, once, and promise it only when it is on disk; `body` is how it came."""
        desk = await self.find_session(room_id)
        asked = f"{device} {msgspec.json.encode(intent).decode() if body is None else body}"
        if device == desk.room.host:
            await self.house_rules_reader.read_intent(intent)
            if isinstance(intent, BeginGame):
                await self.waiting_rooms.wait_for_estimates(room_id)
        async with desk.lock:
            reply = await self.try_command(
                desk, command, asked, lambda: self.perform_intent(desk, device, command, asked, intent)
            )
        self.schedule(desk)
        return reply

    async def try_command(
        self, session: RoomSession, command: str, request_body: str, attempt: Callable[[], Awaitable[CommandReply]]
    ) -> CommandReply:
        """Answer a repeated command as before; when somebody else was faster, read on and try again."""
        for _ in range(MAX_TRIES):
            if reply := session.find_reply(command, request_body):
                return reply
            try:
                return await attempt()
            except (WriteConflict, RepeatedCommand):
                await session.catch_up()
            except KnobelError:
                if not await session.catch_up():
                    raise
        raise StaleRequest

    async def perform_intent(
        self, session: RoomSession, device: str, command: str, request_body: str, intent: AnyIntent
    ) -> CommandReply:
        """Carry out one intent."""
        match intent:
            case BeginGame():
                return await self.begin_game(session, device, command, request_body, intent)
            case Advance(ply):
                if device not in (session.room.host, *session.room.devices):
                    raise SeatNotYours
                return await self.advance(session, command, request_body, ply)
            case StopGame():
                if device != session.room.host:
                    raise NotHost
                table = self.require_table(session)
                return await self.commit_events(session, command, request_body, table.decide_end())
        if isinstance(intent, GameIntent):
            return await self.commit_events(
                session, command, request_body, decide_intent(self.require_table(session), session.room, device, intent)
            )
        return await self.change_room(session, device, command, request_body, intent)

    async def change_room(
        self, session: RoomSession, device: str, command: str, request_body: str, intent: LobbyIntent
    ) -> CommandReply:
        """Change the room before a game."""
        room = apply_lobby_intent(session.room, device, intent)  # type: ignore[arg-type]
        self.check_bots(room)
        seeded = room.settings.seed is not None
        if room.settings != session.room.settings or (seeded and room.game_number != session.room.game_number):
            room = renew_next_game(room)
        return await session.commit_room(room, command, request_body, self.clock())

    def check_bots(self, room: Room) -> None:
        """Refuse bots that play no such game."""
        family = open_edition(room.settings.edition, room.settings.house).family
        for chair in room.seats:
            if chair.bot is not None:
                load_bot(chair.bot, family)

    def require_table(self, session: RoomSession) -> Table:
        """Give the table where a game is being played."""
        if session.table is None or not session.room.running:
            raise NoGameRunning
        return session.table

    async def begin_game(
        self, session: RoomSession, device: str, command: str, request_body: str, intent: BeginGame
    ) -> CommandReply:
        """Start the next game: from now on the roster is frozen, and all show their seeds."""
        room = session.room
        if device != room.host:
            raise NotHost
        if why := explain_cannot_begin(room):
            raise CannotStart(why=why)
        if room.unsealed_devices and not intent.anyway and room.settings.seed is None:
            silent = [chair.name for chair in room.seats if chair.device in room.unsealed_devices]
            raise SeedsMissing(names=tuple(silent))
        if len(room.totals) >= room.settings.games:
            room = replace(room, totals=(), first=None)
        self.waiting_rooms.check_solvable(session)
        header = build_header(room)
        set_up_game(header)
        names = tuple(chair.name for chair in room.seats)
        new = NewGame(
            header.game, room.id, encode_header(header), room.coming.seed, names, self.clock(), find_fingerprint(room)
        )
        again = [DropGame(header.game)] if room.settings.seed is not None else []
        number = room.game_number % room.settings.games + 1
        room = replace(room, running=True, game=header.game, code=None, coming=draw_next_game(room.settings, number))
        return await session.commit_room(room, command, request_body, self.clock(), *again, new)

    async def advance(self, session: RoomSession, command: str, request_body: str, ply: int) -> CommandReply:
        """Let a bot move at once, or confirm the end."""
        table = self.require_table(session)
        if ply != table.replay.ply:
            raise StaleRequest
        if table.replay.is_over:
            return await self.commit_events(session, command, request_body, table.decide_end())
        return await self.commit_events(session, command, request_body, await self.decide_bot_move(table))

    async def commit_events(
        self, session: RoomSession, command: str, request_body: str, decision: TableDecision
    ) -> CommandReply:
        """Commit events; the last one of a game gives the room back."""
        closing = isinstance(decision.events[-1], Closed)
        room = (
            session.keep_commands_in(finish_game(session.room, self.require_table(session).replay))
            if closing
            else session.room
        )
        if closing and room.settings.seed is not None:
            room = renew_next_game(room)
        return await session.commit_events(command, request_body, decision, self.clock(), room)

    async def decide_bot_move(self, table: Table) -> TableDecision:
        """Ask the bot whose turn it is; its ties are broken alike in every process."""
        seat = find_bot_seat(table)
        if seat is None:
            raise NoGameRunning
        lane, name = table.replay.track(seat), table.find_bot(seat) or ""
        chance = Random(f"{table.header.game}/{table.replay.ply}")  # noqa: S311
        family = lane.game.rules.family
        player = load_bot(name, family)
        if not is_slow(name, family):
            return table.decide(seat, player(lane.game, lane.state, chance))
        require_book(table, seat)
        return table.decide(seat, await asyncio.to_thread(player, lane.game, lane.state, chance))

    async def step(self, room_id: str) -> bool:
        """Let the house do the next thing that is not a person's: a bot's move, or closing a finished game."""
        desk = await self.find_session(room_id)
        if (request := find_next_request(desk)) is not None:
            await self.solve_queue.wait_for(request)
        async with desk.lock:
            table = desk.table
            if table is None or not desk.room.running or is_idle(table):
                return False
            command = f"bot:{table.replay.count + 1}"
            await self.try_command(
                desk, command, "bot", lambda: self.advance(desk, command, "bot", self.require_table(desk).replay.ply)
            )
        self.schedule(desk)
        return True

    def schedule(self, session: RoomSession) -> None:
        """See what a room needs, and set its alarm; in a room somebody watches, books are written beforehand."""
        if self.paced and session.watchers:
            self.waiting_rooms.update_room(session)
        self.set_timer(session)

    def set_timer(self, session: RoomSession) -> None:
        """Set the alarm for the next thing the house does by itself in a room somebody watches."""
        if session.timer:
            session.timer.cancel()
            session.timer = None
        if not self.paced or not session.watchers or (wait := self.compute_delay(session)) is None:
            return
        session.timer = asyncio.get_running_loop().call_later(wait, self.fire_timer, session)

    def compute_delay(self, session: RoomSession) -> float | None:
        """Say in how many seconds a bot moves or the end is confirmed, so that undo stays possible beside bots."""
        table = session.table
        if table is None or not session.room.running or table.replay.attendance.pending_seeds:
            return None
        pace = session.room.settings.pace
        if is_idle(table):
            return None
        if table.replay.is_over:
            return self.end_seconds if can_undo_last(table) else pace
        if must_wait_for_book(session):
            return None
        return max(self.undo_seconds, pace) if can_undo_last(table) else pace

    def fire_timer(self, session: RoomSession) -> None:
        """Do what the alarm was set for."""
        self.spawn(self.run_timed_step(session))

    async def run_timed_step(self, session: RoomSession) -> None:
        """Take one step; what cannot be done now is tried again at the next change."""
        session.timer = None
        try:
            await self.step(session.room.id)
        except (KnobelError, WriteConflict, RepeatedCommand):
            if self.sessions.get(session.room.id) is session and session.watchers and self.paced:
                session.timer = asyncio.get_running_loop().call_later(SWEEP_SECONDS, self.fire_timer, session)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside everything else."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def record_attendance(self, room_id: str, seats: Sequence[int], present: bool) -> None:
        """Note that the people of some seats went away, or came back; what is noted already stays."""
        desk = await self.find_session(room_id)
        async with desk.lock:
            for event in (Back(seat) if present else Away(seat) for seat in seats):
                await self.retry_on_conflict(desk, partial(self.commit_attendance, desk, event))
        self.schedule(desk)

    async def commit_attendance(self, session: RoomSession, event: Away | Back) -> None:
        """Note once that somebody went or came, if a game runs."""
        table = session.table
        if table and session.room.running and table.replay.attendance.refusal(event) is None:
            command = f"{'back' if isinstance(event, Back) else 'away'}:{table.replay.count + 1}"
            await session.commit_events(command, "", table.decide_event(event), self.clock(), session.room)

    async def retry_on_conflict(self, session: RoomSession, attempt: Callable[[], Awaitable[None]]) -> None:
        """Do what nobody asked for by name; when somebody else was faster, read on and try again."""
        for _ in range(MAX_TRIES):
            try:
                return await attempt()
            except (WriteConflict, RepeatedCommand):
                await session.catch_up()
        return None

    async def pass_host(self, room_id: str, present: frozenset[str]) -> None:
        """Give the host's role to somebody who is there, if the host is not."""
        desk = await self.find_session(room_id)
        async with desk.lock:
            await self.retry_on_conflict(desk, partial(self.commit_new_host, desk, present))

    async def commit_new_host(self, session: RoomSession, present: frozenset[str]) -> None:
        """Give the host's role on in the room as it is."""
        passed = pass_host(session.room, present)
        if passed is not session.room:
            await session.commit_room(passed, f"pass:{session.version}", "", self.clock())

    def handle_store_change(self, room_id: str | None) -> None:
        """Read on where another process wrote."""
        for desk in (
            [self.sessions[room_id]] if room_id in self.sessions else () if room_id else tuple(self.sessions.values())
        ):
            self.spawn(self.refresh_session(desk))

    async def refresh_session(self, session: RoomSession) -> None:
        """Catch up with what others wrote in a room."""
        async with session.lock:
            try:
                await session.catch_up()
            except RoomNotFound:
                self.drop_session(session.room.id)
                return
            except KnobelError:
                return
        self.schedule(session)

    async def sweep_sessions(self) -> None:
        """Look for missed news in the rooms that are watched: a message between processes can be lost."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            with contextlib.suppress(KnobelError):
                await self.sweep_once()

    async def sweep_once(self) -> None:
        """Refresh the rooms whose game has events we do not know; a room without a game is always looked at."""
        watched = [session for session in self.sessions.values() if session.watchers]
        games = [session.table.header.game for session in watched if session.table and session.room.running]
        heads = await self.store.count_events(games) if games else {}
        for session in watched:
            table = session.table if session.room.running else None
            if table is None or heads.get(table.header.game, 0) > table.replay.count:
                self.spawn(self.refresh_session(session))

    async def close(self) -> None:
        """Stop all alarms and finish what is being written."""
        for desk in self.sessions.values():
            if desk.timer:
                desk.timer.cancel()
        for task in tuple(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.solve_queue.close()
        await self.store.close()
