"""The page of rulings: what it says that Knobel does is done, its tables are true, and rules cite its ids."""

import re
from contextlib import suppress

import pytest

from knobel.lang import Translator
from knobel.phrase import LanguageName
from knobel.rules import LANGUAGES, edition_ids, load_edition
from knobel.rules.leaflet import list_switches
from tests.support.rulings import CHECKS, Check, chicago, page, play, scoring, texts
from tests.support.rulings.changes import CHANGES, forget_rules

MODULES = (scoring, play, texts, chicago)
"""Where the checks are."""
ALL_CHECKS = tuple(dict.fromkeys(check for found in CHECKS.values() for check in found))
NAMES = {Translator("en").format_value(LanguageName(lang)): lang for lang in LANGUAGES}
"""The languages by their English names."""


def name_check(check: Check) -> str:
    return check.__name__


def test_every_id_of_the_page_has_checks_and_no_other_id_has() -> None:
    assert sorted(CHECKS) == sorted(page.list_ids())
    assert {check.__module__ for check in ALL_CHECKS} == {module.__name__ for module in MODULES}


MISPRINTS = {"PH": 14, "MB": 4, "NO": 3, "TA": 43, "CA": 7, "CH": 11}
"""How many misprints, gaps and contradictions are known of each booklet; none may leave the page."""


def test_no_known_misprint_is_missing_from_the_page() -> None:
    known = {f"{booklet}-D{number + 1}" for booklet, count in MISPRINTS.items() for number in range(count)}
    assert known - set(page.list_ids()) == set()


@pytest.mark.parametrize("check", ALL_CHECKS, ids=name_check)
def test_what_the_page_says_is_done(check: Check) -> None:
    check()


# Citations.

NO_RULE = {
    "E-19": "what a box is called",
    "E-20": "the page itself",
    "E-23": "printed sheets",
    "TA-D31": "who keeps the score",
}
"""Rulings that no sentence of the rules depends on."""
BOOKLETS = {
    "PH": "philos-yatzi",
    "MB": "mb-yahtzee",
    "NO": "noris-yatzy",
    "TA": "tactic-xl-yatzy",
    "CA": "carlit-yatzy",
    "CH": "carlit-chicago",
}
"""The edition whose misprints have ids that begin so."""
LEFT_OUT = {("CH-D1", "fr"): "a rule that this text does not have is not shown with it"}


def cited_in(name: str, text: str) -> set[str]:
    """List the rulings cited by some rule of a text."""
    sources = load_edition(name).sources.values()
    return {one for source in sources for one in f"{source.ruling} {source.rulings.get(text, '')}".split()}


def test_every_ruling_is_cited_by_a_rule() -> None:
    cited = {one for name in edition_ids() for text in load_edition(name).printed for one in cited_in(name, text)}
    assert set(page.list_ids()) - cited == set(NO_RULE)


def find_texts(printed: str, known: tuple[str, ...]) -> list[str]:
    """Find the texts that a line of the page is about: those it names, or all."""
    found = [lang for name, lang in NAMES.items() if re.search(rf"\b{name}\b", printed)]
    return found or list(known)


@pytest.mark.parametrize(("one", "cells"), page.list_rows(), ids=[one for one, _ in page.list_rows()])
def test_a_text_with_a_misprint_cites_its_line(one: str, cells: list[str]) -> None:
    name = BOOKLETS[one.partition("-")[0]]
    blamed = find_texts(cells[0], load_edition(name).printed) if one not in NO_RULE else []
    missing = [text for text in blamed if one not in cited_in(name, text) and (one, text) not in LEFT_OUT]
    assert missing == []


# The two tables at the head of the page.


def test_the_table_of_editions_names_every_heading() -> None:
    rulings = {name: page.expand_ids(cells[0]) for name, cells in page.read_table("edition").items()}
    assert set(rulings) <= set(edition_ids())
    assert {one for found in rulings.values() for one in found} == set(page.HEADING.findall(page.read_page()))


def find_settings(where: str) -> set[tuple[str, str]]:
    """Find the texts of editions that words such as `in noris-yatzy and in philos-yatzi in German` are about."""
    found: set[tuple[str, str]] = set()
    for part in re.split(r" and in (?=[a-z])", where):
        ids = [name for name in edition_ids() if name in part]
        languages = [lang for name, lang in NAMES.items() if name in part]
        pairs = ((name, text) for name in ids or edition_ids() for text in load_edition(name).printed)
        found |= {(name, text) for name, text in pairs if not languages or text in languages}
    return found


@pytest.mark.parametrize("switch", [name.strip("`") for name in page.read_table("switch")])
def test_the_table_of_switches_is_true(switch: str) -> None:
    told = re.findall(r"`(\w+)`(?: \(usual(?: in)?([^)]*)\))?", page.read_table("switch")[f"`{switch}`"][0])
    usual = {value: find_settings(where) for value, where in told if where.strip() not in ("", "elsewhere")}
    named = {pair: value for value, pairs in usual.items() for pair in pairs}
    marked = re.findall(r"`(\w+)` \(usual(?: elsewhere)?\)", page.read_table("switch")[f"`{switch}`"][0])
    for name in edition_ids():
        for text in load_edition(name).printed:
            for state in list_switches(load_edition(name), text, {}):
                if state.name == switch:
                    assert set(state.allowed) == {value for value, _ in told}
                    assert not state.matters or state.default == named.get((name, text), *marked), (name, text)


def test_every_switch_is_in_the_table() -> None:
    known = {switch for name in edition_ids() for switch in load_edition(name).switch_values}
    assert {name.strip("`") for name in page.read_table("switch")} == known


# A check that cannot fail would check nothing.


@pytest.mark.rest
def test_every_check_fails_under_some_change() -> None:
    unmoved = dict.fromkeys(ALL_CHECKS)
    for change in CHANGES:
        with pytest.MonkeyPatch.context() as monkeypatch:
            change(monkeypatch)
            forget_rules()
            for check in [check for check in unmoved if fails(check)]:
                del unmoved[check]
        forget_rules()
    assert [check.__name__ for check in unmoved] == []


def fails(check: Check) -> bool:
    with suppress(Exception):
        check()
        return False
    return True
