"""The wire: every message is documented, described by the schema, and the example client plays a whole game over it."""

import asyncio
import json
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args
from urllib.error import URLError

import pytest
from websockets.asyncio.client import connect

from knobel.rooms.intents import AnyIntent
from knobel.view.lobby import RoomSeatView, RoomView
from knobel.view.rounds import RoundsSeatView, RoundsTrayView, RoundsView, RoundView, StandView, TieView
from knobel.view.sheet import OptionView, SheetSeatView, SheetTrayView, SheetView
from knobel.view.turns import RoundTurnView, SwapView, TurnView
from knobel.web.app import parse_host
from knobel.web.wire import BonusInfo, BoxInfo, Incoming, Outgoing, Remark, build_schema

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "wire.md").read_text(encoding="utf-8")
MESSAGES = (*get_args(Incoming), *get_args(Outgoing), *get_args(AnyIntent))
VIEWS = (
    *(RoomView, RoomSeatView, SheetView, SheetSeatView, SheetTrayView, OptionView, TurnView, SwapView, RoundTurnView),
    *(BoxInfo, BonusInfo),
    *(RoundsView, RoundsSeatView, RoundsTrayView, StandView, TieView, RoundView),
)


def fields(kind: Any) -> tuple[str, ...]:
    """List the keys of a message or view."""
    return tuple(kind.__struct_fields__ if hasattr(kind, "__struct_fields__") else kind.__dataclass_fields__)


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_every_message_is_documented_with_all_its_keys(kind: Any) -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith(f"| `{kind.__struct_config__.tag}` |")]
    assert any(all(f"`{name}`" in row for name in fields(kind)) for row in rows)


@pytest.mark.parametrize("kind", VIEWS, ids=lambda kind: kind.__name__)
def test_every_key_of_a_view_is_documented(kind: Any) -> None:
    assert [name for name in fields(kind) if f"`{name}`" not in PAGE] == []


def test_every_remark_is_documented() -> None:
    assert [remark for remark in get_args(Remark) if not re.search(rf"\b{remark}\b", PAGE)] == []


def test_the_schema_describes_every_message_and_nothing_unknown_is_let_in() -> None:
    described = build_schema()
    parts = described["$defs"]
    assert {kind.__name__ for kind in MESSAGES} <= set(parts)
    for kind in (*get_args(Incoming), *get_args(AnyIntent)):
        assert parts[kind.__name__]["additionalProperties"] is False
    assert {"in", "out", "$defs", "$schema"} == set(described)


@pytest.mark.parametrize(
    ("header", "name"),
    [("localhost:8765", "localhost"), ("[::1]:1", "::1"), ("LocalHost.", "localhost"), ("[", ""), ("a/b", "")],
)
def test_a_host_header_is_a_name_or_nobodys(header: str, name: str) -> None:
    assert parse_host(header) == name


def test_the_example_client_explains_itself() -> None:
    example = ROOT / "examples" / "bot-client" / "greedy.py"
    answer = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert "ROOM" in answer.stderr


@pytest.fixture
def house(tmp_path: Path) -> Iterator[str]:
    """Serve a house of its own, and give its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["serve", "--no-open", "--port", str(port), "--database", f"sqlite:///{tmp_path / 'house.db'}"]
    with subprocess.Popen([sys.executable, "-m", "knobel", *words], stdout=subprocess.DEVNULL) as server:
        address = f"http://localhost:{port}"
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(address).close()
                break
            except URLError:
                time.sleep(0.1)
        yield address
        server.terminate()


async def hosted(address: str) -> list[str]:
    """Open a room with a bot, call the example client to the table, begin, and hurry the bot until the game is over."""
    with urllib.request.urlopen(address) as page:  # noqa: S310
        cookie = page.headers["set-cookie"].partition(";")[0]
    line = await connect(
        address.replace("http", "ws") + "/ws",
        origin=address,  # type: ignore[arg-type]
        additional_headers={"Cookie": cookie},
    )
    told: list[str] = []
    number, begun = 0, False

    async def want(room: str, **intent: Any) -> None:
        nonlocal number
        number += 1
        await line.send(json.dumps({"do": "want", "id": f"w{number}", "room": room, "intent": intent}))

    settle = {"want": "settle", "edition": "mb-yahtzee", "pace": 0}
    bot = {"want": "sit_bot", "bot": "random", "name": "Bot"}
    await line.send(json.dumps({"do": "open", "id": "o", "settle": settle, "chairs": [bot]}))
    client: asyncio.subprocess.Process | None = None
    async for text in line:
        message = json.loads(text)
        if message["is"] == "done" and client is None:
            await line.send(json.dumps({"do": "enter", "room": message["room"]}))
            example = str(ROOT / "examples" / "bot-client" / "greedy.py")
            link = f"{address}/room/{message['room']}"
            client = await asyncio.create_subprocess_exec(sys.executable, example, link, "Robot", stdout=-3)
        elif message["is"] == "room" and not begun and len(message["view"]["chairs"]) == 2:
            begun = message["view"]["chairs"][1]["sealed"]
            if begun:
                await want(message["view"]["room"], want="begin")
        elif message["is"] == "position":
            view = message["view"]
            told += message["told"]
            if view["closed"]:
                break
            if not view["waiting"] and (not view["trays"] or view["trays"][0]["seat"] == 0):
                await want(message["room"], want="go_on", ply=view["ply"])
    await line.close()
    assert client is not None
    assert await asyncio.wait_for(client.wait(), 10) == 0
    return told


def test_the_example_client_plays_a_whole_game(house: str) -> None:
    told = asyncio.run(asyncio.wait_for(hosted(house), 120))
    assert sum("Robot writes" in sentence for sentence in told) == 13
