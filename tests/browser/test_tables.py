"""Other tables and other eyes in the browser: games of rounds, spectators, the big screen, the children's view."""

import re

import pytest
from playwright.sync_api import expect

from knobel.record.verify import verify
from tests.support.browser import (
    CONFIRM_BUTTON,
    CONTINUE_BUTTON,
    END_BUTTON,
    ROLL_BUTTON,
    OpenScreen,
    Screen,
    Server,
    Size,
)
from tests.support.selection import rest
from tests.support.waiting import poll_until

CHICAGO = "carlit-chicago"
STAND = ".stand"
CHIPS = 3
READ_HEAD = """() => document.querySelector("knobel-table").position.view.head"""
"""The last event the table shows."""
FORGET_PRESS = """async () => (await import("/static/press-guard.js")).forgetPress()"""
"""However soon the next press comes, the page does not take it for the second half of the last one."""


def chips(one: Screen) -> int:
    """Count all chips on the table."""
    return one.find(".kitty-chips .token:not(.gap), .chips-held .token").count()


def press(one: Screen, selector: str) -> None:
    """Press something once, as a press of its own, say yes if asked, and wait until the table shows what came of it."""
    before = one.page.evaluate(READ_HEAD)
    one.page.evaluate(FORGET_PRESS)
    one.press(selector)
    if one.is_visible(CONFIRM_BUTTON):
        one.press(CONFIRM_BUTTON)
    one.page.wait_for_function(f"before => ({READ_HEAD})() !== before", arg=before)


def play_step(one: Screen, moves: int) -> None:
    """Do what is asked for next at this screen: go on, roll, or stand."""
    if one.is_visible(CONTINUE_BUTTON):
        one.hurry_bot()
    elif one.is_visible(STAND):
        press(one, f"[data-act=stand-{'over' if moves % 2 else 'under'}], [data-act=stand]")
    else:
        press(one, f"{ROLL_BUTTON}, {STAND}")


def play_rounds(one: Screen) -> int:
    """Play to the end for everybody at this screen."""
    moves = 0
    while True:
        one.wait_for(ROLL_BUTTON, STAND, CONTINUE_BUTTON, END_BUTTON)
        assert chips(one) == CHIPS
        if one.is_visible(END_BUTTON):
            return moves
        play_step(one, moves)
        moves += 1
        assert moves < 3000


def shown(one: Screen) -> list[str]:
    """What lies on the table, apart from what is said about it."""
    return [one.find(part).inner_text() for part in (".middle", ".players", ".sum-line", ".stand-buttons")]


def ended_and_verified(one: Screen, seats: int) -> None:
    """Agree on the end; the ranking is whole, and the record verifies."""
    one.confirm_end()
    assert one.find(".ranking li").count() == seats
    verdict = verify(one.download_record(), "downloaded.knobel")
    assert verdict.is_verified, verdict.why


@pytest.mark.rest
@pytest.mark.parametrize(("size", "names"), [("phone", ("Ada", "Ben")), ("desktop", ("Ada", "Ben"))])
def test_chicago_is_played_round_one_screen_to_its_end(
    screen: OpenScreen, server: Server, size: Size, names: tuple[str, ...]
) -> None:
    one = screen(size).open_home(server.url).choose_edition(CHICAGO).start_shared_game(*names)
    play_rounds(one)
    ended_and_verified(one, len(names))
    if size == "phone":
        one.press(".log summary")
    assert one.find(".log tbody tr").count() >= 1
    assert one.find(".log td.loser, .log td:has-text('leaves')").count() >= 1


@pytest.mark.rest
def test_chicago_alone_against_a_full_pub(screen: OpenScreen, server: Server) -> None:
    one = screen().open_home(server.url).choose_edition(CHICAGO)
    one.select_option("[data-field=bots]", "15")
    one.start_bot_game()
    assert one.find(".players tbody tr").count() == 16
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 1280
    for moves in range(6):
        one.wait_for(ROLL_BUTTON, STAND, CONTINUE_BUTTON)
        play_step(one, moves)
    one.press(".bar [data-act=more]")
    one.press(".menu [data-act=stop]")
    one.press(CONFIRM_BUTTON)
    one.wait_for(".end [data-act=review]")


@pytest.mark.rest
def test_the_opener_announces_and_the_others_see_it(screen: OpenScreen, server: Server) -> None:
    ada = screen("phone").open_home(server.url).choose_edition(CHICAGO).open_room("Ada")
    ben = screen("phone")
    ben.page.goto(ada.page.url)
    ben.take_seat("Ben")
    ada.press("[data-act=start]")
    people = {"Ada": ada, "Ben": ben}
    for one in people.values():
        one.wait_for(".rounds .players")
    while not ada.is_visible(".players tr.opens"):
        thrower = next((one for one in people.values() if one.is_visible(ROLL_BUTTON)), None)
        if thrower is None:
            continue
        press(thrower, ROLL_BUTTON)
    name = re.match(r"(\w+) opens", ada.find(".prompt").inner_text())
    assert name, ada.find(".prompt").inner_text()
    opener, other = people[name[1]], next(one for who, one in people.items() if who != name[1])
    press(opener, ROLL_BUTTON)
    opener.wait_for(STAND)
    assert not other.is_visible(STAND)
    total = re.search(r"\d+", opener.find(".sum-line").inner_text())
    assert total
    opener.press("[data-act=stand-under]")
    expect(other.find(".prompt")).to_have_text(f"Roll under {total[0]}")
    expect(other.find(f"{ROLL_BUTTON} .left b:not([hidden])")).to_have_count(1)
    expect(other.find(".players tr.opens .round-cell")).to_contain_text(f"{total[0]}under")


