"""The architecture, executed over the source: who imports whom, how large things get, where families differ."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TypeAlias

import pytest

LAYERS = (
    ("phrase", "dice", "errors", "extras"),
    ("rules",),
    ("game", "games", "notation", "series", "fair", "tournament", "solver"),
    (
        *("lang", "atomic_write", "record", "table", "rooms", "store", "view"),
        *("bots", "coach", "solve_worker", "paper", "simulation", "stats", "host", "client", "learning", "sweeps"),
    ),
    ("cli", "tui", "web", "lab", "library"),
)
"""From the foundation up; a package imports only from layers below its own."""

SERVING = LAYERS[3]

SAME_LAYER_IMPORTS = {
    "errors": {"phrase"},  # an error carries the phrase that describes it
    "extras": {"errors"},  # what is not installed is refused by an error
    "games": {"game"},  # every family implements the protocol
    "notation": {"game"},  # actions as text
    "series": {"game"},  # adds up outcomes
    "record": {"atomic_write"},  # a record on disk is never half written
    "store": {"atomic_write"},  # nor is a backup
    "table": {"record"},  # a table replays its record
    "rooms": {"record"},  # what a room agreed on becomes the header of a record
    "view": {"rooms", "record", "table"},  # draws a room and its table
    "paper": {"record"},  # prints a played game from its record
    "bots": {"coach"},  # the perfect bot asks the coach
    "coach": {"record"},  # reviews a record
    "learning": {"coach", "record"},  # grades answers with it, and finds mistakes in records
    "solve_worker": {"bots", "coach", "learning"},  # solves what they need
    "stats": {"record"},  # counts what a record says
    "simulation": {"bots"},  # very many games of one bot
    "sweeps": {"atomic_write"},  # results on disk are never half written
    "client": {"atomic_write", "record", "rooms", "table", "view"},  # replays here what a server elsewhere plays
    "host": set(SERVING),  # the one place that wires
    "cli": {"tui", "web"},  # the command line starts the other screens
    "lab": {"library"},  # rules as callers of the library name them
}
"""Which packages may import packages of their own layer; nobody else may."""

THIRD_PARTY = {
    "msgspec": {"record", "rooms", "view", "host", "client", "web"},
    "platformdirs": {"host", "solver"},
    "numpy": {"solver", "coach", "bots", "lab", "cli", "sweeps"},
    "numba": {"solver"},
    "llvmlite": {"solver"},
    "fsrs": {"learning"},
    "psycopg": {"store"},
    "psycopg_pool": {"store"},
    "starlette": {"web"},
    "uvicorn": {"web"},
    "uvloop": {"web"},
    "segno": {"web"},
    "websockets": {"client"},
    "typst": {"paper"},
    "textual": {"tui"},
    "rich": {"tui"},
    "gymnasium": {"lab"},
    "pettingzoo": {"lab"},
    "distributed": {"sweeps"},
    "pyarrow": {"sweeps"},
}
"""Which packages may use a library that is not Python's own."""

BOOK_READERS = {
    "knobel.coach.sheet",
    "knobel.coach.random_play",  # keeps what random moves lose beside it
    "knobel.bots",
    "knobel.solve_worker",
    "knobel.solver",
    "knobel.cli.solve_sheet",  # writes one and describes it
    "knobel.cli.books",  # shows a progress bar while one is written
    "knobel.cli.odds_report",  # keeps the odds beside it
    "knobel.cli.aims",  # keeps the chances to reach each total beside it
    "knobel.cli.doctor",  # checks that every one is intact
}
RULE_READERS = {
    "knobel.solver.tables",  # rules as arrays
    "knobel.solver.oracle",  # asks the rules themselves: the truth
    "knobel.solver.position",  # finds a column in the book
    "knobel.solver.solve",  # estimates what a solve costs
    "knobel.solver.book_cache",  # files are named by the fingerprint of the rules
    "knobel.solver.request",  # says which rules are to be solved
    "knobel.solver.column_position",  # where a column stands, as plain data
    "knobel.solver.known_totals",  # keeps distributions by the fingerprint of the rules
}
KERNELS = {
    f"knobel.solver.{name}_kernel"
    for name in (
        *("value", "turn", "transition", "distribution", "batch", "round_batch"),
        *("simulation", "expected_scores", "moments", "lane", "known_dice"),
    )
}
SHARED_BY_KERNELS = ("arrays", "batch_arrays", "round_batch_arrays", "simulation_arrays", "compiled", "simd")
KERNEL_IMPORTS = (*(f"knobel.solver.{name}" for name in SHARED_BY_KERNELS), *KERNELS)
SELF_TIMED = {"knobel.solver.solve", "knobel.solver.simulate"}
NONDETERMINISTIC = {"random", "secrets", "time", "datetime", "zoneinfo", "locale", "uuid"}
INPUT_OUTPUT = {"os", "io", "pathlib", "shutil", "tempfile", "glob", "fcntl", "socket", "subprocess", "sqlite3"}
FILE_READERS = ("knobel.rules", "knobel.solver.book_cache", "knobel.solver.compiled", "knobel.solver.solve")

