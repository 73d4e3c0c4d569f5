"""Who may look at whom: the house rules of docs/house.md, executed over the source."""

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import pytest

FLOORS = (
    ("phrase", "dice", "errors"),
    ("rules",),
    ("game", "games", "notation", "series", "fair", "solver"),
    (
        *("lang", "whole", "record", "table", "room", "bots", "host", "store", "view"),
        *("coach", "round_coach", "review", "paper", "simulation"),
    ),
    ("cli", "tui", "web", "lab"),
)
"""From the cellar to the attic; a room looks only at floors below its own."""

SECOND, ATTIC = FLOORS[3], FLOORS[4]

NEIGHBOURS = {
    "errors": {"phrase"},  # an error carries what is to be said about it
    "games": {"game"},  # the games have the one shape
    "notation": {"game"},  # actions as text
    "series": {"game"},  # outcomes folded
    "record": {"whole"},  # a record on disk is whole or not there
    "store": {"whole"},  # and so is a backup
    "table": {"record"},  # what happens at a table is what its record remembers
    "room": {"record"},  # what was agreed in a room is the header of its record
    "view": {"room", "record", "table"},  # what somebody sees of a room and its table
    "paper": {"record"},  # a played game is printed from its record
    "bots": {"coach", "round_coach"},  # the perfect bot asks the coach
    "review": {"record", "coach", "round_coach"},  # a record gone through with the coach
    "simulation": {"bots"},  # very many games of one bot
    "host": set(SECOND),  # the one place that wires
    "cli": {"tui", "web"},  # the command line starts the other windows
}
"""Which rooms may look at rooms of their own floor; nobody else may."""

GUESTS = {
    "msgspec": {"record", "room", "view", "host", "web"},
    "platformdirs": {"host", "solver"},
    "numpy": {"solver", "coach", "bots", "lab", "cli"},
    "numba": {"solver"},
    "llvmlite": {"solver"},
    "psycopg": {"store"},
    "starlette": {"web"},
    "uvicorn": {"web"},
    "uvloop": {"web"},
    "segno": {"web"},
    "typst": {"paper"},
}
"""Which rooms may use a library that is not Python's own."""

BOOK_READERS = {
    "knobel.coach.sheet",
    "knobel.bots",
    "knobel.solver",
    "knobel.cli.solve",  # writes one and says what is in it
    "knobel.cli.books",  # shows a bar while one is written
    "knobel.cli.odds",  # keeps the odds beside it
    "knobel.cli.doctor",  # looks whether every one is whole
}
RULE_READERS = {
    "knobel.solver.tables",  # a ruleset as arrays
    "knobel.solver.oracle",  # asks the rules themselves: the truth
    "knobel.solver.position",  # finds a column in the book
    "knobel.solver.solve",  # says what a ruleset will cost
    "knobel.solver.book_cache",  # named by the fingerprint
    "knobel.solver.__main__",  # reads rules from its parent
}
KERNELS = {f"knobel.solver.{name}" for name in ("kernel", "forward", "through", "gather", "playing", "expect")}
STOPWATCHES = {"knobel.solver.solve", "knobel.solver.simulate"}
TREES = {"knobel.errors"}
"""One tree in one file, however long."""
CLOCKS = {"random", "secrets", "time", "datetime", "zoneinfo", "locale", "uuid"}
FILES = {"os", "io", "pathlib", "shutil", "tempfile", "glob", "fcntl", "socket", "subprocess", "sqlite3"}
FILE_READERS = ("knobel.rules", "knobel.solver.book_cache", "knobel.solver.solve")
LONGEST = 400

SRC = Path(__file__).parents[1] / "src"
HEIGHT = {room: height for height, floor in enumerate(FLOORS) for room in floor}
OUTSIDE = {"__init__": -1, "__main__": len(FLOORS)}
PURE = [room for floor in FLOORS[:3] for room in floor]
EDITIONS = sorted(path.stem for path in SRC.glob("knobel/rules/editions/*.toml"))


@dataclass(frozen=True)
class Module:
    """One file of the source, by its dotted name."""

    name: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """What is written in it."""
        return ast.parse(self.text)

    @property
    def room(self) -> str:
        """The room it stands in."""
        return self.name.split(".")[1]

    @cached_property
    def looks_at(self) -> tuple[str, ...]:
        """Everything it imports, by dotted name; a name built for a late import counts too."""
        return tuple(self._imports())

    def _imports(self) -> Iterator[str]:
        for node in ast.walk(self.tree):
            match node:
                case ast.Import(names=names):
                    yield from (alias.name for alias in names)
                case ast.ImportFrom(module=module, names=names, level=level):
                    above = self.name.split(".")[: level and -level]
                    yield from (".".join(filter(None, (*above, module, alias.name))) for alias in names)
                case ast.Constant(value=str(text)) if re.match(r"knobel\.\w", text):
                    yield text

    @cached_property
    def rooms(self) -> tuple[str, ...]:
        """The rooms of ours it looks at."""
        ours = (name.split(".")[1] for name in self.looks_at if name.startswith("knobel."))
        return tuple(dict.fromkeys(room for room in ours if room in HEIGHT))

    @cached_property
    def libraries(self) -> tuple[str, ...]:
        """The packages it looks at that are not ours."""
        return tuple(dict.fromkeys(name.split(".")[0] for name in self.looks_at if not name.startswith("knobel")))


