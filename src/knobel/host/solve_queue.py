"""Solves what bots and the coach request, one request at a time, in a child process that nobody has to wait for."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from knobel.errors import KnobelError, SolveFailed, SolveMemoryExceeded, SolveQueueFull, SolveTimeout
from knobel.host.session import SolveProgress
from knobel.host.solver_process import SolverProcess
from knobel.solve_worker import estimate_memory, evict_old_books, is_ready, load_cached
from knobel.solver.request import SolveRequest

MAX_SECONDS = 60.0
"""How long a solve may take, unless the server is started with another limit; few wait longer for a bot."""
MAX_SOLUTION_BYTES = 1024**3
MAX_QUEUED = 20
PROGRESS_SECONDS = 0.2
"""How long to wait between two reports of progress."""
PAUSE_SECONDS = 600.0
"""How long to pause before trying again in the background what exceeded its limits."""
MAX_PAUSED = 64

BACKGROUND = "background"
"""The customer of what is solved although nobody waits for it any more."""


@dataclass(eq=False)
class SolveJob:
    """A request in the queue, its customers and its progress; it is dropped when the last customer leaves."""

    request: SolveRequest
    customers: set[object] = field(default_factory=set)
    progress: SolveProgress = field(default_factory=lambda: SolveProgress(0.0))
    task: asyncio.Task[KnobelError | None] | None = None
    estimated: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once it is known whether the request can be met within the limits."""
    reported_at: float = 0.0

    @property
    def is_active(self) -> bool:
        return self.task is not None and not self.task.done()


class SolveQueue:
    """The jobs that wait or run, by the key of their request; listeners hear of the progress of each job."""

    def __init__(self, max_seconds: float = MAX_SECONDS, max_bytes: int = MAX_SOLUTION_BYTES) -> None:
        self.max_seconds = max_seconds
        self.max_bytes = max_bytes
        self.jobs: dict[str, SolveJob] = {}
        self.listeners: list[Callable[[SolveJob], None]] = []
        self.solve_slot = asyncio.Lock()
        self.paused_until: dict[str, float] = {}

    def join(self, request: SolveRequest, customer: object) -> SolveJob:
        """Add a customer to the job of a request; what failed is tried again for everybody who still waits."""
        job = self.jobs.setdefault(request.key, SolveJob(request))
        job.customers.add(customer)
        if not job.is_active:
            self.start(job)
        return job

    def leave(self, job: SolveJob, customer: object) -> None:
        """Take a customer away; without one the job is cancelled."""
        job.customers.discard(customer)
        if job.customers:
            return
        self.remove(job)
        if job.task and job.task is not asyncio.current_task():
            job.task.cancel()

    def remove(self, job: SolveJob) -> None:
        if self.jobs.get(job.request.key) is job:
            del self.jobs[job.request.key]

    def start(self, job: SolveJob) -> None:
        if sum(one.is_active for one in self.jobs.values()) >= MAX_QUEUED:
            self.fail(job, SolveQueueFull(limit=MAX_QUEUED))
            return
        job.estimated.clear()
        self.report(job, SolveProgress(0.0))
        job.task = asyncio.get_running_loop().create_task(self.run(job))

    async def wait_for(self, request: SolveRequest) -> None:
        """Wait until a request is met, or raise why it cannot be."""
        if is_ready(request):
            return
        customer = object()
        job = self.join(request, customer)
        task, error = job.task, job.progress.error
        try:
            if task and not error:
                await asyncio.wait([task])
                error = SolveFailed() if task.cancelled() else task.result()
        finally:
            self.leave(job, customer)
        if error:
            raise error

    async def wait_briefly(self, request: SolveRequest, seconds: float | None) -> None:
        """Wait a moment, or to the end, for what one can do without; the solve goes on in the background."""
        if is_ready(request) or self.paused_until.get(request.key, 0.0) > time.monotonic():
            return
        task = self.join(request, BACKGROUND).task
        if task:
            await asyncio.wait([task], timeout=seconds)

    async def run(self, job: SolveJob) -> KnobelError | None:
        """Meet a request when it is its turn; what was solved before is only opened."""
        try:
            if not await asyncio.to_thread(load_cached, job.request):
                await self.solve(job)
        except (KnobelError, OSError) as error:
            return self.fail(job, error if isinstance(error, KnobelError) else SolveFailed())
        finally:
            job.estimated.set()
        self.remove(job)
        self.report(job, SolveProgress(None))
        return None

    async def solve(self, job: SolveJob) -> None:
        memory = await asyncio.to_thread(estimate_memory, job.request, self.max_seconds, self.max_bytes)
        job.estimated.set()
        if self.solve_slot.locked():
            self.report(job, SolveProgress(0.0, is_queued=True))
        async with self.solve_slot:
            self.report(job, SolveProgress(0.0))
            await SolverProcess(job.request, memory, lambda done: self.note_progress(job, done)).run(self.max_seconds)
        if not await asyncio.to_thread(load_cached, job.request):
            raise SolveFailed

    def fail(self, job: SolveJob, error: KnobelError) -> KnobelError:
        """Report a failure; the job stays for customers who still look at it, until it is requested again."""
        job.estimated.set()
        if isinstance(error, SolveTimeout | SolveMemoryExceeded):
            self.pause(job.request)
        self.report(job, SolveProgress(None, error=error))
        self.leave(job, BACKGROUND)
        return error

    def pause(self, request: SolveRequest) -> None:
        """Pause before retrying in the background a solve that used up its limits."""
        self.paused_until.pop(request.key, None)
        self.paused_until[request.key] = time.monotonic() + PAUSE_SECONDS
        for key in list(self.paused_until)[:-MAX_PAUSED]:
            del self.paused_until[key]

    def note_progress(self, job: SolveJob, fraction: float) -> None:
        if (now := time.monotonic()) - job.reported_at >= PROGRESS_SECONDS:
            job.reported_at = now
            self.report(job, SolveProgress(fraction))

    def report(self, job: SolveJob, progress: SolveProgress) -> None:
        job.progress = progress
        for listener in self.listeners:
            listener(job)

    async def tidy_books(self) -> None:
        """Delete the least recently used books if there are too many."""
        await asyncio.to_thread(evict_old_books)

    async def close(self) -> None:
        """Cancel every job; no child is left behind."""
        tasks = [job.task for job in self.jobs.values() if job.task]
        self.jobs.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
