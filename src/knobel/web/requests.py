"""What a request says about who asks: the device, the address, the origin, the language; and its body."""

import hashlib
import re

from starlette.requests import HTTPConnection, Request

from knobel.errors import FileTooLarge
from knobel.lang import LANGUAGE_ALIASES, LANGUAGES, SOURCE_LANGUAGE, is_complete
from knobel.rules.fields import abbreviate
from knobel.rules.toml_file import MAX_BYTES

COOKIE = "knobel"
TOKEN_BYTES = 32
TOKEN_PATTERN = re.compile(rf"[0-9a-f]{{{2 * TOKEN_BYTES}}}")
HOST_PATTERN = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?", re.ASCII | re.IGNORECASE)
LANGUAGE_PATTERN = re.compile(r"([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)(?: *; *q=([01](?:\.\d{0,3})?))?")
MAX_ACCEPT_LANGUAGE = 400
"""How much of an Accept-Language header is read."""


def is_same_origin(connection: HTTPConnection) -> bool:
    """Tell whether one of our own pages asks; without an Origin header nobody knows who does."""
    scheme, _, origin = connection.headers.get("origin", "").partition("://")
    return scheme in ("http", "https") and origin == connection.headers.get("host")


def parse_host(value: str) -> str:
    """Take the name out of a Host header, without its port; what is no name is empty."""
    found = HOST_PATTERN.fullmatch(value)
    return found[1].strip("[]").rstrip(".").lower() if found else ""


def identify_device(connection: HTTPConnection) -> str | None:
    """Name the device by the hash of its secret; the secret itself is stored nowhere."""
    token = connection.cookies.get(COOKIE, "")
    return hashlib.sha256(token.encode()).hexdigest() if TOKEN_PATTERN.fullmatch(token) else None


def get_address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


def choose_language(connection: HTTPConnection) -> str:
    """Choose the language: the one asked for, else the browser's, else English.

    Somebody who prefers a language that is not complete yet, but also reads a complete one, gets the complete one.
    """
    asked = filter_known_languages([connection.query_params.get("lang", "")])
    wishes = asked or filter_known_languages(parse_accept_language(connection.headers.get("accept-language", "")))
    first = wishes[0] if wishes else SOURCE_LANGUAGE
    if asked or is_complete(first):
        return first
    return next((lang for lang in wishes if is_complete(lang) and lang != SOURCE_LANGUAGE), first)


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
    async for part in request.stream():
        content += part
        if len(content) > limit:
            return None
    return content


async def read_upload(request: Request, name: str) -> bytes:
    """Read a house-rule file; one that is too large is refused by name."""
    content = await read_body(request, MAX_BYTES)
    if content is None:
        raise FileTooLarge(file=abbreviate(name), limit=MAX_BYTES)
    return content
