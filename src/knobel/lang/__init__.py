"""Turn phrases into sentences, by the message catalogs."""

import gettext
import os
import re
import time
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from knobel.errors import KnobelError, UnknownError, UnknownLanguage
from knobel.phrase import BoxName, FormattedNumber, LanguageName, Phrase, Value, phrase
from knobel.rules import LANGUAGES, Edition
from knobel.rules.families import find_special_boxes
from knobel.rules.fields import abbreviate

FOLDER = Path(__file__).parent
SOURCE_LANGUAGE = "en"
DOMAINS = tuple(sorted(path.stem for path in (FOLDER / SOURCE_LANGUAGE / "LC_MESSAGES").glob("*.mo")))
"""One catalog for each area of messages."""
LISTED_VALUES = frozenset(("allowed", "known"))
"""Values that list what can be typed: joined by separators alone, so that they can be copied."""
COMPLETE: tuple[str, ...] = tuple(tomllib.loads((FOLDER / "languages.toml").read_text(encoding="utf-8"))["complete"])
"""The languages that are offered; the few messages one lacks are shown in English."""
GROUP_DIGITS_FROM = 1000
"""Numbers from here on get a thousands separator."""
CONTEXT_SEPARATOR = "\x04"
"""gettext puts this between a context, here the edition, and the key."""
LANGUAGE_ALIASES = {"nb": "no", "nn": "no"}
PRINTED_NAMES: Mapping[str, str] = {
    "bonus": "rules.term.bonus", "chance": "rules.name.chance", "five": "rules.name.yatzy",
}  # fmt: skip
"""Names that any sentence may ask for without being given them, because the edition prints its own."""
TRADE_NAMES = frozenset(("rules.name.yatzy",))
"""Names that an edition has in every language (ruling E-19): they stand in its English entries."""

INLINE_PLURAL = re.compile(r"\{\w+:")
"""A value with plural forms of its own: `{points:# point|# points}`."""
INTEGER, DECIMAL = re.compile(r"\D?(\d+)"), re.compile(r"\D?(\d+)[.,]\d+")


@dataclass(frozen=True)
class PluralRule:
    """Which form of a language's plurals a number takes."""

    integer_form: Callable[[int], int]
    categories: Mapping[str, int]
    decimal_forms: tuple[int, ...]

    def choose_form(self, text: str) -> int:
        """Choose the plural form for a formatted value; anything but a number takes the form `other`."""
        if found := INTEGER.fullmatch(text):
            return self.integer_form(int(found[1]))
        if found := DECIMAL.fullmatch(text):
            return self.decimal_forms[min(int(found[1]), 2)]
        return self.categories["other"]


class PluralText(str):
    """A value whose format lists plural forms; `#` stands for the value itself."""

    def __new__(cls, text: str, plural: PluralRule) -> "PluralText":
        counted = super().__new__(cls, text)
        counted.rule = plural
        return counted

    rule: PluralRule

    def __format__(self, forms: str) -> str:
        return forms.split("|")[self.rule.choose_form(self)].replace("#", self) if forms else str(self)


class SentenceValues(dict[str, str]):
    """The values of a sentence; a printed name that nobody gave is taken from the edition."""

    def __init__(self, given: Mapping[str, str], name_printed: Callable[[str], str]) -> None:
        super().__init__(given)
        self.name_printed = name_printed

    def __missing__(self, name: str) -> str:
        if name not in PRINTED_NAMES:
            raise KeyError(name)
        return self.name_printed(name)


