"""What anything that can be plugged in must keep to: every game, every bot, the table, the dice."""

import hashlib
import hmac
import struct
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from knobel import fair
from knobel.bots import Bot, load_bot
from knobel.bots.families import FAMILIES as BOT_FAMILIES
from knobel.errors import IllegalAction, KnobelError, StaleRequest, UnknownBot
from knobel.game import CHANCE, Action, Announce, EnterPoints, Game, Land, Leave, Move, Roll, Score, Stand, play
from knobel.games.families import build_game
from knobel.games.sheet import SheetGame, SheetState
from knobel.host.room_setup import draw_next_game
from knobel.notation import read_action, write_action
from knobel.phrase import Phrase
from knobel.record.events import Acted, Closed, Event, Landed, Seat, Seeds, Undone
from knobel.record.track import Step
from knobel.rooms.intents import ChangeSettings
from knobel.rooms.room import build_settings, resolve_rules
from knobel.rules import edition_ids, load_edition
from knobel.table import Table
from tests.support.actions import replay
from tests.support.played_tables import is_closed, open_table
from tests.support.rulesets import REPRESENTATIVE, list_rulesets
from tests.support.selection import mostly_rest

RULESETS = list_rulesets()
SHORT = next(label for label in RULESETS if label.startswith("two-dice "))


def chance(*seed: object) -> Random:
    return Random(repr(seed))


def fallen(game: Game[Any], state: Any, random: Random) -> Land:
    """Let dice fall, all alike more often than luck would have it."""
    fall = game.pending_roll(state)
    assert fall is not None
    dice = [random.randint(1, game.rules.faces) for _ in fall.positions]
    return Land(tuple(dice[:1] * len(dice) if random.random() < 0.3 else dice))


# Games.

GAMES = {label: (rules.as_dict, 1) for label, rules in RULESETS.items()} | {
    f"{name} {text} of {seats}": (load_edition(name).rules(text).as_dict, seats)
    for name in edition_ids()
    if load_edition(name).family == "rounds"
    for text in load_edition(name).printed
    for seats in (2, 3, 5)
}
ROUNDS = "carlit-chicago de of 3"
MOST_ACTIONS = 5000


@pytest.mark.parametrize("label", mostly_rest(GAMES, *REPRESENTATIVE, ROUNDS))
def test_a_game_answers_its_questions_alike_in_every_state(label: str) -> None:
    form, seats = GAMES[label]
    game, random = build_game(form, practice=True), chance(label)
    state, actions = game.start(seats), list[Action]()
    falls = set[tuple[int, int, int]]()
    while state.seat is not None:
        moves = list(game.legal_moves(state))
        falling = game.pending_roll(state)
        assert game.outcome(state) is None
        assert (falling is not None, moves == []) == ((True, True) if state.seat == CHANCE else (False, False))
        if falling:
            assert (falling.seat, falling.turn, falling.roll_number) not in falls
            falls.add((falling.seat, falling.turn, falling.roll_number))
        action = fallen(game, state, random) if falling else random.choice(moves)
        before = repr(state)
        assert game.refusal(state, action) is None
        assert read_action(state, write_action(state, action, game.rules.dice)) == action
        after = game.apply(state, action)
        assert (repr(state), after) == (before, play(game, state, action))
        assert after != state
        actions.append(action)
        state = after
        assert len(actions) < MOST_ACTIONS
    assert (game.pending_roll(state), list(game.legal_moves(state))) == (None, [])
    outcome = game.outcome(state)
    assert outcome is not None
    assert sorted(seat for place in outcome.places for seat in place) == list(range(seats))
    assert replay(game, game.start(seats), actions) == state
    assert game.refusal(state, Roll()) is not None


def two_dice() -> SheetGame:
    return SheetGame(RULESETS[SHORT])


@pytest.mark.parametrize(
    "action", [Roll((1, 2)), Score("nowhere"), Land((1,)), Leave(9), EnterPoints("nowhere", 1), Stand()]
)
def test_a_refusal_is_a_phrase_and_carrying_it_out_raises_it(action: Action) -> None:
    game = two_dice()
    refusal = game.refusal(game.start(1), action)
    assert isinstance(refusal, Phrase)
    with pytest.raises(IllegalAction) as caught:
        play(game, game.start(1), action)
    assert caught.value.values["why"] == refusal


