"""Moments of the full-screen game that are compared with committed files, as text."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TypeAlias
from unittest.mock import patch

from knobel.host import statistics_answers
from knobel.rooms.intents import ChangeSettings, Sit
from knobel.stats.answers import PerfectPlay
from knobel.tui.end_screen import EndScreen
from knobel.tui.review_screen import ReviewScreen
from knobel.tui.table_screen import TableScreen
from tests.support.hosted_rooms import SHORT_GAME
from tests.support.terminal import (
    ADA,
    ALL_REAL,
    BOT,
    LARGE,
    SMALL,
    Terminal,
    choose_key,
    open_terminal,
    play_by_keys,
    play_real_dice,
)

FOLDER = Path(__file__).parents[1] / "tui" / "screens"
ENDED = re.compile(r" · \d\d/\d\d/\d{4} \d\d:\d\d")
GAME_ID = re.compile(r"\b[0-9a-f]{16}\b")
Scene: TypeAlias = Callable[[Terminal], Awaitable[None]]


async def show_home(terminal: Terminal) -> None:
    """The first screen, with the edition played last."""


async def show_setup(terminal: Terminal) -> None:
    await terminal.press("enter")


async def show_settings(terminal: Terminal) -> None:
    await terminal.press("s")


async def show_rules(terminal: Terminal) -> None:
    await terminal.press("r")


async def show_table(terminal: Terminal) -> None:
    """The second roll of a turn, with two dice kept."""
    await terminal.play(ChangeSettings("hasbro-yahtzee", pace=0, start="first"), seed="table")
    await terminal.press("space", "1", "4", "space", "down", "down")


async def show_keys(terminal: Terminal) -> None:
    await show_table(terminal)
    await terminal.press("question_mark")


async def show_announced(terminal: Terminal) -> None:
    """A box is announced before the first roll."""
    settings = ChangeSettings("tactic-xl-yatzy", "da", pace=0, start="first")
    await terminal.play(settings, (ADA, BOT, Sit("Bea")), seed="announced")
    await terminal.press("f", "space")


async def show_locked(terminal: Terminal) -> None:
    """What was kept before cannot be rolled again."""
    await terminal.play(ChangeSettings("noris-yatzy", pace=0, start="first"), seed="locked")
    await terminal.press("space", "2", "3", "space", "1")


async def show_zero(terminal: Terminal) -> None:
    """A zero that need not be is asked for."""
    await terminal.play(ChangeSettings("hasbro-yahtzee", pace=0, start="first"), seed="table")
    await terminal.press("space", "n")


async def show_pad(terminal: Terminal) -> None:
    """Three of five real dice are typed."""
    settings = ChangeSettings("carlit-yatzy", pace=0, start="first")
    await terminal.play(settings, ALL_REAL)
    await terminal.press("3", "3", "5")


async def show_chicago(terminal: Terminal) -> None:
    """A few rounds of a game with chips are over."""
    await terminal.play(ChangeSettings("carlit-chicago", pace=0), seed="chips")
    random = Random(1)
    while not (isinstance(terminal.app.screen, TableScreen) and is_second_choice(terminal)):
        await play_one_move(terminal, random)


def is_second_choice(terminal: Terminal) -> bool:
    position = terminal.position
    return position.seat is not None and position.tray.phase == "choose" and len(position.view.log) >= 2


async def play_one_move(terminal: Terminal, random: Random) -> None:
    if terminal.position.seat is not None:
        await terminal.press(choose_key(terminal, random))
    else:
        await terminal.pilot.pause()


async def show_end(terminal: Terminal) -> None:
    await terminal.play(SHORT_GAME_AT_ONCE, seed="end")
    await play_by_keys(terminal, Random(5))
    await terminal.pilot.app.workers.wait_for_complete()
    await terminal.pilot.pause()


async def show_review(terminal: Terminal) -> None:
    """The last mistake of a short game."""
    await show_end(terminal)
    assert isinstance(terminal.app.screen, EndScreen)
    await terminal.press("down", "enter")
    screen = terminal.app.screen
    assert isinstance(screen, ReviewScreen)
    await terminal.wait_for(lambda: screen.review is not None)
    await terminal.press("p")


async def play_two_games(terminal: Terminal) -> None:
    """Play two short games with real dice, which count, and go back to the first screen."""
    await terminal.play(SHORT_GAME_AT_ONCE, ALL_REAL)
    await play_real_dice(terminal, Random(1))
    await terminal.play_again()
    await play_real_dice(terminal, Random(2))
    await terminal.press("escape", "end")


async def show_history(terminal: Terminal) -> None:
    await play_two_games(terminal)
    await terminal.press("up", "enter")


async def show_statistics(terminal: Terminal) -> None:
    """The figures of two games, with the boxes beside perfect play, whether or not that is solved here."""
    await play_two_games(terminal)
    with patch.object(statistics_answers, "load_perfect_play", load_rounded_perfect_play):
        await terminal.press("enter")
        await terminal.app.workers.wait_for_complete()
    await terminal.pilot.pause()


async def load_rounded_perfect_play(_: object) -> PerfectPlay:
    boxes = {"twins": 3.4, "neighbours": 2.4, "odd": 3.5, "even": 3.5, "chance": 9.5}
    return PerfectPlay(22.4, boxes=boxes)


SHORT_GAME_AT_ONCE = ChangeSettings("two-dice", house_rules=SHORT_GAME.house_rules, pace=0, start="first")
SCENES: dict[str, Scene] = {
    "home": show_home,
    "setup": show_setup,
    "settings": show_settings,
    "rules": show_rules,
    "table": show_table,
    "keys": show_keys,
    "announced": show_announced,
    "locked": show_locked,
    "zero": show_zero,
    "pad": show_pad,
    "chicago": show_chicago,
    "end": show_end,
    "review": show_review,
    "history": show_history,
    "statistics": show_statistics,
}
LARGE_SCENES = ("home", "setup", "table", "announced", "chicago", "review", "statistics")
"""The scenes that are laid out otherwise on a large terminal."""
CASES = [*((name, SMALL) for name in SCENES), *((name, LARGE) for name in LARGE_SCENES)]


def find_file(name: str, size: tuple[int, int]) -> Path:
    return FOLDER / f"{name}-{size[0]}x{size[1]}.txt"


async def draw_scene(name: str, size: tuple[int, int], folder: Path) -> str:
    """Draw a scene as text; the names of games are random."""
    async with open_terminal(folder, size, edition="noris-yatzy") as terminal:
        await SCENES[name](terminal)
        return mask("\n".join(terminal.read_lines()))


def mask(text: str) -> str:
    """Replace what is never the same twice."""
    return ENDED.sub(" · 01/01/2026 12:00", GAME_ID.sub("0" * 16, text)) + "\n"


async def write_scenes() -> None:
    """Write every scene as it is drawn now."""
    for name, size in CASES:
        with TemporaryDirectory() as folder:
            find_file(name, size).write_text(await draw_scene(name, size, Path(folder)), encoding="utf-8")
