"""Playing alone: the line that says how likely the record is beaten, and how likely by playing for just that."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser import ROLL_BUTTON, OpenScreen, Server
from tests.support.house_rules import EXAMPLES

PERCENT = r"\d+(\.\d)?%"


@pytest.mark.rest
def test_whoever_plays_alone_again_reads_both_chances_to_beat_their_best(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).upload_house_rules(EXAMPLES / "two-dice.toml")
    one.start_shared_game("Ada").skip_guide()
    one.play_to_end()
    total = one.read_total()
    one.confirm_end()
    one.press(".end [data-act=rematch]")
    one.wait_for(ROLL_BUTTON)
    one.roll()
    beat = rf"^Your best: {total} · {PERCENT} to beat it( · {PERCENT} if you go for it)?$"
    expect(one.find(".chase")).to_have_text(re.compile(beat))
