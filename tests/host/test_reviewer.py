"""Finished games are reviewed in the background, and what is found stands in history and statistics."""

from pathlib import Path
from random import Random

import msgspec
import pytest

from knobel.coach.review import review_seat
from knobel.errors import SolveFailed
from knobel.host.coach_service import CoachService
from knobel.host.reviewer import BackgroundReviewer
from knobel.rooms.intents import Sit, SitBot
from knobel.stats.documents import decode_summary
from knobel.stats.summary import Summary
from tests.support.hosted_rooms import ANN, BEN, HostedRoom, open_host, run_async


@pytest.mark.solve
@run_async
async def test_the_seats_of_people_are_reviewed_the_last_game_first(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(
            host, seating=[(ANN, Sit("Ann")), (BEN, Sit("Ben")), (ANN, SitBot("greedy", "Robo"))]
        )
        games = []
        for number in range(2):
            await hosted.begin_game()
            games.append(await hosted.finish(Random(number)))
        reviewer = BackgroundReviewer(CoachService(host))
        assert await reviewer.review_next()
        (first,) = {
            one.row.game
            for one in await host.store.list_results([t.header.game for t in games])
            if one.row.lost is not None
        }
        assert first == games[1].header.game
        while await reviewer.review_next():
            pass
        for table in games:
            rows = [one.row for one in await host.store.list_results([table.header.game])]
            assert rows[2].luck is None
            for row in rows[:2]:
                review = review_seat(table.record, table.replay, row.seat)
                assert (row.lost, row.luck) == (round(review.lost * 1000), round(review.luck * 1000))
                assert row.level == review.level
        summary = decode_summary((await host.store.list_summaries(rows[0].person or ""))[0].body, Summary)
        assert summary.lost.count == 2


@run_async
async def test_what_cannot_be_reviewed_is_not_tried_again_and_nothing_is_solved_while_people_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise SolveFailed

    monkeypatch.setattr(CoachService, "run_review", fail)
    monkeypatch.setattr("knobel.host.reviewer.load_cached", lambda _: False)
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=[(ANN, Sit("Ann")), (ANN, SitBot("greedy", "Robo"))])
        await hosted.begin_game()
        await hosted.finish(Random(1))
        await hosted.begin_game()
        session = await host.watch(hosted.id, lambda _: None)
        coaching = CoachService(host)
        reviewer = BackgroundReviewer(coaching)
        assert not await reviewer.review_next()
        assert coaching.cached_tables == {}, "what is not reviewed now is not replayed either"
        session.watchers.clear()
        assert await reviewer.review_next()
        assert not await reviewer.review_next()
        assert await host.store.list_pending_reviews(5) == []


@run_async
async def test_the_more_tables_are_played_at_the_longer_the_reviewer_rests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_host(tmp_path) as host:
        reviewer = BackgroundReviewer(CoachService(host))
        assert reviewer.rest_factor == 3
        session = await host.watch((await HostedRoom.open(host, seating=[(ANN, Sit("Ann"))])).id, lambda _: None)
        monkeypatch.setattr(host.registry, "sessions", dict.fromkeys(range(25), session))
        assert (reviewer.is_idle, reviewer.rest_factor) == (True, 3), "nothing has begun"
        session.room = msgspec.structs.replace(session.room, running=True)
        rested = []
        for number in (*range(1, 26), 299, 300, 400):
            monkeypatch.setattr(host.registry, "sessions", dict.fromkeys(range(number), session))
            rested.append(reviewer.rest_factor)
        assert rested == [3, 3, *range(3, 26), 299, 300, 300]
        monkeypatch.undo()
        assert not reviewer.is_idle


@run_async
async def test_a_damaged_header_keeps_no_other_game_from_being_reviewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bool:
        raise KeyError("rules")

    monkeypatch.setattr("knobel.host.reviewer.has_book", fail)
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=[(ANN, Sit("Ann"))])
        await hosted.begin_game()
        table = await hosted.finish(Random(1))
        reviewer = BackgroundReviewer(CoachService(host))
        assert await reviewer.has_book(table.header.game, 0)
        assert await reviewer.has_book("unknown", 0)
