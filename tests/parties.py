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
from knobel.rooms.intents import Act, Advance, AnyIntent, BeginGame, ChangeSettings, RevealSeed, SealSeed, Sit, SitBot
from knobel.rooms.room import Room
from knobel.store.sqlite import SqliteStore
from knobel.table import Table
from tests.house import EXAMPLES

ANN, BEN, CID = "ann's phone", "ben's laptop", "cid's tablet"
HOUSE = (EXAMPLES / "two-dice.toml").read_text(encoding="utf-8").replace('"top_down"', '"free"')
SHORT = ChangeSettings("two-dice", house=HOUSE)
"""A game of five boxes, in any order."""
PATIENCE = 60.0

Chairs: TypeAlias = Sequence[tuple[str, Sit | SitBot]]
Given = ParamSpec("Given")


def awaited(test: Callable[Given, Coroutine[Any, Any, None]]) -> Callable[Given, None]:
    """Let a test be a coroutine; it never hangs."""

    @wraps(test)
    def run(*args: Given.args, **values: Given.kwargs) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **values), PATIENCE))

    return run


@asynccontextmanager
async def hosted(path: Path, **how: Any) -> AsyncIterator[Host]:
    """Open a host over a database that stays; nothing moves by itself unless it is asked for."""
    host = Host(await SqliteStore.open(path / "host.db"), **({"paced": False} | how))
    try:
        yield host
    finally:
        await host.close()


@dataclass
class Party:
    """One room, as whoever is there uses it."""

    host: Host
    room: str
    numbers: "count[int]" = field(default_factory=lambda: count(1))

    @classmethod
    async def open(
        cls, host: Host, settle: ChangeSettings = SHORT, chairs: Chairs = (), seed: str | None = None
    ) -> "Party":
        """Open a room at a host; Ann is its host, and all sit down."""
        room = await host.open_room(ANN, f"open {settle} {seed}", settle, (), seed)
        party = cls(host, room.id)
        for owner, chair in chairs:
            await party.want(chair, owner)
        return party

    async def at(self, host: Host) -> "Party":
        """Go on with the same room at another host."""
        party = Party(host, self.room, self.numbers)
        await party.desk()
        return party

    async def want(self, wanted: AnyIntent, owner: str = ANN, command: str | None = None) -> CommandReply:
        """Want something, under a name of its own unless one is given."""
        name = command or f"{owner} {next(self.numbers)}"
        return await self.host.execute(self.room, owner, name, wanted, encode_intent(wanted))

    async def desk(self) -> RoomSession:
        """Find the desk."""
        return await self.host.find_session(self.room)

    async def now(self) -> Room:
        """Give the room as it is."""
        return (await self.desk()).room

    async def table(self) -> Table:
        """Give the table."""
        table = (await self.desk()).table
        assert table is not None
        return table

    async def state(self, seat: int = 0) -> Any:
        """Give where the game of a seat stands."""
        return (await self.table()).replay.track(seat).state

    async def snapshot(self) -> tuple[object, ...]:
        """Give everything that could change, at the desk and on disk."""
        desk, store = await self.desk(), self.host.store
        table, room = desk.table, await store.find_room(self.room)
        stands = (
            (table.record, table.head, table.replay.ply, [lane.state for lane in table.replay.tracks]) if table else ()
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
        log = await store.list_events(desk.room.game) if desk.room.game else ()
        games = await store.list_games()
        return desk.room, desk.version, *stands, *there, room, tuple(log), tuple(games)

    async def refused(
        self, error: type[KnobelError], wanted: AnyIntent, owner: str = ANN, command: str | None = None
    ) -> KnobelError:
        """Insist that something is refused with exactly this error, and that nothing has changed."""
        before = await self.snapshot()
        with pytest.raises(KnobelError) as caught:
            await self.want(wanted, owner, command)
        assert type(caught.value) is error
        assert await self.snapshot() == before
        return caught.value

    # Seeds.

    def seed(self, owner: str, game: str) -> bytes:
        """Give the seed of a device for a game: always the same."""
        return hashlib.sha256(f"{owner} {game}".encode()).digest()

    async def seal(self, *owners: str) -> None:
        """Let devices promise their seeds."""
        for owner in owners:
            room = await self.now()
            game = room.coming.game
            await self.want(
                SealSeed(game, fair.commit_client_seed(game, min(room.seats_of(owner)), self.seed(owner, game)).hex()),
                owner,
            )

    async def reveal(self, *owners: str) -> None:
        """Let devices show their seeds."""
        game = (await self.now()).game or ""
        for owner in owners:
            await self.want(RevealSeed(self.seed(owner, game).hex()), owner)

    async def begin(self) -> Table:
        """Begin as devices do: all seal, the host begins, all show."""
        room = await self.now()
        sealing = () if room.settings.seed is not None else room.devices
        await self.seal(*sealing)
        await self.want(BeginGame(), room.host)
        await self.reveal(*sealing)
        return await self.table()

    # Playing.

    async def act(self, seat: int, text: str, owner: str | None = None) -> CommandReply:
        """Let a seat do something, from the device it belongs to."""
        room, table = await self.now(), await self.table()
        ply = table.replay.track(seat).ply
        return await self.want(Act(seat, ply, text), owner or room.seats[seat].device or ANN)

    async def move(self, random: Random, kinds: Sequence[str] = ("random", "greedy")) -> bool:
        """Let somebody whose turn it is do one thing: a person, a bot, or real dice; tells whether anybody could."""
        table = await self.table()
        waiting = table.header.free and find_bot_seat(table) is None
        going = [
            lane
            for lane in table.replay.tracks
            if lane.state.seat is not None and not (waiting and played(table, lane.seat or 0))
        ]
        if not going:
            return False
        lane = random.choice(going)
        seat, text = answer(table, lane, random, kinds)
        if played(table, seat):
            return await self.host.step(self.room)
        await self.act(seat, text)
        return True

    async def play(self, random: Random | None = None, most: int = 10_000) -> Table:
        """Play for so many moves, or as far as there is anything to do."""
        chance = random or Random(1)
        for _ in range(most):
            if not await self.move(chance):
                break
        return await self.table()

    async def finish(self, random: Random | None = None) -> Table:
        """Play to the end and confirm it."""
        table = await self.play(random)
        await self.want(Advance(table.replay.ply))
        assert table.replay.closed
        return table

    async def record(self) -> bytes:
        """Write the game as a record."""
        return await export_record(self.host.store, (await self.table()).header.game)


def played(table: Table, seat: int) -> bool:
    """Tell whether a bot plays a seat."""
    return table.find_bot(seat) is not None and not table.header.seats[seat].real_dice


def answer(table: Table, lane: GameTrack, random: Random, kinds: Sequence[str]) -> tuple[int, str]:
    """Say what somebody whose turn it is in a game could do, as text, and whose seat it is."""
    state, rules = lane.state, lane.game.rules
    if state.seat == CHANCE:
        fall = lane.game.pending_roll(state)
        assert fall is not None
        dice = tuple(random.randint(1, rules.faces) for _ in fall.positions)
        return (fall.seat if lane.seat is None else lane.seat), write_action(state, Land(dice), rules.dice)
    family = str(table.header.rules.get("game", "sheet"))
    move = load_bot(random.choice(kinds), family)(lane.game, state, random)
    assert not isinstance(move, Leave)
    return (state.seat if lane.seat is None else lane.seat), write_action(state, move, rules.dice)
