"""An evening in the browser: counted as agreed, a handicap, another game, one sheet for all; the ten best games."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from knobel.host import Host
from knobel.rooms.intents import ChangeSettings
from knobel.store.sqlite import SqliteStore
from tests.screenshots import ADA, BEN, Stage, boxes, device, visit
from tests.support.browser import Screen, Server, launch_browser

EDITION = "hasbro-yahtzee"


async def play_rooms(database: Path) -> dict[str, str]:
    """Play the first game of an evening for two, and a game for one."""
    stage = Stage(Host(await SqliteStore.open(database), paced=False))
    for name, people in (("two", (("Ada", ADA), ("Ben", BEN))), ("alone", (("Ada", ADA),))):
        room = await stage.open(name, ChangeSettings(EDITION, games=3), *people)
        await stage.start(room)
        for box in boxes(EDITION):
            for hand in ("66555", "11346")[: len(people)]:
                await stage.act(room, ".....", f">{hand}", box)
        await stage.close(room)
    await stage.host.close()
    return stage.rooms


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launch_browser() as found:
        yield found


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, str]]]:
    server = Server(tmp_path_factory.mktemp("evenings"))
    rooms = asyncio.run(play_rooms(server.database))
    with server:
        yield server, rooms


@pytest.fixture
def one(browser: Browser, played: tuple[Server, dict[str, str]]) -> Iterator[Screen]:
    screen = device(browser, played[0], "phone", "light")
    yield screen
    screen.check_problems()


def test_the_host_agrees_how_an_evening_is_counted_and_goes_on_with_another_game(
    one: Screen, played: tuple[Server, dict[str, str]]
) -> None:
    server, rooms = played
    visit(one, f"{server.url}/room/{rooms['two']}", ".end .series")
    expect(one.find(".series .sum")).to_have_count(0)
    one.press("[data-act=more-end]")
    one.press("[data-act=evening-sheet]")
    one.wait_for(".evening-sheet table")
    totals = one.find(".evening-sheet tr.total td").all_text_contents()
    assert totals == one.find(".ranking b").all_text_contents()[:1]
    one.press("dialog [data-act=close]")
    one.press("[data-act=lobby]")
    one.wait_for(".evening-panel .series")
    one.find("[data-field=standing]").select_option("sum")
    expect(one.find(".evening-panel .series .sum")).to_have_count(2)
    one.press("[data-act=handicaps]")
    one.find("[data-handicap='1']").fill("20")
    one.find("[data-handicap='1']").blur()
    expect(one.find("[data-seat='1'] small").first).to_contain_text("Handicap 20")
    one.find("[data-field=edition]").select_option("tactic-xl-yatzy")
    expect(one.find(".tabletop")).to_contain_text("XL Yatzy")
    expect(one.find(".evening-panel .series .sum")).to_have_count(2)
    expect(one.find(".evening-panel .starter")).to_contain_text("Ben starts the next game")


def test_whoever_plays_alone_sees_their_best_games(one: Screen, played: tuple[Server, dict[str, str]]) -> None:
    server, rooms = played
    visit(one, f"{server.url}/room/{rooms['alone']}", ".best-games")
    one.press("[data-act=best-games]")
    one.wait_for(".best-games li")
    (total,) = one.find(".ranking b").all_text_contents()
    listed = [int(text) for text in one.find(".best-games li b").all_text_contents()]
    assert listed == sorted(listed, reverse=True)
    expect(one.find(".best-games li.now b")).to_have_text(total)
    expect(one.find(".best-games li")).to_have_count(2)
