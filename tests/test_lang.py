"""Every sentence goes through the catalogs: nothing missing, nothing idle, nothing that bypasses them."""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from string import Formatter
from typing import Any, get_args, get_type_hints

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from knobel.bots import BOTS
from knobel.cli import COMMANDS, find
from knobel.cli.line import HELP, Command
from knobel.cli.round_talk import RoundTalk
from knobel.cli.sheet_talk import SheetTalk
from knobel.errors import KnobelError, UnknownLanguage
from knobel.games.round_state import AIMS, BEST, GIVER, START, WORST
from knobel.lang import LANGUAGES, Words, language
from knobel.phrase import Phrase, Value
from knobel.record.events import Closed
from knobel.review.grades import CLASSES, DECISIONS, LUCKS
from knobel.review.ledger import PERCENT, POINTS
from knobel.review.report import HEADS
from knobel.review.rounds import ROUND, WHOLE
from knobel.rules import editions, load
from knobel.rules.articles import articles, short_name, specials
from knobel.rules.leaflet import CHAPTERS
from knobel.rules.round_articles import round_articles, round_source
from knobel.rules.ruleset import SheetRules
from knobel.rules.schema import CHANCE_RULES, FORCED_ZEROS, JOKERS, ORDERS, SERIES, STARTS
from knobel.rules.scoring import COUNTS, PATTERNS
from knobel.rules.switches import SWITCHES, VALUES
from knobel.web.cards import LEVELS
from knobel.web.cards import key_of as key_of_level

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src" / "knobel"
CATALOGS = sorted((SRC / "lang").glob("*/LC_MESSAGES/*.po"))
DOMAINS = sorted(path.stem for path in CATALOGS if path.parts[-3] == "en")
GLOSSARY: dict[str, Any] = json.loads((ROOT / "tests" / "golden" / "glossary.json").read_text(encoding="utf-8"))
SHEETS = [name for name in editions() if load(name).family == "sheet"]
EXAMPLES = sorted(str(path) for path in (ROOT / "examples" / "house-rules").glob("*.toml"))

IDLE = {
    "rules.term.": "terms of the printed sheet, straight from the glossary, for pads and windows to come",
}
"""English keys nothing asks for yet, by their beginning, and why they are there."""

BYPASSES = {
    "a BOX": "typed at the table",
    "s BOX": "typed at the table",
    "x BOX": "typed at the table",
    "w BOX 18": "typed at the table",
    "s over": "typed at the table",
    "s under": "typed at the table",
}
"""Strings with words in them that are the same in every language, and why."""


# The catalogs themselves.


@cache
def catalog(path: Path) -> Catalog:
    with path.open("rb") as lines:
        return read_po(lines, locale=path.parts[-3], abort_invalid=True)


def entries(lang: str) -> Iterator[Message]:
    """Walk over every entry of a language except the headers."""
    for path in CATALOGS:
        if path.parts[-3] == lang:
            yield from (message for message in catalog(path) if message.id)


def forms(message: Message) -> tuple[str, ...]:
    """Give every form of a sentence: one, or one for each plural."""
    return tuple(message.string) if isinstance(message.string, tuple | list) else (message.string or "",)


def key_of(message: Message) -> str:
    return str(message.id[0] if isinstance(message.id, tuple | list) else message.id)


