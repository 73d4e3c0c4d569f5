"""The game in the browser, as people play it: fingers, mouse, keys, phones that sleep, houses that fall over."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from knobel.record.verify import verify
from knobel.rules import edition_ids, load_edition
from knobel.web.serve import find_lan_address
from tests.browser import (
    CALL,
    GO_ON,
    LAST,
    LOST,
    PREVIEW,
    ROLL_OFF,
    THROW,
    YES,
    Opener,
    Screen,
    Server,
    Size,
)

SHEETS = [edition for edition in edition_ids() if load_edition(edition).family == "sheet"]
SHORT = """
title = "Short"
dice = 5
faces = 6
rolls = 3
sheet = ["five", "all"]
[boxes.five]
pattern = "group"
size = 5
points = 50
names = {en = "Five"}
[boxes.all]
pattern = "sum"
counts = "all"
names = {en = "All"}
"""
"""A game of two turns: one box that nearly never fits, one that always does."""
EIGHT = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gro", "Hans")


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """A file of house rules for a game that is soon over."""
    file = tmp_path / "short.toml"
    file.write_text(SHORT)
    return file


def alone(one: Screen, house: Server, edition: str = "tactic-xl-yatzy", **agreed: Any) -> Screen:
    """Sit down alone before a box."""
    return one.home(house.url).unpack(edition, **agreed).pass_round("Ada")


def to_the_end(one: Screen) -> None:
    """Play to the end; what the screen says is what the record proves."""
    one.play_on()
    one.finish()
    verdict = verify(one.record(), "downloaded.knobel")
    assert verdict.is_verified, verdict.why
    assert verdict.seeds == 1
    assert verdict.rolls >= one.find(".line").count()


def left(one: Screen) -> int:
    """Count the throws that are left, as the button shows them."""
    return one.find(".throw .left b.on").count()


@pytest.mark.parametrize("size", [pytest.param("phone", marks=pytest.mark.torture), "desktop"])
@pytest.mark.parametrize("edition", SHEETS)
def test_every_box_is_played_to_its_end(screen: Opener, house: Server, edition: str, size: Size) -> None:
    to_the_end(alone(screen(size), house, edition))


@pytest.mark.parametrize("size", [pytest.param("phone", marks=pytest.mark.torture), "desktop"])
def test_the_danish_text_is_played_by_announcing(screen: Opener, house: Server, size: Size) -> None:
    one = alone(screen(size), house, text="Danish")
    one.await_(CALL)
    one.poke(".tray .throw")
    expect(one.find(".die.blank")).to_have_count(5)
    to_the_end(one)


@pytest.mark.parametrize(
    ("size", "switches"),
    [("phone", {"locked_dice": "true"}), ("desktop", {"order": "from the top down", "must_fit": "true"})],
)
def test_what_was_switched_is_played(screen: Opener, house: Server, size: Size, switches: dict[str, str]) -> None:
    one = alone(screen(size), house, "hasbro-yahtzee", **switches)
    one.throw()
    if "order" in switches:
        assert list(one.previews()) == ["ones"]
    else:
        one.press("[data-die='0']")
        one.press(THROW)
        expect(one.find("[data-die='0']")).to_have_class(re.compile("locked"))
    one.choose()
    to_the_end(one)


def test_two_browsers_share_a_room_one_of_them_over_the_network(
    own_house: Callable[..., Server], screen: Opener
) -> None:
    address = find_lan_address()
    assert address, "this machine has no address in a network: ip address add 10.0.0.1/8 dev lo"
    server = own_house("--lan")
    host = screen("desktop").home(server.url).unpack("carlit-yatzy").invite("Ada")
    link = host.find("[data-link]").inner_text()
    assert link.startswith(f"http://{address}:{server.port}/room/")
    guest = screen("phone")
    guest.houses.add(address)
    guest.page.goto(link)
    assert not guest.page.evaluate("isSecureContext")
    guest.sit("Ben")
    expect(host.find(".plate").get_by_text("Ben")).to_be_visible()
    host.press("[data-act=start]")
    on, off = at_turn(host, guest)
    nothing_to_tap(on, off)
    while not host.sees(LAST):
        on, off = at_turn(on, off)
        on.throw()
        on.choose()
        expect(on.find(f".tray.theirs, {LAST}").locator("visible=true")).to_have_count(1)
        on, off = off, on
    guest.finish()
    totals = [[cell.text_content() for cell in one.find(".total td").all()] for one in (host, guest)]
    assert totals[0] == totals[1]
    assert verify(guest.record(), "guest.knobel").seeds == 2


def at_turn(*both: Screen) -> tuple[Screen, Screen]:
    """Tell whose turn it is, first, and who waits; where they throw for the start, they do."""
    one, other = both
    while True:
        for on, off in ((one, other), (other, one)):
            if on.sees(ROLL_OFF):
                before = on.state()
                on.press(ROLL_OFF)
                on.changed_from(before)
            elif on.sees(THROW):
                expect(off.find(".tray.theirs")).to_be_visible()
                return on, off
        one.await_(THROW, ".tray.theirs")


def nothing_to_tap(on: Screen, off: Screen) -> None:
    """Let somebody tap what he likes while it is not his turn: nothing happens."""
    for throws in (2, 1):
        before = on.state()
        assert off.find(f"{PREVIEW}, {CALL}, {THROW}, .die:not([aria-disabled])").count() == 0
        for thing in (".tray .throw", ".die"):
            off.poke(thing)
        off.poke(".line", 0.8)
        off.page.keyboard.press("Space")
        assert on.state() == before
        on.press(THROW)
        expect(on.find(".left b.on")).to_have_count(throws)
        expect(off.find(".left b.on")).to_have_count(throws)
        assert off.find(".die.kept").count() == 0
    on.choose()


def test_a_screen_is_passed_round_among_three(screen: Opener, house: Server, short: Path) -> None:
    one = screen("phone").home(house.url).own_rules(short).pass_round("Ada", "Ben", "Cleo")
    for name in ("Ada", "Ben", "Cleo") * 2:
        expect(one.find(".seats .now .name")).to_have_text(name)
        if one.sees("[data-act=pass]"):
            expect(one.find("[data-act=pass]")).to_contain_text(name)
            one.press("[data-act=pass]")
        one.throw()
        one.choose()
    one.finish()
    expect(one.find(".ranking li")).to_have_count(3)


def test_a_whole_game_is_played_by_keyboard_alone(screen: Opener, house: Server) -> None:
    one = screen().home(house.url)
    keys = one.page.keyboard
    tab_to(one, "[data-edition=hasbro-yahtzee]")
    keys.press("Enter")
    tab_to(one, "[data-way=round]")
    keys.press("Enter")
    tab_to(one, "[data-field=name]")
    keys.type("Ada")
    keys.press("Enter")
    tab_to(one, ".inside [data-act=start]")
    keys.press("Enter")
    one.await_(THROW)
    for turn in range(13):
        keys.press("Space")
        one.await_(PREVIEW)
        if turn < 2:
            keys.press("1")
            keys.press("3")
            expect(one.find(".die.kept")).to_have_count(2)
            keys.press("r")
            expect(one.find(".left b.on")).to_have_count(1)
        best = f"td.best > {PREVIEW}"
        walk_to(one, best if one.sees(best) else PREVIEW)
        keys.press("Enter")
        one.find(PREVIEW).first.wait_for(state="detached")
        if turn == 0:
            keys.press("u")
            one.await_(PREVIEW)
            walk_to(one, best)
            keys.press("Enter")
            one.find(PREVIEW).first.wait_for(state="detached")
    tab_to(one, LAST)
    keys.press("Enter")
    tab_to(one, "[data-act=rematch]")
    keys.press("Enter")
    one.await_(THROW)


def tab_to(one: Screen, selector: str, most: int = 40) -> None:
    """Press Tab until something has the focus, and shows it."""
    one.await_(selector)
    for _ in range(most):
        if focused(one, selector):
            return
        one.page.keyboard.press("Tab")
    pytest.fail(f"Tab never comes to {selector}")


def walk_to(one: Screen, selector: str) -> None:
    """Walk with the arrows until such a box has the focus."""
    for _ in range(40):
        if focused(one, selector):
            return
        one.page.keyboard.press("ArrowDown")
    pytest.fail(f"the arrows never come to {selector}")


def focused(one: Screen, selector: str) -> bool:
    """Tell whether something has the focus."""
    return bool(one.page.evaluate("at => document.activeElement.matches(at)", selector))


def test_a_reload_in_mid_turn_changes_nothing(screen: Opener, house: Server) -> None:
    one = alone(screen("phone"), house)
    one.throw()
    before, boxes = one.dice(), one.previews()
    one.page.reload()
    one.await_(PREVIEW)
    assert one.dice() == before
    assert one.previews() == boxes
    one.press(THROW)
    expect(one.find(".left b.on")).to_have_count(1)
    one.choose()


def test_a_phone_that_loses_the_network_goes_on_where_it_was(screen: Opener, house: Server) -> None:
    one = alone(screen("phone"), house)
    one.forgiven = LOST
    one.throw()
    before = one.dice()
    one.page.context.set_offline(True)
    one.press("[data-die='1']")
    one.press(THROW)
    one.page.context.set_offline(False)
    expect(one.find(".left b.on")).to_have_count(1)
    expect(one.find("#lost")).to_be_hidden()
    assert kept_word(one.dice()[1]) == kept_word(before[1])
    one.choose()


def kept_word(die: str) -> str:
    """The place and face a die tells, without whether it is kept."""
    return die.partition(",")[0]


def test_a_house_that_is_killed_and_opened_again_has_seat_and_game(
    own_house: Callable[..., Server], screen: Opener
) -> None:
    server = own_house()
    one = alone(screen("phone"), server)
    one.forgiven = LOST
    one.throw()
    before = one.dice()
    server.stop()
    expect(one.find("#lost")).to_be_visible()
    one.press(THROW)
    server.start()
    expect(one.find("#lost")).to_be_hidden()
    expect(one.find(".left b.on")).to_have_count(1)
    assert one.dice() != before
    one.choose()
    one.turn()
    expect(one.find(".cell.ink")).to_have_count(2)


def test_a_double_click_throws_once(screen: Opener, house: Server) -> None:
    one = alone(screen(), house).skip_guide()
    mouse = one.page.mouse
    at = one.find(THROW).bounding_box()
    assert at is not None
    mouse.move(at["x"] + 40, at["y"] + 20)
    for throws in (2, 1):
        for clicks in (1, 2):
            mouse.down(click_count=clicks)
            mouse.up(click_count=clicks)
            one.page.wait_for_timeout(60)
        expect(one.find(".left b.on")).to_have_count(throws)
        one.page.wait_for_timeout(450)  # what comes now is another press
        assert left(one) == throws
    one.choose()
    assert one.find(".cell.ink").count() == 1


def test_a_double_tap_throws_once(screen: Opener, house: Server) -> None:
    one = alone(screen("phone"), house).skip_guide()
    at = one.find(THROW).bounding_box()
    assert at is not None
    for _ in range(2):
        one.page.touchscreen.tap(at["x"] + 40, at["y"] + 20)
        one.page.wait_for_timeout(60)
    expect(one.find(".left b.on")).to_have_count(2)


def test_a_click_in_a_tab_that_sleeps_is_too_late(screen: Opener, house: Server) -> None:
    one = alone(screen(), house).skip_guide()
    other = Screen(one.page.context.new_page(), touch=False)
    held: list[str | bytes] = []
    asleep = False

    def between(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def heard(message: str | bytes) -> None:
            if asleep and '"is":"position"' in str(message):
                held.append(message)
            else:
                line.send(message)

        server.on_message(heard)
        lines.append(line)

    lines: list[WebSocketRoute] = []
    other.page.route_web_socket(re.compile("/ws"), between)
    other.page.goto(one.page.url)
    other.await_(THROW)
    asleep = True
    one.throw()
    other.press(THROW)
    expect(other.find(".toast")).to_be_visible()
    assert left(one) == 2
    asleep = False
    for message in held:
        lines[-1].send(message)
    other.await_(PREVIEW)
    assert other.dice() == one.dice()
    other.press(THROW)
    expect(one.find(".left b.on")).to_have_count(1)
    other.check()


def test_an_entry_is_taken_back_before_the_bot_moves(screen: Opener, house: Server) -> None:
    one = screen("phone").home(house.url).unpack("hasbro-yahtzee").against_bot().start()
    one.throw()
    before = one.dice(), one.previews()
    one.choose()
    assert one.find(".cell.ink").count() == 1
    one.await_(GO_ON)
    one.press("[data-act=undo]")
    one.await_(PREVIEW)
    assert (one.dice(), one.previews()) == before
    assert one.find(".cell.ink").count() == 0
    one.choose("chance")
    one.await_(GO_ON)
    one.start()
    expect(one.find("[data-act=undo]")).to_be_disabled()


def test_a_zero_is_asked_about_only_where_another_box_would_score(screen: Opener, house: Server, short: Path) -> None:
    one = screen("phone").home(house.url).own_rules(short).pass_round("Ada")
    one.throw()
    if one.previews()["five"] == 0:
        one.press(f"{PREVIEW}[data-box=five]")
        expect(one.find(".ask")).to_contain_text("Five")
        one.press(".ask [data-act=no]")
        assert one.find(".cell.ink").count() == 0
    one.choose("all")
    assert not one.sees(".ask")
    one.throw()
    one.choose("five")
    assert not one.sees(YES)
    one.await_(LAST)


def test_a_box_that_is_refused_says_why(screen: Opener, house: Server) -> None:
    one = alone(screen("phone"), house, text="Swedish").skip_guide()
    one.throw()
    while "chance" in one.previews():
        one.choose()
        one.throw()
    one.poke(".cell.refused[data-box=chance]")
    expect(one.find(".tip")).to_be_visible()
    assert len(one.find(".tip").inner_text()) > 20
    assert one.find(".cell.ink[data-box=chance]").count() == 0


def test_the_first_turn_is_guided_once(screen: Opener, house: Server) -> None:
    one = alone(screen("phone"), house)
    guide = one.find(".guide")
    expect(guide).to_have_attribute("data-step", "roll")
    one.throw()
    expect(guide).to_have_attribute("data-step", "keep")
    one.press("[data-die='0']")
    expect(guide).to_have_attribute("data-step", "again")
    one.press(THROW)
    expect(guide).to_have_attribute("data-step", "choose")
    one.choose()
    expect(guide).to_have_count(0)
    one.page.reload()
    one.throw()
    expect(guide).to_have_count(0)


def test_the_guide_can_be_skipped(screen: Opener, house: Server) -> None:
    one = alone(screen("phone"), house)
    one.skip_guide()
    expect(one.find(".guide")).to_have_count(0)
    one.page.reload()
    one.await_(THROW)
    expect(one.find(".guide")).to_have_count(0)


def test_light_and_dark_are_a_matter_of_choice_and_remembered(screen: Opener, house: Server) -> None:
    one = screen("phone", color_scheme="light").home(house.url)
    light = paper(one)
    for theme in ("dark", "auto"):
        one.settings()
        one.press(f"[data-setting=theme] label:has([value={theme}])")
        one.press("dialog [data-act=close]")
        assert (paper(one) == light) == (theme == "auto")
        one.page.reload()
        one.await_("[data-edition]")
        assert (paper(one) == light) == (theme == "auto")
    one.page.emulate_media(color_scheme="dark")
    assert paper(one) != light
    one.settings()
    one.press("[data-setting=theme] label:has([value=light])")
    assert paper(one) == light


def paper(one: Screen) -> tuple[str, str]:
    """The colours of a page and its letters."""
    read = "() => { const seen = getComputedStyle(document.body); return [seen.backgroundColor, seen.color] }"
    ground, ink = one.page.evaluate(read)
    return str(ground), str(ink)


def test_eight_players_fit_on_a_phone(screen: Opener, house: Server) -> None:
    one = screen("phone").home(house.url).unpack("carlit-yatzy").pass_round(*EIGHT)
    one.await_(THROW)
    for name in EIGHT:
        now = one.find(".seats .now")
        expect(now.locator(".name")).to_have_text(name)
        expect(now).to_be_in_viewport(ratio=0.95)
        one.turn()
    now = one.find(".seats .now")
    expect(now.locator(".name")).to_have_text("Ada")
    one.press(".seats [data-seat='5']")
    expect(one.find(".seats li.shown .name")).to_have_text("Finn")
    expect(one.find("td.shown.now")).to_have_count(0)
    one.press(".back")
    expect(one.find(".seats li.shown .name")).to_have_text("Ada")
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_nothing_moves_when_dice_are_thrown(screen: Opener, house: Server, size: Size) -> None:
    one = screen(size, reduced_motion="no-preference")
    alone(one, house).skip_guide()
    one.await_(THROW)
    before = places(one)
    one.press(THROW)
    one.await_(".tumbling")
    during = places(one)
    one.find(".tumbling").wait_for(state="detached")
    expect(one.find(PREVIEW).first).to_be_visible()
    after = places(one)
    one.press("[data-die='2']")
    kept = places(one)
    one.press(THROW)
    one.await_(".tumbling")
    one.find(".tumbling").wait_for(state="detached")
    again = places(one)
    one.choose()
    assert before == during == after == kept == again == places(one)


def places(one: Screen) -> list[list[float]]:
    """Where the rows of the sheet, the dice's bed and the button are."""
    read = "all => all.map(one => { const at = one.getBoundingClientRect(); return [at.x, at.y, at.width, at.height] })"
    return [list(map(float, at)) for at in one.find(".block tr, .bed, .tray, .doing, .bar").evaluate_all(read)]


