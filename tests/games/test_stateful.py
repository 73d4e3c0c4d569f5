"""Whole games at random, legal moves and nonsense alike: what must hold at every step, whatever the rules are."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from knobel.dice import is_all_alike
from knobel.errors import IllegalAction, InvalidBoxId
from knobel.game import (
    CHANCE,
    Action,
    Announce,
    EnterPoints,
    Land,
    Leave,
    Move,
    Outcome,
    PendingRoll,
    Roll,
    Score,
    Stand,
    play,
)
from knobel.games.sheet import SheetGame, SheetState
from knobel.notation import read_action, write_action
from knobel.rules import edition_ids, load_edition
from knobel.rules.column import list_possible_entries
from knobel.rules.sheet_rules import SheetRules
from knobel.rules.switches import SHEET_SWITCHES
from tests.support.actions import replay
from tests.support.house_rules import load_house_rules
from tests.support.rulesets import EDITIONS_AND_EXAMPLES, REPRESENTATIVE, SETTINGS, SHEETS, list_rulesets
from tests.support.selection import mostly_rest

RULESETS = list_rulesets()
LABELS = list(RULESETS)
MOST_STEPS = 50
TAKEN_BACK = (Announce, Score, EnterPoints)

NORMAL = 300
TORTURE = 10_000


def sequences(count: int) -> settings:
    """Play this many sequences, the same ones every time; only torture has time to look for the shortest failure."""
    phases = (Phase.explicit, Phase.generate) if count < TORTURE // 1000 else tuple(Phase)
    return settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=phases,
        suppress_health_check=list(HealthCheck),
    )


def count_examples(count: int) -> int:
    """Divide at least `count` sequences among the rulesets."""
    return -(-count // len(LABELS))


@dataclass
class Course:
    """A game on its way: every action and state so far, and our own books beside it."""

    game: SheetGame
    start: SheetState
    actions: list[Action] = field(default_factory=list)
    states: list[SheetState] = field(default_factory=list)
    falls: set[tuple[int, int, int]] = field(default_factory=set)
    notes: int = 0

    @property
    def state(self) -> SheetState:
        return self.states[-1] if self.states else self.start

    def do(self, action: Action) -> None:
        """Carry out a legal action and look at what it did."""
        before = self.state
        self.reads_back(action)
        after = play(self.game, before, action)
        self.changes_only_what_it_should(before, action, after)
        self.actions.append(action)
        self.states.append(after)
        fall = self.game.pending_roll(after)
        if isinstance(action, Roll):
            self.falls_where_nothing_fell_before(before, action, fall)
        assert (fall is not None) == (after.seat == CHANCE)
        assert (self.game.outcome(after) is None) == (after.seat is not None)
        self.is_somebodys_turn(after)

    def take_back(self) -> None:
        """Drop the last action, as an undo does until the next dice fall."""
        self.actions.pop()
        self.states.pop()

    def refuses(self, action: Action) -> None:
        """Insist that an illegal action raises and leaves everything as it was."""
        before = repr(self.state)
        with pytest.raises(IllegalAction):
            play(self.game, self.state, action)
        with pytest.raises(IllegalAction):
            replay(self.game, self.state, [action])
        assert repr(self.state) == before

    def reads_back(self, action: Action) -> None:
        text = write_action(self.state, action, self.game.rules.dice)
        assert read_action(self.state, text) == action, text

    def changes_only_what_it_should(self, before: SheetState, action: Action, after: SheetState) -> None:
        """Check that no filled box changes, that an entry fills one box of one column, that kept dice lie still."""
        for seat, (old, new) in enumerate(zip(before.columns, after.columns, strict=True)):
            fresh = [place for place in old.open_boxes if new.entries[place] is not None]
            assert all(new.entries[place] == points for place, points in enumerate(old.entries) if points is not None)
            if isinstance(action, Score | EnterPoints) and seat == before.player:
                assert fresh == [self.game.rules.index[action.box]]
                assert new.entries[fresh[0]] == self.worth(before, action)
                assert new.extra == old.extra + self.prime(before, action)
            else:
                assert old == new
        if isinstance(action, Roll):
            assert after.dice == before.dice
        if isinstance(action, Land) and before.rolloff is None:
            assert after.rolls_used == before.rolls_used + 1 <= self.game.rules.rolls
            fallen = dict(zip(before.rolling, action.dice, strict=True))
            kept = {place: die for place, die in enumerate(before.dice) if place not in fallen}
            assert dict(enumerate(after.dice)) == fallen | kept
        assert after.left == before.left | ({action.seat} if isinstance(action, Leave) else set())

    def worth(self, before: SheetState, action: Score | EnterPoints) -> int:
        if isinstance(action, EnterPoints):
            return action.points
        return 0 if action.cross_out else self.game.list_options(before)[action.box].points

    def prime(self, before: SheetState, action: Score | EnterPoints) -> int:
        """Say which prime is due, by our own reckoning."""
        yatzy = self.game.rules.yatzy
        if isinstance(action, EnterPoints):
            return action.extra
        due = (
            yatzy is not None and is_all_alike(before.hand) and before.column.entries[self.game.rules.index[yatzy.box]]
        )
        return yatzy.prime if yatzy and due else 0

    def falls_where_nothing_fell_before(self, before: SheetState, action: Roll, fall: PendingRoll | None) -> None:
        assert fall is not None
        assert (fall.seat, fall.turn, fall.roll_number) not in self.falls
        self.falls.add((fall.seat, fall.turn, fall.roll_number))
        assert sorted((*fall.positions, *action.keep)) == list(range(self.game.rules.dice))
        assert fall.seat == before.player

    def is_somebodys_turn(self, state: SheetState) -> None:
        """Check that whoever is to move is there and has something to write."""
        if state.seat is None:
            staying = [seat for seat in range(len(state.columns)) if seat not in state.left]
            assert len(staying) <= 1 or all(state.columns[seat].is_full for seat in staying)
            return
        assert state.player not in state.left
        assert not state.column.is_full
        if state.seat != CHANCE:
            assert state.seat == state.player

    def adds_up(self) -> None:
        """Check totals and places against a sum of our own."""
        rules, state = self.game.rules, self.state
        totals = []
        for seat, column in enumerate(state.columns):
            upper = sum(points or 0 for box, points in zip(rules.boxes, column.entries, strict=True) if box.upper)
            lower = sum(points or 0 for box, points in zip(rules.boxes, column.entries, strict=True) if not box.upper)
            bonus = rules.bonus.points if rules.bonus and upper >= rules.bonus.threshold + rules.bonus.strict else 0
            totals.append(upper + lower + bonus + column.extra)
            assert self.game.tally(state, seat).total == totals[-1]
        if state.seat is None:
            ranks = {seat: (seat in state.left, -total) for seat, total in enumerate(totals)}
            order = sorted(set(ranks.values()))
            places = tuple(tuple(seat for seat in ranks if ranks[seat] == rank) for rank in order)
            assert self.game.outcome(state) == Outcome(places, tuple(totals))

    def knows_its_moves(self) -> list[Move]:
        """Check that there is a move, that each is legal, different and reads back, and that boxes agree with it."""
        state, moves = self.state, list(self.game.legal_moves(self.state))
        if state.seat in (None, CHANCE):
            assert moves == []
            return moves
        assert moves
        assert len(set(moves)) == len(moves)
        for move in moves:
            assert self.game.refusal(state, move) is None
            self.reads_back(move)
        if state.dice:
            options = self.game.list_options(state)
            assert [box for box, option in options.items() if option.refusal is None] == [
                move.box for move in moves if isinstance(move, Score)
            ]
            assert any(isinstance(move, Score) for move in moves)
        return moves

    def finish(self, random: Random) -> None:
        """Play to the end by the shortest way; every turn must bring it nearer."""
        most = 10 + 2 * len(self.start.columns) + sum(4 * len(column.open_boxes) for column in self.state.columns)
        for _ in range(most):
            if self.state.seat is None:
                return
            self.do(self.quick(random))
        raise AssertionError("the game does not end")

    def quick(self, random: Random) -> Action:
        """Find a legal action that leads on."""
        state, rules = self.state, self.game.rules
        if state.seat == CHANCE:
            count = len(state.rolling)
            if state.rolloff:
                return Land((rules.faces if not state.rolloff.sums else 1,) * count)
            same = random.randint(1, rules.faces)
            return Land(tuple(same if random.random() < 0.6 else random.randint(1, rules.faces) for _ in range(count)))
        if state.dice:
            options = self.game.list_options(state)
            return Score(random.choice([box for box, option in options.items() if option.refusal is None]))
        return next(self.game.legal_moves(state))


def actions(course: Course, draw: Any) -> Action:
    """Draw an action: legal ones and nonsense of every kind."""
    game, state = course.game, course.state
    rules = game.rules
    boxes = st.sampled_from([*(box.id for box in rules.boxes), "nowhere"])
    kind = draw(
        st.sampled_from(["move", "move", "move", "land", "cross_out", "roll", "box", "leave", "enter_points", "stand"])
    )
    if state.seat == CHANCE and kind in ("move", "cross_out", "roll", "enter_points"):
        kind = "land"
    match kind:
        case "move" if state.seat is not None:
            return draw(st.sampled_from(course.knows_its_moves()))  # type: ignore[no-any-return]
        case "land":
            return Land(draw(landing(len(state.rolling), rules.faces)))
        case "cross_out":
            return Score(draw(boxes), cross_out=True)
        case "roll":
            return Roll(tuple(draw(st.lists(st.integers(-1, rules.dice), max_size=rules.dice + 1))))
        case "box":
            return draw(st.sampled_from([Score, Announce]))(draw(boxes))  # type: ignore[no-any-return]
        case "leave":
            return Leave(draw(st.integers(-1, len(state.columns) + 8)))
        case "enter_points":
            return enter_points(course, draw, draw(boxes))
    return Stand(draw(st.sampled_from([None, "over", "under"])))


def landing(count: int, faces: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Let dice fall: often all alike, often anyhow, sometimes too many or with faces they do not have."""
    face = st.integers(1, faces)
    same = face.map(lambda value: (value,) * count)
    anyhow = st.lists(face, min_size=count, max_size=count).map(tuple)
    wrong = st.lists(st.integers(0, faces + 1), max_size=count + 1).map(tuple)
    return st.one_of(same, anyhow, anyhow, wrong)


