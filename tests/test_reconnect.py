"""However a link breaks, everybody sees what the house sees soon after it is back: nothing lost, nothing done twice."""

import asyncio
import os
import signal
import time
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
from tests.browser import FLAGS, LOST, PREVIEW, THROW, Screen, Server, chromium, launched, screen_of
from tests.crowd import Crowd, House, Kept, Log, Manners, faults, kept_in, until, wrong_records, wrongly_served
from tests.cutting import Link
from tests.test_kill import patience

T = TypeVar("T")
BACK = 2.0
"""So many seconds after the link is back, everybody sees what the house sees; more where others share the cores."""
NOTICED = 7.0
"""So many seconds a page needs at most to notice a dead line by itself: three to knock, four for the answer."""
EDITION = "carlit-yatzy"
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
    """Ann, whose link breaks, and Ben, whose does not, at one table of a house."""

    house: Server
    link: Link
    ann: Screen
    ben: Screen

    def kept(self) -> Kept:
        """Read everything the house has on disk."""
        return aside(kept_in(f"sqlite:///{self.house.database}"))

    @property
    def log(self) -> Log:
        """The one game that is played."""
        (log,) = self.kept().logs.values()
        return log

    @property
    def rolls(self) -> int:
        """How often dice have fallen."""
        return sum('"landed"' in row.body for row in self.log.rows)

    def converged(self, *screens: Screen, since: float) -> float:
        """Wait until screens show the last thing that is on disk; say how many seconds after a moment that was."""
        while True:
            seen = {one.page.evaluate(SEEN) for one in screens}
            took = time.monotonic() - since
            if seen == {self.log.heads[-1]}:
                return took
            assert took < 60, "never"

    def back(self, *screens: Screen) -> None:
        """Mend the link, and insist that screens soon show what the house has."""
        begin = time.monotonic()
        self.link.mend()
        took = self.converged(*screens or (self.ann,), since=begin)
        print(f"back after {took:.2f} s, load {os.getloadavg()[0]:.1f}")
        assert took < patience(BACK)

    def to_ann(self) -> None:
        """Play on until it is Ann's turn, before her first throw."""
        for one in (self.ben, self.ann):
            if one.sees(PREVIEW):
                one.choose()
        self.ann.await_(THROW, ".tray.theirs")
        if not self.ann.sees(THROW):
            self.ben.turn()
        self.ann.await_(THROW)


@contextmanager
def seated(house: Server, link: Link, hers: Browser, his: Browser) -> Iterator[Evening]:
    """Seat Ann and Ben, and begin; at the end every record must prove itself, and no page may have complained."""
    ann, ben = screen_of(hers), screen_of(his)
    ann.forgiven = ben.forgiven = LOST
    ann.home(link.url).unpack(EDITION).invite("Ann")
    ben.page.goto(ann.page.url.replace(link.url, house.url))
    ben.sit("Ben")
    expect(ann.find(".plate").get_by_text("Ben")).to_be_visible()
    ann.press("[data-act=start]")
    ann.await_(THROW)
    ann.skip_guide()
    evening = Evening(house, link, ann, ben)
    try:
        yield evening
    finally:
        for one in (ann, ben):
            one.page.context.close()
    assert wrong_records(evening.kept()) == []
    for one in (ann, ben):
        one.check()


@pytest.fixture(scope="module")
def browsers() -> Iterator[tuple[Browser, Browser]]:
    """One for Ann, which can be put to sleep, and one for Ben."""
    with launched() as his:
        hers = his.browser_type.launch(executable_path=chromium(), args=list(FLAGS))
        yield hers, his
        hers.close()


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory, browsers: tuple[Browser, Browser]) -> Iterator[Evening]:
    """One evening for all these tests, in a house where whoever is gone for a second is away."""
    with (
        Server(tmp_path_factory.mktemp("reconnect"), quick=True) as house,
        Link(house.port) as link,
        seated(house, link, *browsers) as found,
    ):
        yield found


def left(one: Screen) -> int:
    """Count the throws that are left, as the button shows them."""
    return one.find(".throw .left b.on").count()


def test_an_answer_that_is_cut_in_mid_frame_comes_again(evening: Evening) -> None:
    evening.to_ann()
    before, cuts = evening.rolls, evening.link.cuts
    evening.link.cut_within(100)
    evening.ann.press(THROW)
    deadline = time.monotonic() + 10
    while evening.link.cuts == cuts:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    expect(evening.ann.find("#lost")).to_be_visible()
    evening.back()
    evening.ann.await_(PREVIEW)
    assert evening.rolls == before + 1
    assert left(evening.ann) == 2


def test_a_throw_without_a_link_is_thrown_once_when_it_is_back(evening: Evening) -> None:
    evening.to_ann()
    before = evening.rolls
    evening.link.cut()
    evening.ann.press(THROW)
    expect(evening.ann.find("#lost")).to_be_visible()
    assert evening.rolls == before
    evening.back()
    evening.ann.await_(PREVIEW)
    assert evening.rolls == before + 1
    evening.ann.choose()


def test_a_link_that_only_stalls_loses_nothing(evening: Evening) -> None:
    evening.to_ann()
    before = evening.rolls
    evening.link.stall()
    evening.ann.press(THROW)
    time.sleep(1.5)
    assert evening.rolls == before
    evening.back()
    evening.ann.await_(PREVIEW)
    assert evening.rolls == before + 1


def test_a_line_that_is_dead_without_being_closed_is_noticed_by_whoever_waits_for_an_answer(evening: Evening) -> None:
    evening.to_ann()
    before = evening.rolls
    evening.link.lose()
    evening.ann.press(THROW)
    expect(evening.ann.find("#lost")).to_be_visible()
    assert evening.rolls == before
    evening.back()
    evening.ann.await_(PREVIEW)
    assert evening.rolls == before + 1


