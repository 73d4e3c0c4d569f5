"""The full-screen game for the tests: what its screen shows as text, and a player at its keys or its mouse."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from rich.segment import Segment
from textual.geometry import Offset
from textual.pilot import Pilot

from knobel.host import Host
from knobel.rooms.intents import ChangeSettings, Sit, SitBot
from knobel.store.sqlite import SqliteStore
from knobel.tui.app import KnobelApp
from knobel.tui.dice_tray import DieFace
from knobel.tui.end_screen import EndScreen
from knobel.tui.families import FAMILIES
from knobel.tui.game_board import GameBoard
from knobel.tui.game_room import open_game
from knobel.tui.position import Position
from knobel.tui.questions import AskScreen, ChooseScreen
from knobel.tui.sheet_board import SheetBoard
from knobel.tui.table_screen import TableScreen

SMALL, LARGE = (80, 24), (120, 40)
STILL = {"motion": "off", "lang": "en", "name": "Ada", "theme": "dark"}
ADA, BOT = Sit("Ada"), SitBot("greedy", "Greedy")
ALL_REAL = (Sit("Ada", real_dice=True), Sit("Bea", real_dice=True))


@dataclass
class Terminal:
    """An application that runs, and the hands at its keys."""

    app: KnobelApp
    pilot: Pilot[None]

    @property
    def table(self) -> TableScreen:
        """The table on top of all screens."""
        assert isinstance(self.app.screen, TableScreen), self.app.screen
        return self.app.screen

    @property
    def position(self) -> Position:
        return self.table.play.position

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def wait_for(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds; whoever runs the test stops what never does."""
        while not condition():
            await self.pilot.pause()

    async def wait_for_end(self) -> None:
        """Wait until the end of a game is shown."""
        await self.wait_for(lambda: isinstance(self.app.screen, EndScreen) and bool(self.app.screen.query(GameBoard)))
        await self.pilot.pause()

    async def play(
        self, settings: ChangeSettings, seats: Sequence[Sit | SitBot] = (ADA, BOT), seed: str | None = None
    ) -> None:
        """Sit down at a table."""
        game = await open_game(self.app.host, self.app.words.lang, settings, seats, seed)
        self.app.show_table(game)
        await self.wait_for(lambda: isinstance(self.app.screen, TableScreen) and self.app.screen.is_mounted)
        await self.pilot.pause()

    async def play_again(self) -> None:
        """Begin the next game at the end of one."""
        await self.press("enter")
        await self.wait_for(lambda: isinstance(self.app.screen, TableScreen) and self.app.screen.is_mounted)

    def read_lines(self) -> list[str]:
        """Read the screen as text."""
        return ["".join(segment.text for segment in strip).rstrip() for strip in self.read_strips()]

    def read_strips(self) -> list[list[Segment]]:
        """Read the screen with the style of every part, as it would be written."""
        return [list(strip) for strip in self.app.screen._compositor.render_strips()]


@asynccontextmanager
async def open_terminal(
    path: Path, size: tuple[int, int] = SMALL, environment: dict[str, str] | None = None, **settings: str
) -> AsyncIterator[Terminal]:
    """Open the application over a database of its own; bots move at once, and nothing moves for show."""
    (path / "terminal.json").write_text(json.dumps(STILL | settings))
    host = Host(
        await SqliteStore.open(path / "host.db"), paced=True, undo_seconds=0.0, end_seconds=0.0, seed_seconds=0.0
    )
    app = KnobelApp(host, path / "terminal.json", environment or {})
    try:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            yield Terminal(app, pilot)
    finally:
        await host.close()


async def play_by_keys(terminal: Terminal, random: Random) -> None:
    """Play until the end is shown, with nothing but keys."""
    while not isinstance(terminal.app.screen, EndScreen):
        screen = terminal.app.screen
        if isinstance(screen, AskScreen):
            await terminal.press("left", "enter")
        elif isinstance(screen, ChooseScreen):
            await terminal.press("enter")
        elif isinstance(screen, TableScreen) and terminal.position.seat is not None:
            await terminal.pilot.press(choose_key(terminal, random))
        else:
            await terminal.pilot.pause()
    await terminal.wait_for_end()


async def play_real_dice(terminal: Terminal, random: Random) -> None:
    """Play with real dice until the end is shown; somebody confirms it."""
    while not isinstance(terminal.app.screen, EndScreen):
        screen = terminal.app.screen
        if isinstance(screen, ChooseScreen) or (
            isinstance(screen, TableScreen) and screen.play.position.view.places is not None
        ):
            await terminal.press("enter")
        elif isinstance(screen, AskScreen):
            await terminal.press("left", "enter")
        elif isinstance(screen, TableScreen) and terminal.position.seat is not None:
            await terminal.pilot.press(choose_key(terminal, random))
        else:
            await terminal.pilot.pause()
    await terminal.wait_for_end()


def choose_key(terminal: Terminal, random: Random) -> str:
    """Choose a key as somebody might who plays quickly: keep, roll, then score or stand."""
    position, play = terminal.position, terminal.table.play
    tray = position.tray
    if play.awaits_dice():
        return str(random.randint(1, position.rules.faces))
    if tray.phase in ("roll", "rolloff"):
        return "space"
    stops = FAMILIES[position.family].list_stops(position)
    if tray.phase == "choose" and not position.has_real_dice and random.random() < 0.5:
        return "space" if len(play.kept) < len(tray.dice) else "1"
    if tray.phase == "choose" and not position.has_real_dice and random.random() < 0.3:
        return str(random.randint(1, len(tray.dice)))
    if stops:
        return random.choice(stops).key
    return choose_letter(terminal)


def choose_letter(terminal: Terminal) -> str:
    """Choose the letter of the box that scores most, or of the first that can be announced."""
    options = {option.box: option for option in terminal.position.tray.options}
    rows = [row for row in terminal.table.query_one(SheetBoard).rows if row.box in options]
    allowed = [row for row in rows if options[row.box or ""].action or options[row.box or ""].announce_action]
    best = max(allowed, key=lambda row: options[row.box or ""].points)
    return best.letter


async def play_by_mouse(terminal: Terminal, random: Random, clicks: float = 1.0) -> None:
    """Play until the end is shown, with clicks; perhaps only some of the moves."""
    while not isinstance(terminal.app.screen, EndScreen):
        screen, pilot = terminal.app.screen, terminal.pilot
        if isinstance(screen, AskScreen):
            await pilot.click("#yes")
        elif isinstance(screen, TableScreen) and terminal.position.seat is not None:
            key = choose_key(terminal, random)
            await (click_move(terminal, key) if random.random() < clicks else pilot.press(key))
        await pilot.pause()
    await terminal.wait_for_end()


async def play_by_both(terminal: Terminal, random: Random) -> None:
    """Play until the end is shown, every other move by mouse."""
    await play_by_mouse(terminal, random, clicks=0.5)


async def click_move(terminal: Terminal, key: str) -> None:
    """Click what a key stands for."""
    pilot, stops = terminal.pilot, FAMILIES[terminal.position.family].list_stops(terminal.position)
    keys = [stop.key for stop in stops]
    if key == "space":
        await pilot.click("#main")
    elif key in keys:
        await pilot.click(f"#stop{keys.index(key)}")
    elif key.isdecimal():
        await pilot.click(list(terminal.table.query(DieFace))[int(key) - 1])
    else:
        board = terminal.table.query_one(SheetBoard)
        row = next(place for place, one in enumerate(board.rows) if one.letter == key)
        await pilot.click(board, offset=Offset(5, board.find_lines()[row]))
