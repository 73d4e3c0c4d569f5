"""Other tables and other eyes in the browser: games of rounds, spectators, the big screen, the children's view."""

import re
import time
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError, expect

from knobel.record.verify import verify
from tests.browser import GO_ON, LAST, PATIENCE, THROW, YES, Opener, Screen, Server, Size

CHICAGO = "carlit-chicago"
STAND = ".stand"
CHIPS = 3


def chips(one: Screen) -> int:
    """Count all chips on the table."""
    return one.find(".dish .token:not(.gap), .chips-held .token").count()


def press(one: Screen, selector: str) -> None:
    """Press something that is there, and wait until the table has changed; who presses too soon presses again."""
    before = one.state()
    for _ in range(20):
        with suppress(TimeoutError):
            one.press(selector, 500)
        with suppress(AssertionError):
            expect(one.find("knobel-table")).not_to_have_text(before, use_inner_text=True, timeout=500)
            return
    raise AssertionError(selector)


def play_rounds(one: Screen) -> int:
    """Play to the end for everybody at this screen."""
    moves = 0
    while True:
        one.await_(THROW, STAND, GO_ON, LAST)
        assert chips(one) == CHIPS
        if one.sees(LAST):
            return moves
        if one.sees(GO_ON):
            press(one, GO_ON)
        elif one.sees(STAND):
            press(one, f"[data-act=stand-{'over' if moves % 2 else 'under'}], [data-act=stand]")
        else:
            press(one, f"{THROW}, {STAND}")
        moves += 1
        assert moves < 3000


def shown(one: Screen) -> list[str]:
    """What lies on the table, apart from what is said about it."""
    return [one.find(part).inner_text() for part in (".middle", ".players", ".sum-says", ".stands")]


def ended_and_verified(one: Screen, seats: int) -> None:
    """Agree on the end; the ranking is whole, and the record verifies."""
    one.finish()
    assert one.find(".ranking li").count() == seats
    verdict = verify(one.record(), "downloaded.knobel")
    assert verdict.is_verified, verdict.why


@pytest.mark.parametrize(("size", "names"), [("phone", ("Ada", "Ben")), ("desktop", ("Ada", "Ben"))])
def test_chicago_is_played_round_one_screen_to_its_end(
    screen: Opener, house: Server, size: Size, names: tuple[str, ...]
) -> None:
    one = screen(size).home(house.url).unpack(CHICAGO).pass_round(*names)
    play_rounds(one)
    ended_and_verified(one, len(names))
    if size == "phone":
        one.press(".log summary")
    assert one.find(".log tbody tr").count() >= 1
    assert one.find(".log td.loser, .log td:has-text('leaves')").count() >= 1


def test_chicago_alone_against_a_full_pub(screen: Opener, house: Server) -> None:
    one = screen().home(house.url).unpack(CHICAGO)
    one.pick("[data-field=bots]", "15")
    one.against_bot()
    assert one.find(".players tbody tr").count() == 16
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 1280
    for _ in range(6):
        one.await_(THROW, GO_ON)
        press(one, f"{GO_ON}, {THROW}")
    one.press(".bar [data-act=more]")
    one.press(".menu [data-act=stop]")
    one.press(YES)
    one.await_(".end [data-act=record]")


def test_the_opener_announces_and_the_others_see_it(screen: Opener, house: Server) -> None:
    ada = screen("phone").home(house.url).unpack(CHICAGO).invite("Ada")
    ben = screen("phone")
    ben.page.goto(ada.page.url)
    ben.sit("Ben")
    ada.press("[data-act=start]")
    people = {"Ada": ada, "Ben": ben}
    for one in people.values():
        one.await_(".rounds .players")
    while not ada.sees(".players tr.opens"):
        thrower = next((one for one in people.values() if one.sees(THROW)), None)
        if thrower is None:
            continue
        press(thrower, THROW)
    name = re.match(r"(\w+) opens", ada.find(".slip").inner_text())
    assert name, ada.find(".slip").inner_text()
    opener, other = people[name[1]], next(one for who, one in people.items() if who != name[1])
    press(opener, THROW)
    opener.await_(STAND)
    assert not other.sees(STAND)
    total = re.search(r"\d+", opener.find(".sum-says").inner_text())
    assert total
    opener.press("[data-act=stand-under]")
    expect(other.find(".slip")).to_have_text(f"Roll under {total[0]}")
    expect(other.find(f"{THROW} .left b:not([hidden])")).to_have_count(1)
    expect(other.find(".players tr.opens .made")).to_contain_text(f"{total[0]}under")


