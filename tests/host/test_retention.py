"""Where moves are kept for some days only, the results of old games stay, and so do statistics made of them."""

from pathlib import Path
from random import Random

import pytest

from knobel.errors import GameNotFound
from knobel.host.archive import DAY_SECONDS, LOBBY_DAYS, OVER_DAYS, export_record, tidy_rooms
from knobel.host.integrity import find_damage
from knobel.host.play_history import PlayHistory
from knobel.host.rebuild import rebuild_statistics
from knobel.host.retention import drop_old_moves, has_plausible_clock
from knobel.rooms.intents import Sit
from knobel.store.people import GameFilter
from tests.support.hosted_rooms import ANN, BEN, HostedRoom, open_host, run_async
from tests.support.stored_games import dump_tables

TWO = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))
NOW = 1_790_000_000.0
KEEP_DAYS = 90


@run_async
async def test_old_moves_go_and_results_names_and_statistics_stay(tmp_path: Path) -> None:
    async with open_host(tmp_path, clock=lambda: NOW) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.begin_game()
        table = await hosted.finish(Random(2))
        await host.statistics.catch_up()
        game, store = table.header.game, host.store
        before = dump_tables(tmp_path / "host.db")
        history, _ = await PlayHistory(store, host.statistics, is_open=True).list_all_games(GameFilter())
        assert [one.has_moves for one in history] == [True]
        later = NOW + (KEEP_DAYS + 1) * DAY_SECONDS
        assert await drop_old_moves(store, later, KEEP_DAYS) == 0, "its room is still there"
        for day in range(OVER_DAYS + LOBBY_DAYS + 1):
            await tidy_rooms(store, NOW + day * DAY_SECONDS, DAY_SECONDS)
        assert await store.list_rooms() == []
        assert await drop_old_moves(store, NOW + (KEEP_DAYS - 1) * DAY_SECONDS, KEEP_DAYS) == 0, "it is not old yet"
        assert (await export_record(store, game)).count(b"\n") > 10
        assert await drop_old_moves(store, later, KEEP_DAYS) == 1
        assert await drop_old_moves(store, later, KEEP_DAYS) == 0
        with pytest.raises(GameNotFound):
            await export_record(store, game)
        assert [error async for error in find_damage(store)] == []
        assert await store.list_pending_reviews(5) == []
        assert await store.list_unsearched("", 5) == []
        history, _ = await PlayHistory(store, host.statistics, is_open=True).list_all_games(GameFilter())
        assert [(one.cursor[1], one.has_moves) for one in history] == [(game, False)]
        await rebuild_statistics(store)
        after = dump_tables(tmp_path / "host.db")
        assert {name: len(after[name]) for name in ("events", "games", "heads")} == {
            "events": 0,
            "games": 0,
            "heads": 0,
        }
        assert after["names"] == before["names"]
        assert [(row[0], row[1], row[2], row[4]) for row in after["summaries"]] == [
            (row[0], row[1], row[2], row[4]) for row in before["summaries"]
        ]
        assert [(row[0], row[1], row[11]) for row in after["results"]] == [
            (row[0], row[1], row[11]) for row in before["results"]
        ]


@pytest.mark.parametrize(
    ("passed", "is_plausible"),
    [(60.0, True), (20 * DAY_SECONDS, True), (400 * DAY_SECONDS, False), (-3600.0, False)],
)
@run_async
async def test_a_clock_that_jumped_drops_nothing(passed: float, is_plausible: bool, tmp_path: Path) -> None:
    async with open_host(tmp_path, clock=lambda: NOW) as host:
        assert await has_plausible_clock(host.store, NOW), "a new database has no time before"
        await tidy_rooms(host.store, NOW, DAY_SECONDS)
        assert await has_plausible_clock(host.store, NOW + passed) is is_plausible
