"""Every sentence goes through the catalogs: nothing missing, nothing idle, nothing that bypasses them."""

import ast
import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from gettext import GNUTranslations
from itertools import chain, product
from pathlib import Path
from string import Formatter
from typing import Any, get_args, get_type_hints

import catalogs
import pytest
from babel.dates import format_skeleton
from babel.lists import format_list
from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent, get_minus_sign_symbol

from knobel import lang as lang_room
from knobel.bots.families import FAMILIES as BOT_FAMILIES
from knobel.cli import COMMANDS, find_command
from knobel.cli.commands import PLACEHOLDER
from knobel.cli.ending import ANSWERS
from knobel.cli.parser import HELP, Command
from knobel.cli.round_commands import ROUND_COMMANDS
from knobel.cli.sheet_commands import SHEET_COMMANDS
from knobel.coach.grades import DECISION_GRADES, LUCK_GRADES
from knobel.coach.ledger import PERCENT, POINTS, REST, ROUNDS, SINGLE_ROUND, WHOLE_GAME
from knobel.coach.rating import LEVELS
from knobel.coach.report import NOTE_COLUMNS, PLAYER_COLUMNS
from knobel.coach.round_review import COLUMNS as ROUND_COLUMNS
from knobel.coach.sheet_review import COLUMNS as SHEET_COLUMNS
from knobel.errors import KnobelError, UnknownLanguage
from knobel.games.round_state import AIMS, BEST, GIVER, START, WORST
from knobel.host.statistics_text import FIELDS, MORE_FIELDS, PERSON_FIELDS
from knobel.lang import COMPLETE, LANGUAGES, PRINTED_NAMES, Translator, choose_language, sort_languages
from knobel.learning.families import FAMILIES as LEARNING_FAMILIES
from knobel.learning.lesson import MISSING, SENTENCES
from knobel.learning.themes import THEMES
from knobel.phrase import FormattedNumber, Phrase, Value
from knobel.record.events import Closed
from knobel.rules import edition_ids, load_edition
from knobel.rules.articles import build_sheet_articles, name_by_pattern
from knobel.rules.families import FAMILIES as RULES_FAMILIES
from knobel.rules.leaflet import CHAPTERS, PACKAGE_TOPICS, cite_article, list_specials
from knobel.rules.package import ITEMS
from knobel.rules.round_articles import build_round_articles
from knobel.rules.schema import CHANCE_RULES, FORCED_ZEROS, JOKERS, ORDERS, SERIES_KINDS, STARTS
from knobel.rules.scoring import COUNTS, PATTERNS
from knobel.rules.sheet_rules import SheetRules
from knobel.rules.switches import SHEET_SWITCHES
from knobel.tui.agreement_form import STARTS as AGREED_STARTS
from knobel.tui.settings import CHOICES
from knobel.tui.settings_screen import OWN_WORDS
from knobel.tui.table_coach import QUESTIONS
from knobel.web import descriptions
from knobel.web.descriptions import find_part, format_bot_key
from knobel.web.wire import Remark

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "knobel"
CATALOGS = sorted((SRC / "lang").glob("*/LC_MESSAGES/*.po"))
DOMAINS = sorted(path.stem for path in CATALOGS if path.parts[-3] == "en")
AMOUNTS = ("later", "primes", "others")
WAYS = ("loses", "best", "beats", "next_beaten", "all_beaten", "special")
GROUPS = ("together", "but_together", "zeros")
BONUSES = ("bonus", "bonus_less", "but_bonus")
PLANS = (
    "takes_points",
    "forgets_bonus",
    "goes_by_habit",
    "chases_bonus",
    "overlooks",
    "holds_on",
    "hopes",
    "plays_safe",
)
"""The names of reasons and plans that the coach puts into keys."""
GLOSSARY: dict[str, Any] = json.loads((ROOT / "tests" / "golden" / "glossary.json").read_text(encoding="utf-8"))
SHEETS = [name for name in edition_ids() if load_edition(name).family == "sheet"]
EXAMPLES = sorted(str(path) for path in (ROOT / "examples" / "house-rules").glob("*.toml"))

IDLE = {
    "rules.term.": "terms of the printed sheet, straight from the glossary, for pads and windows to come",
}
"""English keys nothing asks for yet, by their beginning, and why they are there."""

BYPASSES = {
    "a BOX": "typed at the table",
    "s BOX": "typed at the table",
    "x BOX": "typed at the table",
    "e BOX 18": "typed at the table",
    "c BOX 18": "typed at the table",
    "c BOX BOX": "typed at the table",
    "-c synchronous_commit=on": "an option of PostgreSQL",
    "clock jumped by %.0f s since the last upkeep; rooms age by at most %.0f s": "a line of the server's log",
    "a message could not be written": "a line of the server's log",
    "%s could be read by others; only its owner may now": "a line of the server's log",
    "%s or its log was deleted, replaced or cut short; nothing is stored until the server is restarted": "a log",
    "module {} has no attribute {}": "what Python says to a programmer",
    "game over": "how the library shows a board to a programmer",
}
"""Strings with words in them that are the same in every language, and why."""

STYLE = re.compile(r"(\$[a-z-]+|bold|italic|underline|reverse|on|\s)+")
"""How a part of the full screen is drawn: colours of the theme and weights, which Textual knows by these names."""

ANY_OF = {"interface.date.day": {"d", "dd", "m", "mm", "y"}, "interface.date.clock": {"h", "hh", "mm"}}
"""Entries for which a language chooses among values."""


# The catalogs themselves.


@cache
def catalog(path: Path) -> Catalog:
    with path.open("rb") as lines:
        return read_po(lines, locale=path.parts[-3], abort_invalid=True)


def iter_translated(path: Path) -> Iterator[Message]:
    """Walk over the entries of a catalog, except the header and what waits for its translation."""
    return (message for message in catalog(path) if message.id and catalogs.is_translated(message))


def entries(lang: str) -> Iterator[Message]:
    """Walk over every entry of a language that has words, also old ones of an English sentence that changed."""
    messages = chain.from_iterable(catalog(path) for path in CATALOGS if path.parts[-3] == lang)
    return (message for message in messages if message.id and catalogs.is_filled(message))


def forms(message: Message) -> tuple[str, ...]:
    """Give every form of a sentence: one, or one for each plural."""
    return tuple(message.string) if isinstance(message.string, tuple | list) else (message.string or "",)


def key_of(message: Message) -> str:
    return str(message.id[0] if isinstance(message.id, tuple | list) else message.id)


