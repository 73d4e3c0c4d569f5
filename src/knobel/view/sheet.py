"""What can be seen of a score-sheet game: columns, tray, what every box would score or why it cannot."""

from collections.abc import Mapping
from functools import lru_cache
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from knobel.game import CHANCE, Announce, Roll, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.games.sheet_legality import find_main_refusal, find_option
from knobel.notation import write_announcement, write_points, write_score
from knobel.phrase import Phrase, phrase
from knobel.record.duplicate import hides_turns, is_duplicate
from knobel.record.marks import list_marked_boxes
from knobel.record.track import GameTrack
from knobel.rules.sheet_rules import SheetRules
from knobel.table import Table
from knobel.view.address import address
from knobel.view.sentences import Translate, translate_optional
from knobel.view.steps import describe_lot
from knobel.view.undo import list_undo_seats


class OptionView(Struct, frozen=True):
    """One open box: what it would score or why it cannot, and the actions that score, cross out or announce it.

    For real dice nobody entered: which points can be scored, which only against the rules, and why.
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
    action: str | None = None
    cross_out_action: str | None = None
    announce_action: str | None = None


class SheetTrayView(Struct, frozen=True):
    """The dice of whoever's turn it is; `phase` says what can be done, `roll_refusal` why no dice can be rolled.

    `own_prompt` is `prompt` as the player reads it whose turn it is.
    """

    seat: int
    turn: int
    phase: str
    prompt: str
    own_prompt: str
    dice: tuple[int, ...]
    locked: tuple[int, ...]
    rolling: tuple[int, ...]
    rolled: int
    rolls: int
    asks_rolls: bool
    announced: str | None
    options: tuple[OptionView, ...]
    roll_refusal: str | None


class SheetSeatView(Struct, frozen=True):
    """One player's column and sums; `against_rules` and `corrected` list boxes."""

    name: str
    bot: str | None
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
    """A score-sheet game, the same for everybody; `undo` lists the seats whose last entry can be undone now.

    `drawn` says who was drawn to start, as long as nothing has been played.
    """

    game: str
    ply: int
    count: int
    head: str
    round: int
    rounds: int
    seats: tuple[SheetSeatView, ...]
    trays: tuple[SheetTrayView, ...]
    undo: tuple[int, ...]
    waiting: tuple[int, ...]
    drawn: str | None
    places: tuple[tuple[int, ...], ...] | None
    closed: str | None
    practice: bool
    seeded: bool
    free: bool
    duplicate: bool


def find_sheet_game(track: GameTrack) -> SheetGame:
    """Take the game of a track as the score-sheet game it is: the table of families has chosen this module."""
    return cast("SheetGame", track.game)


def build_sheet_view(table: Table, say: Translate) -> SheetView:
    replay, header = table.replay, table.header
    seats = tuple([build_seat_view(table, seat) for seat in range(len(header.seats))])
    rounds = len(seats[0].entries)
    scored = [rounds - seat.entries.count(None) for seat in seats if not seat.left]
    outcome = replay.outcome
    # Of a table with hidden turns nobody is shown further than the viewer, whose round it is then.
    reached = max if hides_turns(replay) else min
    return SheetView(
        game=header.game,
        ply=replay.ply,
        count=replay.count,
        head=table.head,
        round=min(rounds, reached(scored, default=rounds) + 1),
        rounds=rounds,
        seats=seats,
        trays=tuple([build_tray_view(table, track, say) for track in replay.tracks if track.state.seat is not None]),
        undo=list_undo_seats(table),
        waiting=tuple(replay.attendance.pending_seeds),
        drawn=translate_optional(describe_lot(table), say),
        places=outcome.places if outcome else None,
        closed=replay.closed.why if replay.closed else None,
        practice=header.practice,
        seeded=header.dice.seed is not None,
        free=header.free,
        duplicate=is_duplicate(header),
    )


def build_seat_view(table: Table, place: int) -> SheetSeatView:
    seat, replay = table.header.seats[place], table.replay
    track = replay.track(place)
    state: SheetState = track.state
    local = track.local_seat(place)
    attendance = replay.attendance
    return SheetSeatView(
        seat.name,
        seat.bot,
        place in attendance.away,
        attendance.stand_ins.get(place),
        local in state.left,
        seat.beginner,
        seat.real_dice,
        place in attendance.assisted,
        track.ply,
        *list_marked_boxes(replay, place),
        state.columns[local].entries,
        *find_sheet_game(track).tally(state, local),
    )


def build_tray_view(table: Table, track: GameTrack, say: Translate) -> SheetTrayView:
    state: SheetState = track.state
    game = find_sheet_game(track)
    roll_refusal = game.refusal(state, Roll(state.locked))
    place = state.player if track.seat is None else track.seat
    seat = table.header.seats[place]
    prompt, own_prompt = write_prompts("web.tray.rolloff_of" if state.rolloff else "web.tray.turn", seat.name, say)
    return SheetTrayView(
        seat=place,
        turn=state.turns[state.player],
        phase=find_phase(state, roll_refusal),
        prompt=prompt,
        own_prompt=own_prompt,
        dice=state.dice,
        locked=state.locked,
        rolling=state.rolling,
        rolled=state.rolls_used,
        rolls=game.rules.rolls,
        asks_rolls=False,
        announced=state.announced,
        options=build_option_views(game, state, say, seat.real_dice),
        roll_refusal=translate_optional(roll_refusal, say),
    )


