"""Lessons over HTTP: which there are by some rules, one with everything it shows, and that it was finished."""

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from knobel.host.lessons import LessonService
from knobel.lang import Translator, format_sentence
from knobel.paper.families import picture_move
from knobel.rules import Edition
from knobel.view.families import find_family_name
from knobel.web.coaching import build_json_response
from knobel.web.messages import encode_game, encode_position, localize_game
from knobel.web.practice import EditionRequest, PracticeRequests, ShortText
from knobel.web.requests import choose_language, read_request
from knobel.web.statistics_requests import read_texts

if TYPE_CHECKING:
    from knobel.learning.lesson import BuiltLesson, LessonStep


class FinishedRequest(EditionRequest, frozen=True, forbid_unknown_fields=True):
    """A lesson that a person has finished."""

    lesson: ShortText = ""


class LessonRequests:
    """Answers about lessons; what is finished belongs to the people of a device."""

    def __init__(self, practice: PracticeRequests) -> None:
        self.practice = practice
        self.lessons = LessonService(practice.practice)

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/practice/lessons", self.get_lessons),
            Route("/api/practice/lesson", self.get_lesson),
            Route("/api/practice/lesson", self.post_finished, methods=["POST"]),
        ]

    async def find_edition(self, request: Request, name: str, house_rules: str) -> tuple[Edition, str, Translator]:
        edition = await self.practice.practice.find_edition(name, house_rules)
        lang = choose_language(request)
        return edition, edition.choose_text(None, lang), Translator(lang, edition)

    async def get_lessons(self, request: Request) -> Response:
        """List the lessons by some rules, with those a person has finished and why others are missing."""
        name, house_rules, person = read_texts(request, "edition", "house_rules", "person")
        owner = await self.practice.find_owner(request, person)
        edition, text, words = await self.find_edition(request, name, house_rules)
        fingerprint = edition.rules(text).fingerprint
        finished = await self.lessons.list_finished(owner, fingerprint)
        listed = await self.lessons.list_lessons(edition, text)
        described = [
            {
                "key": one.lesson.key,
                "number": one.number,
                "title": capitalize(words.translate(one.lesson.title)),
                "missing": words(f"coach.lesson.without.{one.missing}") if one.missing else None,
                "finished": one.lesson.key in finished,
            }
            for one in listed
        ]
        return build_json_response({"title": edition.title, "fingerprint": fingerprint, "lessons": described})

    async def get_lesson(self, request: Request) -> Response:
        """Give a lesson: its positions, choices, and what each is worth."""
        name, house_rules, lesson, simple = read_texts(request, "edition", "house_rules", "lesson", "simple")
        edition, text, words = await self.find_edition(request, name, house_rules)
        built, coach = await self.lessons.build_lesson(edition, text, lesson, bool(simple))
        lang = choose_language(request)
        steps = await asyncio.to_thread(
            lambda: [self.describe_step(edition, text, built, step, coach, lang) for step in built.steps]
        )
        described = {"key": built.lesson.key, "title": capitalize(words.translate(built.lesson.title)), "steps": steps}
        return build_json_response(described)

    def describe_step(
        self, edition: Edition, text: str, built: "BuiltLesson", step: "LessonStep", coach: Any, lang: str
    ) -> dict[str, object]:
        """Describe a position, its question, and what its choices are worth."""
        from knobel.learning.families import find_family
        from knobel.learning.puzzle import grade_answer

        shown = self.lessons.show_step(edition, text, built, step, coach)
        words, puzzle = localize_game(shown.table, lang).words, shown.puzzle
        choices = []
        for action, one in step.shown_choices:
            graded = grade_answer(puzzle, one.move, coach)
            choices.append(
                {
                    "action": action,
                    "text": capitalize(words.translate(graded.played)),
                    "value": one.value,
                    "loss": graded.loss,
                    "picture": picture_move(built.game.rules, step.scene.state, one.move),
                    "why": " ".join(format_sentence(words.translate(reason)) for reason in graded.reasons),
                }
            )
        return {
            "text": words.translate(step.text) if step.text else "",
            "question": format_sentence(words.translate(puzzle.question)),
            "unit": find_family(puzzle.game).unit,
            "family": find_family_name(shown.table),
            "seat": puzzle.state.player,
            "setup": msgspec.Raw(encode_game(shown.table, lang)),
            "position": msgspec.Raw(encode_position(shown.table, lang)),
            "choices": choices,
        }

    async def post_finished(self, request: Request) -> Response:
        """Remember that a person has finished a lesson."""
        asked = await read_request(request, FinishedRequest)
        owner = await self.practice.find_owner(request, asked.person or "")
        edition, text, _ = await self.find_edition(request, asked.edition, asked.house_rules)
        built, _ = await self.lessons.build_lesson(edition, text, asked.lesson, simple=False)
        if owner:
            await self.lessons.keep_finished(owner, edition, built.game.rules.fingerprint, built.lesson.key)
        return build_json_response({"finished": bool(owner)})


def capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
