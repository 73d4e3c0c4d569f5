"""The coach's window: reviews and positions of games that are over, hints and ledgers at the table."""

from collections.abc import Callable

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

from knobel.host.coaching import Coaching
from knobel.lang import Words
from knobel.record.lane import Step
from knobel.record.replay import number_of
from knobel.room.chairs import Coming, Room, Settings
from knobel.table import Table
from knobel.web.told import block_news, position_news, sentence, spoken, written
from knobel.web.wire import Hint, HintMove, Ledger

NO_ROOM = Room("", "", Settings("", ""), Coming("", "", ""))
"""Where a game is looked at that nobody plays any more."""
Tongue = Callable[[HTTPConnection], str]


class Reviews:
    """What can be asked about games that are over."""

    def __init__(self, coaching: Coaching, language_of: Tongue) -> None:
        self.coaching = coaching
        self.language_of = language_of

    @property
    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/api/games/{game}/review", self.review),
            Route("/api/games/{game}/at/{event:int}", self.position),
        ]

    async def review(self, request: Request) -> Response:
        """Give the coach's review of one seat."""
        from knobel.review.form import form

        asked = request.query_params.get("seat", "")
        seat = int(asked) if asked.isdecimal() and len(asked) < 3 else None
        table, found = await self.coaching.reviewed(request.path_params["game"], seat)
        lang = self.language_of(request)
        words = spoken(table, lang).words
        return answer(
            {
                "game": table.header.game,
                "title": table.header.edition.title,
                "publisher": table.header.edition.publisher,
                "family": table.header.rules.get("game", "sheet"),
                "block": msgspec.Raw(block_news(table, lang).encode()),
                "seats": seats_of(table),
                "seat": found.seat,
                "events": len(table.events),
                "stops": stops_of(table),
                "assisted": found.seat in table.replay.assisted,
                "names": names_of(words),
                "class": sentence(words(f"coach.class.{found.rating}")),
                "review": form(found, lambda what: sentence(words.say(what)), join=" "),
            }
        )

    async def position(self, request: Request) -> Response:
        """Show where a game stood after an event, as somebody without a seat saw it."""
        game, event = request.path_params["game"], request.path_params["event"]
        table = await self.coaching.stood_at(game, event)
        seen = position_news(NO_ROOM, table, self.language_of(request), last_of(table))
        return answer({"position": msgspec.Raw(seen.encode())})


def last_of(table: Table) -> tuple[Step, ...]:
    """Give the last thing that was done, if it stands."""
    steps = [lane.steps[-1] for lane in table.replay.lanes if lane.steps]
    last = max(steps, key=number_of, default=None)
    return (last,) if last is not None and last.number == table.replay.count else ()


def answer(content: object) -> Response:
    """Answer with what never changes."""
    return Response(msgspec.json.encode(content), media_type="application/json")


def names_of(words: Words) -> dict[str, str]:
    """Name the grades of decisions and of luck as the coach does everywhere."""
    from knobel.review.grades import DECISIONS, LUCKS

    grades = {grade: words(f"coach.grade.{grade}") for _, grade in DECISIONS}
    return grades | {luck: words(f"coach.luck.{luck}") for luck in LUCKS}


def seats_of(table: Table) -> list[dict[str, object]]:
    """Say who played."""
    return [
        {"name": seat.name, "bot": seat.bot, "assisted": place in table.replay.assisted}
        for place, seat in enumerate(table.header.seats)
    ]


def stops_of(table: Table) -> list[int]:
    """List the events after which there is something to look at: whatever stands, and the beginning."""
    return [0, *sorted({step.number for lane in table.replay.lanes for step in lane.steps})]


async def hint(coaching: Coaching, owner: str, lang: str, command: str, room: str, seat: int) -> str:
    """Say what is best for a seat just now."""
    table, unit, found = await coaching.advise(room, owner, command, seat)
    words = spoken(table, lang).words
    moves = tuple(HintMove(one.action, sentence(words.say(one.said)), one.value, one.loss, one.grade) for one in found)
    return written(Hint(command, room, seat, table.replay.lane(seat).ply, unit, moves))


async def running_ledger(coaching: Coaching, owner: str, command: str, room: str, seat: int) -> str:
    """Say how a seat stands so far."""
    found = await coaching.ledger(room, owner, command, seat)
    return written(Ledger(command, room, seat, found.unit, found.par, found.luck, found.lost, found.final))