def holes(sentence: str) -> set[str]:
    """Name the placeholders of a sentence."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@cache
def english() -> dict[str, tuple[str, ...]]:
    return {key_of(message): forms(message) for message in entries("en") if not message.context}


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
class TestACatalog:
    def test_it_has_the_plurals_of_its_language(self, path: Path) -> None:
        assert catalog(path).num_plurals == get_plural(path.parts[-3]).num_plurals

    def test_it_has_no_fuzzy_empty_or_forgotten_entry(self, path: Path) -> None:
        assert [message.id for message in catalog(path) if message.id and message.fuzzy] == []
        assert [message.id for message in catalog(path) if message.id and not all(forms(message))] == []
        assert list(catalog(path).obsolete) == []

    def test_its_plural_entries_are_complete(self, path: Path) -> None:
        plurals = [message for message in catalog(path) if message.id and message.pluralizable]
        assert [message.id for message in plurals if len(forms(message)) != catalog(path).num_plurals] == []

    def test_its_keys_are_of_its_domain_and_known_in_english(self, path: Path) -> None:
        plain = {key_of(message) for message in catalog(path) if message.id and not message.context}
        assert {key for key in plain if key.partition(".")[0] != path.stem} == set()
        assert plain <= set(english())

    def test_its_sentences_ask_for_nothing_the_english_does_not(self, path: Path) -> None:
        own = {key_of(message): forms(message) for message in catalog(path) if message.id and not message.context}
        for key, sentences in own.items():
            assert set().union(*map(holes, sentences)) <= set().union(*map(holes, english()[key]))


def test_there_is_a_rules_catalog_for_each_of_the_17_languages() -> None:
    assert {path.parts[-3] for path in CATALOGS if path.stem == "rules"} == set(LANGUAGES)
    assert len(LANGUAGES) == 17


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


def asked() -> set[str]:
    """Collect every key, and every shape of a key, in the code."""
    return {text for tree in source().values() for text in strings(tree) if is_key(text)}


def calls(*functions: str) -> Iterator[ast.Call]:
    """Find the calls of functions by name, whoever owns them."""
    for tree in source().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
                if name in functions:
                    yield node


def subclasses(root: type[KnobelError]) -> Iterator[type[KnobelError]]:
    for child in root.__subclasses__():
        yield child
        yield from subclasses(child)


ERRORS = [error for error in subclasses(KnobelError) if error.code]
COMMAND_LIST: list[Command] = [find(name) for name in COMMANDS]
TOPICS = [topic for topics in CHAPTERS.values() for topic in topics]
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
    "series": SERIES,
}
"""The topics of the rules that are said in several ways."""

ROUND_TOPICS = {article.topic for article in round_articles(load("carlit-chicago").round_rules("de"))} - {"players"}
"""The articles of a game of rounds; how many can play is said as in any game."""
ROUNDS_ALONE = {topic for topic in ROUND_TOPICS if f"rules.{topic}" not in english() and topic not in VARIANTS}

ENDINGS = get_args(get_type_hints(Closed)["why"])
LEVEL_KEYS = {key_of_level(level) for kinds in BOTS.values() for kind in kinds for level in LEVELS.get(kind, (kind,))}


def refusals() -> set[str]:
    """Collect why somebody cannot come, go or show a seed, as the replay says it."""
    (function,) = (
        node
        for node in ast.walk(source()["record/replay.py"])
        if isinstance(node, ast.FunctionDef) and node.name == "refuse_attending"
    )
    returned = (node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value)
    return {text for value in returned for text in strings(value) if re.fullmatch(r"[a-z_]+", text)}


FAMILIES: dict[str, Iterable[tuple[str, ...]]] = {
    "errors.{}": [(error.code,) for error in ERRORS],
    "errors.kind.{}": [(shape(call.args[0]),) for call in calls("wrong_kind")],
    "interface.{}.about": product(COMMANDS),
    "interface.{}.example": product(COMMANDS),
    "interface.doctor.{}": product(("well", "unwell")),
    "interface.games.{}": product(("running", "closed")),
    "interface.told.{}": [(why,) for why in ENDINGS if why != "over"],
    "interface.play.{}": [(shape(call.args[1]),) for call in calls("sure")],
    "interface.play.help.{}": {(name,) for talk in (SheetTalk, RoundTalk) for name in talk.helps.values()},
    "interface.rounds.tied.{}": product((START, WORST, BEST, GIVER)),
    "interface.rounds.follow.{}": product(AIMS),
    "interface.rounds.stands.{}": product(AIMS),
    "interface.advise.stand_{}": product(AIMS),
    "coach.class.{}": {(name,) for _, name in CLASSES},
    "coach.grade.{}": {(name,) for _, name in DECISIONS},
    "coach.luck.{}": product(LUCKS),
    "coach.report.{}": product(HEADS),
    "coach.report.headline_{}": product((POINTS, PERCENT)),
    "coach.report.in_{}": product((POINTS, PERCENT)),
    "coach.report.part_{}": product((WHOLE, ROUND)),
    "coach.why.away_{}": product((WHOLE, ROUND)),
    "interface.argument.{}": {(item.name,) for command in COMMAND_LIST for item in command.arguments},
    "interface.option.{}": {(item.key,) for command in COMMAND_LIST for item in (*command.options, HELP)},
    "paper.wants.{}": product(SHAPES),
    "paper.pays.{}{}": set(product(COUNTS, ("", "_plus"))) - {("nothing", "_plus")},
    "rules.term.announce_{}": product(AIMS),
    "rules.{}": [(topic,) for topic in TOPICS if topic not in VARIANTS and topic not in ROUNDS_ALONE],
    "rules.rounds.{}": [(topic,) for topic in ROUND_TOPICS],
    "rules.{}.{}": [(topic, variant) for topic, variants in VARIANTS.items() for variant in variants],
    "rules.chapter.{}": product(CHAPTERS),
    "rules.language.{}": product(LANGUAGES),
    "rules.name.{}": {(box.id,) for name in SHEETS for box in load(name).rules().boxes},
    "rules.named.{}": product(SHAPES),
    "rules.pattern.{}": product({*SHAPES, "group_highest"}),
    "rules.points.{}{}": set(product(COUNTS, ("", "_plus"))) - {("nothing", "_plus")},
    "rules.refusal.{}": product(refusals()),
    "rules.special.{}": product(FEATURES),
    "rules.switch.{}": {(name,) for known in VALUES.values() for name in known},
    "rules.term.{}": [(shape(call.args[0]),) for call in calls("sum_row")],
    "rules.topic.{}": [(topic,) for topic in TOPICS if topic != "box"],
    "web.bot.{}": product(LEVEL_KEYS),
    "web.bot.{}.about": product(LEVEL_KEYS),
}
"""The keys that code builds, and the registry that fills each hole."""

BUILT = {key: [key.format(*values) for values in family] for key, family in FAMILIES.items()}


def test_every_way_to_build_a_key_is_known_here() -> None:
    assert {key for key in asked() if "{}" in key} == set(FAMILIES)


@pytest.mark.parametrize("family", BUILT)
def test_every_key_that_is_built_is_in_the_english_catalog(family: str) -> None:
    assert BUILT[family]
    assert set(BUILT[family]) - set(english()) == set()


def test_every_key_that_is_written_out_is_in_the_english_catalog() -> None:
    assert {key for key in asked() if "{}" not in key} - set(english()) == set()


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


def test_no_english_key_is_idle() -> None:
    keys, built = browser()
    used = asked().union(keys, *BUILT.values())
    idle = {key for key in set(english()) - used if not any(re.fullmatch(one, key) for one in built)}
    assert {key for key in idle if not key.startswith(tuple(IDLE))} == set()
    assert {start for start in IDLE if not any(key.startswith(start) for key in idle)} == set()


def test_a_sentence_gets_every_value_it_asks_for() -> None:
    short = {}
    for call in calls("phrase", "words", "here", "there", "article"):
        key = shape(call.args[0]) if call.args else ""
        given = {keyword.arg for keyword in call.keywords}
        if key in english() and None not in given:
            short[key] = set().union(*map(holes, english()[key])) - given
    assert {key: names for key, names in short.items() if names} == {}


# Errors.


def test_error_codes_are_unique_and_every_leaf_has_one() -> None:
    assert len({error.code for error in ERRORS}) == len(ERRORS)
    assert [error for error in subclasses(KnobelError) if not error.__subclasses__() and not error.code] == []


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.code)
class TestAnError:
    def test_its_sentence_asks_only_for_what_it_needs(self, error: type[KnobelError]) -> None:
        for sentence in english()[f"errors.{error.code}"]:
            assert holes(sentence) <= set(error.needs)

    @pytest.mark.parametrize("lang", ["en", "lt", "ru"])
    @pytest.mark.parametrize("number", [1, 7])
    def test_it_is_said_in_one_line(self, error: type[KnobelError], lang: str, number: int) -> None:
        values: dict[str, Value] = {name: number if name == "n" else f"<{name}>" for name in error.needs}
        if "known" in values:
            values["known"] = ("one", "two")
        said = Words(lang).error(error(**values))
        assert said.strip()
        assert not set("{}\n") & set(said)


# Rules.


def every_ruleset() -> Iterator[SheetRules]:
    """Give the rules of every sheet, text and single switch, and of every example."""
    for name in (*SHEETS, *EXAMPLES):
        edition = load(name)
        for text in edition.printed if edition.publisher else ("en",):
            yield edition.rules(text)
            for switch, kind in SWITCHES.items():
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
        for part in (*(item.phrase for item in articles(rules)), *(short_name(box, rules) for box in rules.boxes))
        for key in keys_within(part)
    }
    assert said - set().union(*BUILT.values()) == set()


@pytest.mark.parametrize("text", load("carlit-chicago").printed)
def test_what_the_rules_of_rounds_say_is_among_the_known_keys(text: str) -> None:
    edition = load("carlit-chicago")
    told = round_articles(edition.round_rules(text))
    said = {key for item in told for key in keys_within(item.phrase)}
    cited = {key for item in told for key in keys_within(round_source(edition, text, item))}
    assert said - set().union(*BUILT.values()) == set()
    assert cited <= set(english())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_of_rounds_can_be_said(lang: str) -> None:
    edition = load("carlit-chicago")
    words = Words(lang, edition)
    for text in edition.printed:
        told = round_articles(edition.round_rules(text))
        said = [words.say(item.phrase) for item in told]
        said += [words.say(round_source(edition, text, item)) for item in told]
        said += [words.say(special) for special in specials(edition)]
        assert all(said)
        assert not set("{}") & set("".join(said))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_of_every_box_and_example_can_be_said(lang: str) -> None:
    for name in (*SHEETS, *EXAMPLES):
        words = Words(lang, load(name))
        said = [words.say(article.phrase) for article in articles(load(name).rules())]
        said += [words.say(special) for special in specials(load(name))]
        assert all(said)
        assert not set("{}") & set("".join(said))


# Names as printed.


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", SHEETS)
class TestTheBoxesOfAnEdition:
    def test_they_are_named_as_the_glossary_prints_them(self, name: str, lang: str) -> None:
        words = Words(lang, load(name))
        printed = GLOSSARY[lang] | GLOSSARY["editions"].get(name, {}).get(lang, {})
        boxes = [box.id for box in load(name).rules().boxes]
        assert {box: words.box(box) for box in boxes} == {box: printed[box] for box in boxes}
        assert all(words.box(box).strip() for box in boxes)

    def test_no_two_have_one_name(self, name: str, lang: str) -> None:
        words = Words(lang, load(name))
        names = [words.box(box.id).casefold() for box in load(name).rules().boxes]
        assert len(set(names)) == len(names)


def term_key(term: str) -> str:
    """Give the key of a term of the glossary: a box has a name, anything else is a term."""
    boxes = {box for (box,) in FAMILIES["rules.name.{}"]}
    return f"rules.{'name' if term in boxes else 'term'}.{term}"


def terms(printed: Mapping[str, str]) -> dict[str, str]:
    """Give the terms of the glossary by key; the title of a box is no word of the catalogs."""
    return {term_key(term): word for term, word in printed.items() if term != "title"}


EDITION_TERMS = {
    key
    for printed in GLOSSARY["editions"].values()
    for words in printed.values()
    for key in terms(words)
    if key not in terms(GLOSSARY["en"])
}
"""Terms that only some box prints; English must have a word for them where they are asked for."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_has_exactly_the_terms_of_the_glossary(lang: str) -> None:
    own = {key_of(message): message.string for message in entries(lang) if not message.context}
    found = {key: word for key, word in own.items() if key.startswith(("rules.name.", "rules.term."))}
    assert {key: word for key, word in found.items() if lang != "en" or key not in EDITION_TERMS} == terms(
        GLOSSARY[lang]
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_edition_overrides_exactly_what_its_box_prints_differently(lang: str) -> None:
    base = terms(GLOSSARY[lang])
    wanted = {
        (edition, key): word
        for edition, printed in GLOSSARY["editions"].items()
        for key, word in terms(printed.get(lang, {})).items()
        if word != base.get(key)
    }
    assert {(m.context, key_of(m)): m.string for m in entries(lang) if m.context} == wanted


@pytest.mark.parametrize("name", editions())
def test_an_edition_has_the_printed_title(name: str) -> None:
    printed = GLOSSARY["editions"].get(name, {})
    assert {load(name).title} == {words["title"] for words in printed.values()} or not printed
    assert load(name).title.strip()


@pytest.mark.parametrize("lang", load("carlit-chicago").printed)
def test_the_terms_of_the_rounds_are_those_that_the_box_prints(lang: str) -> None:
    words = Words(lang, load("carlit-chicago"))
    printed = terms(GLOSSARY["editions"]["carlit-chicago"][lang])
    assert {"rules.term.chip", "rules.term.kitty", "rules.term.opener", "rules.term.chicago"} <= set(printed)
    assert {key: words.term(key) for key in printed} == printed


def test_a_house_rule_keeps_the_words_of_the_box_it_extends() -> None:
    house = load(str(ROOT / "examples" / "house-rules" / "four-throws.toml"))
    base = load(str(house.base))
    for lang, box in product(LANGUAGES, (box.id for box in house.rules().boxes)):
        assert Words(lang, house).box(box) == Words(lang, base).box(box)


# What bypasses the catalogs.


@pytest.mark.parametrize("file", source())
def test_no_string_with_words_bypasses_lang(file: str) -> None:
    words = {text for text in strings(source()[file]) if re.search(r"^[^<]*[^\W\d_]+ [^\W\d_]+", text)}
    assert words - set(BYPASSES) == set()


def test_nothing_is_written_to_the_screen_in_words_of_the_code() -> None:
    written = {shape(argument) for call in calls("say", "paragraph", "hanging", "print") for argument in call.args}
    assert {text for text in written if re.search(r"[^\W\d_]{2}", text)} == set()


def test_a_string_that_bypasses_lang_would_be_found() -> None:
    tree = ast.parse("'''A docstring is fine.'''\nsay(f'You have {n} points left')\nraise ValueError('no such box')")
    assert list(strings(tree)) == ["You have {} points left", "no such box"]


# Choosing a language.


@pytest.mark.parametrize("asked_for", LANGUAGES)
def test_a_language_that_is_asked_for_is_spoken(asked_for: str) -> None:
    assert language(asked_for, {"LANGUAGE": "fi", "LC_ALL": "sv_SE.UTF-8"}) == asked_for


@pytest.mark.parametrize("asked_for", ["nb", "nn"])
def test_both_forms_of_norwegian_are_norwegian(asked_for: str) -> None:
    assert language(asked_for, {}) == "no"


@pytest.mark.parametrize("asked_for", ["xx", "", "dee", "DE", "de_DE", "english"])
def test_an_unknown_language_is_an_error_that_names_it_and_the_known_ones(asked_for: str) -> None:
    with pytest.raises(UnknownLanguage) as raised:
        language(asked_for, {"LANG": "de_DE.UTF-8"})
    assert raised.value.values == {"name": asked_for, "known": LANGUAGES}


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
        ({"LANG": "pt_BR.UTF-8"}, "en"),
        ({"LANG": ""}, "en"),
        ({"LC_MESSAGES": "fr_CH.UTF-8", "LANG": "de_CH.UTF-8"}, "fr"),
        ({"LC_ALL": "it_CH.UTF-8", "LC_MESSAGES": "fr_CH.UTF-8", "LANG": "de_CH.UTF-8"}, "it"),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "de_CH.UTF-8"}, "de"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "ja_JP.UTF-8", "LANG": "de_DE.UTF-8"}, "en"),
        ({"LANGUAGE": "fi", "LC_ALL": "sv_FI.UTF-8"}, "fi"),
        ({"LANGUAGE": "ja:nn:sv", "LANG": "da_DK.UTF-8"}, "no"),
        ({"LANGUAGE": "ja:zh", "LANG": "da_DK.UTF-8"}, "da"),
        ({"LANGUAGE": "", "LANG": "da_DK.UTF-8"}, "da"),
    ],
    ids=lambda value: " ".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else value,
)
def test_the_machine_chooses_the_words_if_nobody_asks(environment: dict[str, str], spoken: str) -> None:
    assert language(None, environment) == spoken
