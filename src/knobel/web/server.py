"""One serving process: its pages and sockets, told when it listens, and drained before it ends."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Any

import uvicorn

from knobel.errors import KnobelError, ServerRestarting
from knobel.host import Host
from knobel.host.archive import DAY_SECONDS, tidy_rooms
from knobel.host.retention import drop_old_moves, has_plausible_clock
from knobel.host.solve_queue import MAX_SECONDS, MAX_SOLUTION_BYTES, SolveQueue
from knobel.store import Store
from knobel.web.app import AppContext, build_app
from knobel.web.connection import MAX_MESSAGE
from knobel.web.http_protocol import BoundedHttpProtocol
from knobel.web.options import ServerOptions, list_host_names
from knobel.web.protocol import BoundedWebSocketProtocol

CLEANUP_SECONDS = 3600.0
DRAIN_SECONDS = 5.0
"""How long commands that were begun may take to end before the process does."""
POLL_SECONDS = 0.02


class KnobelServer(uvicorn.Server):
    """A server that tells when it listens, takes connections others accepted, and drains before it stops."""

    def __init__(self, config: uvicorn.Config, context: AppContext, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self.context = context
        self.announce = announce
        self.on_drain: Callable[[], None] = lambda: None
        self.taking: set[asyncio.Task[Any]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.announce()

    def take(self, connection: socket.socket) -> None:
        """Serve a connection that was accepted elsewhere."""
        connection.setblocking(False)
        task = asyncio.get_running_loop().create_task(self.connect(connection))
        self.taking.add(task)
        task.add_done_callback(self.taking.discard)

    async def connect(self, connection: socket.socket) -> None:
        try:
            await asyncio.get_running_loop().connect_accepted_socket(self.build_protocol, connection)
        except OSError:  # the client has left
            connection.close()

    def build_protocol(self) -> asyncio.Protocol:
        settings: dict[str, Any] = {
            "config": self.config,
            "server_state": self.server_state,
            "app_state": self.lifespan.state,
        }
        return BoundedHttpProtocol(**settings)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer what was asked, tell everybody to come back, and end."""
        self.context.readiness.is_draining = True
        self.on_drain()
        for server in self.servers:
            server.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                while self.taking or any(map(self.is_answering, tuple(self.server_state.connections))):
                    await asyncio.sleep(POLL_SECONDS)
                await self.context.hubs.drain(ServerRestarting())
        await super().shutdown(sockets)

    def is_answering(self, connection: object) -> bool:
        """Tell whether a request is being answered; what a parent passed on has begun to ask, even if unread yet."""
        if not isinstance(connection, BoundedHttpProtocol) or connection.is_upgraded:
            return False
        if connection.cycle is None:
            return not self.servers
        return not connection.cycle.response_complete


def build_host(store: Store, options: ServerOptions) -> Host:
    """Open the rooms of a database."""
    return Host(store, solve_queue=build_solve_queue(options))


def build_solve_queue(options: ServerOptions) -> SolveQueue:
    """Queue solves within the limits of this server."""
    megabytes = options.solve_megabytes
    return SolveQueue(options.solve_seconds or MAX_SECONDS, megabytes * 1024**2 if megabytes else MAX_SOLUTION_BYTES)


def build_server(
    host: Host, options: ServerOptions, announce: Callable[[], None] = lambda: None, *, is_first: bool = True
) -> KnobelServer:
    """Build a server; of several workers only the first one reviews finished games in the background."""
    context = build_context(host, options, is_first)
    config = uvicorn.Config(
        build_app(context),
        log_level="error",
        log_config=None if options.log_json else uvicorn.config.LOGGING_CONFIG,
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
    return KnobelServer(config, context, announce)


def build_context(host: Host, options: ServerOptions, is_first: bool) -> AppContext:
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
        options.log_json,
        reviews=is_first,
    )


async def run_cleanup(context: AppContext, keep_days: int | None = None, *, is_first: bool = True) -> None:
    """Drop abandoned rooms, old moves, unused sessions and old counts, now and every hour.

    A start ages rooms by at most a day, and an hour by an hour, whatever the clock says. Of several workers only the
    first one looks after what they share.
    """
    most, store, clock = DAY_SECONDS, context.host.store, context.host.clock
    while True:
        if is_first:
            with contextlib.suppress(KnobelError):
                if keep_days is not None and not await has_plausible_clock(store, clock()):
                    keep_days = None  # until the server is started again
                await tidy_rooms(store, clock(), most)
                if keep_days is not None:
                    await drop_old_moves(store, clock(), keep_days)
            await context.host.solve_queue.tidy_books()
        most = CLEANUP_SECONDS
        context.host.registry.evict(1)
        context.rate_limits.expire()
        await asyncio.sleep(CLEANUP_SECONDS)