def test_a_state_cannot_be_changed() -> None:
    state = two_dice().start(1)
    for name in ("seat", "dice", "columns"):
        with pytest.raises(AttributeError):
            setattr(state, name, None)
    with pytest.raises(AttributeError):
        setattr(state.columns[0], "entries", ())  # noqa: B010


def test_equal_states_are_equal_and_can_be_looked_up() -> None:
    game = two_dice()
    assert {game.start(2): "here"}[game.start(2)] == "here"
    assert game.start(2) != game.start(3)


# Bots.

KNOWN = BOT_FAMILIES["sheet"].kinds
READERS = [name for name, kind in KNOWN.items() if kind.needs]
"""Bots that open a book: it takes seconds to write one, so they play the games with the smallest books."""
SMALL = (SHORT, f"{SHORT} order=announced")
QUICK = [name for name in KNOWN if name not in READERS]


def name_bot(kind: str) -> str:
    """Name a bot as players do."""
    return f"{kind}:{KNOWN[kind].levels[0]}" if KNOWN[kind].has_level else kind


@pytest.mark.parametrize("label", mostly_rest(RULESETS, *REPRESENTATIVE))
@pytest.mark.parametrize("name", QUICK)
def test_a_bot_answers_every_state_with_a_legal_move_and_changes_nothing(name: str, label: str) -> None:
    contract_of_a_bot(name, label)


@pytest.mark.solve
@pytest.mark.parametrize("label", SMALL)
@pytest.mark.parametrize("name", READERS)
def test_a_bot_with_a_book_does_so_too(
    name: str, label: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "books"))
    contract_of_a_bot(name, label)


def contract_of_a_bot(name: str, label: str) -> None:
    """Let a bot play both seats of a game, one of them as a beginner."""
    game, random, ask = (
        SheetGame(RULESETS[label], frozenset({1}), practice=True),
        chance(name, label),
        load_bot(name_bot(name), "sheet"),
    )
    state = game.start(2)
    for _ in range(2 * len(game.rules.boxes) * (2 * game.rules.rolls + 2) + 50):
        if state.seat is None:
            break
        if state.seat == CHANCE:
            state = play(game, state, fallen(game, state, random))
            continue
        move = ask_bot(ask, game, state, random)
        assert game.refusal(state, move) is None
        state = play(game, state, move)
    assert state.seat is None


def ask_bot(ask: Bot, game: SheetGame, state: SheetState, random: Random) -> Move:
    """Ask a bot; it must not touch the state, and must answer alike if it has the same luck."""
    before, luck = repr(state), random.getstate()
    move = ask(game, state, random)
    assert repr(state) == before
    if state.rolls_used == 1:
        after = random.getstate()
        random.setstate(luck)
        assert ask(game, state, random) == move
        assert random.getstate() == after
    assert isinstance(move, Announce | Roll | Score | Stand)
    return move


@pytest.mark.parametrize("name", ["", "perfekt", "RANDOM", "random:3"])
def test_a_bot_nobody_knows_is_refused_and_the_ones_it_names_are_there(name: str) -> None:
    with pytest.raises(UnknownBot) as caught:
        load_bot(name, "sheet")
    known = caught.value.values["known"]
    assert isinstance(known, tuple)
    assert [callable(load_bot(str(one), "sheet")) for one in known] == [True] * len(KNOWN)


def test_the_random_bot_does_anything_and_the_greedy_one_does_well() -> None:
    game = SheetGame(load_edition("tactic-xl-yatzy").rules())
    totals = {
        name: sum(alone(game, load_bot(name, "sheet"), chance(number)) for number in range(8))
        for name in ("greedy", "random")
    }
    assert totals["greedy"] > 1.5 * totals["random"]


def alone(game: SheetGame, ask: Bot, random: Random) -> int:
    state = game.start(1)
    while state.seat is not None:
        action = fallen(game, state, random) if state.seat == CHANCE else ask(game, state, random)
        state = play(game, state, action)
    return game.tally(state, 0).total


# The table.


def table(name: str = "tactic-xl-yatzy", text: str | None = None, seats: int = 2, own: bool = False) -> Table:
    people = tuple(Seat(f"P{number}", real_dice=own) for number in range(seats))
    return open_table(name, people, typed="contract", text=text, first=0)


def do(at: Table, action: Action, seat: int | None = None) -> tuple[Event, ...]:
    """Let a seat do something, the one whose turn it is unless another is named."""
    decision = at.decide(at.state.player if seat is None else seat, action)
    at.apply(decision)
    return decision.events


