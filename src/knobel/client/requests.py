"""What is asked of a server by HTTP: who we are, which room a code leads to, and the record of a game."""

import asyncio
import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping
from http import HTTPStatus
from http.client import HTTPException
from typing import Any
from urllib.parse import quote

import msgspec

from knobel.client.device_file import KnownServer
from knobel.errors import ServerForeign, ServerMisnamed, ServerRefused, ServerUnreachable, ServerUntrusted
from knobel.record.duplicate_result import DuplicateResult
from knobel.record.file import MAX_BYTES
from knobel.rules.fields import abbreviate, clean_text

SECONDS = 10.0
COOKIE = "knobel"
SECRET_HEADER = "Knobel-Secret"  # noqa: S105


class ServerRequests:
    """Asks one server; each answer is waited for in a thread."""

    def __init__(self, origin: str, lang: str) -> None:
        self.origin = origin
        self.lang = lang

    async def fetch_cookie(self) -> str:
        """Let the server name this device."""
        try:
            headers, _ = await self.ask("/")
        except ServerRefused:  # ours shows its page to everybody
            raise ServerForeign(server=self.origin) from None
        cookie = headers.get("set-cookie", "").partition(";")[0]
        name, _, value = cookie.partition("=")
        if name != COOKIE or not value:
            raise ServerForeign(server=self.origin)
        return value

    async def find_room(self, code: str, known: KnownServer) -> str:
        """Find the room with a code."""
        _, answer = await self.ask("/api/codes", json.dumps({"code": code}).encode(), known)
        return str(read_json(answer)["room"])

    async def fetch_record(self, game: str) -> bytes:
        _, answer = await self.ask(f"/games/{quote(game)}.knobel")
        return answer

    async def fetch_visible(self, game: str, known: KnownServer | None) -> bytes:
        """Fetch the events of a duplicate game that a device may see."""
        _, answer = await self.ask(f"/api/games/{quote(game)}/visible", None, known)
        return answer

    async def fetch_duplicate_result(self, game: str) -> DuplicateResult:
        """Fetch how everybody did with the same dice; the server answers once it has worked that out."""
        _, answer = await self.ask(f"/api/games/{quote(game)}/duplicate")
        try:
            return msgspec.json.decode(answer, type=DuplicateResult)
        except msgspec.DecodeError:
            raise ServerRefused(text=self.origin) from None

    async def fetch_tournament(self, tournament: str) -> bytes:
        """Fetch a tournament as a file."""
        _, answer = await self.ask(f"/tournaments/{quote(tournament)}.toml")
        return answer

    async def ask(
        self, path: str, body: bytes | None = None, known: KnownServer | None = None
    ) -> tuple[Mapping[str, str], bytes]:
        """Ask for a page, or post something as one of the server's own pages would."""
        headers = {"Origin": self.origin, "Accept-Language": self.lang, "Content-Type": "application/json"}
        if known is not None:
            headers |= build_proof(known)
        request = urllib.request.Request(f"{self.origin}{path}", body, headers)  # noqa: S310 - parse_server checked it
        return await asyncio.to_thread(self.open, request)

    def open(self, request: urllib.request.Request) -> tuple[Mapping[str, str], bytes]:
        """Send a request; a refusal is said in the words of the server, silence in ours."""
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
                found = {name.lower(): value for name, value in answer.headers.items()}
                return found, answer.read(MAX_BYTES)
        except urllib.error.HTTPError as error:
            with error:
                said = str(read_json(error.read(MAX_BYTES)).get("text") or f"{error.code} {error.reason}")
            if error.code == HTTPStatus.MISDIRECTED_REQUEST:
                raise ServerMisnamed(server=self.origin) from None
            if error.code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise ServerUnreachable(server=self.origin, reason=abbreviate(said)) from None
            raise ServerRefused(text=clean_text(said)) from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, ssl.SSLError):
                raise ServerUntrusted(server=self.origin, reason=describe_mistrust(reason)) from None
            raise ServerUnreachable(server=self.origin, reason=abbreviate(describe_reason(reason))) from None


def build_proof(known: KnownServer) -> dict[str, str]:
    """Give the headers by which a server knows this device."""
    return {"Cookie": f"{COOKIE}={known.cookie}", SECRET_HEADER: known.secret}


def describe_reason(reason: object) -> str:
    """Say why a connection failed, in the words of the system."""
    return getattr(reason, "strerror", None) or str(reason) or type(reason).__name__


def describe_mistrust(error: ssl.SSLError) -> str:
    """Say why a connection is not secure, in the words of OpenSSL."""
    said = getattr(error, "verify_message", None) or (error.reason or "").replace("_", " ").lower() or str(error)
    return clean_text(said).rstrip(".")


def read_json(content: bytes) -> dict[str, Any]:
    """Read an answer; what is no JSON object is an empty one."""
    try:
        found = json.loads(content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
