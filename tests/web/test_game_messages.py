"""What the browser is told about a game."""

from dataclasses import replace

import pytest

from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator
from knobel.record.events import Seat
from knobel.rules.families import expect_sheet_rules
from knobel.web.game_messages import build_sheet_message
from tests.support.played_tables import open_table


def test_the_browser_names_the_lower_total_only_where_the_publisher_prints_one() -> None:
    found = {}
    for name in ("mb-yahtzee", "noris-yatzy"):
        table = open_table(name, (Seat("Anna"),), typed="lower")
        words = Translator("fr", rebuild_edition(table.header))
        rules = expect_sheet_rules(table.replay.game.rules, name)
        found[name] = build_sheet_message(table.header, rules, words).lower_total
    assert found == {"mb-yahtzee": "Total de la Section Inférieure", "noris-yatzy": None}


@pytest.mark.parametrize(
    ("faces", "goal"), [((1, 2, 3, 4, 5, 6), 63), ((4, 5, 6), 63), ((1, 2, 3), None), ((6,), None), ((), None)]
)
def test_a_bonus_that_can_never_be_earned_is_not_on_the_sheet(faces: tuple[int, ...], goal: int | None) -> None:
    table = open_table("mb-yahtzee", (Seat("Anna"),), typed="bonus")
    words = Translator("en", rebuild_edition(table.header))
    printed = expect_sheet_rules(table.replay.game.rules, "mb-yahtzee")
    rules = replace(printed, boxes=tuple(box for box in printed.boxes if not box.upper or box.face in faces))
    message = build_sheet_message(table.header, rules, words)
    assert (message.bonus.goal if message.bonus else None) == goal
    assert bool(message.upper_total) == (goal is not None)
