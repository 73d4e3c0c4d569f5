"""CONTRIBUTING is true: each step of a contributor, followed literally in a copy, is all that its checks ask for."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.support.repository_copy import ROOT, RepositoryCopy, copy_repository

Change: TypeAlias = Callable[[RepositoryCopy], None]

CHECKS = re.compile(r"`([\w/]+\.py)`")
"""A file of tests, as the last column of the table names it."""


@dataclass(frozen=True)
class Step:
    """What somebody adds: everything but the last part, without which a check named here fails, and that part."""

    begin: Change
    finish: Change
    fails: str


def read_rows() -> Iterator[tuple[str, str]]:
    """Read from the table what can be added, and the checks that are named for it."""
    _, _, chapter = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## I want to add")
    for line in chapter.partition("\n## ")[0].splitlines():
        if line.startswith("| ") and line.count(" | ") == 2:
            added, _, checks = line.strip("| ").split(" | ")
            yield added, checks


def edit_json(copy: RepositoryCopy, path: str, edit: Callable[[Any], object]) -> None:
    content = json.loads(copy.read(path))
    edit(content)
    copy.write(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")


# An edition: one file, its printed names, golden cases.

BOXES = {
    "ones": 'pattern = "faces", face = 1, counts = "group", upper = true',
    "sixes": 'pattern = "faces", face = 6, counts = "group", upper = true',
    "two_pairs": 'pattern = "pairs", count = 2, counts = "group"',
    "full_house": 'pattern = "house", sizes = [3, 2], points = 30',
    "yatzy": 'pattern = "group", size = 5, points = 60',
    "chance": 'pattern = "sum", counts = "all"',
}
TOPICS = (
    "players",
    "start",
    "turns",
    "leave",
    "rolls",
    "keep",
    "order",
    "entry",
    "zero",
    "chance",
    "bonus",
    "win",
    "series",
)
EDITION = """title = "Sample Yatzy"
publisher = "Sample"
printed = ["de", "en"]
default_text = "de"

dice = 5
faces = 6
rolls = 3
players = {{ least = 2 }}
start = "any"
series = "none"
bonus = {{ threshold = 21, points = 10 }}
chance = {{ box = "chance" }}
yatzy = {{ box = "yatzy" }}

