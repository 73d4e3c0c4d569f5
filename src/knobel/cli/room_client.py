"""The command line as a client of the host: one request at a time, each on disk before the next."""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from knobel import fair
from knobel.cli.parser import CommandOption
from knobel.cli.table_client import TableClient
from knobel.errors import (
    GameDamaged,
    GameFinished,
    GameNotFound,
    GameNotYours,
    KnobelError,
    NoGameRunning,
    NothingToResume,
    RoomDamaged,
)
from knobel.host import Host
from knobel.host.archive import default_database_path, export_record
from knobel.host.integrity import load_checked_table
from knobel.host.room_store import read_room
from knobel.host.session import RoomSession, encode_intent
from knobel.rooms.intents import (
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
from knobel.rules.fields import abbreviate
from knobel.store import Store, StoredGame
from knobel.store.address import AnyStore, open_store
from knobel.table import Table

DATABASE = CommandOption("database", "URL")
DEVICE = "terminal"
"""Whose seats are played here; browsers have names of their own."""

T = TypeVar("T")


class RoomClient(TableClient):
    """A room of the host, with everything a conversation can ask for."""

    def __init__(self, runner: asyncio.Runner, host: Host, session: RoomSession) -> None:
        self.runner = runner
        self.host = host
        self.session = session
        self.command_count = 0

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
        seats, coming = self.room.seats_of(DEVICE), self.room.coming
        seed = secrets.token_bytes(fair.SEED_BYTES)
        sealing = bool(seats) and self.room.settings.seed is None
        if sealing:
            self.send(SealSeed(coming.game, fair.commit_client_seed(coming.game, min(seats), seed).hex()))
        self.send(BeginGame(anyway=True))
        if sealing:
            self.send(RevealSeed(seed.hex()))

    def plays(self, seat: int) -> bool:
        """Tell whether a person plays a seat: all of them type here."""
        return self.table.header.seats[seat].bot is None

    def wait_for_others(self) -> None:
        """Let the bot move whose turn it is."""
        self.runner.run(self.host.step(self.room.id))

    def send(self, intent: AnyIntent) -> None:
        """Send an intent to the host, and wait until it is on disk."""
        self.command_count += 1
        command = f"{self.session.version}.{self.command_count}.{secrets.token_hex(4)}"
        game = self.room.game if isinstance(intent, GameIntent) else None
        self.runner.run(self.host.execute(self.room.id, DEVICE, command, intent, encode_intent(intent), game))

    def export_record(self) -> bytes:
        """Write the game so far as a record."""
        return self.runner.run(export_record(self.host.store, self.table.header.game))


@contextlib.contextmanager
def open_host(database: str | None) -> Iterator[tuple[asyncio.Runner, Host]]:
    """Open the host over a database, for as long as a command plays in it."""
    with asyncio.Runner() as runner:
        store = runner.run(open_store(database, default_database_path(), exclusive=True))
        host = runner.run(build_host(store))
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


async def build_host(store: Store) -> Host:
    """Build a host whose bots move only when asked to."""
    return Host(store, paced=False)


def open_room(
    runner: asyncio.Runner, host: Host, settings: ChangeSettings, seats: list[Sit | SitBot], seed: str | None
) -> RoomClient:
    """Open a room, and seat everybody."""
    room = runner.run(host.open_room(DEVICE, secrets.token_hex(16), settings, seats, seed))
    return RoomClient(runner, host, runner.run(host.find_session(room.id)))


def resume_room(runner: asyncio.Runner, host: Host, name: str | None) -> RoomClient:
    """Resume a stored game: the one named, else the most recent unfinished one."""
    room = runner.run(find_unfinished_room(host.store, name))
    return RoomClient(runner, host, runner.run(host.find_session(room.id)))


async def find_unfinished_room(store: Store, name: str | None) -> Room:
    """Find the room of an unfinished game."""
    if name is None:
        return await find_last_room(store)
    game = await find_game(store, name)
    room = await read_room_of_game(store, game)
    if game.is_closed or room is None:
        raise GameFinished(file=game.id)
    if room.host != DEVICE:
        raise GameNotYours(name=game.id)
    return room


async def find_last_room(store: Store) -> Room:
    """Find the room of the unfinished game that was played last; damaged ones are passed over if there is another."""
    problem: KnobelError = NothingToResume()
    for unfinished in await store.list_games(unfinished=True):
        try:
            room = await read_room_of_game(store, unfinished)
        except (GameDamaged, RoomDamaged) as damage:
            problem = damage
            continue
        if room and room.game == unfinished.id and room.host == DEVICE:
            return room
    raise problem


async def read_room_of_game(store: Store, game: StoredGame) -> Room | None:
    """Read the room of a game, if there is one; refuse a damaged room, and a damaged game."""
    stored = await store.find_room(game.room_id)
    if stored is None:
        return None
    room = await read_room(store, stored)
    await load_checked_table(store, game.id)
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
