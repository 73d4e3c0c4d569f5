"""The pad, as families use it with the box in front of them: real dice, points, corrections, and a line that breaks."""

import re
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from knobel.record.events import Acted, Corrected, CorrectedTurn, Event
from knobel.record.file import parse_record
from knobel.record.verify import verify
from tests.browser.test_play import SHORT
from tests.screenshots import CUT
from tests.support.browser import (
    ANNOUNCE_CELL,
    CONFIRM_BUTTON,
    END_BUTTON,
    FACE_KEY,
    PREVIEW_CELL,
    OpenScreen,
    Screen,
    Server,
)
from tests.support.waiting import poll_until

MEND = """async () => (await import("/static/connection.js")).connection.socket.connect()"""
SETTLED = """async () => {
  const { connection } = await import("/static/connection.js");
  const { getQueue } = await import("/static/intent-queue.js");
  const queue = getQueue(connection.roomId);
  return connection.state === "open" && !connection.commands.pending.size && !queue.lastPending;
}"""
"""Whether the server has everything that was entered; a page shows it before."""
GAME = """async () => (await import("/static/connection.js")).connection.position.view.game"""


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """A file of house rules for a game that is soon over."""
    file = tmp_path / "short.toml"
    file.write_text(SHORT)
    return file


def open_pad(one: Screen, server: Server, *names: str, edition: str = "tactic-xl-yatzy", **agreed: Any) -> Screen:
    """Lay a pad for these people."""
    return one.open_home(server.url).choose_edition(edition, **agreed).start_score_pad(*names)


def events(one: Screen, server: Server) -> tuple[Event, ...]:
    """Read what the record of the game on the table says, once the server has all that was entered."""
    poll_until(lambda: bool(one.page.evaluate(SETTLED)))
    with urlopen(f"{server.url}/games/{one.page.evaluate(GAME)}.knobel") as answer:  # noqa: S310
        return parse_record(answer.read(), "read.knobel").events


def actions(one: Screen, server: Server) -> list[tuple[int, str]]:
    """List who did what."""
    return [(event.seat, event.action) for event in events(one, server) if isinstance(event, Acted)]


def tell(one: Screen, dice: str) -> None:
    """Tap the faces of real dice, and wait until the boxes show what they score."""
    for face in dice:
        one.press(f"{FACE_KEY}[data-face='{face}']")
    one.wait_for(PREVIEW_CELL)


def pick(one: Screen, box: str, points: str) -> None:
    """Enter points without dice."""
    one.press(f".cell.open[data-box={box}]")
    one.press(f".picker [data-points='{points}']")


def writes(one: Screen, name: str) -> None:
    """Insist that it is this player's turn to score."""
    expect(one.find(".keypad-prompt")).to_contain_text(name)


def test_one_phone_for_all_plays_a_whole_game_with_real_dice(screen: OpenScreen, server: Server, short: Path) -> None:
    one = screen("phone").open_home(server.url).upload_house_rules(short).start_score_pad("Ada", "Ben")
    assert not one.is_visible(".tray .main-button")
    writes(one, "Ada")
    for face in "554":
        one.press(f"[data-face='{face}']")
    one.press("[data-die='2']")
    one.page.keyboard.type("661")
    one.wait_for(PREVIEW_CELL)
    one.page.keyboard.press("Backspace")
    expect(one.find(".die.blank")).to_have_count(1)
    one.page.keyboard.type("6")
    one.wait_for(PREVIEW_CELL)
    assert one.read_previews() == {"five": 0, "all": 28}
    one.score("all")
    writes(one, "Ben")
    pick(one, "five", "50")
    writes(one, "Ada")
    one.press("[data-act=undo]")
    writes(one, "Ben")
    pick(one, "five", "0")
    writes(one, "Ada")
    pick(one, "five", "50")
    writes(one, "Ben")
    tell(one, "12345")
    one.score("all")
    one.wait_for(END_BUTTON)
    expect(one.find(".end")).to_contain_text("you can correct it")
    expect(one.find(".ranking li").first).to_contain_text("Ada78", use_inner_text=False)
    one.confirm_end()
    verdict = verify(one.download_record(), "downloaded.knobel")
    assert verdict.is_verified, verdict.why


@pytest.mark.rest
def test_only_points_a_box_can_hold_are_offered_and_zero_comes_first(screen: OpenScreen, server: Server) -> None:
    one = open_pad(screen("phone"), server, "Ada")
    one.press(".cell.open[data-box=fours]")
    one.wait_for(".picker .point")
    offered = one.find(".picker .point").evaluate_all("all => all.map(one => one.dataset.points)")
    assert offered == ["0", "4", "8", "12", "16", "20"]
    assert one.find(".picker [data-points='12']").get_attribute("aria-label") == "3 × 4 = 12"
    one.press(".picker [data-points='0']")
    expect(one.find("[data-entry=fours]")).to_have_text("0")
    assert actions(one, server) == [(0, "fours=0")]


