"""Mistakes become puzzles: those of a person, with their themes, asked when they are due."""

from pathlib import Path

import pytest

from knobel.host import Host
from knobel.host.coach_service import CoachService
from knobel.host.mistakes import (
    count_theme_cost,
    keep_schedule,
    list_due,
    list_theme_costs,
    load_puzzle,
    search_games,
)
from knobel.host.reviewer import BackgroundReviewer
from knobel.learning.puzzle import grade_answer
from knobel.rooms.intents import Sit
from knobel.store import WriteConflict
from tests.host.test_people import play_game
from tests.support.hosted_rooms import ANN, HostedRoom, open_host, run_async


async def play_as_ann(host: Host) -> tuple[str, str]:
    """Let Ann and Bea play at random; give the game and Ann's person."""
    hosted = await HostedRoom.open(host, seating=((ANN, Sit("Ann")), (ANN, Sit("Bea"))))
    game = await play_game(hosted)
    return game, (await host.store.list_players(game))[0]


@run_async
async def test_every_decision_that_cost_something_comes_back_until_it_is_right(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        game, ann = await play_as_ann(host)
        coaching, store = CoachService(host), host.store
        assert await search_games(store, coaching.run_review, ann, 5, 100.0) == 1
        assert await search_games(store, coaching.run_review, ann, 5, 100.0) == 0
        table = await coaching.load_finished_game(game)
        review = await coaching.run_review(table, 0)
        wanted = {one.event_number: one for one in review.decisions if one.loss > 0.05}
        due = list_due(await store.list_mistakes(ann), 100.0)
        assert {one.event for one in due} == set(wanted)
        assert len(due) > 2
        assert [one.lost for one in due] == sorted((one.lost for one in due), reverse=True)
        costs = await list_theme_costs(store, ann)
        assert sum(one.per_game for one in costs) == pytest.approx(sum(one.loss for one in wanted.values()), abs=0.01)
        coach = await coaching.open_coach(table, 0)
        for mistake in due:
            _, puzzle = await load_puzzle(store, mistake)
            answer = grade_answer(puzzle, puzzle.read_answer(wanted[mistake.event].action), coach)
            assert answer.loss == pytest.approx(wanted[mistake.event].loss)
            assert answer.best == wanted[mistake.event].best
        again = await keep_schedule(store, due[0], 0.0, 100.0)
        assert due[0].event not in {one.event for one in list_due(await store.list_mistakes(ann), 100.0)}
        assert due[0].event in {one.event for one in list_due(await store.list_mistakes(ann), again)}
        with pytest.raises(WriteConflict):
            await keep_schedule(store, due[0], 0.0, 100.0)
        assert list_due(await store.list_mistakes(ann), 100.0, "another") == []


def test_what_a_theme_costs_is_compared_between_older_and_newer_games() -> None:
    games = ["a", "b", "c", "d", "e"]
    cost = count_theme_cost("edition", "bonus", games, {"a": 4000, "b": 2000, "e": 1500})
    assert (cost.per_game, cost.earlier, cost.recent) == (1.5, 3.0, 0.5)
    few = count_theme_cost("edition", "bonus", games[:4], {"a": 4000})
    assert (few.per_game, few.earlier, few.recent) == (1.0, None, None)


@run_async
async def test_games_that_were_looked_through_are_listed_from_the_latest_on(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=((ANN, Sit("Ann")), (ANN, Sit("Bea"))))
        played = [await play_game(hosted, number) for number in range(3)]
        ann = (await host.store.list_players(played[0]))[0]
        await search_games(host.store, CoachService(host).run_review, ann, 5, 100.0)
        assert [game for _, game in await host.store.list_searched(ann, 9)] == played[::-1]
        assert [game for _, game in await host.store.list_searched(ann, 2)] == played[:0:-1]


@run_async
async def test_the_background_reviewer_finds_them_too(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        _, ann = await play_as_ann(host)
        reviewer = BackgroundReviewer(CoachService(host))
        while await reviewer.review_next():
            pass
        assert await host.store.list_mistakes(ann)
        assert await host.store.list_unsearched("", 5) == []