def assert_refused(at: Table, action: Action, seat: int | None = None) -> str:
    """Insist on a refusal that changes nothing, and give the last word of its reason."""
    before = at.record, at.state
    with pytest.raises(IllegalAction) as caught:
        at.decide(at.state.player if seat is None else seat, action)
    assert (at.record, at.state) == before
    reason = caught.value.values["why"]
    assert isinstance(reason, Phrase)
    return reason.key.split(".")[-1]


def busy(at: Table) -> Iterator[Action]:
    """Walk a table through some of everything."""
    yield from (Roll(), Roll((0, 2)), Score("chance"), Roll(), Score("ones"), Roll(), Roll((1,)), Roll((0, 1)))
    yield from (Score("sixes"), Leave(1), Roll(), Score("yatzy"))


def test_deciding_changes_nothing_and_always_says_the_same() -> None:
    at, heard = table(), list[Step]()
    at.listeners.append(heard.append)
    for action in busy(at):
        heard.clear()
        seat = action.seat if isinstance(action, Leave) else at.state.player
        before = at.record, at.state, at.replay.count, len(at.replay.steps)
        decision = at.decide(seat, action)
        assert at.decide(seat, action) == decision
        assert (at.record, at.state, at.replay.count, len(at.replay.steps)) == before
        assert heard == []
        assert at.apply(decision) == decision.steps == tuple(heard)
        assert at.record.events[-len(decision.events) :] == decision.events
        with pytest.raises(StaleRequest):
            at.apply(decision)


def test_listeners_hear_each_step_with_what_was_before_and_after() -> None:
    at, heard = table(), list[Step]()
    at.listeners.append(heard.append)
    start = at.state
    do(at, Roll())
    assert [step.number for step in heard] == [1, 2]
    assert [type(step.action) for step in heard] == [Roll, Land]
    assert (heard[0].before, heard[0].after, heard[1].after) == (start, heard[1].before, at.state)


@pytest.mark.parametrize("seat", [1, 2, -1, 99])
@pytest.mark.parametrize("action", [Roll(), Score("ones"), Announce("ones"), EnterPoints("ones", 3), Stand(), Leave(0)])
def test_another_seat_is_refused(seat: int, action: Action) -> None:
    assert assert_refused(table(), action, seat) == ("not_your_turn" if seat == 1 else "no_seat")


def test_nobody_is_taken_out_by_somebody_else_but_anybody_may_leave_at_any_time() -> None:
    at = table(seats=3)
    assert assert_refused(at, Leave(1), 2) == "not_your_turn"
    assert do(at, Leave(2), 2) == (Acted(2, "leave 3"),)
    assert at.state.seat == 0


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_is_not_there_cannot_leave(seat: int) -> None:
    assert assert_refused(table(), Leave(seat), seat) == "no_seat"


def test_what_the_rules_refuse_the_table_refuses() -> None:
    at = table()
    assert assert_refused(at, Score("ones")) == "roll_first"
    assert assert_refused(at, Roll((0,))) == "first_roll"
    do(at, Roll())
    assert assert_refused(at, Roll((9,))) == "no_die"
    assert assert_refused(at, Land((1, 2, 3, 4, 5))) == "not_rolled"


def test_our_dice_are_those_of_their_address_and_nothing_else() -> None:
    at = table()
    server, rules_hash = bytes.fromhex(at.server_seed), bytes.fromhex(at.game.rules.fingerprint)
    key = fair.derive_dice_key(at.header.game, rules_hash, server, [])
    landed = [event for action in busy(at) for event in do(at, action, leaver(action)) if isinstance(event, Landed)]
    assert len(landed) == 7
    for event in landed:
        values = fair.roll(key, event.seat, event.turn, event.roll, 5, event.faces)
        assert event.dice == tuple(values[place] for place in event.positions)
        assert not event.real
    assert at.header.dice.commitment == fair.commit_server_seed(at.header.game, rules_hash, server).hex()


def leaver(action: Action) -> int | None:
    return action.seat if isinstance(action, Leave) else None


def test_no_address_is_used_twice_and_all_positions_are_named() -> None:
    at = table()
    landed = [event for action in busy(at) for event in do(at, action, leaver(action)) if isinstance(event, Landed)]
    addresses = [(event.seat, event.turn, event.roll) for event in landed]
    assert addresses == [(0, 0, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 1, 1), (0, 1, 2), (0, 2, 0)]
    assert [event.positions for event in landed[:2]] == [(0, 1, 2, 3, 4), (1, 3, 4)]


