"""Statistics are kept game by game, and however they came about, they are what all games together give."""

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knobel.host import Host
from knobel.host.archive import load_table
from knobel.host.people import NAMELESS
from knobel.host.rebuild import rebuild_statistics
from knobel.host.statistics import StatisticsKeeper, group_games
from knobel.rooms.intents import ChangeSettings, Sit, SitBot
from knobel.stats.answers import describe_summary
from knobel.stats.documents import decode_summary, encode_summary
from knobel.stats.keeping import SeatNews, SummaryBook
from knobel.stats.summary import Summary
from knobel.stats.versus import Versus
from knobel.store import Store
from knobel.store.people import AddPerson, ErasePerson, MergePeople, PutResults, PutReview, ResultRow
from tests.support.hosted_rooms import ANN, BEN, SHORT_GAME, HostedRoom, open_host, run_async
from tests.support.made_games import make_games
from tests.support.stored_games import dump_tables

PEOPLE = ("ann", "ben", "cid", "dora")


async def add_people(store: Store) -> None:
    await store.commit(*(AddPerson(person, person.title(), 0, 0, 1.0) for person in PEOPLE))


def list_bodies(path: Path) -> list[tuple[object, ...]]:
    """List all summaries, without how often they were written."""
    return [(row[0], row[1], row[2], row[4]) for row in dump_tables(path / "host.db")["summaries"]]


def summarize(rows: list[ResultRow]) -> dict[tuple[str, ...], Summary | Versus]:
    """Summarize results all at once, in the order of time."""
    book = SummaryBook()
    for game, news in group_games(rows):
        book.add(game, {seat: SeatNews(0, one.available) for seat, one in news.items()})
    return {tuple(key): one for key, one in book.summaries.items()}


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), chunks=st.lists(st.integers(1, 9), min_size=1, max_size=8), shuffled=st.booleans())
def test_kept_game_by_game_late_or_in_any_order_the_numbers_are_those_of_all_games(
    tmp_path_factory: pytest.TempPathFactory, seed: int, chunks: list[int], shuffled: bool
) -> None:
    path = tmp_path_factory.mktemp("kept")

    async def main(host: Host) -> None:
        await add_people(host.store)
        games = list(make_games(sum(chunks), PEOPLE, ("mb-yahtzee", "carlit-yatzy"), seed))
        random, at = Random(seed), 0
        order = games[:]
        if shuffled:
            random.shuffle(order)
        for size in chunks:
            for rows in order[at : at + size]:
                unreviewed = [replace(row, luck=None, lost=None, level=None, reviewed=0) for row in rows]
                await host.store.commit(PutResults(tuple(unreviewed)))
            await host.statistics.catch_up()
            for rows in order[at : at + size]:
                for row in rows:
                    if row.reviewed and random.random() < 0.7:
                        await host.store.commit(PutReview(row.game, row.seat, row.luck, row.lost, row.level))
            at += size
        await host.statistics.catch_up()
        kept = {(one.person, one.other, one.edition): one.body for one in await host.store.list_all_summaries(PEOPLE)}
        stored = [one.row for game in games for one in await host.store.list_results([game[0].game])]
        assert kept == {key: encode_summary(one) for key, one in summarize(stored).items()}

    run_in_host(path, main)


def run_in_host(path: Path, main: Any) -> None:
    @run_async
    async def scene() -> None:
        async with open_host(path) as host:
            await main(host)

    scene()


async def play(hosted: HostedRoom, games: int) -> None:
    for number in range(games):
        await hosted.begin_game()
        await hosted.finish(Random(number))


