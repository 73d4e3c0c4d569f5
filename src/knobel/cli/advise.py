"""`knobel advise`: every move here with its value and what it costs, best first."""

from knobel.cli.families import FAMILIES
from knobel.cli.parser import JSON, LANG, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.cli.selection import read_selection
from knobel.extras import SOLVER


def run(given: Given) -> None:
    chosen = read_selection(given)
    FAMILIES[chosen.edition.family].advise(chosen, given)


COMMAND = Command(
    "advise",
    (Argument("edition"),),
    (
        CommandOption("dice", "D", variadic=True),
        CommandOption("rolls-left", "N"),
        CommandOption("sheet", "box=points,…"),
        CommandOption("announced", "BOX"),
        CommandOption("locked", "D", variadic=True),
        CommandOption("yatzys", "N"),
        CommandOption("players", "N"),
        CommandOption("aim", "{over}|{under}|N"),
        CommandOption("against", "box=points,…", repeatable=True),
        CommandOption("target", "N"),
        CommandOption("made", "N", variadic=True),
        CommandOption("opener-rolls", "N"),
        LANG,
        TEXT,
        SET,
        JSON,
    ),
    run,
    SOLVER,
)
