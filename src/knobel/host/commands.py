"""Carries out commands: decide, commit, apply; each is carried out once, however often it is sent."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random

from msgspec.structs import replace

from knobel.bots import is_slow, load_bot
from knobel.errors import (
    CannotStart,
    KnobelError,
    NoGameRunning,
    NotHost,
    SeatNotYours,
    SeedsEarly,
    SeedsMissing,
    StaleRequest,
)
from knobel.host.bot_requests import require_book
from knobel.host.command_memory import RoomRequest
from knobel.host.decisions import decide_intent, find_bot_seat, finish_game, refuse_in_duplicate
from knobel.host.integrity import build_table
from knobel.host.results import plan_results
from knobel.host.room_setup import check_bots, draw_next_game, draw_room_code, renew_next_game
from knobel.host.seat_people import follow_intent, settle_people
from knobel.host.session import CommandReply, RoomSession
from knobel.host.waiting_rooms import WaitingRooms
from knobel.record.chain import encode_header, link_events
from knobel.record.events import Closed, Header
from knobel.record.replay import set_up_game
from knobel.rooms.documents import find_fingerprint
from knobel.rooms.intents import Act, Advance, AnyIntent, BeginGame, GameIntent, StartWithout, StopGame
from knobel.rooms.lobby import apply_lobby_intent, begin_series
from knobel.rooms.room import Room, build_header, explain_cannot_begin
from knobel.store import AppendEvents, DropGame, NewGame, PutSeatName, RepeatedCommand, WriteConflict
from knobel.table import Table, TableDecision, decide_lot

MAX_TRIES = 4
SEED_SECONDS = 9.0
"""How long a game waits for promised seeds before it may begin without them; pages offer that after ten."""


@dataclass(frozen=True, slots=True)
class CommandRunner:
    """Carries out one command at a time in a session whose lock is held."""

    waiting_rooms: WaitingRooms
    clock: Callable[[], float]
    seed_seconds: float = SEED_SECONDS

    async def run(self, session: RoomSession, request: RoomRequest, intent: AnyIntent) -> CommandReply:
        """Carry out what a device wants; a reply is given only when it is on disk."""
        return await self.run_once(session, request, lambda: self.perform(session, request, intent))

    async def run_bot(self, session: RoomSession) -> None:
        """Let a bot move, or close a finished game; where something else has happened first, it waits for its time."""
        number = session.require_table().replay.count + 1
        request = RoomRequest(f"bot:{number}", body="bot")

        async def attempt() -> CommandReply:
            replay = session.require_table().replay
            if replay.count + 1 != number:
                raise StaleRequest
            return await self.advance(session, request, replay.ply)

        with contextlib.suppress(StaleRequest):
            await self.run_once(session, request, attempt)

    async def run_once(
        self, session: RoomSession, request: RoomRequest, attempt: Callable[[], Awaitable[CommandReply]]
    ) -> CommandReply:
        """Answer a repeated command as before; if another process was faster, catch up and try again."""
        for _ in range(MAX_TRIES):
            if reply := await find_earlier_reply(session, request):
                return reply
            try:
                return await attempt()
            except (WriteConflict, RepeatedCommand):
                await session.catch_up()
            except KnobelError:
                if not await session.catch_up():
                    raise
        # The last try may have been carried out although its answer was lost.
        if reply := await find_earlier_reply(session, request):
            return reply
        raise StaleRequest

    async def perform(self, session: RoomSession, request: RoomRequest, intent: AnyIntent) -> CommandReply:
        room, device = session.room, request.device
        if request.game is not None and request.game != room.game:
            raise NoGameRunning if room.game is None else StaleRequest
        if isinstance(intent, Act):
            return await self.commit(session, request, decide_intent(session.require_table(), room, device, intent))
        if isinstance(intent, BeginGame):
            return await self.begin_game(session, request, intent)
        if isinstance(intent, Advance):
            if device not in (room.host, *room.devices):
                raise SeatNotYours
            return await self.advance(session, request, intent.ply)
        if isinstance(intent, StopGame):
            if device != room.host:
                raise NotHost
            return await self.commit(session, request, session.require_table().decide_end())
        if isinstance(intent, GameIntent):
            decision = decide_intent(session.require_table(), room, device, intent)
            if isinstance(intent, StartWithout):
                self.check_seed_time(session)
            return await self.commit(session, request, decision)
        changed = apply_lobby_intent(room, device, intent)
        check_bots(changed)
        changed, people = await follow_intent(session.store, room, changed, device, intent)
        renumbered = changed.settings.seed is not None and changed.game_number != room.game_number
        if changed.settings != room.settings or renumbered:
            changed = renew_next_game(changed)
        return await session.commit_room(changed, request, self.clock(), *plan_renames(room, changed), *people)

    def check_seed_time(self, session: RoomSession) -> None:
        """Refuse to go on without seeds that may still come."""
        if time.monotonic() < session.begun_at + self.seed_seconds:
            raise SeedsEarly(n=round(self.seed_seconds))

    async def begin_game(self, session: RoomSession, request: RoomRequest, intent: BeginGame) -> CommandReply:
        """Start the next game: the seats are fixed from now on, and all devices reveal their seeds."""
        room = session.room
        if not room.is_led_by(request.device):
            raise NotHost
        if why := explain_cannot_begin(room):
            raise CannotStart(why=why)
        if room.unsealed_devices and not intent.anyway and room.settings.seed is None:
            raise SeedsMissing(names=tuple(seat.name for seat in room.seats if seat.device in room.unsealed_devices))
        if len(room.totals) >= room.settings.games:
            room = begin_series(room)
        self.waiting_rooms.check_solvable(session)
        header = build_header(room)
        # Rules that cannot be played are refused here, before anything is written.
        set_up_game(header)
        room, people = await settle_people(session.store, room, self.clock())
        new_game = plan_new_game(room, header, self.clock())
        # With a typed seed, the same game may have been played before.
        replaced = [DropGame(header.game)] if room.settings.seed is not None else []
        number = room.game_number % room.settings.games + 1
        room = replace(room, running=True, game=header.game, code=None, coming=draw_next_game(room.settings, number))
        table = build_table(new_game)
        lot = draw_lot(table, self.clock())
        return await session.commit_room(
            room, request, self.clock(), *replaced, *people, new_game, *lot, new_table=table
        )

    async def advance(self, session: RoomSession, request: RoomRequest, ply: int) -> CommandReply:
        """Let a bot move at once, or confirm the end."""
        table = session.require_table()
        if request.device and not table.replay.is_over:
            # How often others have rolled is hidden in duplicate, and so is the ply.
            refuse_in_duplicate(table)
        if ply != table.replay.ply:
            raise StaleRequest
        decision = table.decide_end() if table.replay.is_over else await decide_bot_move(table)
        return await self.commit(session, request, decision)

    async def commit(self, session: RoomSession, request: RoomRequest, decision: TableDecision) -> CommandReply:
        """Commit a decision; the last event of a game ends it for the room, too."""
        room, now = session.room, self.clock()
        if not isinstance(decision.events[-1], Closed):
            return await session.commit_events(request, decision, now, room)
        table = session.require_table()
        results = plan_results(table, room.id, find_people(room), now)
        # Whoever changes the players invites others again.
        room = replace(finish_game(room, table.replay), code=draw_room_code())
        if room.settings.seed is not None:
            room = renew_next_game(room)
        return await session.commit_events(request, decision, now, room, *results)


async def find_earlier_reply(session: RoomSession, request: RoomRequest) -> CommandReply | None:
    """Find the answer to a request that was carried out before."""
    if reply := session.find_reply(request):
        return reply
    # What is meant for the game on the table is in memory if it was ever carried out.
    is_elsewhere = bool(request.device) and (request.of_room or request.game != session.room.game)
    if is_elsewhere and (reply := await session.look_up_reply(request)):
        await session.catch_up()
        return reply
    return None


def find_people(room: Room) -> dict[int, str]:
    """Say who sits where."""
    return {place: seat.person for place, seat in enumerate(room.seats) if seat.person is not None}


def plan_new_game(room: Room, header: Header, at: float) -> NewGame:
    """Plan the log of the next game, with who sits where beside it."""
    names, people = (seat.name for seat in room.seats), (seat.person for seat in room.seats)
    line, house_rules = encode_header(header), find_fingerprint(room)
    return NewGame(header.game, room.id, line, room.coming.seed, tuple(names), at, house_rules, tuple(people))


def plan_renames(before: Room, after: Room) -> list[PutSeatName]:
    """Plan the new names of the game that is being played."""
    if before.game is None or not (before.running and after.running):
        return []
    names = zip(before.seats, after.seats, strict=True)
    return [PutSeatName(before.game, seat, new.name) for seat, (old, new) in enumerate(names) if old.name != new.name]


def draw_lot(table: Table, at: float) -> list[AppendEvents]:
    """Draw lots for the start of a game that waits for nobody's seed, and give what is to be written with it."""
    if table.replay.attendance.pending_seeds or not (lot := decide_lot(table)).steps:
        return []
    links, head = link_events(table.head, lot.events, table.header.knobel)
    table.apply(lot)
    return [AppendEvents(table.header.game, 0, "lot", "lot", links, at, head=head)]


async def decide_bot_move(table: Table) -> TableDecision:
    """Ask the bot whose turn it is; every process breaks its ties alike."""
    seat = find_bot_seat(table)
    if seat is None:
        raise NoGameRunning
    track, name = table.replay.track(seat), table.find_bot(seat) or ""
    chance = Random(f"{table.header.game}/{table.replay.ply}")  # noqa: S311
    family = track.game.rules.family
    bot = load_bot(name, family)
    if not is_slow(name, family):
        return table.decide(seat, bot(track.game, track.state, chance))
    require_book(table, seat)
    return table.decide(seat, await asyncio.to_thread(bot, track.game, track.state, chance))
