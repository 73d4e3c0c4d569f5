"""The game in the browser, as people play it: fingers, mouse, keys, phones that sleep, servers that fall over."""

import logging
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from knobel.record.verify import verify
from knobel.rules import edition_ids, load_edition
from knobel.web.options import find_lan_address
from tests.support.browser import (
    ANNOUNCE_CELL,
    CONFIRM_BUTTON,
    CONNECTION_LOST,
    CONTINUE_BUTTON,
    END_BUTTON,
    PREVIEW_CELL,
    QUICK_AWAY,
    ROLL_BUTTON,
    ROLL_OFF_BUTTON,
    TURN_BUTTON,
    OpenScreen,
    Screen,
    Server,
    Size,
)
from tests.support.selection import rest
from tests.support.waiting import poll_until

LOG = logging.getLogger(__name__)
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


def alone(one: Screen, server: Server, edition: str = "tactic-xl-yatzy", **agreed: Any) -> Screen:
    """Start a game alone."""
    return one.open_home(server.url).choose_edition(edition, **agreed).start_shared_game("Ada")


def to_the_end(one: Screen) -> None:
    """Play to the end; what the screen says is what the record proves."""
    one.play_to_end()
    one.confirm_end()
    verdict = verify(one.download_record(), "downloaded.knobel")
    assert verdict.is_verified, verdict.why
    assert verdict.seeds == 1
    assert verdict.rolls >= one.find(".line").count()


def count_rolls_left(one: Screen) -> int:
    """Count the rolls that are left, as the button shows them."""
    return one.find(".main-button .left b.on").count()


@pytest.mark.rest
@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("edition", SHEETS)
def test_every_edition_is_played_to_its_end(screen: OpenScreen, server: Server, edition: str, size: Size) -> None:
    to_the_end(alone(screen(size), server, edition))


@pytest.mark.rest
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_danish_text_is_played_by_announcing(screen: OpenScreen, server: Server, size: Size) -> None:
    one = alone(screen(size), server, text="Danish")
    one.wait_for(ANNOUNCE_CELL)
    one.press_at(".tray .main-button")
    expect(one.find(".die.blank")).to_have_count(5)
    to_the_end(one)


@pytest.mark.rest
@pytest.mark.parametrize(
    ("size", "switches"),
    [("phone", {"locked_dice": "true"}), ("desktop", {"order": "from top to bottom", "must_fit": "true"})],
)
def test_what_was_switched_is_played(screen: OpenScreen, server: Server, size: Size, switches: dict[str, str]) -> None:
    one = alone(screen(size), server, "hasbro-yahtzee", **switches)
    one.roll()
    if "order" in switches:
        assert list(one.read_previews()) == ["ones"]
    else:
        one.press("[data-die='0']")
        one.press(ROLL_BUTTON)
        expect(one.find("[data-die='0']")).to_have_class(re.compile("locked"))
    one.score()
    to_the_end(one)