def holes(sentence: str) -> set[str]:
    """Name the placeholders of a sentence."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def asks(sentences: Iterable[str]) -> set[str]:
    """Name what the forms of an entry ask for, all together."""
    return set().union(*map(holes, sentences))


@cache
def english() -> dict[str, tuple[str, ...]]:
    return {key_of(message): forms(message) for message in entries("en") if not message.context}


def walk_catalogs() -> Iterator[tuple[str, Path, Catalog]]:
    """Walk over all catalogs: what a failure calls it, its file, what it holds."""
    return ((f"{path.parts[-3]}/{path.stem}", path, catalog(path)) for path in CATALOGS)


class TestEveryCatalog:
    def test_has_the_plurals_of_its_language(self) -> None:
        numbers = {(path.parts[-3], held.num_plurals) for _, path, held in walk_catalogs()}
        assert numbers == {(lang, get_plural(lang).num_plurals) for lang in LANGUAGES}

    def test_has_no_forgotten_entry(self) -> None:
        assert [(name, key) for name, _, held in walk_catalogs() for key in held.obsolete] == []

    def test_has_complete_plural_entries(self) -> None:
        plurals = [
            (name, message.id, len(forms(message)) == held.num_plurals)
            for name, _, held in walk_catalogs()
            for message in held
            if message.id and message.pluralizable
        ]
        assert plurals
        assert [(name, key) for name, key, complete in plurals if not complete] == []

    def test_has_keys_of_its_domain_that_english_knows(self) -> None:
        known = set(english())
        strange = [
            (name, key)
            for name, path, held in walk_catalogs()
            for key in {key_of(message) for message in held if message.id and not message.context}
            if key.partition(".")[0] != path.stem or key not in known
        ]
        assert strange == []

    def test_asks_for_no_value_that_english_does_not(self) -> None:
        for name, path, _ in walk_catalogs():
            own = {key_of(message): asks(forms(message)) for message in iter_translated(path) if not message.context}
            more = {
                key: asked_for - ANY_OF.get(key, asks(english()[key])) - set(PRINTED_NAMES)
                for key, asked_for in own.items()
            }
            assert {key: names for key, names in more.items() if names} == {}, name


def test_every_english_entry_has_its_words() -> None:
    waiting = catalogs.find_waiting_words("en")
    assert [key for one in waiting for key in (*one.missing, *one.fuzzy)] == []


def test_there_is_a_rules_catalog_for_every_language() -> None:
    assert {path.parts[-3] for path in CATALOGS if path.stem == "rules"} == set(LANGUAGES)


# Complete languages.

TRANSLATED = [lang for lang in COMPLETE if lang != "en"]
ALIKE = 0.05
"""How many entries of a catalog may be as in English without being listed here."""
AS_IN_ENGLISH = {
    r"interface\..*\.example": "commands as they are typed",
    r"interface\.placeholder\.url": "the same everywhere",
    r"rules\.(name|term|language)\..*": "as the glossary prints them",
    r"rules\.topic\.chicago": "the name of a roll",
    r"web\.home\.(title|code_like)": "our name, and a code nobody can read",
    r"interface\.(number|date|list)\..*": "compared with the tables of all languages",
}
"""What may be as in English in every language, and why."""
SAME_WORDS: Mapping[str, Mapping[str, str]] = {
    "fr": {"paper.date": "date", "paper.place": "place", "paper.pays.nothing": "point"},
    "nl": {
        "coach.grade.blunder": "blunder", "coach.class.perfect": "perfect", "coach.class.expert": "expert",
        "coach.class.beginner": "beginner", "coach.report.par": "par",
    },
}  # fmt: skip
"""Words that a language happens to share with English, in catalogs so small that they count."""
LEFT_OUT: Mapping[str, Mapping[str, str]] = {
    "uk": {
        "rules.joker.free": "n", "rules.joker.forced": "n", "rules.prime": "n", "rules.second": "n",
    },
}  # fmt: skip
"""Values that the sentence of a language is right without: here all dice are alike, however many they are."""


def own(lang: str, domain: str) -> dict[str, Message]:
    """Give the entries of a catalog by key, without those of a single edition."""
    return {
        key_of(message): message
        for message in entries(lang)
        if not message.context and key_of(message).startswith(f"{domain}.")
    }


def has_words(sentences: Iterable[str]) -> bool:
    """Tell whether an entry has words, and not only values."""
    return bool(re.search(r"[A-Za-z]{2}", re.sub(r"\{[^}]*\}", "", "".join(sentences))))


def test_complete_languages_are_languages_and_the_browser_offers_them() -> None:
    assert "en" in COMPLETE
    assert set(COMPLETE) <= set(LANGUAGES)
    offered = descriptions.describe_server("en", None, False)["languages"]
    assert isinstance(offered, list)
    assert {one["lang"] for one in offered} == set(COMPLETE)
    assert [one["lang"] for one in offered] == [lang for lang in lang_room.sort_languages() if lang in COMPLETE]


def test_a_sentence_that_is_not_translated_yet_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = lang_room.list_catalog

    def lacking(domain: str, lang: str) -> dict[str, Any]:
        found = whole(domain, lang)
        return {key: text for key, text in found.items() if lang == "en" or key != "web.ask.yes"}

    monkeypatch.setattr(lang_room, "list_catalog", lacking)
    monkeypatch.setattr(descriptions, "list_catalog", lacking)
    sent = descriptions.load_words.__wrapped__("fi")
    words = sent["words"]
    assert isinstance(words, dict)
    assert words["web.ask.yes"] == "Yes"
    assert words["web.ask.no"] == whole("web", "fi").get("web.ask.no", "No")
    assert isinstance(sent["untranslated"], list)
    assert "web.ask.yes" in sent["untranslated"]


@pytest.mark.parametrize("lang", TRANSLATED)
class TestACompleteLanguage:
    def test_it_uses_every_value_that_english_does(self, lang: str) -> None:
        allowed = LEFT_OUT.get(lang, {})
        current = {key_of(message): message for message in entries(lang) if not message.context and not message.fuzzy}
        own_words = {key: forms(message) for key, message in current.items() if key not in ANY_OF}
        assert own_words
        left = {
            key: asks(english()[key]) - asks(sentences) - set(PRINTED_NAMES) for key, sentences in own_words.items()
        }
        assert {key: names for key, names in left.items() if names - set(allowed.get(key, "").split())} == {}

    def test_it_is_not_english(self, lang: str) -> None:
        listed = re.compile("|".join([*AS_IN_ENGLISH, *map(re.escape, SAME_WORDS.get(lang, {}))]))
        for domain in DOMAINS:
            worded = {
                key: forms(message)
                for key, message in own(lang, domain).items()
                if not listed.fullmatch(key) and has_words(english()[key])
            }
            same = [key for key, sentences in worded.items() if sentences == english()[key]]
            assert len(same) <= ALIKE * len(worded), (domain, same)


def test_what_is_listed_as_english_is_needed() -> None:
    every = set(english())
    assert [one for one in AS_IN_ENGLISH if not any(re.fullmatch(one, key) for key in every)] == []
    for lang, keys in SAME_WORDS.items():
        said = {key_of(message): forms(message) for message in entries(lang) if not message.context}
        assert [key for key in keys if said.get(key, english()[key]) != english()[key]] == []
    for lang, keys in LEFT_OUT.items():
        said = {key_of(message): forms(message) for message in entries(lang) if not message.context}
        assert [key for key in keys if key in said and asks(said[key]) == asks(english()[key])] == []


def test_a_number_inside_a_sentence_brings_all_forms_of_its_language() -> None:
    for name, path, held in walk_catalogs():
        for message in iter_translated(path):
            for text in forms(message):
                for several in re.findall(r"\{\w+:([^{}]*)\}", text):
                    assert several.count("|") == held.num_plurals - 1, (name, message.id, several)
                assert re.fullmatch(r"(?:[^{}]|\{\w+(?::[^{}]+)?\})*", text), (name, message.id, text)


# The tools of translators.


def copy_catalogs(folder: Path, *languages: str) -> None:
    """Copy the catalogs of some languages."""
    for lang in languages:
        shutil.copytree(SRC / "lang" / lang, folder / lang)


def test_the_catalogs_are_as_update_leaves_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SRC / "lang", tmp_path / "lang")
    monkeypatch.setattr(catalogs, "LANG", tmp_path / "lang")
    catalogs.update()
    after = {path.relative_to(tmp_path / "lang"): path.read_bytes() for path in (tmp_path / "lang").rglob("*.po")}
    assert [str(name) for name, text in after.items() if (SRC / "lang" / name).read_bytes() != text] == []


def test_update_brings_new_entries_marks_changed_ones_and_drops_old_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_catalogs(tmp_path / "lang", "en", "uk")
    monkeypatch.setattr(catalogs, "LANG", tmp_path / "lang")
    source = tmp_path / "lang" / "en" / "LC_MESSAGES" / "coach.po"
    blocks = source.read_text(encoding="utf-8").strip().split("\n\n")
    places = [place for place, block in enumerate(blocks) if 'msgid "coach.' in block]
    touched, dropped = (re.findall(r'msgid "(.*)"', blocks[place])[0] for place in places[:2])
    blocks[places[0]] = re.sub(r'msgstr(\[\d\])? "', r'msgstr\1 "Well, ', blocks[places[0]])
    several = ['msgid "coach.report.new"', 'msgid_plural "coach.report.new"', 'msgstr[0] "{n} a"', 'msgstr[1] "{n} b"']
    blocks[places[1]] = "\n".join(several)
    catalogs.update()
    source.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    catalogs.update("nl")
    after = catalogs.read_catalog(tmp_path / "lang" / "uk" / "LC_MESSAGES" / "coach.po")
    by_key = {key_of(message): message for message in after if message.id}
    assert by_key["coach.report.new"].string == ("", "", "")
    assert by_key[touched].fuzzy
    assert any(line.startswith(catalogs.OLD_ENGLISH_PREFIX) for line in by_key[touched].user_comments)
    assert any("Well, " in line for line in by_key[touched].auto_comments)
    assert dropped not in by_key
    assert touched in {key for key, message in by_key.items() if message.fuzzy}
    begun = catalogs.read_catalog(tmp_path / "lang" / "nl" / "LC_MESSAGES" / "coach.po")
    assert len([message for message in begun if message.id]) == len(by_key)


def test_a_translation_stays_shown_while_it_waits_for_its_translator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_catalogs(tmp_path / "lang", "en", "de")
    monkeypatch.setattr(catalogs, "LANG", tmp_path / "lang")
    source = tmp_path / "lang" / "de" / "LC_MESSAGES" / "coach.po"
    blocks = [block for block in source.read_text(encoding="utf-8").split("\n\n") if '"coach.why.' not in block]
    blocks += ['#, fuzzy\nmsgid "coach.why.bonus"\nmsgstr "Bonus: {best} %"']
    blocks += ['#, fuzzy\nmsgid "coach.why.primes"\nmsgstr "{value_that_english_had} %"']
    source.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    catalogs.compile_all()
    with source.with_suffix(".mo").open("rb") as compiled:
        shown = GNUTranslations(compiled)
    assert shown.gettext("coach.why.bonus") == "Bonus: {best} %"
    assert shown.gettext("coach.why.primes") == "coach.why.primes"


def test_a_template_has_every_entry_with_its_english_and_where_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogs, "TEMPLATES", tmp_path)
    catalogs.extract()
    found: dict[str, Message] = {}
    for domain in DOMAINS:
        with (tmp_path / f"{domain}.pot").open("rb") as lines:
            found |= {key_of(message): message for message in read_po(lines, abort_invalid=True) if message.id}
    assert set(found) == set(english())
    language = found["web.settings.lang"]
    assert (language.auto_comments, forms(language)) == (["en: Language"], ("",))
    assert "src/knobel/web/static/language-choice.js" in [file for file, _ in language.locations]


# Numbers, lists and dates.


MINUS = "−"
"""The minus of every language, as in the browser; the tables of some have a hyphen."""
OWN_PERCENT = {"uk": "\u00a0%"}
"""Where schools and printers of a language set a percent sign otherwise than the tables: DSTU 3582 has a space."""


def writers(area: str) -> list[str]:
    """List the complete languages that have every entry of an area of how things are written."""
    wanted = {key for key in english() if key.startswith(f"interface.{area}.")}
    return [lang for lang in COMPLETE if wanted <= {key_of(message) for message in entries(lang)}]


class TestHowALanguageWrites:
    def test_numbers(self) -> None:
        for lang in writers("number"):
            self.check_numbers(lang)

    def check_numbers(self, lang: str) -> None:
        words, locale = Translator(lang), "en_GB" if lang == "en" else lang
        for value in (0, 0.5, 3.14159, 12.0, 256.5, 999.99, 10_000, 1_234_567.891, -0.25, -42, -12_345.6):
            for digits in (0, 1, 3):
                number = round(value, digits) + 0.0
                wanted = format_decimal(number, "#,##0" + f".{'0' * digits}" * bool(digits), locale)
                written = wanted.replace("-", MINUS).replace(get_minus_sign_symbol(locale), MINUS)
                assert words.format_number(FormattedNumber(number, digits)) == written
        percent = format_percent(0.42, None, locale).replace("%", OWN_PERCENT.get(lang, "%"))
        assert words.format_number(FormattedNumber(0.42, percent=True)) == percent
        assert words.format_number(FormattedNumber(3, signed=True)) == "+3"
        assert words.format_number(FormattedNumber(0.001, 2, signed=True)) == words.format_number(
            FormattedNumber(0.0, 2)
        )

    def test_lists(self) -> None:
        for lang in writers("list"):
            self.check_lists(lang)

    def check_lists(self, lang: str) -> None:
        locale = "en_GB" if lang == "en" else lang
        for names in (["Ada"], ["Ada", "Ben"], ["Ada", "Ben", "Cleo"], ["Ada", "Ben", "Cleo", "Dan"]):
            assert Translator(lang).format_value(tuple(names)) == format_list(names, locale=locale)
        assert Translator(lang).format_value(()) == ""

    def test_dates(self) -> None:
        for lang in writers("date"):
            self.check_dates(lang)

    def check_dates(self, lang: str) -> None:
        locale = "en_GB" if lang == "en" else lang
        for when in (datetime(2026, 1, 5, 9, 7), datetime(2026, 11, 16, 14, 30)):
            moment = when.timestamp()
            assert Translator(lang).format_date(moment) == format_skeleton("yMd", when, locale=locale)
            assert Translator(lang).format_time(moment) == format_skeleton("Hm", when, locale=locale)


def test_what_can_be_typed_is_listed_without_a_word_between() -> None:
    assert Translator("de")("errors.key_choice", file="f", key="k", value="v", allowed=("a", "b")).endswith("a, b.")


# Numbers inside a sentence.


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Value], str]:
    """Translate a sentence made here, in which a number has as many forms as the language has."""

    def said(lang: str, value: Value) -> str:
        plural = lang_room.read_plural_rule(lang_room.load_catalog("rules", lang))
        several = "|".join(f"# <{form}>" for form in range(get_plural(lang).num_plurals))
        sentence = "{who}: {points:" + several + "}, {points}"
        monkeypatch.setattr(lang_room, "find_sentence", lambda *_: (sentence, plural, False))
        return Translator(lang)("web.own", who="Ada", points=value)

    return said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_number_inside_a_sentence_takes_the_form_its_language_gives_it(
    lang: str, inline: Callable[[str, Value], str]
) -> None:
    rule = lang_room.load_catalog("rules", lang).plural  # type: ignore[attr-defined]
    for number in (*range(130), 1000, 1001, 1_000_000):
        wanted = f"Ada: {number} <{rule(number)}>, {number}"
        assert inline(lang, number) == inline(lang, str(number)) == wanted
        assert inline(lang, -number).replace("−", "-") == wanted.replace(str(number), str(-number))


@pytest.mark.parametrize(
    ("lang", "value", "form"),
    [
        ("en", "1.5", 1), ("en", "1.0", 1), ("de", "0,4", 1), ("fr", "1,5", 0), ("fr", "0.5", 0), ("fr", "2,1", 1),
        ("da", "1,5", 0), ("uk", "12.4", 2), ("pl", "1,5", 2), ("lv", "2,5", 1), ("en", "−1,5", 1), ("en", "many", 1),
        ("uk", "багато", 2), ("uk", "", 2),
    ],
)  # fmt: skip
def test_decimals_and_words_inside_a_sentence_take_a_form_too(
    lang: str, value: str, form: int, inline: Callable[[str, Value], str]
) -> None:
    assert inline(lang, value) == f"Ada: {value} <{form}>, {value}"


# What the code asks for.


@cache
def source() -> dict[str, ast.Module]:
    return {
        str(path.relative_to(SRC)): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SRC.rglob("*.py"))
    }


def strings(tree: ast.AST) -> Iterator[str]:
    """Walk over every string that is not a docstring; an f-string is one string with {} for its holes."""
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
            yield shape(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.value


def shape(node: ast.expr) -> str:
    """Write a string, or an f-string with {} for its holes; anything else is one hole."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(shape(part) for part in parts)
        case _:
            return "{}"


