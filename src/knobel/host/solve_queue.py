"""The study: what bots that play by the book need is worked out here, one at a time, while the tables go on."""

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from knobel.bots import EXIT_OUT_OF_MEMORY, estimate_memory, is_ready, load_cached_book, needs_book, prune_books
from knobel.errors import KnobelError, SolveFailed, SolveMemoryExceeded, SolveQueueFull, SolveTimeout, StillSolving
from knobel.games.sheet import SheetGame
from knobel.host.decisions import find_bot_seat
from knobel.host.session import RoomSession, SolveProgress
from knobel.rooms.intents import AnyIntent, BeginGame, ChangeSettings
from knobel.rooms.room import build_settings, resolve_rules
from knobel.rules.sheet_rules import SheetRules
from knobel.table import Table

BOOK_READER, PROSPECT_READER = "perfect", "coach:ahead"
"""Who reads the book and nothing else, and who looks ahead as well."""
MAX_SECONDS = 60.0
"""So long working out may take; nobody waits longer for a bot."""
MAX_SOLUTION_BYTES = 1024**3
"""So large the solved values may be."""
MAX_QUEUED = 20
MAX_RULE_READERS = 2
"""So many house-rule files are read at the same time; reading one takes a fraction of a second."""
LINGER_SECONDS = 15.0
"""A room that everybody has left keeps its place in the study for a while: a page that is loaded anew comes back."""
PROGRESS_SECONDS = 0.2
"""Progress is told no more often."""


@dataclass(frozen=True, slots=True)
class SolveRequest:
    """What one bot needs before it can play by some rules."""

    bot: str
    rules: SheetRules

    @property
    def key(self) -> str:
        """Needs with equal keys are met by the same work: bots without a level need the book alone."""
        return f"{self.rules.fingerprint}:{self.bot.partition(':')[2]}"

    @property
    def is_ready(self) -> bool:
        """Whether the bot can move at once."""
        return is_ready(self.bot, self.rules)


@dataclass(eq=False)
class SolveJob:
    """Something to be worked out: for which rooms, and how far it is."""

    request: SolveRequest
    room_ids: set[str] = field(default_factory=set)
    progress: SolveProgress = field(default_factory=lambda: SolveProgress(0.0))
    waiters: int = 0
    reported_at: float = 0.0
    task: asyncio.Task[None] | None = None
    estimated: asyncio.Event = field(default_factory=asyncio.Event)


ProgressListener: TypeAlias = Callable[[str, SolveProgress], None]


