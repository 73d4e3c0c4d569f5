"""The pad behind the screens: entries with real dice are offered, added up, against the rules, corrected and kept."""

from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from knobel.dice import all_hands
from knobel.errors import (
    CommandIdReused,
    GameRunning,
    IllegalAction,
    KnobelError,
    NameEmpty,
    NoGameRunning,
    NoSuchSeat,
    NotationError,
    NotInBook,
    RecordIllegalEvent,
    SeatNotYours,
    StaleRequest,
)
from knobel.game import CHANCE, Announce, EnterDice, EnterPoints, Land, Leave, Score, Stand, play
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame, SheetState
from knobel.host.coach_service import CoachService
from knobel.host.continuation import list_actions_until
from knobel.host.decisions import find_bot_seat
from knobel.lang import Translator
from knobel.notation import read_action, write_action
from knobel.paper.chips import ChipTable
from knobel.paper.families import lay_out_game
from knobel.paper.page import PrintedSheets
from knobel.phrase import BoxName, Phrase
from knobel.record.events import Acted, Closed, Corrected, CorrectedTurn, Header, Seat, StartPosition, Undone
from knobel.record.file import parse_record
from knobel.record.replay import replay_record
from knobel.record.replay import set_up_game as set_up
from knobel.record.verify import verify
from knobel.rooms.intents import (
    Act,
    Advance,
    ChangeSettings,
    Correct,
    RealDice,
    RenameSeat,
    Sit,
    SitBot,
    SubstituteBot,
    SwapBoxes,
    Undo,
)
from knobel.rules import load_edition
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import SheetRules
from knobel.table import Table
from knobel.view.narration import narrate
from knobel.view.round_turn import RoundTurnView
from knobel.view.rounds import RoundsView, build_rounds_view
from knobel.view.sheet import OptionView, SheetView, build_sheet_view
from knobel.view.sheet_turn import TurnView
from knobel.view.turns import draw_turn
from knobel.view.undo import list_undo_seats
from tests.coach.test_review import table_of
from tests.support.actions import replay
from tests.support.devices import Device, RunningServer, run_server
from tests.support.hosted_rooms import ANN, BEN, SHORT_GAME, HostedRoom, choose_action, open_host, run_async
from tests.support.played_tables import apply_actions, encode_record, play_bot_step, reveal_seeds
from tests.support.played_tables import open_table as open_free_table
from tests.support.rulesets import list_rulesets
from tests.support.selection import mostly_rest, mostly_solve, rest

RULESETS = list(list_rulesets())
PEOPLE = (Seat("Ann", real_dice=True), Seat("Ben", real_dice=True, beginner=True))
YAHTZEE = list_rulesets()["mb-yahtzee fr"]
PAD = ChangeSettings("mb-yahtzee", free=True)
REAL = ((ANN, Sit("Ann", real_dice=True)), (BEN, Sit("Ben", real_dice=True)))


def view_table(table: Table) -> SheetView:
    """View a table as a spectator does, with message keys for sentences."""
    return build_sheet_view(table, lambda said: said.key)


def why(error: KnobelError) -> str:
    """Give the key of a refusal."""
    said = error.values["why"]
    assert isinstance(said, Phrase)
    return said.key.removeprefix("rules.refusal.")


def assert_refused(table: Table, seat: int, text: str) -> str:
    """Insist that an action is refused, and give the reason."""
    with pytest.raises(IllegalAction) as caught:
        table.decide(seat, read_action(table.replay.track(seat).state, text))
    return why(caught.value)


def alone(rules: SheetRules, *seats: Seat, **how: Any) -> Table:
    """Open a pad on which everybody has a column of their own."""
    return table_of(rules, seats or PEOPLE, free=True, **how)


def any_dice(rules: SheetRules | RoundRules, random: Random) -> str:
    """Roll real dice; all alike are far more frequent than they should be."""
    face = random.randint(1, rules.faces)
    same = random.random() < 0.25
    return "".join(str(face if same else random.randint(1, rules.faces)) for _ in range(rules.dice))


# Adding up.


def choose_entry(table: Table, view: SheetView, seat: int, random: Random) -> tuple[str, str | None, int, int]:
    """Choose an action from what the view offers; for an entry give its box, points and extra too."""
    tray = next(tray for tray in view.trays if tray.seat == seat)
    rules: Any = table.replay.track(seat).game.rules
    anyway = random.random() < 0.2
    choices: list[tuple[str, str | None, int, int]] = []
    for option in tray.options:
        box = option.box
        for value in option.anyway if anyway else option.scores:
            points, extra = worth_of(value)
            choices.append(
                (f"~{box}" if tray.dice else f"~{box}={value}" if anyway else f"{box}={value}", box, points, extra)
            )
        if tray.dice and not option.refusal:
            choices.append((box, box, option.points, option.extra))
            choices += [(f"/{box}", box, 0, option.extra)] if option.can_cross_out else []
        if tray.phase == "announce" and not anyway:
            choices.append((f"!{box}", None, 0, 0))
    if tray.phase == "roll" and (not choices or random.random() < 0.5):
        return f"={any_dice(rules, random)}", None, 0, 0
    return random.choice(choices) if choices else choose_entry(table, view, seat, random)


def worth_of(value: str) -> tuple[int, int]:
    """Read points as they are offered, and their extra."""
    points, _, extra = value.removesuffix("*").partition("+")
    return int(points), int(extra or 0)


def adds_up(view: SheetView, rules: SheetRules, written: list[dict[str, int]], extras: list[int]) -> None:
    """Add up every column by hand, and insist that the view shows just that, and the right ranking at the end."""
    totals = []
    faces = {box.id: box.face or 0 for box in rules.boxes if box.upper}
    for seat, column, extra in zip(view.seats, written, extras, strict=True):
        assert seat.entries == tuple(column.get(box.id) for box in rules.boxes)
        upper = sum(points for box, points in column.items() if box in faces)
        lower = sum(points for box, points in column.items() if box not in faces)
        bonus = gap = 0
        if rules.bonus:
            least = rules.bonus.threshold + (1 if rules.bonus.strict else 0)
            bonus = rules.bonus.points if upper >= least else 0
            reached = sum(face for box, face in faces.items() if box in column)
            gap = upper - round(least * reached / sum(faces.values())) if any(faces.values()) else 0
        assert (seat.upper, seat.bonus_pace, seat.bonus, seat.lower, seat.extra) == (upper, gap, bonus, lower, extra)
        totals.append(upper + bonus + lower + extra)
        assert seat.total == totals[-1]
    full = all(len(column) == len(rules.boxes) for column in written)
    ranks = sorted(set(totals), reverse=True)
    places = tuple(tuple(seat for seat, total in enumerate(totals) if total == rank) for rank in ranks)
    assert view.places == (places if full else None)


@pytest.mark.parametrize("name", mostly_rest(RULESETS[::5], *RULESETS[::25]))
def test_whatever_is_entered_columns_bonus_totals_and_ranking_are_right(name: str) -> None:
    rules, random = list_rulesets()[name], Random(f"pad {name}")
    table = alone(rules)
    written: list[dict[str, int]] = [{}, {}]
    extras, bent, view = [0, 0], Counter[int](), view_table(table)
    while view.trays:
        seat = random.choice(view.trays).seat
        text, box, points, extra = choose_entry(table, view, seat, random)
        apply_actions(table, seat, text)
        view = view_table(table)
        if box is not None:
            assert box not in written[seat]
            written[seat][box] = points
            extras[seat] += extra
            bent[seat] += text.startswith("~")
            adds_up(view, rules, written, extras)
            assert [len(one.against_rules) for one in view.seats] == [bent[0], bent[1]]
    assert view.places
    table.apply(table.decide_end())
    content = encode_record(table.record)
    assert verify(content, name).is_verified
    assert replay_record(table.record).outcome == table.replay.outcome


# What is offered.


def position(rules: SheetRules, random: Random, turns: int) -> Table:
    """Play some turns of a pad for one, and where the rules want it announce the next row."""
    table = alone(rules, Seat("Ann", real_dice=True))
    for _ in range(turns):
        if (column := table.state.column).is_full:
            break
        box = rules.boxes[random.choice(column.open_boxes)].id
        called = [f"!{box}"] if rules.order == "announced" else []
        apply_actions(table, 0, *called, f"={any_dice(rules, random)}", f"~{box}")
    if rules.order == "announced" and table.state.seat is not None:
        apply_actions(table, 0, f"!{rules.boxes[random.choice(table.state.column.open_boxes)].id}")
    return table


