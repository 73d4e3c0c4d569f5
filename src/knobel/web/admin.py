"""What whoever runs the server may ask, at an address of its own: is it alive, is it ready, what does it count."""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import TypeAlias

from knobel.errors import AdminAddressTaken
from knobel.rules.fields import abbreviate
from knobel.web.meters import Metric, write_metrics
from knobel.web.readiness import OK

HEAD_SECONDS = 5.0
MAX_HEAD = 8 * 1024
TEXT, METRICS_TEXT = "text/plain; charset=utf-8", "text/plain; version=0.0.4; charset=utf-8"
Answer: TypeAlias = tuple[HTTPStatus, str, str]
"""The status, the type and the text of an answer."""


class AdminServer:
    """Answers `/healthz`, `/readyz` and `/metrics`, a connection for each question; nothing where it has no address."""

    def __init__(
        self,
        address: tuple[str, int] | None,
        explain_unready: Callable[[], Awaitable[str | None]],
        collect: Callable[[], Awaitable[Sequence[tuple[str, Sequence[Metric]]]]],
    ) -> None:
        self.address = address
        self.explain_unready = explain_unready
        self.collect = collect
        self.pages = {"/healthz": self.tell_alive, "/readyz": self.tell_ready, "/metrics": self.tell_metrics}
        self.server: asyncio.Server | None = None

    async def __aenter__(self) -> "AdminServer":
        if self.address is not None:
            host, port = self.address
            try:
                self.server = await asyncio.start_server(self.handle, host, port, limit=MAX_HEAD)
            except OSError as error:
                reason = os.strerror(error.errno) if error.errno else str(error)
                raise AdminAddressTaken(value=f"{host}:{port}", reason=abbreviate(reason)) from None
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.server is not None:
            self.server.close()

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read one request, and answer it."""
        with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
            status, kind, text = await self.answer(head.split(b"\r\n")[0].decode("latin-1").split(" "))
            body = text.encode()
            fields = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\nCache-Control: no-store\r\n"
            writer.write(
                f"HTTP/1.1 {status.value} {status.phrase}\r\n{fields}Connection: close\r\n\r\n".encode() + body
            )
            async with asyncio.timeout(HEAD_SECONDS):
                await writer.drain()
        writer.close()

    async def answer(self, request: Sequence[str]) -> Answer:
        if len(request) != 3 or request[0] != "GET":
            return HTTPStatus.METHOD_NOT_ALLOWED, TEXT, ""
        page = self.pages.get(request[1].partition("?")[0])
        return await page() if page else (HTTPStatus.NOT_FOUND, TEXT, "")

    async def tell_alive(self) -> Answer:
        return HTTPStatus.OK, TEXT, f"{OK}\n"

    async def tell_ready(self) -> Answer:
        why = await self.explain_unready()
        status = HTTPStatus.OK if why is None else HTTPStatus.SERVICE_UNAVAILABLE
        return status, TEXT, f"{why or OK}\n"

    async def tell_metrics(self) -> Answer:
        return HTTPStatus.OK, METRICS_TEXT, write_metrics(await self.collect())
