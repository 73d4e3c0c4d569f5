"""The coach's window: reviews and positions of games that are over, hints and ledgers at the table."""

from collections.abc import Callable
from operator import attrgetter

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

from knobel.host.coach_service import CoachService
from knobel.lang import Translator
from knobel.record.track import Step
from knobel.rooms.room import NextGame, Room, Settings
from knobel.table import Table
from knobel.web.messages import encode_message, encode_position, encode_setup, format_sentence, localize_game
from knobel.web.wire import HintMessage, HintMove, LedgerMessage

EMPTY_ROOM = Room("", "", Settings("", ""), NextGame("", "", ""))
"""Where a game is looked at that nobody plays any more."""
LanguageChooser = Callable[[HTTPConnection], str]


class ReviewPages:
    """What can be asked about games that are over."""

    def __init__(self, coaching: CoachService, choose_language: LanguageChooser) -> None:
        self.coaching = coaching
        self.choose_language = choose_language

    @property
    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/api/games/{game}/review", self.get_review),
            Route("/api/games/{game}/at/{event:int}", self.get_position),
        ]

    async def get_review(self, request: Request) -> Response:
        """Give the coach's review of one seat."""
        from knobel.coach.serialize import serialize_review

        asked = request.query_params.get("seat", "")
        seat = int(asked) if asked.isdecimal() and len(asked) < 3 else None
        table, found = await self.coaching.review_seat(request.path_params["game"], seat)
        lang = self.choose_language(request)
        words = localize_game(table, lang).words
        return build_json_response(
            {
                "game": table.header.game,
                "title": table.header.edition.title,
                "publisher": table.header.edition.publisher,
                "family": table.header.rules.get("game", "sheet"),
                "block": msgspec.Raw(encode_setup(table, lang).encode()),
                "seats": describe_seats(table),
                "seat": found.seat,
                "events": len(table.events),
                "stops": list_stops(table),
                "assisted": found.seat in table.replay.attendance.assisted,
                "names": name_grades(words),
                "class": format_sentence(words(f"coach.class.{found.rating}")),
                "review": serialize_review(found, lambda what: format_sentence(words.translate(what)), separator=" "),
            }
        )

    async def get_position(self, request: Request) -> Response:
        """Show where a game stood after an event, as somebody without a seat saw it."""
        game, event = request.path_params["game"], request.path_params["event"]
        table = await self.coaching.load_position(game, event)
        seen = encode_position(EMPTY_ROOM, table, self.choose_language(request), find_last_step(table))
        return build_json_response({"position": msgspec.Raw(seen.encode())})


def find_last_step(table: Table) -> tuple[Step, ...]:
    """Give the last thing that was done, if it stands."""
    steps = [lane.steps[-1] for lane in table.replay.tracks if lane.steps]
    last = max(steps, key=attrgetter("number"), default=None)
    return (last,) if last is not None and last.number == table.replay.count else ()


def build_json_response(content: object) -> Response:
    """Answer with what never changes."""
    return Response(msgspec.json.encode(content), media_type="application/json")


def name_grades(words: Translator) -> dict[str, str]:
    """Name the grades of decisions and of luck as the coach does everywhere."""
    from knobel.coach.grades import DECISION_GRADES, LUCK_GRADES

    grades = {grade: words(f"coach.grade.{grade}") for _, grade in DECISION_GRADES}
    return grades | {luck: words(f"coach.luck.{luck}") for luck in LUCK_GRADES}


def describe_seats(table: Table) -> list[dict[str, object]]:
    """Say who played."""
    return [
        {"name": seat.name, "bot": seat.bot, "assisted": place in table.replay.attendance.assisted}
        for place, seat in enumerate(table.header.seats)
    ]


def list_stops(table: Table) -> list[int]:
    """List the events after which there is something to look at: whatever stands, and the beginning."""
    return [0, *sorted({step.number for lane in table.replay.tracks for step in lane.steps})]


async def build_hint(coaching: CoachService, device: str, lang: str, command: str, room: str, seat: int) -> str:
    """Say what is best for a seat just now."""
    table, unit, found = await coaching.advise(room, device, command, seat)
    words = localize_game(table, lang).words
    moves = tuple(
        HintMove(one.action, format_sentence(words.translate(one.text)), one.value, one.loss, one.grade)
        for one in found
    )
    return encode_message(HintMessage(command, room, seat, table.replay.track(seat).ply, unit, moves))


async def build_ledger(coaching: CoachService, device: str, command: str, room: str, seat: int) -> str:
    """Say how a seat stands so far."""
    found = await coaching.compute_ledger(room, device, command, seat)
    return encode_message(
        LedgerMessage(command, room, seat, found.unit, found.par, found.luck, found.lost, found.final)
    )
