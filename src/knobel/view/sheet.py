"""What somebody sees of a score-sheet game: columns, tray, what every box would bring and why not."""

from collections.abc import Mapping

from msgspec import Struct

from knobel.game import CHANCE, Announce, Roll, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.notation import write_points
from knobel.phrase import Phrase
from knobel.record.events import Acted
from knobel.record.marks import list_marked_boxes
from knobel.record.track import GameTrack
from knobel.rooms.room import Room
from knobel.rules.sheet_rules import SheetRules
from knobel.table import Table
from knobel.view.lobby import Translate, translate_optional


class OptionView(Struct, frozen=True, rename={"can_cross_out": "strike", "scores": "writes"}):
    """One open box: what it would bring, why not, and whether a deliberate zero may go there.

    For real dice nobody showed: what can be written directly, what only if the table plays it anyway, and why.
    """

    box: str
    points: int
    extra: int = 0
    refusal: str | None = None
    warn_zero: bool = False
    can_cross_out: bool = False
    scores: tuple[str, ...] = ()
    anyway: tuple[str, ...] = ()
    why: str | None = None


class SheetTrayView(
    Struct,
    frozen=True,
    rename={"rolling": "falling", "rolled": "thrown", "rolls": "throws", "roll_refusal": "no_throw"},
):
    """The dice of whoever's turn it is; `phase` says what can be done, `no_throw` why no dice can be thrown."""

    seat: int
    phase: str
    dice: tuple[int, ...]
    locked: tuple[int, ...]
    rolling: tuple[int, ...]
    rolled: int
    rolls: int
    announced: str | None
    options: tuple[OptionView, ...]
    roll_refusal: str | None


class SheetSeatView(
    Struct, frozen=True, rename={"real_dice": "own_dice", "against_rules": "bent", "bonus_pace": "gap"}
):
    """One player's column and sums; `bent` are the boxes that were written anyway, `corrected` those entered twice."""

    name: str
    bot: str | None
    yours: bool
    away: bool
    stand_in: str | None
    left: bool
    beginner: bool
    real_dice: bool
    assisted: bool
    ply: int
    against_rules: tuple[str, ...]
    corrected: tuple[str, ...]
    entries: tuple[int | None, ...]
    upper: int
    bonus_pace: int
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
    seats: tuple[SheetSeatView, ...]
    trays: tuple[SheetTrayView, ...]
    undo: int | None
    waiting: tuple[int, ...]
    places: tuple[tuple[int, ...], ...] | None
    closed: str | None
    practice: bool
    seeded: bool
    free: bool


def build_sheet_view(table: Table, room: Room, device: str, say: Translate) -> SheetView:
    """Show a score-sheet game to a device."""
    replay, header = table.replay, table.header
    mine = room.seats_of(device)
    seats = tuple([build_seat_view(table, seat, seat in mine) for seat in range(len(header.seats))])
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
        trays=tuple([build_tray_view(table, lane, say) for lane in replay.tracks if lane.state.seat is not None]),
        undo=find_undo_seat(table, mine),
        waiting=tuple(replay.attendance.pending_seeds),
        places=outcome.places if outcome else None,
        closed=replay.closed.why if replay.closed else None,
        practice=header.practice,
        seeded=header.dice.seed is not None,
        free=header.free,
    )


def build_seat_view(table: Table, place: int, yours: bool) -> SheetSeatView:
    """Show one player."""
    seat, replay = table.header.seats[place], table.replay
    lane = replay.track(place)
    game: SheetGame = lane.game  # type: ignore[assignment]
    state: SheetState = lane.state
    within = lane.local_seat(place)
    tally = game.tally(state, within)
    bent, mended = list_marked_boxes(replay, place)
    return SheetSeatView(
        name=seat.name,
        bot=seat.bot,
        yours=yours,
        away=place in replay.attendance.away,
        stand_in=replay.attendance.stand_ins.get(place),
        left=within in state.left,
        beginner=seat.beginner,
        real_dice=seat.real_dice,
        assisted=place in replay.attendance.assisted,
        ply=lane.ply,
        against_rules=bent,
        corrected=mended,
        entries=state.columns[within].entries,
        upper=tally.upper,
        bonus_pace=tally.bonus_pace,
        bonus=tally.bonus,
        lower=tally.lower,
        extra=tally.extra,
        total=tally.total,
    )