def house() -> list[Module]:
    """Read every module."""
    return [
        Module(".".join(path.relative_to(SRC).with_suffix("").parts), path.read_text(encoding="utf-8"))
        for path in sorted(SRC.rglob("*.py"))
    ]


def unknown_room(module: Module) -> Iterator[str]:
    """Every module stands in a room of the plan."""
    if module.room not in (*HEIGHT, *OUTSIDE):
        yield module.room


def wrong_room(module: Module) -> Iterator[str]:
    """A room looks only at floors below, and at neighbours as the table says; the ground looks at nothing."""
    height = (HEIGHT | OUTSIDE).get(module.room, 0)
    for room in module.rooms:
        neighbour = room == module.room or room in NEIGHBOURS.get(module.room, ())
        if HEIGHT[room] >= height and not (neighbour and HEIGHT[room] == height):
            yield room


def opened_book(module: Module) -> Iterator[str]:
    """Only coach and bots open a book, and the commands that are about one."""
    if not any(f"{module.name}.".startswith(f"{reader}.") for reader in BOOK_READERS):
        yield from (name for name in module.looks_at if name.startswith("knobel.solver.book_cache"))


def solver_wing(module: Module) -> Iterator[str]:
    """In the solver few have seen a ruleset, and compiled code imports only compiled code."""
    if module.room != "solver":
        return
    if module.name not in RULE_READERS:
        yield from (room for room in module.rooms if room == "rules")
    if module.name in KERNELS:
        ours = (name for name in module.looks_at if name.startswith("knobel."))
        yield from (name for name in ours if not name.startswith(("knobel.solver.simd", *sorted(KERNELS))))


def uninvited_library(module: Module) -> Iterator[str]:
    """Each library has its host rooms; everybody may use Python's own."""
    for library in module.libraries:
        if library not in sys.stdlib_module_names and module.room not in GUESTS.get(library, ()):
            yield library


def clock_or_luck(module: Module) -> Iterator[str]:
    """No clock, no randomness, no locale below the table; the solver may time itself."""
    if module.room in PURE and module.name not in STOPWATCHES:
        yield from (library for library in module.libraries if library in CLOCKS)


def file_below(module: Module) -> Iterator[str]:
    """No file below the table, except the rules reading their own data and the solver its book."""
    if module.room in PURE and not module.name.startswith(FILE_READERS):
        yield from (library for library in module.libraries if library in FILES)


def waiting_below(module: Module) -> Iterator[str]:
    """Everything below the table is sync."""
    if module.room in PURE:
        yield from (node.name for node in ast.walk(module.tree) if isinstance(node, ast.AsyncFunctionDef))


