"""`knobel pad`: the score block, printed from the rules themselves."""

from knobel.cli.parser import LANG, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.cli.pdf_output import OUTPUT, SIZE, write_output
from knobel.cli.selection import Selection, read_selection


def run(given: Given) -> None:
    """Print a block."""
    table = read_selection(given)
    write_output(build_pad(table, given), given, f"{table.edition.id}-pad.pdf", table.words)


def build_pad(selection: Selection, given: Given) -> bytes:
    """Print the block of a box, as it was asked for."""
    from knobel.paper.chips import build_blank_table
    from knobel.paper.pad import PadOptions, build_blank_pad
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
    if edition.family == "sheet":
        return render_pdf("pad", build_blank_pad(selection.sheet_rules, words, edition.title, edition.publisher, wish))
    return render_pdf("chips", build_blank_table(selection.round_rules, words, edition.title, edition.publisher, wish))


COMMAND = Command(
    "pad",
    (Argument("edition"),),
    (
        *(LANG, TEXT, SET, CommandOption("players", "N"), CommandOption("columns", "N"), SIZE),
        *(CommandOption("large-print"), CommandOption("copies", "N"), OUTPUT),
    ),
    run,
)
