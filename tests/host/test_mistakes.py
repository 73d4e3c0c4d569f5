"""Mistakes become puzzles: those of a person, with their themes, asked when they are due."""

from pathlib import Path

import pytest

from knobel.host import Host
from knobel.host.coach_service import CoachService
from knobel.host.mistakes import keep_schedule, list_due, list_theme_costs, load_puzzle, search_games
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


@run_async
async def test_the_background_reviewer_finds_them_too(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        _, ann = await play_as_ann(host)
        reviewer = BackgroundReviewer(CoachService(host))
        while await reviewer.review_next():
            pass
        assert await host.store.list_mistakes(ann)
        assert await host.store.list_unsearched("", 5) == []
