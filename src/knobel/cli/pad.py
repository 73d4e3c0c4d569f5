"""`knobel pad`: the score pad, printed from the rules themselves."""

from knobel.cli.parser import LANG, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.cli.pdf_output import OUTPUT, SIZE, write_output
from knobel.cli.selection import Selection, read_selection


def run(given: Given) -> None:
    table = read_selection(given)
    write_output(build_pad(table, given), given, f"{table.edition.id}-pad.pdf", table.words)


def build_pad(selection: Selection, given: Given) -> bytes:
    from knobel.paper.families import lay_out_pad
    from knobel.paper.pad import PadOptions
    from knobel.paper.render import render_pdf

    copies = given.number("copies", "--copies")
    wish = PadOptions(
        size=given.value("size") or "a4",
        large=given.has("large-print"),
        columns=given.number("columns", "--columns"),
        players=given.number("players", "--players"),
        copies=1 if copies is None else copies,
    )
    edition, words = selection.edition, selection.words
    pad = lay_out_pad(selection.rules, words, edition.title, edition.publisher, wish)
    return render_pdf(pad.template, pad.page)


COMMAND = Command(
    "pad",
    (Argument("edition"),),
    (
        *(LANG, TEXT, SET, CommandOption("players", "N"), CommandOption("columns", "N"), SIZE),
        *(CommandOption("large-print"), CommandOption("copies", "N"), OUTPUT),
    ),
    run,
)