def enter_points(course: Course, draw: Any, box: str) -> EnterPoints:
    """Enter points without dice: possible ones, or any; listing the possible ones is slow, so do it only once."""
    state, rules = course.state, course.game.rules_for(course.state.player)
    slow = not state.dice and box in rules.index and state.column.entries[rules.index[box]] is None
    if not slow or course.notes >= 1:
        filled = [row.id for row, points in zip(rules.boxes, state.column.entries, strict=True) if points is not None]
        return EnterPoints(
            "nowhere" if slow and not filled else filled[0] if slow else box, draw(st.integers(-5, 2000))
        )
    course.notes += 1
    possible = list_possible_entries(rules, state.column, box, state.announced)
    if possible and draw(st.booleans()):
        points = draw(st.sampled_from(list(possible)))
        extra, same = draw(st.sampled_from(sorted(possible[points])))
        return EnterPoints(box, points, extra, same and draw(st.booleans()))
    return EnterPoints(box, draw(st.integers(-5, 120)), draw(st.sampled_from([0, 50, 100])), draw(st.booleans()))


def whole_game(rules: SheetRules, data: st.DataObject) -> None:
    """Play one sequence: some turns at once, up to fifty careful steps, then to the end."""
    draw = data.draw
    seats = draw(st.integers(1, 4))
    beginners = frozenset(seat for seat in range(seats) if draw(st.integers(0, 5)) == 5)
    first = draw(st.one_of(st.none(), st.integers(0, seats - 1)))
    game = SheetGame(rules, beginners, practice=True)
    course = Course(game, game.start(seats, first))
    random = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 3 * seats * (len(rules.boxes) - 1)))):
        course.do(course.quick(random))
    for _ in range(draw(st.integers(1, MOST_STEPS))):
        careful_step(course, draw)
    course.knows_its_moves()
    course.adds_up()
    course.finish(random)
    course.adds_up()
    assert replay(game, course.start, course.actions) == course.state
    middle = len(course.actions) // 2
    assert replay(game, course.states[middle], course.actions[middle + 1 :]) == course.state


