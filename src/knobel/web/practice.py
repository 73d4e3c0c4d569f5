"""Practice over HTTP: the position of the day, puzzles by theme, mistakes that are due, and graded answers."""

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from knobel.errors import MessageMalformed
from knobel.host.coach_service import CoachService
from knobel.host.daily_record import MAX_ID
from knobel.host.mistakes import MILLI
from knobel.host.practice import POSITION, PRACTICE, PracticeService, ShownPuzzle, choose_day
from knobel.lang import Translator, format_sentence
from knobel.rooms.intents import PersonId
from knobel.rules import Edition
from knobel.view.families import find_family_name
from knobel.web.coaching import build_json_response
from knobel.web.device_requests import DeviceRequests
from knobel.web.messages import encode_game, encode_position, localize_game
from knobel.web.requests import choose_language, read_request
from knobel.web.statistics_requests import read_texts

if TYPE_CHECKING:
    from knobel.learning.puzzle import GradedAnswer

MISTAKE = "mistake"
ShortText = Annotated[str, Meta(max_length=64)]
Day = Annotated[str, Meta(pattern=r"^(\d{4}-\d{2}-\d{2})?$")]


class EditionRequest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An edition, or house rules by their name and the fingerprint of their file, and who asks."""

    edition: ShortText = ""
    house_rules: ShortText = ""
    person: PersonId | None = None


class AnswerRequest(EditionRequest, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An answer in notation: to the position of a day, to a puzzle by number, or to a mistake by its event.

    Without a day it is that of today; yesterday’s can still be answered by whoever has it on the screen.
    """

    kind: Literal["position", "practice", "mistake"]
    action: ShortText
    theme: ShortText = ""
    number: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    game: Annotated[str, Meta(max_length=MAX_ID)] = ""
    event: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    day: Day = ""


