"""A score-sheet game from the first roll to the last entry: the rulings of play, one small sentence each."""

from collections.abc import Iterable

import pytest

from knobel.errors import IllegalAction, NoSeatAtTable, WrongPlayerCount
from knobel.game import (
    CHANCE,
    Action,
    Announce,
    EnterDice,
    EnterPoints,
    Land,
    Leave,
    Outcome,
    PendingRoll,
    Roll,
    Score,
    Stand,
    play,
)
from knobel.games.sheet import SheetGame, SheetState
from knobel.games.sheet_state import StartRollOff
from knobel.notation import read_action
from knobel.phrase import Phrase, phrase
from knobel.record.events import Acted, Landed, Seat
from knobel.rules import load_edition
from knobel.table import Table
from tests.support.actions import replay
from tests.support.house_rules import EXAMPLES
from tests.support.played_tables import open_table
from tests.support.rulesets import SHEETS

POKER = str(EXAMPLES / "poker-dice.toml")
FOUR_ROLLS = str(EXAMPLES / "four-rolls.toml")
TWO_DICE = str(EXAMPLES / "two-dice.toml")
KNIFFEL = str(EXAMPLES / "kniffel.toml")
ANY_NUMBER = ("carlit-yatzy", "hasbro-yahtzee", "mb-yahtzee", "tactic-xl-yatzy")


def sheet(
    name: str, text: str | None = None, beginners: Iterable[int] = (), practice: bool = False, **switches: str
) -> SheetGame:
    return SheetGame(load_edition(name).rules(text, switches), frozenset(beginners), practice)


def play_texts(game: SheetGame, state: SheetState, *parts: str | Action) -> SheetState:
    """Play on with actions, or with texts of them."""
    for part in parts:
        for word in part.split() if isinstance(part, str) else [part]:
            state = play(game, state, read_action(state, word) if isinstance(word, str) else word)
    return state


def why(game: SheetGame, state: SheetState, action: str | Action) -> str:
    """Give the last word of the reason why an action is refused; none if it is allowed."""
    refusal = game.refusal(state, read_action(state, action) if isinstance(action, str) else action)
    return refusal.key.split(".")[-1] if refusal else ""


def turn(game: SheetGame, state: SheetState, dice: str, box: str) -> SheetState:
    """Roll these dice at once and write them."""
    return play_texts(game, state, "." * game.rules.dice, f">{dice}", box)


def written(game: SheetGame, state: SheetState, seat: int = 0) -> dict[str, int]:
    pairs = zip(game.rules.boxes, state.columns[seat].entries, strict=True)
    return {box.id: points for box, points in pairs if points is not None}


# Players.


@pytest.mark.parametrize(("seats", "allowed"), [(0, False), (1, False), (2, True), (10, True), (11, False)])
def test_e12_philos_is_for_two_to_ten(seats: int, allowed: bool) -> None:
    assert can_start("philos-yatzi", seats) is allowed


@pytest.mark.parametrize(("seats", "allowed"), [(0, False), (1, False), (2, True), (99, True)])
def test_e12_noris_needs_two(seats: int, allowed: bool) -> None:
    assert can_start("noris-yatzy", seats) is allowed


@pytest.mark.parametrize("name", ANY_NUMBER)
@pytest.mark.parametrize(("seats", "allowed"), [(-1, False), (0, False), (1, True), (2, True), (99, True)])
def test_e11_e12_the_others_are_for_any_number_also_for_one(name: str, seats: int, allowed: bool) -> None:
    assert can_start(name, seats) is allowed


def can_start(name: str, seats: int) -> bool:
    try:
        return len(sheet(name).start(seats).columns) == seats
    except WrongPlayerCount:
        return False


@pytest.mark.parametrize(
    ("name", "seats", "limits"),
    [
        ("philos-yatzi", 11, phrase("rules.players.between", n=10, least=2)),
        ("noris-yatzy", 1, phrase("rules.players.least", n=2)),
    ],
)
def test_a_number_of_players_that_is_refused_is_said_with_the_limits(name: str, seats: int, limits: Phrase) -> None:
    with pytest.raises(WrongPlayerCount) as caught:
        SheetGame(load_edition(name).rules()).start(seats)
    assert caught.value.values == {"n": seats, "limits": limits}


@pytest.mark.parametrize(("name", "seats"), [("philos-yatzi", 1), ("philos-yatzi", 11), ("noris-yatzy", 1)])
def test_e11_outside_the_limits_it_is_practice(name: str, seats: int) -> None:
    assert len(sheet(name, practice=True).start(seats).columns) == seats
    assert table(name, seats).header.practice
    assert not table(name, 2).header.practice


def test_e11_practice_too_needs_somebody() -> None:
    with pytest.raises(WrongPlayerCount):
        sheet("noris-yatzy", practice=True).start(0)


def test_e11_one_player_alone_is_no_practice_where_the_rules_allow_it() -> None:
    assert not any(table(name, 1).header.practice for name in ANY_NUMBER)


def table(name: str, seats: int, own_dice: bool = False) -> Table:
    people = tuple(Seat(f"P{number}", real_dice=own_dice) for number in range(seats))
    return open_table(name, people, typed="s")


@pytest.mark.parametrize("first", [-1, 3, 99])
def test_nobody_begins_who_is_not_there(first: int) -> None:
    with pytest.raises(NoSeatAtTable) as caught:
        sheet("tactic-xl-yatzy").start(3, first)
    assert caught.value.values == {"seat": first + 1, "seats": 3}


# Who begins.


@pytest.mark.parametrize("name", [*SHEETS, POKER])
def test_m8_a_roll_off_only_where_it_is_printed(name: str) -> None:
    state = sheet(name).start(3)
    rolls = {"mb-yahtzee", "hasbro-yahtzee", POKER}
    assert (state.rolloff is not None) is (name in rolls)
    assert state.first == (None if name in rolls else 0)
    assert state.seat == 0


@pytest.mark.parametrize("first", [0, 1, 2])
def test_who_begins_may_be_agreed_and_then_nobody_rolls(first: int) -> None:
    for name in SHEETS:
        state = sheet(name).start(3, first)
        assert (state.seat, state.first, state.rolloff) == (first, first, None)


