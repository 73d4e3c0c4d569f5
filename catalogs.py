"""The catalogs: compiles what translators edit (`.po`) into what the program reads (`.mo`), and keeps both in step.

`compile` also runs when Knobel is installed; `extract` writes a template of each area, `update` brings every catalog
up to date with the English ones, `words` lists what waits for its translation. The id of an entry is a key, so its
English text stands above it as a comment (`#. en: …`); an entry whose English has changed since is marked fuzzy.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from gettext import c2py
from io import BytesIO
from pathlib import Path
from string import Formatter
from tempfile import NamedTemporaryFile
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
SOURCES = ROOT / "src" / "knobel"
LANG = SOURCES / "lang"
TEMPLATES = ROOT / "build" / "templates"
ENGLISH = "en"
DOMAINS = ("coach", "errors", "interface", "paper", "rules", "web")
PLURAL_SAMPLES = (*range(1001), 10**6)
ENGLISH_PREFIX = "en: "
"""Begins the comment that holds the English text of an entry."""
OLD_ENGLISH_PREFIX = "en was: "
"""Begins the comment that holds the English text a fuzzy entry was made from."""
PRINTED_NAMES = {"bonus", "chance", "five"}
"""Names that a sentence of any language may ask for, because the edition prints its own."""
CHANGING_HEADERS = ("POT-Creation-Date", "PO-Revision-Date", "Generated-By")
HEADER = (
    ("Project-Id-Version", "Knobel"),
    ("Language", "{lang}"),
    ("MIME-Version", "1.0"),
    ("Content-Type", "text/plain; charset=utf-8"),
    ("Content-Transfer-Encoding", "8bit"),
    ("Plural-Forms", "nplurals={plurals}; plural={rule};"),
)


class CatalogBuildHook(BuildHookInterface[Any]):
    """Runs before the package is built or installed in place."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Compile every catalog."""
        compile_all()


# Compiling.