def list_scores(game: SheetGame, state: SheetState, box: str, anyway: bool) -> set[tuple[int, int]]:
    """Enter every hand there is, and list what each can score in a box, with its extra."""
    found = set()
    for rolled in all_hands(game.rules.dice, game.rules.faces):
        shown = play(game, state, EnterDice(rolled))
        for cross_out in (False, True):
            fill = Score(box, cross_out, anyway)
            if game.refusal(shown, fill) is None:
                column = game.apply(shown, fill).columns[0]
                found.add((column.entries[game.rules.index[box]] or 0, column.extra - state.column.extra))
    return found


def list_offers(options: tuple[OptionView, ...], box: str) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """List what the view offers in a box: by the rules, and only against them."""
    option = next(option for option in options if option.box == box)
    return {worth_of(value) for value in option.scores}, {worth_of(value) for value in option.anyway}


@pytest.mark.parametrize(
    "name",
    mostly_rest(
        [*RULESETS[3::16], *RULESETS[-11::3], "philos-yatzi de", "hasbro-yahtzee en"],
        RULESETS[-11],
        "hasbro-yahtzee en",
    ),
)
def test_just_what_some_dice_can_bring_is_offered_and_taken(name: str) -> None:
    rules, random = list_rulesets()[name], Random(f"offered {name}")
    few = rules.dice == 2
    for turns in range(len(rules.boxes)) if few else (2, len(rules.boxes) - 3):
        table = position(rules, random, turns)
        game, state = table.game, table.state
        assert isinstance(game, SheetGame)
        options = view_table(table).trays[0].options
        assert [option.box for option in options] == [rules.boxes[place].id for place in state.column.open_boxes]
        for option in options if few else random.sample(options, min(3, len(options))):
            box = option.box
            allowed, bent = list_offers(options, box)
            assert allowed == list_scores(game, state, box, anyway=False)
            assert bent == list_scores(game, state, box, anyway=True) - allowed
            assert (option.refusal is None) == bool(option.scores)
            for points in range(max(point for point, _ in allowed | bent) + 2):
                for extra in (0, 50, 100):
                    plain, anyway = (EnterPoints(box, points, extra, anyway=anyway) for anyway in (False, True))
                    assert (game.refusal(state, plain) is None) == ((points, extra) in allowed)
                    assert (game.refusal(state, anyway) is None) == ((points, extra) in allowed | bent)


def test_a_star_is_offered_where_dice_all_alike_matter_and_cannot_be_seen() -> None:
    rules = load_edition("philos-yatzi").rules()
    table = alone(rules, Seat("Ann", real_dice=True))
    writes = {option.box: option.scores for option in view_table(table).trays[0].options}
    assert writes["fives"] == ("0", "0*", "5", "10", "15", "20", "25")
    apply_actions(table, 0, "fives=0*")
    assert table.state.columns[0].yatzys == 1
    apply_actions(table, 0, "sixes=30")
    assert table.state.columns[0].yatzys == 2
    assert "100" in {option.box: option.scores for option in view_table(table).trays[0].options}["chance"]


def test_a_filled_row_and_points_no_dice_bring_stay_refused_even_anyway() -> None:
    table = alone(load_edition("noris-yatzy").rules(), Seat("Ann", real_dice=True))
    apply_actions(table, 0, "sixes=24")
    assert assert_refused(table, 0, "~sixes=18") == "filled"
    assert assert_refused(table, 0, "~yatzy=49") == "points"
    assert assert_refused(table, 0, "~nothing=1") == "no_box"
    assert assert_refused(table, 0, "ones=0") == "points"
    assert assert_refused(table, 0, "chance=20") == "chance_elsewhere"
    apply_actions(table, 0, "=11116")
    assert assert_refused(table, 0, "chance") == "chance_last_resort"
    assert assert_refused(table, 0, "~sixes") == "filled"
    assert assert_refused(table, 0, "/ones") == "no_cross_out"
    apply_actions(table, 0, "~/ones", "~chance=20")
    assert view_table(table).seats[0].against_rules == ("ones", "chance")


def test_what_the_rules_allow_is_not_marked_as_against_them() -> None:
    table = alone(YAHTZEE, Seat("Ann", real_dice=True))
    apply_actions(table, 0, "~chance=20", "=11116", "~ones")
    assert [event.action for event in table.events if isinstance(event, Acted)] == ["chance=20", "=11116", "ones"]
    called = alone(list_rulesets()["tactic-xl-yatzy da"], Seat("Ann", real_dice=True))
    apply_actions(called, 0, "!yatzy", "=66661", "~sixes")
    assert (called.state.columns[0].entries[5], view_table(called).seats[0].against_rules) == (24, ("sixes",))


# Real dice only.

OWN_ONLY = ("=33555", "fives=15", "~fives=15", "~chance", "~/chance")


def test_only_a_seat_with_real_dice_enters_shows_bends_and_corrects() -> None:
    table = open_free_table("mb-yahtzee", (Seat("Ann"), Seat("Bot", "greedy"), Seat("Cid", real_dice=True)), free=True)
    assert assert_refused(table, 2, "fives=15") == "seeds"
    reveal_seeds(table, "mb-yahtzee")
    apply_actions(table, 0, ".....", "chance")
    for seat in (0, 1):
        for text in OWN_ONLY:
            assert assert_refused(table, seat, text) == "not_real_dice", text
            forged = Acted(seat, text)
            with pytest.raises(RecordIllegalEvent) as caught:
                replay_record(table.record).apply_event(forged)
            assert why(caught.value) == "not_real_dice"
    for seat, reason in ((0, "not_real_dice"), (1, "not_real_dice"), (9, "no_seat")):
        with pytest.raises(RecordIllegalEvent) as caught:
            table.replay.apply_event(Corrected(seat, 0, ("chance=20",)))
        assert why(caught.value) == reason
    with pytest.raises(IllegalAction) as refusal:
        table.decide_correction(0, "chance", ("chance=20",))
    assert why(refusal.value) == "not_real_dice"


def test_dice_are_shown_only_where_none_lie_and_as_many_as_there_are() -> None:
    table = alone(YAHTZEE, Seat("Ann", real_dice=True))
    assert assert_refused(table, 0, "=3355") == "land_count"
    assert assert_refused(table, 0, "=33557") == "land_face"
    assert assert_refused(table, 0, "=33555:2") == "not_now"
    apply_actions(table, 0, ".....")
    assert assert_refused(table, 0, "=33555") == "falling"
    apply_actions(table, 0, ">12345")
    assert assert_refused(table, 0, "=33555") == assert_refused(table, 0, "chance=20") == "dice_seen"
    apply_actions(table, 0, "chance", "=33555")
    assert view_table(table).trays[0].phase == "fill"
    assert assert_refused(table, 0, "33...") == "no_rolls"
    table.apply(table.decide_undo(0))
    assert view_table(table).trays[0].phase == "roll"
    called = alone(list_rulesets()["tactic-xl-yatzy da"], Seat("Ann", real_dice=True))
    assert assert_refused(called, 0, "=33555") == assert_refused(called, 0, "chance=20") == "announce_first"
    assert not any(option.scores for option in view_table(called).trays[0].options)
    apply_actions(called, 0, "!yatzy", "=33555")


def test_who_begins_is_rolled_for_with_shown_dice_too() -> None:
    rules = list_rulesets()["mb-yahtzee fr"]
    table = table_of(rules, (Seat("Ann", real_dice=True), Seat("Ben", real_dice=True)), None)
    assert table.state.rolloff
    apply_actions(table, 0, "=11111")
    assert assert_refused(table, 1, "chance=20") == "not_now"
    apply_actions(table, 1, "=11111")
    assert table.state.rolloff
    apply_actions(table, 0, "=11112")
    table.apply(table.decide_undo(0))
    apply_actions(table, 0, "=11113")
    apply_actions(table, 1, "=66666")
    assert (table.state.rolloff, table.state.player) == (None, 1)
    apply_actions(table, 1, "=66666", "yatzy")
    apply_actions(table, 0, "chance=20")
    table.apply(table.decide_correction(1, "yatzy", ("=66665", "sixes")))
    assert [seat.total for seat in view_table(table).seats] == [20, 24]
    table.apply(table.decide_end())
    assert verify(encode_record(table.record), "").is_verified


