"""What somebody sees of a game of rounds: chips and kitty, the opener's total and aim, the dice, the rounds so far."""

from msgspec import Struct

from knobel.game import CHANCE, Stand, Throw
from knobel.games.round_state import AIMS, FOLLOW, START, RoundState, Told
from knobel.games.rounds import Rounds
from knobel.notation import write
from knobel.phrase import Phrase, phrase
from knobel.record.lane import Lane
from knobel.room.chairs import Room
from knobel.table import Table
from knobel.view.lobby import Say, said
from knobel.view.sheet import undoable


class PlayerView(Struct, frozen=True):
    """One player: his chips, his total in this round, whether it beats the opener's, the place he left in.

    A total of real dice that was told twice is `corrected`.
    """

    name: str
    bot: str | None
    yours: bool
    away: bool
    stand_in: str | None
    left: bool
    own_dice: bool
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


class HandView(Struct, frozen=True):
    """The dice of whoever's turn it is; `asked` says what he has to do, `stands` how he may stop."""

    seat: int
    phase: str
    asked: str
    dice: tuple[int, ...]
    locked: tuple[int, ...]
    falling: tuple[int, ...]
    thrown: int
    throws: int
    sum: int
    beats: bool | None
    stands: tuple[StandView, ...]
    no_throw: str | None


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
    seats: tuple[PlayerView, ...]
    trays: tuple[HandView, ...]
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


def rounds_view(table: Table, room: Room, owner: str, say: Say) -> RoundsView:
    """Show a game of rounds to a device."""
    replay, header = table.replay, table.header
    lane = replay.lanes[0]
    state: RoundState = lane.state
    outcome = replay.outcome
    twice = replay.told_twice()
    return RoundsView(
        game=header.game,
        ply=replay.ply,
        count=replay.count,
        head=table.head,
        round=max(1, state.rounds),
        seats=tuple(player_view(table, room, owner, seat, twice) for seat in range(len(header.seats))),
        trays=(hand_view(lane, table, say),) if state.seat is not None else (),
        opener=None if state.phase == START or state.seat is None else state.opener,
        aim=state.aim,
        target=state.target if state.aim else None,
        kitty=state.kitty,
        tie=TieView(state.tied.kind, state.tied.seats, state.tied.sums) if state.tied else None,
        log=tuple(round_view(number, told, twice) for number, told in rounds_told(lane)),
        undo=undoable(table, room.seats_of(owner)),
        waiting=tuple(replay.pending),
        places=outcome.places if outcome else None,
        closed=replay.closed.why if replay.closed else None,
        practice=header.practice,
        seeded=header.dice.seed is not None,
    )


def player_view(table: Table, room: Room, owner: str, place: int, twice: set[tuple[int, int]]) -> PlayerView:
    """Show one player; `twice` are the rounds and seats that were corrected."""
    seat, replay = table.header.seats[place], table.replay
    game: Rounds = replay.game  # type: ignore[assignment]
    state: RoundState = replay.state
    total = dict(state.totals).get(place)
    follows = total is not None and place != state.opener and state.aim is not None
    return PlayerView(
        name=seat.name,
        bot=seat.bot,
        yours=place in room.seats_of(owner),
        away=place in replay.away,
        stand_in=replay.stand_ins.get(place),
        left=place in state.quit,
        own_dice=seat.own_dice,
        assisted=place in replay.assisted,
        ply=replay.ply,
        chips=state.chips[place],
        total=total,
        beats=game.beats(state, total or 0) if follows else None,
        corrected=total is not None and (state.rounds, place) in twice,
        place=place_of(state, place),
    )


def place_of(state: RoundState, seat: int) -> int | None:
    """Say in which place somebody left the game; players who share a place have the same number."""
    before = 0
    for group in state.places:
        if seat in group:
            return before + 1
        before += len(group)
    return None


def hand_view(lane: Lane, table: Table, say: Say) -> HandView:
    """Show the dice, and what can be done with them."""
    state: RoundState = lane.state
    game: Rounds = lane.game  # type: ignore[assignment]
    no_throw = game.refusal(state, Throw(()))
    total = sum(state.dice)
    enough = game.beats(state, total) or game.is_all_ones(state.dice)
    return HandView(
        seat=state.player,
        phase=phase_of(state, no_throw),
        asked=say(asked(game, state, table.header.seats[state.player].name)),
        dice=state.dice,
        locked=(),
        falling=state.falling,
        thrown=state.thrown,
        throws=1 if state.tied else game.allowed(state),
        sum=total,
        beats=enough if state.dice and state.phase == FOLLOW else None,
        stands=stands_view(game, state),
        no_throw=said(no_throw, say),
    )


def stands_view(game: Rounds, state: RoundState) -> tuple[StandView, ...]:
    """Show the ways to stop throwing."""
    return tuple(
        StandView(stand.aim, write(state, stand, game.rules.dice))
        for stand in (Stand(), *(Stand(aim) for aim in AIMS))
        if game.refusal(state, stand) is None
    )


def phase_of(state: RoundState, no_throw: Phrase | None) -> str:
    """Say what is to be done: throw off a tie, throw, choose whether to throw again, stand, or say real dice."""
    if state.seat == CHANCE:
        return "land"
    if state.tied:
        return "rolloff"
    if not state.dice:
        return "throw"
    return "choose" if no_throw is None else "stand"


def asked(game: Rounds, state: RoundState, name: str) -> Phrase:
    """Say what the player whose turn it is has to do."""
    if state.tied:
        return phrase(f"interface.rounds.tied.{state.tied.kind}", name=name)
    if state.phase == FOLLOW:
        return phrase(f"interface.rounds.follow.{state.aim}", name=name, target=state.target, n=state.allowed)
    return phrase("interface.rounds.open", name=name, n=game.rules.throws)


def rounds_told(lane: Lane) -> list[tuple[int, Told]]:
    """List what every finished round came to, with its number."""
    return [
        (step.before.rounds, step.after.told)
        for step in lane.steps
        if step.after.told and step.after.told is not step.before.told
    ]


def round_view(number: int, told: Told, twice: set[tuple[int, int]]) -> RoundView:
    """Show one finished round."""
    corrected = tuple(seat for seat, _ in told.totals if (number, seat) in twice)
    return RoundView(
        number, told.opener, told.aim, told.totals, told.loser, told.winner, told.chip_from, told.left, corrected
    )
