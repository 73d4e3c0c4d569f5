"""Practice over HTTP: puzzles to draw, graded answers, and what is kept for the people of a device alone."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from knobel.host.coach_service import CoachService
from knobel.host.daily_record import name_daily_file, read_daily_id, write_daily_id
from knobel.host.mistakes import search_games
from knobel.learning.daily import name_day
from knobel.learning.game_of_day import GameOfDay, name_seed
from knobel.learning.generator import CLEAR_GAP
from knobel.record.events import Landed
from knobel.record.file import parse_record
from knobel.record.verify import verify
from knobel.rules import read_house_rules
from knobel.solve_worker import prepare
from knobel.solver.request import DAY, SolveRequest
from knobel.web.house_rules import HouseRulesFiles
from tests.support.asgi import PlainServer, open_plain_server
from tests.support.hosted_rooms import ANN, BEN, run_async
from tests.support.house_rules import EXAMPLES
from tests.web.test_people_requests import find_person, play_evening

CHICAGO = "edition=carlit-chicago"
SOME_DAY = 1_800_000_000.0
"""A day whose dice make the moves of these tests mistakes."""


async def answer(server: PlainServer, device: str, **content: object) -> dict[str, object]:
    reply = await server.post("/api/practice/answer", device, content)
    assert reply.status == 200, reply.body
    return dict(reply.body)


@run_async
async def test_a_puzzle_is_drawn_as_a_table_and_its_answer_graded(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN) as server:
        await play_evening(server)
        ann = await find_person(server, ANN, "Ann")
        puzzle = (await server.get(f"/api/practice/puzzle?{CHICAGO}&person={ann}", ANN)).body
        assert (puzzle["number"], puzzle["family"], puzzle["unit"]) == (1, "rounds", "percent")
        tray = puzzle["position"]["view"]["trays"][0]
        assert tray["seat"] == puzzle["seat"]
        assert len(tray["dice"]) == puzzle["setup"]["dice"]
        about = {"kind": "practice", "edition": "carlit-chicago", "person": ann}
        graded = await answer(server, ANN, **about, action="stand over")
        best = await answer(server, ANN, **about, action=graded["best_action"])
        assert best["loss"] == 0
        assert isinstance(graded["loss"], float)
        assert bool(graded["why"]) == (graded["loss"] > 0)
        assert (await server.get(f"/api/practice/puzzle?{CHICAGO}&person={ann}", ANN)).body["number"] == 2
        themed = (await server.get(f"/api/practice/puzzle?{CHICAGO}&theme=keep", ANN)).body
        assert themed["theme"] == "keep"


@run_async
async def test_the_first_answer_to_the_position_of_the_day_counts(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN) as server:
        await play_evening(server)
        ann = await find_person(server, ANN, "Ann")
        path = f"/api/practice/position?{CHICAGO}&person={ann}"
        asked = (await server.get(path, ANN)).body
        assert (asked["streak"], asked["first"]) == (0, None)
        about = {"kind": "position", "edition": "carlit-chicago", "person": ann}
        stand = asked["position"]["view"]["trays"][0]["stands"][0]["action"]
        first = await answer(server, ANN, **about, action=stand)
        again = await answer(server, ANN, **about, action=first["best_action"])
        assert first["first"] == again["first"]
        assert (await server.get(path, ANN)).body["streak"] == 1
        assert (await server.get(f"/api/practice/position?{CHICAGO}", ANN)).body["first"] is None


@run_async
async def test_an_answer_after_midnight_is_one_to_the_position_that_was_shown(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN) as server:
        await play_evening(server)
        ann = await find_person(server, ANN, "Ann")
        midnight = (server.host.clock() // 86400 + 1) * 86400.0
        server.host.clock = lambda: midnight - 1
        asked = (await server.get(f"/api/practice/position?{CHICAGO}&person={ann}", ANN)).body
        server.host.clock = lambda: midnight + 1
        after = (await server.get(f"/api/practice/position?{CHICAGO}&person={ann}", ANN)).body
        assert after["position"] != asked["position"]
        about = {"kind": "position", "edition": "carlit-chicago", "person": ann}
        stand = asked["position"]["view"]["trays"][0]["stands"][0]["action"]
        late = (await server.post("/api/practice/answer", ANN, about | {"action": stand, "day": asked["day"]})).body
        assert (late["streak"], late["first"]["action"]) == (1, stand)
        today = (await server.get(f"/api/practice/position?{CHICAGO}&person={ann}", ANN)).body
        assert (today["day"], today["first"], today["streak"]) == (after["day"], None, 1)
        old = await server.post("/api/practice/answer", ANN, about | {"action": stand, "day": "2020-01-01"})
        assert old.status == 400


@run_async
async def test_mistakes_are_asked_of_their_person_alone(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN, BEN) as server:
        await play_evening(server)
        ann = await find_person(server, ANN, "Ann")
        await search_games(server.host.store, CoachService(server.host).run_review, ann, 5, server.host.clock())
        asked = (await server.get(f"/api/practice/mistake?person={ann}", ANN)).body
        puzzle = asked["puzzle"]
        about = {"kind": "mistake", "game": puzzle["game"], "event": puzzle["event"], "person": ann}
        tray = puzzle["position"]["view"]["trays"][0]
        action = ".." if tray["phase"] == "choose" else tray["options"][0]["box"]
        graded = await answer(server, ANN, **about, action=action)
        assert graded["due"] == asked["due"] - 1
        costs = (await server.get(f"/api/statistics?person={ann}", ANN)).body["editions"][0]["themes"]
        assert sum(one["per_game"] for one in costs) > 0
        assert (await server.get(f"/api/practice/mistake?person={ann}", BEN)).status == 403
        assert (await server.post("/api/practice/answer", BEN, about | {"action": action})).status == 403


@pytest.mark.parametrize(
    "path",
    [
        "/api/practice/puzzle?edition=nonsense",
        f"/api/practice/puzzle?{CHICAGO}&theme=nonsense",
        "/api/practice/mistake",
        f"/api/practice/position?{CHICAGO}&person={'x' * 500}",
    ],
)
@run_async
async def test_what_makes_no_sense_is_refused(tmp_path: Path, path: str) -> None:
    async with open_plain_server(tmp_path, ANN) as server:
        assert (await server.get(path, ANN)).status in (400, 403, 404)
        refused = await server.post("/api/practice/answer", ANN, {"kind": "practice", "action": "!!"})
        assert refused.status == 400


@run_async
async def test_a_theme_that_cannot_come_up_is_refused_before_anybody_looks_for_it(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN) as server:
        refused = await server.get("/api/practice/puzzle?edition=mb-yahtzee&theme=announce", ANN)
        assert refused.body["code"] == "unknown_theme"
        assert "announce," not in refused.body["text"]
        assert "joker" in refused.body["text"]


@run_async
async def test_a_lesson_has_positions_with_exact_choices_and_is_remembered(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN) as server:
        await play_evening(server)
        ann = await find_person(server, ANN, "Ann")
        listed = (await server.get(f"/api/practice/lessons?{CHICAGO}&person={ann}", ANN)).body["lessons"]
        assert [one["number"] for one in listed] == list(range(1, 11))
        assert not any(one["finished"] or one["missing"] for one in listed)
        for simple in ("", "&simple=1"):
            lesson = (await server.get(f"/api/practice/lesson?{CHICAGO}&lesson=aim{simple}", ANN)).body
            for step in lesson["steps"]:
                losses = [one["loss"] for one in step["choices"]]
                assert losses.count(0) == 1
                assert [bool(one["why"]) for one in step["choices"]] == [loss > 0 for loss in losses]
                tray = step["position"]["view"]["trays"][0]
                assert len(tray["dice"]) == step["setup"]["dice"]
                assert all(one["picture"] == {"dice": [], "fits": False} for one in step["choices"])
        finished = {"edition": "carlit-chicago", "lesson": "aim", "person": ann}
        assert (await server.post("/api/practice/lesson", ANN, finished)).status == 200
        listed = (await server.get(f"/api/practice/lessons?{CHICAGO}&person={ann}", ANN)).body["lessons"]
        assert [one["key"] for one in listed if one["finished"]] == ["aim"]
        assert (await server.get(f"/api/practice/lesson?{CHICAGO}&lesson=joker", ANN)).status == 400


@run_async
async def test_a_choice_of_a_box_has_a_picture_of_what_counts_there_or_of_what_it_wants(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN) as server:
        asked = "edition=mb-yahtzee&lesson=cross_out&simple=1"
        lesson = (await server.get(f"/api/practice/lesson?{asked}", ANN)).body
        pictures = {}
        for step in lesson["steps"]:
            dice = step["position"]["view"]["trays"][0]["dice"]
            for choice in step["choices"]:
                found = pictures[choice["action"].removeprefix("/")] = choice["picture"]
                assert not found["fits"] or Counter(filter(None, found["dice"])) <= Counter(dice)
        assert pictures["ones"]["fits"]
        assert set(pictures["ones"]["dice"]) == {0, 1}
        assert not pictures["yatzy"]["fits"]
        assert len(pictures["yatzy"]["dice"]) == 5
        assert len(set(pictures["yatzy"]["dice"])) == 1


async def check_daily_record(server: PlainServer, over: dict[str, Any], text: str, today: str) -> None:
    """Insist that a game of the day that is over has a record with the dice of the day, and a review, for anybody."""
    game, total = over["game"], over["result"]["total"]
    status, content = await server.fetch("GET", f"/games/{game}.knobel", BEN)
    verdict = verify(content, "daily.knobel")
    assert (status, verdict.is_verified) == (200, True)
    assert name_daily_file(game) == f"two-dice-{today}.knobel"
    odd = write_daily_id(replace(read_daily_id(game), edition='two"\r\nx: é', day="2026\n"))
    assert name_daily_file(odd) == "twox-2026.knobel"
    record = parse_record(content, "daily.knobel")
    of_day = GameOfDay(read_house_rules(text.encode(), "two-dice").rules(), today)
    landed = [event for event in record.events if isinstance(event, Landed)]
    assert [event.dice for event in landed] == [of_day.roll(turn, 0) for turn in range(5)]
    assert (record.header.game, record.header.dice.seed) == (of_day.game_id, name_seed(today))
    assert [seat.name for seat in record.header.seats] == ["Ann"]
    review = (await server.get(f"/api/games/{game}/review", BEN)).body
    line = review["review"]["headlines"][-1]
    assert line["final"] == total == pytest.approx(line["par"] + line["luck"] - line["lost"], abs=0.01)
    position = await server.get(f"/api/games/{game}/positions/{review['stops'][-1]}", BEN)
    assert position.status == 200
    for wrong in (game[:-8], f"{game}AAAA", "daily.", "daily.!", f"daily.{'A' * 9000}"):
        assert (await server.get(f"/api/games/{wrong}/review", BEN)).status == 404
        assert (await server.fetch("GET", f"/games/{wrong}.knobel", BEN))[0] == 404
    played = read_daily_id(game)
    unfinished = write_daily_id(replace(played, moves=played.moves[:-1]))
    assert (await server.get(f"/api/games/{unfinished}/review", BEN)).status == 409


async def check_daily_mistakes(server: PlainServer, game: str, ann: str) -> None:
    """Insist that what cost something in a game of the day comes back to its player, without a name in its id."""
    await asyncio.gather(*server.host.tasks.tasks)
    review = (await server.get(f"/api/games/{game}/review", ANN)).body["review"]
    wanted = [one for one in review["decisions"] if one["loss"] > CLEAR_GAP]
    asked = (await server.get(f"/api/practice/mistake?person={ann}", ANN)).body
    assert asked["due"] == len(wanted)
    dearest = max(wanted, key=lambda one: one["loss"])
    puzzle = asked["puzzle"]
    assert puzzle["lost"] == pytest.approx(dearest["loss"], abs=0.001)
    assert read_daily_id(puzzle["game"]).player == ""
    about = {"kind": "mistake", "game": puzzle["game"], "event": puzzle["event"], "person": ann}
    graded = await answer(server, ANN, **about, action=dearest["best_action"])
    assert (graded["loss"], graded["due"]) == (0, len(wanted) - 1)


@run_async
async def test_the_game_of_the_day_follows_from_its_moves(tmp_path: Path) -> None:
    text = (EXAMPLES / "two-dice.toml").read_text()
    async with open_plain_server(tmp_path, ANN) as server:
        await play_evening(server)
        ann = await find_person(server, ANN, "Ann")
        fingerprint = await HouseRulesFiles(server.host).keep(text)
        server.host.clock = lambda: SOME_DAY
        today = name_day(SOME_DAY)
        prepare(SolveRequest(read_house_rules(text.encode(), "two-dice").rules(), DAY, day=today), lambda _: None)
        about = {"edition": "two-dice", "house_rules": fingerprint, "person": ann}

        async def send(moves: list[str]) -> dict[str, Any]:
            reply = await server.post("/api/practice/game", ANN, about | {"moves": moves})
            assert reply.status == 200, reply.body
            return dict(reply.body)

        moves = list[str]()
        for box in ("twins", "neighbours", "odd", "even", "chance"):
            rolled = await send([*moves, ".."])
            assert await send([*moves, ".."]) == rolled
            assert len(rolled["position"]["view"]["trays"][0]["dice"]) == 2
            moves += ["..", box]
        over = await send(moves)
        result = over["result"]
        assert over["over"]
        assert result["total"] <= result["clairvoyant"]
        assert str(result["total"]) in result["share"]
        assert (await send(["..", "twins"]))["result"] == result
        await check_daily_record(server, over, text, today)
        await check_daily_mistakes(server, over["game"], ann)
        refused = await server.post("/api/practice/game", ANN, about | {"moves": ["twins"]})
        assert refused.status in (400, 409)
        tomorrow = await server.post("/api/practice/game", ANN, about | {"day": "2999-01-01"})
        assert tomorrow.status == 400
        chicago = await server.post("/api/practice/game", ANN, {"edition": "carlit-chicago"})
        assert chicago.status in (400, 404, 409)
