"""How a game goes: who may play and who starts, rolling and scoring, leaving, ties and series."""

from knobel.game import Announce, Leave, Roll, Score, play
from knobel.games.sheet import SheetGame, SheetState
from knobel.notation import read_action
from knobel.record.events import Drawn, Record, Seat
from knobel.record.verify import verify
from knobel.rooms.room import NextGame, Room, RoomSeat, Settings, choose_start
from knobel.rules import load_edition
from knobel.rules.column import tally
from knobel.series import Series, SeriesGame, rank_totals
from knobel.table import Table
from tests.support.played_tables import encode_record, open_table, play_game
from tests.support.rulings import ruling
from tests.support.rulings.games import (
    CARLIT,
    HASBRO,
    MB,
    NORIS,
    PHILOS,
    SHEETS,
    TACTIC,
    THREE_OF_EACH,
    can_start,
    find_article,
    options_for,
    outcome_of,
    refusal,
    roll,
    rules_of,
    run_knobel,
    sheet_game,
    take_turn,
)
from tests.support.rulings.page import ROOT

UNSORTED = "65432"
STATIC = ROOT / "src" / "knobel" / "web" / "static"


def after_rolling(game: SheetGame, dice: str = UNSORTED, seats: int = 2) -> SheetState:
    return roll(game, game.start(seats, 0), dice)


# Rolling.


@ruling("E-8", "TA-D26", "TA-D27")
def all_dice_first_then_any_and_stop_at_any_time() -> None:
    for name, text in ((PHILOS, "de"), (MB, "fr"), (TACTIC, "en"), (TACTIC, "uk"), (CARLIT, "de"), (HASBRO, "en")):
        game = sheet_game(name, text)
        start = game.start(2, 0)
        assert refusal(game, start, Roll((0,))) == "first_roll"
        assert refusal(game, start, Score("sixes")) == "roll_first"
        once = roll(game, start, UNSORTED)
        assert refusal(game, once, Roll(())) == ""
        assert refusal(game, once, Score("sixes")) == ""
        twice = roll(game, once, "66", (0, 1, 2))
        assert refusal(game, twice, Roll((3, 4))) == ""
        scored = play(game, roll(game, twice, "111", (3, 4)), Score("sixes"))
        assert game.tally(scored, 0).total == 12


@ruling("N-1", "E-8")
def noris_dice_that_are_kept_stay() -> None:
    game = sheet_game(NORIS)
    kept = roll(game, after_rolling(game), "1111", (0,))
    assert refusal(game, kept, Roll(())) == "locked"
    assert refusal(game, kept, Roll((0, 1))) == ""
    assert refusal(game, roll(game, after_rolling(game), "11111"), Roll(())) == ""
    assert game.tally(play(game, roll(game, kept, "111", (0, 1)), Score("ones")), 0).total == 4
    free = sheet_game(NORIS, locked_dice="false")
    assert refusal(free, roll(free, after_rolling(free), "1111", (0,)), Roll(())) == ""
    locked = sheet_game(CARLIT, locked_dice="true")
    assert refusal(locked, roll(locked, after_rolling(locked), "1111", (0,)), Roll(())) == "locked"


@ruling("NO-D1", "NO-D2")
def noris_has_three_rolls_with_five_dice() -> None:
    game = sheet_game(NORIS)
    third = roll(game, roll(game, after_rolling(game), "11111"), "22222")
    assert len(third.dice) == 5
    assert refusal(game, third, Roll(())) == "no_rolls"


@ruling("PH-D5", "PH-D6")
def the_hint_of_philos_rolls_the_six_or_keeps_the_fours() -> None:
    game = sheet_game(PHILOS, "en")
    rolled = after_rolling(game, "33446")
    house = roll(game, rolled, "4", (0, 1, 2, 3))
    assert game.list_options(house)["full_house"].points == 25
    fours = roll(game, rolled, "444", (2, 3))
    assert (game.list_options(fours)["four_of_a_kind"].points, game.list_options(fours)["yatzy"].points) == (20, 50)


# Scoring.


