"""Themes follow from the position and two moves, whatever the edition is called."""

from dataclasses import replace

import pytest

from knobel.game import Announce, Move, Roll, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.learning.families import list_themes
from knobel.learning.themes import find_sheet_theme
from knobel.rules import load_edition
from knobel.rules.column import build_column
from knobel.rules.sheet_rules import Bonus
from tests.support.house_rules import EXAMPLES
from tests.support.rulesets import list_rulesets

GAME = SheetGame(load_edition("mb-yahtzee").rules(), practice=True)
FULL = {"yahtzee": 50, "fives": 15}


def lay(dice: tuple[int, ...], rolls_used: int, entries: dict[str, int]) -> SheetState:
    """Lay dice beside a sheet with some entries."""
    named = {("yatzy" if name == "yahtzee" else name): points for name, points in entries.items()}
    column = build_column(GAME.rules, named, yatzys=int("yatzy" in named))
    return SheetState((column,), 0, 0, dice, rolls_used, turns=(0,), first=0)


@pytest.mark.parametrize(
    ("theme", "state", "best", "other"),
    [
        ("announce", lay((), 0, {}), Announce("ones"), Announce("twos")),
        ("joker", lay((5, 5, 5, 5, 5), 3, FULL), Score("full_house"), Score("chance")),
        ("cross_out", lay((1, 1, 2, 3, 6), 3, {"ones": 2}), Score("yatzy"), Score("chance")),
        ("bonus", lay((1, 1, 2, 3, 6), 3, {}), Score("ones"), Score("chance")),
        ("straight", lay((2, 3, 4, 4, 6), 1, {}), Roll((0, 1, 2)), Roll((2, 3))),
        ("all_alike", lay((4, 4, 4, 1, 1), 1, {}), Roll((0, 1, 2)), Score("full_house")),
        ("keep", lay((4, 4, 4, 1, 1), 1, FULL), Roll((0, 1, 2)), Roll((0, 1))),
        ("box", lay((4, 4, 4, 1, 1), 3, {}), Score("full_house"), Score("chance")),
        ("stop", lay((4, 4, 4, 1, 1), 1, FULL), Score("full_house"), Roll((0, 1, 2))),
    ],
)
def test_a_choice_has_a_theme(theme: str, state: SheetState, best: Move, other: Move) -> None:
    assert find_sheet_theme(GAME, state, best, other) == theme


EVERYWHERE = ("cross_out", "straight", "all_alike", "stop", "keep")


@pytest.mark.parametrize(
    ("name", "themes"),
    [
        ("mb-yahtzee fr", {*EVERYWHERE, "bonus", "joker", "box"}),
        ("philos-yatzi de", {*EVERYWHERE, "bonus", "joker", "box"}),
        ("carlit-yatzy de", {*EVERYWHERE, "bonus", "box"}),
        ("noris-yatzy de", {*EVERYWHERE, "bonus", "box"}),
        ("tactic-xl-yatzy da", {*EVERYWHERE, "announce"}),
    ],
)
def test_only_themes_that_come_up_by_the_rules_are_offered(name: str, themes: set[str]) -> None:
    assert set(list_themes(SheetGame(list_rulesets()[name], practice=True))) == themes


def test_small_sheets_have_few_themes() -> None:
    two_dice = load_edition(str(EXAMPLES / "two-dice.toml")).rules()
    assert list_themes(SheetGame(two_dice, practice=True)) == ["stop", "keep"]
    top_down = load_edition("mb-yahtzee").rules(order="top_down")
    assert set(list_themes(SheetGame(top_down, practice=True))) == {"straight", "all_alike", "stop", "keep"}
    without_bonus = replace(GAME.rules, bonus=Bonus(63, 0, strict=False))
    assert "bonus" not in list_themes(SheetGame(without_bonus, practice=True))
