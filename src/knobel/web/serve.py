"""Runs the server: binds the port, opens a browser, serves until it is stopped."""

import asyncio
import contextlib
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from io import StringIO

import segno

from knobel.errors import PortTaken
from knobel.lang import SOURCE_LANGUAGE
from knobel.rules.fields import abbreviate
from knobel.store import Store
from knobel.web.admin import AdminServer
from knobel.web.descriptions import describe_editions
from knobel.web.limits import tune_process
from knobel.web.options import ALL_INTERFACES, LOOPBACK, ServerOptions
from knobel.web.server import KnobelServer, build_host, build_server, run_cleanup
from knobel.web.service_manager import report_ready
from knobel.web.worker_pool import WorkerPool

BACKLOG = 2048
"""How many connections may wait to be accepted, as uvicorn has it."""
SEND_BUFFER = 128 * 1024
"""How much the system may buffer for a client that does not read; by default it would be megabytes for each."""


async def serve(
    store: Store,
    options: ServerOptions,
    ready: Callable[[ServerOptions], None],
    no_browser: Callable[[], None] | None = None,
) -> None:
    """Serve until it is stopped; with `no_browser`, open a browser first, and call it where there is none."""
    listener = bind_port(options)
    options = replace(options, port=listener.getsockname()[1])
    server = build_server(build_host(store, options), options, lambda: announce(options, ready, no_browser))
    context = server.context
    admin = AdminServer(options.admin, context.readiness.explain_unready, context.readiness.collect)
    end_on_hangup(server)
    tune_process()
    # A browser that was just opened will ask for the editions; otherwise they are described on the first request.
    warming = asyncio.create_task(asyncio.to_thread(describe_editions, SOURCE_LANGUAGE)) if no_browser else None
    cleanup = asyncio.create_task(run_cleanup(context, options.keep_days))
    async with admin:
        with contextlib.suppress(asyncio.CancelledError):
            await server.serve(sockets=[listener])
    cleanup.cancel()
    listener.close()
    if warming is not None:
        await warming


def end_on_hangup(server: KnobelServer) -> None:
    """End in order when the terminal is closed, too, unless it was started not to care (`nohup`)."""

    def end() -> None:
        server.should_exit = True

    if signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, end)


async def serve_by_workers(
    database: str,
    options: ServerOptions,
    ready: Callable[[ServerOptions], None],
    no_browser: Callable[[], None] | None = None,
) -> None:
    """Serve by several processes: this one accepts connections, and passes each on to the worker of its room."""
    listener = bind_port(options)
    options = replace(options, port=listener.getsockname()[1])
    pool = WorkerPool(listener, options, database)
    tune_process()
    async with AdminServer(options.admin, pool.explain_unready, pool.collect):
        await pool.run(lambda: announce(options, ready, no_browser))


def announce(
    options: ServerOptions, ready: Callable[[ServerOptions], None], no_browser: Callable[[], None] | None
) -> None:
    """Say that pages can be opened, and open one where that is wanted."""
    ready(options)
    report_ready()
    if no_browser:
        threading.Thread(target=open_page, args=(options.url, no_browser), daemon=True).start()


def open_page(url: str, no_browser: Callable[[], None]) -> None:
    if not webbrowser.open(url):
        no_browser()


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


def draw_qr_code(url: str) -> str:
    drawn = StringIO()
    segno.make(url, error="l").terminal(out=drawn, compact=True, border=2)
    return drawn.getvalue()