def test_the_announcement_can_be_taken_back_until_dice_fall(screen: Opener, house: Server) -> None:
    one = screen().home(house.url).unpack(CHICAGO).pass_round("Ada", "Ben")
    while not one.sees(STAND):
        one.await_(THROW)
        press(one, THROW)
    before = shown(one)
    one.press("[data-act=stand-over]")
    expect(one.find(".slip")).to_contain_text("Roll over")
    one.press("[data-act=undo]")
    one.await_(STAND)
    assert shown(one) == before


def test_a_spectator_by_link_sees_all_and_can_do_nothing(screen: Opener, house: Server) -> None:
    one = screen("phone").home(house.url).unpack("noris-yatzy").pass_round("Ada", "Ben")
    eye = screen()
    eye.page.goto(one.page.url)
    eye.await_("knobel-table .tray")
    expect(eye.find(".where span")).to_contain_text("You are watching")
    expect(one.find(".where span")).to_contain_text("1 watching")
    sent: list[str] = []
    eye.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    eye.page.reload()
    eye.await_("knobel-table .tray")
    one.press(THROW)
    one.await_(".cell.pre")
    assert eye.find(".cell, .stand").count() == 0
    expect(eye.find(".die:not(.blank)")).to_have_count(5)
    assert eye.dice() == one.dice()
    for selector in (".die", ".tray .throw", ".block td"):
        eye.poke(selector)
    eye.page.keyboard.press("Space")
    eye.page.keyboard.press("u")
    assert [message for message in sent if '"want"' in message] == []


def test_a_spectator_sees_the_end_and_then_may_take_a_chair(screen: Opener, house: Server) -> None:
    one = screen("phone").home(house.url).unpack(CHICAGO).pass_round("Ada", "Ben")
    eye = screen("phone")
    eye.page.goto(one.page.url)
    eye.await_("knobel-table .tray")
    play_rounds(one)
    one.finish()
    expect(eye.find(".ranking li")).to_have_count(2)
    assert not eye.sees("[data-act=rematch]")
    eye.press(".end [data-act=lobby]")
    eye.sit("Zoe")
    one.press(".end [data-act=lobby]")
    expect(one.find(".plate").get_by_text("Zoe")).to_be_visible()


def test_the_big_screen_shows_everything_and_touches_nothing(screen: Opener, house: Server) -> None:
    one = screen().home(house.url).unpack("mb-yahtzee").invite("Ada")
    big = Screen(one.page.context.new_page(), touch=False)
    big.houses = one.houses
    big.page.set_viewport_size({"width": 1920, "height": 1080})
    big.page.goto(f"{one.page.url}/screen")
    big.await_(".qr", "[data-code]")
    for part in ("[data-act=start]", ".seating"):
        expect(big.find(part).first).to_be_hidden()
    one.page.bring_to_front()
    one.press("[data-act=add-bot]")
    expect(big.find(".plate")).to_have_count(2)
    one.press("[data-act=start]")
    big.await_(".block")
    while not one.sees(".cell.pre"):
        one.await_(THROW, GO_ON)
        press(one, f"{GO_ON}, {THROW}")
    big.page.bring_to_front()
    expect(big.find(".die:not(.blank)")).to_have_count(5)
    assert big.find(".cell").count() == 0
    assert not big.sees(".tray .throw, [data-act=undo]")
    row, usual = big.find(".line").first.bounding_box(), one.find(".line").first.bounding_box()
    assert row is not None
    assert usual is not None
    assert row["height"] > usual["height"] * 1.2
    foot = big.find("tfoot").bounding_box()
    assert foot is not None
    assert foot["y"] + foot["height"] <= 1080
    assert big.page.evaluate("document.documentElement.scrollWidth") <= 1920
    big.check()


def width(one: Screen) -> float:
    """How wide the first die is."""
    at = one.find(".die").first.bounding_box()
    assert at is not None
    return at["width"]


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_childrens_view_has_large_digits_at_once(screen: Opener, house: Server, size: Size) -> None:
    one = screen(size).home(house.url).unpack("mb-yahtzee").pass_round("Ada").skip_guide()
    one.press(THROW)
    one.await_(".cell.pre")
    usual = width(one)
    one.settings()
    one.find("[data-setting=view] input[value=children]").check()
    one.press("dialog [data-act=close]")
    expect(one.find(".die.digits")).to_have_count(5)
    # The style of this view is fetched when it is chosen first.
    until = time.monotonic() + PATIENCE / 1000
    while width(one) <= usual and time.monotonic() < until:
        one.page.wait_for_timeout(20)
    assert width(one) > usual
    assert one.page.evaluate("document.documentElement.scrollWidth") <= (390 if size == "phone" else 1280)
    one.choose()
