"""Cuts the open fonts down to what Knobel's languages need, for the browser and for paper.

`make fonts` installs what is pinned in this folder and runs it. Files for the browser are named by their content, so
that they can be kept for ever; `fonts.css` and the hints in `index.html` name them. None of these fonts has a reserved
name, so the cut ones may keep theirs.
"""

import hashlib
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from fontTools.merge import Merger
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent
PACKAGES = HERE / "node_modules" / "@fontsource"
STATIC = HERE.parent / "src" / "knobel" / "web" / "static"
WEB = STATIC / "fonts"
PAPER = HERE.parent / "src" / "knobel" / "paper" / "fonts"

LATIN = (
    *range(0x20, 0x7F),
    *range(0xA0, 0x100),
    *map(ord, "\N{LATIN CAPITAL LIGATURE OE}\N{LATIN SMALL LIGATURE OE}"),
    *(0x2009, 0x2013, 0x2014, *range(0x2018, 0x201F), 0x2022, 0x2026, 0x202F, 0x2039, 0x203A, *range(0x2190, 0x2194)),
    0x2212,
)
"""English, Danish, Dutch, Finnish, French, German, Icelandic, Italian, Norwegian, Spanish, Swedish; quotes, arrows."""
LATIN_MORE = (*range(0x100, 0x152), *range(0x154, 0x17F), *range(0x218, 0x21C))
"""Estonian, Latvian, Lithuanian, Polish, and the names of guests from nearby."""
CYRILLIC = (*range(0x400, 0x460), 0x490, 0x491, 0x2116)
"""Russian and Ukrainian."""
SCRIPTS = {"latin": LATIN, "latin-ext": LATIN_MORE, "cyrillic": CYRILLIC}
FIGURES = tuple(map(ord, "0123456789+-\N{EN DASH}\N{MINUS SIGN}"))
FEATURES = ["kern", "tnum"]
THIN_SPACE, NARROW_NO_BREAK_SPACE = 0x2009, 0x202F
ARROWS = {0x2190: (-1, 0), 0x2191: (0, 1), 0x2192: (1, 0), 0x2193: (0, -1)}
"""The arrows that sentences use, and where each points."""
FIRST_SEEN = ("literata-latin-600", "open-sans-latin-400", "open-sans-latin-600")
"""What the first page shows at once, and is fetched with its style sheets."""


@dataclass(frozen=True)
class Face:
    """One style of a font in the browser: which weights of a style sheet it stands for."""

    package: str
    family: str
    weight: int
    weights: str
    scripts: tuple[str, ...] = tuple(SCRIPTS)
    more: str = ""


FACES = (
    Face("literata", "Literata", 400, "400"),
    Face("literata", "Literata", 600, "600 700"),
    Face("open-sans", "Open Sans", 400, "400"),
    Face("open-sans", "Open Sans", 600, "600 700"),
    Face("caveat", "Caveat", 600, "400 700", ("latin",), " size-adjust: 150%;"),
)
PAPER_STYLES = ("400-normal", "700-normal", "400-italic")


def find_source(package: str, script: str, style: str) -> Path:
    return PACKAGES / package / "files" / f"{package}-{script}-{style}.woff2"


def cut_font(source: Path, characters: tuple[int, ...]) -> TTFont:
    """Keep these characters and the features a sheet needs."""
    options = Options()
    options.layout_features = FEATURES
    options.hinting = False
    options.name_IDs = [0, 1, 2, 4, 5, 6, 13, 14]
    options.drop_tables += ["STAT", "meta", "vhea", "vmtx"]
    font = TTFont(source, recalcTimestamp=False)
    cutter = Subsetter(options)
    cutter.populate(unicodes=characters)
    cutter.subset(font)
    if set(ARROWS) & set(characters):
        add_missing_characters(font)
    return font


def add_missing_characters(font: TTFont) -> None:
    """Add what the packages lack: French spaces as wide as a thin space, and arrows as bold as the minus sign."""
    known = font.getBestCmap()
    added = {NARROW_NO_BREAK_SPACE: known[THIN_SPACE]}
    for character, pointing in ARROWS.items():
        added[character] = f"uni{character:04X}"
        draw_arrow(font, added[character], pointing)
    for table in font["cmap"].tables:
        table.cmap.update(added)


