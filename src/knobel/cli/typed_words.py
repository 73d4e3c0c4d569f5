"""Words as players type them: in their language or in English, with or without the quotes in which they were shown."""

from functools import lru_cache

from knobel.games.round_state import AIM_WORDS
from knobel.lang import SOURCE_LANGUAGE, Translator, strip_marks

QUOTES = str.maketrans("", "", '«»‹›„“”‚‘"')
"""Marks around a word that is shown; not ’, which is also an apostrophe."""
JOINED = str.maketrans({"-": " ", "_": " ", "'": "’"})
"""Keyboards have the straight apostrophe; ids have underscores."""
WORD_SEPARATOR = ","


def strip_quotes(typed: str) -> str:
    """Remove quotes, the spaces inside them too."""
    return " ".join(typed.translate(QUOTES).split())


def fold(typed: str) -> str:
    """Make words comparable however they are typed: small letters without marks, parted by single spaces."""
    return " ".join(strip_marks(strip_quotes(typed).casefold().translate(JOINED)).split())


@lru_cache(maxsize=256)
def list_language_words(lang: str, key: str) -> tuple[str, ...]:
    """List the words of a language for a command, as they are compared."""
    return tuple(filter(None, map(fold, Translator(lang)(f"interface.typed.{key}").split(WORD_SEPARATOR))))


def list_words(words: Translator, key: str) -> tuple[str, ...]:
    """List the words for a command in the player's language and in English."""
    found = (word for lang in (words.lang, SOURCE_LANGUAGE) for word in list_language_words(lang, key))
    return tuple(dict.fromkeys(found))


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
    """Read over or under, or how one of them alone begins; anything else stays as typed."""
    plain = strip_quotes(typed).casefold()
    if plain in (aims := list_aims(words)):
        return aims[plain]
    begun = {aim for said, aim in aims.items() if plain and fold(said).startswith(fold(plain))}
    return begun.pop() if len(begun) == 1 else plain


def split_aim(words: Translator, typed: str) -> tuple[str, str | None]:
    """Split what was typed into all before its last words and the aim these name, if they do."""
    plain = strip_quotes(typed).casefold()
    for said, aim in list_aims(words).items():
        if plain == said or plain.endswith(f" {said}"):
            return plain.removesuffix(said).strip(), aim
    return plain, None
