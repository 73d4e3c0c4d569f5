"""Opens the house to browsers: binds the port, says where, opens a browser, serves until it is stopped."""

import asyncio
import contextlib
import socket
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO

import segno
import uvicorn

from knobel.errors import KnobelError, PortTaken
from knobel.host import Host
from knobel.host.keeping import tidy
from knobel.lang import SOURCE
from knobel.rules.fields import shown
from knobel.store import Store
from knobel.web.app import House, application
from knobel.web.cards import editions_for
from knobel.web.line import Line
from knobel.web.many import make_room
from knobel.web.talk import HOUSE_MESSAGE, MESSAGE

HERE = "127.0.0.1"
EVERYWHERE = "0.0.0.0"  # noqa: S104
TIDY_SECONDS = 3600.0
SEND_BUFFER = 128 * 1024
"""So much the system may hold for somebody who does not read; by itself it would take megabytes for each."""


@dataclass(frozen=True, slots=True)
class Door:
    """Where the house is open: its port, whether for the whole network, and what may be brought in."""

    port: int
    lan: bool = False
    house_rules: bool = False

    @property
    def url(self) -> str:
        """The address on this machine."""
        return f"http://localhost:{self.port}/"

    @property
    def lan_url(self) -> str | None:
        """The address in the network."""
        address = lan_address() if self.lan else None
        return f"http://{address}:{self.port}" if address else None


async def serve(store: Store, door: Door, ready: Callable[[Door], None], open_browser: bool) -> None:
    """Serve until somebody stops it."""
    listener = bound(door)
    door = Door(listener.getsockname()[1], door.lan, door.house_rules)
    host = Host(store)
    brings = door.house_rules or not door.lan
    house = House(host, names_of(door), door.lan_url, brings)
    config = uvicorn.Config(
        application(house),
        log_level="error",
        access_log=False,
        proxy_headers=False,
        ws=Line,
        ws_max_size=HOUSE_MESSAGE if brings else MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=10.0,
        ws_ping_timeout=20.0,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    server = uvicorn.Server(config)
    make_room()
    ready(door)
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(door.url,), daemon=True).start()
    # Whoever opens a browser is about to ask for the boxes; elsewhere they are described once somebody does.
    warming = asyncio.create_task(asyncio.to_thread(editions_for, SOURCE)) if open_browser else None
    tidying = asyncio.create_task(keep_tidy(house))
    with contextlib.suppress(asyncio.CancelledError):
        await server.serve(sockets=[listener])
    tidying.cancel()
    listener.close()
    if warming is not None:
        await warming


async def keep_tidy(house: House) -> None:
    """Let go of abandoned rooms and of what was remembered about guests, now and every hour."""
    while True:
        with contextlib.suppress(KnobelError):
            await tidy(house.host.store, house.host.clock())
        await house.host.study.tidy()
        house.host.make_space(1)
        house.door.forget()
        await asyncio.sleep(TIDY_SECONDS)


def bound(door: Door) -> socket.socket:
    """Take the port, or say who has it."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    try:
        listener.bind((EVERYWHERE if door.lan else HERE, door.port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise PortTaken(port=door.port, reason=shown(getattr(error, "strerror", None) or error)) from None
    return listener


def names_of(door: Door) -> frozenset[str]:
    """List the names by which this house may be called."""
    names = {"localhost", HERE, "::1"}
    if door.lan:
        names |= {socket.gethostname().lower(), f"{socket.gethostname().lower()}.local", *own_addresses()}
    return frozenset(names)


def own_addresses() -> set[str]:
    """List the addresses of this machine."""
    found = {address for address in (lan_address(),) if address}
    with contextlib.suppress(OSError):
        found |= {str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    return found


def lan_address() -> str | None:
    """Find the address other devices know this machine by; nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))
        address = str(probe.getsockname()[0])
        return None if address.startswith("127.") else address
    return None


def qr_text(url: str) -> str:
    """Draw a link for a terminal."""
    drawn = StringIO()
    segno.make(url, error="l").terminal(out=drawn, compact=True, border=2)
    return drawn.getvalue()
