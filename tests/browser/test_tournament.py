"""A tournament in the browser: created on one device, played on two, standings for everybody, changed by its host."""

from pathlib import Path

from playwright.sync_api import Page, expect

from knobel.host.tournament_file import load_tournament
from tests.support.browser import CONFIRM_BUTTON, ROLL_BUTTON, OpenScreen, Screen, Server
from tests.support.house_rules import EXAMPLES

LEFT_OUT = ("neighbours", "odd", "even")
"""Boxes of the example that would only make the game longer."""
REFUSED = ("status of 400", "status of 404")
"""What a browser itself says about a form that was refused, and a tournament that is gone."""
CLUB = Path(__file__).parents[2] / "examples" / "tournaments" / "club.toml"


def upload_short_game(host: Screen, folder: Path) -> None:
    """Bring in house rules with few boxes, which the form offers first."""
    example = (EXAMPLES / "two-dice.toml").read_text(encoding="utf-8").splitlines()
    short = folder / "short.toml"
    short.write_text("\n".join(line for line in example if not line.startswith(LEFT_OUT)), encoding="utf-8")
    host.upload_house_rules(short)


def open_form(host: Screen, server: Server) -> None:
    host.open_home(server.url)
    host.press("[data-act=tournament]")
    host.wait_for(".tournament-form")


def take_seat(player: Screen, link: str, name: str) -> None:
    """Open the page of the tournament, go to its room and take the seat with a name."""
    player.page.goto(link)
    player.press("[data-act=room]")
    player.press(f".seat.offered:has-text('{name}')")
    if player.is_visible("[data-act=take]"):
        player.press("[data-act=take]")
    player.wait_for(".seat.yours")


def assert_lobby_belongs_to_the_tournament(host: Screen) -> None:
    """The game is agreed for all rounds, nobody sits down but on a saved seat, and a link leads back."""
    expect(host.find(".setup-panel select")).to_have_count(0)
    expect(host.find(".seating")).to_be_hidden()
    expect(host.find("[data-act=free-seat]")).to_have_count(0)
    host.press("[data-act=lock]")
    expect(host.find(".seating [data-act=add-bot]")).to_be_visible()
    expect(host.find(".seating input[data-field=name]")).to_have_count(0)  # a device has one seat
    host.press("[data-act=lock]")
    expect(host.find(".seating")).to_be_hidden()
    expect(host.find(".start-panel [data-act=tournament]")).to_be_visible()


def assert_end_leads_back(player: Screen) -> None:
    player.press("[data-act=tournament]")
    player.wait_for("[data-part=standings]")


def assert_a_stranger_can_only_watch(stranger: Screen, link: str) -> None:
    """Whoever has no saved seat finds no form to sit down, and is not told that there is a seat."""
    stranger.page.goto(link)
    stranger.press("[data-act=room]")
    expect(stranger.find(".start-status >> nth=0")).to_contain_text("Waiting for")
    expect(stranger.find(".seating")).to_be_hidden()
    stranger.page.goto(link)


def read_standings(page: Page) -> list[str]:
    return page.locator("[data-part=standings] tbody th").all_inner_texts()


def correct_loser(host: Screen, standings: list[str]) -> None:
    """Correct what the second of two scored; a score that cannot be is refused, or cannot be typed."""
    field = f"[data-field=total-{1 if standings[0] == 'Ada' else 0}]"
    host.press("[data-act=correct-1]")
    host.page.fill(field, "many")
    host.press("[data-act=save]")
    expect(host.find(".tournament-totals .wrong")).to_contain_text("“many” isn’t a score")
    host.page.fill(field, "")
    host.page.locator(field).press_sequentially("9999999")
    expect(host.find(field)).to_have_value("999999")
    host.page.fill(field, "999")
    host.press("[data-act=save]")


def assert_the_last_round_names_the_winner(host: Screen) -> None:
    """Enter the last round by hand: the page says who is first."""
    host.press("[data-act=enter]")
    for total, field in enumerate(host.find("[data-part=totals] input").all(), start=5):
        field.fill(str(total))
    host.press("[data-act=save]")
    expect(host.find(".tournament-first")).to_contain_text("First place: ")
    expect(host.find(".tournament-first")).to_contain_text(read_standings(host.page)[0])