LONGEST_MODULE = 400
LONG_MODULES = {"knobel.errors"}
"""One tree of errors in one file, however long."""

MOST_METHODS = 15
LARGE_CLASSES: set[str] = set()
"""Classes that may have more methods; each is defended in docs/architecture.md."""

FAMILY_TYPES = {"SheetRules", "RoundRules", "SheetState", "RoundState", "SheetGame", "RoundsGame"}
FAMILY_NAMES = {"sheet", "rounds"}

SRC = Path(__file__).parents[1] / "src"
STATIC = SRC / "knobel" / "web" / "static"
ARCHITECTURE = Path(__file__).parents[1] / "docs" / "architecture.md"
LEVEL = {package: level for level, layer in enumerate(LAYERS) for package in layer}
OUTSIDE = {"__init__": len(LAYERS), "__main__": len(LAYERS)}
"""What stands above all packages; the face of the library names them, and imports one when it is asked for."""
PURE = [package for layer in LAYERS[:3] for package in layer]
EDITIONS = sorted(path.stem for path in SRC.glob("knobel/rules/editions/*.toml"))


@dataclass(frozen=True)
class Module:
    """One file of the source, by its dotted name."""

    name: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def package(self) -> str:
        return self.name.split(".")[1]

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Everything it imports, by dotted name, late imports included."""
        return tuple(self._imports())

    def _imports(self) -> Iterator[str]:
        for node in ast.walk(self.tree):
            match node:
                case ast.Import(names=names):
                    yield from (alias.name for alias in names)
                case ast.ImportFrom(module=module, names=names, level=level):
                    above = self.name.split(".")[: level and -level]
                    yield from (".".join(filter(None, (*above, module, alias.name))) for alias in names)

    @cached_property
    def packages(self) -> tuple[str, ...]:
        """Our packages that it imports; a name built for a late import counts too."""
        built = (text for text in self.strings if re.match(r"knobel\.\w", text))
        ours = (name.split(".")[1] for name in (*self.imports, *built) if name.startswith("knobel."))
        return tuple(dict.fromkeys(package for package in ours if package in LEVEL))

    @cached_property
    def strings(self) -> tuple[str, ...]:
        nodes = (node.value for node in ast.walk(self.tree) if isinstance(node, ast.Constant))
        return tuple(value for value in nodes if isinstance(value, str))

    @cached_property
    def classes(self) -> tuple[ast.ClassDef, ...]:
        return tuple(node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef))

    @cached_property
    def libraries(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name.split(".")[0] for name in self.imports if not name.startswith("knobel")))


@cache
def read_modules() -> tuple[Module, ...]:
    """Read the source once; each module is parsed once as well."""
    return tuple(
        Module(".".join(path.relative_to(SRC).with_suffix("").parts), path.read_text(encoding="utf-8"))
        for path in sorted(SRC.rglob("*.py"))
    )


def unknown_package(module: Module) -> Iterator[str]:
    """Every module belongs to a package of the layers."""
    if module.package not in (*LEVEL, *OUTSIDE):
        yield module.package


def import_from_above(module: Module) -> Iterator[str]:
    """A package imports only from the layers below, and from its own layer as the table says."""
    level = (LEVEL | OUTSIDE).get(module.package, 0)
    for package in module.packages:
        allowed = package == module.package or package in SAME_LAYER_IMPORTS.get(module.package, ())
        if LEVEL[package] >= level and not (allowed and LEVEL[package] == level):
            yield package


def book_opened(module: Module) -> Iterator[str]:
    """Only coach and bots open a book, and the commands that are about one."""
    if not any(f"{module.name}.".startswith(f"{reader}.") for reader in BOOK_READERS):
        yield from (name for name in module.imports if name.startswith("knobel.solver.book_cache"))


def solver_import(module: Module) -> Iterator[str]:
    """In the solver few modules know rules, and compiled code imports only compiled code and what it shares."""
    if module.package != "solver":
        return
    if module.name not in RULE_READERS:
        yield from (package for package in module.packages if package == "rules")
    if module.name in KERNELS:
        ours = (name for name in module.imports if name.startswith("knobel."))
        yield from (name for name in ours if not name.startswith(KERNEL_IMPORTS))


def foreign_library(module: Module) -> Iterator[str]:
    """Each library is used by a few packages; everybody may use Python's own."""
    for library in module.libraries:
        if library not in sys.stdlib_module_names and module.package not in THIRD_PARTY.get(library, ()):
            yield library


