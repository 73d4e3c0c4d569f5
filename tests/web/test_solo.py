"""The record chase over HTTP: for the player alone; handicaps from past games: for the host alone."""

import json
from pathlib import Path
from random import Random
from typing import Any

from knobel.rooms.intents import Sit
from knobel.store.people import PutReview
from knobel.web.app import AppContext, build_app
from knobel.web.solo import SoloRequests
from tests.paper.test_paper import fetch_file
from tests.support.hosted_rooms import ANN, BEN, SHORT_GAME, HostedRoom, open_host, run_async


class Devices:
    """Says who asks."""

    def __init__(self, identity: str) -> None:
        self.identity = identity

    async def identify(self, _: object) -> str:
        return self.identity


class Asked:
    """A request for a room."""

    def __init__(self, room: str) -> None:
        self.path_params = {"room": room}
        self.query_params: dict[str, str] = {"lang": "en"}
        self.headers: dict[str, str] = {}
        self.cookies: dict[str, str] = {}


async def ask_chase(host: Any, device: str, room: str) -> Any:
    requests = SoloRequests(host, Devices(device))  # type: ignore[arg-type]
    answer = await requests.get_chase(Asked(room))  # type: ignore[arg-type]
    return json.loads(bytes(answer.body))["chase"]


@run_async
async def test_a_player_alone_is_told_their_best_and_the_chance_to_beat_it_and_nobody_else_is(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, ((ANN, Sit("Ann")),))
        first = await hosted.begin_game()
        await hosted.finish(Random(1))
        assert first.replay.outcome is not None
        (total,) = first.replay.outcome.totals
        ended = await ask_chase(host, ANN, hosted.id)
        assert (ended["record"], ended["total"], ended["beaten"], ended["chance"]) == (None, total, False, None)
        assert [(one["total"], one["now"]) for one in ended["best"]] == [(total, True)]
        await hosted.begin_game()
        chase = await ask_chase(host, ANN, hosted.id)
        assert (chase["record"], chase["total"]) == (total, None)
        assert chase["chance"]["exact"]
        assert 0 < chase["chance"]["chance"] <= chase["chance"]["greatest"] <= 1
        assert await ask_chase(host, BEN, hosted.id) is None


@run_async
async def test_handicaps_are_suggested_to_the_host_from_reviewed_games(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, ((ANN, Sit("Ann")), (BEN, Sit("Ben"))))
        table = await hosted.begin_game()
        await hosted.finish()
        requests = SoloRequests(host, Devices(ANN))  # type: ignore[arg-type]
        answer = await requests.get_handicaps(Asked(hosted.id))  # type: ignore[arg-type]
        assert json.loads(bytes(answer.body)) == {"points": [0, 0], "games": [0, 0]}
        for seat, lost in enumerate((2_000, 14_400)):
            await host.store.commit(PutReview(table.header.game, seat, 0, lost, "expert"))
        answer = await requests.get_handicaps(Asked(hosted.id))  # type: ignore[arg-type]
        assert json.loads(bytes(answer.body)) == {"points": [0, 12], "games": [1, 1]}


@run_async
async def test_handicaps_are_for_nobody_but_the_host(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        app = build_app(AppContext(host, frozenset({"localhost"})))
        hosted = await HostedRoom.open(host, SHORT_GAME, ((ANN, Sit("Ann")),))
        status, _, content = await fetch_file(app, f"/api/rooms/{hosted.id}/handicaps")
        assert status in (400, 403)
        assert set(json.loads(content)) == {"code", "text"}
