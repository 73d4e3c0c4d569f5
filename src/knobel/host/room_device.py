"""A device in a room of a host of the same process: what it wants is on disk when the call returns."""

import secrets

from knobel import fair
from knobel.host import Host
from knobel.host.session import RoomSession, encode_intent
from knobel.rooms.intents import AnyIntent, BeginGame, GameIntent, RevealSeed, SealSeed

TERMINAL = "terminal"
"""The device of whoever plays in a terminal; browsers have names of their own."""


class RoomDevice:
    """One device and the room it is in; every intent is a command of its own."""

    def __init__(self, host: Host, session: RoomSession, device: str) -> None:
        self.host = host
        self.session = session
        self.device = device
        self.command_count = 0

    def name_command(self) -> str:
        """Give the next command an id that no other one has."""
        self.command_count += 1
        return f"{self.session.version}.{self.command_count}.{secrets.token_hex(4)}"

    async def send(self, intent: AnyIntent) -> None:
        """Send an intent to the host, and wait until it is on disk."""
        room = self.session.room
        game = room.game if isinstance(intent, GameIntent) else None
        body = encode_intent(intent)
        await self.host.execute(room.id, self.device, self.name_command(), intent, body, game)

    async def begin(self) -> None:
        """Start the next game with a seed of our own, committed to before and revealed after."""
        room = self.session.room
        seats, coming = room.seats_of(self.device), room.coming
        seed = secrets.token_bytes(fair.SEED_BYTES)
        sealing = bool(seats) and room.settings.seed is None
        if sealing:
            seal = fair.commit_client_seed(coming.game, min(seats), seed).hex()
            await self.send(SealSeed(coming.game, seal))
        await self.send(BeginGame(anyway=True))
        if sealing:
            await self.send(RevealSeed(seed.hex()))
