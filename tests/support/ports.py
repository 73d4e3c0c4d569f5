"""A port for a server that a test starts."""

import socket
import sys
from random import SystemRandom

PORTS = range(10_000, 32_000)
"""Below those a system hands out by itself: while a server is down, no connection of a test can sit on its port."""
RANDOM = SystemRandom()
MARKS: list[socket.socket] = []
"""Names that say to every other process of tests which ports are taken, even while nobody listens there yet."""


def free_port() -> int:
    """Find a port nobody uses, and keep it as long as this process lives."""
    while True:
        port = RANDOM.choice(PORTS)
        with socket.socket() as probe:
            try:
                if sys.platform == "linux":
                    mark = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                    MARKS.append(mark)
                    mark.bind(f"\0knobel-test-port-{port}")
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
