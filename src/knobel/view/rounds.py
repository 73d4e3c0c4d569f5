"""What somebody sees of a game of rounds: chips and kitty, the opener's total and aim, the dice, the rounds so far."""

from msgspec import Struct

from knobel.game import CHANCE, Roll, Stand
from knobel.games.round_state import AIMS, FOLLOW, START, RoundResult, RoundState
from knobel.games.rounds import RoundsGame
from knobel.notation import write_action
from knobel.phrase import Phrase, phrase
from knobel.record.marks import list_corrected_turns
from knobel.record.track import GameTrack
from knobel.rooms.room import Room
from knobel.table import Table
from knobel.view.lobby import Translate, translate_optional
from knobel.view.sheet import find_undo_seat


class RoundsSeatView(Struct, frozen=True, rename={"real_dice": "own_dice"}):
    """One player: his chips, his total in this round, whether it beats the opener's, the place he left in.

    A total of real dice that was told twice is `corrected`.
    """

    name: str
    bot: str | None
    yours: bool
    away: bool
    stand_in: str | None
    left: bool
    real_dice: bool
    assisted: bool
    ply: int
    chips: int
    total: int | None
    beats: bool | None
    corrected: bool
    place: int | None


class StandView(Struct, frozen=True):
    """A way to stop throwing: what an opener then asks of the others, and the action that says so."""

    aim: str | None
    action: str


class RoundsTrayView(
    Struct,
    frozen=True,
    rename={"prompt": "asked", "rolling": "falling", "rolled": "thrown", "rolls": "throws", "roll_refusal": "no_throw"},
):
    """The dice of whoever's turn it is; `asked` says what he has to do, `stands` how he may stop."""

    seat: int
    phase: str
    prompt: str
    dice: tuple[int, ...]
    locked: tuple[int, ...]
    rolling: tuple[int, ...]
    rolled: int
    rolls: int
    sum: int
    beats: bool | None
    stands: tuple[StandView, ...]
    roll_refusal: str | None


class TieView(Struct, frozen=True):
    """Who throws off a tie, what for, and the sums so far."""

    kind: str
    seats: tuple[int, ...]
    sums: tuple[int, ...]


class RoundView(Struct, frozen=True):
    """A round that is over: who opened with which aim, all totals, who took a chip from whom, who left.

    Its number counts void rounds too; `corrected` are the seats whose totals were told twice.
    """

    round: int
    opener: int | None
    aim: str | None
    totals: tuple[tuple[int, int], ...]
    loser: int | None
    winner: int | None
    chip_from: int | None
    left: tuple[int, ...]
    corrected: tuple[int, ...]


class RoundsView(Struct, frozen=True):
    """A game of rounds as one device sees it; nobody has opened while the start is thrown for."""

    game: str
    ply: int
    count: int
    head: str
    round: int
    seats: tuple[RoundsSeatView, ...]
    trays: tuple[RoundsTrayView, ...]
    opener: int | None
    aim: str | None
    target: int | None
    kitty: int
    tie: TieView | None
    log: tuple[RoundView, ...]
    undo: int | None
    waiting: tuple[int, ...]
    places: tuple[tuple[int, ...], ...] | None
    closed: str | None
    practice: bool
    seeded: bool


def build_rounds_view(table: Table, room: Room, device: str, say: Translate) -> RoundsView:
    """Show a game of rounds to a device."""
    replay, header = table.replay, table.header
    lane = replay.tracks[0]
    state: RoundState = lane.state
    outcome = replay.outcome
    twice = list_corrected_turns(replay)
    return RoundsView(
        game=header.game,
        ply=replay.ply,
        count=replay.count,
        head=table.head,
        round=max(1, state.rounds),
        seats=tuple(build_seat_view(table, room, device, seat, twice) for seat in range(len(header.seats))),
        trays=(build_tray_view(lane, table, say),) if state.seat is not None else (),
        opener=None if state.phase == START or state.seat is None else state.opener,
        aim=state.aim,
        target=state.target if state.aim else None,
        kitty=state.kitty,
        tie=TieView(state.rolloff.kind, state.rolloff.seats, state.rolloff.sums) if state.rolloff else None,
        log=tuple(build_round_view(number, told, twice) for number, told in list_round_results(lane)),
        undo=find_undo_seat(table, room.seats_of(device)),
        waiting=tuple(replay.attendance.pending_seeds),
        places=outcome.places if outcome else None,
        closed=replay.closed.why if replay.closed else None,
        practice=header.practice,
        seeded=header.dice.seed is not None,
    )


