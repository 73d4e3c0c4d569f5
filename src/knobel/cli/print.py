"""`knobel print`: the filled sheet of a played game, or of several."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from knobel.cli.parser import LANG, Argument, Command, CommandOption, Given
from knobel.cli.pdf_output import OUTPUT, write_output
from knobel.extras import PAPER
from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator, choose_language
from knobel.record.chain import encode_header, hash_line, link_events
from knobel.record.events import Record
from knobel.record.file import load_record
from knobel.record.replay import replay_record
from knobel.rules.fields import clean_text

if TYPE_CHECKING:
    from knobel.paper.families import PrintJob


def run(given: Given) -> None:
    from knobel.paper.render import render_pdf

    paths = [Path(name) for name in given.read_values("record")]
    records = [load_record(path) for path in paths]
    words = Translator(choose_language(given.read_value("lang")), rebuild_edition(records[0].header))
    sheet = lay_out_records(paths, records, words, given.read_value("name"))
    write_output(render_pdf(sheet.template, sheet.page), given, f"{paths[0].stem}.pdf", words)


def lay_out_records(
    paths: Sequence[Path], records: Sequence[Record], words: Translator, player: str | None
) -> "PrintJob":
    """Lay out one game as it was, or several games or one player's columns on one sheet."""
    from knobel.paper.families import lay_out_game, lay_out_games
    from knobel.paper.several_games import PlayedGame

    names = [clean_text(path.name) for path in paths]
    games = [
        PlayedGame(name, replay_record(record, name), compute_head(record))
        for name, record in zip(names, records, strict=True)
    ]
    if len(games) == 1 and player is None:
        return lay_out_game(games[0].replay, words, games[0].chain_head)
    return lay_out_games(games, words, player)


def compute_head(record: Record) -> str:
    """Compute the head of the hash chain; records of format 1 have none."""
    if record.header.knobel == 1:
        return ""
    _, head = link_events(hash_line(encode_header(record.header)), record.events, record.header.knobel)
    return head


COMMAND = Command(
    "print",
    (Argument("record", variadic=True),),
    (LANG, CommandOption("name", "NAME", described_as="only"), OUTPUT),
    run,
    PAPER,
)
