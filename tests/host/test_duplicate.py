"""Duplicate at a host: what is agreed, what is refused, and the result, which is skill alone."""

from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from knobel import fair
from knobel.cli import main
from knobel.cli.review_chart import chart_game
from knobel.coach.review import review_seat
from knobel.coach.sheet import open_coach
from knobel.errors import (
    CannotStart,
    GameNotFinished,
    GameNotFound,
    HistoryRolledBack,
    IllegalAction,
)
from knobel.game import Land
from knobel.host.chance_teller import ChanceTeller
from knobel.host.coach_service import CoachService
from knobel.host.duplicate_results import DuplicateResults
from knobel.host.win_chance_service import WinChanceService
from knobel.host.win_charts import WinChartService
from knobel.phrase import Phrase
from knobel.record.duplicate_result import compare_scores
from knobel.record.file import encode_chained_record
from knobel.record.verify import verify
from knobel.rooms.documents import decode_room, encode_room
from knobel.rooms.intents import (
    Act,
    Advance,
    AskCoach,
    ChangeSettings,
    LeaveGame,
    RealDice,
    Sit,
    SitBot,
    SubstituteBot,
    Undo,
)
from knobel.rooms.room import build_settings
from knobel.view.sheet import find_sheet_game
from tests.support.hosted_rooms import ANN, BEN, CID, SHORT_GAME, HostedRoom, open_host, run_async

DUPLICATE = ChangeSettings("two-dice", house_rules=SHORT_GAME.house_rules, duplicate=True, start="random")
TWO = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))


def test_duplicate_means_free_columns_and_nobody_starts_and_only_sheets_have_it() -> None:
    settings = build_settings(DUPLICATE)
    assert (settings.duplicate, settings.free, settings.start) == (True, True, None)
    rounds = build_settings(ChangeSettings("carlit-chicago", duplicate=True))
    assert (rounds.duplicate, rounds.free) == (False, False)


def find_reason(refused: CannotStart) -> str:
    why = refused.values["why"]
    assert isinstance(why, Phrase)
    return why.key


@run_async
async def test_it_needs_two_players_a_device_for_each_and_our_dice(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, DUPLICATE, TWO[:1])
        assert decode_room(encode_room(await hosted.room()), SHORT_GAME.house_rules).settings.duplicate
        reasons = []
        for device, change in (
            (ANN, Sit("Ann again")),
            (BEN, RealDice(1, True)),
        ):
            with pytest.raises(CannotStart) as refused:
                await hosted.begin_game()
            reasons.append(find_reason(refused.value))
            if device == BEN:
                await hosted.execute(Sit("Ben"), BEN)
            await hosted.execute(change, ANN)
        assert reasons == ["errors.too_few", "errors.duplicate_devices"]
        with pytest.raises(CannotStart) as refused:
            await hosted.begin_game()
        assert find_reason(refused.value) == "errors.duplicate_real_dice"


@run_async
async def test_everybody_plays_alone_without_coach_chances_and_stand_ins(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, DUPLICATE, (*TWO, (CID, Sit("Cid"))))
        table = await hosted.begin_game()
        assert table.header.dice.scheme == fair.DUPLICATE_SCHEME
        assert table.replay.drawn is None
        await host.record_attendance(hosted.id, [2], present=False)
        for intent in (AskCoach(0), SubstituteBot(2, "greedy"), SubstituteBot(0, "greedy"), Advance(0)):
            await hosted.assert_refused(IllegalAction, intent)
        with pytest.raises(IllegalAction):
            await ChanceTeller(host).find_position(hosted.id)
        with pytest.raises(HistoryRolledBack):
            await host.check_seen(hosted.id, table.header.game, 1, table.heads[1])
        for seat, device in ((0, ANN), (1, BEN)):
            await hosted.execute(Act(seat, 0, ".."), device)
        first = [table.replay.track(seat).state.dice for seat in (0, 1)]
        assert first[0] == first[1]
        await hosted.execute(LeaveGame(2), ANN)
        table = await hosted.finish()
        verdict = verify(await hosted.export_record(), "game")
        assert verdict.is_verified
        assert verdict.rolls > 10


