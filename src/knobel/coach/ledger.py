"""The ledger of one player: par, the luck of each roll, the cost of each decision, and the final total."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypedDict

from knobel.coach.grades import FINE
from knobel.coach.rating import RatedPlay
from knobel.coach.sheet import Outlook
from knobel.game import Move
from knobel.notation import write_action
from knobel.phrase import Phrase
from knobel.record.track import Step

POINTS, PERCENT = "points", "percent"
WHOLE_GAME, SINGLE_ROUND = "game", "round"
"""What a part of a game is valued by."""
ROUNDS, REST = "rounds", "rest"
"""Headlines of games in parts: the average of single rounds, and what was played to the end once few were left."""
DICE, UNSEEN, AGAINST_RULES, OTHERS = "dice", "unseen", "against_rules", "others"
"""Where luck comes from: a roll, a turn nobody saw, an entry against the rules, or what the others did."""

ROUNDING_TOLERANCE = 1e-9
"""Differences below this are rounding errors."""


@dataclass(frozen=True, slots=True)
class MoveComparison:
    """The numbers behind a reason: what the best move leads to, and what the played one leads to."""

    best: Outlook
    played: Outlook


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player chose, what was best, what it cost and why.

    `event_number` is that of its event in the record, `roll_number` how often the dice had been rolled, `value` the
    expected total of the best move.
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
    plan: Phrase | None = None
    """What the player may have had in mind, if it was not the best."""
    random_loss: float = 0.0
    """What random moves lose per real decision by these rules; nothing where the moves here do not differ."""

    @property
    def is_real(self) -> bool:
        """Whether the moves differ."""
        return self.random_loss > 0


@dataclass(frozen=True, slots=True)
class LuckEvent:
    """What happened to a player, and how lucky it was; of a turn nobody saw, the last dice may have been shown."""

    kind: str
    event_number: int
    turn: int
    roll_number: int
    dice: tuple[int, ...]
    luck: float
    grade: str


@dataclass(frozen=True, slots=True)
class TurnSummary:
    """One turn: its entry, its luck, what was lost in it, and the expected total after it."""

    turn: int
    luck: float
    lost: float
    value: float
    box: str | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class ReviewPart:
    """A part of a game with a ledger of its own: the whole game, or one round where only rounds are solved."""

    kind: str
    turn: int
    players: int
    par: float
    luck: float
    lost: float
    final: float
    closed: bool


@dataclass(frozen=True, slots=True)
class Headline:
    """A ledger in one line; `count` is how many rounds it averages, or how many players were left.

    `error` says how far what is lost may be from what this player loses on average.
    """

    kind: str
    count: int
    par: float
    luck: float
    lost: float
    final: float
    error: float = 0.0

    @property
    def adjusted(self) -> float:
        """The result adjusted for luck: what this play would have come to with average luck."""
        return self.par - self.lost


@dataclass(frozen=True)
class Review:
    """Everything the coach has to say about one player of one game; final = par + luck - lost, exactly.

    `final` is what was scored and, in a game that was not played to its end, what could still be expected. `columns`
    heads the table of turns in a report, `remarks` is what one must know about this game to read the numbers.
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
    """Whether reasons can name bonus and boxes, rather than this turn only."""
    entries: tuple[tuple[str, int | None], ...] = ()
    in_book: bool = True
    """Whether it is known what could still be expected at the end."""
    columns: tuple[str, ...] = ()
    remarks: tuple[Phrase, ...] = ()

    def __repr__(self) -> str:
        figures = f"par={self.par:.3f} luck={self.luck:+.3f} lost={self.lost:.3f} final={self.final:g}"
        return f"<Review seat={self.seat} {figures}>"

    @property
    def luck(self) -> float:
        """What all rolls together brought, above or below the average."""
        return sum(event.luck for event in self.luck_events)

    @property
    def unseen_luck(self) -> float:
        """The luck of turns nobody saw: luck and choices, nobody can tell which."""
        return sum(event.luck for event in self.luck_events if event.kind == UNSEEN)

    @property
    def against_rules_count(self) -> int:
        return sum(event.kind == AGAINST_RULES for event in self.luck_events)

    @property
    def lost(self) -> float:
        """What all decisions together cost."""
        return sum(decision.loss for decision in self.decisions)

    @property
    def rated_play(self) -> RatedPlay | None:
        """The real decisions, as far as there were any: how well they were made."""
        return rate_decisions(self.decisions)

    @property
    def level(self) -> str | None:
        """How well this was played, if the real decisions are enough to tell."""
        play = self.rated_play
        return play.level if play and play.tells_level else None

    @property
    def par_at_start(self) -> float:
        """The value before the first turn: that of the first part, if the game has parts."""
        return self.parts[0].par if self.parts else self.par

    @property
    def headlines(self) -> tuple[Headline, ...]:
        """The ledger, or where rounds count on their own their average: chances of several rounds do not add up."""
        rounds = [part for part in self.parts if part.kind == SINGLE_ROUND]
        if not rounds:
            error = find_error(self.decisions)
            return (Headline(self.unit, 1, self.par, self.luck, self.lost, self.final, error),)
        turns, rest = {part.turn for part in rounds}, [part for part in self.parts if part.kind == WHOLE_GAME]
        error = find_error([one for one in self.decisions if one.turn in turns]) / len(rounds)
        return (
            replace(average_rounds(rounds), error=error),
            *(self.build_rest_headline(part) for part in rest),
        )

    def build_rest_headline(self, part: ReviewPart) -> Headline:
        """Build the line of what was played to the end, once few were left."""
        error = find_error([one for one in self.decisions if one.turn >= part.turn])
        return Headline(REST, part.players, part.par, part.luck, part.lost, part.final, error)

    @property
    def still_expected(self) -> float:
        """What was still expected when the game stopped."""
        return self.final - self.scored

    @property
    def flawed_decisions(self) -> tuple[Decision, ...]:
        """The decisions with a grade worse than fine."""
        return tuple(decision for decision in self.decisions if decision.grade != FINE)


