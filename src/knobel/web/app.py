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
    GameOpen,
    GameUnknown,
    HouseRulesClosed,
    KnobelError,
    OriginForeign,
    PagesTooMany,
    RoomUnknown,
)
from knobel.host import Host
from knobel.host.keeping import exported
from knobel.lang import LANGUAGES, NORWEGIAN, SOURCE, Words, complete
from knobel.room.chairs import edition_of, load_box
from knobel.rules.fields import shown
from knobel.rules.limits import BYTES
from knobel.rules.switches import VALUES, read_switches
from knobel.web.cards import PARTS, editions_for, hello, house_card, leaflet, words_for
from knobel.web.coaching import Reviews
from knobel.web.paper import Printer
from knobel.web.patience import MOST_SOCKETS, Doorkeeper
from knobel.web.rooms import Client, Rooms
from knobel.web.talk import SLOW, Talk
from knobel.web.wire import schema

STATIC = Path(__file__).parent / "static"
COOKIE = "knobel"
TOKEN_BYTES = 32
TOKEN = re.compile(rf"[0-9a-f]{{{2 * TOKEN_BYTES}}}")
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?", re.ASCII | re.IGNORECASE)
WISH = re.compile(r"([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)(?: *; *q=([01](?:\.\d{0,3})?))?")
MOST_WISHES = 400
"""So much of what languages a browser would like to hear is read."""
HARMLESS = ("GET", "HEAD")
REASON = 120
"""A reason for hanging up has at most so many bytes."""
YEAR = 365 * 86400
MOST_ASKED = 20
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True)
class House:
    """What the pages need to know: the host, by which names the house is known, and what is allowed here."""

    host: Host
    names: frozenset[str]
    lan: str | None = None
    house_rules: bool = True
    rooms: Rooms = field(init=False)
    door: Doorkeeper = field(default_factory=Doorkeeper)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rooms", Rooms(self.host))


