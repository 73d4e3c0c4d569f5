"""Home in a real browser: play in one tap, the list of editions, codes, and what is seen while it loads."""

from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.support.browser import FACE_KEY, ROLL_BUTTON, ROLL_OFF_BUTTON, OpenScreen, Server
from tests.support.selection import rest

pytestmark = pytest.mark.browser

EXAMPLES = Path(__file__).parents[2] / "examples" / "house-rules"
LAN = "http://192.168.7.8:8765"
WIDTHS = (320, 390, 768, 1024, 1366, 1440, 1920)
BROKEN_WORDS = """() => {
  const broken = [];
  const walk = document.createTreeWalker(document.querySelector("#page"), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    for (const word of node.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((one) => Math.round(one.top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  }
  return broken;
}"""
"""Words of the page that stand on more than one line."""
SHELVES = """() => [...document.querySelectorAll(".shelves .editions")].map(
  (section) => [...section.querySelectorAll("[data-edition]")].map((one) => one.dataset.edition))"""
CLIPPED_RINGS = """(root) => {
  const ring = 5;
  const clipped = [];
  for (const one of document.querySelectorAll(`${root} :is(button, a[href], select, input:not(.unseen), summary)`)) {
    const at = one.getBoundingClientRect();
    if (!at.width) continue;
    for (let above = one.parentElement; above && above !== document.body; above = above.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(above);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const edge = above.getBoundingClientRect();
      if (at.left - ring < edge.left || at.right + ring > edge.right || at.top - ring < edge.top)
        clipped.push(one.outerHTML.slice(0, 80));
    }
  }
  return clipped;
}"""
"""Elements whose focus ring, three pixels wide and two away, is cut by something around them."""
TEXT_MARGINS = """spans => spans.map((span) => {
  const range = document.createRange();
  range.selectNodeContents(span);
  const [text, box] = [range, span].map((one) => one.getBoundingClientRect());
  return Math.min(text.left - box.left, box.right - text.right);
})"""
"""How far the words of some boxes are from the nearer side."""
ROOM_SAYS = """async ([key, value]) => {
  const { connection } = await import("/static/connection.js");
  return connection.room[key] === value;
}"""
KEEP_ROOM = """async () => {
  const { connection } = await import("/static/connection.js");
  window.keptRoom = structuredClone(connection.room);
}"""
DRAW_KEPT_AND_NEW = """async () => {
  const { connection } = await import("/static/connection.js");
  const lobby = document.querySelector("knobel-lobby");
  lobby.draw(window.keptRoom);
  lobby.draw(connection.room);
}"""
"""Draws a message that was on its way when something was changed, and then the one that came after it."""


def give_lan_address(route: Route) -> None:
    """Answer as a server that was started with --lan."""
    answer = route.fetch()
    route.fulfill(response=answer, json=answer.json() | {"lan": LAN})


@pytest.mark.parametrize(("locale", "edition"), [("en-GB", "Hasbro"), rest("de-CH", "Noris"), rest("da-DK", "Tactic")])
def test_play_starts_a_game_in_one_tap_by_the_edition_of_the_language(
    screen: OpenScreen, server: Server, locale: str, edition: str
) -> None:
    one = screen("phone", locale=locale).open_home(server.url)
    expect(one.find(".hero-about")).to_contain_text(edition)
    one.press("[data-act=play]")
    one.wait_for(ROLL_BUTTON, ".cell.announce")
    expect(one.find(ROLL_OFF_BUTTON)).to_have_count(0)
    one.press(".bar .mark")
    one.wait_for(".hero-actions > :first-child .act[data-act=continue]")
    expect(one.find("[data-act=continue]")).to_have_count(1)
    expect(one.find("[data-act=play]:not(.act)")).to_be_visible()
    expect(one.find(".edition-card").first).to_contain_text(edition)


@pytest.mark.rest
def test_against_bots_people_roll_for_the_start_only_if_they_ask_for_it(screen: OpenScreen, server: Server) -> None:
    one = screen().open_home(server.url).choose_edition("hasbro-yahtzee")
    one.select_option("[data-field=start]", "roll for it")
    one.press("[data-mode=bot]")
    one.wait_for(ROLL_OFF_BUTTON)


