"""A server without extras: what cannot be used there is shown as such, with the reason."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.bare_installation import PAPER_LINE, SOLVER_LINE, WITHOUT_EXTRAS
from tests.support.browser import OpenScreen, Server

TOAST = ".toast"
UNAVAILABLE = "[aria-disabled=true]"


@pytest.fixture(scope="module")
def bare_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("bare"), changes=WITHOUT_EXTRAS) as found:
        yield found


def test_bots_and_pads_that_need_an_extra_say_so(bare_server: Server, screen: OpenScreen) -> None:
    one = screen("phone").open_home(bare_server.url).choose_edition("mb-yahtzee")
    one.press("[data-field=bot]")
    expect(one.find(f".bot-card{UNAVAILABLE}")).to_have_count(5)
    expect(one.find("[data-bot=perfect]")).to_contain_text(SOLVER_LINE)
    one.find("[data-bot=perfect]").click(force=True)
    expect(one.find(".bot-dialog")).to_be_visible()
    one.press("[data-bot=greedy]")
    expect(one.find("[data-mode=bot]")).to_contain_text("Greedy")
    one.find(f"[data-act=print-pad]{UNAVAILABLE}").click(force=True)
    expect(one.find(TOAST).last).to_contain_text(PAPER_LINE)


@pytest.mark.rest
def test_the_coach_at_the_table_and_after_the_game_says_so(bare_server: Server, screen: OpenScreen) -> None:
    one = screen().open_home(bare_server.url).choose_edition("mb-yahtzee").start_shared_game("Ada").skip_guide()
    one.play_to_end()
    one.confirm_end()
    one.find(f"[data-act=review]{UNAVAILABLE}").click(force=True)
    expect(one.find(TOAST).last).to_contain_text(SOLVER_LINE)
    one.press("[data-act=more-end]")
    one.find(f"[data-act=print]{UNAVAILABLE}").click(force=True)
    expect(one.find(TOAST).last).to_contain_text(PAPER_LINE)
