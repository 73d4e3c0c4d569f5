"""The people of a device over HTTP: list, make, change, merge, delete, and hold one on another device, too."""

import asyncio
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from knobel.host.devices import RECOVERY_SECONDS
from knobel.host.home import HomeMemory, KnownPerson
from knobel.host.people import People, PersonChange
from knobel.host.statistics import StatisticsKeeper
from knobel.rooms.inks import INKS
from knobel.rooms.intents import PersonId, PlayerName
from knobel.store.people import StoredPerson
from knobel.web.device_requests import GROUP, DeviceRequests
from knobel.web.qr import embed_qr_picture
from knobel.web.rate_limits import RateLimits
from knobel.web.requests import get_address, read_request

Ink = Annotated[int, Meta(ge=0, lt=INKS)]


class PersonRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Make or change a person; what is not named stays, or is chosen."""

    name: PlayerName | UnsetType = UNSET
    colour: Ink | UnsetType = UNSET
    emblem: Ink | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET

    @property
    def change(self) -> PersonChange:
        return PersonChange(self.name, self.colour, self.emblem, self.hidden)


class MergeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Give all games of a person to another."""

    into: PersonId


class PersonCodeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Hold the person of a code, too."""

    code: Annotated[str, Meta(max_length=32)]


class PeopleRequests:
    """Answers about people, to the devices that hold them."""

    def __init__(
        self,
        people: People,
        home: HomeMemory,
        keeper: StatisticsKeeper,
        devices: DeviceRequests,
        rate_limits: RateLimits,
        link_base: str | None,
    ) -> None:
        self.people = people
        self.home = home
        self.keeper = keeper
        self.devices = devices
        self.rate_limits = rate_limits
        self.link_base = link_base

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/people", self.list_people, methods=["GET"]),
            Route("/api/people", self.create, methods=["POST"]),
            Route("/api/people/redeem", self.redeem, methods=["POST"]),
            Route("/api/people/{person}", self.change, methods=["POST"]),
            Route("/api/people/{person}/merge", self.merge, methods=["POST"]),
            Route("/api/people/{person}/delete", self.delete, methods=["POST"]),
            Route("/api/people/{person}/code", self.show_code, methods=["POST"]),
        ]

    async def list_people(self, request: Request) -> Response:
        identity = await self.devices.identify(request)
        return JSONResponse({"people": [describe_known(one) for one in await self.home.list_people(identity)]})

    async def create(self, request: Request) -> Response:
        identity, asked = await self.identify_writer(request), await read_request(request, PersonRequest)
        return JSONResponse(describe_person(await self.people.create(identity, asked.change)))

    async def change(self, request: Request) -> Response:
        identity, asked = await self.identify_writer(request), await read_request(request, PersonRequest)
        person = await self.people.change(identity, request.path_params["person"], asked.change)
        return JSONResponse(describe_person(person))

    async def merge(self, request: Request) -> Response:
        identity, asked = await self.identify_writer(request), await read_request(request, MergeRequest)
        await self.people.merge(identity, request.path_params["person"], asked.into)
        await self.keeper.catch_up()
        return JSONResponse({})

    async def delete(self, request: Request) -> Response:
        identity = await self.identify_writer(request)
        await self.people.delete(identity, request.path_params["person"])
        return JSONResponse({})

    async def show_code(self, request: Request) -> Response:
        """Show a code for another device, and an address that enters it; behind the # it is sent to no server."""
        identity = await self.devices.identify(request)
        self.rate_limits.count_recovery(identity, get_address(request))
        code = await self.people.issue_code(identity, request.path_params["person"])
        shown = f"{code[:GROUP]}-{code[GROUP:]}"
        base = self.link_base or f"{request.url.scheme}://{request.headers['host']}"
        link = f"{base}/people#{shown}"
        picture = await asyncio.to_thread(embed_qr_picture, link)
        return JSONResponse({"code": shown, "link": link, "picture": picture, "minutes": int(RECOVERY_SECONDS // 60)})

    async def redeem(self, request: Request) -> Response:
        """Hold the person of a code, too; nobody may guess for long."""
        identity, asked = await self.devices.identify(request), await read_request(request, PersonCodeRequest)
        self.rate_limits.count_code(identity, get_address(request))
        person = await self.people.redeem_code(identity, asked.code)
        self.rate_limits.refund_code(identity, get_address(request))
        return JSONResponse(describe_person(person))

    async def identify_writer(self, request: Request) -> str:
        """Name who changes something, within the limits for what stays stored."""
        identity = await self.devices.identify(request)
        self.rate_limits.count_file(identity, get_address(request))
        return identity


def describe_person(person: StoredPerson) -> dict[str, object]:
    return {
        "id": person.id,
        "name": person.name,
        "colour": person.colour,
        "emblem": person.emblem,
        "hidden": person.is_hidden,
        "created": person.created_at,
    }


def describe_known(known: KnownPerson) -> dict[str, object]:
    return {**describe_person(known.person), "games": known.games, "last": known.last}
