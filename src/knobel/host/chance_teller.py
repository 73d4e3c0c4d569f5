"""Tells everybody at a table how it will end: once for all who ask, first as exactly as is possible at once.

Chances are those of the last position that cannot be undone. Whoever could compare the chances after different entries
would have a coach that no record knows of.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from knobel.errors import KnobelError, NoGameRunning
from knobel.extras import SOLVER, require_extra
from knobel.host import Host
from knobel.host.decisions import refuse_in_duplicate
from knobel.host.shown_levels import find_losses
from knobel.host.win_chance_service import WinChanceService
from knobel.table import Table

if TYPE_CHECKING:
    from knobel.coach.families import CoachFamily
    from knobel.coach.table_chances import SeatInGame, TableChances

MAX_ROOMS = 256
"""Of how many rooms the newest chances are kept."""
MAX_AT_ONCE = 2
"""How many tables' chances are worked out at the same time."""


@dataclass(frozen=True, slots=True)
class AskedPosition:
    """A position of a room that was asked about: its game, how often that had changed, and its seats."""

    room_id: str
    game: str
    ply: int
    family: "CoachFamily"
    seats: "tuple[SeatInGame, ...]"
    at_levels: bool = False
    """Whether everybody is taken to play at the level they have shown, not best."""

    @property
    def key(self) -> tuple[str, int]:
        return self.game, self.ply

    @property
    def work_id(self) -> tuple[str, bool]:
        return self.room_id, self.at_levels


@dataclass(eq=False)
class SharedWork:
    """What is worked out about a position, and how many wait for it."""

    key: tuple[str, int]
    task: "asyncio.Task[TableChances | None]"
    waiting: int = 0


class ChanceTeller:
    """The chances of the tables of a server; nobody's commands wait for them."""

    def __init__(self, host: Host, allow_exact: bool = False) -> None:
        self.host = host
        self.service = WinChanceService(host.solve_queue, allow_exact)
        self.at_once: dict[tuple[str, bool], SharedWork] = {}
        self.exact: dict[tuple[str, bool], SharedWork] = {}
        self.slots = asyncio.Semaphore(MAX_AT_ONCE)

    async def find_position(self, room_id: str, at_levels: bool = False) -> AskedPosition:
        """Find where the game of a room stands now."""
        require_extra(SOLVER)
        await asyncio.to_thread(import_module, "knobel.coach.families")
        table = (await self.host.find_session(room_id)).require_table()
        if table.replay.closed is not None:
            raise NoGameRunning
        refuse_in_duplicate(table)
        losses = await find_losses(self.host.store, table) if at_levels else ()
        return read_position(room_id, table, losses)

    async def tell(self, position: AskedPosition) -> "AsyncIterator[TableChances | None]":
        """Give the chances of a position, and then the exact ones if these were not, and if that is allowed."""
        found = await self.share(self.at_once, position, lambda: self.compute(position))
        yield found
        if found is not None and not found.exact and self.service.allow_exact:
            try:
                exact = await self.share(self.exact, position, lambda: self.compute_exactly(position))
            except KnobelError:
                return  # it takes too long, or the queue is full: what was told stands
            if exact is not None and exact.exact:
                yield exact

    async def wait_until_solved(self, position: AskedPosition) -> None:
        """Wait until what the chances of a position need is solved, or cannot be."""
        await self.service.finish_preparing(position.family.list_positions(position.seats))

    async def compute(self, position: AskedPosition) -> "TableChances | None":
        await self.service.prepare(position.family.list_positions(position.seats))
        return await self.run(position)

    async def compute_exactly(self, position: AskedPosition) -> "TableChances | None":
        positions = position.family.list_positions(position.seats)
        is_prepared = await self.service.prepare_exactly(position.room_id, positions)
        return await self.run(position) if is_prepared else None

    async def run(self, position: AskedPosition) -> "TableChances | None":
        async with self.slots:
            return await asyncio.to_thread(position.family.tell_chances, position.seats)

    async def share(
        self,
        works: dict[tuple[str, bool], SharedWork],
        position: AskedPosition,
        start: "Callable[[], Coroutine[Any, Any, TableChances | None]]",
    ) -> "TableChances | None":
        """Wait for what others may wait for, too; it stops when nobody does, and only the newest of a room is kept."""
        work = works.get(position.work_id)
        if work is None or work.key != position.key:
            work = SharedWork(position.key, asyncio.get_running_loop().create_task(start()))
            works.pop(position.work_id, None)
            works[position.work_id] = work
            for oldest in list(works)[:-MAX_ROOMS]:
                del works[oldest]
        work.waiting += 1
        try:
            await asyncio.wait([work.task])
        finally:
            work.waiting -= 1
            if not work.waiting:
                work.task.cancel()  # does nothing to what is done
            if not is_known(work.task) and works.get(position.work_id) is work:
                del works[position.work_id]
        return None if work.task.cancelled() else work.task.result()


def is_known(task: "asyncio.Task[TableChances | None]") -> bool:
    """Tell whether something was found that can be told again; a refusal may be another one next time."""
    return task.done() and not task.cancelled() and task.exception() is None


def read_position(room_id: str, table: Table, losses: Sequence[float] = ()) -> AskedPosition:
    """Read where the seats of a table stand, without an entry that can still be undone."""
    from knobel.coach.families import find_family
    from knobel.coach.table_chances import SeatInGame

    seats = []
    for seat in range(len(table.header.seats)):
        track = table.replay.track(seat)
        last = track.last_undoable
        state, loss = last.before if last else track.state, losses[seat] if losses else 0.0
        seats.append(SeatInGame(track.game, state, track.local_seat(seat), loss))
    family = find_family(table.game)
    return AskedPosition(room_id, table.header.game, table.replay.ply, family, tuple(seats), bool(losses))
