"""What a conversation asks of a table, whether its room is in this process or at a server elsewhere."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from knobel.game import Action, Leave
from knobel.notation import write_action
from knobel.rooms.intents import Act, Advance, AnyIntent, Correct, SwapBoxes, Undo
from knobel.rooms.intents import LeaveGame as LeaveIntent
from knobel.table import Table


class TableClient(ABC):
    """Turns what a player does into intents; where they are sent is for others to say."""

    @property
    @abstractmethod
    def table(self) -> Table:
        """The table with the game that is played."""

    @abstractmethod
    def send(self, intent: AnyIntent) -> None:
        """Send an intent, and wait until it is carried out and can be seen at the table."""

    @abstractmethod
    def plays(self, seat: int) -> bool:
        """Tell whether a seat is played by somebody who types here."""

    @abstractmethod
    def wait_for_others(self) -> None:
        """Let somebody move who does not type here."""

    @abstractmethod
    def export_record(self) -> bytes:
        """Write the game so far as a record."""

    def act(self, seat: int, action: Action) -> None:
        if isinstance(action, Leave):
            self.send(LeaveIntent(seat))
            return
        track = self.table.replay.track(seat)
        self.send(Act(seat, track.ply, write_action(track.state, action, track.game.rules.dice)))

    def undo(self, seat: int) -> None:
        """Undo the last entry of a seat."""
        self.send(Undo(seat, self.table.replay.track(seat).ply))

    def correct(self, seat: int, box: str, actions: Sequence[Action]) -> None:
        """Replace an entry of real dice."""
        track = self.table.replay.track(seat)
        texts = tuple(write_action(track.state, action, track.game.rules.dice) for action in actions)
        self.send(Correct(seat, track.ply, box, texts))

    def swap(self, seat: int, box: str, other: str) -> None:
        """Swap the boxes of two entries of real dice."""
        self.send(SwapBoxes(seat, self.table.replay.track(seat).ply, box, other))

    def confirm_end(self) -> None:
        self.send(Advance(self.table.replay.ply))