def application(house: House) -> ASGIApp:
    """Build the whole application."""

    @contextlib.asynccontextmanager
    async def living(_: Starlette) -> AsyncIterator[None]:
        house.host.spawn(house.host.sweep())
        yield
        await house.host.close()

    pages = Pages(house)
    routes = [
        Route("/", pages.shell),
        Route("/room/{room}", pages.shell),
        Route("/room/{room}/screen", pages.shell),
        Route("/check/{game:path}", pages.shell),
        Route("/review/{game}", pages.shell),
        Route("/api/hello", pages.hello),
        Route("/api/editions", pages.editions),
        Route("/api/words", pages.words),
        Route("/api/rules", pages.rules),
        Route("/api/rooms", pages.rooms),
        Route("/api/house", pages.house_rules, methods=["POST"]),
        Route("/games/{game}.knobel", pages.record),
        *Printer(house.host, language_of).routes,
        *Reviews(house.rooms.coaching, language_of).routes,
        Route("/qr/{room}.svg", pages.qr),
        Route("/schema.json", pages.schema),
        WebSocketRoute("/ws", pages.socket),
        WebSocketRoute("/{path:path}", pages.no_socket),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return Guard(Starlette(routes=routes, lifespan=living, exception_handlers={KnobelError: refused}), house.names)


async def refused(request: Request, error: Exception) -> Response:
    """Say in one line what went wrong."""
    if not isinstance(error, KnobelError):
        raise error
    missing, early = isinstance(error, RoomUnknown | GameUnknown), isinstance(error, GameOpen)
    return said(error, request, 404 if missing else 409 if early else 400)


def said(error: KnobelError, connection: HTTPConnection, status: int) -> Response:
    """Answer with an error, in the words of whoever asked."""
    return JSONResponse({"code": error.code, "text": Words(language_of(connection)).error(error)}, status)


class Guard:
    """Stands at the door: only names of this house, changes only from its own pages, its headers on every answer."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self.app = app
        self.names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or not."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        async def marked(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                known = {key.lower() for key, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (key.lower().encode(), value.encode())
                        for key, value in HEADERS.items()
                        if key.lower().encode() not in known
                    ),
                ]
            await send(message)

        connection = HTTPConnection(scope)
        if host_name(connection.headers.get("host", "")) not in self.names:
            await PlainTextResponse("", 421)(scope, receive, marked)
        elif scope.get("method", "GET") not in HARMLESS and not from_own_page(connection):
            await said(OriginForeign(), connection, 403)(scope, receive, marked)
        else:
            await self.app(scope, receive, marked)


def from_own_page(connection: HTTPConnection) -> bool:
    """Tell whether a page of this house asks; without an origin nobody knows who does."""
    scheme, _, origin = connection.headers.get("origin", "").partition("://")
    return scheme in ("http", "https") and origin == connection.headers.get("host")


def host_name(value: str) -> str:
    """Take the name out of a Host header, without its port; what is no name is nobody's."""
    found = HOST.fullmatch(value)
    return found[1].strip("[]").rstrip(".").lower() if found else ""


def owner_of(connection: HTTPConnection) -> str | None:
    """Name the device by the hash of its secret; the secret itself is kept nowhere."""
    token = connection.cookies.get(COOKIE, "")
    return hashlib.sha256(token.encode()).hexdigest() if TOKEN.fullmatch(token) else None


def language_of(connection: HTTPConnection) -> str:
    """Choose the language: the one asked for, else the browser's, else English.

    Who would rather hear a language that is not complete yet, but speaks another one that is, is spoken to in that.
    """
    asked = known([connection.query_params.get("lang", "")])
    wishes = asked or known(wishes_of(connection.headers.get("accept-language", "")))
    first = wishes[0] if wishes else SOURCE
    if asked or complete(first):
        return first
    return next((lang for lang in wishes if complete(lang) and lang != SOURCE), first)


def wishes_of(accepted: str) -> list[str]:
    """List the languages of an Accept-Language header, the dearest first."""
    found = [WISH.fullmatch(part.strip()) for part in accepted[:MOST_WISHES].split(",")]
    wishes = [(one[1], float(one[2] or 1)) for one in found if one]
    return [wish for wish, weight in sorted(wishes, key=lambda wish: -wish[1]) if weight]


def known(wishes: list[str]) -> list[str]:
    """Keep the languages there are words in, without their countries."""
    codes = [wish.partition("-")[0].lower() for wish in wishes]
    return [lang for code in codes if (lang := NORWEGIAN.get(code, code)) in LANGUAGES]


async def brought(request: Request, name: str) -> bytes:
    """Take in a file; what says that it is too large, or turns out to be, is not read to its end."""
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or len(declared) > len(str(BYTES)) or int(declared) > BYTES:
        raise FileTooLarge(file=shown(name), limit=BYTES)
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > BYTES:
            raise FileTooLarge(file=shown(name), limit=BYTES)
    return content


class Pages:
    """Every page and file, by its address."""

    def __init__(self, house: House) -> None:
        self.house = house

    async def shell(self, request: Request) -> Response:
        """Give the page everything happens on, and a name to the device."""
        answer = FileResponse(STATIC / "index.html")
        if owner_of(request) is None:
            token = secrets.token_hex(TOKEN_BYTES)
            secure = request.url.scheme == "https"
            answer.set_cookie(COOKIE, token, max_age=YEAR, httponly=True, samesite="lax", secure=secure)
        return answer

    async def hello(self, request: Request) -> Response:
        """Say what this house offers."""
        return JSONResponse(hello(language_of(request), self.house.lan, self.house.house_rules))

    async def editions(self, request: Request) -> Response:
        """List the boxes."""
        return JSONResponse(await asyncio.to_thread(editions_for, language_of(request)))

    async def words(self, request: Request) -> Response:
        """Give the browser its words."""
        part = request.query_params.get("part", "")
        return JSONResponse(words_for(language_of(request), part if part in PARTS else ""))

    async def rules(self, request: Request) -> Response:
        """Give the rules of a box to read, or those agreed in a room to whoever knows its link."""
        asked, lang = request.query_params, language_of(request)
        if room := asked.get("room"):
            agreed = (await self.house.host.desk(room)).room.settings
            edition = edition_of(agreed.edition, agreed.house)
            return JSONResponse(await asyncio.to_thread(leaflet, edition, agreed.text, agreed.switches, lang))
        edition = load_box(asked.get("edition", ""))
        text = edition.text_for(asked.get("text"), None)
        switches = read_switches(tuple(asked.getlist("set")), VALUES[edition.family])
        return JSONResponse(leaflet(edition, text, switches, lang))

    async def rooms(self, request: Request) -> Response:
        """Say of some rooms how they stand, as far as they are this device's."""
        owner, found = owner_of(request) or "", []
        for name in request.query_params.get("ids", "").split(",")[:MOST_ASKED]:
            with contextlib.suppress(RoomUnknown):
                found.append(await self.room_line(name, owner))
        return JSONResponse([line for line in found if line["yours"]])

    async def room_line(self, name: str, owner: str) -> dict[str, object]:
        """Say in one line how a room stands."""
        desk = await self.house.host.desk(name)
        room, table = desk.room, desk.table
        mine = room.seats_of(owner)
        turn = table.state.player if room.running and table and not table.replay.over else None
        return {
            "room": name,
            "edition": room.settings.edition,
            "title": edition_of(room.settings.edition, room.settings.house).title,
            "running": room.running,
            "over": bool(table) and not room.running and len(room.totals) >= room.settings.games,
            "names": [chair.name for chair in room.chairs],
            "game": room.game,
            "yours": bool(mine),
            "turn": room.chairs[turn].name if turn is not None else None,
            "your_turn": turn in mine,
        }

    async def house_rules(self, request: Request) -> Response:
        """Read a house-rule file, and describe it like a box; others are served meanwhile."""
        if not self.house.house_rules:
            return said(HouseRulesClosed(), request, 403)
        self.house.door.bring_file(owner_of(request) or "", request.client.host if request.client else "")
        name = request.query_params.get("name", "house")[:80]
        content = await brought(request, name)
        async with self.house.host.study.reading:
            return JSONResponse(await asyncio.to_thread(house_card, content, name, language_of(request)))

    async def record(self, request: Request) -> Response:
        """Give the record of a game; its seeds are in it after the end."""
        content = await exported(self.house.host.store, request.path_params["game"])
        return Response(content, media_type="application/x-knobel")

    async def qr(self, request: Request) -> Response:
        """Draw the link to a room."""
        room = request.path_params["room"]
        await self.house.host.desk(room)
        base = self.house.lan or f"{request.url.scheme}://{request.headers['host']}"
        picture = BytesIO()
        segno.make(f"{base}/room/{room}", error="m").save(picture, kind="svg", scale=4, border=2, light="#fff")
        return Response(picture.getvalue(), media_type="image/svg+xml")

    async def schema(self, _: Request) -> Response:
        """Describe every message of the socket."""
        return Response(msgspec.json.encode(schema()), media_type="application/schema+json")

    async def socket(self, socket: WebSocket) -> None:
        """Talk with a client of this house's own pages."""
        owner, door = owner_of(socket), self.house.door
        if owner is None or not from_own_page(socket):
            await socket.send_denial_response(PlainTextResponse("", 403))
            return
        await socket.accept()
        client = Client(owner, language_of(socket))
        if not door.let_in(owner):
            why = Words(client.lang).error(PagesTooMany(n=MOST_SOCKETS))
            await socket.close(SLOW, why.encode()[:REASON].decode(errors="ignore"))
            return
        try:
            await Talk(socket, client, self.house.rooms, self.house.host, door, self.house.house_rules).run()
        finally:
            door.let_out(owner)

    async def no_socket(self, socket: WebSocket) -> None:
        """There is one socket in this house, and it is elsewhere."""
        await socket.send_denial_response(PlainTextResponse("", 404))