@run_async
async def test_an_entry_can_be_undone_until_the_next_roll_and_the_last_one_until_the_end(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, DUPLICATE, TWO)
        await hosted.begin_game()
        table = await hosted.play(Random(5))
        assert table.replay.is_over
        await hosted.execute(Undo(0, table.replay.track(0).ply), ANN)
        await hosted.play(Random(6))
        await hosted.execute(Advance(table.replay.ply))
        assert table.replay.closed is not None


@pytest.mark.solve
@run_async
async def test_the_result_compares_with_the_average_with_perfect_play_on_these_dice_and_by_points_lost(
    tmp_path: Path,
) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(
            host, DUPLICATE, (*TWO, (ANN, SitBot("perfect", "Bot")), (CID, Sit("Cid"))), "same"
        )
        coach = open_coach(find_sheet_game((await hosted.begin_game()).replay.tracks[0]).rules)
        results = DuplicateResults(CoachService(host))
        game_id = (await hosted.table()).header.game
        with pytest.raises(GameNotFinished):
            await results.find_result(game_id)
        await hosted.execute(LeaveGame(3), ANN)
        table = await hosted.finish(Random(3))
        found = await results.find_result(game_id)
        outcome = table.replay.outcome
        assert outcome is not None
        average = fmean(outcome.totals[:3])
        game = find_sheet_game(table.replay.tracks[0])
        rules = game.rules
        state = game.start(1, 0)
        while state.seat is not None:
            pending = game.pending_roll(state)
            if pending is None:
                state = game.apply(
                    state, max(game.legal_moves(state), key=lambda move: round(coach.value_move(game, state, move), 6))
                )
                continue
            dice = fair.roll_duplicate(table.dice.key, pending.turn, pending.roll_number, rules.dice, rules.faces)
            state = game.apply(state, Land(tuple(dice[place] for place in pending.positions)))
        assert found.par is not None
        assert found.par == game.tally(state, 0).total
        assert found.average == pytest.approx(average)
        for seat, one in enumerate(found.seats[:3]):
            assert one.total == outcome.totals[seat]
            assert one.against_average == pytest.approx(one.total - average)
            assert one.against_par == one.total - found.par
            assert one.lost == pytest.approx(review_seat(table.record, table.replay, seat).headlines[0].lost)
        assert found.seats[2].lost == pytest.approx(0, abs=1e-6)
        assert (found.seats[3].has_left, found.seats[3].against_par, found.seats[3].against_average) == (
            True,
            None,
            None,
        )
        assert await results.find_result(game_id) is found


@pytest.mark.solve
@run_async
async def test_its_review_has_no_win_chart_because_turns_have_no_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, DUPLICATE, TWO, "chart")
        await hosted.begin_game()
        table = await hosted.finish(Random(3))
        service = WinChartService(CoachService(host), WinChanceService(host.solve_queue))
        assert (await service.find_chart(table.header.game))[1:] == (None, 1.0)
        assert chart_game(table.replay) is None
        record, page = tmp_path / "same.knobel", tmp_path / "same.html"
        record.write_bytes(encode_chained_record(table.record))
    for given in ((), ("--json",), ("--html", str(page))):
        main(["review", str(record), "--lang", "en", *given])
        told = capsys.readouterr().out
        assert told
        assert "to win" not in told
        assert "win_chart" not in told
    assert "<figure" in page.read_text(encoding="utf-8")
    assert "to win" not in page.read_text(encoding="utf-8")


@run_async
async def test_only_duplicate_games_have_such_a_result(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, TWO)
        game = (await hosted.begin_game()).header.game
        await hosted.finish()
        with pytest.raises(GameNotFound):
            await DuplicateResults(CoachService(host)).find_result(game)


def test_a_table_where_all_have_left_has_no_average() -> None:
    assert compare_scores((5, 7), frozenset({0, 1})).average is None
    assert compare_scores((5, 7, 9), frozenset({2})).average == 6
