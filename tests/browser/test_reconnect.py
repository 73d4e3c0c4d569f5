"""However a link breaks, everybody soon sees what the server sees once it is back: nothing lost, nothing done twice."""

import asyncio
import os
import signal
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, expect

from knobel.store import EventRow
from tests.support.browser import (
    CONNECTION_LOST,
    FLAGS,
    PREVIEW_CELL,
    QUICK_AWAY,
    ROLL_BUTTON,
    Screen,
    Server,
    find_chromium,
    launch_browser,
    open_screen,
)
from tests.support.faulty_network import FaultyLink
from tests.support.promises import DatabaseContents, StoredLog, find_faults, find_wrong_records, read_database
from tests.support.socket_players import Behaviour, PlayerPool, ServerProcess, find_wrongly_served_rooms
from tests.support.waiting import poll_until, wait_until

T = TypeVar("T")
EDITION = "carlit-yatzy"
MOST = 20
"""So many times as often as it should a link breaks at most, until somebody has to send a command again."""
SEEN = """async () => {
  const { connection } = await import('/static/connection.js');
  return connection.state === "open" && !connection.commands.pending.size ? connection.position.view.head : null;
}"""
"""The last thing a page has seen, once it has an answer to all it asked for."""


def aside(work: Coroutine[Any, Any, T]) -> T:
    """Do something asynchronous beside the browser, which has a loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


@dataclass
class Evening:
    """Ann, whose link breaks, and Ben, whose does not, at one table of a server."""

    server: Server
    link: FaultyLink
    ann: Screen
    ben: Screen

    def kept(self) -> DatabaseContents:
        """Read everything the server has on disk."""
        return aside(read_database(f"sqlite:///{self.server.database}"))

    @property
    def log(self) -> StoredLog:
        """The one game that is played."""
        (log,) = self.kept().logs.values()
        return log

    @property
    def rolls(self) -> int:
        """How often dice have fallen."""
        return sum('"landed"' in row.body for row in self.log.rows)

    def wait_until_current(self, *screens: Screen) -> None:
        """Wait until screens show the last thing that is on disk."""
        poll_until(lambda: {one.page.evaluate(SEEN) for one in screens} == {self.log.heads[-1]})

    def back(self, *screens: Screen) -> None:
        """Restore the link, and wait until screens show what the server has."""
        self.link.restore()
        self.wait_until_current(*screens or (self.ann,))

    def to_ann(self) -> None:
        """Play on until it is Ann's turn, before her first roll."""
        for one in (self.ben, self.ann):
            if one.is_visible(PREVIEW_CELL):
                one.score()
        self.ann.wait_for(ROLL_BUTTON, ".tray.theirs")
        if not self.ann.is_visible(ROLL_BUTTON):
            self.ben.play_turn()
        self.ann.wait_for(ROLL_BUTTON)


@contextmanager
def seated(server: Server, link: FaultyLink, first: Browser, second: Browser) -> Iterator[Evening]:
    """Seat Ann and Ben, and begin; at the end every record must prove itself, and no page may have complained."""
    ann, ben = open_screen(first), open_screen(second)
    ann.expected_problems = ben.expected_problems = CONNECTION_LOST
    ann.open_home(link.url).choose_edition(EDITION).open_room("Ann")
    ben.page.goto(ann.page.url.replace(link.url, server.url))
    ben.take_seat("Ben")
    expect(ann.find(".seat-name").get_by_text("Ben")).to_be_visible()
    ann.press("[data-act=start]")
    ann.wait_for(ROLL_BUTTON)
    ann.skip_guide()
    evening = Evening(server, link, ann, ben)
    try:
        yield evening
    finally:
        for one in (ann, ben):
            one.page.context.close()
    assert find_wrong_records(evening.kept()) == []
    for one in (ann, ben):
        one.check_problems()


@pytest.fixture(scope="module")
def browsers() -> Iterator[tuple[Browser, Browser]]:
    """One for Ann, which can be put to sleep, and one for Ben."""
    with launch_browser() as second:
        first = second.browser_type.launch(executable_path=find_chromium(), args=list(FLAGS))
        yield first, second
        first.close()


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory, browsers: tuple[Browser, Browser]) -> Iterator[Evening]:
    """One evening for all these tests, at a server where whoever is gone for a second is away."""
    with (
        Server(tmp_path_factory.mktemp("reconnect"), changes=QUICK_AWAY) as server,
        FaultyLink(server.port) as link,
        seated(server, link, *browsers) as found,
    ):
        yield found


