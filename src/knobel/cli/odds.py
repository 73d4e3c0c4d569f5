"""`knobel odds`: the exact distribution of the final total under perfect play."""

from knobel.cli.parser import JSON, LANG, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.extras import SOLVER


def run(given: Given) -> None:
    from knobel.cli.odds_report import report_odds  # numpy loads only where it is needed

    report_odds(given)


COMMAND = Command(
    "odds",
    (Argument("edition"),),
    (
        CommandOption("aim", described_as="odds-aim"),
        CommandOption("at-least", "N"),
        CommandOption("svg", "FILE"),
        LANG,
        TEXT,
        SET,
        JSON,
    ),
    run,
    SOLVER,
)