def is_key(text: str) -> bool:
    return bool(re.fullmatch(rf"({'|'.join(DOMAINS)})(\.[a-z0-9_{{}}]+)+", text))


@cache
def collect_strings() -> list[tuple[str, str]]:
    """Collect every string of the code with its file."""
    return [(file, text) for file, tree in source().items() for text in strings(tree)]


@cache
def collect_keys() -> frozenset[str]:
    """Collect every key, and every shape of a key, in the code."""
    return frozenset(text for _, text in collect_strings() if is_key(text))


@cache
def collect_calls() -> dict[str | None, list[ast.Call]]:
    """Collect all calls in the code by the name of the function."""
    found: dict[str | None, list[ast.Call]] = {}
    for tree in source().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
                found.setdefault(name, []).append(node)
    return found


def calls(*functions: str) -> Iterator[ast.Call]:
    """Find the calls of functions by name, whoever owns them."""
    return chain.from_iterable(collect_calls().get(name, ()) for name in functions)


def subclasses(root: type[KnobelError]) -> Iterator[type[KnobelError]]:
    for child in root.__subclasses__():
        yield child
        yield from subclasses(child)


ERRORS = [error for error in subclasses(KnobelError) if error.code]
COMMAND_LIST: list[Command] = [find_command(name) for name in COMMANDS]
TOPICS = [topic for topics in CHAPTERS.values() for topic in topics if topic not in PACKAGE_TOPICS]
SHAPES = {*PATTERNS, "all_alike", "pairs_same", "house_same", "run_from", "odd", "even"}
FEATURES = ("bonus", "joker", "prime", "second", "locked_dice", "must_fit", "chance", "announced", "yatzy")

