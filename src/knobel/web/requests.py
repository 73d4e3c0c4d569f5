"""What a request says about who asks: the device, the address, the origin, the language; and its body."""

import asyncio
import hashlib
import re
from typing import TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import HTTPConnection, Request

from knobel.errors import FileTooLarge, MessageMalformed
from knobel.lang import COMPLETE, LANGUAGE_ALIASES, LANGUAGES, SOURCE_LANGUAGE
from knobel.record.json_keys import check_duplicate_keys
from knobel.rules.fields import abbreviate
from knobel.rules.toml_file import MAX_BYTES

COOKIE = "knobel"
TOKEN_BYTES = 32
TOKEN_PATTERN = re.compile(rf"[0-9a-f]{{{2 * TOKEN_BYTES}}}")
PROOF_HEADER = "knobel-secret"
PROTOCOL, SECRET_PROTOCOL = "knobel", "secret."
"""The subprotocol of our sockets, and the prefix of the one that carries the secret."""
HOST_PATTERN = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?", re.ASCII | re.IGNORECASE)
LANGUAGE_PATTERN = re.compile(r"([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)(?: *; *q=([01](?:\.\d{0,3})?))?")
BODY_SECONDS = 10.0
"""How long the body of a request may take to come."""
MAX_ACCEPT_LANGUAGE = 400
"""How much of an Accept-Language header is read."""
MAX_REQUEST = 4 * 1024

RequestT = TypeVar("RequestT", bound=Struct)


def is_same_origin(connection: HTTPConnection, public_url: str | None = None) -> bool:
    """Tell whether one of our own pages asks; without an Origin header nobody knows who does.

    By its public name a server is asked only from exactly its public address.
    """
    origin, host = connection.headers.get("origin", ""), connection.headers.get("host", "")
    if public_url is not None and parse_host(host) == parse_host(public_url.partition("://")[2]):
        return origin == public_url
    scheme, _, name = origin.partition("://")
    return scheme in ("http", "https") and name == host


def is_foreign_request(connection: HTTPConnection) -> bool:
    """Tell whether a page of another site asks, for anything but to be shown itself."""
    headers = connection.headers
    return headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate"


def parse_host(value: str) -> str:
    """Take the name out of a Host header, without its port; what is no name is empty."""
    found = HOST_PATTERN.fullmatch(value)
    return found[1].strip("[]").rstrip(".").lower() if found else ""


def identify_device(connection: HTTPConnection) -> str | None:
    """Name the device by the hash of its secret; the secret itself is stored nowhere."""
    token = connection.cookies.get(COOKIE, "")
    return hashlib.sha256(token.encode()).hexdigest() if TOKEN_PATTERN.fullmatch(token) else None


def read_secret(connection: HTTPConnection) -> str | None:
    """Read the second secret of a device, which its page keeps for its own origin alone; give its hash.

    A request has it in a header. A socket has it among its subprotocols: a page can set no header of a socket, and an
    address would be logged.
    """
    offered = [part.strip() for part in connection.headers.get("sec-websocket-protocol", "").split(",")]
    found = connection.headers.get(PROOF_HEADER) or next(
        (part.removeprefix(SECRET_PROTOCOL) for part in offered if part.startswith(SECRET_PROTOCOL)), ""
    )
    return hashlib.sha256(found.encode()).hexdigest() if TOKEN_PATTERN.fullmatch(found) else None


def get_address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


def choose_language(connection: HTTPConnection) -> str:
    """Choose the language: the one asked for, else the browser's, else English.

    Somebody who prefers a language that is not complete yet, but also reads a complete one, gets the complete one.
    """
    asked = filter_known_languages([connection.query_params.get("lang", "")])
    wishes = asked or filter_known_languages(parse_accept_language(connection.headers.get("accept-language", "")))
    first = wishes[0] if wishes else SOURCE_LANGUAGE
    if asked or first in COMPLETE:
        return first
    return next((lang for lang in wishes if lang in COMPLETE and lang != SOURCE_LANGUAGE), first)


def parse_accept_language(accepted: str) -> list[str]:
    """List the languages of an Accept-Language header, the preferred ones first."""
    found = [LANGUAGE_PATTERN.fullmatch(part.strip()) for part in accepted[:MAX_ACCEPT_LANGUAGE].split(",")]
    wishes = [(one[1], float(one[2] or 1)) for one in found if one]
    return [wish for wish, weight in sorted(wishes, key=lambda wish: -wish[1]) if weight]


def filter_known_languages(wishes: list[str]) -> list[str]:
    """Keep the languages there are words in, without their countries."""
    codes = [wish.partition("-")[0].lower() for wish in wishes]
    return [lang for code in codes if (lang := LANGUAGE_ALIASES.get(code, code)) in LANGUAGES]


async def read_body(request: Request, limit: int) -> bytes | None:
    """Read a body of at most this many bytes; a longer one is not read to its end and gives nothing."""
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or len(declared) > len(str(limit)) or int(declared) > limit:
        return None
    content = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                content += part
                if len(content) > limit:
                    return None
    except TimeoutError:
        return None
    return content


async def read_upload(request: Request, name: str) -> bytes:
    """Read a house-rule file; one that is too large is refused by name."""
    content = await read_body(request, MAX_BYTES)
    if content is None:
        raise FileTooLarge(file=abbreviate(name), limit=MAX_BYTES)
    return content


async def read_request(request: Request, kind: type[RequestT]) -> RequestT:
    """Read the body of a request; what is too long or does not fit is malformed."""
    return decode_request(await read_whole_body(request), kind)


async def read_whole_body(request: Request) -> bytes:
    content = await read_body(request, MAX_REQUEST)
    if content is None:
        raise MessageMalformed
    return content


def decode_request(content: bytes, kind: type[RequestT]) -> RequestT:
    try:
        check_duplicate_keys(content.decode())
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise MessageMalformed from None
