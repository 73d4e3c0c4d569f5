"""How dice feel in the browser: they land askew, lie until the next roll, slide to a rail; good news is stamped."""

import pytest
from playwright.sync_api import expect

from tests.support.browser import PREVIEW_CELL, ROLL_BUTTON, OpenScreen, Screen, Server

ANIMATED = """() => [...new Set(document.getAnimations()
  .filter((one) => one.effect.target?.matches?.(".die"))
  .flatMap((one) => one.effect.getKeyframes().flatMap(Object.keys)))]
  .filter((name) => !["offset", "computedOffset", "easing", "composite"].includes(name))"""
ARE_ASKEW = """() => {
  const dice = [...document.querySelectorAll(".die")];
  return new Set(dice.map((die) => getComputedStyle(die).rotate)).size > 1;
}"""
STAMP = "import('/static/celebration.js').then(({ stamp }) => stamp(document.querySelector('.tray'), 'alike'))"
CELEBRATIONS = """async () => {
  const { findCelebration } = await import("/static/celebration.js");
  const seen = (dice, bonus) => ({ view: { trays: [{ dice }], seats: [{ bonus }] } });
  return [
    findCelebration(seen([], 0), seen([4, 4, 4, 4, 4], 0), { event: "landed" }),
    findCelebration(seen([], 0), seen([4, 4, 4, 4, 5], 0), { event: "landed" }),
    findCelebration(seen([], 0), seen([], 50), null),
    findCelebration(null, seen([4, 4, 4, 4, 4], 50), null),
  ];
}"""


PIPS = """dice => dice.map((die) =>
  [...die.querySelectorAll("i")].filter((pip) => getComputedStyle(pip).visibility === "visible").length)"""


def begin(one: Screen, server: Server) -> Screen:
    return one.open_home(server.url).choose_edition("tactic-xl-yatzy").start_shared_game("Ada").skip_guide()


def test_dice_are_rolled_by_transform_and_opacity_alone_and_land_askew(screen: OpenScreen, server: Server) -> None:
    one = begin(screen(reduced_motion="no-preference"), server)
    one.press(ROLL_BUTTON)
    one.wait_for(".die:not(.blank)")
    moved = one.page.evaluate(ANIMATED)
    assert set(moved) <= {"transform", "opacity", "rotate"}, moved
    one.page.wait_for_function(ARE_ASKEW)


@pytest.mark.rest
def test_kept_dice_slide_to_a_rail_and_the_dice_lie_there_after_the_turn(screen: OpenScreen, server: Server) -> None:
    one = begin(screen(), server)
    one.roll()
    faces = one.find(".die").evaluate_all(PIPS)
    one.press("[data-die='0']")
    expect(one.find("[data-die='0'].kept")).to_have_count(1)
    kept, loose = one.find("[data-die='0']").bounding_box(), one.find("[data-die='1']").bounding_box()
    assert kept
    assert loose
    assert kept["y"] > loose["y"] + loose["height"] * 0.8
    one.score()
    expect(one.find(".die.lying")).to_have_count(5)
    shown = one.find(".die").evaluate_all(PIPS)
    assert shown == faces
    assert "not rolled" in one.read_dice()[0]


@pytest.mark.rest
def test_joy_is_stamped_on_the_felt_and_a_tap_takes_it_away(screen: OpenScreen, server: Server) -> None:
    one = begin(screen("phone"), server)
    assert one.page.evaluate(CELEBRATIONS) == ["alike", None, "bonus", None]
    one.page.evaluate(STAMP)
    expect(one.find(".stamp")).to_have_text("All alike!")
    one.press_at(".status")
    expect(one.find(".stamp")).to_have_count(0)


@pytest.mark.rest
def test_sound_is_in_the_menu_of_the_table(screen: OpenScreen, server: Server) -> None:
    one = begin(screen("phone"), server)
    one.press(".bar [data-act=more]")
    one.press(".menu [data-act=sound]")
    one.press(".bar [data-act=more]")
    expect(one.find(".menu [data-act=sound]")).to_have_text("Turn off sound and vibration")
    one.page.keyboard.press("Escape")
    one.press(ROLL_BUTTON)
    one.wait_for(PREVIEW_CELL)
