"""`knobel print`: the filled sheet of a played game."""

from pathlib import Path

from knobel.cli.parser import LANG, Argument, Command, Given
from knobel.cli.pdf_output import OUTPUT, write_output
from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator, choose_language
from knobel.record.chain import encode_header, hash_line, link_events
from knobel.record.events import Record
from knobel.record.file import load_record
from knobel.record.replay import replay_record
from knobel.rules.fields import clean_text


def run(given: Given) -> None:
    from knobel.paper.families import lay_out_game
    from knobel.paper.render import render_pdf

    path = Path(given.required("record"))
    record = load_record(path)
    words = Translator(choose_language(given.value("lang")), rebuild_edition(record.header))
    sheet = lay_out_game(replay_record(record, clean_text(path.name)), words, compute_head(record))
    write_output(render_pdf(sheet.template, sheet.page), given, f"{path.stem}.pdf", words)


def compute_head(record: Record) -> str:
    """Compute the head of the hash chain; records of format 1 have none."""
    if record.header.knobel == 1:
        return ""
    _, head = link_events(hash_line(encode_header(record.header)), record.events, record.header.knobel)
    return head


COMMAND = Command("print", (Argument("record"),), (LANG, OUTPUT), run)
