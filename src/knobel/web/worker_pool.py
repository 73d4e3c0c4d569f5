"""The parent of the workers: accepts connections, passes each on to the worker of its room, and keeps workers running.

It serves nobody itself and holds nothing that could be lost: killed and started again, it finds everything in the
database. Its workers end when it is gone.
"""

import asyncio
import contextlib
import logging
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any

import msgspec

from knobel.web.affinity import choose_slot
from knobel.web.connection_gate import ConnectionGate
from knobel.web.logs import log_event
from knobel.web.meters import COUNTER, GAUGE, Metric, Sample, collect_process
from knobel.web.options import ServerOptions
from knobel.web.readiness import DRAINING, OK
from knobel.web.worker_channel import METRICS, STATE
from knobel.web.worker_process import RoomConnection, WorkerProcess

STOP_SECONDS = 15.0
"""How long workers may take to end before they are killed."""
MIN_PAUSE, MAX_PAUSE, STEADY_SECONDS = 0.05, 5.0, 10.0
"""How long to wait before a worker that died is replaced: longer each time, unless it had served for a while."""
PING_SECONDS, SILENT_SECONDS = 5.0, 60.0
"""How often workers are asked whether they are alive, and after how long without an answer one is replaced."""
RETRY_SECONDS = 0.05
PARENT = "parent"
STARTING = "starting"
METRICS_DECODER = msgspec.json.Decoder(tuple[Metric, ...])


