"""Runs the golden cases of the directory named by KNOBEL_GOLDEN; a new kind is one more function under `@each_case`."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from knobel.dice import alike, hand
from knobel.rules import load
from knobel.rules.column import Column, filled, is_joker, options, possible_points
from knobel.rules.ruleset import SheetRules

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


def each_case(file: str, name: Callable[[Case], str]) -> Callable[[CaseTest], CaseTest | None]:
    """Make a function a test of each case of a file; a kind without cases has no test, so that none is skipped."""
    cases = [pytest.param(case, id=name(case)) for case in read_cases(GOLDEN, file)]
    return lambda test: pytest.mark.parametrize("case", cases)(test) if cases else None


def score_name(case: Case) -> str:
    state = " ".join(f"{key}={value}" for key, value in case.get("context", {}).items())
    dice = "-".join(map(str, case["dice"]))
    return f"{case['edition']} {case['lang']} {dice} {case['category']} {case['points']} {state}".strip()


@each_case("golden_scores.json", score_name)
def test_a_box_is_worth_what_the_rulebook_says(case: Case) -> None:
    rules = load(case["edition"]).rules(text=case["lang"])
    rolled = hand(case["dice"])
    context = case.get("context", {})
    for column in columns(rules, case["dice"][0], context):
        assert options(rules, column, rolled)[case["category"]].points == case["points"], case.get("note")
        if "joker" in context:
            held = rules.yatzy is not None and alike(rolled) and is_joker(rules, rules.yatzy, column, rolled)
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
        match = rules.boxes[rules.matching[face]].id
        write(entries, match, 3 * face if is_filled(context.get("matching_upper_box"), wanted) else None)
    if rules.yatzy is None or is_filled(context.get("yatzy_box"), wanted) is None:
        yield filled(rules, entries, yatzys=context.get("previous_yatzi_results", 0))
        return
    for points in yatzy_points(rules, rules.yatzy.box, context):
        write(entries, rules.yatzy.box, points)
        yield filled(rules, entries, yatzys=context.get("previous_yatzi_results", int(bool(points))))


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
    rules = load("mb-yahtzee").rules()
    context = {"yatzy_box": "filled (50 or 0)", "matching_upper_box": "filled", "joker": True}
    yatzy, fours = rules.index["yatzy"], rules.index["fours"]
    assert [column.entries[yatzy] for column in columns(rules, 4, context)] == [50, 0]
    assert [column.entries[fours] for column in columns(rules, 4, context)] == [12, 12]
    assert list(columns(rules, 4, {"joker": True})) == list(columns(rules, 4, context))


def test_a_filled_yatzy_box_holds_zero_if_five_alike_never_came_and_else_its_points() -> None:
    rules = load("philos-yatzi").rules()
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
    rules = load("mb-yahtzee").rules()
    context = {"lower_section": "full", "yatzy_box": "filled (50 or 0)", "matching_upper_box": "filled"}
    for column in columns(rules, 4, context):
        assert [rules.boxes[place].id for place in column.open] == ["ones", "twos", "threes", "fives", "sixes"]


def test_an_open_box_of_a_full_lower_section_stays_open() -> None:
    rules = load("philos-yatzi").rules()
    (column,) = columns(rules, 4, {"lower_section": "full", "chance_open": True, "yatzy_box": "open"})
    assert [rules.boxes[place].id for place in column.open][6:] == ["yatzy", "chance"]


def test_an_unknown_context_key_is_not_overlooked() -> None:
    with pytest.raises(AssertionError, match="weather"):
        list(columns(load("philos-yatzi").rules(), 4, {"weather": "fine"}))


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
    line = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", "rulebook or loader", str(HERE)]
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


def test_files_of_the_same_format_elsewhere_run_unchanged(tmp_path: Path) -> None:
    wrong = {**RIGHT, "category": "fours", "points": 0, "note": "these dice bring 20 in the fours", "context": {}}
    (tmp_path / "golden_scores.json").write_text(json.dumps([RIGHT, wrong]))
    run = run_elsewhere(tmp_path)
    assert run.returncode == 1
    assert "1 failed, 4 passed" in run.stdout
    assert "these dice bring 20 in the fours" in run.stdout


def test_a_directory_with_another_kind_only_runs_without_failure(tmp_path: Path) -> None:
    (tmp_path / "golden_chicago.json").write_text('{"format": {}, "cases": []}')
    run = run_elsewhere(tmp_path)
    assert run.returncode == 0
    assert "3 passed" in run.stdout
    assert "skipped" not in run.stdout


def test_a_run_on_an_empty_directory_fails(tmp_path: Path) -> None:
    run = run_elsewhere(tmp_path)
    assert run.returncode == 2
    assert "no golden files" in run.stdout
