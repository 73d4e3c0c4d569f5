"""What people have in mind when they choose a move: plans, most of which leave something out.

A plan values every hand in every box in its own way, and follows that to the end of the turn. So each plan has a move
of its own; where that is not the best one, it is a mistake a person could make. No plan keeps a die that no box can
use, or takes a zero while there is something to roll for.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np

from knobel.coach.keeps import DiceToKeep, find_usable_faces, list_usable_boxes
from knobel.coach.sheet import MoveValue, SheetCoach
from knobel.dice import sort_dice
from knobel.game import Announce, Move, Roll, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.phrase import BoxName, Phrase, phrase
from knobel.rules.column import Column
from knobel.rules.scoring import Box, find_pattern
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import WORST_VALUE, Floats
from knobel.solver.position import Offers, TurnValues, average_rolls, compute_keep_values, find_offers, keep_best
from knobel.solver.tables import Tables, build_tables

USUAL_SHARE = 0.75
"""The share of the expected score of a turn played for one box alone that people usually get there."""
BONUS_CHASE = 3.0
"""How many times over somebody who chases the bonus counts it."""
INVITED = 1.0
"""A box is worth going for if the dice promise so many times what it scores before the first roll."""
MAX_INVITED = 4
MADE = 2.0
"""A box is as good as made with so many times its usual score."""
SLIP = 0.1
"""How likely a slip is beside a plan."""
IMPATIENCE = 0.01
"""How likely it is beside a plan that dice go into the only box there may be, long before the last roll."""
GLANCE = 0.01
"""How much of what a hand is really worth somebody sees who goes for one box."""
MAX_TURNS = 1.0
"""How many average turns a plan may cost at most: nobody overlooks more than that."""
GOOD_SENSE = 2.0
"""How much likelier the best move is than that of any plan, before what they cost counts."""
TIE = 1e-9


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A move somebody may choose: what it costs, how natural it is, and the plan it is from; none for the best one.

    The best one is the best of those that nobody would call absurd.
    """

    move: Move
    loss: float
    weight: float
    plan: Phrase | None


Proposal: TypeAlias = tuple[float, Phrase, MoveValue]
"""How natural a plan is, its name, and the move it leads to."""


@dataclass(frozen=True)
class TurnPlans:
    """What each plan makes of a turn: matrices of values by hand and box, and what keeping dice is worth by them."""

    turn: TurnValues

    @property
    def tables(self) -> Tables:
        return self.turn.book.tables

    @cached_property
    def offers(self) -> Offers:
        return find_offers(self.tables, self.turn.key, self.turn.announced)

    @cached_property
    def points(self) -> Floats:
        """The points of each hand in each box, extra ones included."""
        return (self.offers.points + self.offers.extra[:, None]).astype(np.float64)

    @cached_property
    def valuations(self) -> dict[str, Floats]:
        """The ways to value an entry that look at the whole sheet, but not at everything."""
        usual, upper = find_usual_points(self.tables.rules), self.tables.is_upper
        bonus = self.tables.rules.bonus
        share = bonus.points / max(bonus.goal, 1) if bonus else 0.0
        # The plan named first gives its name to a move of several: nobody forgets a bonus who would do the same for it.
        found = {"takes_points": self.points, "goes_by_habit": (self.points - usual) * (1 + share * upper)}
        if bonus:
            found["forgets_bonus"] = self.points - usual
            found["chases_bonus"] = (self.points - usual) * (1 + BONUS_CHASE * share * upper)
        return {name: np.where(self.offers.closed, WORST_VALUE, values) for name, values in found.items()}

    @cached_property
    def open_boxes(self) -> list[int]:
        """The boxes some hand may be scored in."""
        return np.flatnonzero(~self.offers.closed.all(axis=0)).tolist()

    @cached_property
    def box_values(self) -> Floats:
        """What hands score in each box, with a glance at what else they are good for."""
        glance = GLANCE * self.turn.entry_values.max(axis=1)
        return np.asarray(np.where(self.offers.closed, 0.0, self.offers.points) + glance[:, None])

    def list_entry_values(self, plan: str, box: int | None, hand: int) -> Floats:
        """Value scoring a hand in each box by a plan; whoever goes for one box scores in no other."""
        if box is None:
            return np.asarray(self.valuations[plan][hand])
        values = np.full(self.tables.offer.box_count, WORST_VALUE)
        values[box] = self.box_values[hand, box]
        return values

    def value_keeps(self, plan: str, box: int | None, rolls_left: int) -> Floats:
        """Value keeping each multiset by a plan, with this many rolls left."""
        key = plan, rolls_left
        if key not in self.known_keeps:
            hands = self.box_values if box is not None else self.valuations[plan].max(axis=1)[:, None]
            self.known_keeps[key] = value_all_keeps(self.tables, hands, rolls_left)
        return self.known_keeps[key][:, box or 0]

    @cached_property
    def known_keeps(self) -> dict[tuple[str, int], Floats]:
        return {}


