"""`knobel` alone: ask for an edition and for who starts, and begin a game."""

from knobel.cli import play
from knobel.cli.parser import LANG, PLAIN, Command, Given
from knobel.cli.screen import say, say_columns, say_paragraph
from knobel.errors import UnknownEdition, UnknownStart
from knobel.lang import Translator, choose_language
from knobel.rules import edition_ids, load_edition
from knobel.rules.fields import abbreviate


def run(given: Given) -> None:
    """Ask for an edition and for who starts, and play against a bot."""
    words = Translator(choose_language(given.read_value("lang")))
    say_paragraph(words("interface.welcome.hello"))
    editions = [load_edition(name) for name in edition_ids()]
    say_columns(
        [f"  {number}", edition.id, f"{edition.title} ({edition.publisher})"]
        for number, edition in enumerate(editions, 1)
    )
    say(words("interface.welcome.choose", number=len(editions)))
    chosen = ask_edition([edition.id for edition in editions], words)
    if chosen is not None:
        say_paragraph(words("interface.welcome.start"))
        start = ask_start(words)
        say()
        options = {name: given.values_by_name[name] for name in ("lang", "plain") if given.has(name)}
        play.run(Given({"edition": [chosen], **({"start": [start]} if start else {}), **options}))


def ask_edition(ids: list[str], words: Translator) -> str | None:
    """Read a number or an id; an empty line means the last edition of the list, the end of the input none."""
    for line in play.read_lines():
        answer = line.strip()
        if answer.isdecimal() and 1 <= int(answer) <= len(ids):
            return ids[int(answer) - 1]
        if answer in ids:
            return answer
        if not answer:
            return ids[-1]
        say(words.describe_error(UnknownEdition(name=answer, known=tuple(ids))))
    return None


def ask_start(words: Translator) -> str | None:
    """Read who starts, by number or name; an empty line or the end of the input leaves it to the rules."""
    starts = tuple(play.STARTS)
    for line in play.read_lines():
        answer = line.strip()
        if not answer:
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(starts):
            return starts[int(answer) - 1]
        if answer in starts:
            return answer
        say(words.describe_error(UnknownStart(name=abbreviate(answer), known=starts)))
    return None


COMMAND = Command("welcome", (), (PLAIN, LANG), run)