@pytest.mark.parametrize("turns", [3, rest(29)], ids=["stopped", "whole"])
def test_two_browsers_share_a_room_one_of_them_over_the_network(
    own_server: Callable[..., Server], screen: OpenScreen, record_property: Callable[[str, object], None], turns: int
) -> None:
    address = find_lan_address()
    proved = (
        f"by {address}, its address in the network" if address else "by its second local name only: it has no other"
    )
    record_property("the server was reached", proved)
    LOG.info("The server was reached %s.", proved)
    server = own_server("--lan")
    host = screen("desktop").open_home(server.url).choose_edition("carlit-yatzy").open_room("Ada")
    link = host.find("[data-link]").inner_text()
    assert link.startswith(f"http://{address or 'localhost'}:{server.port}/room/"), proved
    # A machine outside any network cannot show a page that is not secure: the second player comes by the other name.
    name = address or "127.0.0.1"
    other = screen("phone")
    other.servers.add(name)
    other.page.goto(link.replace("localhost", name))
    assert other.page.evaluate("isSecureContext") is (address is None), proved
    other.take_seat("Ben")
    expect(host.find(".seat-name").get_by_text("Ben")).to_be_visible()
    host.press("[data-act=start]")
    on, off = at_turn(host, other)
    nothing_to_tap(on, off)
    for _ in range(turns):
        on, off = at_turn(on, off)
        on.roll()
        on.score()
        expect(on.find(f".tray.theirs, {END_BUTTON}").locator("visible=true")).to_have_count(1)
    if on.is_visible(END_BUTTON):  # Whoever has written is the first to see it.
        other.confirm_end()
    else:
        host.press(".bar [data-act=more]")
        host.press(".menu [data-act=stop]")
        host.press(CONFIRM_BUTTON)
    for one in (host, other):
        one.wait_for(".end [data-act=review]")
    totals = [[cell.text_content() for cell in one.find(".total td").all()] for one in (host, other)]
    assert totals[0] == totals[1]
    assert verify(other.download_record(), "guest.knobel").seeds == 2


def at_turn(*both: Screen) -> tuple[Screen, Screen]:
    """Tell whose turn it is, first, and who waits; where they roll to see who starts, they do."""
    one, other = both
    while True:
        for on, off in ((one, other), (other, one)):
            if on.is_visible(ROLL_OFF_BUTTON):
                on.roll_to_start()
            elif on.is_visible(TURN_BUTTON):
                expect(off.find(".tray.theirs")).to_be_visible()
                return on, off
        one.wait_for(ROLL_BUTTON, ".tray.theirs")


def nothing_to_tap(on: Screen, off: Screen) -> None:
    """Let somebody tap what they like while it is not their turn: nothing happens."""
    for roll_count in (2, 1):
        before = on.read_table()
        assert off.find(f"{PREVIEW_CELL}, {ANNOUNCE_CELL}, {ROLL_BUTTON}, .die:not([aria-disabled])").count() == 0
        off.press_at(".die")
        off.press_at(".line", 0.8)
        off.page.keyboard.press("Space")
        assert on.read_table() == before
        on.press(ROLL_BUTTON)
        expect(on.find(".left b.on")).to_have_count(roll_count)
        expect(off.find(".left b.on")).to_have_count(roll_count)
        assert off.find(".die.kept").count() == 0
    on.score()


@pytest.mark.rest
def test_a_screen_is_passed_round_among_three(screen: OpenScreen, server: Server, short: Path) -> None:
    one = screen("phone").open_home(server.url).upload_house_rules(short).start_shared_game("Ada", "Ben", "Cleo")
    for name in ("Ada", "Ben", "Cleo") * 2:
        expect(one.find(".seats .now .name")).to_have_text(name)
        if one.is_visible("[data-act=pass]"):
            expect(one.find("[data-act=pass]")).to_contain_text(name)
            one.press("[data-act=pass]")
        one.roll()
        one.score()
    one.confirm_end()
    expect(one.find(".ranking li")).to_have_count(3)


def test_a_whole_game_is_played_by_keyboard_alone(screen: OpenScreen, server: Server) -> None:
    one = screen().open_home(server.url)
    keys = one.page.keyboard
    tab_to(one, "[data-edition=hasbro-yahtzee]")
    keys.press("Enter")
    tab_to(one, "[data-mode=round]")
    keys.press("Enter")
    tab_to(one, "[data-field=name]")
    keys.type("Ada")
    keys.press("Enter")
    tab_to(one, ".edition-panel [data-act=start]")
    keys.press("Enter")
    one.wait_for(ROLL_BUTTON)
    for turn in range(13):
        one.wait_for(ROLL_BUTTON)
        keys.press("Space")
        one.wait_for(PREVIEW_CELL)
        if turn < 2:
            keys.press("1")
            keys.press("3")
            expect(one.find(".die.kept")).to_have_count(2)
            keys.press("r")
            expect(one.find(".left b.on")).to_have_count(1)
        best = f"td.best > {PREVIEW_CELL}"
        walk_to(one, best if one.is_visible(best) else PREVIEW_CELL)
        keys.press("Enter")
        one.find(PREVIEW_CELL).first.wait_for(state="detached")
        if turn == 0:
            keys.press("u")
            one.wait_for(PREVIEW_CELL)
            walk_to(one, best)
            keys.press("Enter")
            one.find(PREVIEW_CELL).first.wait_for(state="detached")
    tab_to(one, END_BUTTON)
    keys.press("Enter")
    tab_to(one, "[data-act=rematch]")
    keys.press("Enter")
    one.wait_for(ROLL_BUTTON)


