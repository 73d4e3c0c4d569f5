"""Opening and finding rooms over HTTP, before there is a socket."""

from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from knobel.host import Host
from knobel.host.continuation import continue_game
from knobel.rooms.intents import ChangeSettings, Sit, SitBot
from knobel.web.device_requests import DeviceRequests, require_proof
from knobel.web.house_rules import HouseRulesFiles
from knobel.web.rate_limits import RateLimits
from knobel.web.requests import decode_request, get_address, read_request, read_whole_body
from knobel.web.wire import CommandId, SeatIndex


class OpenRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Open a room with these seats; the same id again gives the same room."""

    id: CommandId
    settings: ChangeSettings
    seats: Annotated[tuple[Sit | SitBot, ...], Meta(max_length=99)] = ()


class ContinueRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Open a room in which a game that is over goes on after one of its events; the other seats are bots."""

    id: CommandId
    game: Annotated[str, Meta(max_length=64)]
    event: Annotated[int, Meta(ge=0, le=1_000_000)]
    seat: SeatIndex
    bot: Annotated[str, Meta(max_length=80)]


class CodeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Find the room with a code."""

    code: Annotated[str, Meta(max_length=16)]


class RoomRequests:
    """Opens and finds rooms, within the limits of a device and its address."""

    def __init__(
        self, host: Host, devices: DeviceRequests, rate_limits: RateLimits, house_rules: HouseRulesFiles
    ) -> None:
        self.host = host
        self.devices = devices
        self.rate_limits = rate_limits
        self.house_rules = house_rules

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/rooms", self.open_room, methods=["POST"]),
            Route("/api/rooms/from-game", self.continue_game, methods=["POST"]),
            Route("/api/codes", self.find_room, methods=["POST"]),
        ]

    async def open_room(self, request: Request) -> Response:
        device, body = await self.devices.identify(request), await read_whole_body(request)
        asked = decode_request(body, OpenRequest)
        self.rate_limits.count_room(device, get_address(request))
        settings = await self.house_rules.resolve_settings(asked.settings)
        room = await self.host.open_room(device, asked.id, settings, asked.seats, body=body)
        return JSONResponse({"room": room.id})

    async def continue_game(self, request: Request) -> Response:
        device, asked = await self.devices.identify(request), await read_request(request, ContinueRequest)
        self.rate_limits.count_room(device, get_address(request))
        room = await continue_game(self.host, device, asked.id, asked.game, asked.event, asked.seat, asked.bot)
        return JSONResponse({"room": room.id})

    async def find_room(self, request: Request) -> Response:
        """Find the room with a code; nobody may guess for long."""
        device, asked = require_proof(request).device, await read_request(request, CodeRequest)
        self.rate_limits.count_code(device, get_address(request))
        room_id = await self.host.find_room_by_code(asked.code)
        self.rate_limits.refund_code(device, get_address(request))
        return JSONResponse({"room": room_id})