def test_alone_nobody_rolls_for_the_start() -> None:
    assert sheet("mb-yahtzee").start(1).rolloff is None


def test_the_highest_roll_begins() -> None:
    game = sheet("mb-yahtzee")
    state = play_texts(game, game.start(3), "..... >11111 ..... >66665 ..... >66655")
    assert (state.seat, state.first, state.rolloff) == (1, 1, None)


def test_m8_tied_players_roll_again_until_one_is_highest() -> None:
    game = sheet("mb-yahtzee")
    state = play_texts(game, game.start(4), "..... >66661 ..... >55555 ..... >11111 ..... >55555")
    assert state.rolloff == StartRollOff((0, 1, 3))
    state = play_texts(game, state, "..... >22222 ..... >55555 ..... >66661")
    assert state.rolloff == StartRollOff((1, 3))
    state = play_texts(game, state, "..... >11111 ..... >11112")
    assert (state.seat, state.first, state.rolloff) == (3, 3, None)


def test_everybody_rolls_once_to_see_who_starts_with_all_dice_clockwise() -> None:
    game = sheet("mb-yahtzee")
    state, order = game.start(3), list[int]()
    for _ in range(3):
        order.append(state.player)
        assert why(game, state, Roll((0,))) == "first_roll"
        state = play_texts(game, state, "..... >12345") if len(order) < 3 else play_texts(game, state, "..... >12346")
    assert order == [0, 1, 2]
    assert state.first == 2


@pytest.mark.parametrize("action", [Score("ones"), Announce("ones"), EnterPoints("ones", 3), Stand()])
def test_in_the_roll_off_nothing_is_written_or_announced(action: Action) -> None:
    game = sheet("mb-yahtzee")
    assert why(game, game.start(2), action) == "not_now"
    assert why(game, play_texts(game, game.start(2), "..... >12345"), action) == "not_now"


def test_rolls_to_see_who_starts_cost_nothing_and_leave_nothing_behind() -> None:
    game = sheet("mb-yahtzee")
    state = play_texts(game, game.start(2), "..... >66666 ..... >11111")
    assert (state.dice, state.rolls_used, state.columns) == ((), 0, game.start(2).columns)
    assert why(game, play_texts(game, state, "..... >11111 ..... >11111"), ".....") == ""


def test_roll_offs_count_among_the_rolling_sequences_of_a_seat() -> None:
    game = sheet("mb-yahtzee")
    state, falls = game.start(2), list[PendingRoll | None]()
    for dice in (">12345", ">12345", ">12346", ">12345", ">12345"):
        state = play_texts(game, state, ".....")
        falls.append(game.pending_roll(state))
        state = play_texts(game, state, dice)
    every = (0, 1, 2, 3, 4)
    assert falls == [PendingRoll(seat, turn, 0, every) for seat, turn in ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2))]


@pytest.mark.parametrize("name", SHEETS)
def test_turns_go_clockwise_from_whoever_begins(name: str) -> None:
    game = sheet(name, must_fit="false", order="free")
    state, order = game.start(3, first=1), list[int]()
    while state.seat is not None:
        order.append(state.seat)
        box = game.rules.boxes[state.column.open_boxes[0]].id
        state = turn(game, state, "12346", box)
    assert order == [1, 2, 0] * len(game.rules.boxes)


# Rolling.


def test_e8_the_first_roll_is_with_all_dice() -> None:
    game = sheet("tactic-xl-yatzy")
    assert why(game, game.start(1), Roll((0,))) == "first_roll"
    assert play_texts(game, game.start(1), ".....").rolling == (0, 1, 2, 3, 4)


def test_e8_afterwards_any_dice_are_rolled_also_all_and_also_those_kept_before() -> None:
    game = sheet("tactic-xl-yatzy")
    state = play_texts(game, game.start(1), "..... >14466 ...66 >642")
    assert state.dice == (6, 4, 2, 6, 6)
    assert play_texts(game, state, ".4... >1111").dice == (1, 4, 1, 1, 1)
    assert play_texts(game, state, "..... >12345").dice == (1, 2, 3, 4, 5)


@pytest.mark.parametrize(("name", "roll_count"), [(name, 3) for name in SHEETS] + [(FOUR_ROLLS, 4), (TWO_DICE, 2)])
def test_e8_there_are_so_many_rolls_and_no_more(name: str, roll_count: int) -> None:
    game = sheet(name, order="free")
    state = game.start(2, first=0)
    for count in range(roll_count):
        assert (state.rolls_used, why(game, state, Roll())) == (count, "")
        state = play_texts(game, state, Roll(), Land((1,) * game.rules.dice))
    assert why(game, state, Roll()) == "no_rolls"


def test_e8_one_may_stop_after_any_roll_and_the_last_dice_count() -> None:
    game = sheet("tactic-xl-yatzy")
    state = play_texts(game, game.start(1), "..... >14466 ...66 >666 yatzy")
    assert written(game, state) == {"yatzy": 50}
    assert (state.dice, state.rolls_used) == ((), 0)


@pytest.mark.parametrize("keep", [(5,), (-1,), (0, 0), (0, 1, 2, 3, 4, 5)])
def test_only_dice_that_lie_there_can_be_kept(keep: tuple[int, ...]) -> None:
    game = sheet("tactic-xl-yatzy")
    assert why(game, play_texts(game, game.start(1), "..... >14466"), Roll(keep)) == "no_die"


def test_a_roll_needs_a_die() -> None:
    game = sheet("tactic-xl-yatzy")
    assert why(game, play_texts(game, game.start(1), "..... >14466"), Roll((0, 1, 2, 3, 4))) == "nothing_rolled"


def test_the_tray_keeps_its_places_and_is_never_sorted() -> None:
    game = sheet("tactic-xl-yatzy")
    state = play_texts(game, game.start(1), "..... >63152 6...2 >411")
    assert (state.dice, state.hand) == ((6, 4, 1, 1, 2), (1, 1, 2, 4, 6))


