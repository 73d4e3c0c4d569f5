"""Whether a game that is over was played with fair dice: its record, and what this device was promised and gave."""

from dataclasses import dataclass

from knobel.client.device_file import GameSecret
from knobel.record.events import Closed
from knobel.record.file import parse_record
from knobel.record.verify import Verdict, verify


@dataclass(frozen=True, slots=True)
class FairCheck:
    """The verdict on the record; the other two are None where this device did not take part."""

    verdict: Verdict
    is_promise_kept: bool | None = None
    """Whether the server used the seed it had promised before this device drew its own."""
    is_seed_used: bool | None = None
    """Whether the seed of this device is one of those the dice follow from."""

    @property
    def is_fair(self) -> bool:
        """Whether the dice could have been chosen by nobody: a seed that came too late for a game does not matter."""
        return self.verdict.is_verified and self.is_promise_kept is not False


def check_fair_dice(content: bytes, game: str, secret: GameSecret | None) -> FairCheck:
    """Verify the record of a game that is over, and compare it with what this device knows of it."""
    verdict = verify(content, game)
    if secret is None or not verdict.is_verified:
        return FairCheck(verdict)
    record = parse_record(content, game)
    given = next((event.seeds.clients for event in record.events if isinstance(event, Closed)), ())
    return FairCheck(verdict, record.header.dice.commitment == secret.promise, secret.seed in given)
