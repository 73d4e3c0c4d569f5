"""The pages and files of the house, its socket, and the guards at the door."""

import asyncio
import contextlib
import hashlib
import re
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import msgspec
import segno
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from knobel.errors import (
    FileTooLarge,
    ForeignOrigin,
    GameNotFinished,
    GameNotFound,
    HouseRulesDisabled,
    KnobelError,
    RoomNotFound,
    TooManyPages,
)
from knobel.host import Host
from knobel.host.archive import export_record
from knobel.lang import LANGUAGE_ALIASES, LANGUAGES, SOURCE_LANGUAGE, Translator, is_complete
from knobel.rooms.room import load_printed_edition, open_edition
from knobel.rules.fields import abbreviate
from knobel.rules.switches import read_switches
from knobel.rules.toml_file import MAX_BYTES
from knobel.web.coaching import ReviewPages
from knobel.web.connection import TRY_AGAIN_LATER, ClientConnection
from knobel.web.descriptions import (
    WORD_PARTS,
    describe_editions,
    describe_house_rules,
    describe_rules,
    describe_server,
    load_words,
)
from knobel.web.hubs import Client, RoomHubs
from knobel.web.paper import Printer
from knobel.web.rate_limits import MAX_SOCKETS, RateLimits
from knobel.web.wire import build_schema

STATIC = Path(__file__).parent / "static"
COOKIE = "knobel"
TOKEN_BYTES = 32
TOKEN_PATTERN = re.compile(rf"[0-9a-f]{{{2 * TOKEN_BYTES}}}")
HOST_PATTERN = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?", re.ASCII | re.IGNORECASE)
LANGUAGE_PATTERN = re.compile(r"([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)(?: *; *q=([01](?:\.\d{0,3})?))?")
MAX_ACCEPT_LANGUAGE = 400
"""So much of what languages a browser would like to hear is read."""
SAFE_METHODS = ("GET", "HEAD")
MAX_CLOSE_REASON = 120
"""A reason for hanging up has at most so many bytes."""
YEAR_SECONDS = 365 * 86400
MAX_ROOM_IDS = 20
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True)
class AppContext:
    """What the pages need to know: the host, by which names the house is known, and what is allowed here."""

    host: Host
    host_names: frozenset[str]
    lan_url: str | None = None
    house_rules: bool = True
    hubs: RoomHubs = field(init=False)
    rate_limits: RateLimits = field(default_factory=RateLimits)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hubs", RoomHubs(self.host))


def build_app(context: AppContext) -> ASGIApp:
    """Build the whole application."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        context.host.spawn(context.host.sweep_sessions())
        yield
        await context.host.close()

    pages = Pages(context)
    routes = [
        Route("/", pages.get_page),
        Route("/room/{room}", pages.get_page),
        Route("/room/{room}/screen", pages.get_page),
        Route("/check/{game:path}", pages.get_page),
        Route("/review/{game}", pages.get_page),
        Route("/api/hello", pages.get_hello),
        Route("/api/editions", pages.get_editions),
        Route("/api/words", pages.get_words),
        Route("/api/rules", pages.get_rules),
        Route("/api/rooms", pages.get_rooms),
        Route("/api/house", pages.post_house_rules, methods=["POST"]),
        Route("/games/{game}.knobel", pages.get_record),
        *Printer(context.host, choose_language).routes,
        *ReviewPages(context.hubs.coaching, choose_language).routes,
        Route("/qr/{room}.svg", pages.get_qr_code),
        Route("/schema.json", pages.get_schema),
        WebSocketRoute("/ws", pages.accept_socket),
        WebSocketRoute("/{path:path}", pages.reject_socket),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return SecurityMiddleware(
        Starlette(routes=routes, lifespan=lifespan, exception_handlers={KnobelError: handle_error}), context.host_names
    )


async def handle_error(request: Request, error: Exception) -> Response:
    """Say in one line what went wrong."""
    if not isinstance(error, KnobelError):
        raise error
    missing, early = isinstance(error, RoomNotFound | GameNotFound), isinstance(error, GameNotFinished)
    return build_error_response(error, request, 404 if missing else 409 if early else 400)


def build_error_response(error: KnobelError, connection: HTTPConnection, status: int) -> Response:
    """Answer with an error, in the words of whoever asked."""
    return JSONResponse(
        {"code": error.code, "text": Translator(choose_language(connection)).describe_error(error)}, status
    )


class SecurityMiddleware:
    """Stands at the door: only names of this house, changes only from its own pages, its headers on every answer."""

    def __init__(self, app: ASGIApp, host_names: frozenset[str]) -> None:
        self.app = app
        self.host_names = host_names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or not."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                known = {key.lower() for key, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (key.lower().encode(), value.encode())
                        for key, value in SECURITY_HEADERS.items()
                        if key.lower().encode() not in known
                    ),
                ]
            await send(message)

        connection = HTTPConnection(scope)
        if parse_host(connection.headers.get("host", "")) not in self.host_names:
            await PlainTextResponse("", 421)(scope, receive, send_with_headers)
        elif scope.get("method", "GET") not in SAFE_METHODS and not is_same_origin(connection):
            await build_error_response(ForeignOrigin(), connection, 403)(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)


def is_same_origin(connection: HTTPConnection) -> bool:
    """Tell whether a page of this house asks; without an origin nobody knows who does."""
    scheme, _, origin = connection.headers.get("origin", "").partition("://")
    return scheme in ("http", "https") and origin == connection.headers.get("host")


def parse_host(value: str) -> str:
    """Take the name out of a Host header, without its port; what is no name is nobody's."""
    found = HOST_PATTERN.fullmatch(value)
    return found[1].strip("[]").rstrip(".").lower() if found else ""


