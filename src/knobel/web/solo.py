"""The record chase and handicaps from past games, for the devices they concern."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from knobel.errors import NotHost
from knobel.host import Host
from knobel.host.record_chase import RecordChase, compute_chance, find_record_chase, list_points_lost
from knobel.lang import Translator
from knobel.series import suggest_handicaps
from knobel.web.device_requests import DeviceRequests
from knobel.web.requests import choose_language


@dataclass(frozen=True)
class SoloRequests:
    """Answers about past games: to the player alone, and to the host who agrees on handicaps."""

    host: Host
    devices: DeviceRequests

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/rooms/{room}/chase", self.get_chase),
            Route("/api/rooms/{room}/handicaps", self.get_handicaps),
        ]

    async def get_chase(self, request: Request) -> Response:
        """Say how a game for one stands against its player's best; null where there is no such chase."""
        device = await self.devices.identify(request)
        session = await self.host.find_session(request.path_params["room"])
        room, table = session.room, session.table
        if table is None or not room.has_seat(device, 0):
            return JSONResponse({"chase": None})
        chase = await find_record_chase(self.host.store, room, table)
        if chase is None:
            return JSONResponse({"chase": None})
        found = None
        if chase.record is not None and chase.total is None:
            found = await compute_chance(self.host, table, chase.record)
        chance = None
        if found is not None:
            chance = {
                "chance": found.chance,
                "exact": found.is_exact,
                "greatest": found.greatest,
                "possible": found.is_possible,
            }
        words = Translator(choose_language(request))
        return JSONResponse({"chase": {**describe_chase(chase, table.header.game, words), "chance": chance}})

    async def get_handicaps(self, request: Request) -> Response:
        """Suggest a handicap for every seat, from what its player lost in past games; only to the host."""
        device = await self.devices.identify(request)
        room = (await self.host.find_session(request.path_params["room"])).room
        if device != room.host:
            raise NotHost
        lost = await list_points_lost(self.host.store, room)
        return JSONResponse({"points": suggest_handicaps(lost), "games": [len(games) for games in lost]})


def describe_chase(chase: RecordChase, game: str, words: Translator) -> dict[str, object]:
    return {
        "game": game,
        "record": chase.record,
        "total": chase.total,
        "beaten": chase.is_beaten,
        "best": [
            {
                "total": one.total,
                "date": words.format_date(one.ended_at),
                "assisted": one.assisted,
                "now": one.game == game,
            }
            for one in chase.best
        ],
    }