def build_seat_view(table: Table, room: Room, device: str, place: int, twice: set[tuple[int, int]]) -> RoundsSeatView:
    """Show one player; `twice` are the rounds and seats that were corrected."""
    seat, replay = table.header.seats[place], table.replay
    game: RoundsGame = replay.game  # type: ignore[assignment]
    state: RoundState = replay.state
    total = dict(state.totals).get(place)
    follows = total is not None and place != state.opener and state.aim is not None
    return RoundsSeatView(
        name=seat.name,
        bot=seat.bot,
        yours=place in room.seats_of(device),
        away=place in replay.attendance.away,
        stand_in=replay.attendance.stand_ins.get(place),
        left=place in state.quit,
        real_dice=seat.real_dice,
        assisted=place in replay.attendance.assisted,
        ply=replay.ply,
        chips=state.chips[place],
        total=total,
        beats=game.beats_opener(state, total or 0) if follows else None,
        corrected=total is not None and (state.rounds, place) in twice,
        place=find_finishing_place(state, place),
    )


def find_finishing_place(state: RoundState, seat: int) -> int | None:
    """Say in which place somebody left the game; players who share a place have the same number."""
    before = 0
    for group in state.places:
        if seat in group:
            return before + 1
        before += len(group)
    return None


def build_tray_view(track: GameTrack, table: Table, say: Translate) -> RoundsTrayView:
    """Show the dice, and what can be done with them."""
    state: RoundState = track.state
    game: RoundsGame = track.game  # type: ignore[assignment]
    no_throw = game.refusal(state, Roll(()))
    total = sum(state.dice)
    enough = game.beats_opener(state, total) or game.is_all_ones(state.dice)
    return RoundsTrayView(
        seat=state.player,
        phase=find_phase(state, no_throw),
        prompt=say(build_prompt(game, state, table.header.seats[state.player].name)),
        dice=state.dice,
        locked=(),
        rolling=state.rolling,
        rolled=state.rolls_used,
        rolls=1 if state.rolloff else game.max_rolls(state),
        sum=total,
        beats=enough if state.dice and state.phase == FOLLOW else None,
        stands=build_stand_views(game, state),
        roll_refusal=translate_optional(no_throw, say),
    )


def build_stand_views(game: RoundsGame, state: RoundState) -> tuple[StandView, ...]:
    """Show the ways to stop throwing."""
    return tuple(
        StandView(stand.aim, write_action(state, stand, game.rules.dice))
        for stand in (Stand(), *(Stand(aim) for aim in AIMS))
        if game.refusal(state, stand) is None
    )


def find_phase(state: RoundState, roll_refusal: Phrase | None) -> str:
    """Say what is to be done: throw off a tie, throw, choose whether to throw again, stand, or say real dice."""
    if state.seat == CHANCE:
        return "land"
    if state.rolloff:
        return "rolloff"
    if not state.dice:
        return "throw"
    return "choose" if roll_refusal is None else "stand"


def build_prompt(game: RoundsGame, state: RoundState, name: str) -> Phrase:
    """Say what the player whose turn it is has to do."""
    if state.rolloff:
        return phrase(f"interface.rounds.tied.{state.rolloff.kind}", name=name)
    if state.phase == FOLLOW:
        return phrase(f"interface.rounds.follow.{state.aim}", name=name, target=state.target, n=state.rolls_allowed)
    return phrase("interface.rounds.open", name=name, n=game.rules.rolls)


def list_round_results(track: GameTrack) -> list[tuple[int, RoundResult]]:
    """List what every finished round came to, with its number."""
    return [
        (step.before.rounds, step.after.result)
        for step in track.steps
        if step.after.result and step.after.result is not step.before.result
    ]


def build_round_view(number: int, result: RoundResult, twice: set[tuple[int, int]]) -> RoundView:
    """Show one finished round."""
    corrected = tuple(seat for seat, _ in result.totals if (number, seat) in twice)
    return RoundView(
        number,
        result.opener,
        result.aim,
        result.totals,
        result.loser,
        result.winner,
        result.chip_from,
        result.out,
        corrected,
    )
