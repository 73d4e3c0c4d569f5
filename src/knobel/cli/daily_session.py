"""The position and the game of the day on a terminal: the first try counts, and streaks forgive a missed day."""

import json
import time

from knobel.cli.conversation import InputLines
from knobel.cli.evening import read_house_rules
from knobel.cli.parser import Given
from knobel.cli.play import play_game
from knobel.cli.progress import ProgressBar
from knobel.cli.puzzle_session import (
    Practice,
    ask,
    describe_answer,
    describe_puzzle,
    open_practice,
    show_answer,
    show_puzzle,
)
from knobel.cli.room_client import RoomClient, open_host, open_room, resume_room
from knobel.cli.screen import say, say_json, say_paragraph
from knobel.cli.typed_lines import read_lines
from knobel.game import Move
from knobel.learning.daily import count_streak, find_position_of_day, name_day
from knobel.learning.game_of_day import DayPar, GameOfDay, describe_to_share, find_day_par, name_seed
from knobel.learning.puzzle import GradedAnswer, Puzzle, grade_answer
from knobel.rooms.intents import ChangeSettings, Sit
from knobel.store.learning import StoredAnswer

POSITION, GAME = "position", "game"


def run_daily(given: Given) -> None:
    """Ask the position of the day, or play its game."""
    if given.has("game"):
        run_game(given)
        return
    practice, day = open_practice(given), name_day(time.time())
    bar = ProgressBar()
    try:
        puzzle = find_position_of_day(practice.game, practice.coach, day, bar)
    finally:
        bar.clear()
    before = practice.list_answers(POSITION)
    first = next((one for one in before if one.name == day), None)
    move = read_move(practice, puzzle, given.read_value("answer"), first)
    if given.has("json"):
        report_position(practice, puzzle, day, move, first is None)
        return
    say(practice.words("interface.daily.title", day=day))
    say()
    show_puzzle(practice.words, puzzle)
    if move is None:
        asked = ask(practice, puzzle, read_lines())
        if asked is None:
            return
        practice.keep_graded(POSITION, day, puzzle, *asked)
    else:
        graded = grade_answer(puzzle, move, practice.coach)
        if first is None:
            practice.keep_graded(POSITION, day, puzzle, move, graded)
        else:
            say_paragraph(practice.words("interface.daily.answered"))
        show_answer(practice.words, puzzle, graded)
    say_streak(practice, day)


def read_move(practice: Practice, puzzle: Puzzle, typed: str | None, first: StoredAnswer | None) -> Move | None:
    """Read the answer that counts: the first one, else what was typed with the command."""
    if first is not None:
        return puzzle.read_answer(json.loads(first.body)["action"])
    return None if typed is None else practice.read_answer(puzzle, typed)


def report_position(practice: Practice, puzzle: Puzzle, day: str, move: Move | None, is_new: bool) -> None:
    """Report the position for programs, with the first answer once there is one."""
    graded: GradedAnswer | None = None
    if move is not None:
        graded = grade_answer(puzzle, move, practice.coach)
        if is_new:
            practice.keep_graded(POSITION, day, puzzle, move, graded)
    days = [one.name for one in practice.list_answers(POSITION)]
    answer = {"answer": describe_answer(practice.words, graded)} if graded else {}
    say_json({"day": day} | describe_puzzle(practice, puzzle) | {"streak": count_streak(days, day)} | answer)


def say_streak(practice: Practice, day: str) -> None:
    days = [one.name for one in practice.list_answers(POSITION)]
    say(practice.words("interface.daily.streak", n=count_streak(days, day)))


def run_game(given: Given) -> None:
    """Play the game of the day, or go on with it; once it is over, show how it went."""
    practice, day = open_practice(given), name_day(time.time())
    of_day = GameOfDay(practice.selection.sheet_rules, day)
    known = next((one for one in practice.list_answers(GAME) if one.name == day), None)
    if known is None and not given.has("json"):
        total = play(given, practice, of_day)
        if total is None:
            return
        par = compute_par(practice, of_day)
        lost = max(0, par.perfect - total)
        body = {"total": total, "perfect": par.perfect, "clairvoyant": par.clairvoyant}
        practice.keep(GAME, day, "", lost, dict(body))
    elif known is not None:
        body = json.loads(known.body)
    else:
        body = {}
    if given.has("json"):
        about = {"day": day, "edition": practice.selection.edition.id, "game": of_day.game_id, "played": bool(body)}
        say_json(about | body)
        return
    show_game(practice, day, body["total"], DayPar(body["perfect"], body["clairvoyant"]))


def compute_par(practice: Practice, of_day: GameOfDay) -> DayPar:
    bar = ProgressBar()
    try:
        return find_day_par(of_day, practice.coach, bar)
    finally:
        bar.clear()


def play(given: Given, practice: Practice, of_day: GameOfDay) -> int | None:
    """Play the game in the conversation; give the total, or nothing if it was stopped before its end."""
    selection = practice.selection
    settings = ChangeSettings(
        selection.edition.id,
        selection.text,
        selection.switches,
        1,
        read_house_rules(given.required("edition"), selection.edition.id),
    )
    name = given.read_value("player") or practice.words("interface.play.you")
    with open_host(practice.database) as (runner, host):
        stored = runner.run(host.store.find_game(of_day.game_id))
        if stored is not None and (ended := runner.run(host.store.list_results([of_day.game_id]))):
            return ended[0].row.total  # it was resumed and finished by another command
        client: RoomClient
        if stored is not None and not stored.is_closed:
            client = resume_room(runner, host, of_day.game_id)
        else:
            client = open_room(runner, host, settings, [Sit(name)], name_seed(of_day.day))
            client.begin()
        if not play_game(client, practice.words, InputLines(read_lines()), None):
            return None
        outcome = client.table.game.outcome(client.table.replay.state)
        return outcome.totals[0] if outcome else None


def show_game(practice: Practice, day: str, total: int, par: DayPar) -> None:
    """Show the result beside what the dice were worth, and a line to share."""
    say()
    say_paragraph(
        practice.words("interface.daily.result", total=total, perfect=par.perfect, clairvoyant=par.clairvoyant)
    )
    say(practice.words("interface.daily.share"))
    say(practice.words.translate(describe_to_share(practice.selection.edition.title, day, total, par)))
