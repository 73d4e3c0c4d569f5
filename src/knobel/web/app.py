"""The application: pages, files and sockets, and the checks every request passes."""

import contextlib
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from knobel.errors import (
    DatabaseError,
    DeviceUnproven,
    ForeignOrigin,
    GameDamaged,
    GameNotFinished,
    GameNotFound,
    HouseRulesDisabled,
    KnobelError,
    PersonNotYours,
    PersonUnknown,
    RoomDamaged,
    RoomNotFound,
    ServerBusy,
    TooManyCodes,
    TooManyDevices,
    TooManyRooms,
    TournamentChanged,
    TournamentNotFound,
    TournamentNotYours,
)
from knobel.host import Host
from knobel.host.archive import export_record
from knobel.host.daily_record import is_daily_id, load_daily_table, name_daily_file
from knobel.host.home import HomeMemory
from knobel.host.play_history import PlayHistory
from knobel.host.reviewer import BackgroundReviewer
from knobel.lang import Translator
from knobel.record.file import encode_chained_record
from knobel.rules.fields import abbreviate
from knobel.web.coaching import ReviewPages
from knobel.web.daily_game import DailyGameRequests
from knobel.web.descriptions import (
    WORD_PARTS,
    describe_editions,
    describe_house_rules,
    describe_server,
    load_words,
)
from knobel.web.device_requests import DeviceRequests
from knobel.web.duplicate_requests import DuplicateRequests
from knobel.web.evening import EveningPages
from knobel.web.history_requests import HistoryRequests
from knobel.web.house_rule_form import HouseRuleForm
from knobel.web.house_rules import HouseRulesFiles
from knobel.web.hubs import RoomHubs
from knobel.web.lessons import LessonRequests
from knobel.web.messages import describe_refusal
from knobel.web.meters import ServerMeters
from knobel.web.offline import build_service_worker
from knobel.web.paper import Printer
from knobel.web.people_requests import PeopleRequests
from knobel.web.practice import PracticeRequests
from knobel.web.qr import draw_qr_picture
from knobel.web.rate_limits import RateLimits
from knobel.web.readiness import Readiness
from knobel.web.rendered import RenderedAnswers
from knobel.web.request_meter import RequestMeter, list_path_words
from knobel.web.requests import (
    COOKIE,
    TOKEN_BYTES,
    choose_language,
    get_address,
    identify_device,
    is_foreign_request,
    is_same_origin,
    parse_host,
    read_upload,
)
from knobel.web.room_descriptions import RoomDescriptions
from knobel.web.room_requests import RoomRequests
from knobel.web.rules_requests import RulesRequests
from knobel.web.schema import build_schema
from knobel.web.shared_limits import SharedLimits
from knobel.web.sockets import Sockets
from knobel.web.solo import SoloRequests
from knobel.web.statistics_requests import StatisticsRequests
from knobel.web.tournament_requests import TournamentRequests

STATIC = Path(__file__).parent / "static"
PAGE_PATHS = (
    *("/", "/room/{room}", "/room/{room}/screen", "/check/{game:path}", "/review/{game}", "/house-rules"),
    *("/games", "/people", "/statistics", "/practice", "/tournament", "/tournament/{tournament}"),
)
"""Addresses of the one page."""
SAFE_METHODS = ("GET", "HEAD")
YEAR_SECONDS = 365 * 86400
MAX_ROOM_IDS = 20
ERROR_STATUS: dict[type[KnobelError], int] = {
    RoomNotFound: 404,
    PersonUnknown: 404,
    PersonNotYours: 403,
    GameNotFound: 404,
    GameDamaged: 500,
    RoomDamaged: 500,
    GameNotFinished: 409,
    ForeignOrigin: 403,
    DeviceUnproven: 403,
    HouseRulesDisabled: 403,
    TooManyCodes: 429,
    TooManyDevices: 429,
    TooManyRooms: 429,
    ServerBusy: 503,
    TournamentNotFound: 404,
    TournamentNotYours: 403,
    TournamentChanged: 409,
}
"""What is no bad request."""
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
    """What the pages need: the host, the names this server is known by, and what is allowed here."""

    host: Host
    host_names: frozenset[str]
    lan_url: str | None = None
    house_rules: bool = True
    public_url: str | None = None
    """The address by which people elsewhere know this server, behind a proxy."""
    open_history: bool = False
    """Whether everybody may see the games and statistics of everybody."""
    exact_chances: bool = False
    """Whether exact chances to win are worked out beside the games."""
    log_json: bool = False
    """Whether every request is logged, for programs."""
    reviews: bool = True
    """Whether finished games are reviewed in the background: of several workers only one does it."""
    hubs: RoomHubs = field(init=False)
    readiness: Readiness = field(init=False)
    rate_limits: RateLimits = field(default_factory=RateLimits)
    files: HouseRulesFiles = field(init=False)
    devices: DeviceRequests = field(init=False)

    @property
    def link_base(self) -> str | None:
        """What links for others begin with: the public address, else that in the network."""
        return self.public_url or self.lan_url

    def __post_init__(self) -> None:
        object.__setattr__(self, "hubs", RoomHubs(self.host, exact_chances=self.exact_chances))
        self.hubs.receive_about_no_room = SharedLimits(self.host, self.rate_limits).receive
        object.__setattr__(self, "readiness", Readiness(self.host, self.hubs))
        object.__setattr__(self, "files", HouseRulesFiles(self.host))
        object.__setattr__(self, "devices", DeviceRequests(self.host.devices, self.hubs, self.rate_limits))