VARIANTS: dict[str, Iterable[str]] = {
    "players": ("least", "between"),
    "start": STARTS,
    "keep": ("free", "locked", "once"),
    "order": ORDERS,
    "zero": ("free", "after_chance", "no_fit"),
    "chance": (*CHANCE_RULES, "fit", "missed", "in_turn"),
    "bonus": ("reached", "strict"),
    "joker": set(JOKERS) - {"none"},
    "forced_zero": FORCED_ZEROS,
    "leave": ("on", "last"),
    "series": SERIES_KINDS,
}
"""The topics of the rules that are said in several ways."""

ROUND_TOPICS = {article.topic for article in build_round_articles(load_edition("carlit-chicago").rules("de"))}
"""The articles of a game of rounds."""

PACKAGES = [package for name in edition_ids() if (package := load_edition(name).package)]

ENDINGS = get_args(get_type_hints(Closed)["why"])
BOT_KEYS = {format_bot_key(bot) for family in BOT_FAMILIES.values() for bot in family.offered}


def is_said_of_rounds_alone(topic: str) -> bool:
    return topic in ROUND_TOPICS and f"rules.{topic}" not in english() and topic not in VARIANTS


def list_first_arguments(function: str) -> list[tuple[str, ...]]:
    """List what a function is called with first, wherever it is called."""
    return [(shape(call.args[0]),) for call in calls(function)]


