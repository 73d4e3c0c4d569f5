"""What the browser is told about a game."""

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
