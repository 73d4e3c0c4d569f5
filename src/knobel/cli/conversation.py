"""A game as a conversation: typed commands in, short sentences out; made for screen readers and scripts."""

from collections.abc import Iterator
from typing import Any

from knobel.cli.commands import CommandTable
from knobel.cli.display import GameDisplay
from knobel.cli.screen import say, say_paragraph
from knobel.cli.table_client import TableClient
from knobel.cli.typed_words import fold, strip_quotes
from knobel.errors import IllegalAction, KnobelError
from knobel.game import CHANCE, Action, Game, Roll
from knobel.lang import Translator
from knobel.phrase import phrase

NO_DICE = phrase("rules.refusal.roll_first")
CORRECT_NAME = "c"


class Quit(Exception):
    """The player wants to stop for now."""


class InputLines(Iterator[str]):
    """The typed lines; a line can be put back for the next reader."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines = lines
        self.pushed_back = list[str]()

    def __next__(self) -> str:
        return self.pushed_back.pop() if self.pushed_back else next(self.lines)

    def push_back(self, line: str) -> None:
        self.pushed_back.append(line)


class Confirmation:
    """Destructive commands run only when typed twice in a row."""

    def __init__(self) -> None:
        self.line = ""
        self.pending = ""

    def note(self, line: str) -> None:
        """Note what is typed now; a pending question is dropped unless this line answers it."""
        self.line = fold(line)
        if self.pending != self.line:
            self.pending = ""

    def is_repeated(self) -> bool:
        """Tell whether the line confirms the pending question; if not, it becomes the pending one."""
        if self.pending == self.line:
            self.pending = ""
            return True
        self.pending = self.line
        return False


class KeptDice:
    """Which positions on the tray are kept at the next roll; locked dice always are."""

    def __init__(self, locked: tuple[int, ...]) -> None:
        self.positions = locked

    def choose(self, game: Game[Any], state: Any, dice: tuple[int, ...]) -> None:
        """Keep dice by their values, or raise why they cannot be kept."""
        positions = game.find_positions(state, dice)
        if positions is None or not state.dice:
            tray = " ".join(map(str, state.dice))
            raise IllegalAction(why=phrase("rules.refusal.not_lying", dice=tray) if tray else NO_DICE)
        refusal = game.refusal(state, Roll(positions))
        if refusal is not None and len(positions) < len(state.dice):
            raise IllegalAction(why=refusal)
        self.positions = positions


class Conversation:
    """Prompts the player whose turn it is and runs what they type, until the game is over."""

    def __init__(
        self, client: TableClient, words: Translator, lines: InputLines, display: GameDisplay, commands: CommandTable
    ) -> None:
        self.client = client
        self.table = client.table
        self.words = words
        self.lines = lines
        self.display = display
        self.commands = commands
        self.roster = display.roster
        self.kept_dice = KeptDice(display.locked_positions)
        self.confirmation = Confirmation()
        self.unfinished_line = ""
        """A line that was refused for want of a word."""
        self.line_to_complete = ""
        """The line before this one, if this one may be the word it wanted."""
        display.is_here = client.plays
        self.table.listeners.append(display.on_step)

    @property
    def state(self) -> Any:
        return self.display.state

    @property
    def player(self) -> int:
        return self.display.player

    @property
    def game(self) -> Game[Any]:
        return self.display.track.game

    @property
    def is_own_turn(self) -> bool:
        """Whether the player whose turn it is types here."""
        return self.state.seat is not None and self.client.plays(self.player)

    @property
    def has_real_dice(self) -> bool:
        """Whether the player whose turn it is rolls real dice."""
        return self.roster.has_real_dice(self.player)

    @property
    def undo_seat(self) -> int | None:
        """The person here whose entry or announcement was the last thing done."""
        last = self.table.replay.find_last_undoable(self.display.focus)
        seat = self.player if last is None or self.display.focus is not None else int(last.before.player)
        return None if last is None or not self.client.plays(seat) else seat

    def run(self) -> None:
        """Play to the end; the last entry can be undone until the end is confirmed."""
        if self.state.dice and self.is_own_turn:
            self.display.say_dice()
        while self.state.seat is not None:
            if not self.is_own_turn:
                self.client.wait_for_others()
                continue
            self.prompt_move()
            if not self.is_own_turn:
                self.offer_undo()
        self.client.confirm_end()

    def offer_undo(self) -> None:
        """Let a person undo or correct before a bot moves or the game ends; put any other line back."""
        if self.undo_seat is None:
            return
        say(self.words("interface.play.over" if self.state.seat is None else "interface.play.pause"))
        line = next(self.lines, "").strip()
        named = self.commands.find_named(self.words, strip_quotes(line)) if line else None
        if named is None or not named[0].changes_past:
            self.lines.push_back(line) if line else None
            return
        self.run_line(line)
        if not self.is_own_turn:
            self.offer_undo()

    def prompt_move(self) -> None:
        """Prompt a person until the game changes; report errors and prompt again."""
        if not self.state.dice and self.state.seat != CHANCE and not self.display.has_announced:
            self.display.say_turn()
        before = self.state
        while self.state == before and not self.table.replay.closed:
            line = next(self.lines, None)
            if line is None:
                raise Quit
            self.run_line(line)

    def run_line(self, line: str) -> None:
        """Run a typed line, or say why not; a pending question is confirmed only by the same line."""
        typed = strip_quotes(line)
        if not fold(typed):
            return
        self.line_to_complete, self.unfinished_line = self.unfinished_line, ""
        self.confirmation.note(typed)
        try:
            command, rest = self.commands.find(self, typed)
            command.run(self, rest)
        except KnobelError as error:
            say_paragraph(self.words.describe_error(error))

    def act(self, action: Action) -> None:
        """Send an action of the current seat."""
        if not self.is_own_turn:
            raise IllegalAction(why=phrase("rules.refusal.not_your_turn"))
        self.client.act(self.player, action)
        self.forget_kept_dice()

    def forget_kept_dice(self) -> None:
        """Keep only what the rules keep."""
        self.kept_dice.positions = self.display.locked_positions

    def confirm(self, question: str) -> bool:
        """Ask for the same command again before doing something destructive."""
        if self.confirmation.is_repeated():
            return True
        say_paragraph(self.words(f"interface.play.{question}"))
        return False
