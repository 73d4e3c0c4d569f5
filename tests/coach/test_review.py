"""The review: every ledger closes, best play loses nothing, every number in a reason is found again another way."""

import json
import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from knobel import fair
from knobel.bots import load_bot
from knobel.cli import main
from knobel.coach.grades import DECISION_GRADES, compute_luck_scale, grade_decision, grade_luck
from knobel.coach.ledger import AGAINST_RULES, OTHERS, PERCENT, POINTS, UNSEEN, Decision
from knobel.coach.report import list_remarks, render_report
from knobel.coach.review import Review, find_book_rules, review_seat
from knobel.coach.rounds import (
    compute_chance_to_beat,
    find_total_to_beat,
    is_whole_game_solved,
    rank_moves,
    value_before_round,
    value_before_turn,
)
from knobel.coach.serialize import serialize_review
from knobel.coach.sheet import OPEN_COACHES, Outlook, SheetCoach, cache_coach
from knobel.coach.sheet_review import explain_loss
from knobel.dice import Hand, sort_dice
from knobel.errors import KnobelError, NotInBook
from knobel.game import (
    CHANCE,
    Announce,
    EnterDice,
    EnterPoints,
    Land,
    Leave,
    Move,
    Roll,
    Score,
    Stand,
    is_against_rules,
    play,
)
from knobel.games.round_state import FOLLOW, RoundState
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame, SheetState, fill_top_down
from knobel.lang import Translator
from knobel.phrase import BoxName, Phrase
from knobel.record.events import Acted, Corrected, DiceSource, Header, Record, Seat, SeriesPosition
from knobel.record.events import EditionInfo as BoxOnTable
from knobel.record.formats import FORMAT
from knobel.record.track import GameTrack
from knobel.rules import load_edition
from knobel.rules.column import Column, build_column, tally
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import Bonus, SheetRules
from knobel.solver.expected_scores import (
    ExpectedScores,
    build_expected_scores,
    build_missing_expected_scores,
    compute_expected_scores,
    find_column_starts,
    read_expected_scores,
)
from knobel.solver.position import BookValues
from knobel.solver.solve import pad_to_stride, solve
from knobel.solver.tables import build_tables
from knobel.table import Table
from tests.support.chicago import make_game, make_position
from tests.support.house_rules import load_house_rules as house_rules
from tests.support.played_tables import apply_actions, change_attendance, encode_record, play_bot_step
from tests.support.rulesets import REPRESENTATIVE, list_rulesets
from tests.support.selection import mostly_rest
from tests.support.small_games import GAMES, Tree

NEAR = 1e-3
"""How exactly every ledger must close."""

RULESETS = list(list_rulesets())


# Coaches without a cache folder, and games of every kind.


@cache
def solve_rules(rules: SheetRules) -> SheetCoach:
    """Solve some rules here and now."""
    known = build_tables(rules)
    return SheetCoach(BookValues(known, solve(known).values.reshape(-1, known.stride)[:, : known.upper_states]))


def coach_of(rules: SheetRules) -> SheetCoach:
    """Find the coach of some rules; bots find the same one."""
    return cache_coach(rules, solve_rules(rules))


def seeing(rules: SheetRules) -> SheetCoach:
    """Solve some rules with expected scores for each box and the bonus."""
    found = coach_of(rules)
    if found.expected_scores is None:
        known = found.book.tables
        numbers = compute_expected_scores(known, pad_to_stride(known, found.book.values))
        found.expected_scores = ExpectedScores(known, find_column_starts(known), numbers)
        found.cached_forecast.cache_clear()
    return found


@pytest.fixture(autouse=True)
def _nobodys_coaches() -> Iterator[None]:
    """Leave no coach of these tests behind."""
    yield
    OPEN_COACHES.clear()


def short(rules: SheetRules) -> SheetRules:
    """Take a sheet of five boxes with everything odd about some rules: games of it are solved in no time."""
    wanted = [rules.yatzy.box] if rules.yatzy else []
    wanted += [rules.chance.box] if rules.chance else []
    uppers = [box.id for box in rules.boxes if box.upper]
    others = [box.id for box in rules.boxes if not box.upper and box.id not in wanted]
    wanted = [*uppers[-2:], *wanted, *others[1:]][:5]
    bonus = rules.bonus and Bonus(3 * rules.dice, rules.bonus.points, rules.bonus.strict)
    return replace(rules, boxes=tuple(box for box in rules.boxes if box.id in wanted), bonus=bonus)


def table_of(rules: SheetRules | RoundRules, seats: tuple[Seat, ...], first: int | None = None, **how: Any) -> Table:
    """Open a table for any rules."""
    typed = str(how.pop("typed", "review"))
    server, game = fair.derive_game_seed(typed, 1, bytes.fromhex(rules.fingerprint))
    evening: SeriesPosition = how.pop("evening", SeriesPosition(1, 1))
    header = Header(
        knobel=FORMAT,
        game=game,
        edition=BoxOnTable("review", "Review", "Knobel"),
        text="en",
        switches={},
        fingerprint=rules.fingerprint,
        seats=seats,
        first=first,
        practice=isinstance(rules, SheetRules),
        dice=DiceSource(
            fair.SCHEME, fair.commit_server_seed(game, bytes.fromhex(rules.fingerprint), server).hex(), typed
        ),
        evening=evening,
        rules=rules.as_dict,
        **how,
    )
    return Table(header, server.hex())


def chosen(
    table: Table, track: GameTrack, random: Random, kinds: tuple[str, ...]
) -> Move | Land | EnterDice | EnterPoints:
    """Let whoever comes next do something: dice, a bot's move, or with real dice whatever people enter."""
    state, game = track.state, track.game
    if state.seat == CHANCE:
        fall = game.pending_roll(state)
        assert fall is not None
        return Land(tuple(random.randint(1, game.rules.faces) for _ in fall.positions))
    seat = state.seat if track.seat is None else track.seat
    if table.header.seats[seat].real_dice and random.random() < 0.7 and (entered := by_hand(game, state, random)):
        return entered
    family = "rounds" if isinstance(game, RoundsGame) else "sheet"
    # No book has what the table wrote anyway, so nobody plays by the book there.
    wild = tuple(kind for kind in kinds if kind != "perfect") if table.header.seats[seat].real_dice else ()
    move = load_bot(random.choice(wild or kinds), family)(game, state, random)
    if isinstance(move, Score) and "random" in kinds and random.random() < 0.3:
        cross_out = Score(move.box, cross_out=True)
        return cross_out if game.refusal(state, cross_out) is None else move
    return move