# Corrections.


def script(rules: SheetRules, random: Random) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Think of the turns of a whole column, each as it was and as somebody might enter it by mistake."""
    game = SheetGame(rules, practice=True)
    state, turns = game.start(1, 0), list[tuple[tuple[str, ...], tuple[str, ...]]]()
    while state.seat is not None:
        called = (
            [Announce(rules.boxes[random.choice(state.column.open_boxes)].id)] if rules.order == "announced" else []
        )
        before = replay(game, state, called)
        shown = any_dice(rules, random)
        state = play(game, before, read_action(before, f"={shown}"))
        fill = random.choice([move for move in game.legal_moves(state) if isinstance(move, Score)])
        others = [any_dice(rules, random) for _ in range(9)] if random.random() < 0.4 else []
        wrong = [
            dice for dice in others if game.refusal(play(game, before, read_action(before, f"={dice}")), fill) is None
        ]
        announced = [write_action(state, call, rules.dice) for call in called]
        turns.append(((*announced, f"={shown}", fill.box), (*announced, f"={(*wrong, shown)[0]}", fill.box)))
        state = play(game, state, fill)
    return turns


def rows_written(table: Table, scripts: list[list[tuple[str, ...]]], order: list[int]) -> None:
    """Let everybody enter their turns, in some order."""
    going = [iter(turns) for turns in scripts]
    for seat in order:
        apply_actions(table, seat, *next(going[seat]))


@pytest.mark.parametrize("free", [True, False], ids=["free", "in turn"])
@pytest.mark.parametrize(
    "name", ["mb-yahtzee fr", "hasbro-yahtzee en", "noris-yatzy de", "tactic-xl-yatzy da", "two-dice da"]
)
def test_mistakes_that_were_corrected_leave_the_game_as_if_there_had_been_none(name: str, free: bool) -> None:
    rules, random = list_rulesets()[name], Random(f"mistakes {name}")
    scripts = [script(rules, random) for _ in range(2)]
    order = [seat for _ in rules.boxes for seat in (0, 1)]
    if free:
        random.shuffle(order)
    table, other = (table_of(rules, (PEOPLE[0], Seat("Ben", real_dice=True)), 0, free=free) for _ in range(2))
    rows_written(table, [[right for right, _ in turns] for turns in scripts], order)
    rows_written(other, [[wrong for _, wrong in turns] for turns in scripts], order)
    mistakes = [
        (seat, turn, right)
        for seat, turns in enumerate(scripts)
        for turn, (right, wrong) in enumerate(turns)
        if right != wrong
    ]
    random.shuffle(mistakes)
    assert len(mistakes) > 1
    for seat, turn, right in mistakes:
        correction = other.decide_correction(seat, right[-1], right)
        assert correction.events == (Corrected(seat, turn, right),)
        other.apply(correction)
    assert [track.state for track in other.replay.tracks] == [track.state for track in table.replay.tracks]
    assert view_table(other).places == view_table(table).places
    assert sum(len(seat.corrected) for seat in view_table(other).seats) == len(mistakes)
    other.apply(other.decide_end())
    content = encode_record(other.record)
    assert (verify(content, "").is_verified, verify(content, "").corrected_turns) == (True, len(mistakes))
    assert [track.state for track in replay_record(other.record).tracks] == [
        track.state for track in other.replay.tracks
    ]


def test_a_correction_that_makes_a_later_entry_impossible_names_it_and_changes_nothing() -> None:
    table = alone(YAHTZEE, Seat("Ann", real_dice=True))
    apply_actions(table, 0, "yatzy=50", "sixes=18", "chance=30+100", "=11111", "ones")
    before = view_table(table)
    with pytest.raises(IllegalAction) as caught:
        table.decide_correction(0, "yatzy", ("yatzy=0",))
    said = caught.value.values["why"]
    assert isinstance(said, Phrase)
    assert (said.key, said.values["turn"], said.values["points"]) == ("rules.refusal.later", 3, 30)
    assert said.values["box"].box == "chance"  # type: ignore[union-attr]
    assert said.values["why"].key == "rules.refusal.no_extra"  # type: ignore[union-attr]
    with pytest.raises(IllegalAction) as caught:
        table.decide_correction(0, "sixes", ("ones=3",))
    assert caught.value.values["why"].values["turn"] == 4  # type: ignore[union-attr]
    for texts, reason in (
        (("chance=29",), "later"),
        (("=66666",), "whole_turn"),
        (("sixes=18", "ones=1"), "whole_turn"),
        (("sixes=19",), "points"),
        (("leave 1",), "whole_turn"),
        ((".....", ">66666", "sixes"), "whole_turn"),
    ):
        with pytest.raises(IllegalAction) as caught:
            table.decide_correction(0, "sixes", texts)
        assert why(caught.value) == reason, texts
    with pytest.raises(NotationError):
        table.decide_correction(0, "sixes", ("six sixes",))
    for box, reason in (("twos", "no_entry"), ("rubbish\x1b", "no_box")):
        with pytest.raises(IllegalAction) as caught:
            table.decide_correction(0, box, ("sixes=18",))
        assert why(caught.value) == reason
    assert view_table(table) == before


def test_what_a_correction_changes_later_is_counted_anew() -> None:
    table = alone(YAHTZEE, Seat("Ann", real_dice=True))
    apply_actions(table, 0, "yatzy=50", "=66666", "sixes")
    assert [seat.extra for seat in view_table(table).seats] == [100]
    table.apply(table.decide_correction(0, "yatzy", ("yatzy=0",)))
    assert [(seat.extra, seat.total, seat.corrected) for seat in view_table(table).seats] == [(0, 30, ("yatzy",))]
    table.apply(table.decide_correction(0, "yatzy", ("=11111", "yatzy")))
    assert [(seat.extra, seat.total) for seat in view_table(table).seats] == [(100, 180)]


def test_after_a_correction_entries_are_undone_one_by_one() -> None:
    table = alone(YAHTZEE, Seat("Ann", real_dice=True))
    apply_actions(table, 0, "ones=3", "=66661", "sixes")
    table.apply(table.decide_correction(0, "ones", ("=11116", "ones")))
    assert table.decide_undo(0).events == (Undone(3),)
    table.apply(table.decide_undo(0))
    table.apply(table.decide_undo(0))
    assert (table.state.dice, table.state.columns[0].entries[0]) == ((), 4)
    table.apply(table.decide_undo(0))
    assert table.state.dice == (1, 1, 1, 1, 6)
    table.apply(table.decide_undo(0))
    assert (table.state.dice, table.state) == ((), table.replay.tracks[0].start)
    with pytest.raises(IllegalAction):
        table.decide_undo(0)
    assert table.replay.tracks[0].ply == 8
    apply_actions(table, 0, "twos=4")
    table.apply(table.decide_end())
    assert verify(encode_record(table.record), "").is_verified


def test_on_one_phone_the_last_entry_of_all_is_undone() -> None:
    table = alone(YAHTZEE, Seat("Ann", real_dice=True), Seat("Ben", real_dice=True))
    apply_actions(table, 0, "ones=3")
    apply_actions(table, 1, "twos=4")
    assert list_undo_seats(table) == (1, 0)
    apply_actions(table, 0, ".....")
    assert list_undo_seats(table) == (1,)


def test_a_correction_is_narrated_even_if_it_was_undone_at_once() -> None:
    table = alone(YAHTZEE, Seat("Ann", real_dice=True))
    apply_actions(table, 0, "ones=3", "twos=4")
    event = Corrected(0, 1, ("=22226", "twos"))
    steps = table.apply_events((event, Undone(3), Undone(3)))
    assert [narrate(table, step)[0].key for step in steps] == [
        "interface.narration.corrected",
        *["interface.play.undone"] * 2,
    ]
    assert narrate(table, steps[0])[0].values["total"] == 11


def test_whoever_left_while_a_turn_was_played_has_left_when_it_is_corrected() -> None:
    seats = (Seat("Ann", real_dice=True), Seat("Ben", real_dice=True), Seat("Cid"))
    table = table_of(list_rulesets()["two-dice da order=free"], seats, 0)
    rows = [box.id for box in table.game.rules.boxes]  # type: ignore[attr-defined]
    for row in rows[:-1]:
        for seat in (0, 1):
            apply_actions(table, seat, f"{row}=0")
        apply_actions(table, 2, "..", row)
    apply_actions(table, 0, f"{rows[-1]}=0")
    apply_actions(table, 1, "=66")
    table.apply(table.decide(0, Leave(0)))
    table.apply(table.decide(2, Leave(2)))
    apply_actions(table, 1, rows[-1])
    assert table.replay.is_over
    before = table.replay.outcome
    table.apply(table.decide_correction(1, rows[-1], ("=66", rows[-1])))
    assert table.replay.outcome == before
    table.apply(table.decide_correction(0, rows[0], (f"{rows[0]}=0",)))
    table.apply(table.decide_correction(1, rows[-1], (f"{rows[-1]}=0",)))
    table.apply(table.decide_end())
    assert verify(encode_record(table.record), "").is_verified
    assert replay_record(table.record).outcome == table.replay.outcome


def turn_of(table: Table, box: str, dice: str = "", seat: int = 0) -> TurnView:
    """Ask what the turn behind an entry was, and what it could be."""
    found = draw_turn(table, seat, box, dice, lambda said: said.key)
    assert isinstance(found, TurnView)
    return found


def test_the_turn_behind_an_entry_is_shown_with_what_it_could_be() -> None:
    table = alone(YAHTZEE, Seat("Ann", real_dice=True), Seat("Ben"))
    apply_actions(table, 0, "twos=4", ".....", ">33322", "full_house", "sixes=12")
    view = turn_of(table, "full_house")
    assert (view.turn, view.actions, view.dice) == (1, (".....", ">33322", "full_house"), ())
    assert {option.box for option in view.options} == {box.id for box in YAHTZEE.boxes} - {"twos"}
    shown = turn_of(table, "full_house", "33333")
    assert (shown.dice, {option.box: option.points for option in shown.options}["yatzy"]) == ((3,) * 5, 50)
    for box, dice, error in (
        ("fives", "", IllegalAction),
        ("full_house", "333", IllegalAction),
        ("twos", "x", NotationError),
    ):
        with pytest.raises(error):
            draw_turn(table, 0, box, dice, lambda said: said.key)
    with pytest.raises(IllegalAction):
        draw_turn(table, 1, "twos", "", lambda said: said.key)


def test_a_row_written_later_cannot_take_the_turn_and_its_entry_is_named() -> None:
    table = alone(YAHTZEE, Seat("Ann", real_dice=True))
    apply_actions(table, 0, "twos=4", "=33322", "full_house", "sixes=12")
    for dice in ("", "66666"):
        options = {option.box: option for option in turn_of(table, "full_house", dice).options}
        assert options["sixes"].refusal == "rules.refusal.later"
        assert (options["sixes"].scores, options["sixes"].anyway) == ((), ())
        assert options["full_house"].refusal is None
    assert "25" in {option.box: option for option in turn_of(table, "full_house").options}["full_house"].scores


@pytest.mark.parametrize("name", ["tactic-xl-yatzy da", "two-dice da order=announced", "noris-yatzy de"])
def test_just_what_a_correction_can_make_of_a_turn_is_offered_as_if_each_row_had_been_announced(name: str) -> None:
    rules, random = list_rulesets()[name], Random(f"as if {name}")
    table = alone(rules, Seat("Ann", real_dice=True))
    turns = [right for right, _ in script(rules, random)]
    for texts in turns[: len(turns) * 2 // 3]:
        apply_actions(table, 0, *texts)
    box = turns[random.randrange(2, 4)][-1]
    view, dice = turn_of(table, box), any_dice(rules, random)
    assert view.announces == (rules.order == "announced")

    def taken(row: str, *texts: str) -> bool:
        called = (f"!{row}",) if view.announces else ()
        try:
            return bool(table.decide_correction(0, box, (*called, *texts)))
        except IllegalAction:
            return False

    for option in view.options:
        values = {*option.scores, *option.anyway, *map(str, range(0, 40, 7))}
        assert {value for value in values if taken(option.box, f"{option.box}={value}")} == set(option.scores)
        assert all(taken(option.box, f"~{option.box}={value}") for value in option.anyway)
    assert any(option.scores for option in view.options if option.box != box)
    for option in turn_of(table, box, dice).options:
        assert taken(option.box, f"={dice}", option.box) == (option.refusal is None)


# Rows that were mixed up.


def right_and_mixed(rules: SheetRules, random: Random) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Think of a column, and of the same one with pairs of turns written in each other's rows wherever that goes."""
    game = SheetGame(rules, practice=True)
    turns = [right for right, _ in script(rules, random)]
    mixed = list(turns)

    def goes(told: list[tuple[str, ...]]) -> bool:
        state = game.start(1, 0)
        for text in (text for one in told for text in one):
            if game.refusal(state, action := read_action(state, text)) is not None:
                return False
            state = game.apply(state, action)
        return True

    def into(one: tuple[str, ...], row: str) -> tuple[str, ...]:
        return (*(f"!{row}" if text == f"!{one[-1]}" else text for text in one[:-1]), row)

    for _ in range(12):
        a, b = sorted(random.sample(range(len(turns)), 2))
        tried = [*mixed]
        tried[a], tried[b] = into(mixed[a], mixed[b][-1]), into(mixed[b], mixed[a][-1])
        if mixed[a] == turns[a] and mixed[b] == turns[b] and goes(tried):
            mixed = tried
    return turns, mixed


