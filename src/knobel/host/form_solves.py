"""The forms of house rules whose par is being solved: one for each device, as long as somebody looks at it."""

import asyncio

from knobel.host.session import SolveProgress
from knobel.host.solve_queue import SolveJob, SolveQueue
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.request import SolveRequest

LINGER_SECONDS = 15.0
"""How long a form keeps its place in the queue after it was asked about last."""


class FormSolves:
    """The customers of a solve queue that are forms, by their devices; another form of a device takes its place."""

    def __init__(self, queue: SolveQueue) -> None:
        self.queue = queue
        self.jobs: dict[str, SolveJob] = {}
        self.timers: dict[str, asyncio.TimerHandle] = {}

    def start(self, device: str, rules: SheetRules) -> None:
        """Let a form wait for its par; what the form before it waited for is given up."""
        request = SolveRequest(rules)
        job = self.jobs.get(device)
        if job is None or job.request.key != request.key:
            self.stop(device)
            self.jobs[device] = self.queue.join(request, self.name_customer(device))
        self.stay(device)

    def find_progress(self, device: str) -> tuple[SheetRules, SolveProgress] | None:
        """Say how far the par of a device's form is; the form stays while it is asked about."""
        if (job := self.jobs.get(device)) is None:
            return None
        self.stay(device)
        return job.request.rules, job.progress

    def stay(self, device: str) -> None:
        self.cancel_timer(device)
        self.timers[device] = asyncio.get_running_loop().call_later(LINGER_SECONDS, self.stop, device)

    def stop(self, device: str) -> None:
        """Wait for nothing any more."""
        self.cancel_timer(device)
        if (job := self.jobs.pop(device, None)) is not None:
            self.queue.leave(job, self.name_customer(device))

    def cancel_timer(self, device: str) -> None:
        if (timer := self.timers.pop(device, None)) is not None:
            timer.cancel()

    def close(self) -> None:
        for device in tuple(self.jobs):
            self.stop(device)

    def name_customer(self, device: str) -> tuple[str, str]:
        return "form", device
