"""Measures the printing press: a page of each kind beside an empty page of the same press.

python -m benchmarks.paper
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import typst

from knobel.host.record_edition import rebuild_edition
from knobel.lang import LANGUAGES, Translator
from knobel.paper.families import lay_out_game
from knobel.paper.pad import PadOptions, build_blank_pad
from knobel.paper.render import render_pdf
from knobel.paper.rules_page import build_rules_page
from knobel.record.file import load_record
from knobel.record.replay import replay_record
from knobel.rules import load_edition

RECORD = Path(__file__).parents[1] / "tests" / "records" / "mb-yahtzee.knobel"
MOST_SECONDS = 1.0


def time_once(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def print_empty_page() -> None:
    """Print a page with nothing on it."""
    typst.Compiler(b"", ignore_system_fonts=True).compile(format="pdf")


def print_pad(lang: str) -> None:
    """Print a score pad."""
    edition = load_edition("tactic-xl-yatzy")
    render_pdf(
        "pad",
        build_blank_pad(edition.rules(), Translator(lang, edition), edition.title, edition.publisher, PadOptions()),
    )


def print_rules(lang: str) -> None:
    """Print the rules."""
    edition = load_edition("tactic-xl-yatzy")
    render_pdf("leaf", build_rules_page(edition, edition.choose_text(None, lang), {}, Translator(lang, edition)))


def print_game(lang: str) -> None:
    """Print a played game."""
    record = load_record(RECORD)
    page = lay_out_game(replay_record(record), Translator(lang, rebuild_edition(record.header)), "")
    render_pdf(page.template, page.page)


def main() -> None:
    """Measure a page of each kind: the first one, and one in another language after it."""
    bare = min(time_once(print_empty_page) for _ in range(5))
    well = True
    for name, work in {
        "a page of the score pad": print_pad,
        "the rules on one page": print_rules,
        "a played game": print_game,
    }.items():
        first = time_once(lambda work=work: work(LANGUAGES[0]))  # type: ignore[misc]
        others = sorted(time_once(lambda work=work, lang=lang: work(lang)) for lang in LANGUAGES[1:])  # type: ignore[misc]
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
