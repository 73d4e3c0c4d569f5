"""The commands as a user types them."""

import asyncio
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from knobel import __version__
from knobel.cli import COMMANDS, find_command, main
from knobel.cli.parser import parse_arguments
from knobel.host.archive import default_database_path
from knobel.lang import LANGUAGES, Translator
from knobel.record.chain import encode_header
from knobel.record.events import Seat
from knobel.rules import edition_ids, load_edition
from knobel.rules.families import Rules
from knobel.rules.leaflet import describe_rules
from knobel.rules.sheet_rules import SheetRules
from knobel.rules.switches import SHEET_SWITCHES
from knobel.store import NewGame
from knobel.store.backup import write_backup
from knobel.store.people import AddPerson
from knobel.store.sqlite import SqliteStore
from tests.support.command_output import CommandOutput
from tests.support.played_tables import open_table
from tests.support.selection import mostly_solve

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.name for path in (ROOT / "examples" / "house-rules").glob("*.toml"))
GUIDES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "guides").glob("*.md"))]
MACHINE = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


RunCommand: TypeAlias = Callable[[str], CommandOutput]


@pytest.fixture(autouse=True)
def _own_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Sit down where the examples lie, at an English machine, with nobody at the keyboard."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "kept"))
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    for name in MACHINE:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def knobel(capsys: pytest.CaptureFixture[str]) -> RunCommand:
    """Type a line after `knobel`."""

    def typed(line: str) -> CommandOutput:
        code = main(shlex.split(line))
        return CommandOutput(code, *capsys.readouterr())

    return typed