def refusals() -> set[str]:
    """Collect why somebody cannot come, go or show a seed, as the replay says it."""
    functions = [
        node
        for node in ast.walk(source()["record/attendance.py"])
        if isinstance(node, ast.FunctionDef) and node.name in {"refuse_seed", "refuse_person"}
    ]
    assert len(functions) == 2
    nodes = (node for function in functions for node in ast.walk(function))
    returned = (node.value for node in nodes if isinstance(node, ast.Return) and node.value)
    return {text for value in returned for text in strings(value) if re.fullmatch(r"[a-z_]+", text)}


def find_placeholders() -> set[str]:
    """Collect what stands for a word to type: in the help of commands and at the table, and before any command."""
    typed = [
        example for table in (SHEET_COMMANDS, ROUND_COMMANDS) for one in table.commands for example, _ in one.help_keys
    ]
    typed += [item.name.upper() for command in COMMAND_LIST for item in command.arguments]
    typed += [item.metavar for command in COMMAND_LIST for item in command.options]
    return {word for one in typed for word in PLACEHOLDER.findall(one)} | {"COMMAND"}


BOX_IDS = {box.id for name in SHEETS for box in load_edition(name).rules().boxes}
LESSONS = [lesson for family in LEARNING_FAMILIES.values() for lesson in family.lessons]
FAMILIES: dict[str, Iterable[tuple[str, ...]] | Callable[[], Iterable[tuple[str, ...]]]] = {
    "errors.{}": [(error.code,) for error in ERRORS],
    "errors.kind.{}": lambda: list_first_arguments("wrong_type_error"),
    "interface.{}.about": product(COMMANDS),
    "interface.{}.example": product(COMMANDS),
    "interface.games.{}": product(("running", "closed", "damaged")),
    "interface.stats.{}": product((*FIELDS, *MORE_FIELDS, *PERSON_FIELDS)),
    "interface.narration.{}": [(why,) for why in ENDINGS if why != "over"],
    "interface.play.{}": lambda: [*list_first_arguments("confirm"), *product(("kept", "kept_all", "kept_real"))],
    "interface.play.help.{}": {
        (key,)
        for table in (SHEET_COMMANDS, ROUND_COMMANDS)
        for command in table.commands
        for _, key in command.help_keys
    },
    "interface.rounds.tied.{}": product((START, WORST, BEST, GIVER)),
    "interface.rounds.follow.{}": product(AIMS),
    "interface.rounds.stands.{}": product(AIMS),
    "interface.advise.stand_{}": product(AIMS),
    "coach.class.{}": {(name,) for _, name in LEVELS},
    "coach.grade.{}": {(name,) for _, name in DECISION_GRADES},
    "coach.luck.{}": product(LUCK_GRADES),
    "coach.report.{}": product({"part", "then", *NOTE_COLUMNS, *PLAYER_COLUMNS, *SHEET_COLUMNS, *ROUND_COLUMNS}),
    "coach.report.headline_{}": product((POINTS, PERCENT, ROUNDS, REST)),
    "coach.report.in_{}": product((POINTS, PERCENT)),
    "coach.report.part_{}": product((WHOLE_GAME, SINGLE_ROUND)),
    "coach.report.rate_{}": product((POINTS, PERCENT)),
    "coach.report.loss_{}": product((POINTS, PERCENT)),
    "coach.report.adjusted_{}": product((POINTS, PERCENT, ROUNDS, REST)),
    "coach.plan.{}": product(PLANS),
    "coach.puzzle.ask_{}": product(AIMS),
    "coach.theme.{}": product(THEMES),
    "coach.lesson.{}": {(lesson.key,) for lesson in LESSONS if lesson.theme is None},
    "coach.lesson.{}.{}": product({lesson.words or lesson.key for lesson in LESSONS}, SENTENCES),
    "coach.lesson.without.{}": product(MISSING),
    "web.practice.worth_{}": product((POINTS, PERCENT)),
    "interface.puzzle.cost_{}": product((POINTS, PERCENT)),
    "coach.why.away_{}": product((WHOLE_GAME, SINGLE_ROUND)),
    "coach.why.{}": product((*AMOUNTS, *WAYS, *(f"but_{way}" for way in WAYS), *GROUPS, *BONUSES)),
    "coach.why.but_{}": product(AMOUNTS),
    "interface.argument.{}": {(item.name,) for command in COMMAND_LIST for item in command.arguments},
    "interface.placeholder.{}": {(word.lower(),) for word in find_placeholders()},
    "interface.option.{}": {(item.help_key,) for command in COMMAND_LIST for item in (*command.options, HELP)},
    "paper.wants.{}": product(SHAPES),
    "paper.pays.{}{}": set(product(COUNTS, ("", "_plus"))) - {("nothing", "_plus")},
    "rules.term.announce_{}": product(AIMS),
    "web.remark.{}": product(get_args(Remark)),
    "web.pace.{}": product(("ahead", "on", "behind")),
    "rules.{}": lambda: [(topic,) for topic in TOPICS if topic not in VARIANTS and not is_said_of_rounds_alone(topic)],
    "rules.rounds.{}": [(topic,) for topic in ROUND_TOPICS],
    "rules.{}.{}": [(topic, variant) for topic, variants in VARIANTS.items() for variant in variants],
    "rules.chapter.{}": product(CHAPTERS),
    "rules.hint.{}": {(hint,) for package in PACKAGES for hint in package.hints},
    "rules.item.{}": product(ITEMS),
    "rules.language.{}": product(LANGUAGES),
    "rules.line.{}": {(line,) for name in edition_ids() for line in load_edition(name).lines.values()},
    "rules.name.{}": product(BOX_IDS),
    "rules.named.{}": product(SHAPES),
    "rules.pattern.{}": product({*SHAPES, "group_highest"}),
    "rules.points.{}{}": set(product(COUNTS, ("", "_plus"))) - {("nothing", "_plus")},
    "rules.refusal.{}": lambda: product(refusals()),
    "rules.special.{}": product((*FEATURES, "rounds", "chicago")),
    "interface.typed.{}": {
        *product((*AIMS, *ANSWERS, "start")),
        *((one.word,) for table in (SHEET_COMMANDS, ROUND_COMMANDS) for one in table.commands if one.word),
    },
    "interface.room.{}": product(("back", "lost")),
    "rules.switch.{}": {(name,) for known in RULES_FAMILIES.values() for name in known.switches},
    "rules.term.{}": lambda: list_first_arguments("build_sum_line"),
    "rules.topic.{}": [(topic,) for topic in TOPICS if topic != "box"],
    "web.bot.{}": product(BOT_KEYS),
    "web.bot.{}.about": product(BOT_KEYS),
    "web.agree.start.{}": product(AGREED_STARTS),
    "web.end.{}": [(why,) for why in ENDINGS if why != "over"],
    "web.hint.best_{}": product((POINTS, PERCENT)),
    "web.hint.ledger_{}": product((POINTS, PERCENT, ROUNDS)),
    "web.hint.may.{}": product(QUESTIONS.values()),
    "web.hint.may.{}_yes": product(QUESTIONS.values()),
    "web.review.headline_{}": product((POINTS, PERCENT, ROUNDS, REST)),
    "web.rounds.{}": product(AIMS),
    "web.rounds.aim.{}": product(AIMS),
    "web.rounds.stand_{}": product(AIMS),
    "web.rounds.tie.{}": product((START, WORST, BEST, GIVER)),
    "web.settings.{}": product(CHOICES),
    "web.settings.{}.{}": {
        (name, value) for name, values in CHOICES.items() for value in values if (name, value) not in OWN_WORDS
    },
    "web.switch.{}": {(name,) for known in RULES_FAMILIES.values() for name in known.switches},
    "web.switch.{}.{}": {
        (name, value)
        for known in RULES_FAMILIES.values()
        for name, switch in known.switches.items()
        for value in switch.values
        if value not in ("true", "false")
    },
}
"""The keys that code builds, and the registry that fills each hole."""


