"""Count what docs/architecture.md claims about the source: `python -m tests.structure` prints the table."""

import ast
import re
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

SOURCE = Path(__file__).parents[1] / "src" / "knobel"
STATIC = SOURCE / "web" / "static"
MAX_METHODS, MAX_LINES = 15, 400
FAMILY_CLASSES = {"SheetRules", "RoundRules", "SheetState", "RoundState", "SheetGame", "RoundsGame"}
FAMILY_NAMES = {"sheet", "rounds"}
FAMILY_MODULES = {"families.py", "families.js"}
SCRIPT_FAMILY_CHECK = re.compile(r"""\bfamily\s*[!=]==?|[!=]==?\s*["'](?:sheet|rounds)["']""")
SCRIPT_IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)["']\./([\w-]+\.js)["']""")
SCRIPT_METHOD = re.compile(r"^  (?:static |async |get |set |\*)*(#?\w+)\s*\([^;]*\)\s*\{", re.MULTILINE)
SCRIPT_CLASS = re.compile(r"^(?:export (?:default )?)?class (\w+)[^{]*\{(.*?)^\}", re.MULTILINE | re.DOTALL)
SCRIPT_KEYWORDS = {"if", "for", "while", "switch", "catch", "return", "function"}

Graph: TypeAlias = Mapping[str, frozenset[str]]
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def parse_modules() -> dict[str, ast.Module]:
    """Parse every module, by its path below the package."""
    return {str(path.relative_to(SOURCE)): ast.parse(path.read_text()) for path in sorted(SOURCE.rglob("*.py"))}


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
    found = {}
    for path, module in parse_modules().items():
        for node in ast.walk(module):
            if isinstance(node, ast.ClassDef):
                found[f"{path} {node.name}"] = sum(isinstance(part, Function) for part in node.body)
    for path, text in read_scripts().items():
        for name, body in SCRIPT_CLASS.findall(text):
            methods = [method for method in SCRIPT_METHOD.findall(body) if method not in SCRIPT_KEYWORDS]
            found[f"web/static/{path} {name}"] = len(methods)
    return {name: count for name, count in found.items() if count > MAX_METHODS}


def list_long_modules() -> dict[str, int]:
    """List the modules with too many lines, in both languages."""
    paths = [*SOURCE.rglob("*.py"), *STATIC.glob("*.js")]
    counts = {str(path.relative_to(SOURCE)): path.read_text().count("\n") for path in paths}
    return {name: count for name, count in counts.items() if count > MAX_LINES}


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
    found = [
        f"{path}:{node.lineno}"
        for path, module in parse_modules().items()
        if Path(path).name not in FAMILY_MODULES
        for node in ast.walk(module)
        if isinstance(node, ast.Call | ast.Compare | ast.MatchClass) and is_family_check(node)
    ]
    for path, text in read_scripts().items():
        if path not in FAMILY_MODULES:
            lines = enumerate(text.splitlines(), 1)
            found += [f"web/static/{path}:{number}" for number, line in lines if SCRIPT_FAMILY_CHECK.search(line)]
    return found


def is_family_check(node: ast.Call | ast.Compare | ast.MatchClass) -> bool:
    """Tell whether an expression asks for a family: by a class, or by a name."""
    if isinstance(node, ast.MatchClass):
        return bool(collect_names(node.cls) & FAMILY_CLASSES)
    if isinstance(node, ast.Call):
        is_instance = isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "issubclass")
        return is_instance and bool(collect_names(node.args[1]) & FAMILY_CLASSES)
    values = [node.left, *node.comparators]
    literal = any(isinstance(value, ast.Constant) and value.value in FAMILY_NAMES for value in values)
    return literal or any(isinstance(value, ast.Attribute) and value.attr == "family" for value in values)


def collect_names(node: ast.expr) -> set[str]:
    """Collect the names an expression is made of."""
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return names | {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}


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
        f"classes with more than {MAX_METHODS} methods": (
            str(len(large)),
            [f"{name}: {count}" for name, count in large.items()],
        ),
        "lines of a function: median / 95 % / longest": (spread, ()),
        f"modules with more than {MAX_LINES} lines": (
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
