"""A game as a conversation: typed commands in, the voice answers; made for screen readers and scripts."""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

from knobel.cli.line import whole
from knobel.cli.screen import columns, say
from knobel.cli.sheet import show_sheet
from knobel.cli.situation import box_named
from knobel.cli.voice import Voice
from knobel.errors import IllegalAction, KnobelError, NotationError
from knobel.game import CHANCE, Action, Announce, Fill, Land, Leave, Throw, Write
from knobel.games.sheet import SheetState
from knobel.host import bot_step, bots_chance, keep
from knobel.lang import Words
from knobel.phrase import phrase
from knobel.rules.fields import shown
from knobel.table import Table

NO_DICE = phrase("rules.refusal.throw_first")


class Quit(Exception):
    """The player wants to stop for now."""


class Talk:
    """Asks whoever's turn it is, and does what is typed."""

    def __init__(self, table: Table, words: Words, lines: Iterator[str], save: Path | None) -> None:
        self.table = table
        self.words = words
        self.voice = Voice(table, words)
        self.lines = lines
        self.save = save
        self.random = bots_chance(table.header)
        self.kept: tuple[int, ...] = ()
        self.asked = ""

    @property
    def state(self) -> SheetState:
        """Where the game stands."""
        return self.table.state

    @property
    def player(self) -> int:
        """Whose turn it is."""
        return self.state.player

    def run(self) -> None:
        """Play to the end; the last entry can be taken back until the end is confirmed."""
        while self.state.seat is not None:
            if self.table.header.seats[self.player].bot:
                bot_step(self.table, self.random)
                continue
            self.ask()
            if self.state.seat is None or self.table.header.seats[self.player].bot:
                self.pause()
        self.table.apply(self.table.close())

    def pause(self) -> None:
        """Let a person take back an entry before a bot moves or the game ends; any other line is kept for later."""
        if not self.can_undo:
            return
        say(self.words("interface.play.over" if self.state.seat is None else "interface.play.pause"))
        line = next(self.lines, "")
        if line.strip().casefold() in ("u", "undo"):
            self.undo("")
        elif line.strip():
            self.lines = chain([line], self.lines)

    @property
    def can_undo(self) -> bool:
        """Whether the last thing done was a person's entry or announcement."""
        last = self.table.replay.last
        return last is not None and self.table.header.seats[last.before.player].bot is None

    def ask(self) -> None:
        """Ask a person until something happens; whatever is wrong is said, and asked again."""
        if not self.state.dice and self.state.seat != CHANCE and self.state.announced is None:
            self.voice.invite(self.player)
        before = self.state
        while self.state is before:
            line = next(self.lines, None)
            if line is None:
                raise Quit
            try:
                self.obey(" ".join(line.split()))
            except KnobelError as error:
                say(self.words.error(error))

    def obey(self, line: str) -> None:
        """Carry out one typed command; a question asked before it holds only for the same command."""
        verb, _, rest = line.partition(" ")
        if not verb:
            return
        if verb.casefold() not in COMMANDS:
            raise NotationError(text=shown(line))
        self.asked = self.asked if self.asked == line else ""
        COMMANDS[verb.casefold()](self, rest)

    def do(self, action: Action) -> None:
        """Let the table decide and make it happen."""
        self.table.apply(self.table.decide(self.player, action))
        self.kept = self.state.locked
        if isinstance(action, Fill | Write):
            keep(self.table, self.save)

    def throw(self, rest: str) -> None:
        """Throw what is not kept."""
        if rest:
            self.hold(rest)
        self.do(Throw(self.kept))

    def hold(self, rest: str) -> None:
        """Keep dice by their values for the next throw."""
        positions = self.table.game.positions(self.state, numbers(rest))
        if positions is None:
            lying = " ".join(map(str, self.state.dice))
            raise IllegalAction(why=phrase("rules.refusal.not_lying", dice=lying) if lying else NO_DICE)
        refusal = self.table.game.refusal(self.state, Throw(positions))
        if refusal is not None and len(positions) < len(self.state.dice):
            raise IllegalAction(why=refusal)
        self.kept = positions
        dice = " ".join(str(self.state.dice[place]) for place in positions)
        say(self.words("interface.play.kept", dice=dice, n=len(self.state.dice) - len(positions)))

    def score(self, rest: str) -> None:
        """Write the dice into a box; a zero while others score is asked twice."""
        box = self.box(rest)
        option = self.table.game.options(self.state)[box] if self.state.dice else None
        if option is None or not option.warn_zero or self.sure(f"s {rest}", "zero"):
            self.do(Fill(box))

    def strike(self, rest: str) -> None:
        """Write a deliberate zero, asked twice."""
        box = self.box(rest)
        self.table.decide(self.player, Fill(box, strike=True))
        if self.sure(f"x {rest}", "zero"):
            self.do(Fill(box, strike=True))

    def announce(self, rest: str) -> None:
        """Announce a box."""
        self.do(Announce(self.box(rest)))

    def land(self, rest: str) -> None:
        """Say what real dice show."""
        dice = numbers(rest)
        if self.state.seat != CHANCE:
            self.do(Throw(self.kept))
        self.do(Land(dice))

    def write(self, rest: str) -> None:
        """Write points of dice thrown on the table, with their extra after a plus."""
        name, _, figures = rest.rpartition(" ")
        points, _, extra = figures.partition("+")
        self.do(Write(self.box(name), whole(points, "w"), whole(extra, "w") if extra else 0))

    def undo(self, _: str) -> None:
        """Take back a person's last entry or announcement."""
        if not self.can_undo:
            raise IllegalAction(why=phrase("rules.refusal.no_undo"))
        self.table.apply(self.table.undo())

    def leave(self, _: str) -> None:
        """Leave for good, asked twice."""
        if self.sure("leave", "leaving"):
            self.do(Leave(self.player))

    def again(self, _: str) -> None:
        """Say again what the dice would bring."""
        self.voice.previews()

    def sheet(self, _: str) -> None:
        """Show the sheet."""
        show_sheet(self.words, self.table.game, self.state, [seat.name for seat in self.table.header.seats])

    def quit(self, _: str) -> None:
        """Stop for now."""
        raise Quit

    def help(self, _: str) -> None:
        """Say which commands there are."""
        columns([[f"  {key}", self.words(f"interface.play.help.{name}")] for key, name in HELP.items()])

    def box(self, name: str) -> str:
        """Find the box that was typed."""
        return box_named(self.words, self.table.game.rules, name)

    def sure(self, line: str, question: str) -> bool:
        """Ask for the same command once more before something that hurts."""
        if self.asked == line:
            return True
        self.asked = line
        say(self.words(f"interface.play.{question}"))
        return False


def numbers(text: str) -> tuple[int, ...]:
    """Read dice as they are typed: apart, or together where each is one digit."""
    words = text.replace(",", " ").split()
    if len(words) == 1 and words[0].isdecimal():
        words = list(words[0])
    return tuple(whole(word, "dice") for word in words)


COMMANDS: dict[str, Callable[[Talk, str], None]] = {
    "t": Talk.throw,
    "k": Talk.hold,
    "s": Talk.score,
    "x": Talk.strike,
    "a": Talk.announce,
    "d": Talk.land,
    "w": Talk.write,
    "o": Talk.again,
    "p": Talk.sheet,
    "u": Talk.undo,
    "undo": Talk.undo,
    "leave": Talk.leave,
    "q": Talk.quit,
    "?": Talk.help,
    "help": Talk.help,
}
HELP = {
    "t": "throw",
    "k 6 6": "keep",
    "s BOX": "score",
    "x BOX": "strike",
    "a BOX": "announce",
    "d 3 3 5 5 5": "land",
    "w BOX 18": "write",
    "o": "options",
    "p": "sheet",
    "undo": "undo",
    "leave": "leave",
    "q": "quit",
}
