"""A game goes on from one of its positions, asked for from a review; and the coach, once asked, stays on the record."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knobel.errors import GameNotFound, IllegalAction, KnobelError, SeatNotYours, UnknownBot
from knobel.host.continuation import continue_game, list_actions_until
from knobel.record.events import Acted, Assisted, Landed, Undone
from knobel.record.file import parse_record
from knobel.record.verify import verify
from knobel.rooms.intents import Advance, AskCoach, ChangeSettings, Sit, SitBot
from tests.support.hosted_rooms import ANN, BEN, SHORT_GAME, HostedRoom, open_host, run_async
from tests.support.played_tables import open_table, play_moves, reveal_seeds

SETTINGS = [
    SHORT_GAME,
    ChangeSettings("mb-yahtzee"),
    ChangeSettings("noris-yatzy"),
    ChangeSettings("tactic-xl-yatzy", "da"),
    ChangeSettings("carlit-chicago"),
]


@pytest.mark.solve
@pytest.mark.parametrize("settle", SETTINGS, ids=lambda one: f"{one.edition}-{one.text}")
@run_async
async def test_a_game_goes_on_from_any_of_its_positions_and_verifies(settle: ChangeSettings, tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, settle, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        await hosted.begin_game()
        random = Random(7)
        table = await hosted.finish(random)
        over = max(step.number for step in table.replay.steps)
        for event in sorted(random.sample(range(over - 1), 4)):
            room = await continue_game(host, BEN, f"on {event}", table.header.game, event, 1, "greedy")
            other = HostedRoom(host, room.id)
            seating = (await other.room()).seats
            assert [(place.name, place.bot) for place in seating] == [("Ann", "greedy"), ("Ben", None)]
            again = await other.begin_game()
            there = [step for step in table.replay.steps if step.number <= event]
            assert again.header.quoted
            assert len(there) - len(again.header.quoted.actions) in {0, 1}
            assert again.state == (
                there[len(again.header.quoted.actions) - 1].after
                if again.header.quoted.actions
                else table.replay.tracks[0].start
            )
            await other.play(random)
            await other.execute(Advance(again.replay.ply), BEN)
            verdict = verify(await other.export_record(), "again.knobel")
            assert verdict.is_verified, verdict.why
            assert parse_record(await other.export_record(), "again.knobel").header.quoted == again.header.quoted


@run_async
async def test_only_games_that_are_over_go_on_and_only_where_there_is_something_to_play(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, [(ANN, Sit("Ann")), (ANN, SitBot("greedy", "Bo"))])
        table = await hosted.begin_game()
        game = table.header.game
        for unknown in (game, "nobody"):
            with pytest.raises(GameNotFound):
                await continue_game(host, ANN, "on", unknown, 0, 0, "greedy")
        await hosted.finish()
        wrong: list[tuple[int, int, str, type[KnobelError]]] = [
            (0, 2, "greedy", GameNotFound),
            (10**6, 0, "greedy", GameNotFound),
            (0, 0, "nobody", UnknownBot),
        ]
        for event, seat, bot, error in wrong:
            with pytest.raises(error):
                await continue_game(host, ANN, "on", game, event, seat, bot)
        room = await continue_game(host, ANN, "on", game, 0, 0, "greedy")
        assert (await continue_game(host, ANN, "on", game, 0, 0, "greedy")).id == room.id


@pytest.mark.rest
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_what_was_undone_is_not_played_again(seed: int) -> None:
    random = Random(seed)
    table = open_table("tactic-xl-yatzy")
    reveal_seeds(table, "tactic-xl-yatzy")
    play_moves(table, random, lively=True, most=60)
    for event in range(len(table.events) + 1):
        told = list_actions_until(table, event)
        undone = [one for one in table.events[:event] if isinstance(one, Undone)]
        done = [one for one in table.events[:event] if isinstance(one, Acted | Landed)]
        assert len(done) - len(undone) - len(told) in {0, 1}


@run_async
async def test_who_asks_the_coach_is_on_the_record_once(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        table = await hosted.begin_game()
        await hosted.assert_refused(SeatNotYours, AskCoach(1), ANN)
        await hosted.execute(AskCoach(1), BEN)
        assert table.replay.attendance.assisted == {1}
        await hosted.assert_refused(IllegalAction, AskCoach(1), BEN)
        await hosted.finish()
        record = await hosted.export_record()
        assert [event for event in parse_record(record, "x").events if isinstance(event, Assisted)] == [Assisted(1)]
        assert verify(record, "x").is_verified
