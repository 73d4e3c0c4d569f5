"""`knobel leaflet`: the rules of an edition on one page, with dice as examples."""

from knobel.cli.parser import LANG, SET, TEXT, Argument, Command, Given
from knobel.cli.pdf_output import OUTPUT, SIZE, write_output
from knobel.cli.selection import read_selection
from knobel.extras import PAPER


def run(given: Given) -> None:
    from knobel.paper.render import render_pdf
    from knobel.paper.rules_page import build_rules_page

    table = read_selection(given)
    leaf = build_rules_page(table.edition, table.text, table.switches, table.words, given.read_value("size") or "a4")
    write_output(render_pdf("leaf", leaf), given, f"{table.edition.id}-rules.pdf", table.words)


COMMAND = Command("leaflet", (Argument("edition"),), (LANG, TEXT, SET, SIZE, OUTPUT), run, PAPER)