def by_hand(game: Any, state: Any, random: Random) -> Score | EnterDice | EnterPoints | None:
    """Enter a turn of real dice in some way: its last dice, points alone, and now and then against the rules."""
    shown = EnterDice(
        tuple(random.choices(range(1, game.rules.faces + 1), k=game.rules.dice)), isinstance(game, RoundsGame)
    )
    if random.random() < 0.5 and game.refusal(state, shown) is None:
        return shown
    if not isinstance(game, SheetGame) or state.rolloff:
        return None
    anyway, box = random.random() < 0.3, game.rules.boxes[random.choice(state.column.open_boxes)].id
    if state.dice:
        return Score(box, anyway=True) if anyway else None
    found = {} if game.needs_announcement(state) and not anyway else game.list_possible_entries(state, box, anyway)
    if not found:
        return None
    points = random.choice(list(found))
    return EnterPoints(box, points, max(extra for extra, _ in found[points]), anyway=anyway)


def mend(table: Table, random: Random) -> None:
    """Correct some turn of real dice, if what comes after it allows that."""
    seat = random.randrange(len(table.header.seats))
    track = table.replay.track(seat)
    if not table.header.seats[seat].real_dice or not isinstance(track.game, SheetGame):
        return
    column, rules = track.state.columns[track.local_seat(seat)], track.game.rules
    written = [box.id for box, points in zip(rules.boxes, column.entries, strict=True) if points is not None]
    if not written:
        return
    old, new = random.choice(written), random.choice(rules.boxes).id
    dice = "".join(str(random.randint(1, rules.faces)) for _ in range(rules.dice))
    called = [f"!{new}"] if rules.order == "announced" else []
    for actions in ((*called, f"={dice}", f"~{new}"), (*called, f"={dice}", old), (f"~{old}=0",)):
        try:
            table.apply(table.decide_correction(seat, old, actions))
        except KnobelError:
            continue
        return


def play_out(table: Table, random: Random, kinds: tuple[str, ...], lively: bool = True, most: int = 10_000) -> Table:
    """Play a table, with undoing, comings and goings and now and then somebody who leaves for good."""
    for track in table.replay.tracks:
        if isinstance(track.game, SheetGame) and "perfect" in kinds:
            coach_of(track.game.rules)
            coach_of(fill_top_down(track.game.rules))
    for _ in range(most):
        going = [track for track in table.replay.tracks if track.state.seat is not None]
        if not going:
            break
        track = random.choice(going)
        action = chosen(table, track, random, kinds)
        fall = track.game.pending_roll(track.state)
        seat = fall.seat if fall else track.state.seat
        table.apply(table.decide(seat if track.seat is None else track.seat, action))
        if lively and random.random() < 0.15 and table.replay.find_last_undoable() is not None:
            table.apply(table.decide_undo())
        if lively and random.random() < 0.1:
            mend(table, random)
        if lively and random.random() < 0.03:
            change_attendance(table, random)
        if lively and random.random() < 0.01 and track.state.seat not in (None, CHANCE):
            leaver = track.state.seat if track.seat is None else track.seat
            table.apply(table.decide(leaver, Leave(track.local_seat(leaver))))
    return table


def reviews(table: Table, coaches: Callable[[SheetRules], SheetCoach] = coach_of) -> list[Review]:
    """Review everybody, and insist that every ledger closes."""
    found = [review_seat(table.record, table.replay, seat, coaches) for seat in range(len(table.header.seats))]
    for one in found:
        closes(table, one)
    return found


def closes(table: Table, one: Review) -> None:
    """Insist that a ledger closes, as a whole and in every part, and ends where the sheet does."""
    assert one.par + one.luck - one.lost == pytest.approx(one.final, abs=NEAR)
    assert one.scored + one.still_expected == pytest.approx(one.final, abs=NEAR)
    assert min((decision.loss for decision in one.decisions), default=0.0) >= 0
    if one.unit == POINTS:
        track = table.replay.track(one.seat)
        column = track.state.columns[track.local_seat(one.seat)]
        assert one.scored == tally(find_book_rules(table.replay, one.seat), column).total
        assert one.finished == column.is_full
        assert sum(line.luck - line.lost for line in one.turn_summaries) == pytest.approx(
            (one.turn_summaries[-1].value if one.turn_summaries else one.par) - one.par, abs=NEAR
        )
        acts = [step for step in track.steps if isinstance(step.event, Acted) and step.event.seat == one.seat]
        assert one.against_rules_count == sum(
            step.action is not None and is_against_rules(step.action) for step in acts
        )
        assert one.correction_count == sum(
            isinstance(event, Corrected) and event.seat == one.seat for event in table.events
        )
        assert one.in_book or not one.finished
        if one.finished:
            assert one.final == pytest.approx(one.scored, abs=NEAR)
    for part in one.parts:
        assert part.par + part.luck - part.lost == pytest.approx(part.final, abs=NEAR)
        assert not part.closed or min(abs(part.final - end) for end in (0, 25, 50, 75, 100)) < NEAR


# The ledger closes in every game.

PEOPLE = (Seat("Ann"), Seat("Ben", real_dice=True), Seat("Cid", beginner=True))


@pytest.mark.parametrize("name", mostly_rest(RULESETS, *REPRESENTATIVE))
def test_the_ledger_closes_in_every_game_of_every_ruleset(name: str) -> None:
    rules, random = short(list_rulesets()[name]), Random(name)
    seats = tuple(random.sample(PEOPLE, random.choice((1, 2, 2, 3))))
    table = table_of(rules, seats, random.choice((None, 0)), free=random.random() < 0.2)
    reviews(play_out(table, random, ("random", "greedy", "perfect")))


@pytest.mark.solve
@pytest.mark.parametrize("name", RULESETS[::4])
def test_a_perfect_game_loses_nothing_anywhere(name: str) -> None:
    rules = short(list_rulesets()[name])
    coach_of(rules)
    table = play_out(table_of(rules, (Seat("Bot", "perfect"),), 0), Random(name), ("perfect",), lively=False)
    (found,) = reviews(table)
    assert found.finished
    assert found.decisions or rules.order == "top_down"
    assert [decision.loss for decision in found.decisions if decision.loss > 1e-9] == []
    assert (found.lost, found.flawed_decisions) == (0, ())
    assert found.rated_play is None or found.rated_play.best_level == "perfect"


def test_a_game_that_was_stopped_counts_what_is_written_and_what_could_still_come() -> None:
    rules = short(load_edition("mb-yahtzee").rules())
    for moves in range(1, 30):
        table = play_out(table_of(rules, (Seat("Ann"), Seat("Ben")), 0), Random(3), ("random",), False, moves)
        for found in reviews(table):
            assert not found.finished
            assert found.still_expected > 0


