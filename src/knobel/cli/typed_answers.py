"""Answers to puzzles as people type them: dice to keep, a box, an aim, or a move in notation."""

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from knobel.cli.typed_boxes import find_typed_box
from knobel.cli.typed_words import fold, list_words, read_aim
from knobel.cli.verbs import parse_dice
from knobel.errors import IllegalAction, NotationError, NotationTrayMismatch
from knobel.game import Announce, Move, Roll, Score, Stand
from knobel.lang import Translator
from knobel.phrase import phrase

if TYPE_CHECKING:
    from knobel.learning.puzzle import Puzzle
    from knobel.rules.sheet_rules import SheetRules

KEEP, ROLL, SCORE, CROSS_OUT, ANNOUNCE, STAND = "k", "r", "s", "x", "a", "s"
"""The letters of the conversation."""


AnswerReader: TypeAlias = Callable[[Translator, Any, str], Move]
"""Reads an answer that is neither notation nor dice, as a family of games does."""


def read_typed_move(words: Translator, puzzle: "Puzzle", typed: str, read_other: AnswerReader) -> Move:
    """Read a move in notation, else dice to keep, else what the family reads."""
    with suppress(NotationError, NotationTrayMismatch, IllegalAction):
        return puzzle.read_answer(typed.strip())
    if (shown := find_shown_move(words, puzzle, typed)) is not None:
        return shown
    keeps, rolls = (KEEP, *list_words(words, "keep")), (ROLL, *list_words(words, "roll"))
    if fold(typed)[:1].isdecimal():
        return build_keep(puzzle, typed)
    verb, rest = split_verb(typed, (*keeps, *rolls))
    return build_keep(puzzle, rest) if verb else read_other(words, puzzle, typed)


def find_shown_move(words: Translator, puzzle: "Puzzle", typed: str) -> Move | None:
    """Find a move by the words it is shown with, whatever the language puts between a verb and its box."""
    from knobel.learning.families import find_family  # numpy loads only where it is needed

    describe, said = find_family(puzzle.game).describe, fold(typed)
    moves = puzzle.game.legal_moves(puzzle.state)
    return next((one for one in moves if fold(words.translate(describe(puzzle.game, puzzle.state, one))) == said), None)


def read_answer(words: Translator, puzzle: "Puzzle", typed: str, read_other: AnswerReader) -> Move:
    """Read an answer; one that the rules forbid here is refused."""
    move = read_typed_move(words, puzzle, typed, read_other)
    if (refusal := puzzle.game.refusal(puzzle.state, move)) is not None:
        raise IllegalAction(why=refusal)
    return move


def split_verb(typed: str, verbs: Collection[str]) -> tuple[str, str]:
    """Split what was typed into one of these verbs, which may be of several words, and the rest."""
    said = fold(typed)
    fitting = [verb for verb in verbs if said == verb or said.startswith(f"{verb} ")]
    verb = max(fitting, key=len, default="")
    return verb, said.removeprefix(verb).strip()


def build_keep(puzzle: "Puzzle", typed: str) -> Roll:
    """Build the roll that keeps the dice typed."""
    positions = puzzle.game.find_positions(puzzle.state, parse_dice(typed))
    if positions is None:
        tray = " ".join(map(str, puzzle.dice))
        raise IllegalAction(why=phrase("rules.refusal.not_lying", dice=tray))
    return Roll(positions)


def read_sheet_answer(words: Translator, puzzle: "Puzzle", typed: str) -> Move:
    """Read a box to announce, to score, or to cross out."""
    named = {name for key in ("score", "cross_out", "announce") for name in list_words(words, key)}
    verb, rest = split_verb(typed, named | {SCORE, CROSS_OUT, ANNOUNCE})
    rules, state = cast("SheetRules", puzzle.rules), puzzle.state
    opened = tuple(rules.boxes[place].id for place in state.column.open_boxes)
    box = find_typed_box(words, rules, rest if verb and rest else typed, opened)
    return Score(box) if state.dice else Announce(box)


def read_round_answer(words: Translator, puzzle: "Puzzle", typed: str) -> Move:  # noqa: ARG001
    """Read standing, over or under where an opener says so."""
    verb, rest = split_verb(typed, (STAND, *list_words(words, "stand")))
    said = rest if verb else typed
    return Stand(read_aim(words, said) or None)