def value_all_keeps(tables: Tables, hand_values: Floats, rolls_left: int) -> Floats:
    """Value keeping each multiset as `compute_keep_values` does, for several valuations at once: one in a column."""
    if tables.rules.locked_dice:
        return np.column_stack([compute_keep_values(tables, values, rolls_left) for values in hand_values.T])
    sets = tables.multisets
    found = np.full((len(sets.sets), hand_values.shape[1]), WORST_VALUE)
    found[sets.first_hand :] = hand_values
    average_rolls(sets, found)
    for _ in range(rolls_left - 1):
        keep_best(sets, found)
        average_rolls(sets, found)
    return found


def list_planned_moves(coach: SheetCoach, game: SheetGame, state: SheetState) -> list[PlannedMove]:
    """List the best move and those of all plans, each once, with the plan it is from."""
    choice = PlanChoice(coach, game, state)
    best, most = choice.moves[0], MAX_TURNS * coach.book.par / len(choice.rules.boxes)
    found: dict[Move, PlannedMove] = {best.move: PlannedMove(best.move, 0.0, GOOD_SENSE, None)}
    for weight, plan, one in choice.proposals:
        loss = max(0.0, one.loss - best.loss)
        if loss <= most:
            known = found.get(one.move) or PlannedMove(one.move, loss, 0.0, plan)
            found[one.move] = replace(known, weight=known.weight + weight)
    return list(found.values())


def find_plan(coach: SheetCoach, game: SheetGame, state: SheetState, move: Move) -> Phrase | None:
    """Find the plan a move may be from."""
    wanted = build_move_key(state, move)
    proposals = PlanChoice(coach, game, state).proposals
    return next((plan for _, plan, one in proposals if build_move_key(state, one.move) == wanted), None)


def build_move_key(state: SheetState, move: Move) -> object:
    """Build a key that is equal for moves that keep equal dice, wherever those lie."""
    return sort_dice(state.dice[place] for place in move.keep) if isinstance(move, Roll) else move