@cache
def list_built_keys() -> dict[str, list[str]]:
    """List for each way to build a key the keys it builds; those that take the code are asked for only now."""
    families = {key: family() if callable(family) else family for key, family in FAMILIES.items()}
    return {key: [key.format(*values) for values in family] for key, family in families.items()}


def test_every_way_to_build_a_key_is_known_here() -> None:
    assert {key for key in collect_keys() if "{}" in key} == set(FAMILIES)


def test_every_key_that_is_built_is_in_the_english_catalog() -> None:
    built = list_built_keys()
    assert [family for family, keys in built.items() if not keys] == []
    assert {key for keys in built.values() for key in keys} - set(english()) == set()


def test_every_key_that_is_written_out_is_in_the_english_catalog() -> None:
    assert {key for key in collect_keys() if "{}" not in key} - set(english()) == set()


def test_every_phrase_is_of_a_domain_that_has_a_catalog() -> None:
    said = {shape(call.args[0]) for call in calls("phrase", "words", "here", "there") if call.args}
    assert {key for key in said if re.match(r"\w+\.", key) and not is_key(key)} == set()


# What the browser asks for.

STATIC = SRC / "web" / "static"


@cache
def browser() -> tuple[set[str], set[str]]:
    """Collect what the pages may ask for: every key that is written out, and every one with holes, as a pattern."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js")))
    keys = set(re.findall(r"[\"'`]([a-z][a-z_]*(?:\.[a-z0-9_]+)+)[\"'`]", code))
    built = set(re.findall(r"`([a-z][a-z_]*\.[a-z0-9_.]*\$\{[^`]*\}[a-z0-9_.]*)`", code))
    return {f"web.{key}" for key in keys}, {
        re.sub(r"\\\$\\\{.*?\\\}", "[a-z0-9_]+", re.escape(f"web.{key}")) for key in built
    }


def test_every_key_the_pages_write_out_is_in_the_english_catalog() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js")))
    said = {f"web.{key}" for key in re.findall(r"\bt\(\"([a-z0-9_.]+)\"", code)}
    assert said
    assert said - set(english()) == set()


def test_no_page_builds_a_key_nobody_has() -> None:
    kept_elsewhere = ("web\\.web\\.", "web\\.knobel\\.")
    built = {one for one in browser()[1] if not one.startswith(kept_elsewhere)}
    assert {one for one in built if not any(re.fullmatch(one, key) for key in english())} == set()


def list_imported_modules(module: str) -> set[str]:
    """List the modules that a module imports when it is loaded, directly or not."""
    found, waiting = set(), [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += re.findall(
                r"^import (?:[^;]*? from )?\"\./([\w.-]+)\"", (STATIC / name).read_text("utf-8"), re.M
            )
    return found


def test_no_page_says_what_it_has_not_fetched_yet() -> None:
    first, table = list_imported_modules("app.js"), list_imported_modules("table.js")
    assert "app.js" in first - table
    for modules, parts in ((first, ("",)), (table - first, ("", "table"))):
        code = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in sorted(modules))
        keys = {f"web.{key}" for key in re.findall(r"\bt\(\"([a-z0-9_.]+)\"", code)}
        assert keys
        assert {key for key in keys if find_part(key) not in parts} == set()


def test_no_english_key_is_idle() -> None:
    keys, built = browser()
    used = collect_keys().union(keys, *list_built_keys().values())
    idle = {key for key in set(english()) - used if not any(re.fullmatch(one, key) for one in built)}
    assert {key for key in idle if not key.startswith(tuple(IDLE))} == set()
    assert {start for start in IDLE if not any(key.startswith(start) for key in idle)} == set()


def test_a_sentence_gets_every_value_it_asks_for() -> None:
    short = {}
    for call in calls("phrase", "words", "here", "there", "make_article"):
        key = shape(call.args[0]) if call.args else ""
        given = {keyword.arg for keyword in call.keywords}
        if key in english() and None not in given:
            short[key] = set().union(*map(holes, english()[key])) - given - set(PRINTED_NAMES)
    assert {key: names for key, names in short.items() if names} == {}


# Errors.


def test_error_codes_are_unique_and_every_leaf_has_one() -> None:
    assert len({error.code for error in ERRORS}) == len(ERRORS)
    assert [error for error in subclasses(KnobelError) if not error.__subclasses__() and not error.code] == []


def test_the_sentence_of_an_error_asks_only_for_what_it_needs() -> None:
    more = {error.code: asks(english()[f"errors.{error.code}"]) - set(error.needs) for error in ERRORS}
    assert {code: names for code, names in more.items() if names} == {}


@pytest.mark.parametrize("lang", ["en", "lt", "ru"])
@pytest.mark.parametrize("number", [1, 7])
def test_every_error_is_said_in_one_line(lang: str, number: int) -> None:
    words, said = Translator(lang), {}
    for error in ERRORS:
        values: dict[str, Value] = {name: number if name == "n" else f"<{name}>" for name in error.needs}
        if "known" in values:
            values["known"] = ("one", "two")
        said[error.code] = words.describe_error(error(**values))
    assert {code: line for code, line in said.items() if not line.strip() or set("{}\n") & set(line)} == {}


# Rules.


def every_ruleset() -> Iterator[SheetRules]:
    """Give the rules of every sheet, text and single switch, and of every example."""
    for name in (*SHEETS, *EXAMPLES):
        edition = load_edition(name)
        for text in edition.printed if edition.publisher else ("en",):
            yield edition.rules(text)
            for switch, kind in SHEET_SWITCHES.items():
                yield from (edition.rules(text, {switch: value}) for value in kind.values)


def keys_within(said: Phrase) -> Iterator[str]:
    yield said.key
    for value in said.values.values():
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Phrase):
                yield from keys_within(part)


def test_what_the_rules_say_is_among_the_known_keys() -> None:
    said = {
        key
        for rules in every_ruleset()
        for part in (
            *(item.phrase for item in build_sheet_articles(rules)),
            *(name_by_pattern(box, rules) for box in rules.boxes),
        )
        for key in keys_within(part)
    }
    assert said - set().union(*list_built_keys().values()) == set()


@pytest.mark.parametrize("text", load_edition("carlit-chicago").printed)
def test_what_the_rules_of_rounds_say_is_among_the_known_keys(text: str) -> None:
    edition = load_edition("carlit-chicago")
    told = build_round_articles(edition.rules(text))
    said = {key for item in told for key in keys_within(item.phrase)}
    cited = {key for item in told for key in keys_within(cite_article(edition, text, item))}
    assert said - set().union(*list_built_keys().values()) == set()
    assert cited <= set(english())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_of_rounds_can_be_said(lang: str) -> None:
    edition = load_edition("carlit-chicago")
    words = Translator(lang, edition)
    for text in edition.printed:
        told = build_round_articles(edition.rules(text))
        said = [words.translate(item.phrase) for item in told]
        said += [words.translate(cite_article(edition, text, item)) for item in told]
        said += [words.translate(special) for special in list_specials(edition)]
        assert all(said)
        assert not set("{}") & set("".join(said))


@pytest.mark.solve
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_of_every_box_and_example_can_be_said(lang: str) -> None:
    for name in (*SHEETS, *EXAMPLES):
        words = Translator(lang, load_edition(name))
        said = [words.translate(article.phrase) for article in build_sheet_articles(load_edition(name).rules())]
        said += [words.translate(special) for special in list_specials(load_edition(name))]
        assert all(said)
        assert not set("{}") & set("".join(said))


# Names as printed.

TRADE_NAMES = {"mb-yahtzee": "Yahtzee", "hasbro-yahtzee": "Yahtzee", "philos-yatzi": "Yatzi"}
"""What these editions call their box for five alike, in every language (ruling E-19)."""


def trade_names(edition: str) -> dict[str, str]:
    return {"yatzy": TRADE_NAMES[edition]} if edition in TRADE_NAMES else {}


@pytest.mark.parametrize("name", SHEETS)
def test_the_boxes_of_an_edition_are_named_as_the_glossary_prints_them_no_two_alike(name: str) -> None:
    boxes = [box.id for box in load_edition(name).rules().boxes]
    for lang in LANGUAGES:
        words = Translator(lang, load_edition(name))
        printed = GLOSSARY[lang] | trade_names(name) | GLOSSARY["editions"].get(name, {}).get(lang, {})
        named = {box: words.name_box(box) for box in boxes}
        assert named == {box: printed[box] for box in boxes}, lang
        assert all(map(str.strip, named.values())), lang
        assert len(set(map(str.casefold, named.values()))) == len(boxes), lang


def printed_terms(edition: str, lang: str) -> dict[str, str]:
    """Give the terms an edition prints; its trade name stands in the English catalog, for all languages."""
    own: dict[str, str] = GLOSSARY["editions"].get(edition, {}).get(lang, {})
    return own | (trade_names(edition) if lang == "en" else {})


def term_key(term: str) -> str:
    """Give the key of a term of the glossary: a box has a name, anything else is a term."""
    return f"rules.{'name' if term in BOX_IDS else 'term'}.{term}"


def terms(printed: Mapping[str, str]) -> dict[str, str]:
    """Give the terms of the glossary by key; the title of an edition is not in the catalogs."""
    return {term_key(term): word for term, word in printed.items() if term != "title"}


EDITION_TERMS = {
    key
    for printed in GLOSSARY["editions"].values()
    for words in printed.values()
    for key in terms(words)
    if key not in terms(GLOSSARY["en"])
}
"""Terms that only some editions print; complete languages have a word for them where they are asked for."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_has_exactly_the_terms_of_the_glossary(lang: str) -> None:
    own = {key_of(message): message.string for message in entries(lang) if not message.context}
    found = {key: word for key, word in own.items() if key.startswith(("rules.name.", "rules.term."))}
    wanted = terms(GLOSSARY[lang])
    assert {key: word for key, word in found.items() if key in wanted or key not in EDITION_TERMS} == wanted


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_edition_overrides_exactly_what_its_box_prints_differently(lang: str) -> None:
    base = terms(GLOSSARY[lang])
    wanted = {
        (edition, key): word
        for edition in edition_ids()
        for key, word in terms(printed_terms(edition, lang)).items()
        if word != base.get(key)
    }
    assert {(m.context, key_of(m)): m.string for m in entries(lang) if m.context} == wanted