def named_edition(module: Module) -> Iterator[str]:
    """No code names an edition."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from (edition for edition in EDITIONS if edition in node.value)


Described: TypeAlias = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def undescribed(module: Module) -> Iterator[str]:
    """Every module, class and public function says in one sentence what it is."""
    for name, node in described(module.tree):
        first = (ast.get_docstring(node) or "").partition("\n")[0]
        if not re.fullmatch(r".+[.?!]", first) or re.search(r"[.?!] +[A-Z]", first):
            yield name


def described(tree: ast.Module | ast.ClassDef, within: str = "") -> Iterator[tuple[str, Described]]:
    """Walk over what needs a sentence: nothing private, nothing inside a function."""
    yield within.rstrip(".") or "module", tree
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from described(node, f"{within}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield f"{within}{node.name}", node


def too_long(module: Module) -> Iterator[str]:
    """A module fits in a head."""
    if (lines := module.text.count("\n")) > LONGEST and module.name not in TREES:
        yield str(lines)


Rule: TypeAlias = Callable[[Module], Iterable[str]]
RULES: list[Rule] = [
    unknown_room,
    wrong_room,
    opened_book,
    solver_wing,
    uninvited_library,
    clock_or_luck,
    file_below,
    waiting_below,
    named_edition,
    undescribed,
    too_long,
]

BREACHES: list[tuple[Rule, str, str]] = [
    (unknown_room, "knobel.helpers", ""),
    (wrong_room, "knobel.rules.column", "from knobel.lang import Words"),
    (wrong_room, "knobel.rules.column", "def f():\n    import knobel.web.hubs"),
    (wrong_room, "knobel.rules.column", "import_module(f'knobel.cli.{name}')"),
    (wrong_room, "knobel.rules.column", "from ..games import sheet"),
    (wrong_room, "knobel.rules.__init__", "from .. import games"),
    (wrong_room, "knobel.dice", "from knobel.phrase import phrase"),
    (wrong_room, "knobel.solver.tables", "from knobel import game"),
    (wrong_room, "knobel.table", "from knobel.bots import greedy"),
    (wrong_room, "knobel.paper.pad", "from knobel.lang import Words"),
    (wrong_room, "knobel.rooms.room", "from knobel.table import Table"),
    (wrong_room, "knobel.rooms.room", "from knobel.store import Store"),
    (wrong_room, "knobel.record.replay", "from knobel.rooms.room import Room"),
    (wrong_room, "knobel.view.sheet", "from knobel.lang import Words"),
    (wrong_room, "knobel.view.sheet", "from knobel.host import Host"),
    (wrong_room, "knobel.store.sqlite", "from knobel.record.events import Header"),
    (wrong_room, "knobel.tui.screen", "from knobel.cli.screen import say"),
    (wrong_room, "knobel.web.hubs", "import knobel.tui"),
    (wrong_room, "knobel.__init__", "from knobel.dice import hand"),
    (opened_book, "knobel.cli.score", "from knobel.solver.book_cache import read"),
    (opened_book, "knobel.host", "from knobel.solver import book"),
    (solver_wing, "knobel.solver.value_kernel", "from knobel.dice import hands"),
    (solver_wing, "knobel.solver.odds", "from knobel.rules.sheet_rules import SheetRules"),
    (uninvited_library, "knobel.rules.column", "import numpy as np"),
    (uninvited_library, "knobel.bots", "import numba"),
    (uninvited_library, "knobel.cli.score", "import requests"),
    (uninvited_library, "knobel.host.archive", "import psycopg"),
    (uninvited_library, "knobel.cli.serve", "import uvicorn"),
    (uninvited_library, "knobel.coach.sheet", "import msgspec"),
    (clock_or_luck, "knobel.games.sheet", "from random import randint"),
    (clock_or_luck, "knobel.rules.toml_file", "import time"),
    (file_below, "knobel.notation", "from pathlib import Path"),
    (waiting_below, "knobel.game", "async def play(): ..."),
    (named_edition, "knobel.rules", f"x = 'mine:{EDITIONS[0]}'"),
    (named_edition, "knobel.rules", f"'''Not in a docstring: {EDITIONS[-1]}.'''"),
    (undescribed, "knobel.dice", "x = 1"),
    (undescribed, "knobel.dice", "'''No full stop'''"),
    (undescribed, "knobel.dice", "'''Two. Sentences.'''"),
    (undescribed, "knobel.dice", "'''A.'''\nclass Die:\n    '''A die.'''\n    def roll(self): ..."),
    (too_long, "knobel.dice", "\n" * (LONGEST + 1)),
]

GOOD_MANNERS: list[tuple[str, str]] = [
    ("knobel.errors", "from knobel.phrase import Phrase"),
    ("knobel.rules.column", "import json\nfrom pathlib import Path\nfrom .scoring import worth\nfrom .. import dice"),
    ("knobel.games.sheet", "from knobel.game import Move\nfrom knobel.rules import load"),
    ("knobel.solver.value_kernel", "import numba\nimport numpy"),
    ("knobel.coach.sheet", "import numpy\nfrom knobel.solver.book_cache import read"),
    ("knobel.host", "import time\nfrom knobel import bots, coach, lang, room, store, table, view"),
    (
        "knobel.view.sheet",
        "from knobel.record import replay\nfrom knobel.rooms import chairs\nfrom knobel.table import Table",
    ),
    ("knobel.web.app", "import segno\nimport starlette\nfrom knobel.host import Host"),
    ("knobel.cli.play", "from knobel import __version__, tui, web\nfrom knobel.cli import screen"),
    ("knobel.__main__", "from knobel.cli import main"),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_house_keeps_its_rules(rule: Rule) -> None:
    found = {module.name: tuple(rule(module)) for module in house()}
    assert {name: breach for name, breach in found.items() if breach} == {}


@pytest.mark.parametrize(("rule", "name", "text"), BREACHES)
def test_a_breach_of_a_rule_is_found(rule: Rule, name: str, text: str) -> None:
    assert tuple(rule(Module(name, text)))


@pytest.mark.parametrize(("name", "text"), GOOD_MANNERS, ids=[name for name, _ in GOOD_MANNERS])
def test_good_manners_break_no_rule(name: str, text: str) -> None:
    module = Module(name, f"'''A module.'''\n{text}\n")
    assert [rule.__name__ for rule in RULES if tuple(rule(module))] == []


def test_every_rule_has_been_seen_to_bite() -> None:
    assert {rule for rule, _, _ in BREACHES} == set(RULES)


def test_the_plan_names_every_room_once() -> None:
    rooms = [room for floor in FLOORS for room in floor]
    assert len(rooms) == len(set(rooms))
    assert {*NEIGHBOURS, *(room for rooms in NEIGHBOURS.values() for room in rooms)} <= set(rooms)
