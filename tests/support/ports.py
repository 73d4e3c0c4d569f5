"""A port for a server that a test starts."""

import socket
from random import SystemRandom

PORTS = range(10_000, 32_000)
"""Below those a system hands out by itself: while a server is down, no connection of a test can sit on its port."""
RANDOM = SystemRandom()


def free_port() -> int:
    """Find a port nobody uses."""
    while True:
        port = RANDOM.choice(PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
