"""A position is drawn once for all, and everybody gets the same."""

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from knobel.errors import KnobelError
from knobel.games.families import build_game
from knobel.host import Host
from knobel.host.archive import load_table
from knobel.lang import Translator
from knobel.record.track import Step
from knobel.rooms.intents import ChangeSettings, Sit, StopGame
from knobel.rules import load_edition
from knobel.table import Table
from knobel.view.undo import list_undo_seats
from knobel.web import hubs
from knobel.web.connection import ClientConnection
from knobel.web.house_rules import HouseRulesFiles
from knobel.web.hubs import Client, RoomHubs
from knobel.web.messages import encode_position, localize_game
from tests.support.hosted_rooms import ANN, BEN, CID, SHORT_GAME, HostedRoom, open_host, run_async
from tests.support.waiting import wait_until

NASTY = (ANN, Sit('"yours":false')), (BEN, Sit('"undo":[]')), (ANN, Sit("Ann's other seat"))


@pytest.mark.parametrize(
    "settle",
    [
        SHORT_GAME,
        ChangeSettings("two-dice", house_rules=SHORT_GAME.house_rules, free=True),
        ChangeSettings("carlit-chicago"),
    ],
)
@run_async
async def test_a_position_is_drawn_once_for_each_language_and_everybody_gets_the_same_bytes(
    settle: ChangeSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[bytes] = []

    def counted(table: Table, lang: str, steps: tuple[Step, ...] = (), seconds_left: float | None = None) -> bytes:
        drawn.append(encode_position(table, lang, steps, seconds_left))
        return drawn[-1]

    monkeypatch.setattr(hubs, "encode_position", counted)
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, settle, NASTY)
        await hosted.begin_game()
        rooms = RoomHubs(host)
        clients = [Client(device, lang) for device in (ANN, BEN, CID) for lang in ("en", "de", "en")]
        for client in clients:
            await rooms.enter(client, hosted.id)
        random, undoable = Random(1), False
        for _ in range(40):
            positions(clients)
            drawn.clear()
            if not await hosted.play_move(random):
                break
            sent = [positions([client]) for client in clients]
            assert len(drawn) == 2 * len(sent[0])
            for client, told in zip(clients, sent, strict=True):
                assert told == next(other for one, other in zip(clients, sent, strict=True) if one.lang == client.lang)
            view = msgspec.json.decode(sent[0][-1])["view"]
            assert "yours" not in view["seats"][0]
            undoable = undoable or bool(view["undo"])
        assert undoable


@run_async
async def test_commands_that_one_commit_wrote_are_each_answered_before_the_next_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, str]] = []

    def draw(table: Table, lang: str, steps: tuple[Step, ...] = (), seconds_left: float | None = None) -> bytes:
        told.append(("drawn", table.header.game))
        return encode_position(table, lang, steps, seconds_left)

    async def open_table(host: Host, rooms: RoomHubs, seed: str) -> tuple[ClientConnection, str]:
        hosted = await HostedRoom.open(host, SHORT_GAME, [(ANN, Sit("Ann"))], seed)
        await hosted.begin_game()
        client, game = Client(ANN, "en"), (await hosted.table()).header.game
        client.outbox.try_write = lambda _: True
        await rooms.enter(client, hosted.id)
        client.outbox.flush_everybody()

        def write(messages: Sequence[bytes]) -> bool:
            told.append(("written", game))
            return len(messages) == 2

        client.outbox.try_write = write
        socket: Any = SimpleNamespace(scope={})
        return ClientConnection(socket, client, hosted.id, rooms, HouseRulesFiles(host)), game

    async with open_host(tmp_path) as host:
        rooms = RoomHubs(host)
        tables = [await open_table(host, rooms, seed) for seed in ("one", "two", "three")]
        monkeypatch.setattr(hubs, "encode_position", draw)
        written, waiting = asyncio.Event(), Counter[str]()

        async def commit(*_: object) -> None:
            waiting["commits"] += 1
            await written.wait()

        monkeypatch.setattr(host.store, "commit", commit)
        told.clear()
        tasks = []
        for talk, game in tables:
            intent = {"want": "act", "seat": 0, "ply": 0, "action": ".."}
            command = json.dumps({"do": "want", "id": "roll", "game": game, "intent": intent})
            tasks.append(asyncio.create_task(talk.handle_text(command)))
        await wait_until(lambda: waiting["commits"] == len(tables))
        written.set()
        await asyncio.gather(*tasks)
        assert told == [(what, game) for _, game in tables for what in ("drawn", "written")]


def positions(clients: list[Client]) -> list[bytes]:
    """Take everything that waits for clients, and give the positions among it."""
    told = [client.outbox.messages.popleft() for client in clients for _ in range(len(client.outbox.messages))]
    return [message for message in told if message.startswith(b'{"is":"position"')]


@run_async
async def test_what_can_be_undone_is_said_of_every_seat_the_newest_first(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        settle = ChangeSettings("two-dice", house_rules=SHORT_GAME.house_rules, free=True)
        hosted = await HostedRoom.open(
            host, settle, [(ANN, Sit("Ann", real_dice=True)), (BEN, Sit("Ben", real_dice=True))]
        )
        table = await hosted.begin_game()
        assert list_undo_seats(table) == ()
        await hosted.act(1, "=12")
        await hosted.act(0, "=12")
        assert list_undo_seats(table) == (0, 1)
        await hosted.execute(StopGame())
        assert list_undo_seats(table) == ()


@run_async
async def test_two_games_by_the_same_rules_share_their_words_and_each_is_described_under_its_own_id(
    tmp_path: Path,
) -> None:
    async with open_host(tmp_path / "one") as host, open_host(tmp_path / "other") as neighbour:
        first, second = [
            await (await HostedRoom.open(each, SHORT_GAME, NASTY)).begin_game() for each in (host, neighbour)
        ]
        assert localize_game(first, "en").words is localize_game(second, "en").words
        one, other = [msgspec.json.decode(localize_game(table, "en").description) for table in (first, second)]
        assert (one.pop("game"), other.pop("game")) == (first.header.game, second.header.game)
        assert one == other
        assert msgspec.json.decode(localize_game(first, "de").description)["boxes"] != one["boxes"]


@run_async
async def test_a_table_that_is_just_opened_is_the_one_the_store_holds(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, NASTY)
        table = await hosted.begin_game()
        stored = await load_table(host.store, table.header.game)
        assert (stored[0].header, stored[0].server_seed, stored[0].heads) == (
            table.header,
            table.server_seed,
            table.heads,
        )


def test_rules_are_read_once_for_all_games_played_by_them_and_wrong_ones_are_wrong_every_time() -> None:
    box = load_edition("tactic-xl-yatzy")
    form = box.rules(box.default_text, {}).as_dict
    assert build_game(form).rules is build_game(dict(form), practice=True).rules
    for name in ("one", "other"):
        with pytest.raises(KnobelError) as refused:
            build_game({**form, "dice": 99}, name=name)
        assert refused.value.values["file"] == name


def test_a_box_has_the_same_name_however_often_it_is_asked_for() -> None:
    words = Translator("en")
    assert words.name_box("ones") == words.name_box("ones") == Translator("en").name_box("ones")
