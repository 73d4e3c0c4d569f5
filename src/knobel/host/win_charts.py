"""Win charts of games that are over: worked out in a thread, with progress, once for all who ask for the same game."""

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from knobel.errors import ServerBusy
from knobel.extras import SOLVER, require_extra
from knobel.host.coach_service import CoachService
from knobel.host.shown_levels import find_losses
from knobel.host.win_chance_service import WinChanceService
from knobel.table import Table

if TYPE_CHECKING:
    from knobel.coach.win_chart import WinChart

MAX_CHARTS = 1
"""How many charts are worked out at the same time: each uses all processors."""
MAX_WAITING = 16
"""How many charts are waited for."""
MAX_CACHED = 32
ANSWER_SECONDS = 1.0
"""After so long whoever asks is told how far it is, and asks again."""
PATIENCE_SECONDS = 20.0
"""When nobody has asked for so long, nobody waits any more: the chart is given up."""


class NobodyWaits(Exception):
    """Nobody waits for a chart any more."""


@dataclass(eq=False)
class ChartWork:
    """A chart that is being worked out, how far it is, and when somebody asked for it last."""

    task: "asyncio.Task[WinChart | None]"
    progress: float = 0.0
    asked_at: float = 0.0

    def report(self, fraction: float) -> None:
        """Note progress, or stop where nobody waits; called in another thread."""
        if time.monotonic() - self.asked_at > PATIENCE_SECONDS:
            raise NobodyWaits
        self.progress = fraction


class WinChartService:
    """The win charts of a server; nobody's commands wait for them."""

    def __init__(self, coaching: CoachService, chances: WinChanceService) -> None:
        self.coaching = coaching
        self.chances = chances
        self.slots = asyncio.Semaphore(MAX_CHARTS)
        self.works: dict[tuple[str, tuple[float, ...]], ChartWork] = {}

    async def find_chart(self, game_id: str, at_levels: bool = False) -> "tuple[Table, WinChart | None, float]":
        """Give the chart of a game that is over, or how far it is; a game without one has none, and is at 1."""
        require_extra(SOLVER)
        table = await self.coaching.load_finished_game(game_id)
        losses = await find_losses(self.coaching.host.store, table) if at_levels else ()
        work = self.works.pop((game_id, losses), None)
        if work is None or has_failed(work.task):
            work = self.start(table, losses)
        self.works[game_id, losses] = work
        work.asked_at = time.monotonic()
        await asyncio.wait([work.task], timeout=ANSWER_SECONDS)
        if not work.task.done():
            return table, None, work.progress
        try:
            return table, work.task.result(), 1.0
        except NobodyWaits:
            return table, None, 0.0  # it was given up just now: the next question begins anew

    def start(self, table: Table, losses: tuple[float, ...]) -> ChartWork:
        """Begin to work a chart out; the oldest that are done are forgotten."""
        done = [key for key, one in self.works.items() if one.task.done()]
        if len(self.works) - len(done) >= MAX_WAITING:
            raise ServerBusy
        for key in done[: max(0, len(self.works) - MAX_CACHED + 1)]:
            del self.works[key]
        holder = list[ChartWork]()
        work = ChartWork(asyncio.get_running_loop().create_task(self.compute(table, losses, holder)))
        holder.append(work)
        work.task.add_done_callback(has_failed)  # a chart that nobody asked for again is no error of this server
        return work

    async def compute(self, table: Table, losses: tuple[float, ...], holder: list[ChartWork]) -> "WinChart | None":
        from knobel.coach.families import find_chart_maker
        from knobel.coach.win_chart import list_start_positions

        chart_wins = find_chart_maker(table.replay)
        if chart_wins is None:
            return None
        await self.chances.prepare(list_start_positions(table.replay, losses))
        async with self.slots:
            return await asyncio.to_thread(chart_wins, table.replay, holder[0].report, losses)


def has_failed(task: "asyncio.Task[WinChart | None]") -> bool:
    """Tell whether asking again may help: what was given up, or could not be done just then."""
    return task.done() and (task.cancelled() or task.exception() is not None)
