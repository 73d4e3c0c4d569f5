"""Practice over HTTP: puzzles to draw, graded answers, and what is kept for the people of a device alone."""

from pathlib import Path

import pytest

from knobel.host.coach_service import CoachService
from knobel.host.mistakes import search_games
from tests.support.asgi import PlainServer, open_plain_server
from tests.support.hosted_rooms import ANN, BEN, run_async
from tests.web.test_people_requests import find_person, play_evening

CHICAGO = "edition=carlit-chicago"


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
