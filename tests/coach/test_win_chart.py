"""The win chart: its changes add up to the result, and its chances are those of games followed by hand."""

import re
from collections import Counter
from collections.abc import Sequence
from html import unescape
from itertools import product
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from knobel.coach import win_chart
from knobel.coach.ledger import DICE
from knobel.coach.moves import describe_move
from knobel.coach.review import review_seat
from knobel.coach.sheet import open_coach
from knobel.coach.win_chart import CHOICE, MADE_EXACT, WinChart, chart_wins
from knobel.coach.win_page import render_win_chart
from knobel.coach.win_story import (
    WinLedger,
    describe_turning_point,
    describe_win_ledger,
    find_extremes,
    find_turning_points,
    format_chance,
    sum_win_ledger,
)
from knobel.errors import NotInBook
from knobel.games.sheet import SheetGame
from knobel.lang import Translator
from knobel.phrase import FormattedNumber
from knobel.record.events import Record
from knobel.record.file import parse_record
from knobel.record.replay import Replay, replay_record
from knobel.rules.column import Column, tally
from knobel.rules.sheet_rules import SheetRules
from tests.support.selection import mostly_rest
from tests.support.small_games import Tree

RECORDS = Path(__file__).parents[1] / "records" / "format-3"
SMALL = "lively"
NEAR = 1e-9
GAMES = [SMALL, "seeded", "free", "real", "announced"]
"""Undone entries and somebody who left, free columns, real dice and announced boxes."""


def read_game(name: str) -> tuple[Record, Replay]:
    record = parse_record((RECORDS / f"{name}.knobel").read_bytes(), name)
    return record, replay_record(record, name)


def follow_by_hand(tree: Tree, column: Column) -> Counter[int]:
    """Give how likely each final total of a column is."""
    tree.ends.clear()
    tree.play(column, 1.0)
    found = Counter[int]()
    for end, chance in tree.ends.items():
        found[tally(tree.rules, end).total] += chance  # type: ignore[assignment]
    return found


def share_by_hand(totals: Sequence[Counter[int]]) -> list[float]:
    """Give everybody's chance to win, ties shared, by going through all final totals together."""
    shares = [0.0] * len(totals)
    for ends in product(*totals):
        best = [seat for seat, end in enumerate(ends) if end == max(ends)]
        chance = float(np.prod([one[end] for one, end in zip(totals, ends, strict=True)]))
        for seat in best:
            shares[seat] += chance / len(best)
    return shares


def check_sums(chart: WinChart, replay: Replay) -> None:
    changes = np.array([one.changes for one in chart.changes])
    assert (np.array(chart.start) + changes.sum(axis=0)).tolist() == pytest.approx(list(chart.final))
    assert changes.sum(axis=1).tolist() == pytest.approx([0.0] * len(changes))
    winners = replay.outcome.places[0] if replay.outcome else ()
    shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(len(chart.final))]
    assert list(chart.final) == pytest.approx(shares)


@pytest.mark.parametrize("name", mostly_rest(GAMES, SMALL))
def test_all_changes_add_up_to_the_result_minus_the_start(name: str) -> None:
    _, replay = read_game(name)
    chart = chart_wins(replay)
    check_sums(chart, replay)
    for seat in range(len(chart.start)):
        ledger = sum_win_ledger(chart, seat)
        assert ledger.start + ledger.dice + ledger.choices + ledger.others == pytest.approx(chart.final[seat])


def test_the_sum_is_the_same_where_chances_are_approximate_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(win_chart, "EXACT_OPEN_BOXES", 2)
    _, replay = read_game(SMALL)
    chart = chart_wins(replay)
    check_sums(chart, replay)
    assert [turn.exact for turn in chart.turns] == sorted(turn.exact for turn in chart.turns)
    assert {one.exact for one in chart.turns} == {True, False}
    assert sum(one.kind == MADE_EXACT for one in chart.changes) == len(chart.start)


def test_chances_after_each_turn_are_those_of_the_game_followed_by_hand() -> None:
    _, replay = read_game(SMALL)
    chart, track = chart_wins(replay), replay.track(0)
    tree = Tree(cast("SheetRules", track.game.rules))
    assert chart.start_exact
    for turn in chart.turns:
        state = next(step.after for step in track.steps if step.number == turn.event_number)
        by_hand = share_by_hand([follow_by_hand(tree, column) for column in state.columns])
        assert list(turn.shares) == pytest.approx(by_hand)


def test_the_only_best_move_changes_no_chance_and_mistakes_stand_where_the_review_has_them() -> None:
    record, replay = read_game(SMALL)
    chart, track = chart_wins(replay), replay.track(0)
    steps = {step.number: step for step in track.steps}
    best_moves = mistakes = 0
    for seat in range(len(chart.start)):
        changes, rules = chart.find_choice_changes(seat), cast("SheetRules", track.game.rules)
        for decision in review_seat(record, replay, seat).decisions:
            before = steps[decision.event_number].before
            ranked = open_coach(rules).rank_moves(cast("SheetGame", track.game), before)
            equal = {describe_move(before.dice, one.move) for one in ranked if one.loss < NEAR}
            mistakes += decision.loss > 0 and abs(changes[decision.event_number]) > NEAR
            if decision.loss == 0 and len(equal) == 1:
                assert changes[decision.event_number] == pytest.approx(0)
                best_moves += 1
    assert best_moves
    assert mistakes


