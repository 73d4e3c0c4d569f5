"""What a conversation writes: whose turn it is, what was done, what the dice are worth, how the game stands."""

from typing import Any

from knobel.cli.roster import Roster
from knobel.cli.screen import say
from knobel.game import EnterDice, Land, Roll
from knobel.lang import Translator
from knobel.record.events import Undone
from knobel.record.track import Step
from knobel.table import Table
from knobel.view.narration import narrate


class GameDisplay:
    """Writes about a table and never changes it; each family has its own turns, previews and board."""

    how_real = "interface.play.how_real"
    """How to begin a turn with real dice."""

    def __init__(self, table: Table, words: Translator) -> None:
        self.table = table
        self.words = words
        self.roster = Roster(table.header.seats)

    @property
    def state(self) -> Any:
        return self.table.state

    @property
    def player_name(self) -> str:
        return self.roster.names[int(self.state.player)]

    @property
    def locked_positions(self) -> tuple[int, ...]:
        """The positions of dice that may not be rolled again this turn."""
        return ()

    @property
    def has_announced(self) -> bool:
        """Whether the turn has begun with an announcement, before its first roll."""
        return False

    def say_turn(self) -> None:
        """Say whose turn it is, and how to begin it."""
        raise NotImplementedError

    def say_preview(self) -> None:
        """Say what the dice are worth."""
        raise NotImplementedError

    def show_board(self) -> None:
        """Show where the game stands."""
        raise NotImplementedError

    def on_step(self, step: Step) -> None:
        """Say what was done, and what the dice are worth on a person's turn; rolls they typed are not repeated."""
        person = not self.roster.is_bot(step.before.player)
        if not isinstance(step.action, Roll) or not person:
            for said in narrate(self.table, step):
                say(self.words.translate(said))
        landed = isinstance(step.action, Land | EnterDice) and not step.before.rolloff
        if isinstance(step.event, Undone) or (landed and person):
            self.say_preview()

    def say_dice(self) -> None:
        """Say which dice are on the tray when a game is resumed, and what they are worth."""
        dice, roll, rolls = " ".join(map(str, self.state.dice)), self.state.rolls_used, self.table.game.rules.rolls
        say(self.words("interface.play.rolled", name=self.player_name, dice=dice, roll=roll, rolls=rolls))
        self.say_preview()

    def say_how_to_roll(self) -> None:
        real = self.roster.has_real_dice(int(self.state.player))
        say(self.words(self.how_real if real else "interface.play.how"))
