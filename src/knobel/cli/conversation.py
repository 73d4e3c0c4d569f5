"""A game as a conversation: typed commands in, short sentences out; made for screen readers and scripts."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from knobel.cli.parser import parse_int
from knobel.cli.room_client import RoomClient
from knobel.cli.screen import say, say_columns
from knobel.errors import IllegalAction, KnobelError, NotationError
from knobel.game import CHANCE, Action, EnterDice, Land, Leave, Roll
from knobel.lang import Translator
from knobel.phrase import phrase
from knobel.record.track import Step
from knobel.rules.fields import abbreviate
from knobel.view.narration import narrate

NO_DICE = phrase("rules.refusal.roll_first")


class Quit(Exception):
    """The player wants to stop for now."""


class InputLines(Iterator[str]):
    """What is typed, line by line; a line can be put back for whoever reads next."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines = lines
        self.pushed_back = list[str]()

    def __next__(self) -> str:
        return self.pushed_back.pop() if self.pushed_back else next(self.lines)

    def push_back(self, line: str) -> None:
        """Put a line back."""
        self.pushed_back.append(line)


class Conversation:
    """Asks whoever's turn it is, does what is typed, says what happened; a family adds its own words."""

    commands: ClassVar[Mapping[str, Callable[[Any, str], None]]] = {}
    help_keys: ClassVar[Mapping[str, str]] = {}

    def __init__(self, client: RoomClient, words: Translator, lines: InputLines) -> None:
        self.client = client
        self.table = client.table
        self.words = words
        self.lines = lines
        self.kept_positions: tuple[int, ...] = getattr(self.table.state, "locked", ())
        self.pending_confirmation = ""
        self.table.listeners.append(self.on_step)

    def say_turn(self) -> None:
        """Say whose turn it is."""
        raise NotImplementedError

    def on_step(self, step: Step) -> None:
        """Say what was done."""
        raise NotImplementedError

    def say_preview(self) -> None:
        """Say what the dice are worth."""
        raise NotImplementedError

    def show_board(self) -> None:
        """Show where the game stands."""
        raise NotImplementedError

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self.table.state

    @property
    def player(self) -> int:
        """Whose turn it is."""
        return int(self.state.player)

    def player_name(self, seat: int) -> str:
        """Call a player by name."""
        return self.table.header.seats[seat].name

    def find_seat(self, number: str) -> int:
        """Find the seat of a player who is called by number."""
        seat, seats = parse_int(number, "c") - 1, len(self.table.header.seats)
        if not 0 <= seat < seats:
            raise IllegalAction(why=phrase("rules.refusal.no_seat", seat=seat + 1, n=seats))
        return seat

    def is_bot(self, seat: int) -> bool:
        """Tell whether a bot sits there."""
        return self.table.header.seats[seat].bot is not None

    def run(self) -> None:
        """Play to the end; the last entry can be taken back until the end is confirmed."""
        if self.state.dice and not self.is_bot(self.player):
            self.say_dice()
        while self.state.seat is not None:
            if self.is_bot(self.player):
                self.client.step_bot()
                continue
            self.prompt_move()
            if self.state.seat is None or self.is_bot(self.player):
                self.offer_undo()
        self.client.confirm_end()

    def offer_undo(self) -> None:
        """Let a person take back or correct before a bot moves or the game ends; any other line is kept for later."""
        if not self.can_undo:
            return
        say(self.words("interface.play.over" if self.state.seat is None else "interface.play.pause"))
        line = next(self.lines, "").strip()
        verb = line.partition(" ")[0].casefold()
        if verb in ("u", "undo"):
            self.undo("")
        elif verb == "c" and verb in self.commands:
            self.run_line(line)
            self.offer_undo()
        elif line:
            self.lines.push_back(line)

    @property
    def can_undo(self) -> bool:
        """Whether the last thing done was a person's entry or announcement."""
        return self.undo_seat is not None

    @property
    def undo_seat(self) -> int | None:
        """The person whose entry or announcement was the last thing done."""
        last = self.table.replay.find_last_undoable()
        return None if last is None or self.is_bot(last.before.player) else int(last.before.player)

    def prompt_move(self) -> None:
        """Ask a person until something happens; whatever is wrong is said, and asked again."""
        if not self.state.dice and self.state.seat != CHANCE and getattr(self.state, "announced", None) is None:
            self.say_turn()
        before = self.state
        while self.state is before:
            line = next(self.lines, None)
            if line is None:
                raise Quit
            self.run_line(line)

    def run_line(self, line: str) -> None:
        """Carry out what was typed, or say why not."""
        try:
            self.dispatch(" ".join(line.split()))
        except KnobelError as error:
            say(self.words.describe_error(error))

    def dispatch(self, line: str) -> None:
        """Carry out one typed command; a question asked before it holds only for the same command."""
        verb, _, rest = (f"~ {line[1:].strip()}" if line.startswith("~") else line).partition(" ")
        if not verb:
            return
        command = {**COMMANDS, **self.commands}.get(verb.casefold())
        if command is None and verb[0].isdecimal():
            command, rest = Conversation.enter_final_dice, line
        if command is None:
            raise NotationError(text=abbreviate(line))
        self.pending_confirmation = self.pending_confirmation if self.pending_confirmation == line.casefold() else ""
        command(self, rest)

    def act(self, action: Action) -> None:
        """Let the table decide and make it happen."""
        self.client.act(self.player, action)
        self.kept_positions = getattr(self.state, "locked", ())

    def roll(self, rest: str) -> None:
        """Throw what is not kept."""
        if rest:
            self.keep(rest)
        self.act(Roll(self.kept_positions))

    def keep(self, rest: str) -> None:
        """Keep dice by their values for the next throw."""
        positions = self.table.game.find_positions(self.state, parse_dice(rest))
        if positions is None or not self.state.dice:
            lying = " ".join(map(str, self.state.dice))
            raise IllegalAction(why=phrase("rules.refusal.not_lying", dice=lying) if lying else NO_DICE)
        refusal = self.table.game.refusal(self.state, Roll(positions))
        if refusal is not None and len(positions) < len(self.state.dice):
            raise IllegalAction(why=refusal)
        self.kept_positions = positions
        dice = " ".join(str(self.state.dice[place]) for place in positions)
        say(self.words("interface.play.kept", dice=dice, n=len(self.state.dice) - len(positions)))

    def enter_dice(self, rest: str) -> None:
        """Say what real dice show."""
        dice = parse_dice(rest)
        if not self.table.header.seats[self.player].real_dice:
            raise IllegalAction(why=phrase("rules.refusal.not_real_dice"))
        if self.state.seat != CHANCE:
            self.act(Roll(self.kept_positions))
        self.act(Land(dice))

    def enter_final_dice(self, rest: str) -> None:
        """Lay down the real dice a turn ended with; after a colon, in how many throws."""
        self.act(parse_final_dice(rest))

    def undo(self, _: str) -> None:
        """Take back a person's last entry or announcement."""
        if self.undo_seat is None:
            raise IllegalAction(why=phrase("rules.refusal.no_undo"))
        self.client.undo(self.undo_seat)
        self.kept_positions = getattr(self.state, "locked", ())

    def leave(self, _: str) -> None:
        """Leave for good, asked twice."""
        if self.confirm("leave", "leaving"):
            self.act(Leave(self.player))

    def repeat_preview(self, _: str) -> None:
        """Say again what the dice are worth."""
        self.say_preview()

    def repeat_board(self, _: str) -> None:
        """Show where the game stands."""
        self.show_board()

    def quit(self, _: str) -> None:
        """Stop for now."""
        raise Quit

    def show_help(self, _: str) -> None:
        """Say which commands there are."""
        say_columns([[f"  {key}", self.words(f"interface.play.help.{name}")] for key, name in self.help_keys.items()])

    def confirm(self, line: str, question: str) -> bool:
        """Ask for the same command once more before something that hurts."""
        asked, self.pending_confirmation = self.pending_confirmation, line.casefold()
        if asked == self.pending_confirmation:
            self.pending_confirmation = ""
            return True
        say(self.words(f"interface.play.{question}"))
        return False

    def say_dice(self) -> None:
        """Say which dice lie there when a game goes on, and what they are worth."""
        name, dice = self.player_name(self.player), " ".join(map(str, self.state.dice))
        roll, rolls = self.state.rolls_used, self.table.game.rules.rolls
        say(self.words("interface.play.rolled", name=name, dice=dice, roll=roll, rolls=rolls))
        self.say_preview()

    def say_step(self, step: Step) -> None:
        """Say what was done, as every window says it."""
        for said in narrate(self.table, step):
            say(self.words.translate(said))

    def say_how_to_roll(self) -> None:
        """Say how to throw."""
        own = self.table.header.seats[self.player].real_dice
        say(self.words("interface.play.how_real" if own else "interface.play.how"))


def parse_final_dice(text: str) -> EnterDice:
    """Read real dice as they lie at the end of a turn; after a colon, in how many throws."""
    dice, _, throws = text.partition(":")
    return EnterDice(parse_dice(dice), parse_int(throws.strip(), "dice") if throws.strip() else 0)


def parse_dice(text: str) -> tuple[int, ...]:
    """Read dice as they are typed: apart, or together where each is one digit."""
    words = text.replace(",", " ").split()
    if len(words) == 1 and words[0].isdecimal():
        words = list(words[0])
    return tuple(parse_int(word, "dice") for word in words)


COMMANDS: dict[str, Callable[[Any, str], None]] = {
    "r": Conversation.roll,
    "t": Conversation.roll,
    "k": Conversation.keep,
    "d": Conversation.enter_dice,
    "o": Conversation.repeat_preview,
    "p": Conversation.repeat_board,
    "u": Conversation.undo,
    "undo": Conversation.undo,
    "leave": Conversation.leave,
    "q": Conversation.quit,
    "?": Conversation.show_help,
    "help": Conversation.show_help,
}
