"""Win chances of a server: at once as far as that is possible, and exact ones from the solve queue if it may be used.

Only the newest position of a room is worked out exactly: whoever asks again for the same room cancels what was asked
before, and a solve that nobody waits for any more is stopped. On a public server exact chances are off by default.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from knobel.extras import SOLVER, require_extra
from knobel.solver.request import SolveRequest

if TYPE_CHECKING:
    from knobel.coach.win_chance import SeatPosition, WinChances


class WaitingQueue(Protocol):
    """What is needed of the solve queue."""

    async def wait_for(self, request: SolveRequest) -> None: ...


class WinChanceService:
    """Win chances as a customer of the solve queue."""

    def __init__(self, solve_queue: WaitingQueue, allow_exact: bool = False) -> None:
        self.solve_queue = solve_queue
        self.allow_exact = allow_exact
        self.newest: dict[str, asyncio.Task[None]] = {}

    async def compute_now(self, positions: "Sequence[SeatPosition]") -> "WinChances":
        """Give the chances as exactly as is possible at once; books and moments are waited for."""
        require_extra(SOLVER)
        from knobel.coach.win_chance import compute_win_chances, list_needed_requests

        for request in list_needed_requests(positions):
            await self.solve_queue.wait_for(request)
        return await asyncio.to_thread(compute_win_chances, positions)

    async def compute_exactly(self, room_id: str, positions: "Sequence[SeatPosition]") -> "WinChances | None":
        """Give the exact chances; nothing where they are not allowed, or where a newer position was asked for."""
        if not self.allow_exact:
            return None
        from knobel.coach.win_chance import compute_win_chances, list_exact_requests

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
            return None
        task.result()
        return await asyncio.to_thread(compute_win_chances, positions)

    async def wait_for_all(self, requests: Sequence[SolveRequest]) -> None:
        for request in requests:
            await self.solve_queue.wait_for(request)
