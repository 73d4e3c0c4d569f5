"""`knobel sheet`: the rules of a box on one page, with dice as examples."""

from knobel.cli.chosen import choose
from knobel.cli.line import LANG, SET, TEXT, Argument, Command, Given
from knobel.cli.printer import OUTPUT, SIZE, hand_over


def run(given: Given) -> None:
    """Print the rules."""
    from knobel.paper.leaf import leaf_of
    from knobel.paper.press import printed

    table = choose(given)
    leaf = leaf_of(table.edition, table.text, table.switches, table.words, given.word("size") or "a4")
    hand_over(printed("leaf", leaf), given, f"{table.edition.id}-rules.pdf", table.words)


COMMAND = Command("sheet", (Argument("edition"),), (LANG, TEXT, SET, SIZE, OUTPUT), run)