def test_keeps_that_differ_only_in_equal_dice_are_one_move_with_the_lowest_places() -> None:
    game = sheet("tactic-xl-yatzy")
    state = play_texts(game, game.start(1), "..... >66166")
    offered = [move.keep for move in game.legal_moves(state) if isinstance(move, Roll)]
    assert offered == [(), (0,), (2,), (0, 1), (0, 2), (0, 1, 2), (0, 1, 3), (0, 1, 2, 3), (0, 1, 3, 4)]


def test_typed_values_are_found_at_the_lowest_places_or_not_at_all() -> None:
    game = sheet("tactic-xl-yatzy")
    state = play_texts(game, game.start(1), "..... >61661")
    assert game.find_positions(state, (6, 6)) == (0, 2)
    assert game.find_positions(state, (1, 6)) == (0, 1)
    assert game.find_positions(state, ()) == ()
    assert game.find_positions(state, (1, 1, 1)) is None
    assert game.find_positions(state, (5,)) is None
    assert game.find_positions(game.start(1), (6,)) is None


def test_typed_values_take_locked_dice_first() -> None:
    game = sheet("noris-yatzy")
    state = play_texts(game, game.start(2), "..... >61626 ..6.. >6666")
    assert state.dice == (6, 6, 6, 6, 6)
    assert game.find_positions(state, (6, 6)) == (0, 2)


@pytest.mark.parametrize(
    ("dice", "reason"),
    [((1, 2), "land_count"), ((1, 2, 3, 4), "land_count"), ((0, 1, 1), "land_face"), ((7, 1, 1), "land_face")],
)
def test_only_the_dice_rolled_land_with_faces_they_have(dice: tuple[int, ...], reason: str) -> None:
    game = sheet("tactic-xl-yatzy")
    state = play_texts(game, game.start(1), "..... >14466 ...66")
    assert why(game, state, Land(dice)) == reason
    assert why(game, state, Land((1, 1, 1))) == ""


def test_no_dice_land_that_nobody_threw() -> None:
    game = sheet("tactic-xl-yatzy")
    assert why(game, game.start(1), Land((1, 2, 3, 4, 5))) == "not_rolled"


@pytest.mark.parametrize(
    "action", [Roll(), Score("ones"), Announce("ones"), EnterPoints("ones", 3), Leave(0), Leave(1), Stand()]
)
def test_while_dice_fall_everybody_waits(action: Action) -> None:
    game = sheet("tactic-xl-yatzy")
    state = play_texts(game, game.start(2), ".....")
    assert state.seat == CHANCE
    assert why(game, state, action) == "falling"
    assert list(game.legal_moves(state)) == []


def test_a_roll_says_where_its_dice_are_in_the_stream() -> None:
    game = sheet("tactic-xl-yatzy")
    state = turn(game, game.start(2), "12345", "ones")
    assert game.pending_roll(state) is None
    state = play_texts(game, turn(game, state, "12345", "ones"), "..... >14466 .4.6.")
    assert game.pending_roll(state) == PendingRoll(seat=0, turn=1, roll_number=1, positions=(0, 2, 4))


# Locked dice.


def test_n1_dice_that_stay_may_not_be_picked_up_again() -> None:
    game = sheet("noris-yatzy")
    state = play_texts(game, game.start(2), "..... >66142 66... >555")
    assert state.locked == (0, 1)
    assert [why(game, state, roll) for roll in ("..555", "6.555", ".....")] == ["locked"] * 3


def test_n1_further_dice_may_stay_too() -> None:
    game = sheet("noris-yatzy")
    state = play_texts(game, game.start(2), "..... >66142 66... >552 665.. >31")
    assert state.dice == (6, 6, 5, 3, 1)
    offered = [
        move
        for move in game.legal_moves(play_texts(game, game.start(2), "..... >66142 66... >552"))
        if isinstance(move, Roll)
    ]
    assert offered == [Roll((0, 1)), Roll((0, 1, 2)), Roll((0, 1, 4)), Roll((0, 1, 2, 3)), Roll((0, 1, 2, 4))]


def test_n1_nothing_stays_if_nothing_is_kept() -> None:
    game = sheet("noris-yatzy")
    state = play_texts(game, game.start(2), "..... >66142 ..... >66143")
    assert state.locked == ()
    assert why(game, state, "6....") == ""


def test_n1_a_new_turn_begins_with_free_dice() -> None:
    game = sheet("noris-yatzy")
    state = play_texts(game, game.start(2), "..... >66142 66... >555 sixes")
    assert state.locked == ()
    assert why(game, state, ".....") == ""


def test_n1_the_switch_frees_the_dice_and_locks_them_elsewhere() -> None:
    free, locked = sheet("noris-yatzy", locked_dice="false"), sheet("tactic-xl-yatzy", locked_dice="true")
    turn_begun = "..... >66142 66... >555"
    assert why(free, play_texts(free, free.start(2), turn_begun), "..555") == ""
    assert why(locked, play_texts(locked, locked.start(2), turn_begun), "..555") == "locked"


@pytest.mark.parametrize("name", [name for name in SHEETS if name != "noris-yatzy"])
def test_e8_nowhere_else_do_dice_stay(name: str) -> None:
    game = sheet(name)
    assert why(game, play_texts(game, game.start(2, 0), "..... >66142 66... >555"), "..555") == ""


# Announced rows.


def danish(*parts: str | Action, seats: int = 1) -> tuple[SheetGame, SheetState]:
    game = sheet("tactic-xl-yatzy", "da")
    return game, play_texts(game, game.start(seats), *parts)


def test_td1_a_row_is_announced_before_the_first_roll() -> None:
    game, state = danish()
    assert why(game, state, ".....") == "announce_first"
    assert list(game.legal_moves(state)) == [Announce(box.id) for box in game.rules.boxes]
    assert why(game, play_texts(game, state, "!chance"), ".....") == ""


def test_td1_it_cannot_be_changed() -> None:
    game, state = danish("!full_house")
    assert why(game, state, "!sixes") == "announced_late"
    assert why(game, play_texts(game, state, "..... >14466"), "!sixes") == "announced_late"


def test_td1_only_an_open_row_can_be_announced() -> None:
    game, state = danish("!sixes ..... >66123 sixes")
    assert why(game, state, "!sixes") == "filled"
    assert why(game, state, "!eights") == "no_box"


