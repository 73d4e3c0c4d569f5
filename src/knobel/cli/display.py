"""What a conversation writes: whose turn it is, what was done, what the dice are worth, how the game stands."""

from collections.abc import Callable
from typing import Any

from knobel.cli.roster import Roster
from knobel.cli.screen import say, say_paragraph
from knobel.game import EnterDice, Land, Roll
from knobel.games.families import combine_states
from knobel.lang import Translator
from knobel.record.events import Undone
from knobel.record.replay import Replay
from knobel.record.track import GameTrack, Step
from knobel.table import Table
from knobel.view.narration import narrate


class GameDisplay:
    """Writes about a table and never changes it; each family has its own turns, previews and board."""

    how_real = "interface.play.how_real"
    """How to begin a turn with real dice."""

    def __init__(self, table: Table, words: Translator, focus: int | None = None) -> None:
        self.table = table
        self.words = words
        self.focus = focus if table.header.free else None
        """At a free table, the seat whose game is shown."""
        self.roster = Roster(table.header.seats)
        self.is_here: Callable[[int], bool] = lambda seat: not self.roster.is_bot(seat)
        """Whether a seat is played by somebody who types here."""

    @property
    def track(self) -> GameTrack:
        return self.table.replay.track(self.focus or 0)

    @property
    def state(self) -> Any:
        return self.track.state

    @property
    def player(self) -> int:
        """The seat at the table of the player whose turn it is."""
        return int(self.state.player) if self.focus is None else self.focus

    @property
    def player_name(self) -> str:
        return self.roster.names[self.player]

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
        """Say what was done, and what the dice are worth on the turn of somebody here, whose rolls are not repeated."""
        here = self.is_here(getattr(step.event, "seat", self.player))
        if not isinstance(step.action, Roll) or not here:
            for said in narrate(self.table, step):
                say_paragraph(self.words.translate(said))
        landed = isinstance(step.action, Land | EnterDice) and not step.before.rolloff
        if here and (landed or isinstance(step.event, Undone)):
            self.say_preview()

    def say_dice(self) -> None:
        """Say which dice are on the tray when a game is resumed, and what they are worth."""
        dice, roll, rolls = " ".join(map(str, self.state.dice)), self.state.rolls_used, self.track.game.rules.rolls
        say(self.words("interface.play.rolled", name=self.player_name, dice=dice, roll=roll, rolls=rolls))
        self.say_preview()

    def say_how_to_roll(self) -> None:
        """Say how to begin a turn; in a roll-off real dice have no box to score in."""
        real = "interface.play.how_real_round" if self.state.rolloff else self.how_real
        say_paragraph(self.words(real if self.roster.has_real_dice(self.player) else "interface.play.how"))


def combine_tracks(replay: Replay) -> Any:
    """Combine the tracks of a table into one state; a free table has one for each seat."""
    if not replay.header.free:
        return replay.state
    return combine_states(replay.game, tuple(track.state for track in replay.tracks))
