"""Words of strangers on everybody's screen: names, titles and labels can disturb no page, no table and no terminal."""

import asyncio
import contextlib
import io
import json
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from knobel.cli import main
from knobel.cli.screen import say, say_json
from knobel.errors import KnobelError
from knobel.lang import Translator
from knobel.rooms.lobby import MAX_SEATS
from knobel.rooms.names import MAX_NAME_LENGTH, clean_name, make_unique_name
from knobel.rooms.room import NextGame, Room, RoomSeat, Settings
from knobel.rules import read_house_rules
from knobel.rules.fields import abbreviate, clean_text, count_graphemes
from tests.support.browser import Screen, Server, open_screen
from tests.support.devices import Device
from tests.support.house_rules import MINIMAL_RULES, to_toml, with_changes
from tests.support.proofs import proof_script
from tests.support.waiting import HANG_SECONDS

ZALGO = "Z" + "\u0300\u0316\u0489\u20dd" * 49
NASTY = (
    "<img src=x onerror=b()>",
    '"><script>b()</script>',
    "\u202egnirts\u2066 \u200fdekcirt",
    ZALGO,
    "\ufdfd" * 40,
    "\x1b]0;owned\x07\x9b31m",
    "👨\u200d👩\u200d👧\u200d👦🇩🇪👍🏽" * 4,
    "&lt;i&gt; {name} %s",
    "W" * 200,
    "مرحبا بالعالم الجميل جدا",
)
SNARES = (
    "<>&\"'\u202a\u202e\u2066\u2069\u200b\u200d\u200f\ufeff"
    "\x00\x1b\x7f\x9b\u0300\u0489\ufe0f\u3164\u2800\u115f\U000e0041🇩👍🏽 \t\n\u2028e한"
)
words = st.text(st.one_of(st.sampled_from(SNARES), st.characters(exclude_categories=())), max_size=60)


def is_harmless(text: str) -> bool:
    """Tell whether a text can stand on any screen: normal, visible, no towers of marks, nothing hanging in the air."""
    shape = "".join("^" if unicodedata.category(one).startswith("M") else "x" for one in text)
    return (
        unicodedata.is_normalized("NFC", text)
        and not any(unicodedata.category(one).startswith(("C", "Zl", "Zp")) for one in text)
        and "^^^^" not in shape
        and not shape.startswith("^")
        and text == text.strip()
        and not set(text) & set("\u115f\u3164\u2800\u034f")
    )


def count_visible(text: str) -> int:
    """Count the most characters that are visible: all but marks, skin tones and the second half of each flag."""
    halves = sum(0x1F1E6 <= ord(one) <= 0x1F1FF for one in text)
    rest = sum(
        not unicodedata.category(one).startswith("M")
        and not 0x1F1E6 <= ord(one) <= 0x1F1FF
        and not 0x1F3FB <= ord(one) <= 0x1F3FF
        for one in text
    )
    return rest + halves // 2


@given(words)
@example("e\u200d\u0301")
@example("\u0301a")
@example(ZALGO)
@example("\u1112\u200b\u1161\u11ab")
@example("\ud800")
@settings(max_examples=400, deadline=None)
def test_whatever_is_cleaned_is_harmless_and_stays_as_it_is(text: str) -> None:
    cleaned = clean_text(text)
    assert is_harmless(cleaned)
    assert clean_text(cleaned) == cleaned
    assert is_harmless(abbreviate(text))


@given(words)
@settings(max_examples=300, deadline=None)
def test_a_name_has_at_most_twenty_characters_as_readers_count_them(text: str) -> None:
    label = clean_name(text)
    assert is_harmless(label)
    assert count_visible(label) <= count_graphemes(label) <= MAX_NAME_LENGTH
    assert clean_name(label) == label


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Zoe\u0308", "Zoë"),
        ("🇩🇪" * 30, "🇩🇪" * 20),
        ("👍🏽" * 30, "👍🏽" * 20),
        ("e\u0301" * 30, "é" * 20),
        ("x" + "\u0336" * 80, "x" + "\u0336" * 3),
        ("नमस्ते", "नमस्ते"),
        ("ab\u200bc\u202ed", "abcd"),
        ("a" * 19 + " bcd", "a" * 19),
        ("a \n\t b", "a b"),
    ],
)
def test_a_name_is_cut_between_characters_and_never_within_one(name: str, label: str) -> None:
    assert clean_name(name) == label