def test_games_that_stand_for_themselves_are_listed_and_not_added_up(
    screen: Opener, house: Server, short: Path
) -> None:
    one = screen().home(house.url).own_rules(short)
    one.pick(".inside [data-field=games]", "2 games")
    one.pass_round("Ada", "Ben")
    for game in (1, 2):
        one.play_on()
        one.finish()
        expect(one.find(".evening thead th")).to_have_count(1 + game)
        expect(one.find(".evening tbody td")).to_have_count(2 * game)
        if game == 1:
            one.press("[data-act=rematch]")
            one.await_(THROW)
    expect(one.find(".evening .sum")).to_have_count(0)
    expect(one.find(".evening tbody th")).to_have_text(["Ada", "Ben"])


def test_a_series_goes_on_in_the_same_room_and_then_again(screen: Opener, house: Server, short: Path) -> None:
    short.write_text(f'series = "agreed"\n{SHORT}')
    one = screen().home(house.url).own_rules(short)
    one.pick(".inside [data-field=games]", "2 games")
    one.pass_round("Ada", "Ben")
    room = one.page.url
    for game in (1, 2):
        one.play_on()
        one.finish()
        expect(one.find(".evening thead th")).to_have_count(2 + game)
        if game == 1:
            one.press("[data-act=rematch]")
            one.await_(THROW)
    sums = [int(cell.inner_text()) for cell in one.find(".evening .sum").all()]
    assert sums == sorted(sums, reverse=True)
    one.press("[data-act=rematch]")
    one.await_(THROW)
    assert one.page.url == room
    assert one.find(".cell.ink").count() == 0
    one.play_on()
    one.finish()
    one.press(".end [data-act=lobby]")
    one.await_("knobel-lobby .chair")


