"""The end of a game in the browser: a sentence of the coach, figures that count up, the result as a picture."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browser import OpenScreen, Screen, Server

TWO_DICE = Path(__file__).parents[2] / "examples" / "house-rules" / "two-dice.toml"
COUNTED = """async () => {
  const { countUp } = await import("/static/celebration.js");
  const figure = document.createElement("b");
  figure.append("248", document.createElement("svg"));
  document.body.append(figure);
  countUp([figure]);
  const first = figure.textContent;
  document.dispatchEvent(new PointerEvent("pointerdown"));
  await new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)));
  return [first, figure.textContent];
}"""
PNG, LEAST_BYTES = b"\x89PNG", 10_000


def finish(one: Screen, server: Server) -> Screen:
    """Play a short game of a family's own rules to its end, alone."""
    one.open_home(server.url).upload_house_rules(TWO_DICE).start_shared_game("Ada")
    one.play_to_end()
    one.confirm_end()
    return one


def test_the_end_has_the_coachs_sentence_once_there_is_a_book_and_shares_a_picture(
    screen: OpenScreen, server: Server
) -> None:
    one = finish(screen("phone"), server)
    one.press("[data-act=share]")
    with one.page.expect_download() as saved:
        one.press(".menu [data-act=share-picture]")
    picture = Path(saved.value.path()).read_bytes()
    assert (picture[:4], len(picture) > LEAST_BYTES) == (PNG, True)
    room = one.page.url
    one.press(".end [data-act=review]")
    one.wait_for("[data-ledger]")
    one.page.goto(room)
    expect(one.find(".coach-line")).not_to_be_empty()


@pytest.mark.rest
def test_figures_count_up_and_a_tap_ends_it(screen: OpenScreen, server: Server) -> None:
    one = screen(reduced_motion="no-preference").open_home(server.url)
    first, last = one.page.evaluate(COUNTED)
    assert (int(first) < 248, last) == (True, "248")
    still = screen().open_home(server.url)
    assert still.page.evaluate(COUNTED) == ["248", "248"]