def test_who_starts_is_offered_wherever_a_game_is_opened(screen: OpenScreen, server: Server) -> None:
    one = screen().open_home(server.url).choose_edition("noris-yatzy")
    ways = ["the first player", "draw lots", "roll for it"]
    assert one.find("[data-field=start] option").all_inner_texts() == ["you", *ways[1:]]
    for mode in ("round", "pad"):
        one.press(f"[data-mode={mode}]")
        one.wait_for("[data-act=start]")
        assert one.find("[data-field=start] option").all_inner_texts() == ways
        one.press("[data-act=back]")
    one.press("[data-mode=round]")
    for name in ("Ann", "Ben", "Cid"):
        one.page.fill("[data-field=name]", name)
        one.press("[data-act=add-name]")
    one.select_option("[data-field=start]", "draw lots")
    one.press("[data-act=start]")
    one.wait_for(ROLL_BUTTON)
    expect(one.find(".status")).to_contain_text("Lots are drawn: ")


@pytest.mark.rest
def test_a_message_from_before_a_change_does_not_leave_the_form_as_it_was(screen: OpenScreen, server: Server) -> None:
    one = screen().open_home(server.url).choose_edition("mb-yahtzee").open_room("Ann")
    one.select_option("[data-field=start]", "draw lots")
    one.page.wait_for_function(ROOM_SAYS, arg=["start", "lots"])
    one.page.evaluate(KEEP_ROOM)
    one.select_option("[data-field=free]", "everyone at their own pace")
    one.page.wait_for_function(ROOM_SAYS, arg=["free", True])
    one.page.evaluate(DRAW_KEPT_AND_NEW)
    expect(one.find("[data-field=free]")).to_have_value("free")
    expect(one.find("[data-field=start] option")).to_have_count(2)


@pytest.mark.rest
def test_in_the_lobby_the_host_says_who_starts_and_everybody_reads_it(screen: OpenScreen, server: Server) -> None:
    host = screen().open_home(server.url).choose_edition("mb-yahtzee").open_room("Ann")
    assert host.find("[data-field=start]").input_value() == "roll_off"
    guest = screen("phone")
    guest.page.goto(host.page.url)
    guest.take_seat("Ben")
    expect(guest.find(".terms")).to_contain_text("roll for it")
    host.select_option("[data-field=start]", "draw lots")
    expect(guest.find(".terms")).to_contain_text("draw lots")
    host.select_option("[data-field=free]", "everyone at their own pace")
    expect(host.find("[data-field=start] option")).to_have_count(2)
    host.press("[data-act=start]")
    for one in (host, guest):
        expect(one.find(".status")).to_contain_text("Lots are drawn: ")


@pytest.mark.rest
@pytest.mark.parametrize("way", ["draw lots", "roll for it"])
def test_on_the_pad_lots_are_drawn_or_the_roll_off_is_entered(screen: OpenScreen, server: Server, way: str) -> None:
    one = screen().open_home(server.url).choose_edition("noris-yatzy")
    one.press("[data-mode=pad]")
    one.select_option("[data-field=start]", way)
    for name in ("Ann", "Ben"):
        one.type_into("[data-field=name]", name)
        one.press("[data-act=add-name]")
    one.press(".edition-panel [data-act=start]")
    one.wait_for(FACE_KEY)
    said = "Lots are drawn: " if way == "draw lots" else "Ann rolls to see who starts."
    expect(one.find(".status")).to_contain_text(said)


@pytest.mark.rest
def test_no_word_is_broken_at_any_width(screen: OpenScreen, server: Server) -> None:
    for locale in ("en-GB", "de-DE", "fi-FI"):
        one = screen(locale=locale).open_home(server.url)
        for width in WIDTHS:
            one.page.set_viewport_size({"width": width, "height": 900})
            assert one.page.evaluate(BROKEN_WORDS) == [], (locale, width)
            assert one.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.rest
