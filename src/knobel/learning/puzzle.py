"""A puzzle: a position, a question, and answers that are graded by what they cost."""

from dataclasses import dataclass
from typing import Any

from knobel.coach.grades import grade_decision
from knobel.coach.ledger import ROUNDING_TOLERANCE
from knobel.coach.sheet import MoveValue
from knobel.errors import IllegalAction, NotationError
from knobel.game import Announce, Game, Move, Roll, Score, Stand
from knobel.learning.families import find_family
from knobel.notation import read_exact_action, write_action
from knobel.phrase import Phrase, phrase
from knobel.rules.families import Rules
from knobel.rules.fields import abbreviate


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which somebody has to choose, and what it is about.

    `number` is its place in a generator, `actions` are those that lead to it from the start of a game.
    """

    game: Game[Any]
    state: Any
    theme: str
    number: int = 0
    actions: tuple[str, ...] = ()

    @property
    def rules(self) -> Rules:
        return self.game.rules

    @property
    def dice(self) -> tuple[int, ...]:
        return tuple(self.state.dice)

    @property
    def question(self) -> Phrase:
        return find_family(self.game).ask(self.game, self.state)

    def read_answer(self, text: str) -> Move:
        """Read a move in notation; one that the rules forbid here is refused."""
        move = read_exact_action(self.state, text, self.rules.dice)
        if not isinstance(move, Announce | Roll | Score | Stand):
            raise NotationError(text=abbreviate(text))
        if (refusal := self.game.refusal(self.state, move)) is not None:
            raise IllegalAction(why=refusal)
        return move

    def write_answer(self, move: Move) -> str:
        return write_action(self.state, move, self.rules.dice)


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """What an answer costs against the best move, and why; `value` is that of the best move."""

    played: Phrase
    best: Phrase
    best_action: str
    value: float
    loss: float
    grade: str
    reasons: tuple[Phrase, ...]

    @property
    def is_best(self) -> bool:
        return self.loss == 0


def grade_answer(puzzle: Puzzle, move: Move, coach: Any = None) -> GradedAnswer:
    """Grade an answer with the coach’s exact values and reasons."""
    family, game, state = find_family(puzzle.game), puzzle.game, puzzle.state
    ranked = family.rank(game, state, coach)
    key = family.describe(game, state, move)
    best, played = ranked[0], find_described(puzzle, ranked, key)
    loss = played.loss if played.loss > ROUNDING_TOLERANCE else 0.0
    advised = best if loss else played
    return GradedAnswer(
        played=key,
        best=family.describe(game, state, advised.move),
        best_action=puzzle.write_answer(advised.move),
        value=best.value,
        loss=loss,
        grade=grade_decision(loss),
        reasons=family.explain(game, state, coach, played, best) if loss else (),
    )


def find_described(puzzle: Puzzle, ranked: list[MoveValue], key: Phrase) -> MoveValue:
    """Find the value of a move: keeping equal dice is one move; crossing out what would score is none of a puzzle."""
    family = find_family(puzzle.game)
    found = next((one for one in ranked if family.describe(puzzle.game, puzzle.state, one.move) == key), None)
    if found is None:
        raise IllegalAction(why=phrase("coach.puzzle.not_an_answer"))
    return found