def careful_step(course: Course, draw: Any) -> None:
    """Try one action: do it if it is legal, insist on its refusal if not; now and then take the last entry back."""
    if course.actions and isinstance(course.actions[-1], TAKEN_BACK) and draw(st.integers(0, 3)) == 3:
        course.take_back()
        assert replay(course.game, course.start, course.actions) == course.state
    action = actions(course, draw) if course.state.seat is not None else Roll()
    if course.game.refusal(course.state, action) is None:
        course.do(action)
    else:
        course.refuses(action)


@pytest.mark.parametrize("label", mostly_rest(LABELS, *REPRESENTATIVE))
@sequences(count_examples(NORMAL))
@given(data=st.data())
def test_every_ruleset_keeps_its_books_whatever_is_tried(label: str, data: st.DataObject) -> None:
    whole_game(RULESETS[label], data)


@pytest.mark.torture
@pytest.mark.parametrize("label", LABELS)
@sequences(count_examples(TORTURE))
@given(data=st.data())
def test_every_ruleset_keeps_its_books_ten_thousand_times(label: str, data: st.DataObject) -> None:
    whole_game(RULESETS[label], data)


def test_there_are_as_many_sequences_as_we_say() -> None:
    assert count_examples(NORMAL) * len(LABELS) >= NORMAL
    assert count_examples(TORTURE) * len(LABELS) >= TORTURE


