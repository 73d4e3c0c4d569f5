"""What somebody sees of a score-sheet game: columns, tray, what every box would bring and why not."""

from collections.abc import Mapping

from msgspec import Struct

from knobel.game import CHANCE, Announce, Fill, Throw
from knobel.games.sheet import Sheet, SheetState
from knobel.notation import written
from knobel.phrase import Phrase
from knobel.record.events import Acted
from knobel.record.lane import Lane
from knobel.room.chairs import Room
from knobel.rules.ruleset import SheetRules
from knobel.table import Table
from knobel.view.lobby import Say, said


class OptionView(Struct, frozen=True):
    """One open box: what it would bring, why not, and whether a deliberate zero may go there.

    For real dice nobody showed: what can be written directly, what only if the table plays it anyway, and why.
    """

    box: str
    points: int
    extra: int = 0
    refusal: str | None = None
    warn_zero: bool = False
    strike: bool = False
    writes: tuple[str, ...] = ()
    anyway: tuple[str, ...] = ()
    why: str | None = None


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
    """One player's column and sums; `bent` are the boxes that were written anyway, `corrected` those entered twice."""

    name: str
    bot: str | None
    yours: bool
    away: bool
    stand_in: str | None
    left: bool
    beginner: bool
    own_dice: bool
    assisted: bool
    ply: int
    bent: tuple[str, ...]
    corrected: tuple[str, ...]
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
    free: bool


def sheet_view(table: Table, room: Room, owner: str, say: Say) -> SheetView:
    """Show a score-sheet game to a device."""
    replay, header = table.replay, table.header
    mine = room.seats_of(owner)
    seats = tuple([seat_view(table, seat, seat in mine) for seat in range(len(header.seats))])
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
        trays=tuple([tray_view(table, lane, say) for lane in replay.lanes if lane.state.seat is not None]),
        undo=undoable(table, mine),
        waiting=tuple(replay.pending),
        places=outcome.places if outcome else None,
        closed=replay.closed.why if replay.closed else None,
        practice=header.practice,
        seeded=header.dice.seed is not None,
        free=header.free,
    )


def seat_view(table: Table, place: int, yours: bool) -> SeatView:
    """Show one player."""
    seat, replay = table.header.seats[place], table.replay
    lane = replay.lane(place)
    game: Sheet = lane.game  # type: ignore[assignment]
    state: SheetState = lane.state
    within = lane.within(place)
    tally = game.tally(state, within)
    bent, mended = replay.by_hand(place)
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
        ply=lane.ply,
        bent=bent,
        corrected=mended,
        entries=state.columns[within].entries,
        upper=tally.upper,
        gap=tally.gap,
        bonus=tally.bonus,
        lower=tally.lower,
        extra=tally.extra,
        total=tally.total,
    )


def tray_view(table: Table, lane: Lane, say: Say) -> TrayView:
    """Show the dice, and what can be done with them."""
    state: SheetState = lane.state
    game: Sheet = lane.game  # type: ignore[assignment]
    no_throw = game.refusal(state, Throw(state.locked))
    seat = state.player if lane.seat is None else lane.seat
    return TrayView(
        seat=seat,
        phase=phase_of(state, no_throw),
        dice=state.dice,
        locked=state.locked,
        falling=state.falling,
        thrown=state.thrown,
        throws=game.rules.throws,
        announced=state.announced,
        options=options_view(game, state, say, table.header.seats[seat].own_dice),
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


def options_view(game: Sheet, state: SheetState, say: Say, own_dice: bool = False) -> tuple[OptionView, ...]:
    """Show every open box: what it would bring, whether it can be announced, or what real dice may have brought."""
    if state.rolloff or state.seat == CHANCE:
        return ()
    opened = [game.rules.boxes[place].id for place in state.column.open]
    if not state.dice:
        if own_dice:
            return tuple(unseen_view(game, state, box, say) for box in opened)
        if game.is_silent(state):
            return tuple(OptionView(box, 0, refusal=said(game.refusal(state, Announce(box)), say)) for box in opened)
        return ()
    found, free = game.options(state), game.free_zero(state)
    return tuple(
        [
            OptionView(
                box,
                points,
                extra,
                said(refusal, say),
                warn_zero,
                points > 0 and refusal is None and free,
                anyway=bent_view(game, state, box) if own_dice and refusal else (),
            )
            for box in opened
            for points, extra, refusal, warn_zero in (found[box],)
        ]
    )


def unseen_view(game: Sheet, state: SheetState, box: str, say: Say) -> OptionView:
    """Show a box to somebody whose dice we have not seen: what it can take, and what only if the rules are bent."""
    silent = game.is_silent(state)
    writes = () if silent else values(game.writes(state, box), game.rules)
    anyway = tuple(value for value in values(game.writes(state, box, anyway=True), game.rules) if value not in writes)
    why = game.why_not(state, box) if anyway else None
    refusal = game.refusal(state, Announce(box)) if silent else None if writes else why
    return OptionView(box, 0, refusal=said(refusal, say), writes=writes, anyway=anyway, why=said(why, say))


def values(found: Mapping[int, frozenset[tuple[int, bool]]], rules: SheetRules) -> tuple[str, ...]:
    """List points as they are written; that all dice were alike is asked only where it matters and cannot be seen."""
    asks = bool(rules.yatzy and rules.yatzy.second)
    listed = []
    for points, cases in found.items():
        for extra in sorted({extra for extra, _ in cases}):
            listed.append(written(points, extra))
            if asks and {(extra, True), (extra, False)} <= cases:
                listed.append(written(points, extra, alike=True))
    return tuple(listed)


def bent_view(game: Sheet, state: SheetState, box: str) -> tuple[str, ...]:
    """Show what the dice bring in a box where the table plays it anyway."""
    option = game.chosen(state, Fill(box, anyway=True))
    return (written(option.points, option.extra),)


def undoable(table: Table, seats: tuple[int, ...]) -> int | None:
    """Say which of these seats can take something back just now: at a free table, whoever did something last."""
    if not seats or table.replay.closed is not None:
        return None
    found = [step for lane in table.replay.lanes if (step := lane.last) is not None]
    own = [
        (step.number, step.event.seat) for step in found if isinstance(step.event, Acted) and step.event.seat in seats
    ]
    return max(own)[1] if own else None
