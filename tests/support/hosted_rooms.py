"""A room at a host for the tests: devices that want things, seal and show their seeds, and play."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import wraps
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, ParamSpec, TypeAlias

import pytest

from knobel import fair
from knobel.bots import load_bot
from knobel.errors import KnobelError
from knobel.game import CHANCE, Land, Leave
from knobel.host import Host
from knobel.host.archive import export_record
from knobel.host.decisions import find_bot_seat
from knobel.host.session import CommandReply, RoomSession, encode_intent
from knobel.notation import write_action
from knobel.record.track import GameTrack
from knobel.rooms.intents import (
    Act,
    Advance,
    AnyIntent,
    BeginGame,
    ChangeSettings,
    GameIntent,
    RevealSeed,
    SealSeed,
    Sit,
    SitBot,
)
from knobel.rooms.room import Room
from knobel.store.sqlite import SqliteStore
from knobel.table import Table
from tests.support.house_rules import EXAMPLES
from tests.support.waiting import HANG_SECONDS

ANN, BEN, CID = "ann's phone", "ben's laptop", "cid's tablet"
HOUSE_RULES = (EXAMPLES / "two-dice.toml").read_text(encoding="utf-8").replace('"top_down"', '"free"')
SHORT_GAME = ChangeSettings("two-dice", house_rules=HOUSE_RULES)
"""A game of five boxes, in any order."""

Seating: TypeAlias = Sequence[tuple[str, Sit | SitBot]]
Given = ParamSpec("Given")


def run_async(test: Callable[Given, Coroutine[Any, Any, None]]) -> Callable[Given, None]:
    """Let a test be a coroutine; it never hangs."""

    @wraps(test)
    def run(*args: Given.args, **values: Given.kwargs) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **values), HANG_SECONDS))

    return run


@asynccontextmanager
async def open_host(path: Path, **options: Any) -> AsyncIterator[Host]:
    """Open a host over a database that stays; nothing moves by itself unless it is asked for."""
    host = Host(await SqliteStore.open(path / "host.db"), **({"paced": False, "seed_seconds": 0.0} | options))
    try:
        yield host
    finally:
        await host.close()


@dataclass
class HostedRoom:
    """One room, as whoever is there uses it."""

    host: Host
    id: str
    counter: "count[int]" = field(default_factory=lambda: count(1))

    @classmethod
    async def open(
        cls, host: Host, settings: ChangeSettings = SHORT_GAME, seating: Seating = (), seed: str | None = None
    ) -> "HostedRoom":
        """Open a room at a host; Ann is its host, and all sit down."""
        room = await host.open_room(ANN, f"open {settings} {seed}", settings, (), seed)
        hosted = cls(host, room.id)
        for device, seat in seating:
            await hosted.execute(seat, device)
        return hosted

    async def reopen_at(self, host: Host) -> "HostedRoom":
        """Go on with the same room at another host."""
        hosted = HostedRoom(host, self.id, self.counter)
        await hosted.session()
        return hosted

    async def execute(
        self, intent: AnyIntent, device: str = ANN, command: str | None = None, game: str | None = None
    ) -> CommandReply:
        """Want something, under a name of its own unless one is given, in the game of now unless another is named."""
        name = command or f"{device} {next(self.counter)}"
        meant = game or ((await self.room()).game if isinstance(intent, GameIntent) else None)
        return await self.host.execute(self.id, device, name, intent, encode_intent(intent), meant)

    async def session(self) -> RoomSession:
        """Find the session."""
        return await self.host.find_session(self.id)

    async def room(self) -> Room:
        """Give the room as it is."""
        return (await self.session()).room

    async def table(self) -> Table:
        """Give the table."""
        table = (await self.session()).table
        assert table is not None
        return table

    async def state(self, seat: int = 0) -> Any:
        """Give where the game of a seat stands."""
        return (await self.table()).replay.track(seat).state

    async def snapshot(self) -> tuple[object, ...]:
        """Give everything that could change, in the session and on disk."""
        session, store = await self.session(), self.host.store
        table, room = session.table, await store.find_room(self.id)
        stands = (
            (table.record, table.head, table.replay.ply, [track.state for track in table.replay.tracks])
            if table
            else ()
        )
        there = (
            (
                set(table.replay.attendance.away),
                dict(table.replay.attendance.stand_ins),
                table.replay.attendance.pending_seeds,
            )
            if table
            else ()
        )
        log = await store.list_events(session.room.game) if session.room.game else ()
        games = await store.list_games()
        return session.room, session.version, *stands, *there, room, tuple(log), tuple(games)

    async def assert_refused(
        self, error: type[KnobelError], intent: AnyIntent, device: str = ANN, command: str | None = None
    ) -> KnobelError:
        """Insist that something is refused with exactly this error, and that nothing has changed."""
        before = await self.snapshot()
        with pytest.raises(KnobelError) as caught:
            await self.execute(intent, device, command)
        assert type(caught.value) is error
        assert await self.snapshot() == before
        return caught.value

    # Seeds.

    def derive_seed(self, device: str, game: str) -> bytes:
        """Give the seed of a device for a game: always the same."""
        return hashlib.sha256(f"{device} {game}".encode()).digest()

    async def seal_seeds(self, *devices: str) -> None:
        """Let devices promise their seeds."""
        for device in devices:
            room = await self.room()
            game = room.coming.game
            await self.execute(
                SealSeed(
                    game,
                    fair.commit_client_seed(game, min(room.seats_of(device)), self.derive_seed(device, game)).hex(),
                ),
                device,
            )

    async def reveal_seeds(self, *devices: str) -> None:
        """Let devices show their seeds."""
        game = (await self.room()).game or ""
        for device in devices:
            await self.execute(RevealSeed(self.derive_seed(device, game).hex()), device)

    async def begin_game(self) -> Table:
        """Begin as devices do: all seal, the host begins, all show."""
        room = await self.room()
        sealing = () if room.settings.seed is not None else room.devices
        await self.seal_seeds(*sealing)
        await self.execute(BeginGame(), room.host)
        await self.reveal_seeds(*sealing)
        return await self.table()

    # Playing.

    async def act(self, seat: int, text: str, device: str | None = None) -> CommandReply:
        """Let a seat do something, from the device it belongs to."""
        room, table = await self.room(), await self.table()
        ply = table.replay.track(seat).ply
        return await self.execute(Act(seat, ply, text), device or room.seats[seat].device or ANN)

    async def play_move(self, random: Random, kinds: Sequence[str] = ("random", "greedy")) -> bool:
        """Let somebody whose turn it is do one thing: a person, a bot, or real dice; tells whether anybody could."""
        table = await self.table()
        waiting = table.header.free and find_bot_seat(table) is None
        going = [
            track
            for track in table.replay.tracks
            if track.state.seat is not None and not (waiting and is_played_by_bot(table, track.seat or 0))
        ]
        if not going:
            return False
        track = random.choice(going)
        seat, text = choose_action(table, track, random, kinds)
        if is_played_by_bot(table, seat):
            return await self.host.step(self.id)
        await self.act(seat, text)
        return True

    async def play(self, random: Random | None = None, most: int = 10_000) -> Table:
        """Play some moves, or until there is nothing left to do."""
        chance = random or Random(1)
        for _ in range(most):
            if not await self.play_move(chance):
                break
        return await self.table()

    async def finish(self, random: Random | None = None) -> Table:
        """Play to the end and confirm it."""
        table = await self.play(random)
        await self.execute(Advance(table.replay.ply))
        assert table.replay.closed
        return table

    async def export_record(self) -> bytes:
        """Write the game as a record."""
        return await export_record(self.host.store, (await self.table()).header.game)


def is_played_by_bot(table: Table, seat: int) -> bool:
    """Tell whether a bot plays a seat."""
    return table.find_bot(seat) is not None and not table.header.seats[seat].real_dice


def choose_action(table: Table, track: GameTrack, random: Random, kinds: Sequence[str]) -> tuple[int, str]:
    """Say what somebody whose turn it is in a game could do, as text, and whose seat it is."""
    state, rules = track.state, track.game.rules
    if state.seat == CHANCE:
        roll = track.game.pending_roll(state)
        assert roll is not None
        dice = tuple(random.randint(1, rules.faces) for _ in roll.positions)
        return (roll.seat if track.seat is None else track.seat), write_action(state, Land(dice), rules.dice)
    family = str(table.header.rules.get("game", "sheet"))
    move = load_bot(random.choice(kinds), family)(track.game, state, random)
    assert not isinstance(move, Leave)
    return (state.seat if track.seat is None else track.seat), write_action(state, move, rules.dice)
