"""Win chances of a server: exact ones on request, the newest position of a room only."""

import asyncio

import pytest

from knobel.coach.win_chance import SeatPosition, list_positions
from knobel.errors import SolveTimeout
from knobel.games.sheet import SheetGame
from knobel.host.win_chance_service import WinChanceService
from knobel.rules import load_edition
from knobel.solver.known_totals import KNOWN
from knobel.solver.request import TOTALS, SolveRequest

START = SheetGame(load_edition("mb-yahtzee").rules(), practice=True)


class StalledQueue:
    """A queue that meets no request until it is told to."""

    def __init__(self) -> None:
        self.requests: list[SolveRequest] = []
        self.asked = asyncio.Event()
        self.go_on = asyncio.Event()
        self.error: Exception | None = None
        self.given_up = 0

    async def wait_for(self, request: SolveRequest) -> None:
        self.requests.append(request)
        self.asked.set()
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        if self.error:
            raise self.error

    async def wait_briefly(self, request: SolveRequest, seconds: float | None) -> None:
        raise AssertionError(request, seconds)


def list_start_positions() -> tuple[SeatPosition, ...]:
    KNOWN.clear()
    return list_positions(START, START.start(2, first=0))


def test_exact_chances_are_off_unless_they_are_allowed() -> None:
    async def ask() -> bool:
        return await WinChanceService(StalledQueue()).prepare_exactly("room", list_start_positions())

    assert not asyncio.run(ask())


def test_a_newer_position_of_the_same_room_cancels_the_older_one() -> None:
    async def ask_twice() -> tuple[bool, StalledQueue]:
        queue = StalledQueue()
        service, positions = WinChanceService(queue, allow_exact=True), list_start_positions()
        older = asyncio.ensure_future(service.prepare_exactly("room", positions))
        await queue.asked.wait()
        queue.asked.clear()
        newer = asyncio.ensure_future(service.prepare_exactly("room", positions))
        found = await older
        await queue.asked.wait()
        newer.cancel()
        await asyncio.gather(newer, return_exceptions=True)
        await asyncio.sleep(0)
        assert service.newest == {}
        return found, queue

    found, queue = asyncio.run(ask_twice())
    assert not found
    assert [request.what for request in queue.requests] == [TOTALS, TOTALS]
    assert queue.given_up == 2


def test_a_failed_solve_is_reported_to_who_asked() -> None:
    async def ask() -> None:
        queue = StalledQueue()
        queue.error = SolveTimeout(limit="60")
        queue.go_on.set()
        await WinChanceService(queue, allow_exact=True).prepare_exactly("room", list_start_positions())

    with pytest.raises(SolveTimeout):
        asyncio.run(ask())
