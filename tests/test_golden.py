"""Runs the golden cases of the directory named by KNOBEL_GOLDEN; a new kind is one more function under `@each_case`."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from knobel.dice import is_all_alike, sort_dice
from knobel.errors import IllegalAction
from knobel.game import Announce, Land, Roll, Score, play
from knobel.games.round_state import GIVER, RoundRollOff, RoundState
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules import edition_ids, load_edition
from knobel.rules.column import Column, build_column, is_joker, list_options, possible_points
from knobel.rules.sheet_rules import SheetRules
from tests.support.chicago import EDITION, make_position, roll_and_stand, roll_dice

Case: TypeAlias = Mapping[str, Any]
CaseTest: TypeAlias = Callable[[Case], None]

HERE = Path(__file__)
GOLDEN = Path(os.environ.get("KNOBEL_GOLDEN") or HERE.parent / "golden")


def read_cases(folder: Path, file: str) -> list[Case]:
    """Read the cases of one kind: none if the file is missing, an error if the folder holds no golden file at all."""
    if not any(folder.glob("golden_*.json")):
        raise FileNotFoundError(f"no golden files in {folder}")
    path = folder / file
    if not path.exists():
        return []
    form = json.loads(path.read_text(encoding="utf-8"))
    return form if isinstance(form, list) else next(form[key] for key in ("cases", "sequences") if key in form)


def as_written(case: Case) -> Iterable[Case]:
    """Let a case be one test."""
    return (case,)


def each_case(
    file: str, name: Callable[[Case], str], told: Callable[[Case], Iterable[Case]] = as_written
) -> Callable[[CaseTest], CaseTest | None]:
    """Make a function a test of each case of a file; a kind without cases has no test, so that none is skipped."""
    cases = [pytest.param(one, id=name(one)) for case in read_cases(GOLDEN, file) for one in told(case)]
    return lambda test: pytest.mark.golden(pytest.mark.parametrize("case", cases)(test)) if cases else None


def score_name(case: Case) -> str:
    state = " ".join(f"{key}={value}" for key, value in case.get("context", {}).items())
    dice = "-".join(map(str, case["dice"]))
    return f"{case['edition']} {case['lang']} {dice} {case['category']} {case['points']} {state}".strip()


@each_case("golden_scores.json", score_name)
def test_a_box_is_worth_what_the_rulebook_says(case: Case) -> None:
    rules = load_edition(case["edition"]).rules(text=case["lang"])
    rolled = sort_dice(case["dice"])
    context = case.get("context", {})
    for column in columns(rules, case["dice"][0], context):
        assert list_options(rules, column, rolled)[case["category"]].points == case["points"], case.get("note")
        if "joker" in context:
            held = rules.yatzy is not None and is_all_alike(rolled) and is_joker(rules, rules.yatzy, column, rolled)
            assert held == context["joker"], case.get("note")


KEYS = {"previous_yatzi_results", "chance_open", "yatzy_box", "matching_upper_box", "joker", "lower_section"}


def columns(rules: SheetRules, face: int, context: Mapping[str, Any]) -> Iterator[Column]:
    """Give every column that a context describes; without a context the empty one."""
    assert set(context) <= KEYS, set(context) - KEYS
    entries: dict[str, int] = {}
    if context.get("lower_section") == "full":
        entries |= {box.id: possible_points(rules, box.id)[-1] for box in rules.boxes if not box.upper}
    if rules.chance and "chance_open" in context:
        write(entries, rules.chance.box, None if context["chance_open"] else 3 * rules.dice)
    wanted = context.get("joker") is True
    if is_filled(context.get("matching_upper_box"), wanted) is not None:
        match = rules.boxes[rules.upper_box_by_face[face]].id
        write(entries, match, 3 * face if is_filled(context.get("matching_upper_box"), wanted) else None)
    if rules.yatzy is None or is_filled(context.get("yatzy_box"), wanted) is None:
        yield build_column(rules, entries, yatzys=context.get("previous_yatzi_results", 0))
        return
    for points in yatzy_points(rules, rules.yatzy.box, context):
        write(entries, rules.yatzy.box, points)
        yield build_column(rules, entries, yatzys=context.get("previous_yatzi_results", int(bool(points))))


def is_filled(state: str | None, wanted: bool) -> bool | None:
    """Read "filled…" or "open"; where nothing is said a joker needs the box filled, and else it does not matter."""
    if state is None:
        return True if wanted else None
    assert state.startswith(("filled", "open")), state
    return state.startswith("filled")


def yatzy_points(rules: SheetRules, box: str, context: Mapping[str, Any]) -> list[int | None]:
    """Say what the yatzy box may hold: the numbers named, else a zero if five alike never came, else its points."""
    state = context.get("yatzy_box", "filled (50 or 0)")
    if state.startswith("open"):
        return [None]
    full = possible_points(rules, box)[-1]
    if named := re.findall(r"\d+", state):
        return [full if int(points) else 0 for points in named]
    return [0 if context.get("previous_yatzi_results") == 0 else full]


def write(entries: dict[str, int], box: str, points: int | None) -> None:
    """Write a box, or open it again."""
    entries.pop(box, None)
    if points is not None:
        entries[box] = points


def test_a_yatzy_box_filled_with_50_or_0_is_tried_both_ways() -> None:
    rules = load_edition("mb-yahtzee").rules()
    context = {"yatzy_box": "filled (50 or 0)", "matching_upper_box": "filled", "joker": True}
    yatzy, fours = rules.index["yatzy"], rules.index["fours"]
    assert [column.entries[yatzy] for column in columns(rules, 4, context)] == [50, 0]
    assert [column.entries[fours] for column in columns(rules, 4, context)] == [12, 12]
    assert list(columns(rules, 4, {"joker": True})) == list(columns(rules, 4, context))


def test_a_filled_yatzy_box_holds_zero_if_five_alike_never_came_and_else_its_points() -> None:
    rules = load_edition("philos-yatzi").rules()
    yatzy = rules.index["yatzy"]
    held = {
        previous: [column.entries[yatzy] for column in columns(rules, 4, {"yatzy_box": "filled", **previous_key})]
        for previous, previous_key in {
            0: {"previous_yatzi_results": 0},
            1: {"previous_yatzi_results": 1},
            None: dict[str, int](),
        }.items()
    }
    assert held == {0: [0], 1: [50], None: [50]}


def test_a_full_lower_section_leaves_only_upper_boxes_open() -> None:
    rules = load_edition("mb-yahtzee").rules()
    context = {"lower_section": "full", "yatzy_box": "filled (50 or 0)", "matching_upper_box": "filled"}
    for column in columns(rules, 4, context):
        assert [rules.boxes[place].id for place in column.open_boxes] == ["ones", "twos", "threes", "fives", "sixes"]


def test_an_open_box_of_a_full_lower_section_stays_open() -> None:
    rules = load_edition("philos-yatzi").rules()
    (column,) = columns(rules, 4, {"lower_section": "full", "chance_open": True, "yatzy_box": "open"})
    assert [rules.boxes[place].id for place in column.open_boxes][6:] == ["yatzy", "chance"]


def test_an_unknown_context_key_is_not_overlooked() -> None:
    with pytest.raises(AssertionError, match="weather"):
        list(columns(load_edition("philos-yatzi").rules(), 4, {"weather": "fine"}))


# Sequences: one player's column, turn by turn.

SETUP = {"sheet", "yatzi_thrown", "order", "literal_bonus"}
STEP = {"op", "expect"}
STEPS = {
    "declare": {"category"},
    "roll": {"thrown"},
    "keep": {"values"},
    "final": {"dice"},
    "options": {"points", "illegal", "exact"},
    "score": {"category", "points"},
    "turn": {"declare", "dice", "category", "points"},
}


def in_every_text(case: Case) -> Iterable[Case]:
    """Tell a sequence once for each text it holds in."""
    return [{**case, "lang": lang} for lang in (case["lang"], *case.get("also_langs", ()))]


def sequence_name(case: Case) -> str:
    return f"{case['id']} {case['edition']} {case['lang']} {case.get('title', '')}".strip()


@each_case("golden_sequences.json", sequence_name, in_every_text)
def test_a_game_goes_as_the_rulebook_says(case: Case) -> None:
    walk(case)


@dataclass
class Walk:
    """A practice game of one seat on its way through a sequence."""

    game: SheetGame
    state: SheetState
    kept: tuple[int, ...] = ()

    def declare(self, category: str) -> None:
        self.state = play(self.game, self.state, Announce(category))

    def roll(self, thrown: list[int]) -> None:
        falling = play(self.game, self.state, Roll(self.kept))
        self.state = play(self.game, falling, Land(tuple(thrown)))
        self.kept = self.state.locked

    def keep(self, values: list[int]) -> None:
        """Leave dice lying: they must lie there, and locked ones must be among them."""
        positions = self.game.find_positions(self.state, tuple(values))
        if positions is None or not set(self.state.locked) <= set(positions):
            raise Refused
        self.kept = positions

    def final(self, dice: list[int]) -> None:
        assert self.state.hand == sort_dice(dice)

    def options(self, points: Mapping[str, int], illegal: Iterable[str] = (), exact: bool = False) -> None:
        found = self.game.list_options(self.state)
        free = {box: option.points for box, option in found.items() if option.refusal is None}
        assert {box: free.get(box) for box in points} == dict(points)
        assert [box for box in illegal if box in free] == []
        assert not exact or set(free) == set(points)

    def score(self, category: str, points: int = 0) -> None:
        self.state = play(self.game, self.state, Score(category))
        self.kept = ()
        assert self.written[category] == points

    def turn(self, dice: list[int], category: str, points: int = 0, declare: str | None = None) -> None:
        if declare is not None:
            self.declare(declare)
        self.roll(dice)
        self.score(category, points)

    @property
    def written(self) -> dict[str, int]:
        """The boxes filled so far."""
        pairs = zip(self.game.rules.boxes, self.state.columns[0].entries, strict=True)
        return {box.id: points for box, points in pairs if points is not None}

    def found(self) -> dict[str, object]:
        """Say how the column stands."""
        tally = self.game.tally(self.state, 0)
        return {
            "upper_total": tally.upper,
            "bonus": tally.bonus,
            "lower_total": tally.lower,
            "yahtzee_bonus": tally.extra,
            "total": tally.total,
            "boxes_filled": len(self.written),
            "sheet": self.written,
        }


class Refused(Exception):
    """Dice that may not be kept."""


def walk(case: Case) -> None:
    """Go through a sequence and look at the column in the end."""
    on_the_way = set_up(case)
    for number, step in enumerate(case["steps"], 1):
        take(on_the_way, step, f"step {number}: {step}")
    found, wanted = on_the_way.found(), dict(case.get("expect", {}))
    assert set(wanted) <= set(found), set(wanted) - set(found)
    sheet = wanted.pop("sheet", {})
    assert {key: found[key] for key in wanted} == wanted
    assert {box: on_the_way.written.get(box) for box in sheet} == sheet


def set_up(case: Case) -> Walk:
    """Sit one player down in front of the column a sequence begins with."""
    setup = case.get("setup", {})
    assert set(setup) <= SETUP, set(setup) - SETUP
    switches = {name: str(setup[name]).lower() for name in ("order", "literal_bonus") if name in setup}
    game = SheetGame(load_edition(case["edition"]).rules(case["lang"], switches), practice=True)
    sheet = setup.get("sheet", {})
    assert set(sheet) <= set(game.rules.index), set(sheet) - set(game.rules.index)
    shown = int(bool(game.rules.yatzy and sheet.get(game.rules.yatzy.box)))
    column = build_column(game.rules, sheet, yatzys=setup.get("yatzi_thrown", shown))
    return Walk(game, game.start(1)._replace(columns=(column,)))


def take(on_the_way: Walk, step: Case, note: str) -> None:
    """Take one step; a refused one must leave everything as it was."""
    operation = step["op"]
    settings = {key: value for key, value in step.items() if key not in STEP}
    assert set(settings) <= STEPS[operation], note
    assert step.get("expect", "reject") == "reject", note
    before = on_the_way.state, on_the_way.kept
    try:
        getattr(on_the_way, operation)(**settings)
        refused = False
    except (IllegalAction, Refused):
        refused = True
    except AssertionError as error:
        raise AssertionError(f"{note}\n{error}") from None
    assert refused == ("expect" in step), note
    if refused:
        on_the_way.state, on_the_way.kept = before


def sequence(*steps: Case, edition: str = "noris-yatzy", lang: str = "de", **more: object) -> Case:
    return {"id": "X", "edition": edition, "lang": lang, "steps": steps, **more}


FIRST = {"op": "roll", "thrown": [6, 6, 1, 4, 2]}
SIXES = {"op": "score", "category": "sixes", "points": 12}


def test_a_sequence_is_played_in_its_own_text_and_in_the_others() -> None:
    told = in_every_text(sequence(also_langs=["en", "fr"]))
    assert [case["lang"] for case in told] == ["de", "en", "fr"]


@pytest.mark.parametrize(
    "steps",
    [
        [{**FIRST, "expect": "reject"}],
        [{**FIRST, "thrown": [6, 6, 1, 4]}],
        [FIRST, {"op": "final", "dice": [6, 6, 1, 4, 3]}],
        [FIRST, {"op": "keep", "values": [5]}],
        [FIRST, {"op": "keep", "values": [6, 6, 6]}],
        [FIRST, {"op": "keep", "values": [6]}, {"op": "roll", "thrown": [1, 1, 1]}],
        [FIRST, {"op": "keep", "values": [6, 6]}, {"op": "roll", "thrown": [1, 1, 1]}, {"op": "keep", "values": [6]}],
        [FIRST, {"op": "options", "points": {"sixes": 18}}],
        [FIRST, {"op": "options", "points": {"chance": 19}}],
        [FIRST, {"op": "options", "points": {"sixes": 12}, "exact": True}],
        [FIRST, {"op": "options", "points": {}, "illegal": ["sixes"]}],
        [FIRST, {**SIXES, "points": 18}],
        [FIRST, {**SIXES, "expect": "reject"}],
        [{"op": "turn", "dice": [1, 2, 3, 4, 6], "category": "yatzy", "points": 0}],
        [{"op": "declare", "category": "sixes"}],
        [{**FIRST, "luck": 7}],
        [{**FIRST, "expect": "applause"}],
    ],
    ids=str,
)
def test_a_wrong_step_is_noticed(steps: list[Case]) -> None:
    with pytest.raises(AssertionError, match=f"step {len(steps)}:"):
        walk(sequence(*steps))


@pytest.mark.parametrize(
    "expect",
    [
        {"upper_total": 13},
        {"bonus": 35},
        {"lower_total": 12},
        {"yahtzee_bonus": 100},
        {"total": 13},
        {"boxes_filled": 2},
        {"sheet": {"sixes": 13}},
        {"sheet": {"fives": 0}},
        {"weather": "fine"},
    ],
    ids=str,
)
def test_a_wrong_end_is_noticed(expect: Case) -> None:
    walk(sequence(FIRST, SIXES, expect={"total": 12, "boxes_filled": 1, "sheet": {"sixes": 12}}))
    with pytest.raises(AssertionError):
        walk(sequence(FIRST, SIXES, expect=expect))


def test_a_refused_turn_throws_its_dice_away() -> None:
    refused = {"op": "turn", "dice": [6, 6, 1, 4, 2], "category": "yatzy", "points": 0, "expect": "reject"}
    on_the_way = set_up(sequence())
    before = on_the_way.state
    take(on_the_way, refused, "")
    assert on_the_way.state == before
    take(on_the_way, FIRST, "")
    assert on_the_way.state.dice == (6, 6, 1, 4, 2)


def test_a_refused_roll_and_a_refused_keep_leave_everything_as_it_was() -> None:
    on_the_way = set_up(sequence())
    for step in (FIRST, {"op": "keep", "values": [6, 6]}):
        take(on_the_way, step, "")
    before = on_the_way.state, on_the_way.kept
    take(on_the_way, {"op": "roll", "thrown": [1, 2], "expect": "reject"}, "")
    take(on_the_way, {"op": "keep", "values": [6, 6, 6], "expect": "reject"}, "")
    assert (on_the_way.state, on_the_way.kept) == before


def test_keeping_all_five_or_after_the_last_roll_is_allowed_and_does_nothing() -> None:
    keep_all = {"op": "keep", "values": [6, 6, 1, 4, 2]}
    none_fall = {"op": "roll", "thrown": [], "expect": "reject"}
    keep_two = {"op": "keep", "values": [6, 6]}
    walk(sequence(FIRST, keep_all, none_fall, keep_two, {"op": "roll", "thrown": [1, 2, 3]}))
    last = {"op": "roll", "thrown": [5, 5, 5]}
    fourth = {**last, "expect": "reject"}
    again = {"op": "keep", "values": [6, 6, 5]}
    walk(sequence(FIRST, keep_two, last, keep_two, last, again, fourth, SIXES))


def test_a_setup_gives_sheet_yatzis_order_and_the_literal_bonus() -> None:
    philos = sequence(edition="philos-yatzi", setup={"sheet": {"ones": 3}, "yatzi_thrown": 2})
    assert set_up(philos).state.columns[0].yatzys == 2
    assert set_up(philos).written == {"ones": 3}
    shown = sequence(edition="philos-yatzi", setup={"sheet": {"yatzy": 50}})
    assert set_up(shown).state.columns[0].yatzys == 1
    beginner = sequence(edition="carlit-yatzy", setup={"order": "top_down"})
    assert set_up(beginner).game.rules.order == "top_down"
    for literal, threshold in ((True, 36), (False, 63)):
        finnish = sequence(edition="tactic-xl-yatzy", lang="fi", setup={"literal_bonus": literal})
        bonus = set_up(finnish).game.rules.bonus
        assert bonus is not None
        assert bonus.threshold == threshold


@pytest.mark.parametrize("setup", [{"weather": "fine"}, {"sheet": {"yahtzee": 50}}], ids=str)
def test_an_unknown_setup_is_not_overlooked(setup: Case) -> None:
    with pytest.raises(AssertionError, match=r"weather|yahtzee"):
        set_up(sequence(setup=setup))


@pytest.mark.rest
@pytest.mark.process
def test_sequences_elsewhere_run_unchanged_each_text_by_itself(tmp_path: Path) -> None:
    right = sequence(FIRST, SIXES, title="right", expect={"total": 12}, edition="tactic-xl-yatzy", also_langs=["en"])
    wrong = sequence(FIRST, SIXES, title="wrong", expect={"total": 13})
    (tmp_path / "golden_sequences.json").write_text(json.dumps({"format": {}, "sequences": [right, wrong]}))
    run = run_elsewhere(tmp_path)
    assert run.returncode == 1
    assert "1 failed, 5 passed" in run.stdout
    assert "X noris-yatzy de wrong" in run.stdout


# Rounds of Chicago.

ROUND = {"id", "lang", "title", "chicago_special", "seats", "state", "rolls", "announce", "rolloff", "expect"}
ROUND_REMARKS = {"printed", "reconstructed", "derived", "note", "source_file"}
POSITION = {"kitty", "chips", "opener", "out"}
ROLL_OFF = {"players", "kind", "dice"}


def round_name(case: Case) -> str:
    return f"{case['id']} {case['lang']} {case.get('title', '')}".strip()


@each_case("golden_chicago.json", round_name)
def test_a_round_goes_as_the_rulebook_says(case: Case) -> None:
    play_round(case)


def play_round(case: Case) -> None:
    """Play a round from its position with the prescribed dice and look at what it came to."""
    assert set(case) <= ROUND | ROUND_REMARKS, set(case) - ROUND - ROUND_REMARKS
    names: list[str] = case["seats"]
    game = RoundsGame(
        load_edition(EDITION).rules(case["lang"], {"chicago_special": str(case["chicago_special"]).lower()})
    )
    state = set_position(game, names, case["state"])
    rolls = dict(case["rolls"])
    assert (case["announce"] is None) == game.is_all_ones(tuple(rolls[names[state.opener]][-1]))
    rolling = [{**one} for one in case.get("rolloff", ())]
    while state.result is None:
        if state.rolloff:
            assert rolling, f"nobody prescribed a roll-off of {state.rolloff}"
            state = roll_off(game, state, names, rolling.pop(0), state.rolloff)
        else:
            own = rolls.pop(names[state.player])
            state = roll_and_stand(game, state, own, case["announce"])
    assert rolls == {}, "nobody threw these"
    assert rolling == [], "nobody was tied here"
    assert round_found(game, state, names) == case["expect"]


def set_position(game: RoundsGame, names: list[str], position: Case) -> RoundState:
    """Put the position before a round on the table; who is out is not ranked."""
    assert set(position) <= POSITION, set(position) - POSITION
    chips = {names.index(name): count for name, count in position.get("chips", {}).items()}
    out = [names.index(name) for name in position.get("out", ())]
    return make_position(game, len(names), chips, names.index(position["opener"]), out, position["kitty"])


def roll_off(game: RoundsGame, state: RoundState, names: list[str], form: Case, tied: RoundRollOff) -> RoundState:
    """Roll one prescribed roll-off; who gives a chip is found like the best."""
    assert set(form) == ROLL_OFF
    assert form["kind"] == ("best" if tied.kind == GIVER else tied.kind)
    assert sorted(form["players"]) == sorted(form["dice"]) == sorted(names[seat] for seat in tied.seats)
    for seat in tied.seats:
        assert state.player == seat
        state = roll_dice(game, state, form["dice"][names[seat]])
    return state


def round_found(game: RoundsGame, state: RoundState, names: list[str]) -> dict[str, object]:
    """Say what a round came to, field by field."""
    told, outcome = state.result, game.outcome(state)
    assert told is not None

    def named(seat: int | None) -> str | None:
        return None if seat is None else names[seat]

    void = told.loser is None
    return {
        "loser": named(told.loser),
        "round_winner": named(told.winner),
        "chip_from": None if void else "kitty" if told.chip_from is None else named(told.chip_from),
        "left": [names[seat] for seat in told.out],
        "chips": dict(zip(names, state.chips, strict=True)),
        "kitty": state.kitty,
        "next_opener": named(state.opener) if outcome is None else None,
        "game_over": outcome is not None,
        "ranking_so_far": [[names[seat] for seat in group] for group in (outcome or state).places],
    }


def chicago_round(**more: object) -> Case:
    """Tell a round of three: A 15 over with two rolls, B 12, C 9."""
    expect = {
        "loser": "C",
        "round_winner": "A",
        "chip_from": "kitty",
        "left": [],
        "chips": {"A": 1, "B": 0, "C": 1},
        "kitty": 1,
        "next_opener": "C",
        "game_over": False,
        "ranking_so_far": [],
    }
    return {
        "id": "X",
        "lang": "de",
        "chicago_special": True,
        "seats": ["A", "B", "C"],
        "state": {"kitty": 2, "opener": "A", "chips": {"A": 1}},
        "rolls": {"A": [[6, 2, 1], [6, 5, 4]], "B": [[6, 3, 3]], "C": [[1, 2, 3], [1, 2, 6]]},
        "announce": "over",
        "rolloff": [],
        "expect": expect,
        **more,
    }


@pytest.mark.parametrize(
    ("field", "wrong"),
    {
        "loser": "B",
        "round_winner": "B",
        "chip_from": "A",
        "left": ["A"],
        "chips": {"A": 1, "B": 1, "C": 0},
        "kitty": 2,
        "next_opener": "A",
        "game_over": True,
        "ranking_so_far": [["A"]],
        "weather": "fine",
    }.items(),
)
def test_a_round_that_came_to_something_else_is_noticed(field: str, wrong: object) -> None:
    right = chicago_round()
    play_round(right)
    with pytest.raises(AssertionError):
        play_round({**right, "expect": {**right["expect"], field: wrong}})


TIED = {"A": [[6, 5, 4]], "B": [[6, 2, 1]], "C": [[3, 3, 3]]}
TIE = {"players": ["B", "C"], "kind": "worst", "dice": {"B": [4, 4, 3], "C": [1, 1, 5]}}


def test_prescribed_roll_offs_are_rolled_and_must_be_those_of_the_game() -> None:
    play_round(chicago_round(rolls=TIED, rolloff=[TIE]))
    again = {**TIE, "dice": {"B": [4, 4, 3], "C": [5, 5, 1]}}
    play_round(chicago_round(rolls=TIED, rolloff=[again, TIE]))
    wrong: list[list[Case]] = [[], [TIE, TIE], [again], [{**TIE, "kind": "best"}], [{**TIE, "players": ["A", "C"]}]]
    for rolling in wrong:
        with pytest.raises(AssertionError):
            play_round(chicago_round(rolls=TIED, rolloff=rolling))


@pytest.mark.parametrize(
    "changed",
    [
        {"rolls": {"A": [[6, 5, 4]], "B": [[6, 3, 3]]}},
        {"rolls": {"A": [[6, 5, 4]], "B": [[6, 3, 3]], "C": [[1, 2, 3], [1, 2, 6]]}},
        {"announce": None},
        {"announce": "sideways"},
        {"weather": "fine"},
        {"state": {"kitty": 2, "opener": "A", "weather": "fine"}},
        {"seats": ["A", "B", "D"]},
    ],
    ids=str,
)
def test_a_round_that_cannot_be_played_as_written_is_noticed(changed: Case) -> None:
    with pytest.raises((AssertionError, IllegalAction, KeyError)):
        play_round(chicago_round(**changed))


def test_the_three_ones_of_an_opener_void_a_round_without_an_announcement() -> None:
    expect = {
        "loser": None,
        "round_winner": None,
        "chip_from": None,
        "left": ["A"],
        "chips": {"A": 0, "B": 0, "C": 0},
        "kitty": 3,
        "next_opener": "B",
        "game_over": False,
        "ranking_so_far": [["A"]],
    }
    play_round(chicago_round(rolls={"A": [[6, 1, 1], [1, 1, 1]]}, announce=None, expect=expect))


@pytest.mark.rest
@pytest.mark.process
def test_rounds_elsewhere_run_unchanged(tmp_path: Path) -> None:
    wrong = chicago_round(id="Y", title="wrong", announce="under")
    (tmp_path / "golden_chicago.json").write_text(json.dumps({"format": {}, "cases": [chicago_round(), wrong]}))
    run = run_elsewhere(tmp_path)
    assert run.returncode == 1
    assert "1 failed, 4 passed" in run.stdout
    assert "Y de wrong" in run.stdout


def prints_its_rules(name: str) -> bool:
    """Tell an edition whose rules were read somewhere from one that rests on rulings alone."""
    return any(source.passages for source in load_edition(name).sources.values())


@pytest.mark.parametrize("name", [name for name in edition_ids() if prints_its_rules(name)])
def test_an_edition_that_prints_its_rules_has_golden_cases(name: str) -> None:
    files = ("golden_scores.json", "golden_sequences.json", "golden_chicago.json")
    cases = [case for file in files for case in read_cases(HERE.parent / "golden", file)]
    assert name in {case.get("edition", EDITION) for case in cases}


@pytest.mark.parametrize("folder", ["", "missing"])
def test_an_empty_or_missing_directory_is_an_error(tmp_path: Path, folder: str) -> None:
    with pytest.raises(FileNotFoundError, match="no golden files"):
        read_cases(tmp_path / folder, "golden_scores.json")


def test_a_missing_file_means_no_cases_of_that_kind(tmp_path: Path) -> None:
    (tmp_path / "golden_chicago.json").write_text('{"format": {}, "cases": []}')
    assert read_cases(tmp_path, "golden_scores.json") == []


@pytest.mark.parametrize("file", ["golden_scores.json", "golden_sequences.json", "golden_chicago.json"])
def test_one_loader_reads_every_kind(file: str) -> None:
    assert read_cases(HERE.parent / "golden", file)


def run_elsewhere(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run this file on the golden cases of another directory, leaving out the tests that would do so again."""
    quiet = [part for plugin in ("cacheprovider", "xdist", "hypothesispytest") for part in ("-p", f"no:{plugin}")]
    line = [sys.executable, "-m", "pytest", *quiet, "-k", "rulebook or loader", str(HERE)]
    environment = {**os.environ, "KNOBEL_GOLDEN": str(folder)}
    return subprocess.run(line, env=environment, cwd=HERE.parents[1], capture_output=True, text=True, check=False)