def build_tray_view(table: Table, track: GameTrack, say: Translate) -> SheetTrayView:
    """Show the dice, and what can be done with them."""
    state: SheetState = track.state
    game: SheetGame = track.game  # type: ignore[assignment]
    no_throw = game.refusal(state, Roll(state.locked))
    seat = state.player if track.seat is None else track.seat
    return SheetTrayView(
        seat=seat,
        phase=find_phase(state, no_throw),
        dice=state.dice,
        locked=state.locked,
        rolling=state.rolling,
        rolled=state.rolls_used,
        rolls=game.rules.rolls,
        announced=state.announced,
        options=build_option_views(game, state, say, table.header.seats[seat].real_dice),
        roll_refusal=translate_optional(no_throw, say),
    )


def find_phase(state: SheetState, roll_refusal: Phrase | None) -> str:
    """Say what is to be done: throw for the start, announce, throw, choose, fill, or say what real dice show."""
    if state.seat == CHANCE:
        return "land"
    if state.rolloff:
        return "rolloff"
    if state.dice:
        return "choose" if roll_refusal is None else "fill"
    return "throw" if roll_refusal is None else "announce"


def build_option_views(
    game: SheetGame, state: SheetState, say: Translate, real_dice: bool = False
) -> tuple[OptionView, ...]:
    """Show every open box: what it would bring, whether it can be announced, or what real dice may have brought."""
    if state.rolloff or state.seat == CHANCE:
        return ()
    opened = [game.rules.boxes[place].id for place in state.column.open_boxes]
    if not state.dice:
        if real_dice:
            return tuple(build_unseen_option(game, state, box, say) for box in opened)
        if game.needs_announcement(state):
            return tuple(
                OptionView(box, 0, refusal=translate_optional(game.refusal(state, Announce(box)), say))
                for box in opened
            )
        return ()
    found, free = game.list_options(state), game.can_cross_out(state)
    return tuple(
        [
            OptionView(
                box,
                points,
                extra,
                translate_optional(refusal, say),
                warn_zero,
                points > 0 and refusal is None and free,
                anyway=list_scores_anyway(game, state, box) if real_dice and refusal else (),
            )
            for box in opened
            for points, extra, refusal, warn_zero in (found[box],)
        ]
    )


def build_unseen_option(game: SheetGame, state: SheetState, box: str, say: Translate) -> OptionView:
    """Show a box to somebody whose dice we have not seen: what it can take, and what only if the rules are bent."""
    silent = game.needs_announcement(state)
    writes = () if silent else format_scores(game.list_possible_entries(state, box), game.rules)
    anyway = tuple(
        value
        for value in format_scores(game.list_possible_entries(state, box, anyway=True), game.rules)
        if value not in writes
    )
    why = game.find_main_refusal(state, box) if anyway else None
    refusal = game.refusal(state, Announce(box)) if silent else None if writes else why
    return OptionView(
        box, 0, refusal=translate_optional(refusal, say), scores=writes, anyway=anyway, why=translate_optional(why, say)
    )


def format_scores(found: Mapping[int, frozenset[tuple[int, bool]]], rules: SheetRules) -> tuple[str, ...]:
    """List points as they are written; that all dice were alike is asked only where it matters and cannot be seen."""
    asks = bool(rules.yatzy and rules.yatzy.second)
    listed = []
    for points, cases in found.items():
        for extra in sorted({extra for extra, _ in cases}):
            listed.append(write_points(points, extra))
            if asks and {(extra, True), (extra, False)} <= cases:
                listed.append(write_points(points, extra, alike=True))
    return tuple(listed)


def list_scores_anyway(game: SheetGame, state: SheetState, box: str) -> tuple[str, ...]:
    """Show what the dice bring in a box where the table plays it anyway."""
    option = game.find_option(state, Score(box, anyway=True))
    return (write_points(option.points, option.extra),)


def find_undo_seat(table: Table, seats: tuple[int, ...]) -> int | None:
    """Say which of these seats can take something back just now: at a free table, whoever did something last."""
    if not seats or table.replay.closed is not None:
        return None
    found = [step for lane in table.replay.tracks if (step := lane.last_undoable) is not None]
    own = [
        (step.number, step.event.seat) for step in found if isinstance(step.event, Acted) and step.event.seat in seats
    ]
    return max(own)[1] if own else None
