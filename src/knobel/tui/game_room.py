"""A room of the host as the full screen uses it: watch it, act in it, ask its coach."""

import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from knobel.errors import NoGameRunning
from knobel.game import Roll
from knobel.host import Host
from knobel.host.coach_service import CoachService
from knobel.host.room_device import TERMINAL, RoomDevice
from knobel.host.session import RoomSession, SessionUpdate
from knobel.notation import write_action
from knobel.rooms.intents import (
    Act,
    Advance,
    ChangeSettings,
    Correct,
    LeaveGame,
    Sit,
    SitBot,
    StopGame,
    SwapBoxes,
    Undo,
)
from knobel.rooms.room import Room
from knobel.table import Table
from knobel.tui.position import Position, localize

if TYPE_CHECKING:
    from knobel.coach.advice import Advice
    from knobel.coach.ledger import Review


class GameRoom:
    """A room with everything a table on the screen can ask for."""

    def __init__(self, host: Host, session: RoomSession, lang: str) -> None:
        self.host = host
        self.session = session
        self.lang = lang
        self.device = RoomDevice(host, session, TERMINAL)
        self.coaching = CoachService(host)

    @property
    def room(self) -> Room:
        return self.session.room

    @property
    def table(self) -> Table:
        if self.session.table is None:
            raise NoGameRunning
        return self.session.table

    def draw(self) -> Position:
        """Draw where the game stands."""
        return Position(self.table, localize(self.table, self.lang), frozenset(self.room.seats_of(TERMINAL)))

    async def watch(self, watcher: Callable[[SessionUpdate], None]) -> None:
        """Hear of everything that changes; bots move only in a room that is watched."""
        self.use_session(await self.host.watch(self.room.id, watcher))

    def unwatch(self, watcher: Callable[[SessionUpdate], None]) -> None:
        self.host.unwatch(self.session, watcher)

    def use_session(self, session: RoomSession) -> None:
        """Go on with the session of now: a room that nobody watched for a while has another one."""
        self.session = self.device.session = session

    async def begin(self) -> None:
        self.use_session(await self.host.find_session(self.room.id))
        await self.device.begin()

    async def act(self, seat: int, text: str) -> None:
        """Do something in the game of a seat; the view says how it is written."""
        await self.device.send(Act(seat, self.table.replay.track(seat).ply, text))

    async def roll(self, seat: int, keep: Sequence[int]) -> None:
        """Roll all dice of a seat except those at some positions."""
        track = self.table.replay.track(seat)
        await self.act(seat, write_action(track.state, Roll(tuple(keep)), track.game.rules.dice))

    async def undo(self, seat: int) -> None:
        await self.device.send(Undo(seat, self.table.replay.track(seat).ply))

    async def correct(self, seat: int, name: str, actions: Sequence[str]) -> None:
        """Replace an entry of real dice."""
        await self.device.send(Correct(seat, self.table.replay.track(seat).ply, name, tuple(actions)))

    async def swap(self, seat: int, box: str, other: str) -> None:
        """Swap the boxes of two entries of real dice."""
        await self.device.send(SwapBoxes(seat, self.table.replay.track(seat).ply, box, other))

    async def advance(self) -> None:
        """Let a bot move at once, or confirm the end."""
        await self.device.send(Advance(self.table.replay.ply))

    async def leave(self, seat: int | None) -> None:
        """Leave with one seat for good, or stop the game for all."""
        await self.device.send(StopGame() if seat is None else LeaveGame(seat))


async def advise(game: GameRoom, seat: int) -> "tuple[str, tuple[Advice, ...]]":
    """Rank the moves of a seat, best first, and say in which unit they are valued."""
    command = game.device.name_command()
    _, unit, moves = await game.coaching.advise(game.room.id, TERMINAL, command, seat)
    return unit, moves


async def compute_tally(game: GameRoom, seat: int) -> "Review":
    """Compute how a seat is doing so far."""
    return await game.coaching.compute_ledger(game.room.id, TERMINAL, game.device.name_command(), seat)


async def open_game(
    host: Host, lang: str, settings: ChangeSettings, seats: Sequence[Sit | SitBot], seed: str | None = None
) -> GameRoom:
    """Open a room, seat everybody and begin; a seed makes the dice repeatable."""
    room = await host.open_room(TERMINAL, secrets.token_hex(16), settings, seats, seed)
    game = GameRoom(host, await host.find_session(room.id), lang)
    await game.begin()
    return game


async def resume_game(host: Host, lang: str, room: Room) -> GameRoom:
    """Go on with the game of a room."""
    return GameRoom(host, await host.find_session(room.id), lang)
