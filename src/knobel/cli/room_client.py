"""The command line as a client of the host: one request at a time, each on disk before the next."""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from knobel.cli.table_client import TableClient
from knobel.errors import (
    GameFinished,
    GameNotFound,
    GameNotYours,
    NoGameRunning,
)
from knobel.host import Host
from knobel.host.archive import default_database_path, export_record
from knobel.host.room_device import TERMINAL, RoomDevice
from knobel.host.session import RoomSession
from knobel.host.unfinished_games import find_last_room, read_room_of_game
from knobel.rooms.intents import (
    AnyIntent,
    ChangeSettings,
    Sit,
    SitBot,
)
from knobel.rooms.room import Room
from knobel.rules.fields import abbreviate
from knobel.store import Store, StoredGame
from knobel.store.address import AnyStore, open_store
from knobel.table import Table

T = TypeVar("T")


class RoomClient(TableClient):
    """A room of the host, with everything a conversation can ask for."""

    def __init__(self, runner: asyncio.Runner, host: Host, session: RoomSession) -> None:
        self.runner = runner
        self.host = host
        self.session = session
        self.device = RoomDevice(host, session, TERMINAL)

    @property
    def table(self) -> Table:
        """The table with the game that is played."""
        if self.session.table is None:
            raise NoGameRunning
        return self.session.table

    @property
    def room(self) -> Room:
        return self.session.room

    def begin(self, *agreed: AnyIntent) -> None:
        """Start the next game as agreed, with a seed of our own, committed to before and revealed after."""
        for intent in agreed:
            self.send(intent)
        self.runner.run(self.device.begin())

    def plays(self, seat: int) -> bool:
        """Tell whether a person plays a seat: all of them type here."""
        return self.table.header.seats[seat].bot is None

    def wait_for_others(self) -> None:
        """Let the bot move whose turn it is."""
        self.runner.run(self.host.step(self.room.id))

    def send(self, intent: AnyIntent) -> None:
        """Send an intent to the host, and wait until it is on disk."""
        self.runner.run(self.device.send(intent))

    def export_record(self) -> bytes:
        """Write the game so far as a record."""
        return self.runner.run(export_record(self.host.store, self.table.header.game))


@contextlib.contextmanager
def open_host(database: str | None, *, paced: bool = False) -> Iterator[tuple[asyncio.Runner, Host]]:
    """Open the host over a database, for as long as a command plays in it; only `paced` bots move by themselves."""
    with asyncio.Runner() as runner:
        store = runner.run(open_store(database, default_database_path(), exclusive=True))
        host = runner.run(build_host(store, paced))
        try:
            yield runner, host
        finally:
            runner.run(host.close())


def run_with_store(database: str | None, work: Callable[[AnyStore], Awaitable[T]], *, exclusive: bool = False) -> T:
    """Run something with an open database, then close it; `exclusive` is for whoever writes to it."""

    async def run_and_close() -> T:
        store = await open_store(database, default_database_path(), exclusive=exclusive)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run_and_close())


async def build_host(store: Store, paced: bool) -> Host:
    return Host(store, paced=paced)


def open_room(
    runner: asyncio.Runner, host: Host, settings: ChangeSettings, seats: list[Sit | SitBot], seed: str | None
) -> RoomClient:
    """Open a room, and seat everybody."""
    room = runner.run(host.open_room(TERMINAL, secrets.token_hex(16), settings, seats, seed))
    return RoomClient(runner, host, runner.run(host.find_session(room.id)))


def resume_room(runner: asyncio.Runner, host: Host, name: str | None) -> RoomClient:
    """Resume a stored game: the one named, else the most recent unfinished one."""
    room = runner.run(find_unfinished_room(host.store, name))
    return RoomClient(runner, host, runner.run(host.find_session(room.id)))


async def find_unfinished_room(store: Store, name: str | None) -> Room:
    """Find the room of an unfinished game."""
    if name is None:
        return await find_last_room(store, TERMINAL)
    game = await find_game(store, name)
    room = await read_room_of_game(store, game)
    if game.is_closed or room is None:
        raise GameFinished(file=game.id)
    if room.host != TERMINAL:
        raise GameNotYours(name=game.id)
    return room


async def find_and_export(store: Store, name: str) -> tuple[StoredGame, bytes]:
    """Find a game by its id or a prefix of it, and write it as a record."""
    game = await find_game(store, name)
    return game, await export_record(store, game.id)


async def find_game(store: Store, name: str) -> StoredGame:
    """Find a game by its id or any unambiguous prefix of it."""
    if (exact := await store.find_game(name)) is not None:
        return exact
    found = [game for game in await store.list_games() if name and game.id.startswith(name)]
    if len(found) != 1:
        raise GameNotFound(name=abbreviate(name))
    return found[0]
