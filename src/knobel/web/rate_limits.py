"""How much one device or address may ask for: pages at once, codes tried and shown, rooms, files, new devices."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

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

    def refund(self, key: str) -> None:
        """Take a try back that was no guess."""
        self.tries[key] -= 1
        if self.tries[key] <= 0:
            del self.tries[key]

    def expire(self) -> None:
        """Start a new window when the time is over."""
        if (now := self.clock()) - self.window_start >= self.seconds:
            self.tries.clear()
            self.window_start = now


class RateLimits:
    """Counts the pages each device has open, and what it and its address tried lately."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
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
        if not count_both(self.codes, device, address):
            raise TooManyCodes(n=int(CODE_SECONDS // 60))

    def refund_code(self, device: str, address: str) -> None:
        """Undo the count of a right code."""
        for limiter, key in zip(self.codes, (device, address), strict=True):
            limiter.refund(key)

    def count_room(self, device: str, address: str) -> None:
        if not count_both(self.rooms, device, address):
            raise TooManyRooms

    def count_file(self, device: str, address: str) -> None:
        if not count_both(self.files, device, address):
            raise TooManyFiles(limit=FILES_PER_DEVICE, n=int(FILE_SECONDS // 60))

    def count_recovery(self, device: str, address: str) -> None:
        """Count a code that is shown, or a new beginning."""
        if not count_both(self.recoveries, device, address):
            raise TooManyCodes(n=int(RECOVERY_SECONDS // 60))

    def count_device(self, address: str) -> None:
        """Count a device that was not known before: each is a row that stays for long."""
        if not self.devices.count_try(address):
            raise TooManyDevices

    def count_draft(self, device: str, address: str) -> None:
        """Count a form of house rules that was filled in."""
        if not count_both(self.drafts, device, address):
            raise TooManyFiles(limit=DRAFTS_PER_DEVICE, n=int(FILE_SECONDS // 60))

    def expire(self) -> None:
        """Forget counts whose window is over."""
        for limiter in (*self.codes, *self.rooms, *self.files, *self.drafts, *self.recoveries, self.devices):
            limiter.expire()


def count_both(limiters: tuple[WindowLimiter, WindowLimiter], device: str, address: str) -> bool:
    """Count the address first: a device that is refused there is not even remembered."""
    by_device, by_address = limiters
    return by_address.count_try(address) and by_device.count_try(device)