@pytest.mark.parametrize("free", [True, False], ids=["free", "in turn"])
@pytest.mark.parametrize("name", ["mb-yahtzee fr", "tactic-xl-yatzy da", "two-dice da order=free", "philos-yatzi de"])
def test_rows_that_were_mixed_up_and_swapped_leave_the_game_as_if_they_never_had_been(name: str, free: bool) -> None:
    rules, random = list_rulesets()[name], Random(f"mixed {name}")
    scripts = [right_and_mixed(rules, random) for _ in range(2)]
    order = [seat for _ in rules.boxes for seat in (0, 1)]
    if free:
        random.shuffle(order)
    table, other = (table_of(rules, (PEOPLE[0], Seat("Ben", real_dice=True)), 0, free=free) for _ in range(2))
    rows_written(table, [right for right, _ in scripts], order)
    rows_written(other, [mixed for _, mixed in scripts], order)
    swaps = 0
    for seat, (turns, mixed) in enumerate(scripts):
        wrong = {one[-1]: right[-1] for right, one in zip(turns, mixed, strict=True) if one != right}
        for box in list(wrong):
            if box not in wrong:
                continue
            row = wrong.pop(box)
            wrong.pop(row)
            before = view_table(other)
            swap = other.decide_swap(seat, *random.sample([box, row], 2))
            assert view_table(other) == before
            other.apply(swap)
            assert {box, row} <= set(view_table(other).seats[seat].corrected)
            swaps += 1
    assert swaps > 1
    assert [track.state for track in other.replay.tracks] == [track.state for track in table.replay.tracks]
    other.apply(other.decide_end())
    content = encode_record(other.record)
    assert (verify(content, "").is_verified, verify(content, "").corrected_turns) == (True, 2 * swaps)
    assert replay_record(parse_record(content, "")).outcome == table.replay.outcome


def test_a_swap_is_offered_just_where_both_entries_can_stand_in_the_others_place() -> None:
    table = alone(YAHTZEE, Seat("Ann", real_dice=True))
    apply_actions(
        table, 0, "=33322", "large_straight", "chance=20", "sixes=18", "=12345", "full_house", "twos=0", "yatzy=0"
    )
    swaps = {swap.box: swap for swap in turn_of(table, "large_straight").swaps}
    assert next(iter(swaps)) == "full_house"
    assert (swaps["full_house"].here, swaps["full_house"].there) == (40, 25)
    assert "chance" not in swaps, "twenty points are no straight"
    assert [(swap.box, swap.here, swap.there) for swap in turn_of(table, "twos").swaps if swap.box == "yatzy"] == []
    for texts in (
        ("large_straight", "chance"),
        ("large_straight", "large_straight"),
        ("large_straight", "fives"),
        ("nothing", "twos"),
    ):
        with pytest.raises(IllegalAction):
            table.decide_swap(0, *texts)
    assert table.decide_swap(0, "full_house", "large_straight").events == (
        Corrected(0, 0, ("=33322", "full_house"), CorrectedTurn(3, ("=12345", "large_straight"))),
    )
    table.apply(table.decide_swap(0, "full_house", "large_straight"))
    assert view_table(table).seats[0].corrected == ("full_house", "large_straight")
    assert [
        narrate(table, step)[1].values["n"]
        for step in table.apply(table.decide_swap(0, "full_house", "large_straight"))
    ] == [0]


