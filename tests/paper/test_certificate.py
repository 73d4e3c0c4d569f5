"""The certificate of an evening: what it says, and that it always finds room on one page."""

from dataclasses import replace

import pypdfium2
import pytest

from knobel.errors import UnknownPaper
from knobel.lang import Translator
from knobel.paper.certificate import (
    Certificate,
    CostlyMistake,
    EveningStory,
    LuckyRoll,
    StoryGame,
    build_certificate,
    list_titles,
)
from knobel.paper.render import render_pdf
from knobel.series import Series, SeriesGame, SeriesResult, Standing, rank_totals
from tests.support.pdf_pages import list_type_sizes, read_letters
from tests.support.selection import rest

TOTALS = ((212, 198, 240), (301, 188, 240), (177, 260, 201))
TITLES = ("Noris Yatzy", "Noris Yatzy", "Philos Yatzi")
MILLIMETRE = 72 / 25.4


def tell(
    kind: str = "agreed", agreed: Standing | None = None, totals: tuple[tuple[int, ...], ...] = TOTALS
) -> EveningStory:
    players = len(totals[0])
    played = tuple(SeriesGame(rank_totals(row), kind) for row in totals)
    names = ("Ann", "Ben", "Zoë", *(f"Player {number}" for number in range(4, players + 1)))[:players]
    games = tuple(StoryGame(f"game{number}", title) for number, title in enumerate(TITLES[: len(totals)], 1))
    games += tuple(StoryGame(f"more{number}", "Yatzy") for number in range(len(totals) - len(games)))
    return EveningStory(names, games, Series(len(totals), players, kind, played, agreed), (0,) * players)


def build(story: EveningStory, size: str = "a4", lang: str = "en", date: str = "") -> Certificate:
    return build_certificate(story, Translator(lang), size, date)


def read_text(page: Certificate) -> str:
    document = pypdfium2.PdfDocument(render_pdf("certificate", page))
    assert len(document) == 1
    text = document[0].get_textpage().get_text_range()
    document.close()
    return " ".join(text.split())


def test_it_names_the_winner_the_standings_and_what_will_be_told() -> None:
    story = replace(
        tell(),
        luckiest=LuckyRoll("Zoë", 2, 9, (6, 6, 6, 6, 6), 31.42),
        costliest=CostlyMistake("Ann", 1, 4, (2, 2, 3, 4, 5), "Chance 16", "keep 2 3 4 5", 12.3),
    )
    page = build(story, date="17.11.2026")
    assert (page.above, page.winners, page.below) == ("The evening goes to", "Ann", "after 3 games")
    assert [(row.place, row.name, row.score) for row in page.rows] == [
        ("1.", "Ann", "690"),
        ("2.", "Zoë", "681"),
        ("3.", "Ben", "646"),
    ]
    assert [fact.text for fact in page.facts] == [
        "Zoë in game 2, turn 9: 31 points better than average.",
        "Ann in game 1, turn 4: Chance 16. Better: keep 2 3 4 5. It cost 12 points.",
        "Ann in game 2: 301 points.",
        "Game 1: 28 points ahead.",
    ]
    said = read_text(page)
    assert all(word in said for word in ("goes to Ann", "690", "17.11.2026", "31 points better", "Noris Yatzy"))


def test_without_a_coach_it_says_what_the_scores_say() -> None:
    assert [fact.label for fact in build(tell()).facts] == ["Best game", "Closest finish"]


def test_where_every_game_counts_on_its_own_nobody_wins_the_evening() -> None:
    page = build(tell("independent"))
    assert (page.above, page.winners) == ("An evening with", "Ann, Ben and Zoë")
    assert [(row.place, row.score) for row in page.rows] == [("", "")] * 3
    assert page.heads == ("1", "2", "3")


def test_what_is_agreed_is_what_is_printed() -> None:
    page = build(tell("none", "wins"))
    assert page.heads[-1] == "Wins"
    assert [(row.name, row.score) for row in page.rows] == [("Ann", "1"), ("Ben", "1"), ("Zoë", "1")]
    assert page.winners == "Ann, Ben and Zoë"


def test_a_handicap_has_a_column_where_it_counts() -> None:
    story = replace(tell(), handicaps=(0, 30, 0))
    assert build(story).heads == ("1", "2", "3", "Handicap", "Total")
    assert [row.handicap for row in build(story).rows] == ["–", "–", "+30"]
    assert build(replace(tell("none"), handicaps=(0, 30, 0))).heads == ("1", "2", "3")


def test_a_game_without_points_shows_places_and_a_missed_one_nothing() -> None:
    chips = SeriesGame((SeriesResult(3, 2), SeriesResult(0, 1), SeriesResult(0, 0)), "none", has_points=False)
    story = replace(tell(), games=(StoryGame("a", "Chicago"),), series=Series(1, 3, "none", (chips,), "wins"))
    assert [row.results for row in build(story).rows] == [("1.",), ("2.",), ("–",)]
    assert build(story).facts == (), "chips are no points"


def test_games_of_one_title_in_a_row_are_named_together() -> None:
    assert list_titles(tell()) == [("1–2", "Noris Yatzy"), ("3", "Philos Yatzi")]


@pytest.mark.parametrize("size", ["a4", "letter"])
@pytest.mark.parametrize(("players", "games"), [(1, 1), (4, 8), rest(12, 6), rest(30, 3), (99, 99)])
def test_it_finds_room_on_one_page(players: int, games: int, size: str) -> None:
    totals = tuple(tuple(100 + (seat * 37 + game * 53) % 250 for seat in range(players)) for game in range(games))
    page = build(tell(totals=totals), size)
    content = render_pdf("certificate", page)
    document = pypdfium2.PdfDocument(content)
    assert len(document) == 1
    width, height = document[0].get_size()
    assert (round(width / MILLIMETRE), round(height / MILLIMETRE)) == {"a4": (210, 297), "letter": (216, 279)}[size]
    margin = 10 * MILLIMETRE
    for letter in read_letters(document[0]):
        assert margin < letter.ink.left < letter.ink.right < width - margin
        assert margin < letter.ink.bottom < letter.ink.top < height - margin
    document.close()
    if players <= 12:
        assert min(list_type_sizes(content)) >= 8


def test_other_paper_is_refused() -> None:
    with pytest.raises(UnknownPaper):
        build(tell(), "a6")
