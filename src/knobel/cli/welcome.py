"""`knobel` alone: asks which box is on the table, and begins the game."""

from knobel.cli import play
from knobel.cli.line import Command, Given
from knobel.cli.screen import columns, paragraph, say
from knobel.errors import UnknownEdition
from knobel.lang import Words, language
from knobel.rules import editions, load


def run(_: Given) -> None:
    """Ask for the box, and play it against a bot."""
    words = Words(language(None))
    paragraph(words("interface.welcome.hello"))
    boxes = [load(name) for name in editions()]
    columns([f"  {number}", box.id, f"{box.title} ({box.publisher})"] for number, box in enumerate(boxes, 1))
    say(words("interface.welcome.choose", number=len(boxes)))
    chosen = ask([box.id for box in boxes], words)
    say()
    play.run(Given({"edition": [chosen]}))


def ask(ids: list[str], words: Words) -> str:
    """Take a number or an id; nothing typed means the last box of the list."""
    for line in play.typed():
        answer = line.strip()
        if answer.isdecimal() and 1 <= int(answer) <= len(ids):
            return ids[int(answer) - 1]
        if answer in ids:
            return answer
        if not answer:
            break
        say(words.error(UnknownEdition(name=answer, known=tuple(ids))))
    return ids[-1]


COMMAND = Command("welcome", (), (), run)
