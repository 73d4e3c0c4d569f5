"""A browser, a server and screens for the tests of this folder."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.browser import OpenScreen, Screen, Server, Size, launch_browser, open_screen


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for this file; it ends with it, as no other event loop can run beside it."""
    with launch_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that keeps running; each test plays in rooms of its own."""
    with Server(tmp_path_factory.mktemp("server")) as started:
        yield started


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts a server for one test alone; name it before the screens, as it has to outlive them."""
    found: list[Server] = []

    def started(*words: str, changes: str = "") -> Server:
        found.append(Server(tmp_path, *words, changes=changes))
        found[-1].start()
        return found[-1]

    yield started
    for one in found:
        one.stop()


@pytest.fixture
def screen(browser: Browser) -> Iterator[OpenScreen]:
    """Hands out screens; on none of them may anything odd have happened."""
    found: list[Screen] = []

    def opened(size: Size = "desktop", **context: Any) -> Screen:
        found.append(open_screen(browser, size, **context))
        return found[-1]

    yield opened
    for one in found:
        one.page.context.close()
    for one in found:
        one.check_problems()
