"""Plans: every mistake of a human bot has one, and none is absurd."""

from collections import Counter
from random import Random

import pytest

from knobel.bots.levels import draw_move
from knobel.coach.keeps import DiceToKeep
from knobel.coach.plans import find_plan, list_planned_moves
from knobel.coach.sheet import OPEN_COACHES, SheetCoach, open_coach
from knobel.game import Announce, Land, Roll, Score, play
from knobel.games.sheet import SheetGame, SheetState
from knobel.lang import Translator
from knobel.rules import load_edition
from knobel.rules.scoring import find_pattern
from knobel.rules.sheet_rules import SheetRules
from tests.coach.test_review import seeing, short
from tests.support.rulesets import REPRESENTATIVE, list_rulesets
from tests.support.selection import mostly_rest

RULESETS = list(list_rulesets())
MOST_GAMES = 20
"""How many games are tried until somebody errs: a small sheet gives little occasion."""


@pytest.fixture(autouse=True)
def _nobodys_coaches() -> None:
    OPEN_COACHES.clear()


def find_faces(rules: SheetRules, state: SheetState) -> set[int]:
    """Find the faces an open box can use, by looking at every hand."""
    boxes = [rules.boxes[place] for place in state.column.open_boxes]
    if state.announced:
        boxes = [box for box in boxes if box.id == state.announced]
    elif rules.order == "top_down":
        boxes = boxes[:1]
    hands = {tuple(sorted(hand)) for hand in list_hands(rules)}
    used = {die for box in boxes for hand in hands for die in find_pattern(box.pattern, hand) or ()}
    return set(range(1, rules.faces + 1)) if any(box.counts == "all" for box in boxes) else used


def list_hands(rules: SheetRules) -> list[tuple[int, ...]]:
    hands: list[tuple[int, ...]] = [()]
    for _ in range(rules.dice):
        hands = list({tuple(sorted((*hand, die))) for hand in hands for die in range(1, rules.faces + 1)})
    return hands


@pytest.mark.parametrize("name", mostly_rest(RULESETS, *REPRESENTATIVE))
def test_no_mistake_is_absurd_and_each_has_a_plan(name: str) -> None:
    rules = short(list_rulesets()[name])
    coach, game, random, mistakes = seeing(rules), SheetGame(rules, practice=True), Random(name), 0
    for number, care in enumerate((0.5, -0.5) * MOST_GAMES):
        if number > 1 and mistakes:
            break
        state = game.start(1, 0)
        while state.seat is not None:
            if pending := game.pending_roll(state):
                state = game.apply(state, Land(tuple(random.randint(1, rules.faces) for _ in pending.positions)))
                continue
            planned = list_planned_moves(coach, game, state)
            chosen = draw_move(planned, care, random)
            check_move(coach, game, state, chosen.move)
            if chosen.loss:
                mistakes += 1
                check_mistake(rules, state, chosen.move)
                assert chosen.plan is not None
                assert Translator("en", load_edition("mb-yahtzee")).translate(chosen.plan)
                assert find_plan(coach, game, state, chosen.move) is not None
                ranked = {one.move: one.loss for one in coach.rank_moves(game, state)}
                # Whoever missed the box they announced may have a zero to take at once that nobody would.
                assert chosen.loss == pytest.approx(ranked[chosen.move] - ranked[planned[0].move], abs=1e-6)
            state = play(game, state, chosen.move)
    assert mistakes


def check_move(coach: SheetCoach, game: SheetGame, state: SheetState, move: object) -> None:
    """Insist that a move keeps no die nobody can use, and takes no zero with rolls left where another box scores."""
    rules = game.rules
    if isinstance(move, Roll) and state.dice:
        usable = find_faces(rules, state)
        sensible = [
            one
            for one in coach.rank_moves(game, state)
            if isinstance(one.move, Roll) and {state.dice[place] for place in one.move.keep} <= usable
        ]
        kept = {state.dice[place] for place in move.keep if place not in state.locked}
        assert kept <= usable or not sensible
    if isinstance(move, Score) and state.rolls_used < rules.rolls:
        options = game.list_options(state)
        scores = any(option.points for option in options.values() if option.refusal is None)
        assert options[move.box].points or not scores
    assert isinstance(move, Roll | Score | Announce)


def check_mistake(rules: SheetRules, state: SheetState, move: object) -> None:
    """Insist that of several alike all are kept or none, unless what is kept may become a straight."""
    if isinstance(move, Roll) and rules.dice > 3:
        kept, lying = (Counter(dice) for dice in ((state.dice[place] for place in move.keep), state.dice))
        is_split = any(0 < kept[die] < lying[die] for die in kept)
        assert not is_split or (len(kept) == kept.total() >= 3)


KEPT = [
    ("1 1 1 3 2", "2 3", True),
    ("1 1 1 3 2", "1 2 3", True),
    ("1 1 1 3 2", "1 1", True),
    ("1 1 1 3 2", "1 1 1 3", False),
    ("3 4 3 3 2", "", True),
    ("1 6 6 1 6", "1 1", True),
    ("1 6 6 1 6", "1 1 6 6", True),
    ("2 6 5 5 5", "5 6", True),
    ("5 5 3 6 4", "6", True),
    ("3 3 6 2 1", "6", False),
    ("4 4 5 5 1", "4 4", True),
    ("4 4 5 5 1", "4 4 5 5", False),
    ("4 6 4 5 1", "4 5 6", False),
    ("5 2 3 4 1", "4 5", True),
    ("5 2 3 4 4", "5", True),
    ("6 5 3 2 1", "3", True),
    ("6 5 3 3 1", "5 6", False),
]


@pytest.mark.parametrize(("dice", "keep", "absurd"), KEPT)
def test_what_nobody_keeps_on_an_empty_sheet(dice: str, keep: str, absurd: bool) -> None:
    rules = load_edition("mb-yahtzee").rules()
    game = SheetGame(rules, practice=True)
    hand = [int(die) for die in dice.split()]
    state = play(game, play(game, game.start(1, 0), Roll()), Land(tuple(hand)))
    places: list[int] = []
    for die in keep.split():
        places.append(next(place for place, lying in enumerate(hand) if lying == int(die) and place not in places))
    assert DiceToKeep(rules, state, Roll(tuple(sorted(places)))).are_absurd == absurd


def test_somebody_goes_for_a_straight_and_somebody_takes_what_there_is() -> None:
    rules = load_edition("mb-yahtzee").rules()
    game, coach = SheetGame(rules, practice=True), open_coach(rules)
    state = play(game, play(game, game.start(1, 0), Roll()), Land((2, 3, 4, 4, 5)))
    plans = {
        tuple(state.dice[place] for place in one.move.keep): one.plan.key
        for one in list_planned_moves(coach, game, state)
        if isinstance(one.move, Roll) and one.plan
    }
    entries = {
        one.move.box: one.plan.key
        for one in list_planned_moves(coach, game, state)
        if isinstance(one.move, Score) and one.plan
    }
    assert entries == {"small_straight": "coach.plan.stops_early"}
    assert set(plans.values()) <= {
        f"coach.plan.{name}" for name in ("goes_for", "overlooks", "holds_on", "takes_points", "goes_by_habit")
    }
