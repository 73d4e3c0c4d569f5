"""Small games with every rule of the family, and such a game followed by hand through every roll and choice."""

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from knobel.dice import Hand, is_all_alike, sort_dice
from knobel.rules.column import Column, list_options, tally
from knobel.rules.sheet_rules import SheetRules
from tests.support.house_rules import REMOVED, TomlTable, with_changes

NEAR = 1e-11

SMALL: TomlTable = {
    "title": "Small",
    "dice": 2,
    "faces": 3,
    "rolls": 3,
    "bonus": {"threshold": 4, "points": 5},
    "chance": {"box": "chance"},
    "yatzy": {"box": "yatzy"},
    "boxes": {
        "ones": {"pattern": "faces", "face": 1, "counts": "group", "upper": True},
        "twos": {"pattern": "faces", "face": 2, "counts": "group", "upper": True},
        "yatzy": {"pattern": "group", "size": 2, "points": 10},
        "row": {"pattern": "run", "length": 2, "points": 6},
        "chance": {"pattern": "sum", "counts": "all"},
    },
}

THREE = {
    "dice": 3,
    "rolls": 2,
    "chance": REMOVED,
    "boxes.chance": REMOVED,
    "boxes.row": REMOVED,
    "boxes.yatzy.size": 3,
    "boxes.pair": {"pattern": "group", "size": 2, "counts": "group"},
}

GAMES: dict[str, TomlTable] = {
    "plain": with_changes(SMALL, {}),
    "three dice": with_changes(SMALL, THREE),
    "one roll": with_changes(SMALL, {"rolls": 1}),
    "four rolls": with_changes(SMALL, {"rolls": 4}),
    "no bonus": with_changes(SMALL, {"bonus": False}),
    "strict bonus": with_changes(SMALL, {"bonus.strict": True}),
    "top-down": with_changes(SMALL, {"order": "top_down"}),
    "announced": with_changes(SMALL, {"order": "announced"}),
    "announced, three dice": with_changes(SMALL, {**THREE, "order": "announced"}),
    "locked": with_changes(SMALL, {"locked_dice": True}),
    "locked, three dice": with_changes(SMALL, {**THREE, "locked_dice": True, "rolls": 3}),
    "locked, one roll": with_changes(SMALL, {"locked_dice": True, "rolls": 1}),
    "locked and announced": with_changes(SMALL, {"locked_dice": True, "order": "announced", "rolls": 4}),
    "must fit": with_changes(SMALL, {"must_fit": True}),
    "chance as last resort": with_changes(SMALL, {"chance.rule": "last_resort"}),
    "chance as last box": with_changes(SMALL, {"chance.rule": "last_box"}),
    "free joker with primes": with_changes(SMALL, {"yatzy.joker": "free", "yatzy.prime": 7}),
    "forced joker": with_changes(SMALL, {**THREE, "yatzy.joker": "forced", "yatzy.prime": 3}),
    "second yatzy": with_changes(SMALL, {"yatzy.second": 15, "yatzy.forced_zero": "literal"}),
    "primes and second yatzy": with_changes(SMALL, {"yatzy.prime": 4, "yatzy.second": 9}),
}

VARIED = (
    *("plain", "strict bonus", "top-down", "announced", "locked", "locked, three dice", "must fit"),
    *("chance as last resort", "forced joker", "second yatzy", "primes and second yatzy"),
)
"""Games that have every rule between them, for tests that take long."""


