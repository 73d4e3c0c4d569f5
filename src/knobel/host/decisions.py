"""Decides what an intent does in a game: whose it is, whether it is still fresh, which events follow."""

from msgspec.structs import replace

from knobel.bots import load_bot
from knobel.errors import IllegalAction, NotHost, SeatNotYours, StaleRequest
from knobel.game import Leave as LeaveAction
from knobel.game import Outcome
from knobel.notation import read_exact_action
from knobel.phrase import phrase
from knobel.record.duplicate import is_duplicate
from knobel.record.events import Acted, Assisted, Back, Revealed, StandIn, StartedWithout
from knobel.record.families import record_family
from knobel.record.marks import find_leavers
from knobel.record.replay import Replay
from knobel.rooms.intents import (
    Act,
    AskCoach,
    Correct,
    GameIntent,
    LeaveGame,
    ReturnToSeat,
    RevealSeed,
    StartWithout,
    SubstituteBot,
    SwapBoxes,
    Undo,
)
from knobel.rooms.room import EveningGame, EveningResult, Room
from knobel.rules.families import find_family
from knobel.series import rank_seats
from knobel.table import NOTHING, Table, TableDecision


def decide_intent(table: Table, room: Room, device: str, intent: GameIntent) -> TableDecision:
    """Say what an intent does at the table, or refuse it."""
    match intent:
        case Act(seat, ply, text):
            require_seat(room, device, seat)
            require_ply(table, seat, ply)
            return decide_action(table, seat, text)
        case Undo(seat, ply):
            require_seat(room, device, seat)
            require_ply(table, seat, ply)
            return table.decide_undo(seat)
        case Correct(seat, ply, box, actions):
            require_seat(room, device, seat)
            require_ply(table, seat, ply)
            return table.decide_correction(seat, box, actions)
        case SwapBoxes(seat, ply, box, other):
            require_seat(room, device, seat)
            require_ply(table, seat, ply)
            return table.decide_swap(seat, box, other)
        case RevealSeed(seed):
            return table.decide_event(Revealed(lowest_seat(room, device), seed))
        case StartWithout(seat):
            if not room.is_led_by(device):
                raise NotHost
            return table.decide_event(StartedWithout(seat))
        case LeaveGame(seat):
            if device != room.host:
                require_seat(room, device, seat)
            return table.decide(seat, LeaveAction(table.replay.track(seat).local_seat(seat)))
        case SubstituteBot(seat, name):
            return decide_stand_in(table, room, device, seat, name)
        case AskCoach(seat):
            require_seat(room, device, seat)
            refuse_in_duplicate(table)
            return table.decide_event(Assisted(seat))
        case ReturnToSeat(seat):
            require_seat(room, device, seat)
            return table.decide_event(Back(seat))
    raise TypeError(intent)


def decide_action(table: Table, seat: int, text: str) -> TableDecision:
    """Read an action and decide on it; a player who acts is no longer away."""
    track = table.replay.track(seat)
    action = read_exact_action(track.state, text, track.game.rules.dice)
    if isinstance(action, LeaveAction):
        raise IllegalAction(why=phrase("rules.refusal.not_now"))
    back = table.decide_event(Back(seat)) if table.replay.attendance.is_absent(seat) else NOTHING
    return table.decide(seat, action, text, back)


def decide_stand_in(table: Table, room: Room, device: str, seat: int, name: str) -> TableDecision:
    """Let a bot play for a player who is away or asks for it; a bot cannot roll real dice."""
    lowest_seat(room, device)
    refuse_in_duplicate(table)
    load_bot(name, table.game.rules.family)
    if seat not in table.replay.attendance.away:
        require_seat(room, device, seat)
    if table.header.seats[seat].real_dice:
        raise IllegalAction(why=phrase("rules.refusal.no_hands"))
    return table.decide_event(StandIn(seat, name))


def refuse_in_duplicate(table: Table) -> None:
    """Refuse the coach, chances and stand-ins where everybody plays the same dice alone."""
    if is_duplicate(table.header):
        raise IllegalAction(why=phrase("rules.refusal.duplicate"))


