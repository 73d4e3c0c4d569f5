"""How a view turns phrases into sentences of one language."""

from collections.abc import Callable
from typing import TypeAlias

from knobel.phrase import Phrase

Translate: TypeAlias = Callable[[Phrase], str]
"""Views hold sentences, not phrases; whoever asks for a view says how a phrase is put into words."""


def translate_optional(what: Phrase | None, say: Translate) -> str | None:
    return None if what is None else say(what)
