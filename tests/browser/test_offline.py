"""Knobel without its server, in a real browser: what opens, what it says, and that nobody ever sees an old version."""

import json
import shutil
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from knobel.web import app
from tests.support.browser import CONNECTION_LOST, Screen, Server, open_screen

pytestmark = pytest.mark.browser

KEPT = """async () => {
  await navigator.serviceWorker.ready;
  const [name] = await caches.keys();
  return (await (await caches.open(name)).keys()).length > 100;
}"""
OTHER_FILES = (
    "import sys; from pathlib import Path; from knobel.web import app; app.STATIC = Path({folder!r}); "
    "from knobel.cli import main; main()"
)
"""The same server, with the files of another folder."""


def open_kept(browser: Browser, server: Server) -> Screen:
    """Open home, and wait until everything is kept."""
    one = open_screen(browser, "phone", service_workers="allow")
    one.expected_problems = (*CONNECTION_LOST, "Failed to load resource", "ERR_FAILED")
    one.open_home(server.url)
    one.page.wait_for_function(KEPT)
    one.page.reload()
    one.wait_for("[data-edition]")
    return one


def test_a_pad_that_was_seen_opens_without_the_server_and_takes_entries(browser: Browser, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        one = open_kept(browser, server)
        one.choose_edition("carlit-yatzy").start_score_pad("Ada")
        one.press(".cell.open[data-box=fives]")
        one.press(".picker [data-points='15']")
        expect(one.find("[data-entry=fives]")).to_have_text("15")
        server.stop()
        one.page.reload()
        expect(one.find("[data-entry=fives]")).to_have_text("15")
        one.wait_for("#lost")
        one.press(".cell.open[data-box=sixes]")
        one.press(".picker [data-points='18']")
        server.start()
        expect(one.find("#lost")).to_be_hidden()
        expect(one.find("[data-entry=sixes]")).to_have_text("18")
        one.check_problems()
        one.page.context.close()


@pytest.mark.rest
def test_home_opens_without_the_server_and_a_game_with_our_dice_says_what_it_needs(
    browser: Browser, tmp_path: Path
) -> None:
    with Server(tmp_path) as server:
        one = open_kept(browser, server)
        one.press("[data-act=play]")
        one.wait_for("knobel-table .tray")
        one.press(".bar .mark")
        one.wait_for("[data-act=continue]")
        server.stop()
        one.page.reload()
        one.wait_for("[data-edition]", "[data-act=continue]")
        one.press("[data-act=continue]")
        one.wait_for("knobel-table .tray")
        expect(one.find("#lost")).to_contain_text("as soon as the server responds")
        server.start()
        expect(one.find("#lost")).to_be_hidden()
        one.check_problems()
        one.page.context.close()


@pytest.mark.rest
def test_after_an_update_nobody_sees_the_old_version(browser: Browser, tmp_path: Path) -> None:
    files = tmp_path / "static"
    shutil.copytree(app.STATIC, files)
    server = Server(tmp_path)
    server.command[1:3] = ["-c", OTHER_FILES.format(folder=str(files))]
    with server:
        one = open_kept(browser, server)
        assert one.find("html").get_attribute("data-mark") is None
        server.stop()
        with (files / "app.js").open("a", encoding="utf-8") as script:
            script.write('document.documentElement.dataset.mark = "new";\n')
        server.start()
        one.page.reload()
        one.wait_for("html[data-mark=new]")
        one.page.context.close()


def test_what_an_installed_app_needs_is_there(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        manifest = json.loads((app.STATIC / "manifest.webmanifest").read_text(encoding="utf-8"))
        for icon in manifest["icons"]:
            with urlopen(f"{server.url}{icon['src']}") as answer:  # noqa: S310
                assert answer.headers["Content-Type"] == icon["type"]
        with urlopen(f"{server.url}/service-worker.js") as answer:  # noqa: S310
            said = answer.read().decode()
        assert "/static/score-sheet.js" in said
        assert answer.headers["Cache-Control"] == "no-cache"
