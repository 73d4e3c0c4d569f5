"""Tells systemd, where it has started this server, that pages can be opened: `systemctl start` waits for it."""

import os
import socket

ADDRESS_VARIABLE = "NOTIFY_SOCKET"
READY = b"READY=1"


def report_ready() -> None:
    """Send what sd_notify(3) describes; elsewhere nobody listens, and nothing is sent."""
    address = os.environ.get(ADDRESS_VARIABLE, "")
    if not address.startswith(("/", "@")):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        # A name that begins with @ is none of a file: the system writes a zero byte instead.
        sender.connect(f"\0{address[1:]}" if address.startswith("@") else address)
        sender.send(READY)