def test_td1_all_three_rolls_serve_it_or_fewer() -> None:
    game, state = danish("!full_house ..... >14466 ...66 >642 6..66 >55")
    assert written(game, play_texts(game, state, "full_house")) == {"full_house": 28}
    game, state = danish("!full_house ..... >66655 full_house")
    assert written(game, state) == {"full_house": 28}


def test_td2_made_it_goes_there_and_nowhere_else() -> None:
    game, state = danish("!sixes ..... >66611")
    refused = {box.id: why(game, state, box.id) for box in game.rules.boxes}
    assert refused == {box.id: "" if box.id == "sixes" else "announced" for box in game.rules.boxes}


def test_td2_a_row_that_was_made_cannot_be_struck() -> None:
    game, state = danish("!sixes ..... >66611")
    assert why(game, state, "/sixes") == "no_cross_out"


def test_td3_missed_it_goes_to_chance_or_is_a_zero_in_any_row() -> None:
    game, state = danish("!yatzy ..... >66611")
    assert written(game, play_texts(game, state, "chance")) == {"chance": 20}
    for box in ("yatzy", "full_house", "sixes"):
        assert written(game, play_texts(game, state, box)) == {box: 0}
        assert written(game, play_texts(game, state, f"/{box}")) == {box: 0}


def test_td1_every_turn_has_its_own_announcement() -> None:
    game, state = danish("!sixes ..... >66611 sixes", seats=2)
    assert state.announced is None
    assert why(game, state, ".....") == "announce_first"


@pytest.mark.parametrize("name", SHEETS)
def test_nothing_is_announced_where_rows_are_free(name: str) -> None:
    game = sheet(name)
    assert why(game, game.start(2, 0), "!ones") == "no_announcing"


# Beginners.


def test_c1_a_beginner_goes_from_top_to_bottom_beside_players_who_choose() -> None:
    game = sheet("carlit-yatzy", beginners=[1])
    expert = play_texts(game, game.start(2), "..... >66661")
    assert [why(game, expert, box) for box in ("ones", "sixes", "yatzy", "chance")] == [""] * 4
    beginner = play_texts(game, turn(game, game.start(2), "66661", "sixes"), "..... >66661")
    assert beginner.seat == 1
    assert [why(game, beginner, box) for box in ("ones", "sixes", "yatzy", "chance")] == ["", *["top_down"] * 3]


def test_c1_a_beginner_fills_all_rows_in_order_chance_fourteenth_and_yatzy_last() -> None:
    game = sheet("carlit-yatzy", beginners=[0])
    state, order = game.start(1), list[str]()
    while state.seat is not None:
        state = play_texts(game, state, "..... >66661")
        (box,) = (move.box for move in game.legal_moves(state) if isinstance(move, Score))
        order.append(box)
        state = play_texts(game, state, box)
    assert order == [box.id for box in game.rules.boxes]
    assert order[13:] == ["chance", "yatzy"]
    assert game.tally(state, 0).total == 1 + 24 + 12 + 18 + 24 + 25


def test_c1_a_beginner_needs_no_announcement() -> None:
    game = sheet("tactic-xl-yatzy", "da", beginners=[0])
    state = game.start(2)
    assert (why(game, state, "!ones"), why(game, state, ".....")) == ("no_announcing", "")
    assert list(game.legal_moves(state)) == [Roll()]
    assert written(game, play_texts(game, state, "ones=3")) == {"ones": 3}
    assert why(game, turn(game, state, "12345", "ones"), ".....") == "announce_first"


def test_c1_a_beginner_writes_real_dice_only_into_the_topmost_row() -> None:
    game = sheet("carlit-yatzy", beginners=[0])
    assert why(game, game.start(1), "ones=3") == ""
    assert why(game, game.start(1), "sixes=18") != ""


# Zeros and strikes.


@pytest.mark.parametrize("name", [name for name in SHEETS if name != "noris-yatzy"])
def test_e9_a_deliberate_zero_is_a_strike(name: str) -> None:
    game = sheet(name)
    state = play_texts(game, game.start(2, 0), "..... >66611")
    assert written(game, play_texts(game, state, "/sixes")) == {"sixes": 0}
    assert written(game, play_texts(game, state, "sixes")) == {"sixes": 18}
    assert written(game, play_texts(game, state, "yatzy")) == {"yatzy": 0}


def test_e9_it_is_refused_where_dice_must_fit() -> None:
    game = sheet("noris-yatzy")
    state = play_texts(game, game.start(2), "..... >66611")
    assert [why(game, state, box) for box in ("/sixes", "/ones", "sixes")] == ["no_cross_out", "no_cross_out", ""]
    assert why(game, state, "/yatzy") == "must_fit"


def test_e9_the_free_choice_of_noris_allows_it() -> None:
    game = sheet("noris-yatzy", must_fit="false")
    state = play_texts(game, game.start(2), "..... >66611")
    assert [why(game, state, box) for box in ("/sixes", "yatzy", "chance")] == [""] * 3


def test_n2_when_nothing_fits_a_zero_may_be_written_or_struck() -> None:
    game = sheet("noris-yatzy", practice=True)
    state = game.start(1)
    for dice, box in (("11122", "ones"), ("66111", "sixes"), ("12346", "small_straight"), ("22345", "twos")):
        state = turn(game, state, dice, box)
    for dice, box in (("33345", "threes"), ("44456", "fours"), ("55561", "fives"), ("66615", "three_of_a_kind")):
        state = turn(game, state, dice, box)
    state = play_texts(game, state, "..... >66115")
    assert why(game, state, "yatzy") == "must_chance"
    state = play_texts(game, state, "chance ..... >66115")
    assert written(game, play_texts(game, state, "/yatzy")) == written(game, play_texts(game, state, "yatzy"))
    assert written(game, play_texts(game, state, "yatzy"))["yatzy"] == 0


def test_e9_m10_a_box_the_rules_name_cannot_be_struck() -> None:
    game = sheet("hasbro-yahtzee")
    state = play_texts(game, turn(game, game.start(1), "66666", "yatzy"), "..... >44444")
    assert why(game, state, "fours") == ""
    assert why(game, state, "/fours") == "no_cross_out"


