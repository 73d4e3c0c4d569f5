"""How much one device or address may ask for: pages at once, codes tried and shown, rooms, files, new devices."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec import Struct

from knobel.errors import TooManyCodes, TooManyDevices, TooManyFiles, TooManyRooms

MAX_SOCKETS = 20
"""How many pages a device may have open: more than tabs, and than sockets a phone left behind in a tunnel."""
CODE_SECONDS, CODES_PER_DEVICE, CODES_PER_ADDRESS = 600.0, 10, 30
ROOM_SECONDS, ROOMS_PER_DEVICE, ROOMS_PER_ADDRESS = 3600.0, 60, 1000
FILE_SECONDS, FILES_PER_DEVICE, FILES_PER_ADDRESS = 600.0, 60, 300
DRAFTS_PER_DEVICE, DRAFTS_PER_ADDRESS = 600, 3000
RECOVERY_SECONDS, RECOVERIES_PER_DEVICE, RECOVERIES_PER_ADDRESS = 600.0, 10, 100
DEVICE_SECONDS, DEVICES_PER_ADDRESS = 3600.0, 20_000
MAX_KEYS = 10_000


@dataclass
class WindowLimiter:
    """Counts tries by key within a window of time; when there are too many keys, all others share one count."""

    limit: int
    seconds: float
    clock: Callable[[], float] = time.monotonic
    tries: Counter[str] = field(default_factory=Counter)
    window_start: float = 0.0

    def count_try(self, key: str) -> bool:
        """Count a try; tells whether it is still allowed."""
        self.expire()
        counted = key if key in self.tries or len(self.tries) < MAX_KEYS else ""
        self.tries[counted] += 1
        return self.tries[counted] <= self.limit

    def add(self, key: str, tries: int) -> None:
        """Add tries that were counted elsewhere, or take some back that were no guesses."""
        self.expire()
        counted = key if key in self.tries or len(self.tries) < MAX_KEYS else ""
        self.tries[counted] += tries
        if self.tries[counted] <= 0:
            del self.tries[counted]

    def expire(self) -> None:
        """Start a new window when the time is over."""
        if (now := self.clock()) - self.window_start >= self.seconds:
            self.tries.clear()
            self.window_start = now


class CountedTries(Struct, frozen=True, array_like=True):
    """Tries that one process counted, for the others: of which kind, by whom, and how many; fewer if taken back."""

    kind: str
    keys: tuple[str, ...]
    tries: int


class RateLimits:
    """Counts the pages each device has open, and what it and its address tried lately.

    What was tried is told to `share`, so that several processes can count it together.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, share: Callable[[CountedTries], None] = lambda _: None
    ) -> None:
        self.share = share
        self.sockets: Counter[str] = Counter()
        self.codes = (
            WindowLimiter(CODES_PER_DEVICE, CODE_SECONDS, clock),
            WindowLimiter(CODES_PER_ADDRESS, CODE_SECONDS, clock),
        )
        self.rooms = (
            WindowLimiter(ROOMS_PER_DEVICE, ROOM_SECONDS, clock),
            WindowLimiter(ROOMS_PER_ADDRESS, ROOM_SECONDS, clock),
        )
        self.files = (
            WindowLimiter(FILES_PER_DEVICE, FILE_SECONDS, clock),
            WindowLimiter(FILES_PER_ADDRESS, FILE_SECONDS, clock),
        )

        self.recoveries = (
            WindowLimiter(RECOVERIES_PER_DEVICE, RECOVERY_SECONDS, clock),
            WindowLimiter(RECOVERIES_PER_ADDRESS, RECOVERY_SECONDS, clock),
        )
        self.devices = WindowLimiter(DEVICES_PER_ADDRESS, DEVICE_SECONDS, clock)

        self.drafts = (
            WindowLimiter(DRAFTS_PER_DEVICE, FILE_SECONDS, clock),
            WindowLimiter(DRAFTS_PER_ADDRESS, FILE_SECONDS, clock),
        )

    def open_socket(self, device: str) -> bool:
        """Count a page of a device; tells whether it may be open."""
        if self.sockets[device] >= MAX_SOCKETS:
            return False
        self.sockets[device] += 1
        return True

    def close_socket(self, device: str) -> None:
        self.sockets[device] -= 1
        if not self.sockets[device]:
            del self.sockets[device]

    def count_code(self, device: str, address: str) -> None:
        """Count a tried code or refuse it, right or wrong."""
        if not self.count("codes", device, address):
            raise TooManyCodes(n=int(CODE_SECONDS // 60))

    def refund_code(self, device: str, address: str) -> None:
        """Undo the count of a right code."""
        refund = CountedTries("codes", (device, address), -1)
        self.add(refund)
        self.share(refund)

    def count_room(self, device: str, address: str) -> None:
        if not self.count("rooms", device, address):
            raise TooManyRooms

    def count_file(self, device: str, address: str) -> None:
        if not self.count("files", device, address):
            raise TooManyFiles(limit=FILES_PER_DEVICE, n=int(FILE_SECONDS // 60))

    def count_recovery(self, device: str, address: str) -> None:
        """Count a code that is shown, or a new beginning."""
        if not self.count("recoveries", device, address):
            raise TooManyCodes(n=int(RECOVERY_SECONDS // 60))

    def count_device(self, address: str) -> None:
        """Count a device that was not known before: each is a row that stays for long."""
        if not self.count("devices", address):
            raise TooManyDevices

    def count_draft(self, device: str, address: str) -> None:
        """Count a form of house rules that was filled in."""
        if not self.count("drafts", device, address):
            raise TooManyFiles(limit=DRAFTS_PER_DEVICE, n=int(FILE_SECONDS // 60))

    def count(self, kind: str, *keys: str) -> bool:
        """Count the address first: a device that is refused there is not even remembered."""
        limiters = self.list_limiters(kind)
        counted = zip(reversed(limiters), reversed(keys), strict=True)
        is_allowed = all(limiter.count_try(key) for limiter, key in counted)
        if is_allowed:
            self.share(CountedTries(kind, keys, 1))
        return is_allowed

    def add(self, counted: CountedTries) -> None:
        """Add what another process counted."""
        for limiter, key in zip(self.list_limiters(counted.kind), counted.keys, strict=False):
            limiter.add(key, counted.tries)

    def list_limiters(self, kind: str) -> tuple[WindowLimiter, ...]:
        """Give what counts a kind of tries: by device and by address; an unknown kind is counted by nothing."""
        limiters = {
            "codes": self.codes,
            "rooms": self.rooms,
            "files": self.files,
            "drafts": self.drafts,
            "recoveries": self.recoveries,
            "devices": (self.devices,),
        }
        return limiters.get(kind, ())

    def expire(self) -> None:
        """Forget counts whose window is over."""
        for limiter in (*self.codes, *self.rooms, *self.files, *self.drafts, *self.recoveries, self.devices):
            limiter.expire()
