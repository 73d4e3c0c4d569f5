"""What a device does by itself: it promises its seed, shows it when the table waits, and takes back its seats."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from knobel import fair
from knobel.client.device_file import DeviceFile
from knobel.rooms.intents import AnyIntent, ReturnToSeat, RevealSeed, SealSeed
from knobel.table import Table
from knobel.view.lobby import RoomView


class DeviceDuties:
    """Sends each of these once at a time: until it is answered, or the connection is a new one.

    When somebody sits down or gets up the seals of all are void, so the same seed may have to be promised again.
    """

    def __init__(self, origin: str, device: DeviceFile, want: Callable[[AnyIntent], Coroutine[Any, Any, None]]) -> None:
        self.origin = origin
        self.device = device
        self.want = want
        self.sent = set[str]()
        self.tasks = set[asyncio.Task[None]]()
        self.returns = True

    def reset(self) -> None:
        """Forget what was sent: there is a new connection."""
        self.sent.clear()
        self.returns = True

    def seal(self, view: RoomView) -> None:
        """Promise the seed of this device for the next game, under its lowest seat."""
        seat = next((place for place, one in enumerate(view.seats) if one.yours), None)
        if view.sealed or seat is None:
            return
        secret = self.device.draw_seed(self.origin, view.next_game, view.commitment)
        seal = fair.commit_client_seed(view.next_game, seat, bytes.fromhex(secret.seed)).hex()
        self.send_once(f"{view.next_game}/{seat}", SealSeed(view.next_game, seal))

    def take_part(self, table: Table, seats: list[int]) -> None:
        """Show the seed when the table waits for it, and take back a seat that a bot plays for us."""
        game, attendance = table.header.game, table.replay.attendance
        if table.replay.closed:
            return
        secret = self.device.find_seed(self.origin, game)
        if secret is not None and any(seat in attendance.pending_seeds for seat in seats):
            self.send_once(f"{game}!", RevealSeed(secret.seed))
        if self.returns:
            self.returns = False
            for seat in seats:
                if seat in attendance.stand_ins:
                    self.send_once(f"{game}<{seat}", ReturnToSeat(seat))

    def send_once(self, key: str, intent: AnyIntent) -> None:
        if key in self.sent:
            return
        self.sent.add(key)
        task = asyncio.create_task(self.want(intent))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        task.add_done_callback(lambda _: self.sent.discard(key))
