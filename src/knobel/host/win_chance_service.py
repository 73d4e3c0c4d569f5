"""Win chances of a server: at once as far as that is possible, and exact ones from the solve queue if it may be used.

Only the newest position of a room is worked out exactly: whoever asks again for the same room cancels what was asked
before, and a solve that nobody waits for any more is stopped. On a public server exact chances are off by default.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from knobel.errors import ChancesNotReady
from knobel.solve_worker import load_cached
from knobel.solver.request import SolveRequest

if TYPE_CHECKING:
    from knobel.coach.win_chance import SeatPosition

SOLVE_SECONDS = 10.0
"""How long chances wait for books and moments; then whoever asks is told that they are not ready."""


class WaitingQueue(Protocol):
    """What is needed of the solve queue."""

    async def wait_for(self, request: SolveRequest) -> None: ...

    async def wait_briefly(self, request: SolveRequest, seconds: float | None) -> None: ...


class WinChanceService:
    """Win chances as a customer of the solve queue."""

    def __init__(self, solve_queue: WaitingQueue, allow_exact: bool = False) -> None:
        self.solve_queue = solve_queue
        self.allow_exact = allow_exact
        self.newest: dict[str, asyncio.Task[None]] = {}

    async def prepare(self, positions: "Sequence[SeatPosition]") -> None:
        """Wait a moment for what chances need; what takes longer is solved in the background."""
        from knobel.coach.win_chance import list_needed_requests

        for request in list_needed_requests(positions):
            await self.solve_queue.wait_briefly(request, SOLVE_SECONDS)
            if not await asyncio.to_thread(load_cached, request):
                raise ChancesNotReady

    async def finish_preparing(self, positions: "Sequence[SeatPosition]") -> None:
        """Wait for what chances need until it is solved, or cannot be."""
        from knobel.coach.win_chance import list_needed_requests

        for request in list_needed_requests(positions):
            await self.solve_queue.wait_briefly(request, None)

    async def prepare_exactly(self, room_id: str, positions: "Sequence[SeatPosition]") -> bool:
        """Wait for what exact chances need; tell whether they can be given now.

        They cannot where they are not allowed, or where a newer position of the room was asked for.
        """
        if not self.allow_exact:
            return False
        from knobel.coach.win_chance import list_exact_requests

        if older := self.newest.pop(room_id, None):
            older.cancel()
        task = asyncio.get_running_loop().create_task(self.wait_for_all(list_exact_requests(positions)))
        self.newest[room_id] = task
        try:
            await asyncio.wait([task])
        finally:
            task.cancel()  # whoever asked may be gone
            if self.newest.get(room_id) is task:
                del self.newest[room_id]
        if task.cancelled():
            return False
        task.result()
        return True

    async def wait_for_all(self, requests: Sequence[SolveRequest]) -> None:
        for request in requests:
            await self.solve_queue.wait_for(request)
