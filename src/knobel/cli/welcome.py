"""`knobel` alone: the full-screen game, or a conversation that asks for an edition and for who starts."""

from knobel.cli import full_screen
from knobel.cli.parser import DATABASE, LANG, PLAIN, Command, Given
from knobel.cli.screen import say, say_columns, say_paragraph
from knobel.cli.typed_lines import STARTS, read_lines
from knobel.errors import UnknownEdition, UnknownStart
from knobel.lang import Translator, choose_language
from knobel.rules import edition_ids, load_edition
from knobel.rules.fields import abbreviate


def run(given: Given) -> None:
    """Play on the full screen where there is one, else in a conversation."""
    words = Translator(choose_language(given.read_value("lang")))
    if not given.has("plain") and full_screen.can_show() and full_screen.is_installed(words):
        full_screen.show(given.read_value("database"), given.read_value("lang"))
    else:
        converse(given, words)


def converse(given: Given, words: Translator) -> None:
    """Ask for an edition and for who starts, and play against a bot."""
    from knobel.cli import play  # the full screen starts sooner without it

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
        agreed = {"edition": [chosen], **({"start": [start]} if start else {})}
        play.run(Given({**given.values_by_name, **agreed}))


def ask_edition(ids: list[str], words: Translator) -> str | None:
    """Read a number or an id; an empty line means the last edition of the list, the end of the input none."""
    for line in read_lines():
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
    starts = tuple(STARTS)
    for line in read_lines():
        answer = line.strip()
        if not answer:
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(starts):
            return starts[int(answer) - 1]
        if answer in starts:
            return answer
        say(words.describe_error(UnknownStart(name=abbreviate(answer), known=starts)))
    return None


COMMAND = Command("welcome", (), (PLAIN, DATABASE, LANG), run)
