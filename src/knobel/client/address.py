"""Where a room is: the link to it, or its code at a server."""

import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from knobel.errors import RoomAddressInvalid, ServerAddressInvalid
from knobel.rules.fields import abbreviate

SCHEMES = {"http": "ws", "https": "wss"}
"""Over which addresses a server speaks, and what its sockets begin with."""
ROOM_PATH = re.compile(r"/room/([\w.-]{1,64})(?:/screen)?/?", re.ASCII)
TOURNAMENT_PATH = re.compile(r"/tournament/([\w.-]{1,64})/?", re.ASCII)
CODE = re.compile(r"[A-Z0-9]{4,12}", re.ASCII)
HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+)(:\d{1,5})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class RoomAddress:
    """A server, and either the id of a room or the code that leads to it."""

    origin: str
    room: str | None = None
    code: str | None = None

    @property
    def link(self) -> str:
        """The link to the room, as people pass it on."""
        return f"{self.origin}/room/{self.room}"

    def build_socket_url(self, version: int, lang: str) -> str:
        scheme, _, host = self.origin.partition("://")
        return f"{SCHEMES[scheme]}://{host}/ws/{version}/{quote(self.room or '')}?lang={quote(lang)}"


def parse_address(text: str, server: str) -> RoomAddress:
    """Read a link to a room, or a room code at a server; spaces and hyphens in a code do not matter."""
    code = re.sub(r"[\s-]", "", text).upper()
    if CODE.fullmatch(code):
        return RoomAddress(parse_server(server), code=code)
    link = text.strip() if "://" in text else f"http://{text.strip()}"
    try:
        path = urlsplit(link).path
    except ValueError:
        path = ""
    if (found := ROOM_PATH.fullmatch(path)) is None:
        raise RoomAddressInvalid(value=abbreviate(text))
    return RoomAddress(parse_server(link), found[1])


def parse_tournament_link(text: str) -> tuple[str, str] | None:
    """Read a link to a tournament: its server and its id; anything else gives nothing."""
    try:
        path = urlsplit(text.strip()).path if "://" in text else ""
    except ValueError:
        return None
    found = TOURNAMENT_PATH.fullmatch(path)
    return (parse_server(text.strip()), found[1]) if found else None


def parse_server(text: str) -> str:
    """Read the address of a server: its scheme, name and port."""
    link = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(link)
        port = parts.port
    except ValueError:  # a port that is none, or no address at all
        raise ServerAddressInvalid(value=abbreviate(text)) from None
    if parts.scheme not in SCHEMES or not HOST.fullmatch(parts.netloc) or port == 0:
        raise ServerAddressInvalid(value=abbreviate(text))
    return f"{parts.scheme}://{parts.netloc.lower()}"
