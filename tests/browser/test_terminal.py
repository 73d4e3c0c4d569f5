"""A terminal and two browsers at one table: the same game for all three, also through a server that is killed."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import CONNECTION_LOST, ROLL_BUTTON, Screen, Server, open_screen
from tests.support.promises import DatabaseContents, find_wrong_records, read_database
from tests.support.waiting import HANG_SECONDS, poll_until

EDITION = "carlit-yatzy"
TYPED = "r\nchance\nr\ns ones\ns ones\nr\ns twos\ns twos\n"
"""Three turns; a zero is asked about, and then typed again."""


@contextmanager
def open_terminal(folder: Path, code: str, server: str, name: str) -> Iterator[Path]:
    """Sit down at a terminal by a room's code; give the file with everything it says."""
    said = folder / "said.txt"
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "home"), "LC_ALL": "C.UTF-8", "COLUMNS": "80"}
    with said.open("w", encoding="utf-8") as out:
        terminal = subprocess.Popen(
            [sys.executable, "-u", "-m", "knobel", "join", code, "--server", server, "--name", name],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=out,
            env=environment,
            text=True,
        )
    assert terminal.stdin is not None
    terminal.stdin.write(TYPED)
    terminal.stdin.flush()
    try:
        yield said
    finally:
        terminal.kill()
        terminal.wait(HANG_SECONDS)
        terminal.stdin.close()


def read_server(server: Server) -> DatabaseContents:
    """Read everything the server has on disk, beside the browser, which has a loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, read_database(f"sqlite:///{server.database}")).result()


def play_round(ann: Screen, ben: Screen, said: Path, entries: int) -> None:
    """Let everybody have a turn: Ann and Ben in their browsers, then Cid, who has already typed."""
    for one in (ann, ben):
        one.wait_for(ROLL_BUTTON)
        one.play_turn()
    poll_until(lambda: said.read_text(encoding="utf-8").count("Cid scores") == entries)


@pytest.mark.rest
def test_a_terminal_and_two_browsers_play_on_after_a_kill(tmp_path: Path, browser: Browser) -> None:
    with Server(tmp_path) as server:
        ann, ben = open_screen(browser), open_screen(browser)
        ann.expected_problems = ben.expected_problems = CONNECTION_LOST
        ann.open_home(server.url).choose_edition(EDITION).open_room("Ann")
        ben.page.goto(ann.page.url)
        ben.take_seat("Ben")
        code = str(ann.find("[data-code]").get_attribute("data-code"))
        with open_terminal(tmp_path, code, server.url, "Cid") as said:
            for name in ("Ben", "Cid"):
                expect(ann.find(".seat-name").get_by_text(name)).to_be_visible()
            ann.press("[data-act=start]")
            ann.wait_for(ROLL_BUTTON)
            ann.skip_guide()
            play_round(ann, ben, said, 1)
            server.stop()
            poll_until(lambda: "The connection is lost" in said.read_text(encoding="utf-8"))
            server.start()
            play_round(ann, ben, said, 2)
            play_round(ann, ben, said, 3)
            ann.wait_for(ROLL_BUTTON)
            text = said.read_text(encoding="utf-8")
            assert "Connected again." in text
            assert "Traceback" not in text
            assert text.count("Ann scores") == text.count("Ben scores") == 3
            for one in (ann, ben):
                one.check_problems()
            kept = read_server(server)
            (log,) = kept.logs.values()
            assert sum('"landed"' in row.body for row in log.rows) >= 9
            assert find_wrong_records(kept) == []
        for one in (ann, ben):
            one.page.context.close()
