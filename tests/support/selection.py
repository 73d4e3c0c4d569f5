"""What `make test` leaves to `make test-rest`: a test under `@pytest.mark.rest`, or some of its parameters."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path

import pytest

FOLDERS = {"browser": "browser", "processes": "process", "solver": "solve"}
"""Folders whose every test has a marker of its own."""
FIXTURES = {"postgres_server": "database", "own_postgres": "database", "server": "process"}
"""Fixtures that give a marker to whatever asks for them."""
VALUES = {"postgres": "database"}
"""Values of a parameter that give a marker to the test."""


def rest(*values: object) -> object:
    """Leave one set of parameters to `make test-rest`."""
    return pytest.param(*values, marks=pytest.mark.rest)


def mostly_rest(values: Iterable[object], *chosen: object) -> list[object]:
    """Keep the chosen values for `make test`, and leave the others to `make test-rest`."""
    return mark_all_but(pytest.mark.rest, values, chosen)


def mostly_solve(values: Iterable[object], *chosen: object) -> list[object]:
    """Keep the chosen values for `make quick`, and leave the others to `make test`."""
    return mark_all_but(pytest.mark.solve, values, chosen)


def thin_out(*lists: Sequence[object], chosen: Iterable[tuple[object, ...]]) -> list[object]:
    """Combine values: the chosen ones for `make test`, a part for `make test-rest`, all others for `make torture`.

    The part has every pair of values of the first two lists, each with a value of the last list in turn.
    """
    kept = list(chosen)
    cases: list[object] = []
    for places in product(*(range(len(values)) for values in lists)):
        values = tuple(one[place] for one, place in zip(lists, places, strict=True))
        in_turn = sum(places[:-1]) % len(lists[-1]) == places[-1]
        marks = () if values in kept else pytest.mark.rest if in_turn else pytest.mark.torture
        cases.append(pytest.param(*values, marks=marks, id="-".join(Path(str(value)).stem for value in values)))
    return cases


def mark_all_but(marker: pytest.MarkDecorator, values: Iterable[object], chosen: tuple[object, ...]) -> list[object]:
    every = list(values)
    if unknown := [value for value in chosen if value not in every]:
        raise ValueError(f"chosen, but not among the values: {unknown}")
    return [value if value in chosen else pytest.param(value, marks=marker) for value in every]


def list_needs(item: pytest.Item) -> Iterator[str]:
    """List the markers a test has by its folder, its fixtures and its parameters."""
    if item.path.parent.name in FOLDERS:
        yield FOLDERS[item.path.parent.name]
    yield from (FIXTURES[name] for name in getattr(item, "fixturenames", ()) if name in FIXTURES)
    if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
        values = (value for value in item.callspec.params.values() if isinstance(value, str))
        yield from (VALUES[value] for value in values if value in VALUES)
