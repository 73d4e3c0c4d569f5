"""The table on the screen: the sheet or the chips, the dice, what happened, what the coach says."""

import os
from collections.abc import Awaitable, Callable
from functools import partial

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Button, Static

from knobel.host.session import SessionUpdate
from knobel.record.events import Landed
from knobel.tui.corrections import offer_corrections
from knobel.tui.dice_tray import DiceTray
from knobel.tui.families import FAMILIES
from knobel.tui.game_board import GameBoard
from knobel.tui.game_room import GameRoom
from knobel.tui.key_bar import KeyBar
from knobel.tui.keys import ACTIONS, list_useful_keys
from knobel.tui.questions import AskScreen, ChooseScreen, Question, TypeScreen
from knobel.tui.round_corrections import offer_round_corrections
from knobel.tui.settings import ScreenSettings
from knobel.tui.table_coach import TableCoach
from knobel.tui.table_drawing import MAX_STOPS, draw_table, list_dice
from knobel.tui.table_play import TablePlay
from knobel.tui.terminal_app import TerminalApp


class TableScreen(Screen[None]):
    """A game that is played; everything it knows comes from the view of its table."""

    AUTO_FOCUS = ""
    app: TerminalApp

    class Changed(Message):
        """Something changed in the room."""

        def __init__(self, update: SessionUpdate, rolled: tuple[int, ...]) -> None:
            super().__init__()
            self.update = update
            self.rolled = rolled

    def __init__(self, game: GameRoom, settings: ScreenSettings) -> None:
        super().__init__(id="table-screen")
        self.game = game
        self.settings = settings
        self.play = TablePlay(game, self.say, self.ask, self.choose, partial(ask_line, self))
        self.sentences: list[str] = []
        self.message = ""
        self.coach = TableCoach(self.play, self)
        self.motion = settings.has_motion(os.environ)

    def compose(self) -> ComposeResult:
        position = self.play.position
        yield Static(id="title", markup=False)
        with Horizontal(id="table"):
            with VerticalScroll(id="sheet", can_focus=False):
                yield FAMILIES[position.family].board()
            with Container(id="side"):
                with Vertical(id="felt"):
                    yield Static(id="prompt", markup=False)
                    yield DiceTray(position.rules.dice, self.settings.faces)
                    yield Button("", id="main", variant="primary")
                    with Horizontal(id="stops"):
                        for number in range(MAX_STOPS):
                            yield Button("", id=f"stop{number}", classes="stop")
                    yield Static(id="message", markup=False)
                with VerticalScroll(id="notes", can_focus=False):
                    yield Static(id="tally", markup=False)
                    yield Static(id="hint", markup=False)
                    yield Static(id="moves", markup=False)
        yield KeyBar()

    async def on_mount(self) -> None:
        for button in self.query(Button):
            button.can_focus = False
        await self.game.watch(self.watch_room)
        self.show()

    def on_unmount(self) -> None:
        self.game.unwatch(self.watch_room)

    def watch_room(self, update: SessionUpdate) -> None:
        """Take over what changed at once, so that the next key means the position of now; it is drawn in a moment."""
        position, rolled = self.game.draw(), None
        for step in update.steps:
            self.sentences += position.narrate(step)
            if isinstance(step.event, Landed):
                rolled = tuple(step.before.rolling)
        self.play.show(position, rolled)
        self.post_message(self.Changed(update, rolled or ()))

    def on_table_screen_changed(self, event: Changed) -> None:
        """Draw what changed."""
        update = event.update
        if update.progress is not None:
            self.message = self.app.describe_progress(update.progress)
        if update.steps:
            self.message = ""
            self.coach.forget_hint()
            self.coach.update_tally()
        self.show(event.rolled)
        if self.play.position.view.closed is not None and self in self.app.screen_stack:
            self.app.show_end(self.game)

    def show(self, rolled: tuple[int, ...] = ()) -> None:
        """Draw everything."""
        draw_table(self, self.play, self.sentences, self.message)
        self.query_one(DiceTray).show(list_dice(self.play), rolled, motion=self.motion)
        board, sheet = self.query_one(GameBoard), self.query_one("#sheet")
        board.show(self.play.position)
        sheet.border_title = self.play.position.words(board.title)
        self.query_one(KeyBar).show(list_useful_keys(self.play))

    def say(self, sentence: str) -> None:
        """Say something until the next move."""
        self.message = sentence
        self.query_one("#message", Static).update(Content.styled(sentence, "$warning bold"))

    def ask(self, question: Question, yes: Callable[[], Awaitable[None]]) -> None:
        async def answer(agreed: bool | None) -> None:
            if agreed:
                await yes()

        self.app.push_screen(AskScreen(question), answer)

    def choose(self, title: str, lines: list[str], text: str, chosen: Callable[[int], Awaitable[None]]) -> None:
        async def answer(index: int | None) -> None:
            if index is not None:
                await chosen(index)

        self.app.push_screen(ChooseScreen(title, lines, text), answer)

    async def on_key(self, event: Key) -> None:
        """Do what a key stands for: a digit, a key of the table, a way to stop, or a box."""
        character, before = event.character or "", self.play.position
        stops = {stop.key: stop.action for stop in FAMILIES[self.play.position.family].list_stops(self.play.position)}
        if character.isdecimal() and character.isascii():
            await self.play.press_number(int(character))
        elif character in stops:
            await self.play.act(stops[character])
        elif event.key in ACTIONS:
            await self.run_key_action(ACTIONS[event.key])
        elif box := self.query_one(GameBoard).find_box(character):
            await self.play.score(box)
        else:
            return
        event.stop()
        # What changed the game is drawn by whoever watches the room.
        if self.is_attached and self.play.position is before:
            self.show()

    async def run_key_action(self, action: str) -> None:
        board = self.query_one(GameBoard)
        match action:
            case "main":
                await self.play.press_main()
            case "up" | "down":
                board.move(-1 if action == "up" else 1)
            case "choose" if board.chosen_box and self.play.position.seat is not None:
                await self.play.score(board.chosen_box)
            case "choose":
                await self.play.press_main()
            case "cross_out" if board.chosen_box:
                await self.play.cross_out(board.chosen_box)
            case "undo":
                await self.play.undo()
            case "erase":
                self.play.entered = self.play.entered[:-1]
            case "correct" if board.chosen_box:
                offer_corrections(self.play, board.chosen_box)
            case "correct":
                offer_round_corrections(self.play)
            case "hint" | "tally":
                self.coach.ask(action)
            case "help":
                self.app.show_help(self.play.position)
            case "leave":
                self.app.go_home()

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        """Press the main button or a way to stop by mouse."""
        if event.button.id == "main":
            await self.play.press_main()
        else:
            stops = FAMILIES[self.play.position.family].list_stops(self.play.position)
            await self.play.act(stops[int(str(event.button.id)[-1])].action)
        self.show()

    async def on_dice_tray_pressed(self, event: DiceTray.Pressed) -> None:
        if not self.play.awaits_dice():
            await self.play.press_number(event.place + 1)
            self.show()

    async def on_game_board_box_pressed(self, event: GameBoard.BoxPressed) -> None:
        await self.play.score(event.box)
        self.show()


def ask_line(screen: TableScreen, title: str, typed: Callable[[str], Awaitable[None]]) -> None:
    """Ask for a line of text over the table."""

    async def answer(line: str | None) -> None:
        if line is not None:
            await typed(line)

    screen.app.push_screen(TypeScreen(title), answer)
