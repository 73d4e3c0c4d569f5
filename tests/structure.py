"""Count what docs/architecture.md claims about the source: `python -m tests.structure` prints the table."""

import ast
import re
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

from tests.test_architecture import LONGEST_MODULE, MOST_METHODS, family_check, read_modules

SOURCE = Path(__file__).parents[1] / "src" / "knobel"
STATIC = SOURCE / "web" / "static"
SCRIPT_FAMILY_CHECK = re.compile(r"""\bfamily\s*[!=]==?|[!=]==?\s*["'](?:sheet|rounds)["']""")
SCRIPT_IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)["']\./([\w-]+\.js)["']""")
SCRIPT_METHOD = re.compile(r"^  (?:static |async |get |set |\*)*(#?\w+)\([^;\n]*\) *\{", re.MULTILINE)
SCRIPT_CLASS = re.compile(r"^(?:export (?:default )?)?class (\w+)[^{]*\{(.*?)^\}", re.MULTILINE | re.DOTALL)
SCRIPT_KEYWORDS = {"if", "for", "while", "switch", "catch", "return", "function"}

Graph: TypeAlias = Mapping[str, frozenset[str]]
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def parse_modules() -> dict[str, ast.Module]:
    """Give every module as parsed, by its path below the package."""
    return {f"{module.name.removeprefix('knobel.').replace('.', '/')}.py": module.tree for module in read_modules()}


@cache
def read_scripts() -> dict[str, str]:
    """Read every module of the browser, by its file name."""
    return {path.name: path.read_text() for path in sorted(STATIC.glob("*.js"))}


def list_functions() -> Iterator[Function]:
    """List every function and method."""
    for module in parse_modules().values():
        yield from (node for node in ast.walk(module) if isinstance(node, Function))


def count_body_lines(function: Function) -> int:
    """Count the lines of a body, without signature and docstring."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def list_large_classes() -> dict[str, int]:
    """List the classes with too many methods, in both languages."""
    found = {
        f"{module.name} {node.name}": sum(isinstance(part, Function) for part in node.body)
        for module in read_modules()
        for node in module.classes
    }
    return {name: count for name, count in (found | count_script_methods()).items() if count > MOST_METHODS}


def count_script_methods() -> dict[str, int]:
    """Count the methods of every class of the browser."""
    return {
        f"web/static/{path} {name}": sum(found not in SCRIPT_KEYWORDS for found in SCRIPT_METHOD.findall(body))
        for path, text in read_scripts().items()
        for name, body in SCRIPT_CLASS.findall(text)
    }


def list_long_modules() -> dict[str, int]:
    """List the modules with too many lines, in both languages."""
    paths = [*SOURCE.rglob("*.py"), *STATIC.glob("*.js")]
    counts = {str(path.relative_to(SOURCE)): path.read_text().count("\n") for path in paths}
    return {name: count for name, count in counts.items() if count > LONGEST_MODULE}


def list_ignored_types() -> list[str]:
    """List the lines that silence the type checker."""
    return [
        f"{path.relative_to(SOURCE)}:{number}"
        for path in sorted(SOURCE.rglob("*.py"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if "type: ignore" in line
    ]


def list_family_checks() -> list[str]:
    """List the places outside the tables of families that ask which family a game is of."""
    python = [f"{module.name}: {where}" for module in read_modules() for where in family_check(module)]
    return python + list_script_family_checks()


def list_script_family_checks() -> list[str]:
    """List such places in the browser's modules."""
    return [
        f"web/static/{path}:{number}"
        for path, text in read_scripts().items()
        if path != "families.js"
        for number, line in enumerate(text.splitlines(), 1)
        if SCRIPT_FAMILY_CHECK.search(line)
    ]


def build_import_graph() -> Graph:
    """Draw which module imports which when it is loaded."""
    modules = {name_module(path): tree for path, tree in parse_modules().items()}
    return {
        name: frozenset(target for target in list_imports(tree) if target in modules) - {name}
        for name, tree in modules.items()
    }


def name_module(path: str) -> str:
    """Name a module as it is imported."""
    return ".".join(("knobel", *Path(path).with_suffix("").parts)).removesuffix(".__init__")


def list_imports(tree: ast.Module) -> Iterator[str]:
    """List what a module imports at its top level, packages and modules alike."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def build_script_graph() -> Graph:
    """Draw which module of the browser imports which, at once or later."""
    return {name: frozenset(SCRIPT_IMPORT.findall(text)) - {name} for name, text in read_scripts().items()}


def find_cycles(graph: Graph) -> list[frozenset[str]]:
    """Find the groups of modules that import each other."""
    reach = {name: collect_reachable(graph, name) for name in graph}
    groups = {frozenset(other for other in reach[name] if name in reach[other]) for name in graph}
    return sorted((group for group in groups if len(group) > 1), key=sorted)


def collect_reachable(graph: Graph, start: str) -> set[str]:
    """Collect what can be reached from a module, itself only over a cycle."""
    seen: set[str] = set()
    waiting = [*graph[start]]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += graph.get(name, ())
    return seen


def measure() -> dict[str, tuple[str, Iterable[str]]]:
    """Measure everything: for each figure its value, and the places behind it."""
    lines = sorted(map(count_body_lines, list_functions()))
    large, long = list_large_classes(), list_long_modules()
    python, browser = find_cycles(build_import_graph()), find_cycles(build_script_graph())
    ignored, checks = list_ignored_types(), list_family_checks()
    spread = f"{statistics.median(lines):g} / {lines[int(len(lines) * 0.95)]} / {lines[-1]}"
    return {
        "modules, Python and browser": (f"{len(parse_modules())}, {len(read_scripts())}", ()),
        f"classes with more than {MOST_METHODS} methods": (
            str(len(large)),
            [f"{name}: {count}" for name, count in large.items()],
        ),
        "lines of a function: median / 95 % / longest": (spread, ()),
        f"modules with more than {LONGEST_MODULE} lines": (
            str(len(long)),
            [f"{name}: {count}" for name, count in long.items()],
        ),
        "import cycles in Python": (str(len(python)), [" ".join(sorted(group)) for group in python]),
        "import cycles in the browser": (str(len(browser)), [" ".join(sorted(group)) for group in browser]),
        "`type: ignore` in the source": (str(len(ignored)), ignored),
        "family checks outside the tables": (str(len(checks)), checks),
    }


def main(*words: str) -> None:
    """Print the table as Markdown; `--where` names the places behind each figure."""
    print("| figure | now |\n|---|---|")
    for name, (value, places) in measure().items():
        print(f"| {name} | {value} |")
        for place in places if "--where" in words else ():
            print(f"|   {place} | |")


if __name__ == "__main__":
    main(*sys.argv[1:])