@lru_cache(maxsize=4096)
def write_prompts(key: str, name: str, say: Translate) -> tuple[str, str]:
    """Say what a player has to do, to everybody and to themselves; cached, because every move asks again."""
    prompt = phrase(key, name=name)
    return say(prompt), say(address(prompt))


def find_phase(state: SheetState, roll_refusal: Phrase | None) -> str:
    """Say what is to be done: roll to see who starts, announce, roll, choose, fill, or enter real dice."""
    if state.seat == CHANCE:
        return "land"
    if state.rolloff:
        return "rolloff"
    if state.dice:
        return "choose" if roll_refusal is None else "fill"
    return "roll" if roll_refusal is None else "announce"


def build_option_views(
    game: SheetGame, state: SheetState, say: Translate, real_dice: bool = False
) -> tuple[OptionView, ...]:
    """Show every open box: what it would score, whether it can be announced, or what real dice may have scored."""
    if state.rolloff or state.seat == CHANCE:
        return ()
    boxes = [game.rules.boxes[place].id for place in state.column.open_boxes]
    if state.dice:
        return build_scoring_options(game, state, boxes, say, real_dice)
    if real_dice:
        return tuple(build_unseen_option(game, state, box, say) for box in boxes)
    if game.needs_announcement(state):
        return tuple(build_announcement_option(game, state, box, say) for box in boxes)
    return ()


def build_scoring_options(
    game: SheetGame, state: SheetState, boxes: list[str], say: Translate, real_dice: bool
) -> tuple[OptionView, ...]:
    """Show what the dice on the tray would score in each open box."""
    found, free = game.list_options(state), game.can_cross_out(state)
    options = []
    for box in boxes:
        points, extra, refusal, warn_zero = found[box]
        if refusal is None:
            options.append(build_allowed_option(box, points, extra, warn_zero, free))
        else:
            anyway = list_scores_anyway(game, state, box) if real_dice else ()
            options.append(OptionView(box, points, extra, say(refusal), warn_zero, anyway=anyway))
    return tuple(options)


@lru_cache(maxsize=4096)
def build_allowed_option(box: str, points: int, extra: int, warn_zero: bool, free: bool) -> OptionView:
    """Show a box that may be scored; cached, because at most moves most boxes show what they showed before."""
    can_cross_out = points > 0 and free
    return OptionView(
        box,
        points,
        extra,
        warn_zero=warn_zero,
        can_cross_out=can_cross_out,
        action=write_score(box),
        cross_out_action=write_score(box, cross_out=True) if can_cross_out else None,
    )


def build_announcement_option(game: SheetGame, state: SheetState, box: str, say: Translate) -> OptionView:
    refusal = game.refusal(state, Announce(box))
    action = write_announcement(box) if refusal is None else None
    return OptionView(box, 0, refusal=translate_optional(refusal, say), announce_action=action)


def build_unseen_option(game: SheetGame, state: SheetState, box: str, say: Translate) -> OptionView:
    """Show a box to a player whose dice were not entered: what it can take, and what only against the rules."""
    must_announce = game.needs_announcement(state)
    scores = () if must_announce else format_scores(game.list_possible_entries(state, box), game.rules)
    anyway = tuple(
        value
        for value in format_scores(game.list_possible_entries(state, box, anyway=True), game.rules)
        if value not in scores
    )
    why = find_main_refusal(game.rules_for(state.player), state, box) if anyway else None
    if must_announce:
        announced = build_announcement_option(game, state, box, say)
        return replace(announced, anyway=anyway, why=translate_optional(why, say))
    refusal = None if scores else why
    return OptionView(
        box, 0, refusal=translate_optional(refusal, say), scores=scores, anyway=anyway, why=translate_optional(why, say)
    )


def format_scores(found: Mapping[int, frozenset[tuple[int, bool]]], rules: SheetRules) -> tuple[str, ...]:
    """List points as they are scored; whether all dice were alike is asked only where it matters and cannot be seen."""
    asks = bool(rules.yatzy and rules.yatzy.second)
    listed = []
    for points, cases in found.items():
        for extra in sorted({extra for extra, _ in cases}):
            listed.append(write_points(points, extra))
            if asks and {(extra, True), (extra, False)} <= cases:
                listed.append(write_points(points, extra, alike=True))
    return tuple(listed)


def list_scores_anyway(game: SheetGame, state: SheetState, box: str) -> tuple[str, ...]:
    """Show what the dice score in a box against the rules."""
    option = find_option(game.rules_for(state.player), state, Score(box, anyway=True))
    return (write_points(option.points, option.extra),)