@dataclass(frozen=True)
class PlanChoice:
    """A decision to be made, and what each plan proposes there."""

    coach: SheetCoach
    game: SheetGame
    state: SheetState

    @cached_property
    def rules(self) -> SheetRules:
        return self.game.rules_for(self.state.player)

    @property
    def rolls_left(self) -> int:
        return self.rules.rolls - self.state.rolls_used

    @cached_property
    def points(self) -> dict[str, int]:
        """What the dice score in each box."""
        if not self.state.dice:
            return {}
        return {box: option.points for box, option in self.game.list_options(self.state).items()}

    def find_usual(self, box: str) -> float:
        """Find the usual score of a box."""
        return float(find_usual_points(self.rules)[self.rules.index[box]])

    @cached_property
    def moves(self) -> list[MoveValue]:
        """The moves nobody would call absurd, best first; if all are, all of them.

        Nobody takes fewer points in a box below the bonus than a better entry scores.
        """
        first, *others = self.sensible
        most, kept = self.find_points(first.move), [first]
        for one in others:
            points = self.find_points(one.move)
            is_wasted = 0 < points < most and isinstance(one.move, Score) and not self.find_box(one.move.box).upper
            if not is_wasted and not self.keeps_absurdly(one.move):
                kept.append(one)
            most = max(most, points)
        return kept

    @cached_property
    def sensible(self) -> list[MoveValue]:
        """The moves that keep only faces some box can use and take no zero too early; if none is, all moves."""
        ranked = self.coach.rank_moves(self.game, self.state)
        return [one for one in ranked if self.is_sensible(one.move)] or ranked

    @cached_property
    def places(self) -> list[tuple[MoveValue, int, int | None]]:
        """Where the moves stand in tables: rolls by the dice they keep, entries by their box."""
        index = self.coach.book.tables.multisets.index
        return [
            (one, index[sort_dice(self.state.dice[place] for place in one.move.keep)], None)
            if isinstance(one.move, Roll)
            else (one, 0, self.rules.index[one.move.box] if isinstance(one.move, Score) else None)
            for one in self.sensible
        ]

    def find_points(self, move: Move) -> int:
        """Find what a move scores at once."""
        return self.points[move.box] if isinstance(move, Score) else 0

    def find_box(self, box: str) -> Box:
        return self.rules.boxes[self.rules.index[box]]

    def is_sensible(self, move: Move) -> bool:
        """Tell whether a move keeps only dice that some box can use, and takes no zero while there are rolls left."""
        if isinstance(move, Roll):
            dice, locked = self.state.dice, self.state.locked
            return all(dice[place] in self.usable_faces for place in move.keep if place not in locked)
        return not isinstance(move, Score) or not self.rolls_left or self.find_points(move) > 0

    def keeps_absurdly(self, move: Move) -> bool:
        return isinstance(move, Roll) and DiceToKeep(self.rules, self.state, move).are_absurd

    @cached_property
    def usable_faces(self) -> frozenset[int]:
        boxes = list_usable_boxes(self.rules, self.state.column, self.state.announced)
        return find_usable_faces(boxes, self.rules.dice, self.rules.faces)

    @cached_property
    def proposals(self) -> list[Proposal]:
        """What each plan proposes, and what a slip leads to, with how natural it is."""
        if len(self.moves) < 2:
            return []
        if isinstance(self.moves[0].move, Announce):
            return list(propose_announcements(self))
        found = [*propose_boxes(self), *propose_valuations(self), *propose_entries(self)]
        return [*found, *propose_slips(self)]


def propose_boxes(choice: PlanChoice) -> Iterator[Proposal]:
    """Propose to go for a box the dice invite to, those first whose prospects they improve most."""
    best = choice.moves[0].move
    if not choice.rolls_left:
        return
    if isinstance(best, Score) and choice.points[best.box] >= MADE * choice.find_usual(best.box):
        return
    plans = find_turn_plans(choice.coach, choice.state.column, choice.state.announced)
    invited = []
    for box in plans.open_boxes:
        before = float(plans.value_keeps("", box, choice.rules.rolls)[0])
        value, move = choose_move(choice, plans, "", box)
        is_served = not isinstance(move.move, Roll) or DiceToKeep(choice.rules, choice.state, move.move).serve(box)
        if is_served and move in choice.moves and before > 0 and value >= INVITED * before:
            invited.append((value / before, box, move))
    for _, box, move in sorted(invited, key=lambda one: -one[0])[:MAX_INVITED]:
        yield 1.0, phrase("coach.plan.goes_for", box=BoxName(choice.rules.boxes[box].id)), move


def propose_valuations(choice: PlanChoice) -> Iterator[Proposal]:
    """Propose what looks best to somebody who values the sheet in a way that leaves something out."""
    plans = find_turn_plans(choice.coach, choice.state.column, choice.state.announced)
    for name in plans.valuations:
        move = choose_move(choice, plans, name, None)[1]
        if move in choice.moves:
            yield 1.0, phrase(f"coach.plan.{name}"), move


def propose_entries(choice: PlanChoice) -> Iterator[Proposal]:
    """Propose to be content with a good score, or when the dice are good for nothing, to give up what seems least."""
    entries = [(one, one.move.box, choice.points[one.move.box]) for one in choice.moves if isinstance(one.move, Score)]
    if choice.rolls_left:
        for one, box, points in entries[:1]:
            if points * USUAL_SHARE >= choice.find_usual(box) and is_complete(choice, box):
                yield 1.0, phrase("coach.plan.stops_early"), one
    elif all(points < choice.find_usual(box) for _, box, points in entries):
        zeros = [(choice.find_usual(box), one, box) for one, box, points in entries if not points]
        for _, least, box in sorted(zeros, key=lambda zero: zero[0])[:1]:
            yield 1.0, phrase("coach.plan.gives_up", box=BoxName(box)), least


