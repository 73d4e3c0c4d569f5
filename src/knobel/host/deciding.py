"""What an intent at a table makes happen: whose it is, whether it is still fresh, which events follow."""

from typing import Any

from msgspec.structs import replace

from knobel.bots import bot
from knobel.errors import IllegalAction, NotationError, NotHost, NotYours, Stale
from knobel.game import Leave as LeaveGame
from knobel.games.round_state import RoundState
from knobel.host.speaking import family_of
from knobel.notation import read, write
from knobel.phrase import phrase
from knobel.record.events import Acted, Assisted, Back, Event, Revealed, StandIn, Without
from knobel.record.replay import Replay
from knobel.room.chairs import Room
from knobel.room.intents import (
    Act,
    Assist,
    Correct,
    Leave,
    Playing,
    PutIn,
    Return,
    Reveal,
    StartWithout,
    SwapRows,
    Undo,
)
from knobel.rules.fields import shown
from knobel.table import Table


def decided(table: Table, room: Room, owner: str, wanted: Playing) -> tuple[Event, ...]:
    """Say what an intent makes happen at the table, or refuse it."""
    match wanted:
        case Act(seat, ply, text):
            need_seat(room, owner, seat)
            fresh(table, seat, ply)
            return acted(table, seat, text)
        case Undo(seat, ply):
            need_seat(room, owner, seat)
            fresh(table, seat, ply)
            return table.undo(seat)
        case Correct(seat, ply, box, actions):
            need_seat(room, owner, seat)
            fresh(table, seat, ply)
            return table.correct(seat, box, actions)
        case SwapRows(seat, ply, box, other):
            need_seat(room, owner, seat)
            fresh(table, seat, ply)
            return table.swap(seat, box, other)
        case Reveal(seed):
            return table.attend(Revealed(lowest(room, owner), seed))
        case StartWithout(seat):
            if owner != room.host:
                raise NotHost
            return table.attend(Without(seat))
        case Leave(seat):
            if owner != room.host:
                need_seat(room, owner, seat)
            return table.decide(seat, LeaveGame(table.replay.lane(seat).within(seat)))
        case PutIn(seat, name):
            return stood_in(table, room, owner, seat, name)
        case Assist(seat):
            need_seat(room, owner, seat)
            return table.attend(Assisted(seat))
        case Return(seat):
            need_seat(room, owner, seat)
            return table.attend(Back(seat))
    raise TypeError(wanted)


def acted(table: Table, seat: int, text: str) -> tuple[Event, ...]:
    """Read an action and decide on it; whoever acts is back."""
    lane = table.replay.lane(seat)
    action = read(lane.state, text)
    if isinstance(action, LeaveGame):
        raise IllegalAction(why=phrase("rules.refusal.not_now"))
    if write(lane.state, action, lane.game.rules.dice) != text:
        raise NotationError(text=shown(text))
    events = table.decide(seat, action)
    if seat in table.replay.stand_ins or seat in table.replay.away:
        return (*table.attend(Back(seat)), *events)
    return events


def stood_in(table: Table, room: Room, owner: str, seat: int, name: str) -> tuple[Event, ...]:
    """Let a bot play for somebody who is away, or who wants it; nobody throws real dice for somebody else."""
    lowest(room, owner)
    bot(name, family_of(table.header))
    if seat not in table.replay.away:
        need_seat(room, owner, seat)
    if table.header.seats[seat].own_dice:
        raise IllegalAction(why=phrase("rules.refusal.no_hands"))
    return table.attend(StandIn(seat, name))


def need_seat(room: Room, owner: str, seat: int) -> None:
    """Let only the device that has a seat speak for it."""
    if seat not in room.seats_of(owner):
        raise NotYours


def lowest(room: Room, owner: str) -> int:
    """Find the lowest seat of a device."""
    seats = room.seats_of(owner)
    if not seats:
        raise NotYours
    return min(seats)


def fresh(table: Table, seat: int, ply: int) -> None:
    """Refuse what was wanted of a game that has moved on; at a free table the others' columns are other games."""
    if ply != table.replay.lane(seat).ply:
        raise Stale


def after_game(room: Room, replay: Replay) -> Room:
    """Give the room after its game: the totals are added to the evening, if it was played to its end."""
    outcome = replay.outcome
    if outcome is None:
        return replace(room, running=False)
    first = first_of(replay) if room.first is None else room.first
    return replace(room, running=False, totals=(*room.totals, outcome.totals), first=first)


def first_of(replay: Replay) -> int:
    """Find out who began: agreed, or thrown for."""
    if replay.header.first is not None:
        return replay.header.first
    return next((seat for step in replay.steps if (seat := first_seat(step.after)) is not None), 0)


def first_seat(state: Any) -> int | None:
    """Say who began, once that is settled."""
    if isinstance(state, RoundState):
        return state.opener if state.rounds else None
    return int(state.first) if state.first is not None else None


def bot_seat(table: Table) -> int | None:
    """Find a seat that a bot has to play for now."""
    if table.replay.pending or table.replay.closed:
        return None
    for lane in table.replay.lanes:
        state = lane.state
        if state.seat is None:
            continue
        seat = int(state.player if lane.seat is None else lane.seat)
        ours = table.player_of(seat) is not None and not table.header.seats[seat].own_dice
        if ours and (lane.seat is None or in_step(table, seat)):
            return seat
    return None


def in_step(table: Table, seat: int) -> bool:
    """Tell whether a bot at a free table may go on: it waits until no person has written less than it has."""
    playing = [(place, lane.state) for place, lane in enumerate(table.replay.lanes) if lane.state.seat is not None]
    done = {place: int(state.turns[0]) for place, state in playing}
    people = [turns for place, turns in done.items() if table.player_of(place) is None]
    return done[seat] <= min(people, default=done[seat])


def undoable(table: Table) -> bool:
    """Tell whether the last thing done was a person's entry or announcement; at a free table bots disturb nobody's."""
    last = None if table.header.free and not table.replay.over else table.replay.last()
    return last is not None and isinstance(last.event, Acted) and table.player_of(last.event.seat) is None


def idle(table: Table) -> bool:
    """Tell whether the house has nothing to do by itself: no bot's move, and no end to confirm.

    What people enter of real dice they may correct until they say that it is done.
    """
    if table.replay.over:
        return any(seat.own_dice for seat in table.header.seats)
    return bot_seat(table) is None