def test_e9_struck_boxes_are_written_for_good() -> None:
    game = sheet("mb-yahtzee")
    state = play_texts(game, game.start(1), "..... >66611 /sixes ..... >66611")
    assert why(game, state, "sixes") == "filled"


@pytest.mark.parametrize("name", SHEETS)
def test_e17_an_entry_is_final(name: str) -> None:
    game = sheet(name, practice=True)
    state = play_texts(game, turn(game, game.start(1), "66611", "sixes"), "..... >66666")
    assert [why(game, state, box) for box in ("sixes", "/sixes")] == ["filled", "filled"]
    assert written(game, state) == {"sixes": 18}


def test_nothing_is_written_before_a_roll_nor_into_a_box_that_is_not_there() -> None:
    game = sheet("tactic-xl-yatzy")
    assert why(game, game.start(1), "ones") == "roll_first"
    assert why(game, play_texts(game, game.start(1), "..... >12345"), "eights") == "no_box"
    assert why(game, play_texts(game, game.start(1), "..... >12345"), Stand()) == "not_now"


# Further Yahtzees and Yatzis.


def test_m6_each_further_yahtzee_brings_its_prime_wherever_it_is_written() -> None:
    game = sheet("mb-yahtzee")
    state = turn(game, game.start(1), "66666", "yatzy")
    state = turn(game, turn(game, state, "66666", "sixes"), "66666", "large_straight")
    assert written(game, state) == {"yatzy": 50, "sixes": 30, "large_straight": 40}
    assert game.tally(state, 0).extra == 200


def test_m3_m7_a_struck_yahtzee_still_brings_its_prime() -> None:
    game = sheet("mb-yahtzee")
    state = play_texts(game, turn(game, game.start(1), "66666", "yatzy"), "..... >44444 /fours")
    assert (written(game, state)["fours"], game.tally(state, 0).extra) == (0, 100)


def test_m5_a_zero_in_the_yahtzee_box_bars_the_prime() -> None:
    game = sheet("mb-yahtzee")
    state = turn(game, turn(game, game.start(1), "12345", "yatzy"), "44444", "fours")
    assert game.tally(state, 0).extra == 0


def test_m4_a_crossed_out_yahtzee_box_is_a_zero_although_five_alike_came() -> None:
    game = sheet("mb-yahtzee")
    state = turn(game, play_texts(game, game.start(1), "..... >66666 /yatzy"), "44444", "fours")
    assert (written(game, state)["yatzy"], game.tally(state, 0).extra) == (0, 0)


@pytest.mark.parametrize("first", ["yatzy", "sixes", "chance", "/ones", "/yatzy"])
def test_p2_a_turn_that_ended_on_five_alike_counts_wherever_it_went(first: str) -> None:
    game = sheet("philos-yatzi", practice=True)
    state = play_texts(game, game.start(1), "..... >66666", first)
    assert state.columns[0].yatzys == 1


def test_p2_five_alike_that_were_rolled_again_do_not_count() -> None:
    game = sheet("philos-yatzi", practice=True)
    state = play_texts(game, game.start(1), "..... >66666 6666. >1 sixes ..... >55555")
    assert state.columns[0].yatzys == 0
    assert game.list_options(state)["chance"].points == 25


def test_p2_everybody_counts_his_own() -> None:
    game = sheet("philos-yatzi")
    state = play_texts(game, turn(game, game.start(2), "66666", "yatzy"), "..... >55555")
    assert game.list_options(state)["chance"].points == 25


def test_p4_p5_the_third_without_a_place_left_is_a_zero() -> None:
    game = sheet("philos-yatzi", practice=True)
    state = turn(game, turn(game, game.start(1), "66666", "yatzy"), "66666", "chance")
    state = play_texts(game, turn(game, state, "66666", "sixes"), "..... >66666")
    assert written(game, state) == {"yatzy": 50, "chance": 100, "sixes": 30}
    assert written(game, play_texts(game, state, "four_of_a_kind"))["four_of_a_kind"] == 0


# Real dice: points noted that nobody showed us.


@pytest.mark.parametrize(
    ("name", "text", "possible", "impossible"),
    [
        ("tactic-xl-yatzy", "en", ["full_house=28", "yatzy=50", "yatzy=0"], ["full_house=29", "yatzy=55"]),
        ("tactic-xl-yatzy", "en", ["ones=0", "ones=5", "sixes=18"], ["ones=6", "sixes=17", "small_straight=20"]),
        ("carlit-yatzy", "de", ["small_straight=15", "chance=5", "chance=30"], ["chance=4", "chance=31"]),
        ("mb-yahtzee", "fr", ["full_house=25", "chance=30", "large_straight=40"], ["full_house=28", "yatzy=80"]),
        ("philos-yatzi", "de", ["three_of_a_kind=5", "chance=30"], ["three_of_a_kind=4", "chance=100"]),
    ],
)  # fmt: skip
def test_only_points_can_be_noted_that_dice_could_bring(
    name: str, text: str, possible: list[str], impossible: list[str]
) -> None:
    game = sheet(name, text, practice=True)
    assert [why(game, game.start(1), note) for note in possible] == [""] * len(possible)
    assert [why(game, game.start(1), note) for note in impossible] == ["points"] * len(impossible)


def test_noted_points_stand_in_the_column_and_pass_the_turn() -> None:
    game = sheet("tactic-xl-yatzy")
    state = play_texts(game, game.start(2), "full_house=28")
    assert (written(game, state), state.seat, state.turns) == ({"full_house": 28}, 1, (1, 0))


def test_points_are_noted_only_for_dice_we_did_not_see() -> None:
    game = sheet("tactic-xl-yatzy")
    assert why(game, play_texts(game, game.start(1), "..... >66655"), "full_house=28") == "dice_seen"


def test_points_are_entered_only_in_an_open_box_of_the_sheet() -> None:
    game = sheet("tactic-xl-yatzy")
    state = play_texts(game, game.start(1), "full_house=28")
    assert why(game, state, "full_house=28") == "filled"
    assert why(game, state, "eights=8") == "no_box"