def test_a_swap_that_makes_a_later_entry_impossible_names_it() -> None:
    table = alone(YAHTZEE, Seat("Ann", real_dice=True))
    apply_actions(table, 0, "=55555", "yatzy", "=33322", "full_house", "chance=30+100")
    (swap,) = [swap for swap in turn_of(table, "yatzy").swaps if swap.box == "full_house"]
    assert swap.refusal == "rules.refusal.later"
    with pytest.raises(IllegalAction) as caught:
        table.decide_swap(0, "yatzy", "full_house")
    assert caught.value.values["why"].values["box"] == BoxName("chance")  # type: ignore[union-attr]
    forged = Corrected(0, 1, ("=33322", "full_house"), CorrectedTurn(1, ("=33322", "full_house")))
    with pytest.raises(RecordIllegalEvent):
        table.replay.apply_event(forged)


def test_a_row_that_is_announced_just_now_cannot_take_an_earlier_turn() -> None:
    table = alone(list_rulesets()["tactic-xl-yatzy da"], Seat("Ann", real_dice=True))
    apply_actions(table, 0, "!fours", "=44412", "fours", "!yatzy")
    options = {option.box: option for option in turn_of(table, "fours").options}
    assert (options["yatzy"].refusal, options["yatzy"].scores) == ("rules.refusal.announced_now", ())
    with pytest.raises(IllegalAction) as caught:
        table.decide_correction(0, "fours", ("!yatzy", "=66666", "yatzy"))
    assert why(caught.value) == "announced_now"
    table.apply(table.decide_correction(0, "fours", ("!fives", "fives=15")))
    assert table.state.announced == "yatzy"


def test_a_game_goes_on_from_what_was_corrected() -> None:
    table = table_of(YAHTZEE, (Seat("Ann", real_dice=True), Seat("Bot", "random")), 0)
    apply_actions(table, 0, "=66661", "sixes")
    while table.state.player == 1:
        play_bot_step(table, Random(1))
    apply_actions(table, 0, "chance=29")
    table.apply(table.decide_correction(0, "sixes", ("=66666", "~full_house")))
    while table.state.player == 1:
        play_bot_step(table, Random(2))
    actions = list_actions_until(table, len(table.events))
    assert actions[:2] == ("=66666", "~full_house")
    header: Header = table.header
    quoted = Header(
        **{name: getattr(header, name) for name in header.__struct_fields__}
        | {"quoted": StartPosition("x", 0, actions)}
    )
    game, state = set_up(quoted)
    assert state == table.state
    going = Table(quoted, table.server_seed)
    apply_actions(going, 0, "=44441", "fours")
    going.apply(going.decide_correction(0, "fours", ("fours=12",)))
    assert refuse_correction(going) == "no_turn"
    assert isinstance(game, SheetGame)


def refuse_correction(table: Table) -> str:
    """Give the reason why a turn of the quoted game cannot be corrected: nobody made it here."""
    with pytest.raises(RecordIllegalEvent) as caught:
        table.replay.apply_event(Corrected(0, 1, ("chance=20",)))
    return why(caught.value)


# Chicago.


def replay_by_final_dice(table: Table) -> Table:
    """Play a game of rounds again in which people enter only their final dice and how many rolls they took."""
    other = table_of(table.game.rules, table.header.seats, None)  # type: ignore[arg-type]
    for step in table.replay.steps:
        seat, state, now = step.before.player, step.before, other.state
        match step.action:
            case Stand(aim):
                opens = now.phase == "open"
                some = Random(step.number).random() < 0.5 and state.rolls_used == table.game.max_rolls(state)  # type: ignore[attr-defined]
                roll_count = "" if not opens and some else f":{state.rolls_used}"
                apply_actions(
                    other, seat, f"={''.join(map(str, state.dice))}{roll_count}", f"stand {aim}" if aim else "stand"
                )
            case Land(dice) if state.rolloff:
                apply_actions(other, seat, f"={''.join(map(str, dice))}")
    return other


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_chicago_of_shown_dice_is_the_same_as_rolled(players: int) -> None:
    rules = load_edition("carlit-chicago").rules()
    for seed in range(4):
        random = Random(seed)
        table = table_of(rules, tuple(Seat(f"P{place}", real_dice=True) for place in range(players)), None)
        while table.state.seat is not None:
            track = table.replay.tracks[0]
            seat, text = choose_action(table, track, random, ("random", "greedy"))
            table.apply(table.decide(seat, read_action(track.state, text)))
        other = replay_by_final_dice(table)
        assert other.replay.outcome == table.replay.outcome
        assert other.replay.outcome is not None
        rounds = [
            [
                step.after.result
                for step in one.replay.steps
                if step.after.result is not step.before.result and step.after.result
            ]
            for one in (table, other)
        ]
        assert rounds[0] == rounds[1]
        other.apply(other.decide_end())
        assert verify(encode_record(other.record), "").is_verified


def test_an_opener_says_how_many_rolls_they_took() -> None:
    table = table_of(
        load_edition("carlit-chicago").rules(), (Seat("Ann", real_dice=True), Seat("Ben", real_dice=True)), None
    )
    apply_actions(table, 0, "=665")
    apply_actions(table, 1, "=111")
    assert isinstance(table.game, RoundsGame)
    assert table.state.player == 0
    assert assert_refused(table, 0, "=336") == assert_refused(table, 0, "=336:4") == "show_rolls"
    assert assert_refused(table, 0, "=33:1") == "land_count"
    apply_actions(table, 0, "=336:2", "stand over")
    assert assert_refused(table, 1, "=666:3") == "show_rolls"
    apply_actions(table, 1, "=666")
    assert table.state.rolls_used == 2
    table.apply(table.decide_undo(1))
    apply_actions(table, 1, "=666:1", "stand")
    with pytest.raises(IllegalAction) as caught:
        table.decide_correction(0, "sixes", ("=336:1",))
    assert why(caught.value) == "no_box"


CHICAGO = load_edition("carlit-chicago").rules()


def play_mixed_chicago(random: Random, players: int) -> Table:
    """Play rounds with real dice entered at the end or roll by roll, a bot with our dice, perhaps somebody leaving."""
    seats = tuple(Seat(f"P{place}", real_dice=True) for place in range(players - 1))
    table = table_of(CHICAGO, (*seats, Seat("Bot", "greedy")), None, typed=f"chicago {random.random()}")
    gone = random.random() < 0.3
    while table.state.seat is not None and len(table.events) < 150:
        seat = table.state.player
        if gone and table.state.rounds > 2 and not table.state.dice and 1 in table.state.active:
            gone = False
            table.apply(table.decide(1, Leave(1)))
        elif table.header.seats[seat].bot:
            play_bot_step(table, random)
        elif not table.state.dice and random.random() < 0.2:
            apply_actions(table, seat, "...", f">{any_dice(CHICAGO, random)}")
        else:
            apply_actions(table, seat, by_hand(table, seat, random))
    return table


def replay_with_other_turn(table: Table, seat: int, number: int, texts: tuple[str, ...]) -> Table | None:
    """Replay rounds from their start with one turn different, event by event; give nothing if an event does not fit."""
    other = table_of(CHICAGO, table.header.seats, None, typed=table.header.dice.seed)
    mended = False
    for step in table.replay.steps:
        assert step.action is not None
        before, now = step.before, other.state
        if isinstance(step.action, Leave):
            acting = step.action.seat
        elif (before.rounds, before.player, before.rolloff) == (number, seat, None):
            if not mended:
                apply_actions(other, seat, *texts)
            mended = True
            continue
        elif isinstance(step.action, Land) and not table.header.seats[before.player].real_dice:
            if other.replay.steps[-1].action != step.action:
                return None
            continue
        else:
            acting = before.player
            ties = [tie and tie.kind for tie in (before.rolloff, now.rolloff)]
            if ties[0] != ties[1] or before.phase != now.phase:
                return None
        try:
            other.apply(other.decide(acting, step.action))
        except IllegalAction:
            return None
    return other


