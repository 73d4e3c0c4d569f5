"""What people have in mind when they choose a move: plans, most of which leave something out.

A plan values every hand in every box in its own way, and follows that to the end of the turn. So each plan has a move
of its own; where that is not the best one, it is a mistake a person could make. No plan keeps a die that no box can
use, or takes a zero while there is something to roll for.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from knobel.coach.sheet import MoveValue, SheetCoach
from knobel.dice import Hand, sort_dice
from knobel.game import Announce, Move, Roll, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.phrase import BoxName, Phrase, phrase
from knobel.rules.column import Column
from knobel.rules.scoring import Box, find_pattern
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import WORST_VALUE, Floats
from knobel.solver.multisets import build_multisets
from knobel.solver.position import Offers, TurnValues, compute_keep_values, find_offers
from knobel.solver.tables import Tables, build_tables

USUAL_SHARE = 0.75
"""The share of the expected score of a turn played for one box alone that people usually get there."""
BONUS_CHASE = 3.0
"""How many times over somebody who chases the bonus counts it."""
INVITED = 1.0
"""A box is worth going for if the dice promise so many times what it scores before the first roll."""
MAX_INVITED = 4
GLANCE = 0.01
"""How much of what a hand is really worth somebody sees who goes for one box."""
GOOD_SENSE = 2.0
"""How much likelier the best move is than that of any plan, before what they cost counts."""
TIE = 1e-9


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A move somebody may choose: what it costs, how natural it is, and the plan it is from; none for the best one."""

    move: Move
    loss: float
    weight: float
    plan: Phrase | None


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
        return self.offers.points + self.offers.extra[:, None].astype(np.float64)

    @cached_property
    def valuations(self) -> dict[str, Floats]:
        """The ways to value an entry that look at the whole sheet, but not at everything."""
        usual, upper = find_usual_points(self.tables.rules), self.tables.is_upper
        bonus = self.tables.rules.bonus
        share = bonus.points / max(bonus.goal, 1) if bonus else 0.0
        found = {"takes_points": self.points, "forgets_bonus": self.points - usual}
        if bonus:
            found["goes_by_habit"] = (self.points - usual) * (1 + share * upper)
            found["chases_bonus"] = (self.points - usual) * (1 + BONUS_CHASE * share * upper)
        return {name: np.where(self.offers.closed, WORST_VALUE, values) for name, values in found.items()}

    @cached_property
    def open_boxes(self) -> list[int]:
        """The boxes some hand may be scored in."""
        return np.flatnonzero(~self.offers.closed.all(axis=0)).tolist()

    def value_box(self, box: int) -> Floats:
        """Value hands by what they score in one box, with a glance at what else they are good for."""
        glance = GLANCE * self.turn.entry_values.max(axis=1)
        values = np.full(self.points.shape, WORST_VALUE)
        values[:, box] = np.where(self.offers.closed[:, box], 0.0, self.offers.points[:, box]) + glance
        return values

    def find_matrix(self, plan: str, box: int | None) -> Floats:
        return self.valuations[plan] if box is None else self.value_box(box)

    def value_keeps(self, plan: str, box: int | None, rolls_left: int) -> Floats:
        """Value keeping each multiset by a plan, with this many rolls left."""
        key = plan, box, rolls_left
        if key not in self.known_keeps:
            hands = self.find_matrix(plan, box).max(axis=1)
            self.known_keeps[key] = compute_keep_values(self.tables, hands, rolls_left)
        return self.known_keeps[key]

    @cached_property
    def known_keeps(self) -> dict[tuple[str, int | None, int], Floats]:
        return {}


def list_planned_moves(coach: SheetCoach, game: SheetGame, state: SheetState) -> list[PlannedMove]:
    """List the best move and those of all plans, each once, with the plan it is from."""
    ranked = list_sensible_moves(coach, game, state)
    best = ranked[0]
    found: dict[Move, PlannedMove] = {best.move: PlannedMove(best.move, 0.0, GOOD_SENSE, None)}
    for plan, one in list_proposals(coach, game, state, ranked):
        known = found.get(one.move)
        loss = max(0.0, one.loss - best.loss)
        if known is None:
            found[one.move] = PlannedMove(one.move, loss, 1.0, plan)
        else:
            found[one.move] = PlannedMove(one.move, known.loss, known.weight + 1.0, known.plan)
    return list(found.values())