def test_the_list_begins_with_what_was_played_last_and_keeps_rounds_apart(screen: OpenScreen, server: Server) -> None:
    one = screen(locale="fr-FR")
    one.open_home(server.url)
    sheets, rounds = one.page.evaluate(SHELVES)
    assert sheets[0] == "mb-yahtzee"
    assert {*sheets[:4]} == {"mb-yahtzee", "carlit-yatzy", "philos-yatzi", "tactic-xl-yatzy"}
    assert rounds == ["carlit-chicago"]
    one.choose_edition("noris-yatzy").start_bot_game()
    one.press(".bar .mark")
    one.wait_for("[data-edition]")
    assert one.page.evaluate(SHELVES)[0][:2] == ["noris-yatzy", "mb-yahtzee"]


@pytest.mark.rest
def test_a_wrong_code_is_answered_beside_its_field_and_forgotten_with_the_next_letter(
    screen: OpenScreen, server: Server
) -> None:
    host = screen().open_home(server.url).choose_edition("noris-yatzy").open_room("Ada")
    code = str(host.find("[data-code]").get_attribute("data-code"))
    one = screen("phone").open_home(server.url)
    one.expected_problems = ("status of 404",)
    one.press("[data-act=code]")
    one.press("[data-act=join]")
    expect(one.find(".wrong-code")).to_have_text("Type the room code first.")
    one.type_into("[data-field=code]", "aaaa aaaa")
    one.press("[data-act=join]")
    expect(one.find(".wrong-code")).to_contain_text("No room has this code")
    expect(one.find(".toast")).to_have_count(0)
    field, wrong = (one.find(at).bounding_box() for at in ("[data-field=code]", ".wrong-code"))
    assert field
    assert wrong
    assert wrong["y"] >= field["y"] + field["height"]
    one.find("[data-field=code]").clear()
    expect(one.find(".wrong-code")).to_be_hidden()
    one.type_into("[data-field=code]", code)
    one.press("[data-act=join]")
    one.wait_for("knobel-lobby .seat")
    expect(one.find(".toast")).to_have_count(0)


@pytest.mark.rest
def test_placeholders_stand_where_the_editions_will_be(screen: OpenScreen, server: Server) -> None:
    one = screen("phone")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    one.page.route("**/api/editions*", hold)
    one.page.goto(server.url)
    expect(one.find("[data-act=play]")).to_be_visible()
    expect(one.find(".placeholder.box").first).to_be_visible()
    one.press("[data-act=play]")
    for route in held:
        route.continue_()
    one.wait_for(ROLL_BUTTON)


def test_before_any_script_the_page_is_not_empty(screen: OpenScreen, server: Server) -> None:
    one = screen("phone")
    one.page.route("**/static/app.js", lambda route: route.abort())
    one.expected_problems = ("net::ERR_FAILED",)
    one.page.goto(server.url)
    expect(one.find("main .placeholder").first).to_be_visible()


@pytest.mark.rest
def test_no_focus_ring_is_cut(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url)
    one.press("[data-act=code]")
    assert one.page.evaluate(CLIPPED_RINGS, "#page") == []
    one.choose_edition("carlit-chicago")
    assert one.page.evaluate(CLIPPED_RINGS, "#page") == []
    one.open_settings()
    assert one.page.evaluate(CLIPPED_RINGS, "dialog") == []


@pytest.mark.rest
def test_house_rules_are_nobodys_edition_and_can_be_removed(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).upload_house_rules(EXAMPLES / "kniffel.toml")
    card = one.find("[data-own]")
    expect(card).to_contain_text("Your own rules", ignore_case=True)
    expect(card).not_to_contain_text("MB")
    panel = one.find(".edition-panel:not([hidden])")
    expect(panel).to_contain_text("as in your rules")
    expect(panel).not_to_contain_text("printed in", ignore_case=True)
    one.press("[data-act=remove-house-rules]")
    expect(card).to_have_count(0)
    one.upload_house_rules(EXAMPLES / "maxi-yatzy.toml")
    expect(panel).not_to_contain_text("languages")
    expect(panel.locator("[data-field=text]")).to_have_count(0)
    one.open_room("Ada")
    expect(one.find(".tabletop")).not_to_contain_text("MB")


