"""Paper in the browser: the score pad and the rules below every edition, the sheet at the end of a game."""

from pathlib import Path

import pytest
from playwright.sync_api import Download

from tests.support.browser import OpenScreen, Screen, Server

ROOT = Path(__file__).parents[2]
TWO_DICE = ROOT / "examples" / "house-rules" / "two-dice.toml"


def follow_link(one: Screen, link: str) -> Download:
    """Follow a link to paper, and take what comes."""
    with one.page.expect_download() as paper:
        one.press(f"[data-act={link}]")
    assert Path(paper.value.path()).read_bytes().startswith(b"%PDF-")
    return paper.value


def test_an_edition_offers_its_score_pad_and_rules_as_agreed_just_now(server: Server, screen: OpenScreen) -> None:
    one = screen("phone").open_home(server.url).choose_edition("carlit-yatzy", "Italian")
    assert follow_link(one, "print-pad").suggested_filename == "carlit-yatzy-pad.pdf"
    paper = follow_link(one, "print-rules")
    assert paper.suggested_filename == "carlit-yatzy-rules.pdf"
    assert "text=it" in paper.url


@pytest.mark.rest
def test_the_end_of_a_game_of_house_rules_offers_its_sheet(server: Server, screen: OpenScreen) -> None:
    one = screen().open_home(server.url).upload_house_rules(TWO_DICE).start_shared_game("Ada").skip_guide()
    one.play_to_end()
    one.confirm_end()
    one.press("[data-act=more-end]")
    assert follow_link(one, "print").suggested_filename.startswith("two-dice-")
