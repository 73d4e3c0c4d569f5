"""The browser's modules keep the rules of docs/architecture.md, and its figures are those of the source."""

import re

import pytest

from tests.structure import (
    SCRIPT_FAMILY_CHECK,
    SCRIPT_METHOD,
    count_script_methods,
    list_ignored_types,
    list_large_classes,
    list_script_family_checks,
    measure,
)
from tests.test_architecture import ARCHITECTURE


def test_only_one_module_of_the_browser_asks_which_family_a_game_is_of() -> None:
    assert list_script_family_checks() == []


@pytest.mark.parametrize("line", ['if (room.family === "rounds")', 'family !== "sheet"', 'kind == "rounds"'])
def test_a_question_of_families_is_found_in_the_browser(line: str) -> None:
    assert SCRIPT_FAMILY_CHECK.search(line)


def test_no_class_is_large() -> None:
    assert list_large_classes() == {}
    assert max(count_script_methods().values()) > 5, "no methods were found: the pattern no longer fits the code"
    assert SCRIPT_METHOD.findall("  draw(view) {\n  async send(text) {\n  get name() {\n") == ["draw", "send", "name"]


def test_the_type_checker_is_hardly_ever_silenced() -> None:
    assert len(list_ignored_types()) < 8


def test_the_figures_in_the_guide_are_those_of_the_source() -> None:
    guide = ARCHITECTURE.read_text(encoding="utf-8")
    spread = measure()["lines of a function: median / 95 % / longest"][0]
    rows = [row.split("|") for row in re.findall(r"^\|.*\|$", guide, re.MULTILINE)]
    figures = {row[1].strip(): row[3].strip() for row in rows if len(row) == 5}
    assert figures["lines of a function: median / 95 % / longest"] == spread
    assert figures["`type: ignore` in the source"].startswith(str(len(list_ignored_types())))
    assert figures["family checks outside the tables"] == "0"
