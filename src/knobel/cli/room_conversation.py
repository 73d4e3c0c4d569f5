"""A game at a server elsewhere as a conversation: what others do is said as it happens."""

from knobel.cli.commands import CommandTable
from knobel.cli.conversation import Conversation, Quit
from knobel.cli.display import GameDisplay
from knobel.cli.remote_client import RemoteClient
from knobel.cli.room_lines import NEWS, RoomLines
from knobel.cli.screen import say, say_paragraph
from knobel.errors import KnobelError
from knobel.lang import Translator
from knobel.record.replay import awaits_lot
from knobel.record.track import Step


class RoomConversation(Conversation):
    """Prompts whoever plays here, and waits for everybody else."""

    def __init__(
        self, client: RemoteClient, words: Translator, lines: RoomLines, display: GameDisplay, commands: CommandTable
    ) -> None:
        super().__init__(client, words, lines, display, commands)
        self.remote = client
        self.room_lines = lines
        self.waiting_for: int | None = None
        self.table.listeners.insert(0, self.on_news)

    @property
    def is_own_turn(self) -> bool:
        replay = self.table.replay
        ready = not replay.closed and not replay.attendance.pending_seeds and not awaits_lot(replay)
        return ready and super().is_own_turn

    def run(self) -> None:
        """Play, or only look on, until the game is closed."""
        if self.state.dice and self.is_own_turn:
            self.display.say_dice()
        while not self.table.replay.closed:
            if self.is_own_turn:
                self.waiting_for = None
                self.prompt_move()
            elif self.table.replay.is_over and self.remote.seats:
                self.confirm_close()
            else:
                self.say_who_is_awaited()
                self.look_on()

    def on_news(self, _: Step) -> None:
        """Dice that were kept belong to the roll before; what others do may come while somebody types."""
        self.room_lines.begin_output()
        self.forget_kept_dice()

    def run_line(self, line: str) -> None:
        super().run_line(line)
        self.remote.check_connection()

    def look_on(self) -> None:
        """Wait for others; at a terminal everything that only looks can be typed meanwhile."""
        if not self.room_lines.is_terminal:
            self.client.wait_for_others()
            return
        line = next(self.lines, None)
        if line is None:
            raise Quit
        self.run_line(line)

    def say_who_is_awaited(self) -> None:
        """Say once whose turn it is, where that is nobody here."""
        replay = self.table.replay
        if self.state.seat is None or replay.attendance.pending_seeds or self.waiting_for == self.player:
            return
        self.waiting_for = self.player
        if not self.roster.is_bot(self.player):
            say_paragraph(self.words("interface.room.waiting_for", name=self.display.player_name))

    def confirm_close(self) -> None:
        """Let the last entry be undone; where real dice are rolled somebody confirms the end."""
        if not self.room_lines.is_terminal and not any(self.table.replay.real_dice):
            self.client.wait_for_others()
            return
        if self.waiting_for != -1:
            self.waiting_for = -1
            say(self.words("interface.play.over"))
        line = next(self.lines, None)
        if line == NEWS:
            self.remote.check_connection()
        elif line is None or not line.strip():
            self.try_to_close()
        else:
            self.run_line(line)

    def try_to_close(self) -> None:
        """Confirm the end, unless somebody else just did."""
        try:
            self.client.confirm_end()
        except KnobelError as error:
            if not self.table.replay.closed:
                say_paragraph(self.words.describe_error(error))
