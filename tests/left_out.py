"""List what `make test` leaves to `make test-rest`: `python -m tests.left_out` prints the table of CONTRIBUTING.md."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

TESTS = Path(__file__).parent
HEAD = "| tests | run by `make test-rest` alone | some of their cases by `make test-rest` alone |\n|---|---|---|\n"

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class LeftOut:
    """How many tests of a file are left out wholly, and of how many some cases are."""

    file: str
    wholly: int
    partly: int

    def __str__(self) -> str:
        return f"| `{self.file}` | {self.wholly or ''} | {self.partly or ''} |\n"


def leaves_out(node: ast.AST) -> bool:
    """Tell whether something is left out here: by the marker, or by one of the functions that give it."""
    for part in ast.walk(node):
        match part:
            case ast.Attribute(attr="rest") | ast.Call(func=ast.Name(id="rest" | "mostly_rest")):
                return True
    return False


def list_sources(tree: ast.Module) -> Iterator[str]:
    """List the names of a module under which parameters that are left out stand ready."""
    for node in filter(leaves_out, tree.body):
        match node:
            case ast.FunctionDef(name=name) if not name.startswith("test_"):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def mentions(node: ast.AST, names: set[str]) -> bool:
    """Tell whether one of these names occurs."""
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))


def is_whole(decorator: ast.expr) -> bool:
    """Tell whether a decorator leaves out all cases of a test."""
    return isinstance(decorator, ast.Attribute) and decorator.attr == "rest"


def list_tests(body: list[ast.stmt], shared: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """List the decorators of every test, those of its class included, and the fixtures it asks for."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from list_tests(node.body, [*shared, *node.decorator_list])
        elif isinstance(node, Function) and node.name.startswith("test_"):
            yield [*shared, *node.decorator_list, *(ast.Name(one.arg) for one in node.args.args)]


def count_left_out(file: str, text: str) -> LeftOut:
    """Count in the text of one file."""
    if "rest" not in text:
        return LeftOut(file, 0, 0)
    tree = ast.parse(text)
    sources = set(list_sources(tree))
    tests = list(list_tests(tree.body, []))
    marked = [found for found in tests if any(leaves_out(one) or mentions(one, sources) for one in found)]
    wholly = sum(any(map(is_whole, found)) for found in marked)
    return LeftOut(file, wholly, len(marked) - wholly)


def list_left_out() -> Iterator[LeftOut]:
    """List the files of which something is left out."""
    for path in sorted(TESTS.rglob("test_*.py")):
        found = count_left_out(str(path.relative_to(TESTS)), path.read_text(encoding="utf-8"))
        if found.wholly or found.partly:
            yield found


def write_table() -> str:
    """Write the table of CONTRIBUTING.md."""
    return HEAD + "".join(map(str, list_left_out()))


if __name__ == "__main__":
    print(write_table(), end="")