def test_shown_dice_are_luck_nobody_saw_and_their_entry_is_judged() -> None:
    rules = short(load_edition("mb-yahtzee").rules())
    table, plain = (table_of(rules, (Seat("Ann", real_dice=True),), 0) for _ in range(2))
    apply_actions(table, 0, "=66662", "yatzy")
    (found,) = reviews(table)
    assert [(roll.kind, roll.turn, roll.roll_number, roll.dice) for roll in found.luck_events] == [
        (UNSEEN, 1, 0, (6, 6, 6, 6, 2))
    ]
    (entry,) = found.decisions
    assert (entry.action, entry.best_action, entry.roll_number) == ("yatzy", "four_of_a_kind", rules.rolls)
    assert entry.grade == "howler"
    apply_actions(plain, 0, ".....", ">66661", "6666.", ">5", "6666.", ">2", "yatzy")
    (rolled,) = reviews(plain)
    assert rolled.decisions[-1].loss == pytest.approx(entry.loss)
    assert rolled.final == pytest.approx(found.final)


def test_an_entry_played_anyway_is_luck_and_a_correction_counts_as_it_stands() -> None:
    rules = replace(short(load_edition("mb-yahtzee").rules()), order="top_down")
    table = table_of(rules, (Seat("Ann", real_dice=True),), 0)
    coach = coach_of(rules)
    table.apply(table.decide(0, EnterPoints("sixes", 24, anyway=True)))
    (found,) = reviews(table)
    assert (found.against_rules_count, found.in_book, found.final, found.luck) == (1, False, found.par, 0)
    assert "out of order" in " ".join(map(Translator("en").translate, list_remarks(found)))
    with pytest.raises(NotInBook):
        coach.expected_total(rules, table.state.columns[0])
    with pytest.raises(NotInBook):
        coach.rank_moves(table.game, play(table.game, table.state, EnterDice((1, 2, 3, 4, 5))))  # type: ignore[arg-type]
    table.apply(table.decide(0, EnterPoints("fives", 15)))
    (found,) = reviews(table)
    assert (found.in_book, [roll.kind for roll in found.luck_events]) == (True, [AGAINST_RULES, UNSEEN])
    assert found.final == pytest.approx(coach.expected_total(rules, build_column(rules, {"fives": 15, "sixes": 24})))
    table.apply(table.decide_correction(0, "sixes", ("~sixes=12",)))
    (found,) = reviews(table)
    assert (found.against_rules_count, found.correction_count) == (1, 1)
    assert found.final == pytest.approx(coach.expected_total(rules, build_column(rules, {"fives": 15, "sixes": 12})))
    said = " ".join(map(Translator("en").translate, list_remarks(found)))
    assert "1 entry was against the rules, but played anyway" in said
    assert "1 turn was corrected" in said


def test_a_turn_nobody_saw_is_one_line_that_closes_the_ledger() -> None:
    rules = short(load_edition("mb-yahtzee").rules())
    table = table_of(rules, (Seat("Ann", real_dice=True),), 0)
    table.apply(table.decide(0, EnterPoints("sixes", 24)))
    (found,) = reviews(table)
    assert [(roll.kind, roll.turn, roll.dice) for roll in found.luck_events] == [(UNSEEN, 1, ())]
    assert found.unseen_luck == found.luck > 0
    assert found.decisions == ()
    after = coach_of(rules).expected_total(rules, table.state.columns[0])
    assert found.par + found.luck == pytest.approx(after)


def test_only_what_stands_counts_and_what_was_undone_is_counted() -> None:
    rules = short(load_edition("mb-yahtzee").rules())
    table = table_of(rules, (Seat("Ann"), Seat("Ben")), 0)
    play_out(table, Random(1), ("random",), False, 3)
    while not table.state.dice:
        play_out(table, Random(1), ("random",), False, 1)
    for box in ("chance", "sixes"):
        table.apply(table.decide(table.state.seat, Score(box)))
        table.apply(table.decide_undo())
    whole = play_out(table, Random(1), ("greedy",), False)
    found = reviews(whole)
    assert [one.undo_count for one in found] == [2, 0]
    assert all(len(one.turn_summaries) == len(rules.boxes) for one in found)


def test_what_a_stand_in_decided_is_counted() -> None:
    rules = short(load_edition("mb-yahtzee").rules())
    for seed in range(20):
        table = play_out(table_of(rules, (Seat("Ann"), Seat("Ben")), 0), Random(seed), ("greedy",))
        if any(one.stand_in_count for one in reviews(table)):
            return
    pytest.fail("no stand-in ever played")


def test_every_game_of_a_series_has_its_own_ledger() -> None:
    rules = short(load_edition("noris-yatzy").rules())
    for number in (1, 2):
        evening = SeriesPosition(2, number, ((50, 60),) * (number - 1), 0)
        table = table_of(rules, (Seat("Ann"), Seat("Ben")), number - 1, evening=evening)
        found = reviews(play_out(table, Random(number), ("random", "greedy"), lively=False))
        assert {one.par for one in found} == {coach_of(rules).book.par}


def test_a_beginner_has_the_par_of_filling_from_top_to_bottom() -> None:
    rules = short(load_edition("carlit-yatzy").rules())
    table = play_out(table_of(rules, (Seat("Ann"), Seat("Cid", beginner=True)), 0), Random(1), ("greedy",), False)
    own, beginner = reviews(table)
    played_by = find_book_rules(table.replay, 1)
    assert played_by is not None
    assert played_by.order == "top_down"
    assert beginner.par < own.par


@pytest.mark.parametrize("name", ["mb-yahtzee", "tactic-xl-yatzy"])
def test_the_luck_of_a_roll_is_fair_before_it_falls(name: str) -> None:
    """The mean of what all rolls lead to is what was expected before."""
    rules = short(load_edition(name).rules())
    game, found = SheetGame(rules, practice=True), coach_of(rules)
    start = game.start(1, 0)
    state = play(game, start, next(iter(game.legal_moves(start))))
    if state.seat != CHANCE:
        state = play(game, state, Roll())
    sets = found.book.tables.multisets
    after = [found.rank_moves(game, play(game, state, Land(dice)))[0].value for dice in sets.hands]
    before = found.cached_turn(state.column, state.announced).start_value()
    assert sum(value * chance for value, chance in zip(after, sets.hand_chances, strict=True)) == pytest.approx(before)


# Games of rounds.

SPECIAL = [True, False]


@pytest.mark.solve
@pytest.mark.parametrize("special", SPECIAL)
@pytest.mark.parametrize("players", mostly_rest([2, 3, 4, 5, 6], 2, 4))
def test_the_ledger_closes_in_games_of_rounds(players: int, special: bool) -> None:
    rules = load_edition("carlit-chicago").rules(None, {"chicago_special": str(special).lower()})
    for seed in range(6):
        seats = tuple(Seat(f"P{place}", real_dice=place == 1) for place in range(players))
        table = table_of(rules, seats, 0 if seed % 2 else None, typed=seed)
        found = reviews(play_out(table, Random(seed), ("random", "greedy", "perfect")))
        for one in found:
            assert one.unit == PERCENT
            assert {part.kind for part in one.parts} <= ({"game"} if players == 2 else {"game", "round"})


