"""The rules of a round-and-chip game as one frozen value: throw over or under the opener, the worst takes a chip."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property

from knobel.rules.fields import Place, Table, Truth, Whole
from knobel.rules.ruleset import Players, canonical
from knobel.rules.schema import closed, optional, read_players, required
from knobel.rules.scoring import MOST_DICE, MOST_FACES

ROUND_KEYS = ("dice", "faces", "throws", "chips", "chicago_special", "players")
MOST_CHIPS = 20


@dataclass(frozen=True)
class RoundRules:
    """Everything that plays in a game of rounds; `chicago_special` is the rule that all ones win at once and leave."""

    dice: int
    faces: int
    throws: int
    chips: int
    chicago_special: bool
    players: Players

    @cached_property
    def form(self) -> dict[str, object]:
        """The rules as a plain table: read again, it gives these rules."""
        players = {name: value for name, value in asdict(self.players).items() if value is not None}
        return {**asdict(self), "players": players, "game": "rounds"}

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the rules as canonical JSON."""
        return hashlib.sha256(canonical(self.form).encode()).hexdigest()


def read_round_rules(table: Mapping[str, object], place: Place) -> RoundRules:
    """Read complete rules."""
    closed(table, (*ROUND_KEYS, "game"), place)
    players = Table().read(table.get("players", {}), place.at("players"))
    return RoundRules(
        dice=required(table, "dice", Whole(1, MOST_DICE), place),
        faces=required(table, "faces", Whole(2, MOST_FACES), place),
        throws=required(table, "throws", Whole(1, 6), place),
        chips=required(table, "chips", Whole(1, MOST_CHIPS), place),
        chicago_special=optional(table, "chicago_special", Truth(), False, place),
        players=read_players(players, place.at("players")),
    )
