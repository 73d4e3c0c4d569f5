"""Measures the printing press: a page of each kind beside an empty page of the same press.

python -m benchmarks.paper
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import typst

from knobel.host.speaking import edition_of
from knobel.lang import LANGUAGES, Words
from knobel.paper.leaf import leaf_of
from knobel.paper.pad import Wish, blank_pad
from knobel.paper.played import played
from knobel.paper.press import printed
from knobel.record.file import load as load_record
from knobel.record.replay import replayed
from knobel.rules import load

RECORD = Path(__file__).parents[1] / "tests" / "records" / "mb-yahtzee.knobel"
MOST_SECONDS = 1.0


def timed(work: Callable[[], object]) -> float:
    """Time something once."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def empty() -> None:
    """Print a page with nothing on it."""
    typst.Compiler(b"", ignore_system_fonts=True).compile(format="pdf")


def pad(lang: str) -> None:
    """Print a block."""
    edition = load("tactic-xl-yatzy")
    printed("pad", blank_pad(edition.rules(), Words(lang, edition), edition.title, edition.publisher, Wish()))


def sheet(lang: str) -> None:
    """Print the rules."""
    edition = load("tactic-xl-yatzy")
    printed("leaf", leaf_of(edition, edition.text_for(None, lang), {}, Words(lang, edition)))


def game(lang: str) -> None:
    """Print a played game."""
    record = load_record(RECORD)
    page = played(replayed(record), Words(lang, edition_of(record.header)), "")
    printed(page.form, page.page)


def main() -> None:
    """Measure a page of each kind: the first one, and one in another language after it."""
    bare = min(timed(empty) for _ in range(5))
    well = True
    for name, work in {"a page of the block": pad, "the rules on one page": sheet, "a played game": game}.items():
        first = timed(lambda work=work: work(LANGUAGES[0]))  # type: ignore[misc]
        others = sorted(timed(lambda work=work, lang=lang: work(lang)) for lang in LANGUAGES[1:])  # type: ignore[misc]
        half = others[len(others) // 2]
        print(
            f"{name:<44} {half * 1e3:9.0f} ms  {half / bare:8.1f} x an empty page, the first {first * 1e3:.0f} ms",
            end="",
        )
        print(f"  goal under {MOST_SECONDS:.0f} s")
        well &= max(first, half) < MOST_SECONDS
    sys.exit(not well)


if __name__ == "__main__":
    main()