@pytest.mark.parametrize("players", [2, 3, 5])
def test_perfect_players_lose_nothing_in_rounds(players: int) -> None:
    rules = load_edition("carlit-chicago").rules()
    for seed in range(4):
        table = table_of(rules, tuple(Seat(f"B{place}", "perfect") for place in range(players)), None, typed=seed)
        for found in reviews(play_out(table, Random(seed), ("perfect",), lively=False)):
            assert found.lost == 0
            assert found.finished


def test_two_players_share_what_there_is_to_win() -> None:
    rules = load_edition("carlit-chicago").rules()
    for seed in range(5):
        table = table_of(rules, (Seat("Ann"), Seat("Ben")), None, typed=seed)
        found = reviews(play_out(table, Random(seed), ("random",), lively=False))
        assert [one.par for one in found] == [50, 50]
        assert sorted(round(one.final) for one in found) == [0, 100]


def test_before_a_roll_a_follower_expects_the_mean_of_what_can_fall() -> None:
    game = make_game()
    for state in followers(game):
        before = value_before_turn(game, state)
        rolled = play(game, state, Roll())
        faces = range(1, 7)
        falls = [(a, b, c) for a in faces for b in faces for c in faces]
        after = [rank_moves(game, play(game, rolled, Land(dice)))[0].value for dice in falls]
        assert sum(after) / len(after) == pytest.approx(before, abs=1e-9)


def followers(game: RoundsGame) -> list[RoundState]:
    """Put followers of all kinds before their first roll."""
    found = []
    for players, totals, chips in ((2, ((0, 11),), {0: 1}), (3, ((0, 9), (1, 14)), {1: 1}), (5, ((0, 9), (1, 6)), {})):
        state = make_position(game, players, chips)
        seat = len(totals)
        found.append(replace(state, phase=FOLLOW, aim="over", totals=totals, player=seat, seat=seat, rolls_allowed=2))
    return found


def test_a_round_goes_on_by_the_whole_game_when_somebody_left_with_three_ones() -> None:
    game = make_game()
    for owned in ({}, {0: 1, 2: 1}, {0: 2, 2: 1}, {1: 1, 0: 1}):
        state = replace(make_position(game, 3, owned), phase=FOLLOW, aim="over", totals=((0, 9),), rolls_allowed=1)
        ones = replace(state, player=1, seat=1, dice=(1, 1, 1), rolls_used=1)
        after = game.apply(ones, Stand())
        assert after.active == (0, 2)
        assert is_whole_game_solved(after)
        lost, beaten = (replace(after, dice=dice, rolls_used=1) for dice in ((1, 2, 3), (6, 6, 6)))
        assert rank_moves(game, lost)[0].value > rank_moves(game, beaten)[0].value