def tab_to(one: Screen, selector: str, most: int = 40) -> None:
    """Press Tab until something has the focus, and shows it."""
    one.wait_for(selector)
    for _ in range(most):
        if is_focused(one, selector):
            return
        one.page.keyboard.press("Tab")
    pytest.fail(f"Tab never comes to {selector}")


def walk_to(one: Screen, selector: str) -> None:
    """Walk with the arrows until such a box has the focus."""
    for _ in range(40):
        if is_focused(one, selector):
            return
        one.page.keyboard.press("ArrowDown")
    pytest.fail(f"the arrows never come to {selector}")


def is_focused(one: Screen, selector: str) -> bool:
    """Tell whether something has the focus."""
    return bool(one.page.evaluate("at => document.activeElement.matches(at)", selector))


def test_a_reload_in_mid_turn_changes_nothing(screen: OpenScreen, server: Server) -> None:
    one = alone(screen("phone"), server)
    one.roll()
    before, boxes = one.read_dice(), one.read_previews()
    one.page.reload()
    one.wait_for(PREVIEW_CELL)
    assert one.read_dice() == before
    assert one.read_previews() == boxes
    one.press(ROLL_BUTTON)
    expect(one.find(".left b.on")).to_have_count(1)
    one.score()


def test_a_phone_that_loses_the_network_goes_on_where_it_was(screen: OpenScreen, server: Server) -> None:
    one = alone(screen("phone"), server)
    one.expected_problems = CONNECTION_LOST
    one.roll()
    before = one.read_dice()
    one.page.context.set_offline(True)
    one.press("[data-die='1']")
    one.press(ROLL_BUTTON)
    one.page.context.set_offline(False)
    expect(one.find(".left b.on")).to_have_count(1)
    expect(one.find("#lost")).to_be_hidden()
    assert read_place_and_face(one.read_dice()[1]) == read_place_and_face(before[1])
    one.score()


def read_place_and_face(die: str) -> str:
    """Read place and face from the label of a die, without whether it is kept."""
    return die.partition(",")[0]


def test_a_server_that_is_killed_and_opened_again_has_seat_and_game(
    own_server: Callable[..., Server], screen: OpenScreen
) -> None:
    server = own_server()
    one = alone(screen("phone"), server)
    one.expected_problems = CONNECTION_LOST
    one.roll()
    server.stop()
    expect(one.find("#lost")).to_be_visible()
    one.press(ROLL_BUTTON)
    server.start()
    expect(one.find("#lost")).to_be_hidden()
    expect(one.find(".left b.on")).to_have_count(1)
    one.score()
    one.play_turn()
    expect(one.find(".cell.filled")).to_have_count(2)