def build_app(context: AppContext) -> ASGIApp:
    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        context.host.tasks.spawn(context.host.registry.sweep())
        context.hubs.start()
        if context.reviews:
            context.host.tasks.spawn(BackgroundReviewer(context.hubs.coaching).run())
        yield
        pages.rendered.close()
        await context.host.close()

    pages, printer = Pages(context), Printer(context.host, choose_language)
    routes = [
        *(Route(path, pages.get_page) for path in PAGE_PATHS),
        Route("/api/hello", pages.get_hello),
        Route("/api/editions", pages.get_editions),
        Route("/api/words", pages.get_words),
        Route("/api/rooms", pages.get_rooms),
        *RulesRequests(context.host, pages.rendered).routes,
        *RoomRequests(context.host, context.devices, context.rate_limits, context.files).routes,
        *context.devices.routes,
        *list_people_routes(context, pages.rooms),
        *HouseRuleForm(context.host, context.rate_limits, context.house_rules).routes,
        Route("/api/house-rules", pages.post_house_rules, methods=["POST"]),
        Route("/games/{game}.knobel", pages.get_record),
        *printer.routes,
        *EveningPages(printer, context.hubs.coaching).routes,
        *SoloRequests(context.host, context.devices).routes,
        *ReviewPages(context.hubs.coaching, context.hubs.win_charts, choose_language).routes,
        *list_practice_routes(context),
        *DuplicateRequests(context.host, context.devices).routes,
        *TournamentRequests(context.host, context.devices, context.rate_limits, context.files).routes,
        Route("/qr/{room}.svg", pages.get_qr_code),
        Route("/qr/tournament/{tournament}.svg", pages.get_tournament_qr_code),
        Route("/schema.json", pages.get_schema),
        Route("/service-worker.js", get_service_worker),
        *Sockets(context.hubs, context.devices, context.rate_limits, context.files, context.public_url).routes,
        Mount("/static/fonts", PermanentFiles(directory=STATIC / "fonts")),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return wrap_app(Starlette(routes=routes, lifespan=lifespan, exception_handlers=list_handlers(context)), context)


def list_handlers(context: AppContext) -> dict[Any, Any]:
    return {KnobelError: partial(handle_error, context.hubs.meters), 404: handle_missing}


def wrap_app(app: Starlette, context: AppContext) -> ASGIApp:
    """Let in only what may come in, and count all of it."""
    checked = SecurityMiddleware(app, context.host_names, context.public_url)
    return RequestMeter(checked, context.hubs.meters, list_path_words(app.routes), context.log_json)


def list_practice_routes(context: AppContext) -> list[BaseRoute]:
    """List what is asked by those who practise."""
    practice = PracticeRequests(context.hubs.coaching, context.devices)
    return [*practice.routes, *LessonRequests(practice).routes, *DailyGameRequests(practice).routes]


def list_people_routes(context: AppContext, rooms: RoomDescriptions) -> list[BaseRoute]:
    """List what can be asked about people and their games."""
    host = context.host
    history = PlayHistory(host.store, host.statistics, context.open_history)
    home = HomeMemory(history, host.registry)
    people = PeopleRequests(host.people, home, host.statistics, context.devices, context.rate_limits, context.link_base)
    statistics = StatisticsRequests(history, context.devices)
    return [*people.routes, *HistoryRequests(history, home, context.devices, rooms).routes, *statistics.routes]


async def handle_error(meters: ServerMeters, request: Request, error: Exception) -> Response:
    """Describe the error in one line, and count it."""
    if not isinstance(error, KnobelError):
        raise error
    meters.errors[error.code] += 1
    return build_error_response(
        error, request, 503 if isinstance(error, DatabaseError) else ERROR_STATUS.get(type(error), 400)
    )


async def get_service_worker(_: Request) -> Response:
    """Serve the service worker from the root, so that it may look after every page."""
    return Response(build_service_worker(STATIC), media_type="text/javascript")


async def handle_missing(request: Request, _: Exception) -> Response:
    """Show whoever follows a dead link a page that says so; programs get a bare status."""
    if request.method in SAFE_METHODS and "text/html" in request.headers.get("accept", ""):
        return FileResponse(STATIC / "index.html", 404)
    return PlainTextResponse("", 404)


def is_secure(request: Request, public_url: str | None) -> bool:
    """Tell whether a page comes over https, perhaps through a proxy; beside it others may come over plain http."""
    scheme, _, public_host = (public_url or "").partition("://")
    asked = parse_host(request.headers.get("host", ""))
    return request.url.scheme == "https" or (scheme == "https" and asked == parse_host(public_host))


def build_error_response(error: KnobelError, connection: HTTPConnection, status: int) -> Response:
    """Answer with an error, in the language of the request."""
    return JSONResponse(describe_refusal(error, Translator(choose_language(connection))), status)


class PermanentFiles(StaticFiles):
    """Files whose names change with their content: whoever has one never asks again."""

    def file_response(self, *arguments: Any, **settings: Any) -> Response:
        answer = super().file_response(*arguments, **settings)
        answer.headers["Cache-Control"] = f"public, max-age={YEAR_SECONDS}, immutable"
        return answer


class SecurityMiddleware:
    """Lets in only requests for a name of this server, and changes only from its own pages; adds the headers."""

    def __init__(self, app: ASGIApp, host_names: frozenset[str], public_url: str | None = None) -> None:
        self.app = app
        self.host_names = host_names
        self.public_url = public_url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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
        elif is_foreign_request(connection) or (
            scope.get("method", "GET") not in SAFE_METHODS and not is_same_origin(connection, self.public_url)
        ):
            await build_error_response(ForeignOrigin(), connection, 403)(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)


class Pages:
    """Every page and file, by its address."""

    def __init__(self, context: AppContext) -> None:
        self.context = context
        self.rendered = RenderedAnswers()
        self.rooms = RoomDescriptions(context.host)

    async def get_page(self, request: Request) -> Response:
        """Serve the single page, and give the device a secret of its own."""
        answer = FileResponse(STATIC / "index.html")
        if identify_device(request) is None:
            token = secrets.token_hex(TOKEN_BYTES)
            secure = is_secure(request, self.context.public_url)
            answer.set_cookie(COOKIE, token, max_age=YEAR_SECONDS, httponly=True, samesite="lax", secure=secure)
        return answer

    async def get_hello(self, request: Request) -> Response:
        context = self.context
        told = describe_server(choose_language(request), context.link_base, context.house_rules, context.open_history)
        return JSONResponse(told)

    async def get_editions(self, request: Request) -> Response:
        lang = choose_language(request)
        return (await self.rendered.find(("editions", lang), lambda: describe_editions(lang))).respond(request)

    async def get_words(self, request: Request) -> Response:
        part = request.query_params.get("part", "")
        return JSONResponse(load_words(choose_language(request), part if part in WORD_PARTS else ""))

    async def get_rooms(self, request: Request) -> Response:
        """Say how some rooms stand, as far as this device has a seat there."""
        device = await self.context.devices.identify(request)
        room_ids = request.query_params.get("ids", "").split(",")[:MAX_ROOM_IDS]
        return JSONResponse(await self.rooms.describe_all(room_ids, device))

    async def post_house_rules(self, request: Request) -> Response:
        """Store a house-rule file and describe it like an edition; reading it holds nobody up."""
        if not self.context.house_rules:
            return build_error_response(HouseRulesDisabled(), request, 403)
        self.context.rate_limits.count_file(identify_device(request) or "", get_address(request))
        name = request.query_params.get("name", "house")[:80]
        content = await read_upload(request, name)
        reader = self.context.host.house_rules_reader
        described = await reader.run(describe_house_rules, content, name, choose_language(request))
        return JSONResponse({**described, "fingerprint": await self.context.files.keep(content.decode())})

    async def get_record(self, request: Request) -> Response:
        """Give the record of a game; its seeds are in it after the end."""
        store, game = self.context.host.store, request.path_params["game"]
        if not is_daily_id(game):
            return Response(await export_record(store, game), media_type="application/x-knobel")
        table = await load_daily_table(store, game)
        named = {"Content-Disposition": f'attachment; filename="{name_daily_file(game)}"'}
        return Response(encode_chained_record(table.record), 200, named, "application/x-knobel")

    async def get_qr_code(self, request: Request) -> Response:
        room = request.path_params["room"]
        await self.context.host.find_session(room)
        return await self.draw_link(request, f"/room/{room}")

    async def get_tournament_qr_code(self, request: Request) -> Response:
        tournament = request.path_params["tournament"]
        if await self.context.host.store.find_tournament(tournament) is None:
            raise TournamentNotFound(name=abbreviate(tournament))
        return await self.draw_link(request, f"/tournament/{tournament}")

    async def draw_link(self, request: Request, path: str) -> Response:
        """Draw the address of a page as a picture for phones."""
        base = self.context.link_base or f"{request.url.scheme}://{request.headers['host']}"
        url = f"{base}{path}"
        return (await self.rendered.find(("qr", url), lambda: draw_qr_picture(url), "image/svg+xml")).respond(request)

    async def get_schema(self, request: Request) -> Response:
        return (await self.rendered.find("schema", build_schema, "application/schema+json")).respond(request)
