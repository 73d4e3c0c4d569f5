"""Tournaments over HTTP: everybody with the link may look, the browser that created one may change it."""

import asyncio
from typing import Annotated, Literal

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from knobel.errors import FileTooLarge, KnobelError
from knobel.host import Host
from knobel.host.hosted_tournament import (
    FinishedRound,
    HostedTournament,
    RoundNumber,
    TournamentChange,
    build_tournament,
    clean_players,
)
from knobel.host.tournament_file import MAX_BYTES, read_tournament, write_tournament
from knobel.host.tournaments import TournamentService, TournamentState, pair_next
from knobel.rooms.intents import ChangeSettings, PlayerName, ShortText
from knobel.rooms.room import open_edition
from knobel.rules.fields import abbreviate
from knobel.tournament.pairing import MAX_PLAYERS
from knobel.tournament.standings import Pair, score_pair
from knobel.tournament.tournament import Tournament
from knobel.web.device_requests import DeviceRequests
from knobel.web.house_rules import HouseRulesFiles
from knobel.web.rate_limits import RateLimits
from knobel.web.requests import decode_request, get_address, identify_device, read_body
from knobel.web.wire import CommandId

MAX_REQUEST = 2 * MAX_BYTES
"""A file as a JSON string is longer than the file."""


class TournamentRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Create a tournament; the same id again gives the same one.

    Without a number of rounds there are as many as usual. With a `file` everything but the settings is read from it.
    """

    id: CommandId
    settings: ChangeSettings
    title: Annotated[str, Meta(max_length=200)] = ""
    system: Literal["swiss", "round_robin"] = "swiss"
    rounds: RoundNumber | None = None
    players: Annotated[tuple[PlayerName, ...], Meta(max_length=4 * MAX_PLAYERS)] = ()
    file: Annotated[str, Meta(max_length=MAX_BYTES)] | None = None
    file_name: ShortText = ""


class TournamentChangeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Change a tournament of which this version was seen."""

    version: Annotated[int, Meta(ge=1)]
    change: TournamentChange


