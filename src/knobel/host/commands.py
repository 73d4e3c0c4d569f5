"""Carries out commands: decide, commit, apply; each is carried out once, however often it is sent."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random

from msgspec.structs import replace

from knobel.bots import is_slow, load_bot
from knobel.errors import CannotStart, KnobelError, NoGameRunning, NotHost, SeatNotYours, SeedsMissing, StaleRequest
from knobel.host.bot_requests import require_book
from knobel.host.command_memory import RoomRequest
from knobel.host.decisions import decide_intent, find_bot_seat, finish_game
from knobel.host.room_setup import check_bots, draw_next_game, renew_next_game
from knobel.host.session import CommandReply, RoomSession
from knobel.host.waiting_rooms import WaitingRooms
from knobel.record.chain import encode_header
from knobel.record.events import Closed
from knobel.record.replay import set_up_game
from knobel.rooms.documents import find_fingerprint
from knobel.rooms.intents import Advance, AnyIntent, BeginGame, GameIntent, StopGame
from knobel.rooms.room import apply_lobby_intent, build_header, explain_cannot_begin
from knobel.store import DropGame, NewGame, RepeatedCommand, WriteConflict
from knobel.table import Table, TableDecision

MAX_TRIES = 4


@dataclass(frozen=True, slots=True)
class CommandRunner:
    """Carries out one command at a time in a session whose lock is held."""

    waiting_rooms: WaitingRooms
    clock: Callable[[], float]

    async def run(self, session: RoomSession, request: RoomRequest, intent: AnyIntent) -> CommandReply:
        """Carry out what a device wants; a reply is given only when it is on disk."""
        return await self.run_once(session, request, lambda: self.perform(session, request, intent))

    async def run_bot(self, session: RoomSession) -> None:
        """Let a bot move, or close a finished game."""
        request = RoomRequest(f"bot:{session.require_table().replay.count + 1}", body="bot")
        await self.run_once(
            session, request, lambda: self.advance(session, request, session.require_table().replay.ply)
        )

    async def run_once(
        self, session: RoomSession, request: RoomRequest, attempt: Callable[[], Awaitable[CommandReply]]
    ) -> CommandReply:
        """Answer a repeated command as before; if another process was faster, catch up and try again."""
        for _ in range(MAX_TRIES):
            if reply := session.find_reply(request):
                return reply
            try:
                return await attempt()
            except (WriteConflict, RepeatedCommand):
                await session.catch_up()
            except KnobelError:
                if not await session.catch_up():
                    raise
        raise StaleRequest

    async def perform(self, session: RoomSession, request: RoomRequest, intent: AnyIntent) -> CommandReply:
        room, device = session.room, request.device
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
            return await self.commit(session, request, decide_intent(session.require_table(), room, device, intent))
        changed = apply_lobby_intent(room, device, intent)
        check_bots(changed)
        renumbered = changed.settings.seed is not None and changed.game_number != room.game_number
        if changed.settings != room.settings or renumbered:
            changed = renew_next_game(changed)
        return await session.commit_room(changed, request, self.clock())

    async def begin_game(self, session: RoomSession, request: RoomRequest, intent: BeginGame) -> CommandReply:
        """Start the next game: the seats are fixed from now on, and all devices reveal their seeds."""
        room = session.room
        if request.device != room.host:
            raise NotHost
        if why := explain_cannot_begin(room):
            raise CannotStart(why=why)
        if room.unsealed_devices and not intent.anyway and room.settings.seed is None:
            raise SeedsMissing(names=tuple(seat.name for seat in room.seats if seat.device in room.unsealed_devices))
        if len(room.totals) >= room.settings.games:
            room = replace(room, totals=(), first=None)
        self.waiting_rooms.check_solvable(session)
        header = build_header(room)
        # Rules that cannot be played are refused here, before anything is written.
        set_up_game(header)
        names = tuple(seat.name for seat in room.seats)
        new_game = NewGame(
            header.game, room.id, encode_header(header), room.coming.seed, names, self.clock(), find_fingerprint(room)
        )
        # With a typed seed, the same game may have been played before.
        replaced = [DropGame(header.game)] if room.settings.seed is not None else []
        number = room.game_number % room.settings.games + 1
        room = replace(room, running=True, game=header.game, code=None, coming=draw_next_game(room.settings, number))
        return await session.commit_room(room, request, self.clock(), *replaced, new_game)

    async def advance(self, session: RoomSession, request: RoomRequest, ply: int) -> CommandReply:
        """Let a bot move at once, or confirm the end."""
        table = session.require_table()
        if ply != table.replay.ply:
            raise StaleRequest
        decision = table.decide_end() if table.replay.is_over else await decide_bot_move(table)
        return await self.commit(session, request, decision)

    async def commit(self, session: RoomSession, request: RoomRequest, decision: TableDecision) -> CommandReply:
        """Commit a decision; the last event of a game ends it for the room, too."""
        room = session.room
        if isinstance(decision.events[-1], Closed):
            room = session.memory.keep_in(finish_game(room, session.require_table().replay))
            if room.settings.seed is not None:
                room = renew_next_game(room)
        return await session.commit_events(request, decision, self.clock(), room)


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
