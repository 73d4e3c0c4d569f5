"""The table on every screen: tablets, laptops, the big screen, phones held sideways, zoomed pages and large text."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.browser import ROLL_BUTTON, OpenScreen, Screen, Server
from tests.support.selection import rest

EDITION = "tactic-xl-yatzy"
EIGHT = ("Ada", "Ben", "Cleo", "Dan", "Eva-Maria", "Finn", "Gro", "Maximilian")
ONE_LINE, BAR_HEIGHT = 20, 60
LARGER_TEXT = "percent => { document.documentElement.style.fontSize = `${percent}%`; }"
COLLISIONS = """() => {
  const rows = [...document.querySelectorAll(".board tbody tr")].filter((row) => row.getClientRects().length);
  const isOver = (one, other) => one.right > other.left + 1 && other.right > one.left + 1
    && one.bottom > other.top + 1 && other.bottom > one.top + 1;
  const boxes = rows.flatMap((row) => [row.querySelector("th .name span, th"), row.querySelector("td.shown")]
    .filter((part) => part?.getClientRects().length).map((part) => [part.textContent, part.getBoundingClientRect()]));
  return boxes.flatMap(([name, box], place) =>
    boxes.slice(place + 1).filter(([, other]) => isOver(box, other)).map(([other]) => `${name} / ${other}`));
}"""
CUT_NAMES = """() => [...document.querySelectorAll("thead .name, .board th .name")]
  .filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent)"""


def lay_table(one: Screen, server: Server, *names: str) -> Screen:
    """Sit down, and roll the first dice."""
    one.open_home(server.url).choose_edition(EDITION).start_shared_game(*names)
    one.wait_for(ROLL_BUTTON)
    return one


def measure(one: Screen, selector: str) -> dict[str, float]:
    box = one.find(selector).locator("visible=true").first.bounding_box()
    assert box is not None, selector
    x, y, width, height = box["x"], box["y"], box["width"], box["height"]
    return {"x": x, "y": y, "width": width, "height": height, "right": x + width, "bottom": y + height}


def fits(one: Screen, width: int, height: int) -> None:
    """Nothing sticks out, and the button can be pressed without scrolling."""
    size = one.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size[0] <= width
    button = measure(one, ".tray .main-button")
    assert button["bottom"] <= height
    assert button["height"] >= 44


def view(width: int, height: int) -> dict[str, Any]:
    return {"viewport": {"width": width, "height": height}}


def test_a_tablet_held_upright_is_a_phone_that_has_grown(screen: OpenScreen, server: Server) -> None:
    one = lay_table(screen("phone", **view(768, 1024)), server, "Ada", "Ben")
    fits(one, 768, 1024)
    assert measure(one, ".die")["width"] >= 90
    assert measure(one, ".line")["height"] >= 48
    expect(one.find(".line").first.locator("td:visible")).to_have_count(2)
    expect(one.find(".upper .column-names td:visible")).to_have_text(["Ada", "Ben"])
    assert measure(one, ".board")["width"] >= 700
    assert one.is_visible(".seats")
    assert measure(one, ".tray")["bottom"] - measure(one, ".tray .main-button")["bottom"] <= 32


@pytest.mark.parametrize(("width", "height"), [(1440, 900), rest(1920, 1080), rest(1280, 720), rest(1024, 768)])
def test_a_laptop_shows_a_sheet_as_tall_as_the_window(
    screen: OpenScreen, server: Server, width: int, height: int
) -> None:
    one = lay_table(screen(**view(width, height)), server, "Ada", "Ben")
    fits(one, width, height)
    total, felt, sheet = measure(one, "tfoot .total"), measure(one, ".tray"), measure(one, ".board table")
    assert height * 0.9 <= total["bottom"] <= height
    assert felt["height"] >= height * 0.8
    assert measure(one, ".die")["width"] >= width * 0.07
    assert sheet["width"] <= width * 0.5, "names stand beside their numbers"
    assert one.page.evaluate("document.documentElement.scrollHeight") <= height


@pytest.mark.parametrize(("width", "height"), [(844, 390), rest(720, 450), rest(640, 430)])
def test_a_phone_held_sideways_or_a_zoomed_page_hides_no_control(
    screen: OpenScreen, server: Server, width: int, height: int
) -> None:
    one = lay_table(screen("phone", **view(width, height)), server, "Ada", "Ben")
    one.find(".tray .main-button").scroll_into_view_if_needed()
    fits(one, width, height)
    assert measure(one, ".cell")["height"] >= 43
    one.press(ROLL_BUTTON)


@pytest.mark.rest
def test_on_a_phone_the_round_stands_in_one_line(screen: OpenScreen, server: Server) -> None:
    one = lay_table(screen("phone"), server, "Ada")
    expect(one.find(".titles span")).to_have_text(re.compile(r"^round 1 of \d+$"))
    assert measure(one, ".titles span")["height"] <= ONE_LINE
    assert measure(one, ".bar")["height"] <= BAR_HEIGHT


@pytest.mark.parametrize("percent", [150, rest(200)])
def test_larger_text_collides_with_nothing(screen: OpenScreen, server: Server, percent: int) -> None:
    one = lay_table(screen("phone"), server, "Ada", "Ben")
    one.page.evaluate(LARGER_TEXT, percent)
    assert one.page.evaluate(COLLISIONS) == []
    assert one.page.evaluate(CUT_NAMES) == []
    fits(one, 390, 844)


@pytest.mark.rest
def test_the_big_screen_shows_eight_names_whole(screen: OpenScreen, server: Server) -> None:
    one = lay_table(screen(), server, *EIGHT)
    one.page.set_viewport_size({"width": 1920, "height": 1080})
    one.page.goto(f"{one.page.url}/screen")
    one.wait_for(".board table")
    assert one.page.evaluate(CUT_NAMES) == []
    board = "[document.querySelector('.board').scrollWidth, document.querySelector('.board').clientWidth]"
    whole, shown = one.page.evaluate(board)
    assert whole <= shown
    assert measure(one, "tfoot .total")["bottom"] <= 1080
