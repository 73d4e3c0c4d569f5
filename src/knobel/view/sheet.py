"""What somebody sees of a score-sheet game: columns, tray, what every box would bring and why not."""

from msgspec import Struct

from knobel.game import CHANCE, Announce, Throw
from knobel.games.sheet import Sheet, SheetState
from knobel.phrase import Phrase
from knobel.record.events import Acted
from knobel.record.replay import Lane
from knobel.room.chairs import Room
from knobel.table import Table
from knobel.view.lobby import Say, said


class OptionView(Struct, frozen=True):
    """One open box: what it would bring, why not, and whether a deliberate zero may go there."""

    box: str
    points: int
    extra: int = 0
    refusal: str | None = None
    warn_zero: bool = False
    strike: bool = False


class TrayView(Struct, frozen=True):
    """The dice of whoever's turn it is; `phase` says what can be done, `no_throw` why no dice can be thrown."""

    seat: int
    phase: str
    dice: tuple[int, ...]
    locked: tuple[int, ...]
    falling: tuple[int, ...]
    thrown: int
    throws: int
    announced: str | None
    options: tuple[OptionView, ...]
    no_throw: str | None


class SeatView(Struct, frozen=True):
    """One player's column and sums."""

    name: str
    bot: str | None
    yours: bool
    away: bool
    stand_in: str | None
    left: bool
    beginner: bool
    own_dice: bool
    assisted: bool
    entries: tuple[int | None, ...]
    upper: int
    gap: int
    bonus: int
    lower: int
    extra: int
    total: int


class SheetView(Struct, frozen=True):
    """A score-sheet game as one device sees it; `undo` is the seat that can take something back."""

    game: str
    ply: int
    count: int
    head: str
    round: int
    rounds: int
    seats: tuple[SeatView, ...]
    trays: tuple[TrayView, ...]
    undo: int | None
    waiting: tuple[int, ...]
    places: tuple[tuple[int, ...], ...] | None
    closed: str | None
    practice: bool
    seeded: bool


def sheet_view(table: Table, room: Room, owner: str, say: Say) -> SheetView:
    """Show a score-sheet game to a device."""
    replay, header = table.replay, table.header
    mine = room.seats_of(owner)
    seats = tuple(seat_view(table, seat, seat in mine) for seat in range(len(header.seats)))
    rounds = len(seats[0].entries)
    written = [rounds - seat.entries.count(None) for seat in seats if not seat.left]
    outcome = replay.outcome
    return SheetView(
        game=header.game,
        ply=replay.ply,
        count=replay.count,
        head=table.head,
        round=min(rounds, min(written, default=rounds) + 1),
        rounds=rounds,
        seats=seats,
        trays=tuple(tray_view(lane, say) for lane in replay.lanes if lane.state.seat is not None),
        undo=undoable(table, mine),
        waiting=tuple(replay.pending),
        places=outcome.places if outcome else None,
        closed=replay.closed.why if replay.closed else None,
        practice=header.practice,
        seeded=header.dice.seed is not None,
    )


def seat_view(table: Table, place: int, yours: bool) -> SeatView:
    """Show one player."""
    seat, replay = table.header.seats[place], table.replay
    lane = replay.lane(place)
    game: Sheet = lane.game  # type: ignore[assignment]
    state: SheetState = lane.state
    within = lane.within(place)
    tally = game.tally(state, within)
    return SeatView(
        name=seat.name,
        bot=seat.bot,
        yours=yours,
        away=place in replay.away,
        stand_in=replay.stand_ins.get(place),
        left=within in state.left,
        beginner=seat.beginner,
        own_dice=seat.own_dice,
        assisted=place in replay.assisted,
        entries=state.columns[within].entries,
        upper=tally.upper,
        gap=tally.gap,
        bonus=tally.bonus,
        lower=tally.lower,
        extra=tally.extra,
        total=tally.total,
    )


def tray_view(lane: Lane, say: Say) -> TrayView:
    """Show the dice, and what can be done with them."""
    state: SheetState = lane.state
    game: Sheet = lane.game  # type: ignore[assignment]
    no_throw = game.refusal(state, Throw(state.locked))
    return TrayView(
        seat=state.player if lane.seat is None else lane.seat,
        phase=phase_of(state, no_throw),
        dice=state.dice,
        locked=state.locked,
        falling=state.falling,
        thrown=state.thrown,
        throws=game.rules.throws,
        announced=state.announced,
        options=options_view(game, state, say),
        no_throw=said(no_throw, say),
    )


def phase_of(state: SheetState, no_throw: Phrase | None) -> str:
    """Say what is to be done: throw for the start, announce, throw, choose, fill, or say what real dice show."""
    if state.seat == CHANCE:
        return "land"
    if state.rolloff:
        return "rolloff"
    if state.dice:
        return "choose" if no_throw is None else "fill"
    return "throw" if no_throw is None else "announce"


def options_view(game: Sheet, state: SheetState, say: Say) -> tuple[OptionView, ...]:
    """Show every open box: what it would bring, or whether it can be announced."""
    if state.rolloff or state.seat == CHANCE:
        return ()
    opened = [game.rules.boxes[place].id for place in state.column.open]
    if not state.dice:
        if state.announced is None and game.rules_of(state.player).order == "announced":
            return tuple(OptionView(box, 0, refusal=said(game.refusal(state, Announce(box)), say)) for box in opened)
        return ()
    found, free = game.options(state), game.free_zero(state)
    return tuple(
        OptionView(
            box,
            found[box].points,
            found[box].extra,
            said(found[box].refusal, say),
            found[box].warn_zero,
            found[box].points > 0 and found[box].refusal is None and free,
        )
        for box in opened
    )


def undoable(table: Table, seats: tuple[int, ...]) -> int | None:
    """Say which of these seats can take something back just now."""
    if table.replay.closed is not None:
        return None
    for lane in table.replay.lanes:
        last = lane.last
        if last is not None and isinstance(last.event, Acted) and last.event.seat in seats:
            return last.event.seat
    return None
