"""The pages and files of the house, its socket, and the guards at the door."""

import contextlib
import hashlib
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import segno
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from knobel.errors import GameUnknown, KnobelError, RoomUnknown
from knobel.host import Host
from knobel.host.keeping import exported
from knobel.lang import LANGUAGES, NORWEGIAN, Words
from knobel.room.chairs import edition_of, load_box
from knobel.rules import read_house
from knobel.rules.limits import BYTES
from knobel.rules.switches import VALUES, read_switches
from knobel.web.cards import card, editions_for, hello, leaflet, words_for
from knobel.web.rooms import Client, Rooms
from knobel.web.talk import Talk
from knobel.web.wire import schema

STATIC = Path(__file__).parent / "static"
COOKIE = "knobel"
TOKEN_BYTES = 32
YEAR = 365 * 86400
MOST_ASKED = 20
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
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
        Route("/api/hello", pages.hello),
        Route("/api/editions", pages.editions),
        Route("/api/words", pages.words),
        Route("/api/rules", pages.rules),
        Route("/api/rooms", pages.rooms),
        Route("/api/house", pages.house_rules, methods=["POST"]),
        Route("/games/{game}.knobel", pages.record),
        Route("/qr/{room}.svg", pages.qr),
        Route("/schema.json", pages.schema),
        WebSocketRoute("/ws", pages.socket),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return Guard(Starlette(routes=routes, lifespan=living, exception_handlers={KnobelError: refused}), house.names)


async def refused(request: Request, error: Exception) -> Response:
    """Say in one line what went wrong."""
    if not isinstance(error, KnobelError):
        raise error
    status = 404 if isinstance(error, RoomUnknown | GameUnknown) else 400
    return JSONResponse({"code": error.code, "text": Words(language_of(request)).error(error)}, status)


class Guard:
    """Stands at the door: only names of this house, and its own headers on every answer."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self.app = app
        self.names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or not."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        name = host_name(HTTPConnection(scope).headers.get("host", ""))
        if name not in self.names:
            await PlainTextResponse("", 421)(scope, receive, send)
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
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

        await self.app(scope, receive, marked)


def host_name(value: str) -> str:
    """Take the name out of a Host header, without its port; what is no name is nobody's."""
    try:
        return (urlsplit(f"//{value}").hostname or "").rstrip(".") if "/" not in value else ""
    except ValueError:
        return ""


def owner_of(connection: HTTPConnection) -> str | None:
    """Name the device by the hash of its secret; the secret itself is kept nowhere."""
    token = connection.cookies.get(COOKIE, "")
    return hashlib.sha256(token.encode()).hexdigest() if len(token) == 2 * TOKEN_BYTES else None


def language_of(connection: HTTPConnection) -> str:
    """Choose the language: the one asked for, else the browser's, else English."""
    wishes = [connection.query_params.get("lang", "")]
    wishes += [part.partition(";")[0] for part in connection.headers.get("accept-language", "").split(",")]
    for wish in wishes:
        code = wish.strip().partition("-")[0].lower()
        if (lang := NORWEGIAN.get(code, code)) in LANGUAGES:
            return lang
    return "en"


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
        return JSONResponse(editions_for(language_of(request)))

    async def words(self, request: Request) -> Response:
        """Give the browser its words."""
        return JSONResponse(words_for(language_of(request)))

    async def rules(self, request: Request) -> Response:
        """Give the rules of a box to read."""
        asked = request.query_params
        edition = load_box(asked.get("edition", ""))
        text = edition.text_for(asked.get("text"), None)
        switches = read_switches(tuple(asked.getlist("set")), VALUES[edition.family])
        return JSONResponse(leaflet(edition, text, switches, language_of(request)))

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
            "yours": bool(mine),
            "turn": room.chairs[turn].name if turn is not None else None,
            "your_turn": turn in mine,
        }

    async def house_rules(self, request: Request) -> Response:
        """Read a house-rule file, and describe it like a box."""
        if not self.house.house_rules:
            return JSONResponse({}, 404)
        content = b""
        async for part in request.stream():
            content += part
            if len(content) > BYTES:
                break
        edition = read_house(content, request.query_params.get("name", "house")[:80])
        return JSONResponse(card(edition, language_of(request)))

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
        owner = owner_of(socket)
        _, _, origin = socket.headers.get("origin", "").partition("://")
        if owner is None or origin != socket.headers.get("host"):
            await socket.close(1008)
            return
        await socket.accept()
        client = Client(owner, language_of(socket))
        await Talk(socket, client, self.house.rooms, self.house.host, self.house.house_rules).run()
