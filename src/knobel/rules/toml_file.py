"""Read a rules file, after checking limits that protect the TOML parser."""

import tomllib
from pathlib import Path

from knobel.errors import (
    FileMissing,
    FileNotToml,
    FileNotUtf8,
    FileTooDeep,
    FileTooLarge,
    FileTooManyDots,
    FileTooManyLines,
    FileUnreadable,
    NotRegularFile,
)
from knobel.rules.fields import abbreviate

MAX_BYTES = 32 * 1024
MAX_LINES = 1000
MAX_DOTS = 16
MAX_DEPTH = 8
MAX_REASON = 100

OPEN, CLOSE = "[{", "]}"
QUOTES = "\"'"
KEY_BREAKS = "\n=,[]{}"


def read_rules_file(path: Path) -> dict[str, object]:
    return read_toml(read_bytes(path, MAX_BYTES), display_name(path))


def read_bytes(path: Path, limit: int) -> bytes:
    """Read a regular file of at most this many bytes; refuse folders, pipes and devices."""
    file = display_name(path)
    try:
        if not path.exists():
            raise FileMissing(file=file)
        if not path.is_file():
            raise NotRegularFile(file=file)
        with path.open("rb") as stream:
            content = stream.read(limit + 1)
    except OSError as error:
        raise FileUnreadable(file=file, reason=abbreviate(error.strerror)) from None
    if len(content) > limit:
        raise FileTooLarge(file=file, limit=limit)
    return content


def display_name(path: Path) -> str:
    """Name a file in an error; the root folder has no name but its path."""
    return abbreviate(path.name) or abbreviate(path)


def read_toml(content: bytes, file: str, limit: int = MAX_BYTES) -> dict[str, object]:
    """Read TOML that keeps to the limits."""
    if len(content) > limit:
        raise FileTooLarge(file=file, limit=limit)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileNotUtf8(file=file) from None
    if (lines := text.count("\n") + (not text.endswith("\n"))) > MAX_LINES:
        raise FileTooManyLines(file=file, value=lines, limit=MAX_LINES)
    check_shape(text, file)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileNotToml(file=file, reason=abbreviate(str(error).partition("\n")[0], MAX_REASON)) from None


def check_shape(text: str, file: str) -> None:
    """Walk over the text once, outside strings and comments, and count dots and brackets."""
    place, line, depth, dots = 0, 1, 0, 0
    while place < len(text):
        character = text[place]
        if character in QUOTES:
            end = find_string_end(text, place)
            line += text.count("\n", place, end)
            place = end
            continue
        if character == "#":
            place = find_line_end(text, place)
            continue
        if character in KEY_BREAKS:
            dots = 0
        line += character == "\n"
        dots += character == "."
        depth += (character in OPEN) - (character in CLOSE)
        if dots > MAX_DOTS:
            raise FileTooManyDots(file=file, line=line, limit=MAX_DOTS)
        if depth > MAX_DEPTH:
            raise FileTooDeep(file=file, line=line, limit=MAX_DEPTH)
        place += 1


def find_string_end(text: str, start: int) -> int:
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


def find_line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
