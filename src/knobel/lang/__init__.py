"""Turns a key and its values into a sentence of a language; every sentence anybody sees goes through here."""

import gettext
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from knobel.errors import KnobelError, UnknownError, UnknownLanguage
from knobel.phrase import BoxName, Figure, LanguageName, Phrase, Value, phrase
from knobel.rules import LANGUAGES, Edition
from knobel.rules.fields import shown

FOLDER = Path(__file__).parent
SOURCE = "en"
DOMAINS = tuple(sorted(path.stem for path in (FOLDER / SOURCE / "LC_MESSAGES").glob("*.mo")))
"""The areas that have a catalog each."""
TYPED = frozenset(("allowed", "known"))
"""Values that list what can be typed."""
NEARLY = 0.95
"""So much of an area a language must have words for before it is offered."""
GROUPED = 1000
"""From here on the thousands of a number are set apart, where it counts something."""
CONTEXT = "\x04"
"""Stands in a compiled catalog between an edition and the key of what it prints differently."""
NORWEGIAN = {"nb": "no", "nn": "no"}


INLINE = re.compile(r"\{\w+:")
"""Where a number inside a sentence brings its plural forms: `{points:# point|# points}`."""
WHOLE, DECIMAL = re.compile(r"\D?(\d+)"), re.compile(r"\D?(\d+)[.,]\d+")


@dataclass(frozen=True)
class Plural:
    """Which form of a language's plurals a number takes."""

    whole: Callable[[int], int]
    categories: Mapping[str, int]
    decimals: tuple[int, ...]

    def form(self, text: str) -> int:
        """Choose a form for what stands in a sentence: whole numbers, decimals, and words as other things are."""
        if found := WHOLE.fullmatch(text):
            return self.whole(int(found[1]))
        if found := DECIMAL.fullmatch(text):
            return self.decimals[min(int(found[1]), 2)]
        return self.categories["other"]


class Counted(str):
    """A value in a sentence that asks for plural forms: `#` in the form of its number stands for it."""

    def __new__(cls, text: str, plural: Plural) -> "Counted":
        counted = super().__new__(cls, text)
        counted.plural = plural
        return counted

    plural: Plural

    def __format__(self, forms: str) -> str:
        """Write the value, in the plural it takes if there are forms."""
        return forms.split("|")[self.plural.form(self)].replace("#", self) if forms else str(self)


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
        text, plural = sentence_of(said.key, self.lang, number if isinstance(number, int) else None)
        words = {name: self.word(value) for name, value in values.items()}
        if not TYPED.isdisjoint(words):
            words |= {name: self.typed(values[name]) for name in TYPED & words.keys()}
        if isinstance(number, int) and number >= GROUPED:
            words["n"] = self.word(Figure(number))
        if plural is None:
            return text.format_map(words)
        return text.format_map({name: Counted(word, plural) for name, word in words.items()})

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
            case Figure():
                return self.figure(value)
            case _:
                return self.joined(self.word(item) for item in value)

    def typed(self, value: Value) -> str:
        """Say what can be typed somewhere, with nothing between that would have to be left out."""
        return self.list(map(self.word, value)) if isinstance(value, tuple) else self.word(value)

    def list(self, items: Iterable[str]) -> str:
        """Say a list, as after a colon."""
        return self("interface.list.separator").join(items)

    def joined(self, items: Iterable[str]) -> str:
        """Say a list as a part of a sentence: one, two and three."""
        *some, last = [*items] or [""]
        return self("interface.list.last").join(filter(None, (self.list(some), last)))

    def figure(self, figure: Figure) -> str:
        """Write a number as the language does."""
        plain = f"{abs(figure.value) * (100 if figure.percent else 1):.{figure.digits}f}"
        whole, _, rest = plain.partition(".")
        if int(whole) >= GROUPED:
            whole = f"{int(whole):,}".replace(",", self("interface.number.group"))
        text = whole + (self("interface.number.decimal") + rest if rest else "")
        if figure.value < 0 and plain.strip("0."):
            text = self("interface.number.minus") + text
        elif figure.signed and (plain.strip("0.") or not figure.digits):
            text = "+" + text
        return self("interface.number.percent", number=text) if figure.percent else text

    def date(self, when: float) -> str:
        """Write the day of a moment as the language does."""
        now = time.localtime(when)
        padded = {"dd": f"{now.tm_mday:02}", "mm": f"{now.tm_mon:02}"}
        return self("interface.date.day", d=now.tm_mday, m=now.tm_mon, y=now.tm_year, **padded)

    def clock(self, when: float) -> str:
        """Write the time of day of a moment as the language does."""
        now = time.localtime(when)
        return self("interface.date.clock", h=now.tm_hour, hh=f"{now.tm_hour:02}", mm=f"{now.tm_min:02}")

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
def sentence_of(key: str, lang: str, number: int | None) -> tuple[str, Plural | None]:
    """Find the sentence of a key, in the language or else in English, in the right plural; with the rule for others."""
    domain = key.partition(".")[0]
    for code in (lang, SOURCE):
        catalog = catalog_of(domain, code)
        sentence = key if number is None else catalog.ngettext(key, key, abs(number))
        if sentence == key:
            sentence = catalog.gettext(key)
        if sentence != key:
            return sentence, plural_of(catalog) if INLINE.search(sentence) else None
    raise KeyError(key)


@cache
def catalog_of(domain: str, lang: str) -> gettext.NullTranslations:
    """Open a catalog; a language without one says nothing."""
    return gettext.translation(domain, FOLDER, [lang], fallback=lang != SOURCE)


@cache
def plural_of(catalog: gettext.NullTranslations) -> Plural:
    """Read the plurals of a catalog from its head; those of no catalog are English."""
    head = catalog.info()
    if "x-categories" not in head:
        return plural_of(catalog_of("rules", SOURCE))
    named = (pair.split("=") for pair in head["x-categories"].split())
    rule: Callable[[int], int] = catalog.plural  # type: ignore[attr-defined]
    return Plural(rule, {name: int(form) for name, form in named}, tuple(map(int, head["x-decimals"].split())))


def entries_of(domain: str, lang: str) -> dict[str, str | dict[str, str]]:
    """List a whole catalog: a text for each key, or one for each category of plurals the language has."""
    catalog = catalog_of(domain, lang)
    names: dict[int, str] = {}
    for category, form in plural_of(catalog).categories.items():
        names.setdefault(form, category)
    found: dict[str, str | dict[str, str]] = {}
    several: dict[str, dict[str, str]] = {}
    for key, text in getattr(catalog, "_catalog", {}).items():
        if isinstance(key, tuple):
            several.setdefault(key[0], {})[names[key[1]]] = text
        elif key and CONTEXT not in key:
            found[key] = text
    return found | several


@cache
def complete(lang: str) -> bool:
    """Tell whether a language can be offered; what was added yesterday is said in English until it is there."""
    wanted = [(entries_of(domain, SOURCE).keys(), entries_of(domain, lang).keys()) for domain in DOMAINS]
    return all(len(english & own) >= NEARLY * len(english) for english, own in wanted)


__all__ = ["LANGUAGES", "Words", "language", "phrase"]
