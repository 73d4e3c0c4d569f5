"""Bots as characters in the browser: chosen by face, manner and average, and seen again in the lobby."""

import pytest
from playwright.sync_api import expect

from tests.support.browser import OpenScreen, Server

LOADED = "faces => faces.every(face => face.complete && face.naturalWidth > 0)"


def test_a_bot_is_chosen_as_a_character_and_sits_in_the_lobby_with_its_face(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).choose_edition("mb-yahtzee")
    expect(one.find(".bot-choice")).to_contain_text("Cautious")
    one.press("[data-field=bot]")
    expect(one.find(".bot-card")).to_have_count(8)
    order = one.find(".bot-card").evaluate_all("cards => cards.map(card => card.dataset.bot)")
    assert (order[0], order[-1]) == ("random", "perfect")
    expect(one.find("[data-bot=greedy]")).to_contain_text("quick, hungry, short-sighted")
    expect(one.find("[data-bot=greedy] .bot-average")).to_have_text("202 points on average")
    one.page.wait_for_function(f"() => ({LOADED})([...document.querySelectorAll('.bot-card img')])")
    one.press("[data-bot=greedy]")
    expect(one.find("[data-mode=bot]")).to_contain_text("Greedy")
    one.open_room("Ada").add_bot("human:5")
    seat = one.find("[data-seat='1']")
    expect(seat).to_contain_text("sharp, patient, precise")
    one.page.wait_for_function(f"() => ({LOADED})([...document.querySelectorAll('[data-seat=\"1\"] .face')])")


@pytest.mark.rest
def test_bots_that_score_no_points_say_how_often_they_win(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).choose_edition("carlit-chicago")
    one.press("[data-field=bot]")
    expect(one.find("[data-bot=greedy] .bot-average")).to_have_text("beats the strongest bot in 40 of 100 games")
    expect(one.find("[data-bot=perfect] .bot-average")).to_have_count(0)