@pytest.mark.parametrize("name", edition_ids())
def test_an_edition_has_the_printed_title(name: str) -> None:
    printed = GLOSSARY["editions"].get(name, {})
    assert {load_edition(name).title} == {words["title"] for words in printed.values()} or not printed
    assert load_edition(name).title.strip()


@pytest.mark.parametrize("lang", load_edition("carlit-chicago").printed)
def test_the_terms_of_the_rounds_are_those_that_the_box_prints(lang: str) -> None:
    words = Translator(lang, load_edition("carlit-chicago"))
    printed = terms(GLOSSARY["editions"]["carlit-chicago"][lang])
    assert {"rules.term.chip", "rules.term.kitty", "rules.term.opener", "rules.term.chicago"} <= set(printed)
    assert {key: words.find_term(key) for key in printed} == printed


def test_a_house_rule_keeps_the_words_of_the_box_it_extends() -> None:
    house = load_edition(str(ROOT / "examples" / "house-rules" / "four-rolls.toml"))
    base = load_edition(str(house.base))
    for lang, box in product(LANGUAGES, (box.id for box in house.rules().boxes)):
        assert Translator(lang, house).name_box(box) == Translator(lang, base).name_box(box)


# What bypasses the catalogs.


READ_BY_SHELLS = "cli/shell_scripts.py"
"""Its words are those of shells; what people read in a completion comes from the catalogs."""


