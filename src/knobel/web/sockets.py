"""Accept sockets: who may connect, and which pages are outdated."""

import asyncio
import contextlib

from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from knobel.errors import DeviceUnproven, KnobelError, TooManyPages, WireOutdated
from knobel.web.connection import TRY_AGAIN_LATER, ClientConnection, write_close_reason
from knobel.web.device_requests import DeviceRequests
from knobel.web.house_rules import HouseRulesFiles
from knobel.web.hubs import Client, RoomHubs, encode_refusal
from knobel.web.rate_limits import MAX_SOCKETS, RateLimits
from knobel.web.requests import PROTOCOL, choose_language, identify_device, is_same_origin, read_secret
from knobel.web.wire import WIRE_VERSION

UNPROVEN, OUTDATED = 4001, 4003
OUTDATED_SECONDS = 3.0
"""How long an outdated page is kept waiting: it reconnects at once, and gives up on a silent socket after 4 seconds."""


class Sockets:
    """Accepts the sockets of our own pages: one for each page, in the room its path names."""

    def __init__(
        self,
        hubs: RoomHubs,
        devices: DeviceRequests,
        rate_limits: RateLimits,
        house_rules: HouseRulesFiles,
        public_url: str | None = None,
    ) -> None:
        self.public_url = public_url
        self.hubs = hubs
        self.devices = devices
        self.rate_limits = rate_limits
        self.house_rules = house_rules

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            WebSocketRoute(f"/ws/{WIRE_VERSION}/{{room}}", self.accept),
            WebSocketRoute("/ws", self.reject_outdated),
            WebSocketRoute("/ws/{path:path}", self.reject_outdated),
            WebSocketRoute("/{path:path}", self.reject),
        ]

    async def accept(self, socket: WebSocket) -> None:
        """Connect one of our own pages to a room, if it proves which device it is."""
        if (lang := await self.admit(socket)) is None:
            return
        try:
            try:
                identity = await self.devices.identify(socket)
            except KnobelError as error:
                await refuse(socket, UNPROVEN if isinstance(error, DeviceUnproven) else TRY_AGAIN_LATER, error, lang)
                return
            is_screen = socket.query_params.get("screen") == "1"
            client = Client(identity, lang, budget=self.hubs.budgets.find(identity), is_screen=is_screen)
            await ClientConnection(socket, client, socket.path_params["room"], self.hubs, self.house_rules).run()
        finally:
            self.rate_limits.close_socket(identify_device(socket) or "")

    async def reject_outdated(self, socket: WebSocket) -> None:
        """Tell a page that speaks another version of the wire to reload.

        It shows the reason a socket is closed with. A refusal would make it drop the entry it waits to send.
        """
        if (lang := await self.admit(socket, needs_secret=False)) is None:
            return
        try:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
                async with asyncio.timeout(OUTDATED_SECONDS):
                    while (await socket.receive())["type"] != "websocket.disconnect":
                        pass
                return
            await close_with_reason(socket, OUTDATED, WireOutdated(), lang)
        finally:
            self.rate_limits.close_socket(identify_device(socket) or "")

    async def admit(self, socket: WebSocket, *, needs_secret: bool = True) -> str | None:
        """Accept a socket of one of our own pages and count it, unless its device has too many; give its language."""
        device, has_secret = identify_device(socket), read_secret(socket) is not None
        if device is None or not (has_secret or not needs_secret) or not is_same_origin(socket, self.public_url):
            await socket.send_denial_response(PlainTextResponse("", 403))
            return None
        await socket.accept(PROTOCOL if PROTOCOL in socket.scope["subprotocols"] else None)
        lang = choose_language(socket)
        if not self.rate_limits.open_socket(device):
            await close_with_reason(socket, TRY_AGAIN_LATER, TooManyPages(n=MAX_SOCKETS), lang)
            return None
        return lang

    async def reject(self, socket: WebSocket) -> None:
        await socket.send_denial_response(PlainTextResponse("", 404))


async def refuse(socket: WebSocket, code: int, error: KnobelError, lang: str) -> None:
    """Say why a socket is closed: a page that enters a room shows the refusal."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(encode_refusal(None, error, lang).decode())
        await socket.close(code)


async def close_with_reason(socket: WebSocket, code: int, error: KnobelError, lang: str) -> None:
    """Close a socket with a sentence, as much of it as fits."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(code, write_close_reason(error, lang))
