"""What is left of an evening: the sheet with all its games, its certificate, and what the coach adds to it."""

import json
from pathlib import Path

import pypdfium2
import pytest
from msgspec.structs import replace

from knobel.coach.review import review_seat
from knobel.errors import GameNotFinished, GameNotFound, RecordPlayersDiffer
from knobel.host.coach_service import CoachService
from knobel.host.evening_story import (
    EveningRecord,
    add_highlights,
    load_evening,
    review_games,
    tell_evening,
    tell_records,
)
from knobel.record.chain import compute_head
from knobel.record.file import load_record
from knobel.record.replay import replay_record
from knobel.rooms.intents import ChangeSettings, LeaveGame, SetHandicap, Sit, SwapSeats
from knobel.web.app import AppContext, build_app
from tests.paper.test_paper import fetch_file
from tests.support.hosted_rooms import ANN, BEN, SHORT_GAME, HostedRoom, open_host, run_async

TWO = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))
RECORDS = Path(__file__).parents[1] / "records"


def read_evening_record(name: str) -> EveningRecord:
    record = load_record(RECORDS / name)
    return EveningRecord(name, record, replay_record(record, name), compute_head(record))


def read_text(content: bytes) -> str:
    document = pypdfium2.PdfDocument(content)
    text = " ".join(document[0].get_textpage().get_text_range().split())
    document.close()
    return text


@run_async
async def test_an_evening_has_one_sheet_with_numbered_games_and_a_certificate(tmp_path: Path) -> None:
    settle = replace(SHORT_GAME, games=3, standing="sum")
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, settle, TWO)
        app = build_app(AppContext(host, frozenset({"localhost"})))
        address = f"/rooms/{hosted.id}"
        assert (await fetch_file(app, f"{address}/certificate.pdf"))[0] == 404, "nothing is over"
        assert (await fetch_file(app, f"/api{address}/sheet"))[0] == 404
        for number in range(2):
            await hosted.begin_game()
            await hosted.finish()
            if not number:
                await hosted.execute(SetHandicap(1, 50))
                await hosted.execute(SwapSeats(1))
        room = await hosted.room()
        (_, (ben, ann)) = room.totals
        status, _, content = await fetch_file(app, f"/api{address}/sheet", "player=Ben")
        sheet = json.loads(content)
        assert (status, sheet["owner"], sheet["names"]) == (200, "Ben", ["1", "2"])
        assert sheet["lines"][-1]["kind"] == "total"
        assert sheet["lines"][-1]["entries"] == [str(room.totals[0][0]), str(ben)]
        _, _, content = await fetch_file(app, f"{address}/sheet.pdf", "player=Ann")
        assert str(ann) in read_text(content)
        status, headers, content = await fetch_file(app, f"{address}/certificate.pdf", "lang=en&size=letter")
        assert (status, headers["content-type"]) == (200, "application/pdf")
        said = read_text(content)
        assert f"+50 {ben + room.totals[0][0] + 50}" in said
        assert (await fetch_file(app, f"{address}/certificate.pdf", "size=a6"))[0] == 400
        assert (await fetch_file(app, "/rooms/nowhere/certificate.pdf"))[0] == 404


@run_async
async def test_the_luckiest_roll_and_the_costliest_mistake_are_those_of_the_reviews(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(
            host, ChangeSettings(SHORT_GAME.edition, house_rules=SHORT_GAME.house_rules, games=2), TWO
        )
        for _ in range(2):
            await hosted.begin_game()
            await hosted.finish()
        evening = await load_evening(host.store, await hosted.room())
        reviews = await review_games(CoachService(host), evening.games)
        assert len(reviews) == 4
        story = add_highlights(tell_evening(evening), reviews, "en")
        again = [review_seat(game.record, game.replay, seat) for game in evening.games for seat in range(2)]
        luck = max(roll.luck for review in again for roll in review.luck_events)
        loss = max(decision.loss for review in again for decision in review.decisions)
        assert story.luckiest is not None
        assert story.luckiest.points == pytest.approx(luck)
        assert story.costliest is not None
        assert story.costliest.points == pytest.approx(loss)
        assert story.costliest.played != story.costliest.best
        lucky = next(one for one in reviews if any(roll.luck == luck for roll in one.review.luck_events))
        assert (story.luckiest.name, story.luckiest.game) == (lucky.name, 1 + evening.games.index(lucky.game))


@run_async
async def test_whoever_left_a_game_is_known_to_have_left_it(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, ChangeSettings("mb-yahtzee", games=2, standing="wins"), TWO)
        table = await hosted.begin_game()
        await hosted.execute(LeaveGame(0), ANN)
        await hosted.finish()
        (game,) = (await hosted.room()).played
        assert [(one.place, one.left) for one in game.results] == [(2, True), (1, False)]
        story = tell_records([EveningRecord("a", table.record, table.replay, table.head)], "wins", (999, 0))
        assert story.series.scores == (0, 1)


def test_records_of_an_evening_are_told_in_the_order_of_the_first() -> None:
    game = read_evening_record("mb-yahtzee.knobel")
    story = tell_records([game, game], "sum", (5,) * len(game.record.header.seats))
    assert story.series.scores == tuple(2 * (total + 5) for total in game.outcome.totals)
    assert story.names == tuple(seat.name for seat in game.record.header.seats)
    with pytest.raises(RecordPlayersDiffer):
        tell_records([game, read_evening_record("format-2/yahtzee.knobel")])
    with pytest.raises(GameNotFinished):
        tell_records([read_evening_record("format-2/stopped.knobel")])


@run_async
async def test_a_room_without_a_finished_game_has_no_story(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, TWO)
        with pytest.raises(GameNotFound):
            tell_evening(await load_evening(host.store, await hosted.room()))
