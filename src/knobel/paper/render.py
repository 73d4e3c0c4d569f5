"""Render a page of plain values as a file; none of its text is ever read as code."""

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from knobel.extras import PAPER, require_extra

if TYPE_CHECKING:
    import typst

TEMPLATE_DIR = Path(__file__).parent
PPI = 144.0

_compile_lock = Lock()


@cache
def get_compiler(template: str) -> "typst.Compiler":
    """Set up the compiler for a template, with its own fonts only, so that pages look the same on every machine."""
    require_extra(PAPER)
    import typst

    return typst.Compiler(
        TEMPLATE_DIR / f"{template}.typ",
        root=TEMPLATE_DIR,
        font_paths=[TEMPLATE_DIR / "fonts"],
        ignore_system_fonts=True,
    )


def render_pdf(template: str, page: Any) -> bytes:
    """Print a page as PDF."""
    (whole,) = compile_page(template, page, "pdf")
    return whole


def render_png(template: str, page: Any, ppi: float = PPI) -> list[bytes]:
    """Print a page as pictures, one for each sheet."""
    return compile_page(template, page, "png", ppi)


def compile_page(template: str, page: Any, kind: Literal["pdf", "png"], ppi: float = PPI) -> list[bytes]:
    """Compile a page; its values reach the template as JSON."""
    words = {"page": json.dumps(asdict(page), ensure_ascii=False)}
    with _compile_lock:
        found = get_compiler(template).compile(format=kind, ppi=ppi, sys_inputs=words)
    return found if isinstance(found, list) else [found or b""]
