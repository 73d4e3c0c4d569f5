"""Your own mistakes as puzzles on a terminal: found in your games, asked when they are due."""

import time
from collections.abc import Iterator

from knobel.cli.parser import Given
from knobel.cli.puzzle_session import (
    Practice,
    ask,
    describe_answer,
    describe_puzzle,
    open_practice,
    show_answer,
    show_puzzle,
)
from knobel.cli.review_report import CoachLoader
from knobel.cli.room_client import run_with_store
from knobel.cli.screen import say, say_json, say_paragraph
from knobel.cli.typed_lines import read_lines
from knobel.coach.review import Review, review_seat
from knobel.errors import MissingValue
from knobel.host.mistakes import keep_schedule, list_askable, load_puzzle, search_games
from knobel.learning.puzzle import Puzzle, grade_answer
from knobel.store.address import AnyStore
from knobel.store.learning import StoredMistake
from knobel.table import Table

MOST_GAMES = 20
"""How many games are looked through at most before the first question."""


def run_mistakes(given: Given) -> None:
    """Ask about the mistakes of somebody in an edition that are due; the dearest first."""
    if given.read_value("player") is None:
        raise MissingValue(name="--player")
    practice = open_practice(given)
    lines, typed, asked = read_lines(), given.read_value("answer"), set[tuple[str, int]]()
    find_new_mistakes(practice)
    while True:
        due = [one for one in find_due(practice) if (one.game, one.event) not in asked]
        if given.has("json"):
            report(practice, due, typed)
            return
        if not due:
            say_paragraph(practice.words("interface.puzzle.none_due"))
            return
        if typed is not None:
            answer_once(practice, due, typed)
            return
        asked.add((due[0].game, due[0].event))
        if not ask_mistake(practice, due, lines):
            return


def find_new_mistakes(practice: Practice) -> None:
    """Look through games that nobody has looked through yet."""
    loader = CoachLoader(practice.words)

    async def review(table: Table, seat: int) -> Review:
        return review_seat(table.record, table.replay, seat, loader)

    async def search(store: AnyStore) -> int:
        return await search_games(store, review, practice.owner, MOST_GAMES, time.time())

    run_with_store(practice.database, search)


def find_due(practice: Practice) -> list[StoredMistake]:
    async def look(store: AnyStore) -> list[StoredMistake]:
        return await list_askable(store, practice.owner, time.time(), practice.selection.edition.id)

    return run_with_store(practice.database, look)


def open_puzzle(practice: Practice, mistake: StoredMistake) -> tuple[Practice, Puzzle]:
    """Open the position of a mistake, with the coach of the rules it was played by."""

    async def load(store: AnyStore) -> tuple[Table, Puzzle]:
        return await load_puzzle(store, mistake)

    table, puzzle = run_with_store(practice.database, load)
    return practice.with_game(table.replay.track(mistake.seat).game, mistake.seat), puzzle


def keep(practice: Practice, mistake: StoredMistake, loss: float) -> None:
    """Keep when to ask again."""

    async def write(store: AnyStore) -> float:
        return await keep_schedule(store, mistake, loss, time.time())

    run_with_store(practice.database, write)


def ask_mistake(practice: Practice, due: list[StoredMistake], lines: Iterator[str]) -> bool:
    """Ask about the dearest mistake; tell whether it was answered."""
    own, puzzle = open_puzzle(practice, due[0])
    show_mistake(own, puzzle, len(due))
    answered = ask(own, puzzle, lines)
    if answered is None:
        return False
    keep(practice, due[0], answered[1].loss)
    say()
    return True


def answer_once(practice: Practice, due: list[StoredMistake], typed: str) -> None:
    """Show the dearest mistake, and grade the answer that was given with the command."""
    own, puzzle = open_puzzle(practice, due[0])
    graded = grade_answer(puzzle, own.read_answer(puzzle, typed), own.coach)
    keep(practice, due[0], graded.loss)
    show_mistake(own, puzzle, len(due))
    show_answer(own.words, puzzle, graded)


def show_mistake(own: Practice, puzzle: Puzzle, due: int) -> None:
    """Show the position of a mistake, and how many are due."""
    say(own.words("interface.puzzle.due", n=due, theme=own.words(f"coach.theme.{puzzle.theme}")))
    say()
    show_puzzle(own.words, puzzle)


def report(practice: Practice, due: list[StoredMistake], typed: str | None) -> None:
    """Report the dearest mistake that is due, and grade an answer to it."""
    if not due:
        say_json({"edition": practice.selection.edition.id, "due": 0})
        return
    own, puzzle = open_puzzle(practice, due[0])
    about = {"due": len(due), "game": due[0].game, "event": due[0].event}
    described = about | describe_puzzle(own, puzzle)
    if typed is not None:
        graded = grade_answer(puzzle, own.read_answer(puzzle, typed), own.coach)
        keep(practice, due[0], graded.loss)
        described["answer"] = describe_answer(own.words, graded)
    say_json(described)