def test_no_edition_text_switch_or_example_is_left_out() -> None:
    assert len(EDITIONS_AND_EXAMPLES) == len(SHEETS) + 5
    assert set(SHEETS) <= set(edition_ids())
    assert {key for each in SETTINGS for key in each.items()} == {
        (name, value) for name, switch in SHEET_SWITCHES.items() for value in switch.values
    }
    known = {rules.fingerprint for rules in RULESETS.values()}
    for name in EDITIONS_AND_EXAMPLES:
        edition = load_edition(name)
        for text in edition.printed:
            for literal in ({}, {"literal_bonus": "true"}, {"literal_chance": "true"}):
                assert edition.rules(text, literal).fingerprint in known


# House rules nobody has thought of.


@st.composite
def house_rules(draw: st.DrawFn) -> dict[str, object]:
    """Draw a house-rule file the schema may accept: odd boxes under every rule of writing."""
    boxes = {f"row{number}": draw(odd_box()) for number in range(draw(st.integers(1, 5)))}
    names = st.sampled_from(list(boxes))
    return {
        "title": "Odd",
        "dice": 5,
        "faces": 6,
        "rolls": 2,
        "boxes": boxes,
        "order": draw(st.sampled_from(["free", "free", "free", "announced", "top_down"])),
        "must_fit": draw(st.booleans()),
        "yatzy": {
            "box": draw(names),
            "joker": draw(st.sampled_from(["forced", "forced", "free", "none"])),
            "prime": draw(st.sampled_from([0, 100])),
            "second": draw(st.sampled_from([0, 100])),
            "forced_zero": draw(st.sampled_from(["literal", "lenient"])),
        },
        "chance": {"box": draw(names), "rule": draw(st.sampled_from(["free", "last_resort", "last_box"]))},
    }


@st.composite
def odd_box(draw: st.DrawFn) -> dict[str, object]:
    patterns: list[dict[str, object]] = [
        {"pattern": "sum"},
        {"pattern": "group", "size": 3},
        {"pattern": "group", "size": 5},
        {"pattern": "house", "sizes": [3, 2]},
        {"pattern": "run", "length": 4},
        {"pattern": "only", "faces": [1, 3, 5]},
    ]
    settings_ = {
        "counts": draw(st.sampled_from(["all", "group", "nothing"])),
        "points": draw(st.sampled_from([0, 5])),
        "upper": draw(st.booleans()),
    }
    return draw(st.sampled_from(patterns)) | settings_


@pytest.mark.solve
@sequences(200)
@given(table=house_rules(), seed=st.integers(0, 2**32))
def test_whatever_house_rule_is_accepted_can_be_played_to_its_end(table: dict[str, object], seed: int) -> None:
    rules, random = load_house_rules(table).rules(), Random(seed)
    game = SheetGame(rules)
    for _ in range(6):
        course = Course(game, game.start(1))
        while course.state.seat is not None:
            if course.state.dice:
                assert any(option.refusal is None for option in game.list_options(course.state).values()), course.state
            course.do(course.quick(random))
        course.adds_up()


def test_a_forced_joker_always_finds_a_box() -> None:
    boxes = {
        "top": {"pattern": "sum", "counts": "all", "upper": True},
        "five": {"pattern": "group", "size": 5, "points": 50},
        "luck": {"pattern": "sum", "counts": "all"},
    }
    table = {
        "title": "Joker",
        "dice": 5,
        "faces": 6,
        "rolls": 3,
        "boxes": boxes,
        "yatzy": {"box": "five", "joker": "forced"},
        "chance": {"box": "luck", "rule": "last_resort"},
    }
    game = SheetGame(load_house_rules(table).rules())
    state = replay(game, game.start(1), [*five(1), Score("five"), *five(2)])
    assert [move for move in game.legal_moves(state) if isinstance(move, Score)] == [Score("luck")]


@pytest.mark.parametrize("name", ["stand", "leave", "undo", "yatzy", "a", "abc", "over", "x" * 32])
def test_a_box_may_have_any_name_that_can_be_noted(name: str) -> None:
    table: dict[str, object] = {
        "title": "Named",
        "dice": 5,
        "faces": 6,
        "rolls": 1,
        "boxes": {name: {"pattern": "sum", "counts": "all"}},
    }
    try:
        rules = load_house_rules(table).rules()
    except InvalidBoxId:
        return
    course = Course(SheetGame(rules), SheetGame(rules).start(1))
    course.finish(Random(1))
    assert isinstance(course.actions[-1], Score)


def five(face: int) -> Iterator[Action]:
    yield from (Roll(), Land((face,) * 5))