class WorkerPool:
    """Workers by slot; a room belongs to a slot, and while its worker is away any other serves it."""

    def __init__(self, listener: socket.socket, options: ServerOptions, database: str) -> None:
        self.options, self.database = options, database
        self.gate = ConnectionGate(listener, self.pass_on)
        self.current: list[WorkerProcess | None] = [None] * options.workers
        self.alive: set[WorkerProcess] = set()
        self.waiting: deque[RoomConnection] = deque()
        self.turns = count()
        self.stopping = asyncio.Event()
        self.renewing: asyncio.Task[None] | None = None
        self.tasks: set[asyncio.Task[None]] = set()
        self.deaths = 0

    async def run(self, announce: Callable[[], None]) -> None:
        """Start the workers and accept connections until a signal comes; then let everybody finish."""
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(sign, self.stopping.set)
        loop.add_signal_handler(signal.SIGHUP, self.renew)
        for slot in range(self.options.workers):
            self.spawn(self.keep_running(slot))
        self.spawn(self.watch())
        self.gate.open()
        while not self.has_worker and not self.stopping.is_set():
            await asyncio.sleep(RETRY_SECONDS)
        if not self.stopping.is_set():
            announce()
        await self.stopping.wait()
        await self.stop()

    @property
    def has_worker(self) -> bool:
        """Whether somebody can be served."""
        return any(worker.accepts for worker in self.alive)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    # Connections.

    def pass_on(self, connection: socket.socket, room_id: str | None) -> None:
        """Give a connection to the worker of its room, else to another; while there is none it waits."""
        slots = len(self.current)
        first = next(self.turns) % slots if room_id is None else choose_slot(room_id, slots)
        for step in range(slots):
            worker = self.current[(first + step) % slots]
            if worker is not None and worker.accepts and worker.hand_over((connection, room_id)):
                return
        self.waiting.append((connection, room_id))

    def pass_on_all(self, connections: list[RoomConnection]) -> None:
        for connection in connections:
            self.pass_on(*connection)

    # Workers.

    async def keep_running(self, slot: int) -> None:
        """Keep a worker in a slot for as long as the server runs."""
        pause = MIN_PAUSE
        while not self.stopping.is_set():
            worker = self.current[slot]
            if worker is None:
                try:
                    worker = await self.start(slot)
                except OSError as error:  # the system has no process or descriptor left
                    log_event("worker_failed", logging.ERROR, slot=slot, code=error.errno)
                    await asyncio.sleep(MAX_PAUSE)
                    continue
                if self.current[slot] is not None:  # somebody else has filled the slot meanwhile
                    worker.end()
                    continue
                self.current[slot] = worker
            await worker.ended.wait()
            if self.current[slot] is not worker:
                continue  # it was replaced before it ended
            self.current[slot] = None
            if worker.ready_at is not None and time.monotonic() - worker.ready_at > STEADY_SECONDS:
                pause = MIN_PAUSE
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), pause)
            pause = min(2 * pause, MAX_PAUSE)

    async def start(self, slot: int) -> WorkerProcess:
        worker = WorkerProcess(slot, self.pass_on_all)
        await worker.start(self.options, self.database)
        self.alive.add(worker)
        self.spawn(self.follow(worker))
        return worker

    async def follow(self, worker: WorkerProcess) -> None:
        """Wait for the end of a worker, and say so if nobody wanted it."""
        code = await worker.wait()
        self.alive.discard(worker)
        if self.current[worker.slot] is worker and not self.stopping.is_set():
            self.deaths += 1
            log_event("worker_ended", logging.WARNING, slot=worker.slot, code=code)

    async def watch(self) -> None:
        """Pass on what waits, and replace workers that do not answer any more."""
        asked = time.monotonic()
        while not self.stopping.is_set():
            await asyncio.sleep(RETRY_SECONDS)
            if self.waiting and self.has_worker:
                held, self.waiting = list(self.waiting), deque()
                self.pass_on_all(held)
            if (now := time.monotonic()) - asked >= PING_SECONDS:
                asked = now
                for worker in tuple(self.alive):
                    # Whatever it does: one that hangs while it starts or ends would keep its slot for ever.
                    if now - worker.heard_at > SILENT_SECONDS:
                        log_event("worker_silent", logging.WARNING, slot=worker.slot)
                        worker.end(signal.SIGKILL)
                    worker.ping()

    def renew(self) -> None:
        """Replace every worker by a new one, one after the other, without refusing anybody."""
        if self.renewing is None or self.renewing.done():
            self.renewing = self.spawn(self.renew_all())

    async def renew_all(self) -> None:
        log_event("renewing", workers=len(self.current))
        for slot in range(len(self.current)):
            try:
                fresh = await self.start(slot)
            except OSError as error:  # the system has no process or descriptor left
                log_event("renewing_failed", logging.ERROR, slot=slot, code=error.errno)
                return
            if not await fresh.wait_until_ready():
                if not self.stopping.is_set():
                    log_event("renewing_failed", logging.ERROR, slot=slot)
                return
            old, self.current[slot] = self.current[slot], fresh
            if old is not None:
                await old.end_within(STOP_SECONDS)
        log_event("renewed", workers=len(self.current))

    async def stop(self) -> None:
        """Accept nothing more, let the workers finish, and kill those that do not."""
        self.gate.close()
        await asyncio.gather(*(worker.end_within(STOP_SECONDS) for worker in tuple(self.alive)))
        for connection, _ in self.waiting:
            connection.close()
        for task in tuple(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    # For whoever runs the server.

    async def explain_unready(self) -> str | None:
        """Say why nobody should be sent here now, in one word; nothing if a worker serves."""
        if self.stopping.is_set():
            return DRAINING
        if not (workers := [worker for worker in self.alive if worker.accepts]):
            return STARTING
        told = await asyncio.gather(*(worker.ask(STATE) for worker in workers))
        return None if OK in told else next(filter(None, told), STARTING)

    async def collect(self) -> list[tuple[str, tuple[Metric, ...]]]:
        """Ask every worker for its figures, and add those of this process."""
        workers = [worker for worker in self.current if worker is not None and worker.accepts]
        found = await asyncio.gather(*(worker.ask(METRICS) for worker in workers))
        own = (
            Metric("knobel_workers", GAUGE, (Sample(len(workers)),)),
            Metric("knobel_worker_deaths_total", COUNTER, (Sample(self.deaths),)),
            Metric("knobel_waiting_connections", GAUGE, (Sample(len(self.gate.silent) + len(self.waiting)),)),
            *collect_process(),
        )
        told = [
            (f"worker{one.slot}", METRICS_DECODER.decode(text))
            for one, text in zip(workers, found, strict=True)
            if text is not None
        ]
        return [*told, (PARENT, own)]
