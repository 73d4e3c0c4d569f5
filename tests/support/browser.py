"""A browser for the tests: screens that are used with fingers and keys only, and a server they can be opened in."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias
from urllib.parse import urlsplit
from urllib.request import urlopen

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from tests.support.ports import free_port
from tests.support.waiting import HANG_SECONDS, poll_until

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
TIMEOUT_MS = HANG_SECONDS * 1000
"""Milliseconds until something that should show up has failed to."""
ONE_CLICK, ONE_TAP = 220, 450
"""The milliseconds, by a page's own clock, within which a second press of the roll button is ignored."""
SOON = 2_000
"""Milliseconds within which a bot can be hurried, if it has not gone on by itself."""
QUICK_AWAY = (
    "from knobel.web.hubs import RoomHubs; RoomHubs.__init__.__defaults__ = (1.0, False);"
    "from knobel.host.move_clock import MoveClock as Clock; left, first = Clock.compute_left, {};"
    "share = lambda move: 1 / 30 if first.setdefault(move[0], move) == move else 100;"
    "Clock.compute_left = lambda clock, move, seconds: left(clock, move, seconds * share(move))"
)
"""Whoever is gone for a second is away; half a minute is a second for the first move, and an hour for every other."""
QUICK_PROGRESS = "from knobel.host import solve_queue; solve_queue.PROGRESS_SECONDS = 0.0"
"""Every step of a solve is reported, however quickly they follow each other."""
CONNECTION_LOST = (
    "WebSocket connection to",
    "net::ERR_INTERNET_DISCONNECTED",
    "net::ERR_CONNECTION_REFUSED",
    "net::ERR_CONNECTION_RESET",
    "net::ERR_CONTENT_LENGTH_MISMATCH",
    "net::ERR_EMPTY_RESPONSE",
)
"""What a browser itself complains about while the server is out of reach, or was cut off in the middle of a file."""
LEFT_WHILE_CONNECTING = ("WebSocket is closed before the connection is established",)
"""What a browser complains about when a page is left before its socket is open."""
WORKER_BLOCKED = "Service Worker registration blocked by Playwright"
"""What Playwright itself says where nothing is to be kept."""

ENABLED = ":not([aria-disabled])"
ROLL_BUTTON = f".tray:not(.end) .main-button{ENABLED}"
ROLL_OFF_BUTTON = f"{ROLL_BUTTON}:has(.left[hidden])"
TURN_BUTTON = f"{ROLL_BUTTON}:not(:has(.left[hidden]))"
PREVIEW_CELL = f".cell.preview{ENABLED}"
ANNOUNCE_CELL = f".cell.announce{ENABLED}"
FACE_KEY = f".keypad .face{ENABLED}"
CONTINUE_BUTTON = ".continue-button:not([hidden])"
END_BUTTON = ".end [data-act=go-on]"
CONFIRM_BUTTON = ".ask [data-act=yes]"
GUARDED = (".main-button", ".end ", "data-act=stand")
"""What costs something, so that the page takes a tap on it too soon after another at the same spot for the same tap."""

expect.set_options(timeout=TIMEOUT_MS)


