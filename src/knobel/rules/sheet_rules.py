"""The rules of a score-sheet game as one frozen value, with its fingerprint."""

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import ClassVar

from knobel.rules.scoring import Box


@dataclass(frozen=True, slots=True)
class PlayerLimits:
    """How many may play; no `most` means no limit in the rules."""

    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points for an upper total of at least (strict: above) the threshold."""

    threshold: int
    points: int
    strict: bool

    def is_earned(self, upper: int) -> bool:
        """Tell whether this upper total earns the bonus."""
        return upper >= self.goal

    @property
    def goal(self) -> int:
        """The smallest upper total that earns it."""
        return self.threshold + self.strict


@dataclass(frozen=True, slots=True)
class Chance:
    """Which box takes any hand, and when it may be used."""

    box: str
    rule: str


@dataclass(frozen=True, slots=True)
class Yatzy:
    """Which box is for all dice alike, and what a further one scores."""

    box: str
    joker: str
    prime: int
    second: int
    forced_zero: str


@dataclass(frozen=True)
class SheetRules:
    """Everything that plays in a score-sheet game; two rulesets with equal fields are the same game."""

    family: ClassVar[str] = "sheet"

    dice: int
    faces: int
    rolls: int
    boxes: tuple[Box, ...]
    bonus: Bonus | None
    chance: Chance | None
    yatzy: Yatzy | None
    order: str
    must_fit: bool
    locked_dice: bool
    players: PlayerLimits
    start: str
    series: str

    def __hash__(self) -> int:
        return self.cached_hash

    @cached_property
    def cached_hash(self) -> int:
        """A number to find these rules by, made once: they are looked up at every entry."""
        return hash((self.dice, self.faces, self.rolls, self.boxes, self.bonus, self.chance, self.yatzy, self.order))

    @property
    def starts_with_rolloff(self) -> bool:
        """Whether the highest roll starts, unless something else is agreed."""
        return self.start == "highest"

    @cached_property
    def index(self) -> dict[str, int]:
        """Where on the sheet each box stands."""
        return {box.id: place for place, box in enumerate(self.boxes)}

    @cached_property
    def upper_faces(self) -> tuple[tuple[int, int], ...]:
        """Where on the sheet the upper boxes stand, each with its face; 0 for one that counts any."""
        return tuple((place, box.face or 0) for place, box in enumerate(self.boxes) if box.upper)

    @cached_property
    def leaves_boxes_free(self) -> bool:
        """Whether any open box may be chosen with any dice, except where a joker is told its place."""
        chance_waits = self.chance is not None and self.chance.rule != "free"
        return self.order == "free" and not self.must_fit and not chance_waits

    @cached_property
    def upper_box_by_face(self) -> dict[int, int]:
        """Where on the sheet the upper box of each face stands."""
        return {box.face: place for place, box in enumerate(self.boxes) if box.face is not None}

    @cached_property
    def reachable_bonus(self) -> Bonus | None:
        """The bonus, unless the upper boxes can never bring enough for it."""
        most = sum((box.face or self.faces) * self.dice for box in self.boxes if box.upper)
        return self.bonus if self.bonus and self.bonus.is_earned(most) else None

    @cached_property
    def as_dict(self) -> dict[str, object]:
        """The resolved rules as a plain table, in the shape of a house-rule file: read again, it gives these rules."""
        plain = asdict(self)
        plain["throws"] = plain.pop("rolls")
        boxes = {
            box.id: {
                "pattern": box.pattern.name,
                "counts": box.counts,
                "points": box.points,
                "upper": box.upper,
                **{name: list(value) if isinstance(value, tuple) else value for name, value in box.pattern.settings},
            }
            for box in self.boxes
        }
        sections = {name: plain[name] or False for name in ("bonus", "chance", "yatzy")}
        players = {name: value for name, value in plain["players"].items() if value is not None}
        return {**plain, **sections, "players": players, "boxes": boxes, "sheet": list(boxes)}

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the resolved rules as canonical JSON: no words, no sources."""
        return hashlib.sha256(canonical_json(self.as_dict).encode()).hexdigest()


def canonical_json(value: object) -> str:
    """Write JSON in its one canonical form: sorted keys, no blanks."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
