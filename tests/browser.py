"""A browser for the tests: screens that are used with fingers and keys only, and a house they can be opened in."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit
from urllib.request import urlopen

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

Size: TypeAlias = Literal["phone", "desktop"]

SIZES: dict[Size, dict[str, Any]] = {
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    },
    "desktop": {"viewport": {"width": 1280, "height": 860}},
}
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The first is the same Chromium without windows: it starts sooner and leaves more of the processor to the pages."""
MISSING = "no Chromium found for the browser tests: apt-get install chromium, or name one in KNOBEL_CHROMIUM"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 20_000
"""Milliseconds until something that should show up has failed to."""
ONE_CLICK, ONE_TAP = 0.22, 0.45
"""Within so many seconds a second press of the button that throws is taken for the same one."""
SOON = 2_000
"""Milliseconds within which a bot can be hurried, if it has not gone on by itself."""
QUICK = (
    "from knobel.web.hubs import RoomHubs; RoomHubs.__init__.__defaults__ = (1.0,); from knobel.cli import main; main()"
)
"""The same house, in which whoever is gone for a second is away."""
LOST = ("WebSocket connection to", "net::ERR_INTERNET_DISCONNECTED", "net::ERR_CONNECTION_REFUSED")
"""What a browser itself complains about while the house is out of reach."""

OPEN = ":not([aria-disabled])"
THROW = f".tray:not(.end) .throw{OPEN}"
ROLL_OFF = f"{THROW}:has(.left[hidden])"
PREVIEW = f".cell.pre{OPEN}"
CALL = f".cell.call{OPEN}"
FACE = f".keypad .face{OPEN}"
GO_ON = ".go-on:not([hidden])"
LAST = ".end [data-act=go-on]"
YES = ".ask [data-act=yes]"

expect.set_options(timeout=PATIENCE)