class Fingers:
    """Presses the roll button at moments of our choice: the page is told when, however busy the machine is."""

    def __init__(self, one: Screen) -> None:
        at = one.find(ROLL_BUTTON).bounding_box()
        assert at is not None
        self.place = {"x": at["x"] + 40, "y": at["y"] + 20}
        self.began = time.time()
        self.session = one.page.context.new_cdp_session(one.page)

    def click(self, seconds: float, number: int) -> None:
        """Click, as the first or the second click of a double click."""
        told = {**self.place, "timestamp": self.began + seconds, "button": "left", "clickCount": number}
        for kind in ("mousePressed", "mouseReleased"):
            self.session.send("Input.dispatchMouseEvent", {"type": kind, **told})

    def tap(self, seconds: float) -> None:
        for kind, points in (("touchStart", [self.place]), ("touchEnd", [])):
            told = {"type": kind, "touchPoints": points, "timestamp": self.began + seconds}
            self.session.send("Input.dispatchTouchEvent", told)


NOTE_PRESSES = """() => {
  window.presses = [];
  addEventListener("click", (event) => window.presses.push(Math.round(event.timeStamp)), { capture: true });
}"""


def test_a_double_click_rolls_once(screen: OpenScreen, server: Server) -> None:
    one = alone(screen(), server).skip_guide()
    one.page.evaluate(NOTE_PRESSES)
    mouse = Fingers(one)
    for turn, roll_count in enumerate((2, 1)):
        mouse.click(turn, 1)
        expect(one.find(".left b.on")).to_have_count(roll_count)
        mouse.click(turn + 0.12, 2)
        mouse.click(turn + 0.18, 2)
        assert count_rolls_left(one) == roll_count
    presses = one.page.evaluate("window.presses")
    assert [at - presses[0] for at in presses] == pytest.approx([0, 120, 180, 1000, 1120, 1180], abs=2)
    one.score()
    assert one.find(".cell.filled").count() == 1


@pytest.mark.rest
def test_a_double_tap_rolls_once(screen: OpenScreen, server: Server) -> None:
    one = alone(screen("phone"), server).skip_guide()
    one.page.evaluate(NOTE_PRESSES)
    finger = Fingers(one)
    finger.tap(0)
    expect(one.find(".left b.on")).to_have_count(2)
    finger.tap(0.1)
    one.page.wait_for_function("window.presses.length === 2")
    assert count_rolls_left(one) == 2


@pytest.mark.rest
def test_a_click_in_a_tab_that_sleeps_is_too_late(screen: OpenScreen, server: Server) -> None:
    one = alone(screen(), server).skip_guide()
    other = Screen(one.page.context.new_page(), touch=False)
    held: list[str | bytes] = []
    asleep = False

    def between(line: WebSocketRoute) -> None:
        onward = line.connect_to_server()

        def heard(message: str | bytes) -> None:
            if asleep and '"is":"position"' in str(message):
                held.append(message)
            else:
                line.send(message)

        onward.on_message(heard)
        lines.append(line)

    lines: list[WebSocketRoute] = []
    other.page.route_web_socket(re.compile("/ws"), between)
    other.page.goto(one.page.url)
    other.wait_for(ROLL_BUTTON)
    asleep = True
    one.roll()
    other.press(ROLL_BUTTON)
    expect(other.find(".toast")).to_be_visible()
    assert count_rolls_left(one) == 2
    asleep = False
    for message in held:
        lines[-1].send(message)
    other.wait_for(PREVIEW_CELL)
    assert other.read_dice() == one.read_dice()
    other.press(ROLL_BUTTON)
    expect(one.find(".left b.on")).to_have_count(1)
    other.check_problems()


COUNT_HIDINGS = """() => {
  const line = document.querySelector("#lost");
  window.hidings = 0;
  new MutationObserver(() => (window.hidings += line.hidden)).observe(line, { attributeFilter: ["hidden"] });
}"""