def draw_arrow(font: TTFont, name: str, pointing: tuple[int, int]) -> None:
    """Draw an arrow in the box of the minus sign: its bar, and a head at one end."""
    glyphs, widths = font["glyf"], font["hmtx"]
    minus = font.getBestCmap()[ord("\N{MINUS SIGN}")]
    bar, (advance, _) = glyphs[minus], widths[minus]
    half, bold = (bar.xMax - bar.xMin) / 2, (bar.yMax - bar.yMin) / 2
    head, middle = half * 0.6, (bar.xMin + half, (bar.yMin + bar.yMax) / 2)
    slope = bold * 2**0.5
    outline = (
        (-half, bold), (half - slope - bold, bold), (half - head - slope, head), (half - head, head + slope),
        (half + bold, 0), (half - head, -head - slope), (half - head - slope, -head), (half - slope - bold, -bold),
        (-half, -bold),
    )  # fmt: skip
    along, across = pointing
    pen = TTGlyphPen(None)
    points = [(x * along - y * across, x * across + y * along) for x, y in outline]
    pen.moveTo(place(points[0], middle))
    for point in points[1:]:
        pen.lineTo(place(point, middle))
    pen.closePath()
    glyphs[name] = pen.glyph()
    glyphs[name].recalcBounds(glyphs)
    widths[name] = (advance, glyphs[name].xMin)


def place(point: tuple[float, float], middle: tuple[float, float]) -> tuple[int, int]:
    return round(point[0] + middle[0]), round(point[1] + middle[1])


def even_out_figures(font: TTFont) -> None:
    """Give all figures of a handwriting the same width, so that they stand below each other."""
    names = [font.getBestCmap()[character] for character in map(ord, "0123456789")]
    width = max(font["hmtx"][name][0] for name in names)
    for name in names:
        advance, bearing = font["hmtx"][name]
        font["hmtx"][name] = (width, bearing + (width - advance) // 2)


def build_web_font(face: Face, script: str) -> tuple[str, str]:
    """Write one file for the browser, named by its content; gives that name and the rule that names it."""
    characters = FIGURES if face.package == "caveat" else SCRIPTS[script]
    font = cut_font(find_source(face.package, script, f"{face.weight}-normal"), characters)
    if face.package == "caveat":
        even_out_figures(font)
    font.flavor = "woff2"
    target = WEB / "new.woff2"
    font.save(target)
    mark = hashlib.sha256(target.read_bytes()).hexdigest()[:10]
    name = f"{face.package}-{script}-{face.weight}.{mark}.woff2"
    target.rename(WEB / name)
    rule = (
        f'@font-face {{ font-family: "{face.family}"; font-weight: {face.weights}; font-display: swap;{face.more}'
        f' src: url("fonts/{name}") format("woff2"); unicode-range: {write_ranges(characters)}; }}'
    )
    return name, rule


def write_ranges(characters: tuple[int, ...]) -> str:
    """Write characters as a style sheet does: U+20-7E, U+A0-FF."""
    found: list[list[int]] = []
    for one in sorted(characters):
        if found and found[-1][1] == one - 1:
            found[-1][1] = one
        else:
            found.append([one, one])
    return ", ".join(f"U+{first:X}" if first == last else f"U+{first:X}-{last:X}" for first, last in found)


def build_paper_font(style: str) -> None:
    """Write one file for paper, with all scripts in it."""
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for script, characters in SCRIPTS.items():
            font = cut_font(find_source("literata", script, style), characters)
            font.flavor = None
            parts.append(f"{folder}/{script}.ttf")
            font.save(parts[-1])
        merged = Merger().merge(parts)
        first = TTFont(parts[0])["head"]
        merged["head"].created, merged["head"].modified = first.created, first.modified
    merged.recalcTimestamp = False
    merged.save(PAPER / f"literata-{style}.ttf")


def name_first_seen(names: list[str]) -> None:
    """Let the page ask for the fonts of the first sight at once."""
    page = STATIC / "index.html"
    hints = "".join(
        f'  <link rel="preload" href="/static/fonts/{name}" as="font" type="font/woff2" crossorigin>\n'
        for name in names
        if name.startswith(tuple(f"{one}." for one in FIRST_SEEN))
    )
    text = re.sub(r'  <link rel="preload" href="/static/fonts/.*\n', "", page.read_text(encoding="utf-8"))
    page.write_text(text.replace('  <link rel="stylesheet"', f'{hints}  <link rel="stylesheet"', 1), encoding="utf-8")


def main() -> None:
    """Build everything anew."""
    for folder in (WEB, PAPER):
        folder.mkdir(exist_ok=True)
        for old in (*folder.glob("*.woff2"), *folder.glob("*.ttf")):
            old.unlink()
    built = [build_web_font(face, script) for face in FACES for script in face.scripts]
    rules = "\n".join(rule for _, rule in built)
    (STATIC / "fonts.css").write_text(f"/* Written by fonts/build.py. */\n{rules}\n", encoding="utf-8")
    name_first_seen([name for name, _ in built])
    for style in PAPER_STYLES:
        build_paper_font(style)
    for package in dict.fromkeys(face.package for face in FACES):
        licence = (PACKAGES / package / "LICENSE").read_text(encoding="utf-8")
        (WEB / f"{package}.LICENSE.txt").write_text(licence, encoding="utf-8")
    (PAPER / "literata.LICENSE.txt").write_text((WEB / "literata.LICENSE.txt").read_text(encoding="utf-8"), "utf-8")


if __name__ == "__main__":
    main()
