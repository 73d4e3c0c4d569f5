"""Letters and lines of a printed page, as a reader of PDF finds them."""

from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2
import pypdfium2.raw as pdfium

THIN, LONG = 2.0, 8.0
"""A line is thinner and longer than this, in points."""


@dataclass(frozen=True)
class Bounds:
    """The edges of something on a page, in points from its lower left corner."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: "Bounds") -> bool:
        return (
            self.left < other.right and self.right > other.left and self.bottom < other.top and self.top > other.bottom
        )


@dataclass(frozen=True)
class Letter:
    """A letter with the size of its type, its colour and the ink it takes."""

    text: str
    size: float
    luma: float
    ink: Bounds


def read_letters(page: pypdfium2.PdfPage) -> Iterator[Letter]:
    """Read every letter of a page that leaves ink."""
    text = page.get_textpage()
    for place in range(text.count_chars()):
        letter = chr(pdfium.FPDFText_GetUnicode(text.raw, place))
        if letter.isspace() or not letter.isprintable():
            continue
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(text.raw, place, matrix)
        size = pdfium.FPDFText_GetFontSize(text.raw, place) * abs(matrix.d)
        red, green, blue, opaque = (pdfium.c_uint() for _ in range(4))
        pdfium.FPDFText_GetFillColor(text.raw, place, red, green, blue, opaque)
        luma = (0.299 * red.value + 0.587 * green.value + 0.114 * blue.value) / 255
        yield Letter(letter, size, luma, Bounds(*text.get_charbox(place)))


def read_lines(page: pypdfium2.PdfPage) -> list[Bounds]:
    """Read the lines of a page; dice and chips are none."""
    found = [Bounds(*item.get_bounds()) for item in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH])]
    return [
        one
        for one in found
        if min(one.right - one.left, one.top - one.bottom) < THIN
        and max(one.right - one.left, one.top - one.bottom) > LONG
    ]


def find_crossed_letters(content: bytes) -> list[str]:
    """List the letters of a file that touch a line."""
    found = []
    document = pypdfium2.PdfDocument(content)
    for page in document:
        lines = read_lines(page)
        found += [one.text for one in read_letters(page) if any(one.ink.meets(line) for line in lines)]
    document.close()
    return found


def list_type_sizes(content: bytes) -> set[float]:
    """List the sizes of type in a file, in points."""
    document = pypdfium2.PdfDocument(content)
    found = {round(one.size, 2) for page in document for one in read_letters(page)}
    document.close()
    return found


def is_line(wide: float, high: float) -> bool:
    return min(wide, high) < THIN and max(wide, high) > LONG
