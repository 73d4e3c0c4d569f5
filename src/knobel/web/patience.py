"""How much one device or address may ask of the house: pages open at once, codes tried, rooms opened."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from knobel.errors import CodesTooMany, FilesTooMany, RoomsTooMany

MOST_SOCKETS = 20
"""So many pages a device may have open; more than tabs, and than lines a phone left behind in a tunnel."""
CODE_SECONDS, CODES, CODES_OF_ADDRESS = 600.0, 10, 30
ROOM_SECONDS, ROOMS, ROOMS_OF_ADDRESS = 3600.0, 60, 1000
FILE_SECONDS, FILES, FILES_OF_ADDRESS = 600.0, 60, 300
MOST_NAMES = 10_000


@dataclass
class Patience:
    """Counts tries by name within a stretch of time; when there are too many names, the others share one count."""

    most: int
    seconds: float
    clock: Callable[[], float] = time.monotonic
    tries: Counter[str] = field(default_factory=Counter)
    since: float = 0.0

    def spend(self, name: str) -> bool:
        """Note a try; tells whether it is still allowed."""
        self.forget()
        counted = name if name in self.tries or len(self.tries) < MOST_NAMES else ""
        self.tries[counted] += 1
        return self.tries[counted] <= self.most

    def give_back(self, name: str) -> None:
        """Forget a try that was none."""
        self.tries[name] -= 1
        if self.tries[name] <= 0:
            del self.tries[name]

    def forget(self) -> None:
        """Begin anew when the time is over."""
        if (now := self.clock()) - self.since >= self.seconds:
            self.tries.clear()
            self.since = now


class Doorkeeper:
    """Knows how many pages each device has open, and how often it and its address tried codes and opened rooms."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.sockets: Counter[str] = Counter()
        self.codes = Patience(CODES, CODE_SECONDS, clock), Patience(CODES_OF_ADDRESS, CODE_SECONDS, clock)
        self.rooms = Patience(ROOMS, ROOM_SECONDS, clock), Patience(ROOMS_OF_ADDRESS, ROOM_SECONDS, clock)
        self.files = Patience(FILES, FILE_SECONDS, clock), Patience(FILES_OF_ADDRESS, FILE_SECONDS, clock)

    def let_in(self, owner: str) -> bool:
        """Count a page of a device; tells whether there is room for it."""
        if self.sockets[owner] >= MOST_SOCKETS:
            return False
        self.sockets[owner] += 1
        return True

    def let_out(self, owner: str) -> None:
        """Count a page no more."""
        self.sockets[owner] -= 1
        if not self.sockets[owner]:
            del self.sockets[owner]

    def try_code(self, owner: str, address: str) -> None:
        """Note that a code is tried, or refuse it, whether it is right or not."""
        if not spent(self.codes, owner, address):
            raise CodesTooMany(n=int(CODE_SECONDS // 60))

    def right_code(self, owner: str, address: str) -> None:
        """A right code was no guess."""
        for patience, name in zip(self.codes, (owner, address), strict=True):
            patience.give_back(name)

    def open_room(self, owner: str, address: str) -> None:
        """Note that a room is opened, or refuse it."""
        if not spent(self.rooms, owner, address):
            raise RoomsTooMany

    def bring_file(self, owner: str, address: str) -> None:
        """Note that a house-rule file is brought in, or refuse it."""
        if not spent(self.files, owner, address):
            raise FilesTooMany(limit=FILES, n=int(FILE_SECONDS // 60))

    def forget(self) -> None:
        """Forget whom nobody has to wait for any more."""
        for patience in (*self.codes, *self.rooms, *self.files):
            patience.forget()


def spent(both: tuple[Patience, Patience], owner: str, address: str) -> bool:
    """Ask the address first: a device that is sent away there is not even remembered."""
    device, house = both
    return house.spend(address) and device.spend(owner)
