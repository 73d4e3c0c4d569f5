"""The coach at the tables: hints and ledgers mark a game as assisted, reviews and positions of games that are over."""

import asyncio
import json
import sys
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from knobel import solve_worker
from knobel.coach.review import find_book_rules
from knobel.coach.sheet import OPEN_COACHES, open_coach
from knobel.errors import (
    GameNotFinished,
    GameNotFound,
    NoGameRunning,
    SeatNotYours,
    ServerBusy,
    SolveFailed,
    UnknownBot,
)
from knobel.game import CHANCE
from knobel.host import coach_service
from knobel.host.coach_service import MAX_WAITING_REVIEWS, CoachService
from knobel.host.continuation import continue_game
from knobel.host.solver_process import SolverProcess
from knobel.notation import read_action
from knobel.rooms.intents import Advance, ChangeSettings, Sit, SitBot
from knobel.rules import load_edition
from knobel.solver.request import BOOK, EXPECTED_SCORES, SolveRequest
from knobel.web.connection import MAX_COACH_TASKS, ClientConnection
from knobel.web.house_rules import HouseRulesFiles
from knobel.web.hubs import Client, RoomHubs
from tests.support.hosted_rooms import ANN, BEN, SHORT_GAME, HostedRoom, open_host, run_async
from tests.support.selection import mostly_rest
from tests.support.waiting import wait_until

CHICAGO = ChangeSettings("carlit-chicago")
SETTINGS = [SHORT_GAME, ChangeSettings("noris-yatzy"), CHICAGO]
CLOSE = 1e-3