def test_home_offers_to_go_on_first(screen: Opener, house: Server) -> None:
    one = alone(screen("phone"), house, "carlit-yatzy")
    one.turn()
    total, room = one.total(), one.page.url
    one.press(".bar .mark")
    one.await_("[data-act=continue]")
    going, lid = (one.find(at).first.bounding_box() for at in ("[data-act=continue]", ".lid"))
    assert going
    assert lid
    assert going["y"] < lid["y"]
    one.press("[data-act=continue]")
    one.await_(THROW)
    assert (one.total(), one.page.url) == (total, room)
    one.turn()


def test_a_spoken_code_leads_into_the_room_and_who_comes_in_disturbs_nobody(screen: Opener, house: Server) -> None:
    host = screen()
    host.page.context.add_init_script("""localStorage["knobel.prefs"] ??= JSON.stringify({ known: ["Ben"] });""")
    host.home(house.url).unpack("noris-yatzy").invite("Ada")
    expect(host.find(".plate")).to_have_count(1)
    expect(host.find(".seating [data-name=Ben]")).to_be_visible()
    host.find(".seating [data-field=bot]").select_option("random")
    host.write(".seating [data-field=name]", "Cle")
    code = str(host.find("[data-code]").get_attribute("data-code"))
    guest = screen("phone").home(house.url)
    guest.forgiven = ("status of 404",)
    guest.write("[data-field=code]", "aaaa aaaa")
    guest.press("[data-act=join]")
    expect(guest.find(".toast")).to_be_visible()
    guest.find("[data-field=code]").clear()
    guest.write("[data-field=code]", f"{code[:4].lower()} {code[4:].lower()}")
    guest.press("[data-act=join]")
    guest.sit("Ben")
    expect(host.find(".plate").get_by_text("Ben")).to_be_visible()
    expect(host.find(".seating [data-name=Ben]")).to_be_hidden()
    expect(host.find(".seating [data-field=bot]")).to_have_value("random")
    expect(host.find(".seating [data-field=name]")).to_have_value("Cle")
    host.press("[data-act=start]")
    for one in (host, guest):
        one.await_(THROW, ".tray.theirs")


def test_the_room_has_a_host_again_when_the_host_is_gone(own_house: Callable[..., Server], screen: Opener) -> None:
    host = screen().home(own_house(quick=True).url).unpack("carlit-yatzy").invite("Ada")
    guest = screen("phone")
    guest.page.goto(host.page.url)
    guest.sit("Ben")
    expect(guest.find("[data-act=start]")).to_be_hidden()
    host.page.close()
    expect(guest.find("[data-act=start]")).to_be_visible()
    guest.press("[data-act=start]")
    guest.await_("knobel-table .tray", ".ask")