def test_a_line_that_is_dead_without_being_closed_is_noticed_by_whoever_only_watches(evening: Evening) -> None:
    evening.to_ann()
    evening.ann.turn()
    evening.link.lose()
    evening.link.mend()
    begin = time.monotonic()
    evening.ben.turn()
    took = evening.converged(evening.ann, since=begin)
    print(f"noticed and back after {took:.2f} s, load {os.getloadavg()[0]:.1f}")
    assert took < patience(NOTICED + BACK)
    evening.ann.turn()


def test_two_tabs_of_one_device_act_in_turn_whatever_happens_to_their_link(evening: Evening) -> None:
    evening.to_ann()
    ann, before = evening.ann, evening.rolls
    other = Screen(ann.page.context.new_page(), touch=False)
    other.forgiven = LOST
    other.page.goto(ann.page.url)
    other.throw()
    ann.await_(PREVIEW)
    evening.link.cut()
    ann.press(THROW)
    time.sleep(0.5)  # a second press within a moment would be the same press
    other.press(THROW)
    evening.back(ann, other)
    for one in (ann, other):
        expect(one.find("#lost")).to_be_hidden()
    assert evening.rolls == before + 2, "the second one came too late, and was refused"
    assert ann.dice() == other.dice()
    other.choose()
    expect(ann.find(".tray.theirs")).to_be_visible()
    other.check()
    other.page.close()


def test_a_page_that_slept_sees_at_once_what_happened_and_has_its_seat(evening: Evening) -> None:
    evening.to_ann()
    evening.ann.turn()
    before = [row for row in evening.log.rows if gone(row)]
    with asleep(evening.ann):
        evening.link.cut()
        evening.ben.turn()
        time.sleep(4)
        woken = time.monotonic()
        evening.link.mend()
    took = evening.converged(evening.ann, since=woken)
    print(f"awake after {took:.2f} s, load {os.getloadavg()[0]:.1f}")
    assert took < patience(BACK)
    assert [gone(row) for row in evening.log.rows if gone(row)][len(before) :] == ["away", "back"]
    evening.ann.turn()


def test_a_house_that_is_opened_again_behind_a_broken_link_is_the_same_house(evening: Evening) -> None:
    evening.to_ann()
    before = evening.rolls
    evening.link.cut()
    evening.house.stop()
    evening.ann.press(THROW)
    evening.house.start()
    evening.back(evening.ann, evening.ben)
    evening.ann.await_(PREVIEW)
    assert evening.rolls == before + 1
    evening.ann.choose()


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
def test_a_page_that_slept_for_a_minute_on_a_dead_line_has_its_seat(
    tmp_path: Path, browsers: tuple[Browser, Browser]
) -> None:
    with Server(tmp_path) as house, Link(house.port) as link, seated(house, link, *browsers) as evening:
        evening.ann.turn()
        with asleep(evening.ann):
            link.lose()
            evening.ben.turn()
            time.sleep(60)
            woken = time.monotonic()
            link.mend()
        took = evening.converged(evening.ann, since=woken)
        print(f"awake after {took:.2f} s, load {os.getloadavg()[0]:.1f}")
        assert took < patience(BACK)
        assert [gone(row) for row in evening.log.rows if gone(row)] == ["away", "back"]
        evening.ann.turn()


async def through(link: Link, house: House, breaks: int, seed: int) -> tuple[Crowd, Kept, list[str]]:
    """Let a crowd play while its link breaks again and again, in every way."""
    crowd, chance = Crowd([link.port], 8, seed, manners=Manners(pause=0.01)), Random(seed)
    try:
        crowd.come()
        await until(lambda: crowd.promised > 100, 30)
        for _ in range(breaks):
            kind = chance.choice(("cut", "bite", "stall", "lose"))
            if kind == "bite":
                link.cut_within(chance.randint(1, 1500))
                await asyncio.sleep(0.1)
            else:
                await asyncio.to_thread({"cut": link.cut, "stall": link.stall, "lose": link.lose}[kind])
            await asyncio.sleep(chance.uniform(0.0, 0.15))
            if kind == "lose":
                await asyncio.to_thread(link.cut)
            await asyncio.to_thread(link.mend)
            enough = crowd.promised + 10
            await until(lambda enough=enough: crowd.promised >= enough, 30)  # type: ignore[misc]
        await crowd.settle()
        kept = await kept_in(house.database)
        return crowd, kept, wrong_records(kept) + await wrongly_served(house.port, kept)
    finally:
        await crowd.leave()


async def broken(folder: Path, breaks: int, seed: int) -> tuple[Crowd, Kept, list[str]]:
    """Open a house behind a link that breaks."""
    house = House(f"sqlite:///{folder / 'reconnect.db'}")
    await house.start()
    try:
        with Link(house.port) as link:
            return await through(link, house, breaks, seed)
    finally:
        house.kill()


@pytest.mark.parametrize("breaks", [8, pytest.param(300, marks=pytest.mark.torture)])
def test_links_that_break_again_and_again_lose_nothing_and_double_nothing(tmp_path: Path, breaks: int) -> None:
    crowd, kept, wrong = aside(broken(tmp_path, breaks, breaks))
    print(f"{breaks} breaks, {crowd.promised} promises, {crowd.resent} sent again, load {os.getloadavg()[0]:.1f}")
    found = faults(crowd, kept)
    assert found == {name: [] for name in found}
    assert wrong == []
    assert crowd.resent > 0
