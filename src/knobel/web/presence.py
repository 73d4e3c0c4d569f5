"""Which devices are connected to a room, also through other processes of the same database.

Each process says again and again who is connected through it; what is not said again expires, so that nobody stays
connected through a process that was killed.
"""

import asyncio
import contextlib
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable

from knobel.errors import KnobelError
from knobel.store import DropPresence, PutPresence, Store, WriteConflict

REFRESH_SECONDS = 2.0
EXPIRE_SECONDS = 30.0
BEAT_ROUNDS = 5
"""After how many refreshes a process says again who is connected through it."""
MAX_BATCH = 500


class SharedPresence:
    """Who is connected through other processes, as of the last look; where there are none it costs nothing."""

    def __init__(self, store: Store, on_change: Callable[[str, frozenset[str]], None]) -> None:
        self.store = store
        self.on_change = on_change
        """Called with a room in which somebody came or went elsewhere, and who is gone from there."""
        self.process = secrets.token_hex(8)
        self.others: dict[str, frozenset[str]] = {}

    def find(self, room_id: str) -> frozenset[str]:
        return self.others.get(room_id, frozenset())

    async def arrive(self, room_id: str, device: str) -> None:
        """Say that a device is connected, and look who else is."""
        if self.store.is_shared:
            await self.store.commit(PutPresence(self.process, room_id, device, EXPIRE_SECONDS))
            await self.look()

    async def depart(self, room_id: str, device: str) -> None:
        """Say that a device is gone; if that fails, it expires."""
        if self.store.is_shared:
            with contextlib.suppress(KnobelError, WriteConflict):
                await self.store.commit(DropPresence(self.process, room_id, device))

    async def look(self) -> None:
        """Look who is connected through other processes, and report the rooms where that has changed."""
        if not self.store.is_shared:
            return
        found = defaultdict(set)
        for room_id, device in await self.store.list_presence(self.process):
            found[room_id].add(device)
        before, self.others = self.others, {room_id: frozenset(devices) for room_id, devices in found.items()}
        for room_id in before.keys() | self.others.keys():
            known, present = before.get(room_id, frozenset()), self.find(room_id)
            if known != present:
                self.on_change(room_id, known - present)

    async def beat(self, connected: Iterable[tuple[str, str]]) -> None:
        """Say again who is connected through this process."""
        writes = [PutPresence(self.process, room_id, device, EXPIRE_SECONDS) for room_id, device in connected]
        for start in range(0, len(writes), MAX_BATCH):
            await self.store.commit(*writes[start : start + MAX_BATCH])

    async def run(self, list_connected: Callable[[], Iterable[tuple[str, str]]]) -> None:
        """Look and say, for ever; what fails is tried again."""
        rounds = 0
        while self.store.is_shared:
            await asyncio.sleep(REFRESH_SECONDS)
            rounds += 1
            with contextlib.suppress(KnobelError, WriteConflict):
                await self.look()
                if rounds % BEAT_ROUNDS == 0:
                    await self.beat(list_connected())
