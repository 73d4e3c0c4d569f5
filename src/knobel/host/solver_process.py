"""One run of the solve worker, as a child process."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable

from knobel.errors import SolveFailed, SolveMemoryExceeded, SolveTimeout, SolveUnsaved
from knobel.solve_worker import COMMAND, EXIT_OUT_OF_MEMORY, EXIT_UNSAVED, evict_old_books
from knobel.solver.request import SolveRequest


class SolverProcess:
    """Solves one request in a child process with a memory limit, and cleans up after it."""

    def __init__(self, request: SolveRequest, memory_bytes: int, on_progress: Callable[[float], None]) -> None:
        self.request = request
        self.memory_bytes = memory_bytes
        self.on_progress = on_progress

    async def run(self, max_seconds: float) -> None:
        """Solve, or raise why that was not possible; a child that takes too long is killed."""
        child = await self.start()
        try:
            async with asyncio.timeout(max_seconds):
                await self.follow(child)
                status = await child.wait()
        except TimeoutError:
            raise SolveTimeout(limit=f"{max_seconds:g}") from None
        finally:
            await kill(child)
        if status == EXIT_OUT_OF_MEMORY:
            raise SolveMemoryExceeded(limit=self.memory_bytes // 1024**2)
        if status == EXIT_UNSAVED:
            raise SolveUnsaved
        if status:
            raise SolveFailed

    async def start(self) -> asyncio.subprocess.Process:
        """Start the child in a session of its own, so that everything it starts can be killed with it."""
        return await asyncio.create_subprocess_exec(
            *(*COMMAND, str(self.memory_bytes)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )

    async def follow(self, child: asyncio.subprocess.Process) -> None:
        """Send the request, and pass progress on until the child ends.

        The input stays open: the child takes its end as the end of its parent.
        """
        if child.stdin is None or child.stdout is None:
            raise SolveFailed
        with contextlib.suppress(ConnectionError):
            child.stdin.write(self.request.encode())
            await child.stdin.drain()
        async for line in child.stdout:
            self.on_progress(float(line))


async def kill(child: asyncio.subprocess.Process) -> None:
    """Kill a child that still runs with everything it started, and delete what it left half written."""
    if child.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    await child.wait()
    await asyncio.to_thread(evict_old_books)
