"""What is left of an evening, for whoever has the link of its room: its sheet with all games, and its certificate."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from knobel.errors import GameNotFound
from knobel.host.coach_service import CoachService
from knobel.host.evening_story import EveningRecord, add_highlights, load_evening, review_games, tell_evening
from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator
from knobel.paper.certificate import build_certificate
from knobel.paper.families import PrintJob, lay_out_games
from knobel.paper.several_games import PlayedGame
from knobel.rooms.names import clean_name
from knobel.rules.fields import abbreviate
from knobel.web.paper import Printer, print_cached

if TYPE_CHECKING:
    from knobel.paper.pad import PadLine, ScorePad


@dataclass(frozen=True)
class EveningPages:
    """The evening of a room, on paper and on the screen."""

    printer: Printer
    coaching: CoachService

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/rooms/{room}/certificate.pdf", self.get_certificate),
            Route("/rooms/{room}/sheet.pdf", self.get_printed_sheet),
            Route("/api/rooms/{room}/sheet", self.get_sheet),
        ]

    async def get_certificate(self, request: Request) -> Response:
        """Print the certificate, with what the coach says about games whose book is solved."""
        host, lang = self.printer.host, self.printer.choose_language(request)
        room = (await host.find_session(request.path_params["room"])).room
        evening = await load_evening(host.store, room)
        words = Translator(lang)
        story = tell_evening(evening)
        story = add_highlights(story, await review_games(self.coaching, evening.games), lang)
        date = "" if evening.opened_at is None else words.format_date(evening.opened_at)
        size = request.query_params.get("size", "a4")
        certificate = build_certificate(story, words, size, date)
        return await self.printer.respond_with_pdf(lambda: print_cached("certificate", certificate), "certificate")

    async def get_printed_sheet(self, request: Request) -> Response:
        job = await self.lay_out(request)
        return await self.printer.respond_with_pdf(lambda: print_cached(job.template, job.page), "evening")

    async def get_sheet(self, request: Request) -> Response:
        """Give the lines of the sheet for the screen: all columns of all its pages."""
        job = await self.lay_out(request)
        return JSONResponse(serialize_sheet(cast("ScorePad", job.page)))

    async def lay_out(self, request: Request) -> PrintJob:
        """Lay out the games of the edition that was played last on one sheet, of one player if one is named."""
        host = self.printer.host
        room = (await host.find_session(request.path_params["room"])).room
        evening = await load_evening(host.store, room)
        player = clean_name(request.query_params.get("player", "")) or None
        games = choose_games(evening.games, player)
        if not games:
            raise GameNotFound(name=abbreviate(room.id))
        words = Translator(self.printer.choose_language(request), rebuild_edition(games[0].record.header))
        return lay_out_games([PlayedGame(game.name, game.replay, game.chain_head) for game in games], words, player)


def choose_games(games: tuple[EveningRecord, ...], player: str | None) -> list[EveningRecord]:
    """Choose the games by the rules of the last one, of those that a player was in."""
    mine = [game for game in games if player is None or player in [seat.name for seat in game.record.header.seats]]
    same = [game for game in mine if game.record.header.rules == mine[-1].record.header.rules]
    if player is not None:
        return same
    wanted = sorted(seat.name for seat in same[-1].record.header.seats) if same else []
    return [game for game in same if sorted(seat.name for seat in game.record.header.seats) == wanted]


def serialize_sheet(pad: "ScorePad") -> dict[str, object]:
    """Put the columns of all pages of a sheet side by side."""
    first = pad.sheets[0]
    halves = ([sheet.upper for sheet in pad.sheets], [sheet.lower for sheet in pad.sheets])
    return {
        "title": first.title,
        "owner": first.owner,
        "games": [head for sheet in pad.sheets for head in sheet.games],
        "names": [name for sheet in pad.sheets for name in sheet.names],
        "lines": [serialize_line(lines) for half in halves for lines in zip(*half, strict=True)],
        "notes": [*first.foot.lines, *first.foot.notes],
    }


def serialize_line(parts: "tuple[PadLine, ...]") -> dict[str, object]:
    return {
        "kind": parts[0].kind,
        "name": parts[0].name,
        "lang": parts[0].lang,
        "entries": [entry for part in parts for entry in part.entries],
    }