@pytest.mark.rest
def test_a_server_that_takes_connections_and_says_nothing_is_not_responding(screen: OpenScreen, server: Server) -> None:
    one = alone(screen(), server).skip_guide()
    other = Screen(one.page.context.new_page(), touch=False)
    is_silent, lines = False, list[WebSocketRoute]()

    def between(line: WebSocketRoute) -> None:
        lines.append(line)
        if not is_silent:
            line.connect_to_server()

    other.page.route_web_socket(re.compile("/ws"), between)
    other.page.goto(one.page.url)
    other.wait_for(ROLL_BUTTON)
    is_silent = True
    lines[-1].close()
    expect(other.find("#lost")).to_be_visible()
    other.page.evaluate(COUNT_HIDINGS)
    enough = len(lines) + 2
    poll_until(lambda: other.page.evaluate("true") and len(lines) >= enough)
    assert other.page.evaluate("window.hidings") == 0
    is_silent = False
    expect(other.find("#lost")).to_be_hidden()
    other.roll()
    other.check_problems()


def test_an_entry_is_undone_before_the_bot_moves(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).choose_edition("hasbro-yahtzee").start_bot_game().play_until_own_turn()
    one.roll()
    one.press("[data-die='1']")
    before = one.read_dice(), one.read_previews()
    one.score()
    assert one.find(".cell.filled").count() == 1
    one.wait_for(CONTINUE_BUTTON)
    one.press("[data-act=undo]")
    one.wait_for(PREVIEW_CELL)
    assert (one.read_dice(), one.read_previews()) == before
    expect(one.find(".die[aria-pressed=true]")).to_have_attribute("data-die", "1")
    assert one.find(".cell.filled").count() == 0
    one.score("chance")
    one.wait_for(CONTINUE_BUTTON)
    one.play_until_own_turn()
    expect(one.find("[data-act=undo]")).to_be_disabled()


def test_a_zero_is_asked_about_only_where_another_box_would_score(
    screen: OpenScreen, server: Server, short: Path
) -> None:
    one = screen("phone").open_home(server.url).upload_house_rules(short).start_shared_game("Ada")
    one.roll()
    if one.read_previews()["five"] == 0:
        one.press(f"{PREVIEW_CELL}[data-box=five]")
        expect(one.find(".ask")).to_contain_text("Five")
        one.press(".ask [data-act=no]")
        assert one.find(".cell.filled").count() == 0
    one.score("all")
    assert not one.is_visible(".ask")
    one.roll()
    one.score("five")
    assert not one.is_visible(CONFIRM_BUTTON)
    one.wait_for(END_BUTTON)


def test_a_box_that_is_refused_says_why(screen: OpenScreen, server: Server) -> None:
    one = alone(screen("phone"), server, text="Swedish").skip_guide()
    one.roll()
    while "chance" in one.read_previews():
        one.score()
        one.roll()
    one.press_at(".cell.refused[data-box=chance]")
    expect(one.find(".tooltip")).to_be_visible()
    assert len(one.find(".tooltip").inner_text()) > 20
    assert one.find(".cell.filled[data-box=chance]").count() == 0


@pytest.mark.rest
def test_the_first_turn_is_guided_once(screen: OpenScreen, server: Server) -> None:
    one = alone(screen("phone"), server)
    guide = one.find(".guide")
    expect(guide).to_have_attribute("data-step", "roll")
    one.roll()
    expect(guide).to_have_attribute("data-step", "keep")
    one.press("[data-die='0']")
    expect(guide).to_have_attribute("data-step", "again")
    one.press(ROLL_BUTTON)
    expect(guide).to_have_attribute("data-step", "choose")
    one.score()
    expect(guide).to_have_count(0)
    one.page.reload()
    one.roll()
    expect(guide).to_have_count(0)


@pytest.mark.rest
def test_the_guide_can_be_skipped(screen: OpenScreen, server: Server) -> None:
    one = alone(screen("phone"), server)
    one.skip_guide()
    expect(one.find(".guide")).to_have_count(0)
    one.page.reload()
    one.wait_for(ROLL_BUTTON)
    expect(one.find(".guide")).to_have_count(0)


