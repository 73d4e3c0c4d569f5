"""The game of the day over HTTP: all moves so far in, where they lead out; at the end what the dice were worth."""

from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from knobel.host.daily_game import DailyGameService
from knobel.host.daily_record import DailyGame, write_daily_id
from knobel.host.practice import ShownPuzzle, choose_day
from knobel.lang import Translator
from knobel.view.families import find_family_name
from knobel.web.coaching import build_json_response
from knobel.web.messages import encode_game, encode_position
from knobel.web.practice import Day, EditionRequest, PracticeRequests
from knobel.web.requests import choose_language, read_request

MAX_MOVES = 400


class DailyGameRequest(EditionRequest, frozen=True, forbid_unknown_fields=True):
    """All moves of a game of the day so far, in notation; without a day, those of today."""

    day: Day = ""
    moves: Annotated[tuple[Annotated[str, Meta(max_length=32)], ...], Meta(max_length=MAX_MOVES)] = ()


class DailyGameRequests:
    """Answers about games of the day; the first result of a day belongs to a person of the device."""

    def __init__(self, practice: PracticeRequests) -> None:
        self.practice = practice
        self.daily = DailyGameService(practice.practice)

    @property
    def routes(self) -> list[BaseRoute]:
        return [Route("/api/practice/game", self.post_moves, methods=["POST"])]

    async def post_moves(self, request: Request) -> Response:
        """Play the moves with the dice of the day, and show where they lead."""
        asked, lang = await read_request(request, DailyGameRequest), choose_language(request)
        owner = await self.practice.find_owner(request, asked.person or "")
        day = choose_day(asked.day, self.daily.host.clock())
        edition = await self.practice.practice.find_edition(asked.edition, asked.house_rules)
        text = edition.choose_text(None, lang)
        shown = await self.daily.play_moves(edition, text, day, asked.moves)
        game_id = None
        if shown.puzzle.state.seat is None:
            player = await self.name_player(owner, lang)
            game_id = write_daily_id(DailyGame(asked.edition, asked.house_rules, text, day, player, asked.moves))
        result = await self.find_result(owner, shown, day, game_id)
        if asked.moves and result is None:
            await self.daily.prepare_par(shown.puzzle.rules, day)
        described = describe_game(shown, lang) | {"day": day, "result": None, "game": game_id}
        if result is not None:
            described["result"] = describe_result(result, edition.title, day, Translator(lang, edition))
        return build_json_response(described)

    async def name_player(self, owner: str | None, lang: str) -> str:
        """Name who has played: a person of the device, or anybody."""
        person = await self.practice.host.store.find_person(owner) if owner else None
        return person.name if person else Translator(lang)("interface.play.you")

    async def find_result(
        self, owner: str | None, shown: ShownPuzzle, day: str, game_id: str | None
    ) -> dict[str, int] | None:
        """Give the first result of a person, or that of the game if it is over; its mistakes come back."""
        rules = shown.puzzle.rules
        known = await self.daily.find_result(owner, rules.fingerprint, day)
        outcome = shown.puzzle.game.outcome(shown.puzzle.state)
        if known is not None or outcome is None:
            return known
        par = await self.daily.find_par(rules, day)
        result = {"total": outcome.totals[0], "perfect": par.perfect, "clairvoyant": par.clairvoyant}
        if owner and game_id:
            await self.daily.keep_result(owner, shown, day, result)
            self.daily.host.tasks.spawn(self.daily.keep_mistakes(owner, game_id))
        return result


def describe_game(shown: ShownPuzzle, lang: str) -> dict[str, object]:
    """Describe where a game stands as a table that stands still."""
    table, state = shown.table, shown.puzzle.state
    return {
        "edition": table.header.edition.id,
        "title": table.header.edition.title,
        "family": find_family_name(table),
        "fingerprint": table.header.fingerprint,
        "seat": 0,
        "over": state.seat is None,
        "setup": msgspec.Raw(encode_game(table, lang)),
        "position": msgspec.Raw(encode_position(table, lang)),
    }


def describe_result(result: dict[str, int], title: str, day: str, words: Translator) -> dict[str, object]:
    """Describe a result beside what the dice were worth, with a line to share."""
    from knobel.learning.game_of_day import DayPar, describe_to_share

    par = DayPar(result["perfect"], result["clairvoyant"])
    share = describe_to_share(title, day, result["total"], par)
    return {**result, "text": words("interface.daily.result", **result), "share": words.translate(share)}
