"""Duplicate in the browser: agreed in the lobby, turns of others hidden until one's own are settled, the result."""

from pathlib import Path

from playwright.sync_api import expect

from knobel.record.verify import verify
from tests.support.browser import ROLL_BUTTON, OpenScreen, Server
from tests.support.house_rules import EXAMPLES

LEFT_OUT = ("neighbours", "odd", "even")
"""Boxes of the example that would only make the game longer."""
COUNT_ENTRIES = """() => {
  const [ada] = document.querySelector("knobel-table").position.view.seats;
  return ada.entries.filter((one) => one !== null).length;
}"""
"""How much of Ada's column the server has sent."""


def test_two_devices_play_the_same_dice_and_see_each_other_only_afterwards(
    screen: OpenScreen, server: Server, tmp_path: Path
) -> None:
    example = (EXAMPLES / "two-dice.toml").read_text(encoding="utf-8").splitlines()
    short = tmp_path / "short.toml"
    short.write_text("\n".join(line for line in example if not line.startswith(LEFT_OUT)), encoding="utf-8")
    one = screen("phone").open_home(server.url).upload_house_rules(short).open_room("Ada")
    one.select_option("[data-field=free]", "duplicate: the same dice for everyone")
    one.wait_for(".duplicate-note")
    # Each device has one seat, and nobody waits for anybody.
    expect(one.find(".seating [data-field=name]")).to_have_count(0)
    expect(one.find("[data-act=free-seat]")).to_be_disabled()
    expect(one.find("[data-field=timer]")).to_be_hidden()
    other = screen("desktop")
    other.servers |= one.servers
    other.page.goto(one.page.url)
    other.take_seat("Ben")
    expect(other.find(".terms")).to_contain_text("duplicate")
    one.press("[data-act=start]")
    for player in (one, other):
        player.wait_for(ROLL_BUTTON)
        expect(player.find("[data-act=hint]")).to_be_disabled()
    spectator = screen("desktop")
    spectator.servers |= one.servers
    spectator.page.goto(one.page.url)
    expect(spectator.find(".tray .status")).to_contain_text("once everyone has finished it")
    one.roll()
    dice = one.read_dice()
    one.score()
    one.roll()
    other.roll()
    assert other.read_dice() == dice
    assert other.page.evaluate(COUNT_ENTRIES) == 0
    other.score()
    assert other.page.evaluate(COUNT_ENTRIES) == 0
    other.roll()
    other.page.wait_for_function(f"({COUNT_ENTRIES})() === 1")
    # The line above the dice stays with one's own turn, and then says who is waited for; a watcher reads it once.
    one.page.wait_for_function(f"({COUNT_ENTRIES.replace('[ada]', '[, ada]')})() === 1")
    expect(one.find(".tray .status")).to_contain_text("You roll")
    expect(spectator.find(".tray .status")).to_contain_text("Ben scores")
    expect(spectator.find(".tray .facts")).to_be_hidden()
    one.score()
    expect(one.find(".tray .status")).to_contain_text("Waiting for the others")
    other.score()
    for player in (one, other):
        player.wait_for(".same-dice-table")
        expect(player.find(".same-dice-table tbody tr")).to_have_count(2)
    assert verify(one.download_record(), "downloaded.knobel").is_verified
    one.press("[data-act=review]")
    one.wait_for("[data-level]")
    # Turns with the same dice have no order in which chances to win could change.
    expect(one.find(".win-chart")).to_have_count(0)
    expect(one.find(".charts figure")).to_have_count(1)
