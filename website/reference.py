"""The reference of the library: every public name with its signature and docstring, taken from the source."""

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import knobel

MARK = "<!-- reference -->"
"""What the page of the library says where the reference is to stand."""
MODULE = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])")
"""The modules in the full name of a class."""
QUOTED = re.compile(r"'([A-Z]\w*)'")
"""A class that is named before it is there."""


def build_reference() -> str:
    """Describe every public name, in the order of the alphabet."""
    return "\n".join(line for name in knobel.__all__ for line in describe(name, getattr(knobel, name)))


def describe(name: str, found: Any) -> Iterator[str]:
    """Describe a function, or a class with its public methods and properties."""
    yield from (f"### {name}", "", f"```python\n{sign(name, found)}\n```", "", clean(found), "")
    if inspect.isclass(found):
        for inner, member in inspect.getmembers_static(found):
            if not inner.startswith("_") and inspect.getdoc(member) and is_described(member):
                yield f"- `{sign(inner, member)}`: {' '.join(clean(member).split())}"
        yield ""


def is_described(member: Any) -> bool:
    return inspect.isfunction(member) or isinstance(member, property | cached_property | classmethod)


def sign(name: str, found: Any) -> str:
    """Write a name with its parameters, if it has any."""
    if isinstance(found, classmethod):
        found = found.__func__
    if inspect.isclass(found) and issubclass(found, Exception):
        return name
    if isinstance(found, property | cached_property):
        getter = found.fget if isinstance(found, property) else found.func
        kind = str(inspect.signature(getter)).partition(" -> ")[2] if getter else ""
        return f"{name}: {shorten(kind)}"
    if not callable(found):
        return name
    signature = re.sub(r"^\((?:self|cls)(?:, )?", "(", str(inspect.signature(found)))
    return name + shorten(signature)


def shorten(signature: str) -> str:
    """Name classes without their modules."""
    return QUOTED.sub(r"\1", MODULE.sub("", signature))


def clean(found: Any) -> str:
    return inspect.getdoc(found) or ""