@pytest.mark.parametrize("players", mostly_solve([2, 3, 5], 3))
def test_a_round_entered_wrongly_is_corrected_just_where_it_could_have_been_entered_right_from_the_start(
    players: int,
) -> None:
    taken = refusals = 0
    reasons = Counter[str]()
    for seed in range(4):
        random = Random(f"{players} rounds {seed}")
        table = play_mixed_chicago(random, players)
        for _ in range(14):
            stands = [step for step in table.replay.steps if isinstance(step.action, Stand)]
            step = random.choice(stands[-random.choice((2, 5, 99)) :])
            seat, number = step.before.player, step.before.rounds
            opens = step.before.phase == "open"
            dice = "111" if random.random() < 0.15 else any_dice(CHICAGO, random)
            aim = f" {random.choice(('over', 'under'))}" if opens and dice != "111" else ""
            texts = (f"={dice}{f':{random.randint(1, 3)}' if opens else ''}", f"stand{aim}")
            if table.header.seats[seat].bot:
                assert correction(table, seat, number, texts) == "not_real_dice"
                continue
            expected = replay_with_other_turn(table, seat, number, texts)
            before = table.state
            if (refusal := correction(table, seat, number, texts)) is not None:
                assert refusal == "later_round"
                assert expected is None
                assert table.state == before
                reasons[reason_of(table, seat, number, texts)] += 1
                refusals += 1
                continue
            assert expected is not None
            assert table.state == expected.state
            assert verify_so_far(table)
            twice = [(one.round, place) for one in rounds_seen(table).log for place in one.corrected]
            assert (number, seat) in twice or rounds_seen(table).seats[seat].corrected
            taken += 1
        table.apply(table.decide_end())
        assert verify(encode_record(table.record), "").is_verified
    assert min(taken, refusals) > 4
    assert {"other_opener"} <= set(reasons)


THREE = tuple(Seat(name, real_dice=True) for name in ("Ann", "Ben", "Cid"))


def test_a_corrected_round_moves_the_chip_and_who_opens_and_ties_that_were_rolled_off_stay() -> None:
    table = table_of(CHICAGO, THREE, 0)
    apply_actions(table, 0, "=665:1", "stand over")
    apply_actions(table, 1, "=221", "stand")
    apply_actions(table, 2, "=221", "stand")
    assert rounds_seen(table).tie is not None
    table.apply(table.decide_correction(2, "1", ("=222", "stand")))
    view = rounds_seen(table)
    assert (view.tie, [seat.chips for seat in view.seats], view.opener, view.kitty) == (None, [0, 1, 0], 1, 2)
    assert (view.log[0].round, view.log[0].corrected, view.log[0].totals[2]) == (1, (2,), (2, 6))
    (step,) = table.apply(table.decide_correction(2, "1", ("=221", "stand")))
    assert narrate(table, step)[0].values == {"name": "Cid", "round": 1, "sum": 5}
    apply_actions(table, 1, "=654")
    assert reason_of(table, 2, 1, ("=222", "stand")) == "no_tie"
    with pytest.raises(IllegalAction) as caught:
        table.decide_correction(0, "1", ("=211:1", "stand over"))
    assert caught.value.values["why"].values["name"] == "Ben"  # type: ignore[union-attr]
    apply_actions(table, 2, "=322")
    assert rounds_seen(table).opener == 2
    table.apply(table.decide_correction(0, "1", ("=666:2", "stand over")))
    apply_actions(table, 2, "=432:1", "stand under")
    apply_actions(table, 0, "=111", "stand")
    apply_actions(table, 1, "=666", "stand")
    assert [seat.place for seat in rounds_seen(table).seats] == [1, None, None]
    assert correction(table, 0, 2, ("=666", "stand")) is None
    view = rounds_seen(table)
    assert ([seat.place for seat in view.seats], view.tie and view.tie.seats) == ([None] * 3, (0, 1))
    apply_actions(table, 0, "=665")
    apply_actions(table, 1, "=211")
    apply_actions(table, 0, "=543:3", "stand over")
    assert reason_of(table, 0, 2, ("=111", "stand")) == "no_tie"
    assert reason_of(table, 2, 2, ("=111:1", "stand")) == "other_opener"
    apply_actions(table, 1, "=555", "stand")
    assert rounds_seen(table).seats[1].total == 15
    assert correction(table, 1, 3, ("=441", "stand")) is None
    assert [(seat.total, seat.corrected) for seat in rounds_seen(table).seats] == [
        (12, False),
        (9, True),
        (None, False),
    ]
    for number in ("4", "0", "77777", "²"):
        with pytest.raises(IllegalAction):
            table.decide_correction(0, number, ("=666", "stand"))
    for texts in (("=666",), ("stand",), ("=66", "stand"), ("=666:3", "stand", "stand"), ("=6665", "stand over")):
        with pytest.raises(IllegalAction):
            table.decide_correction(0, "3", texts)
    table.apply(table.decide_end())
    assert (
        verify(encode_record(table.record), "").is_verified,
        verify(encode_record(table.record), "").corrected_turns,
    ) == (True, 5)


def test_a_finished_game_of_rounds_goes_on_where_its_end_was_entered_wrongly() -> None:
    table = table_of(CHICAGO, THREE[:2], 0)
    apply_actions(table, 0, "=111:1", "stand")
    assert table.replay.is_over
    found = draw_turn(table, 0, "1", "", lambda said: said.key)
    assert isinstance(found, RoundTurnView)
    assert (found.opens, found.dice, found.rolled, [stand.aim for stand in found.stands]) == (True, (1,) * 3, 1, [None])
    found = draw_turn(table, 0, "1", "116:2", lambda said: said.key)
    assert isinstance(found, RoundTurnView)
    assert (found.rolled, found.rolls, [stand.aim for stand in found.stands]) == (2, 3, ["over", "under"])
    table.apply(table.decide_correction(0, "1", ("=116:2", found.stands[1].action)))
    assert (table.replay.is_over, table.state.player, table.state.rolls_allowed) == (False, 1, 2)
    with pytest.raises(IllegalAction):
        draw_turn(table, 1, "1", "", lambda said: said.key)
    table.apply(table.decide_undo(0))
    assert table.state.dice == (1, 1, 6)


def test_a_turn_in_a_round_that_became_void_is_no_turn_and_the_next_one_is_corrected() -> None:
    table = table_of(CHICAGO, THREE, 0)
    apply_actions(table, 0, "=665:1", "stand over")
    apply_actions(table, 1, "=221")
    table.apply(table.decide(0, Leave(0)))
    assert table.state.rounds == 2
    with pytest.raises(IllegalAction):
        table.decide_correction(1, "1", ("=222", "stand"))
    apply_actions(table, 1, "=432:1", "stand over")
    apply_actions(table, 2, "=221", "stand")
    again = table.decide_correction(1, "2", ("=432:2", "stand over"))
    assert again.events == (Corrected(1, 0, ("=432:2", "stand over")),)
    table.apply(table.decide_correction(1, "2", ("=211:1", "stand over")))
    assert rounds_seen(table).log[0].loser == 1
    assert verify_so_far(table)


def test_a_corrected_round_is_marked_on_paper() -> None:
    table = table_of(CHICAGO, THREE, 0)
    for seat, dice in enumerate(("=665:1", "=221", "=222")):
        apply_actions(table, seat, dice, "stand" if seat else "stand over")
    plain = find_chips(table)
    table.apply(table.decide_correction(1, "1", ("=211", "stand")))
    marked = find_chips(table)
    assert (plain.rounds[0].totals, marked.rounds[0].totals) == (("17", "5", "6"), ("17", "4†", "6"))
    assert plain.rounds[0].number == 1
    assert [note for note in marked.foot.notes if note not in plain.foot.notes] == ["† Corrected."]


