"""Errors, and what results say by a phrase, in words: for callers who read English or another of the languages."""

from knobel.errors import KnobelError, UnknownLanguage
from knobel.lang import SOURCE_LANGUAGE, Translator
from knobel.phrase import Phrase
from knobel.rules.fields import abbreviate, check_type
from knobel.rules.languages import LANGUAGES


def explain(error: KnobelError | Phrase, lang: str = SOURCE_LANGUAGE) -> str:
    """Put an error into words, in any of the languages; also a phrase, such as why a verdict is what it is."""
    check_type("error", error, KnobelError, Phrase)
    if lang not in LANGUAGES:
        raise UnknownLanguage(name=abbreviate(lang), known=LANGUAGES)
    words = Translator(lang)
    return words.translate(error) if isinstance(error, Phrase) else words.describe_error(error)
