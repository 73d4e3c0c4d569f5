"""People at the table in the browser: what is said to you, remarks in one tap, another name in the middle of a game."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser import ROLL_BUTTON, OpenScreen, Server

YATZY = "tactic-xl-yatzy"


def test_you_are_spoken_to_and_others_are_named_and_a_remark_is_one_tap(screen: OpenScreen, server: Server) -> None:
    ada = screen("phone").open_home(server.url).choose_edition(YATZY).open_room("Ada")
    ben = screen("phone")
    ben.page.goto(ada.page.url)
    ben.take_seat("Ben")
    ada.press("[data-act=start]")
    for one in (ada, ben):
        one.wait_for(ROLL_BUTTON, ".tray.theirs")
    first, other = (ada, ben) if ada.is_visible(ROLL_BUTTON) else (ben, ada)
    name = "Ada" if first is ada else "Ben"
    first.press(ROLL_BUTTON)
    expect(first.find(".status")).to_contain_text(re.compile("^You roll "))
    expect(other.find(".status")).to_contain_text(name)
    assert not first.is_visible(".reaction")
    other.press("[data-remark=lucky]")
    for one in (first, other):
        expect(one.find(".bubble")).to_have_text("Lucky!")


@pytest.mark.rest
def test_a_player_changes_their_name_during_the_game_and_everybody_sees_it(screen: OpenScreen, server: Server) -> None:
    ada = screen().open_home(server.url).choose_edition(YATZY).start_shared_game("Ada", "Ben")
    eye = screen()
    eye.page.goto(ada.page.url)
    eye.wait_for("knobel-table .tray")
    ada.press(".board thead [data-seat='1'] button")
    ada.press(".menu [data-act=rename]")
    ada.find("dialog [data-field=text]").fill("Benjamin")
    ada.press("dialog [data-act=yes]")
    for one in (ada, eye):
        expect(one.find(".board thead [data-seat='1']")).to_contain_text("Benjamin")
    ada.page.reload()
    expect(ada.find(".board thead [data-seat='1']")).to_contain_text("Benjamin")