class Translator:
    """One language's words for one edition."""

    def __init__(self, lang: str, edition: Edition | None = None) -> None:
        self.lang = lang
        self.edition = edition
        self.box_names: dict[str, str] = {}

    def __call__(self, key: str, /, **values: Value) -> str:
        return self.translate(phrase(key, **values))

    def translate(self, message: Phrase) -> str:
        values = dict(message.items)
        number = values.get("n")
        text, plural, names_printed = find_sentence(message.key, self.lang, number if isinstance(number, int) else None)
        format_value = self.format_value
        words = {name: value if type(value) is str else format_value(value) for name, value in message.items}
        if not LISTED_VALUES.isdisjoint(words):
            words |= {name: self.format_choices(values[name]) for name in LISTED_VALUES & words.keys()}
        if isinstance(number, int) and number >= GROUP_DIGITS_FROM:
            words["n"] = self.format_value(FormattedNumber(number))
        if plural is not None:
            words = {name: PluralText(word, plural) for name, word in words.items()}
        return text.format_map(SentenceValues(words, self.name_printed) if names_printed else words)

    def find_language(self, message: Phrase) -> str:
        """Tell in which language a phrase is said: this one, or English where it is not translated."""
        return self.lang if has_message(message.key, self.lang) else SOURCE_LANGUAGE

    def format_value(self, value: Value) -> str:
        if isinstance(value, (str, int)):
            return str(value)
        match value:
            case Phrase():
                return self.translate(value)
            case BoxName():
                return self.name_box(value.box)
            case LanguageName():
                return self(f"rules.language.{value.lang}")
            case FormattedNumber():
                return self.format_number(value)
            case _:
                return self.join_sentence(self.format_value(item) for item in value)

    def format_choices(self, value: Value) -> str:
        """Join choices by separators alone, without a word such as "and" before the last."""
        return self.join_list(map(self.format_value, value)) if isinstance(value, tuple) else self.format_value(value)

    def join_list(self, items: Iterable[str]) -> str:
        return self("interface.list.separator").join(items)

    def join_sentence(self, items: Iterable[str]) -> str:
        """Join a list within a sentence: one, two and three."""
        *some, last = [*items] or [""]
        return self("interface.list.last").join(filter(None, (self.join_list(some), last)))

    def format_number(self, figure: FormattedNumber) -> str:
        plain = f"{abs(figure.value) * (100 if figure.percent else 1):.{figure.digits}f}"
        whole, _, rest = plain.partition(".")
        if int(whole) >= GROUP_DIGITS_FROM:
            whole = f"{int(whole):,}".replace(",", self("interface.number.group"))
        text = whole + (self("interface.number.decimal") + rest if rest else "")
        if figure.value < 0 and plain.strip("0."):
            text = self("interface.number.minus") + text
        elif figure.signed and (plain.strip("0.") or not figure.digits):
            text = "+" + text
        text = self("interface.number.percent", number=text) if figure.percent else text
        return f"~{text}" if figure.about else text

    def format_date(self, when: float) -> str:
        now = time.localtime(when)
        padded = {"dd": f"{now.tm_mday:02}", "mm": f"{now.tm_mon:02}"}
        return self("interface.date.day", d=now.tm_mday, m=now.tm_mon, y=now.tm_year, **padded)

    def format_time(self, when: float) -> str:
        now = time.localtime(when)
        return self("interface.date.clock", h=now.tm_hour, hh=f"{now.tm_hour:02}", mm=f"{now.tm_min:02}")

    def name_box(self, box: str) -> str:
        """Name a box: by the house rules, else as printed in this edition, else in this language."""
        if (known := self.box_names.get(box)) is not None:
            return known
        own = self.edition.box_name(box, self.lang) if self.edition else None
        name = self.box_names[box] = own or self.find_term(f"rules.name.{box}") or name_box_by_pattern(self, box) or box
        return name

    def name_printed(self, name: str) -> str:
        """Name the bonus, the chance box or the box for all dice alike as the edition prints it."""
        key = PRINTED_NAMES[name]
        special = find_special_boxes(self.edition.rules()) if self.edition else {}
        return (self.name_box(special[name]) if name in special else self.find_term(key)) or key

    def find_term(self, key: str) -> str | None:
        """Look up a name: as printed in this edition, else in this language, else in English."""
        edition = (self.edition.base or self.edition.id) if self.edition else ""
        own, source = load_catalog("rules", self.lang), load_catalog("rules", SOURCE_LANGUAGE)
        printed, common = own.pgettext(edition, key), own.gettext(key)
        traded = source.pgettext(edition, key)
        order = (printed, traded, common) if key in TRADE_NAMES else (printed, common, traded)
        found = next((text for text in (*order, source.gettext(key)) if text != key), None)
        return found and found.format_map(SentenceValues({}, self.name_printed))

    def describe_error(self, error: KnobelError) -> str:
        """Describe an error in one line, with the nearest suggestion or the list of choices."""
        sentence = self.translate(error.phrase)
        if not isinstance(error, UnknownError):
            return sentence
        from difflib import get_close_matches

        name, known = str(error.values["name"]), error.values["known"]
        choices = [str(item) for item in known] if isinstance(known, tuple) else []
        nearest = get_close_matches(name, choices, n=1, cutoff=0.5) if error.suggest else []
        hints = [self("errors.nearest", nearest=nearest[0])] if nearest else []
        if not nearest or error.list_all:
            hints.append(self("errors.choose", known=self.join_list(choices)))
        return " ".join([sentence, *hints])


