"""`knobel daily`: the position of the day, or its game, the same for everybody everywhere."""

from knobel.cli.parser import DATABASE, JSON, LANG, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.cli.puzzle import ANSWER, PRACTISING, refuse_clash
from knobel.extras import SOLVER


def run(given: Given) -> None:
    from knobel.cli.daily_session import run_daily  # numpy loads only where it is needed

    if given.has("game"):
        refuse_clash(given, "game", "answer")
    run_daily(given)


COMMAND = Command(
    "daily",
    (Argument("edition"),),
    (CommandOption("game", described_as="daily-game"), ANSWER, PRACTISING, DATABASE, LANG, TEXT, SET, JSON),
    run,
    SOLVER,
)
