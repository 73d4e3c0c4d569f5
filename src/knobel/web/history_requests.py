"""Games that are over, over HTTP, and what the home page remembers."""

import re
from collections.abc import Collection, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from knobel.errors import MessageMalformed, PersonUnknown
from knobel.host.home import HomeMemory, LastTable, PlayedEdition, list_last_players
from knobel.host.play_history import HistoryGame, PlayHistory
from knobel.rooms.inks import choose_inks
from knobel.rooms.intents import ChangeSettings
from knobel.store.people import GameFilter, NamedResult
from knobel.web.device_requests import DeviceRequests
from knobel.web.people_requests import describe_known
from knobel.web.room_descriptions import RoomDescriptions

DEFAULT_GAMES, MAX_GAMES = 30, 100
CURSOR_PATTERN = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)~([\w.:-]{1,80})")
MOMENT_PATTERN = re.compile(r"\d{1,12}(?:\.\d{1,9})?")
RESULTS: Mapping[str, bool | None] = {"": None, "won": True, "lost": False}
MAX_FILTER = 80
THOUSANDTHS = 1000
TABLES_AGAIN = 20
"""From how many games the players of the home page are taken."""


class HistoryRequests:
    """Answers what was played, to the devices whose people played it."""

    def __init__(
        self, history: PlayHistory, home: HomeMemory, devices: DeviceRequests, rooms: RoomDescriptions
    ) -> None:
        self.history = history
        self.home = home
        self.devices = devices
        self.rooms = rooms

    @property
    def routes(self) -> list[BaseRoute]:
        return [Route("/api/history", self.get_history), Route("/api/home", self.get_home)]

    async def get_history(self, request: Request) -> Response:
        identity, wanted = await self.devices.identify(request), read_filter(request)
        if request.query_params.get("everybody"):
            if not self.history.is_open:
                raise PersonUnknown
            own = await self.history.list_own_people(identity)
            games, cursor = await self.history.list_all_games(wanted, own)
        else:
            games, cursor = await self.history.list_games(identity, wanted)
        described = [describe_game(game, wanted.person) for game in games]
        return JSONResponse({"games": described, "next": None if cursor is None else write_cursor(cursor)})

    async def get_home(self, request: Request) -> Response:
        identity = await self.devices.identify(request)
        people = await self.home.list_people(identity)
        ids = [one.person.id for one in people]
        recent = await self.home.list_recent_games(identity, TABLES_AGAIN)
        again = await self.home.find_last_table(recent)
        unfinished = await self.rooms.describe_all(await self.home.list_unfinished_rooms(ids), identity)
        return JSONResponse(
            {
                "people": [describe_known(one) for one in people if not one.person.is_hidden],
                "unfinished": [room for room in unfinished if room["running"]],
                "recent": [describe_game(game) for game in recent[:5]],
                "editions": [describe_edition(one) for one in await self.home.list_editions(ids)],
                "players": [describe_player(one, ids) for one in list_last_players(recent)],
                "again": None if again is None else describe_again(again),
            }
        )


def read_filter(request: Request) -> GameFilter:
    """Read which games are asked for; what cannot be read is malformed."""
    asked = request.query_params
    person, edition, other = (asked.get(name, "") for name in ("person", "edition", "with"))
    result, limit = asked.get("result", ""), asked.get("limit", str(DEFAULT_GAMES))
    if any(len(text) > MAX_FILTER or "\0" in text for text in (person, edition, other)) or result not in RESULTS:
        raise MessageMalformed
    if not re.fullmatch(r"\d{1,3}", limit) or not 1 <= int(limit) <= MAX_GAMES:
        raise MessageMalformed
    plain = GameFilter()
    return GameFilter(
        person,
        edition,
        other,
        won=RESULTS[result],
        since=read_moment(asked.get("since"), plain.since),
        until=read_moment(asked.get("until"), plain.until),
        before=read_cursor(asked.get("before"), plain.before),
        limit=int(limit),
    )


