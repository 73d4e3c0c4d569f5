"""The rules of a game of rounds as one frozen value: roll over or under the opener, the worst takes a chip."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import ClassVar

from knobel.rules.fields import Bool, Int, KeyPath, TableField
from knobel.rules.old_keys import rename_old_keys
from knobel.rules.schema import read_optional, read_players, read_required, reject_unknown_keys
from knobel.rules.scoring import MAX_DICE, MAX_FACES
from knobel.rules.sheet_rules import PlayerLimits, canonical_json

ROUND_KEYS = ("dice", "faces", "rolls", "chips", "chicago_special", "players")
MAX_CHIPS = 20


@dataclass(frozen=True)
class RoundRules:
    """Everything that plays in a game of rounds; `chicago_special` is the rule that all ones win at once and leave."""

    family: ClassVar[str] = "rounds"
    series: ClassVar[str] = "none"
    starts_with_rolloff: ClassVar[bool] = True

    dice: int
    faces: int
    rolls: int
    chips: int
    chicago_special: bool
    players: PlayerLimits

    @cached_property
    def as_dict(self) -> dict[str, object]:
        """The rules as a plain table: read again, it gives these rules."""
        players = {name: value for name, value in asdict(self.players).items() if value is not None}
        plain = asdict(self)
        plain["throws"] = plain.pop("rolls")
        return {**plain, "players": players, "game": self.family}

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the rules as canonical JSON."""
        return hashlib.sha256(canonical_json(self.as_dict).encode()).hexdigest()


def read_round_rules(table: Mapping[str, object], path: KeyPath) -> RoundRules:
    """Read complete rules, in the names of today or in those of the canonical form."""
    table = rename_old_keys(table)
    reject_unknown_keys(table, ROUND_KEYS, path)
    players = TableField().read(table.get("players", {}), path.child("players"))
    return RoundRules(
        dice=read_required(table, "dice", Int(1, MAX_DICE), path),
        faces=read_required(table, "faces", Int(2, MAX_FACES), path),
        rolls=read_required(table, "rolls", Int(1, 6), path),
        chips=read_required(table, "chips", Int(1, MAX_CHIPS), path),
        chicago_special=read_optional(table, "chicago_special", Bool(), False, path),
        players=read_players(players, path.child("players")),
    )