@pytest.mark.rest
def test_light_and_dark_are_a_matter_of_choice_and_remembered(screen: OpenScreen, server: Server) -> None:
    one = screen("phone", color_scheme="light").open_home(server.url)
    light = paper(one)
    for theme in ("dark", "auto"):
        one.open_settings()
        one.press(f"[data-setting=theme] label:has([value={theme}])")
        one.press("dialog [data-act=close]")
        assert (paper(one) == light) == (theme == "auto")
        one.page.reload()
        one.wait_for("[data-edition]")
        assert (paper(one) == light) == (theme == "auto")
    one.page.emulate_media(color_scheme="dark")
    assert paper(one) != light
    one.open_settings()
    one.press("[data-setting=theme] label:has([value=light])")
    assert paper(one) == light


def paper(one: Screen) -> tuple[str, str]:
    """The colours of a page and its letters."""
    read = "() => { const seen = getComputedStyle(document.body); return [seen.backgroundColor, seen.color] }"
    ground, ink = one.page.evaluate(read)
    return str(ground), str(ink)


@pytest.mark.rest
def test_eight_players_fit_on_a_phone(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).choose_edition("carlit-yatzy").start_shared_game(*EIGHT)
    one.wait_for(ROLL_BUTTON)
    one.skip_guide()  # A press elsewhere: a roll at once where Start was pressed is taken for the same press.
    for name in EIGHT:
        now = one.find(".seats .now")
        expect(now.locator(".name")).to_have_text(name)
        expect(now).to_be_in_viewport(ratio=0.95)
        one.play_turn()
    now = one.find(".seats .now")
    expect(now.locator(".name")).to_have_text("Ada")
    one.press(".seats [data-seat='5']")
    expect(one.find(".seats li.shown .name")).to_have_text("Finn")
    expect(one.find("td.shown.now")).to_have_count(0)
    one.press(".back")
    expect(one.find(".seats li.shown .name")).to_have_text("Ada")
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.rest
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_nothing_moves_when_dice_are_rolled(screen: OpenScreen, server: Server, size: Size) -> None:
    one = screen(size, reduced_motion="no-preference")
    alone(one, server).skip_guide()
    one.wait_for(ROLL_BUTTON)
    before = places(one)
    one.press(ROLL_BUTTON)
    one.wait_for(".tumbling")
    during = places(one)
    one.find(".tumbling").wait_for(state="detached")
    expect(one.find(PREVIEW_CELL).first).to_be_visible()
    after = places(one)
    one.press("[data-die='2']")
    kept = places(one)
    one.press(ROLL_BUTTON)
    one.wait_for(".tumbling")
    one.find(".tumbling").wait_for(state="detached")
    again = places(one)
    one.score()
    assert before == during == after == kept == again == places(one)


def places(one: Screen) -> list[list[float]]:
    """Where the rows of the sheet, the dice's bed and the button are."""
    read = "all => all.map(one => { const at = one.getBoundingClientRect(); return [at.x, at.y, at.width, at.height] })"
    return [
        list(map(float, at)) for at in one.find(".board tr, .dice-area, .tray, .tray-actions, .bar").evaluate_all(read)
    ]


@pytest.mark.rest
def test_games_that_stand_for_themselves_are_listed_and_not_added_up(
    screen: OpenScreen, server: Server, short: Path
) -> None:
    one = screen().open_home(server.url).upload_house_rules(short)
    one.select_option(".edition-panel [data-field=games]", "2 games")
    one.start_shared_game("Ada", "Ben")
    for game in (1, 2):
        one.play_to_end()
        one.confirm_end()
        expect(one.find(".series thead th")).to_have_count(1 + game)
        expect(one.find(".series tbody td")).to_have_count(2 * game)
        if game == 1:
            one.press("[data-act=rematch]")
            one.wait_for(ROLL_BUTTON)
    expect(one.find(".series .sum")).to_have_count(0)
    expect(one.find(".series tbody th")).to_have_text(["Ada", "Ben"])


