"""A mutant in a process that has imported everything already, or that imports everything again."""

import gc
import importlib.abc
import importlib.machinery
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeAlias

from tests.mutants.modules import name_of, source_of

CodePath: TypeAlias = tuple[tuple[str, int], ...]


def list_code(code: CodeType, path: CodePath = ()) -> Iterator[tuple[CodePath, CodeType]]:
    """List a code object and all code in it, each by the names that lead to it."""
    yield path, code
    seen: Counter[str] = Counter()
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from list_code(inner, (*path, (inner.co_name, seen[inner.co_name])))
            seen[inner.co_name] += 1


def own_part(code: CodeType) -> tuple[object, ...]:
    """Give what a code object does itself, without the code in it and without its place in the file."""
    constants = [repr(constant) for constant in code.co_consts if not isinstance(constant, CodeType)]
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def where_is(code: CodeType) -> tuple[object, ...]:
    """Say where in the file code stands; a line may hold two lambdas, so every position counts."""
    return code.co_qualname, code.co_firstlineno, tuple(code.co_positions())


@dataclass(frozen=True)
class Live:
    """The functions of an imported module, by the code they were made from."""

    codes: dict[CodePath, CodeType]
    functions: dict[CodePath, list[FunctionType]]

    @classmethod
    def find(cls, module: str) -> "Live":
        path = source_of(module)
        codes = dict(list_code(compile(path.read_text(encoding="utf-8"), str(path), "exec")))
        places = {where_is(code): place for place, code in codes.items()}
        functions: dict[CodePath, list[FunctionType]] = {}
        gc.unfreeze()
        for one in gc.get_objects():
            if type(one) is FunctionType and one.__code__.co_filename == str(path):
                functions.setdefault(places[where_is(one.__code__)], []).append(one)
        return cls(codes, functions)

    def find_changed(self, changed: dict[CodePath, CodeType]) -> set[CodePath] | None:
        """Find the functions that hold what changed; none if that was run when the module was imported."""
        found: set[CodePath] = set()
        for path in {*self.codes, *changed}:
            old, new = self.codes.get(path), changed.get(path)
            if old and new and own_part(old) == own_part(new):
                continue
            holders = {path[:end] for end in range(1, len(path) + 1) if path[:end] in self.functions}
            if not holders or any(holder not in changed for holder in holders):
                return None
            found |= holders
        return found

    def patch(self, changed: dict[CodePath, CodeType]) -> None:
        for path, functions in self.functions.items():
            for function in functions:
                function.__code__ = changed[path]


def clear_caches() -> None:
    """Forget whatever was worked out before."""
    for one in CACHES:
        one.cache_clear()


CACHES: list[Any] = []


def find_caches() -> None:
    gc.unfreeze()
    CACHES[:] = [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]


class Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports a mutant instead of its module."""

    def __init__(self, module: str, code: str) -> None:
        self.module, self.code = module, code

    def find_spec(self, fullname: str, _path: object, _target: object = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != name_of(self.module):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=str(source_of(self.module)))

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = str(source_of(self.module))
        exec(compile(self.code, module.__file__, "exec"), module.__dict__)  # noqa: S102
