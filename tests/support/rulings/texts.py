"""What the texts of an edition play and call things, and what else is printed."""

import json
from dataclasses import replace
from typing import Any

import pypdfium2

from knobel.cli.pad import build_pad
from knobel.cli.parser import Given
from knobel.cli.selection import read_selection
from knobel.dice import all_hands
from knobel.game import Announce, Roll, Score, play
from knobel.lang import LANGUAGES, Translator
from knobel.phrase import BoxName, LanguageName
from knobel.record.events import Seat
from knobel.rules import edition_ids, load_edition
from knobel.rules.leaflet import list_chapters, list_specials
from knobel.rules.scoring import worth as worth_of_box
from tests.support.played_tables import apply_actions, open_table
from tests.support.rulings import ruling
from tests.support.rulings.games import (
    CARLIT,
    HASBRO,
    MB,
    NORIS,
    PHILOS,
    TACTIC,
    choices,
    cite,
    fill_except,
    find_article,
    name_of,
    refusal,
    roll,
    rules_of,
    rules_of_texts,
    run_knobel,
    sheet_game,
    take_turn,
    worth,
)
from tests.support.rulings.page import ROOT, list_rows, read_page

RESTRICTED = ("fi", "sv", "no")
"""The texts of Tactic that restrict Chance."""
FREE = ("en", "fr", "nl", "ru", "lt", "lv", "et", "is", "pl", "it", "de", "uk")


# Chance in the texts of Tactic.


@ruling("T-C", "TA-D5", "TA-D6", "TA-D7", "E-21")
def chance_is_the_last_resort_in_three_texts() -> None:
    for text in RESTRICTED:
        rules = rules_of(TACTIC, text)
        found = choices(rules, "66642")
        assert set(found) == {box.id for box in rules.boxes} - {"chance"}
        assert found["ones"] == 0
        assert choices(rules, "66642", fill_except(rules, "ones", "chance")) == {"ones": 0, "chance": 24}
        assert choices(rules_of(TACTIC, text, chance_rule="free"), "66642")["chance"] == 24


@ruling("T-C", "TA-D9")
def chance_is_free_in_all_other_texts() -> None:
    for text in FREE:
        assert choices(rules_of(TACTIC, text), "66543")["chance"] == 24
        assert "chance" not in choices(rules_of(TACTIC, text, chance_rule="last_resort"), "66543")
    assert rules_of(TACTIC) == rules_of(TACTIC, "en")


@ruling("TA-D7")
def the_norwegian_chance_can_be_read_literally() -> None:
    literal = rules_of(TACTIC, "no", literal_chance="true")
    assert "chance" not in choices(literal, "66642", fill_except(literal, "ones", "chance"))
    assert choices(literal, "66642", fill_except(literal, "chance")) == {"chance": 24}


@ruling("E-21")
def both_passages_about_chance_are_cited() -> None:
    for text, passages in (("fi", "Sattuma; Esimerkki 2"), ("no", "Sjanse; Eksempel 2")):
        assert cite(TACTIC, "chance", text).values["passage"] == passages
    card = [special.values for special in list_specials(load_edition(TACTIC)) if "both_ways" in special.key]
    assert [(one["languages"], one["box"]) for one in card] == [
        ((LanguageName("fi"), LanguageName("no")), BoxName("chance"))
    ]


@ruling("TA-D20")
def a_used_chance_forces_no_zero() -> None:
    for text in ("en", "fr", "de", "it", "is"):
        assert choices(rules_of(TACTIC, text), "66655", {"chance": 20})["full_house"] == 28


@ruling("TA-D21")
def a_used_box_forces_no_zero() -> None:
    for text in ("ru", "uk"):
        assert choices(rules_of(TACTIC, text), "66655", {"full_house": 28})["three_of_a_kind"] == 18


# The Danish text.