@pytest.mark.rest
def test_reasons_of_switches_are_words(screen: OpenScreen, server: Server) -> None:
    one = screen().open_home(server.url).choose_edition("tactic-xl-yatzy")
    one.press(".switches summary")
    said = one.find(".switches").inner_text()
    assert "topmost open box" in said
    assert not any(word in said for word in ("_", "(free)", "literal", "lenient"))


@pytest.mark.rest
def test_a_nameless_host_is_asked_for_a_name_once_and_gets_the_first_seat(screen: OpenScreen, server: Server) -> None:
    host = screen().open_home(server.url).choose_edition("noris-yatzy")
    host.press("[data-mode=friends]")
    expect(host.find(".seating h2")).to_have_text("What’s your name?")
    expect(host.find(".seat.yours")).to_have_count(0)
    host.take_seat("Ada")
    expect(host.find(".seat.yours[data-seat='0'] .seat-name")).to_have_text("Ada")
    expect(host.find(".seating h2")).not_to_have_text("What’s your name?")


@pytest.mark.rest
def test_only_the_host_is_told_how_others_can_connect(screen: OpenScreen, server: Server) -> None:
    host = screen().open_home(server.url).choose_edition("noris-yatzy").open_room("Ada")
    expect(host.find(".invite")).to_contain_text("--lan")
    other = screen("phone")
    other.page.goto(host.page.url)
    other.wait_for(".invite [data-code]")
    expect(other.find(".invite")).not_to_contain_text("--lan")
    for one in (host, other):
        expect(one.find(".qr")).to_have_count(0)
        expect(one.find(".invite")).to_contain_text("on this computer")


@pytest.mark.rest
def test_with_an_address_in_the_network_the_invitation_has_it_and_its_picture(
    screen: OpenScreen, server: Server
) -> None:
    host = screen()
    host.page.route("**/api/hello*", give_lan_address)
    host.open_home(server.url).choose_edition("noris-yatzy").open_room("Ada")
    expect(host.find(".qr")).to_be_visible()
    expect(host.find("[data-link]")).to_contain_text(LAN)
    expect(host.find(".invite")).not_to_contain_text("--lan")


@pytest.mark.rest
def test_the_link_of_a_finished_game_shows_a_stranger_its_result(screen: OpenScreen, server: Server) -> None:
    one = screen().open_home(server.url).choose_edition("carlit-yatzy").start_score_pad("Ada")
    for left in reversed(range(15)):
        one.press(".cell.open")
        one.press(".picker [data-points='0']")
        expect(one.find(".cell.open")).to_have_count(left)
    one.wait_for(".end")
    one.confirm_end()
    stranger = screen("phone")
    stranger.page.goto(one.page.url)
    stranger.wait_for("knobel-table .end .ranking")
    expect(stranger.find(".end .ranking")).to_contain_text("Ada")


@pytest.mark.parametrize(("locale", "title"), [("en-GB", "There’s nothing here"), rest("de-DE", "Hier ist nichts")])
def test_an_address_that_leads_nowhere_says_so_and_shows_the_way_home(
    screen: OpenScreen, server: Server, locale: str, title: str
) -> None:
    one = screen("phone", locale=locale)
    one.expected_problems = ("status of 404",)
    answer = one.page.goto(f"{server.url}/nowhere")
    assert answer
    assert answer.status == 404
    expect(one.find("knobel-missing h2")).to_have_text(title)
    one.press("[data-act=home]")
    one.wait_for("[data-edition]")


def test_a_review_of_a_game_that_is_not_there_leads_nowhere_and_shows_the_way_home(
    screen: OpenScreen, server: Server
) -> None:
    one = screen("phone")
    one.expected_problems = ("status of 404",)
    one.page.goto(f"{server.url}/review/none")
    expect(one.find("knobel-review knobel-missing h2")).to_have_text("There’s nothing here")
    one.press("knobel-missing [data-act=home]")
    one.wait_for("[data-edition]")


