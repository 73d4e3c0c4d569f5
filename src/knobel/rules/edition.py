"""A printed game or a house-rule file, and the rules it gives for a chosen text and switches."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from knobel.errors import KeyConflict, KeyMissing, UnknownText
from knobel.phrase import Phrase
from knobel.rules.families import FAMILIES, read_family, read_rules
from knobel.rules.fields import Bool, Choice, KeyPath, Name, TableField, abbreviate, check_type, clean_text
from knobel.rules.languages import LANGUAGES
from knobel.rules.old_keys import note_old_keys, rename_file_keys
from knobel.rules.package import Package, read_package
from knobel.rules.schema import (
    BOX_NAME,
    RULE_KEYS,
    TITLE,
    read_optional,
    read_required,
    reject_unknown_keys,
)
from knobel.rules.switches import Patch, SwitchContext, Switches, check_switch, write_switch
from knobel.rules.toml_file import display_name, read_rules_file

HOUSE_RULE_KEYS = ("title", "extends", "text")
EDITION_KEYS = (
    "title",
    "publisher",
    "printed",
    "default_text",
    "lines",
    "game",
    "texts",
    "literal_bonus",
    "literal_chance",
    "sources",
    "package",
    "both_ways",
    "lower_total",
)

RulesChoice: TypeAlias = tuple[str, frozenset[tuple[str, str]]]
"""A text and the switches somebody turned."""
MAX_RESOLVED = 256


@dataclass(frozen=True, slots=True)
class Source:
    """Where a reader of an edition finds a rule, text by text, and the rulings that settle what is left open."""

    passages: Mapping[str, str]
    ruling: str
    rulings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Edition:
    """A printed game or a house-rule file: its texts, its rules as a plain table, its sources."""

    id: str
    title: str
    publisher: str
    printed: tuple[str, ...]
    default_text: str
    table: Patch
    texts: Mapping[str, Patch] = field(default_factory=dict)
    literal: Mapping[str, Mapping[str, Patch]] = field(default_factory=dict)
    sources: Mapping[str, Source] = field(default_factory=dict)
    house_rules: Patch = field(default_factory=dict)
    base: str | None = None
    lines: Mapping[str, str] = field(default_factory=dict)
    """The key of the one line that says how it feels to play, for the default text and those it is wrong for."""
    package: Package | None = None
    """What it prints beside its rules; house rules have none."""
    both_ways: Mapping[str, str] = field(default_factory=dict)
    """The box whose rule can be read both ways, for each text of which that is so."""
    lower_total: bool = False
    """Whether its score sheet has a line for the total of the lower boxes; house rules keep that of their edition."""
    notes: tuple[Phrase, ...] = ()
    """What its file should call otherwise."""
    rules_cache: dict[RulesChoice, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Resolved rules: reading them takes milliseconds, and they never change."""

    def __repr__(self) -> str:
        return f"<Edition {self.id}: {self.title}>"

    def choose_text(self, text: str | None, lang: str | None) -> str:
        """Choose the printed text whose rules are played: the one asked for, the reader's own, or the default."""
        if text is not None:
            if text not in self.printed:
                raise UnknownText(name=abbreviate(text), known=self.printed)
            return text
        return lang if lang in self.printed else self.default_text

    def rules(self, text: str | None = None, switches: Switches | None = None, **more: str | bool) -> Any:
        """Resolve the rules, of the type of their family: edition, then text, then house rules, then switches.

        Switches may be given by name: `edition.rules(order="top_down")`; one that is yes or no takes a bool, too.
        """
        if switches is not None:
            check_type("switches", switches, Mapping)
        named = {**(switches or {}), **more}
        turned = {name: write_switch(name, value, self.switch_values) for name, value in named.items()}
        chosen = self.choose_text(text, None)
        agreed = (chosen, frozenset(turned.items()))
        if agreed not in self.rules_cache:
            for name, value in turned.items():
                check_switch(name, value, self.switch_values)
            if len(self.rules_cache) >= MAX_RESOLVED:
                self.rules_cache.clear()
            self.rules_cache[agreed] = self.resolve_rules(chosen, turned)
        return self.rules_cache[agreed]

    def resolve_rules(self, chosen: str, switches: Mapping[str, str]) -> Any:
        table = merge_tables(merge_tables(self.table, self.texts.get(chosen, {})), self.house_rules)
        place = KeyPath(self.id)
        rules = read_rules(table, place)
        known = FAMILIES[self.family].switches
        literal = {name: texts.get(chosen, {}) for name, texts in self.literal.items()}
        for name, value in sorted(switches.items(), key=lambda item: list(known).index(item[0])):
            table = merge_tables(table, known[name].patch(SwitchContext(rules, literal), value))
        return read_rules(table, place) if switches else rules

    @property
    def family(self) -> str:
        """The family of games it belongs to."""
        return read_family(self.table, KeyPath(self.id))

    @property
    def switch_values(self) -> dict[str, tuple[str, ...]]:
        """The switches of its family, each with its values."""
        return {name: switch.values for name, switch in FAMILIES[self.family].switches.items()}

    def find_line(self, text: str) -> str | None:
        """Find the line of a text; house rules have none."""
        check_type("text", text, str)
        return self.lines.get(text) or self.lines.get(self.default_text)

    @property
    def printed_by(self) -> str:
        """Who printed exactly these rules: nobody, if house rules change them."""
        return "" if self.base else self.publisher

    def without_house_rules(self) -> "Edition":
        """Give the printed edition, without the house rules that extend it."""
        return replace(self, house_rules={}) if self.house_rules else self

    def box_name(self, box: str, lang: str) -> str | None:
        """Give the name a house rule gives its box, in this language or else in the first one it names."""
        check_type("lang", lang, str)
        names = self.box_names(box)
        return (names.get(lang) or next(iter(names.values()))) if names else None

    def box_names(self, box: str) -> dict[str, str]:
        """Give the names a house rule gives its box, by language."""
        check_type("box", box, str)
        names = find_box_names(self.house_rules, box) or find_box_names(self.table, box)
        return {lang: clean_text(str(name)) for lang, name in names.items()}


