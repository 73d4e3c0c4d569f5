"""A spy at a duplicate table: whatever is asked or sent, nothing depends on what others do in turns that are hidden.

Two rooms are alike in everything the spy may know. In one of them the others play their hidden turns otherwise: they
keep other dice, roll less often, fill other boxes, undo. All that the spy is sent and all pages must be equal, byte by
byte; so must what a spectator and a big screen get.
"""

import json
import re
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

import knobel.host as web_host
from knobel.host import archive, room_setup
from knobel.host import session as web_session
from knobel.host.decisions import find_bot_seat
from knobel.host.session import encode_intent
from knobel.record import duplicate
from knobel.record.events import Landed
from knobel.rooms.intents import Act, ChangeSettings, Sit, SitBot, Undo
from knobel.table import Table
from knobel.view import duplicate as shown_duplicate
from knobel.web import app as web_app
from knobel.web import hubs as web_hubs
from knobel.web.app import AppContext, build_app
from knobel.web.connection import ClientConnection
from knobel.web.hubs import Client
from tests.support.asgi import HOST_NAME, PlainServer
from tests.support.hosted_rooms import ANN, BEN, CID, SHORT_GAME, HostedRoom, choose_action, open_host, run_async

EVE = "eve's tablet"
SEATING = ((ANN, Sit("Ann")), (BEN, Sit("Ben")), (CID, Sit("Cid")), (ANN, SitBot("greedy", "Bot")))
DUPLICATE = ChangeSettings("two-dice", house_rules=SHORT_GAME.house_rules, duplicate=True)
SPY, TURNS = 1, 5
SPIES, ELSEWHERE = (BEN, EVE, BEN, BEN), 3
"""A player, a spectator, a big screen on the player's device, and the player in another room."""
PAGES = (
    "/games/{game}.knobel",
    "/api/games/{game}/review",
    "/api/games/{game}/summary",
    "/api/games/{game}/wins",
    "/api/games/{game}/positions/{event}",
    "/api/games/{game}/decisions/{event}",
    "/api/games/{game}/duplicate",
    "/api/games/{game}/visible",
    "/api/rooms/{room}/chase",
    "/api/rooms/{room}/handicaps",
    "/api/rooms/{room}/sheet",
    "/rooms/{room}/certificate.pdf",
    "/rooms/{room}/sheet.pdf",
    "/qr/{room}.svg",
    "/api/rooms?ids={room}",
    "/api/home",
    "/api/history",
    "/api/statistics",
)
PRINTED, PRINTED_TURN = "/games/{game}.pdf", 1
"""Takes long, so it is asked for once in a while."""