def test_a_round_is_played_in_its_room_and_its_results_are_in_the_standings(
    screen: OpenScreen, server: Server, tmp_path: Path
) -> None:
    host = screen("desktop").open_home(server.url)
    host.expected_problems = REFUSED
    upload_short_game(host, tmp_path)
    open_form(host, server)
    host.page.locator("[data-field=edition]").select_option(label="Two dice")
    host.page.fill("[data-field=title]", "Club evening")
    host.page.fill("[data-field=players]", "Ada\nBen\nCleo\nAda")
    host.press("[data-act=create]")
    expect(host.find(".wrong")).to_contain_text("“Ada” can’t be a player’s name")
    host.page.fill("[data-field=players]", "Ada\nBen\nCleo")
    host.press("[data-act=create]")
    host.wait_for("[data-act=open]")
    link = host.page.url
    expect(host.find("h1")).to_have_text("Club evening")
    host.press("[data-part=absent] summary")
    host.press("[data-field=absent-2]")
    expect(host.find(".tournament-pairs li")).to_have_count(1)
    host.press("[data-act=open]")
    host.wait_for("[data-act=room]")
    expect(host.find(".tournament-note >> nth=0")).to_contain_text("Ada")
    spectator = screen("phone")
    spectator.servers |= host.servers
    spectator.page.goto(link)
    expect(spectator.find("[data-part=round] h2 >> nth=0")).to_have_text("Round 1")
    expect(spectator.find("[data-act=cancel]")).to_have_count(0)
    guest = screen("phone")
    guest.servers |= host.servers
    for player, name in ((guest, "Ben"), (host, "Ada")):
        take_seat(player, link, name)
    assert_lobby_belongs_to_the_tournament(host)
    assert_a_stranger_can_only_watch(spectator, link)
    host.press("[data-act=start]")
    for player in (guest, host):
        player.wait_for(ROLL_BUTTON)
        for _ in range(2):
            player.roll()
            player.score()
    for player in (guest, host):
        player.wait_for(".same-dice-table")
        expect(player.find("[data-act=tournament]")).to_have_count(1)
    expect(host.find("[data-act=rematch]")).to_have_count(0)
    expect(guest.find(".next")).not_to_contain_text("can start the next game")
    assert_end_leads_back(guest)
    expect(spectator.find("[data-round='1'] .side")).to_have_count(2)
    host.page.goto(link)
    host.wait_for("[data-act=correct-1]")
    before = read_standings(host.page)
    correct_loser(host, before)
    expect(spectator.find("[data-part=standings] tbody th >> nth=0")).to_have_text(before[1])
    expect(spectator.find("[data-round='1']")).to_contain_text("corrected by the host")
    expect(host.find("[data-field=absent-2]")).not_to_be_checked()
    expect(host.find("[data-act=open]")).to_have_text("Open round 2")
    assert_the_last_round_names_the_winner(host)


def assert_a_name_is_changed(host: Screen) -> None:
    """The host presses a name in the standings; a name that is taken is refused at once."""
    host.press("[data-act=rename-1]")
    host.find("dialog [data-field=text]").fill("ada")
    host.press("dialog [data-act=yes]")
    expect(host.find("dialog .wrong-name")).to_contain_text("Ada")
    host.find("dialog [data-field=text]").fill("Benno")
    host.page.keyboard.press("Enter")
    expect(host.find("[data-act=rename-1]")).to_have_text("Benno")


def assert_a_latecomer_is_added(host: Screen) -> None:
    """Somebody comes late: a name that is taken is refused at once, another one is paired."""
    name = host.find(".tournament-latecomer [data-field=name]")
    name.fill("ada")
    name.press("Enter")
    expect(host.find(".tournament-latecomer .wrong-name")).to_contain_text("Ada")
    name.fill("Fay")
    name.press("Enter")
    expect(host.find("[data-part=standings]")).to_contain_text("Fay")
    expect(host.find(".tournament-pairs")).to_contain_text("Fay")
    expect(name).to_be_focused()
    expect(name).to_have_value("")


def test_a_file_comes_in_and_goes_out_and_a_tournament_can_be_deleted(
    screen: OpenScreen, server: Server, tmp_path: Path
) -> None:
    host = screen("phone")
    host.expected_problems = REFUSED
    open_form(host, server)
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("players = 5", encoding="utf-8")
    host.page.set_input_files("[data-field=file]", wrong)
    expect(host.find(".wrong")).to_contain_text("wrong.toml: “players” must look like this")
    host.page.set_input_files("[data-field=file]", CLUB)
    host.wait_for("[data-act=file]")
    with host.page.expect_download() as download:
        host.press("[data-act=file]")
    assert download.value.suggested_filename == "Club evening.toml"
    taken = tmp_path / "taken.toml"
    download.value.save_as(taken)
    club, again = load_tournament(CLUB), load_tournament(taken)
    assert (again.title, again.played, again.next_pairs) == (club.title, club.played, club.next_pairs)
    assert read_standings(host.page) == [club.players[one.player] for one in club.standings]
    host.page.emulate_media(media="print")
    expect(host.find("[data-part=standings]")).to_be_visible()
    expect(host.find(".tournament-round .tournament-pairs")).to_be_visible()
    expect(host.find("[data-act=delete]")).to_be_hidden()
    host.page.emulate_media(media="screen")
    host.press("[data-act=enter]")
    expect(host.find("[data-part=totals] input")).to_have_count(len(club.players) - 1)  # whoever has a bye has no score
    host.press("[data-part=totals] [data-act=close]")
    assert_a_latecomer_is_added(host)
    assert_a_name_is_changed(host)
    host.press("[data-act=delete]")
    host.press(CONFIRM_BUTTON)
    host.wait_for(".tournament-form")
    expect(host.find(".tournament-own")).to_have_count(0)