def follow(game: RoundsGame, state: RoundState, total: int, move: Move) -> float:
    """Follow the best moves after this one through every roll, and add up how often a total is beaten."""
    if not isinstance(move, Roll):
        made = sum(state.dice)
        return float(made > total if state.aim == "over" else made < total or game.is_all_ones(state.dice))
    rolled = play(game, state, move)
    ways: dict[Hand, int] = defaultdict(int)
    for number in range(6 ** len(rolled.rolling)):
        ways[tuple(number // 6**place % 6 + 1 for place in range(len(rolled.rolling)))] += 1
    chance = 0.0
    for dice, count in ways.items():
        after = play(game, rolled, Land(dice))
        best = rank_moves(game, after)[0].move
        won = game.is_all_ones(after.dice) if not isinstance(best, Roll) else False
        chance += count * (1.0 if won else follow(game, after, total, best))
    return chance / sum(ways.values())


def test_how_often_a_follower_does_better_is_found_again_roll_by_roll() -> None:
    game = make_game()
    for state in followers(game):
        dealt = replace(state, dice=(2, 4, 5), rolls_used=1)
        for one in rank_moves(game, dealt):
            mine = compute_chance_to_beat(game, dealt, one.move)
            assert mine == pytest.approx(follow(game, dealt, find_total_to_beat(game, dealt), one.move), abs=1e-9)


def test_somebody_who_quits_may_leave_chips_behind_that_no_round_ends_with() -> None:
    game = make_game()
    state = make_position(game, 4, {0: 2, 1: 1})
    after = play(game, state, Leave(3))
    assert (after.active, after.kitty) == ((0, 1, 2), 0)
    expected = [value_before_round(game, after, seat) for seat in after.active]
    assert sum(expected) == pytest.approx(1 + 2 + 3)
    assert expected[2] < expected[1] < expected[0]


def test_a_seat_expects_before_a_round_what_is_solved() -> None:
    game = make_game()
    state = make_position(game, 2)
    assert value_before_round(game, state, 0) == pytest.approx(1.4371, abs=1e-4)
    assert value_before_round(game, make_position(game, 5), 0) == pytest.approx(0.006306, abs=1e-6)


# What a move leads to, found again by hand.


class Follower(Tree):
    """Best play of a small game followed by hand from any move: points this turn, points at the end, the bonus."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.ended = cache(self._ended)

    def _ended(self, column: Column) -> list[tuple[Column, float]]:
        """Follow best play to the final sheets."""
        self.ends.clear()
        self.play(column, 1.0)
        return list(self.ends.items())

    def after_keep(self, column: Column, announced: str | None, roll_count: int, kept: Hand) -> Outlook:
        """Follow a roll that keeps some dice."""
        reached: dict[Column, float] = defaultdict(float)
        self.roll(column, announced, roll_count, kept, 1.0, reached)
        return self.sum_entries(column, reached)

    def sum_entries(self, column: Column, reached: dict[Column, float]) -> Outlook:
        """Add up what the entries of this turn score, now and in the end."""
        boxes = range(len(self.rules.boxes))
        chances, now, means, bonus = [0.0 for _ in boxes], [0.0 for _ in boxes], [0.0 for _ in boxes], 0.0
        for then, likely in reached.items():
            (place,) = set(column.open_boxes) - set(then.open_boxes)
            points = then.entries[place] or 0
            chances[place] += likely * (points > 0)
            now[place] += likely * points
            for end, share in self.ended(then):
                bonus += likely * share * bool(tally(self.rules, end).bonus)
                for box in column.open_boxes:
                    means[box] += likely * share * (end.entries[box] or 0)
        return Outlook(tuple(chances), tuple(now), tuple(means), bonus)


def agree(mine: Outlook, other: Outlook) -> None:
    """Insist that two outlooks are the same."""
    assert mine.final_means is not None
    assert mine.bonus_chance == pytest.approx(other.bonus_chance, abs=1e-5)
    for name in ("chances", "turn_means", "final_means"):
        assert getattr(mine, name) == pytest.approx(getattr(other, name), abs=1e-4), name


@pytest.mark.solve
@pytest.mark.parametrize("name", mostly_rest(GAMES, "plain", "announced"))
def test_what_a_move_leads_to_is_found_again_by_hand(name: str) -> None:
    rules = house_rules(GAMES[name]).rules()
    game, found, by_hand = SheetGame(rules, practice=True), seeing(rules), Follower(rules)
    random, seen = Random(name), 0
    state = game.start(1, 0)
    while state.seat is not None:
        if fall := game.pending_roll(state):
            state = play(game, state, Land(tuple(random.randint(1, rules.faces) for _ in fall.positions)))
            continue
        moves = list(game.legal_moves(state))
        # By hand a whole game takes seconds, so only one is followed from its first roll.
        late = len(state.column.open_boxes) <= 3 or name == "plain"
        for move in random.sample(moves, min(6, len(moves)) if late else 0):
            mine = found.compute_outlook(game, state, move)
            seen += 1
            match move:
                case Score():
                    after = play(game, state, move).columns[0]
                    agree(mine, by_hand.sum_entries(state.column, {after: 1.0}))
                case Roll(keep):
                    kept = sort_dice(state.dice[place] for place in keep)
                    agree(mine, by_hand.after_keep(state.column, state.announced, rules.rolls - state.rolls_used, kept))
                case Announce(box):
                    agree(mine, by_hand.after_keep(state.column, box, rules.rolls, ()))
            extra = (
                found.value_move(game, state, move)
                - sum(mine.final_means or ())
                - (mine.bonus_chance or 0) * found.book.tables.bonus
            )
            assert extra == pytest.approx(0, abs=1e-4) or (rules.yatzy is not None and rules.yatzy.prime and extra > 0)
        state = play(game, state, random.choice(moves))
    assert seen > 5


def weigh_named(said: Phrase, rules: SheetRules, one: Decision) -> float:
    """Say how many points of a loss a reason names, from what both moves lead to."""
    assert one.comparison is not None
    best, played = one.comparison.best, one.comparison.played
    boxes = said.values.get("boxes") or (said.values.get("box"),)
    places = [rules.index[box.box] for box in boxes if isinstance(box, BoxName)] if isinstance(boxes, tuple) else []
    if "bonus" in said.key:
        return rules.bonus.points * ((best.bonus_chance or 0) - (played.bonus_chance or 0)) if rules.bonus else 0.0
    if said.key.endswith("primes"):
        return read_points(said)
    ends = best.final_means or (), played.final_means or ()
    return sum(ends[0][place] - ends[1][place] for place in places)


def numbers_of(said: Phrase, rules: SheetRules, one: Decision) -> bool:
    """Find the numbers of a reason again in what both moves lead to; tells whether there was anything to find."""
    assert one.comparison is not None
    best, played, values = one.comparison.best, one.comparison.played, said.values
    box = values.get("box")
    place = rules.index[box.box] if isinstance(box, BoxName) else 0
    assert best.final_means is not None
    assert played.final_means is not None
    ends = [("best", best.final_means[place]), ("played", played.final_means[place])]
    chances = [("best", 100 * best.chances[place]), ("played", 100 * played.chances[place])]
    bonuses = [("best", 100 * (best.bonus_chance or 0)), ("played", 100 * (played.bonus_chance or 0))]
    zeros = [("best", 100 * (1 - sum(best.chances))), ("played", 100 * (1 - sum(played.chances)))]
    weight = [("points", abs(weigh_named(said, rules, one)))]
    whole = sum(best.final_means) - sum(played.final_means)
    bonus = rules.bonus.points * (bonuses[0][1] - bonuses[1][1]) / 100 if rules.bonus else 0.0
    extra = [("points", abs(one.loss - whole - bonus))]
    rest = one.loss - sum(weigh_named(other, rules, one) for other in one.reasons if other != said)
    others, used = [("points", abs(rest))], [ends[0], ("points", played.turn_means[place])]
    found: dict[str, list[tuple[str, float]]] = {
        **dict.fromkeys(("bonus", "bonus_less", "but_bonus"), bonuses),
        **dict.fromkeys(("brings", "announces", "leaves"), ends),
        **dict.fromkeys(("together", "but_together", "but_brings"), weight),
        **dict.fromkeys(("primes", "but_primes"), extra),
        **dict.fromkeys(("others", "but_others"), others),
        **dict.fromkeys(("uses_up", "crosses_out"), used),
        "brings_now": [("best", best.turn_means[place]), ("played", played.turn_means[place])],
        "passes_up": [("points", best.turn_means[place]), ends[1]],
        "comes_less": [*chances, *weight],
        "zeros": [*zeros, *weight],
    }
    pairs = found.get(said.key.rpartition(".")[2], [])
    for name, value in pairs:
        if name not in values:
            continue
        shown = Translator("en").format_value(values[name])
        digits = len(shown.partition(".")[2])
        assert abs(float(shown) - value) <= 0.5 * 10**-digits + 2e-4 + 0.05 * ("others" in said.key), (said, value)
    return bool(pairs)


@pytest.mark.parametrize("name", RULESETS[::5])
def test_every_number_in_a_reason_is_one_that_was_worked_out(name: str) -> None:
    rules = short(list_rulesets()[name])
    table = play_out(table_of(rules, (Seat("Ann"),), 0), Random(name), ("random",), lively=False)
    (found,) = reviews(table, seeing)
    words = Translator("en", load_edition(rulesets_edition(name)))
    for decision in found.flawed_decisions:
        assert 1 <= len(decision.reasons) <= 4
        assert all(numbers_of(said, rules, decision) for said in decision.reasons)
        assert all(words.translate(said) for said in decision.reasons)
    assert all(not decision.reasons for decision in found.decisions if decision.grade == "fine")


@pytest.mark.parametrize("name", mostly_rest(RULESETS[::7], RULESETS[0]))
def test_what_reasons_name_comes_to_about_the_loss(name: str) -> None:
    rules = short(list_rulesets()[name])
    table = play_out(table_of(rules, (Seat("Ann"),), 0), Random(name), ("random", "greedy"), lively=False)
    (found,) = reviews(table, seeing)
    assert found.flawed_decisions
    for decision in found.flawed_decisions:
        named = sum(
            weigh_named(said, rules, decision) if not said.key.endswith("others") else read_points(said)
            for said in decision.reasons
        )
        assert abs(named - decision.loss) <= 0.3 * decision.loss + 0.1, decision


def list_named(one: Decision) -> set[str]:
    """List the boxes a reason names, and the bonus."""
    values = [value for said in one.reasons for value in said.values.values()]
    every = [box for value in values for box in (value if isinstance(value, tuple) else (value,))]
    bonus = {"bonus"} if any("bonus" in said.key for said in one.reasons) else set()
    return {box.box for box in every if isinstance(box, BoxName)} | bonus


def weigh_parts(rules: SheetRules, one: Decision) -> dict[str, float]:
    """Say how many points of a loss each box and the bonus make up, from what both moves lead to."""
    assert one.comparison is not None
    best, played = one.comparison.best, one.comparison.played
    pairs = zip(rules.boxes, best.final_means or (), played.final_means or (), strict=True)
    bonus = rules.bonus.points * ((best.bonus_chance or 0) - (played.bonus_chance or 0)) if rules.bonus else 0.0
    return {"bonus": bonus} | {box.id: better - worse for box, better, worse in pairs}


ANNOUNCED = [name for name in RULESETS if list_rulesets()[name].order == "announced"]


@pytest.mark.parametrize("name", mostly_rest([*RULESETS[1::7], *ANNOUNCED[:2]], RULESETS[1], ANNOUNCED[0]))
def test_a_reason_passes_over_nothing_larger_than_what_it_names(name: str) -> None:
    rules = short(list_rulesets()[name])
    table = play_out(table_of(rules, (Seat("Ann"),), 0), Random(name), ("random", "greedy"), lively=False)
    (found,) = reviews(table, seeing)
    assert found.flawed_decisions
    for one in found.flawed_decisions:
        parts, named = weigh_parts(rules, one), list_named(one)
        assert named
        at_stake = {part for part in parts if {part} & {*one.action.split(), *one.best_action.split()}}
        others = [weight for part, weight in parts.items() if part in named - at_stake and weight > 0]
        for part, weight in parts.items():
            is_worth_naming = weight >= 0.15 * one.loss and part not in named
            assert not (is_worth_naming and others and weight > min(others) + NEAR), (one, part)
            assert part in named or part not in at_stake or weight > -0.15 * one.loss, (one, part)


@pytest.mark.parametrize("name", mostly_rest(RULESETS[2::7], RULESETS[2]))
def test_more_zeros_are_the_reason_only_for_what_they_can_cost(name: str) -> None:
    rules = short(list_rulesets()[name])
    table = play_out(table_of(rules, (Seat("Ann"),), 0), Random(name), ("random", "greedy"), lively=False)
    (found,) = reviews(table, seeing)
    for one in found.flawed_decisions:
        for said in one.reasons:
            if said.key == "coach.why.zeros":
                assert one.comparison is not None
                best, boxes = one.comparison.best, said.values["boxes"]
                assert isinstance(boxes, tuple)
                averages = [(best.final_means or ())[rules.index[box.box]] for box in boxes if isinstance(box, BoxName)]
                more = one.comparison.played.zero_chance - best.zero_chance
                assert more >= 0.05
                assert weigh_named(said, rules, one) <= more * max(averages) + NEAR


def read_points(said: Phrase) -> float:
    """Read the points of a reason, a gain as a negative number."""
    points = float(Translator("en").format_value(said.values["points"]))
    return -points if ".but_" in said.key else points


def rulesets_edition(name: str) -> str:
    """Give the edition, or the path of the example, of a ruleset."""
    first = name.split(maxsplit=1)[0]
    example = Path(__file__).parents[2] / "examples" / "house-rules" / f"{first}.toml"
    return str(example) if example.exists() else first


def test_without_prospects_a_reason_speaks_of_this_turn() -> None:
    rules = short(load_edition("mb-yahtzee").rules())
    blind = SheetCoach(coach_of(rules).book)
    table = play_out(table_of(rules, (Seat("Ann"),), 0), Random(2), ("random",), lively=False)
    (found,) = reviews(table, lambda _: blind)
    keys = {said.key for decision in found.flawed_decisions for said in decision.reasons}
    assert {"coach.why.later", "coach.why.but_later"} & keys
    names = (
        "brings_now",
        "comes_less",
        "later",
        "but_brings",
        "but_later",
        "together",
        "but_together",
        "zeros",
        "others",
    )
    assert keys <= {f"coach.why.{name}" for name in names}
    for decision in found.flawed_decisions:
        assert decision.comparison is not None
        now = sum(decision.comparison.best.turn_means) - sum(decision.comparison.played.turn_means)
        told = [
            Translator("en").format_value(said.values["points"])
            for said in decision.reasons
            if said.key in ("coach.why.later", "coach.why.but_later")
        ]
        assert told in ([], [f"{abs(decision.loss - now):.1f}"])
    assert not found.has_expected_scores


# Whole sheets: published chances, printed advice, and the time it takes.


@pytest.fixture(scope="module")
def scandinavian() -> SheetCoach:
    """Give the coach of fifteen boxes, seeing to the end."""
    return seeing(load_edition("tactic-xl-yatzy").rules("en"))


@pytest.fixture(scope="module")
def yahtzee() -> SheetCoach:
    """Give the coach of the edition of 1982."""
    return seeing(load_edition("mb-yahtzee").rules())


def build_position(
    rules: SheetRules, dice: Hand, left: int, sheet: dict[str, int] | None = None
) -> tuple[SheetGame, SheetState]:
    """Put a position on the table."""
    column = build_column(rules, sheet or {})
    return SheetGame(rules, practice=True), SheetState((column,), 0, 0, dice, rules.rolls - left, turns=(0,), first=0)


@pytest.mark.rest
def test_the_bonus_comes_as_often_as_published(scandinavian: SheetCoach, yahtzee: SheetCoach) -> None:
    for found, published in ((scandinavian, 0.898065), (yahtzee, 0.681181)):
        rules = found.book.tables.rules
        game = SheetGame(rules, practice=True)
        outlook = found.compute_outlook(game, game.start(1, 0), Roll())
        assert outlook.bonus_chance == pytest.approx(published, abs=1e-6)
        whole = sum(outlook.final_means or ()) + (outlook.bonus_chance or 0) * found.book.tables.bonus
        assert whole == pytest.approx(found.book.par, abs=1e-4) or (rules.yatzy and rules.yatzy.prime)


@pytest.mark.solve
def test_the_printed_advice_for_2_3_4_4_5_is_to_go_for_the_large_straight(yahtzee: SheetCoach) -> None:
    rules = yahtzee.book.tables.rules
    game, state = build_position(rules, (2, 3, 4, 4, 5), 2)
    best, *others = yahtzee.rank_moves(game, state)
    assert best.move == Roll((0, 1, 2, 4))
    assert others[0].loss > 2
    place = rules.index["large_straight"]
    assert yahtzee.compute_outlook(game, state, best.move).chances[place] == pytest.approx(1 - (4 / 6) ** 2)
    last = yahtzee.compute_outlook(*build_position(rules, (2, 3, 4, 4, 5), 1), best.move)
    assert last.chances[place] == pytest.approx(2 / 6)
    assert last.chances[rules.index["small_straight"]] == pytest.approx(4 / 6)


@pytest.mark.solve
def test_two_ones_are_written_in_ones_rather_than_as_a_pair() -> None:
    rules = load_edition("carlit-yatzy").rules()
    found = coach_of(rules)
    game, state = build_position(rules, (1, 1, 3, 4, 6), 0)
    values = {one.move.box: one.loss for one in found.rank_moves(game, state) if isinstance(one.move, Score)}
    assert values["ones"] == 0
    assert values["one_pair"] > 2


@pytest.mark.solve
def test_a_trade_is_named_on_both_sides_however_well_it_balances(yahtzee: SheetCoach) -> None:
    rules = yahtzee.book.tables.rules
    game, state = build_position(rules, (1, 6, 6, 6, 6), 0, {"three_of_a_kind": 27, "chance": 20})
    losses = {one.move: one.loss for one in yahtzee.rank_moves(game, state)}
    played, best = Score("four_of_a_kind"), Score("sixes")
    assert losses[best] == 0
    reasons, comparison = explain_loss(yahtzee, game, state, (played, best), losses[played])
    assert rules.bonus is not None
    bonus = rules.bonus.points * ((comparison.best.bonus_chance or 0) - (comparison.played.bonus_chance or 0))
    place = rules.index["four_of_a_kind"]
    gained = (comparison.played.final_means or ())[place] - (comparison.best.final_means or ())[place]
    assert min(bonus, gained) > losses[played]
    words = Translator("en", load_edition("mb-yahtzee"))
    said = "; ".join(map(words.translate, reasons))
    assert "the upper bonus much less likely" in said
    assert f"but gains {gained:.1f} points in Four of a Kind" in said
    assert said.count("but gains") == 1


FIVES, THREES_ALIKE = "makes the upper bonus less likely: 64% instead of 68%", "ends the turn in Three of a Kind 2%"
EXPLAINED: list[tuple[Hand, int, dict[str, int], Move, tuple[str, ...]]] = [
    ((5, 6, 5, 2, 2), 2, {}, Roll((1,)), (FIVES, "ends the turn in Fives 3% of the time instead of 47%")),
    ((6, 5, 4, 6, 1), 1, {"chance": 22, "sixes": 12}, Roll((1, 2)), (f"{THREES_ALIKE} of the time instead of 28%",)),
    (
        (3, 4, 5, 5, 5),
        0,
        {"large_straight": 40, "full_house": 25},
        Score("three_of_a_kind"),
        (
            "uses up Three of a Kind for 22: with best play it scores 21.9 on average",
            "Four of a Kind scores 11.6 points on average instead of 14.0",
            "but gains 0.5 points in Fives",
        ),
    ),
]
"""Dice, how often they may still be rolled, what is filled, a move, and what its reason says."""


@pytest.mark.solve
@pytest.mark.parametrize(("dice", "left", "sheet", "played", "told"), EXPLAINED)
def test_a_reason_says_what_the_turn_itself_loses(
    yahtzee: SheetCoach, dice: Hand, left: int, sheet: dict[str, int], played: Move, told: tuple[str, ...]
) -> None:
    game, state = build_position(yahtzee.book.tables.rules, dice, left, sheet)
    ranked = yahtzee.rank_moves(game, state)
    (loss,) = (one.loss for one in ranked if one.move == played)
    reasons, _ = explain_loss(yahtzee, game, state, (played, ranked[0].move), loss)
    words = Translator("en", load_edition("mb-yahtzee"))
    said = "; ".join(map(words.translate, reasons))
    assert all(one in said for one in told), said


@pytest.mark.rest
@pytest.mark.solve
def test_only_the_yatzy_open_the_chance_is_the_published_one(yahtzee: SheetCoach) -> None:
    rules = yahtzee.book.tables.rules
    game, state = build_position(rules, (), rules.rolls, {box.id: 0 for box in rules.boxes if box.id != "yatzy"})
    outlook = yahtzee.compute_outlook(game, state, Roll())
    assert outlook.chances[rules.index["yatzy"]] == pytest.approx(347897 / 7558272)
    assert outlook.zero_chance == pytest.approx(1 - 347897 / 7558272)


@pytest.mark.rest
@pytest.mark.solve
def test_a_game_of_fifteen_rounds_is_reviewed(scandinavian: SheetCoach) -> None:
    rules = scandinavian.book.tables.rules
    table = play_out(table_of(rules, (Seat("Ann"),), 0), Random(7), ("random", "greedy"), lively=False)
    found = review_seat(table.record, table.replay, 0, lambda _: scandinavian)
    assert len(found.turn_summaries) == 15
    assert len(found.flawed_decisions) > 15


# Grades.


def test_grades_are_those_of_the_table() -> None:
    losses = (0, 0.49, 0.5, 0.99, 1, 1.99, 2, 4.99, 5, 60)
    names = ["fine", "fine", "inaccuracy", "inaccuracy", "mistake", "mistake", "blunder", "blunder", "howler", "howler"]
    assert [grade_decision(loss) for loss in losses] == names
    assert len(DECISION_GRADES) == 5


def test_luck_is_measured_by_what_a_turn_brings() -> None:
    assert compute_luck_scale(248.44, 15) == pytest.approx(1)
    marks = [grade_luck(luck, 1) for luck in (10, 5, 4.9, -3.9, -4, -7)]
    assert marks == ["very_lucky", "lucky", "plain", "plain", "unlucky", "very_unlucky"]
    assert grade_luck(5, 2) == "plain"
    assert grade_luck(1, compute_luck_scale(16.06, 5)) == "lucky"


# The cache folder.


def test_prospects_are_kept_beside_the_book_and_damaged_ones_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rules = house_rules(GAMES["plain"]).rules()
    book = coach_of(rules).book
    assert read_expected_scores(book) is None
    build_expected_scores(book)
    (path,) = tmp_path.rglob("*.prospects")
    mapped = read_expected_scores(book)
    assert mapped is not None
    good, content = mapped.scores.tolist(), path.read_bytes()
    for damaged in (content[:-1], content + b"x", content[:70] + b"?" + content[71:], b""):
        path.write_bytes(damaged)
        assert read_expected_scores(book) is None
        assert not path.exists()
    seen: list[float] = []
    build_missing_expected_scores(book, seen.append)
    again = read_expected_scores(book)
    assert again is not None
    assert again.scores.tolist() == good
    assert seen[-1] == 1


# The command, its JSON and its page.

ROOT = Path(__file__).parents[2]
LIVELY, ROUNDS = (str(ROOT / "tests" / "records" / "format-2" / f"{name}.knobel") for name in ("lively", "chicago"))


def run_command(line: str, capsys: pytest.CaptureFixture[str]) -> SimpleNamespace:
    """Type a line after `knobel`."""
    code = main(shlex.split(line))
    out, err = capsys.readouterr()
    return SimpleNamespace(code=code, out=out, err=err)


@pytest.fixture(scope="module")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a cache folder that is empty at first."""
    return tmp_path_factory.mktemp("books")


@pytest.fixture
def terminal(tmp_path: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a small English terminal with a cache folder of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_folder))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LANG", "en")
    return tmp_path


def test_a_review_says_par_luck_loss_class_and_why(terminal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = run_command(f"review {LIVELY}", capsys)
    assert (answer.code, answer.err) == (0, "")
    assert "Par 16.06, luck +1.44, lost 3.50: 14 points." in answer.out
    assert "Your level this game: distracted, probably between intermediate and distracted." in answer.out
    assert "5 real choices cost you 0.70 points each; random play loses 1.07." in answer.out
    assert "With average luck your play is worth 12.6 points, give or take 3.6." in answer.out
    told = " ".join(answer.out.split())
    assert "−3.00 (−24.3% to win) blunder. Turn 4, 2 2: roll all dice; best: score 4 in Both even." in told
    assert "Costliest choice: Turn 4, 2 2, −24.3% to win." in told
    assert "passes up 4 in Both even: later it scores 1.0 on average" in answer.out
    assert "1 choice was made by a stand-in." in answer.out
    assert re.search(r"^ +4  Both even 4 +\+4\.75  3\.00  15\.5 +\|\++$", answer.out, re.MULTILINE)
    assert max(map(len, answer.out.splitlines())) <= 80


def test_a_review_for_machines_closes_its_ledger(terminal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in (f"review {LIVELY} --player 2 --json", f"review {ROUNDS} --player 3 --json"):
        answer = run_command(line, capsys)
        found = json.loads(answer.out)
        assert found["par"] + found["luck"] - found["lost"] == pytest.approx(found["final"], abs=NEAR)
        assert sum(one["loss"] for one in found["decisions"]) == pytest.approx(found["lost"])
        assert sum(one["luck"] for one in found["rolls"]) == pytest.approx(found["luck"])
        assert all({"turn", "played", "best", "loss", "why"} <= set(one) for one in found["decisions"])
        assert all(bool(one["why"]) == (one["grade"] != "fine") for one in found["decisions"])
        assert [one["player"] for one in found["players"]] == [1, 2, 3]
        assert found["players"][found["player"] - 1]["class"] == found["class"] == found["level"]["class"]
        assert found["level"]["decisions"] == sum(one["real"] for one in found["decisions"])
        assert found["level"]["rate"] * found["level"]["decisions"] == pytest.approx(found["lost"])
        assert all(line["adjusted"] == pytest.approx(line["final"] - line["luck"]) for line in found["headlines"])


class Page(HTMLParser):
    """Reads a page and notes what it asks for from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.elsewhere: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.elsewhere += [f"{name}={value}" for name, value in attrs if name in ("src", "href", "srcset")]
        if tag not in ("meta", "path", "rect", "circle", "polyline"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen += [tag, *(name for name, _ in attrs if name == "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("record", [LIVELY, ROUNDS])
def test_the_page_stands_alone_in_one_file(terminal: Path, capsys: pytest.CaptureFixture[str], record: str) -> None:
    path = terminal / "review.html"
    answer = run_command(f"review {record} --html {path}", capsys)
    assert answer.code == 0
    assert f"The report is in {path}." in answer.out
    page, text = Page(), path.read_text(encoding="utf-8")
    page.feed(text)
    assert page.open == []
    assert page.elsewhere == []
    assert {"svg", "table", "style"} <= set(page.seen)
    assert not {"script", "img", "link", "iframe"} & set(page.seen)
    assert "url(" not in text
    assert "http" not in text
    assert "{" not in re.sub(r"<style>.*</style>", "", text, flags=re.DOTALL)


def test_a_name_cannot_bring_markup_onto_the_page() -> None:
    rules = short(load_edition("mb-yahtzee").rules())
    table = play_out(table_of(rules, (Seat("<script>&"),), 0), Random(1), ("random",), lively=False)
    (found,) = reviews(table)
    text = render_report(
        "<b>", "game", [("<script>&", found)], 0, "en", Translator("en", load_edition("mb-yahtzee")).translate
    )
    assert "<script>" not in text
    assert "&lt;script&gt;&amp;" in text


def test_a_kept_game_is_reviewed_by_its_name(terminal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = f"sqlite:///{terminal}/games.db"
    line = f"play {ROOT}/examples/house-rules/two-dice.toml --player bot:greedy --seed 1 --database {folder}"
    assert main(shlex.split(line)) == 0
    capsys.readouterr()
    assert main(shlex.split(f"games --json --database {folder}")) == 0
    (game,) = json.loads(capsys.readouterr().out)
    answer = run_command(f"review {game['game'][:6]} --database {folder} --json", capsys)
    assert (answer.code, json.loads(answer.out)["game"]) == (0, game["game"])


@pytest.mark.parametrize(
    "line",
    [
        "review nothing-like-it",
        "review nothing.knobel",
        f"review {LIVELY} --player 9",
        f"review {LIVELY} --player x",
        f"review {LIVELY} --html /",
        "review",
    ],
)
def test_a_review_that_cannot_be_is_refused_in_one_line(
    terminal: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    answer = run_command(line, capsys)
    assert answer.code == 2
    assert len(answer.err.splitlines()) == 1


def test_a_form_says_everything_in_the_words_it_is_given() -> None:
    rules = short(load_edition("mb-yahtzee").rules())
    table = play_out(table_of(rules, (Seat("Ann"),), 0), Random(2), ("random",), lively=False)
    (found,) = reviews(table, seeing)
    plain: Any = serialize_review(found, lambda said: said.key)
    keys = {one["played"] for one in plain["decisions"]} | {one["best"] for one in plain["decisions"]}
    assert keys <= {"interface.advise.keep", "interface.advise.roll_all", "coach.move.score"}
    assert json.loads(json.dumps(plain))["turns"][-1]["turn"] == 5
    numbers = [one["numbers"] for one in plain["decisions"] if "numbers" in one]
    assert len(numbers) == len(found.flawed_decisions) > 0


def test_a_record_that_was_written_down_gives_the_same_review() -> None:
    rules = short(load_edition("mb-yahtzee").rules())
    table = play_out(table_of(rules, PEOPLE[:2], 0), Random(5), ("random", "greedy"))
    before = reviews(table)
    record: Record = table.record
    assert encode_record(record)
    assert reviews(table) == before


def test_what_the_others_did_is_luck_in_rounds() -> None:
    rules = load_edition("carlit-chicago").rules()
    table = table_of(rules, tuple(Seat(f"B{place}", "greedy") for place in range(3)), None)
    while table.state.seat is not None:
        play_bot_step(table, Random(1))
    found = reviews(table)
    assert all(any(roll.kind == OTHERS for roll in one.luck_events) for one in found)