@ruling("T-D1", "TA-D3")
def danish_players_announce_a_box() -> None:
    game = sheet_game(TACTIC, "da")
    start = game.start(1)
    assert refusal(game, start, Roll(())) == "announce_first"
    assert refusal(game, start, Announce("chance")) == ""
    announced = play(game, start, Announce("sixes"))
    assert refusal(game, announced, Announce("fives")) == "announced_late"
    once = roll(game, announced, "66611")
    assert (refusal(game, once, Score("sixes")), refusal(game, once, Roll((0, 1, 2)))) == ("", "")
    later = play(game, once, Score("sixes"))
    assert refusal(game, later, Announce("sixes")) == "filled"
    orders = {text: rules_of(TACTIC, text).order for text in load_edition(TACTIC).printed}
    assert {text for text, order in orders.items() if order == "announced"} == {"da"}
    assert rules_of(TACTIC, "da", order="free").order == "free"
    assert rules_of(TACTIC, "en", order="announced").order == "announced"


@ruling("T-D2")
def a_danish_box_that_was_made_is_filled() -> None:
    rules = rules_of(TACTIC, "da")
    assert choices(rules, "66611", announced="ones") == {"ones": 2}
    assert choices(rules, "12345", announced="ones") == {"ones": 1}
    assert len(choices(rules_of(TACTIC, "da", order="free"), "66611")) == 15


@ruling("T-D3", "TA-D8")
def a_danish_miss_goes_to_chance_or_is_a_zero() -> None:
    rules = rules_of(TACTIC, "da")
    missed = {box.id: 0 for box in rules.boxes} | {"chance": 20}
    assert choices(rules, "66611", announced="fives") == missed
    assert choices(rules, "66611", {"chance": 9}, announced="fives") == dict.fromkeys(
        (box for box in missed if box != "chance"), 0
    )
    assert choices(rules, "66611", announced="chance") == {"chance": 20}


@ruling("T-D4", "TA-D4")
def a_danish_yatzy_is_the_total_plus_50() -> None:
    danish = rules_of(TACTIC, "da")
    assert [worth(danish, str(face) * 5, "yatzy") for face in range(1, 7)] == [55, 60, 65, 70, 75, 80]
    assert choices(danish, "66665", announced="yatzy")["chance"] == 29
    others = [rules for rules in rules_of_texts(TACTIC) if rules != danish]
    assert {worth(rules, dice, "yatzy") for rules in others for dice in ("11111", "66666")} == {50}


# Other misprints of Tactic.


@ruling("T-E", "TA-D17", "TA-D18")
def norwegian_yatzy_is_50_and_straights_count_five_dice() -> None:
    rules = rules_of(TACTIC, "no")
    assert {worth(rules, str(face) * 5, "yatzy") for face in range(1, 7)} == {50}
    assert (worth(rules, "12345", "small_straight"), worth(rules, "23456", "large_straight")) == (15, 20)


@ruling("TA-D12")
def sixes_are_collected_too() -> None:
    for text in ("da", "is"):
        assert worth(rules_of(TACTIC, text), "66612", "sixes") == 18


@ruling("TA-D13")
def dutch_four_of_a_kind_needs_four() -> None:
    assert [worth(rules_of(TACTIC, "nl"), dice, "four_of_a_kind") for dice in ("44441", "44412")] == [16, 0]
    assert name_of(TACTIC, "four_of_a_kind", "nl") == "Vier dezelfde"


@ruling("TA-D14", "TA-D15")
def an_icelandic_house_needs_both_and_chance_counts_five_dice() -> None:
    rules = rules_of(TACTIC, "is")
    assert [worth(rules, dice, "full_house") for dice in ("66444", "66123", "44412")] == [24, 0, 0]
    assert (rules.dice, worth(rules, "66666", "chance")) == (5, 30)


@ruling("TA-D16")
def a_latvian_large_straight_is_not_four_alike() -> None:
    rules = rules_of(TACTIC, "lv")
    assert (worth(rules, "23456", "four_of_a_kind"), worth(rules, "23456", "large_straight")) == (0, 20)


@ruling("TA-D29")
def misprinted_examples_score_what_the_rule_says() -> None:
    polish, lithuanian = rules_of(TACTIC, "pl"), rules_of(TACTIC, "lt")
    assert (worth(polish, "11111", "ones"), worth(polish, "11116", "ones")) == (5, 4)
    assert worth(polish, "44441", "three_of_a_kind") == 12
    assert (lithuanian.dice, worth(lithuanian, "13466", "one_pair")) == (5, 12)


