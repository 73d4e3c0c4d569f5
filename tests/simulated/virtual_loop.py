"""An event loop with a time of its own and an order drawn from a seed: the same seed runs everything the same way."""

import asyncio
import contextlib
import heapq
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")
EXECUTOR_SECONDS = 0.05
"""How long work in a thread takes at most."""


class LoopIdle(Exception):
    """Somebody waits, and nothing is left that could ever wake them."""


class LoopExhausted(Exception):
    """So many steps were taken that nobody will ever be done."""


@dataclass(eq=False)
class LoopOwner:
    """Whose work a callback is; that of an owner who died is never done, that of one who is paused is done later."""

    name: str
    is_dead: bool = False
    paused_until: float = 0.0

    def make_context(self) -> Context:
        """Make a context in which everything that is begun belongs to this owner."""
        context = copy_context()
        context.run(OWNER.set, self)
        return context


OUTSIDE = LoopOwner("outside")
OWNER: ContextVar[LoopOwner] = ContextVar("owner", default=OUTSIDE)


class VirtualLoop(asyncio.BaseEventLoop):
    """Runs whatever is ready in an order drawn at random; if nothing is, the time of the next timer comes at once."""

    def __init__(self, random: Random, max_steps: int) -> None:
        super().__init__()
        self.random = random
        self.max_steps = max_steps
        self.now = 0.0
        self.steps = 0
        self.on_step: Callable[[], None] = lambda: None
        self.troubles: list[str] = []
        self.tasks: list[asyncio.Task[Any]] = []
        self._ready: list[asyncio.Handle] = []
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._timer_count = 0
        self.set_task_factory(self._make_task)  # type: ignore[arg-type]
        self.set_exception_handler(lambda _, trouble: self.troubles.append(describe_trouble(trouble)))

    def time(self) -> float:
        return self.now

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        self._timer_count += 1
        heapq.heappush(self._timers, (when, self._timer_count, timer))
        return timer

    def run_in_executor(self, _executor: Any, work: Callable[..., T], *args: Any) -> asyncio.Future[T]:  # type: ignore[override]
        """Do the work of a thread at once, at a moment drawn at random."""
        future: asyncio.Future[T] = self.create_future()

        def run() -> None:
            if future.cancelled():
                return
            try:
                future.set_result(work(*args))
            except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
                future.set_exception(error)

        self.call_later(self.random.uniform(0.0, EXECUTOR_SECONDS), run)
        return future

    def drop_pending(self) -> None:
        """End everything that still waits, without letting it do anything that matters."""
        for task in self.tasks:
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            if not task.done():
                with contextlib.suppress(RuntimeError, GeneratorExit):
                    task.get_coro().close()
        self._ready.clear()
        self._timers.clear()
        self.close()

    def _make_task(self, _: Any, work: Coroutine[Any, Any, T], **options: Any) -> asyncio.Task[T]:
        task = asyncio.Task(work, loop=self, **options)
        self.tasks.append(task)
        return task

    def _run_once(self) -> None:
        """Run one callback: the one place where time passes and where things can go wrong."""
        self._collect_timers()
        ready = self._ready
        at = int(self.random.random() * len(ready))
        ready[at], ready[-1] = ready[-1], ready[at]
        handle = ready.pop()
        owner = handle._context.get(OWNER, OUTSIDE)  # type: ignore[attr-defined]
        if handle.cancelled() or owner.is_dead:
            return
        if owner.paused_until > self.now:
            self.call_at(owner.paused_until, ready.append, handle)
            return
        self.steps += 1
        if self.steps > self.max_steps:
            raise LoopExhausted(self.steps)
        self.on_step()
        if not owner.is_dead:
            handle._run()

    def _collect_timers(self) -> None:
        """Make ready what is due; if nothing is ready, go on to the moment when something is."""
        timers, ready = self._timers, self._ready
        if not ready:
            while timers and timers[0][2].cancelled():
                heapq.heappop(timers)
            if not timers:
                raise LoopIdle(self.now)
            self.now = max(self.now, timers[0][0])
        while timers and timers[0][0] <= self.now:
            ready.append(heapq.heappop(timers)[2])

    def _process_events(self, event_list: Any) -> None: ...

    def _write_to_self(self) -> None: ...


def describe_trouble(trouble: dict[str, Any]) -> str:
    """Describe what nobody caught."""
    return f"{trouble.get('message')}: {trouble.get('exception')!r}"