@pytest.mark.rest
def test_primes_and_a_second_yatzy_are_one_tap(screen: OpenScreen, server: Server) -> None:
    one = open_pad(screen("phone"), server, "Ada", edition="mb-yahtzee")
    pick(one, "yatzy", "50")
    pick(one, "twos", "10+100")
    expect(one.find(".total td.shown")).to_have_text("160")
    one.press("[data-entry=yatzy]")
    one.press(".correct [data-points='0']")
    expect(one.find(".correct .wrong")).to_contain_text("Twos")
    one.press(".correct [data-act=close]")
    expect(one.find(".total td.shown")).to_have_text("160")
    assert not [event for event in events(one, server) if isinstance(event, Corrected)]


def test_a_table_may_play_what_its_rules_forbid_and_the_record_says_so(screen: OpenScreen, server: Server) -> None:
    one = open_pad(screen("phone"), server, "Ada", text="Swedish")
    tell(one, "11162")
    one.press(".cell.refused[data-box=chance]")
    expect(one.find(".ask")).to_contain_text("These dice fit Sixes: Chance only when nothing else fits.")
    expect(one.find(".ask [data-act=no]")).to_have_class(re.compile(r"\bact\b"))
    one.press(".ask [data-act=no]")
    one.press(".cell.refused[data-box=chance]")
    one.press(CONFIRM_BUTTON)
    expect(one.find("[data-entry=chance]")).to_have_class(re.compile("against-rules"))
    assert "played anyway" in str(one.find("[data-entry=chance]").get_attribute("aria-label"))
    assert actions(one, server) == [(0, "=11162"), (0, "~chance")]


@pytest.mark.rest
def test_boxes_are_announced_before_real_dice_are_entered(screen: OpenScreen, server: Server) -> None:
    one = open_pad(screen("phone"), server, "Ada", text="Danish")
    one.press(f"{ANNOUNCE_CELL}[data-box=fours]")
    tell(one, "44412")
    one.score("fours")
    expect(one.find("[data-entry=fours]")).to_have_text("12")
    assert actions(one, server) == [(0, "!fours"), (0, "=44412"), (0, "fours")]


@pytest.mark.rest
def test_an_entry_is_corrected_by_points_by_row_and_by_dice(screen: OpenScreen, server: Server) -> None:
    one = open_pad(screen("desktop"), server, "Ada", "Ben")
    tell(one, "33355")
    one.score("full_house")
    pick(one, "sixes", "18")
    one.press("[data-entry=full_house]")
    one.press(".correct [data-tab=dice]")
    one.page.keyboard.type("66655")
    one.press(".correction-row[data-row=full_house]")
    expect(one.find("[data-entry=full_house]")).to_have_text("28")
    expect(one.find("[data-entry=full_house]")).to_have_class(re.compile("corrected"))
    one.press("[data-entry=full_house]")
    one.press(".correct [data-tab=box]")
    one.press(".correction-row[data-row=chance]")
    one.press(".correct [data-points='21']")
    expect(one.find("[data-entry=chance]")).to_have_text("21")
    one.press("[data-entry=sixes]")
    one.press(".correct [data-points='24']")
    expect(one.find("[data-entry=sixes]")).to_have_text("24")
    assert [event.actions for event in events(one, server) if isinstance(event, Corrected)] == [
        ("=66655", "full_house"),
        ("chance=21",),
        ("sixes=24",),
    ]


@pytest.mark.rest
def test_two_rows_that_were_mixed_up_are_swapped_in_one_step(screen: OpenScreen, server: Server) -> None:
    one = open_pad(screen("phone"), server, "Ada")
    for dice, box in (("33355", "small_straight"), ("12345", "full_house")):
        tell(one, dice)
        one.press(f"{PREVIEW_CELL}[data-box={box}]")
        one.press(CONFIRM_BUTTON)
        expect(one.find(f"[data-entry={box}]")).to_have_text("0")
    pick(one, "fours", "12")
    one.press("[data-entry=small_straight]")
    one.press(".correct [data-tab=box]")
    expect(one.find(".correct [data-row=fours]")).to_have_count(0)
    expect(one.find(".correct [data-swap]")).to_have_count(1)
    expect(one.find(".correct [data-swap=full_house]")).to_contain_text("Full House 19", use_inner_text=True)
    one.press(".correct [data-swap=full_house]")
    for box, points in (("full_house", "19"), ("small_straight", "15")):
        expect(one.find(f"[data-entry={box}]")).to_have_text(points)
        expect(one.find(f"[data-entry={box}]")).to_have_class(re.compile("corrected"))
    assert [event for event in events(one, server) if isinstance(event, Corrected)] == [
        Corrected(0, 0, ("=33355", "full_house"), CorrectedTurn(1, ("=12345", "small_straight")))
    ]