def find_chromium() -> str:
    """Find an installed Chromium; without one, say how to get it."""
    found = os.environ.get("KNOBEL_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise FileNotFoundError(MISSING)
    return found


@contextmanager
def launch_browser() -> Iterator[Browser]:
    """Start a browser."""
    program = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


class Server:
    """A server in a process of its own, on a database that outlives it; `changes` are statements it runs first."""

    def __init__(self, folder: Path, *arguments: str, changes: str = "") -> None:
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.database = folder / f"knobel-{self.port}.db"
        begin = ("-c", f"{changes}; from knobel.cli import main; main()") if changes else ("-m", "knobel")
        address = f"sqlite:///{self.database}"
        self.command = [sys.executable, *begin, "serve", "--no-open", "--port", str(self.port)]
        self.command += ["--database", address, "--lang", "en", *arguments]
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(signal.SIGINT)

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        poll_until(self.is_serving)

    def is_serving(self) -> bool:
        """Tell whether it answers."""
        try:
            with urlopen(f"{self.url}/api/hello", timeout=HANG_SECONDS):  # noqa: S310
                return True
        except OSError:
            assert self.process is not None
            assert self.process.poll() is None, "the server ended"
            return False

    def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Stop the server, or kill it."""
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait(HANG_SECONDS)


class Screen:
    """One page on somebody's device; everything odd that happens on it is noted."""

    def __init__(self, page: Page, touch: bool) -> None:
        self.page = page
        self.touch = touch
        self.problems: list[str] = []
        self.expected_problems: tuple[str, ...] = ()
        self.servers = {"localhost"}
        self.rolled_at = 0.0
        page.set_default_timeout(TIMEOUT_MS)
        page.on("console", self.on_console)
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("request", self.on_request)

    def on_console(self, message: ConsoleMessage) -> None:
        """Note what the page complains about."""
        if message.type in ("error", "warning") and message.text != WORKER_BLOCKED:
            self.problems.append(f"{message.type}: {message.text}")

    def on_request(self, request: Request) -> None:
        """Note what is requested from anywhere else."""
        if urlsplit(request.url).hostname not in self.servers:
            self.problems.append(f"request to {request.url}")

    def check_problems(self) -> None:
        """Insist that nothing odd happened."""
        unexpected = [one for one in self.problems if not any(part in one for part in self.expected_problems)]
        assert not unexpected, unexpected

    def find(self, selector: str) -> Locator:
        """Find something on the page."""
        return self.page.locator(selector)

    def is_visible(self, selector: str) -> bool:
        """Tell whether something is to be seen just now."""
        return self.find(selector).first.is_visible()

    def wait_for(self, *selectors: str) -> None:
        """Wait until one of these is to be seen."""
        self.find(", ".join(selectors)).locator("visible=true").first.wait_for()

    def press(self, selector: str | Locator, within: float = TIMEOUT_MS) -> None:
        """Tap or click the first of something, once it can be tapped and nothing covers it."""
        said = str(selector)
        if any(part in said for part in GUARDED):
            self.page.wait_for_function("since => performance.now() > since", arg=self.rolled_at)
        target = (self.find(selector) if isinstance(selector, str) else selector).locator("visible=true").first
        if self.touch:
            target.tap(timeout=within)
        else:
            target.click(timeout=within)
        if ".main-button" in said or any(part in said for part in (".cell", "data-die")):
            pause = ONE_TAP if self.touch else ONE_CLICK
            self.rolled_at = self.page.evaluate("performance.now()") + pause if ".main-button" in said else 0.0

    def press_at(self, selector: str, across: float = 0.5) -> None:
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

    def type_into(self, field: str, text: str) -> None:
        """Type into a field."""
        self.find(field).locator("visible=true").first.press_sequentially(text)

    def select_option(self, field: str, label: str) -> None:
        """Choose a line from a list."""
        self.find(field).locator("visible=true").first.select_option(label=label)

    def open_home(self, url: str) -> "Screen":
        """Go to the table with the boxes."""
        self.servers.add(str(urlsplit(url).hostname))
        self.page.goto(url)
        self.wait_for("[data-edition]")
        return self

    def choose_edition(self, edition: str, text: str | None = None, games: int = 1, **switches: str) -> "Screen":
        """Choose an edition, and agree on what is asked for."""
        self.press(f"[data-edition={edition}]")
        self.wait_for(".edition-panel [data-mode=bot]")
        if text:
            self.select_option("[data-field=text]", text)
        if games > 1:
            self.select_option("[data-field=games]", f"{games} games")
        if switches:
            self.press(".switches summary")
        for name, value in switches.items():
            if self.find(f"[data-switch={name}] select").count():
                self.select_option(f"[data-switch={name}] select", value)
            else:
                self.press(f"[data-switch={name}] input")
        return self

    def start_shared_game(self, *names: str) -> "Screen":
        """Seat these people before this screen, and begin."""
        self.press("[data-mode=round]")
        for name in names:
            self.type_into("[data-field=name]", name)
            self.press("[data-act=add-name]")
        self.press(".edition-panel [data-act=start]")
        self.wait_for("knobel-table .tray")
        return self

    def start_score_pad(self, *names: str) -> "Screen":
        """Lay a pad for these people with real dice before this screen."""
        self.press("[data-mode=pad]")
        for name in names:
            self.type_into("[data-field=name]", name)
            self.press("[data-act=add-name]")
        self.press(".edition-panel [data-act=start]")
        self.wait_for(FACE_KEY, ANNOUNCE_CELL)
        return self

    def upload_house_rules(self, file: Path) -> "Screen":
        """Upload a file of house rules; its edition opens by itself."""
        with self.page.expect_file_chooser() as chooser:
            self.press("label.file")
        chooser.value.set_files(file)
        self.wait_for("[data-mode=round]")
        return self

    def start_bot_game(self) -> "Screen":
        """Play against a bot."""
        self.press("[data-mode=bot]")
        self.wait_for("knobel-table .tray")
        return self

    def open_room(self, name: str) -> "Screen":
        """Open a room for friends, and take a seat in it."""
        self.press("[data-mode=friends]")
        return self.take_seat(name)

    def take_seat(self, name: str) -> "Screen":
        """Take a seat; who was there without a name gives that one up."""
        self.type_into("[data-field=name]", name)
        self.press("[data-act=sit]")
        expect(self.find(".seat-name").get_by_text(name, exact=True)).to_be_visible()
        expect(self.find(".seat.yours .seat-name").get_by_text("Player", exact=True)).to_be_hidden()
        return self

    def add_bot(self, bot: str = "greedy") -> "Screen":
        """Seat a bot, chosen from the characters."""
        self.press("[data-act=add-bot]")
        self.press(f"[data-bot='{bot}']")
        expect(self.find(".bot-dialog")).to_have_count(0)
        return self

    def open_settings(self) -> "Screen":
        """Open the settings."""
        self.press(".bar [data-act=more]")
        self.press(".menu [data-act=settings]")
        self.wait_for("dialog [data-setting]")
        return self

    def skip_guide(self) -> "Screen":
        """Do without the guide."""
        self.press("[data-act=skip-guide]")
        return self

    def roll(self) -> None:
        """Announce a box where that comes first, roll the dice, and wait until they lie there."""
        self.wait_for(ROLL_BUTTON, ANNOUNCE_CELL)
        if self.is_visible(ANNOUNCE_CELL):
            self.press(ANNOUNCE_CELL)
        self.press(ROLL_BUTTON)
        self.wait_for(PREVIEW_CELL)

    def read_previews(self) -> dict[str, int]:
        """Read what every box that can be chosen now would score."""
        points = "Number(cell.firstChild.textContent)"
        # Before the dice of a pad are entered, its boxes show signs instead of points.
        ready = f"() => [...document.querySelectorAll('{PREVIEW_CELL}')].every(cell => !Number.isNaN({points}))"
        self.page.wait_for_function(ready)
        read = f"cells => cells.map(cell => [cell.dataset.box, {points}])"
        return {str(box): int(points) for box, points in self.find(PREVIEW_CELL).evaluate_all(read)}

    def score(self, box: str | None = None) -> None:
        """Write the dice into a box, or into the best one, and wait until it is written."""
        best = f"td.best > {PREVIEW_CELL}"
        self.press(f"{PREVIEW_CELL}[data-box={box}]" if box else best if self.is_visible(best) else PREVIEW_CELL)
        self.find(PREVIEW_CELL).first.wait_for(state="detached")

    def play_turn(self) -> None:
        """Play a whole turn: roll, and score where it gives most."""
        self.roll()
        self.score()

    def play_to_end(self) -> None:
        """Play until the game is over, for everybody at this screen; bots are hurried."""
        while True:
            self.wait_for(ROLL_BUTTON, ANNOUNCE_CELL, CONTINUE_BUTTON, END_BUTTON)
            if self.is_visible(END_BUTTON):
                return
            if self.is_visible(CONTINUE_BUTTON):
                self.hurry_bot()
            else:
                self.play_turn()

    def hurry_bot(self) -> None:
        """Let a bot go on at once; it may be quicker and do so by itself."""
        before = self.read_table()
        for _ in range(int(TIMEOUT_MS / SOON)):
            if not self.is_visible(CONTINUE_BUTTON):
                return  # It has gone on by itself, perhaps before we looked.
            try:
                self.press(CONTINUE_BUTTON, SOON)
            except TooLate:
                if self.read_table() == before:
                    continue  # A busy machine: it has neither gone on nor been pressed.
            break
        self.wait_for_change(before)

    def roll_to_start(self) -> None:
        """Roll to see who starts; what an earlier roll has decided meanwhile cannot be rolled any more."""
        before = self.read_table()
        try:
            self.press(ROLL_OFF_BUTTON, SOON)
        except TooLate:
            return
        self.wait_for_change(before)

    def play_until_own_turn(self) -> "Screen":
        """Roll to see who starts where that comes first, and let bots play until it is our turn."""
        while True:
            self.wait_for(ROLL_BUTTON, ANNOUNCE_CELL, CONTINUE_BUTTON)
            if self.is_visible(TURN_BUTTON) or self.is_visible(ANNOUNCE_CELL):
                return self
            if self.is_visible(ROLL_OFF_BUTTON):
                self.roll_to_start()
            elif self.is_visible(CONTINUE_BUTTON):
                self.hurry_bot()

    def confirm_end(self) -> None:
        """Agree that this is the end."""
        self.press(END_BUTTON)
        self.wait_for(".end [data-act=review]")

    def open_more(self) -> "Screen":
        """Open what is needed less often at the end of a game."""
        self.wait_for(".end [data-act=review]")
        if not self.is_visible(".end .more[open]"):
            self.press(".end [data-act=more-end]")
        return self

    def read_table(self) -> str:
        """What the table shows."""
        return self.page.locator("knobel-table").inner_text()

    def wait_for_change(self, before: str) -> None:
        """Wait until the table shows something else."""
        expect(self.find("knobel-table")).not_to_have_text(before, use_inner_text=True)

    def read_dice(self) -> list[str]:
        """What the dice say."""
        return [str(die.get_attribute("aria-label")) for die in self.find(".die").all()]

    def read_total(self) -> int:
        """The points of the sheet that is shown."""
        return int(self.find(".total td.shown").inner_text())

    def download_record(self) -> bytes:
        """Download the record of the game."""
        self.open_more()
        with self.page.expect_download() as download:
            self.press(".end [data-act=record]")
        return Path(download.value.path()).read_bytes()


OpenScreen: TypeAlias = Callable[..., Screen]


def open_screen(browser: Browser, size: Size = "desktop", **context: Any) -> Screen:
    """Take a device in hand, on which nobody has played yet; dice do not tumble and nothing is kept unless asked to."""
    usual = {"reduced_motion": "reduce", "locale": "en-GB", "service_workers": "block"}
    settings = {**usual, **SIZES[size], **context}
    return Screen(browser.new_context(**settings).new_page(), size == "phone")
