"""Puzzles on a terminal: the position, the question, an answer, what it costs and why."""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from knobel.cli.families import FAMILIES
from knobel.cli.parser import Given
from knobel.cli.people_lookup import find_named_person
from knobel.cli.progress import ProgressBar
from knobel.cli.review_report import CoachLoader, say_unbroken
from knobel.cli.room_client import run_with_store
from knobel.cli.screen import say, say_json, say_paragraph
from knobel.cli.selection import Selection, read_selection
from knobel.cli.typed_answers import read_answer
from knobel.cli.typed_lines import read_lines
from knobel.cli.typed_words import fold, list_words
from knobel.coach.families import find_family as find_coach_family
from knobel.coach.serialize import REASON_SEPARATOR
from knobel.errors import KnobelError, UnknownTheme
from knobel.game import Game, Move
from knobel.games.families import FAMILIES as GAME_FAMILIES
from knobel.host.room_device import TERMINAL
from knobel.lang import Translator
from knobel.learning.families import find_family, list_themes
from knobel.learning.generator import BLOCK, PuzzleGenerator, name_practice_seed
from knobel.learning.puzzle import GradedAnswer, Puzzle, grade_answer
from knobel.phrase import FormattedNumber
from knobel.rules.fields import abbreviate
from knobel.store.address import AnyStore
from knobel.store.learning import PutAnswer, StoredAnswer

PRACTICE = "practice"
MAX_NUMBER = 100_000
MILLI = 1000


@dataclass(frozen=True, slots=True)
class Practice:
    """Somebody who practises an edition: the game, the open coach, and where answers are kept."""

    selection: Selection
    game: Game[Any]
    coach: Any
    owner: str
    database: str | None

    @property
    def words(self) -> Translator:
        return self.selection.words

    def with_game(self, game: Game[Any], seat: int) -> "Practice":
        """Give the same practice with the rules a seat of a game was played by."""
        return replace(self, game=game, coach=load_coach(self.words, game, seat))

    def list_answers(self, kind: str) -> list[StoredAnswer]:
        """List what was answered by these rules."""

        async def look(store: AnyStore) -> Sequence[StoredAnswer]:
            return await store.list_answers(self.owner)

        fingerprint = self.game.rules.fingerprint
        found = run_with_store(self.database, look)
        return [one for one in found if (one.kind, one.fingerprint) == (kind, fingerprint)]

    def keep(self, kind: str, name: str, theme: str, lost: float, body: dict[str, object]) -> None:
        """Keep a first answer; later ones change nothing."""
        answer = StoredAnswer(
            self.owner,
            kind,
            self.game.rules.fingerprint,
            name,
            self.selection.edition.id,
            theme,
            round(lost * MILLI),
            json.dumps(body),
            time.time(),
        )
        run_with_store(self.database, lambda store: store.commit(PutAnswer(answer)))

    def read_answer(self, puzzle: Puzzle, typed: str) -> Move:
        """Read an answer as people type it."""
        return read_answer(self.words, puzzle, typed, FAMILIES[puzzle.rules.family].read_answer)

    def keep_graded(self, kind: str, name: str, puzzle: Puzzle, move: Move, answer: GradedAnswer) -> None:
        self.keep(kind, name, puzzle.theme, answer.loss, {"action": puzzle.write_answer(move)})


def open_practice(given: Given) -> Practice:
    """Open the book of the selected rules and find out who practises."""
    selection = read_selection(given)
    rules = selection.rules
    game = GAME_FAMILIES[rules.family].build(rules, frozenset(), True)
    coach = load_coach(selection.words, game, 0)
    database = given.read_value("database")
    return Practice(selection, game, coach, find_owner(given.read_value("player"), database), database)


def load_coach(words: Translator, game: Game[Any], seat: int) -> Any:
    """Open the book of a seat’s rules; some families need none."""
    rules = find_coach_family(game).find_rules(game, seat)
    return CoachLoader(words)(rules) if rules else None


def find_owner(name: str | None, database: str | None) -> str:
    """Find whose answers are kept: a person’s by their name, else those of this terminal."""
    if name is None:
        return TERMINAL

    async def find(store: AnyStore) -> str:
        return find_named_person(await store.list_people(), name).id

    return run_with_store(database, find)


def run_puzzles(given: Given) -> None:
    """Ask puzzles one after the other; with an answer on the command line, or for programs, one."""
    practice = open_practice(given)
    theme = read_theme(given, practice.game)
    number = given.read_number("number", 1, MAX_NUMBER)
    if number is None:
        number = 1 + len([one for one in practice.list_answers(PRACTICE) if split_name(one.name)[0] == (theme or "")])
    typed, lines = given.read_value("answer"), read_lines()
    while True:
        puzzle = find_practice_puzzle(practice, theme, number)
        name = f"{theme or ''} {number}"
        if given.has("json") or typed is not None:
            answer_once(practice, puzzle, typed, given.has("json"), name)
            return
        show_puzzle(practice.words, puzzle, number)
        asked = ask(practice, puzzle, lines)
        if asked is None:
            return
        practice.keep_graded(PRACTICE, name, puzzle, *asked)
        say()
        number += 1


def split_name(name: str) -> tuple[str, str]:
    theme, _, number = name.partition(" ")
    return theme, number


