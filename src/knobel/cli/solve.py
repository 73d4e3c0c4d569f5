"""`knobel solve`: the exact value of perfect play."""

from knobel.cli.families import FAMILIES
from knobel.cli.parser import JSON, LANG, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.cli.selection import read_selection
from knobel.extras import SOLVER


def run(given: Given) -> None:
    chosen = read_selection(given)
    FAMILIES[chosen.edition.family].solve(chosen, given)


COMMAND = Command(
    "solve",
    (Argument("edition"),),
    (CommandOption("players", "N"), CommandOption("no-cache"), CommandOption("dask", "ADDRESS"), LANG, TEXT, SET, JSON),
    run,
    SOLVER,
)
