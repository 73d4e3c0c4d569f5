"""Checks a server from outside, as a browser meets it: does its page come, do its sockets get through the proxy."""

import secrets
import time
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from knobel.client.address import RoomAddress
from knobel.client.device_file import KnownServer
from knobel.client.messages import WIRE_VERSION
from knobel.client.requests import ServerRequests, describe_reason
from knobel.client.room_socket import RoomSocket, SocketEvents
from knobel.rules.fields import abbreviate

NO_SUCH_ROOM = 4004
"""How a server closes the socket of a room that does not exist: nothing stood between."""
NO_ROOM = "A" * 16
SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class ServerCheck:
    """What was found: how long the page took, why sockets fail if they do, and whether others can listen in."""

    origin: str
    milliseconds: int
    socket_problem: str | None
    is_plain: bool


async def check_server(origin: str, lang: str) -> ServerCheck:
    """Ask for the page, then open the socket of a room that does not exist; nothing is left behind there."""
    began = time.perf_counter()
    cookie = await ServerRequests(origin, lang).fetch_cookie()
    took = round((time.perf_counter() - began) * 1000)
    known = KnownServer(cookie, secrets.token_hex(SECRET_BYTES))
    return ServerCheck(origin, took, await find_socket_problem(origin, lang, known), is_readable_by_others(origin))


async def find_socket_problem(origin: str, lang: str, known: KnownServer) -> str | None:
    """Say why a socket does not get through; nothing if it does."""
    url = RoomAddress(origin, NO_ROOM).build_socket_url(WIRE_VERSION, lang)
    try:
        async with RoomSocket(url, origin, known, ignore_events()).call() as socket:
            while True:
                await socket.recv()
    except ConnectionClosed as closed:
        code = closed.rcvd.code if closed.rcvd else 0
        return None if code == NO_SUCH_ROOM else str(code)
    except InvalidStatus as refused:
        return str(refused.response.status_code)
    except (OSError, WebSocketException, EOFError, TimeoutError) as error:
        return abbreviate(describe_reason(error))


def ignore_events() -> SocketEvents:
    async def ignore(_: object) -> None: ...

    return SocketEvents(lambda: None, ignore, lambda _: None)


def is_readable_by_others(origin: str) -> bool:
    """Tell whether what is said goes over a network unencrypted."""
    parts = urlsplit(origin)
    if parts.scheme == "https":
        return False
    try:
        return not ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return parts.hostname != "localhost"
