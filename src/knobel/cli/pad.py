"""`knobel pad`: the score pad, printed from the rules themselves."""

from knobel.cli.parser import LANG, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.cli.pdf_output import OUTPUT, write_output
from knobel.cli.selection import Selection, read_selection
from knobel.extras import PAPER


def run(given: Given) -> None:
    table = read_selection(given)
    write_output(build_pad(table, given), given, f"{table.edition.id}-pad.pdf", table.words)


def build_pad(selection: Selection, given: Given) -> bytes:
    from knobel.paper.families import lay_out_pad
    from knobel.paper.pad import PadOptions
    from knobel.paper.page import MAX_COLUMNS, MAX_COPIES
    from knobel.paper.render import render_pdf

    copies = given.read_number("copies", 1, MAX_COPIES)
    wish = PadOptions(
        size=given.read_value("size") or "a4",
        large=given.has("large-print"),
        columns=given.read_number("columns", 1, MAX_COLUMNS),
        players=given.read_number("players", 1, MAX_COLUMNS),
        copies=1 if copies is None else copies,
        landscape=given.has("landscape"),
        per_page=given.read_number("per-page", 1) or 1,
        names=given.read_values("name"),
    )
    edition, words = selection.edition, selection.words
    pad = lay_out_pad(selection.rules, words, edition.title, edition.printed_by, wish)
    return render_pdf(pad.template, pad.page)


COMMAND = Command(
    "pad",
    (Argument("edition"),),
    (
        *(LANG, TEXT, SET, CommandOption("players", "N"), CommandOption("columns", "N")),
        CommandOption("name", "NAME", repeatable=True),
        *(CommandOption("size", "a4|a5|a6|letter"), CommandOption("landscape"), CommandOption("large-print")),
        *(CommandOption("per-page", "2|4"), CommandOption("copies", "N"), OUTPUT),
    ),
    run,
    PAPER,
)