def left(one: Screen) -> int:
    """Count the rolls that are left, as the button shows them."""
    return one.find(".main-button .left b.on").count()


def test_an_answer_that_is_cut_in_mid_frame_comes_again(evening: Evening) -> None:
    evening.to_ann()
    before, cuts = evening.rolls, evening.link.cut_count
    evening.link.cut_within(100)
    evening.ann.press(ROLL_BUTTON)
    poll_until(lambda: evening.link.cut_count > cuts)
    expect(evening.ann.find("#lost")).to_be_visible()
    evening.back()
    evening.ann.wait_for(PREVIEW_CELL)
    assert evening.rolls == before + 1
    assert left(evening.ann) == 2


def test_a_roll_without_a_link_is_rolled_once_when_it_is_back(evening: Evening) -> None:
    evening.to_ann()
    before = evening.rolls
    evening.link.cut()
    evening.ann.press(ROLL_BUTTON)
    expect(evening.ann.find("#lost")).to_be_visible()
    assert evening.rolls == before
    evening.back()
    evening.ann.wait_for(PREVIEW_CELL)
    assert evening.rolls == before + 1
    evening.ann.score()


@pytest.mark.rest
def test_a_link_that_only_stalls_loses_nothing(evening: Evening) -> None:
    evening.to_ann()
    before = evening.rolls
    evening.link.stall()
    held = evening.link.held_count
    evening.ann.press(ROLL_BUTTON)
    poll_until(lambda: evening.link.held_count > held)
    assert evening.rolls == before
    evening.back()
    evening.ann.wait_for(PREVIEW_CELL)
    assert evening.rolls == before + 1


@pytest.mark.rest
def test_a_line_that_is_dead_without_being_closed_is_noticed_by_whoever_waits_for_an_answer(evening: Evening) -> None:
    evening.to_ann()
    before = evening.rolls
    evening.link.go_dead()
    evening.ann.press(ROLL_BUTTON)
    expect(evening.ann.find("#lost")).to_be_visible()
    assert evening.rolls == before
    evening.back()
    evening.ann.wait_for(PREVIEW_CELL)
    assert evening.rolls == before + 1
    evening.link.abort_dead()


@pytest.mark.rest
def test_a_line_that_is_dead_without_being_closed_is_noticed_by_whoever_only_watches(evening: Evening) -> None:
    evening.to_ann()
    evening.ann.play_turn()
    evening.link.go_dead()
    evening.link.restore()
    evening.ben.play_turn()
    evening.wait_until_current(evening.ann)
    evening.ann.play_turn()
    evening.link.abort_dead()


@pytest.mark.rest
def test_two_tabs_of_one_device_act_in_turn_whatever_happens_to_their_link(evening: Evening) -> None:
    evening.to_ann()
    ann, before = evening.ann, evening.rolls
    other = Screen(ann.page.context.new_page(), touch=False)
    other.expected_problems = CONNECTION_LOST
    other.page.goto(ann.page.url)
    other.roll()
    ann.wait_for(PREVIEW_CELL)
    evening.link.cut()
    ann.press(ROLL_BUTTON)
    other.press(ROLL_BUTTON)
    evening.back(ann, other)
    for one in (ann, other):
        expect(one.find("#lost")).to_be_hidden()
    assert evening.rolls == before + 2, "the second one came too late, and was refused"
    assert ann.read_dice() == other.read_dice()
    other.score()
    expect(ann.find(".tray.theirs")).to_be_visible()
    other.check_problems()
    other.page.close()


@pytest.mark.rest
def test_a_page_that_slept_sees_at_once_what_happened_and_has_its_seat(evening: Evening) -> None:
    evening.to_ann()
    evening.ann.play_turn()
    before = [row for row in evening.log.rows if gone(row)]
    with asleep(evening.ann):
        evening.link.cut()
        evening.ben.play_turn()
        poll_until(lambda: sum(map(bool, map(gone, evening.log.rows))) > len(before))
        evening.link.restore()
    evening.wait_until_current(evening.ann)
    poll_until(lambda: sum(map(bool, map(gone, evening.log.rows))) > len(before) + 1)
    assert [gone(row) for row in evening.log.rows if gone(row)][len(before) :] == ["away", "back"]
    evening.ann.play_turn()