def clock_or_chance(module: Module) -> Iterator[str]:
    """No clock, no randomness, no locale below the table; the solver may time itself."""
    if module.package in PURE and module.name not in SELF_TIMED:
        yield from (library for library in module.libraries if library in NONDETERMINISTIC)


def file_access(module: Module) -> Iterator[str]:
    """No file below the table, except the rules reading their own data and the solver its book and its own sources."""
    if module.package in PURE and not module.name.startswith(FILE_READERS):
        yield from (library for library in module.libraries if library in INPUT_OUTPUT)


def async_function(module: Module) -> Iterator[str]:
    """Everything below the table is sync."""
    if module.package in PURE:
        yield from (node.name for node in ast.walk(module.tree) if isinstance(node, ast.AsyncFunctionDef))


def named_edition(module: Module) -> Iterator[str]:
    """No code names an edition."""
    yield from (edition for text in module.strings for edition in EDITIONS if edition in text)


def family_check(module: Module) -> Iterator[str]:
    """Families are told apart in the modules called `families` and nowhere else."""
    if module.name.endswith(".families"):
        return
    for node in ast.walk(module.tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, kinds]):
                found = {part.id for part in ast.walk(kinds) if isinstance(part, ast.Name)} & FAMILY_TYPES
            case ast.MatchClass(cls=ast.Name(id=name)):
                found = {name} & FAMILY_TYPES
            case ast.MatchValue(value=value):
                found = set(names_of_families(value))
            case ast.Compare(left=left, comparators=right, ops=[ast.In() | ast.NotIn()]):
                found = {name for name in names_of_families(left) if name not in FAMILY_NAMES}
                found |= set() if isinstance(right[0], ast.Name | ast.Attribute) else set(names_of_families(right[0]))
            case ast.Compare(left=left, comparators=right):
                found = {name for side in (left, *right) for name in names_of_families(side)}
            case _:
                continue
        yield from (f"line {node.lineno}: {name}" for name in sorted(found))


def names_of_families(node: ast.expr) -> Iterator[str]:
    """Name what makes one side of a comparison a question of families."""
    match node:
        case ast.Attribute(attr="family") | ast.Name(id="family"):
            yield "family"
        case ast.Name(id=name) if name in FAMILY_TYPES:
            yield name
        case ast.Constant(value=str(text)) if text in FAMILY_NAMES:
            yield text
        case ast.Tuple(elts=elements) | ast.Set(elts=elements) | ast.List(elts=elements):
            yield from (name for element in elements for name in names_of_families(element))


Described: TypeAlias = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def no_docstring(module: Module) -> Iterator[str]:
    """Every module, class and exported function says in one sentence what it is."""
    for name, node in list_described(module):
        first = (ast.get_docstring(node) or "").partition("\n")[0]
        if not re.fullmatch(r".+[.?!]", first) or re.search(r"[.?!] +[A-Z]", first):
            yield name


def list_described(module: Module) -> Iterator[tuple[str, Described]]:
    """List what needs a docstring: the module, its public classes, and the functions in `__all__`."""
    yield "module", module.tree
    yield from ((node.name, node) for node in module.classes if not node.name.startswith("_"))
    exported = list_exported(module)
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in exported:
            yield node.name, node


def list_exported(module: Module) -> set[str]:
    for node in module.tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                return set(ast.literal_eval(value))
    return set()


def long_module(module: Module) -> Iterator[str]:
    if (lines := module.text.count("\n")) > LONGEST_MODULE and module.name not in LONG_MODULES:
        yield str(lines)


def large_class(module: Module) -> Iterator[str]:
    for node in module.classes:
        methods = [child for child in node.body if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)]
        if len(methods) > MOST_METHODS and node.name not in LARGE_CLASSES:
            yield f"{node.name}: {len(methods)}"


Rule: TypeAlias = Callable[[Module], Iterable[str]]
RULES: list[Rule] = [
    unknown_package,
    import_from_above,
    book_opened,
    solver_import,
    foreign_library,
    clock_or_chance,
    file_access,
    async_function,
    named_edition,
    family_check,
    no_docstring,
    long_module,
    large_class,
]