class CatalogWithPlurals(Catalog):
    """A catalog whose head says which forms the categories of plurals and the decimals take."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """The head, with what the program cannot know without the tables of all languages.

        It says nothing of when or with what it was compiled: the same words are the same bytes.
        """
        kept = [(name, value) for name, value in super().mime_headers if name not in CHANGING_HEADERS]
        return [*kept, *list_plural_headers(self)]


def compile_all() -> None:
    """Write one `.mo` beside each `.po`, leaving out what cannot be said; what is fuzzy is said until it is mended."""
    for source in sorted(LANG.glob("*/LC_MESSAGES/*.po")):
        catalog = read_catalog(source)
        catalog.__class__ = CatalogWithPlurals
        english = {find_key(message): message for message in iterate_entries(ENGLISH, source.stem)}
        for message in [message for message in catalog if message.id]:
            if not can_be_said(message, english.get(find_key(message), message)):
                catalog.delete(message.id, message.context)
        compiled = BytesIO()
        write_mo(compiled, catalog, use_fuzzy=True)
        replace_if_changed(source.with_suffix(".mo"), compiled.getvalue())


def replace_if_changed(path: Path, content: bytes) -> None:
    """Write a file in one step and only if it differs, as a running program may be reading it."""
    if path.exists() and path.read_bytes() == content:
        return
    with NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)


def read_catalog(source: Path) -> Catalog:
    """Read a catalog."""
    with source.open("rb") as lines:
        return read_po(lines, locale=source.parent.parent.name, abort_invalid=True)


def list_plural_headers(catalog: Catalog) -> list[tuple[str, str]]:
    """Work out which form each category takes, by the numbers in it, and the decimals 0.5, 1.5, 2.5 and on.

    A category that only decimals have takes the last form; the one that names a form comes first.
    """
    rule, form = catalog.locale.plural_form, c2py(catalog.plural_expr)
    found: dict[str, set[int]] = {}
    for number in PLURAL_SAMPLES:
        found.setdefault(rule(number), set()).add(form(number))
    if torn := [category for category, forms in found.items() if len(forms) > 1]:
        raise ValueError(catalog.locale_identifier, torn)
    forms = {name: min(several) for name, several in found.items()}
    forms |= dict.fromkeys(sorted({*rule.tags, "other"} - set(found)), catalog.num_plurals - 1)
    halves = (forms[rule(Decimal(f"{number}.5"))] for number in range(3))
    named = " ".join(f"{name}={form}" for name, form in forms.items())
    return [("X-Categories", named), ("X-Decimals", " ".join(map(str, halves)))]


# Templates.


def extract() -> None:
    """Write a template of each area, with the English text and the places where each entry is asked for."""
    used = find_key_uses()
    known = {find_key(message) for domain in DOMAINS for message in iterate_entries(ENGLISH, domain)}
    if missing := sorted(key for key in used if key not in known):
        sys.exit(f"asked for, but in no English catalog: {' '.join(missing)}")
    TEMPLATES.mkdir(parents=True, exist_ok=True)
    for domain in DOMAINS:
        blocks = [format_header("", 2, "(n != 1)")]
        for message in iterate_entries(ENGLISH, domain):
            where = [f"#: {place}" for place in used.get(find_key(message), ())]
            several = len(list_forms(message)) if message.pluralizable else 1
            blocks.append(format_entry(message, ("",) * several, [*format_notes(message), *where]))
        (TEMPLATES / f"{domain}.pot").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def find_key_uses() -> dict[str, list[str]]:
    """Find where the code asks for keys that it writes out; many others it builds."""
    found: dict[str, list[str]] = {}
    ours = re.compile(rf'"((?:{"|".join(DOMAINS)})(?:\.[a-z0-9_]+)+)"')
    theirs = re.compile(r'\bt\("([a-z0-9_.]+)"')
    for pattern, start, names in ((ours, "", "*.py"), (theirs, "web.", "*.js")):
        for path in sorted(SOURCES.rglob(names)):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for key in pattern.findall(line):
                    found.setdefault(start + key, []).append(f"{path.relative_to(ROOT).as_posix()}:{number}")
    return found


# Bringing up to date.


def update(*new_languages: str) -> None:
    """Bring every catalog up to date with the English ones; languages that are named are begun."""
    for lang in sorted({*find_languages(), *new_languages} - {ENGLISH}):
        whole = lang in new_languages or all(find_catalog_path(lang, domain).exists() for domain in DOMAINS)
        for domain in DOMAINS:
            if whole or find_catalog_path(lang, domain).exists():
                update_catalog(lang, domain, whole)


def update_catalog(lang: str, domain: str, complete: bool) -> None:
    """Write a catalog again: every English entry in its place, empty if it is new; what English lost is gone.

    Of a language that is only begun to be spoken, entries that are not there stay away.
    """
    path = find_catalog_path(lang, domain)
    old = read_catalog(path) if path.exists() else Catalog(locale=lang)
    own = {find_key(message): message for message in old if message.id and not message.context}
    blocks = [find_header(lang, domain)]
    for english in iterate_entries(ENGLISH, domain):
        mine = own.get(find_key(english))
        if mine is not None:
            blocks.append(format_entry(english, list_forms(mine), format_comments(english, mine)))
        elif complete:
            several = old.num_plurals if english.pluralizable else 1
            blocks.append(format_entry(english, ("",) * several, format_notes(english)))
    blocks += [format_entry(message, list_forms(message), []) for message in old if message.id and message.context]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def find_header(lang: str, domain: str) -> str:
    """Find the header of a catalog; a new one has that of the catalog of rules, so that all have the same plurals."""
    for path in (find_catalog_path(lang, domain), find_catalog_path(lang, "rules")):
        if path.exists():
            return path.read_text(encoding="utf-8").split("\n\n")[0]
    rule = get_plural(lang)
    return format_header(lang, rule[0], rule[1])


def format_comments(english: Message, translated: Message) -> list[str]:
    """Write the comments of an entry; it is fuzzy if its English has changed since it was made, or was before."""
    known = next((line for line in translated.auto_comments if line.startswith(ENGLISH_PREFIX)), None)
    own = [line for line in translated.user_comments if not line.startswith(OLD_ENGLISH_PREFIX)]
    was = [line for line in translated.user_comments if line.startswith(OLD_ENGLISH_PREFIX)]
    if known is not None and known.rstrip() != (ENGLISH_PREFIX + format_english(english)).rstrip():
        was = was or [OLD_ENGLISH_PREFIX + known.removeprefix(ENGLISH_PREFIX)]
    elif not translated.fuzzy:
        was = []
    fuzzy = ["#, fuzzy"] if translated.fuzzy or was else []
    return [*(f"# {line}".rstrip() for line in (*own, *was)), *format_notes(english), *fuzzy]


def format_notes(english: Message) -> list[str]:
    """Write what a translator should know of an entry: its English text, and what the English catalog notes."""
    return [f"#. {line}".rstrip() for line in (ENGLISH_PREFIX + format_english(english), *english.user_comments)]


def format_english(english: Message) -> str:
    """Write the English text in one line."""
    return " | ".join(form.replace("\n", "\\n") for form in list_forms(english))


# What waits.


@dataclass(frozen=True)
class WaitingWords:
    """The entries of a catalog that a language says in English until they are translated, or looked at again."""

    lang: str
    domain: str
    missing: tuple[str, ...]
    fuzzy: tuple[str, ...]


def show_waiting_words(*only: str) -> None:
    """List what waits, by language and catalog; of a language that is only begun the ids are listed if it is named."""
    complete = read_complete_languages()
    for lang in only or find_languages():
        waiting, entries = find_waiting_words(lang), count_entries()
        lacking = sum(len(one.missing) + len(one.fuzzy) for one in waiting)
        kind = "complete" if lang in complete else "begun"
        print(f"{lang} ({kind}): {lacking} of {entries} wait, {1 - lacking / entries:.1%} translated")
        if lang in complete or only:
            for one in waiting:
                show_waiting_catalog(one)


def show_waiting_catalog(waiting: WaitingWords) -> None:
    if waiting.missing or waiting.fuzzy:
        print(f"  {waiting.domain}.po: {len(waiting.missing)} missing, {len(waiting.fuzzy)} fuzzy")
    for kind, keys in (("missing", waiting.missing), ("fuzzy", waiting.fuzzy)):
        for key in keys:
            print(f"    {kind:7} {key}")


def find_waiting_words(lang: str) -> list[WaitingWords]:
    """Find what a language has not translated yet."""
    return [find_waiting_in_catalog(lang, domain) for domain in DOMAINS]


def find_waiting_in_catalog(lang: str, domain: str) -> WaitingWords:
    exists = find_catalog_path(lang, domain).exists()
    own = {find_key(message): message for message in (iterate_entries(lang, domain) if exists else ())}
    wanted = [find_key(message) for message in iterate_entries(ENGLISH, domain)]
    fuzzy = tuple(key for key in wanted if key in own and own[key].fuzzy)
    missing = tuple(key for key in wanted if key not in fuzzy and not (key in own and is_translated(own[key])))
    return WaitingWords(lang, domain, missing, fuzzy)


def measure_translated_share(lang: str) -> float:
    """Measure how much of all English entries a language has translated, from 0 to 1."""
    return 1 - sum(len(one.missing) + len(one.fuzzy) for one in find_waiting_words(lang)) / count_entries()


def count_entries() -> int:
    return sum(1 for domain in DOMAINS for _ in iterate_entries(ENGLISH, domain))


def find_languages() -> list[str]:
    """List every language that has a folder, except English."""
    return sorted(path.parent.name for path in LANG.glob("*/LC_MESSAGES") if path.parent.name != ENGLISH)


def read_complete_languages() -> tuple[str, ...]:
    """Read which languages say everything."""
    return tuple(tomllib.loads((LANG / "languages.toml").read_text(encoding="utf-8"))["complete"])


# Reading and writing entries.


def find_catalog_path(lang: str, domain: str) -> Path:
    """Find the catalog of an area in a language."""
    return LANG / lang / "LC_MESSAGES" / f"{domain}.po"


def iterate_entries(lang: str, domain: str) -> Iterator[Message]:
    """Walk over the entries of a catalog, except those of one edition."""
    return (message for message in read_catalog(find_catalog_path(lang, domain)) if message.id and not message.context)


def find_key(message: Message) -> str:
    """Give the key of an entry."""
    return str(message.id[0] if isinstance(message.id, tuple | list) else message.id)


def can_be_said(message: Message, english: Message) -> bool:
    """Tell whether an entry has all its forms, and asks for no value that its English no longer has."""
    return is_filled(message) and (not message.fuzzy or list_values(message) - PRINTED_NAMES <= list_values(english))


def is_translated(message: Message) -> bool:
    """Tell whether an entry has all its forms, and nobody has to look at them again."""
    return not message.fuzzy and is_filled(message)


def is_filled(message: Message) -> bool:
    """Tell whether an entry has all its forms."""
    return all(list_forms(message))


def list_values(message: Message) -> set[str]:
    """Name the values that the forms of an entry ask for, all together."""
    return {name for form in list_forms(message) for _, name, _, _ in Formatter().parse(form) if name}


def list_forms(message: Message) -> tuple[str, ...]:
    """Give the forms of an entry: one, or one for each plural."""
    return tuple(message.string) if isinstance(message.string, tuple | list) else (message.string or "",)


def format_entry(message: Message, texts: tuple[str, ...], comments: Iterable[str]) -> str:
    """Write an entry."""
    lines = [*comments, *([f'msgctxt "{message.context}"'] if message.context else []), f'msgid "{find_key(message)}"']
    if len(texts) == 1:
        return "\n".join([*lines, f'msgstr "{escape_text(texts[0])}"'])
    plural = [
        f'msgid_plural "{find_key(message)}"',
        *(f'msgstr[{n}] "{escape_text(text)}"' for n, text in enumerate(texts)),
    ]
    return "\n".join(lines + plural)


def escape_text(text: str) -> str:
    """Write a text between quotation marks."""
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def format_header(lang: str, plurals: int, rule: str) -> str:
    """Write the head of a new catalog."""
    fields = [f'"{name}: {value.format(lang=lang, plurals=plurals, rule=rule)}\\n"' for name, value in HEADER]
    return "\n".join(['msgid ""', 'msgstr ""', *fields])


TASKS = {"compile": compile_all, "extract": extract, "update": update, "words": show_waiting_words}

if __name__ == "__main__":
    task, *names = sys.argv[1:] or ["compile"]
    TASKS[task](*names)