@ruling("TA-D31")
def anybody_may_keep_the_score() -> None:
    table = open_table(TACTIC, (Seat("Ann", real_dice=True), Seat("Ben", real_dice=True)), typed="", first=0)
    apply_actions(table, 0, "ones=3")
    apply_actions(table, 1, "ones=4")
    assert [column.entries[0] for column in table.state.columns] == [3, 4]


@ruling("TA-D35")
def the_swedish_turn_goes_clockwise() -> None:
    game = sheet_game(TACTIC, "sv")
    assert take_turn(game, game.start(3), "12345", "ones").player == 1


# Names.

NAMES = {
    "TA-D24": (TACTIC, "lt", {"full_house": "Pilna troba"}),
    "TA-D33": (TACTIC, "it", {"small_straight": "Piccolo dritto", "one_pair": "Coppia"}),
    "TA-D34": (
        TACTIC,
        "fi",
        {
            "sixes": "Kuutoset",
            "two_pairs": "2 paria",
            "three_of_a_kind": "Kolmoisluku",
            "four_of_a_kind": "Nelosluku",
        },
    ),
    "TA-D36": (TACTIC, "no", {"threes": "Treere"}),
    "TA-D37": (TACTIC, "da", {"full_house": "Fuldt hus"}),
    "TA-D38": (TACTIC, "fr", {"four_of_a_kind": "Carré"}),
    "TA-D39": (TACTIC, "nl", {"twos": "Tweeën", "sixes": "Zessen"}),
    "TA-D40": (TACTIC, "lt", {"twos": "Dvejetai", "threes": "Trejetai", "sixes": "Šešetai"}),
    "TA-D41": (
        TACTIC,
        "lv",
        {
            "ones": "Vieninieki",
            "twos": "Divnieki",
            "threes": "Trijnieki",
            "fours": "Četrinieki",
            "three_of_a_kind": "Trīs vienādi",
        },
    ),
    "TA-D42": (TACTIC, "is", {"twos": "Tvistar"}),
    "TA-D43": (TACTIC, "uk", {"twos": "Двійки", "sixes": "Шістки"}),
    "PH-D8": (PHILOS, "es", {"four_of_a_kind": "Póker"}),
    "MB-D3": (MB, "fr", {"three_of_a_kind": "Brelan"}),
    "CA-D6": (CARLIT, "de", {"twos": "Zweier"}),
}


@ruling(*NAMES)
def corrected_names_are_used() -> None:
    for edition, lang, names in NAMES.values():
        assert {box: name_of(edition, box, lang) for box in names} == names


@ruling("TA-D34", "CA-D1")
def the_bonus_has_its_right_name() -> None:
    assert Translator("fi", load_edition(TACTIC)).find_term("rules.term.bonus") == "Hyvitys"
    assert Translator("de", load_edition(CARLIT)).find_term("rules.term.bonus") == "Bonus"


@ruling("TA-D28")
def five_alike_is_called_as_printed() -> None:
    assert [name_of(TACTIC, "yatzy", lang) for lang in ("fr", "ru", "lv")] == ["Yams", "Покер", "Jahtzē"]


@ruling("CA-D5")
def carlits_straights_are_one_box_each() -> None:
    names = [name_of(CARLIT, box, lang) for lang in ("de", "fr", "it") for box in ("small_straight", "large_straight")]
    assert names[:2] == ["Kleine Strasse", "Grosse Strasse"]
    assert names[2:4] == ["Petite quinte", "Grande quinte"]
    assert names[4:] == ["Piccola sequenza", "Grande sequenza"]
    assert sum(box.pattern.name == "run" for box in rules_of(CARLIT).boxes) == 2