def find_plan(coach: SheetCoach, game: SheetGame, state: SheetState, move: Move) -> Phrase | None:
    """Find the plan a move may be from."""
    ranked = list_sensible_moves(coach, game, state)
    wanted = build_move_key(state, move)
    proposals = list_proposals(coach, game, state, ranked)
    return next((plan for plan, one in proposals if build_move_key(state, one.move) == wanted), None)


def build_move_key(state: SheetState, move: Move) -> object:
    """Build a key that is equal for moves that keep equal dice, wherever those lie."""
    return sort_dice(state.dice[place] for place in move.keep) if isinstance(move, Roll) else move


def list_sensible_moves(coach: SheetCoach, game: SheetGame, state: SheetState) -> list[MoveValue]:
    """List the moves nobody would call absurd, best first; if all are, all of them."""
    ranked = coach.rank_moves(game, state)
    rules = game.rules_for(state.player)
    first, *others = [one for one in ranked if is_sensible(rules, state, game, one.move)] or ranked
    return [first, *(one for one in others if not keeps_stray_die(rules, state, one.move))]


def keeps_stray_die(rules: SheetRules, state: SheetState, move: Move) -> bool:
    """Tell whether a move keeps a single die for no visible reason: one of several alike, or neither high nor needed."""
    if not isinstance(move, Roll) or len(move.keep) != 1 or state.locked:
        return False
    die = state.dice[move.keep[0]]
    needed = any(rules.boxes[place].face == die for place in state.column.open_boxes)
    return state.dice.count(die) > 1 or (die != max(state.dice) and not needed)


def is_sensible(rules: SheetRules, state: SheetState, game: SheetGame, move: Move) -> bool:
    """Tell whether a move keeps only dice that some box can use, and takes no zero while there are rolls left."""
    if isinstance(move, Roll):
        usable = find_usable_faces(rules, state.column, state.announced)
        return all(state.dice[place] in usable for place in move.keep if place not in state.locked)
    if isinstance(move, Score) and state.rolls_used < rules.rolls:
        return bool(game.list_options(state)[move.box].points)
    return True


def find_usable_faces(rules: SheetRules, column: Column, announced: str | None) -> frozenset[int]:
    """Find the faces that some box which may still be scored this turn can use."""
    boxes = [rules.boxes[place] for place in column.open_boxes]
    if announced is not None:
        boxes = [rules.boxes[rules.index[announced]]]
    elif rules.order == "top_down":
        boxes = boxes[:1]
    return frozenset().union(*(find_box_faces(box, rules.dice, rules.faces) for box in boxes))


@lru_cache(maxsize=1024)
def find_box_faces(box: Box, dice: int, faces: int) -> frozenset[int]:
    """Find the faces a box can use: those of its pattern, or all if it counts all dice."""
    if box.counts == "all":
        return frozenset(range(1, faces + 1))
    hands = build_multisets(dice, faces).hands
    return frozenset(die for hand in hands for die in find_pattern(box.pattern, hand) or ())


def list_proposals(
    coach: SheetCoach, game: SheetGame, state: SheetState, ranked: list[MoveValue]
) -> Iterator[tuple[Phrase, MoveValue]]:
    """List what each plan proposes in a position."""
    if len(ranked) < 2:
        return
    if isinstance(ranked[0].move, Announce):
        yield from propose_announcements(coach, state, ranked)
        return
    plans = find_turn_plans(coach, state.column, state.announced)
    rolls_left = coach.book.tables.rules.rolls - state.rolls_used
    if rolls_left:
        for box, one in list_invited_boxes(plans, state, ranked, rolls_left):
            yield phrase("coach.plan.goes_for", box=BoxName(coach.book.tables.rules.boxes[box].id)), one
    for name in plans.valuations:
        yield phrase(f"coach.plan.{name}"), choose_move(plans, state, ranked, name, None, rolls_left)[1]
    yield from propose_entries(game, state, ranked, rolls_left)


