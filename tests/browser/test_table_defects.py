"""What once went wrong at the table: presses that hit what moved under them, flashes, cut figures, wrong words."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from knobel.rooms.intents import ChangeSettings, StopGame
from tests.browser.test_play import NOTE_PRESSES, Fingers
from tests.screenshots import ADA, BEN, Stage
from tests.support.browser import CONFIRM_BUTTON, PREVIEW_CELL, ROLL_BUTTON, OpenScreen, Screen
from tests.support.staged_server import StagedServer, enter

STARTS = """() => {
  window.flashed = [];
  document.addEventListener("animationstart", ({ target, animationName }) => {
    if (animationName === "written") window.flashed.push(target);
  });
}"""
REPEATED = "() => window.flashed.length - new Set(window.flashed).size"
HIGHEST_LUCK = "texts => texts.map(text => text.getBBox().x)"


async def play_rooms(stage: Stage) -> None:
    """Play the rooms of this file, by legal actions only."""
    two = (("Ada", ADA), ("Ben", BEN))
    await stage.open("chicago", ChangeSettings("carlit-chicago"), *two, typed=False)
    await stage.open("pair", ChangeSettings("hasbro-yahtzee"), *two)
    room = await stage.open("must-fit", ChangeSettings("noris-yatzy"), *two)
    await stage.fill(room, "ones", "sixes")
    await stage.act(room, ".....", ">22333")
    room = await stage.open("joker", ChangeSettings("mb-yahtzee"), *two)
    await stage.fill(room, "yatzy", "ones")
    await stage.act(room, ".....", ">66666")
    room = await stage.open("stopped", ChangeSettings("hasbro-yahtzee"), ("Bot", None), ("Ada", ADA), typed=False)
    await stage.do(room, ADA, StopGame())
    await stage.lay_rounds("short", "654", "654", "stand over", "211", people=2)
    room = await stage.lay_rounds("four", people=4)
    session = await stage.host.find_session(room)
    while session.table and (state := session.table.state).seat is not None:
        await stage.cast(room, ("321", "654", "653", "652")[state.player])
        if not state.rolloff:
            await stage.act(room, "stand over" if state.phase != "follow" else "stand")
    await stage.close(room)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StagedServer]:
    with StagedServer(tmp_path_factory.mktemp("defects"), play_rooms) as server:
        yield server


def find_middle(one: Screen, selector: str) -> tuple[float, float]:
    box = one.find(selector).locator("visible=true").first.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_second_tap_after_roll_does_not_stand(screen: OpenScreen, server: StagedServer) -> None:
    one = screen("phone").open_home(server.url).choose_edition("carlit-chicago").start_shared_game("Ada", "Ben")
    while one.find(".players tr.opens").count() == 0:
        before = one.read_table()
        one.press(ROLL_BUTTON)
        one.wait_for_change(before)
    one.wait_for(ROLL_BUTTON)
    middle, fingers = find_middle(one, ROLL_BUTTON), Fingers(one)
    one.page.evaluate(NOTE_PRESSES)
    fingers.tap(1)
    one.wait_for(".stand")
    assert find_middle(one, ".tray .main-button") == middle
    fingers.tap(1.3)
    one.page.wait_for_function("window.presses.length === 2")
    one.press("[data-die='0']")
    expect(one.find(".die.kept")).to_have_count(1)
    expect(one.find(".stand")).not_to_have_count(0)


@pytest.mark.rest
def test_entries_flash_once_and_not_whenever_their_column_is_shown(screen: OpenScreen, server: StagedServer) -> None:
    one = screen("phone", reduced_motion="no-preference").open_home(server.url)
    one.choose_edition("hasbro-yahtzee").start_shared_game("Ada", "Ben").play_until_own_turn()
    one.page.evaluate(STARTS)
    for _ in range(4):
        if one.is_visible("[data-act=pass]"):
            one.press("[data-act=pass]")
        one.play_turn()
        one.wait_for(ROLL_BUTTON)
        expect(one.find(".written")).to_have_count(0)
    assert one.page.evaluate("window.flashed.length") == 4
    assert one.page.evaluate(REPEATED) == 0


@pytest.mark.rest
def test_the_figures_of_the_chart_are_whole(screen: OpenScreen, server: StagedServer) -> None:
    one = screen("phone")
    one.page.goto(f"{server.url}/review/{server.games['four']}?seat=0")
    one.wait_for(".chart svg")
    lefts: list[float] = one.find(".chart .most").evaluate_all(HIGHEST_LUCK)
    assert lefts
    assert min(lefts) >= 0


@pytest.mark.rest
def test_four_at_chicago_read_an_average_and_no_sum_of_chances(screen: OpenScreen, server: StagedServer) -> None:
    one = screen()
    one.page.goto(f"{server.url}/review/{server.games['four']}?seat=0")
    one.wait_for("[data-ledger]")
    said = one.find("[data-ledger]").inner_text()
    assert said.startswith("On average over")
    assert all(float(one) <= 100 for one in re.findall(r"([\d.]+)%", said)), said


@pytest.mark.rest
def test_the_host_removes_and_the_removed_one_is_told_so(screen: OpenScreen, server: StagedServer) -> None:
    ada, ben = enter(screen(), server, "pair"), enter(screen("phone"), server, "pair", BEN)
    ada.press("thead [data-seat='1'] .name")
    assert ada.find(".menu").get_by_text("Show this column").count() == 0
    ada.press(".menu [data-act=remove]")
    for words in ("Remove", "Remove for good"):
        expect(ada.find(".ask [data-act=no]")).to_have_text("Keep in the game")
        expect(ada.find(CONFIRM_BUTTON)).to_have_text(words)
        expect(ada.find(CONFIRM_BUTTON)).not_to_have_class(re.compile(r"\bact\b"))
        ada.press(CONFIRM_BUTTON)
    expect(ben.find(".status").first).to_contain_text("The host has removed you")
    expect(ada.find(".status").first).to_contain_text("Ben has left")


@pytest.mark.rest
def test_a_player_removed_in_the_lobby_is_told_so_and_not_of_switches(screen: OpenScreen, server: StagedServer) -> None:
    host = screen().open_home(server.url).choose_edition("noris-yatzy").open_room("Ada")
    guest = screen("phone")
    guest.page.goto(host.page.url)
    guest.type_into("[data-field=name]", "ada")
    guest.press("[data-act=sit]")
    expect(guest.find(".wrong-name")).to_have_text("Ada is already on the list.")
    guest.find("[data-field=name]").fill("")
    guest.take_seat("Ben")
    assert "--lan" not in guest.find("knobel-lobby").inner_text()
    host.press(".seat:has-text('Ben')")
    host.press(".menu [data-act=get-up]")
    expect(guest.find(".toast")).to_have_text("The host has removed Ben from this room.")


@pytest.mark.rest
def test_a_host_who_takes_another_name_stays_first(screen: OpenScreen, server: StagedServer) -> None:
    host = screen().open_home(server.url).choose_edition("noris-yatzy").open_room("Ada")
    guest = screen("phone")
    guest.page.goto(host.page.url)
    guest.take_seat("Ben")
    expect(host.find(".seat-name")).to_have_text(["Ada", "Ben"])
    host.press(".seat:has-text('Ada')")
    host.press(".menu [data-act=rename]")
    host.find("dialog [data-field=text]").fill("Adele")
    host.press("dialog [data-act=yes]")
    expect(guest.find(".seat-name")).to_have_text(["Adele", "Ben"])
    guest.page.context.close()
    expect(host.find(".start-status").first).to_contain_text("Not here yet: Ben")


@pytest.mark.rest
def test_a_zero_names_the_better_box_and_is_not_the_bright_button(screen: OpenScreen, server: StagedServer) -> None:
    one = screen().open_home(server.url).choose_edition("hasbro-yahtzee").start_shared_game("Ada").skip_guide()
    one.roll()
    zero = next(box for box, points in one.read_previews().items() if points == 0)
    one.press(f"{PREVIEW_CELL}[data-box={zero}]")
    best = max(one.read_previews().values())
    expect(one.find(".ask p")).to_contain_text(f"would score {best} with these dice")
    expect(one.find(".ask [data-act=no]")).to_have_class(re.compile(r"\bact\b"))
    expect(one.find(CONFIRM_BUTTON)).not_to_have_class(re.compile(r"\bact\b"))


@pytest.mark.rest
def test_a_refused_zero_says_which_box_fits(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(screen(), server, "must-fit")
    refused = one.find("td.now .refused")
    expect(refused.first).to_be_visible()
    labels: list[Any] = refused.evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))")
    assert any("score 0 only if nothing fits" in str(one) for one in labels), labels


@pytest.mark.rest
def test_a_joker_is_announced_with_its_extra_points(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(screen(), server, "joker")
    one.press(f"{PREVIEW_CELL}[data-box=sixes]")
    expect(one.find(".status").first).to_contain_text("plus 100 extra")


@pytest.mark.rest
def test_a_game_from_the_review_says_what_if_and_leads_back(screen: OpenScreen, server: StagedServer) -> None:
    one = screen()
    one.page.goto(f"{server.url}/review/{server.games['four']}?seat=0")
    one.press("[data-act=play-on]")
    one.wait_for("knobel-table .what-if")
    expect(one.find(".titles span")).to_contain_text("what if")
    one.press(".bar [data-act=more]")
    one.wait_for(".menu [data-act=leave]")
    one.page.keyboard.press("Escape")
    one.press("[data-act=back-to-review]")
    one.wait_for("knobel-review [data-ledger]")


def test_on_a_phone_the_sheet_says_whose_it_is_and_recommends_no_box(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(screen("phone"), server, "must-fit")
    expect(one.find(".sheet-owner")).to_have_text("Ada")
    highest = one.find("td.best > .cell").first
    expect(highest).to_be_visible()
    assert highest.evaluate("cell => getComputedStyle(cell).backgroundColor") == "rgba(0, 0, 0, 0)"
    one.press(".seats [data-seat='1']")
    expect(one.find(".sheet-owner")).to_have_text("Ben")


@pytest.mark.rest
def test_at_the_end_of_a_game_with_bots_a_phone_shows_ones_own_sheet(screen: OpenScreen, server: StagedServer) -> None:
    one = enter(screen("phone"), server, "stopped")
    one.wait_for(".end")
    expect(one.find(".sheet-owner")).to_have_text("Ada")


@pytest.mark.rest
def test_whoever_is_rid_of_their_chips_wins_or_is_safe_and_the_last_one_loses(
    screen: OpenScreen, server: StagedServer
) -> None:
    one = enter(screen("phone"), server, "four")
    notes = one.find(".players tbody .name small").all_inner_texts()
    assert sorted(notes) == ["loses", "safe, place 2", "safe, place 2", "wins"]


@pytest.mark.rest
def test_standing_on_a_total_that_fails_is_asked_about_while_rolls_are_left(
    screen: OpenScreen, server: StagedServer
) -> None:
    one = enter(screen("phone"), server, "short", token=BEN)
    stand = one.find("[data-act=stand]")
    expect(stand).to_have_text("Stand on 4")
    one.press("[data-act=stand]")
    expect(one.find(".ask h2")).to_have_text("Stand on 4?")
    one.press(".ask [data-act=no]")
    expect(one.find(".ask")).to_have_count(0)
    expect(stand).to_be_visible()
    one.press("[data-act=stand]")
    one.press(CONFIRM_BUTTON)
    expect(stand).to_be_hidden()


@pytest.mark.rest
def test_the_first_turn_of_chicago_is_guided_and_says_what_over_and_under_ask(
    screen: OpenScreen, server: StagedServer
) -> None:
    one = screen("phone").open_home(server.url).choose_edition("carlit-chicago").start_bot_game()
    guide = one.find(".guide")
    one.play_until_own_turn()
    expect(guide).to_have_attribute("data-step", "roll")
    expect(guide).to_contain_text("Whoever ends up with all the chips loses.")
    one.press(ROLL_BUTTON)
    expect(guide).to_have_attribute("data-step", "keep")
    total = sum(int(re.findall(r"\d", die)[-1]) for die in one.read_dice())
    expect(one.find("[data-act=stand-over]")).to_contain_text(f"others must roll more than {total}")
    expect(one.find("[data-act=stand-under]")).to_contain_text(f"others must roll less than {total}")
    one.press("[data-die='0']")
    expect(guide).to_contain_text("over with a high total")
    one.press("[data-act=stand-over]")
    expect(guide).to_have_count(0)
