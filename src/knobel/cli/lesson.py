"""`knobel lesson`: short lessons whose numbers are computed from the edition at hand."""

from knobel.cli.parser import DATABASE, JSON, LANG, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.cli.puzzle import PRACTISING
from knobel.extras import SOLVER


def run(given: Given) -> None:
    from knobel.cli.lesson_session import run_lesson  # numpy loads only where it is needed

    run_lesson(given)


COMMAND = Command(
    "lesson",
    (Argument("edition"), Argument("lesson", optional=True)),
    (CommandOption("simple"), PRACTISING, DATABASE, LANG, TEXT, SET, JSON),
    run,
    SOLVER,
)
