"""Errors in words, for callers who read English or another of the languages."""

from knobel.errors import KnobelError
from knobel.lang import SOURCE_LANGUAGE, Translator


def explain(error: KnobelError, lang: str = SOURCE_LANGUAGE) -> str:
    """Put an error into words, in any of the languages."""
    return Translator(lang).describe_error(error)