def propose_entries(
    game: SheetGame, state: SheetState, ranked: list[MoveValue], rolls_left: int
) -> Iterator[tuple[Phrase, MoveValue]]:
    """Propose to be content with what there is, or when nothing is left to roll, to give up what seems least."""
    options, rules = game.list_options(state), game.rules_for(state.player)
    usual = find_usual_points(rules)
    entries = [(one, one.move.box, options[one.move.box].points) for one in ranked if isinstance(one.move, Score)]
    if rolls_left:
        for one, box, points in entries:
            if points >= usual[rules.index[box]] and is_complete(rules, box, state.hand):
                yield phrase("coach.plan.stops_early"), one
                return
    elif zeros := [(usual[rules.index[box]], one, box) for one, box, points in entries if not points]:
        _, least, box = min(zeros, key=lambda zero: zero[0])
        yield phrase("coach.plan.gives_up", box=BoxName(box)), least


def is_complete(rules: SheetRules, box: str, hand: Hand) -> bool:
    """Tell whether a hand scores all it can in a box, or no die could be rolled again without risk."""
    wanted = rules.boxes[rules.index[box]]
    return wanted.counts != "group" or len(find_pattern(wanted.pattern, hand) or ()) == len(hand)


def propose_announcements(
    coach: SheetCoach, state: SheetState, ranked: list[MoveValue]
) -> Iterator[tuple[Phrase, MoveValue]]:
    """Propose what to announce: what scores most, gains most, could score most, or comes up most often."""
    rules = coach.book.tables.rules
    usual = find_usual_points(rules)
    rated: dict[str, list[float]] = {"takes_points": [], "forgets_bonus": [], "hopes": [], "plays_safe": []}
    for one in ranked:
        if isinstance(one.move, Announce):
            box = rules.index[one.move.box]
            plans = find_turn_plans(coach, state.column, one.move.box)
            points = plans.offers.points[:, box].astype(np.float64)
            mean, chance = (
                float(compute_keep_values(plans.tables, values, rules.rolls)[0])
                for values in (points, (points > 0).astype(np.float64))
            )
            for name, value in zip(rated, (mean, mean - usual[box], points.max(), chance), strict=True):
                rated[name].append(float(value))
    for name, values in rated.items():
        yield phrase(f"coach.plan.{name}"), ranked[int(np.argmax(np.array(values) - TIE * np.arange(len(values))))]


def list_invited_boxes(
    plans: TurnPlans, state: SheetState, ranked: list[MoveValue], rolls_left: int
) -> Iterator[tuple[int, MoveValue]]:
    """List the boxes the dice invite to go for, those whose prospects they improve most, with the move for each."""
    invited = []
    for box in plans.open_boxes:
        before = float(plans.value_keeps("", box, plans.tables.rules.rolls)[0])
        value, move = choose_move(plans, state, ranked, "", box, rolls_left)
        if before > 0 and value >= INVITED * before:
            invited.append((value / before, box, move))
    for _, box, move in sorted(invited, key=lambda one: -one[0])[:MAX_INVITED]:
        yield box, move


def choose_move(
    plans: TurnPlans, state: SheetState, ranked: list[MoveValue], plan: str, box: int | None, rolls_left: int
) -> tuple[float, MoveValue]:
    """Choose the move a plan values most, with that value; among equals the one that is really better."""
    sets, index = plans.tables.multisets, plans.tables.rules.index
    entries = plans.find_matrix(plan, box)[sets.index[state.hand] - sets.first_hand]
    keeps = plans.value_keeps(plan, box, rolls_left) if rolls_left else None
    values = []
    for one in ranked:
        if isinstance(one.move, Roll) and keeps is not None:
            values.append(float(keeps[sets.index[sort_dice(state.dice[place] for place in one.move.keep)]]))
        elif isinstance(one.move, Score):
            values.append(float(entries[index[one.move.box]]))
    most = max(values)
    return most, next(one for one, value in zip(ranked, values, strict=True) if value >= most - TIE)


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
