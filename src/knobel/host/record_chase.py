"""The record chase of somebody who plays alone: their best, the chance to beat it from here, the ten best games."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from knobel.errors import KnobelError
from knobel.extras import SOLVER, find_missing
from knobel.host import Host
from knobel.rooms.room import Room
from knobel.rules.families import find_family
from knobel.solve_worker import load_cached
from knobel.solver.request import SolveRequest
from knobel.store import Store
from knobel.store.people import BestResult
from knobel.table import Table

if TYPE_CHECKING:
    from knobel.coach.record_chase import ChanceToBeat
    from knobel.games.sheet import SheetGame

BEST_COUNT = 10
SOLVE_SECONDS = 10.0
"""How long a chance waits for its book; it is told at the next roll instead."""
LOST_GAMES = 20
"""How many of the last games a handicap is taken from."""


@dataclass(frozen=True, slots=True)
class RecordChase:
    """How a game stands against the best ones of its player by the same rules; the game itself is among them if over.

    `record` is the best total before this game, `total` that of this game once it is over.
    """

    name: str
    record: int | None
    best: tuple[BestResult, ...]
    total: int | None = None

    @property
    def is_beaten(self) -> bool:
        """Whether this game is the new record."""
        return self.total is not None and self.record is not None and self.total > self.record


async def list_best_results(store: Store, person: str, fingerprint: str) -> Sequence[BestResult]:
    """List the ten best totals of a person by the same rules."""
    return await store.list_best_results(person, fingerprint, BEST_COUNT)


async def find_record_chase(store: Store, room: Room, table: Table) -> RecordChase | None:
    """Find how a game for one stands against its player's best; with others, chips or strangers there is none."""
    header, replay = table.header, table.replay
    if len(header.seats) != 1 or header.seats[0].bot or not find_family(replay.game.rules).has_points:
        return None
    person = room.seats[0].person if len(room.seats) == 1 else None
    if person is None:
        return None
    best = tuple(await list_best_results(store, person, header.fingerprint))
    before = [one.total for one in best if one.game != header.game]
    outcome = replay.outcome if replay.closed else None
    total = None if outcome is None else outcome.totals[0]
    return RecordChase(header.seats[0].name, max(before, default=None), best, total)


def can_tell_chance(table: Table) -> bool:
    """Tell whether the chance may be told now: never while the last entry can be undone.

    Whoever could compare the chances after different entries would have a coach that no record knows of.
    """
    state = table.state
    return state.seat is not None and not state.rolloff and (bool(state.dice) or not any(state.turns))


def find_needed_request(table: Table) -> SolveRequest:
    """Find what must be solved before the chance can be told: the book, and for many open boxes what lies beside it."""
    from knobel.coach.win_chance import list_needed_requests, list_positions

    return list_needed_requests(list_positions(cast("SheetGame", table.game), table.state))[0]


def is_solved(table: Table) -> bool:
    """Tell whether the book of a game for one is solved, so that chances can be told."""
    return bool(load_cached(SolveRequest(cast("SheetGame", table.game).rules_for(0))))


def compute_ready_chance(table: Table, record: int) -> "ChanceToBeat | None":
    """Work out the chance to beat a record from here; nothing where it may not be told, or something is not solved."""
    if find_missing(SOLVER) or not can_tell_chance(table) or not load_cached(find_needed_request(table)):
        return None
    from knobel.coach.record_chase import compute_chance_to_beat

    try:
        return compute_chance_to_beat(cast("SheetGame", table.game), table.state, 0, record)
    except KnobelError:
        return None  # an entry against the rules is in no book


async def compute_chance(host: Host, table: Table, record: int) -> "ChanceToBeat | None":
    """Work out the chance to beat a record from here, if what it needs is solved or soon is."""
    if find_missing(SOLVER) or not can_tell_chance(table):
        return None
    request = find_needed_request(table)
    await host.solve_queue.wait_briefly(request, SOLVE_SECONDS)
    # The game goes on meanwhile, so the chance is that of a copy.
    copy = Table(table.header, table.server_seed, tuple(table.events), table.header.game)
    return await asyncio.to_thread(compute_ready_chance, copy, record)


async def list_points_lost(store: Store, room: Room) -> list[Sequence[float]]:
    """List what everybody in a room lost in their last games of its edition; of unknown people nothing is known."""
    return [
        () if seat.person is None else await store.list_points_lost(seat.person, room.settings.edition, LOST_GAMES)
        for seat in room.seats
    ]
