"""What the coach answers: reviews and positions of games that are over, hints and ledgers during a game."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

from knobel.host.coach_service import CoachService
from knobel.host.duplicate_results import DuplicateResults
from knobel.host.seat_people import find_inks
from knobel.host.win_charts import WinChartService
from knobel.lang import Translator, format_sentence
from knobel.record.track import Step
from knobel.table import Table
from knobel.view.families import find_family_name
from knobel.web.messages import encode_game, encode_message, encode_position, localize_game
from knobel.web.wire import HintMessage, HintMove, LedgerMessage

if TYPE_CHECKING:
    from knobel.coach.ledger import Decision
    from knobel.coach.retry import RetryPosition

LanguageChooser = Callable[[HTTPConnection], str]


class ReviewPages:
    """What can be asked about games that are over."""

    def __init__(self, coaching: CoachService, win_charts: WinChartService, choose_language: LanguageChooser) -> None:
        self.coaching = coaching
        self.win_charts = win_charts
        self.duplicates = DuplicateResults(coaching)
        self.choose_language = choose_language

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/api/games/{game}/review", self.get_review),
            Route("/api/games/{game}/summary", self.get_summary),
            Route("/api/games/{game}/wins", self.get_win_chart),
            Route("/api/games/{game}/duplicate", self.get_duplicate),
            Route("/api/games/{game}/positions/{event:int}", self.get_position),
            Route("/api/games/{game}/decisions/{event:int}", self.get_decision),
        ]

    async def get_review(self, request: Request) -> Response:
        """Give the coach's review of one seat."""
        table, found = await self.coaching.review_seat(request.path_params["game"], read_seat(request))
        from knobel.coach.report import describe_play, name_level
        from knobel.coach.serialize import serialize_review
        from knobel.coach.summary import tell_luck_and_loss

        lang = self.choose_language(request)
        words = localize_game(table, lang).words
        return build_json_response(
            {
                "game": table.header.game,
                "title": table.header.edition.title,
                "publisher": table.header.edition.printed_by,
                "family": find_family_name(table),
                "setup": msgspec.Raw(encode_game(table, lang)),
                "seats": describe_seats(table, await find_inks(self.coaching.host.store, table)),
                "seat": found.seat,
                "events": len(table.events),
                "stops": list_stops(table),
                "assisted": found.seat in table.replay.attendance.assisted,
                "names": name_grades(words),
                "class": format_sentence(words.translate(name_level(found))),
                "level": [format_sentence(words.translate(one)) for one in describe_play(found)],
                "place": find_place(table, found.seat),
                "summary": format_sentence(words.translate(summary))
                if (summary := tell_luck_and_loss(found))
                else None,
                "review": serialize_review(found, lambda what: format_sentence(words.translate(what)), separator=" "),
            }
        )

    async def get_summary(self, request: Request) -> Response:
        """Give one sentence of the coach about one seat, if its book is solved."""
        table, said = await self.coaching.summarize_seat(request.path_params["game"], read_seat(request) or 0)
        words = localize_game(table, self.choose_language(request)).words
        return build_json_response({"text": None if said is None else format_sentence(words.translate(said))})

    async def get_duplicate(self, request: Request) -> Response:
        """Compare everybody who had the same dice: with the average, with par, and by points lost."""
        return build_json_response(await self.duplicates.find_result(request.path_params["game"]))

    async def get_win_chart(self, request: Request) -> Response:
        """Give everybody's chance to win through a game, for one seat; while it is worked out, how far that is."""
        game, at_levels = request.path_params["game"], request.query_params.get("levels") == "1"
        table, chart, progress = await self.win_charts.find_chart(game, at_levels)
        if chart is None:
            return build_json_response({"progress": progress, "chart": None})
        from knobel.coach.win_story import serialize_win_chart

        words, names = localize_game(table, self.choose_language(request)).words, table.header.seats
        seat = min(read_seat(request) or 0, len(names) - 1)
        shown = serialize_win_chart(
            chart,
            seat,
            [one.name or str(place) for place, one in enumerate(names, 1)],
            words.translate,
            at_levels,
        )
        return build_json_response({"progress": 1.0, "chart": shown})

    async def get_position(self, request: Request) -> Response:
        """Show where a game stood after an event, with the last thing that was done."""
        game, event = request.path_params["game"], request.path_params["event"]
        table = await self.coaching.load_position(game, event)
        seen = encode_position(table, self.choose_language(request), find_last_step(table))
        return build_json_response({"position": msgspec.Raw(seen)})

    async def get_decision(self, request: Request) -> Response:
        """Say what could be chosen at a decision; with an action, judge that choice."""
        game, event = request.path_params["game"], request.path_params["event"]
        seat, action = read_seat(request) or 0, request.query_params.get("action")
        lang = self.choose_language(request)
        if action is None:
            table, position = await self.coaching.describe_retry(game, seat, event)
            return build_json_response(serialize_retry(position, localize_game(table, lang).words))
        table, found, change = await self.coaching.judge_choice(game, seat, event, action)
        return build_json_response(serialize_choice(found, change, localize_game(table, lang).words))


