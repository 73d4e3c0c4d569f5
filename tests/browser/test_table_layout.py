"""What lies on the table lies where it can be seen and pressed: slips of paper, the end, large text, the big screen."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from knobel.rooms.intents import BeginGame, ChangeSettings, SealSeed, StopGame
from tests.screenshots import ADA, BEN, EIGHT, HANDS, Stage, boxes
from tests.support.browser import CONFIRM_BUTTON, FACE_KEY, PREVIEW_CELL, OpenScreen, Screen
from tests.support.selection import rest
from tests.support.staged_server import StagedServer, enter, own

TWO_DICE = Path(__file__).parents[2] / "examples" / "house-rules" / "two-dice.toml"
INSIDE = """selector => {
  const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
  return left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1;
}"""
"""Whether something lies within the window as a whole."""
LARGER_TEXT = "percent => { document.documentElement.style.fontSize = `${percent}%`; }"
FIGURES_OUTSIDE = """() => [...document.querySelectorAll(".board td.shown :is(span, .cell)")].filter((figure) => {
  const [at, row] = [figure, figure.closest("tr")].map((one) => one.getBoundingClientRect());
  return at.height && (at.top < row.top - 1 || at.bottom > row.bottom + 1);
}).map((figure) => figure.textContent)"""
CLIPPED_RINGS = """() => {
  const clipped = [];
  for (const one of document.querySelectorAll("knobel-table :is(button, a[href], summary):not([hidden])")) {
    one.focus({ focusVisible: true });
    if (document.activeElement !== one) continue;
    const { outlineOffset, outlineWidth } = getComputedStyle(one);
    const ring = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
    const at = one.getBoundingClientRect();
    for (let above = one.parentElement; above && above !== document.body; above = above.parentElement) {
      if (getComputedStyle(above).overflowX === "visible") continue;
      const edge = above.getBoundingClientRect();
      const isCut = at.left - ring < edge.left - 1 || at.right + ring > edge.right + 1 || at.top - ring < edge.top - 1;
      if (isCut) clipped.push(`${one.outerHTML.slice(0, 80)} by ${above.className}`);
    }
  }
  return clipped;
}"""
"""Whatever can have the focus at the table and whose ring is cut by what it lies in."""
CUT_NAMES = """() => [...document.querySelectorAll(".seat-name")]
  .filter((name) => {
    const [at, seat] = [name, name.closest("li")].map((one) => one.getBoundingClientRect());
    return name.scrollWidth > name.clientWidth + 1 || at.left < seat.left - 1 || at.right > seat.right + 1;
  })
  .map((name) => name.textContent)"""
ADD_BANNER = """() => {
  const banner = document.createElement("p");
  banner.className = "what-if";
  document.querySelector(".table-top").prepend(banner);
}"""
BLANKS_AFTER_SCORING = """async () => {
  const { Die } = await import("/static/dice.js");
  const die = new Die(0, () => {});
  document.body.append(die.element);
  const state = { faces: 6, kept: false, locked: false, off: true };
  die.draw({ ...state, value: 3 });
  die.tumble(300);
  die.draw({ ...state, value: 0, lying: 3 });
  const until = performance.now() + 400;
  let blank = 0;
  while (performance.now() < until) {
    await new Promise(requestAnimationFrame);
    if (!die.element.matches(".lying.f3")) blank++;
  }
  return blank;
}"""
"""In how many frames a die that was scored while it tumbled does not show what it showed."""


async def play_rooms(stage: Stage) -> None:
    """Play the rooms of this file."""
    two, alone = (("Ada", ADA), ("Ben", BEN)), (("Ada", ADA),)
    tactic = ChangeSettings("tactic-xl-yatzy", "en")
    room = await stage.open("table", tactic, *two)
    await stage.fill(room, "ones", "sixes", "full_house", "two_pairs")
    await stage.act(room, ".....", ">63626")
    await stage.open("bot", tactic, *alone, ("Mia", None))
    room = await stage.open("waiting", tactic, *two, begin=False)
    coming = (await stage.host.find_session(room)).room.coming
    await stage.do(room, BEN, SealSeed(coming.game, "5e" * 32))
    await stage.do(room, ADA, BeginGame(anyway=True))
    room = await stage.open("stopped", tactic, *two)
    await stage.fill(room, "ones", "sixes")
    await stage.do(room, ADA, StopGame())
    room = await stage.open("joker", ChangeSettings("mb-yahtzee"), *two)
    await stage.fill(room, "yatzy", "ones")
    await stage.act(room, ".....", ">66666")
    room = await stage.open("series", ChangeSettings("hasbro-yahtzee", games=3), *two)
    await stage.start(room)
    for box in boxes("hasbro-yahtzee"):
        await stage.act(room, ".....", f">{HANDS.get(box, '66543')}", box, ".....", ">11346", box)
    await stage.close(room)
    await stage.open("pad", ChangeSettings("tactic-xl-yatzy", "en", free=True), ("Ada", ADA), ("Cleo", ADA))
    await stage.open(
        "eight",
        ChangeSettings("carlit-yatzy"),
        *((name, ADA if place % 2 else BEN) for place, name in enumerate(EIGHT)),
    )
    await stage.open("four", tactic, ("Ada", ADA), ("Cleo", ADA), ("Eva-Maria", ADA), ("Ben", BEN))
    await stage.open("lobby", tactic, *((name, ADA) for name in EIGHT), begin=False)
    await stage.lay_rounds("rounds", "652")
    await stage.lay_rounds("rounds-log", "654", "stand over", "664", "stand", "665", "stand")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StagedServer]:
    with StagedServer(tmp_path_factory.mktemp("layout"), play_rooms) as server:
        yield server


OVERLAP = """([first, second]) => {
  const [one, other] = [first, second].map((name) => document.querySelector(name).getBoundingClientRect());
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}"""
"""Whether two parts of the page lie over each other."""


SHOW_MESSAGE = 'async (text) => (await import("/static/dialogs.js")).showToast(text)'


def hold(screen: OpenScreen, width: int, height: int, **context: Any) -> Screen:
    """Take a device of this size in hand."""
    size = "phone" if min(width, height) < 800 else "desktop"
    return screen(size, viewport={"width": width, "height": height}, **context)


def measure(one: Screen, selector: str) -> dict[str, float]:
    box = one.find(selector).locator("visible=true").first.bounding_box()
    assert box is not None, selector
    x, y, width, height = box["x"], box["y"], box["width"], box["height"]
    return {"x": x, "y": y, "width": width, "height": height, "right": x + width, "bottom": y + height}


def overflows(one: Screen, selector: str) -> bool:
    """Whether something holds more than it shows."""
    found: bool = one.find(selector).evaluate("one => one.scrollHeight > one.clientHeight + 1")
    return found


@pytest.mark.rest
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (844, 390), (768, 1024), (390, 844), (1024, 768)])
def test_the_guide_and_a_hint_lie_in_the_window(
    screen: OpenScreen, server: StagedServer, width: int, height: int
) -> None:
    one = hold(screen, width, height).open_home(server.url).upload_house_rules(TWO_DICE).start_shared_game("Ada")
    one.wait_for(".guide")
    assert one.page.evaluate(INSIDE, ".guide")
    one.skip_guide()
    one.roll()
    one.press("[data-act=hint]")
    one.press(CONFIRM_BUTTON)
    one.wait_for(".hint .best b")
    assert one.page.evaluate(INSIDE, ".hint")
    assert not one.page.evaluate(OVERLAP, [".hint", ".tray .status"])


@pytest.mark.parametrize(("width", "height"), [(1440, 900), rest(1920, 1080), rest(1024, 768)])
def test_the_dice_lie_in_the_middle_of_the_felt_and_kept_ones_at_its_foot(
    screen: OpenScreen, server: StagedServer, width: int, height: int
) -> None:
    one = enter(hold(screen, width, height), server, "table")
    dice, area = measure(one, "[data-die='1']"), measure(one, ".dice-area")
    one.press("[data-die='0']")
    kept = measure(one, "[data-die='0']")
    middle, rail = dice["y"] + dice["height"] / 2, kept["y"] - 20
    assert abs(middle - (area["y"] + rail) / 2) < dice["height"] * 0.4
    assert rail > dice["bottom"]
    assert kept["bottom"] < area["bottom"] < kept["bottom"] + 70
    assert measure(one, ".tray .facts")["bottom"] > measure(one, ".main-button")["y"] - 80
    assert measure(one, ".main-button")["y"] - area["bottom"] < 160


@pytest.mark.rest
def test_which_dice_to_keep_is_said_beside_the_dice(screen: OpenScreen, server: StagedServer) -> None:
    one = hold(screen, 1440, 900).open_home(server.url).upload_house_rules(TWO_DICE).start_shared_game("Ada")
    one.wait_for(".guide")
    one.roll()
    expect(one.find(".guide")).to_have_attribute("data-step", "keep")
    guide, die = measure(one, ".guide"), measure(one, "[data-die='0']")
    assert guide["bottom"] <= die["y"] + 2
    assert die["y"] - guide["bottom"] < die["height"] / 2


@pytest.mark.rest
@pytest.mark.parametrize(("width", "height"), [(390, 844), (768, 1024), (1440, 900)])
def test_a_short_message_covers_nothing_of_the_game(
    screen: OpenScreen, server: StagedServer, width: int, height: int
) -> None:
    one = enter(hold(screen, width, height), server, "rounds")
    one.page.evaluate(SHOW_MESSAGE, "That was a whole turn. Have fun!")
    for part in (".kitty", ".prompt", ".tray .status", "[data-act=undo]"):
        assert not one.page.evaluate(OVERLAP, [".toast", part]), part


@pytest.mark.rest
def test_the_figures_of_the_bonus_are_explained_and_wait_for_an_entry(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(screen("phone"), server, "bot")
    expect(one.find(".sum.bonus td.shown")).to_have_text("")
    expect(one.find(".sum.bonus th")).to_contain_text("+50 from 63")
    one.press("[data-act=explain-bonus]")
    expect(one.find(".tooltip")).to_contain_text("an even pace")
    one = enter(screen("phone"), server, "table")
    expect(one.find(".sum.bonus td.shown")).to_have_text("3/63")


def test_alone_with_bots_nobody_else_is_spoken_of(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(screen(), server, "bot")
    one.press(".bar [data-act=more]")
    expect(one.find(".menu [data-act=stop]")).to_have_text("Stop the game")
    expect(one.find(".menu [data-act=say]")).to_have_count(0)
    one.press(".menu [data-act=stop]")
    expect(one.find(".ask")).not_to_contain_text("everyone")
    one.press(".ask [data-act=no]")


@pytest.mark.parametrize(("width", "height"), [(844, 390), rest(720, 450), rest(390, 844), rest(360, 740)])
def test_the_end_begins_with_who_won_and_scrolls_as_a_whole(
    screen: OpenScreen, server: StagedServer, width: int, height: int
) -> None:
    one = enter(hold(screen, width, height), server, "series")
    expect(one.find(".end .main-button")).to_have_text("Next game (2 of 3)")
    assert measure(one, ".end h2")["y"] >= measure(one, ".end")["y"]
    assert not overflows(one, ".end .ranking")
    assert not overflows(one, ".series")
    assert not one.is_visible(".reaction")
    one.press("[data-act=say]")
    expect(one.find(".end .reaction").first).to_be_visible()
    one.find("[data-act=more-end]").scroll_into_view_if_needed()
    assert one.page.evaluate(INSIDE, "[data-act=more-end]")


@pytest.mark.rest
def test_a_stopped_game_offers_the_next_one_first(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(screen("phone"), server, "stopped")
    expect(one.find(".end .main-button")).to_have_text("Rematch")
    expect(one.find(".end [data-act=review]")).not_to_have_class(re.compile("main-button"))
    assert measure(one, ".end .main-button")["y"] - measure(one, ".end h2")["bottom"] < 40


def test_a_table_that_waits_for_a_seed_says_so(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(screen("phone"), server, "waiting")
    expect(one.find(".tray .main-button")).to_have_text("Waiting for Ben")
    expect(one.find(".reaction").first).to_be_hidden()


@pytest.mark.rest
def test_nobody_is_spoken_to_where_only_bots_would_hear(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(screen(), server, "bot")
    one.press("thead [data-seat='0'] .name")
    one.wait_for(".menu [data-act=rename]")
    expect(one.find(".menu [data-act=say]")).to_have_count(0)


@pytest.mark.rest
@pytest.mark.parametrize(("percent", "width"), [(200, 1440), (150, 1440), (200, 390), (150, 390)])
def test_with_large_text_figures_stay_in_their_rows_and_the_total_in_sight(
    screen: OpenScreen, server: StagedServer, percent: int, width: int
) -> None:
    one = enter(hold(screen, width, 844 if width == 390 else 900), server, "table")
    one.page.evaluate(LARGER_TEXT, percent)
    assert one.page.evaluate(FIGURES_OUTSIDE) == []
    assert one.page.evaluate(INSIDE, ".tray .main-button")
    if width > 390:
        assert measure(one, "tfoot .total")["bottom"] <= measure(one, ".board")["bottom"] + 1


@pytest.mark.rest
@pytest.mark.parametrize("percent", [200, 150])
def test_with_large_text_chicago_breaks_no_word(screen: OpenScreen, server: StagedServer, percent: int) -> None:
    one = enter(screen("phone"), server, "rounds")
    one.page.evaluate(LARGER_TEXT, percent)
    assert not one.find(".prompt").evaluate("one => one.scrollWidth > one.clientWidth")
    assert measure(one, ".prompt")["width"] > measure(one, ".prompt")["height"]
    assert measure(one, ".board")["height"] >= 150
    assert one.page.evaluate(INSIDE, ".stand")


@pytest.mark.parametrize(
    ("width", "height", "room"),
    [(1440, 900, "table"), rest(390, 844, "table"), rest(1440, 900, "rounds-log"), rest(390, 844, "series")],
)
def test_no_focus_ring_is_cut_at_the_table(
    screen: OpenScreen, server: StagedServer, width: int, height: int, room: str
) -> None:
    one = enter(hold(screen, width, height), server, room)
    assert one.page.evaluate(CLIPPED_RINGS) == []


@pytest.mark.rest
def test_the_banner_of_a_what_if_leaves_the_total_in_sight(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(hold(screen, 1440, 900), server, "table")
    one.page.evaluate(ADD_BANNER)
    assert not overflows(one, ".board")


@pytest.mark.rest
def test_a_total_and_its_place_stand_apart(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(hold(screen, 1920, 1080), server, "table")
    apart = (
        "one => { const { position, marginLeft } = getComputedStyle(one, '::after'); return [position, marginLeft]; }"
    )
    position, gap = one.find("td[data-place]").first.evaluate(apart)
    assert position == "static"
    assert float(gap.removesuffix("px")) >= 6


@pytest.mark.rest
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1920, 1080)])
def test_the_keys_of_a_pad_lie_in_one_row_and_are_large(
    screen: OpenScreen, server: StagedServer, width: int, height: int
) -> None:
    one = enter(hold(screen, width, height), server, "pad", each_roll=False)
    one.wait_for(FACE_KEY)
    tops = one.find(".keypad .face").evaluate_all(
        "keys => keys.map(key => Math.round(key.getBoundingClientRect().top))"
    )
    assert len(set(tops)) == 1
    assert measure(one, ".keypad .face")["height"] >= 80


@pytest.mark.rest
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844), (844, 390)])
def test_the_total_of_the_dice_lies_above_the_button_and_apart_from_it(
    screen: OpenScreen, server: StagedServer, width: int, height: int
) -> None:
    one = enter(hold(screen, width, height), server, "rounds")
    line, button, switch = (measure(one, at) for at in (".sum-line", ".tray .main-button", ".each-roll"))
    assert 4 <= button["y"] - line["bottom"] <= 16
    assert abs(line["x"] + line["width"] / 2 - button["x"] - button["width"] / 2) <= 2
    assert abs(switch["right"] - button["right"]) <= 2


@pytest.mark.rest
def test_the_rounds_so_far_fill_the_sheet(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(hold(screen, 1440, 900), server, "rounds-log")
    assert measure(one, ".log table")["width"] >= measure(one, ".board")["width"] * 0.9
    heads = one.find(".log :is(thead th:first-child, tbody th)").evaluate_all(
        "heads => heads.map(head => head.getBoundingClientRect().x + parseFloat(getComputedStyle(head).paddingLeft))"
    )
    assert len(set(heads)) == 1


def test_the_big_screen_has_large_heads_and_a_felt_that_holds_everything(
    screen: OpenScreen, server: StagedServer
) -> None:
    one = hold(screen, 1920, 1080)
    one.page.goto(f"{server.address('table')}/screen")
    one.wait_for(".tray .die")
    size = one.find("thead .name").first.evaluate("name => parseFloat(getComputedStyle(name).fontSize)")
    assert size >= 28
    assert not overflows(one, ".tray:not(.end)")


@pytest.mark.rest
def test_what_a_joker_brings_besides_stands_below_its_points(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(screen("phone"), server, "joker")
    cell = f"{PREVIEW_CELL}[data-box=sixes]"
    points, besides = measure(one, f"{cell} span"), measure(one, f"{cell} small")
    assert besides["y"] >= points["bottom"] - 4
    assert besides["right"] <= measure(one, cell)["right"]


def test_dice_that_are_scored_while_they_tumble_keep_their_faces(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(screen(reduced_motion="no-preference"), server, "table")
    assert one.page.evaluate(BLANKS_AFTER_SCORING) == 0


@pytest.mark.rest
@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720)])
def test_on_the_big_screen_eight_players_leave_every_row_in_sight(
    screen: OpenScreen, server: StagedServer, width: int, height: int
) -> None:
    one = hold(screen, width, height)
    one.page.goto(f"{server.address('eight')}/screen")
    one.wait_for(".board tfoot .total")
    last = measure(one, ".board tbody:last-of-type tr:last-child th")
    assert last["bottom"] <= measure(one, ".board tfoot .total")["y"] + 1


@pytest.mark.parametrize(
    ("width", "height", "page"), [(390, 844, ""), rest(1440, 900, ""), rest(1920, 1080, "/screen"), rest(320, 640, "")]
)
def test_names_are_whole_in_the_lobby(
    screen: OpenScreen, server: StagedServer, width: int, height: int, page: str
) -> None:
    one = own(hold(screen, width, height), server)
    one.page.goto(server.address("lobby") + page)
    one.wait_for(f"[data-seat='{len(EIGHT) - 1}']")
    assert one.page.evaluate(CUT_NAMES) == []


@pytest.mark.rest
def test_the_invitation_lies_whole_on_the_big_screen(screen: OpenScreen, server: StagedServer) -> None:
    one = hold(screen, 1920, 1080)
    one.page.goto(f"{server.address('lobby')}/screen")
    one.wait_for(".room-code")
    assert one.page.evaluate(INSIDE, ".invite")


def test_sound_is_one_tap_away(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(hold(screen, 390, 844), server, "table")
    one.press(".bar [data-act=bar-sound]")
    expect(one.find(".bar [data-act=bar-sound]")).to_have_attribute("aria-label", "Turn off sound and vibration")
    one.press(".bar [data-act=more]")
    expect(one.find(".menu [data-act=sound]")).to_have_text("Turn off sound and vibration")
    one.press(".menu [data-act=sound]")
    expect(one.find(".bar [data-act=bar-sound]")).to_have_attribute("aria-label", "Turn on sound and vibration")


def test_a_review_shows_whose_it_is_and_its_chart_fits_a_phone(screen: OpenScreen, server: StagedServer) -> None:
    one = own(hold(screen, 390, 844), server)
    one.page.goto(f"{server.url}/review/{server.games['series']}")
    one.wait_for(".chart svg")
    assert one.find(".player-choice .emblem").count() == 2
    expect(one.find(".chart-player")).to_have_text("Ada")
    assert one.find(".chart-player .emblem").get_attribute("data-ink") == "0"
    fits: bool = one.find(".chart .scrolls").first.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert fits


@pytest.mark.rest
def test_names_are_whole_on_the_strip_of_a_phone(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(hold(screen, 390, 844), server, "four")
    cut = "names => names.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
    assert one.find(".seats .name").evaluate_all(cut) == []
