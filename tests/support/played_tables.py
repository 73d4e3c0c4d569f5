"""Whole games at a table for the tests: people with sealed seeds, bots, real dice, free columns, comings and goings."""

import hashlib
from random import Random
from typing import Any, Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from knobel import fair
from knobel.bots import load_bot
from knobel.game import CHANCE, Land, Leave, Move
from knobel.notation import read_action
from knobel.record.chain import encode_header, hash_line, link_events
from knobel.record.events import (
    Away,
    Back,
    Closed,
    DiceSource,
    Header,
    Record,
    Revealed,
    Seat,
    SeriesPosition,
    StandIn,
    StartedWithout,
)
from knobel.record.file import encode_log
from knobel.record.formats import FORMAT, FORMATS
from knobel.record.track import GameTrack
from knobel.record.turns import list_entries
from knobel.rooms.room import describe_edition
from knobel.rules import load_edition
from knobel.rules.families import Rules, list_boxes
from knobel.table import Table, decide_lot

PEOPLE = (Seat("Zoë"), Seat("Łukasz"), Seat("Bot", "greedy"))


def seed_of(name: str, whose: object) -> str:
    """Give a seed of a test: always the same for the same game and device."""
    return hashlib.sha256(f"{name} {whose}".encode()).hexdigest()


def open_table(
    name: str = "mb-yahtzee",
    seats: tuple[Seat, ...] = PEOPLE,
    *,
    typed: str | None = None,
    free: bool = False,
    sealed: tuple[int, ...] | None = None,
    text: str | None = None,
    switches: dict[str, str] | None = None,
    first: int | None = None,
    start: Literal["random", "roll_off"] | UnsetType = UNSET,
    duplicate: bool = False,
) -> Table:
    """Open a table: every person’s device has sealed a seed, unless the game is seeded or it is said who has."""
    edition = load_edition(name)
    rules: Rules = edition.rules(text, switches or {})
    server, game = bytes.fromhex(seed_of(name, "server")), seed_of(name, "")[:16]
    if typed is not None:
        server, game = fair.derive_game_seed(typed, 1, bytes.fromhex(rules.fingerprint))
    if sealed is None:
        sealed = () if typed is not None else tuple(place for place, seat in enumerate(seats) if seat.bot is None)
    seals = {seat: fair.commit_client_seed(game, seat, bytes.fromhex(seed_of(name, seat))).hex() for seat in sealed}
    limits = rules.players
    header = Header(
        knobel=FORMAT,
        game=game,
        edition=describe_edition(edition, list_boxes(rules)),
        text=text or edition.default_text,
        switches=switches or {},
        fingerprint=rules.fingerprint,
        seats=seats,
        first=first,
        practice=len(seats) < limits.least or (limits.most is not None and len(seats) > limits.most),
        dice=DiceSource(
            fair.DUPLICATE_SCHEME if duplicate else fair.SCHEME,
            fair.commit_server_seed(game, bytes.fromhex(rules.fingerprint), server).hex(),
            typed,
            seals=seals,
        ),
        evening=SeriesPosition(1, 1),
        rules=rules.as_dict,
        free=free or duplicate,
        start=start,
    )
    return Table(header, server.hex())


def reveal_seeds(table: Table, name: str, silent: tuple[int, ...] = ()) -> None:
    """Let every device show its seed, but for the silent ones."""
    for seat in sorted(table.header.dice.seals, reverse=True):
        table.apply(table.decide_event(StartedWithout(seat) if seat in silent else Revealed(seat, seed_of(name, seat))))
    table.apply(decide_lot(table))


def play_moves(table: Table, random: Random, *, lively: bool = False, most: int = 10_000) -> None:
    """Play to the end or some moves; at a lively table people undo, go away, have stand-ins and come back."""
    family = str(table.header.rules.get("game", "sheet"))
    for _ in range(most):
        going = [track for track in table.replay.tracks if track.state.seat is not None]
        if not going:
            return
        if lively and random.random() < 0.1:
            change_attendance(table, random)
        play_step(table, random.choice(going), family, random)
        if lively and random.random() < 0.2 and table.replay.find_last_undoable() is not None:
            table.apply(table.decide_undo())


def play_step(table: Table, track: GameTrack, family: str, random: Random) -> None:
    """Let whoever comes next do one thing, be it the dice."""
    state, rules = track.state, track.game.rules
    if state.seat == CHANCE:
        roll = track.game.pending_roll(state)
        assert roll is not None
        dice = tuple(random.randint(1, rules.faces) for _ in roll.positions)
        table.apply(table.decide(find_table_seat(track, roll.seat), Land(dice)))
        return
    move: Move = load_bot(random.choice(("random", "greedy")), family)(track.game, state, random)
    table.apply(table.decide(find_table_seat(track, state.seat), move))


