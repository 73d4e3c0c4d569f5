"""What can be switched on in the browser: a limit for each move, a last box that fills itself, shaking to roll."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.support.browser import (
    CONTINUE_BUTTON,
    END_BUTTON,
    PREVIEW_CELL,
    QUICK_AWAY,
    ROLL_BUTTON,
    OpenScreen,
    Screen,
    Server,
)

YATZY = "tactic-xl-yatzy"
SHAKE = """() => {
  for (let swing = 0; swing < 3; swing++)
    dispatchEvent(new DeviceMotionEvent("devicemotion", { acceleration: { x: 20 * (-1) ** swing, y: 0, z: 2 } }));
}"""


def remember(one: Screen, **wishes: bool) -> Screen:
    """Open a browser that remembers these settings."""
    kept = {"guided": True, **wishes}
    one.page.add_init_script(f"localStorage['knobel.prefs'] ??= JSON.stringify({str(kept).replace('True', 'true')})")
    return one


@pytest.mark.rest
def test_whoever_lets_the_time_run_out_counts_as_away_and_a_bot_is_offered(
    own_server: Callable[..., Server], screen: OpenScreen
) -> None:
    server = own_server(changes=QUICK_AWAY)
    ada = remember(screen()).open_home(server.url).choose_edition(YATZY).open_room("Ada")
    ben = remember(screen("phone"))
    ben.page.goto(ada.page.url)
    ben.take_seat("Ben")
    ada.select_option("[data-field=timer]", "30 seconds")
    expect(ben.find(".terms")).to_contain_text("30 seconds")
    ada.press("[data-act=start]")
    expect(ben.find(".continue-button")).to_have_text("Let a bot play")
    expect(ada.find(".status")).to_contain_text("Time’s up.")
    ada.press(ROLL_BUTTON)
    expect(ben.find(CONTINUE_BUTTON)).to_be_hidden()
    expect(ben.find(".move-clock")).to_be_visible()


@pytest.mark.rest
def test_the_last_box_fills_itself_where_that_is_wanted_and_can_be_undone(screen: OpenScreen, server: Server) -> None:
    one = remember(screen(), fill_last=True).open_home(server.url).choose_edition(YATZY).start_shared_game("Ada")
    for _ in range(14):
        one.play_turn()
    for _ in range(3):
        one.press(ROLL_BUTTON)
    one.wait_for(END_BUTTON)
    one.press("[data-act=undo-last]")
    expect(one.find(PREVIEW_CELL)).to_have_count(1)
    one.score()
    one.wait_for(END_BUTTON)


@pytest.mark.rest
def test_shaking_rolls_only_where_it_was_switched_on_and_the_browser_allows_it(
    screen: OpenScreen, server: Server
) -> None:
    one = remember(screen("phone")).open_home(server.url).choose_edition(YATZY).start_shared_game("Ada")
    one.page.evaluate(SHAKE)
    one.open_settings()
    one.press("[data-setting=shake] .pick:last-child")
    expect(one.find("[data-setting=shake] input").first).to_be_checked()
    one.page.context.grant_permissions(["accelerometer", "gyroscope"])
    one.press("[data-setting=shake] .pick:last-child")
    expect(one.find("[data-setting=shake] input").last).to_be_checked()
    one.press("dialog [data-act=close]")
    expect(one.find(".die.blank")).to_have_count(5)
    one.page.evaluate(SHAKE)
    expect(one.find(".die:not(.blank)")).to_have_count(5)