def test_n2_nothing_is_noted_that_would_have_had_to_go_elsewhere() -> None:
    game = sheet("noris-yatzy", practice=True)
    state = game.start(1)
    assert [why(game, state, note) for note in ("sixes=18", "yatzy=50")] == ["", ""]
    assert [why(game, state, note) for note in ("sixes=0", "yatzy=0", "three_of_a_kind=0")] == ["points"] * 3
    assert why(game, state, "chance=20") != ""
    upper = play_texts(game, state, "ones=3 twos=6 threes=9 fours=12 fives=15 sixes=18")
    assert why(game, upper, "chance=20") == ""
    assert why(game, upper, "yatzy=0") == "points"
    assert why(game, play_texts(game, upper, "chance=20"), "yatzy=0") == ""


def test_td1_a_noted_turn_is_announced_too() -> None:
    game, state = danish()
    assert why(game, state, "sixes=18") == "announce_first"
    announced = play_texts(game, state, "!sixes")
    assert [why(game, announced, note) for note in ("sixes=18", "sixes=0", "chance=20", "ones=0")] == [""] * 4
    assert [why(game, announced, note) for note in ("ones=3", "sixes=17", "yatzy=80")] == ["points"] * 3


def test_td3_a_noted_miss_brings_chance_only_what_a_miss_can_show() -> None:
    game, state = danish("!sixes")
    assert why(game, state, "chance=25") == ""
    assert why(game, state, "chance=26") == "points"


def test_m6_the_prime_of_a_noted_yahtzee_must_be_said() -> None:
    game = sheet("mb-yahtzee")
    state = play_texts(game, game.start(1), "yatzy=50")
    assert why(game, state, "chance=30") == "extra"
    assert [why(game, state, note) for note in ("chance=30+100", "chance=25", "chance=25+100")] == [""] * 3
    assert [why(game, state, note) for note in ("chance=22+100", "chance=30+50", "ones=4+100")] == [
        "no_extra",
        "extra",
        "no_extra",
    ]
    assert game.tally(play_texts(game, state, "chance=30+100"), 0).extra == 100
    assert game.tally(play_texts(game, state, "chance=25"), 0).extra == 0


def test_m5_without_the_fifty_there_is_no_prime_to_say() -> None:
    game = sheet("mb-yahtzee")
    assert why(game, game.start(1), "chance=30+100") == "no_extra"
    assert why(game, play_texts(game, game.start(1), "yatzy=0"), "chance=30+100") == "no_extra"


def test_m1_a_noted_joker_brings_its_points_only_with_its_prime() -> None:
    game = sheet("mb-yahtzee")
    state = play_texts(game, game.start(1), "yatzy=50 fours=12")
    assert why(game, state, "full_house=25") == ""
    state = play_texts(game, state, "full_house=25+100")
    assert game.tally(state, 0).total == 50 + 12 + 25 + 100


@pytest.mark.parametrize(
    ("note", "yatzys"),
    [("yatzy=50", 1), ("fives=25", 1), ("ones=5", 1), ("chance=30", 1), ("yatzy=0", 0), ("fives=20", 0)],
)
def test_p2_a_noted_yatzi_is_seen_where_nothing_else_brings_its_points(note: str, yatzys: int) -> None:
    game = sheet("philos-yatzi", practice=True)
    assert play_texts(game, game.start(1), note).columns[0].yatzys == yatzys


def test_p2_elsewhere_it_counts_if_one_says_so() -> None:
    game = sheet("philos-yatzi", practice=True)
    state = game.start(1)
    assert play_texts(game, state, "four_of_a_kind=25").columns[0].yatzys == 0
    assert play_texts(game, state, "four_of_a_kind=25*").columns[0].yatzys == 1
    assert play_texts(game, state, "ones=0*").columns[0].yatzys == 1
    assert why(game, state, "four_of_a_kind=24*") == "not_alike"
    assert why(game, state, "large_straight=40*") == "not_alike"


def test_p1_a_noted_second_yatzi_is_worth_100_in_chance() -> None:
    game = sheet("philos-yatzi", practice=True)
    assert why(game, play_texts(game, game.start(1), "four_of_a_kind=25"), "chance=100") == "points"
    state = play_texts(game, game.start(1), "four_of_a_kind=25*")
    assert why(game, state, "chance=30") == "points"
    state = play_texts(game, state, "chance=100")
    assert (written(game, state)["chance"], state.columns[0].yatzys) == (100, 2)


@pytest.mark.parametrize("points", [-1, -30, 10**9])
def test_impossible_numbers_are_refused_like_any_other(points: int) -> None:
    game = sheet("tactic-xl-yatzy")
    assert why(game, game.start(1), EnterPoints("chance", points)) == "points"
    assert why(game, game.start(1), EnterPoints("chance", 20, extra=points)) == "no_extra"


def test_real_dice_are_entered_after_the_last_roll() -> None:
    game = sheet(FOUR_ROLLS)
    state = play(game, game.start(2, 0), EnterDice((6, 1, 6, 2, 6)))
    assert (state.dice, state.rolls_used, state.seat, state.turns) == ((6, 1, 6, 2, 6), 4, 0, (0, 0))
    assert why(game, state, ".....") == "no_rolls"
    assert written(game, play_texts(game, state, "sixes")) == {"sixes": 18}


def test_real_dice_are_entered_without_the_number_of_rolls() -> None:
    game = sheet("tactic-xl-yatzy")
    assert why(game, game.start(2, 0), EnterDice((6, 1, 6, 2, 6), 1)) == "not_now"


def test_real_dice_are_entered_for_the_start_too() -> None:
    game = sheet("mb-yahtzee")
    state = play(game, game.start(2), EnterDice((1, 1, 1, 1, 3)))
    assert (state.rolloff, state.seat, state.turns) == (StartRollOff((0, 1), (7,)), 1, (1, 0))
    state = play(game, state, EnterDice((1, 1, 1, 1, 4)))
    assert (state.rolloff, state.seat, state.first, state.dice, state.turns) == (None, 1, 1, (), (1, 1))