def rate_decisions(decisions: Iterable[Decision]) -> RatedPlay | None:
    """Rate the real ones of some decisions."""
    real = [one for one in decisions if one.is_real]
    return RatedPlay(tuple(one.loss for one in real), tuple(one.random_loss for one in real)) if real else None


def find_error(decisions: Iterable[Decision]) -> float:
    """Find how far what some decisions lost may be from what they lose on average."""
    play = rate_decisions(decisions)
    return play.error if play else 0.0


def average_rounds(rounds: list[ReviewPart]) -> Headline:
    """Average the ledgers of rounds; of the averages, too, final = par + luck - lost."""
    n = len(rounds)
    par, luck, lost = (sum(getattr(one, name) for one in rounds) / n for name in ("par", "luck", "lost"))
    return Headline(ROUNDS, n, par, luck, lost, sum(one.final for one in rounds) / n)


class Occasion(TypedDict):
    """When a decision was made, and the texts of the move played and of the best one."""

    event_number: int
    turn: int
    roll_number: int
    dice: tuple[int, ...]
    action: str
    best_action: str


def describe_occasion(step: Step, turn: int, dice: int, move: Move, best: Move) -> Occasion:
    """Say when a decision was made, and write its move and the best one; `dice` is how many the game has."""
    state = step.before
    return Occasion(
        event_number=step.number,
        turn=turn,
        roll_number=state.rolls_used,
        dice=state.dice,
        action=write_action(state, move, dice),
        best_action=write_action(state, best, dice),
    )


def sum_turn(turn: int, luck_events: Iterable[LuckEvent], decisions: Iterable[Decision]) -> tuple[float, float]:
    """Add up the luck of a turn, and what its decisions lost."""
    luck = sum(event.luck for event in luck_events if event.turn == turn)
    return luck, sum(decision.loss for decision in decisions if decision.turn == turn)