@pytest.mark.rest
def test_a_series_goes_on_in_the_same_room_and_then_again(screen: OpenScreen, server: Server, short: Path) -> None:
    short.write_text(f'series = "agreed"\n{SHORT}')
    one = screen().open_home(server.url).upload_house_rules(short)
    one.select_option(".edition-panel [data-field=games]", "2 games")
    one.start_shared_game("Ada", "Ben")
    room = one.page.url
    for game in (1, 2):
        one.play_to_end()
        one.confirm_end()
        expect(one.find(".series thead th")).to_have_count(2 + game)
        if game == 1:
            one.press("[data-act=rematch]")
            one.wait_for(ROLL_BUTTON)
    sums = [int(cell.inner_text()) for cell in one.find(".series .sum").all()]
    assert sums == sorted(sums, reverse=True)
    one.press("[data-act=rematch]")
    one.wait_for(ROLL_BUTTON)
    assert one.page.url == room
    assert one.find(".cell.filled").count() == 0
    one.play_to_end()
    one.confirm_end()
    one.open_more().press(".end [data-act=lobby]")
    one.wait_for("knobel-lobby .seat")


def test_home_offers_to_go_on_first(screen: OpenScreen, server: Server) -> None:
    one = alone(screen("phone"), server, "carlit-yatzy")
    one.play_turn()
    total, room = one.read_total(), one.page.url
    one.press(".bar .mark")
    one.wait_for("[data-act=continue]")
    resume, card = (one.find(at).first.bounding_box() for at in ("[data-act=continue]", ".edition-card"))
    assert resume
    assert card
    assert resume["y"] < card["y"]
    one.press("[data-act=continue]")
    one.wait_for(ROLL_BUTTON)
    assert (one.read_total(), one.page.url) == (total, room)
    one.play_turn()


def test_a_spoken_code_leads_into_the_room_and_who_comes_in_disturbs_nobody(screen: OpenScreen, server: Server) -> None:
    host = screen()
    host.page.context.add_init_script("""localStorage["knobel.prefs"] ??= JSON.stringify({ known: ["Ben"] });""")
    host.open_home(server.url).choose_edition("noris-yatzy").open_room("Ada")
    expect(host.find(".seat-name")).to_have_count(1)
    expect(host.find(".seating [data-name=Ben]")).to_be_visible()
    host.type_into(".seating [data-field=name]", "Cle")
    code = str(host.find("[data-code]").get_attribute("data-code"))
    device = screen("phone").open_home(server.url)
    device.expected_problems = ("status of 404",)
    device.press("[data-act=code]")
    device.type_into("[data-field=code]", "aaaa aaaa")
    device.press("[data-act=join]")
    expect(device.find(".wrong-code")).to_be_visible()
    device.find("[data-field=code]").clear()
    device.type_into("[data-field=code]", f"{code[:4].lower()} {code[4:].lower()}")
    device.press("[data-act=join]")
    device.take_seat("Ben")
    expect(host.find(".seat-name").get_by_text("Ben")).to_be_visible()
    expect(host.find(".seating [data-name=Ben]")).to_be_hidden()
    expect(host.find(".seating [data-field=name]")).to_have_value("Cle")
    host.press("[data-act=start]")
    for one in (host, device):
        one.wait_for(ROLL_BUTTON, ".tray.theirs")


@pytest.mark.rest
def test_the_room_has_a_host_again_when_the_host_is_gone(own_server: Callable[..., Server], screen: OpenScreen) -> None:
    host = screen().open_home(own_server(changes=QUICK_AWAY).url).choose_edition("carlit-yatzy").open_room("Ada")
    device = screen("phone")
    device.page.goto(host.page.url)
    device.take_seat("Ben")
    expect(device.find("[data-act=start]")).to_be_hidden()
    host.page.close()
    expect(device.find("[data-act=start]")).to_be_visible()
    device.press("[data-act=start]")
    device.wait_for("knobel-table .tray", ".ask")
