"""`knobel print`: the filled sheet of a played game, or of several."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from knobel.cli.parser import DATABASE, LANG, Argument, Command, CommandOption, Given
from knobel.cli.pdf_output import OUTPUT, write_output
from knobel.cli.records import read_record
from knobel.extras import PAPER
from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator, choose_language
from knobel.record.chain import compute_head
from knobel.record.events import Record
from knobel.record.replay import replay_record

if TYPE_CHECKING:
    from knobel.paper.families import PrintJob

ARGUMENT = "file|game"


def run(given: Given) -> None:
    from knobel.paper.render import render_pdf

    found = [read_record(name, given.read_value("database")) for name in given.read_values(ARGUMENT)]
    words = Translator(choose_language(given.read_value("lang")), rebuild_edition(found[0][0].header))
    sheet = lay_out_records(found, words, given.read_value("name"))
    default_name = f"{Path(found[0][1]).stem}.pdf"
    write_output(render_pdf(sheet.template, sheet.page), given, default_name, words)


def lay_out_records(found: Sequence[tuple[Record, str]], words: Translator, player: str | None) -> "PrintJob":
    """Lay out one game as it was, or several games or one player's columns on one sheet."""
    from knobel.paper.families import lay_out_game, lay_out_games
    from knobel.paper.several_games import PlayedGame

    games = [PlayedGame(name, replay_record(record, name), compute_head(record)) for record, name in found]
    if len(games) == 1 and player is None:
        return lay_out_game(games[0].replay, words, games[0].chain_head)
    return lay_out_games(games, words, player)


COMMAND = Command(
    "print",
    (Argument(ARGUMENT, variadic=True),),
    (LANG, CommandOption("name", "NAME", described_as="only"), DATABASE, OUTPUT),
    run,
    PAPER,
)
