"""`knobel pad`: the score block, printed from the rules themselves."""

from knobel.cli.chosen import Chosen, choose
from knobel.cli.line import LANG, SET, TEXT, Argument, Command, Given, Option
from knobel.cli.printer import OUTPUT, SIZE, hand_over


def run(given: Given) -> None:
    """Print a block."""
    table = choose(given)
    hand_over(pad_of(table, given), given, f"{table.edition.id}-pad.pdf", table.words)


def pad_of(table: Chosen, given: Given) -> bytes:
    """Print the block of a box, as it was asked for."""
    from knobel.paper.chips import blank_table
    from knobel.paper.pad import Wish, blank_pad
    from knobel.paper.press import printed

    copies = given.number("copies", "--copies")
    wish = Wish(
        size=given.word("size") or "a4",
        large=given.flag("large-print"),
        columns=given.number("columns", "--columns"),
        players=given.number("players", "--players"),
        copies=1 if copies is None else copies,
    )
    edition, words = table.edition, table.words
    if edition.family == "sheet":
        return printed("pad", blank_pad(table.rules, words, edition.title, edition.publisher, wish))
    return printed("chips", blank_table(table.round_rules, words, edition.title, edition.publisher, wish))


COMMAND = Command(
    "pad",
    (Argument("edition"),),
    (
        *(LANG, TEXT, SET, Option("players", "N"), Option("columns", "N"), SIZE),
        *(Option("large-print"), Option("copies", "N"), OUTPUT),
    ),
    run,
)
