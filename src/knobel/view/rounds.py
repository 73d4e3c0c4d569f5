"""What can be seen of a game of rounds: chips and kitty, the opener's total and aim, the dice, the rounds so far."""

from typing import cast

from msgspec import Struct

from knobel.game import CHANCE, Roll, Stand
from knobel.games.round_state import AIMS, FOLLOW, OPEN, START, RoundResult, RoundState
from knobel.games.rounds import RoundsGame
from knobel.notation import write_action
from knobel.phrase import Phrase, phrase
from knobel.record.marks import list_corrected_turns
from knobel.record.track import GameTrack
from knobel.table import Table
from knobel.view.address import address
from knobel.view.sentences import Translate, translate_optional
from knobel.view.steps import describe_lot
from knobel.view.undo import list_undo_seats


class RoundsSeatView(Struct, frozen=True):
    """One player: their chips, their total in this round, whether it beats the opener's, the place they left in.

    A total of real dice that was entered again is `corrected`.
    """

    name: str
    bot: str | None
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
    """A way to stop rolling: what an opener then asks of the others, and the action that says so."""

    aim: str | None
    action: str


class RoundsTrayView(Struct, frozen=True):
    """The dice of whoever's turn it is; `prompt` says what they have to do, `stands` how they may stop.

    `own_prompt` is `prompt` as the player reads it whose turn it is. `asks_rolls`: whoever enters real dice has to say
    in how many rolls.
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
    sum: int
    beats: bool | None
    stands: tuple[StandView, ...]
    roll_refusal: str | None


class TieView(Struct, frozen=True):
    """Who rolls off a tie, what for, and the sums so far."""

    kind: str
    seats: tuple[int, ...]
    sums: tuple[int, ...]


class RoundView(Struct, frozen=True):
    """A round that is over: who opened with which aim, all totals, who took a chip from whom, who left.

    Its number counts void rounds too; `corrected` are the seats whose totals were entered again.
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
    """A game of rounds, the same for everybody; there is no opener while players roll to see who starts.

    `drawn` says who was drawn to start, as long as nothing has been played.
    """

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
    undo: tuple[int, ...]
    waiting: tuple[int, ...]
    drawn: str | None
    places: tuple[tuple[int, ...], ...] | None
    closed: str | None
    practice: bool
    seeded: bool


def find_rounds_game(track: GameTrack) -> RoundsGame:
    """Take the game of a track as the game of rounds it is: the table of families has chosen this module."""
    return cast("RoundsGame", track.game)


def build_rounds_view(table: Table, say: Translate) -> RoundsView:
    replay, header = table.replay, table.header
    track = replay.tracks[0]
    state: RoundState = track.state
    outcome = replay.outcome
    corrected = list_corrected_turns(replay)
    return RoundsView(
        game=header.game,
        ply=replay.ply,
        count=replay.count,
        head=table.head,
        round=max(1, state.rounds),
        seats=tuple([build_seat_view(table, seat, corrected) for seat in range(len(header.seats))]),
        trays=(build_tray_view(track, table, say),) if state.seat is not None else (),
        opener=None if state.phase == START or state.seat is None else state.opener,
        aim=state.aim,
        target=state.target if state.aim else None,
        kitty=state.kitty,
        tie=TieView(state.rolloff.kind, state.rolloff.seats, state.rolloff.sums) if state.rolloff else None,
        log=tuple([build_round_view(number, result, corrected) for number, result in list_round_results(track)]),
        undo=list_undo_seats(table),
        waiting=tuple(replay.attendance.pending_seeds),
        drawn=translate_optional(describe_lot(table), say),
        places=outcome.places if outcome else None,
        closed=replay.closed.why if replay.closed else None,
        practice=header.practice,
        seeded=header.dice.seed is not None,
    )


def build_seat_view(table: Table, place: int, corrected: set[tuple[int, int]]) -> RoundsSeatView:
    """Show one player; `corrected` are rounds and seats."""
    seat, replay = table.header.seats[place], table.replay
    state: RoundState = replay.state
    total = dict(state.totals).get(place)
    follows = total is not None and place != state.opener and state.aim is not None
    return RoundsSeatView(
        name=seat.name,
        bot=seat.bot,
        away=place in replay.attendance.away,
        stand_in=replay.attendance.stand_ins.get(place),
        left=place in state.quit,
        real_dice=seat.real_dice,
        assisted=place in replay.attendance.assisted,
        ply=replay.ply,
        chips=state.chips[place],
        total=total,
        beats=find_rounds_game(replay.tracks[0]).beats_opener(state, total or 0) if follows else None,
        corrected=total is not None and (state.rounds, place) in corrected,
        place=find_finishing_place(state, place),
    )


def find_finishing_place(state: RoundState, seat: int) -> int | None:
    """Find a player's finishing place; players who share a place have the same number."""
    before = 0
    for group in state.places:
        if seat in group:
            return before + 1
        before += len(group)
    return None


def build_tray_view(track: GameTrack, table: Table, say: Translate) -> RoundsTrayView:
    state: RoundState = track.state
    game = find_rounds_game(track)
    roll_refusal = game.refusal(state, Roll(()))
    total = sum(state.dice)
    enough = game.beats_opener(state, total) or game.is_all_ones(state.dice)
    prompt = build_prompt(game, state, table.header.seats[state.player].name)
    return RoundsTrayView(
        seat=state.player,
        turn=state.turns[state.player],
        phase=find_phase(state, roll_refusal),
        prompt=say(prompt),
        own_prompt=say(address(prompt)),
        dice=state.dice,
        locked=(),
        rolling=state.rolling,
        rolled=state.rolls_used,
        rolls=1 if state.rolloff else game.max_rolls(state),
        asks_rolls=state.phase == OPEN and state.rolloff is None,
        sum=total,
        beats=enough if state.dice and state.phase == FOLLOW else None,
        stands=build_stand_views(game, state),
        roll_refusal=translate_optional(roll_refusal, say),
    )


def build_stand_views(game: RoundsGame, state: RoundState) -> tuple[StandView, ...]:
    return tuple(
        StandView(stand.aim, write_action(state, stand, game.rules.dice))
        for stand in (Stand(), *(Stand(aim) for aim in AIMS))
        if game.refusal(state, stand) is None
    )


def find_phase(state: RoundState, roll_refusal: Phrase | None) -> str:
    """Say what is to be done: roll off a tie, roll, choose whether to roll again, stand, or enter real dice."""
    if state.seat == CHANCE:
        return "land"
    if state.rolloff:
        return "rolloff"
    if not state.dice:
        return "roll"
    return "choose" if roll_refusal is None else "stand"


def build_prompt(game: RoundsGame, state: RoundState, name: str) -> Phrase:
    """Say what the player whose turn it is has to do."""
    if state.rolloff:
        return phrase(f"interface.rounds.tied.{state.rolloff.kind}", name=name)
    if state.phase == FOLLOW:
        return phrase(f"interface.rounds.follow.{state.aim}", name=name, target=state.target, n=state.rolls_allowed)
    return phrase("interface.rounds.open", name=name, n=game.rules.rolls)


def list_round_results(track: GameTrack) -> list[tuple[int, RoundResult]]:
    """List every finished round: its number and what it came to."""
    return [
        (step.before.rounds, step.after.result)
        for step in track.steps
        if step.after.result and step.after.result is not step.before.result
    ]


def build_round_view(number: int, result: RoundResult, twice: set[tuple[int, int]]) -> RoundView:
    corrected = tuple([seat for seat, _ in result.totals if (number, seat) in twice])
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
