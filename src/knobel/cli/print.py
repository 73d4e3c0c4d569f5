"""`knobel print`: the filled sheet of a played game."""

from pathlib import Path

from knobel.cli.line import LANG, Argument, Command, Given
from knobel.cli.printer import OUTPUT, hand_over
from knobel.host.speaking import edition_of
from knobel.lang import Words, language
from knobel.record.chain import chained, first_line, hashed
from knobel.record.events import Record
from knobel.record.file import load
from knobel.record.replay import replayed
from knobel.rules.fields import clean


def run(given: Given) -> None:
    """Print a record."""
    from knobel.paper.played import played
    from knobel.paper.press import printed

    path = Path(given.the("record"))
    record = load(path)
    words = Words(language(given.word("lang")), edition_of(record.header))
    sheet = played(replayed(record, clean(path.name)), words, head_of(record))
    hand_over(printed(sheet.form, sheet.page), given, f"{path.stem}.pdf", words)


def head_of(record: Record) -> str:
    """Give the hash that stands for the whole game; records of format 1 have none."""
    if record.header.knobel == 1:
        return ""
    _, head = chained(hashed(first_line(record.header)), record.events)
    return head


COMMAND = Command("print", (Argument("record"),), (LANG, OUTPUT), run)
