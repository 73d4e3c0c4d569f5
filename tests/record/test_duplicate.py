"""Duplicate: whose turns are visible to whom, counted again from the events alone."""

from random import Random

import pytest

from knobel.game import Leave, Roll
from knobel.record.chain import link_events, list_heads
from knobel.record.duplicate import count_public_events, count_visible_turns, hide_turns, hides_turns
from knobel.record.events import Acted, Landed, Seat, Undone
from knobel.record.file import parse_record
from knobel.table import Table
from knobel.view.duplicate import find_seen, list_told_steps, show_table
from knobel.view.sheet import build_sheet_view
from tests.support.played_tables import apply_actions, encode_record, open_table, play_moves, reveal_seeds

EDITION = "mb-yahtzee"
SEATS = (Seat("Ada"), Seat("Bo"), Seat("Cy"))


def open_duplicate(moves: int, random: int = 1) -> Table:
    table = open_table(EDITION, SEATS, duplicate=True)
    reveal_seeds(table, EDITION)
    play_moves(table, Random(random), lively=True, most=moves)
    return table


def count_settled(table: Table, seat: int) -> int:
    """Count the entries of a seat that it can no longer take back, from the log alone."""
    scored, settled = list[int](), 0
    for number, event in enumerate(table.events, 1):
        if isinstance(event, Undone):
            scored = [one for one in scored if one != event.number]
        elif isinstance(event, Landed) and event.seat == seat:
            settled = len(scored)
        elif isinstance(event, Acted) and event.seat == seat and "." not in event.action:
            scored.append(number)
    return settled


@pytest.mark.parametrize("moves", [0, 3, 20, 60, 110, 160])
def test_everybody_sees_of_others_what_they_have_settled_themselves(moves: int) -> None:
    table = open_duplicate(moves, moves)
    settled = [count_settled(table, seat) for seat in range(3)]
    for viewer in (None, 0, 1, 2):
        limit = min(settled) if viewer is None else settled[viewer]
        assert count_visible_turns(table.replay, viewer) == limit
        view = build_sheet_view(show_table(table, viewer), lambda said: said.key)
        whole = build_sheet_view(table, lambda said: said.key)
        for seat in range(3):
            if seat == viewer:
                assert view.seats[seat] == whole.seats[seat]
                continue
            filled = sum(entry is not None for entry in view.seats[seat].entries)
            assert filled == min(limit, settled[seat])
            visible = [
                box
                for box in zip(view.seats[seat].entries, whole.seats[seat].entries, strict=True)
                if box[0] is not None
            ]
            assert all(shown == real for shown, real in visible)
            assert all(not tray.dice and not tray.rolled for tray in view.trays if tray.seat == seat)
        assert view.head == ""
        assert view.count <= whole.count


def test_an_entry_that_can_be_undone_opens_nobody_elses_turn() -> None:
    table = open_table(EDITION, SEATS, duplicate=True)
    reveal_seeds(table, EDITION)
    for seat in (0, 1):
        apply_actions(table, seat, ".....", "chance")
    apply_actions(table, 1, ".....")
    view = build_sheet_view(show_table(table, 0), lambda said: said.key)
    assert set(view.seats[1].entries) == {None}
    assert view.undo == (0,)
    before = find_seen(show_table(table, 0))
    steps = table.apply(table.decide(0, Roll()))
    shown = show_table(table, 0)
    told = list_told_steps(table, 0, before, find_seen(shown), steps)
    assert [event.seat for event in (step.event for step in told) if isinstance(event, Acted)] == [0, 1]
    assert sum(entry is not None for entry in build_sheet_view(shown, lambda said: said.key).seats[1].entries) == 1


def test_everybody_reads_their_own_round_and_not_that_of_the_slowest() -> None:
    table = open_table(EDITION, SEATS, duplicate=True)
    reveal_seeds(table, EDITION)
    apply_actions(table, 0, ".....", "chance", ".....", "ones", ".....")
    apply_actions(table, 1, ".....", "chance", ".....")
    rounds = [build_sheet_view(show_table(table, viewer), lambda said: said.key).round for viewer in (0, 1, 2, None)]
    assert rounds == [3, 2, 1, 1]


def test_whoever_leaves_is_a_spectator_and_nobody_waits_for_them() -> None:
    table = open_table(EDITION, SEATS, duplicate=True)
    reveal_seeds(table, EDITION)
    for seat in (0, 1):
        apply_actions(table, seat, ".....", "chance", ".....", "ones", ".....")
    assert count_visible_turns(table.replay, None) == 0
    table.apply(table.decide(2, Leave(0)))
    assert count_visible_turns(table.replay, None) == count_visible_turns(table.replay, 2) == 2
    assert build_sheet_view(show_table(table, 1), lambda said: said.key).seats[2].left


@pytest.mark.parametrize("moves", [0, 5, 40, 90, 150])
def test_the_record_of_a_running_game_ends_before_the_first_hidden_turn_and_its_chain_holds(moves: int) -> None:
    table = open_duplicate(moves, moves)
    public = count_public_events(table.replay, table.events)
    limit = count_visible_turns(table.replay, None)
    assert all(event.turn < limit for event in table.events[:public] if isinstance(event, Landed))
    record = parse_record(encode_record(table.record), "game")
    assert record.events[:public] == tuple(table.events[:public])
    heads = list_heads(*link_events(table.heads[0], table.events[:public], table.header.knobel))
    assert heads == tuple(table.heads[1 : public + 1])
    if limit > 2:
        assert public > 10


def test_nothing_is_hidden_once_the_game_is_closed_nor_in_any_other_game() -> None:
    table = open_duplicate(30)
    assert hides_turns(table.replay)
    table.apply(table.decide_end())
    assert not hides_turns(table.replay)
    assert show_table(table, None) is table
    other = open_table(EDITION, SEATS, free=True)
    assert show_table(other, None) is other


def test_what_is_shown_does_not_change_the_table() -> None:
    table = open_duplicate(80)
    before = (
        [(track.state, track.ply, len(track.steps)) for track in table.replay.tracks],
        table.head,
        table.replay.count,
    )
    hide_turns(table.replay, 1)
    show_table(table, None)
    assert (
        [(track.state, track.ply, len(track.steps)) for track in table.replay.tracks],
        table.head,
        table.replay.count,
    ) == before