def read_moment(text: str | None, default: float) -> float:
    """Read a moment in seconds since 1970."""
    if not text:
        return default
    if not MOMENT_PATTERN.fullmatch(text):
        raise MessageMalformed
    return float(text)


def read_cursor(text: str | None, default: tuple[float, str]) -> tuple[float, str]:
    if not text:
        return default
    if not (found := CURSOR_PATTERN.fullmatch(text)):
        raise MessageMalformed
    return float(found[1]), found[2]


def write_cursor(cursor: tuple[float, str]) -> str:
    return f"{cursor[0]}~{cursor[1]}"


def describe_game(game: HistoryGame, person: str = "") -> dict[str, object]:
    """Describe a game; luck and points lost are those of the person asked about, else of the first of one's own."""
    first = game.results[0].row
    mine = [one.row for one in game.results if one.row.person == person or (not person and one.row.person in game.own)]
    asked = mine[0] if mine else None
    return {
        "id": first.game,
        "room": first.room,
        "edition": first.edition,
        "title": first.title,
        "text": first.text,
        "family": first.family,
        "ended": first.ended,
        "players": first.players,
        "practice": bool(first.practice),
        "free": bool(first.free),
        "imported": bool(first.imported),
        "has_moves": game.has_moves,
        "seats": [
            describe_result(*seat, game.own) for seat in zip(game.results, choose_inks(game.results), strict=True)
        ],
        "lost": asked and to_points(asked.lost),
        "luck": asked and to_points(asked.luck),
        "level": asked and asked.level,
        "reviewed": bool(asked and asked.reviewed),
    }


def describe_result(one: NamedResult, inks: tuple[int, int], own: frozenset[str]) -> dict[str, object]:
    row = one.row
    return {
        "seat": row.seat,
        "name": one.name,
        "person": one.show_person(own),
        "colour": inks[0],
        "emblem": inks[1],
        "bot": row.bot,
        "total": row.total,
        "place": row.place,
        "you": row.person is not None and row.person in own,
        "assisted": bool(row.assisted),
        "real_dice": bool(row.real_dice),
        "lost": to_points(row.lost),
        "luck": to_points(row.luck),
    }


def to_points(thousandths: int | None) -> float | None:
    return None if thousandths is None else thousandths / THOUSANDTHS


def describe_edition(one: PlayedEdition) -> dict[str, object]:
    return {"edition": one.edition, "title": one.title, "games": one.games, "last": one.last}


def describe_player(one: NamedResult, own: Collection[str]) -> dict[str, object]:
    return {
        "name": one.name,
        "person": one.show_person(own),
        "colour": one.colour,
        "emblem": one.emblem,
        "bot": one.row.bot,
    }


def describe_again(last: LastTable) -> dict[str, object]:
    """Describe the last table so that a room can be opened with it: the seats of this device and the bots."""
    settings = last.settings
    wanted = ChangeSettings(
        settings.edition,
        settings.text,
        settings.switches,
        settings.games,
        last.house_rules,
        settings.free,
        settings.pace,
        settings.start,
        duplicate=settings.duplicate,
    )
    seats = list[dict[str, object]]()
    for one, seat in zip(last.game.results, last.header.seats, strict=False):
        if seat.bot is not None:
            seats.append({"want": "sit_bot", "bot": seat.bot, "name": one.name})
        elif one.row.person in last.game.own:
            given = {"beginner": seat.beginner, "real_dice": seat.real_dice, "person": one.row.person}
            seats.append({"want": "sit", "name": one.name, **given})
    return {
        "title": last.header.edition.title,
        "edition": settings.edition,
        "text": settings.text,
        "names": [one.name for one in last.game.results],
        "settings": {name: getattr(wanted, name) for name in wanted.__struct_fields__}
        | {"want": "settle", "move_seconds": settings.move_seconds},
        "seats": seats,
    }