def process(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Type a line into a shell, with `knobel` standing for the real thing."""
    command = re.sub(r"\bknobel\b", f"{shlex.quote(sys.executable)} -m knobel", line, count=1)
    clean = {name: value for name, value in os.environ.items() if name not in MACHINE} | environment
    return subprocess.run(["sh", "-c", command], env=clean, capture_output=True, text=True, check=False, cwd=ROOT)


def rules_of(name: str) -> Rules:
    rules: Rules = load_edition(name).rules()
    return rules


# Editions.


def test_editions_lists_every_box(knobel: RunCommand) -> None:
    answer = knobel("editions")
    assert answer.code == 0
    for name in edition_ids():
        assert f"{name}: {load_edition(name).title} ({load_edition(name).publisher})" in answer.out


def test_editions_for_machines(knobel: RunCommand) -> None:
    found = {box["id"]: box for box in knobel("editions --json").form}
    assert sorted(found) == sorted(edition_ids())
    for name, box in found.items():
        rules = rules_of(name)
        assert box["title"] == load_edition(name).title
        assert box["publisher"] == load_edition(name).publisher
        assert box["languages"] == list(load_edition(name).printed)
        assert box["players"] == {"least": rules.players.least, "most": rules.players.most}
        assert box["boxes"] == ([row.id for row in rules.boxes] if isinstance(rules, SheetRules) else [])
        assert box["game"] == load_edition(name).family
        assert (box["dice"], box["rolls"]) == (rules.dice, rules.rolls)
        assert box["fingerprint"] == rules.fingerprint
        assert all(isinstance(special, str) and special for special in box["special"])


def test_editions_says_what_is_special(knobel: RunCommand) -> None:
    special = {box["id"]: " ".join(box["special"]) for box in knobel("editions --json").form}
    assert "joker" in special["mb-yahtzee"]
    assert "re-rolled" in special["noris-yatzy"]
    assert "Danish" in special["tactic-xl-yatzy"]
    assert "100" in special["philos-yatzi"]
    assert "German" in special["carlit-chicago"]
    assert "Italian" in special["carlit-chicago"]
    assert "French" not in special["carlit-chicago"]


# Rules.


@pytest.mark.parametrize("name", [*edition_ids(), *(f"examples/house-rules/{name}" for name in EXAMPLES)])
def test_rules_shows_every_rule_and_every_switch(knobel: RunCommand, name: str) -> None:
    shown, form = knobel(f"rules {name}"), knobel(f"rules {name} --json").form
    flat = " ".join(shown.out.split())
    assert shown.code == 0
    rules = rules_of(name)
    assert len(form["rules"]) == len(describe_rules(rules))
    assert form["fingerprint"] == rules.fingerprint
    for rule in form["rules"]:
        assert " ".join(rule["rule"].split()) in flat
        assert rule["source"]
    assert list(form["switches"]) == list(load_edition(name).switch_values)
    for switch, state in form["switches"].items():
        assert f"{switch} = {state['value']}" in flat
        assert state["reason"] in flat
        assert state["default"] in state["allowed"]


@pytest.mark.parametrize("name", edition_ids())
def test_rules_of_a_printed_box_cite_their_sources(knobel: RunCommand, name: str) -> None:
    flat = " ".join(knobel(f"rules {name}").out.split())
    for rule in knobel(f"rules {name} --json").form["rules"]:
        assert f"{' '.join(rule['rule'].split())} [{rule['source']}]" in flat


def test_rules_follow_a_switch_and_say_whose_rule_that_is(knobel: RunCommand) -> None:
    form = knobel("rules noris-yatzy --set must_fit=false --json").form
    rules = {rule["topic"]: rule for rule in form["rules"]}
    assert "fit" not in rules
    assert rules["zero"]["source"] == rules["chance"]["source"] == "your own rule or switch"
    assert (form["switches"]["must_fit"]["value"], form["switches"]["must_fit"]["default"]) == ("false", "true")


def test_rules_follow_several_switches(knobel: RunCommand) -> None:
    form = knobel("rules carlit-yatzy --set order=top_down --set locked_dice=true --json").form
    assert {name for name, state in form["switches"].items() if state["value"] != state["default"]} == {
        "order",
        "locked_dice",
    }


def test_rules_of_two_texts_read_differently(knobel: RunCommand) -> None:
    danish, english = (knobel(f"rules tactic-xl-yatzy --text {text}").out for text in ("da", "en"))
    assert "announce one open box" in danish
    assert "announce one open box" not in english


# Diff.


def test_diff_shows_what_plays_differently_row_by_row(knobel: RunCommand) -> None:
    assert [row["topic"] for row in knobel("diff mb-yahtzee hasbro-yahtzee --json").form["differences"]] == ["joker"]
    assert knobel("diff mb-yahtzee hasbro-yahtzee").out.splitlines()[3:4] == ["Joker"]


def test_diff_of_a_box_with_itself_finds_nothing(knobel: RunCommand) -> None:
    assert knobel("diff noris-yatzy noris-yatzy").out.rstrip().endswith("They play exactly the same.")
    assert knobel("diff noris-yatzy noris-yatzy --json").form["differences"] == []


def test_diff_of_two_texts(knobel: RunCommand) -> None:
    form = knobel("diff tactic-xl-yatzy:da tactic-xl-yatzy:sv --json").form
    assert (form["left"]["text"], form["right"]["text"]) == ("da", "sv")
    assert {"order", "chance", "box.yatzy"} <= {row["topic"] for row in form["differences"]}


def test_diff_names_a_row_that_only_one_side_has(knobel: RunCommand) -> None:
    rows = {row["topic"]: row for row in knobel("diff philos-yatzi carlit-yatzy --json").form["differences"]}
    assert rows["box.one_pair"]["left"] is None
    assert rows["box.one_pair"]["right"]
    assert "no such rule" in knobel("diff philos-yatzi carlit-yatzy").out


# Score.


def test_score_for_machines_has_the_promised_shape(knobel: RunCommand) -> None:
    form = knobel("score philos-yatzi 3 5 3 5 5 --json").form
    assert list(form) == ["edition", "lang", "text", "dice", "boxes"]
    assert {key: form[key] for key in list(form)[:4]} == {
        "edition": "philos-yatzi",
        "lang": "en",
        "text": "de",
        "dice": [3, 5, 3, 5, 5],
    }
    points = (0, 0, 6, 0, 15, 0, 21, 0, 25, 0, 0, 0, 21)
    assert form["boxes"] == {
        box.id: {"points": worth, "legal": True, "why": None}
        for box, worth in zip(load_edition("philos-yatzi").rules().boxes, points, strict=True)
    }


CHANCE_WAITS = "these dice fit Three of a Kind: Chance only when nothing else fits"


def test_score_says_why_not(knobel: RunCommand) -> None:
    boxes = knobel('score noris-yatzy 6 6 6 1 4 --sheet "sixes=18" --json').form["boxes"]
    assert boxes["sixes"] == boxes["sixes"] | {"points": 18, "legal": False, "why": "already used"}
    assert boxes["yatzy"] == boxes["yatzy"] | {
        "points": 0,
        "legal": False,
        "why": "these dice fit Three of a Kind: score 0 only if nothing fits",
    }
    assert boxes["chance"] == boxes["chance"] | {"points": 23, "legal": False, "why": CHANCE_WAITS}
    assert boxes["ones"] == boxes["ones"] | {"points": 1, "legal": True, "why": None}


def test_score_says_which_extra_comes_on_top(knobel: RunCommand) -> None:
    boxes = knobel('score mb-yahtzee 4 4 4 4 4 --sheet "yatzy=50,fours=12" --json').form["boxes"]
    assert boxes["full_house"] == {"points": 25, "legal": True, "why": None, "extra": 100}
    assert "+100" in knobel('score mb-yahtzee 4 4 4 4 4 --sheet "yatzy=50,fours=12"').out


@pytest.mark.parametrize("box", ["full_house", "full-house", "Full House", "FULL HOUSE"])
def test_score_of_one_box_by_id_or_name(knobel: RunCommand, box: str) -> None:
    assert list(knobel(f'score philos-yatzi 3 3 5 5 5 --box "{box}" --json').form["boxes"]) == ["full_house"]


def test_score_of_one_box_by_its_name_in_the_words_spoken(knobel: RunCommand) -> None:
    boxes = knobel('score noris-yatzy 1 2 3 4 5 --lang de --box "GROSSE STRASSE" --json').form["boxes"]
    assert {box: found["points"] for box, found in boxes.items()} == {"large_straight": 40}


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ("", 20),
        ("--sheet yatzy=50", 100),
        ("--sheet yatzy=0", 20),
        ("--sheet yatzy=0,threes=15 --yatzys 1", 100),
        ("--sheet fours=20 --yatzys 1", 100),
        ("--sheet fours=20 --yatzys=0", 20),
    ],
)
def test_score_of_a_second_yatzi(knobel: RunCommand, options: str, points: int) -> None:
    form = knobel(f"score philos-yatzi 4 4 4 4 4 --box chance --json {options}").form
    assert form["boxes"]["chance"]["points"] == points


def test_score_where_a_box_was_announced(knobel: RunCommand) -> None:
    line = "score tactic-xl-yatzy 6 6 6 2 3 --text da --json"
    missed = knobel(f"{line} --announced four_of_a_kind").form["boxes"]
    made = knobel(f"{line} --announced sixes").form["boxes"]
    guess = knobel(line).form["boxes"]
    assert {box for box, found in missed.items() if found["points"]} == {"chance"}
    assert {box for box, found in made.items() if found["legal"]} == {"sixes"}
    assert guess["sixes"]["points"] == guess["three_of_a_kind"]["points"] == 18
    assert all(found["legal"] for found in guess.values())


def test_score_speaks_the_names_of_the_box(knobel: RunCommand) -> None:
    out = knobel("score mb-yahtzee 4 4 4 1 1 --lang fr").out
    assert re.search(r"^  Brelan +14$", out, re.MULTILINE)
    assert re.search(r"^  Full +25$", out, re.MULTILINE)


def test_score_by_a_house_rule_file(knobel: RunCommand) -> None:
    form = knobel("score examples/house-rules/maxi-yatzy.toml 3 3 3 5 5 5 --json").form
    assert form["edition"] == "maxi-yatzy"
    assert len(form["boxes"]) == 20


# Words and rules: --lang, --text and the machine.

LINES = {
    "score": "score {} 6 6 6 1 3 --json",
    "rules": "rules {} --json",
}


@pytest.mark.parametrize("command", LINES)
@pytest.mark.parametrize(
    ("edition", "options", "machine", "lang", "text"),
    [
        ("tactic-xl-yatzy", "", "", "en", "en"),
        ("tactic-xl-yatzy", "--lang sv", "", "sv", "sv"),
        ("tactic-xl-yatzy", "--lang=sv", "", "sv", "sv"),
        ("tactic-xl-yatzy", "--lang sv --text en", "", "sv", "en"),
        ("tactic-xl-yatzy", "--text sv", "", "en", "sv"),
        ("tactic-xl-yatzy", "--lang es", "", "es", "en"),
        ("tactic-xl-yatzy", "--lang nb", "", "no", "no"),
        ("tactic-xl-yatzy", "--lang nn", "", "no", "no"),
        ("tactic-xl-yatzy", "", "da_DK.UTF-8", "da", "en"),
        ("tactic-xl-yatzy", "--text fi", "da_DK.UTF-8", "da", "fi"),
        ("tactic-xl-yatzy", "--lang fi", "da_DK.UTF-8", "fi", "fi"),
        ("philos-yatzi", "", "", "en", "de"),
        ("philos-yatzi", "--lang es", "", "es", "es"),
        ("philos-yatzi", "--lang da", "", "da", "de"),
        ("philos-yatzi", "", "fr_FR.UTF-8", "fr", "de"),
        ("mb-yahtzee", "--lang en", "", "en", "fr"),
        ("noris-yatzy", "--lang fi", "", "fi", "de"),
        ("carlit-yatzy", "--lang it", "", "it", "it"),
        ("hasbro-yahtzee", "--lang de", "", "de", "en"),
    ],
)
def test_lang_chooses_words_and_text_chooses_rules(
    knobel: RunCommand,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    edition: str,
    options: str,
    machine: str,
    lang: str,
    text: str,
) -> None:
    monkeypatch.setenv("LANG", machine)
    form = knobel(f"{LINES[command].format(edition)} {options}").form
    assert (form["lang"], form["text"]) == (lang, text)


@pytest.mark.parametrize(("options", "legal"), [("--lang sv", False), ("--lang sv --text en", True), ("", True)])
def test_the_rules_that_are_played_are_those_of_the_text(knobel: RunCommand, options: str, legal: bool) -> None:
    boxes = knobel(f"score tactic-xl-yatzy 6 6 6 1 3 --json {options}").form["boxes"]
    assert boxes["chance"]["legal"] == legal


@pytest.mark.parametrize(
    ("name", "variable"),
    [*((name, "LANG") for name in edition_ids()), *(("tactic-xl-yatzy", variable) for variable in MACHINE[:-1])],
)
def test_the_machine_changes_words_only(
    knobel: RunCommand, monkeypatch: pytest.MonkeyPatch, name: str, variable: str
) -> None:
    line = f"rules {name} --json"
    here = knobel(line).form
    monkeypatch.setenv(variable, "da_DK.UTF-8")
    there = knobel(line).form
    assert (here["lang"], there["lang"]) == ("en", "da")
    assert {key: there[key] for key in ("edition", "text", "fingerprint")} == {
        key: here[key] for key in ("edition", "text", "fingerprint")
    }


def test_diff_compares_the_text_of_the_words_where_it_was_printed(knobel: RunCommand) -> None:
    form = knobel("diff tactic-xl-yatzy philos-yatzi --lang fr --json").form
    assert (form["lang"], form["left"]["text"], form["right"]["text"]) == ("fr", "fr", "fr")
    form = knobel("diff tactic-xl-yatzy philos-yatzi --lang da --json").form
    assert (form["lang"], form["left"]["text"], form["right"]["text"]) == ("da", "da", "de")


def test_diff_takes_no_rules_from_the_machine(knobel: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "da_DK.UTF-8")
    form = knobel("diff tactic-xl-yatzy philos-yatzi --json").form
    assert (form["lang"], form["left"]["text"], form["right"]["text"]) == ("da", "en", "de")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_can_be_spoken(knobel: RunCommand, lang: str) -> None:
    lines = ("editions", "rules philos-yatzi", "diff philos-yatzi carlit-yatzy", "score carlit-yatzy 1 1 1 2 2")
    for line in (*lines, "rules carlit-chicago", "diff carlit-chicago:de carlit-chicago:fr"):
        answer = knobel(f"{line} --lang {lang}")
        assert (answer.code, answer.err) == (0, "")
        assert answer.out


# Check.


@pytest.mark.parametrize("name", EXAMPLES)
def test_check_finds_every_example_sound(knobel: RunCommand, name: str) -> None:
    answer = knobel(f"check examples/house-rules/{name}")
    form = knobel(f"check examples/house-rules/{name} --json").form
    assert answer.code == 0
    assert f"{form['title']} is valid" in answer.out
    assert form["edition"] == Path(name).stem
    assert bool(form["differences"]) == (form["extends"] is not None)


def test_check_says_what_differs_from_the_base(knobel: RunCommand) -> None:
    form = knobel("check examples/house-rules/four-rolls.toml --json").form
    assert form["extends"] == "tactic-xl-yatzy"
    assert {row["topic"] for row in form["differences"]} == {"rolls", "bonus", "box.full_house"}


# Mistakes.

NAMES = tuple(edition_ids())
MISTAKES: dict[str, tuple[str, ...]] = {
    # What was typed, and what the one line about it must say.
    "editons": ("editons", "editions"),
    "scroe philos-yatzi 1 2 3 4 5": ("scroe", "score"),
    "--vresion": ("--vresion",),
    "xyzzy": ("xyzzy", *COMMANDS),
    "score mb-yahtze 1 2 3 4 5": ("mb-yahtze", "mb-yahtzee"),
    "score philos 1 2 3 4 5": ("philos", "philos-yatzi"),
    "rules qqqq": ("qqqq", *NAMES),
    "rules ''": NAMES,
    "diff mb-yahtzee hasbro-yatzee": ("hasbro-yatzee", "hasbro-yahtzee"),
    "check mb-yahtsee": ("mb-yahtsee", "mb-yahtzee"),
    "diff tactic-xl-yatzy:xx philos-yatzi": ("xx", "en"),
    "score philos-yatzi 1 2 3 4 5 --box full_hous": ("full_hous", "full_house"),
    "score philos-yatzi 1 2 3 4 5 --box one_pair": ("one_pair",),
    "score philos-yatzi 1 2 3 4 5 --sheet onse=3": ("onse", "ones"),
    "score tactic-xl-yatzy 1 2 3 4 5 --text da --announced sixs": ("sixs", "sixes"),
    "score philos-yatzi 1 2 3 4 5 --sheeet ones=3": ("--sheeet", "--sheet"),
    "editions --jsn": ("--jsn", "--json"),
    "rules noris-yatzy --txt de": ("--txt", "--text"),
    "rules noris-yatzy --set must_fi=false": ("must_fi", "must_fit", *SHEET_SWITCHES),
    "rules noris-yatzy --set qqqq=false": ("qqqq", *SHEET_SWITCHES),
    "rules carlit-chicago --set must_fit=false": ("must_fit", "chicago_special"),
    "rules carlit-chicago --set chicago_special=perhaps": ("chicago_special", "perhaps", "true", "false"),
    "rules noris-yatzy --set chicago_special=true": ("chicago_special", *SHEET_SWITCHES),
    "rules noris-yatzy --set must_fit=maybe": ("must_fit", "maybe", "true", "false"),
    "rules noris-yatzy --set order=updown": ("order", "updown", "free", "top_down", "announced"),
    "rules noris-yatzy --set chance_rule=last_box": ("chance_rule", "last_box", "free", "last_resort"),
    "rules noris-yatzy --set must_fit": ("must_fit", "name=value"),
    "score noris-yatzy 1 2 3 4 5 --text en": ("en", "de"),
    "score tactic-xl-yatzy 1 2 3 4 5 --text es": ("es", *load_edition("tactic-xl-yatzy").printed),
    "score noris-yatzy 1 2 3 4 5 --text xx": ("xx", "de"),
    "score noris-yatzy 1 2 3 4 5 --lang xx": ("xx", *LANGUAGES),
    "editions --lang english": ("english", *LANGUAGES),
    "editions --lang dk": ("dk", *LANGUAGES),
    "score philos-yatzi 1 2 3 4": ("4 dice", "5"),
    "score philos-yatzi 1": ("One die", "5"),
    "score philos-yatzi 1 2 3 4 5 6": ("6 dice", "5"),
    "score philos-yatzi 1 2 3 4 7": ("7", "1 to 6"),
    "score philos-yatzi 1 2 3 4 0": ("0", "1 to 6"),
    "score philos-yatzi 1 2 3 4 -1": ("-1", "1 to 6"),
    "score philos-yatzi 1 2 3 4 x": ("DICE", "x"),
    "score philos-yatzi 1 2 3 4 5.0": ("DICE", "5.0"),
    "score philos-yatzi 1 2 3 4 --5": ("--5",),
    "score philos-yatzi 1 2 3 4 99999999999999999999": ("DICE", "9999"),
    "score philos-yatzi 3355": ("4 dice", "5"),
    "score philos-yatzi": ("DICE",),
    "score": ("EDITION",),
    "rules": ("EDITION",),
    "check": ("FILE",),
    "diff mb-yahtzee": ("OTHER",),
    "diff mb-yahtzee noris-yatzy carlit-yatzy": ("carlit-yatzy",),
    "editions now": ("now",),
    "score philos-yatzi 1 2 3 4 5 --box": ("--box",),
    "rules philos-yatzi --text --json": ("--text",),
    "editions --json=yes": ("--json", "yes"),
    "score philos-yatzi 1 2 3 4 5 --sheet ones": ("ones", "box=points"),
    "score philos-yatzi 1 2 3 4 5 --sheet ones=": ("ones",),
    "score philos-yatzi 1 2 3 4 5 --sheet ones=x": ("ones", "x"),
    "score philos-yatzi 1 2 3 4 5 --sheet ones=--3": ("ones", "--3"),
    "score philos-yatzi 1 2 3 4 5 --sheet ones=3,twos=2,ones=2": ("Ones", "twice"),
    "score philos-yatzi 1 2 3 4 5 --sheet ones=6": ("Ones", "6", "0, 1, 2, 3, 4, 5"),
    "score philos-yatzi 1 2 3 4 5 --sheet ones=-1": ("Ones", "-1"),
    "score philos-yatzi 1 2 3 4 5 --sheet full_house=24": ("Full House", "24", "0, 25"),
    "score philos-yatzi 1 2 3 4 5 --yatzys two": ("--yatzys", "two"),
    "score philos-yatzi 1 2 3 4 5 --yatzys=--1": ("--yatzys", "--1"),
    "score philos-yatzi 1 2 3 4 5 --yatzys -1": ("--yatzys", "-1"),
    "score philos-yatzi 1 2 3 4 5 --yatzys 1": ("--yatzys", "1"),
    "score philos-yatzi 1 2 3 4 5 --sheet yatzy=50 --yatzys 0": ("--yatzys", "0", "1"),
    "score philos-yatzi 1 2 3 4 5 --sheet yatzy=50,chance=100 --yatzys 1": ("--yatzys", "1", "2"),
    "score philos-yatzi 1 2 3 4 5 --announced ones": ("Ones",),
    "score tactic-xl-yatzy 1 2 3 4 5 --text da --sheet ones=3 --announced ones": ("Ones",),
    "check nowhere.toml": ("nowhere.toml",),
    "check examples/house-rules/nowhere.toml": ("nowhere.toml",),
    "check examples/": ("examples",),
    "rules README.md": ("README.md",),
    "rules 'no such\nbox'": ("no such",),
    "rules '\x1b[31mred'": ("red",),
    f"rules {'x' * 5000}": ("xxx",),
    f"rules {'x' * 5000}.toml": ("xxx",),
}


@pytest.mark.parametrize("line", MISTAKES, ids=lambda line: ascii(line)[1:70])
def test_a_mistake_is_answered_in_one_line(knobel: RunCommand, line: str) -> None:
    answer = knobel(line)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.endswith("\n")
    assert len(answer.err.splitlines()) == 1
    assert answer.err[:-1].isprintable()
    for said in MISTAKES[line]:
        assert said in answer.err


@pytest.mark.parametrize(
    ("line", "nearest"),
    [
        ("editons", "editions"),
        ("score mb-yahtze 1 2 3 4 5", "mb-yahtzee"),
        ("score philos-yatzi 1 2 3 4 5 --box full_hous", "full_house"),
        ("rules noris-yatzy --jsn", "--json"),
        ("advise mb-yahtzee --throws-left 2", "--rolls-left"),
        ("play mb-yahtzee --own-dice", "--real-dice"),
        ("rules noris-yatzy --set must_fi=false", "must_fit"),
    ],
)
def test_the_nearest_name_is_suggested(knobel: RunCommand, line: str, nearest: str) -> None:
    assert f"Did you mean {nearest}?" in knobel(line).err


def test_the_old_name_of_a_command_still_works_and_help_is_silent_about_it(knobel: RunCommand, tmp_path: Path) -> None:
    answer = knobel(f"sheet mb-yahtzee -o {tmp_path / 'rules.pdf'}")
    assert (answer.code, answer.err) == (0, "")
    assert (tmp_path / "rules.pdf").read_bytes().startswith(b"%PDF")
    assert "knobel leaflet" in knobel("sheet --help").out
    assert "\n  sheet " not in knobel("help").out


# Short options, and errors for machines.


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("rules mb-yahtzee -l fr -j", "rules mb-yahtzee --lang fr --json"),
        ("editions -j -l=de", "editions --json --lang=de"),
        ("play mb-yahtzee -n 3", "play mb-yahtzee --games 3"),
        ("join K7MX2PQR -n Ann", "join K7MX2PQR --name Ann"),
        ("pad mb-yahtzee -n Ann -o pad.pdf", "pad mb-yahtzee --name Ann --output pad.pdf"),
        ("pad -h", "pad --help"),
    ],
)
def test_a_short_option_is_the_long_one(short: str, long: str) -> None:
    (name, *few), (_, *many) = short.split(), long.split()
    assert parse_arguments(find_command(name), few) == parse_arguments(find_command(name), many)


def test_a_short_option_that_means_nothing_here_is_refused(knobel: RunCommand) -> None:
    answer = knobel("editions -n 3")
    assert (answer.code, answer.err.partition(".")[0]) == (2, "There is no option “-n” here")


@pytest.mark.parametrize("flag", ["--json", "-j"])
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("rules nowhere", "unknown_edition"),
        ("rules", "missing_argument"),
        ("rules mb-yahtzee --lang xx", "unknown_language"),
        ("score mb-yahtzee 1 2 3", "dice_count"),
        ("replay nowhere.knobel", None),
        ("editions --nonsense", "unknown_option"),
        ("nonsense", "unknown_command"),
    ],
)
def test_an_error_under_json_is_one_object(knobel: RunCommand, line: str, code: str | None, flag: str) -> None:
    plain, answer = knobel(line), knobel(f"{line} {flag}")
    assert (answer.code, answer.out) == (plain.code, "")
    (said,) = answer.err.splitlines()
    found = json.loads(said)
    assert set(found) == {"code", "text"}
    assert found["text"] == plain.err.rstrip("\n")
    assert code in (None, found["code"])


# Help.


@pytest.mark.parametrize("line", ["--help", "-h", "help"])
def test_help_names_every_command(knobel: RunCommand, line: str) -> None:
    answer = knobel(line)
    assert answer.code == 0
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", answer.out, re.MULTILINE)


@pytest.mark.parametrize("flag", ["--help", "-h"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_explains_itself_with_an_example(knobel: RunCommand, command: str, flag: str) -> None:
    answer = knobel(f"{command} {flag}")
    assert (answer.code, answer.err) == (0, "")
    assert f"knobel {command}" in answer.out
    assert re.search(rf"^For example:\n  knobel {command}", answer.out, re.MULTILINE)
    for option in find_command(command).options:
        assert option.flag in answer.out
    for argument in find_command(command).arguments:
        assert argument.name.upper() in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


def test_help_wins_over_what_else_is_wrong(knobel: RunCommand) -> None:
    assert knobel("score nonsense --help").code == 0


def examples() -> Iterator[str]:
    """Give every example line that the help of a command shows."""
    for command in COMMANDS:
        yield from Translator("en")(f"interface.{command}.example").split("\n")


@pytest.fixture
def furnished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sit down in a folder of its own, where everything lies that an example speaks of: guides, a game, a backup."""
    for name in ("examples", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    table = open_table("mb-yahtzee", (Seat("Ann"),), typed="help")
    game = NewGame("4f2a000000000000", "help", encode_header(table.header), table.server_seed, ("Ann",), 1.0)

    async def keep() -> None:
        store = await SqliteStore.open(default_database_path())
        await store.commit(game, AddPerson("0123456789abcdef", "Ann", 0, 0, 1.0))
        await write_backup(store, tmp_path / "knobel.backup")
        await store.close()

    asyncio.run(keep())
    return tmp_path


ENDLESS = ("serve", "join", "watch")
"""Commands that wait for others: for browsers, or for a server."""


def is_endless(example: str) -> bool:
    return example.split()[1] in ENDLESS


@pytest.mark.solve
@pytest.mark.parametrize("example", [line for line in examples() if not is_endless(line)])
def test_an_example_of_the_help_works(knobel: RunCommand, example: str, furnished: Path) -> None:
    name, _, line = example.partition(" ")
    answer = knobel(line)
    assert name == "knobel"
    assert answer.out
    if line.startswith("doctor") and answer.code == 1:
        assert len(answer.err.splitlines()) == 1, "what this machine lacks, or that a server cannot be reached, is said"
    else:
        assert (answer.code, answer.err) == (0, "")


@pytest.mark.parametrize("example", [line for line in examples() if is_endless(line)])
def test_an_example_that_would_never_end_is_understood(example: str) -> None:
    _, name, *words = shlex.split(example)
    parse_arguments(find_command(name), words)


def blocks(text: str) -> list[str]:
    """Give the code blocks of a guide."""
    return re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_every_line_of_a_guide_works(knobel: RunCommand, guide: Path) -> None:
    for block in blocks(guide.read_text(encoding="utf-8")):
        for line in re.findall(r"^(?:\.venv/bin/)?knobel (.+)$", block, re.MULTILINE):
            if line.split()[0] in ENDLESS:
                _, name, *words = shlex.split(f"knobel {line}")
                parse_arguments(find_command(name), words)
                continue
            answer = knobel(re.sub(r"\s#.*", "", line))
            assert (answer.code, answer.err) == (0, ""), line
            assert answer.out, line


@pytest.mark.parametrize(
    "guide",
    mostly_solve(GUIDES, *(guide for guide in GUIDES if guide.name != "coach.md")),
    ids=lambda guide: guide.name,
)
def test_every_conversation_of_a_guide_is_true(knobel: RunCommand, guide: Path) -> None:
    for block in blocks(guide.read_text(encoding="utf-8")):
        for line, shown in re.findall(r"^\$ (?:\.venv/bin/)?knobel (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            answer = knobel(line)
            expected = "".join(r"(?:.*\n)*?" if part == "…" else re.escape(part) + "\n" for part in shown.splitlines())
            assert answer.code == (2 if answer.err else 0), line
            assert re.fullmatch(expected, answer.out + answer.err), f"{line}\n{answer.out}{answer.err}"


# Alone, and as a real process.


def test_knobel_alone_lists_the_editions_and_opens_the_last_one(
    knobel: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    answer = knobel("")
    assert (answer.code, answer.err) == (0, "")
    for number, name in enumerate(edition_ids(), 1):
        assert re.search(rf"^ *{number} +{name} ", answer.out, re.MULTILINE)
    assert "--help" in answer.out
    assert re.search(rf"^{load_edition(edition_ids()[-1]).title}: .*Bot cautious", answer.out, re.MULTILINE)


@pytest.mark.parametrize("typed", ["1", "carlit-chicago", "qqqq\n0\n99\n1"])
def test_knobel_alone_opens_the_edition_that_is_asked_for(
    knobel: RunCommand, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    assert edition_ids()[0] == "carlit-chicago"
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{typed}\n"))
    answer = knobel("")
    assert (answer.code, answer.err) == (0, "")
    assert re.search("^Chicago: .*Bot greedy", answer.out, re.MULTILINE)
    assert answer.out.count("qqqq") == typed.count("qqqq")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("1", []),
        ("first", []),
        ("2", ["Lots are drawn"]),
        ("zzzz\n4\nrandom", ["Lots are drawn"]),
        ("3", ["rolls to see who starts"]),
        ("", ["rolls to see who starts"]),
    ],
)
def test_knobel_alone_asks_who_starts(
    knobel: RunCommand, monkeypatch: pytest.MonkeyPatch, typed: str, said: list[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"mb-yahtzee\n{typed}\nq\n"))
    answer = knobel("")
    assert (answer.code, answer.err) == (0, "")
    assert re.findall("Lots are drawn|rolls to see who starts", answer.out) == said
    assert answer.out.count("zzzz") == typed.count("zzzz")


def test_version(knobel: RunCommand) -> None:
    assert knobel("--version") == CommandOutput(0, f"{__version__}\n", "")


@pytest.mark.process
def test_the_program_is_the_same_as_the_function(knobel: RunCommand) -> None:
    line = "score tactic-xl-yatzy 3 3 5 5 5 --lang uk --json"
    run = process(f"knobel {line}")
    assert (run.returncode, run.stdout, run.stderr) == (0, knobel(line).out, "")


@pytest.mark.process
def test_the_program_ends_with_2_after_a_mistake() -> None:
    run = process("knobel score mb-yahtze 1 2 3 4 5", LANG="da_DK.UTF-8")
    assert (run.returncode, run.stdout) == (2, "")
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.process
@pytest.mark.parametrize(
    "line", ["knobel rules tactic-xl-yatzy | head -1", "knobel rules tactic-xl-yatzy | true", "knobel editons | true"]
)
def test_a_reader_who_goes_away_is_no_reason_to_complain(line: str) -> None:
    run = process(line)
    assert "Traceback" not in run.stderr
    assert "Exception" not in run.stderr
    assert len(run.stderr.splitlines()) == line.count("editons")


@pytest.mark.process
def test_a_pipe_that_is_closed_from_the_start_is_no_mistake() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "knobel", "rules", "tactic-xl-yatzy"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        assert run.stdout
        assert run.stderr
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == 0


@pytest.mark.process
@pytest.mark.parametrize("where", [">&-", ">/dev/full", "2>&-"])
def test_an_output_that_cannot_be_written_never_ends_in_a_traceback(where: str) -> None:
    assert "Traceback" not in process(f"knobel editions {where}").stderr


@pytest.mark.process
def test_a_screen_that_knows_no_cyrillic_gets_question_marks() -> None:
    run = process("knobel score tactic-xl-yatzy 1 2 3 4 5 --lang ru", PYTHONIOENCODING="ascii")
    assert (run.returncode, run.stderr) == (0, "")
    assert "?????" in run.stdout


def machine(environment: Mapping[str, str]) -> str:
    """Say which words a machine speaks."""
    run = process("knobel score tactic-xl-yatzy 6 6 6 1 3 --json", **environment)
    form = json.loads(run.stdout)
    return f"{form['lang']} {form['text']} {form['boxes']['chance']['legal']}"


@pytest.mark.process
def test_a_danish_machine_speaks_danish_and_plays_the_default_text() -> None:
    assert machine({"LANG": "da_DK.UTF-8"}) == "da en True"
    assert machine({"LANG": "sv_SE.UTF-8", "LANGUAGE": "fi:sv"}) == "fi en True"


@pytest.mark.process
def test_knobel_alone_plays_on_a_pipe(tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "knobel"],
        input="1\n\nt\nq\n",
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path), "LANG": "C"},
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "Player rolls" in answer.stdout


def test_advice_about_dice_wants_to_know_what_was_announced(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", "tactic-xl-yatzy", "--text", "da", "--dice", "6", "6", "6", "2", "3"]) == 2
    assert "--announced" in capsys.readouterr().err
