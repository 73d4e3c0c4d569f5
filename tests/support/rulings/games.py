"""Editions, sheets and games for the checks of the rulings; dice are written as "33555"."""

import contextlib
import io
import os
import shlex
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from unittest.mock import patch

from knobel.cli import main
from knobel.dice import sort_dice
from knobel.errors import WrongPlayerCount
from knobel.game import Action, Announce, Land, Outcome, Roll, Score, play
from knobel.games.sheet import SheetGame, SheetState
from knobel.lang import Translator
from knobel.phrase import Phrase
from knobel.rules import load_edition
from knobel.rules.articles import Article
from knobel.rules.column import Option, build_column, list_options
from knobel.rules.leaflet import build_articles, cite_article
from knobel.rules.sheet_rules import SheetRules

PHILOS, MB, NORIS, HASBRO = "philos-yatzi", "mb-yahtzee", "noris-yatzy", "hasbro-yahtzee"
TACTIC, CARLIT, CHICAGO = "tactic-xl-yatzy", "carlit-yatzy", "carlit-chicago"
YAHTZEES = (PHILOS, MB, NORIS, HASBRO)
"""Editions whose combinations score fixed points or all dice."""
YATZYS = (TACTIC, CARLIT)
"""Editions whose combinations score their own dice."""
SHEETS = (*YAHTZEES, *YATZYS)
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
THREE_OF_EACH = {"ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}
"""An upper half of 63."""


def rules_of(name: str, text: str | None = None, **switches: str) -> SheetRules:
    rules: SheetRules = load_edition(name).rules(text, switches)
    return rules


def rules_of_texts(*names: str, **switches: str) -> Iterator[SheetRules]:
    """Give the rules of every printed text of these editions."""
    for name in names:
        yield from (rules_of(name, text, **switches) for text in load_edition(name).printed)


def options_for(
    rules: SheetRules, dice: str, sheet: Mapping[str, int] | None = None, yatzys: int = 0, announced: str | None = None
) -> Mapping[str, Option]:
    """Say what dice score on a sheet with these boxes filled."""
    return list_options(rules, build_column(rules, sheet or {}, yatzys=yatzys), sort_dice(map(int, dice)), announced)


def worth(rules: SheetRules, dice: str, box: str, sheet: Mapping[str, int] | None = None, yatzys: int = 0) -> int:
    return options_for(rules, dice, sheet, yatzys)[box].points


def choices(
    rules: SheetRules, dice: str, sheet: Mapping[str, int] | None = None, yatzys: int = 0, announced: str | None = None
) -> dict[str, int]:
    """List the boxes that may be filled, with their points."""
    found = options_for(rules, dice, sheet, yatzys, announced)
    return {box: option.points for box, option in found.items() if option.refusal is None}


def fill_except(rules: SheetRules, *open_boxes: str) -> dict[str, int]:
    """Fill all boxes but these with zeros."""
    return {box.id: 0 for box in rules.boxes if box.id not in open_boxes}


# Games.


def sheet_game(name: str, text: str | None = None, *, practice: bool = False, **switches: str) -> SheetGame:
    return SheetGame(rules_of(name, text, **switches), practice=practice)


def can_start(name: str, seats: int, text: str | None = None) -> bool:
    try:
        sheet_game(name, text).start(seats)
    except WrongPlayerCount:
        return False
    return True


def roll(game: SheetGame, state: SheetState, dice: str, keep: Iterable[int] = ()) -> SheetState:
    """Roll all dice but those kept, and let them land like this."""
    return play(game, play(game, state, Roll(tuple(keep))), Land(tuple(map(int, dice))))


def take_turn(game: SheetGame, state: SheetState, dice: str, box: str, *, cross_out: bool = False) -> SheetState:
    """Roll once and score."""
    if game.needs_announcement(state):
        state = play(game, state, Announce(box))
    return play(game, roll(game, state, dice), Score(box, cross_out=cross_out))


def refusal(game: SheetGame, state: SheetState, action: Action) -> str:
    """Give the last word of the reason why an action is refused; none if it is allowed."""
    why = game.refusal(state, action)
    return why.key.split(".")[-1] if why else ""


def outcome_of(game: SheetGame, state: SheetState) -> Outcome:
    found = game.outcome(state)
    assert found is not None
    return found


# Words.


def find_article(name: str, topic: str, text: str | None = None, **switches: str) -> Article:
    edition = load_edition(name)
    articles = build_articles(edition, text or edition.default_text, switches)
    return next(article for article in articles if article.topic == topic)


def has_article(name: str, topic: str, text: str) -> bool:
    return any(article.topic == topic for article in build_articles(load_edition(name), text, {}))


def cite(name: str, topic: str, text: str | None = None) -> Phrase:
    """Give the citation of a rule as it is printed."""
    edition = load_edition(name)
    return cite_article(edition, text or edition.default_text, find_article(name, topic, text))


def name_of(name: str, box: str, lang: str) -> str:
    """Give the name of a box in a language."""
    return Translator(lang, load_edition(name)).name_box(box)


def run_knobel(line: str, *typed: str) -> tuple[int, str]:
    """Run a command in an empty folder at an English machine; give its code and all it says."""
    told = io.BytesIO()
    said = io.TextIOWrapper(told, encoding="utf-8", write_through=True)
    entered = io.StringIO("".join(f"{one}\n" for one in typed))
    with tempfile.TemporaryDirectory() as folder:
        place = {"XDG_DATA_HOME": folder, "XDG_CACHE_HOME": folder, "LANG": "C", "LANGUAGE": "", "LC_ALL": "C"}
        with (
            contextlib.chdir(Path(folder)),
            patch.dict(os.environ, place),
            patch.object(sys, "stdin", entered),
            contextlib.redirect_stdout(said),
            contextlib.redirect_stderr(said),
        ):
            code = main(shlex.split(line))
    return code, " ".join(told.getvalue().decode("utf-8").split())