def identify_device(connection: HTTPConnection) -> str | None:
    """Name the device by the hash of its secret; the secret itself is kept nowhere."""
    token = connection.cookies.get(COOKIE, "")
    return hashlib.sha256(token.encode()).hexdigest() if TOKEN_PATTERN.fullmatch(token) else None


def choose_language(connection: HTTPConnection) -> str:
    """Choose the language: the one asked for, else the browser's, else English.

    Who would rather hear a language that is not complete yet, but speaks another one that is, is spoken to in that.
    """
    asked = filter_known_languages([connection.query_params.get("lang", "")])
    wishes = asked or filter_known_languages(parse_accept_language(connection.headers.get("accept-language", "")))
    first = wishes[0] if wishes else SOURCE_LANGUAGE
    if asked or is_complete(first):
        return first
    return next((lang for lang in wishes if is_complete(lang) and lang != SOURCE_LANGUAGE), first)


def parse_accept_language(accepted: str) -> list[str]:
    """List the languages of an Accept-Language header, the dearest first."""
    found = [LANGUAGE_PATTERN.fullmatch(part.strip()) for part in accepted[:MAX_ACCEPT_LANGUAGE].split(",")]
    wishes = [(one[1], float(one[2] or 1)) for one in found if one]
    return [wish for wish, weight in sorted(wishes, key=lambda wish: -wish[1]) if weight]


def filter_known_languages(wishes: list[str]) -> list[str]:
    """Keep the languages there are words in, without their countries."""
    codes = [wish.partition("-")[0].lower() for wish in wishes]
    return [lang for code in codes if (lang := LANGUAGE_ALIASES.get(code, code)) in LANGUAGES]


async def read_upload(request: Request, name: str) -> bytes:
    """Take in a file; what says that it is too large, or turns out to be, is not read to its end."""
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or len(declared) > len(str(MAX_BYTES)) or int(declared) > MAX_BYTES:
        raise FileTooLarge(file=abbreviate(name), limit=MAX_BYTES)
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > MAX_BYTES:
            raise FileTooLarge(file=abbreviate(name), limit=MAX_BYTES)
    return content


