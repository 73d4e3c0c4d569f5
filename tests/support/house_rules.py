"""House-rule files for the tests: one complete table, ways to change it, and the little TOML it takes to write it."""

import re
import tempfile
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from knobel.errors import KnobelError
from knobel.lang import Translator
from knobel.rules import Edition, load_edition

TomlTable: TypeAlias = dict[str, Any]

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "house-rules"
FILE = "house.toml"
MAX_MESSAGE = 400
REMOVED = object()

MINIMAL_RULES: TomlTable = {
    "title": "Small",
    "dice": 5,
    "faces": 6,
    "rolls": 3,
    "boxes": {"chance": {"pattern": "sum", "counts": "all"}},
}

# Every key a house-rule file can set, with one pattern of each kind.
FULL_RULES: TomlTable = {
    "title": "Whole",
    "dice": 5,
    "faces": 6,
    "rolls": 3,
    "bonus": {"threshold": 63, "points": 35, "strict": False},
    "chance": {"box": "chance", "rule": "free"},
    "yatzy": {"box": "yatzy", "joker": "none", "prime": 0, "second": 0, "forced_zero": "lenient"},
    "order": "free",
    "must_fit": False,
    "locked_dice": False,
    "players": {"least": 1, "most": 9},
    "start": "any",
    "series": "none",
    "sheet": ["ones", "twos", "trio", "twins", "house", "row", "odd", "yatzy", "chance"],
    "boxes": {
        "ones": {"pattern": "faces", "face": 1, "counts": "group", "upper": True},
        "twos": {"pattern": "faces", "face": 2, "counts": "group", "upper": True},
        "trio": {"pattern": "group", "size": 3, "counts": "all", "points": 1, "upper": False},
        "twins": {"pattern": "pairs", "count": 2, "same_face": False, "counts": "group"},
        "house": {"pattern": "house", "sizes": [3, 2], "same_face": False, "points": 25},
        "row": {"pattern": "run", "length": 4, "start": 0, "points": 30},
        "odd": {"pattern": "only", "faces": [1, 3, 5], "points": 20, "names": {"en": "Odd", "de": "Ungerade"}},
        "yatzy": {"pattern": "group", "size": 5, "points": 50},
        "chance": {"pattern": "sum", "counts": "all"},
    },
}


def with_changes(table: TomlTable, changes: Mapping[str, object]) -> TomlTable:
    """Copy a table with some dotted keys changed; `REMOVED` removes a key."""
    copy = deepcopy(table)
    for dotted, value in changes.items():
        *path, last = dotted.split(".")
        inner = copy
        for key in path:
            inner = inner.setdefault(key, {})
        if value is REMOVED:
            del inner[last]
        else:
            inner[last] = value
    return copy


def to_toml(table: TomlTable) -> str:
    """Write a table as TOML, one line for each of its keys."""
    return "".join(f"{toml_key(key)} = {toml_value(value)}\n" for key, value in table.items())


def toml_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_value(key)


def toml_value(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value) if value.bit_length() < 64 else hex(value)
        case str():
            return '"' + re.sub(r'["\\\x00-\x1f\x7f]', lambda found: f"\\u{ord(found[0]):04x}", value) + '"'
        case list():
            return "[" + ", ".join(map(toml_value, value)) + "]"
        case dict():
            return "{" + ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items()) + "}"
    return str(value)


def load_house_rules(content: TomlTable | str | bytes, file: str = FILE) -> Edition:
    """Write a house-rule file and load it by its path, as everybody does."""
    text = to_toml(content) if isinstance(content, dict) else content
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, file)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return load_edition(str(path))


def assert_refused(error: type[KnobelError], content: TomlTable | str | bytes) -> KnobelError:
    """Insist that a file is refused with exactly this error, in one line that names the file."""
    with pytest.raises(KnobelError) as caught:
        load_house_rules(content)
    assert type(caught.value) is error
    assert describe_error(caught.value).startswith(FILE)
    return caught.value


def describe_error(error: KnobelError) -> str:
    """Say an error, and insist that it is one line, and not a long one."""
    said = Translator("en").describe_error(error)
    assert said.isprintable()
    assert len(said) <= MAX_MESSAGE
    return said
