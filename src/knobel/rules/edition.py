"""A printed box, or a house-rule file, and the rules it gives for a chosen text and switches."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from knobel.errors import KeyClash, KeyMissing, NotSheet, UnknownText
from knobel.rules.fields import Choice, Name, Place, Table, clean, shown
from knobel.rules.limits import file_name, read_file
from knobel.rules.rounds import ROUND_KEYS, RoundRules, read_round_rules
from knobel.rules.ruleset import SheetRules
from knobel.rules.schema import BOX_NAME, RULE_KEYS, TITLE, closed, optional, read_rules, required
from knobel.rules.switches import SWITCHES, Patch, Printed

LANGUAGES = ("de", "en", "fr", "es", "fi", "sv", "no", "da", "nl", "ru", "lt", "lv", "et", "is", "pl", "it", "uk")
HOUSE_KEYS = ("title", "extends", "text")
PRINTED_KEYS = (
    "title",
    "publisher",
    "printed",
    "default_text",
    "game",
    "texts",
    "literal_bonus",
    "literal_chance",
    "sources",
)
FAMILIES = ("sheet", "rounds")

T = TypeVar("T")
Agreed: TypeAlias = tuple[str, frozenset[tuple[str, str]]]
"""A text and the switches somebody turned."""
MOST_RESOLVED = 256


@dataclass(frozen=True, slots=True)
class Source:
    """Where a reader of the box finds a rule, text by text, and the rulings that settle what is left open."""

    passages: Mapping[str, str]
    ruling: str
    rulings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Edition:
    """One box on the kitchen table: its printed texts, its rules as a plain table, its sources."""

    id: str
    title: str
    publisher: str
    printed: tuple[str, ...]
    default_text: str
    table: Patch
    texts: Mapping[str, Patch] = field(default_factory=dict)
    literal: Mapping[str, Mapping[str, Patch]] = field(default_factory=dict)
    sources: Mapping[str, Source] = field(default_factory=dict)
    house: Patch = field(default_factory=dict)
    base: str | None = None
    resolved: dict[Agreed, SheetRules] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What was resolved before: reading rules takes milliseconds, and they never change."""

    def text_for(self, text: str | None, lang: str | None) -> str:
        """Choose the printed text whose rules are played: the one asked for, the reader's own, or the default."""
        if text is not None:
            if text not in self.printed:
                raise UnknownText(name=shown(text), known=self.printed)
            return text
        return lang if lang in self.printed else self.default_text

    def rules(self, text: str | None = None, switches: Mapping[str, str] | None = None) -> SheetRules:
        """Resolve the rules: the box, the text over it, the house rules over that, the switches over all."""
        if self.family != FAMILIES[0]:
            raise NotSheet(title=self.title)
        chosen = self.text_for(text, None)
        agreed = (chosen, frozenset((switches or {}).items()))
        if agreed not in self.resolved:
            if len(self.resolved) >= MOST_RESOLVED:
                self.resolved.clear()
            self.resolved[agreed] = self.resolve(chosen, switches or {})
        return self.resolved[agreed]

    def resolve(self, chosen: str, switches: Mapping[str, str]) -> SheetRules:
        """Lay the text over the box, the house rules over that, the switches over all, and read it."""
        table = lay(lay(self.table, self.texts.get(chosen, {})), self.house)
        place = Place(self.id)
        rules = read_rules(table, place)
        literal = {name: texts.get(chosen, {}) for name, texts in self.literal.items()}
        for name, value in sorted(switches.items(), key=lambda item: list(SWITCHES).index(item[0])):
            table = lay(table, SWITCHES[name].patch(Printed(rules, literal), value))
        return read_rules(table, place)

    @property
    def family(self) -> str:
        """Which family of games it belongs to."""
        return str(self.table.get("game", FAMILIES[0]))

    def round_rules(self, text: str | None = None, switches: Mapping[str, str] | None = None) -> RoundRules:
        """Resolve the rules of a game of rounds: the box, the text over it, the switches over all."""
        table = lay(self.table, self.texts.get(self.text_for(text, None), {}))
        turned = {name: value == "true" for name, value in (switches or {}).items()}
        return read_round_rules(lay(table, turned), Place(self.id))

    def as_printed(self) -> "Edition":
        """Give the box itself, without the house rules laid over it."""
        return replace(self, house={})

    def box_name(self, box: str, lang: str) -> str | None:
        """Give the name a house rule gives its box, in this language or else in the first one it names."""
        names = self.names(box)
        return (names.get(lang) or next(iter(names.values()))) if names else None

    def names(self, box: str) -> dict[str, str]:
        """Give the names a house rule gives its box, by language."""
        names = named(self.house, box) or named(self.table, box)
        return {lang: clean(str(name)) for lang, name in names.items()}


def read_edition(path: Path, bases: Mapping[str, Edition]) -> Edition:
    """Read a box or a house-rule file."""
    table = read_file(path)
    if "publisher" not in table:
        return read_table(table, path.name, bases)
    place = Place(file_name(path))
    if table.get("game") == FAMILIES[1]:
        return read_rounds(path.stem, table, place)
    rules = {key: value for key, value in table.items() if key in RULE_KEYS}
    return checked(read_printed(path.stem, table, rules, place), place)


def read_table(table: Patch, name: str, bases: Mapping[str, Edition]) -> Edition:
    """Read house rules from a table, named as their file is."""
    rules = {key: value for key, value in table.items() if key in RULE_KEYS}
    place = Place(shown(name))
    return checked(read_house(clean(name.removesuffix(".toml")), table, rules, bases, place), place)