def is_complete(choice: PlanChoice, box: str) -> bool:
    """Tell whether a hand scores all it can in a box, or no die could be rolled again without risk."""
    wanted, hand = choice.find_box(box), choice.state.hand
    return wanted.counts != "group" or len(find_pattern(wanted.pattern, hand) or ()) == len(hand)


def propose_slips(choice: PlanChoice) -> Iterator[Proposal]:
    """Propose what happens to somebody who is not attentive: a die overlooked, one too many kept, a score taken."""
    best, dice = choice.moves[0].move, choice.state.dice
    if not choice.rolls_left:
        return
    if isinstance(best, Roll):
        wanted = Counter(dice[place] for place in best.keep)
        keeps = [
            (one, Counter(dice[place] for place in one.move.keep)) for one in choice.moves if isinstance(one.move, Roll)
        ]
        for name, more, less in (("overlooks", 0, 1), ("holds_on", 1, 0)):
            near = [
                one
                for one, kept in keeps
                if kept and ((kept - wanted).total(), (wanted - kept).total()) == (more, less)
            ]
            yield from ((SLIP, phrase(f"coach.plan.{name}"), one) for one in near[:1])
    entries = [(one, one.move.box) for one in choice.moves if isinstance(one.move, Score)]
    is_last = choice.rolls_left == 1
    taken = [
        one
        for one, box in entries
        if (is_last and len(entries) == 1)
        or (choice.points[box] >= choice.find_usual(box) and (is_last or is_complete(choice, box)))
    ]
    yield from ((SLIP, phrase("coach.plan.hurries"), one) for one in taken[:1])
    if not taken and choice.rules.order == "top_down":
        yield from ((IMPATIENCE, phrase("coach.plan.hurries"), one) for one, _ in entries)


def propose_announcements(choice: PlanChoice) -> Iterator[Proposal]:
    """Propose what to announce: what scores most, gains most, could score most, or comes up most often."""
    rules = choice.rules
    rated: dict[str, list[float]] = {"takes_points": [], "forgets_bonus": [], "hopes": [], "plays_safe": []}
    announced = [(one, one.move.box) for one in choice.moves if isinstance(one.move, Announce)]
    for _, name in announced:
        box, plans = rules.index[name], find_turn_plans(choice.coach, choice.state.column, name)
        points = plans.offers.points[:, box].astype(np.float64)
        mean, chance = (
            float(compute_keep_values(plans.tables, values, rules.rolls)[0])
            for values in (points, (points > 0).astype(np.float64))
        )
        for plan, value in zip(rated, (mean, mean - choice.find_usual(name), points.max(), chance), strict=True):
            rated[plan].append(float(value))
    for plan, values in rated.items():
        most = next(place for place, value in enumerate(values) if value >= max(values) - TIE)
        yield 1.0, phrase(f"coach.plan.{plan}"), announced[most][0]


def choose_move(choice: PlanChoice, plans: TurnPlans, plan: str, box: int | None) -> tuple[float, MoveValue]:
    """Choose the move a plan values most, with that value; among equals the one that is really better."""
    sets = plans.tables.multisets
    entries = plans.list_entry_values(plan, box, sets.index[choice.state.hand] - sets.first_hand)
    keeps = plans.value_keeps(plan, box, choice.rolls_left) if choice.rolls_left else entries
    most, chosen = -np.inf, choice.moves[0]
    for one, kept, entered in choice.places:
        value = keeps[kept] if entered is None else entries[entered]
        if value > most + TIE:
            most, chosen = float(value), one
    return most, chosen


@lru_cache(maxsize=64)
def find_turn_plans(coach: SheetCoach, column: Column, announced: str | None) -> TurnPlans:
    """Find the plans of a turn; cached, because a turn is asked about after each of its rolls."""
    return TurnPlans(coach.cached_turn(column, announced))


@lru_cache(maxsize=16)
def find_usual_points(rules: SheetRules) -> Floats:
    """Find the usual score of each box: a fixed share of the expected score of a turn played for it alone."""
    tables = build_tables(rules)
    worth = tables.worth[: len(tables.multisets.hands)].astype(np.float64)
    means = [compute_keep_values(tables, worth[:, box], rules.rolls)[0] for box in range(len(rules.boxes))]
    return USUAL_SHARE * np.array(means)