def test_an_entry_can_be_undone_until_the_next_dice_fall() -> None:
    at = table()
    do(at, Roll())
    before = at.state
    do(at, Score("chance"))
    assert at.decide_undo().events == (Undone(3),)
    at.apply(at.decide_undo())
    assert at.state == before
    do(at, Score("ones"))
    do(at, Roll())
    with pytest.raises(IllegalAction):
        at.decide_undo()


def test_taking_back_never_gives_other_dice() -> None:
    straight, back = table(), table()
    for at in (straight, back):
        do(at, Roll())
    do(back, Score("chance"))
    back.apply(back.decide_undo())
    assert do(straight, Roll((0,)))[1] == do(back, Roll((0,)))[1]
    for at in (straight, back):
        do(at, Score("chance"))
    back.apply(back.decide_undo())
    do(back, Score("ones"))
    assert do(straight, Roll())[1] == do(back, Roll())[1]


def test_an_announcement_can_be_undone_and_then_the_entry_before_it() -> None:
    at = table(text="da")
    do(at, Announce("chance"))
    do(at, Roll())
    before = at.state
    do(at, Score("chance"))
    do(at, Announce("ones"))
    at.apply(at.decide_undo())
    assert at.state.announced is None
    at.apply(at.decide_undo())
    assert at.state == before
    with pytest.raises(IllegalAction):
        at.decide_undo()


def test_points_entered_can_be_undone() -> None:
    at = table(own=True)
    start = at.state
    do(at, EnterPoints("full_house", 28))
    at.apply(at.decide_undo())
    assert at.state == start


@pytest.mark.parametrize("actions", [(), (Roll(),), (Roll(), Score("ones"), Leave(0))], ids=str)
def test_rolls_and_leaving_cannot_be_undone(actions: tuple[Action, ...]) -> None:
    at = table(seats=3)
    for action in actions:
        do(at, action, leaver(action))
    with pytest.raises(IllegalAction):
        at.decide_undo()


def test_the_wrong_step_cannot_be_undone() -> None:
    at = table()
    do(at, Roll())
    do(at, Score("ones"))
    before = at.record, at.state
    for number in (0, 1, 2, 4, 99):
        with pytest.raises(KnobelError):
            at.apply_events((Undone(number),))
        assert (at.record, at.state) == before


def test_real_dice_are_awaited_and_then_go_on() -> None:
    at = table(own=True)
    assert do(at, Roll()) == (Acted(0, "....."),)
    assert at.state.seat == CHANCE
    assert assert_refused(at, Land((1, 2, 3, 4, 5)), 1) == "not_rolled"
    assert assert_refused(at, Land((1, 2, 3, 4))) == "land_count"
    assert assert_refused(at, Land((1, 2, 3, 4, 7))) == "land_face"
    (landed,) = do(at, Land((6, 5, 4, 3, 2)))
    assert isinstance(landed, Landed)
    assert landed.real
    assert at.state.dice == (6, 5, 4, 3, 2)


@pytest.mark.parametrize("action", [Roll(), Score("ones"), EnterPoints("ones", 3)])
def test_while_real_dice_are_awaited_one_hears_that_they_are(action: Action) -> None:
    at = table(own=True)
    do(at, Roll())
    assert assert_refused(at, action) == "falling"
    assert assert_refused(at, action, 1) == "not_your_turn"


def test_a_table_opened_from_its_events_stands_where_it_stood() -> None:
    at = table()
    for action in busy(at):
        do(at, action, leaver(action))
        again = Table(at.header, at.server_seed, tuple(at.events))
        assert (again.state, again.record, again.head) == (at.state, at.record, at.head)
    assert again.decide(0, Roll()) == at.decide(0, Roll())


def test_the_end_shows_the_seeds_and_nothing_comes_after_it() -> None:
    at = table(seats=1)
    with pytest.raises(KnobelError):
        at.apply_events((Closed(Seeds(at.server_seed)),))
    do(at, Leave(0))
    at.apply(at.decide_end())
    assert at.record.events[-1] == Closed(Seeds(at.server_seed))
    assert is_closed(at.record)
    assert assert_refused(at, Roll()) == "over"
    with pytest.raises(IllegalAction):
        at.decide_undo()


SETTINGS = build_settings(ChangeSettings("tactic-xl-yatzy"))
SEEDED = build_settings(ChangeSettings("tactic-xl-yatzy"), "x")