def play_bot_step(table: Table, random: Random) -> None:
    """Let the bot whose turn it is do one thing."""
    seat = table.state.seat
    name = table.header.seats[seat].bot
    assert name is not None
    family = str(table.header.rules.get("game", "sheet"))
    table.apply(table.decide(seat, load_bot(name, family)(table.game, table.state, random)))


def find_table_seat(track: GameTrack, seat: int) -> int:
    """Give the seat at the table of a seat in a game."""
    return seat if track.seat is None else track.seat


def change_attendance(table: Table, random: Random) -> None:
    """Let a person go away, be replaced or come back."""
    seat = random.choice([place for place, seat in enumerate(table.header.seats) if seat.bot is None])
    events: list[Away | StandIn | Back] = [Away(seat), StandIn(seat, "greedy"), Back(seat)]
    for event in random.sample(events, 3):
        if table.replay.attendance.refusal(event) is None:
            table.apply(table.decide_event(event))
            return


def play_game(
    name: str = "mb-yahtzee",
    seats: tuple[Seat, ...] = PEOPLE,
    *,
    silent: tuple[int, ...] = (),
    lively: bool = False,
    **options: Any,
) -> Table:
    """Play a whole game; how the table is opened is said as in `opened`."""
    table = open_table(name, seats, **options)
    reveal_seeds(table, name, silent)
    play_moves(table, Random(1), lively=lively)
    table.apply(table.decide_end())
    return table


def apply_actions(table: Table, seat: int, *texts: str) -> None:
    """Let somebody do things, as text."""
    for text in texts:
        table.apply(table.decide(seat, read_action(table.replay.track(seat).state, text)))


def play_score_pad(name: str = "noris-yatzy") -> Table:
    """Play a pad to its end: dice shown, points alone, entries played anyway, corrections, our dice, a bot, undoing."""
    people = (Seat("Zoë", real_dice=True), Seat("Łukasz", real_dice=True, beginner=True), Seat("Ida"))
    table = open_table(name, (*people, Seat("Bot", "greedy")), free=True)
    reveal_seeds(table, name)
    apply_actions(table, 0, "=33555", "full_house", "sixes=24", "~chance=20", "~yatzy=0")
    apply_actions(table, 1, "=11123", "ones", "~sixes=18", "twos=4")
    table.apply(table.decide_undo(1))
    apply_actions(table, 1, "=22345", "twos")
    table.apply(table.decide_correction(0, "sixes", ("=66661", "sixes")))
    table.apply(table.decide_correction(0, "chance", ("~fives=15",)))
    table.apply(table.decide_correction(1, "ones", ("ones=2",)))
    play_moves(table, Random(4))
    last = find_last_entry(table, 0)
    table.apply(table.decide_correction(0, last, (f"~{last}=0",)))
    table.apply(table.decide_end())
    return table


def find_last_entry(table: Table, seat: int) -> str:
    """Name the box a seat has written last."""
    return list_entries(table.replay.track(seat), seat)[-1][1].box


def play_stopped_game(name: str = "mb-yahtzee", moves: int = 25, *, expired: bool = False) -> Table:
    """Play the beginning of a game, let somebody leave, and stop it."""
    table = open_table(name)
    reveal_seeds(table, name)
    play_moves(table, Random(2), most=moves)
    while table.state.seat in (None, CHANCE, 2):
        play_moves(table, Random(3), most=1)
    table.apply(table.decide(table.state.seat, Leave(table.state.seat)))
    table.apply(table.decide_end("expired" if expired else "stopped"))
    return table


def encode_record(record: Record) -> bytes:
    """Write a record as the bytes of a file in its own format; one of format 1, which has no chain, in the newest."""
    header = replace(record.header, dice=replace(record.header.dice, secret=None))
    if not FORMATS[header.knobel].is_chained:
        header = replace(header, knobel=FORMAT)
    first = encode_header(header)
    links, _ = link_events(hash_line(first), record.events, header.knobel)
    return encode_log(first, tuple(seat.name for seat in header.seats), links)


def is_closed(record: Record) -> bool:
    """Tell whether a game was brought to its end."""
    return bool(record.events) and isinstance(record.events[-1], Closed)


def encode_table(table: Table) -> bytes:
    """Write what happened at a table as a record."""
    return encode_record(table.record)