def test_turning_points_are_the_largest_changes_and_extremes_are_ones_own() -> None:
    _, replay = read_game(SMALL)
    chart = chart_wins(replay)
    found = find_turning_points(chart, 0)
    assert 1 <= len(found) <= 3
    assert [turn.event_number for turn, _ in found] == sorted(turn.event_number for turn, _ in found)
    before = dict(
        zip(
            [turn.event_number for turn in chart.turns],
            [chart.start, *(one.shares for one in chart.turns)],
            strict=False,
        )
    )
    for turn, change in found:
        assert turn.shares[0] - before[turn.event_number][0] == pytest.approx(change)
    luckiest, costliest = find_extremes(chart, 1)
    assert luckiest
    assert costliest
    own = [one for one in chart.changes if one.seat == 1]
    assert luckiest.changes[1] == max(one.changes[1] for one in own if one.kind == DICE)
    assert costliest.changes[1] == min(one.changes[1] for one in own if one.kind == CHOICE)


def test_the_page_marks_each_turning_point_on_its_curve_and_in_its_table() -> None:
    _, replay = read_game(SMALL)
    chart, names = chart_wins(replay), ("A", 'B & "C"', "D")
    for seat in range(len(names)):
        found = find_turning_points(chart, seat)
        page = render_win_chart(chart, seat, names, Translator("en").translate)
        (line,) = re.findall(r'<g class=mine>.*?<polyline class="win ink-\d" points="([^"]+)"', page)
        points = [tuple(map(float, one.split(","))) for one in line.split()]
        assert len(points) == 1 + len(chart.turns)
        marks = re.findall(r'left:([\d.]+)%;top:([\d.]+)%" title="([^"]+)" aria-hidden="true">(\d)</b>', page)
        assert [number for *_, number in marks] == [str(one + 1) for one in range(len(found))]
        for (left, top, says, _), (turn, change) in zip(marks, found, strict=True):
            x, y = points[1 + chart.turns.index(turn)]
            assert (float(left), float(top)) == pytest.approx((100 * x / len(chart.turns), 100 * y), abs=0.02)
            told = Translator("en").translate(describe_turning_point(chart, turn, change, seat, names))
            assert unescape(says) == told
        cells = re.findall(r'<td class="number">([\d, ]*)</td></tr>', page)
        numbers = [int(one) for cell in cells for one in cell.split(", ") if one]
        assert numbers == [*range(1, len(found) + 1)]


def test_chances_in_sentences_are_marked_as_those_of_the_table_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(win_chart, "EXACT_OPEN_BOXES", 2)
    _, replay = read_game(SMALL)
    chart, words = chart_wins(replay), Translator("en")
    marks = set()
    for place, turn in enumerate(chart.turns):
        was_exact = chart.turns[place - 1].exact if place else chart.start_exact
        said = words.translate(describe_turning_point(chart, turn, 0.1, 0, "ABC"))
        before, after = said.split(": ")[1].removeprefix("A ").split(" → ")
        assert (before.startswith("~"), after.startswith("~")) == (not was_exact, not turn.exact)
        marks.add((was_exact, turn.exact))
    assert marks == {(False, False), (False, True), (True, True)}


@pytest.mark.parametrize("seed", range(50))
def test_a_chance_to_win_adds_up_as_it_is_shown(seed: int) -> None:
    start, dice, choices, final = np.random.default_rng(seed).uniform(-0.5, 0.5, 4)
    shown = describe_win_ledger(WinLedger(start, dice, choices, final - start - dice - choices, final)).values
    tenths = {name: round(1000 * cast("FormattedNumber", one).value) for name, one in shown.items()}
    assert tenths["start"] + tenths["dice"] + tenths["choices"] + tenths["others"] == tenths["final"]
    assert tenths["others"] == pytest.approx(1000 * (final - start - dice - choices), abs=2.01)


def test_who_gives_points_away_is_expected_to_win_less_often() -> None:
    _, replay = read_game(SMALL)
    chart = chart_wins(replay, losses=(1.0, 0.0, 0.0))
    check_sums(chart, replay)
    assert chart.start[0] < chart.start[1] == chart.start[2]


def test_a_sheet_that_is_in_no_book_has_no_chart() -> None:
    with pytest.raises(NotInBook):
        chart_wins(read_game("pad")[1])


def test_a_chart_can_be_stopped() -> None:
    class StopNow(Exception):
        pass

    def stop(_: float) -> None:
        raise StopNow

    with pytest.raises(StopNow):
        chart_wins(read_game(SMALL)[1], stop)


@pytest.mark.parametrize(("chance", "shown"), [(0.0, 0), (1.0, 1), (0.00001, 0.001), (0.99999, 0.999), (0.314, 0.314)])
def test_what_is_possible_is_never_none_and_what_is_open_never_all(chance: float, shown: float) -> None:
    assert format_chance(chance).value == shown