def checked(edition: Edition, place: Place) -> Edition:
    """Check that every text of an edition gives sound rules."""
    for text in edition.printed if edition.texts else (edition.default_text,):
        read_rules(lay(lay(edition.table, edition.texts.get(text, {})), edition.house), place)
    return edition


def read_rounds(name: str, table: Patch, place: Place) -> Edition:
    """Read a printed box of the other family: rounds and chips."""
    rules = {key: value for key, value in table.items() if key in (*ROUND_KEYS, "game")}
    edition = read_printed(name, table, rules, place, ROUND_KEYS)
    for text in edition.printed:
        edition.round_rules(text)
    return edition


def read_printed(name: str, table: Patch, rules: Patch, place: Place, keys: tuple[str, ...] = RULE_KEYS) -> Edition:
    """Read a printed box."""
    closed(table, (*PRINTED_KEYS, *keys), place)
    optional(table, "game", Choice(FAMILIES), FAMILIES[0], place)
    printed = read_list(table, "printed", place)
    return Edition(
        id=name,
        title=required(table, "title", TITLE, place),
        publisher=required(table, "publisher", Name(40), place),
        printed=printed,
        default_text=required(table, "default_text", Choice(printed), place),
        table=rules,
        texts=read_tables(table, "texts", printed, place),
        literal={name: read_tables(table, name, printed, place) for name in ("literal_bonus", "literal_chance")},
        sources=read_sources(table, printed, place),
    )


def read_house(name: str, table: Patch, rules: Patch, bases: Mapping[str, Edition], place: Place) -> Edition:
    """Read a house-rule file: laid over the edition it extends, or standing alone."""
    closed(table, (*HOUSE_KEYS, *RULE_KEYS), place)
    title = required(table, "title", TITLE, place)
    read_names(rules, place)
    if "extends" not in table:
        if "text" in table:
            raise KeyClash(file=place.file, key="text", other="extends")
        return Edition(name, title, "", LANGUAGES, "en", rules)
    base = bases[required(table, "extends", Choice(tuple(bases)), place)]
    return Edition(
        id=name,
        title=title,
        publisher=base.publisher,
        printed=base.printed,
        default_text=optional(table, "text", Choice(base.printed), base.default_text, place),
        table=base.table,
        texts=base.texts,
        literal=base.literal,
        sources=base.sources,
        house=rules,
        base=base.id,
    )


def read_names(rules: Patch, place: Place) -> None:
    """Check the names a house rule gives its boxes, language by language."""
    boxes = Table().read(rules.get("boxes", {}), place.at("boxes"))
    for box, settings in boxes.items():
        at = place.at("boxes").at(shown(box)).at("names")
        if isinstance(settings, dict) and "names" in settings:
            names = Table().read(settings["names"], at)
            closed(names, LANGUAGES, at)
            if not names:
                raise KeyMissing(file=at.file, key=at.at("en").key)
            for lang, name in names.items():
                BOX_NAME.read(name, at.at(lang))


def read_list(table: Patch, key: str, place: Place) -> tuple[str, ...]:
    """Read a list of languages."""
    value = table.get(key)
    if not isinstance(value, list) or not value:
        raise KeyMissing(file=place.file, key=key)
    return tuple(Choice(LANGUAGES).read(lang, place.at(key)) for lang in value)


def read_tables(table: Patch, key: str, printed: tuple[str, ...], place: Place) -> dict[str, dict[str, object]]:
    """Read one table for each text that differs."""
    tables = Table().read(table.get(key, {}), place.at(key))
    closed(tables, printed, place.at(key))
    return {text: Table().read(patch, place.at(key).at(text)) for text, patch in tables.items()}


def read_sources(table: Patch, printed: tuple[str, ...], place: Place) -> dict[str, Source]:
    """Read where a reader of the box finds each rule."""
    sources = Table().read(table.get("sources", {}), place.at("sources"))
    return {topic: read_source(value, printed, place.at("sources").at(topic)) for topic, value in sources.items()}


def read_source(value: object, printed: tuple[str, ...], place: Place) -> Source:
    """Read the source of one rule."""
    table = Table().read(value, place)
    closed(table, (*printed, "ruling", "rulings"), place)
    rulings = Table().read(table.get("rulings", {}), place.at("rulings"))
    closed(rulings, printed, place.at("rulings"))
    passage = Name(80)
    return Source(
        passages={text: required(table, text, passage, place) for text in printed if text in table},
        ruling=optional(table, "ruling", passage, "", place),
        rulings={text: required(rulings, text, passage, place.at("rulings")) for text in rulings},
    )


def named(table: Patch, box: str) -> Mapping[str, object]:
    """Find the names written beside a box."""
    boxes = table.get("boxes", {})
    settings = boxes.get(box, {}) if isinstance(boxes, dict) else {}
    names = settings.get("names", {}) if isinstance(settings, dict) else {}
    return names if isinstance(names, dict) else {}


def lay(under: Patch, over: Patch) -> dict[str, object]:
    """Lay one table over another; tables within them too, except a box that changes its pattern: it starts anew."""
    merged = dict(under)
    for key, value in over.items():
        below = merged.get(key)
        anew = isinstance(value, dict) and "pattern" in value
        merged[key] = lay(below, value) if isinstance(below, dict) and isinstance(value, dict) and not anew else value
    return merged