def require_seat(room: Room, device: str, seat: int) -> None:
    """Refuse devices that do not have the seat."""
    if not room.has_seat(device, seat):
        raise SeatNotYours


def lowest_seat(room: Room, device: str) -> int:
    seats = room.seats_of(device)
    if not seats:
        raise SeatNotYours
    return min(seats)


def require_ply(table: Table, seat: int, ply: int) -> None:
    """Refuse what was wanted of a game that has moved on; at a free table only one's own game counts."""
    if ply != table.replay.track(seat).ply:
        raise StaleRequest


def finish_game(room: Room, replay: Replay) -> Room:
    """Give the room after its game; the totals count for the series if the game was played to its end."""
    outcome = replay.outcome
    if outcome is None:
        return replace(room, running=False)
    first = find_starter(replay) if room.first is None else room.first
    played = (*room.played, build_evening_game(room, replay, outcome))
    return replace(room, running=False, totals=(*room.totals, outcome.totals), first=first, played=played)


def build_evening_game(room: Room, replay: Replay, outcome: Outcome) -> EveningGame:
    """Write down a finished game for the standings of the evening."""
    header, rules = replay.header, replay.game.rules
    left = find_leavers(replay)
    places = rank_seats(outcome.places, len(room.seats))
    results = [
        EveningResult(place, seat.handicap, number in left)
        for number, (place, seat) in enumerate(zip(places, room.seats, strict=True))
    ]
    has_points = find_family(rules).has_points
    return EveningGame(header.game, header.edition.id, header.edition.title, rules.series, has_points, tuple(results))


def find_starter(replay: Replay) -> int:
    """Find out who began: agreed, drawn by lot, or rolled for."""
    if replay.drawn is not None:
        return replay.drawn
    if replay.header.first is not None:
        return replay.header.first
    find = record_family(replay.game).find_starter
    return next((seat for step in replay.steps if (seat := find(step.after)) is not None), 0)


def has_bots(table: Table) -> bool:
    """Tell whether a bot plays any seat now."""
    return bool(table.replay.attendance.stand_ins or [seat for seat in table.header.seats if seat.bot is not None])


def find_bot_seat(table: Table) -> int | None:
    """Find a seat that a bot has to play for now."""
    if not has_bots(table) or table.replay.attendance.pending_seeds or table.replay.closed:
        return None
    for track in table.replay.tracks:
        state = track.state
        if state.seat is None:
            continue
        seat = int(state.player if track.seat is None else track.seat)
        is_bot = table.find_bot(seat) is not None and not table.header.seats[seat].real_dice
        if is_bot and (track.seat is None or can_bot_continue(table, seat)):
            return seat
    return None


def find_awaited_seat(table: Table) -> int | None:
    """Find the person everybody waits for: on the move, there, and with our dice; at a free table nobody waits."""
    replay, state = table.replay, table.state
    if table.header.free or replay.closed or replay.is_over or replay.attendance.pending_seeds:
        return None
    seat = int(state.player)
    waits = table.find_bot(seat) is None and seat not in replay.attendance.away
    return seat if waits and not table.header.seats[seat].real_dice else None


def can_bot_continue(table: Table, seat: int) -> bool:
    """Tell whether a bot at a free table may go on: it waits for people who have had fewer turns."""
    done = {
        place: int(track.state.turns[0])
        for place, track in enumerate(table.replay.tracks)
        if track.state.seat is not None
    }
    people = [turns for place, turns in done.items() if table.find_bot(place) is None]
    return done[seat] <= min(people, default=done[seat])


def can_undo_last(table: Table) -> bool:
    """Tell whether a person may still undo the last entry; at a free table bots get in nobody's way."""
    last = None if table.header.free and not table.replay.is_over else table.replay.find_last_undoable()
    return last is not None and isinstance(last.event, Acted) and table.find_bot(last.event.seat) is None


def is_idle(table: Table) -> bool:
    """Tell whether there is no automatic step: no bot's move, and no end to confirm.

    Entries of real dice can be corrected until a player confirms the end.
    """
    if table.replay.is_over:
        return any(seat.real_dice for seat in table.header.seats)
    return find_bot_seat(table) is None
