"""The command line at the host's table: one thing is asked at a time, and done when it is on disk."""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeVar

from knobel import fair
from knobel.cli.line import Option
from knobel.errors import GameElsewhere, GameFinished, GameUnknown, NoGame, NothingToResume
from knobel.game import Action, Leave
from knobel.host import Host
from knobel.host.desk import ROOM, Desk
from knobel.host.keeping import database_file, exported
from knobel.notation import write
from knobel.room.chairs import Room
from knobel.room.intents import Act, Begin, Correct, GoOn, Reveal, Seal, Settle, Sit, SitBot, SwapRows, Undo, Wanted
from knobel.room.intents import Leave as LeaveIntent
from knobel.rules.fields import shown
from knobel.store import Store, StoredGame
from knobel.store.address import AnyStore, open_store
from knobel.table import Table

DATABASE = Option("database", "URL")
OWNER = "terminal"
"""Whose seats are played here; browsers have names of their own."""

T = TypeVar("T")


class Sitting:
    """A room of the host, and everything a conversation wants of it."""

    def __init__(self, runner: asyncio.Runner, host: Host, desk: Desk) -> None:
        self.runner = runner
        self.host = host
        self.desk = desk
        self.number = 0

    @property
    def table(self) -> Table:
        """The table with the game that is played."""
        if self.desk.table is None:
            raise NoGame
        return self.desk.table

    @property
    def room(self) -> Room:
        """The room."""
        return self.desk.room

    def begin(self) -> None:
        """Start the next game with a seed of our own, promised before and shown after."""
        seats, coming = self.room.seats_of(OWNER), self.room.coming
        seed = secrets.token_bytes(fair.SEED_BYTES)
        sealing = bool(seats) and self.room.settings.seed is None
        if sealing:
            self.want(Seal(coming.game, fair.seal(coming.game, min(seats), seed).hex()))
        self.want(Begin(anyway=True))
        if sealing:
            self.want(Reveal(seed.hex()))

    def act(self, seat: int, action: Action) -> None:
        """Do something in the game."""
        table = self.table
        if isinstance(action, Leave):
            self.want(LeaveIntent(seat))
            return
        table.decide(seat, action)
        state = table.replay.lane(seat).state
        self.want(Act(seat, table.replay.lane(seat).ply, write(state, action, table.game.rules.dice)))

    def undo(self, seat: int) -> None:
        """Take back the last entry of a seat."""
        self.want(Undo(seat, self.table.replay.lane(seat).ply))

    def correct(self, seat: int, box: str, actions: Sequence[Action]) -> None:
        """Put something else in place of an entry of real dice."""
        lane = self.table.replay.lane(seat)
        texts = tuple(write(lane.state, action, lane.game.rules.dice) for action in actions)
        self.table.correct(seat, box, texts)
        self.want(Correct(seat, lane.ply, box, texts))

    def swap(self, seat: int, box: str, other: str) -> None:
        """Write two entries of real dice each in the other one's box."""
        self.table.swap(seat, box, other)
        self.want(SwapRows(seat, self.table.replay.lane(seat).ply, box, other))

    def go_on(self) -> None:
        """Confirm the end."""
        self.want(GoOn(self.table.replay.ply))

    def step(self) -> None:
        """Let a bot move."""
        self.runner.run(self.host.step(self.room.room))

    def want(self, wanted: Wanted) -> None:
        """Ask the host for something, and wait until it is on disk."""
        self.number += 1
        command = f"{self.desk.version}.{self.number}.{secrets.token_hex(4)}"
        self.runner.run(self.host.do(self.room.room, OWNER, command, wanted))

    def record(self) -> bytes:
        """Write the game so far as a record."""
        return self.runner.run(exported(self.host.store, self.table.header.game))


@contextlib.contextmanager
def at_home(database: str | None) -> Iterator[tuple[asyncio.Runner, Host]]:
    """Open the host over a database, for as long as a command runs."""
    with asyncio.Runner() as runner:
        store = runner.run(open_store(database, database_file()))
        host = runner.run(opened(store))
        try:
            yield runner, host
        finally:
            runner.run(host.close())


def with_store(database: str | None, work: Callable[[AnyStore], Awaitable[T]]) -> T:
    """Do something with a database, and let go of it."""

    async def whole() -> T:
        store = await open_store(database, database_file())
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(whole())


async def opened(store: Store) -> Host:
    """Open a host that moves only when it is asked to."""
    return Host(store, paced=False)


def sit_down(
    runner: asyncio.Runner, host: Host, settle: Settle, chairs: list[Sit | SitBot], seed: str | None
) -> Sitting:
    """Open a room and take all its chairs."""
    room = runner.run(host.open(OWNER, secrets.token_hex(16), settle, chairs, seed))
    sitting = Sitting(runner, host, runner.run(host.desk(room.room)))
    sitting.begin()
    return sitting


def sit_again(runner: asyncio.Runner, host: Host, name: str | None) -> Sitting:
    """Go on with a kept game: the one named, else the last one that is not over."""
    room = runner.run(room_again(host.store, name))
    return Sitting(runner, host, runner.run(host.desk(room.room)))


async def room_again(store: Store, name: str | None) -> Room:
    """Find the room of an unfinished game."""
    if name is None:
        for unfinished in await store.games(unfinished=True):
            stored = await store.room(unfinished.room)
            room = ROOM.decode(stored.body) if stored else None
            if room and room.game == unfinished.game and room.host == OWNER:
                return room
        raise NothingToResume
    game = await find_game(store, name)
    kept = await store.room(game.room)
    if game.closed or kept is None:
        raise GameFinished(file=game.game)
    room = ROOM.decode(kept.body)
    if room.host != OWNER:
        raise GameElsewhere(name=game.game)
    return room


async def find_game(store: Store, name: str) -> StoredGame:
    """Find a game by its name, or by as much of it as tells it from all others."""
    if (exact := await store.game(name)) is not None:
        return exact
    found = [game for game in await store.games() if name and game.game.startswith(name)]
    if len(found) != 1:
        raise GameUnknown(name=shown(name))
    return found[0]