def test_ten_thousand_marks_are_cleaned_in_no_time_and_leave_a_letter() -> None:
    assert len(clean_name("a" + "\u0301\u0316" * 5000)) <= 4


@pytest.mark.parametrize("name", ["Ann", "W" * 30, "é" * 30, "🇩🇪" * 30])
def test_equal_names_are_told_apart_within_twenty_characters(name: str) -> None:
    room = Room("r", "o", Settings("x", "en"), NextGame("g", "", ""))
    for _ in range(MAX_SEATS):
        place = RoomSeat(make_unique_name(room, name), "o")
        room = Room("r", "o", room.settings, room.coming, (*room.seats, place))
    names = [place.name for place in room.seats]
    assert len({unicodedata.normalize("NFKC", one).casefold() for one in names}) == MAX_SEATS
    assert max(map(count_graphemes, names)) <= MAX_NAME_LENGTH


def test_a_name_in_other_letters_is_the_same_name() -> None:
    room = Room("r", "o", Settings("x", "en"), NextGame("g", "", ""), (RoomSeat("Ann", "o"),))
    assert make_unique_name(room, "ＡＮＮ") == "ＡＮＮ 2"


@pytest.mark.rest
@given(words, words)
@settings(max_examples=150, deadline=None)
def test_titles_and_labels_of_house_rules_are_treated_like_names(title: str, label: str) -> None:
    table = with_changes(MINIMAL_RULES, {"title": title, "boxes.chance.names": {"en": label}})
    try:
        edition = read_house_rules(to_toml(table).encode(errors="replace"), "house.toml")
    except KnobelError as error:
        said = Translator("en").describe_error(error)
    else:
        said = edition.title
        assert is_harmless(edition.title)
        assert count_visible(edition.title) <= 40
        assert is_harmless(str(edition.box_name("chance", "en")))
        assert count_visible(str(edition.box_name("chance", "en"))) <= 24
    assert said.isprintable()


