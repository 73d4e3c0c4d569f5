"""`knobel daily`: the position of the day, or its game, the same for everybody everywhere."""

from knobel.cli.parser import DATABASE, JSON, LANG, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.cli.puzzle import ANSWER, PRACTISING
from knobel.extras import SOLVER


def run(given: Given) -> None:
    from knobel.cli.daily_session import run_daily  # numpy loads only where it is needed

    run_daily(given)


COMMAND = Command(
    "daily",
    (Argument("edition"),),
    (CommandOption("game", described_as="daily-game"), ANSWER, PRACTISING, DATABASE, LANG, TEXT, SET, JSON),
    run,
    SOLVER,
)
