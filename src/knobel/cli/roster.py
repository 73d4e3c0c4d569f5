"""Who plays at a table, by seat."""

from knobel.cli.parser import parse_int
from knobel.errors import IllegalAction
from knobel.phrase import phrase
from knobel.record.events import Seat


class Roster:
    """The players of a game: their names, who is a bot, who rolls real dice."""

    def __init__(self, seats: tuple[Seat, ...]) -> None:
        self.seats = seats

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    def is_bot(self, seat: int) -> bool:
        return self.seats[seat].bot is not None

    def has_real_dice(self, seat: int) -> bool:
        return self.seats[seat].real_dice

    def find_seat(self, number: str) -> int:
        """Find the seat of a player whose number was typed; the first player is 1."""
        seat, seats = parse_int(number, "c") - 1, len(self.seats)
        if not 0 <= seat < seats:
            raise IllegalAction(why=phrase("rules.refusal.no_seat", seat=seat + 1, n=seats))
        return seat