def test_a_person_says_what_real_dice_show() -> None:
    real = table("tactic-xl-yatzy", 2, own_dice=True)
    rolled = real.decide(0, Roll())
    assert rolled.events == (Acted(0, "....."),)
    real.apply(rolled)
    assert real.state.seat == CHANCE
    landed = real.decide(0, Land((6, 6, 6, 5, 5)))
    assert landed.events == (Landed(0, 0, 0, 6, (0, 1, 2, 3, 4), (6, 6, 6, 5, 5), real=True),)
    real.apply(landed)
    assert (real.state.dice, real.state.seat) == ((6, 6, 6, 5, 5), 0)


def test_nobody_says_what_the_dice_of_others_show_nor_what_ours_show() -> None:
    real = table("tactic-xl-yatzy", 2, own_dice=True)
    real.apply(real.decide(0, Roll()))
    ours = table("tactic-xl-yatzy", 2)
    for at, seat in ((real, 1), (ours, 0), (ours, 1)):
        with pytest.raises(IllegalAction) as caught:
            at.decide(seat, Land((6, 6, 6, 6, 6)))
        assert caught.value.values["why"].key == "rules.refusal.not_rolled"  # type: ignore[union-attr]


# Leaving.


def test_e13_the_column_stays_its_open_boxes_count_nothing_and_the_bonus_stays() -> None:
    game = sheet("tactic-xl-yatzy")
    state = game.start(2)
    for dice, box in (("66666", "sixes"), ("55555", "fives"), ("44444", "fours")):
        state = turn(game, turn(game, state, dice, box), "12346", box)
    state = play_texts(game, state, Leave(0))
    assert written(game, state) == {"sixes": 30, "fives": 25, "fours": 20}
    assert game.tally(state, 0).total == 75 + 50


def test_e13_who_left_is_skipped() -> None:
    game = sheet("tactic-xl-yatzy")
    state, order = play_texts(game, game.start(3), Leave(1)), list[int | None]()
    while state.seat is not None:
        order.append(state.seat)
        state = turn(game, state, "12346", game.rules.boxes[state.column.open_boxes[0]].id)
    assert order == [0, 2] * 15


def test_e13_leaving_on_ones_own_turn_passes_it_on_and_clears_the_tray() -> None:
    game = sheet("noris-yatzy")
    state = play_texts(game, game.start(3), "..... >66123 66... >123", Leave(0))
    assert (state.seat, state.player, state.dice, state.rolls_used, state.locked) == (1, 1, (), 0, ())
    assert state.turns == (1, 0, 0)
    game, state = danish("!sixes", Leave(0), seats=2)
    assert (state.seat, state.announced) == (1, None)


def test_e13_leaving_on_anothers_turn_disturbs_nobody() -> None:
    game = sheet("tactic-xl-yatzy")
    state = play_texts(game, game.start(3), "..... >66123")
    after = play_texts(game, state, Leave(2))
    assert (after.seat, after.dice, after.rolls_used, after.rolling) == (0, (6, 6, 1, 2, 3), 1, ())
    assert [game.has_left(after, seat) for seat in range(3)] == [False, False, True]


def test_e13_who_left_cannot_win() -> None:
    game = sheet("tactic-xl-yatzy")
    state = play_texts(game, turn(game, game.start(3), "66666", "yatzy"), Leave(0))
    while state.seat is not None:
        state = turn(
            game, state, "11111" if state.seat == 1 else "22222", game.rules.boxes[state.column.open_boxes[0]].id
        )
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.totals[0] == 50
    assert outcome.places == ((2,), (1,), (0,))


@pytest.mark.parametrize("name", ANY_NUMBER)
def test_e13_the_game_goes_on_for_one_alone(name: str) -> None:
    game = sheet(name)
    state = play_texts(game, game.start(2, 0), Leave(0))
    assert state.seat == 1
    state = turn(game, state, "12346", "ones")
    assert state.seat == 1
    over = play_texts(game, state, Leave(1))
    assert over.seat is None
    assert {why(game, over, action) for action in (Roll(), Leave(0), Land((1,)), Score("chance"))} == {"over"}


@pytest.mark.parametrize("name", ["philos-yatzi", "noris-yatzy", POKER])
def test_e13_the_last_one_left_wins_where_two_are_needed(name: str) -> None:
    game = sheet(name)
    box = game.rules.boxes[0].id
    state = turn(game, game.start(3, 0), "11123", box)
    state = play_texts(game, turn(game, state, "11223", box), Leave(0))
    assert state.seat == 2
    state = play_texts(game, state, Leave(1))
    assert state.seat is None
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.places[0] == (2,)
    assert outcome.totals[2] == 0


def test_e13_in_practice_alone_leaving_is_the_end() -> None:
    game = sheet("philos-yatzi", practice=True)
    state = play_texts(game, turn(game, game.start(1), "11123", "ones"), Leave(0))
    assert game.outcome(state) == Outcome(((0,),), (3,))


def test_e13_leaving_is_final() -> None:
    game = sheet("tactic-xl-yatzy")
    state = play_texts(game, game.start(3), Leave(1))
    assert [why(game, state, Leave(seat)) for seat in (1, 3, -1)] == ["gone", "no_seat", "no_seat"]


ROLLED = "..... >66666 ..... >55555"
"""Two of three have rolled to see who starts: 30 and 25."""


@pytest.mark.parametrize(
    ("rolled", "leaving", "seat", "begins"),
    [
        ("", 0, 1, None),
        ("", 2, 0, None),
        (ROLLED, 2, 0, 0),
        (ROLLED, 0, 2, None),
        (ROLLED, 1, 2, None),
        ("..... >55555 ..... >55555", 2, 0, None),
        ("..... >55555 ..... >55555 ..... >11111", 0, 1, 1),
        ("..... >55555 ..... >55555 ..... >11111", 1, 0, 0),
        ("..... >55555 ..... >55555 ..... >11111", 2, 0, None),
        ("..... >55555 ..... >55555 ..... >11111 ..... >22222", 0, 1, 1),
        ("..... >55555 ..... >55555 ..... >11111 ..... >22222", 1, 0, 0),
        ("..... >55555 ..... >55555 ..... >11111 ..... >22222", 2, 1, None),
    ],
)  # fmt: skip
def test_e13_leaving_during_the_roll_off(rolled: str, leaving: int, seat: int, begins: int | None) -> None:
    game = sheet("mb-yahtzee")
    state = play_texts(game, play_texts(game, game.start(3), rolled), Leave(leaving))
    assert (state.seat, state.player, state.first) == (seat, seat, begins)
    assert (state.rolloff is None) is (begins is not None)