def find_chips(table: Table) -> ChipTable:
    """Lay a game of rounds out on paper, and give its first sheet."""
    page = lay_out_game(table.replay, Translator("en"), "").page
    assert isinstance(page, PrintedSheets)
    (sheet,) = page.sheets
    assert isinstance(sheet, ChipTable)
    return sheet


def rounds_seen(table: Table) -> RoundsView:
    """Show rounds to somebody without a seat, with the keys of its sentences."""
    return build_rounds_view(table, lambda said: said.key)


def correction(table: Table, seat: int, number: int, texts: tuple[str, ...]) -> str | None:
    """Correct a round, or say why not."""
    try:
        table.apply(table.decide_correction(seat, str(number), texts))
    except IllegalAction as refused:
        return why(refused)
    return None


def reason_of(table: Table, seat: int, number: int, texts: tuple[str, ...]) -> str:
    """Say what is held against a correction of a round."""
    with pytest.raises(IllegalAction) as caught:
        table.decide_correction(seat, str(number), texts)
    said = caught.value.values["why"].values["why"]  # type: ignore[union-attr]
    assert isinstance(said, Phrase)
    return said.key.removeprefix("rules.refusal.")


# At the host.


def boxes_of(table: Table) -> Iterator[str]:
    """Name the rows, one after the other."""
    return (box.id for box in table.game.rules.boxes)  # type: ignore[attr-defined]


@run_async
async def test_at_a_free_table_everybody_enters_whenever_he_likes(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, PAD, REAL)
        table = await hosted.begin_game()
        base = table.replay.track(1).ply
        await hosted.act(0, "ones=3")
        queued = [Act(1, base + place, text) for place, text in enumerate(("=33555", "full_house", "twos=4", "=66661"))]
        for place, act in enumerate(queued):
            await hosted.execute(act, BEN, f"queued {place}")
        count = table.replay.count
        for place, act in enumerate(queued):
            await hosted.execute(act, BEN, f"queued {place}")
        assert table.replay.count == count
        await hosted.assert_refused(CommandIdReused, Act(1, base + 4, "sixes"), BEN, "queued 1")
        await hosted.assert_refused(StaleRequest, Act(1, base + 3, "sixes"), BEN)
        await hosted.assert_refused(StaleRequest, Act(1, base + 5, "sixes"), BEN)
        await hosted.assert_refused(StaleRequest, Correct(1, base, "twos", ("twos=6",)), BEN)
        await hosted.assert_refused(StaleRequest, Act(0, base, "twos=6"))
        await hosted.execute(Act(0, base + 1, "twos=6"))
        assert [seat.ply for seat in view_table(table).seats] == [base + 2, base + 4]
        await hosted.execute(Correct(1, base + 4, "twos", ("twos=6",)), BEN)
        await hosted.execute(Undo(1, base + 5), BEN)
        assert view_table(table).seats[1].entries[1] == 6
        assert verify_so_far(table)


def verify_so_far(table: Table) -> bool:
    """Replay a table from its record, and compare."""
    again = replay_record(table.record)
    return [(track.state, track.ply) for track in again.tracks] == [
        (track.state, track.ply) for track in table.replay.tracks
    ]


