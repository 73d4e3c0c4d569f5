"""The ledger of one player: par, what each roll brought, what each decision cost, and what came of it."""

from dataclasses import dataclass, field

from knobel.coach.grades import FINE, rate_game
from knobel.coach.sheet import Outlook
from knobel.phrase import Phrase

POINTS, PERCENT = "points", "percent"
DICE, UNSEEN, AGAINST_RULES, OTHERS = "dice", "unseen", "bent", "others"
"""Where luck comes from: a roll of one's own, a turn nobody saw, an entry against the rules, or what the others did."""


@dataclass(frozen=True, slots=True)
class MoveComparison:
    """The numbers behind a reason: what the best move leads to, and the one that was played."""

    best: Outlook
    played: Outlook


@dataclass(frozen=True, slots=True)
class Decision:
    """Something a player chose: what it was, what was best, what it cost and why.

    `number` is that of its event in the record, `throw` how often the dice had been thrown, `value` what the best move
    could expect.
    """

    event_number: int
    turn: int
    roll_number: int
    dice: tuple[int, ...]
    played: Phrase
    best: Phrase
    action: str
    best_action: str
    value: float
    loss: float
    grade: str
    reasons: tuple[Phrase, ...] = ()
    comparison: MoveComparison | None = None


@dataclass(frozen=True, slots=True)
class LuckEvent:
    """Something that happened to a player: dice, a turn nobody saw, or what the others did; and how lucky it was.

    Of a turn nobody saw, the last dice may have been shown.
    """

    kind: str
    event_number: int
    turn: int
    roll_number: int
    dice: tuple[int, ...]
    luck: float
    grade: str


@dataclass(frozen=True, slots=True)
class TurnSummary:
    """One turn in a line: its entry, its luck, what was lost in it, and what could be expected after it."""

    turn: int
    luck: float
    lost: float
    value: float
    box: str | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class ReviewPart:
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
    scored: float
    finished: bool
    decisions: tuple[Decision, ...]
    luck_events: tuple[LuckEvent, ...]
    turn_summaries: tuple[TurnSummary, ...]
    parts: tuple[ReviewPart, ...] = ()
    undo_count: int = 0
    stand_in_count: int = 0
    correction_count: int = 0
    has_expected_scores: bool = True
    """Whether bonus and boxes could be told apart in the reasons."""
    entries: tuple[tuple[str, int | None], ...] = field(default=())
    in_book: bool = True
    """Whether it is known what could still be expected at the end."""

    @property
    def luck(self) -> float:
        """What the dice, the others and turns nobody saw brought together."""
        return sum(roll.luck for roll in self.luck_events)

    @property
    def unseen_luck(self) -> float:
        """How much of it came from turns nobody saw: luck and choices, nobody can tell which."""
        return sum(roll.luck for roll in self.luck_events if roll.kind == UNSEEN)

    @property
    def against_rules_count(self) -> int:
        """How many entries were made although the rules forbid it."""
        return sum(roll.kind == AGAINST_RULES for roll in self.luck_events)

    @property
    def lost(self) -> float:
        """What all decisions cost together."""
        return sum(decision.loss for decision in self.decisions)

    @property
    def rating(self) -> str:
        """The class of this game."""
        return rate_game(self.lost)

    @property
    def still_expected(self) -> float:
        """What could still be expected when the game stopped."""
        return self.final - self.scored

    @property
    def flawed_decisions(self) -> tuple[Decision, ...]:
        """The decisions that were worse than fine."""
        return tuple(decision for decision in self.decisions if decision.grade != FINE)