@pytest.mark.solve
@pytest.mark.parametrize("settle", mostly_rest(SETTINGS, SHORT_GAME, CHICAGO), ids=lambda one: one.edition)
@run_async
async def test_a_hint_is_the_coachs_best_move_and_marks_the_game(settle: ChangeSettings, tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        coaching = CoachService(host)
        hosted = await HostedRoom.open(host, settle, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        table = await hosted.begin_game()
        with pytest.raises(SeatNotYours):
            await coaching.advise(hosted.id, ANN, "hint 0", 1)
        assert table.replay.attendance.assisted == set()
        hints = 0
        while hints < 6:
            state = table.state
            if state.seat not in {None, CHANCE} and state.dice:
                seated_device = (await hosted.room()).seats[state.seat].device or ""
                _, unit, found = await coaching.advise(hosted.id, seated_device, f"hint {hints}", state.seat)
                hints += 1
                assert unit == ("percent" if settle.edition == "carlit-chicago" else "points")
                assert found[0].loss == pytest.approx(0, abs=CLOSE)
                assert [one.loss for one in found] == sorted(one.loss for one in found)
                assert table.game.refusal(state, read_action(state, found[0].action)) is None
                if unit == "points":
                    best = open_coach(find_book_rules(table.replay, state.seat)).rank_moves(table.game, state)[0]  # type: ignore[arg-type]
                    assert found[0].value == pytest.approx(best.value)
            if not await hosted.play_move(Random(hints)):
                await hosted.execute(Advance(table.replay.ply))
                table = await hosted.begin_game()
        assert table.replay.attendance.assisted <= {0, 1}


@pytest.mark.solve
@pytest.mark.parametrize("settle", SETTINGS, ids=lambda one: one.edition)
@run_async
async def test_the_running_ledger_closes_at_every_moment(settle: ChangeSettings, tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        coaching = CoachService(host)
        hosted = await HostedRoom.open(host, settle, [(ANN, Sit("Ann")), (ANN, SitBot("greedy", "Bo"))])
        await hosted.begin_game()
        random = Random(5)
        for count in range(6):
            await hosted.play(random, most=7)
            found = await coaching.compute_ledger(hosted.id, ANN, f"ledger {count}", 0)
            assert found.par + found.luck - found.lost == pytest.approx(found.final, abs=CLOSE)
        assert (await hosted.table()).replay.attendance.assisted == {0}


@pytest.mark.solve
@pytest.mark.parametrize("settle", mostly_rest(SETTINGS, SHORT_GAME, CHICAGO), ids=lambda one: one.edition)
@run_async
async def test_a_game_that_went_on_from_a_position_is_reviewed_from_there(
    settle: ChangeSettings, tmp_path: Path
) -> None:
    async with open_host(tmp_path) as host:
        coaching = CoachService(host)
        hosted = await HostedRoom.open(host, settle, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        await hosted.begin_game()
        random = Random(9)
        table = await hosted.finish(random)
        game, over = table.header.game, max(step.number for step in table.replay.steps)
        for event in sorted(random.sample(range(over - 1), 6)):
            room = await continue_game(host, BEN, f"on {event}", game, event, 1, "greedy")
            other = HostedRoom(host, room.id)
            again = await other.begin_game()
            await other.play(random)
            await other.execute(Advance(again.replay.ply), BEN)
            _, found = await coaching.review_seat(again.header.game, 1)
            assert found.par + found.luck - found.lost == pytest.approx(found.final, abs=CLOSE)
            outcome = again.replay.outcome
            if settle.edition != "carlit-chicago":
                assert outcome
                assert found.final == pytest.approx(outcome.totals[1], abs=CLOSE)


@run_async
async def test_positions_are_those_of_the_game_and_only_once_it_is_over(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        coaching = CoachService(host)
        hosted = await HostedRoom.open(host, SHORT_GAME, [(ANN, Sit("Ann")), (ANN, SitBot("greedy", "Bo"))])
        table = await hosted.begin_game()
        game = table.header.game
        for refused in (coaching.review_seat(game, 0), coaching.load_position(game, 0)):
            with pytest.raises(GameNotFinished):
                await refused
        await hosted.finish()
        for step in table.replay.steps:
            assert (await coaching.load_position(game, step.number)).state == step.after
        for refused in (
            coaching.load_position(game, 10**6),
            coaching.load_position("nobody", 0),
            coaching.review_seat(game, 7),
        ):
            with pytest.raises(GameNotFound):
                await refused
        with pytest.raises(NoGameRunning):
            await coaching.advise(hosted.id, ANN, "late", 0)


@run_async
async def test_a_conversation_goes_on_while_the_coach_thinks(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, [(ANN, Sit("Ann"))])
        table = await hosted.begin_game()
        await hosted.act(0, "..")
        rooms, client, book = RoomHubs(host), Client(ANN, "en"), asyncio.Event()
        prepared = rooms.coaching.open_coach

        async def slowly(*asked: Any) -> Any:
            await book.wait()
            return await prepared(*asked)

        rooms.coaching.open_coach = slowly  # type: ignore[assignment,method-assign]
        await rooms.enter(client, hosted.id)
        client.outbox.messages.clear()
        talk = ClientConnection(SimpleNamespace(), client, hosted.id, rooms, HouseRulesFiles(host))  # type: ignore[arg-type]

        async def say(**message: object) -> None:
            await talk.handle_text(json.dumps(message))

        for number in range(MAX_COACH_TASKS):
            await say(do="hint", id=f"h{number}", seat=0)
        await wait_until(lambda: bool(table.replay.attendance.assisted))
        await say(do="hint", id="wrong", seat=1)
        await say(do="ping")
        told = [json.loads(message) for message in client.outbox.messages]
        client.outbox.messages.clear()
        answers = [(one["is"], one.get("id")) for one in told if one["is"] != "position"]
        assert answers == [("refused", "wrong"), ("pong", None)]
        book.set()
        hints = [json.loads(await client.outbox.take()) for _ in range(MAX_COACH_TASKS)]
        assert {one["id"] for one in hints} == {f"h{number}" for number in range(MAX_COACH_TASKS)}
        assert all(one["is"] == "hint" and one["moves"] for one in hints)


@run_async
async def test_a_review_by_the_server_has_the_numbers_behind_its_reasons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coach_service, "EXPECTED_SCORES_SECONDS", 600.0)
    async with open_host(tmp_path) as host:
        coaching = CoachService(host)
        hosted = await HostedRoom.open(host, SHORT_GAME, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        await hosted.begin_game()
        table = await hosted.finish(Random(3))
        _, found = await coaching.review_seat(table.header.game, 0)
        assert found.has_expected_scores
        assert all(one.reasons for one in found.flawed_decisions)


@pytest.mark.solve
@run_async
async def test_a_review_has_its_numbers_as_soon_as_a_second_attempt_succeeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    OPEN_COACHES.clear()
    attempts: list[str] = []
    real = SolverProcess.run

    async def crash_once(self: SolverProcess, max_seconds: float) -> None:
        attempts.append(self.request.what)
        if attempts.count(EXPECTED_SCORES) == 1 and self.request.what == EXPECTED_SCORES:
            raise SolveFailed
        await real(self, max_seconds)

    monkeypatch.setattr(SolverProcess, "run", crash_once)
    monkeypatch.setattr(coach_service, "EXPECTED_SCORES_SECONDS", 600.0)
    async with open_host(tmp_path) as host:
        coaching = CoachService(host)
        hosted = await HostedRoom.open(host, SHORT_GAME, [(ANN, Sit("Ann"))])
        await hosted.begin_game()
        table = await hosted.finish(Random(3))
        for has_numbers in (False, True, True):
            _, found = await coaching.review_seat(table.header.game, 0)
            assert found.has_expected_scores is has_numbers
        assert host.solve_queue.jobs == {}
    assert attempts == [EXPECTED_SCORES, BOOK, EXPECTED_SCORES]


@run_async
async def test_the_server_keeps_only_the_games_that_were_reviewed_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coach_service, "MAX_CACHED_TABLES", 2)
    async with open_host(tmp_path) as host:
        coaching, games = CoachService(host), []
        for number in range(3):
            hosted = await HostedRoom.open(host, replace(SHORT_GAME, games=number + 1), [(ANN, Sit("Ann"))])
            await hosted.begin_game()
            games.append((await hosted.finish(Random(number))).header.game)
            await coaching.load_finished_game(games[-1])
        assert list(coaching.cached_tables) == games[1:]


@run_async
async def test_only_so_many_reviews_are_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = asyncio.Event()

    async def wait(*_: object) -> None:
        await may_go_on.wait()

    monkeypatch.setattr(CoachService, "wait_for_expected_scores", wait)
    monkeypatch.setattr(CoachService, "run_review", wait)
    async with open_host(tmp_path) as host:
        coaching, hosted = CoachService(host), await HostedRoom.open(host, SHORT_GAME, [(ANN, Sit("Ann"))])
        await hosted.begin_game()
        game = (await hosted.finish(Random(1))).header.game
        await coaching.load_finished_game(game)
        asking = [asyncio.create_task(coaching.review_seat(game, 0)) for _ in range(MAX_WAITING_REVIEWS)]
        await asyncio.sleep(0)
        with pytest.raises(ServerBusy):
            await coaching.review_seat(game, 0)
        may_go_on.set()
        await asyncio.gather(*asking)
        await coaching.review_seat(game, 0)


def test_what_solves_is_not_asked_before_all_of_it_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    request = SolveRequest(load_edition("noris-yatzy").rules(), EXPECTED_SCORES)
    monkeypatch.setattr(solve_worker, "IMPORTED", set())
    monkeypatch.setitem(sys.modules, solve_worker.KINDS_MODULE, ModuleType(solve_worker.KINDS_MODULE))
    assert not solve_worker.is_ready(request)


@run_async
async def test_the_coach_explains_and_takes_no_seat(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, [(ANN, Sit("Ann"))])
        await hosted.assert_refused(UnknownBot, SitBot("coach:ahead", "Coach"))


@pytest.mark.solve
@run_async
async def test_the_coachs_sentence_is_there_once_the_book_is_and_asks_nobody_to_solve(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        coaching = CoachService(host)
        hosted = await HostedRoom.open(host, SHORT_GAME, [(ANN, Sit("Ann"))])
        table = await hosted.begin_game()
        with pytest.raises(GameNotFinished):
            await coaching.summarize_seat(table.header.game, 0)
        await hosted.finish()
        book_rules = find_book_rules(table.replay, 0)
        assert book_rules is not None
        await host.solve_queue.wait_for(SolveRequest(book_rules))
        _, said = await coaching.summarize_seat(table.header.game, 0)
        assert said is not None
        with pytest.raises(GameNotFound):
            await coaching.summarize_seat(table.header.game, 1)


@run_async
async def test_without_a_book_the_coach_says_nothing_and_nothing_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coach_service, "load_cached", lambda _: False)
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, [(ANN, Sit("Ann"))])
        table = await hosted.begin_game()
        await hosted.finish()
        assert (await CoachService(host).summarize_seat(table.header.game, 0))[1] is None
        assert host.solve_queue.jobs == {}
