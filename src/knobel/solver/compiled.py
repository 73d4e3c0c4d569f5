"""How the kernels are compiled, in a form that keeps their types for those who call them."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])

SOLVER = Path(__file__).parent

U = np.uintp
"""Indices of inner loops are unsigned: a signed one costs a test for "counted from the end" each time, and keeps the
loop from becoming vector code."""

S = cast(Callable[[float], float], np.float32)
"""Make a single of a number: compiled code would otherwise widen what it is combined with."""

signed = cast(Callable[[Any], int], np.int64)
"""Make a plain number of an unsigned one or of a truth value."""

ZERO = signed(0)
"""A plain 0 as an argument is a type of its own to the compiler, which would compile the function a second time."""


def compiled(function: Function) -> Function:
    """Compile a function at its first call and keep it on disk; it runs beside other threads."""
    return compile_cached(function, nogil=True)


def part(function: Function) -> Function:
    """Compile a function that only compiled ones call: without a door for Python, which takes long to compile."""
    return cast(Function, njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function))


def compile_cached(function: Function, **options: Any) -> Function:
    """Compile a function and keep it on disk; where no folder can be written to, it is compiled in every process."""
    try:
        dispatcher = njit(cache=True, **options)(function)
    except RuntimeError:
        return cast(Function, njit(**options)(function))
    # Left to itself the compiler looks only at the file of the function, and would go on using code in which functions
    # and constants of another file are still what they were.
    cache_file = dispatcher._cache._cache_file
    cache_file._source_stamp = digest_sources(SOLVER)
    cache_file._load_index = ignore_outdated(cache_file._load_index)
    return cast(Function, dispatcher)


def ignore_outdated(load_index: Callable[[], Any]) -> Callable[[], Any]:
    """Take what is kept on disk for nothing where it names a type that this version no longer has."""

    def load_or_start_anew() -> Any:
        try:
            return load_index()
        except (AttributeError, ImportError):
            return {}

    return load_or_start_anew


@cache
def digest_sources(folder: Path) -> str:
    """Make a digest of everything the kernels are compiled from."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def compiled_as_one(function: Function) -> Function:
    """Compile a function whose parts are all `inlined`; divisions do not look for zero."""
    return compile_cached(function, nogil=True, error_model="numpy")


def inlined(function: Function) -> Function:
    """Put a function into each one that calls it, before types are known: nothing is compiled for itself."""
    return cast(Function, njit(nogil=True, inline="always")(function))
