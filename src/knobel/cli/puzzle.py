"""`knobel puzzle`: positions from good play, or your own mistakes, with answers graded by what they cost."""

from knobel.cli.parser import DATABASE, JSON, LANG, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.errors import OptionsClash
from knobel.extras import SOLVER

PRACTISING = CommandOption("player", "NAME", described_as="practising")
ANSWER = CommandOption("answer", "MOVE")


def run(given: Given) -> None:
    from knobel.cli.mistake_session import run_mistakes  # numpy loads only where it is needed
    from knobel.cli.puzzle_session import run_puzzles

    if given.has("mistakes"):
        refuse_clash(given, "mistakes", "theme", "number")
        run_mistakes(given)
    else:
        run_puzzles(given)


def refuse_clash(given: Given, name: str, *others: str) -> None:
    """Refuse options that an option leaves without a meaning."""
    for other in others:
        if given.has(other):
            raise OptionsClash(name=f"--{name}", other=f"--{other}")


COMMAND = Command(
    "puzzle",
    (Argument("edition"),),
    (
        CommandOption("theme", "THEME"),
        CommandOption("number", "N", described_as="puzzle-number"),
        CommandOption("mistakes"),
        ANSWER,
        PRACTISING,
        DATABASE,
        LANG,
        TEXT,
        SET,
        JSON,
    ),
    run,
    SOLVER,
)