def find_practice_puzzle(practice: Practice, theme: str | None, number: int) -> Puzzle:
    """Find a puzzle by its number, with a progress bar while games are searched for its theme."""
    bar = ProgressBar()
    try:
        generator = PuzzleGenerator(practice.game, practice.coach, name_practice_seed(number - 1))
        return replace(generator.find_puzzle((number - 1) % BLOCK, theme, bar), number=number - 1)
    finally:
        bar.clear()


def read_theme(given: Given, game: Game[Any]) -> str | None:
    """Read the theme, one that can come up by these rules."""
    theme, known = given.read_value("theme"), tuple(list_themes(game))
    if theme is not None and theme not in known:
        raise UnknownTheme(name=abbreviate(theme), known=known)
    return theme


def answer_once(practice: Practice, puzzle: Puzzle, typed: str | None, is_json: bool, name: str) -> None:
    """Show one puzzle, and grade the answer that was given with it."""
    words = practice.words
    graded = None
    if typed is not None:
        move = practice.read_answer(puzzle, typed)
        graded = grade_answer(puzzle, move, practice.coach)
        practice.keep_graded(PRACTICE, name, puzzle, move, graded)
    if is_json:
        say_json(describe_puzzle(practice, puzzle) | ({"answer": describe_answer(words, graded)} if graded else {}))
    else:
        show_puzzle(words, puzzle, puzzle.number + 1)
        if graded:
            show_answer(words, puzzle, graded)


def show_puzzle(words: Translator, puzzle: Puzzle, number: int | None = None) -> None:
    """Show the sheet, the dice and the question."""
    theme = words(f"coach.theme.{puzzle.theme}")
    if number is not None:
        say(words("interface.puzzle.title", number=number, theme=theme))
        say()
    seats = len(puzzle.state.turns)
    names = [words("interface.play.you")] if seats == 1 else [str(seat + 1) for seat in range(seats)]
    FAMILIES[puzzle.rules.family].show_board(words, puzzle.game, puzzle.state, names)
    say()
    if puzzle.dice:
        say(words("interface.puzzle.dice", dice=" ".join(map(str, puzzle.dice))))
    if announced := getattr(puzzle.state, "announced", None):
        say(words("interface.advise.announce", box=words.name_box(announced)))
    say_paragraph(words.translate(puzzle.question))


def ask(practice: Practice, puzzle: Puzzle, lines: Iterator[str]) -> tuple[Move, GradedAnswer] | None:
    """Ask until somebody answers or stops; show what the answer costs and why."""
    words = practice.words
    if sys.stdin is not None and sys.stdin.isatty():
        say(words(FAMILIES[puzzle.rules.family].answers_key))
    for line in lines:
        typed = fold(line)
        if not typed:
            continue
        if typed == "q" or typed in list_words(words, "quit"):
            return None
        try:
            move = practice.read_answer(puzzle, line)
            graded = grade_answer(puzzle, move, practice.coach)
        except KnobelError as error:
            say_paragraph(words.describe_error(error))
            continue
        show_answer(words, puzzle, graded)
        return move, graded
    return None


def show_answer(words: Translator, puzzle: Puzzle, answer: GradedAnswer) -> None:
    """Say what an answer costs, what was best, and why."""
    played, best = words.translate(answer.played), words.translate(answer.best)
    if answer.is_best:
        say_paragraph(words("interface.puzzle.best", move=played))
        return
    unit = find_family(puzzle.game).unit
    cost = words(f"interface.puzzle.cost_{unit}", n=FormattedNumber(answer.loss, 2))
    say_paragraph(words("interface.puzzle.worse", move=played, cost=cost, best=best))
    if answer.reasons:
        say_unbroken(words.translate(REASON_SEPARATOR).join(map(words.translate, answer.reasons)), "  ")


def describe_puzzle(practice: Practice, puzzle: Puzzle) -> dict[str, object]:
    """Describe a puzzle for programs; the moves are in no telling order."""
    words, game, state = practice.words, puzzle.game, puzzle.state
    family, shown = find_family(game), FAMILIES[game.rules.family]
    moves = {puzzle.write_answer(one.move): one.move for one in family.rank(game, state, practice.coach)}
    return {
        "edition": practice.selection.edition.id,
        "lang": words.lang,
        "fingerprint": game.rules.fingerprint,
        "number": puzzle.number + 1,
        "theme": puzzle.theme,
        "question": words.translate(puzzle.question),
        "dice": puzzle.dice,
        "rolls_used": state.rolls_used,
        **shown.describe_turn(state),
        "player": shown.describe_player(game, state, state.player),
        "players": [shown.describe_player(game, state, seat) for seat in range(len(state.turns))],
        "moves": [
            {"action": action, "move": words.translate(family.describe(game, state, move))}
            for action, move in sorted(moves.items())
        ],
    }


def describe_answer(words: Translator, answer: GradedAnswer) -> dict[str, object]:
    """Describe a graded answer for programs."""
    return {
        "move": words.translate(answer.played),
        "best": words.translate(answer.best),
        "best_action": answer.best_action,
        "value": answer.value,
        "loss": answer.loss,
        "grade": answer.grade,
        "why": words.translate(REASON_SEPARATOR).join(map(words.translate, answer.reasons)),
    }