@pytest.mark.rest
def test_a_name_that_is_missing_or_listed_already_is_answered_beside_its_field(
    screen: OpenScreen, server: Server
) -> None:
    one = screen("phone").open_home(server.url).choose_edition("mb-yahtzee")
    one.press("[data-mode=round]")
    one.press("[data-act=add-name]")
    expect(one.find(".wrong-name")).to_have_text("Type a name first.")
    one.type_into("[data-field=name]", "Anna")
    expect(one.find(".wrong-name")).to_be_hidden()
    one.press("[data-act=add-name]")
    expect(one.find(".seated-name")).to_have_text(["Anna"])
    one.type_into("[data-field=name]", "anna")
    one.press("[data-act=add-name]")
    expect(one.find(".wrong-name")).to_have_text("Anna is already on the list.")
    expect(one.find("[data-field=name]")).to_have_value("anna")
    expect(one.find(".seated-name")).to_have_text(["Anna"])


@pytest.mark.rest
def test_a_long_name_ends_at_the_limit_which_is_said(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).choose_edition("mb-yahtzee")
    one.press("[data-mode=friends]")
    one.wait_for("[data-act=sit]")
    long = "Maximiliane von und zu Hohenstein"
    one.type_into("[data-field=name]", long)
    expect(one.find(".wrong-name")).to_have_text("A name has at most 20 characters.")
    expect(one.find("[data-field=name]")).to_have_value(long[:20])
    one.press("[data-act=sit]")
    expect(one.find(".seat.yours .seat-name")).to_have_text(long[:20])
    expect(one.find(".chip[data-name]")).to_have_count(0)


def test_an_opened_edition_says_its_name(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).choose_edition("mb-yahtzee")
    expect(one.find(".edition-panel:not([hidden]) h3")).to_contain_text("Yahtzee")


def test_what_was_typed_a_moment_ago_is_what_is_added_and_opened(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url)
    one.press("[data-act=make]")
    one.wait_for("[data-act=use]")
    one.page.evaluate(
        """() => {
          const title = document.querySelector("[data-field=title]");
          title.value = "Sunday rules";
          title.dispatchEvent(new Event("input"));
          document.querySelector("[data-act=others]").click();
        }"""
    )
    expect(one.find("[data-own]")).to_contain_text("Sunday rules")
    expect(one.find("[data-own]")).not_to_contain_text("last played", ignore_case=True)
    expect(one.find(".edition-panel:not([hidden]) h3")).to_contain_text("Sunday rules")


@pytest.mark.rest
def test_house_rules_made_with_the_form_can_be_edited(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url)
    one.press("[data-act=make]")
    one.wait_for("[data-act=others]")
    one.page.fill("[data-field=title]", "Sunday rules")
    one.select_option("[data-field=rolls]", "4")
    one.press("[data-box=chance]")
    one.press("[data-act=others]")
    one.press("[data-act=edit-house-rules]")
    expect(one.find("[data-field=title]")).to_have_value("Sunday rules")
    expect(one.find("[data-field=rolls]")).to_have_value("4")
    expect(one.find("[data-box=chance]")).not_to_be_checked()
    one.page.fill("[data-field=title]", "Monday rules")
    one.press("[data-act=others]")
    expect(one.find(".edition-panel:not([hidden]) h3")).to_contain_text("Monday rules")
    expect(one.find("[data-own]")).to_have_count(1)
    one.upload_house_rules(EXAMPLES / "kniffel.toml")
    expect(one.find(".edition-panel:not([hidden])")).not_to_contain_text("Edit these rules")


@pytest.mark.rest
def test_no_choice_in_the_settings_touches_its_border(screen: OpenScreen, server: Server) -> None:
    one = screen("phone", locale="fi-FI").open_home(server.url).open_settings()
    least = one.find(".pick span").evaluate_all(TEXT_MARGINS)
    assert min(least) >= 4