@run_async
async def test_bots_keep_step_and_never_run_ahead(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        bots = ((ANN, SitBot("greedy", "One")), (ANN, SitBot("random", "Two")))
        hosted = await HostedRoom.open(
            host, ChangeSettings("two-dice", house_rules=SHORT_GAME.house_rules, free=True), (*REAL, *bots)
        )
        table = await hosted.begin_game()
        random = Random(3)

        def turns() -> list[int]:
            return [track.state.turns[0] for track in table.replay.tracks]

        rows = [list(boxes_of(table)) for _ in range(2)]
        while not table.replay.is_over:
            while await host.step(hosted.id):
                assert max(turns()[2:]) <= min(turns()[:2]) + 1
            people = [seat for seat in (0, 1) if rows[seat]]
            if people:
                assert turns()[2:] == [min(turns()[seat] for seat in people) + 1] * 2
                assert find_bot_seat(table) is None
                seat = random.choice(people)
                await hosted.act(seat, f"{rows[seat].pop(0)}=0")
        assert turns() == [5, 5, 5, 5]


@run_async
async def test_a_game_with_real_dice_is_closed_only_when_somebody_says_so(tmp_path: Path) -> None:
    async with open_host(tmp_path, paced=True, end_seconds=0.0, undo_seconds=0.0) as host:
        hosted = await HostedRoom.open(
            host,
            ChangeSettings("two-dice", house_rules=SHORT_GAME.house_rules, free=True, pace=0.0),
            (REAL[0], (ANN, SitBot("greedy", "B"))),
        )
        room_session = await hosted.session()
        room_session.watchers.append(lambda _: None)
        table = await hosted.begin_game()
        for row in boxes_of(table):
            await hosted.act(0, f"{row}=0")
        while not table.replay.is_over:
            await host.step(hosted.id)
        assert host.scheduler.compute_delay(room_session) is None
        assert not await host.step(hosted.id)
        assert table.replay.closed is None
        await hosted.execute(Correct(0, table.replay.track(0).ply, "chance", ("=66", "chance")))
        await hosted.execute(Advance(table.replay.ply))
        outcome = table.replay.outcome
        assert outcome is not None
        assert outcome.totals[0] == 12
        assert isinstance(table.events[-1], Closed)
        await hosted.assert_refused(
            NoGameRunning, Correct(0, table.replay.track(0).ply, next(boxes_of(table)), ("chance=0",))
        )


@run_async
async def test_only_a_seats_own_device_corrects_its_entries(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, PAD, (*REAL, (ANN, Sit("Cid")), (ANN, SitBot("greedy", "Bot"))))
        table = await hosted.begin_game()
        await hosted.act(1, "sixes=18")
        ply = table.replay.track(1).ply
        correction = Correct(1, ply, "sixes", ("sixes=24",))
        await hosted.assert_refused(SeatNotYours, correction, ANN)
        await hosted.assert_refused(SeatNotYours, Correct(3, 0, "sixes", ("sixes=24",)), ANN)
        await hosted.assert_refused(SeatNotYours, SwapBoxes(1, ply, "sixes", "fives"), ANN)
        await hosted.assert_refused(SeatNotYours, Correct(98, 0, "sixes", ("sixes=24",)), ANN)
        assert (
            why(await hosted.assert_refused(IllegalAction, Correct(2, 0, "sixes", ("sixes=24",)), ANN))
            == "not_real_dice"
        )
        assert why(await hosted.assert_refused(IllegalAction, Act(2, 0, "=66666"), ANN)) == "not_real_dice"
        assert why(await hosted.assert_refused(IllegalAction, SubstituteBot(1, "greedy"), BEN)) == "no_hands"
        await hosted.execute(correction, BEN)
        assert view_table(table).seats[1].corrected == ("sixes",)
        await hosted.act(1, "=66661")
        await hosted.act(1, "fives")
        ply = table.replay.track(1).ply
        assert why(await hosted.assert_refused(IllegalAction, SwapBoxes(1, ply, "sixes", "fives"), BEN)) == "points"
        await hosted.execute(Correct(1, ply, "sixes", ("=55551", "sixes")), BEN)
        await hosted.assert_refused(StaleRequest, SwapBoxes(1, ply, "sixes", "fives"), BEN)
        await hosted.execute(SwapBoxes(1, ply + 1, "sixes", "fives"), BEN)
        assert view_table(table).seats[1].entries[4:6] == (20, 24)
        assert verify_so_far(table)


@run_async
async def test_a_new_name_keeps_seat_and_seeds(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(
            host, PAD, ((ANN, Sit("Player")), (BEN, Sit("Ben")), (ANN, SitBot("greedy", "Bot")))
        )
        await hosted.execute(RenameSeat(0, "Ann"), ANN)
        await hosted.execute(RenameSeat(1, "Ann"), ANN)
        await hosted.execute(RenameSeat(0, "Ann"), ANN)
        assert [taken.name for taken in (await hosted.room()).seats] == ["Ann", "Ann 2", "Bot"]
        await hosted.assert_refused(SeatNotYours, RenameSeat(0, "Eve"), BEN)
        await hosted.assert_refused(SeatNotYours, RenameSeat(2, "Eve"), ANN)
        await hosted.assert_refused(NameEmpty, RenameSeat(0, " "), ANN)
        table = await hosted.begin_game()
        await hosted.execute(RenameSeat(0, "Eve"), ANN)
        assert [seat.name for seat in table.header.seats] == ["Eve", "Ann 2", "Bot"]


@run_async
async def test_who_rolls_real_dice_is_agreed_before_the_game(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(
            host, PAD, ((ANN, Sit("Ann")), (BEN, Sit("Ben")), (ANN, SitBot("greedy", "Bot")))
        )
        await hosted.execute(RealDice(1, True), BEN)
        await hosted.execute(RealDice(0, True), ANN)
        await hosted.execute(RealDice(1, False), ANN)
        await hosted.execute(RealDice(1, True), ANN)
        await hosted.assert_refused(SeatNotYours, RealDice(0, False), BEN)
        await hosted.assert_refused(SeatNotYours, RealDice(2, True), ANN)
        await hosted.assert_refused(SeatNotYours, RealDice(1, True), "somebody else")
        await hosted.assert_refused(NoSuchSeat, RealDice(3, True), ANN)
        assert [taken.real_dice for taken in (await hosted.room()).seats] == [True, True, False]
        table = await hosted.begin_game()
        await hosted.assert_refused(GameRunning, RealDice(1, False), BEN)
        assert [seat.real_dice for seat in table.header.seats] == [True, True, False]


MIXED = [
    (ChangeSettings("mb-yahtzee", free=True), 5),
    rest(ChangeSettings("tactic-xl-yatzy", text="da", free=True), 7),
    rest(ChangeSettings("noris-yatzy"), 11),
    (ChangeSettings("carlit-chicago"), 13),
]


@pytest.mark.parametrize(("settle", "seed"), MIXED, ids=lambda one: str(getattr(one, "edition", "")))
@run_async
async def test_a_mixed_table_is_played_to_its_end(settle: ChangeSettings, seed: int, tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        seating = (*REAL, (BEN, Sit("Cid")), (ANN, SitBot("greedy", "Bot")))
        hosted = await HostedRoom.open(host, settle, seating)
        table = await hosted.begin_game()
        random, commands = Random(seed), count(1)
        for _ in range(2000):
            if table.replay.is_over:
                break
            track = random.choice([track for track in table.replay.tracks if track.state.seat is not None])
            seat = track.state.player if track.seat is None else track.seat
            if seat > 1 or track.state.seat == CHANCE:
                await hosted.play_move(random)
            else:
                text = by_hand(table, seat, random)
                device = (ANN, BEN)[seat]
                act, command = Act(seat, track.ply, text), f"by hand {next(commands)}"
                for _ in range(2):
                    await hosted.execute(act, device, command)
        assert table.replay.is_over
        await hosted.execute(Advance(table.replay.ply))
        verdict = verify(await hosted.export_record(), "")
        assert (verdict.is_verified, verdict.real_rolls > 0, verdict.rolls > 0) == (True, True, True)
        assert verify_so_far(table)


def by_hand(table: Table, seat: int, random: Random) -> str:
    """Enter something with real dice, whatever is played."""
    track = table.replay.track(seat)
    game: Any = track.game
    state, dice = track.state, any_dice(game.rules, random)
    if isinstance(game, RoundsGame):
        if state.rolloff or not state.dice:
            return f"={dice}" if state.rolloff or state.phase != "open" else f"={dice}:{random.randint(1, 3)}"
        stands = [Stand(aim) for aim in (None, "over", "under") if game.refusal(state, Stand(aim)) is None]
        return write_action(state, random.choice(stands), 3)
    if getattr(state, "rolloff", None):
        return f"={dice}"
    return choose_entry(table, view_table(table), seat, random)[0]


@run_async
async def test_dice_entered_roll_by_roll_bring_the_coach_to_every_seat(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        settle = ChangeSettings("two-dice", house_rules=SHORT_GAME.house_rules, free=True)
        hosted = await HostedRoom.open(host, settle, (*REAL, (BEN, Sit("Cid", beginner=True, real_dice=True))))
        table = await hosted.begin_game()
        coaching = CoachService(host)
        for seat, device in ((0, ANN), (1, BEN), (2, BEN)):
            await hosted.act(seat, "..")
            await hosted.act(seat, ">66")
            _, unit, moves = await coaching.advise(hosted.id, device, f"hint {seat}", seat)
            assert (unit, bool(moves)) == ("points", True)
            texts = {
                write_action(table.replay.track(seat).state, move, 2)
                for move in table.replay.track(seat).game.legal_moves(table.replay.track(seat).state)
            }
            assert {move.action for move in moves} <= texts
            await hosted.act(seat, moves[0].action)
            found = await coaching.compute_ledger(hosted.id, device, f"ledger {seat}", seat)
            assert (found.seat, found.lost) == (seat, 0)
            assert found.par + found.luck == pytest.approx(found.final)
        assert table.replay.attendance.assisted == {0, 1, 2}
        while (await hosted.state(2)).dice:
            await hosted.act(2, moves[0].action if "." not in moves[0].action else next(boxes_of(table)))
        await hosted.act(2, f"~{list(boxes_of(table))[-1]}=0")
        with pytest.raises(NotInBook):
            await coaching.advise(hosted.id, BEN, "hint lost", 2)
        with pytest.raises(NotInBook):
            await coaching.compute_ledger(hosted.id, BEN, "ledger lost", 2)


# Through the door.


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that may not complain about anything that is done to it here."""
    with run_server(tmp_path_factory.mktemp("house")) as place:
        yield place


@run_async
async def test_a_pad_is_opened_filled_corrected_and_closed_through_the_door(server: RunningServer) -> None:
    ann, ben = Device(server.port), Device(server.port)
    async with ann.session(), ben.session():
        room = await ann.open_room(
            "Ann", edition="two-dice", house_rules=await ann.upload_house_rules(SHORT_GAME.house_rules or ""), free=True
        )
        assert (await ann.send_intent({"want": "real_dice", "seat": 0, "real": True}))["is"] == "done"
        await ben.enter_room(room)
        assert (ben.room["free"], ben.room["seats"][0]["real_dice"]) == (True, True)
        await ann.seal_seed()
        assert (await ann.send_intent({"want": "begin"}))["is"] == "done"
        await ann.reveal_seed()
        await ben.wait_for_position(lambda view: not view["waiting"])
        assert ben.position["free"] is True
        rows = [option["box"] for option in ben.position["trays"][0]["options"]]
        assert all(option["scores"] for option in ben.position["trays"][0]["options"])
        ply = ben.position["seats"][0]["ply"]
        for place, row in enumerate(rows):
            act = {"want": "act", "seat": 0, "ply": ply + place, "action": f"{row}=0"}
            assert (await ann.send_intent(act))["is"] == "done"
        asked = {"do": "turn", "id": "behind", "seat": 0, "box": rows[0], "dice": "66"}
        await ann.send(asked)
        view = (await ann.receive_until(lambda one: one["is"] == "turn"))["view"]
        assert (view["turn"], view["actions"], view["dice"]) == (0, [f"{rows[0]}=0"], [6, 6])
        best = max(option["points"] for option in view["options"] if option["box"] == rows[0])
        assert (await ben.send_and_wait(asked, "behind"))["code"] == "not_yours"
        correct = {"want": "correct", "seat": 0, "ply": ply + len(rows), "box": rows[0], "actions": ["=66", rows[0]]}
        assert (await ben.send_intent(correct))["code"] == "not_yours"
        assert (await ann.send_intent({**correct, "actions": ["=66", rows[1]]}))["code"] == "illegal_action"
        assert (await ann.send_intent(correct))["is"] == "done"
        await ben.wait_for_position(lambda view: view["seats"][0]["corrected"] == [rows[0]])
        assert ben.position["seats"][0]["total"] == best
        assert (ben.position["closed"], ben.position["places"]) == (None, [[0]])
        assert (await ann.send_intent({"want": "go_on", "ply": ben.position["ply"]}))["is"] == "done"
        await ben.wait_for_position(lambda view: view["closed"] == "over")
    content = server.request(f"/games/{ben.position['game']}.knobel").body
    assert verify(content, "").corrected_turns == 1
