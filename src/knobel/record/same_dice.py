"""Whether several records were played with the same dice: every seat of each of them, roll by roll."""

from collections.abc import Mapping
from typing import NamedTuple

from knobel import fair
from knobel.record.verify import Verdict


class DiceStream(NamedTuple):
    """What all rolls of a seat follow from; in duplicate, whichever seat it is."""

    scheme: str
    dice_key: bytes
    seat: int | None


def list_streams(verdict: Verdict) -> set[DiceStream]:
    """List the streams of dice that the seats of a record had; real dice have none."""
    header, key = verdict.header, verdict.dice_key
    seats = [place for place, seat in enumerate(header.seats) if not seat.real_dice]
    if key is None or len(seats) < len(header.seats):
        return set()
    shared = header.dice.scheme == fair.DUPLICATE_SCHEME
    return {DiceStream(header.dice.scheme, key, None if shared else seat) for seat in seats}


def find_other_dice(verdicts: Mapping[str, Verdict]) -> tuple[str, ...]:
    """Name the records whose seats did not all have the dice of the first record; none where all had the same.

    Two keys that differ give other dice as surely as two hashes differ.
    """
    streams = {name: list_streams(verdict) for name, verdict in verdicts.items()}
    common = next(iter(streams.values()))
    if len(common) != 1:
        return tuple(streams)
    return tuple(name for name, found in streams.items() if found != common)
