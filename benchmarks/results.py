"""Writes docs/results.md: `python -m benchmarks.results [EDITION …]`; without one, every printed score sheet.

For each ruleset: par, standard deviation, quantiles, and how likely each score is, playing for points and playing for
just that score. Fifteen boxes take about 90 processor seconds, once: the numbers are kept beside the books, so it can
be stopped and started again. Texts that play alike share a section.
"""

import sys
from pathlib import Path

from knobel.cli.aims import list_shown_totals, load_aims, read_aim
from knobel.cli.odds_report import NOTE_KIND, decode_odds, encode_odds
from knobel.paper.chart import draw_bars
from knobel.rules import edition_ids, load_edition
from knobel.rules.families import SHEET
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.book_cache import open_book, read_note, write_note
from knobel.solver.odds import Odds, compute_odds
from knobel.solver.solve import pad_to_stride

DOCS = Path(__file__).parents[1] / "docs"
PICTURES = DOCS / "results"
QUANTILES = (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)


def load_odds(rules: SheetRules) -> Odds:
    """Load the odds kept beside the book, or compute and keep them."""
    note = read_note(rules, NOTE_KIND)
    if note is not None:
        return decode_odds(note)
    book = open_book(rules)
    odds = compute_odds(book.tables, pad_to_stride(book.tables, book.values))
    write_note(rules, NOTE_KIND, encode_odds(odds))
    return odds


def describe_rules(title: str, texts: list[str], rules: SheetRules, picture: str) -> list[str]:
    """Write the section of one ruleset."""
    odds, aims = load_odds(rules), load_aims(rules)
    low, high = odds.quantile(0.0005), odds.quantile(0.9995)
    (PICTURES / picture).write_text(draw_bars(odds.distribution[low : high + 1].tolist(), low), encoding="utf-8")
    rows = [
        f"| {total} | {100 * odds.chance_at_least(total):.2f} % | {100 * read_aim(aims, total):.2f} % |"
        for total in list_shown_totals(odds)
    ]
    quantiles = ", ".join(f"{100 * one:g} % {odds.quantile(one)}" for one in QUANTILES)
    return [
        f"## {title} ({', '.join(texts)})",
        "",
        f"Par {odds.mean:.6f}, standard deviation {odds.sd:.4f}. Quantiles: {quantiles}.",
        "",
        f"![How likely each final score is under perfect play](results/{picture})",
        "",
        "| at least | playing for points | playing for just that |",
        "|---|---|---|",
        *rows,
        "",
    ]


def main(wanted: list[str]) -> None:
    PICTURES.mkdir(exist_ok=True)
    lines = [
        "# Results",
        "",
        "Exact results of the [solver](solver.md) for the printed editions, written by `python -m benchmarks.results`.",
        "",
    ]
    for name in wanted or edition_ids():
        edition = load_edition(name)
        if edition.family != SHEET:
            continue
        found: dict[str, tuple[SheetRules, list[str]]] = {}
        for text in edition.printed:
            rules = edition.rules(text)
            found.setdefault(rules.fingerprint, (rules, []))[1].append(text)
        for rules, texts in found.values():
            lines += describe_rules(edition.title, texts, rules, f"{name}-{texts[0]}.svg")
            (DOCS / "results.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