@ruling("E-19")
def five_alike_has_the_name_of_the_game() -> None:
    for name, called in ((MB, "Yahtzee"), (HASBRO, "Yahtzee"), (PHILOS, "Yatzi")):
        assert {name_of(name, "yatzy", lang) for lang in LANGUAGES} == {called}
        topic = "forced_zero" if name == PHILOS else "joker"
        said = {Translator(lang, load_edition(name)).translate(find_article(name, topic).phrase) for lang in LANGUAGES}
        assert all(called in sentence for sentence in said)
    assert name_of(TACTIC, "yatzy", "et") == "Yatzy"
    french = Translator("fr", load_edition(CARLIT))
    assert (french.find_term("rules.term.bonus"), name_of(TACTIC, "chance", "it")) == ("Bonification", "Fortuna")
    assert "Yahtzee" in run_knobel(f"score {MB} 4 4 4 4 4 --lang de")[1]


# What else is printed.


@ruling("E-20")
def every_misprint_has_a_whole_line() -> None:
    assert [one for one, cells in list_rows() if len(cells) != 3 or not all(map(str.strip, cells))] == []


@ruling("E-22", "PH-D12")
def what_else_is_printed_is_shown_and_changes_nothing() -> None:
    for name in edition_ids():
        edition = load_edition(name)
        chapters = dict(list_chapters(edition, edition.default_text, {}))
        assert ("package" in chapters) == (edition.package is not None)
        printed = [f"hint.{hint}" for hint in (edition.package.hints if edition.package else ())]
        shown = [article.topic for article in chapters.get("hints", [])]
        assert [topic for topic in printed if topic not in shown] == []
        assert replace(edition, package=None).rules().fingerprint == edition.rules().fingerprint
    (tactic,) = dict(list_chapters(load_edition(TACTIC), "en", {}))["package"]
    assert tactic.variant == "none"
    philos = load_edition(PHILOS).package
    assert philos is not None
    assert (philos.contents["pad"], philos.least_age, philos.minutes) == (1, 6, 15)
    chapters_said = [Translator("en")(f"rules.chapter.{chapter}") for chapter in ("package", "hints")]
    assert [chapter for chapter in chapters_said if f"*{chapter}*" not in read_page()] == []
    said = run_knobel(f"rules {NORIS}")[1]
    places = [said.index(part) for part in (*chapters_said, "Spielvorbereitung und Spielverlauf ¶ 2]")]
    assert places == sorted(places)


@ruling("E-23", "PH-D12")
def a_sheet_for_one_is_printed_in_every_edition() -> None:
    for name in edition_ids():
        width, height = measure_pad(name, 1)
        assert width < height
    width, height = measure_pad(MB, 12)
    assert width > height


def measure_pad(name: str, players: int) -> tuple[float, float]:
    """Give the size of the first page of a pad."""
    given = Given({"edition": [name], "players": [str(players)]})
    size: tuple[float, float] = pypdfium2.PdfDocument(build_pad(read_selection(given), given))[0].get_size()
    return size


# Golden cases.


def read_golden(name: str) -> list[dict[str, Any]]:
    cases = json.loads((ROOT / "tests" / "golden" / f"golden_{name}.json").read_text("utf-8"))
    return cases if isinstance(cases, list) else cases["sequences"]


@ruling("MB-D2")
def reconstructed_cases_are_marked() -> None:
    printed = [case for case in read_golden("scores") if case["edition"] == MB and not case["derived"]]
    groups = {tuple(case["dice"]): [one for one in printed if one["dice"] == case["dice"]] for case in printed}
    boxes = {box.id: box for box in rules_of(MB).boxes}
    for cases in groups.values():
        plain = [(boxes[case["category"]], case["points"]) for case in cases if "context" not in case]
        fits = [dice for dice in all_hands(5, 6) if all(worth_of_box(box, dice) == points for box, points in plain)]
        assert len(fits) == 1 or all(case["reconstructed"] for case in cases), cases
    sequences = [case for case in read_golden("sequences") if case["printed"]]
    filled = [case for case in sequences if set(case["setup"].get("sheet", {})) - {"yatzy"}]
    assert {"T03", "T06", "M02"} <= {case["id"] for case in filled}
    assert [case["id"] for case in filled if not case["reconstructed"]] == []