BREACHES: list[tuple[Rule, str, str]] = [
    (unknown_package, "knobel.helpers", ""),
    (import_from_above, "knobel.rules.column", "from knobel.lang import Words"),
    (import_from_above, "knobel.rules.column", "def f():\n    import knobel.web.hubs"),
    (import_from_above, "knobel.rules.column", "import_module(f'knobel.cli.{name}')"),
    (import_from_above, "knobel.rules.column", "from ..games import sheet"),
    (import_from_above, "knobel.rules.__init__", "from .. import games"),
    (import_from_above, "knobel.dice", "from knobel.phrase import phrase"),
    (import_from_above, "knobel.solver.tables", "from knobel import game"),
    (import_from_above, "knobel.table", "from knobel.bots import greedy"),
    (import_from_above, "knobel.paper.pad", "from knobel.lang import Words"),
    (import_from_above, "knobel.rooms.room", "from knobel.table import Table"),
    (import_from_above, "knobel.rooms.room", "from knobel.store import Store"),
    (import_from_above, "knobel.record.replay", "from knobel.rooms.room import Room"),
    (import_from_above, "knobel.view.sheet", "from knobel.lang import Words"),
    (import_from_above, "knobel.view.sheet", "from knobel.host import Host"),
    (import_from_above, "knobel.store.sqlite", "from knobel.record.events import Header"),
    (import_from_above, "knobel.tui.screen", "from knobel.cli.screen import say"),
    (import_from_above, "knobel.web.hubs", "import knobel.tui"),
    (book_opened, "knobel.cli.score", "from knobel.solver.book_cache import read"),
    (book_opened, "knobel.host", "from knobel.solver import book_cache"),
    (solver_import, "knobel.solver.value_kernel", "from knobel.dice import hands"),
    (solver_import, "knobel.solver.odds", "from knobel.rules.sheet_rules import SheetRules"),
    (foreign_library, "knobel.rules.column", "import numpy as np"),
    (foreign_library, "knobel.bots", "import numba"),
    (foreign_library, "knobel.cli.score", "import requests"),
    (foreign_library, "knobel.host.archive", "import psycopg"),
    (foreign_library, "knobel.cli.serve", "import uvicorn"),
    (foreign_library, "knobel.coach.sheet", "import msgspec"),
    (clock_or_chance, "knobel.games.sheet", "from random import randint"),
    (clock_or_chance, "knobel.rules.toml_file", "import time"),
    (file_access, "knobel.notation", "from pathlib import Path"),
    (async_function, "knobel.game", "async def play(): ..."),
    (named_edition, "knobel.rules", f"x = 'mine:{EDITIONS[0]}'"),
    (named_edition, "knobel.rules", f"'''Not in a docstring: {EDITIONS[-1]}.'''"),
    (no_docstring, "knobel.dice", "x = 1"),
    (no_docstring, "knobel.dice", "'''No full stop'''"),
    (no_docstring, "knobel.dice", "'''Two. Sentences.'''"),
    (no_docstring, "knobel.dice", "'''A.'''\nclass Die:\n    def roll(self): ..."),
    (no_docstring, "knobel.dice", "'''A.'''\ndef roll(): ...\n__all__ = ['roll']"),
    (family_check, "knobel.cli.score", "if isinstance(rules, SheetRules): ..."),
    (family_check, "knobel.cli.score", "if isinstance(state, list | RoundState): ..."),
    (family_check, "knobel.cli.score", "match game:\n    case SheetGame(): ..."),
    (family_check, "knobel.cli.score", "if type(game) is RoundsGame: ..."),
    (family_check, "knobel.cli.score", "if edition.family == other.family: ..."),
    (family_check, "knobel.cli.score", "if edition.family in known: ..."),
    (family_check, "knobel.cli.score", "sheet = header.get('game') == 'sheet'"),
    (family_check, "knobel.cli.score", "if 'rounds' != kind: ..."),
    (family_check, "knobel.cli.score", "if kind in ('sheet', 'rounds'): ..."),
    (family_check, "knobel.cli.score", "match kind:\n    case 'sheet': ..."),
    (long_module, "knobel.dice", "\n" * (LONGEST_MODULE + 1)),
    (
        large_class,
        "knobel.dice",
        "class Die:\n" + "".join(f"    def f{n}(self): ...\n" for n in range(MOST_METHODS + 1)),
    ),
]