def name_box_by_pattern(words: Translator, box: str) -> str | None:
    """Name a box that has no name of its own by its pattern."""
    from knobel.rules.articles import name_by_pattern

    if words.edition is None:
        return None
    rules = words.edition.rules()
    place = rules.index.get(box)
    return None if place is None else words.translate(name_by_pattern(rules.boxes[place], rules))


def format_sentence(text: str) -> str:
    """Let a reason stand alone: with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"


def list_printed_names(words: Translator) -> dict[str, str]:
    """List the names an edition prints, for sentences that are made elsewhere."""
    return {name: words.name_printed(name) for name in PRINTED_NAMES}


def choose_language(requested: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """Choose the language: the requested one, else that of the environment, else English."""
    if requested is not None:
        lang = LANGUAGE_ALIASES.get(requested, requested)
        if lang not in LANGUAGES:
            raise UnknownLanguage(name=abbreviate(requested), known=sort_languages())
        return lang
    locale = next(filter(None, (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    for wish in (*environment.get("LANGUAGE", "").split(":"), locale):
        code = re.split(r"[_.@-]", wish)[0].lower()
        if (lang := LANGUAGE_ALIASES.get(code, code)) in LANGUAGES:
            return lang
    return SOURCE_LANGUAGE


def name_language(lang: str) -> str:
    """Give the name of a language in that language, with a capital letter wherever it is written alone."""
    name = Translator(lang).format_value(LanguageName(lang))
    return name[:1].upper() + name[1:]


@cache
def sort_languages() -> tuple[str, ...]:
    """List all languages by their own names, in one order for everybody; marks on letters do not count."""
    return tuple(sorted(LANGUAGES, key=lambda lang: strip_marks(name_language(lang)).casefold()))


def strip_marks(text: str) -> str:
    """Remove accents and other marks from letters."""
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))


@lru_cache(maxsize=4096)
def find_sentence(key: str, lang: str, number: int | None) -> tuple[str, PluralRule | None, bool]:
    """Find the sentence of a key in a language, else in English; the plural rule if its values need one.

    Last, whether it may ask for a printed name.
    """
    domain = key.partition(".")[0]
    for code in (lang, SOURCE_LANGUAGE):
        catalog = load_catalog(domain, code)
        sentence = key if number is None else catalog.ngettext(key, key, abs(number))
        if sentence == key:
            sentence = catalog.gettext(key)
        if sentence != key:
            plural = read_plural_rule(catalog) if INLINE_PLURAL.search(sentence) else None
            return sentence, plural, any(f"{{{name}" in sentence for name in PRINTED_NAMES)
    raise KeyError(key)


@lru_cache(maxsize=4096)
def has_message(key: str, lang: str) -> bool:
    catalog = load_catalog(key.partition(".")[0], lang)
    return {catalog.gettext(key), catalog.ngettext(key, key, 1)} != {key}


@cache
def load_catalog(domain: str, lang: str) -> gettext.NullTranslations:
    """Load a catalog; a language without one gets an empty one."""
    return gettext.translation(domain, FOLDER, [lang], fallback=lang != SOURCE_LANGUAGE)


@cache
def read_plural_rule(catalog: gettext.NullTranslations) -> PluralRule:
    """Read the plural rule from the header of a catalog; an empty catalog has that of English."""
    head = catalog.info()
    if "x-categories" not in head:
        return read_plural_rule(load_catalog("rules", SOURCE_LANGUAGE))
    named = (pair.split("=") for pair in head["x-categories"].split())
    rule: Callable[[int], int] = catalog.plural  # type: ignore[attr-defined]
    return PluralRule(rule, {name: int(form) for name, form in named}, tuple(map(int, head["x-decimals"].split())))


def list_catalog(domain: str, lang: str) -> dict[str, str | dict[str, str]]:
    """List a catalog: a text for each key, or a text for each plural category of the language."""
    catalog = load_catalog(domain, lang)
    names: dict[int, str] = {}
    for category, form in read_plural_rule(catalog).categories.items():
        names.setdefault(form, category)
    found: dict[str, str | dict[str, str]] = {}
    several: dict[str, dict[str, str]] = {}
    for key, text in getattr(catalog, "_catalog", {}).items():
        if isinstance(key, tuple):
            several.setdefault(key[0], {})[names[key[1]]] = text
        elif key and CONTEXT_SEPARATOR not in key:
            found[key] = text
    return found | several


__all__ = ["COMPLETE", "LANGUAGES", "Translator", "choose_language", "phrase"]
