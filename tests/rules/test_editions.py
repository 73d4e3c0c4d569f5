"""The printed editions as data: every rule has a source, every ruling exists, every parameter agrees with the audit."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from knobel.dice import Hand, all_hands
from knobel.errors import NotSheetGame
from knobel.lang import Translator
from knobel.phrase import BoxName, LanguageName
from knobel.rules import LANGUAGES, edition_ids, load_edition
from knobel.rules.articles import Article, build_sheet_articles
from knobel.rules.edition import Edition
from knobel.rules.families import Rules, expect_sheet_rules
from knobel.rules.leaflet import build_articles, build_package_articles, cite_article, list_chapters, list_specials
from knobel.rules.package import Package
from knobel.rules.round_rules import RoundRules
from knobel.rules.scoring import worth
from knobel.rules.sheet_rules import SheetRules
from tests.support.house_rules import EXAMPLES

ROOT = Path(__file__).parents[2]
RULINGS_PAGE = (ROOT / "docs" / "rulings.md").read_text("utf-8")
RULINGS = set(re.findall(r"^(?:### |\| )([A-Z]+-[A-Z]?\d*) ", RULINGS_PAGE, re.MULTILINE))
AUDIT: dict[str, dict[str, Any]] = json.loads((ROOT / "tests" / "golden" / "parameters.json").read_text("utf-8"))

COMMON = {"material"}
"""What every game of the family shares, so that no box needs to print it."""

NOT_PRINTED = "hasbro-yahtzee"
"""A game for comparison that is not among the rulebooks: it rests on a ruling."""

SHEET_GAMES = sorted(name for name, audit in AUDIT.items() if "categories" in audit)
TEXTS = [(name, text) for name in SHEET_GAMES for text in AUDIT[name]["languages"]]


def test_every_game_of_the_audit_is_an_edition() -> None:
    assert {*AUDIT, NOT_PRINTED} <= set(edition_ids())
    assert {name for name in AUDIT if load_edition(name).family == "sheet"} == set(SHEET_GAMES)


# Sources.


@pytest.mark.parametrize("name", edition_ids())
class TestTheSources:
    def test_every_rule_of_every_text_has_one(self, name: str) -> None:
        edition = load_edition(name)
        for text in edition.printed:
            for article in list_articles(edition, text):
                cited = cite_article(edition, text, article).key
                assert cited != "rules.source.changed"
                assert cited != "rules.source.common" or article.topic in COMMON, (text, article.topic)

    def test_every_ruling_that_is_cited_exists(self, name: str) -> None:
        cited = {
            ruling
            for found in load_edition(name).sources.values()
            for rulings in (found.ruling, *found.rulings.values())
            for ruling in rulings.split()
        }
        assert cited - RULINGS == set()

    def test_every_source_belongs_to_a_rule_that_can_be_played(self, name: str) -> None:
        edition = load_edition(name)
        played = {
            topic
            for text in edition.printed
            for switches in every_setting(edition)
            for article in list_articles(edition, text, switches)
            for topic in (article.topic, f"{article.topic}.{article.variant}")
        }
        assert set(edition.sources) - played == set()

    def test_a_reader_finds_no_file_names_and_no_line_numbers_in_them(self, name: str) -> None:
        passages = [passage for found in load_edition(name).sources.values() for passage in found.passages.values()]
        assert [passage for passage in passages if re.search(r"F\d:|\.txt|\.md|[0-9a-f]{8}", passage)] == []

    def test_the_default_text_is_printed_and_every_text_is_spoken(self, name: str) -> None:
        edition = load_edition(name)
        assert edition.default_text in edition.printed
        assert set(edition.printed) <= set(LANGUAGES)
        assert len(set(edition.printed)) == len(edition.printed)


def list_articles(edition: Edition, text: str, switches: Mapping[str, str] | None = None) -> tuple[Article, ...]:
    return (*build_articles(edition, text, switches or {}), *build_package_articles(edition))


def fingerprint(name: str, text: str | None = None) -> str:
    rules: Rules = load_edition(name).rules(text)
    return rules.fingerprint


def every_setting(edition: Edition) -> list[dict[str, str]]:
    """Leave every switch alone, and turn each to each of its values."""
    return [{}, *({name: value} for name, values in edition.switch_values.items() for value in values)]


def test_rules_that_differ_by_text_cite_a_ruling_in_that_text() -> None:
    edition = load_edition("tactic-xl-yatzy")
    common = build_sheet_articles(edition.rules())
    for text in edition.texts:
        for article in build_sheet_articles(edition.rules(text)):
            if article not in common:
                cited = cite_article(edition, text, article)
                assert cited.key == "rules.source.printed_ruling", (text, article.topic)
                assert str(cited.values["rulings"]).split(", ")[-1].startswith("T-")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tactic-xl-yatzy", "en"),
        ("philos-yatzi", "de"),
        ("mb-yahtzee", "fr"),
        ("noris-yatzy", "de"),
        ("carlit-yatzy", "de"),
        ("hasbro-yahtzee", "en"),
        ("carlit-chicago", "de"),
    ],
)
def test_the_default_text_is_the_one_agreed(name: str, text: str) -> None:
    assert load_edition(name).default_text == text


# Misprints: none changes the game silently.

PRINTED_OTHERWISE = {"PH-D": 14, "MB-D": 4, "NO-D": 3, "TA-D": 43, "CA-D": 7, "CH-D": 11}
"""How many misprints, omissions and loose sentences the comparison of the printed texts found, by booklet."""


def test_every_misprint_has_its_line_with_what_is_printed_what_is_played_and_why() -> None:
    rows = [line.strip("|").split(" | ") for line in RULINGS_PAGE.splitlines() if re.match(r"\| [A-Z]{2}-D\d", line)]
    assert [row[0].strip() for row in rows] == [
        f"{booklet}{number}" for booklet, count in PRINTED_OTHERWISE.items() for number in range(1, count + 1)
    ]
    assert [row for row in rows if len(row) != 4 or not all(cell.strip() for cell in row)] == []


def test_a_line_that_names_a_ruling_names_one_that_exists() -> None:
    reasons = [line.split(" | ")[3] for line in RULINGS_PAGE.splitlines() if re.match(r"\| [A-Z]{2}-D\d", line)]
    named = {one for reason in reasons for one in re.findall(r"\b[A-Z]{1,2}-[A-E]?\d*\b", reason)}
    assert named, reasons
    assert named - RULINGS == set()


# The audit, field by field.

FORMULAS: dict[str, Callable[[Hand, Counter[int]], int]] = {
    "sum5 if count>=3": lambda dice, faces: sum(dice) if max(faces.values()) >= 3 else 0,
    "sum5 if count>=4": lambda dice, faces: sum(dice) if max(faces.values()) >= 4 else 0,
    "25 if counts {3,2}": lambda _, faces: 25 if sorted(faces.values()) == [2, 3] else 0,
    "30 if 4 consecutive": lambda _, faces: 30 if any({n, n + 1, n + 2, n + 3} <= set(faces) for n in (1, 2, 3)) else 0,
    "40 if 5 consecutive": lambda _, faces: 40 if len(faces) == 5 and max(faces) - min(faces) == 4 else 0,
    "50": lambda _, faces: 50 if len(faces) == 1 else 0,
    "sum5 + 50": lambda dice, faces: sum(dice) + 50 if len(faces) == 1 else 0,
    "sum5": lambda dice, _: sum(dice),
    "2*highest paired face": lambda _, faces: 2 * max((face for face, n in faces.items() if n >= 2), default=0),
    "sum of two DIFFERENT pairs": lambda _, faces: (
        2 * sum(pairs) if len(pairs := [face for face, n in faces.items() if n >= 2]) == 2 else 0
    ),
    "3*face": lambda _, faces: 3 * max((face for face, n in faces.items() if n >= 3), default=0),
    "4*face": lambda _, faces: 4 * max((face for face, n in faces.items() if n >= 4), default=0),
    "15 iff {1..5}": lambda dice, _: 15 if dice == (1, 2, 3, 4, 5) else 0,
    "20 iff {2..6}": lambda dice, _: 20 if dice == (2, 3, 4, 5, 6) else 0,
    "sum5 if counts {3,2}": lambda dice, faces: sum(dice) if sorted(faces.values()) == [2, 3] else 0,
}
"""The formulas of the audit, written down a second time and on their own."""

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
CHANCE_RULES = {
    "free": ("free", "free"),
    "only_if_no_other_fit": ("last_resort", "free"),
    "fallback_after_missed_declaration": ("free", "announced"),
}
"""How the audit names the rule of Chance: the rule, and the order of the boxes it goes with."""

STARTS = {None: "any", "players decide": "agreed", "each throws 5 dice, highest sum; then clockwise": "highest"}
SERIES = {
    None: "none",
    "number of games agreed before play ('Runden' = games)": "agreed",
    "agreed number of games, overall winner": "agreed",
    "sheet has 6 game columns; games independent": "independent",
}
UNUSED = {
    "zero_rule": "follows from must_fit and the order; test_column plays it",
    "must_enter_each_round": "there is no other way to end a turn",
    "tie": "ruling E-10, the same for all",
    "winner": "the highest total, the same for all",
    "recommended": "rulings",
    "min_age": "nobody is asked",
    "language_variants": "applied to the fields of the text",
    "printed_bonus_threshold": "test_what_is_printed_by_mistake_is_a_switch",
    "printed_bonus_cmp": "test_what_is_printed_by_mistake_is_a_switch",
    "printed_chance_rule": "test_what_is_printed_by_mistake_is_a_switch",
    "bonus_note": "a remark",
    "solo_printed": "one player may play anyway",
    "straight_values_printed": "a remark",
    "scoring_override": "applied to the scoring",
}
"""Fields of the audit that no ruleset has, and why."""


def read_audit(name: str, text: str) -> dict[str, Any]:
    """Give the fields the audit has for a text: those of the edition, overridden by those of the language."""
    variant: dict[str, Any] = AUDIT[name].get("language_variants", {}).get(text, {})
    scoring = AUDIT[name]["scoring"] | variant.get("scoring_override", {})
    return AUDIT[name] | variant | {"scoring": scoring}


def orders(audit: dict[str, Any]) -> str:
    """Name the order of the boxes: that of experienced players, unless it is declared before the roll."""
    printed = audit["fill_order"]
    free = printed["pro"] if isinstance(printed, dict) else printed
    return "announced" if audit["declare_before_roll"] else str(free)


def repeats(rules: SheetRules) -> bool:
    """Tell whether a further yatzy scores anything of its own."""
    return rules.yatzy is not None and bool(rules.yatzy.prime or rules.yatzy.second)


FIELDS: dict[str, Callable[[Edition, SheetRules, dict[str, Any]], tuple[object, object]]] = {
    "languages": lambda edition, _, audit: (list(edition.printed), audit["languages"]),
    "players_min": lambda _, rules, audit: (rules.players.least, audit["players_min"]),
    "players_max": lambda _, rules, audit: (rules.players.most, audit["players_max"]),
    "dice": lambda _, rules, audit: ((rules.dice, rules.faces), (audit["dice"], 6)),
    "rolls": lambda _, rules, audit: (rules.rolls, audit["rolls"]),
    "rounds": lambda _, rules, audit: (len(rules.boxes), audit["rounds"]),
    "categories": lambda _, rules, audit: ([box.id for box in rules.boxes], audit["categories"]),
    "scoring": lambda _, rules, audit: (
        {box.id for box in rules.boxes if not box.upper},
        set(audit["scoring"]) - {"upper"},
    ),
    "upper_bonus": lambda _, rules, audit: (
        rules.bonus
        and {"cmp": ">" if rules.bonus.strict else ">=", "threshold": rules.bonus.threshold}
        | {"amount": rules.bonus.points},
        audit["upper_bonus"],
    ),
    "joker": lambda _, rules, audit: (rules.yatzy and rules.yatzy.joker, "free" if audit["joker"] else "none"),
    "repeat_yatzy": lambda _, rules, audit: (repeats(rules), audit["repeat_yatzy"] is not None),
    "fill_order": lambda _, rules, audit: (rules.order, orders(audit)),
    "declare_before_roll": lambda _, rules, audit: (rules.order == "announced", audit["declare_before_roll"]),
    "locked_dice": lambda _, rules, audit: (rules.locked_dice, audit["locked_dice"]),
    "chance_rule": lambda _, rules, audit: (
        rules.chance and (rules.chance.rule, rules.order),
        CHANCE_RULES[audit["chance_rule"]],
    ),
    "must_fit": lambda _, rules, audit: (rules.must_fit, audit["must_fit"]),
    "start": lambda _, rules, audit: (rules.start, STARTS[audit["start"]]),
    "series": lambda _, rules, audit: (rules.series, SERIES[audit["series"]]),
}
"""How each field of the audit is found in the rules."""


def test_no_field_of_the_audit_is_overlooked() -> None:
    seen = {key for name, text in TEXTS for key in read_audit(name, text)}
    assert seen == {*FIELDS, *UNUSED}


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_every_field_is_as_the_audit_found_it(name: str, text: str) -> None:
    edition, audit = load_edition(name), read_audit(name, text)
    found = {field: compare(edition, edition.rules(text), audit) for field, compare in FIELDS.items()}
    assert {field: ours for field, (ours, _) in found.items()} == {
        field: printed for field, (_, printed) in found.items()
    }


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_every_hand_is_worth_in_every_box_what_the_audit_says(name: str, text: str) -> None:
    rules, scoring = load_edition(name).rules(text), read_audit(name, text)["scoring"]
    assert scoring["upper"] == "face*count"
    for dice in all_hands(5, 6):
        faces = Counter(dice)
        for box in rules.boxes:
            if box.id in UPPER:
                face = UPPER.index(box.id) + 1
                assert (box.face, worth(box, dice)) == (face, face * faces[face])
            else:
                assert worth(box, dice) == FORMULAS[scoring[box.id]](dice, faces), (dice, box.id)


def test_what_a_further_yatzy_brings() -> None:
    brings = {
        name: (yatzy.joker, yatzy.prime, yatzy.second, yatzy.forced_zero)
        for name in (*SHEET_GAMES, NOT_PRINTED)
        if (yatzy := load_edition(name).rules().yatzy)
    }
    nothing = ("none", 0, 0, "lenient")
    assert brings == {
        "philos-yatzi": ("none", 0, 100, "literal"),
        "mb-yahtzee": ("free", 100, 0, "lenient"),
        "hasbro-yahtzee": ("forced", 100, 0, "lenient"),
        "noris-yatzy": nothing,
        "tactic-xl-yatzy": nothing,
        "carlit-yatzy": nothing,
    }


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_what_is_printed_by_mistake_is_a_switch(name: str, text: str) -> None:
    edition, audit = load_edition(name), read_audit(name, text)
    literal = edition.rules(text, {"literal_bonus": "true", "literal_chance": "true"})
    bonus, chance = literal.bonus, literal.chance
    assert bonus is not None
    assert chance is not None
    assert bonus.threshold == audit.get("printed_bonus_threshold", audit["upper_bonus"]["threshold"])
    assert bonus.strict == (audit.get("printed_bonus_cmp", audit["upper_bonus"]["cmp"]) == ">")
    assert (chance.rule == "last_box") == ("printed_chance_rule" in audit)


def test_beginners_of_carlit_play_top_down() -> None:
    edition = load_edition("carlit-yatzy")
    assert edition.rules(None, {"order": AUDIT["carlit-yatzy"]["fill_order"]["beginner"]}).order == "top_down"
    assert "order.top_down" in edition.sources


def test_todays_box_differs_from_mb_in_its_joker_alone() -> None:
    ours, theirs = load_edition(NOT_PRINTED).rules(), load_edition("mb-yahtzee").rules()
    different = [name for name in vars(theirs) if getattr(ours, name, None) != getattr(theirs, name)]
    assert [name for name in different if name in SheetRules.__dataclass_fields__] == ["yatzy"]
    assert ours.yatzy
    assert theirs.yatzy
    assert (ours.yatzy.joker, theirs.yatzy.joker) == ("forced", "free")


# The audit of the game of rounds.

ROUNDS = "carlit-chicago"
ROUND_FIELDS: dict[str, Callable[[RoundRules], object]] = {
    "players_min": lambda rules: rules.players.least,
    "dice": lambda rules: rules.dice,
    "chips": lambda rules: rules.chips,
    "rolls_opener": lambda rules: rules.rolls,
}
ROUND_UNUSED = {
    "languages": "test_the_game_of_rounds_is_printed_in_the_languages_of_the_audit",
    "chicago_special": "test_the_three_ones_are_special_where_the_text_says_so",
    "players_printed": "a remark",
    "players_max": "no printed limit; sixteen is a technical one",
    "min_age": "nobody is asked",
    "rolls_followers": "test_rounds plays it",
    "value": "test_rounds plays it",
    "start": "test_rounds plays it",
    "next_opener": "test_rounds plays it",
    "announce": "test_rounds plays it",
    "beat": "test_rounds plays it",
    "chip_per_round": "test_rounds plays it",
}
"""Fields of the audit that no ruleset of rounds has, and why."""


def test_no_field_of_the_audit_of_rounds_is_overlooked() -> None:
    assert set(AUDIT[ROUNDS]) == {*ROUND_FIELDS, *ROUND_UNUSED}


@pytest.mark.parametrize("text", AUDIT[ROUNDS]["languages"])
@pytest.mark.parametrize("field", ROUND_FIELDS)
def test_a_field_of_the_rounds_is_as_the_audit_found_it(field: str, text: str) -> None:
    assert ROUND_FIELDS[field](load_edition(ROUNDS).rules(text)) == AUDIT[ROUNDS][field]


def test_the_game_of_rounds_is_printed_in_the_languages_of_the_audit() -> None:
    assert list(load_edition(ROUNDS).printed) == AUDIT[ROUNDS]["languages"]
    assert load_edition(ROUNDS).rules().faces == 6
    assert load_edition(ROUNDS).rules().players.most == 16


def test_the_three_ones_are_special_where_the_text_says_so() -> None:
    edition = load_edition(ROUNDS)
    found = {text: edition.rules(text).chicago_special for text in edition.printed}
    assert found == AUDIT[ROUNDS]["chicago_special"]


@pytest.mark.parametrize("value", ["true", "false"])
@pytest.mark.parametrize("text", AUDIT[ROUNDS]["languages"])
def test_the_switch_of_the_three_ones_is_stronger_than_the_text(text: str, value: str) -> None:
    edition = load_edition(ROUNDS)
    rules = edition.rules(text, {"chicago_special": value})
    assert rules.chicago_special == (value == "true")
    assert rules == edition.rules("de" if value == "true" else "fr")
    told = [article.topic for article in list_articles(edition, text, {"chicago_special": value})]
    assert ("chicago" in told) == (value == "true")


def test_every_ruling_of_the_rounds_is_cited() -> None:
    cited = {ruling for found in load_edition(ROUNDS).sources.values() for ruling in found.ruling.split()}
    assert cited >= {f"CH-{number}" for number in range(1, 18)}


def test_the_rules_of_a_sheet_are_not_to_be_had_for_a_game_of_rounds() -> None:
    with pytest.raises(NotSheetGame, match=load_edition(ROUNDS).title):
        expect_sheet_rules(load_edition(ROUNDS).rules(), load_edition(ROUNDS).title)


# Fingerprints.


def test_the_texts_of_the_rounds_that_play_alike_have_one_fingerprint() -> None:
    prints = {text: fingerprint(ROUNDS, text) for text in load_edition(ROUNDS).printed}
    assert prints["de"] == prints["it"] != prints["fr"]


def test_texts_that_play_alike_have_one_fingerprint_and_others_differ() -> None:
    edition = load_edition("tactic-xl-yatzy")
    prints = {text: edition.rules(text).fingerprint for text in edition.printed}
    assert len(set(prints.values())) == 3
    assert prints["fi"] == prints["sv"] == prints["no"]
    assert len({prints["en"], prints["fi"], prints["da"]}) == 3


def test_a_fingerprint_is_a_sha_256_and_no_two_boxes_share_one() -> None:
    prints = [fingerprint(name) for name in edition_ids()]
    assert len(set(prints)) == len(prints)
    assert all(re.fullmatch(r"[0-9a-f]{64}", one) for one in prints)


# What is printed beside the rules.

PACKAGES = {
    "philos-yatzi": Package({"dice": 5, "pad": 1, "pencil": 1}, 6, 99, 15, ("count_all", "two_aims")),
    "mb-yahtzee": Package(
        {"cup": 1, "dice": 5, "pad": 1, "pen": 4},
        None,
        None,
        None,
        ("early_bonus", "keep_chance", "open_run", "late_zero"),
    ),
    "noris-yatzy": Package({"dice": 5, "pad": 1, "cup": 1}, None, None, None, ("several_boxes", "keep_chance")),
    "tactic-xl-yatzy": Package({}, None, None, None, ("way_out",)),
    "carlit-yatzy": Package({"dice": 5, "pad": 1}, 8, None, None, ("two_ones", "chance_for")),
    "carlit-chicago": Package({"dice": 3, "chip": 3}, 8, None, None, ()),
}
"""As the booklets print it."""


@pytest.mark.parametrize("name", edition_ids())
def test_an_edition_shows_what_is_in_its_box_and_the_hints_of_its_publisher(name: str) -> None:
    edition = load_edition(name)
    if name in AUDIT:
        assert edition.package == PACKAGES[name]
    chapters = dict(list_chapters(edition, edition.default_text, {}))
    assert ("package" in chapters) == (edition.package is not None)
    assert next(iter(chapters)) == "table"
    assert list(chapters)[-2:] == ["package", "hints"] or edition.package is None
    hints = [article.topic for article in chapters.get("hints", [])]
    printed = [f"hint.{hint}" for hint in edition.package.hints] or ["hint"] if edition.package else []
    assert hints == printed


def test_where_a_publisher_prints_no_hints_the_rules_say_so() -> None:
    edition = load_edition("carlit-chicago")
    (article,) = dict(list_chapters(edition, "de", {}))["hints"]
    words = Translator("en", edition)
    assert words.translate(article.phrase) == "The rules give no hints."
    assert "E-22" in words.translate(cite_article(edition, "de", article))


def test_what_is_in_the_box_is_no_rule() -> None:
    edition = load_edition("mb-yahtzee")
    assert edition.package is not None
    assert replace(edition, package=None).rules().fingerprint == edition.rules().fingerprint
    assert "package" not in edition.rules().as_dict


def test_house_rules_have_no_box_and_no_hints() -> None:
    assert load_edition(str(EXAMPLES / "kniffel.toml")).package is None


@pytest.mark.parametrize(
    ("name", "hand", "points"),
    [
        ("noris-yatzy", (1, 4, 6, 6, 6), {"sixes": 18, "three_of_a_kind": 23}),
        ("philos-yatzi", (3, 3, 5, 5, 5), {"fives": 15, "three_of_a_kind": 21}),
        ("carlit-yatzy", (1, 2, 3, 6, 6), {"one_pair": 12}),
    ],
)
def test_the_points_a_hint_names_are_those_of_the_rules(name: str, hand: Hand, points: dict[str, int]) -> None:
    rules = load_edition(name).rules()
    assert {box.id: worth(box, hand) for box in rules.boxes if box.id in points} == points


def test_a_third_four_is_likelier_than_the_straight_as_the_hint_says() -> None:
    third_four, straight = 1 - Fraction(5, 6) ** 3, Fraction(2, 6)
    assert third_four > straight
    assert 1 - (1 - Fraction(1, 6)) ** 6 > 1 - (1 - straight) ** 2


def test_the_card_says_which_texts_can_be_read_both_ways() -> None:
    said = [words for name in edition_ids() for words in list_specials(load_edition(name)) if "both_ways" in words.key]
    assert [(words.values["languages"], words.values["box"]) for words in said] == [
        ((LanguageName("fi"), LanguageName("no")), BoxName("chance"))
    ]


@pytest.mark.parametrize(("text", "passages"), [("fi", "Sattuma; Esimerkki 2"), ("no", "Sjanse; Eksempel 2")])
def test_where_a_text_can_be_read_both_ways_both_passages_are_cited(text: str, passages: str) -> None:
    edition = load_edition("tactic-xl-yatzy")
    rule = next(article for article in list_articles(edition, text) if article.topic == "chance")
    cited = cite_article(edition, text, rule).values
    assert cited["passage"] == passages
    assert "E-21" in str(cited["rulings"]).split(", ")
    assert edition.rules(text, {"chance_rule": "free"}).chance.rule == "free"