def read_edition(path: Path, bases: Mapping[str, Edition]) -> Edition:
    """Read a printed edition or a house-rule file."""
    table = read_rules_file(path)
    if "publisher" not in table:
        return read_house_table(table, path.name, bases)
    place, notes, table = KeyPath(display_name(path)), note_old_keys(table, path.name), rename_file_keys(table)
    return replace(check_texts(read_printed_edition(path.stem, table, place), place), notes=notes)


def read_house_table(table: Patch, name: str, bases: Mapping[str, Edition]) -> Edition:
    """Read house rules from a table, named as their file is."""
    place, notes, table = KeyPath(abbreviate(name)), note_old_keys(table, name), rename_file_keys(table)
    rules = {key: value for key, value in table.items() if key in RULE_KEYS}
    edition = build_house_edition(clean_text(name.removesuffix(".toml")), table, rules, bases, place)
    return replace(check_texts(edition, place), notes=notes)


def check_texts(edition: Edition, path: KeyPath) -> Edition:
    """Check that every text of an edition gives sound rules."""
    for text in edition.printed if edition.texts else (edition.default_text,):
        read_rules(merge_tables(merge_tables(edition.table, edition.texts.get(text, {})), edition.house_rules), path)
    return edition


def read_printed_edition(name: str, table: Patch, path: KeyPath) -> Edition:
    keys = FAMILIES[read_family(table, path)].keys
    reject_unknown_keys(table, (*EDITION_KEYS, *keys), path)
    printed = read_languages(table, "printed", path)
    return Edition(
        id=name,
        title=read_required(table, "title", TITLE, path),
        publisher=read_required(table, "publisher", Name(40), path),
        printed=printed,
        default_text=read_required(table, "default_text", Choice(printed), path),
        table={key: value for key, value in table.items() if key in (*keys, "game")},
        texts=read_text_tables(table, "texts", printed, path),
        literal={name: read_text_tables(table, name, printed, path) for name in ("literal_bonus", "literal_chance")},
        sources=read_sources(table, printed, path),
        lines=read_text_names(table, "lines", printed, path),
        both_ways=read_text_names(table, "both_ways", printed, path),
        package=read_printed_package(table, path),
        lower_total=read_optional(table, "lower_total", Bool(), False, path),
    )


def read_printed_package(table: Patch, path: KeyPath) -> Package | None:
    """Read what else is printed, where a booklet says so."""
    at = path.child("package")
    return read_package(TableField().read(table["package"], at), at) if "package" in table else None


