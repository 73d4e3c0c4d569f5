"""Paper in the browser: the block and the rules below every box, the sheet at the end of a game."""

from pathlib import Path

from playwright.sync_api import Download

from tests.browser import Opener, Screen, Server

ROOT = Path(__file__).parents[1]
TWO_DICE = ROOT / "examples" / "house-rules" / "two-dice.toml"


def followed(one: Screen, link: str) -> Download:
    """Follow a link to paper, and take what comes."""
    with one.page.expect_download() as paper:
        one.press(f"[data-act={link}]")
    assert Path(paper.value.path()).read_bytes().startswith(b"%PDF-")
    return paper.value


def test_a_box_offers_its_block_and_rules_as_agreed_just_now(house: Server, screen: Opener) -> None:
    one = screen("phone").home(house.url).unpack("carlit-yatzy", "Italian")
    assert followed(one, "print-pad").suggested_filename == "carlit-yatzy-pad.pdf"
    paper = followed(one, "print-rules")
    assert paper.suggested_filename == "carlit-yatzy-rules.pdf"
    assert "text=it" in paper.url


def test_the_end_of_a_game_of_house_rules_offers_its_sheet(house: Server, screen: Opener) -> None:
    one = screen().home(house.url).own_rules(TWO_DICE).pass_round("Ada").skip_guide()
    one.play_on()
    one.finish()
    assert followed(one, "print").suggested_filename.startswith("two-dice-")
