"""A duplicate game that is being played, for devices that replay it: the events a seat may see, and no others."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from knobel.errors import GameNotFound
from knobel.host import Host
from knobel.record.chain import encode_header
from knobel.record.duplicate import hide_turns, hides_turns, list_visible_events
from knobel.record.formats import FORMATS
from knobel.rules.fields import abbreviate
from knobel.table import Table
from knobel.web.coaching import build_json_response
from knobel.web.device_requests import DeviceRequests


class DuplicateRequests:
    """Answers devices that are no browsers about the game they play."""

    def __init__(self, host: Host, devices: DeviceRequests) -> None:
        self.host = host
        self.devices = devices

    @property
    def routes(self) -> list[BaseRoute]:
        return [Route("/api/games/{game}/visible", self.get_visible)]

    async def get_visible(self, request: Request) -> Response:
        """Give what the device that asks may see; a game that is over has a record instead."""
        device, game = await self.devices.identify(request), request.path_params["game"]
        stored = await self.host.store.find_game(game)
        if stored is None:
            raise GameNotFound(name=abbreviate(game))
        session = await self.host.find_session(stored.room_id)
        async with session.lock:
            await session.catch_up()
            table, viewer = session.table, next(iter(session.room.seats_of(device)), None)
        if table is None or table.header.game != game or not hides_turns(table.replay):
            raise GameNotFound(name=abbreviate(game))
        return build_json_response(describe_visible(table, viewer))


def describe_visible(table: Table, viewer: int | None) -> dict[str, object]:
    """Describe what a seat may see: the events, how often each column has changed, and how much that is in all."""
    encode = FORMATS[table.header.knobel].encode_event
    shown = hide_turns(table.replay, viewer)
    return {
        "header": encode_header(table.header),
        "names": [seat.name for seat in table.header.seats],
        "events": [msgspec.Raw(encode(one)) for one in list_visible_events(table.replay, table.events, viewer)],
        "plies": [track.ply for track in shown.tracks],
        "count": shown.count,
    }
