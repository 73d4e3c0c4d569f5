"""Sentences about a player, and the same sentences as that player reads them: "Ada keeps 6 6", "You keep 6 6"."""

from msgspec import Struct

from knobel.phrase import Phrase
from knobel.table import Table

OWN_KEYS = (
    "interface.narration.assisted.you",
    "interface.narration.away.you",
    "interface.narration.back.you",
    "interface.narration.corrected.you",
    "interface.narration.corrected_round.you",
    "interface.narration.shown.you",
    "interface.narration.stand_in.you",
    "interface.play.announced.you",
    "interface.play.gone.you",
    "interface.play.keeps.you",
    "interface.play.rolled.you",
    "interface.play.rolloff_rolled.you",
    "interface.play.scored.you",
    "interface.play.scored_extra.you",
    "interface.rounds.chip.you",
    "interface.rounds.chip_of.you",
    "interface.rounds.follow.over.you",
    "interface.rounds.follow.under.you",
    "interface.rounds.leaves.you",
    "interface.rounds.open.you",
    "interface.rounds.stands.at.you",
    "interface.rounds.stands.over.you",
    "interface.rounds.stands.under.you",
    "interface.rounds.tie_rolled.you",
    "interface.rounds.tied.best.you",
    "interface.rounds.tied.giver.you",
    "interface.rounds.tied.start.you",
    "interface.rounds.tied.worst.you",
    "web.tray.rolloff_of.you",
    "web.tray.turn.you",
)
"""The sentences that address the player they are about; without this ending each is about them, by name."""
OWN_KEY_OF = {key.removesuffix(".you"): key for key in OWN_KEYS}


class OwnSentence(Struct, frozen=True):
    """A sentence as the player on a seat reads it."""

    seat: int
    text: str


def address(said: Phrase) -> Phrase:
    """Address the player a sentence is about; one that has no such form stays as it is."""
    key = OWN_KEY_OF.get(said.key)
    return said if key is None else Phrase(key, tuple([item for item in said.items if item[0] != "name"]))


def find_addressee(table: Table, said: Phrase) -> int | None:
    """Find the seat of the player a sentence is about, if it can address them; two of one name cannot be told apart."""
    if said.key not in OWN_KEY_OF:
        return None
    name = said.values.get("name")
    seats = [place for place, seat in enumerate(table.header.seats) if seat.name == name]
    return seats[0] if len(seats) == 1 else None