@ruling("E-9", "T-D2", "M-10")
def a_zero_is_offered_and_asked_about_unless_dice_are_bound() -> None:
    for name in (PHILOS, MB, TACTIC, CARLIT, HASBRO):
        option = options_for(rules_of(name), "11234")["sixes"]
        assert (option.points, option.refusal, option.warn_zero) == (0, None, True)
    for name in (CARLIT, PHILOS):
        said = run_knobel(f"play {name} --player Ann --player Ben --seed s", "r", "x chance", "x chance", "q")[1]
        assert said.index("Type it again if you mean it") < said.index("Ann scores 0 in Chance")
    bound = sheet_game(NORIS)
    assert refusal(bound, after_rolling(bound), Score("sixes", cross_out=True)) == "no_cross_out"
    free = sheet_game(NORIS, must_fit="false")
    assert refusal(free, after_rolling(free), Score("sixes", cross_out=True)) == ""
    danish = sheet_game(TACTIC, "da")
    made = roll(danish, play(danish, danish.start(1), Announce("sixes")), UNSORTED)
    assert refusal(danish, made, Score("sixes", cross_out=True)) == "no_cross_out"
    named = sheet_game(HASBRO)
    used = take_turn(named, named.start(1), "44444", "yatzy")
    assert refusal(named, roll(named, used, "44444"), Score("fours", cross_out=True)) == "no_cross_out"


@ruling("E-17", "PH-D2", "TA-D22")
def an_entry_is_final_but_a_slip_can_be_undone_before_the_next_roll() -> None:
    for name, text in ((NORIS, "de"), (PHILOS, "de"), (TACTIC, "uk")):
        game = sheet_game(name, text)
        state = take_turn(game, game.start(2, 0), "12345", "ones")
        again = roll(game, take_turn(game, state, "12345", "ones"), "11111")
        assert refusal(game, again, Score("ones")) == "filled"
    table = open_table(MB, (Seat("Ann"), Seat("Ben")), typed="undo", first=0)
    act(table, 0, ".....", "chance")
    assert table.decide_undo(0).events
    act(table, 1, ".....")
    assert table.replay.find_last_undoable(0) is None


def act(table: Table, seat: int, *texts: str) -> None:
    for text in texts:
        table.apply(table.decide(seat, read_action(table.state, text)))


@ruling("E-18", "PH-D9", "TA-D10", "TA-D19", "TA-D23", "TA-D32")
def one_box_is_filled_at_the_end_of_each_turn() -> None:
    texts = {PHILOS: ("de", "en", "fr", "es"), TACTIC: ("en", "fr", "it", "ru", "et", "uk", "nl", "pl")}
    for name, printed in texts.items():
        for text in printed:
            game = sheet_game(name, text)
            rolled = roll(game, after_rolling(game), "66666")
            assert rolled.column.open_boxes == game.start(2, 0).column.open_boxes
            scored = play(game, rolled, Score("chance"))
            assert len(scored.columns[0].open_boxes) == len(game.rules.boxes) - 1
            assert scored.player == 1
            later = take_turn(game, scored, "12345", "ones")
            assert refusal(game, roll(game, later, "66666"), Score("chance")) == "filled"


@ruling("M-6")
def the_extra_100_is_counted_separately_without_limit() -> None:
    game = sheet_game(MB)
    state = game.start(1)
    for box in ("yatzy", "fours", "three_of_a_kind", "chance", "ones"):
        state = take_turn(game, state, "44444", box)
    found = tally(game.rules, state.columns[0])
    assert (found.extra, found.upper, found.bonus) == (400, 20, 0)
    assert found.total == found.upper + found.lower + found.extra


@ruling("P-2")
def five_alike_that_were_rolled_again_do_not_count() -> None:
    game = sheet_game(PHILOS)
    again = play(game, roll(game, after_rolling(game, "44444"), "12345"), Score("ones"))
    other = take_turn(game, again, "12345", "ones")
    assert game.list_options(roll(game, other, "44444"))["chance"].points == 20
    ended = take_turn(game, take_turn(game, game.start(2, 0), "44444", "threes"), "12345", "ones")
    assert game.list_options(roll(game, ended, "44444"))["chance"].points == 100


@ruling("P-7", "PH-D4")
def the_second_wurf_is_the_second_yatzi_not_the_second_roll() -> None:
    for text in load_edition(PHILOS).printed:
        game = sheet_game(PHILOS, text)
        second_roll = game.list_options(roll(game, after_rolling(game), "44444"))
        assert (second_roll["yatzy"].points, second_roll["chance"].points) == (50, 20)
        first = take_turn(game, take_turn(game, game.start(2, 0), "44444", "yatzy"), "12345", "ones")
        assert game.list_options(roll(game, first, "44444"))["chance"].points == 100


# Players, and who starts.


@ruling("E-11", "TA-D30")
def one_may_play_alone_where_company_is_not_asked_for() -> None:
    assert all(can_start(TACTIC, 1, text) for text in load_edition(TACTIC).printed)
    assert [can_start(name, 1) for name in (MB, CARLIT, HASBRO, PHILOS, NORIS)] == [True, True, True, False, False]
    for name in (PHILOS, NORIS):
        assert sheet_game(name, practice=True).start(1).player == 0
        assert "practice" in run_knobel(f"play {name} --player Ann", "q")[1].lower()


