"""Reads a rules file, after the limits that keep the TOML parser from choking on it."""

import tomllib
from pathlib import Path

from knobel.errors import (
    FileDepth,
    FileDots,
    FileEncoding,
    FileKind,
    FileLines,
    FileMissing,
    FileToml,
    FileTooLarge,
    FileUnreadable,
)
from knobel.rules.fields import shown

BYTES = 32 * 1024
LINES = 1000
DOTS = 16
DEPTH = 8
REASON = 100

OPEN, CLOSE = "[{", "]}"
QUOTES = "\"'"
BREAKS = "\n=,[]{}"


def read_file(path: Path) -> dict[str, object]:
    """Read a rules file from disk."""
    return read_toml(read_bytes(path, BYTES), file_name(path))


def read_bytes(path: Path, most: int) -> bytes:
    """Read a plain file of at most so many bytes; a folder, a pipe or a device is none."""
    file = file_name(path)
    try:
        if not path.exists():
            raise FileMissing(file=file)
        if not path.is_file():
            raise FileKind(file=file)
        with path.open("rb") as stream:
            content = stream.read(most + 1)
    except OSError as error:
        raise FileUnreadable(file=file, reason=shown(error.strerror)) from None
    if len(content) > most:
        raise FileTooLarge(file=file, limit=most)
    return content


def file_name(path: Path) -> str:
    """Name a file in an error; the root folder has no name but its path."""
    return shown(path.name) or shown(path)


def read_toml(content: bytes, file: str) -> dict[str, object]:
    """Read TOML that keeps to the limits."""
    if len(content) > BYTES:
        raise FileTooLarge(file=file, limit=BYTES)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileEncoding(file=file) from None
    if (lines := text.count("\n") + (not text.endswith("\n"))) > LINES:
        raise FileLines(file=file, value=lines, limit=LINES)
    check_shape(text, file)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileToml(file=file, reason=shown(str(error).partition("\n")[0], REASON)) from None


def check_shape(text: str, file: str) -> None:
    """Walk over the text once, outside strings and comments, and count dots and brackets."""
    place, line, depth, dots = 0, 1, 0, 0
    while place < len(text):
        character = text[place]
        if character in QUOTES:
            end = string_end(text, place)
            line += text.count("\n", place, end)
            place = end
            continue
        if character == "#":
            place = next_line(text, place)
            continue
        if character in BREAKS:
            dots = 0
        line += character == "\n"
        dots += character == "."
        depth += (character in OPEN) - (character in CLOSE)
        if dots > DOTS:
            raise FileDots(file=file, line=line, limit=DOTS)
        if depth > DEPTH:
            raise FileDepth(file=file, line=line, limit=DEPTH)
        place += 1


def string_end(text: str, start: int) -> int:
    """Find where the string that starts here ends; one that never does ends with its line or the file."""
    quote = text[start]
    long = text.startswith(quote * 3, start)
    closing = quote * 3 if long else quote
    place = start + len(closing)
    while place < len(text):
        if text[place] == "\\" and quote == '"':
            place += 2
        elif text.startswith(closing, place):
            end = place + len(closing)
            while long and end < place + 5 and text.startswith(quote, end):
                end += 1
            return end
        elif text[place] == "\n" and not long:
            return place
        else:
            place += 1
    return len(text)


def next_line(text: str, start: int) -> int:
    """Find the end of the line."""
    end = text.find("\n", start)
    return len(text) if end < 0 else end
