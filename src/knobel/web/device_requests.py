"""Who asks: the proof of a device, recovery codes, and a new beginning where the proof is lost."""

from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from knobel.errors import ForeignOrigin, WireOutdated
from knobel.host.devices import RECOVERY_SECONDS, DeviceProof, Devices
from knobel.web.hubs import RoomHubs
from knobel.web.rate_limits import RateLimits
from knobel.web.requests import get_address, identify_device, read_request, read_secret

GROUP = 5
"""How many letters of a recovery code are read at a time."""


class RecoveryRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Take over the seats of the browser that shows this code."""

    code: Annotated[str, Meta(max_length=32)]


class DeviceRequests:
    """Identifies devices, and moves their seats to other browsers."""

    def __init__(self, devices: Devices, hubs: RoomHubs, rate_limits: RateLimits) -> None:
        self.devices = devices
        self.hubs = hubs
        self.rate_limits = rate_limits

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/device/code", self.show_code, methods=["POST"]),
            Route("/api/device/recover", self.recover, methods=["POST"]),
            Route("/api/device/new", self.start_anew, methods=["POST"]),
        ]

    async def identify(self, connection: HTTPConnection) -> str:
        """Name whose seats somebody speaks for; a device that is new here is bound to its secret."""
        proof = require_proof(connection)
        found = await self.devices.find(proof)
        if found is None:
            self.rate_limits.count_device(get_address(connection))
            found = await self.devices.bind(proof)
        return found

    async def show_code(self, request: Request) -> Response:
        identity = await self.identify(request)
        self.rate_limits.count_recovery(identity, get_address(request))
        code = await self.devices.issue_code(identity)
        return JSONResponse({"code": f"{code[:GROUP]}-{code[GROUP:]}", "minutes": int(RECOVERY_SECONDS // 60)})

    async def recover(self, request: Request) -> Response:
        """Take over seats with a code; nobody may guess for long."""
        proof, asked = require_proof(request), await read_request(request, RecoveryRequest)
        self.rate_limits.count_code(proof.device, get_address(request))
        moved = await self.devices.redeem_code(proof, asked.code)
        self.rate_limits.refund_code(proof.device, get_address(request))
        self.hubs.disconnect(moved)
        return JSONResponse({})

    async def start_anew(self, request: Request) -> Response:
        proof = require_proof(request)
        self.rate_limits.count_recovery(proof.device, get_address(request))
        await self.devices.start_anew(proof)
        return JSONResponse({})


def require_proof(connection: HTTPConnection) -> DeviceProof:
    """Take the proof out of a request; a page that has no secret yet was made before there was one."""
    if (device := identify_device(connection)) is None:
        raise ForeignOrigin
    if (secret := read_secret(connection)) is None:
        raise WireOutdated
    return DeviceProof(device, secret)