def test_no_string_with_words_bypasses_lang() -> None:
    written = [(file, text) for file, text in collect_strings() if file != READ_BY_SHELLS]
    worded = [(file, text) for file, text in written if re.search(r"^[^<]*[^\W\d_]+ [^\W\d_]+", text)]
    assert {text for _, text in worded} >= set(BYPASSES)
    assert [(file, text) for file, text in worded if text not in BYPASSES and not STYLE.fullmatch(text)] == []


def test_nothing_is_written_to_the_screen_in_words_of_the_code() -> None:
    written = {
        shape(argument) for call in calls("say", "say_paragraph", "say_hanging", "print") for argument in call.args
    }
    assert {text for text in written if re.search(r"[^\W\d_]{2}", text)} == set()


def test_a_string_that_bypasses_lang_would_be_found() -> None:
    tree = ast.parse("'''A docstring is fine.'''\nsay(f'You have {n} points left')\nraise ValueError('no such box')")
    assert list(strings(tree)) == ["You have {} points left", "no such box"]


# Choosing a language.


@pytest.mark.parametrize("asked_for", LANGUAGES)
def test_a_language_that_is_asked_for_is_spoken(asked_for: str) -> None:
    assert choose_language(asked_for, {"LANGUAGE": "fi", "LC_ALL": "sv_SE.UTF-8"}) == asked_for


@pytest.mark.parametrize("asked_for", ["nb", "nn"])
def test_both_forms_of_norwegian_are_norwegian(asked_for: str) -> None:
    assert choose_language(asked_for, {}) == "no"


@pytest.mark.parametrize("asked_for", ["xx", "", "dee", "DE", "de_DE", "english"])
def test_an_unknown_language_is_an_error_that_names_it_and_the_known_ones(asked_for: str) -> None:
    with pytest.raises(UnknownLanguage) as raised:
        choose_language(asked_for, {"LANG": "de_DE.UTF-8"})
    assert raised.value.values == {"name": asked_for, "known": sort_languages()}


@pytest.mark.parametrize(
    ("environment", "spoken"),
    [
        ({}, "en"),
        ({"LANG": "da_DK.UTF-8"}, "da"),
        ({"LANG": "nb_NO.UTF-8"}, "no"),
        ({"LANG": "nn_NO"}, "no"),
        ({"LANG": "no_NO"}, "no"),
        ({"LANG": "uk"}, "uk"),
        ({"LANG": "de_AT.UTF-8@euro"}, "de"),
        ({"LANG": "de@euro"}, "de"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "xx_BR.UTF-8"}, "en"),
        ({"LANG": ""}, "en"),
        ({"LC_MESSAGES": "fr_CH.UTF-8", "LANG": "de_CH.UTF-8"}, "fr"),
        ({"LC_ALL": "it_CH.UTF-8", "LC_MESSAGES": "fr_CH.UTF-8", "LANG": "de_CH.UTF-8"}, "it"),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "de_CH.UTF-8"}, "de"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "xy_JP.UTF-8", "LANG": "de_DE.UTF-8"}, "en"),
        ({"LANGUAGE": "fi", "LC_ALL": "sv_FI.UTF-8"}, "fi"),
        ({"LANGUAGE": "xy:nn:sv", "LANG": "da_DK.UTF-8"}, "no"),
        ({"LANGUAGE": "xy:xz", "LANG": "da_DK.UTF-8"}, "da"),
        ({"LANGUAGE": "", "LANG": "da_DK.UTF-8"}, "da"),
    ],
    ids=lambda value: " ".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else value,
)
def test_the_machine_chooses_the_words_if_nobody_asks(environment: dict[str, str], spoken: str) -> None:
    assert choose_language(None, environment) == spoken


def test_a_compiled_catalog_says_nothing_of_when_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for lang in ("en", "de"):
        (tmp_path / lang / "LC_MESSAGES").mkdir(parents=True)
        shutil.copy(SRC / "lang" / lang / "LC_MESSAGES" / "paper.po", tmp_path / lang / "LC_MESSAGES")
    folder = tmp_path / "de" / "LC_MESSAGES"
    monkeypatch.setattr(catalogs, "LANG", tmp_path)
    catalogs.compile_all()
    compiled = (folder / "paper.mo").read_bytes()
    assert b"Date:" not in compiled
    assert b"Generated-By:" not in compiled
    assert b"X-Categories:" in compiled
    assert compiled == (SRC / "lang" / "de" / "LC_MESSAGES" / "paper.mo").read_bytes()


def test_compiling_never_leaves_a_catalog_half_written_for_a_program_that_runs(tmp_path: Path) -> None:
    compiled = tmp_path / "web.mo"
    catalogs.replace_if_changed(compiled, b"first")
    written = compiled.stat()
    catalogs.replace_if_changed(compiled, b"first")
    assert compiled.stat().st_ino == written.st_ino
    with compiled.open("rb") as reader:
        catalogs.replace_if_changed(compiled, b"second")
        assert (reader.read(), compiled.read_bytes()) == (b"first", b"second")
    assert list(tmp_path.iterdir()) == [compiled]