@pytest.mark.rest
def test_the_announcement_can_be_taken_back_until_dice_fall(screen: OpenScreen, server: Server) -> None:
    one = screen().open_home(server.url).choose_edition(CHICAGO).start_shared_game("Ada", "Ben")
    while not one.is_visible(STAND):
        one.wait_for(ROLL_BUTTON)
        press(one, ROLL_BUTTON)
    before = shown(one)
    one.press("[data-act=stand-over]")
    expect(one.find(".prompt")).to_contain_text("Roll over")
    one.press("[data-act=undo]")
    one.wait_for(STAND)
    assert shown(one) == before


def test_a_spectator_by_link_sees_all_and_can_do_nothing(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).choose_edition("noris-yatzy").start_shared_game("Ada", "Ben")
    eye = screen()
    eye.page.goto(one.page.url)
    eye.wait_for("knobel-table .tray")
    expect(eye.find(".titles span")).to_contain_text("You are watching")
    expect(one.find(".titles span")).to_contain_text("1 watching")
    sent: list[str] = []
    eye.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    eye.page.reload()
    eye.wait_for("knobel-table .tray")
    one.press(ROLL_BUTTON)
    one.wait_for(".cell.preview")
    assert eye.find(".cell, .stand").count() == 0
    expect(eye.find(".die:not(.blank)")).to_have_count(5)
    assert eye.read_dice() == one.read_dice()
    for selector in (".die", ".tray .main-button", ".board td"):
        eye.press_at(selector)
    eye.page.keyboard.press("Space")
    eye.page.keyboard.press("u")
    assert [message for message in sent if '"want"' in message] == []


@pytest.mark.rest
def test_a_spectator_sees_the_end_and_then_may_take_a_seat(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).choose_edition(CHICAGO).start_shared_game("Ada", "Ben")
    eye = screen("phone")
    eye.page.goto(one.page.url)
    eye.wait_for("knobel-table .tray")
    play_rounds(one)
    one.confirm_end()
    expect(eye.find(".ranking li")).to_have_count(2)
    assert not eye.is_visible("[data-act=rematch]")
    eye.open_more().press(".end [data-act=lobby]")
    eye.take_seat("Zoe")
    one.open_more().press(".end [data-act=lobby]")
    expect(one.find(".seat-name").get_by_text("Zoe")).to_be_visible()


@pytest.mark.rest
def test_the_big_screen_shows_everything_and_touches_nothing(screen: OpenScreen, server: Server) -> None:
    one = screen().open_home(server.url).choose_edition("mb-yahtzee").open_room("Ada")
    big = Screen(one.page.context.new_page(), touch=False)
    big.servers = one.servers
    big.page.set_viewport_size({"width": 1920, "height": 1080})
    big.page.goto(f"{one.page.url}/screen")
    big.wait_for(".qr", "[data-code]")
    for part in ("[data-act=start]", ".seating"):
        expect(big.find(part).first).to_be_hidden()
    one.page.bring_to_front()
    one.add_bot()
    expect(big.find(".seat-name")).to_have_count(2)
    one.press("[data-act=start]")
    big.wait_for(".board")
    one.play_until_own_turn().roll()
    big.page.bring_to_front()
    expect(big.find(".die:not(.blank)")).to_have_count(5)
    assert big.find(".cell").count() == 0
    assert not big.is_visible(".tray .main-button, [data-act=undo]")
    row, usual = big.find(".line").first.bounding_box(), one.find(".line").first.bounding_box()
    assert row is not None
    assert usual is not None
    assert row["height"] > usual["height"] * 1.1
    foot = big.find("tfoot").bounding_box()
    assert foot is not None
    assert foot["y"] + foot["height"] <= 1080
    assert big.page.evaluate("document.documentElement.scrollWidth") <= 1920
    big.check_problems()


def width(one: Screen) -> float:
    """How wide the first die is."""
    at = one.find(".die").first.bounding_box()
    assert at is not None
    return at["width"]


@pytest.mark.rest
@pytest.mark.parametrize("size", ["phone", rest("desktop")])
def test_the_childrens_view_has_large_digits_at_once(screen: OpenScreen, server: Server, size: Size) -> None:
    one = screen(size).open_home(server.url).choose_edition("mb-yahtzee").start_shared_game("Ada").skip_guide()
    one.press(ROLL_BUTTON)
    one.wait_for(".cell.preview")
    usual = width(one)
    one.open_settings()
    one.find("[data-setting=view] input[value=children]").check()
    one.press("dialog [data-act=close]")
    expect(one.find(".die.digits")).to_have_count(5)
    # The style of this view is fetched when it is chosen first.
    poll_until(lambda: width(one) > usual)
    assert one.page.evaluate("document.documentElement.scrollWidth") <= (390 if size == "phone" else 1280)
    one.score()