@run_async
async def test_a_rebuild_from_the_logs_gives_the_same_numbers(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        for settle in (SHORT_GAME, ChangeSettings("carlit-chicago")):
            hosted = await HostedRoom.open(
                host, settle, [(ANN, Sit("Ann")), (BEN, Sit("Ben")), (ANN, SitBot("greedy", "Robo"))]
            )
            await play(hosted, 3)
        ann = (await hosted.room()).seats[0].person or ""
        game = (await hosted.room()).game or ""
        await host.store.commit(PutReview(game, 0, 1500, 2500, "expert"))
        await host.statistics.catch_up()
        before, results = list_bodies(tmp_path), dump_tables(tmp_path / "host.db")["results"]
        assert len(before) == 8  # Ann, Ben, both against each other, and everybody, in two editions
        assert await rebuild_statistics(host.store) == 6
        assert list_bodies(tmp_path) == before
        assert dump_tables(tmp_path / "host.db")["results"] == results
        summary = decode_summary((await host.store.list_summaries(ann))[0].body, Summary)
        assert (summary.games, summary.lost.total, dict(summary.levels)) == (3, 2500, {"expert": 1})


@run_async
async def test_chicago_counts_openings_survived_rounds_lost_and_places(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(
            host, ChangeSettings("carlit-chicago"), [(ANN, Sit("Ann")), (BEN, Sit("Ben")), (ANN, Sit("Cid"))]
        )
        await play(hosted, 4)
        await host.statistics.catch_up()
        counted = [
            describe_summary(decode_summary((await host.store.list_summaries(seat.person or ""))[0].body, Summary))
            for seat in (await hosted.room()).seats
        ]
        assert all(one["games"] == one["contests"] == 4 and one["average"] is None for one in counted)
        assert all(0 <= one["survived"] <= one["opened"] <= one["rounds"] for one in counted)  # type: ignore[operator]
        rounds = sum([await table_rounds(host, row.game) for row in await list_rows(host)])
        assert sum(int(str(one["opened"])) for one in counted) == rounds
        assert sum(int(str(one["last_places"])) for one in counted) == 4


async def list_rows(host: Host) -> list[ResultRow]:
    return [one.row for game in await host.store.list_games() for one in await host.store.list_results([game.id])][::3]


async def table_rounds(host: Host, game: str) -> int:
    table, _ = await load_table(host.store, game)
    return int(table.state.rounds)


@run_async
async def test_averages_spread_and_records_are_those_of_the_games(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        await add_people(host.store)
        games = list(make_games(60, PEOPLE, seed=7))
        await host.store.commit(*(PutResults(rows) for rows in games))
        await host.statistics.catch_up()
        summary = decode_summary((await host.store.list_summaries("ann"))[0].body, Summary)
        described = describe_summary(summary)
        own = [row for rows in games for row in rows if row.person == "ann" and row.counts]
        totals = [row.total for row in own]
        assert described["games"] == len(own)
        assert described["average"] == pytest.approx(mean(totals))
        assert described["spread"] == pytest.approx(stdev(totals))
        assert described["wins"] == sum(row.place == 1 for row in own)
        best: Any = described["best"]
        assert best["value"] == max(totals)
        streak, most = 0, 0
        for row in own:
            streak = streak + 1 if row.place == 1 else 0
            most = max(most, streak)
        streaks: Any = described["streaks"]
        assert streaks["most_wins"] == most


@run_async
async def test_two_who_are_merged_have_the_numbers_of_both(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        await add_people(host.store)
        games = list(make_games(40, PEOPLE, seed=9))
        await host.store.commit(*(PutResults(rows) for rows in games))
        await host.statistics.catch_up()
        await host.store.commit(MergePeople("ben", "ann"))
        await host.statistics.catch_up()
        merged = [
            tuple(replace(row, person="ann" if row.person == "ben" else row.person) for row in rows) for rows in games
        ]
        wanted = {key for key in summarize([row for rows in merged for row in rows]) if "ben" not in key}
        kept = {(one.person, one.other, one.edition): one for one in await host.store.list_all_summaries(PEOPLE)}
        assert set(kept) == wanted
        alone = decode_summary(kept["ann", "", "mb-yahtzee"].body, Summary)
        assert alone.games == sum(row.counts for rows in merged for row in rows if row.person == "ann")


@run_async
async def test_whoever_is_deleted_is_in_no_summary_and_the_others_keep_theirs(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        await add_people(host.store)
        await host.store.commit(*(PutResults(rows) for rows in make_games(30, PEOPLE, seed=3)))
        await host.statistics.catch_up()
        before = {row for row in list_bodies(tmp_path) if "ben" not in row}
        await host.store.commit(ErasePerson("ben", NAMELESS))
        await host.statistics.catch_up()
        assert set(list_bodies(tmp_path)) == before


@run_async
async def test_several_who_count_at_once_count_once(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        await add_people(host.store)
        games = list(make_games(50, PEOPLE, seed=5))
        await host.store.commit(*(PutResults(rows) for rows in games))
        work: list[Coroutine[Any, Any, None]] = [StatisticsKeeper(host.store).catch_up() for _ in range(4)]
        await asyncio.gather(*work)
        everybody = decode_summary((await host.store.list_summaries(""))[0].body, Summary)
        assert everybody.games == sum(any(row.counts for row in rows) for rows in games)
