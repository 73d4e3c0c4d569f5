"""The host: rooms and their games over a store; every interface goes through it."""

import time
from collections.abc import Callable, Sequence

import msgspec

from knobel.errors import HistoryRolledBack, RoomNotFound
from knobel.host.background import BackgroundTasks
from knobel.host.command_memory import RoomRequest
from knobel.host.commands import SEED_SECONDS, CommandRunner
from knobel.host.devices import Devices
from knobel.host.form_solves import FormSolves
from knobel.host.house_rules_reader import HouseRulesReader
from knobel.host.integrity import hides_stored_turns
from knobel.host.people import People
from knobel.host.presence import record_presence, update_acting_host
from knobel.host.registry import SessionRegistry
from knobel.host.room_setup import check_bots, derive_room_id, draw_next_game, draw_room_code
from knobel.host.room_store import plan_room_writes
from knobel.host.scheduler import END_SECONDS, UNDO_SECONDS, TurnScheduler
from knobel.host.seat_people import check_people, recognize_people
from knobel.host.session import CommandReply, RoomSession, SessionUpdate, SolveProgress, Watcher
from knobel.host.solve_queue import SolveQueue
from knobel.host.statistics import StatisticsKeeper
from knobel.host.waiting_rooms import WaitingRooms
from knobel.record.duplicate import hides_turns
from knobel.record.events import Away, Back
from knobel.rooms.intents import LOBBY_INTENTS, AnyIntent, BeginGame, ChangeSettings, Sit, SitBot
from knobel.rooms.lobby import apply_lobby_intent
from knobel.rooms.room import Room, build_settings
from knobel.store import RememberCommand, RepeatedCommand, Store, WriteConflict


