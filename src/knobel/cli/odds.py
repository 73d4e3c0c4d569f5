"""`knobel odds`: the exact distribution of the final total under perfect play."""

from pathlib import Path
from typing import Any

import numpy as np

from knobel.cli.chosen import Chosen, choose
from knobel.cli.line import JSON, LANG, SET, TEXT, Argument, Command, Given, Option
from knobel.cli.progress import Bar
from knobel.cli.screen import columns, paragraph, say, say_json, screen_width
from knobel.cli.solved import opened
from knobel.errors import FileUnwritable
from knobel.lang import Words
from knobel.paper.chart import bars
from knobel.phrase import Figure
from knobel.rules.fields import clean, shown
from knobel.solver.book import read_note, write_note
from knobel.solver.odds import BoxOdds, Odds, odds
from knobel.solver.solve import strided
from knobel.solver.tables import tables

KIND = "odds"
QUANTILES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
BARS = 24


def run(given: Given) -> None:
    """Show the odds."""
    chosen = choose(given)
    found = known_odds(chosen)
    least = given.number("at-least", "--at-least")
    if svg := given.word("svg"):
        write_svg(found, Path(svg))
    if given.flag("json"):
        say_json(form(chosen, found, least))
        return
    show(chosen, found, least)


def known_odds(chosen: Chosen) -> Odds:
    """Find the odds kept with the book, or work them out."""
    note = read_note(chosen.rules, KIND)
    if note is not None:
        return remembered(note)
    book = opened(chosen)
    bar = Bar()
    try:
        found = odds(tables(chosen.rules), strided(book.tables, book.values), bar)
    finally:
        bar.done()
    write_note(chosen.rules, KIND, noted(found))
    return found


def noted(found: Odds) -> dict[str, object]:
    """Write the odds as a note beside the book."""
    boxes = [[one.chance, one.mean] for one in found.boxes]
    return {"distribution": found.distribution.tolist(), "bonus": found.bonus, "boxes": boxes, "extra": found.extra}


def remembered(note: dict[str, Any]) -> Odds:
    """Read the odds from a note."""
    boxes = tuple(BoxOdds(chance, mean) for chance, mean in note["boxes"])
    return Odds(np.array(note["distribution"]), note["bonus"], boxes, note["extra"])


def show(chosen: Chosen, found: Odds, least: int | None) -> None:
    """Write the odds for people."""
    words = chosen.words
    say(words("interface.odds.title", title=chosen.edition.title))
    say(words("interface.odds.mean", mean=Figure(found.mean, 3), sd=Figure(found.sd, 3), median=found.quantile(0.5)))
    quantiles = [f"{words.figure(percent(one, 0))} {found.quantile(one)}" for one in QUANTILES]
    paragraph(words("interface.odds.quantiles", quantiles=words.list(quantiles)))
    if chosen.rules.bonus:
        say(words("interface.odds.bonus", chance=percent(found.bonus, 2)))
    if least is not None:
        say(words("interface.odds.at_least", n=least, chance=percent(found.at_least(least), 4)))
    say()
    columns(
        [
            f"  {words.box(box.id)}",
            f"{words.figure(percent(one.chance, 2)):>7}",
            f"{words.figure(Figure(one.mean, 3)):>8}",
        ]
        for box, one in zip(chosen.rules.boxes, found.boxes, strict=True)
    )
    say()
    histogram(found, words)


def percent(share: float, digits: int) -> Figure:
    """Write a share in percent."""
    return Figure(share, digits, percent=True)


def histogram(found: Odds, words: Words) -> None:
    """Draw the distribution with characters."""
    low, high = found.quantile(0.001), found.quantile(0.999)
    step = max(1, -(-(high - low + 1) // BARS))
    groups = [(start, float(found.distribution[start : start + step].sum())) for start in range(low, high + 1, step)]
    tallest = max(share for _, share in groups)
    room = screen_width() - 20
    for start, share in groups:
        say(f"  {start:5} {'#' * round(room * share / tallest):{room}} {words.figure(percent(share, 2)):>6}")


def write_svg(found: Odds, path: Path) -> None:
    """Draw the distribution into a file."""
    low, high = found.quantile(0.0005), found.quantile(0.9995)
    try:
        path.write_text(bars(found.distribution[low : high + 1].tolist(), low), encoding="utf-8")
    except OSError as error:
        raise FileUnwritable(file=clean(path.name), reason=shown(error.strerror)) from None


def form(chosen: Chosen, found: Odds, least: int | None) -> dict[str, object]:
    """Write the odds for machines."""
    answer: dict[str, object] = {
        "edition": chosen.edition.id,
        "lang": chosen.words.lang,
        "text": chosen.text,
        "fingerprint": chosen.rules.fingerprint,
        "mean": found.mean,
        "sd": found.sd,
        "median": found.quantile(0.5),
        "quantiles": {str(quantile): found.quantile(quantile) for quantile in QUANTILES},
        "bonus": found.bonus,
        "boxes": {
            box.id: {"chance": one.chance, "mean": one.mean}
            for box, one in zip(chosen.rules.boxes, found.boxes, strict=True)
        },
        "extra": found.extra,
        "distribution": found.distribution.tolist(),
    }
    return answer | ({"at_least": {str(least): found.at_least(least)}} if least is not None else {})


COMMAND = Command(
    "odds", (Argument("edition"),), (Option("at-least", "N"), Option("svg", "FILE"), LANG, TEXT, SET, JSON), run
)
