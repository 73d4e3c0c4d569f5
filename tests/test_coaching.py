"""The coach at the tables: hints and ledgers mark a game as assisted, reviews and positions of games that are over."""

import asyncio
import json
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from knobel.coach.review import find_book_rules
from knobel.coach.sheet import OPEN_COACHES, open_coach
from knobel.errors import GameNotFinished, GameNotFound, NoGameRunning, SeatNotYours, SolveFailed, UnknownBot
from knobel.game import CHANCE
from knobel.host import coach_service
from knobel.host.coach_service import CoachService
from knobel.host.continuation import continue_game
from knobel.host.solver_process import SolverProcess
from knobel.notation import read_action
from knobel.rooms.intents import Advance, ChangeSettings, Sit, SitBot
from knobel.solver.request import BOOK, EXPECTED_SCORES
from knobel.web.connection import MAX_COACH_TASKS, ClientConnection
from knobel.web.house_rules import HouseRulesFiles
from knobel.web.hubs import Client, RoomHubs
from tests.parties import ANN, BEN, SHORT, Party, awaited, hosted

BOXES = [SHORT, ChangeSettings("noris-yatzy"), ChangeSettings("carlit-chicago")]
CLOSE = 1e-3


@pytest.mark.parametrize("settle", BOXES, ids=lambda one: one.edition)
@awaited
async def test_a_hint_is_the_coachs_best_move_and_marks_the_game(settle: ChangeSettings, tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        coaching = CoachService(host)
        party = await Party.open(host, settle, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        table = await party.begin()
        with pytest.raises(SeatNotYours):
            await coaching.advise(party.room, ANN, "hint 0", 1)
        assert table.replay.attendance.assisted == set()
        hints = 0
        while hints < 6:
            state = table.state
            if state.seat not in {None, CHANCE} and state.dice:
                owner = (await party.now()).seats[state.seat].device or ""
                _, unit, found = await coaching.advise(party.room, owner, f"hint {hints}", state.seat)
                hints += 1
                assert unit == ("percent" if settle.edition == "carlit-chicago" else "points")
                assert found[0].loss == pytest.approx(0, abs=CLOSE)
                assert [one.loss for one in found] == sorted(one.loss for one in found)
                assert table.game.refusal(state, read_action(state, found[0].action)) is None
                if unit == "points":
                    best = open_coach(find_book_rules(table.replay, state.seat)).rank_moves(table.game, state)[0]  # type: ignore[arg-type]
                    assert found[0].value == pytest.approx(best.value)
            if not await party.move(Random(hints)):
                await party.want(Advance(table.replay.ply))
                table = await party.begin()
        assert table.replay.attendance.assisted <= {0, 1}


@pytest.mark.parametrize("settle", BOXES, ids=lambda one: one.edition)
@awaited
async def test_the_running_ledger_closes_at_every_moment(settle: ChangeSettings, tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        coaching = CoachService(host)
        party = await Party.open(host, settle, [(ANN, Sit("Ann")), (ANN, SitBot("greedy", "Bo"))])
        await party.begin()
        random = Random(5)
        for count in range(6):
            await party.play(random, most=7)
            found = await coaching.compute_ledger(party.room, ANN, f"ledger {count}", 0)
            assert found.par + found.luck - found.lost == pytest.approx(found.final, abs=CLOSE)
        assert (await party.table()).replay.attendance.assisted == {0}


@pytest.mark.parametrize("settle", BOXES, ids=lambda one: one.edition)
@awaited
async def test_a_game_that_went_on_from_a_position_is_reviewed_from_there(
    settle: ChangeSettings, tmp_path: Path
) -> None:
    async with hosted(tmp_path) as host:
        coaching = CoachService(host)
        party = await Party.open(host, settle, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        await party.begin()
        random = Random(9)
        table = await party.finish(random)
        game, over = table.header.game, max(step.number for step in table.replay.steps)
        for event in sorted(random.sample(range(over - 1), 6)):
            room = await continue_game(host, BEN, f"on {event}", game, event, 1, "greedy")
            other = Party(host, room.id)
            again = await other.begin()
            await other.play(random)
            await other.want(Advance(again.replay.ply), BEN)
            _, found = await coaching.review_seat(again.header.game, 1)
            assert found.par + found.luck - found.lost == pytest.approx(found.final, abs=CLOSE)
            outcome = again.replay.outcome
            if settle.edition != "carlit-chicago":
                assert outcome
                assert found.final == pytest.approx(outcome.totals[1], abs=CLOSE)


@awaited
async def test_positions_are_those_of_the_game_and_only_once_it_is_over(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        coaching = CoachService(host)
        party = await Party.open(host, SHORT, [(ANN, Sit("Ann")), (ANN, SitBot("greedy", "Bo"))])
        table = await party.begin()
        game = table.header.game
        for refused in (coaching.review_seat(game, 0), coaching.load_position(game, 0)):
            with pytest.raises(GameNotFinished):
                await refused
        await party.finish()
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
            await coaching.advise(party.room, ANN, "late", 0)


@awaited
async def test_a_conversation_goes_on_while_the_coach_thinks(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, SHORT, [(ANN, Sit("Ann"))])
        table = await party.begin()
        await party.act(0, "..")
        rooms, client, book = RoomHubs(host), Client(ANN, "en"), asyncio.Event()
        prepared = rooms.coaching.open_coach

        async def slowly(*asked: Any) -> Any:
            await book.wait()
            return await prepared(*asked)

        rooms.coaching.open_coach = slowly  # type: ignore[assignment,method-assign]
        await rooms.enter(client, party.room)
        while not client.queue.empty():
            client.queue.get_nowait()
        talk = ClientConnection(SimpleNamespace(), client, party.room, rooms, HouseRulesFiles(host))  # type: ignore[arg-type]

        async def say(**message: object) -> None:
            await talk.handle_text(json.dumps(message))

        for number in range(MAX_COACH_TASKS):
            await say(do="hint", id=f"h{number}", seat=0)
        while not table.replay.attendance.assisted:
            await asyncio.sleep(0.01)
        await say(do="hint", id="wrong", seat=1)
        await say(do="ping")
        told = [json.loads(client.queue.get_nowait()) for _ in range(client.queue.qsize())]
        answers = [(one["is"], one.get("id")) for one in told if one["is"] != "position"]
        assert answers == [("refused", "wrong"), ("pong", None)]
        book.set()
        hints = [json.loads(await client.queue.get()) for _ in range(MAX_COACH_TASKS)]
        assert {one["id"] for one in hints} == {f"h{number}" for number in range(MAX_COACH_TASKS)}
        assert all(one["is"] == "hint" and one["moves"] for one in hints)


@awaited
async def test_a_review_in_the_house_has_the_numbers_behind_its_reasons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coach_service, "EXPECTED_SCORES_SECONDS", 600.0)
    async with hosted(tmp_path) as host:
        coaching = CoachService(host)
        party = await Party.open(host, SHORT, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        await party.begin()
        table = await party.finish(Random(3))
        _, found = await coaching.review_seat(table.header.game, 0)
        assert found.has_expected_scores
        assert all(one.reasons for one in found.flawed_decisions)


@awaited
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
    async with hosted(tmp_path) as host:
        coaching = CoachService(host)
        party = await Party.open(host, SHORT, [(ANN, Sit("Ann"))])
        await party.begin()
        table = await party.finish(Random(3))
        for has_numbers in (False, True, True):
            _, found = await coaching.review_seat(table.header.game, 0)
            assert found.has_expected_scores is has_numbers
        assert host.solve_queue.jobs == {}
    assert attempts == [EXPECTED_SCORES, BOOK, EXPECTED_SCORES]


@awaited
async def test_the_server_keeps_only_the_games_that_were_reviewed_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coach_service, "MAX_CACHED_TABLES", 2)
    async with hosted(tmp_path) as host:
        coaching, games = CoachService(host), []
        for number in range(3):
            party = await Party.open(host, replace(SHORT, games=number + 1), [(ANN, Sit("Ann"))])
            await party.begin()
            games.append((await party.finish(Random(number))).header.game)
            await coaching.load_finished_game(games[-1])
        assert list(coaching.cached_tables) == games[1:]


@awaited
async def test_the_coach_explains_and_takes_no_chair(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, SHORT, [(ANN, Sit("Ann"))])
        await party.refused(UnknownBot, SitBot("coach:ahead", "Coach"))
