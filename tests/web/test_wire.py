"""The wire: every message is documented, described by the schema, and the example client plays a whole game over it."""

import asyncio
import json
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args, get_origin
from urllib.error import URLError

import pytest
from websockets.asyncio.client import connect

from knobel.rooms.intents import AnyIntent
from knobel.view.lobby import RoomSeatView, RoomView, SeriesView
from knobel.view.round_turn import RoundTurnView
from knobel.view.rounds import RoundsSeatView, RoundsTrayView, RoundsView, RoundView, StandView, TieView
from knobel.view.sheet import OptionView, SheetSeatView, SheetTrayView, SheetView
from knobel.view.sheet_turn import SwapView, TurnView
from knobel.web.families import FAMILIES
from knobel.web.game_messages import BonusInfo, BoxInfo
from knobel.web.requests import parse_host
from knobel.web.schema import INCOMING, REQUESTS, build_schema, list_outgoing
from knobel.web.wire import WIRE_VERSION, Remark
from tests.support.waiting import HANG_SECONDS, poll_until

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "wire.md").read_text(encoding="utf-8")
MESSAGES = (*INCOMING, *(get_origin(kind) or kind for kind in list_outgoing()), *get_args(AnyIntent))
VIEWS = (
    *(RoomView, RoomSeatView, SeriesView, SheetView, SheetSeatView, SheetTrayView, OptionView, TurnView, SwapView),
    *(RoundTurnView, BoxInfo, BonusInfo, RoundsView, RoundsSeatView, RoundsTrayView, StandView, TieView, RoundView),
)


def fields(kind: Any) -> tuple[str, ...]:
    """List the keys of a message or view."""
    return tuple(kind.__struct_encode_fields__)


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_every_message_is_documented_with_all_its_keys(kind: Any) -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith(f"| `{kind.__struct_config__.tag}` |")]
    assert any(all(f"`{name}`" in row for name in fields(kind)) for row in rows)


@pytest.mark.parametrize("kind", VIEWS, ids=lambda kind: kind.__name__)
def test_every_key_of_a_view_is_documented(kind: Any) -> None:
    assert [name for name in fields(kind) if f"`{name}`" not in PAGE] == []


def test_every_remark_is_documented() -> None:
    assert [remark for remark in get_args(Remark) if not re.search(rf"\b{remark}\b", PAGE)] == []


@pytest.mark.parametrize(("address", "kind"), REQUESTS.items())
def test_every_request_is_documented_with_all_its_keys(address: str, kind: Any) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{address}` |"))
    assert [name for name in fields(kind) if f"`{name}`" not in row] == []


def test_the_schema_describes_every_message_and_nothing_unknown_is_let_in() -> None:
    described = build_schema()
    parts = described["$defs"]
    refs = {one["$ref"].rpartition("/")[2] for kind in ("in", "out") for one in described[kind]["anyOf"]}
    assert len(refs) == len(INCOMING) + len(list_outgoing())
    assert refs <= set(parts)
    for kind in (*INCOMING, *get_args(AnyIntent), *REQUESTS.values()):
        assert parts[kind.__name__]["additionalProperties"] is False
    assert {"in", "out", "requests", "$defs", "$schema"} == set(described)


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_has_a_game_a_position_and_a_turn_of_its_own(family: str) -> None:
    tags = [(get_origin(kind) or kind).__struct_config__.tag for kind in FAMILIES[family].messages]
    assert tags == ["game", "position", "turn"]


@pytest.mark.parametrize(
    ("header", "name"),
    [("localhost:8765", "localhost"), ("[::1]:1", "::1"), ("LocalHost.", "localhost"), ("[", ""), ("a/b", "")],
)
def test_a_host_header_is_a_name_or_nobodys(header: str, name: str) -> None:
    assert parse_host(header) == name


@pytest.mark.process
def test_the_example_client_explains_itself() -> None:
    example = ROOT / "examples" / "bot-client" / "greedy.py"
    answer = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert "ROOM" in answer.stderr


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Start a server, and give its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["serve", "--no-open", "--port", str(port), "--database", f"sqlite:///{tmp_path / 'knobel.db'}"]
    with subprocess.Popen([sys.executable, "-m", "knobel", *words], stdout=subprocess.DEVNULL) as process:
        address = f"http://localhost:{port}"

        def is_serving() -> bool:
            with suppress(URLError):
                urllib.request.urlopen(address).close()
                return True
            return False

        poll_until(is_serving)
        yield address
        process.terminate()


async def host_game(address: str) -> list[str]:
    """Open a room with a bot, call the example client to the table, begin, and hurry the bot until the game is over."""
    with urllib.request.urlopen(address) as page:  # noqa: S310
        cookie = page.headers["set-cookie"].partition(";")[0]
    bot = {"want": "sit_bot", "bot": "random", "name": "Bot"}
    body = {"id": "o", "settings": {"edition": "mb-yahtzee", "pace": 0}, "seats": [bot]}
    secret = "5" * 64
    headers = {"Cookie": cookie, "Origin": address, "Knobel-Secret": secret}
    request = urllib.request.Request(f"{address}/api/rooms", json.dumps(body).encode(), headers)  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        room = json.load(answer)["room"]
    line = await connect(
        f"{address.replace('http', 'ws')}/ws/{WIRE_VERSION}/{room}",
        origin=address,  # type: ignore[arg-type]
        additional_headers={"Cookie": cookie},
        subprotocols=["knobel", f"secret.{secret}"],  # type: ignore[list-item]
    )
    example = str(ROOT / "examples" / "bot-client" / "greedy.py")
    link = f"{address}/room/{room}"
    client = await asyncio.create_subprocess_exec(sys.executable, example, link, "Robot", stdout=-3)
    told: list[str] = []
    number, begun = 0, False

    async def want(game: str | None, **intent: Any) -> None:
        nonlocal number
        number += 1
        await line.send(json.dumps({"do": "want", "id": f"w{number}", "intent": intent, "game": game}))

    async for text in line:
        message = json.loads(text)
        if message["is"] == "room" and not begun and len(message["view"]["seats"]) == 2:
            begun = message["view"]["seats"][1]["sealed"]
            if begun:
                await want(None, want="begin")
        elif message["is"] == "position":
            view = message["view"]
            told += message["narration"]
            if view["closed"]:
                break
            if not view["waiting"] and (not view["trays"] or view["trays"][0]["seat"] == 0):
                await want(view["game"], want="go_on", ply=view["ply"])
    await line.close()
    assert await asyncio.wait_for(client.wait(), HANG_SECONDS) == 0
    return told


@pytest.mark.process
def test_the_example_client_plays_a_whole_game(server: str) -> None:
    told = asyncio.run(asyncio.wait_for(host_game(server), HANG_SECONDS))
    assert sum("Robot scores" in sentence for sentence in told) == 13
