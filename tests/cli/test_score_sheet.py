"""The score sheet as text has the lines that the edition prints."""

import pytest

from knobel.cli.score_sheet import build_sheet_lines
from knobel.games.sheet import SheetGame
from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator
from knobel.record.events import Seat
from tests.support.played_tables import open_table


@pytest.mark.parametrize(
    ("name", "lang", "line"),
    [
        ("mb-yahtzee", "fr", "Total de la Section Inférieure"),
        ("hasbro-yahtzee", "en", "Lower total"),
        ("noris-yatzy", "en", None),
    ],
)
def test_a_lower_total_is_shown_where_the_publisher_prints_one(name: str, lang: str, line: str | None) -> None:
    table = open_table(name, (Seat("Anna"), Seat("Zoë")), typed="lower")
    game, words = table.replay.game, Translator(lang, rebuild_edition(table.header))
    assert isinstance(game, SheetGame)
    titles = [row[0] for row in build_sheet_lines(words, game, table.replay.state)]
    assert (line in titles) if line else "Lower total" not in titles
