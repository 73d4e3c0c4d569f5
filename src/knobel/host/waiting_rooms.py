"""The rooms whose bots wait for a solve: what each waits for, how far that is, and when nobody is there any more."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from knobel.host.bot_requests import list_requests
from knobel.host.session import RoomSession, SolveProgress
from knobel.host.solve_queue import SolveJob, SolveQueue
from knobel.solve_worker import is_ready

LINGER_SECONDS = 15.0
"""How long a room keeps its place after everybody has left: a page that is reloaded comes back."""

ProgressListener: TypeAlias = Callable[[str, SolveProgress], None]


class WaitingRooms:
    """The customers of a solve queue that are rooms, by their ids; the listener hears of the progress of each."""

    def __init__(self, queue: SolveQueue, on_progress: ProgressListener) -> None:
        self.queue = queue
        self.on_progress = on_progress
        self.rooms: dict[str, dict[str, SolveJob]] = {}
        self.leave_timers: dict[str, asyncio.TimerHandle] = {}
        queue.listeners.append(self.report)

    def update_room(self, session: RoomSession) -> None:
        """Join the jobs the bots of a room need now, and leave those they no longer need."""
        room_id = session.room.id
        self.cancel_leave(room_id)
        wanted = {request.key: request for request in list_requests(session) if not is_ready(request)}
        joined = self.rooms.get(room_id, {})
        for key in [key for key in joined if key not in wanted]:
            self.leave_job(room_id, key)
        for key, request in wanted.items():
            if key not in joined:
                self.rooms.setdefault(room_id, {})[key] = self.queue.join(request, room_id)
                self.on_progress(room_id, self.progress_of(room_id))

    def leave_job(self, room_id: str, key: str) -> None:
        job = self.rooms[room_id][key]
        self.forget_job(room_id, job)
        self.on_progress(room_id, self.progress_of(room_id))
        self.queue.leave(job, room_id)

    def schedule_leave(self, room_id: str) -> None:
        """Let a room that everybody has left keep its place for a while."""
        self.cancel_leave(room_id)
        if room_id in self.rooms:
            self.leave_timers[room_id] = asyncio.get_running_loop().call_later(LINGER_SECONDS, self.leave_room, room_id)

    def cancel_leave(self, room_id: str) -> None:
        if room_id in self.leave_timers:
            self.leave_timers.pop(room_id).cancel()

    def leave_room(self, room_id: str) -> None:
        """Leave every job of a room that nobody is in."""
        self.cancel_leave(room_id)
        for key in tuple(self.rooms.get(room_id, ())):
            self.leave_job(room_id, key)

    def report(self, job: SolveJob) -> None:
        """Tell the rooms that wait for a job how far it is; one that is done is waited for no longer."""
        done = job.progress.fraction is None and job.progress.error is None
        for room_id in [one for one in job.customers if isinstance(one, str) and one in self.rooms]:
            if done:
                self.forget_job(room_id, job)
            self.on_progress(room_id, self.progress_of(room_id))

    def forget_job(self, room_id: str, job: SolveJob) -> None:
        jobs = self.rooms[room_id]
        jobs.pop(job.request.key, None)
        if not jobs:
            del self.rooms[room_id]

    def progress_of(self, room_id: str) -> SolveProgress:
        """Give the progress of what a room waits for: first what failed, then what is least far."""
        states = [job.progress for job in self.rooms.get(room_id, {}).values()]
        return min(states, key=lambda state: (state.error is None, state.fraction or 0.0), default=SolveProgress(None))

    def check_solvable(self, session: RoomSession) -> None:
        """Raise why the bots of a room will never be able to play."""
        if error := self.progress_of(session.room.id).error:
            raise error

    async def wait_for_estimates(self, room_id: str) -> None:
        """Wait until it is known whether the bots of a room will ever be able to play."""
        for job in tuple(self.rooms.get(room_id, {}).values()):
            await job.estimated.wait()
