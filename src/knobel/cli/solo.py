"""The record chase in the terminal: your best, the chance to beat it after each first roll, and the ten best games."""

from knobel.cli.room_client import RoomClient
from knobel.cli.screen import say, say_columns
from knobel.extras import SOLVER, find_missing
from knobel.game import Land
from knobel.host.record_chase import RecordChase, compute_ready_chance, find_record_chase, is_solved
from knobel.lang import Translator
from knobel.phrase import FormattedNumber
from knobel.record.track import Step


class SoloChase:
    """Tells how a game for one stands against its player's best ones."""

    def __init__(self, client: RoomClient, words: Translator) -> None:
        self.client = client
        self.words = words
        self.chase = self.find()

    def find(self) -> RecordChase | None:
        client = self.client
        return client.runner.run(find_record_chase(client.host.store, client.room, client.table))

    def begin(self) -> None:
        """Say what there is to beat, and tell the chance from now on."""
        if self.chase is None or self.chase.record is None:
            return
        say(self.words("interface.solo.record", n=self.chase.record))
        if not find_missing(SOLVER) and not is_solved(self.client.table):
            say(self.words("interface.solo.unsolved", edition=self.client.room.settings.edition))
        self.client.table.listeners.append(self.on_step)

    def on_step(self, step: Step) -> None:
        """Tell the chance after the first roll of a turn, when the last entry can no longer be undone."""
        if self.chase is None or self.chase.record is None or not isinstance(step.action, Land):
            return
        if step.after.rolls_used != 1:
            return
        found = compute_ready_chance(self.client.table, self.chase.record)
        if found and not found.is_possible:
            say(self.words("interface.solo.gone", n=self.chase.record))
        elif found:
            key = "interface.solo.chance" if found.is_exact else "interface.solo.about"
            percent = FormattedNumber(100 * found.chance, 1)
            say(self.words(key, n=self.chase.record, percent=percent))
            greatest = None if found.greatest is None else FormattedNumber(100 * found.greatest, 1)
            if greatest and self.words.format_number(greatest) != self.words.format_number(percent):
                say(self.words("interface.solo.aim", percent=greatest))

    def end(self) -> None:
        """Say whether the record is beaten, and list the ten best games."""
        chase = self.find()
        if chase is None or chase.total is None or not chase.best:
            return
        say()
        if chase.is_beaten and chase.record is not None:
            say(self.words("interface.solo.beaten", n=chase.record))
        elif chase.record is not None:
            say(self.words("interface.solo.missed", n=chase.record))
        say(self.words("interface.solo.best", name=chase.name))
        game = self.client.table.header.game
        say_columns(
            [
                [
                    f"  {place}.",
                    str(one.total),
                    self.words.format_date(one.ended_at),
                    self.words("interface.solo.now") if one.game == game else "",
                ]
                for place, one in enumerate(chase.best, 1)
            ]
        )