@pytest.mark.rest
def test_where_rows_are_announced_a_correction_shows_only_what_can_be(screen: OpenScreen, server: Server) -> None:
    one = open_pad(screen("phone"), server, "Ada", text="Danish")
    for box, dice in (("fours", "44412"), ("yatzy", "66666")):
        one.press(f"{ANNOUNCE_CELL}[data-box={box}]")
        tell(one, dice)
        one.score(box)
    one.press("[data-entry=fours]")
    one.wait_for(".correct .point")
    keys = one.find(".correct .point")
    assert keys.evaluate_all("all => all.map(one => one.dataset.points)") == ["0", "4", "8", "12", "16", "20"]
    one.press(".correct [data-tab=box]")
    expect(one.find(".correct [data-row=yatzy]")).to_have_count(0)
    one.press(".correct [data-tab=dice]")
    for face in "55544":
        one.press(f".correct [data-face='{face}']")
    one.wait_for(".correct [data-row=fours]")
    one.press_at(".correct [data-row=yatzy]")
    expect(one.find(".correct .wrong")).to_contain_text("In turn 2, 80 in Yatzy would no longer be possible")
    expect(one.find(".correct [data-row=full_house] b")).to_have_text("23")
    one.press(".correct [data-row=full_house]")
    expect(one.find("[data-entry=full_house]")).to_have_text("23")
    assert [event.actions for event in events(one, server) if isinstance(event, Corrected)] == [
        ("!full_house", "=55544", "full_house")
    ]


@pytest.mark.rest
def test_a_roll_entered_wrongly_in_an_earlier_round_is_corrected_and_a_chip_moves(
    screen: OpenScreen, server: Server
) -> None:
    one = open_pad(screen("phone"), server, "Ada", "Ben", "Cid", edition="carlit-chicago")
    for name, dice in (("Ben", "666"), ("Cid", "111"), ("Ada", "112")):
        one.page.keyboard.type(dice)
        writes(one, name)
    one.page.keyboard.type("632")
    one.press("[data-act=stand-over]")
    for name, dice in (("Ben", "321"), ("Cid", "221")):
        writes(one, name)
        one.page.keyboard.type(dice)
        one.press(".tray .main-button")
    expect(one.find(".players tr[data-seat='2'] .token")).to_have_count(1)
    writes(one, "Cid")
    one.press(".log summary")
    one.press(".log [data-seat='2'] button")
    expect(one.find(".correct")).to_contain_text("Round 1: 5", use_inner_text=True)
    one.press(".correct [data-act=erase]")
    one.press(".correct [data-face='5']")
    one.press(".correct [data-stand=here]")
    expect(one.find(".correct")).to_have_count(0)
    expect(one.find(".players tr[data-seat='1'] .token")).to_have_count(1)
    expect(one.find(".log [data-seat='2'] .corrected b")).to_have_text("9")
    writes(one, "Ben")
    one.page.keyboard.type("654")
    one.press("[data-act=stand-under]")
    writes(one, "Cid")
    one.press(".players tr[data-seat='1'] button.round-total")
    one.press(".correct [data-stand=over]")
    expect(one.find(".correct")).to_have_count(0)
    expect(one.find(".prompt")).to_have_text("Roll over 15")
    one.press(".log [data-seat='1'] button")
    one.press(".correct [data-act=erase]")
    one.press(".correct [data-face='6']")
    one.press(".correct [data-stand=here]")
    expect(one.find(".correct .wrong")).to_contain_text("in round 2, what Ben entered")
    one.press(".correct [data-act=close]")
    assert [
        (event.seat, event.turn, event.actions) for event in events(one, server) if isinstance(event, Corrected)
    ] == [
        (2, 0, ("=225", "stand")),
        (1, 1, ("=654:3", "stand over")),
    ]


def test_entries_wait_for_the_line_outlive_the_page_and_arrive_once(screen: OpenScreen, server: Server) -> None:
    one = open_pad(screen("phone"), server, "Ada", "Ben")
    one.page.evaluate(CUT)
    expect(one.find("#lost")).to_be_visible()
    pick(one, "fours", "12")
    writes(one, "Ben")
    tell(one, "66661")
    expect(one.find(f"{PREVIEW_CELL}[data-box=sixes]")).to_have_text("?")
    one.press(f"{PREVIEW_CELL}[data-box=sixes]")
    writes(one, "Ada")
    expect(one.find("td.shown .pending")).to_have_text("12")
    assert str(one.find("td.shown .pending").get_attribute("aria-label")).endswith("waiting")
    one.press(".cell.open[data-box=twos]")
    one.press(".picker [data-points='0']")
    expect(one.find("#lost")).to_have_text("No connection. 3 entries are waiting.")
    one.page.reload()
    expect(one.find("[data-entry=twos]")).to_have_text("0")
    expect(one.find(".pending")).to_have_count(0)
    assert actions(one, server) == [(0, "fours=12"), (1, "=66661"), (1, "sixes"), (0, "twos=0")]


