"""How the kernels are compiled, in a form that keeps their types for those who call them."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])

U = np.uintp
"""Indices of inner loops are unsigned: a signed one costs a test for "counted from the end" each time, and keeps the
loop from becoming vector code."""

signed = cast(Callable[[Any], int], np.int64)
"""Make a plain number of an unsigned one or of a truth value."""

ZERO = signed(0)
"""A plain 0 as an argument is a type of its own to the compiler, which would compile the function a second time."""


def compiled(function: Function) -> Function:
    """Compile a function at its first call and keep it on disk; it runs beside other threads.

    The compiler looks only at the file of the function to see whether what it kept is still good.
    """
    return cast(Function, njit(nogil=True, cache=True)(function))


def compiled_as_one(function: Function) -> Function:
    """Compile a function whose parts are all `inlined`; divisions do not look for zero."""
    return cast(Function, njit(nogil=True, cache=True, error_model="numpy")(function))


def inlined(function: Function) -> Function:
    """Put a function into each one that calls it, before types are known: nothing is compiled for itself."""
    return cast(Function, njit(nogil=True, inline="always")(function))