class SolveQueue:
    """Works out what bots need, in a child process that nobody has to wait for; `tell` hears how far it is."""

    def __init__(self, on_progress: ProgressListener, max_seconds: float = MAX_SECONDS) -> None:
        self.on_progress = on_progress
        self.max_seconds = max_seconds
        self.jobs: dict[str, SolveJob] = {}
        self.solve_slot = asyncio.Lock()
        self.rule_readers = asyncio.Semaphore(MAX_RULE_READERS)
        self.leave_timers: dict[str, asyncio.TimerHandle] = {}

    async def read_house_rules(self, intent: AnyIntent) -> None:
        """Read house rules beside everything else, so that nobody waits meanwhile; what was read is remembered."""
        if isinstance(intent, ChangeSettings) and intent.house is not None:
            async with self.rule_readers:
                await asyncio.to_thread(build_settings, intent)

    async def prepare_intent(self, room_id: str, intent: AnyIntent) -> None:
        """Do first what may take a moment: read house rules, or find out whether bots will ever be able to play."""
        await self.read_house_rules(intent)
        if isinstance(intent, BeginGame):
            for work in [work for work in self.jobs.values() if room_id in work.room_ids]:
                await work.estimated.wait()

    def update_room(self, session: RoomSession) -> None:
        """Begin what the bots of a room need, and drop what they no longer do."""
        room = session.room.id
        self.cancel_leave(room)
        wanted = {need.key: need for need in list_requests(session) if not need.is_ready}
        for key, work in tuple(self.jobs.items()):
            if key not in wanted and room in work.room_ids:
                self.remove_room(work, room)
        for key, need in wanted.items():
            work = self.jobs.get(key) or self.enqueue(key, need)
            if room not in work.room_ids:
                work.room_ids.add(room)
                self.on_progress(room, self.progress_of(room))

    def enqueue(self, key: str, request: SolveRequest) -> SolveJob:
        """Put something on the list."""
        work = self.jobs[key] = SolveJob(request)
        if len([one for one in self.jobs.values() if one.progress.fraction is not None]) > MAX_QUEUED:
            work.progress = SolveProgress(None, error=SolveQueueFull(limit=MAX_QUEUED))
            work.estimated.set()
        else:
            work.task = asyncio.get_running_loop().create_task(self.run_job(key, work))
        return work

    def remove_room(self, job: SolveJob, room_id: str) -> None:
        """Work no longer for a room; what no room waits for is put aside."""
        job.room_ids.discard(room_id)
        self.on_progress(room_id, self.progress_of(room_id))
        self.cancel_unused(job)

    def cancel_unused(self, job: SolveJob) -> None:
        """Stop what nobody waits for; what went wrong is tried anew when somebody wants it again."""
        if job.room_ids or job.waiters:
            return
        if self.jobs.get(job.request.key) is job:
            del self.jobs[job.request.key]
        if job.task:
            job.task.cancel()

    def schedule_leave(self, room_id: str) -> None:
        """Keep the place of a room that everybody has left, for a while."""
        self.cancel_leave(room_id)
        if any(room_id in work.room_ids for work in self.jobs.values()):
            self.leave_timers[room_id] = asyncio.get_running_loop().call_later(LINGER_SECONDS, self.leave_room, room_id)

    def cancel_leave(self, room_id: str) -> None:
        """Note that somebody is in a room."""
        if room_id in self.leave_timers:
            self.leave_timers.pop(room_id).cancel()

    def leave_room(self, room_id: str) -> None:
        """Work no longer for a room that nobody is in."""
        self.cancel_leave(room_id)
        for work in tuple(self.jobs.values()):
            if room_id in work.room_ids:
                self.remove_room(work, room_id)

    def progress_of(self, room_id: str) -> SolveProgress:
        """Say how far that is what a room waits for; where something went wrong, that comes first."""
        states = [work.progress for work in self.jobs.values() if room_id in work.room_ids]
        return min(states, key=lambda state: (state.error is None, state.fraction or 0.0), default=SolveProgress(None))

    def check_solvable(self, session: RoomSession) -> None:
        """Refuse what would end in waiting for a book that never comes."""
        if error := self.progress_of(session.room.id).error:
            raise error

    async def wait_for_bot(self, session: RoomSession) -> None:
        """Wait until the bot to move can do so, or say why it never will."""
        if (need := find_next_request(session)) is not None:
            await self.fulfill(need)

    async def wait_for_book(self, rules: SheetRules) -> None:
        """Wait until the book of some rules can be opened, or say why it never will."""
        await self.fulfill(SolveRequest(BOOK_READER, rules))

    async def wait_for_prospects(self, rules: SheetRules) -> None:
        """Wait until the coach can see what lies ahead of each move, or say why it never will."""
        await self.fulfill(SolveRequest(PROSPECT_READER, rules))

    async def fulfill(self, request: SolveRequest) -> None:
        """Wait until a need is met, or say why it never will be."""
        if request.is_ready:
            return
        work = self.jobs.get(request.key) or self.enqueue(request.key, request)
        work.waiters += 1
        try:
            if work.task:
                await asyncio.wait([work.task])
        finally:
            work.waiters -= 1
            self.cancel_unused(work)
        if work.progress.error:
            raise work.progress.error

    async def run_job(self, key: str, job: SolveJob) -> None:
        """Work something out, once it is its turn; what was worked out before is only opened."""
        need = job.request
        try:
            if not await asyncio.to_thread(load_cached_book, need.bot, need.rules):
                memory = await asyncio.to_thread(estimate_memory, need.rules, self.max_seconds, MAX_SOLUTION_BYTES)
                job.estimated.set()
                if self.solve_slot.locked():
                    self.report(job, SolveProgress(0.0, is_queued=True))
                async with self.solve_slot:
                    self.report(job, SolveProgress(0.0))
                    await self.solve_in_child(job, memory)
                if not await asyncio.to_thread(load_cached_book, need.bot, need.rules):
                    raise SolveFailed
        except (KnobelError, OSError) as error:
            self.report(job, SolveProgress(None, error=error if isinstance(error, KnobelError) else SolveFailed()))
            return
        finally:
            job.estimated.set()
        if self.jobs.get(key) is job:
            del self.jobs[key]
        self.report(job, SolveProgress(None))

    def report(self, job: SolveJob, progress: SolveProgress) -> None:
        """Tell the rooms that wait how far it is."""
        job.progress = progress
        for room in tuple(job.room_ids):
            self.on_progress(room, self.progress_of(room))

    async def solve_in_child(self, job: SolveJob, memory: int) -> None:
        """Let a child process do it; one that takes too long is killed, with everything it began."""
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "knobel.bots", job.request.bot, str(memory)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(self.max_seconds):
                await self.follow_child(job, child)
                answer = await child.wait()
        except TimeoutError:
            raise SolveTimeout(limit=f"{self.max_seconds:g}") from None
        finally:
            await kill_child(child)
        if answer == EXIT_OUT_OF_MEMORY:
            raise SolveMemoryExceeded(limit=memory // 1024**2)
        if answer:
            raise SolveFailed

    async def follow_child(self, job: SolveJob, child: asyncio.subprocess.Process) -> None:
        """Hand over the rules, and pass on how far the child is."""
        if child.stdin is None or child.stdout is None:
            raise SolveFailed
        with contextlib.suppress(ConnectionError):
            child.stdin.write(json.dumps(job.request.rules.as_dict).encode() + b"\n")
            await child.stdin.drain()
        async for line in child.stdout:
            if (now := time.monotonic()) - job.reported_at >= PROGRESS_SECONDS:
                job.reported_at = now
                self.report(job, SolveProgress(float(line)))

    async def tidy_books(self) -> None:
        """Let go of the books nobody opened for the longest time, if there are too many."""
        await asyncio.to_thread(prune_books)

    async def close(self) -> None:
        """Stop working; no child is left behind."""
        tasks = [work.task for work in self.jobs.values() if work.task]
        self.jobs.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def kill_child(child: asyncio.subprocess.Process) -> None:
    """See to it that a child and everything it began is gone, and nothing half written stays."""
    if child.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    await child.wait()
    await asyncio.to_thread(prune_books)


def list_requests(session: RoomSession) -> tuple[SolveRequest, ...]:
    """List what the bots of a room need: those on its chairs, and in a game those who stand in."""
    room, table = session.room, session.table
    if room.running and table is not None:
        seats = range(len(table.header.seats))
        return tuple([need for seat in seats if (need := find_request(table, seat))])
    bots = {chair.bot for chair in room.seats if chair.bot is not None and needs_book(chair.bot)}
    rules = resolve_rules(room.settings) if bots else None
    return tuple(SolveRequest(bot, rules) for bot in sorted(bots)) if isinstance(rules, SheetRules) else ()


def find_request(table: Table, seat: int) -> SolveRequest | None:
    """Say what a bot on a seat needs: it plays by the rules of that seat."""
    name = table.find_bot(seat)
    if name is None or not needs_book(name):
        return None
    lane = table.replay.track(seat)
    if not isinstance(lane.game, SheetGame) or lane.local_seat(seat) in lane.state.left:
        return None
    return SolveRequest(name, lane.game.rules_for(lane.local_seat(seat)))


def require_book(table: Table, seat: int) -> None:
    """Refuse the move of a bot whose book is not written yet."""
    need = find_request(table, seat)
    if need and not need.is_ready:
        raise StillSolving


def must_wait_for_book(session: RoomSession) -> bool:
    """Tell whether the bot that is to move has to wait for its book."""
    need = find_next_request(session)
    return need is not None and not need.is_ready


def find_next_request(session: RoomSession) -> SolveRequest | None:
    """Say what the bot that is to move needs."""
    table = session.table
    if table is None or not session.room.running or table.replay.is_over:
        return None
    seat = find_bot_seat(table)
    return None if seat is None else find_request(table, seat)
