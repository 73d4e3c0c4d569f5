"""The printing press: a page as plain values goes in, a file comes out; no word of it is ever read as code."""

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import typst

FOLDER = Path(__file__).parent
PPI = 144.0

_one_at_a_time = Lock()


@cache
def press(form: str) -> "typst.Compiler":
    """Set up the press for a form, with its own fonts alone, so that paper looks the same on every machine."""
    import typst

    return typst.Compiler(FOLDER / f"{form}.typ", root=FOLDER, ignore_system_fonts=True)


def printed(form: str, page: Any) -> bytes:
    """Print a page as PDF."""
    (whole,) = pressed(form, page, "pdf")
    return whole


def drawn(form: str, page: Any, ppi: float = PPI) -> list[bytes]:
    """Print a page as pictures, one for each sheet."""
    return pressed(form, page, "png", ppi)


def pressed(form: str, page: Any, kind: Literal["pdf", "png"], ppi: float = PPI) -> list[bytes]:
    """Print a page; its words reach the form as JSON."""
    words = {"page": json.dumps(asdict(page), ensure_ascii=False)}
    with _one_at_a_time:
        found = press(form).compile(format=kind, ppi=ppi, sys_inputs=words)
    return found if isinstance(found, list) else [found or b""]