@pytest.mark.rest
def test_what_the_server_refuses_later_is_named_with_what_falls_with_it(screen: OpenScreen, server: Server) -> None:
    one = open_pad(screen("phone"), server, "Ada")
    two = Screen(one.page.context.new_page(), one.touch)
    two.page.goto(one.page.url)
    two.wait_for(FACE_KEY)
    one.page.evaluate(CUT)
    pick(one, "fours", "12")
    pick(one, "fives", "15")
    pick(two, "fours", "8")
    expect(two.find("[data-entry=fours]")).to_have_text("8")
    one.page.evaluate(MEND)
    expect(one.find("dialog")).to_contain_text("Not scored: Ada, Fours, 12")
    expect(one.find("dialog")).to_contain_text("Ada, Fives, 15")
    one.press("[data-act=ok]")
    expect(one.find("[data-entry=fours]")).to_have_text("8")
    assert actions(two, server) == [(0, "fours=8")]
    two.check_problems()


@pytest.mark.rest
def test_every_roll_can_be_entered_and_then_the_coach_may_be_asked(screen: OpenScreen, server: Server) -> None:
    one = open_pad(screen("phone"), server, "Ada")
    expect(one.find("[data-act=hint]")).to_be_disabled()
    one.press("[data-act=each-roll]")
    one.press(".tray .main-button")
    tell(one, "66123")
    expect(one.find("[data-act=hint]")).to_be_enabled()
    one.press("[data-die='0']")
    one.press("[data-die='1']")
    one.press(".tray .main-button")
    one.wait_for(".die.entering")
    tell(one, "661")
    one.score("sixes")
    expect(one.find(".total td.shown")).to_have_text("24")


@pytest.mark.rest
def test_rounds_are_noted_with_rolls_chips_and_ties(screen: OpenScreen, server: Server) -> None:
    one = open_pad(screen("phone"), server, "Ada", "Ben", edition="carlit-chicago")
    one.page.keyboard.type("666")
    writes(one, "Ben")
    one.page.keyboard.type("111")
    writes(one, "Ada")
    one.press(".roll-count .pick:nth-child(2)")
    one.page.keyboard.type("632")
    one.press("[data-act=stand-over]")
    writes(one, "Ben")
    one.page.keyboard.type("321")
    one.press(".tray .main-button")
    expect(one.find("tr[data-seat='1'] .token")).to_have_count(1)
    assert actions(one, server)[2:] == [(0, "=632:2"), (0, "stand over"), (1, "=321"), (1, "stand")]


@pytest.mark.rest
def test_everyone_writes_on_their_own_phone_and_the_big_screen_shows_all(screen: OpenScreen, server: Server) -> None:
    one, two, big = screen("phone"), screen("phone"), screen("desktop")
    one.open_home(server.url).choose_edition("tactic-xl-yatzy").press("[data-mode=pad]")
    one.type_into("[data-field=name]", "Ada")
    one.press("[data-act=add-name]")
    one.press("[data-act=phones]")
    one.wait_for(".invite [data-code]")
    two.page.goto(one.page.url)
    two.wait_for("[data-field=name]")
    two.take_seat("Ben")
    expect(two.find("[data-seat='1']")).to_contain_text("real dice")
    one.press("[data-act=start]")
    one.wait_for(FACE_KEY)
    two.wait_for(FACE_KEY)
    big.page.goto(f"{one.page.url}/screen")
    big.wait_for(".so-far")
    tell(two, "66655")
    two.score("full_house")
    pick(one, "sixes", "18")
    expect(big.find(".so-far li")).to_have_text(["1.Ben28", "2.Ada18"])
    expect(big.find("td.newest")).to_have_text("18")


@pytest.mark.rest
def test_a_zero_with_all_dice_alike_says_what_it_is(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).choose_edition("philos-yatzi").start_score_pad("Ada", "Ben")
    one.press(".cell.open[data-box=twos]")
    expect(one.find(".picker .besides .why")).to_have_text("If all your dice were alike, which may count later:")
    expect(one.find(".picker .point").get_by_text("0", exact=True)).to_have_count(2)
    assert one.find(".picker .point-group:not(.besides) .why").count() == 0