@dataclass
class Tree:
    """A whole game followed by hand: the best value of every situation and what the final sheets look like."""

    rules: SheetRules
    ends: dict[Column, float] = field(default_factory=lambda: defaultdict(float))

    def __post_init__(self) -> None:
        self.value = cache(self._value)
        self.turn = cache(self._turn)
        self.held = cache(self._held)
        self.kept = cache(self._kept)
        self.entries = cache(self._entries)
        self.falls = cache(self._falls)

    def forget_values(self) -> None:
        """Forget what positions are worth; what can be rolled and scored stays."""
        for known in (self.value, self.turn, self.held, self.kept):
            known.cache_clear()

    def _value(self, column: Column) -> float:
        """Give the mean final total from here."""
        if column.is_full:
            return float(tally(self.rules, column).total)
        return max(self.turn(column, box, self.rules.rolls, ()) for box in self.announcements(column))

    def announcements(self, column: Column) -> list[str | None]:
        if self.rules.order != "announced":
            return [None]
        return [self.rules.boxes[place].id for place in column.open_boxes]

    def _turn(self, column: Column, announced: str | None, roll_count: int, kept: Hand) -> float:
        """Give the mean after rolling what was not kept, with some rolls left."""
        falls = self.falls(len(kept))
        return sum(self.held(column, announced, roll_count - 1, kept, more) * chance for more, chance in falls)

    def _falls(self, kept: int) -> list[tuple[Hand, float]]:
        rolled: dict[Hand, int] = defaultdict(int)
        for dice in product(range(1, self.rules.faces + 1), repeat=self.rules.dice - kept):
            rolled[sort_dice(dice)] += 1
        whole = sum(rolled.values())
        return [(dice, ways / whole) for dice, ways in rolled.items()]

    def _held(self, column: Column, announced: str | None, roll_count: int, kept: Hand, more: Hand) -> float:
        """Give the best mean with these dice on the tray."""
        fixed, loose = self.split(kept, more)
        written = max(map(self.value, self.entries(column, announced, sort_dice(kept + more))))
        return max(written, *(self.kept(column, announced, roll_count, fixed, part) for part in smaller(loose)), 0)

    def split(self, kept: Hand, more: Hand) -> tuple[Hand, Hand]:
        return (kept, more) if self.rules.locked_dice else ((), sort_dice(kept + more))

    def _kept(self, column: Column, announced: str | None, roll_count: int, fixed: Hand, loose: Hand) -> float:
        """Give the best mean when at most these dice are kept, and some are rolled again."""
        if not roll_count:
            return 0
        rolled = self.turn(column, announced, roll_count, sort_dice(fixed + loose))
        return max(rolled, *(self.kept(column, announced, roll_count, fixed, part) for part in smaller(loose)), 0)

    def choose(self, column: Column, announced: str | None, roll_count: int, kept: Hand, more: Hand) -> Column | Hand:
        """Find the best entry or keep; of equals write first, zeros first, then let go low dice first."""
        best = self.held(column, announced, roll_count, kept, more) - NEAR
        for then in self.entries(column, announced, sort_dice(kept + more)):
            if self.value(then) > best:
                return then
        fixed, loose = self.split(kept, more)
        while True:
            loose = next(
                part for part in smaller(loose) if self.kept(column, announced, roll_count, fixed, part) > best
            )
            still = sort_dice(fixed + loose)
            if self.turn(column, announced, roll_count, still) > best:
                return still

    def _entries(self, column: Column, announced: str | None, dice: Hand) -> list[Column]:
        offered = list_options(self.rules, column, dice, announced)
        order = sorted(offered.items(), key=lambda item: not is_all_alike(dice) and item[1].points > 0)
        return [
            Column(
                tuple(
                    option.points if row.id == box else old
                    for row, old in zip(self.rules.boxes, column.entries, strict=True)
                ),
                column.extra + option.extra,
                column.yatzys + is_all_alike(dice),
            )
            for box, option in order
            if option.refusal is None
        ]

    def play(self, column: Column, chance: float) -> None:
        """Follow best play to the end, and count the final sheets."""
        if column.is_full:
            self.ends[column] += chance
            return
        best = max(self.announcements(column), key=lambda box: self.turn(column, box, self.rules.rolls, ()))
        reached: dict[Column, float] = defaultdict(float)
        self.roll(column, best, self.rules.rolls, (), chance, reached)
        for then, likely in reached.items():
            self.play(then, likely)

    def roll(
        self,
        column: Column,
        announced: str | None,
        roll_count: int,
        kept: Hand,
        chance: float,
        reached: dict[Column, float],
    ) -> None:
        for more, likely in self.falls(len(kept)):
            choice = self.choose(column, announced, roll_count - 1, kept, more)
            if isinstance(choice, Column):
                reached[choice] += chance * likely
            else:
                self.roll(column, announced, roll_count - 1, choice, chance * likely, reached)


def smaller(dice: Hand) -> list[Hand]:
    """List the dice without one of each face, the lowest first."""
    return [dice[:place] + dice[place + 1 :] for place, die in enumerate(dice) if place == dice.index(die)]


def spread_totals(rules: SheetRules, ends: dict[Column, float]) -> dict[int, float]:
    """Give how likely each final total is, from how likely each final sheet is."""
    totals: dict[int, float] = defaultdict(float)
    for column, chance in ends.items():
        totals[tally(rules, column).total] += chance
    return totals
