"""The command line as a client of the host: one request at a time, each on disk before the next."""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeVar

from knobel import fair
from knobel.cli.parser import CommandOption
from knobel.errors import GameFinished, GameNotFound, GameNotYours, NoGameRunning, NothingToResume
from knobel.game import Action, Leave
from knobel.host import Host
from knobel.host.archive import default_database_path, export_record
from knobel.host.room_store import read_room
from knobel.host.session import RoomSession, encode_intent
from knobel.notation import write_action
from knobel.rooms.intents import (
    Act,
    Advance,
    AnyIntent,
    BeginGame,
    ChangeSettings,
    Correct,
    RevealSeed,
    SealSeed,
    Sit,
    SitBot,
    SwapBoxes,
    Undo,
)
from knobel.rooms.intents import LeaveGame as LeaveIntent
from knobel.rooms.room import Room
from knobel.rules.fields import abbreviate
from knobel.store import Store, StoredGame
from knobel.store.address import AnyStore, open_store
from knobel.table import Table

DATABASE = CommandOption("database", "URL")
DEVICE = "terminal"
"""Whose seats are played here; browsers have names of their own."""

T = TypeVar("T")


class RoomClient:
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

    def begin(self) -> None:
        """Start the next game with a seed of our own, committed to before and revealed after."""
        seats, coming = self.room.seats_of(DEVICE), self.room.coming
        seed = secrets.token_bytes(fair.SEED_BYTES)
        sealing = bool(seats) and self.room.settings.seed is None
        if sealing:
            self.send(SealSeed(coming.game, fair.commit_client_seed(coming.game, min(seats), seed).hex()))
        self.send(BeginGame(anyway=True))
        if sealing:
            self.send(RevealSeed(seed.hex()))

    def act(self, seat: int, action: Action) -> None:
        if isinstance(action, Leave):
            self.send(LeaveIntent(seat))
            return
        track = self.table.replay.track(seat)
        self.send(Act(seat, track.ply, write_action(track.state, action, track.game.rules.dice)))

    def undo(self, seat: int) -> None:
        """Undo the last entry of a seat."""
        self.send(Undo(seat, self.table.replay.track(seat).ply))

    def correct(self, seat: int, box: str, actions: Sequence[Action]) -> None:
        """Replace an entry of real dice."""
        track = self.table.replay.track(seat)
        texts = tuple(write_action(track.state, action, track.game.rules.dice) for action in actions)
        self.send(Correct(seat, track.ply, box, texts))

    def swap(self, seat: int, box: str, other: str) -> None:
        """Swap the boxes of two entries of real dice."""
        self.send(SwapBoxes(seat, self.table.replay.track(seat).ply, box, other))

    def confirm_end(self) -> None:
        self.send(Advance(self.table.replay.ply))

    def step_bot(self) -> None:
        self.runner.run(self.host.step(self.room.id))

    def send(self, intent: AnyIntent) -> None:
        """Send an intent to the host, and wait until it is on disk."""
        self.command_count += 1
        command = f"{self.session.version}.{self.command_count}.{secrets.token_hex(4)}"
        self.runner.run(self.host.execute(self.room.id, DEVICE, command, intent, encode_intent(intent)))

    def export_record(self) -> bytes:
        """Write the game so far as a record."""
        return self.runner.run(export_record(self.host.store, self.table.header.game))


@contextlib.contextmanager
def open_host(database: str | None) -> Iterator[tuple[asyncio.Runner, Host]]:
    """Open the host over a database, for as long as a command runs."""
    with asyncio.Runner() as runner:
        store = runner.run(open_store(database, default_database_path()))
        host = runner.run(build_host(store))
        try:
            yield runner, host
        finally:
            runner.run(host.close())


def run_with_store(database: str | None, work: Callable[[AnyStore], Awaitable[T]]) -> T:
    """Run something with an open database, then close it."""

    async def run_and_close() -> T:
        store = await open_store(database, default_database_path())
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
    """Open a room, seat everybody and begin."""
    room = runner.run(host.open_room(DEVICE, secrets.token_hex(16), settings, seats, seed))
    client = RoomClient(runner, host, runner.run(host.find_session(room.id)))
    client.begin()
    return client


def resume_room(runner: asyncio.Runner, host: Host, name: str | None) -> RoomClient:
    """Resume a stored game: the one named, else the most recent unfinished one."""
    room = runner.run(find_unfinished_room(host.store, name))
    return RoomClient(runner, host, runner.run(host.find_session(room.id)))


async def find_unfinished_room(store: Store, name: str | None) -> Room:
    """Find the room of an unfinished game."""
    if name is None:
        for unfinished in await store.list_games(unfinished=True):
            stored = await store.find_room(unfinished.room_id)
            room = await read_room(store, stored) if stored else None
            if room and room.game == unfinished.id and room.host == DEVICE:
                return room
        raise NothingToResume
    game = await find_game(store, name)
    kept = await store.find_room(game.room_id)
    if game.is_closed or kept is None:
        raise GameFinished(file=game.id)
    room = await read_room(store, kept)
    if room.host != DEVICE:
        raise GameNotYours(name=game.id)
    return room


async def find_game(store: Store, name: str) -> StoredGame:
    """Find a game by its id or any unambiguous prefix of it."""
    if (exact := await store.find_game(name)) is not None:
        return exact
    found = [game for game in await store.list_games() if name and game.id.startswith(name)]
    if len(found) != 1:
        raise GameNotFound(name=abbreviate(name))
    return found[0]
