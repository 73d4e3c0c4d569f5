"""House rules from a form: the file it writes, what is refused, and the form in a real browser."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from knobel.errors import KnobelError
from knobel.rules import edition_ids, load_edition, read_house_rules
from knobel.web.house_rule_form import BonusRequest, DraftRequest, describe_draft, describe_form, list_mistakes
from tests.support.browser import Server, launch_browser, open_screen

SHEETS = [name for name in edition_ids() if load_edition(name).family == "sheet"]


def fill_in(base: str, **changes: Any) -> dict[str, Any]:
    """Fill in the form of an edition with some changes."""
    form: dict[str, Any] = describe_form(base, "en")
    bonus = BonusRequest(**form["bonus"])
    whole = {"title": "Ours", "base": base, "rolls": form["rolls"], "bonus": bonus, "chance": form["chance"]}
    return describe_draft(DraftRequest(**{**whole, "text": form["text"], **changes}), "en")[0]


@pytest.mark.parametrize("base", SHEETS)
def test_a_form_that_changes_nothing_plays_as_the_edition_does(base: str) -> None:
    answer = fill_in(base)
    assert answer["differences"] == []
    rules = read_house_rules(answer["toml"].encode(), "house-rules.toml").rules()
    assert rules.fingerprint == load_edition(base).rules(str(describe_form(base, "en")["text"])).fingerprint


def test_what_people_change_is_in_the_file_and_nothing_else() -> None:
    answer = fill_in(
        "noris-yatzy",
        rolls=4,
        bonus=BonusRequest(60, 50),
        chance="free",
        points={"small_straight": 20},
        dropped=("yatzy",),
    )
    assert answer["toml"].splitlines() == [
        'title = "Ours"',
        'extends = "noris-yatzy"',
        'text = "de"',
        "",
        "rolls = 4",
        "bonus = { threshold = 60, points = 50, strict = false }",
        'chance = { rule = "free" }',
        "yatzy = false",
        "",
        "[boxes]",
        "small_straight = { points = 20 }",
        "yatzy = false",
    ]
    rules = read_house_rules(answer["toml"].encode(), "house-rules.toml").rules()
    assert (rules.rolls, rules.bonus.goal, rules.bonus.points, rules.chance.rule, rules.yatzy) == (
        4,
        60,
        50,
        "free",
        None,
    )
    assert "yatzy" not in rules.index
    assert {row["topic"] for row in answer["differences"]} >= {"Small Straight"}
    assert answer["chapters"]


@pytest.mark.parametrize("base", SHEETS)
def test_any_box_can_be_left_out(base: str) -> None:
    form: dict[str, Any] = describe_form(base, "en")
    for box in form["boxes"]:
        answer = fill_in(base, dropped=(box["box"],))
        rules = read_house_rules(answer["toml"].encode(), "house-rules.toml").rules()
        assert box["box"] not in rules.index


def test_what_is_scored_in_chance_alone_goes_with_it_and_that_is_said() -> None:
    answer = fill_in("philos-yatzi", dropped=("chance",))
    assert "yatzy = { second = 0 }" in answer["toml"].splitlines()
    assert any("100" in str(row) for row in answer["differences"])


@pytest.mark.parametrize("changes", [{"rolls": 9}, {"title": ""}, {"bonus": BonusRequest(0, 1)}, {"chance": "never"}])
def test_what_cannot_be_played_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(KnobelError):
        fill_in("mb-yahtzee", **changes)


def test_everything_that_is_wrong_is_said_at_once() -> None:
    form: dict[str, Any] = describe_form("mb-yahtzee", "en")
    wrong = DraftRequest("", "mb-yahtzee", 9, bonus=BonusRequest(0, 9999), points={form["boxes"][8]["box"]: -1})
    keys = [mistake["key"] for mistake in list_mistakes(wrong, "en")]
    assert keys == ["title", "rolls", "bonus.threshold", "bonus.points", f"boxes.{form['boxes'][8]['box']}.points"]


@pytest.mark.browser
def test_rules_are_made_by_a_form_and_played(tmp_path: Path) -> None:
    with Server(tmp_path) as server, launch_browser() as browser:
        one = open_screen(browser, "phone")
        one.expected_problems = ("status of 400",)
        one.open_home(server.url).press("[data-act=make]")
        one.wait_for(".make-result [data-act=use]")
        one.find("[data-field=rolls]").select_option("4")
        expect(one.find("[data-differs]")).to_contain_text("4")
        expect(one.find(".make-par")).to_contain_text("Perfect play scores")
        expect(one.find(".make-result .solving")).to_be_hidden()
        before = {name: one.find(f"[data-field={name}]").input_value() for name in ("bonus", "points-full_house")}
        for name in ("title", *before):
            one.find(f"[data-field={name}]").fill("" if name == "title" else "99999")
        expect(one.find("[data-wrong=title]")).to_have_text("Give your rules a name.")
        expect(one.find("[data-wrong=bonus]")).to_contain_text("from 0 to 1000, not 99999")
        expect(one.find("[data-wrong=points-full_house]")).to_contain_text("from 0 to 1000, not 99999")
        expect(one.find("[data-differs]")).to_contain_text("4")
        one.press("[data-act=use]")
        expect(one.find("[data-field=title]")).to_be_focused()
        for name, value in before.items():
            one.find(f"[data-field={name}]").fill(value)
        one.find("[data-field=title]").fill("Four rolls")
        expect(one.find("[aria-invalid=true]")).to_have_count(0)
        with one.page.expect_download() as download:
            one.press("[data-act=download]")
        assert 'title = "Four rolls"' in Path(download.value.path()).read_text(encoding="utf-8")
        one.press("[data-act=use]")
        one.wait_for("knobel-table .tray")
        expect(one.find(".bar h1")).to_have_text("Four rolls")
        one.check_problems()
