"""Runs the server: binds the port, opens a browser, serves until it is stopped."""

import asyncio
import contextlib
import re
import socket
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import StringIO
from ipaddress import ip_network

import segno
import uvicorn

from knobel.errors import KnobelError, PortTaken, ProxyAddressInvalid, PublicUrlInvalid
from knobel.host import Host
from knobel.host.archive import DAY_SECONDS, tidy_rooms
from knobel.host.solve_queue import MAX_SECONDS, MAX_SOLUTION_BYTES, SolveQueue
from knobel.lang import SOURCE_LANGUAGE
from knobel.rules.fields import abbreviate
from knobel.store import Store
from knobel.web.app import AppContext, build_app
from knobel.web.connection import MAX_MESSAGE
from knobel.web.descriptions import describe_editions
from knobel.web.http_protocol import BoundedHttpProtocol
from knobel.web.limits import tune_process
from knobel.web.protocol import BoundedWebSocketProtocol
from knobel.web.requests import parse_host

LOOPBACK = "127.0.0.1"
ALL_INTERFACES = "0.0.0.0"  # noqa: S104
DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_PORT = 65535
CLEANUP_SECONDS = 3600.0
BACKLOG = 2048
"""How many connections may wait to be accepted, as uvicorn has it."""
SEND_BUFFER = 128 * 1024
"""How much the system may buffer for a client that does not read; by default it would be megabytes for each."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where the server is open: its port, whether to the whole network, and whether house rules may be brought in."""

    port: int
    lan: bool = False
    house_rules: bool = False
    public_url: str | None = None
    proxies: tuple[str, ...] = ()
    """The addresses of proxies that are believed when they say for whom they ask."""
    open_history: bool = False
    """Whether everybody may see the games and statistics of everybody."""
    exact_chances: bool = False
    """Whether exact chances to win are worked out for others, too."""
    solve_seconds: int | None = None
    solve_megabytes: int | None = None
    """What a solve may take, where the usual limits do not suit this machine."""

    @property
    def url(self) -> str:
        """The address on this machine."""
        return f"http://localhost:{self.port}/"

    @property
    def lan_url(self) -> str | None:
        """The address in the network."""
        address = find_lan_address() if self.lan else None
        return f"http://{address}:{self.port}" if address else None


class AnnouncedServer(uvicorn.Server):
    """A server that tells when it listens and can be stopped; a script may stop it at that very moment."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self.announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.announce()


async def serve(
    store: Store,
    options: ServerOptions,
    ready: Callable[[ServerOptions], None],
    no_browser: Callable[[], None] | None = None,
) -> None:
    """Serve until it is stopped; with `no_browser`, open a browser first, and call it where there is none."""
    listener = bind_port(options)
    options = replace(options, port=listener.getsockname()[1])
    host = Host(store, solve_queue=build_solve_queue(options))
    context = build_context(host, options)
    config = uvicorn.Config(
        build_app(context),
        log_level="error",
        access_log=False,
        proxy_headers=bool(options.proxies),
        forwarded_allow_ips=list(options.proxies),
        http=BoundedHttpProtocol,
        ws=BoundedWebSocketProtocol,
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=10.0,
        ws_ping_timeout=20.0,
        timeout_graceful_shutdown=2,
        server_header=False,
    )

    def announce() -> None:
        ready(options)
        if no_browser:
            threading.Thread(target=open_page, args=(options.url, no_browser), daemon=True).start()

    server = AnnouncedServer(config, announce)
    tune_process()
    # A browser that was just opened will ask for the editions; otherwise they are described on the first request.
    warming = asyncio.create_task(asyncio.to_thread(describe_editions, SOURCE_LANGUAGE)) if no_browser else None
    cleanup = asyncio.create_task(run_cleanup(context))
    with contextlib.suppress(asyncio.CancelledError):
        await server.serve(sockets=[listener])
    cleanup.cancel()
    listener.close()
    if warming is not None:
        await warming


def build_solve_queue(options: ServerOptions) -> SolveQueue:
    """Queue solves within the limits of this server."""
    megabytes = options.solve_megabytes
    return SolveQueue(options.solve_seconds or MAX_SECONDS, megabytes * 1024**2 if megabytes else MAX_SOLUTION_BYTES)


def build_context(host: Host, options: ServerOptions) -> AppContext:
    """Say what is allowed here: on this machine alone house rules and exact chances always are."""
    is_private = not (options.lan or options.public_url)
    return AppContext(
        host,
        list_host_names(options),
        options.lan_url,
        options.house_rules or is_private,
        options.public_url,
        options.open_history,
        options.exact_chances or is_private,
    )


def open_page(url: str, no_browser: Callable[[], None]) -> None:
    if not webbrowser.open(url):
        no_browser()


async def run_cleanup(context: AppContext) -> None:
    """Drop abandoned rooms, unused sessions and old counts, now and every hour.

    A start ages rooms by at most a day, and an hour by an hour, whatever the clock says.
    """
    most = DAY_SECONDS
    while True:
        with contextlib.suppress(KnobelError):
            await tidy_rooms(context.host.store, context.host.clock(), most)
        most = CLEANUP_SECONDS
        await context.host.solve_queue.tidy_books()
        context.host.registry.evict(1)
        context.rate_limits.expire()
        await asyncio.sleep(CLEANUP_SECONDS)


def bind_port(options: ServerOptions) -> socket.socket:
    """Take the port, or say who has it."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    try:
        listener.bind((ALL_INTERFACES if options.lan else LOOPBACK, options.port))
        listener.listen(BACKLOG)  # so that a page can be opened as soon as its address is said
    except (OSError, OverflowError) as error:
        listener.close()
        raise PortTaken(port=options.port, reason=abbreviate(getattr(error, "strerror", None) or error)) from None
    return listener


def list_host_names(options: ServerOptions) -> frozenset[str]:
    """List the names this server may be called by."""
    names = {"localhost", LOOPBACK, "::1"}
    if options.lan:
        names |= {socket.gethostname().lower(), f"{socket.gethostname().lower()}.local", *list_own_addresses()}
    if options.public_url:
        names.add(parse_host(options.public_url.partition("://")[2]))
    return frozenset(names)


def list_own_addresses() -> set[str]:
    found = {address for address in (find_lan_address(),) if address}
    with contextlib.suppress(OSError):
        found |= {str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    return found


def find_lan_address() -> str | None:
    """Find the address other devices know this machine by; nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))
        address = str(probe.getsockname()[0])
        return None if address.startswith("127.") else address
    return None


def read_public_url(value: str) -> str:
    """Check the public address: a scheme, a name, perhaps a port, and nothing else; write it as browsers do."""
    scheme, _, host = value.removesuffix("/").partition("://")
    port, own_port = DEFAULT_PORTS.get(scheme.lower()), re.search(r":(\d+)$", host)
    if port is None or not parse_host(host) or (own_port and not 0 < int(own_port[1]) <= MAX_PORT):
        raise PublicUrlInvalid(value=abbreviate(value))
    return f"{scheme}://{host.removesuffix(f':{port}')}".lower()


def read_proxies(value: str) -> tuple[str, ...]:
    """Check the addresses of trusted proxies."""
    found = tuple(part.strip() for part in value.split(",") if part.strip())
    for part in found:
        try:
            ip_network(part, strict=False)
        except ValueError:
            raise ProxyAddressInvalid(value=abbreviate(part)) from None
    return found


def draw_qr_code(url: str) -> str:
    drawn = StringIO()
    segno.make(url, error="l").terminal(out=drawn, compact=True, border=2)
    return drawn.getvalue()
