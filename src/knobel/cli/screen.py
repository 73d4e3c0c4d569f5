"""Write to the terminal: without control characters, in columns, no wider than the screen."""

import json
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence

from knobel.lang import Translator

MIN_WIDTH, MAX_WIDTH = 20, 100
NO_BREAK_SPACE = "\u00a0"


def say(text: str = "", *, aside: bool = False) -> None:
    """Write one line or more; with `aside` to stderr, out of the way of scripts."""
    for line in text.split("\n"):
        visible = "".join(character for character in line if not unicodedata.category(character).startswith("C"))
        (sys.stderr if aside else sys.stdout).write(f"{visible}\n")


def say_json(value: object) -> None:
    """Write JSON, with control characters escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    sys.stdout.write("".join(map(escape, text)) + "\n")


def escape(character: str) -> str:
    """Escape a character of a JSON text if it is not printable."""
    hidden = unicodedata.category(character).startswith("C") and character != "\n"
    return json.dumps(character)[1:-1] if hidden else character


def say_columns(rows: Iterable[Sequence[str]], gap: str = "  ") -> None:
    """Write rows in aligned columns; the last column wraps."""
    table = [list(row) for row in rows]
    if not table:
        return
    widths = [max(count_cells(row[place]) for row in table) for place in range(len(table[0]) - 1)]
    indent = sum(widths) + len(gap) * len(widths)
    for row in table:
        *cells, last = row
        start = "".join(cell + " " * (size - count_cells(cell)) + gap for cell, size in zip(cells, widths, strict=True))
        lines = textwrap.wrap(last, max(screen_width() - indent, 24)) or [""]
        say((start + f"\n{' ' * indent}".join(lines)).rstrip())


def say_paragraph(text: str, indent: str = "") -> None:
    """Write a paragraph, wrapped between words."""
    say(textwrap.fill(text, screen_width(), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False))


def say_list(words: Translator, key: str, name: str, items: Iterable[str]) -> None:
    """Write a sentence with a list in it, wrapped between the items as long as each fits on a line."""
    together = [item.replace(" ", NO_BREAK_SPACE) for item in items]
    text = words(key, **{name: words.join_list(together)})
    say(textwrap.fill(text, screen_width(), break_on_hyphens=False).replace(NO_BREAK_SPACE, " "))


def say_hanging(text: str) -> None:
    """Write a long line, wrapped with a hanging indent."""
    say(textwrap.fill(text, screen_width(), subsequent_indent=" " * 6, break_on_hyphens=False))


def say_row(line: str) -> None:
    """Write a line of a table; one that is wider than the screen is wrapped."""
    say(line) if count_cells(line) <= screen_width() else say_hanging(line)


def screen_width() -> int:
    """Count the characters that fit on a line."""
    return max(MIN_WIDTH, min(shutil.get_terminal_size().columns, MAX_WIDTH))


def count_cells(text: str) -> int:
    """Count the cells a text takes on a terminal."""
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)
