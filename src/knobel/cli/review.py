"""`knobel review`: what the decisions of a game cost, what was luck, and why."""

from knobel.cli.parser import DATABASE, JSON, LANG, Argument, Command, CommandOption, Given
from knobel.extras import SOLVER

RECORD_ARGUMENT = "file|game"


def run(given: Given) -> None:
    from knobel.cli.review_report import report_review  # numpy loads only where it is needed

    report_review(given, RECORD_ARGUMENT)


COMMAND = Command(
    "review",
    (Argument(RECORD_ARGUMENT),),
    (
        CommandOption("player", "N", described_as="whose"),
        CommandOption("html", "FILE"),
        CommandOption("retry"),
        DATABASE,
        LANG,
        JSON,
    ),
    run,
    SOLVER,
)