def chromium() -> str:
    """Find an installed Chromium; without one, say how to get it."""
    found = os.environ.get("KNOBEL_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise FileNotFoundError(MISSING)
    return found


@contextmanager
def launched() -> Iterator[Browser]:
    """Start a browser."""
    program = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


def free_port() -> int:
    """Find a port nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A house in a process of its own, on a database that outlives it."""

    def __init__(self, folder: Path, *words: str, quick: bool = False) -> None:
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.database = folder / f"house-{self.port}.db"
        begin = ("-c", QUICK) if quick else ("-m", "knobel")
        address = f"sqlite:///{self.database}"
        self.command = [sys.executable, *begin, "serve", "--no-open", "--port", str(self.port)]
        self.command += ["--database", address, "--lang", "en", *words]
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(signal.SIGINT)

    def start(self) -> None:
        """Open the house, and wait until somebody answers the door."""
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE / 1000
        while True:
            try:
                with urlopen(f"{self.url}/api/hello"):  # noqa: S310
                    return
            except OSError:
                assert self.process.poll() is None, "the house did not open"
                assert time.monotonic() < until, "nobody answers the door"
                time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Close the house, or kill it."""
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait(10)


class Screen:
    """One page on somebody's device; everything odd that happens on it is noted."""

    def __init__(self, page: Page, touch: bool) -> None:
        self.page = page
        self.touch = touch
        self.odd: list[str] = []
        self.forgiven: tuple[str, ...] = ()
        self.houses = {"localhost"}
        self.thrown = 0.0
        page.set_default_timeout(PATIENCE)
        page.on("console", self.logged)
        page.on("pageerror", lambda error: self.odd.append(f"error: {error}"))
        page.on("request", self.requested)

    def logged(self, message: ConsoleMessage) -> None:
        """Note what the page complains about."""
        if message.type in ("error", "warning"):
            self.odd.append(f"{message.type}: {message.text}")

    def requested(self, request: Request) -> None:
        """Note what leaves this house."""
        if urlsplit(request.url).hostname not in self.houses:
            self.odd.append(f"request to {request.url}")

    def check(self) -> None:
        """Insist that nothing odd happened."""
        odd = [one for one in self.odd if not any(part in one for part in self.forgiven)]
        assert not odd, odd

    def find(self, selector: str) -> Locator:
        """Find something on the page."""
        return self.page.locator(selector)

    def sees(self, selector: str) -> bool:
        """Tell whether something is to be seen just now."""
        return self.find(selector).first.is_visible()

    def await_(self, *selectors: str) -> None:
        """Wait until one of these is to be seen."""
        self.find(", ".join(selectors)).locator("visible=true").first.wait_for()

    def press(self, selector: str | Locator, within: float = PATIENCE) -> None:
        """Tap or click the first of something, once it can be tapped and nothing covers it."""
        said = str(selector)
        if ".throw" in said:
            time.sleep(max(0.0, self.thrown + (ONE_TAP if self.touch else ONE_CLICK) - time.monotonic()))
        target = (self.find(selector) if isinstance(selector, str) else selector).locator("visible=true").first
        if self.touch:
            target.tap(timeout=within)
        else:
            target.click(timeout=within)
        if ".throw" in said or any(part in said for part in (".cell", "data-die")):
            self.thrown = time.monotonic() if ".throw" in said else 0.0

    def poke(self, selector: str, across: float = 0.5) -> None:
        """Tap or click where something is, so far across, whether it wants to be pressed or not."""
        target = self.find(selector).locator("visible=true").first
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] * across, box["y"] + box["height"] / 2
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def write(self, field: str, text: str) -> None:
        """Type into a field."""
        self.find(field).locator("visible=true").first.press_sequentially(text)

    def pick(self, field: str, line: str) -> None:
        """Choose a line from a list."""
        self.find(field).locator("visible=true").first.select_option(label=line)

    def home(self, url: str) -> "Screen":
        """Go to the table with the boxes."""
        self.houses.add(str(urlsplit(url).hostname))
        self.page.goto(url)
        self.await_("[data-edition]")
        return self

    def unpack(self, edition: str, text: str | None = None, games: int = 1, **switches: str) -> "Screen":
        """Lift the lid of a box, and agree on what is asked for."""
        self.press(f"[data-edition={edition}]")
        if text:
            self.pick("[data-field=text]", text)
        if games > 1:
            self.pick("[data-field=games]", f"{games} games")
        if switches:
            self.press(".argue summary")
        for name, value in switches.items():
            if self.find(f"[data-switch={name}] select").count():
                self.pick(f"[data-switch={name}] select", value)
            else:
                self.press(f"[data-switch={name}] input")
        return self

    def pass_round(self, *names: str) -> "Screen":
        """Seat these people before this screen, and begin."""
        self.press("[data-way=round]")
        for name in names:
            self.write("[data-field=name]", name)
            self.press("[data-act=add-name]")
        self.press(".inside [data-act=start]")
        self.await_("knobel-table .tray")
        return self

    def pad(self, *names: str) -> "Screen":
        """Lay a pad for these people with real dice before this screen."""
        self.press("[data-way=pad]")
        for name in names:
            self.write("[data-field=name]", name)
            self.press("[data-act=add-name]")
        self.press(".inside [data-act=start]")
        self.await_(FACE, CALL)
        return self

    def own_rules(self, file: Path) -> "Screen":
        """Bring a file of house rules; its box opens by itself."""
        with self.page.expect_file_chooser() as chooser:
            self.press("label.file")
        chooser.value.set_files(file)
        self.await_("[data-way=round]")
        return self

    def against_bot(self) -> "Screen":
        """Play against a bot."""
        self.press("[data-way=bot]")
        self.await_("knobel-table .tray")
        return self

    def invite(self, name: str) -> "Screen":
        """Open a room for friends, and take a chair in it."""
        self.press("[data-way=friends]")
        return self.sit(name)

    def sit(self, name: str) -> "Screen":
        """Take a chair; who was there without a name gives that one up."""
        self.write("[data-field=name]", name)
        self.press("[data-act=sit]")
        expect(self.find(".plate").get_by_text(name, exact=True)).to_be_visible()
        expect(self.find(".chair.yours .plate").get_by_text("Player", exact=True)).to_be_hidden()
        return self

    def settings(self) -> "Screen":
        """Open the settings."""
        self.press(".bar [data-act=more]")
        self.press(".menu [data-act=settings]")
        return self

    def skip_guide(self) -> "Screen":
        """Do without the guide."""
        self.press("[data-act=skip-guide]")
        return self

    def throw(self) -> None:
        """Announce a box where that comes first, throw the dice, and wait until they lie there."""
        self.await_(THROW, CALL)
        if self.sees(CALL):
            self.press(CALL)
        self.press(THROW)
        self.await_(PREVIEW)

    def previews(self) -> dict[str, int]:
        """What every box would bring that can be chosen now."""
        points = "Number(cell.firstChild.textContent)"
        # Before the dice of a pad are entered, its boxes show signs instead of points.
        ready = f"() => [...document.querySelectorAll('{PREVIEW}')].every(cell => !Number.isNaN({points}))"
        self.page.wait_for_function(ready)
        read = f"cells => cells.map(cell => [cell.dataset.box, {points}])"
        return {str(box): int(points) for box, points in self.find(PREVIEW).evaluate_all(read)}

    def choose(self, box: str | None = None) -> None:
        """Write the dice into a box, or into the best one, and wait until it is written."""
        best = f"td.best > {PREVIEW}"
        self.press(f"{PREVIEW}[data-box={box}]" if box else best if self.sees(best) else PREVIEW)
        self.find(PREVIEW).first.wait_for(state="detached")

    def turn(self) -> None:
        """Play a whole turn: throw, and write it where it brings most."""
        self.throw()
        self.choose()

    def play_on(self) -> None:
        """Play until the game is over, for everybody at this screen; bots are hurried."""
        while True:
            self.await_(THROW, CALL, GO_ON, LAST)
            if self.sees(LAST):
                return
            if self.sees(GO_ON):
                self.hurry()
            else:
                self.turn()

    def hurry(self) -> None:
        """Let a bot go on at once; it may be quicker and do so by itself."""
        before = self.state()
        try:
            self.press(GO_ON, SOON)
        except TooLate:
            assert self.state() != before
        self.changed_from(before)

    def start(self) -> "Screen":
        """Throw for the start where that comes first, and let bots play until it is our turn."""
        self.await_(THROW, GO_ON)
        while self.sees(ROLL_OFF) or self.sees(GO_ON):
            if self.sees(ROLL_OFF):
                before = self.state()
                self.press(ROLL_OFF)
                self.changed_from(before)
            else:
                self.hurry()
            self.await_(THROW, CALL, GO_ON)
        return self

    def finish(self) -> None:
        """Agree that this is the end."""
        self.press(LAST)
        self.await_(".end [data-act=record]")

    def state(self) -> str:
        """What the table shows."""
        return self.page.locator("knobel-table").inner_text()

    def changed_from(self, before: str) -> None:
        """Wait until the table shows something else."""
        expect(self.find("knobel-table")).not_to_have_text(before, use_inner_text=True)

    def dice(self) -> list[str]:
        """What the dice say."""
        return [str(die.get_attribute("aria-label")) for die in self.find(".die").all()]

    def total(self) -> int:
        """The points of the sheet that is shown."""
        return int(self.find(".total td.shown").inner_text())

    def record(self) -> bytes:
        """Download the record of the game."""
        with self.page.expect_download() as download:
            self.press(".end [data-act=record]")
        return Path(download.value.path()).read_bytes()


Opener: TypeAlias = Callable[..., Screen]


def screen_of(browser: Browser, size: Size = "desktop", **context: Any) -> Screen:
    """Take a device in hand, on which nobody has played yet; dice do not tumble unless asked to."""
    settings = {"reduced_motion": "reduce", "locale": "en-GB", **SIZES[size], **context}
    return Screen(browser.new_context(**settings).new_page(), size == "phone")
