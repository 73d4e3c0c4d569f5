"""Decides when bots move and finished games are closed by themselves."""

import asyncio

from knobel.errors import KnobelError
from knobel.host.background import BackgroundTasks
from knobel.host.bot_requests import find_next_request, must_wait_for_book
from knobel.host.commands import CommandRunner
from knobel.host.decisions import can_undo_last, is_idle
from knobel.host.late_moves import compute_seconds_left, find_late_seat
from knobel.host.presence import record_presence
from knobel.host.session import RoomSession
from knobel.host.waiting_rooms import WaitingRooms
from knobel.record.events import Away
from knobel.store import RepeatedCommand, WriteConflict

UNDO_SECONDS = 3.0
END_SECONDS = 5.0
RETRY_SECONDS = 2.0


class TurnScheduler:
    """Lets bots move in watched rooms, slowly enough to follow; unless `paced`, only when asked."""

    def __init__(
        self,
        commands: CommandRunner,
        waiting_rooms: WaitingRooms,
        tasks: BackgroundTasks,
        paced: bool,
        undo_seconds: float,
        end_seconds: float,
    ) -> None:
        self.commands = commands
        self.waiting_rooms = waiting_rooms
        self.tasks = tasks
        self.paced = paced
        self.undo_seconds = undo_seconds
        self.end_seconds = end_seconds

    async def step(self, session: RoomSession) -> bool:
        """Take the next automatic step: a bot's move, closing a finished game, or not waiting for a late player."""
        if (request := find_next_request(session)) is not None:
            await self.waiting_rooms.queue.wait_for(request)
        async with session.lock:
            if session.is_dropped or session.table is None or not session.room.running:
                return False
            if not is_idle(session.table):
                await self.commands.run_bot(session)
            elif (seat := find_late_seat(session)) is not None:
                await record_presence(session, Away(seat), self.commands.clock())
            else:
                return False
        self.schedule(session)
        return True

    def schedule(self, session: RoomSession) -> None:
        """Schedule what a room needs: the books its bots will ask for, and a timer for the next step."""
        if self.paced and session.watchers:
            self.waiting_rooms.update_room(session)
        self.set_timer(session)

    def set_timer(self, session: RoomSession) -> None:
        session.cancel_timer()
        if self.paced and session.watchers and (delay := self.compute_delay(session)) is not None:
            self.start_timer(session, delay)

    def start_timer(self, session: RoomSession, delay: float) -> None:
        session.timer = asyncio.get_running_loop().call_later(delay, self.fire, session)

    def compute_delay(self, session: RoomSession) -> float | None:
        """Say in how many seconds a bot moves, the end is confirmed or a player's time is up.

        Bots leave time to undo an entry before they move.
        """
        table, pace = session.table, session.room.settings.pace
        if table is None or not session.room.running or table.replay.attendance.pending_seeds:
            return None
        if is_idle(table):
            return compute_seconds_left(session)
        if table.replay.is_over:
            return self.end_seconds if can_undo_last(table) else pace
        if must_wait_for_book(session):
            return None
        return max(self.undo_seconds, pace) if can_undo_last(table) else pace

    def fire(self, session: RoomSession) -> None:
        session.timer = None
        self.tasks.spawn(self.run_timed_step(session))

    async def run_timed_step(self, session: RoomSession) -> None:
        """Take one step; what cannot be done now is tried again after a while."""
        if session.is_dropped:
            return
        try:
            if not await self.step(session):
                self.set_timer(session)
        except (KnobelError, WriteConflict, RepeatedCommand):
            if self.paced and session.watchers and not session.is_dropped:
                self.start_timer(session, RETRY_SECONDS)
