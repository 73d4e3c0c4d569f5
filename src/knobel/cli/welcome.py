"""`knobel` alone: ask for an edition, and begin a game."""

from knobel.cli import play
from knobel.cli.parser import Command, Given
from knobel.cli.screen import say, say_columns, say_paragraph
from knobel.errors import UnknownEdition
from knobel.lang import Translator, choose_language
from knobel.rules import edition_ids, load_edition


def run(_: Given) -> None:
    """Ask for an edition, and play it against a bot."""
    words = Translator(choose_language(None))
    say_paragraph(words("interface.welcome.hello"))
    editions = [load_edition(name) for name in edition_ids()]
    say_columns(
        [f"  {number}", edition.id, f"{edition.title} ({edition.publisher})"]
        for number, edition in enumerate(editions, 1)
    )
    say(words("interface.welcome.choose", number=len(editions)))
    chosen = ask_edition([edition.id for edition in editions], words)
    say()
    play.run(Given({"edition": [chosen]}))


def ask_edition(ids: list[str], words: Translator) -> str:
    """Read a number or an id; an empty line means the last edition of the list."""
    for line in play.read_lines():
        answer = line.strip()
        if answer.isdecimal() and 1 <= int(answer) <= len(ids):
            return ids[int(answer) - 1]
        if answer in ids:
            return answer
        if not answer:
            break
        say(words.describe_error(UnknownEdition(name=answer, known=tuple(ids))))
    return ids[-1]


COMMAND = Command("welcome", (), (), run)