def build_house_edition(name: str, table: Patch, rules: Patch, bases: Mapping[str, Edition], path: KeyPath) -> Edition:
    """Read a house-rule file, which extends an edition or stands alone."""
    reject_unknown_keys(table, (*HOUSE_RULE_KEYS, *RULE_KEYS), path)
    title = read_required(table, "title", TITLE, path)
    check_box_names(rules, path)
    if "extends" not in table:
        if "text" in table:
            raise KeyConflict(file=path.file, key="text", other="extends")
        return Edition(name, title, "", LANGUAGES, "en", rules)
    base = bases[read_required(table, "extends", Choice(tuple(bases)), path)]
    return Edition(
        id=name,
        title=title,
        publisher=base.publisher,
        printed=base.printed,
        default_text=read_optional(table, "text", Choice(base.printed), base.default_text, path),
        table=base.table,
        texts=base.texts,
        literal=base.literal,
        sources=base.sources,
        house_rules=rules,
        base=base.id,
        lower_total=base.lower_total,
    )


def check_box_names(rules: Patch, path: KeyPath) -> None:
    """Check the names a house rule gives its boxes, language by language."""
    boxes = TableField().read(rules.get("boxes", {}), path.child("boxes"))
    for box, settings in boxes.items():
        at = path.child("boxes").child(abbreviate(box)).child("names")
        if isinstance(settings, dict) and "names" in settings:
            names = TableField().read(settings["names"], at)
            reject_unknown_keys(names, LANGUAGES, at)
            if not names:
                raise KeyMissing(file=at.file, key=at.child("en").key)
            for lang, name in names.items():
                BOX_NAME.read(name, at.child(lang))


def read_languages(table: Patch, key: str, path: KeyPath) -> tuple[str, ...]:
    value = table.get(key)
    if not isinstance(value, list) or not value:
        raise KeyMissing(file=path.file, key=key)
    return tuple(Choice(LANGUAGES).read(lang, path.child(key)) for lang in value)


def read_text_tables(table: Patch, key: str, printed: tuple[str, ...], path: KeyPath) -> dict[str, dict[str, object]]:
    """Read one table for each text that differs."""
    tables = TableField().read(table.get(key, {}), path.child(key))
    reject_unknown_keys(tables, printed, path.child(key))
    return {text: TableField().read(patch, path.child(key).child(text)) for text, patch in tables.items()}


def read_text_names(table: Patch, key: str, printed: tuple[str, ...], path: KeyPath) -> dict[str, str]:
    """Read a name for some of the texts, such as the line on their cover."""
    at = path.child(key)
    names = TableField().read(table.get(key, {}), at)
    reject_unknown_keys(names, printed, at)
    return {text: read_required(names, text, Name(32), at) for text in names}


def read_sources(table: Patch, printed: tuple[str, ...], path: KeyPath) -> dict[str, Source]:
    """Read where a reader of the edition finds each rule."""
    sources = TableField().read(table.get("sources", {}), path.child("sources"))
    return {topic: read_source(value, printed, path.child("sources").child(topic)) for topic, value in sources.items()}


def read_source(value: object, printed: tuple[str, ...], path: KeyPath) -> Source:
    table = TableField().read(value, path)
    reject_unknown_keys(table, (*printed, "ruling", "rulings"), path)
    rulings = TableField().read(table.get("rulings", {}), path.child("rulings"))
    reject_unknown_keys(rulings, printed, path.child("rulings"))
    passage = Name(80)
    return Source(
        passages={text: read_required(table, text, passage, path) for text in printed if text in table},
        ruling=read_optional(table, "ruling", passage, "", path),
        rulings={text: read_required(rulings, text, passage, path.child("rulings")) for text in rulings},
    )


def find_box_names(table: Patch, box: str) -> Mapping[str, object]:
    """Find the names written beside a box."""
    boxes = table.get("boxes", {})
    settings = boxes.get(box, {}) if isinstance(boxes, dict) else {}
    names = settings.get("names", {}) if isinstance(settings, dict) else {}
    return names if isinstance(names, dict) else {}


def merge_tables(base: Patch, overlay: Patch) -> dict[str, object]:
    """Merge one table over another, recursively; a box that changes its pattern replaces the old one."""
    merged = dict(base)
    for key, value in overlay.items():
        below = merged.get(key)
        anew = isinstance(value, dict) and "pattern" in value
        merged[key] = (
            merge_tables(below, value) if isinstance(below, dict) and isinstance(value, dict) and not anew else value
        )
    return merged