class Host:
    """Opens rooms, lets clients watch them and runs their commands; `paced` bots move by themselves."""

    def __init__(
        self,
        store: Store,
        *,
        paced: bool = True,
        undo_seconds: float = UNDO_SECONDS,
        end_seconds: float = END_SECONDS,
        clock: Callable[[], float] = time.time,
        seed_seconds: float = SEED_SECONDS,
        solve_queue: SolveQueue | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.devices = Devices(store, clock)
        self.tasks = BackgroundTasks()
        self.registry = SessionRegistry(store, self.tasks, self.handle_refresh)
        self.statistics = StatisticsKeeper(store)
        self.people = People(store, self.registry, clock)
        self.solve_queue = solve_queue or SolveQueue()
        self.waiting_rooms = WaitingRooms(self.solve_queue, self.report_solving)
        self.house_rules_reader = HouseRulesReader()
        self.form_solves = FormSolves(self.solve_queue)
        self.commands = CommandRunner(self.waiting_rooms, clock, seed_seconds)
        self.scheduler = TurnScheduler(self.commands, self.waiting_rooms, self.tasks, paced, undo_seconds, end_seconds)

    async def open_room(
        self,
        device: str,
        command: str,
        intent: ChangeSettings,
        seats: Sequence[Sit | SitBot] = (),
        seed: str | None = None,
        body: bytes | None = None,
        tournament: str | None = None,
    ) -> Room:
        """Open a room with these seats; the same command again gives the same room, unless it asks for another one.

        `body` is the request as it came, if it came over the wire; `tournament` the one of which a round is played.
        """
        await self.house_rules_reader.read_intent(intent)
        settings = build_settings(intent, seed)
        room_id = derive_room_id(device, command)
        coming = draw_next_game(settings, 1)
        room = Room(room_id, device, settings, coming, code=draw_room_code(), tournament=tournament)
        await check_people(self.store, device, seats)
        for seat in seats:
            room = apply_lobby_intent(room, device, seat)
        asked = msgspec.json.encode((room.settings, room.seats)) if body is None else body
        room = await recognize_people(self.store, room)
        return await self.add_room(room, RoomRequest.receive(command, device, asked))

    async def add_room(self, room: Room, request: RoomRequest) -> Room:
        """Store a new room, or give the one that the same request has opened before."""
        check_bots(room)
        now = self.clock()
        remembered = RememberCommand(room.id, request.id, request.body, now)
        try:
            await self.store.commit(*plan_room_writes(room, 0, now), remembered)
        except (WriteConflict, RepeatedCommand):
            session = await self.find_session(room.id)
            await session.look_up_reply(request)
            return session.room
        return room

    async def find_session(self, room_id: str) -> RoomSession:
        return await self.registry.find(room_id)

    async def find_room_by_code(self, code: str) -> str:
        """Find the room with a room code; wrong and missing codes are answered alike."""
        room_id = await self.store.find_room_by_code(code.strip().upper().replace("-", "").replace(" ", ""))
        if room_id is None:
            raise RoomNotFound
        return room_id

    async def watch(self, room_id: str, watcher: Watcher) -> RoomSession:
        """Tell a watcher of everything that changes in a room from now on."""
        session = await self.find_session(room_id)
        session.watchers.append(watcher)
        self.scheduler.schedule(session)
        return session

    def unwatch(self, session: RoomSession, watcher: Watcher) -> None:
        """Stop telling a watcher; a room nobody watches is dropped."""
        if watcher in session.watchers:
            session.watchers.remove(watcher)
        if not session.watchers:
            session.move_clock.stop()
            self.waiting_rooms.schedule_leave(session.room.id)
        if not session.is_in_use:
            self.registry.drop(session.room.id)

    async def execute(
        self, room_id: str, device: str, command: str, intent: AnyIntent, body: str | bytes, game: str | None = None
    ) -> CommandReply:
        """Carry out what a device wants, once, and answer when it is on disk.

        `body` is the intent as it came, `game` the game it is meant for.
        """
        session = self.registry.sessions.get(room_id) or await self.find_session(room_id)
        if session.room.is_led_by(device):
            await self.house_rules_reader.read_intent(intent)
            if isinstance(intent, BeginGame):
                await self.waiting_rooms.wait_for_estimates(room_id)
        request = RoomRequest.receive(command, device, body, game, of_room=type(intent) in LOBBY_INTENTS)
        async with self.registry.hold(room_id) as session:
            reply = await self.commands.run(session, request, intent)
        self.scheduler.schedule(session)
        return reply

    async def step(self, room_id: str) -> bool:
        """Take the next automatic step: a bot's move, or closing a finished game."""
        return await self.scheduler.step(await self.find_session(room_id))

    async def record_attendance(self, room_id: str, seats: Sequence[int], present: bool) -> None:
        """Record that the people of some seats went away, or came back."""
        async with self.registry.hold(room_id) as session:
            for seat in seats:
                await record_presence(session, Back(seat) if present else Away(seat), self.clock())
        self.scheduler.schedule(session)

    async def update_acting_host(self, room_id: str, present: frozenset[str]) -> None:
        """Let a person who is connected act for the host, if the host is not."""
        async with self.registry.hold(room_id) as session:
            await update_acting_host(session, present, self.clock())

    async def check_seen(self, room_id: str, game: str, count: int, head: str) -> None:
        """Refuse to go on in silence where a client has seen more of a game than is stored, or something else."""
        session = await self.find_session(room_id)
        if session.table is not None and session.table.header.game == game and not hides_turns(session.table.replay):
            if len(session.table.heads) <= count:
                async with session.lock:
                    await session.catch_up()
            heads = session.table.heads if session.table is not None else []
            is_known = count < len(heads) and heads[count] == head
        else:
            stored = await self.store.find_game(game)
            # Of a duplicate game that is being played nobody was told a hash, nor how many events it has.
            is_known = stored is not None and not hides_stored_turns(stored) and stored.event_count >= count
        if not is_known:
            raise HistoryRolledBack(name=game, event=count)

    def handle_refresh(self, session: RoomSession) -> None:
        self.scheduler.schedule(session)

    def report_solving(self, room_id: str, progress: SolveProgress) -> None:
        """Tell a room how far its solve is; once it is done, bots go on."""
        if session := self.registry.sessions.get(room_id):
            session.notify(SessionUpdate(session, progress=progress))
            if progress.fraction is None:
                self.scheduler.set_timer(session)

    async def close(self) -> None:
        """Stop all timers and tasks, and finish what is being written."""
        for session in self.registry.sessions.values():
            session.cancel_timer()
        await self.tasks.close()
        self.form_solves.close()
        await self.solve_queue.close()
        await self.store.close()