class PracticeRequests:
    """Answers about puzzles; what is kept belongs to the people of a device."""

    def __init__(self, coaching: CoachService, devices: DeviceRequests) -> None:
        self.practice = PracticeService(coaching)
        self.host = coaching.host
        self.devices = devices

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/practice/position", self.get_position),
            Route("/api/practice/puzzle", self.get_puzzle),
            Route("/api/practice/mistake", self.get_mistake),
            Route("/api/practice/answer", self.post_answer, methods=["POST"]),
        ]

    async def get_position(self, request: Request) -> Response:
        """Give the position of the day, and the first answer of a person once there is one."""
        name, house_rules, person = read_texts(request, "edition", "house_rules", "person")
        edition = await self.practice.find_edition(name, house_rules)
        owner, shown, day = await self.find_owner(request, person), *await self.find_position(request, edition)
        described = describe_puzzle(shown, POSITION, choose_language(request)) | {"day": day}
        return build_json_response(described | await self.describe_streak(owner, shown, day, choose_language(request)))

    async def get_puzzle(self, request: Request) -> Response:
        """Give a puzzle by its theme and number; without a number, the next one a person has not answered."""
        name, house_rules, theme, person, typed = read_texts(
            request, "edition", "house_rules", "theme", "person", "number"
        )
        owner = await self.find_owner(request, person)
        edition = await self.practice.find_edition(name, house_rules)
        text = edition.choose_text(None, choose_language(request))
        number = int(typed) if typed.isdecimal() and 0 < len(typed) < 7 else 1
        if owner and not typed:
            answers = await self.practice.list_answers(owner, PRACTICE, edition.rules(text).fingerprint)
            number = 1 + sum(one.rpartition(" ")[0] == theme for one in answers)
        shown = await self.practice.find_puzzle(edition, text, theme, number - 1)
        return build_json_response(describe_puzzle(shown, PRACTICE, choose_language(request)) | {"number": number})

    async def get_mistake(self, request: Request) -> Response:
        """Give the mistake of a person that is to be asked next, and how many are due."""
        (person,) = read_texts(request, "person")
        if not (owner := await self.find_owner(request, person)):
            raise MessageMalformed
        mistake, due = await self.practice.find_mistake(owner)
        if mistake is None:
            return build_json_response({"due": 0, "puzzle": None})
        shown = await self.practice.show_mistake(mistake)
        described = describe_puzzle(shown, MISTAKE, choose_language(request))
        described |= {"game": mistake.game, "event": mistake.event, "lost": mistake.lost / MILLI}
        return build_json_response({"due": due, "puzzle": described})

    async def post_answer(self, request: Request) -> Response:
        """Grade an answer; the first one to a puzzle is kept for a person."""
        asked, lang = await read_request(request, AnswerRequest), choose_language(request)
        owner = await self.find_owner(request, asked.person or "")
        if asked.kind == MISTAKE:
            mistake = await self.practice.store.find_mistake(owner or "", asked.game, asked.event)
            if mistake is None:
                raise MessageMalformed
            shown = await self.practice.show_mistake(mistake)
            graded = await self.practice.grade(shown, asked.action)
            await self.practice.schedule_mistake(mistake, graded.loss)
            _, due = await self.practice.find_mistake(mistake.person)
            return build_json_response(describe_answer(shown, graded, lang) | {"due": due})
        edition = await self.practice.find_edition(asked.edition, asked.house_rules)
        if asked.kind == POSITION:
            shown, day = await self.find_position(request, edition, asked.day)
            name = day
        else:
            text = edition.choose_text(None, lang)
            shown = await self.practice.find_puzzle(edition, text, asked.theme, asked.number - 1)
            name, day = f"{asked.theme} {asked.number}", ""
        graded = await self.practice.grade(shown, asked.action)
        if owner:
            await self.practice.keep_answer(owner, asked.kind, name, shown, asked.action, graded)
        described = describe_answer(shown, graded, lang)
        return build_json_response(described | (await self.describe_streak(owner, shown, day, lang) if day else {}))

    async def find_owner(self, request: Request, person: str) -> str | None:
        """Find whose answers are kept: a person of this device, or nobody’s."""
        if not person:
            return None
        return (await self.host.people.find_held(await self.devices.identify(request), person)).id

    async def find_position(self, request: Request, edition: Edition, asked: str = "") -> tuple[ShownPuzzle, str]:
        """Find the position of a day, and the day."""
        day = choose_day(asked, self.host.clock())
        text = edition.choose_text(None, choose_language(request))
        return await self.practice.find_position_of_day(edition, text, day), day

    async def describe_streak(self, owner: str | None, shown: ShownPuzzle, day: str, lang: str) -> dict[str, object]:
        """Say how many days in a row a person has answered, and what they answered today."""
        from knobel.learning.daily import count_streak

        if not owner:
            return {"streak": 0, "first": None}
        answers = await self.practice.list_answers(owner, POSITION, shown.puzzle.rules.fingerprint)
        graded = await self.practice.grade(shown, answers[day]) if day in answers else None
        first = describe_answer(shown, graded, lang) | {"action": answers[day]} if graded else None
        return {"streak": count_streak(list(answers), day), "first": first}


def describe_puzzle(shown: ShownPuzzle, kind: str, lang: str) -> dict[str, object]:
    """Describe a puzzle as a table that stands still."""
    from knobel.learning.families import find_family, list_themes

    table, puzzle = shown.table, shown.puzzle
    words = localize_game(table, lang).words
    return {
        "kind": kind,
        "edition": table.header.edition.id,
        "fingerprint": table.header.fingerprint,
        "title": table.header.edition.title,
        "theme": puzzle.theme,
        "theme_name": words(f"coach.theme.{puzzle.theme}"),
        "themes": [[theme, words(f"coach.theme.{theme}")] for theme in list_themes(puzzle.game)],
        "question": format_sentence(words.translate(puzzle.question)),
        "unit": find_family(puzzle.game).unit,
        "family": find_family_name(table),
        "seat": puzzle.state.player if not table.header.free else 0,
        "setup": msgspec.Raw(encode_game(table, lang)),
        "position": msgspec.Raw(encode_position(table, lang)),
    }


def describe_answer(shown: ShownPuzzle, graded: "GradedAnswer", lang: str) -> dict[str, object]:
    """Describe what an answer costs, and why."""
    words: Translator = localize_game(shown.table, lang).words

    return {
        "played": format_sentence(words.translate(graded.played)),
        "best": format_sentence(words.translate(graded.best)),
        "best_action": graded.best_action,
        "loss": graded.loss,
        "grade": graded.grade,
        "grade_name": words(f"coach.grade.{graded.grade}"),
        "why": " ".join(format_sentence(words.translate(reason)) for reason in graded.reasons),
    }
