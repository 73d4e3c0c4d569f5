"""What is changed: every mutant of a module, made by the operators of mutmut."""

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import Any

import libcst as cst
from mutmut.mutation.mutators import mutation_operators

from tests.mutants.modules import source_of

TYPING = ("TypeAlias", "TypeVar")


@dataclass(frozen=True)
class Mutant:
    """One change of a module: the whole text, and what is different about it.

    The id is that of the function or class and of the change in it, whatever else the module holds.
    """

    id: str
    line: int
    place: str
    before: str
    after: str
    code: str


@cache
def list_mutants(module: str) -> tuple[Mutant, ...]:
    """List every mutant of a module, in the order of its lines."""
    source = source_of(module).read_text(encoding="utf-8")
    tree = cst.parse_module(source)
    found = {}
    for start, end, statement in locate_statements(tree, source):
        for changed in change_statement(statement):
            text = tree.code_for_node(changed)
            identity = hashlib.sha256(f"{module}\n{source[start:end]}\n{text}".encode()).hexdigest()[:16]
            mutant = describe_mutant(identity, source, source[:start] + text + source[end:])
            if is_valid(mutant.code):
                found[mutant.id] = mutant
    return tuple(sorted(found.values(), key=lambda mutant: mutant.line))


def is_valid(code: str) -> bool:
    try:
        compile(code, "mutant", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def locate_statements(tree: Any, source: str) -> Iterator[tuple[int, int, Any]]:
    """List the statements of a module, each with where its text begins and ends."""
    end = 0
    for statement in tree.body:
        text = tree.code_for_node(statement)
        start = source.index(text, end)
        end = start + len(text)
        yield start, end, statement


def change_statement(statement: Any) -> Iterator[Any]:
    """Change one thing of a statement at a time."""
    for node in walk(statement):
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                for changed in operator(node):
                    yield changed if node is statement else statement.deep_replace(node, changed)


def walk(node: Any) -> Iterator[Any]:
    """Walk over what may be changed: no imports, types, and decorators that only cache or make a class a value."""
    if (
        isinstance(node, cst.Import | cst.ImportFrom | cst.Annotation)
        or is_only_typing(node)
        or is_plain_decorator(node)
    ):
        return
    yield node
    for child in node.children:
        yield from walk(child)


def is_only_typing(node: Any) -> bool:
    """Tell whether a statement only names a type."""
    if isinstance(node, cst.AnnAssign):
        return isinstance(node.annotation.annotation, cst.Name) and node.annotation.annotation.value in TYPING
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in TYPING


def is_plain_decorator(node: Any) -> bool:
    text = cst.Module([]).code_for_node(node.decorator) if isinstance(node, cst.Decorator) else ""
    return text.startswith(("dataclass", "lru_cache"))


def describe_mutant(identity: str, source: str, code: str) -> Mutant:
    """Say what is different, and in which function."""
    old, new = source.splitlines(), code.splitlines()
    first = next(place for place, pair in enumerate(zip_longest(old, new)) if pair[0] != pair[1])
    rest = next(place for place, pair in enumerate(zip_longest(old[::-1], new[::-1])) if pair[0] != pair[1])
    rest = min(rest, len(old) - first, len(new) - first)
    before, after = (" ".join(" ".join(lines[first : len(lines) - rest]).split()) for lines in (old, new))
    return Mutant(identity, first + 1, find_function(source, first + 1), before, after, code)


@cache
def list_functions(source: str) -> tuple[tuple[int, int, str], ...]:
    """List the functions and classes of a text, with their first and last lines."""
    kinds = ast.FunctionDef | ast.ClassDef
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    starts = [min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) for node in nodes]
    return tuple((start, node.end_lineno or 0, node.name) for start, node in zip(starts, nodes, strict=True))


def find_function(source: str, line: int) -> str:
    return ".".join(name for start, end, name in list_functions(source) if start <= line <= end)