class TournamentRequests:
    """Creates, shows and changes tournaments."""

    def __init__(
        self, host: Host, devices: DeviceRequests, rate_limits: RateLimits, house_rules: HouseRulesFiles
    ) -> None:
        self.service = TournamentService(host, house_rules.resolve_settings)
        self.devices = devices
        self.rate_limits = rate_limits
        self.house_rules = house_rules

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/tournaments", self.create, methods=["POST"]),
            Route("/api/tournaments", self.list_own),
            Route("/api/tournaments/{tournament}", self.change, methods=["POST"]),
            Route("/api/tournaments/{tournament}", self.show),
            Route("/tournaments/{tournament}.toml", self.export),
        ]

    async def create(self, request: Request) -> Response:
        """Create a tournament, from a form or from a file."""
        device, body = await self.devices.identify(request), await read_body(request, MAX_REQUEST)
        if body is None:
            raise FileTooLarge(file=abbreviate(request.query_params.get("name", "")) or "…", limit=MAX_BYTES)
        asked = decode_request(body, TournamentRequest)
        self.rate_limits.count_room(device, get_address(request))
        resolved = await self.house_rules.resolve_settings(asked.settings)
        await self.service.host.house_rules_reader.read_intent(resolved)
        tournament = await asyncio.to_thread(read_asked, asked)
        created = build_tournament(tournament, asked.settings, resolved)
        return JSONResponse({"tournament": await self.service.create(device, asked.id, created)})

    async def list_own(self, request: Request) -> Response:
        """List the tournaments that this device may change."""
        found = await self.service.list_own(await self.devices.identify(request))
        return JSONResponse([{"id": key, **describe_progress(one)} for key, one in found])

    async def show(self, request: Request) -> Response:
        """Show a tournament to everybody who has its link."""
        device = await self.devices.identify(request) if identify_device(request) else None
        state = await self.service.find(request.path_params["tournament"])
        return JSONResponse(await self.describe(state, state.stored.identity == device))

    async def change(self, request: Request) -> Response:
        """Change a tournament, and show it as it is then."""
        device, body = await self.devices.identify(request), await read_body(request, MAX_REQUEST)
        asked = decode_request(body or b"", TournamentChangeRequest)
        tournament_id = request.path_params["tournament"]
        self.rate_limits.count_draft(device, get_address(request))
        await self.service.change(device, tournament_id, asked.version, asked.change)
        state = await self.service.find(tournament_id)
        return JSONResponse(await self.describe(state, True))

    async def export(self, request: Request) -> Response:
        """Give a tournament as a file, for `knobel tournament` and other servers."""
        state = await self.service.find(request.path_params["tournament"])
        return Response(write_tournament(state.tournament.plain), media_type="application/toml; charset=utf-8")

    async def describe(self, state: TournamentState, is_host: bool) -> dict[str, object]:
        """Describe a tournament for its page."""
        tournament = state.tournament
        plain = tournament.plain
        is_paired = tournament.current is None and not plain.is_over
        pairs = await asyncio.to_thread(pair_next, plain) if is_paired else ()
        return {
            "id": state.stored.id,
            "version": state.stored.version,
            "is_host": is_host,
            **describe_progress(tournament),
            "edition": await self.name_edition(tournament),
            "players": tournament.players,
            "absent": tournament.absent,
            "can_add": tournament.can_add_players,
            "current": describe_current(state),
            "next": [list_pair(pair) for pair in pairs],
            "results": [describe_round(one) for one in tournament.played],
            "standings": describe_standings(plain),
        }

    async def name_edition(self, tournament: HostedTournament) -> str:
        """Name what is played; house rules that cannot be read any more have their id."""
        try:
            resolved = await self.house_rules.resolve_settings(tournament.settings)
            return open_edition(resolved.edition, resolved.house_rules).title
        except KnobelError:
            return tournament.settings.edition


def read_asked(asked: TournamentRequest) -> Tournament:
    """Read a tournament from a request: from its file, else from its form."""
    if asked.file is not None:
        name = abbreviate(asked.file_name) or "tournament.toml"
        return read_tournament(asked.file.encode(), name, asked.title or name.removesuffix(".toml"))
    return Tournament(asked.title, asked.system, asked.rounds or 0, clean_players(asked.players))


def describe_progress(tournament: HostedTournament) -> dict[str, object]:
    return {
        "title": tournament.title,
        "system": tournament.system,
        "rounds": tournament.rounds,
        "played": len(tournament.played),
        "over": tournament.plain.is_over,
    }


def list_pair(pair: Pair) -> list[int]:
    return [player for player in pair if player is not None]


def describe_current(state: TournamentState) -> dict[str, object] | None:
    """Describe the round that is being played: its room, and who has not taken a seat there yet."""
    current, room = state.tournament.current, state.room
    if current is None:
        return None
    return {
        "pairs": [list_pair(pair) for pair in current.pairs],
        "room": current.room if room else None,
        "code": room.code if room else None,
        "running": bool(room and room.running),
        "missing": [seat.name for seat in room.seats if seat.offered] if room else [],
    }


def describe_round(one: FinishedRound) -> dict[str, object]:
    return {
        "pairs": [list_pair(pair) for pair in one.pairs],
        "points": [list(score_pair(pair, one.totals))[: len(list_pair(pair))] for pair in one.pairs],
        "totals": one.totals,
        "game": one.game,
        "corrected": one.corrected,
        "strangers": one.strangers,
    }


def describe_standings(plain: Tournament) -> list[dict[str, object]]:
    return [
        {
            "player": one.player,
            "place": one.place,
            "points": one.points,
            "buchholz": one.buchholz,
            "difference": one.difference,
            "total": one.total,
        }
        for one in plain.standings
    ]