def serialize_retry(position: "RetryPosition", words: Translator) -> dict[str, object]:
    return {
        "dice": position.dice,
        "locked": position.locked,
        "can_roll": position.can_roll,
        "choices": [
            {"action": one.action, "words": format_sentence(words.translate(one.text)).removesuffix(".")}
            for one in position.choices
        ],
    }


def serialize_choice(found: "Decision | None", change: float | None, words: Translator) -> dict[str, object]:
    """Serialize a judged choice; where there was no other, it is as good as can be."""
    return {
        "loss": found.loss if found else 0.0,
        "grade": found.grade if found else None,
        "played": format_sentence(words.translate(found.played)) if found else "",
        "best": format_sentence(words.translate(found.best)) if found else "",
        "why": " ".join(format_sentence(words.translate(one)) for one in found.reasons) if found else "",
        "win": change,
    }


def read_seat(request: Request) -> int | None:
    asked = request.query_params.get("seat", "")
    return int(asked) if asked.isdecimal() and len(asked) < 3 else None


def find_last_step(table: Table) -> tuple[Step, ...]:
    """Find the last thing that was done, unless it was undone."""
    steps = [track.steps[-1] for track in table.replay.tracks if track.steps]
    last = max(steps, key=attrgetter("number"), default=None)
    return (last,) if last is not None and last.number == table.replay.count else ()


def build_json_response(content: object) -> Response:
    return Response(msgspec.json.encode(content), media_type="application/json")


def name_grades(words: Translator) -> dict[str, str]:
    """Name the grades of decisions and of luck."""
    from knobel.coach.grades import DECISION_GRADES, LUCK_GRADES

    grades = {grade: words(f"coach.grade.{grade}") for _, grade in DECISION_GRADES}
    return grades | {luck: words(f"coach.luck.{luck}") for luck in LUCK_GRADES}


def describe_seats(table: Table, inks: Sequence[tuple[int, int]]) -> list[dict[str, object]]:
    return [
        {
            "name": seat.name,
            "bot": seat.bot,
            "assisted": place in table.replay.attendance.assisted,
            "colour": inks[place][0],
            "emblem": inks[place][1],
        }
        for place, seat in enumerate(table.header.seats)
    ]


def find_place(table: Table, seat: int) -> int | None:
    """Find the place of a seat once the game is over; whoever shares a place has the same."""
    outcome, before = table.replay.outcome, 0
    for group in outcome.places if outcome else ():
        if seat in group:
            return before + 1
        before += len(group)
    return None


def list_stops(table: Table) -> list[int]:
    """List the events after which there is something to look at: whatever stands, and the beginning."""
    return [0, *sorted({step.number for track in table.replay.tracks for step in track.steps})]


async def build_hint(coaching: CoachService, device: str, lang: str, command: str, room: str, seat: int) -> bytes:
    """Say what is best for a seat just now."""
    table, unit, found = await coaching.advise(room, device, command, seat)
    words = localize_game(table, lang).words
    moves = tuple(
        HintMove(one.action, format_sentence(words.translate(one.text)), one.value, one.loss, one.grade, one.win_change)
        for one in found
    )
    return encode_message(HintMessage(command, seat, table.replay.track(seat).ply, unit, moves))


async def build_ledger(coaching: CoachService, device: str, command: str, room: str, seat: int) -> bytes:
    """Say how a seat stands so far."""
    found = await coaching.compute_ledger(room, device, command, seat)
    wins = await coaching.sum_win_changes(room, seat)
    from knobel.coach.ledger import ROUNDS

    line = found.headlines[-1]
    unit = ROUNDS if line.kind == ROUNDS else found.unit
    return encode_message(LedgerMessage(command, seat, unit, line.par, line.luck, line.lost, line.final, *wins))
