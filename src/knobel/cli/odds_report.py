"""The exact distribution of the final total under perfect play: computed, kept beside the book, and shown."""

from pathlib import Path
from typing import Any

import numpy as np

from knobel.cli.aims import EMPTY_COLUMN, load_aims, show_aims
from knobel.cli.books import load_selected_book, warn_if_unsaved
from knobel.cli.parser import Given
from knobel.cli.progress import ProgressBar
from knobel.cli.screen import say, say_columns, say_json, say_paragraph, screen_width
from knobel.cli.selection import Selection, read_selection
from knobel.errors import FileUnwritable
from knobel.lang import Translator
from knobel.paper.chart import draw_bars
from knobel.phrase import FormattedNumber
from knobel.rules.fields import abbreviate, clean_text
from knobel.solver.book_cache import read_note, write_note
from knobel.solver.odds import BoxOdds, Odds, compute_odds
from knobel.solver.solve import pad_to_stride
from knobel.solver.tables import build_tables
from knobel.solver.total_values import find_most_points

NOTE_KIND = "odds"
QUANTILES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
BAR_COUNT = 24


def report_odds(given: Given) -> None:
    """Answer the command: as text or JSON, and as a picture if one is asked for."""
    selection = read_selection(given)
    odds = load_odds(selection)
    aims = load_aims(selection.sheet_rules) if given.has("aim") else None
    least = given.read_number("at-least", 0)
    if svg := given.read_value("svg"):
        write_svg(odds, Path(svg))
    if given.has("json"):
        chances = {} if aims is None else {"aims": aims.tolist()}
        say_json(build_json(selection, odds, least) | chances)
        return
    show(selection, odds, least)
    if aims is not None:
        show_aims(selection, odds, aims, least)


def load_odds(selection: Selection) -> Odds:
    """Load the odds kept beside the book, or compute them."""
    note = read_note(selection.sheet_rules, NOTE_KIND)
    if note is not None:
        return decode_odds(note)
    book = load_selected_book(selection)
    bar = ProgressBar()
    try:
        odds = compute_odds(build_tables(selection.sheet_rules), pad_to_stride(book.tables, book.values), bar)
    finally:
        bar.clear()
    write_note(selection.sheet_rules, NOTE_KIND, encode_odds(odds))
    warn_if_unsaved(selection.words)
    return odds


def encode_odds(odds: Odds) -> dict[str, object]:
    boxes = [[one.chance, one.mean] for one in odds.boxes]
    return {
        "distribution": odds.distribution.tolist(),
        "bonus": odds.bonus_chance,
        "boxes": boxes,
        "extra": odds.prime_mean,
    }


def decode_odds(note: dict[str, Any]) -> Odds:
    boxes = tuple(BoxOdds(chance, mean) for chance, mean in note["boxes"])
    return Odds(np.array(note["distribution"]), note["bonus"], boxes, note["extra"])


def show(selection: Selection, odds: Odds, least: int | None) -> None:
    words = selection.words
    say_paragraph(words("interface.odds.title", title=selection.edition.title))
    say_paragraph(
        words(
            "interface.odds.mean",
            mean=FormattedNumber(odds.mean, 3),
            sd=FormattedNumber(odds.sd, 3),
            median=odds.quantile(0.5),
        )
    )
    quantiles = [f"{words.format_number(percent(one, 0))} {odds.quantile(one)}" for one in QUANTILES]
    say_paragraph(words("interface.odds.quantiles", quantiles=words.join_list(quantiles)))
    if selection.sheet_rules.bonus:
        say_paragraph(words("interface.odds.bonus", probability=percent(odds.bonus_chance, 2)))
    most = find_most_points(build_tables(selection.sheet_rules), EMPTY_COLUMN)
    if least is not None and least > most:
        say_paragraph(words("interface.odds.out_of_reach", n=least, most=FormattedNumber(most)))
    elif least is not None:
        say_paragraph(words("interface.odds.at_least", n=least, probability=percent(odds.chance_at_least(least), 4)))
    say()
    say_columns(
        [
            f"  {words.name_box(box.id)}",
            f"{words.format_number(percent(one.chance, 2)):>7}",
            f"{words.format_number(FormattedNumber(one.mean, 3)):>8}",
        ]
        for box, one in zip(selection.sheet_rules.boxes, odds.boxes, strict=True)
    )
    say()
    draw_histogram(odds, words)


def percent(share: float, digits: int) -> FormattedNumber:
    return FormattedNumber(share, digits, percent=True)


def draw_histogram(odds: Odds, words: Translator) -> None:
    """Draw the distribution as text."""
    low, high = odds.quantile(0.001), odds.quantile(0.999)
    step = max(1, -(-(high - low + 1) // BAR_COUNT))
    groups = [(start, float(odds.distribution[start : start + step].sum())) for start in range(low, high + 1, step)]
    tallest = max(share for _, share in groups)
    room = max(screen_width() - 20, 1)
    for start, share in groups:
        say(f"  {start:5} {'#' * round(room * share / tallest):{room}} {words.format_number(percent(share, 2)):>6}")


def write_svg(odds: Odds, path: Path) -> None:
    low, high = odds.quantile(0.0005), odds.quantile(0.9995)
    try:
        path.write_text(draw_bars(odds.distribution[low : high + 1].tolist(), low), encoding="utf-8")
    except OSError as error:
        raise FileUnwritable(file=clean_text(path.name), reason=abbreviate(error.strerror)) from None


def build_json(selection: Selection, odds: Odds, least: int | None) -> dict[str, object]:
    answer: dict[str, object] = {
        "edition": selection.edition.id,
        "lang": selection.words.lang,
        "text": selection.text,
        "fingerprint": selection.sheet_rules.fingerprint,
        "mean": odds.mean,
        "sd": odds.sd,
        "median": odds.quantile(0.5),
        "quantiles": {str(quantile): odds.quantile(quantile) for quantile in QUANTILES},
        "bonus": odds.bonus_chance,
        "boxes": {
            box.id: {"chance": one.chance, "mean": one.mean}
            for box, one in zip(selection.sheet_rules.boxes, odds.boxes, strict=True)
        },
        "extra": odds.prime_mean,
        "distribution": odds.distribution.tolist(),
    }
    return answer | ({"at_least": {str(least): odds.chance_at_least(least)}} if least is not None else {})
