"""Counts requests, and logs them for programs where that is wanted: what was asked for, never by whom or about whom."""

import time
from collections.abc import Sequence

from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from knobel.web.logs import log_event
from knobel.web.meters import ServerMeters

HIDDEN = "*"
"""Stands for a part of a path that is no fixed word of ours: an id of a room is a key to it."""


def list_path_words(routes: Sequence[BaseRoute]) -> frozenset[str]:
    """List the fixed parts of all paths."""
    paths = (str(getattr(route, "path", "")) for route in routes)
    return frozenset(part for path in paths for part in path.split("/") if "{" not in part)


def hide_ids(path: str, words: frozenset[str]) -> str:
    return "/".join(part if part in words else HIDDEN for part in path.split("/"))


class RequestMeter:
    """Passes every request on, and notes how it ended."""

    def __init__(self, app: ASGIApp, meters: ServerMeters, words: frozenset[str], is_logged: bool) -> None:
        self.app, self.meters, self.words, self.is_logged = app, meters, words, is_logged

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
            elif message["type"] == "websocket.close":
                status = message.get("code", status)
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        finally:
            if scope["type"] == "http":
                self.meters.requests[str(status)] += 1
            if self.is_logged:
                log_event(
                    "request" if scope["type"] == "http" else "socket",
                    method=scope.get("method"),
                    path=hide_ids(scope["path"], self.words),
                    status=status,
                    ms=round((time.perf_counter() - began) * 1000, 1),
                )
