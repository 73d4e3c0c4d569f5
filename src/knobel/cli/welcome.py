"""`knobel` alone: what is here, shown on one hand of dice."""

from knobel.cli import editions, score
from knobel.cli.line import Command, Given
from knobel.cli.screen import paragraph, say
from knobel.lang import Words, language

EDITION = "edition"


def run(_: Given) -> None:
    """Show the boxes, and one hand scored in the first of them."""
    from knobel.rules import editions as boxes

    words = Words(language(None))
    paragraph(words("interface.welcome.hello"))
    say()
    editions.run(Given())
    score.run(Given({"edition": [boxes()[-1]], "dice": ["3", "3", "5", "5", "5"]}))
    say()
    paragraph(words("interface.welcome.next"))


COMMAND = Command("welcome", (), (), run)
