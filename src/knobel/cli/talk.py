"""A game as a conversation: typed commands in, short sentences out; made for screen readers and scripts."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from knobel.cli.line import whole
from knobel.cli.screen import columns, say
from knobel.cli.sitting import Sitting
from knobel.errors import IllegalAction, KnobelError, NotationError
from knobel.game import CHANCE, Action, Land, Leave, Show, Throw
from knobel.lang import Words
from knobel.phrase import phrase
from knobel.record.lane import Step
from knobel.rules.fields import shown
from knobel.view.told import told

NO_DICE = phrase("rules.refusal.throw_first")


class Quit(Exception):
    """The player wants to stop for now."""


class Lines(Iterator[str]):
    """What is typed, line by line; a line can be put back for whoever reads next."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines = lines
        self.put = list[str]()

    def __next__(self) -> str:
        return self.put.pop() if self.put else next(self.lines)

    def back(self, line: str) -> None:
        """Put a line back."""
        self.put.append(line)


class Talk:
    """Asks whoever's turn it is, does what is typed, says what happened; a family adds its own words."""

    commands: ClassVar[Mapping[str, Callable[[Any, str], None]]] = {}
    helps: ClassVar[Mapping[str, str]] = {}

    def __init__(self, sitting: Sitting, words: Words, lines: Lines) -> None:
        self.sitting = sitting
        self.table = sitting.table
        self.words = words
        self.lines = lines
        self.kept: tuple[int, ...] = getattr(self.table.state, "locked", ())
        self.asked = ""
        self.table.listeners.append(self.hear)

    def invite(self) -> None:
        """Say whose turn it is."""
        raise NotImplementedError

    def hear(self, step: Step) -> None:
        """Say what was done."""
        raise NotImplementedError

    def previews(self) -> None:
        """Say what the dice are worth."""
        raise NotImplementedError

    def board(self) -> None:
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

    def name(self, seat: int) -> str:
        """Call a player by name."""
        return self.table.header.seats[seat].name

    def seat(self, number: str) -> int:
        """Find the seat of a player who is called by number."""
        seat, seats = whole(number, "c") - 1, len(self.table.header.seats)
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
                self.sitting.step()
                continue
            self.ask()
            if self.state.seat is None or self.is_bot(self.player):
                self.pause()
        self.sitting.go_on()

    def pause(self) -> None:
        """Let a person take back or correct before a bot moves or the game ends; any other line is kept for later."""
        if not self.can_undo:
            return
        say(self.words("interface.play.over" if self.state.seat is None else "interface.play.pause"))
        line = next(self.lines, "").strip()
        verb = line.partition(" ")[0].casefold()
        if verb in ("u", "undo"):
            self.undo("")
        elif verb == "c" and verb in self.commands:
            self.hear_line(line)
            self.pause()
        elif line:
            self.lines.back(line)

    @property
    def can_undo(self) -> bool:
        """Whether the last thing done was a person's entry or announcement."""
        return self.undone_by is not None

    @property
    def undone_by(self) -> int | None:
        """The person whose entry or announcement was the last thing done."""
        last = self.table.replay.last()
        return None if last is None or self.is_bot(last.before.player) else int(last.before.player)

    def ask(self) -> None:
        """Ask a person until something happens; whatever is wrong is said, and asked again."""
        if not self.state.dice and self.state.seat != CHANCE and getattr(self.state, "announced", None) is None:
            self.invite()
        before = self.state
        while self.state is before:
            line = next(self.lines, None)
            if line is None:
                raise Quit
            self.hear_line(line)

    def hear_line(self, line: str) -> None:
        """Carry out what was typed, or say why not."""
        try:
            self.obey(" ".join(line.split()))
        except KnobelError as error:
            say(self.words.error(error))

    def obey(self, line: str) -> None:
        """Carry out one typed command; a question asked before it holds only for the same command."""
        verb, _, rest = (f"~ {line[1:].strip()}" if line.startswith("~") else line).partition(" ")
        if not verb:
            return
        command = {**COMMANDS, **self.commands}.get(verb.casefold())
        if command is None and verb[0].isdecimal():
            command, rest = Talk.lay, line
        if command is None:
            raise NotationError(text=shown(line))
        self.asked = self.asked if self.asked == line.casefold() else ""
        command(self, rest)

    def do(self, action: Action) -> None:
        """Let the table decide and make it happen."""
        self.sitting.act(self.player, action)
        self.kept = getattr(self.state, "locked", ())

    def throw(self, rest: str) -> None:
        """Throw what is not kept."""
        if rest:
            self.hold(rest)
        self.do(Throw(self.kept))

    def hold(self, rest: str) -> None:
        """Keep dice by their values for the next throw."""
        positions = self.table.game.positions(self.state, numbers(rest))
        if positions is None or not self.state.dice:
            lying = " ".join(map(str, self.state.dice))
            raise IllegalAction(why=phrase("rules.refusal.not_lying", dice=lying) if lying else NO_DICE)
        refusal = self.table.game.refusal(self.state, Throw(positions))
        if refusal is not None and len(positions) < len(self.state.dice):
            raise IllegalAction(why=refusal)
        self.kept = positions
        dice = " ".join(str(self.state.dice[place]) for place in positions)
        say(self.words("interface.play.kept", dice=dice, n=len(self.state.dice) - len(positions)))

    def land(self, rest: str) -> None:
        """Say what real dice show."""
        dice = numbers(rest)
        if not self.table.header.seats[self.player].own_dice:
            raise IllegalAction(why=phrase("rules.refusal.not_own"))
        if self.state.seat != CHANCE:
            self.do(Throw(self.kept))
        self.do(Land(dice))

    def lay(self, rest: str) -> None:
        """Lay down the real dice a turn ended with; after a colon, in how many throws."""
        self.do(shown_dice(rest))

    def undo(self, _: str) -> None:
        """Take back a person's last entry or announcement."""
        if self.undone_by is None:
            raise IllegalAction(why=phrase("rules.refusal.no_undo"))
        self.sitting.undo(self.undone_by)
        self.kept = getattr(self.state, "locked", ())

    def leave(self, _: str) -> None:
        """Leave for good, asked twice."""
        if self.sure("leave", "leaving"):
            self.do(Leave(self.player))

    def again(self, _: str) -> None:
        """Say again what the dice are worth."""
        self.previews()

    def show(self, _: str) -> None:
        """Show where the game stands."""
        self.board()

    def quit(self, _: str) -> None:
        """Stop for now."""
        raise Quit

    def help(self, _: str) -> None:
        """Say which commands there are."""
        columns([[f"  {key}", self.words(f"interface.play.help.{name}")] for key, name in self.helps.items()])

    def sure(self, line: str, question: str) -> bool:
        """Ask for the same command once more before something that hurts."""
        asked, self.asked = self.asked, line.casefold()
        if asked == self.asked:
            self.asked = ""
            return True
        say(self.words(f"interface.play.{question}"))
        return False

    def say_dice(self) -> None:
        """Say which dice lie there when a game goes on, and what they are worth."""
        name, dice = self.name(self.player), " ".join(map(str, self.state.dice))
        throws = self.table.game.rules.throws
        say(self.words("interface.play.thrown", name=name, dice=dice, throw=self.state.thrown, throws=throws))
        self.previews()

    def tell(self, step: Step) -> None:
        """Say what was done, as every window says it."""
        for said in told(self.table, step):
            say(self.words.say(said))

    def say_how(self) -> None:
        """Say how to throw."""
        own = self.table.header.seats[self.player].own_dice
        say(self.words("interface.play.how_own" if own else "interface.play.how"))


def shown_dice(text: str) -> Show:
    """Read real dice as they lie at the end of a turn; after a colon, in how many throws."""
    dice, _, throws = text.partition(":")
    return Show(numbers(dice), whole(throws.strip(), "dice") if throws.strip() else 0)


def numbers(text: str) -> tuple[int, ...]:
    """Read dice as they are typed: apart, or together where each is one digit."""
    words = text.replace(",", " ").split()
    if len(words) == 1 and words[0].isdecimal():
        words = list(words[0])
    return tuple(whole(word, "dice") for word in words)


COMMANDS: dict[str, Callable[[Any, str], None]] = {
    "t": Talk.throw,
    "k": Talk.hold,
    "d": Talk.land,
    "o": Talk.again,
    "p": Talk.show,
    "u": Talk.undo,
    "undo": Talk.undo,
    "leave": Talk.leave,
    "q": Talk.quit,
    "?": Talk.help,
    "help": Talk.help,
}
