"""The coach at the table on the screen: hints and the running tally, fetched while the game goes on."""

from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from knobel.errors import KnobelError
from knobel.tui.coach_panel import ask_for_coach, describe_hint, describe_tally
from knobel.tui.game_room import advise, compute_tally
from knobel.tui.table_play import TablePlay

HINT, TALLY = "hint", "tally"
QUESTIONS = {HINT: "hint", TALLY: "ledger"}


class TableCoach:
    """Asks the coach for whoever is to move; whoever has not asked before is told that the record will say so."""

    def __init__(self, play: TablePlay, screen: Screen[None]) -> None:
        self.play = play
        self.screen = screen
        self.tally_seat: int | None = None
        """Whose tally is shown."""

    def ask(self, what: str) -> None:
        """Ask for a hint, or turn the tally on or off."""
        position, seat = self.play.position, self.play.position.seat
        if what == TALLY and self.tally_seat is not None:
            self.tally_seat = None
            self.write(TALLY, "")
            return
        if seat is None:
            return
        if seat in position.table.replay.attendance.assisted:
            self.start(what, seat)
            return

        async def agree() -> None:
            self.start(what, seat)

        self.play.ask(ask_for_coach(position.words, QUESTIONS[what]), agree)

    def start(self, what: str, seat: int) -> None:
        """Let the coach think; the game goes on meanwhile."""
        if what == TALLY:
            self.tally_seat = seat
        self.write(what, self.play.position.words("web.hint.thinking"))
        self.screen.run_worker(self.answer(what, seat), group=what, exclusive=True)

    def update_tally(self) -> None:
        """Compute the tally again after a move."""
        if self.tally_seat is not None and self.play.position.view.closed is None:
            self.screen.run_worker(self.answer(TALLY, self.tally_seat), group=TALLY, exclusive=True)

    async def answer(self, what: str, seat: int) -> None:
        """Write what the coach says, or why it says nothing."""
        words = self.play.position.words
        try:
            if what == TALLY:
                text = describe_tally(words, await compute_tally(self.play.game, seat))
            else:
                text = "\n".join(describe_hint(words, *await advise(self.play.game, seat)))
        except KnobelError as error:
            text = words.describe_error(error)
        self.write(what, text)

    def write(self, what: str, text: str) -> None:
        if self.screen.is_attached:
            panel = self.screen.query_one(f"#{what}", Static)
            panel.display = bool(text)
            panel.update(Content.styled(text, "$secondary"))

    def forget_hint(self) -> None:
        """Take a hint away that was for another position."""
        self.write(HINT, "")