class World:
    """A duplicate room with a spy, a spectator and a big screen of the spy's device."""

    def __init__(self, server: PlainServer, hosted: HostedRoom, clients: list[Client], spies: list[ClientConnection]):
        self.server, self.hosted, self.clients, self.spies = server, hosted, clients, spies
        self.pages: list[tuple[str, int, bytes]] = []
        self.own: list[str] = []

    async def carry_out(self, seat: int, intent: Act | Undo) -> None:
        """Carry out a move; the spy keeps what was sent, to send it again later."""
        name = f"own-{len(self.own)}" if seat == SPY else None
        await self.hosted.execute(intent, SEATING[seat][0], name)
        if name is not None:
            game, body = (await self.hosted.room()).game, encode_intent(intent).decode()
            self.own.append(f'{{"do":"want","id":"{name}","game":"{game}","intent":{body}}}')

    @classmethod
    async def open(cls, stack: AsyncExitStack, path: Path) -> "World":
        path.mkdir()
        host = await stack.enter_async_context(open_host(path, clock=lambda: 1e9))
        context = AppContext(host, frozenset({HOST_NAME}))
        context.hubs.away_seconds = 1e6  # who is away is told by the clock, and the others are never connected here
        server = PlainServer(host, build_app(context))
        await server.introduce(ANN, BEN, CID, EVE)
        hosted = await HostedRoom.open(host, DUPLICATE, SEATING)
        await hosted.begin_game()
        elsewhere = await host.open_room(BEN, "elsewhere", DUPLICATE)
        rooms = [hosted.id, hosted.id, hosted.id, elsewhere.id]
        clients = [Client(device, "en", is_screen=place == 2) for place, device in enumerate(SPIES)]
        socket: Any = SimpleNamespace(scope={})
        spies = []
        for client, room in zip(clients, rooms, strict=True):
            client.budget = SimpleNamespace(spend=lambda _: 0.0)  # type: ignore[assignment]
            await context.hubs.enter(client, room)
            spies.append(ClientConnection(socket, client, room, context.hubs, context.files))
        return cls(server, hosted, clients, spies)

    async def table(self) -> Table:
        return await self.hosted.table()

    async def play(self, seat: int, random: Random) -> None:
        """Let a seat do one thing, perhaps undo; the bot goes on when it may."""
        table = await self.table()
        track = table.replay.track(seat)
        if track.last_undoable is not None and random.random() < 0.3:
            await self.carry_out(seat, Undo(seat, track.ply))
        elif track.state.seat is not None:
            _, text = choose_action(table, track, random, ("random", "greedy"))
            await self.carry_out(seat, Act(seat, track.ply, text))
        while await self.hosted.host.step(self.hosted.id) if await self.is_bot_next() else False:
            pass

    async def is_bot_next(self) -> bool:
        table = await self.table()
        return not table.replay.is_over and find_bot_seat(table) is not None

    async def send(self, message: str, spy: int) -> None:
        connection = self.spies[spy]
        await connection.handle_text(message)
        for task in tuple(connection.coach_tasks):
            await task
        if connection.chances.task is not None:
            await connection.chances.task

    async def look(self, path: str, identity: str) -> None:
        game = (await self.hosted.room()).game or ""
        address = path.format(game=game, room=self.hosted.id, event=5)
        self.pages.append((address, *await self.server.fetch("GET", address, identity)))

    def take(self) -> tuple[list[list[bytes]], list[tuple[str, int, bytes]]]:
        """Take everything that the spies have got since the last time."""
        told = [
            [drop_person(one.outbox.messages.popleft()) for _ in range(len(one.outbox.messages))]
            for one in self.clients
        ]
        pages, self.pages = self.pages, []
        return told, [(address, status, drop_person(content)) for address, status, content in pages]


def drop_person(content: bytes) -> bytes:
    """Leave out the ids of people, which are drawn for each room."""
    return re.sub(rb'("(?:person|id)": ?)"[0-9a-f]{16}"', rb'\1""', content)


def invent_message(random: Random, game: str, head: str, number: int) -> dict[str, object]:
    """Invent something to send: every kind of message, about every seat, with right and wrong numbers."""
    seat, ply = random.randrange(5), random.randrange(40)
    command = f"spy-{number}"
    other = random.choice((0, 2, 3))
    intents: list[dict[str, object]] = [
        {"want": "act", "seat": other, "ply": ply, "action": random.choice(("..", "chance", "ones", ".1"))},
        {"want": "act", "seat": SPY, "ply": 90 + ply, "action": ".."},
        {"want": "undo", "seat": other, "ply": ply},
        {"want": "correct", "seat": seat, "ply": ply, "box": "ones", "actions": ["=11", "ones"]},
        {"want": "swap_boxes", "seat": seat, "ply": ply, "box": "ones", "other": "twos"},
        {"want": "go_on", "ply": ply},
        {"want": "put_in", "seat": seat, "bot": "greedy"},
        {"want": "return", "seat": seat},
        {"want": "assist", "seat": seat},
        {"want": "leave", "seat": other},
        {"want": "stop"},
        {"want": "start_without", "seat": seat},
        {"want": "reveal", "seed": "0" * 64},
        {"want": "begin", "anyway": True},
        {"want": "sit", "name": "Second"},
        {"want": "take", "seat": seat},
        {"want": "get_up", "seat": seat},
        {"want": "rename", "seat": other, "name": "X"},
        {"want": "restart"},
        {"want": "lock", "locked": True},
        {"want": "settle", "edition": "mb-yahtzee"},
    ]
    messages: list[dict[str, object]] = [
        *(dict[str, object](do="want", id=command, game=game, intent=intent) for intent in intents),
        {"do": "want", "id": f"spy-{random.randrange(number + 1)}", "game": game, "intent": {"want": "stop"}},
        {"do": "hint", "id": command, "seat": seat},
        {"do": "ledger", "id": command, "seat": seat},
        {"do": "turn", "id": command, "seat": seat, "box": random.choice(("ones", "pair", "1"))},
        {"do": "chances", "levels": random.random() < 0.5},
        {"do": "seen", "game": game, "count": ply, "head": head},
        {"do": "seen", "game": game, "count": ply, "head": ""},
        {"do": "seen", "game": "other", "count": ply, "head": head},
        {"do": "say", "seat": seat, "remark": "hello"},
        {"do": "ping"},
        {"do": "set_language", "lang": random.choice(("en", "de"))},
    ]
    return random.choice(messages)


