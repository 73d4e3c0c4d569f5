"""The pad by keyboard alone, and nothing typed is lost: names before a game, half a roll, an end pressed too late."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from knobel.record.events import Corrected
from knobel.record.verify import verify
from tests.browser.test_evening import FRENCH, hands
from tests.browser.test_play import SHORT
from tests.browser.test_score_pad import MEND, actions, events, pick, tell, writes
from tests.screenshots import CUT
from tests.support.browser import END_BUTTON, FACE_KEY, OpenScreen, Screen, Server

FOCUS = """() => document.activeElement?.matches("body") ? null : document.activeElement.outerHTML"""
MOST_STEPS = 40


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """A file of house rules for a game that is soon over."""
    file = tmp_path / "short.toml"
    file.write_text(SHORT)
    return file


# Keys.
DOUBLE_PRESS_MS = 450
"""A little longer than a page takes two presses for one."""


def key(one: Screen, *keys: str) -> None:
    """Press keys, and insist that the focus is still somewhere."""
    for name in keys:
        one.page.keyboard.press(name)
        assert one.page.evaluate(FOCUS), name


def walk(one: Screen, step: str, selector: str) -> None:
    """Press a key until something has the focus."""
    target = f"{selector}:focus"
    for _ in range(MOST_STEPS):
        if one.find(target).count():
            return
        one.page.keyboard.press(step)
    raise AssertionError(f"{step} does not lead to {selector}")


def into(one: Screen, name: str, box: str, dice: str = "") -> None:
    """Type dice if there are any, walk to a box, and press Enter there."""
    writes(one, name)
    if dice:
        one.page.keyboard.type(dice)
        expect(one.find(".cell:is(.preview, .refused)").first).to_be_visible()
    walk(one, "ArrowDown", f".cell[data-box={box}]")
    key(one, "Enter")


def points(one: Screen, name: str, box: str, text: str, *way: str) -> None:
    """Open the points of a box, walk to some of them, press Enter, and see that the focus is back on the score pad."""
    into(one, name, box)
    expect(one.find(".picker .point.zero")).to_be_focused()
    key(one, *way)
    expect(one.find(f".picker [data-points='{text}']")).to_be_focused()
    key(one, "Enter")
    expect(one.find(".cell:focus, .end:focus")).to_have_count(1)


def zero(one: Screen, name: str, box: str) -> None:
    """Walk to a box, and write a zero with one key."""
    writes(one, name)
    walk(one, "ArrowDown", f".cell[data-box={box}]")
    key(one, "x")


def agree(one: Screen) -> None:
    """Agree to what is asked, by keyboard."""
    expect(one.find(".ask [data-act=no]")).to_be_focused()
    key(one, "Tab")
    enter(one)


def enter(one: Screen) -> None:
    """Press Enter, once a press counts as a new one."""
    later = one.page.evaluate("performance.now()") + DOUBLE_PRESS_MS
    one.page.wait_for_function("since => performance.now() > since", arg=later)
    key(one, "Enter")


def amend(one: Screen, row: str) -> None:
    """Open the correction of an entry from the name of its row, by keyboard."""
    walk(one, "Tab", f"tr:has([data-entry={row}]) th .name")
    key(one, "Enter")
    expect(one.find(".menu [data-act=correct]")).to_be_focused()
    key(one, "Enter")
    expect(one.find(".correct .current")).to_be_focused()


@pytest.mark.rest
def test_a_whole_pad_game_is_played_by_keyboard_alone(screen: OpenScreen, server: Server) -> None:
    one = screen().open_home(server.url)
    walk(one, "Tab", "[data-edition=philos-yatzi]")
    key(one, "Enter")
    walk(one, "Tab", "[data-mode=pad]")
    key(one, "Enter")
    one.page.keyboard.type("Ada")
    key(one, "Enter")
    one.page.keyboard.type("Ben")
    walk(one, "Tab", ".edition-panel [data-act=start]")
    one.page.keyboard.press("Enter")
    one.wait_for(FACE_KEY)
    block = hands(FRENCH)
    into(one, "Ada", "yatzy", "55555")
    points(one, "Ben", "yatzy", "50", "ArrowRight")
    into(one, "Ada", "chance", "66666")
    points(one, "Ben", "chance", "100", "1", "0", "0")
    total = {"Ada": 150 + 35, "Ben": 150}
    for box in [box for box in block if box not in ("yatzy", "chance")]:
        dice, worth = next(iter(block[box].items()))
        into(one, "Ada", box, dice)
        if box == "ones":
            points(one, "Ben", box, "0", "End", "Home")
        else:
            zero(one, "Ben", box)
        total["Ada"] += worth
    expect(one.find(".end")).to_be_focused()
    expect(one.find(".end .ranking li b")).to_have_text([str(total["Ada"]), str(total["Ben"])])
    walk(one, "Tab", END_BUTTON)
    key(one, "Enter")
    one.wait_for(".end [data-act=review]")
    assert verify(one.download_record(), "typed.knobel").is_verified


@pytest.mark.rest
def test_bends_primes_and_corrections_need_no_finger_and_leave_the_focus_where_it_came_from(
    screen: OpenScreen, server: Server
) -> None:
    one = screen().open_home(server.url).choose_edition("tactic-xl-yatzy", text="Swedish").start_score_pad("Ada")
    into(one, "Ada", "chance", "11162")
    expect(one.find(".ask [data-act=no]")).to_be_focused()
    key(one, "Escape")
    expect(one.find(".cell[data-box=chance]")).to_be_focused()
    enter(one)
    agree(one)
    expect(one.find(".cell.against-rules")).to_be_focused()
    amend(one, "chance")
    key(one, "1", "2")
    enter(one)
    agree(one)
    expect(one.find("[data-entry=chance]")).to_have_text("12")
    expect(one.find(".name:focus")).to_have_text("Chance")
    other = screen().open_home(server.url).choose_edition("mb-yahtzee").start_score_pad("Ben")
    points(other, "Ben", "yatzy", "50", "5")
    into(other, "Ben", "twos")
    expect(other.find(".picker [data-points='8']")).to_have_accessible_name("4 × 2 = 8")
    key(other, "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "End")
    expect(other.find(".picker .point:focus")).to_have_accessible_name("5 × 2 = 10, + 100")
    key(other, "Enter")
    expect(other.find(".cell:focus")).to_have_text("10")
    amend(other, "yatzy")
    key(other, "Home", "Enter")
    expect(other.find(".correct .wrong")).to_contain_text("Twos")
    expect(other.find(".correct .zero")).to_be_focused()
    key(other, "Shift+Tab", "ArrowRight", "Tab", "ArrowRight", "ArrowLeft", "Enter")
    expect(other.find(".correct .zero")).to_be_focused()
    key(other, "Escape")
    expect(other.find(".name:focus")).to_have_text("Yahtzee")
    expect(other.find(".total td.shown")).to_have_text("160")
    assert [event.actions for event in events(one, server) if isinstance(event, Corrected)] == [("~chance=12",)]
    assert actions(other, server) == [(0, "yatzy=50"), (0, "twos=10+100")]


# Half a roll.


def twin(screen: OpenScreen, one: Screen) -> Screen:
    """Open the same table a second time on the same device."""
    two = screen("phone", storage_state=one.page.context.storage_state())
    two.page.goto(one.page.url)
    return two


@pytest.mark.rest
def test_half_a_roll_goes_with_its_turn_and_stays_while_the_turn_is_the_same(
    screen: OpenScreen, server: Server
) -> None:
    one = screen("phone").open_home(server.url).choose_edition("tactic-xl-yatzy").start_score_pad("Ada", "Ben")
    pick(one, "fives", "15")
    writes(one, "Ben")
    two = twin(screen, one)
    two.wait_for(FACE_KEY)
    told = ".die:not(.blank)"

    def half(name: str, dice: str) -> None:
        one.press(f".seats [data-seat='{['Ada', 'Ben'].index(name)}']")
        writes(one, name)
        for face in dice:
            one.press(f"{FACE_KEY}[data-face='{face}']")
        expect(one.find(told)).to_have_count(len(dice))

    half("Ada", "33")
    two.press(".seats [data-seat='1']")
    pick(two, "sixes", "18")
    expect(one.find(".board tr.total td").nth(1)).to_have_text("18")
    two.press(".seats [data-seat='0']")
    two.press("[data-entry=fives]")
    two.press(".correct [data-points='20']")
    expect(one.find(".board tr.total td").first).to_have_text("20")
    writes(one, "Ada")
    expect(one.find(told)).to_have_count(2)
    pick(two, "fours", "12")
    expect(one.find(".board tr.total td").first).to_have_text("32")
    half("Ada", "")
    half("Ada", "444")
    half("Ben", "55")
    two.press("[data-act=undo]")
    expect(one.find(".board tr.total td").first).to_have_text("20")
    writes(two, "Ada")
    pick(two, "fours", "8")
    expect(one.find(".board tr.total td").first).to_have_text("28")
    expect(one.find(told)).to_have_count(2)
    half("Ada", "")
    tell(one, "66661")
    one.score("sixes")
    assert actions(one, server)[-2:] == [(0, "=66661"), (0, "sixes")]


# The end.


@pytest.mark.rest
def test_an_end_that_came_too_late_is_said_and_can_be_pressed_again(
    screen: OpenScreen, server: Server, short: Path
) -> None:
    one = screen("phone").open_home(server.url).upload_house_rules(short).start_score_pad("Ada")
    pick(one, "five", "0")
    pick(one, "all", "12")
    one.wait_for(END_BUTTON)
    two = twin(screen, one)
    two.wait_for(END_BUTTON)
    one.page.evaluate(CUT)
    expect(one.find("#lost")).to_be_visible()
    one.press(END_BUTTON)
    two.press("[data-entry=five]")
    two.press(".correct [data-points='50']")
    expect(two.find("[data-entry=five]")).to_have_text("50")
    one.page.evaluate(MEND)
    expect(one.find(".toast")).to_contain_text("moved on")
    expect(one.find(".end .ranking b")).to_have_text("62")
    one.confirm_end()


@pytest.mark.rest
def test_every_full_sheet_of_a_phone_can_be_looked_at_and_corrected(
    screen: OpenScreen, server: Server, short: Path
) -> None:
    one = screen("phone").open_home(server.url).upload_house_rules(short).start_score_pad("Ada", "Ben")
    for name, box, points in (("Ada", "five", "50"), ("Ben", "five", "0"), ("Ada", "all", "12"), ("Ben", "all", "20")):
        writes(one, name)
        pick(one, box, points)
    one.wait_for(END_BUTTON)
    for name, points in (("Ben", "20"), ("Ada", "62")):
        one.press(f".seats button:has-text('{name}')")
        expect(one.find(".total td.shown")).to_have_text(points)
    one.press(".seats button:has-text('Ben')")
    one.press("td.shown [data-entry=five]")
    one.press(".correct [data-points='50']")
    expect(one.find(".end .ranking li")).to_have_text(["1.Ben70", "2.Ada62"])
    assert [event.seat for event in events(one, server) if isinstance(event, Corrected)] == [1]


# Names.


def names(one: Screen, *written: str) -> None:
    """Write names on the list of a box, each with its button."""
    for name in written:
        one.type_into("[data-field=name]", name)
        one.press("[data-act=add-name]")


@pytest.mark.rest
def test_seats_are_saved_for_those_who_come_with_their_own_phones(screen: OpenScreen, server: Server) -> None:
    ada, ben, eve = screen("phone"), screen("phone"), screen("phone")
    ada.open_home(server.url).choose_edition("tactic-xl-yatzy").press("[data-mode=pad]")
    names(ada, "Ada", "Ben", "Cleo")
    ada.type_into("[data-field=name]", "Dora")
    ada.press("[data-act=phones]")
    expect(ada.find(".seat .seat-name")).to_have_text(["Ada", "Ben", "Cleo", "Dora"])
    expect(ada.find(".seat.offered")).to_have_count(3)
    expect(ada.find(".only-here")).to_contain_text("--lan")
    for one in (ben, eve):
        one.page.goto(ada.page.url)
    ben.press("[data-take=Ben]")
    eve.wait_for("[data-seat='2']:has-text('is that you?')")
    expect(eve.find("[data-take]")).to_have_count(2)
    eve.find(".seating [data-field=name]").fill("cleo")
    eve.press("[data-act=sit]")
    expect(ada.find(".seat.offered")).to_have_count(1)
    expect(ben.find(".seat.yours .seat-name")).to_have_text("Ben")
    expect(eve.find(".seat.yours .seat-name")).to_have_text("Cleo")
    ada.press("[data-act=start]")
    for one in (ada, ben, eve):
        one.wait_for(FACE_KEY)
    pick(ben, "sixes", "18")
    pick(eve, "sixes", "12")
    pick(ada, "sixes", "24")
    writes(ada, "Dora")
    pick(ada, "sixes", "6")
    expect(ben.find(".board tr.total td")).to_have_text(["24", "18", "12", "6"])
    assert sorted(actions(ada, server)) == [(0, "sixes=24"), (1, "sixes=18"), (2, "sixes=12"), (3, "sixes=6")]
    expect(ada.find(".seats .name")).to_have_text(["Ada", "Ben", "Cleo", "Dora"])


def read_list(one: Screen) -> list[str]:
    """Read the names on the list of a box, and the name half typed."""
    return [
        *one.find(".seated-name").locator("visible=true").all_text_contents(),
        one.find(".edition-panel [data-field=name]").locator("visible=true").input_value(),
    ]


@pytest.mark.rest
def test_names_written_down_outlive_another_way_another_box_and_the_start(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).choose_edition("tactic-xl-yatzy")
    one.press("[data-mode=round]")
    names(one, "Ada", "Ben")
    one.type_into("[data-field=name]", "Cl")
    one.press(".edition-panel [data-act=back]")
    one.press("[data-mode=pad]")
    assert read_list(one) == ["Ada", "Ben", "Cl"]
    one.press("[data-edition=philos-yatzi]")
    one.press("#page .edition-open:has(.edition-panel:not([hidden])) [data-mode=pad]")
    assert read_list(one) == ["Ada", "Ben", "Cl"]
    one.type_into("[data-field=name]", "eo")
    expect(one.find(".edition-panel:not([hidden]) [data-act=start]")).to_contain_text("3 players")
    one.press(".edition-panel:not([hidden]) [data-act=back]")
    one.press("#page .edition-open:has(.edition-panel:not([hidden])) [data-mode=friends]")
    expect(one.find(".seat .seat-name")).to_have_text(["Ada", "Ben", "Cleo"])
    one.type_into(".seating [data-field=name]", "Dora")
    one.press("[data-seat='1']")
    one.press(".menu [data-act=take]")
    expect(one.find(".seat.offered .seat-name")).to_have_text(["Cleo"])
    one.press("[data-act=start]")
    one.wait_for("knobel-table .tray")
    expect(one.find(".seats .name")).to_have_text(["Ada", "Ben", "Cleo", "Dora"])
