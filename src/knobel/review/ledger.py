"""The ledger of one player: par, what each roll brought, what each decision cost, and what came of it."""

from dataclasses import dataclass, field

from knobel.coach import Outlook
from knobel.phrase import Phrase
from knobel.review.grades import FINE, class_of

POINTS, PERCENT = "points", "percent"
DICE, UNSEEN, BENT, OTHERS = "dice", "unseen", "bent", "others"
"""Where luck comes from: a roll of one's own, a turn nobody saw, an entry against the rules, or what the others did."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The numbers behind a reason: what the best move leads to, and the one that was played."""

    best: Outlook
    played: Outlook


@dataclass(frozen=True, slots=True)
class Decision:
    """Something a player chose: what it was, what was best, what it cost and why.

    `number` is that of its event in the record, `throw` how often the dice had been thrown, `value` what the best move
    could expect.
    """

    number: int
    turn: int
    throw: int
    dice: tuple[int, ...]
    played: Phrase
    best: Phrase
    action: str
    best_action: str
    value: float
    loss: float
    grade: str
    why: tuple[Phrase, ...] = ()
    compared: Compared | None = None


@dataclass(frozen=True, slots=True)
class Roll:
    """Something that happened to a player: dice, a turn nobody saw, or what the others did; and how lucky it was.

    Of a turn nobody saw, the last dice may have been shown.
    """

    kind: str
    number: int
    turn: int
    throw: int
    dice: tuple[int, ...]
    luck: float
    grade: str


@dataclass(frozen=True, slots=True)
class TurnLine:
    """One turn in a line: its entry, its luck, what was lost in it, and what could be expected after it."""

    turn: int
    luck: float
    lost: float
    value: float
    box: str | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a game with a ledger of its own: all of it, or where only rounds are solved one round."""

    kind: str
    turn: int
    players: int
    par: float
    luck: float
    lost: float
    final: float
    closed: bool


@dataclass(frozen=True)
class Review:
    """Everything the coach has to say about one player of one game; final = par + luck - lost, exactly.

    `final` is what was written and, in a game that was not played to its end, what could still be expected.
    """

    seat: int
    unit: str
    par: float
    final: float
    written: float
    over: bool
    decisions: tuple[Decision, ...]
    rolls: tuple[Roll, ...]
    turns: tuple[TurnLine, ...]
    parts: tuple[Part, ...] = ()
    undone: int = 0
    stood_in: int = 0
    corrected: int = 0
    told_apart: bool = True
    """Whether bonus and boxes could be told apart in the reasons."""
    sheet: tuple[tuple[str, int | None], ...] = field(default=())
    in_book: bool = True
    """Whether it is known what could still be expected at the end."""

    @property
    def luck(self) -> float:
        """What the dice, the others and turns nobody saw brought together."""
        return sum(roll.luck for roll in self.rolls)

    @property
    def unseen(self) -> float:
        """How much of it came from turns nobody saw: luck and choices, nobody can tell which."""
        return sum(roll.luck for roll in self.rolls if roll.kind == UNSEEN)

    @property
    def bent(self) -> int:
        """How many entries were made although the rules forbid it."""
        return sum(roll.kind == BENT for roll in self.rolls)

    @property
    def lost(self) -> float:
        """What all decisions cost together."""
        return sum(decision.loss for decision in self.decisions)

    @property
    def rating(self) -> str:
        """The class of this game."""
        return class_of(self.lost)

    @property
    def rest(self) -> float:
        """What could still be expected when the game stopped."""
        return self.final - self.written

    @property
    def worst(self) -> tuple[Decision, ...]:
        """The decisions that were worse than fine."""
        return tuple(decision for decision in self.decisions if decision.grade != FINE)