@pytest.fixture(autouse=True)
def same_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the same ids and seeds in both rooms."""
    drawn = SimpleNamespace(
        token_bytes=lambda n: bytes(range(n)), token_hex=lambda n: "ab" * n, choice=lambda letters: letters[0]
    )
    monkeypatch.setattr(room_setup, "secrets", drawn)


async def spy_on_a_game(path: Path, number: int, probes: int) -> int:
    """Play two rooms alike up to a turn, then let the others play on differently; count the tries."""
    random, turn, tries = Random(number), number % (TURNS - 1), 0
    async with AsyncExitStack() as stack:
        worlds = [await World.open(stack, path / f"{number} {name}") for name in "ab"]
        await settle_turns(worlds, turn, number)
        assert worlds[0].take() == worlds[1].take()
        printed = number % 4 != PRINTED_TURN
        while tries < probes:
            for name, world in enumerate(worlds):
                hidden = Random(f"{number}/{name}/{tries}")
                for _ in range(hidden.randrange(4)):
                    await world.play(hidden.choice((0, 2)), hidden)
            if random.random() < 0.3:
                await play_own_turn(worlds, turn, random)
            for _ in range(4):
                tries += 1
                await probe(worlds, random, tries, print_too=not printed)
                printed = True
            seen = [world.take() for world in worlds]
            assert seen[0] == seen[1], f"game {number}, before try {tries}"
        tables = [await world.table() for world in worlds]
        assert tables[0].events != tables[1].events
        assert all(table.replay.closed is None for table in tables)
    return tries


async def settle_turns(worlds: list[World], turn: int, number: int) -> None:
    """Let everybody settle some turns, in all rooms alike, so that they are visible to all."""
    for seat in (0, 1, 2):
        step = 0
        while count_settled_turns(await worlds[0].table(), seat) < turn:
            step += 1
            for world in worlds:
                await world.play(seat, Random(f"{number}/{seat}/{step}"))


def count_settled_turns(table: Table, seat: int) -> int:
    """Count the turns after which a seat has rolled again, from the log alone."""
    return max((event.turn for event in table.events if isinstance(event, Landed) and event.seat == seat), default=0)


async def probe(worlds: list[World], random: Random, number: int, *, print_too: bool) -> None:
    """Try one thing in all rooms: a page, or a message."""
    first = worlds[0]
    game, head = (await first.hosted.room()).game or "", (await first.table()).head
    spy = random.randrange(len(SPIES))
    if print_too or random.random() < 0.5:
        page = PRINTED if print_too else random.choice(PAGES)
        for world in worlds:
            await world.look(page, SPIES[spy])
        return
    message = json.dumps(invent_message(random, game, head, number))
    if spy == ELSEWHERE:
        message = json.dumps({"do": "seen", "game": game, "count": random.randrange(100), "head": head})
    if first.own and random.random() < 0.2:
        message = random.choice(first.own)
    for world in worlds:
        await world.send(message, spy)


async def play_own_turn(worlds: list[World], turn: int, random: Random) -> None:
    """Let the spy play on in the turn whose counterparts are hidden, or undo its entry, but not settle it."""
    track = (await worlds[0].table()).replay.track(SPY)
    chance, ply, is_playing = random.random(), track.ply, track.state.turns[0] == turn
    for world in worlds:
        if is_playing:
            await world.play(SPY, Random(chance))
        else:
            await world.carry_out(SPY, Undo(SPY, ply))


@run_async
async def test_nothing_a_spy_gets_depends_on_turns_that_are_hidden(tmp_path: Path) -> None:
    assert await spy_on_a_game(tmp_path, 2, 80) == 80


@pytest.mark.rest
@pytest.mark.parametrize("number", [0, 1, 3, 4])
@run_async
async def test_nothing_a_spy_gets_depends_on_turns_that_are_hidden_in_further_games(
    number: int, tmp_path: Path
) -> None:
    assert await spy_on_a_game(tmp_path, number, 100) == 100


@pytest.mark.torture
def test_no_leak_in_ten_thousand_tries(tmp_path: Path) -> None:
    @run_async
    async def spy(number: int) -> None:
        tries.append(await spy_on_a_game(tmp_path, number, 100))

    tries: list[int] = []
    for number in range(100):
        spy(number)
    assert sum(tries) == 10_000


MUTANTS: dict[str, list[tuple[Any, str, Any]]] = {
    "everything is shown": [(web_hubs, "show_table", lambda table, _: table)],
    "spectators see what the fastest has settled": [
        (
            shown_duplicate,
            "hide_turns",
            lambda replay, viewer: duplicate.hide_turns(replay, 0 if viewer is None else viewer),
        )
    ],
    "a command that is sent again elsewhere tells how long the log is": [
        (web_session, "hides_stored_turns", lambda _: False)
    ],
    "anybody may ask how long a log is": [(web_host, "hides_stored_turns", lambda _: False)],
    "records are whole": [(archive, "count_public_events", lambda _, events: len(events))],
    "the number of what was undone is told": [(shown_duplicate, "drop_number", lambda step: step)],
    "every event is announced": [(web_hubs, "find_seen", lambda _: SimpleNamespace(game=object()))],
    "an entry opens the turn before it is settled": [
        (duplicate, "count_settled_turns", lambda track: int(track.state.turns[0]))
    ],
}


@pytest.mark.parametrize(
    "name", ["everything is shown", *(pytest.param(one, marks=pytest.mark.rest) for one in list(MUTANTS)[1:])]
)
def test_a_server_that_leaks_is_caught(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, part, mutant in MUTANTS[name]:
        monkeypatch.setattr(module, part, mutant)

    @run_async
    async def spy(number: int) -> None:
        await spy_on_a_game(tmp_path, number, 100)

    for number in (2, 1, 3):
        try:
            spy(number)
        except AssertionError:
            return
    pytest.fail("nobody noticed")


@run_async
async def test_every_page_about_a_game_or_a_room_is_spied_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = set[str]()

    def keep_paths(*, routes: list[BaseRoute], **_: Any) -> ASGIApp:
        paths.update(route.path for route in routes if isinstance(route, Route) and "GET" in (route.methods or ()))
        return Starlette()

    monkeypatch.setattr(web_app, "Starlette", keep_paths)
    async with open_host(tmp_path) as host:
        build_app(AppContext(host, frozenset({HOST_NAME})))
    known = {one.partition("?")[0].replace("{event}", "{event:int}") for one in (*PAGES, PRINTED)}
    with_secrets = {path for path in paths if "{game" in path or "{room" in path} - set(web_app.PAGE_PATHS)
    assert with_secrets <= known
    assert {one for one in known if "{" in one} <= with_secrets
