"""Turns a key and its values into a sentence of a language; every sentence anybody sees goes through here."""

import gettext
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path

from knobel.errors import KnobelError, UnknownError, UnknownLanguage
from knobel.phrase import BoxName, LanguageName, Phrase, Value, phrase
from knobel.rules import LANGUAGES, Edition
from knobel.rules.fields import shown

FOLDER = Path(__file__).parent
SOURCE = "en"
NORWEGIAN = {"nb": "no", "nn": "no"}


class Words:
    """One language's words for one edition."""

    def __init__(self, lang: str, edition: Edition | None = None) -> None:
        self.lang = lang
        self.edition = edition
        self.boxes: dict[str, str] = {}

    def __call__(self, key: str, /, **values: Value) -> str:
        """Say the sentence of a key."""
        return self.say(phrase(key, **values))

    def say(self, said: Phrase) -> str:
        """Say a phrase."""
        values = said.values
        number = values.get("n")
        sentence = sentence_of(said.key, self.lang, number if isinstance(number, int) else None)
        return sentence.format_map({name: self.word(value) for name, value in values.items()})

    def word(self, value: Value) -> str:
        """Say one value of a phrase."""
        if isinstance(value, (str, int)):
            return str(value)
        match value:
            case Phrase():
                return self.say(value)
            case BoxName():
                return self.box(value.box)
            case LanguageName():
                return self(f"rules.language.{value.lang}")
            case _:
                return self.list(self.word(item) for item in value)

    def list(self, items: Iterable[str]) -> str:
        """Say a list."""
        return self("interface.list.separator").join(items)

    def box(self, box: str) -> str:
        """Name a box: as the house rule does, else as printed in this edition, else as this language does."""
        if (known := self.boxes.get(box)) is not None:
            return known
        own = self.edition.box_name(box, self.lang) if self.edition else None
        name = self.boxes[box] = own or self.term(f"rules.name.{box}") or self.from_pattern(box) or box
        return name

    def term(self, key: str) -> str | None:
        """Look up a name: printed in this edition, or in this language, or in English."""
        edition = (self.edition.base or self.edition.id) if self.edition else ""
        for lang in (self.lang, SOURCE):
            catalog = catalog_of("rules", lang)
            if (printed := catalog.pgettext(edition, key)) != key:
                return printed
            if (common := catalog.gettext(key)) != key:
                return common
        return None

    def from_pattern(self, box: str) -> str | None:
        """Name a box that has no name of its own by what it wants."""
        from knobel.rules.articles import short_name

        if self.edition is None:
            return None
        rules = self.edition.rules()
        place = rules.index.get(box)
        if place is None:
            return None
        return self.say(short_name(rules.boxes[place], rules))

    def error(self, error: KnobelError) -> str:
        """Say in one line what went wrong, and what would be right."""
        sentence = self.say(error.phrase)
        if not isinstance(error, UnknownError):
            return sentence
        from difflib import get_close_matches

        name, known = str(error.values["name"]), error.values["known"]
        choices = [str(item) for item in known] if isinstance(known, tuple) else []
        nearest = get_close_matches(name, choices, n=1, cutoff=0.5) if error.suggest else []
        hints = [self("errors.nearest", nearest=nearest[0])] if nearest else []
        if not nearest or error.list_all:
            hints.append(self("errors.choose", known=self.list(choices)))
        return " ".join([sentence, *hints])


def language(asked: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """Choose the language of the words: the one asked for, else the machine's, else English."""
    if asked is not None:
        lang = NORWEGIAN.get(asked, asked)
        if lang not in LANGUAGES:
            raise UnknownLanguage(name=shown(asked), known=LANGUAGES)
        return lang
    locale = next(filter(None, (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    for wish in (*environment.get("LANGUAGE", "").split(":"), locale):
        code = re.split(r"[_.@-]", wish)[0].lower()
        if (lang := NORWEGIAN.get(code, code)) in LANGUAGES:
            return lang
    return SOURCE


@lru_cache(maxsize=4096)
def sentence_of(key: str, lang: str, number: int | None) -> str:
    """Find the sentence of a key, in the language or else in English, in the right plural."""
    domain = key.partition(".")[0]
    for code in (lang, SOURCE):
        catalog = catalog_of(domain, code)
        if number is not None and (sentence := catalog.ngettext(key, key, number)) != key:
            return sentence
        if (sentence := catalog.gettext(key)) != key:
            return sentence
    raise KeyError(key)


@cache
def catalog_of(domain: str, lang: str) -> gettext.NullTranslations:
    """Open a catalog; a language without one says nothing."""
    return gettext.translation(domain, FOLDER, [lang], fallback=lang != SOURCE)


def spoken(domain: str, lang: str) -> bool:
    """Tell whether a language has words of its own in an area."""
    return hasattr(catalog_of(domain, lang), "_catalog")


def entries_of(domain: str, lang: str) -> dict[str, str | list[str]]:
    """List a whole catalog over the English one: a text for each key, or its plural forms."""
    found: dict[str, str | list[str]] = {}
    for code in dict.fromkeys((SOURCE, lang)):
        forms: dict[str, dict[int, str]] = {}
        for key, text in getattr(catalog_of(domain, code), "_catalog", {}).items():
            if isinstance(key, tuple):
                forms.setdefault(key[0], {})[key[1]] = text
            elif key:
                found[key] = text
        found.update({key: [text for _, text in sorted(several.items())] for key, several in forms.items()})
    return found


def plurals_of(domain: str, lang: str, most: int) -> list[int]:
    """Say for each number below a limit which plural form it takes."""
    catalog = catalog_of(domain, lang)
    rule = getattr(catalog, "plural", None) or catalog_of(domain, SOURCE).plural  # type: ignore[attr-defined]
    return [int(rule(number)) for number in range(most)]


__all__ = ["LANGUAGES", "Words", "language", "phrase"]
