"""What holds for every test."""

import gc
import os
import shutil
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from tests.support.selection import list_needs

HOMES = count()
MEMORY = Path("/dev/shm")  # noqa: S108
ENOUGH = 1 << 30
"""How much of a folder in memory must be free to use it."""


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    """Keep the files of tests in memory where there is room: thousands of commits need not wait for a disk."""
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by what they need, before they are chosen by their markers.

    Where reruns are asked for, a browser test may fail once; a test of a promise never may.
    """
    reruns = config.getoption("max_suite_reruns")
    for item in items:
        needs = set(list_needs(item))
        for marker in needs:
            item.add_marker(marker)
        if reruns and "browser" in needs:
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_collection_finish() -> None:
    """Take what stays until the end, thousands of tests, out of the sight of the collector."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


@pytest.fixture(autouse=True)
def _nobodys_games(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every test away from the games of whoever runs it, and from those of other tests."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.getbasetemp() / "homes" / str(next(HOMES))))


@pytest.fixture(autouse=True)
def _same_dice_in_every_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw what is secret from the name of the test, so that no run fails by dice another run did not have."""
    random = Random(request.node.nodeid)
    drawn = SimpleNamespace(
        choice=random.choice, token_bytes=random.randbytes, token_hex=lambda size: random.randbytes(size).hex()
    )
    for module in ("knobel.host.room_setup", "knobel.cli.room_client"):
        monkeypatch.setattr(f"{module}.secrets", drawn)