class Pages:
    """Every page and file, by its address."""

    def __init__(self, context: AppContext) -> None:
        self.context = context

    async def get_page(self, request: Request) -> Response:
        """Give the page everything happens on, and a name to the device."""
        answer = FileResponse(STATIC / "index.html")
        if identify_device(request) is None:
            token = secrets.token_hex(TOKEN_BYTES)
            secure = request.url.scheme == "https"
            answer.set_cookie(COOKIE, token, max_age=YEAR_SECONDS, httponly=True, samesite="lax", secure=secure)
        return answer

    async def get_hello(self, request: Request) -> Response:
        """Say what this house offers."""
        return JSONResponse(describe_server(choose_language(request), self.context.lan_url, self.context.house_rules))

    async def get_editions(self, request: Request) -> Response:
        """List the boxes."""
        return JSONResponse(await asyncio.to_thread(describe_editions, choose_language(request)))

    async def get_words(self, request: Request) -> Response:
        """Give the browser its words."""
        part = request.query_params.get("part", "")
        return JSONResponse(load_words(choose_language(request), part if part in WORD_PARTS else ""))

    async def get_rules(self, request: Request) -> Response:
        """Give the rules of a box to read, or those agreed in a room to whoever knows its link."""
        asked, lang = request.query_params, choose_language(request)
        if room := asked.get("room"):
            agreed = (await self.context.host.find_session(room)).room.settings
            edition = open_edition(agreed.edition, agreed.house)
            return JSONResponse(await asyncio.to_thread(describe_rules, edition, agreed.text, agreed.switches, lang))
        edition = load_printed_edition(asked.get("edition", ""))
        text = edition.choose_text(asked.get("text"), None)
        switches = read_switches(tuple(asked.getlist("set")), edition.switch_values)
        return JSONResponse(describe_rules(edition, text, switches, lang))

    async def get_rooms(self, request: Request) -> Response:
        """Say of some rooms how they stand, as far as they are this device's."""
        owner, found = identify_device(request) or "", []
        for name in request.query_params.get("ids", "").split(",")[:MAX_ROOM_IDS]:
            with contextlib.suppress(RoomNotFound):
                found.append(await self.describe_room(name, owner))
        return JSONResponse([line for line in found if line["yours"]])

    async def describe_room(self, name: str, device: str) -> dict[str, object]:
        """Say in one line how a room stands."""
        desk = await self.context.host.find_session(name)
        room, table = desk.room, desk.table
        mine = room.seats_of(device)
        turn = table.state.player if room.running and table and not table.replay.is_over else None
        return {
            "room": name,
            "edition": room.settings.edition,
            "title": open_edition(room.settings.edition, room.settings.house).title,
            "running": room.running,
            "over": bool(table) and not room.running and len(room.totals) >= room.settings.games,
            "names": [chair.name for chair in room.seats],
            "game": room.game,
            "yours": bool(mine),
            "turn": room.seats[turn].name if turn is not None else None,
            "your_turn": turn in mine,
        }

    async def post_house_rules(self, request: Request) -> Response:
        """Read a house-rule file, and describe it like a box; others are served meanwhile."""
        if not self.context.house_rules:
            return build_error_response(HouseRulesDisabled(), request, 403)
        self.context.rate_limits.count_file(
            identify_device(request) or "", request.client.host if request.client else ""
        )
        name = request.query_params.get("name", "house")[:80]
        content = await read_upload(request, name)
        reader = self.context.host.house_rules_reader
        return JSONResponse(await reader.run(describe_house_rules, content, name, choose_language(request)))

    async def get_record(self, request: Request) -> Response:
        """Give the record of a game; its seeds are in it after the end."""
        content = await export_record(self.context.host.store, request.path_params["game"])
        return Response(content, media_type="application/x-knobel")

    async def get_qr_code(self, request: Request) -> Response:
        """Draw the link to a room."""
        room = request.path_params["room"]
        await self.context.host.find_session(room)
        base = self.context.lan_url or f"{request.url.scheme}://{request.headers['host']}"
        picture = BytesIO()
        segno.make(f"{base}/room/{room}", error="m").save(picture, kind="svg", scale=4, border=2, light="#fff")
        return Response(picture.getvalue(), media_type="image/svg+xml")

    async def get_schema(self, _: Request) -> Response:
        """Describe every message of the socket."""
        return Response(msgspec.json.encode(build_schema()), media_type="application/schema+json")

    async def accept_socket(self, socket: WebSocket) -> None:
        """Talk with a client of this house's own pages."""
        owner, door = identify_device(socket), self.context.rate_limits
        if owner is None or not is_same_origin(socket):
            await socket.send_denial_response(PlainTextResponse("", 403))
            return
        await socket.accept()
        client = Client(owner, choose_language(socket))
        if not door.open_socket(owner):
            why = Translator(client.lang).describe_error(TooManyPages(n=MAX_SOCKETS))
            await socket.close(TRY_AGAIN_LATER, why.encode()[:MAX_CLOSE_REASON].decode(errors="ignore"))
            return
        try:
            await ClientConnection(
                socket, client, self.context.hubs, self.context.host, door, self.context.house_rules
            ).run()
        finally:
            door.close_socket(owner)

    async def reject_socket(self, socket: WebSocket) -> None:
        """There is one socket in this house, and it is elsewhere."""
        await socket.send_denial_response(PlainTextResponse("", 404))
