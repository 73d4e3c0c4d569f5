"""Words as players type them: in their language or in English, with or without the quotes in which they were shown."""

from knobel.games.round_state import AIM_WORDS
from knobel.lang import SOURCE_LANGUAGE, Translator

QUOTES = str.maketrans("", "", '«»‹›„“”‚‘"')
"""Marks around a word that is shown; not ’, which is also an apostrophe."""


def strip_quotes(typed: str) -> str:
    """Remove quotes, the spaces inside them too."""
    return " ".join(typed.translate(QUOTES).split())


def list_aims(words: Translator) -> dict[str, str]:
    """List every word for over and under: as it is asked for, as the rules name it, and in English."""
    return {
        said.casefold(): aim
        for aim, asked in AIM_WORDS.items()
        for said in (
            words.translate(asked),
            words(f"rules.term.{aim}"),
            words.find_term(f"rules.term.{aim}") or aim,
            Translator(SOURCE_LANGUAGE).translate(asked),
            aim,
        )
    }


def read_aim(words: Translator, typed: str) -> str:
    """Read over or under; anything else stays as typed."""
    plain = strip_quotes(typed).casefold()
    return list_aims(words).get(plain, plain)


def split_aim(words: Translator, typed: str) -> tuple[str, str | None]:
    """Split what was typed into all before its last words and the aim these name, if they do."""
    plain = strip_quotes(typed).casefold()
    for said, aim in list_aims(words).items():
        if plain == said or plain.endswith(f" {said}"):
            return plain.removesuffix(said).strip(), aim
    return plain, None
