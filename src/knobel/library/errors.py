"""Errors in words, for callers who read English or another of the languages."""

from knobel.errors import KnobelError, UnknownLanguage
from knobel.lang import SOURCE_LANGUAGE, Translator
from knobel.rules.fields import abbreviate, check_type
from knobel.rules.languages import LANGUAGES


def explain(error: KnobelError, lang: str = SOURCE_LANGUAGE) -> str:
    """Put an error into words, in any of the languages."""
    check_type("error", error, KnobelError)
    if lang not in LANGUAGES:
        raise UnknownLanguage(name=abbreviate(lang), known=LANGUAGES)
    return Translator(lang).describe_error(error)