def test_seeds_without_a_given_one_are_never_the_same() -> None:
    coming = [draw_next_game(SETTINGS, 1) for _ in range(20)]
    assert len({each.game for each in coming}) == len({each.seed for each in coming}) == 20
    assert all(len(bytes.fromhex(each.seed)) == fair.SEED_BYTES for each in coming)


def test_what_is_promised_is_the_seed_for_this_game_and_these_rules() -> None:
    rules_hash = bytes.fromhex(resolve_rules(SETTINGS).fingerprint)
    for each in (draw_next_game(SETTINGS, 1), draw_next_game(SEEDED, 2)):
        assert each.commitment == fair.commit_server_seed(each.game, rules_hash, bytes.fromhex(each.seed)).hex()


def test_a_given_seed_is_repeatable_and_another_for_each_game_and_each_ruleset() -> None:
    assert draw_next_game(SEEDED, 1) == draw_next_game(SEEDED, 1)
    others = [
        build_settings(ChangeSettings("noris-yatzy"), "x"),
        build_settings(ChangeSettings("tactic-xl-yatzy"), "y"),
    ]
    assert len({draw_next_game(each, number).game for each in (SEEDED, *others) for number in (1, 2)}) == 6


# Fair dice, scheme knobel-dice-1; its printed vectors are in test_fair.py.

SERVER = bytes(range(32))
RULES_HASH = hashlib.sha256(b"rules").digest()
CLIENTS = [b"\xaa" * 32, b"\xbb" * 32]
KEY = bytes.fromhex("ba1694499c05b6e8b91bfdf82189f6793f8ae5c7bff6e5fc0157fab6803e51b7")


def test_the_scheme_has_its_name_and_its_length_of_seeds() -> None:
    assert (fair.SCHEME, fair.SEED_BYTES) == ("knobel-dice-1", 32)


def test_different_fields_never_join_alike() -> None:
    lists = [[], [b""], [b"", b""], [b"a"], [b"a", b""], [b"", b"a"], [b"ab"], [b"a", b"b"], [b"\x00"], [b"\x00\x00"]]
    assert len({fair.pack(*fields) for fields in lists}) == len(lists)


def by_the_book(key: bytes, seat: int, turn: int, number: int, dice: int, faces: int) -> tuple[int, ...]:
    """Draw a roll by the written scheme, in another way than the server does."""
    values: list[int] = []
    for block in range(1000):
        message = b"yz-roll-v1" + struct.pack(">5I", seat, turn, number, faces, block)
        for byte in hmac.new(key, message, hashlib.sha256).digest():
            if byte < 256 - 256 % faces:
                values.append(1 + byte % faces)
            if len(values) == dice:
                return tuple(values)
    raise AssertionError(values)


def test_a_stranger_draws_the_same_dice() -> None:
    random = chance("stranger")
    for _ in range(500):
        key = random.randbytes(32)
        address = random.randrange(99), random.randrange(60), random.randrange(6)
        dice, faces = random.randint(1, 8), random.randint(2, 12)
        assert fair.roll(key, *address, dice, faces) == by_the_book(key, *address, dice, faces)


def test_a_long_roll_goes_on_in_the_next_block() -> None:
    assert fair.roll(KEY, 0, 0, 0, 200) == by_the_book(KEY, 0, 0, 0, 200, 6)
    assert fair.roll(KEY, 0, 0, 0, 200)[:5] == (3, 3, 1, 6, 3)


def test_every_part_of_the_address_and_every_seed_matters() -> None:
    twenty = [fair.roll(KEY, *address, 20) for address in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))]
    assert len({*twenty, fair.roll(KEY, 0, 0, 0, 20, 5)}) == 5
    keys = {
        fair.derive_dice_key("G-TEST-1", RULES_HASH, SERVER, CLIENTS),
        fair.derive_dice_key("G-TEST-1", RULES_HASH, SERVER, CLIENTS[::-1]),
        fair.derive_dice_key("G-TEST-1", RULES_HASH, SERVER, CLIENTS[:1]),
        fair.derive_dice_key("G-TEST-1", RULES_HASH, SERVER[::-1], CLIENTS),
        fair.derive_dice_key("G-TEST-1", SERVER, SERVER, CLIENTS),
        fair.derive_dice_key("G-TEST-2", RULES_HASH, SERVER, CLIENTS),
    }
    assert len(keys) == 6