RIGHT = {
    "edition": "mb-yahtzee",
    "lang": "fr",
    "dice": [4, 4, 4, 4, 4],
    "category": "ones",
    "points": 0,
    "note": "M-3: a zero above once everything below is written",
    "context": {"lower_section": "full", "joker": True},
}


@pytest.mark.process
def test_files_of_the_same_format_elsewhere_run_unchanged(tmp_path: Path) -> None:
    wrong = {**RIGHT, "category": "fours", "points": 0, "note": "these dice bring 20 in the fours", "context": {}}
    (tmp_path / "golden_scores.json").write_text(json.dumps([RIGHT, wrong]))
    run = run_elsewhere(tmp_path)
    assert run.returncode == 1
    assert "1 failed, 4 passed" in run.stdout
    assert "these dice bring 20 in the fours" in run.stdout


@pytest.mark.rest
@pytest.mark.process
def test_a_directory_with_another_kind_only_runs_without_failure(tmp_path: Path) -> None:
    (tmp_path / "golden_chicago.json").write_text('{"format": {}, "cases": []}')
    run = run_elsewhere(tmp_path)
    assert run.returncode == 0
    assert "3 passed" in run.stdout
    assert "skipped" not in run.stdout


@pytest.mark.process
def test_a_run_on_an_empty_directory_fails(tmp_path: Path) -> None:
    run = run_elsewhere(tmp_path)
    assert run.returncode == 2
    assert "no golden files" in run.stdout