@ruling("M-10")
def one_may_play_todays_yahtzee() -> None:
    assert can_start(HASBRO, 1)


@ruling("E-12")
def the_limits_are_those_printed() -> None:
    assert [can_start(PHILOS, seats) for seats in (1, 2, 10, 11)] == [False, True, True, False]
    assert [can_start(NORIS, seats) for seats in (1, 2, 99)] == [False, True, True]
    assert all(can_start(name, 99) for name in (MB, TACTIC, CARLIT, HASBRO))
    code, said = run_knobel(f"play {MB} {' '.join(f'--player P{seat}' for seat in range(100))}")
    assert (code, "99" in said) == (2, True)


@ruling("M-8")
def mb_players_roll_off_for_the_start() -> None:
    game = sheet_game(MB)
    state = game.start(3)
    for dice in ("66666", "11111", "66666"):
        state = roll(game, state, dice)
    assert state.rolloff is not None
    assert state.rolloff.seats == (0, 2)
    state = roll(game, roll(game, state, "12345"), "23456")
    assert (state.rolloff, state.player) == (None, 2)


@ruling("E-16")
def the_first_seat_starts_unless_something_else_is_chosen() -> None:
    for name in (NORIS, TACTIC, CARLIT):
        game = sheet_game(name)
        assert (game.start(3).player, game.start(3).rolloff) == (0, None)
        assert game.start(3, roll_off=True).rolloff is not None
        state = game.start(3)
        for seat in (1, 2, 0):
            state = take_turn(game, state, "12345", "ones")
            assert state.player == seat
    assert find_article(PHILOS, "start").variant == "agreed"
    assert [rules_of(name).starts_with_rolloff for name in (MB, HASBRO, PHILOS, NORIS)] == [True, True, False, False]


@ruling("E-16")
def who_starts_is_offered_where_a_game_is_opened() -> None:
    seats = "--player Ann --player Ben --seed s"
    said = {start: run_knobel(f"play {NORIS} {seats} --start {start}", "q")[1] for start in ("first", "roll-off")}
    assert "to see who starts" not in said["first"]
    assert "to see who starts" in said["roll-off"]
    assert "Lots are drawn" in run_knobel(f"play {NORIS} {seats} --start random", "q")[1]
    assert "Who starts?" in run_knobel("", NORIS, "1", "q")[1]


def choose_start_of(settings: Settings, first: int | None = None, games: int = 0) -> tuple[int | None, object]:
    """Say who starts the next game of three players, or how that is found out."""
    seats = tuple(RoomSeat(name, "one") for name in ("Ann", "Ben", "Cid"))
    return choose_start(
        Room("r", "o", settings, NextGame("g", "", ""), seats, totals=((1, 2, 3),) * games, first=first)
    )


@ruling("E-16")
def who_starts_is_offered_in_the_browser_and_on_its_pad() -> None:
    scripts = {name: (STATIC / name).read_text("utf-8") for name in ("play-modes.js", "setup-panel.js")}
    assert [script.count("buildStartChoice(") >= 1 for script in scripts.values()] == [True, True]
    assert 'this.start = "first"' in scripts["play-modes.js"]
    for free in (True, False):
        assert choose_start_of(Settings(NORIS, "de", free=free, start="random")) == (None, "random")
        assert choose_start_of(Settings(NORIS, "de", free=free, start="first"))[0] == 0


@ruling("E-16")
def a_random_start_is_kept_in_the_record_and_verified() -> None:
    table = play_game(NORIS, (Seat("Ann"), Seat("Bot", "greedy"), Seat("Bot 2", "random")), start="random")
    ((place, lot),) = [(place, event) for place, event in enumerate(table.events) if isinstance(event, Drawn)]
    honest = verify(encode_record(table.record), "")
    assert (honest.is_verified, honest.drawn) == (True, lot.seat)
    events = (*table.events[:place], Drawn((lot.seat + 1) % 3), *table.events[place + 1 :])
    forged = verify(encode_record(Record(table.header, events)), "")
    assert (forged.is_verified, forged.event) == (False, place + 1)


@ruling("PH-D11")
def the_players_of_philos_agree_who_starts() -> None:
    game = sheet_game(PHILOS, "en")
    assert [game.start(3, seat).player for seat in range(3)] == [0, 1, 2]
    assert find_article(PHILOS, "start", "en").variant == "agreed"


# The end.