@given(words)
@settings(max_examples=100, deadline=None)
def test_nothing_that_is_said_in_a_terminal_can_steer_it(text: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as screen:
        say(text)
        say_json({"name": text, text: [text]})
    assert not any(unicodedata.category(one).startswith("C") and one != "\n" for one in screen.getvalue())
    written = screen.getvalue()[len("".join(one for one in text if one == "\n")) :]
    assert json.loads(written[written.index('{\n  "name"') :])["name"] == text


@pytest.mark.parametrize("command", [["check"], ["rules"], ["rules", "--json"]])
def test_a_file_of_strangers_steers_no_terminal(
    command: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own\x1b[31m\u202e.toml"
    file.write_text(
        to_toml(
            with_changes(MINIMAL_RULES, {"title": "\x1b[2J\u202eT\x9b1m", "boxes.chance.names": {"en": "\x1b[8mC"}})
        )
    )
    main([*command[:1], str(file), *command[1:]])
    said = "".join(capfd.readouterr())
    assert said
    assert not any(unicodedata.category(one).startswith("C") and one != "\n" for one in said)


# In a real browser.

RULES = {
    "title": '<img src="x" onerror="b()"> \u202e' + ZALGO[:30],
    "rolls": 1,
    "boxes": {"all": {"pattern": "sum", "counts": "all", "names": {"en": "<svg onload=b()>" + ZALGO[:40]}}},
}
SICK = """() => {
  const wide = [...document.querySelectorAll("h1, .seat-name, .name, .edition-title, th, .status")].filter((one) => {
    const box = one.getBoundingClientRect();
    const strip = one.closest(".seats, .board, .series, .end");
    return box.width && (box.height > 160 || (!strip && (box.right > innerWidth + 1 || box.left < -1)));
  });
  const forged = [...document.querySelectorAll("iframe, object, [onerror], [onload], script:not([src]), img[src=x]")];
  const across = document.documentElement.scrollWidth;
  return [
    ...wide.map((one) => `wide: ${one.className} ${one.textContent}`),
    ...forged.map((one) => `forged: ${one.outerHTML}`),
    ...(across > innerWidth + 1 ? [`scrolls: ${across}`] : []),
    ...(window.ran ? ["ran"] : []),
  ];
}"""

WON = """name => { document.querySelector(".end h2").textContent = name; }"""
"""Lets somebody else have won: the dice of this game are real, and everybody's name must fit."""


def list_problems_left(one: Screen) -> list[str]:
    """Wait until a page has no problems any more; list those it still has after a long while."""
    with suppress(PlaywrightTimeout):
        one.page.wait_for_function(f"() => !({SICK})().length")
    found: list[str] = one.page.evaluate(SICK)
    return found


def test_nasty_names_and_titles_are_only_words_in_lobby_table_and_end(browser: Browser, server: Server) -> None:
    device = Device(server.port)
    rules = to_toml(with_changes(MINIMAL_RULES, RULES))

    async def invites() -> str:
        async with device.session():
            room = await device.open_room(house_rules=await device.upload_house_rules(rules), edition="nasty <b>")
            for name in NASTY:
                assert (await device.send_intent({"want": "sit", "name": name}))["is"] == "done", name
            sit = {"want": "sit", "name": "x" + "\u0301" * 1_000}
            tower = {"do": "want", "id": "tower", "intent": sit}
            assert (await device.send_and_wait(tower))["code"] == "message_malformed"
            return room

    async def begins() -> None:
        async with device.session():
            await device.enter_room(room)
            while not device.room["sealed"]:
                await device.receive()
            assert (await device.send_intent({"want": "begin"}))["is"] == "done"

    async def plays() -> None:
        async with device.session():
            await device.enter_room(room)
            await device.wait_for_position(lambda view: not view["waiting"])
            for seat in range(len(NASTY)):
                for action in (".....", "all"):
                    act = {"want": "act", "seat": seat, "ply": device.position["ply"], "action": action}
                    assert (await device.send_intent(act))["is"] == "done"
                    ply = act["ply"]
                    await device.wait_for_position(lambda view, ply=ply: view["ply"] > ply)  # type: ignore[misc]

    room = asyncio_run(invites)
    screens = [open_screen(browser, "phone"), open_screen(browser, "desktop")]
    labels = [clean_name(name) for name in NASTY]
    for one in screens:
        one.page.add_init_script("window.b = () => { window.ran = true; };")
        one.page.context.add_cookies([{"name": "knobel", "value": device.token, "url": server.url}])
        one.page.context.add_init_script(proof_script(device.token))
        one.page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        one.page.goto(f"{server.url}/room/{room}")
        one.wait_for(".seat-name")
        assert [plate.inner_text() for plate in one.find(".seat-name").all()] == labels
        assert list_problems_left(one) == []
    asyncio_run(begins)
    for one in screens:
        one.wait_for("knobel-table .tray")
        assert list_problems_left(one) == []
    asyncio_run(plays)
    for one in screens:
        one.wait_for(".end [data-act=go-on]")
        for name in labels:
            one.page.evaluate(WON, name)
            assert list_problems_left(one) == []
    screens[0].confirm_end()
    for one in screens:
        one.wait_for(".end [data-act=review]")
        assert sorted(name.inner_text() for name in one.find(".ranking .name").all()) == sorted(labels)
        assert list_problems_left(one) == []
        one.page.goto(server.url)
        one.wait_for("[data-edition]")
        assert list_problems_left(one) == []
        one.page.context.close()
        one.check_problems()


def asyncio_run(work: Any) -> Any:
    """Run something beside the browser, whose own loop is busy in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(work())).result(HANG_SECONDS)