@pytest.mark.rest
def test_a_server_that_is_opened_again_behind_a_broken_link_is_the_same_server(evening: Evening) -> None:
    evening.to_ann()
    before = evening.rolls
    evening.link.cut()
    evening.server.stop()
    evening.ann.press(ROLL_BUTTON)
    evening.server.start()
    evening.back(evening.ann, evening.ben)
    evening.ann.wait_for(PREVIEW_CELL)
    assert evening.rolls == before + 1
    evening.ann.score()


def gone(row: EventRow) -> str | None:
    """Say whether somebody went or came."""
    return next((kind for kind in ("away", "back") if f'"event":"{kind}"' in row.body), None)


@contextmanager
def asleep(one: Screen) -> Iterator[None]:
    """Stop the clock of somebody's pages: neither timers nor messages move them until they are woken."""
    browser = one.page.context.browser
    assert browser is not None
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    pages = [int(process["id"]) for process in found if process["type"] == "renderer"]
    for page in pages:
        os.kill(page, signal.SIGSTOP)
    try:
        yield
    finally:
        for page in pages:
            os.kill(page, signal.SIGCONT)


@pytest.mark.torture
def test_a_page_that_slept_on_a_dead_line_until_it_was_away_has_its_seat(
    tmp_path: Path, browsers: tuple[Browser, Browser]
) -> None:
    with Server(tmp_path) as server, FaultyLink(server.port) as link, seated(server, link, *browsers) as evening:
        evening.ann.play_turn()
        with asleep(evening.ann):
            link.go_dead()
            evening.ben.play_turn()
            poll_until(lambda: any(map(gone, evening.log.rows)))
            link.restore()
        evening.wait_until_current(evening.ann)
        poll_until(lambda: sum(map(bool, map(gone, evening.log.rows))) > 1)
        assert [gone(row) for row in evening.log.rows if gone(row)] == ["away", "back"]
        evening.ann.play_turn()


async def through(
    link: FaultyLink, server: ServerProcess, breaks: int, seed: int
) -> tuple[PlayerPool, DatabaseContents, list[str]]:
    """Let players play while its link breaks again and again, in every way."""
    pool, chance = PlayerPool([link.port], 8, seed, behaviour=Behaviour(think_seconds=0.01)), Random(seed)
    try:
        pool.start()
        await wait_until(lambda: pool.acknowledged_count > 100 and pool.is_waiting)
        done = 0
        # However quickly the server answers, some break leaves commands without an answer.
        while done < breaks or (not pool.resend_count and done < MOST * breaks):
            done += 1
            kind = chance.choice(("cut", "bite", "stall", "lose"))
            if kind == "bite":
                cuts = link.cut_count
                link.cut_within(chance.randint(1, 1500))
                await wait_until(lambda cuts=cuts: link.cut_count > cuts)  # type: ignore[misc]
            else:
                await asyncio.to_thread({"cut": link.cut, "stall": link.stall, "lose": link.go_dead}[kind])
            count = "held_count" if kind in ("stall", "lose") else "refused_count"
            enough = getattr(link, count) + chance.randint(1, 3)
            await wait_until(lambda count=count, enough=enough: getattr(link, count) >= enough)  # type: ignore[misc]
            if kind == "lose":
                await asyncio.to_thread(link.cut)
            await asyncio.to_thread(link.restore)
            enough = pool.acknowledged_count + 10
            await wait_until(lambda enough=enough: pool.acknowledged_count >= enough and pool.is_waiting)  # type: ignore[misc]
        await pool.wait_until_idle()
        kept = await read_database(server.database)
        return pool, kept, find_wrong_records(kept) + await find_wrongly_served_rooms(server.port, kept)
    finally:
        await pool.stop()


async def broken(folder: Path, breaks: int, seed: int) -> tuple[PlayerPool, DatabaseContents, list[str]]:
    """Start a server behind a link that breaks."""
    server = ServerProcess(f"sqlite:///{folder / 'reconnect.db'}")
    await server.start()
    try:
        with FaultyLink(server.port) as link:
            return await through(link, server, breaks, seed)
    finally:
        server.kill()


@pytest.mark.parametrize("breaks", [8, pytest.param(300, marks=pytest.mark.torture)])
def test_links_that_break_again_and_again_lose_nothing_and_double_nothing(tmp_path: Path, breaks: int) -> None:
    pool, kept, wrong = aside(broken(tmp_path, breaks, breaks))
    print(f"{breaks} breaks, {pool.acknowledged_count} acknowledged, {pool.resend_count} sent again")
    found = find_faults(pool, kept)
    assert found == {name: [] for name in found}
    assert wrong == []
    assert pool.resend_count > 0
