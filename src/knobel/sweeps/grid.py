"""A grid of rules: a house-rule file with a table `grid`, which gives some of its keys several values."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from knobel.errors import KeyConflict, KeyMissing, KeyOutOfRange, KnobelError
from knobel.rules import extendable_editions
from knobel.rules.edition import read_house_table
from knobel.rules.families import expect_sheet_rules
from knobel.rules.fields import Int, KeyPath, TableField, abbreviate
from knobel.rules.schema import read_optional, read_required, reject_unknown_keys
from knobel.rules.sheet_rules import SheetRules
from knobel.rules.toml_file import display_name, read_rules_file

GRID = "grid"
RANGE_KEYS = ("from", "to", "step")
MAX_POINTS = 100_000
RANGE_LIMIT = Int(-1_000_000, 1_000_000)

Values: TypeAlias = dict[str, Any]
"""What the keys of a grid are at one of its points."""


@dataclass(frozen=True, slots=True)
class GridPoint:
    """One set of rules of a grid: the values that make it, the rules, or what is wrong with them."""

    values: Values
    rules: SheetRules | None
    error: KnobelError | None = None

    @property
    def id(self) -> str:
        """What its results are filed under; equal rules are solved once."""
        return self.rules.fingerprint if self.rules else ""


@dataclass(frozen=True, slots=True)
class Grid:
    """The points of a grid, in the order in which its file counts."""

    keys: tuple[str, ...]
    points: tuple[GridPoint, ...]


def read_grid(path: Path) -> Grid:
    """Read a grid; one that has no playable rules at all is refused by the first thing that is wrong."""
    table, place = read_rules_file(path), KeyPath(display_name(path))
    axes = read_axes(table, place)
    base = {"title": path.stem} | {key: value for key, value in table.items() if key != GRID}
    points = tuple(
        build_point(base, dict(zip(axes, chosen, strict=True)), path.name) for chosen in product(*axes.values())
    )
    if all(point.error for point in points):
        raise next(point.error for point in points if point.error)
    return Grid(tuple(axes), points)


def read_axes(table: Mapping[str, object], path: KeyPath) -> dict[str, Sequence[object]]:
    """Read the keys of a grid and their values."""
    if not table.get(GRID):
        raise KeyMissing(file=path.file, key=GRID)
    at = path.child(GRID)
    axes = {
        key: read_axis(value, at.child(abbreviate(key))) for key, value in TableField().read(table[GRID], at).items()
    }
    count = 1
    for values in axes.values():
        count *= len(values)
    if not 1 <= count <= MAX_POINTS:
        raise KeyOutOfRange(file=path.file, key=GRID, least=1, most=MAX_POINTS, value=count)
    return axes


def read_axis(value: object, path: KeyPath) -> Sequence[object]:
    """Read the values of a key: a list, a range with both ends, or a single one."""
    if isinstance(value, list) and not value:
        raise KeyMissing(file=path.file, key=path.key)
    if not isinstance(value, Mapping):
        return value if isinstance(value, list) else [value]
    table = TableField().read(value, path)
    reject_unknown_keys(table, RANGE_KEYS, path)
    first = read_required(table, "from", RANGE_LIMIT, path)
    last = read_required(table, "to", Int(first, RANGE_LIMIT.most), path)
    step = read_optional(table, "step", Int(1, RANGE_LIMIT.most), 1, path)
    return range(first, last + 1, step)


def build_point(base: Mapping[str, object], values: Values, name: str) -> GridPoint:
    """Build the rules of a point, or note why nobody can play by them."""
    table = deepcopy(dict(base))
    for key, value in values.items():
        set_key(table, key, value, name)
    try:
        edition = read_house_table(table, name, extendable_editions())
        return GridPoint(values, expect_sheet_rules(edition.rules(), edition.title))
    except KnobelError as error:
        return GridPoint(values, None, error)


def set_key(table: dict[str, Any], key: str, value: object, name: str) -> None:
    """Set a key, which names tables within tables by dots."""
    *above, last = key.split(".")
    for part in above:
        if not isinstance(table.setdefault(part, {}), dict):
            raise KeyConflict(file=abbreviate(name), key=f"{GRID}.{abbreviate(key)}", other=abbreviate(part))
        table = table[part]
    table[last] = value


def list_jobs(grid: Grid, done: Mapping[str, object]) -> Iterator[GridPoint]:
    """List the points that are still to be solved, each set of rules once."""
    seen = set(done)
    for point in grid.points:
        if point.rules and point.id not in seen:
            seen.add(point.id)
            yield point