[boxes]
{boxes}
{sources}"""


def add_edition(copy: RepositoryCopy) -> None:
    topics = (*TOPICS, *(f"box.{box}" for box in BOXES))
    sources = [
        f'\n[sources."{topic}"]\nde = "Regel {place}"\nen = "Rule {place}"' for place, topic in enumerate(topics)
    ]
    boxes = [f"{box} = {{ {settings} }}" for box, settings in BOXES.items()]
    text = EDITION.format(boxes="\n".join(boxes), sources="\n".join(sources))
    copy.write("src/knobel/rules/editions/sample-yatzy.toml", f"{text}\n")
    copy.add_words("de", {"rules.name.full_house": "Volles Haus"}, "sample-yatzy")
    names = {"de": {"title": "Sample Yatzy", "full_house": "Volles Haus"}}
    edit_json(copy, "tests/golden/glossary.json", lambda glossary: glossary["editions"].update({"sample-yatzy": names}))


def add_golden_cases(copy: RepositoryCopy) -> None:
    hand: dict[str, object] = {"edition": "sample-yatzy", "lang": "de", "dice": [3, 3, 5, 5, 5]}
    cases = [{**hand, "category": box, "points": points} for box, points in (("full_house", 30), ("two_pairs", 16))]
    edit_json(copy, "tests/golden/golden_scores.json", lambda known: known.extend(cases))


# A bot in a file of its own, which reads a solved book.

BOT = '''"""A bot that plays by the book, but always the second best move."""

from random import Random

from knobel.coach.sheet import open_coach
from knobel.game import Move
from knobel.games.sheet import SheetGame, SheetState


def modest_bot(game: SheetGame, state: SheetState, random: Random) -> Move:  # noqa: ARG001
    """Play the second best move, if there are two."""
    return open_coach(game.rules_for(state.player)).rank_moves(game, state)[:2][-1].move
'''


def add_bot(copy: RepositoryCopy) -> None:
    copy.write("src/knobel/bots/modest.py", BOT)
    known = '"perfect_bot", is_slow=True, needs=BOOK, is_perfect=True, extra=SOLVER),\n'
    entry = '            "modest": BotKind("modest", "modest_bot", is_slow=True, needs=BOOK, extra=SOLVER),\n'
    copy.replace("src/knobel/bots/families.py", known, known + entry)


def add_bot_words(copy: RepositoryCopy) -> None:
    copy.add_words("en", {"web.bot.modest": "Modest", "web.bot.modest.about": "kind, polite, shy"})
    copy.write("src/knobel/web/static/bots/modest.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    averages = "src/knobel/bots/averages.toml"
    copy.write(averages, copy.read(averages).replace('"perfect" =', '"modest" = { mean = 100.00 }\n"perfect" ='))


# A command.

COMMAND = '''"""`knobel boxes`: name the boxes of an edition."""

from knobel.cli.parser import LANG, Argument, Command, CommandOption, Given
from knobel.cli.screen import say
from knobel.lang import Translator, choose_language
from knobel.rules import load_edition
from knobel.rules.families import list_boxes


def run(given: Given) -> None:
    """Name the boxes, the last first if asked."""
    edition = load_edition(given.required("pad"))
    words = Translator(choose_language(given.read_value("lang")), edition)
    boxes = list_boxes(edition.rules())
    for box in reversed(boxes) if given.has("backwards") else boxes:
        say(words.name_box(box))


COMMAND = Command("boxes", (Argument("pad"),), (CommandOption("backwards"), LANG), run)
'''


def add_command(copy: RepositoryCopy) -> None:
    copy.write("src/knobel/cli/boxes.py", COMMAND)
    copy.replace("src/knobel/cli/__init__.py", '    "welcome",\n)', '    "boxes",\n    "welcome",\n)')
    copy.add_words(
        "en",
        {
            "interface.boxes.about": "Name the boxes of an edition.",
            "interface.boxes.example": "knobel boxes mb-yahtzee",
            "interface.placeholder.pad": "PAD",
        },
    )


def add_command_words(copy: RepositoryCopy) -> None:
    words = {"argument.pad": "the id of an edition", "option.backwards": "the last box first"}
    copy.add_words("en", {f"interface.{key}": text for key, text in words.items()})


# A pattern.

PATTERN = '''

@register_pattern(lambda dice, least: (least,) * dice, least=Int(1, MAX_FACES))
def high(hand: Hand, *, least: int) -> Hand | None:
    """Only dice of this face or higher."""
    return hand if hand[0] >= least else None
'''


def add_pattern(copy: RepositoryCopy) -> None:
    copy.append("src/knobel/rules/scoring.py", PATTERN)
    copy.add_words("en", {"rules.pattern.high": "all dice {least} or higher", "rules.named.high": "{least} and up"})
    row = "| `sum` | none | any dice |\n"
    copy.replace("docs/house-rules.md", row, f"| `high` | `least`: 1 to 12 | every die this face or higher |\n{row}")


def add_pattern_words(copy: RepositoryCopy) -> None:
    copy.add_words("en", {"paper.wants.high": "{least} and up"})


# A language, and a house-rule file.


def add_language(copy: RepositoryCopy) -> None:
    """Begin Portuguese, with the names of the Spanish boxes."""
    spanish = copy.read("src/knobel/lang/es/LC_MESSAGES/rules.po").split("\n\n")
    header = spanish[0].replace('"Language: es', '"Language: pt').replace("(n != 1)", "(n > 1)")
    named = [block for block in spanish[1:] if "msgctxt" not in block and re.search(r'"rules\.(name|term)\.', block)]
    copy.write("src/knobel/lang/pt/LC_MESSAGES/rules.po", "\n\n".join([header, *named]) + "\n")
    edit_json(copy, "tests/golden/glossary.json", lambda glossary: glossary.update({"pt": glossary["es"]}))


def add_language_name(copy: RepositoryCopy) -> None:
    copy.add_words("en", {"rules.language.pt": "Portuguese"})


def add_wrong_house_rules(copy: RepositoryCopy) -> None:
    rules = 'title = "Two rolls"\nextends = "mb-yahtzee"\nrolls = 0\n'
    copy.write("examples/house-rules/two-rolls.toml", rules)


def mend_house_rules(copy: RepositoryCopy) -> None:
    copy.replace("examples/house-rules/two-rolls.toml", "rolls = 0", "rolls = 2")


STEPS: Mapping[str, Step] = {
    "an edition": Step(add_edition, add_golden_cases, "test_golden.py"),
    "a bot": Step(add_bot, add_bot_words, "lang/test_catalogs.py"),
    "a command": Step(add_command, add_command_words, "lang/test_catalogs.py"),
    "a pattern": Step(add_pattern, add_pattern_words, "lang/test_catalogs.py"),
    "a language": Step(add_language, add_language_name, "lang/test_catalogs.py"),
    "a house-rule example": Step(add_wrong_house_rules, mend_house_rules, "rules/test_house_rules.py"),
}


def test_every_check_that_is_named_exists() -> None:
    rows = dict(read_rows())
    assert set(STEPS) <= set(rows)
    named = {check for checks in rows.values() for check in CHECKS.findall(checks)}
    assert len(named) > len(STEPS)
    assert {check for check in named if not (ROOT / "tests" / check).is_file()} == set()


CHECKED_BY_CI = ("an edition",)
"""The steps that are taken most; each copies the repository and runs tests there for minutes."""


@pytest.mark.rest
@pytest.mark.parametrize(
    "added", [one if one in CHECKED_BY_CI else pytest.param(one, marks=pytest.mark.torture) for one in STEPS]
)
def test_the_checks_of_a_step_fail_until_it_is_done_and_then_pass(added: str, tmp_path: Path) -> None:
    step, named = STEPS[added], CHECKS.findall(dict(read_rows())[added])
    assert step.fails in named
    copy = copy_repository(tmp_path / "copy")
    step.begin(copy)
    copy.update_catalogs()
    early = copy.check(step.fails, "-x")
    assert early.returncode == 1, early.stdout
    step.finish(copy)
    copy.update_catalogs()
    done = copy.check(*named)
    assert done.returncode == 0, done.stdout
    for lint in (["check"], ["format", "--check"]):
        linted = copy.run("-m", "ruff", *lint, "--no-cache", "src")
        assert linted.returncode == 0, linted.stdout