ALLOWED: list[tuple[str, str]] = [
    ("knobel.errors", "from knobel.phrase import Phrase"),
    ("knobel.rules.column", "import json\nfrom pathlib import Path\nfrom .scoring import worth\nfrom .. import dice"),
    ("knobel.games.sheet", "from knobel.game import Move\nfrom knobel.rules import load"),
    ("knobel.solver.value_kernel", "import numba\nimport numpy"),
    ("knobel.coach.sheet", "import numpy\nfrom knobel.solver.book_cache import read"),
    ("knobel.host", "import time\nfrom knobel import bots, coach, lang, rooms, store, table, view"),
    (
        "knobel.view.sheet",
        "from knobel.record import replay\nfrom knobel.rooms import room\nfrom knobel.table import Table",
    ),
    ("knobel.web.app", "import segno\nimport starlette\nfrom knobel.host import Host"),
    ("knobel.cli.play", "from knobel import __version__, tui, web\nfrom knobel.cli import screen"),
    ("knobel.__main__", "from knobel.cli import main"),
    ("knobel.paper.families", "sheet = isinstance(rules, SheetRules) or edition.family == 'sheet'"),
    ("knobel.rules.schema", "if 'sheet' in table: ..."),
    ("knobel.paper.pad", "table = FAMILIES[edition.family]\ndef draw(): ..."),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_source_keeps_the_rule(rule: Rule) -> None:
    found = {module.name: tuple(rule(module)) for module in read_modules()}
    assert {name: breach for name, breach in found.items() if breach} == {}


@pytest.mark.parametrize(("rule", "name", "text"), BREACHES)
def test_a_breach_of_a_rule_is_found(rule: Rule, name: str, text: str) -> None:
    assert tuple(rule(Module(name, text)))


@pytest.mark.parametrize(("name", "text"), ALLOWED, ids=[name for name, _ in ALLOWED])
def test_what_is_allowed_breaks_no_rule(name: str, text: str) -> None:
    module = Module(name, f"'''A module.'''\n{text}\n")
    assert [rule.__name__ for rule in RULES if tuple(rule(module))] == []


def test_every_rule_has_been_seen_to_fail() -> None:
    assert {rule for rule, _, _ in BREACHES} == set(RULES)


def test_the_layers_name_every_package_once() -> None:
    packages = [package for layer in LAYERS for package in layer]
    assert len(packages) == len(set(packages))
    assert {*SAME_LAYER_IMPORTS, *(name for names in SAME_LAYER_IMPORTS.values() for name in names)} <= set(packages)


def test_a_class_name_exists_once() -> None:
    names = Counter(node.name for module in read_modules() for node in module.classes)
    assert [name for name, count in names.items() if count > 1] == []


def find_cycle(graph: Mapping[str, Iterable[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_python_modules_import_each_other_in_a_circle() -> None:
    modules = {module.name.removesuffix(".__init__"): module for module in read_modules()}

    def find_module(name: str) -> str | None:
        """Find the module an imported name is or comes from."""
        while name and name not in modules:
            name = name.rpartition(".")[0]
        return name or None

    graph = {
        own: {found for name in module.imports if (found := find_module(name)) and found != own}
        for own, module in modules.items()
    }
    assert find_cycle(graph) == []


def read_browser_imports(text: str) -> set[str]:
    """Find the modules a browser module imports: `import … from`, `export … from`, bare and late ones."""
    code = re.sub(r"/\*.*?\*/|^\s*//.*$", "", text, flags=re.DOTALL | re.MULTILINE)
    found = re.findall(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)["'`]\./([\w./-]+\.js)["'`]""", code)
    return set(found)


@pytest.mark.parametrize(
    "text",
    ['import { h } from "./dom.js";', "import './dom.js'", 'export * from "./dom.js"', 'await import("./dom.js")'],
)
def test_every_way_to_import_in_the_browser_is_seen(text: str) -> None:
    assert read_browser_imports(text) == {"dom.js"}


def test_no_browser_modules_import_each_other_in_a_circle() -> None:
    graph = {
        path.relative_to(STATIC).as_posix(): read_browser_imports(path.read_text(encoding="utf-8"))
        for path in sorted(STATIC.rglob("*.js"))
    }
    assert find_cycle(graph) == []


def test_circles_are_found() -> None:
    assert find_cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}})
    assert not find_cycle({"a": {"b", "c"}, "b": {"c"}})


def test_the_description_of_the_architecture_names_every_package() -> None:
    text = ARCHITECTURE.read_text(encoding="utf-8")
    present = {module.package for module in read_modules()} - set(OUTSIDE)
    assert [package for package in sorted(present) if not re.search(rf"`{package}[`/.]", text)] == []
