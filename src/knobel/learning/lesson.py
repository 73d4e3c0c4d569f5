"""A lesson: a few positions with choices, each with a sentence before it and exact values after it.

A lesson is data: what it is about, whether the rules at hand have that, the positions it may show, and the numbers of
its sentences. Which positions it shows follows from the solved values: first one where the usual move is right, then,
where there is one, an exception.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knobel.coach.sheet import MoveValue
from knobel.game import Game
from knobel.learning.claims import Claim, claim_nothing
from knobel.learning.scenes import Scene
from knobel.notation import write_action
from knobel.phrase import FormattedNumber, Phrase, Value, phrase

NOTHING = "nothing"
"""Why a lesson is missing whose positions leave no clear choice by the rules at hand."""
MISSING = (
    *("bonus", "order", "straight", "house", "all_alike", "joker", "pair", "sum", "announce", "locked", "rolls"),
    *("ones", NOTHING),
)
"""Everything that rules may lack for a lesson."""
FIRST, SECOND, SIMPLE = SENTENCES = ("first", "second", "simple")
"""The sentences of a lesson: before each position, and the one for children."""

Figures = Mapping[str, Value]
TwoFigures = tuple[Figures, Figures]


def lacks(**needed: Callable[[Any], object]) -> Callable[[Any], str | None]:
    """Name the first thing that the rules lack."""
    return lambda rules: next((name for name, has in needed.items() if not has(rules)), None)


def percent(chance: float, digits: int = 0) -> FormattedNumber:
    return FormattedNumber(chance, digits, percent=True)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson; `find_missing` names what the rules lack for it, `compute` gives the numbers of its two sentences.

    `claims` tell of which positions these sentences are true.
    """

    key: str
    find_missing: Callable[[Any], str | None]
    list_scenes: Callable[[Any], Sequence[Scene]]
    compute: Callable[[Any, Any], tuple[Figures, Figures]] = lambda _game, _coach: ({}, {})
    theme: str | None = None
    words: str = ""
    claims: tuple[Claim, Claim] = (claim_nothing, claim_nothing)

    def build_sentence(self, name: str, figures: Figures) -> Phrase:
        """Build one of its sentences; lessons of one kind may share them."""
        return phrase(f"coach.lesson.{self.words or self.key}.{name}", **figures)

    @property
    def title(self) -> Phrase:
        """The title: that of a theme of puzzles, if it is about one."""
        return phrase(f"coach.theme.{self.theme}" if self.theme else f"coach.lesson.{self.key}")


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A sentence, a position, and the choices with what each is worth, the best first."""

    text: Phrase | None
    scene: Scene
    choices: tuple[MoveValue, ...]

    @property
    def best(self) -> MoveValue:
        return self.choices[0]

    @property
    def shown_choices(self) -> tuple[tuple[str, MoveValue], ...]:
        """The choices in notation, in an order that gives nothing away."""
        dice = self.scene.game.rules.dice
        return tuple(
            sorted(
                ((write_action(self.scene.state, one.move, dice), one) for one in self.choices),
                key=lambda pair: pair[0],
            )
        )


@dataclass(frozen=True, slots=True)
class BuiltLesson:
    """A lesson with its positions and numbers by the rules at hand."""

    lesson: Lesson
    game: Game[Any]
    steps: tuple[LessonStep, ...]
