"""The coach at the tables: hints and ledgers mark a game as assisted, reviews and positions of games that are over."""

import asyncio
import json
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from knobel.coach import coach
from knobel.errors import GameOpen, GameUnknown, NoGame, NotYours, UnknownBot
from knobel.game import CHANCE
from knobel.host.again import play_on
from knobel.host.coaching import Coaching
from knobel.notation import read
from knobel.review import rules_of
from knobel.room.intents import GoOn, Settle, Sit, SitBot
from knobel.web.patience import Doorkeeper
from knobel.web.rooms import Client, Rooms
from knobel.web.talk import MOST_THINKING, Talk
from tests.parties import ANN, BEN, SHORT, Party, awaited, hosted

BOXES = [SHORT, Settle("noris-yatzy"), Settle("carlit-chicago")]
CLOSE = 1e-3


@pytest.mark.parametrize("settle", BOXES, ids=lambda one: one.edition)
@awaited
async def test_a_hint_is_the_coachs_best_move_and_marks_the_game(settle: Settle, tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        coaching = Coaching(host)
        party = await Party.open(host, settle, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        table = await party.begin()
        with pytest.raises(NotYours):
            await coaching.advise(party.room, ANN, "hint 0", 1)
        assert table.replay.assisted == set()
        hints = 0
        while hints < 6:
            state = table.state
            if state.seat not in {None, CHANCE} and state.dice:
                owner = (await party.now()).chairs[state.seat].owner or ""
                _, unit, found = await coaching.advise(party.room, owner, f"hint {hints}", state.seat)
                hints += 1
                assert unit == ("percent" if settle.edition == "carlit-chicago" else "points")
                assert found[0].loss == pytest.approx(0, abs=CLOSE)
                assert [one.loss for one in found] == sorted(one.loss for one in found)
                assert table.game.refusal(state, read(state, found[0].action)) is None
                if unit == "points":
                    best = coach(rules_of(table.replay, state.seat)).judge(table.game, state)[0]  # type: ignore[arg-type]
                    assert found[0].value == pytest.approx(best.value)
            if not await party.move(Random(hints)):
                await party.want(GoOn(table.replay.ply))
                table = await party.begin()
        assert table.replay.assisted <= {0, 1}


@pytest.mark.parametrize("settle", BOXES, ids=lambda one: one.edition)
@awaited
async def test_the_running_ledger_closes_at_every_moment(settle: Settle, tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        coaching = Coaching(host)
        party = await Party.open(host, settle, [(ANN, Sit("Ann")), (ANN, SitBot("greedy", "Bo"))])
        await party.begin()
        random = Random(5)
        for count in range(6):
            await party.play(random, most=7)
            found = await coaching.ledger(party.room, ANN, f"ledger {count}", 0)
            assert found.par + found.luck - found.lost == pytest.approx(found.final, abs=CLOSE)
        assert (await party.table()).replay.assisted == {0}


@pytest.mark.parametrize("settle", BOXES, ids=lambda one: one.edition)
@awaited
async def test_a_game_that_went_on_from_a_position_is_reviewed_from_there(settle: Settle, tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        coaching = Coaching(host)
        party = await Party.open(host, settle, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        await party.begin()
        random = Random(9)
        table = await party.finish(random)
        game, over = table.header.game, max(step.number for step in table.replay.steps)
        for event in sorted(random.sample(range(over - 1), 6)):
            room = await play_on(host, BEN, f"on {event}", game, event, 1, "greedy")
            other = Party(host, room.room)
            again = await other.begin()
            await other.play(random)
            await other.want(GoOn(again.replay.ply), BEN)
            _, found = await coaching.reviewed(again.header.game, 1)
            assert found.par + found.luck - found.lost == pytest.approx(found.final, abs=CLOSE)
            outcome = again.replay.outcome
            if settle.edition != "carlit-chicago":
                assert outcome
                assert found.final == pytest.approx(outcome.totals[1], abs=CLOSE)


@awaited
async def test_positions_are_those_of_the_game_and_only_once_it_is_over(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        coaching = Coaching(host)
        party = await Party.open(host, SHORT, [(ANN, Sit("Ann")), (ANN, SitBot("greedy", "Bo"))])
        table = await party.begin()
        game = table.header.game
        for refused in (coaching.reviewed(game, 0), coaching.stood_at(game, 0)):
            with pytest.raises(GameOpen):
                await refused
        await party.finish()
        for step in table.replay.steps:
            assert (await coaching.stood_at(game, step.number)).state == step.after
        for refused in (coaching.stood_at(game, 10**6), coaching.stood_at("nobody", 0), coaching.reviewed(game, 7)):
            with pytest.raises(GameUnknown):
                await refused
        with pytest.raises(NoGame):
            await coaching.advise(party.room, ANN, "late", 0)


@awaited
async def test_a_conversation_goes_on_while_the_coach_thinks(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, SHORT, [(ANN, Sit("Ann"))])
        table = await party.begin()
        await party.act(0, "..")
        rooms, client, book = Rooms(host), Client(ANN, "en"), asyncio.Event()
        prepared = rooms.coaching.prepared

        async def slowly(*asked: Any) -> Any:
            await book.wait()
            return await prepared(*asked)

        rooms.coaching.prepared = slowly  # type: ignore[assignment,method-assign]
        talk = Talk(SimpleNamespace(client=None), client, rooms, host, Doorkeeper(), house_rules=True)  # type: ignore[arg-type]

        async def say(**message: object) -> None:
            await talk.hear(json.dumps(message))

        for number in range(MOST_THINKING):
            await say(do="hint", id=f"h{number}", room=party.room, seat=0)
        while not table.replay.assisted:
            await asyncio.sleep(0.01)
        await say(do="hint", id="wrong", room="nowhere", seat=0)
        await say(do="knock")
        told = [json.loads(client.waiting.get_nowait()) for _ in range(client.waiting.qsize())]
        assert [(one["is"], one.get("id")) for one in told] == [("refused", "wrong"), ("here", None)]
        book.set()
        hints = [json.loads(await client.waiting.get()) for _ in range(MOST_THINKING)]
        assert {one["id"] for one in hints} == {f"h{number}" for number in range(MOST_THINKING)}
        assert all(one["is"] == "hint" and one["moves"] for one in hints)


@awaited
async def test_a_review_in_the_house_has_the_numbers_behind_its_reasons(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        coaching = Coaching(host)
        party = await Party.open(host, SHORT, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        await party.begin()
        table = await party.finish(Random(3))
        _, found = await coaching.reviewed(table.header.game, 0)
        assert found.told_apart
        assert all(one.why for one in found.worst)


@awaited
async def test_the_coach_explains_and_takes_no_chair(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, SHORT, [(ANN, Sit("Ann"))])
        await party.refused(UnknownBot, SitBot("coach:ahead", "Coach"))
