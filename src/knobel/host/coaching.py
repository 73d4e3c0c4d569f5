"""The coach at the tables: advice before a move, the running ledger, and reviews of games that are over."""

import asyncio

from knobel.coach import Coach, coach
from knobel.errors import GameOpen, GameUnknown
from knobel.games.sheet import Sheet
from knobel.host import Host
from knobel.host.keeping import table_again
from knobel.record.replay import Lane
from knobel.review import Review, review, rules_of
from knobel.review.advice import Advice, advised
from knobel.room.intents import Assist
from knobel.rules.fields import shown
from knobel.table import Table


async def reviewed(host: Host, game: str, seat: int | None) -> tuple[Table, Review]:
    """Review a seat of a game that is over; without one, the first person's."""
    table = await closed_table(host, game)
    seats = table.header.seats
    if seat is None:
        seat = next((place for place, one in enumerate(seats) if one.bot is None), 0)
    if not 0 <= seat < len(seats):
        raise GameUnknown(name=shown(game))
    return table, await looked_at(host, table, seat)


async def closed_table(host: Host, game: str) -> Table:
    """Play a game again that is over; one that still runs is nobody's to look into."""
    table, _ = await table_again(host.store, game)
    if table.replay.closed is None:
        raise GameOpen(name=shown(game))
    return table


async def looked_at(host: Host, table: Table, seat: int) -> Review:
    """Let the coach go through a seat of a game, beside everything else."""
    await prepared(host, table, seat)
    return await asyncio.to_thread(review, table.record, table.replay, seat)


async def stood_at(host: Host, game: str, event: int) -> Table:
    """Play a game that is over again, up to one of its events."""
    table = await closed_table(host, game)
    if event > len(table.events):
        raise GameUnknown(name=shown(game))
    return Table(table.header, table.seed, tuple(table.events[:event]), game)


async def advise(host: Host, room: str, owner: str, command: str, seat: int) -> tuple[Table, str, tuple[Advice, ...]]:
    """Say what is best here for a seat of a device; the record says from now on that the coach was asked."""
    table = await assisted(host, room, owner, command, seat)
    lane = table.replay.lane(seat)
    if lane.state.seat is None or lane.state.seat != lane.within(seat) or getattr(lane.state, "rolloff", None):
        return table, "", ()
    own = await prepared(host, table, seat)
    unit, found = await asyncio.to_thread(advised, lane, own)
    return table, unit, found


async def ledger(host: Host, room: str, owner: str, command: str, seat: int) -> Review:
    """Add up how a seat of a device stands so far; that is asking the coach, too."""
    table = await assisted(host, room, owner, command, seat)
    return await looked_at(host, table, seat)


async def assisted(host: Host, room: str, owner: str, command: str, seat: int) -> Table:
    """Note that a seat asks the coach, unless that is noted already."""
    desk = await host.desk(room)
    table = host.playing(desk)
    if seat not in desk.room.seats_of(owner) or seat not in table.replay.assisted:
        await host.do(room, owner, command, Assist(seat))
    return table


async def prepared(host: Host, table: Table, seat: int) -> Coach | None:
    """Open the book of a seat's rules, once it is worked out; games of rounds need none."""
    lane: Lane = table.replay.lane(seat)
    if not isinstance(lane.game, Sheet):
        return None
    rules = rules_of(table.replay, seat)
    await host.study.prepared(rules)
    return await asyncio.to_thread(coach, rules)