def test_e13_a_roll_off_goes_on_without_the_roll_of_whoever_left() -> None:
    game = sheet("mb-yahtzee")
    state = play_texts(game, game.start(3), ROLLED, Leave(0), "..... >11111")
    assert (state.seat, state.first) == (1, 1)
    assert play_texts(game, state, "..... >12345 ones").seat == 2


def test_e13_a_tie_left_behind_is_rolled_again() -> None:
    game = sheet("mb-yahtzee")
    state = play_texts(game, game.start(4), "..... >55555 ..... >11111 ..... >55555", Leave(3))
    assert (state.rolloff, state.seat, state.rolling, state.turns) == (StartRollOff((0, 2)), 0, (), (1, 1, 1, 0))


def test_e13_the_last_one_of_a_roll_off_begins_or_has_won() -> None:
    game = sheet("mb-yahtzee")
    state = play_texts(game, game.start(3), ROLLED, Leave(0), Leave(1))
    assert (state.seat, state.first, state.rolloff) == (2, 2, None)
    game = sheet(POKER)
    outcome = game.outcome(play_texts(game, game.start(2), "..... >66666", Leave(0)))
    assert outcome == Outcome(((1,), (0,)), (0, 0))


# The end.


def test_nothing_ends_before_every_box_is_filled() -> None:
    game = sheet(TWO_DICE)
    state = game.start(2)
    for _ in range(10):
        assert game.outcome(state) is None
        assert state.seat is not None
        state = turn(game, state, "11", game.rules.boxes[state.column.open_boxes[0]].id)
    assert state.seat is None
    assert game.outcome(state) is not None


@pytest.mark.parametrize(
    "action", [Roll(), Score("odd"), Land((1, 2)), Leave(0), EnterPoints("odd", 4), Announce("odd"), Stand()]
)
def test_when_it_is_over_nothing_is_allowed_any_more(action: Action) -> None:
    game = sheet(TWO_DICE)
    state = play_texts(game, game.start(1), Leave(0))
    assert why(game, state, action) == "over"
    assert list(game.legal_moves(state)) == []


def test_e10_the_highest_total_wins_and_equal_totals_share() -> None:
    game = sheet(TWO_DICE)
    state = game.start(4)
    while state.seat is not None:
        dice = {0: "11", 1: "22", 2: "22", 3: "12"}[state.seat]
        state = turn(game, state, dice, game.rules.boxes[state.column.open_boxes[0]].id)
    assert game.outcome(state) == Outcome(places=((1, 2), (0,), (3,)), totals=(11, 13, 13, 6))


def test_e10_all_may_share() -> None:
    game = sheet(TWO_DICE)
    state = game.start(3)
    while state.seat is not None:
        state = turn(game, state, "22", game.rules.boxes[state.column.open_boxes[0]].id)
    assert game.outcome(state) == Outcome(((0, 1, 2),), (13, 13, 13))


def test_an_action_of_another_family_is_no_state() -> None:
    game = sheet(TWO_DICE)
    with pytest.raises(TypeError) as caught:
        game.apply(game.start(1), Stand("over"))
    assert caught.value.args == (Stand("over"),)


# Several games.


@pytest.mark.parametrize("name", [*SHEETS, KNIFFEL, TWO_DICE])
def test_e15_only_philos_noris_and_who_agrees_on_it_have_an_overall_winner(name: str) -> None:
    agreed = {"philos-yatzi", "noris-yatzy", KNIFFEL}
    assert (load_edition(name).rules().series == "agreed") is (name in agreed)


# The most a game can score, played from the first roll to the last entry.

UPPER = [
    ("11111", "ones"),
    ("22222", "twos"),
    ("33333", "threes"),
    ("44444", "fours"),
    ("55555", "fives"),
    ("66666", "sixes"),
]
ALIKE = [("66666", "three_of_a_kind"), ("66666", "four_of_a_kind")]
MADE = [("66655", "full_house"), ("12345", "small_straight"), ("23456", "large_straight")]
ROWS = [
    *UPPER,
    ("66666", "one_pair"),
    ("66655", "two_pairs"),
    *ALIKE,
    *MADE[1:],
    MADE[0],
    ("66666", "chance"),
    ("66666", "yatzy"),
]
JOKERS = [("66666", box) for _, box in (*ALIKE, *MADE)]

HIGHEST = [
    ("philos-yatzi", "de", 445, [("66666", "yatzy"), ("66666", "chance"), *ALIKE, *UPPER, *MADE]),
    ("mb-yahtzee", "fr", 1575, [("66666", "yatzy"), *UPPER, *JOKERS, ("66666", "chance")]),
    ("hasbro-yahtzee", "en", 1575, [("66666", "yatzy"), *UPPER, *JOKERS, ("66666", "chance")]),
    ("noris-yatzy", "de", 375, [*UPPER, *ALIKE, *MADE, ("66666", "yatzy"), ("66666", "chance")]),
    ("tactic-xl-yatzy", "en", 374, ROWS),
    ("tactic-xl-yatzy", "da", 404, ROWS),
    ("carlit-yatzy", "de", 349, ROWS),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "most", "turns"), HIGHEST, ids=lambda value: str(value)[:20])
def test_the_most_a_game_can_bring_is_reached_by_playing(
    name: str, text: str, most: int, turns: list[tuple[str, str]]
) -> None:
    game = sheet(name, text, practice=True)
    state = game.start(1)
    actions: list[Action] = []
    for dice, box in turns:
        announce: list[Action] = [Announce(box)] if game.rules.order == "announced" else []
        actions += [*announce, Roll(), Land(tuple(map(int, dice))), Score(box)]
    state = replay(game, state, actions)
    assert game.outcome(state) == Outcome(((0,),), (most,))
