"""Fixtures for everybody."""

import gc
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser import Opener, Screen, Server, Size, launched, screen_of
from tests.postgres import postgres_address, postgres_server

__all__ = ["postgres_address", "postgres_server"]

HOMES = count()


def pytest_collection_finish() -> None:
    """Take what stays until the end, thousands of tests, out of the sight of the collector."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _nobodys_games(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every test away from the games of whoever runs it, and from those of other tests."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.getbasetemp() / "homes" / str(next(HOMES))))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for this file; it ends with it, as no other event loop can run beside it."""
    with launched() as opened:
        yield opened


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house that is left standing; each test plays in rooms of its own."""
    with Server(tmp_path_factory.mktemp("house")) as server:
        yield server


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Opens a house for one test alone; name it before the screens, as it has to outlive them."""
    found: list[Server] = []

    def opened(*words: str, quick: bool = False) -> Server:
        found.append(Server(tmp_path, *words, quick=quick))
        found[-1].start()
        return found[-1]

    yield opened
    for one in found:
        one.stop()


@pytest.fixture
def screen(browser: Browser) -> Iterator[Opener]:
    """Hands out screens; on none of them may anything odd have happened."""
    found: list[Screen] = []

    def opened(size: Size = "desktop", **context: Any) -> Screen:
        found.append(screen_of(browser, size, **context))
        return found[-1]

    yield opened
    for one in found:
        one.page.context.close()
    for one in found:
        one.check()
