"""Who is at the table: which seeds are revealed, who is away, who is replaced by a bot, who has asked the coach."""

from typing import TypeAlias

from knobel import fair
from knobel.errors import IllegalAction
from knobel.phrase import Phrase, phrase
from knobel.record.events import Assisted, Away, Back, Header, Revealed, StandIn, StartedWithout

AttendanceEvent: TypeAlias = Revealed | StartedWithout | Away | StandIn | Back | Assisted


class Attendance:
    """The people of one game; bots that sat down from the start are never away."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.seeds: dict[int, str] = {}
        self.without_seed: set[int] = set()
        self.away: set[int] = set()
        self.stand_ins: dict[int, str] = {}
        self.assisted: set[int] = set()

    @property
    def pending_seeds(self) -> list[int]:
        """The seats whose seed is promised but not revealed; no die is rolled before they are."""
        return [seat for seat in self.header.dice.seals if seat not in self.seeds and seat not in self.without_seed]

    @property
    def client_seeds(self) -> tuple[str, ...]:
        """The revealed seeds, in the order of the seats."""
        return tuple(self.seeds[seat] for seat in sorted(self.seeds))

    def is_absent(self, seat: int) -> bool:
        """Tell whether a player went away or lets a bot play for them."""
        return seat in self.away or seat in self.stand_ins

    def check(self, event: AttendanceEvent) -> None:
        """Refuse an event that cannot happen now."""
        if why := self.refusal(event):
            raise IllegalAction(why=why)

    def refusal(self, event: AttendanceEvent) -> Phrase | None:
        """Say why a player cannot come, go or be replaced now."""
        reason = self.refuse_seed(event) if isinstance(event, Revealed | StartedWithout) else self.refuse_person(event)
        return phrase(f"rules.refusal.{reason}") if reason else None

    def refuse_seed(self, event: Revealed | StartedWithout) -> str | None:
        if event.seat not in self.pending_seeds:
            return "seed_late"
        if isinstance(event, StartedWithout):
            return None
        sealed = fair.commit_client_seed(self.header.game, event.seat, bytes.fromhex(event.seed)).hex()
        return "seed_wrong" if sealed != self.header.dice.seals[event.seat] else None

    def refuse_person(self, event: Away | StandIn | Back | Assisted) -> str | None:
        seat, seats = event.seat, self.header.seats
        if seat >= len(seats) or seats[seat].bot is not None:
            return "no_person"
        match event:
            case Away():
                return "away_already" if seat in self.away else None
            case Assisted():
                return "assisted" if seat in self.assisted else None
            case StandIn():
                return "standing_in" if seat in self.stand_ins else None
        return None if self.is_absent(seat) else "not_away"

    def apply(self, event: AttendanceEvent) -> None:
        """Take an event that was checked."""
        seat = event.seat
        match event:
            case Revealed(seed=seed):
                self.seeds[seat] = seed
            case StartedWithout():
                self.without_seed.add(seat)
            case Away():
                self.away.add(seat)
            case StandIn(bot=bot):
                self.stand_ins[seat] = bot
            case Assisted():
                self.assisted.add(seat)
            case Back():
                self.away.discard(seat)
                self.stand_ins.pop(seat, None)