def fill_columns(game: SheetGame, *dice: str) -> SheetState:
    """Play a whole game in which everybody rolls the same dice in every turn."""
    state = game.start(len(dice), 0)
    while state.seat is not None:
        rolled = roll(game, state, dice[state.player])
        box = next(box for box, option in game.list_options(rolled).items() if option.refusal is None)
        state = play(game, rolled, Score(box))
    return state


@ruling("E-10", "MB-D4")
def equal_totals_share_the_place() -> None:
    for name in (MB, PHILOS, TACTIC):
        game = sheet_game(name)
        assert outcome_of(game, fill_columns(game, "12366", "12366", "11112")).places == ((0, 1), (2,))
    played = tuple(SeriesGame(rank_totals(totals), "agreed") for totals in ((200, 100, 100), (100, 200, 90)))
    assert Series(2, 3, "agreed", played).places == ((0, 1), (2,))


@ruling("PH-D10", "CA-D2")
def a_game_has_as_many_turns_as_boxes() -> None:
    for name, text, turns in ((PHILOS, "es", 13), (CARLIT, "it", 15), (CARLIT, "de", 15), (CARLIT, "fr", 15)):
        game = sheet_game(name, text)
        assert fill_columns(game, "12366", "11112").turns == (turns, turns)


@ruling("E-13")
def who_leaves_keeps_the_column_and_cannot_win() -> None:
    game = sheet_game(MB)
    state = game.start(2, 0)
    for box, points in THREE_OF_EACH.items():
        state = take_turn(game, state, str(points // 3) * 3 + ("12" if points > 6 else "66"), box)
        state = take_turn(game, state, "12346", box)
    before = game.tally(state, 0)
    state = play(game, state, Leave(0))
    assert (game.tally(state, 0), before.bonus, state.player) == (before, 35, 1)
    while state.seat is not None:
        state = take_turn(game, state, "12346", game.rules.boxes[state.columns[1].open_boxes[0]].id)
    assert game.tally(state, 0) == before
    assert before.total > game.tally(state, 1).total
    assert outcome_of(game, state).places == ((1,), (0,))


@ruling("E-13")
def the_last_one_left_wins_where_two_are_needed() -> None:
    for name in (PHILOS, NORIS):
        game = sheet_game(name)
        assert outcome_of(game, play(game, game.start(2, 0), Leave(0))).places[0] == (1,)
    for name in (MB, TACTIC, CARLIT, HASBRO):
        game = sheet_game(name)
        assert play(game, game.start(2, 0), Leave(0)).seat == 1


@ruling("E-15", "N-3", "NO-D3")
def the_totals_of_a_series_are_added_up_where_that_is_printed() -> None:
    kinds = {name: rules_of(name).series for name in SHEETS}
    assert {name for name, kind in kinds.items() if kind == "agreed"} == {PHILOS, NORIS}
    results = [rank_totals(totals) for totals in ((200, 150), (100, 201))]
    series = {
        name: Series(2, 2, kinds[name], tuple(SeriesGame(game, kinds[name]) for game in results)) for name in SHEETS
    }
    assert series[NORIS].places == ((1,), (0,))
    assert [series[name].scores for name in (MB, TACTIC, CARLIT, HASBRO)] == [None] * 4


@ruling("E-15")
def the_start_moves_on_by_one_seat() -> None:
    series = Settings(NORIS, "de", games=3)
    assert [choose_start_of(series, first, games=1)[0] for first in range(3)] == [1, 2, 0]


# Beginners.


@ruling("C-1", "CA-D4", "CA-D7")
def beginners_fill_the_sheet_from_the_top_down() -> None:
    game = sheet_game(CARLIT, order="top_down")
    order = [box.id for box in game.rules.boxes]
    assert (len(order), order[13], order[14]) == (15, "chance", "yatzy")
    state = game.start(1)
    for box in order:
        rolled = roll(game, state, "44444")
        assert [one for one, option in game.list_options(rolled).items() if option.refusal is None] == [box]
        assert refusal(game, rolled, Roll(())) == ""
        state = play(game, rolled, Score(box))
    assert (state.seat, state.columns[0].entries[0]) == (None, 0)
    assert rules_of(CARLIT).order == "free"
    beside = SheetGame(rules_of(CARLIT), frozenset((0,)))
    mixed = roll(beside, beside.start(2, 0), UNSORTED)
    assert refusal(beside, mixed, Score("sixes")) != ""
    assert refusal(beside, roll(beside, play(beside, mixed, Score("ones")), UNSORTED), Score("sixes")) == ""
    assert "Ann" in run_knobel(f"play {CARLIT} --player Ann --player Ben --beginner Ann", "q")[1]
