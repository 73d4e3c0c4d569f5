"""Work that nobody waits for."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from knobel.errors import DatabaseError, KnobelError

LOG = logging.getLogger("knobel")


def describe_trouble(error: KnobelError) -> dict[str, object]:
    """Say what may be logged for programs: the code, and of a database what is wrong with it; no names of players."""
    reason = {"reason": error.values["reason"]} if isinstance(error, DatabaseError) and "reason" in error.needs else {}
    return {"event": "error", "code": error.code, **reason}


class BackgroundTasks:
    """Tasks that run beside everything else, and end with the host."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        # The event loop itself keeps only weak references to its tasks.
        self.tasks.add(task)
        task.add_done_callback(self.finish)

    def finish(self, task: asyncio.Task[None]) -> None:
        """Forget a finished task; an error such as a database that does not answer is logged without traceback.

        Any other error is a mistake of ours, and its traceback is what finds it.
        """
        self.tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, KnobelError):
            LOG.warning("%s %s", error.code, error.values, extra={"knobel_fields": describe_trouble(error)})
        elif error is not None:
            LOG.error("task_failed", exc_info=error, extra={"knobel_fields": {"event": "task_failed"}})

    async def close(self) -> None:
        """Cancel what still runs, and wait until it has stopped."""
        for task in tuple(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
