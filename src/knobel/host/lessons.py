"""Lessons at a server: built once for each ruleset, in a thread, and finished ones kept for people."""

import asyncio
from typing import TYPE_CHECKING, Any

from knobel.extras import SOLVER, require_extra
from knobel.games.families import FAMILIES as GAME_FAMILIES
from knobel.host.practice import PracticeService, ShownPuzzle
from knobel.rules import Edition
from knobel.rules.families import Rules
from knobel.store.learning import PutAnswer, StoredAnswer

if TYPE_CHECKING:
    from knobel.learning.lesson import BuiltLesson, LessonStep
    from knobel.learning.lesson_builder import ListedLesson

LESSON = "lesson"
MAX_KEPT = 256
"""How many lists and lessons are kept."""


class LessonService:
    """Builds lessons, shows their positions as tables, and remembers who has finished them."""

    def __init__(self, practice: PracticeService) -> None:
        self.practice = practice
        self.kept: dict[tuple[str, ...], Any] = {}

    async def open_game(self, edition: Edition, text: str) -> tuple[Any, Any]:
        """Build the game of some rules and open its coach."""
        require_extra(SOLVER)
        rules: Rules = edition.rules(text)
        game = GAME_FAMILIES[rules.family].build(rules, frozenset(), True)
        return game, await self.practice.open_coach(game, 0)

    async def list_lessons(self, edition: Edition, text: str) -> "list[ListedLesson]":
        from knobel.learning.lesson_builder import list_lessons

        game, coach = await self.open_game(edition, text)
        found: list[ListedLesson] = await self.make((game.rules.fingerprint,), list_lessons, game, coach)
        return found

    async def build_lesson(self, edition: Edition, text: str, name: str, simple: bool) -> tuple["BuiltLesson", Any]:
        """Build a lesson; the coach that explains its choices comes with it."""
        from knobel.learning.lesson_builder import build_lesson, find_lesson

        lesson = find_lesson(await self.list_lessons(edition, text), name)
        game, coach = await self.open_game(edition, text)
        key = (game.rules.fingerprint, lesson.key, str(simple))
        return await self.make(key, build_lesson, game, coach, lesson, simple), coach

    async def make(self, key: tuple[str, ...], build: Any, *parts: Any) -> Any:
        """Build something in a thread, one after the other, unless it was built before."""
        if key in self.kept:
            return self.kept[key]
        async with self.practice.take_turn():
            found = self.kept.get(key) or await asyncio.to_thread(build, *parts)
        while len(self.kept) >= MAX_KEPT:
            del self.kept[next(iter(self.kept))]
        self.kept[key] = found
        return found

    def show_step(
        self, edition: Edition, text: str, built: "BuiltLesson", step: "LessonStep", coach: Any
    ) -> ShownPuzzle:
        """Show the position of a step as a table."""
        from knobel.learning.lesson_builder import build_step_puzzle

        return self.practice.show(edition, text, build_step_puzzle(built.lesson, step), coach)

    async def list_finished(self, owner: str | None, fingerprint: str) -> set[str]:
        """List the lessons that somebody has finished by these rules."""
        found = await self.practice.store.list_answers(owner) if owner else ()
        return {one.name for one in found if (one.kind, one.fingerprint) == (LESSON, fingerprint)}

    async def keep_finished(self, owner: str, edition: Edition, fingerprint: str, lesson: str) -> None:
        answer = StoredAnswer(owner, LESSON, fingerprint, lesson, edition.id, "", 0, "{}", self.practice.host.clock())
        await self.practice.store.commit(PutAnswer(answer))
