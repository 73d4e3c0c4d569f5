"""Draws the six score pads of the guide.

python -m tests.pads
"""

from pathlib import Path
from typing import Any

from knobel.lang import Translator
from knobel.paper.chips import build_blank_table
from knobel.paper.pad import PadOptions, build_blank_pad
from knobel.paper.render import render_png
from knobel.rules import load_edition

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pads"
MAXI = ROOT / "examples" / "house-rules" / "maxi-yatzy.toml"
PPI = 84
PADS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "yahtzee": ("mb-yahtzee", "fr", {"players": 1}),
    "xl-yatzy": ("tactic-xl-yatzy", "uk", {"size": "a5"}),
    "large-print": ("philos-yatzi", "de", {"size": "a5", "large": True}),
    "two-games": ("carlit-yatzy", "it", {"players": 3, "size": "letter"}),
    "house-rules": (str(MAXI), "sv", {"columns": 8}),
    "chicago": ("carlit-chicago", "de", {"players": 5}),
}


def draw(name: str) -> bytes:
    """Draw one score pad."""
    box, lang, wish = PADS[name]
    edition = load_edition(box)
    words, text = Translator(lang, edition), edition.choose_text(None, lang)
    if edition.family == "sheet":
        page = build_blank_pad(edition.rules(text), words, edition.title, edition.publisher, PadOptions(**wish))
        return render_png("pad", page, PPI)[0]
    table = build_blank_table(edition.rules(text), words, edition.title, edition.publisher, PadOptions(**wish))
    return render_png("chips", table, PPI)[0]


def main() -> None:
    """Draw them all."""
    FOLDER.mkdir(exist_ok=True)
    for name in PADS:
        (FOLDER / f"{name}.png").write_bytes(draw(name))


if __name__ == "__main__":
    main()
