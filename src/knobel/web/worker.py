"""A worker process: `python -m knobel.web.worker`, started by `knobel serve --workers` with what it needs on stdin."""

import asyncio
import contextlib
import logging
import socket
import sys
from pathlib import Path

import msgspec

from knobel.errors import KnobelError
from knobel.store.address import open_store
from knobel.web.limits import run_event_loop, tune_process
from knobel.web.logs import log_event, start_json_log
from knobel.web.readiness import OK
from knobel.web.server import build_host, build_server, run_cleanup
from knobel.web.worker_channel import METRICS, PING, STATE, WorkerChannel
from knobel.web.worker_process import WorkerStart


async def run_worker(start: WorkerStart, end: socket.socket) -> None:
    """Serve the connections the parent passes on, until it says so or is gone."""
    store = await open_store(start.database, Path())
    is_first = start.slot == 0
    server = build_server(build_host(store, start.options), start.options, is_first=is_first)
    context = server.context

    async def tell_metrics() -> str:
        return msgspec.json.encode(context.readiness.collect_own()).decode()

    async def tell_state() -> str:
        return await context.readiness.explain_unready() or OK

    async def tell_alive() -> str:
        return OK

    def stop() -> None:
        server.should_exit = True

    channel = WorkerChannel(end, server.take, {METRICS: tell_metrics, STATE: tell_state, PING: tell_alive}, stop)
    server.announce, server.on_drain = channel.start, channel.leave
    tune_process()
    cleanup = asyncio.create_task(run_cleanup(context, start.options.keep_days, is_first=is_first))
    with contextlib.suppress(asyncio.CancelledError):
        await server.serve(sockets=[])
    cleanup.cancel()


def main() -> int:
    start = msgspec.json.decode(sys.stdin.buffer.read(), type=WorkerStart)
    if start.options.log_json:
        start_json_log(start.slot)
    try:
        run_event_loop(run_worker(start, socket.socket(fileno=start.channel)))
    except KnobelError as error:
        log_event("worker_failed", logging.ERROR, slot=start.slot, code=error.code)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
