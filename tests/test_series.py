"""Evenings: several games in a row, counted by the rules or as agreed, with handicaps for the standings alone."""

import pytest

from knobel.series import Series, SeriesGame, SeriesResult, Standing, rank_seats, rank_totals, suggest_handicaps

Totals = tuple[tuple[int, ...], ...]


def series_of(totals: Totals, kind: str = "agreed", agreed: Standing | None = None, games: int = 9) -> Series:
    played = tuple(SeriesGame(rank_totals(row), kind) for row in totals)
    return Series(games, len(totals[0]) if totals else 2, kind, played, agreed)


def game_of(*results: SeriesResult, has_points: bool = True) -> SeriesGame:
    return SeriesGame(results, "agreed", has_points)


def test_e15_it_is_over_after_the_agreed_number_of_games() -> None:
    played: Totals = ((1, 2), (2, 1))
    found = [series_of(played[:count], games=2) for count in range(3)]
    assert [series.is_over for series in found] == [False, False, True]
    assert [series.number for series in found] == [1, 2, 2]


def test_e15_n3_the_sum_of_totals_wins_the_series() -> None:
    series = series_of(((200, 150, 100), (100, 201, 90)))
    assert (series.scores, series.places) == ((300, 351, 190), ((1,), (0,), (2,)))
    assert series.totals == ((200, 150, 100), (100, 201, 90))


def test_e10_equal_sums_share_the_series() -> None:
    assert series_of(((200, 100, 100), (100, 200, 90))).places == ((0, 1), (2,))


@pytest.mark.parametrize("kind", ["none", "independent"])
def test_e15_where_games_stand_for_themselves_nothing_is_added_up_and_nobody_wins_a_series(kind: str) -> None:
    series = series_of(((200, 100), (100, 200)), kind)
    assert (series.is_independent, series.standing, series.scores, series.places) == (True, None, None, None)


@pytest.mark.parametrize(
    ("agreed", "scores", "places"),
    [
        ("sum", (500, 460, 330), ((0,), (1,), (2,))),
        ("places", (6, 5, 7), ((1,), (0,), (2,))),
        ("wins", (1, 1, 1), ((0, 1, 2),)),
    ],
)
def test_what_is_agreed_counts_whatever_the_rules_say(
    agreed: Standing, scores: tuple[int, ...], places: tuple[tuple[int, ...], ...]
) -> None:
    series = series_of(((300, 150, 100), (100, 200, 20), (100, 110, 210)), "independent", agreed)
    assert (series.scores, series.places) == (scores, places)


def test_an_evening_of_several_editions_is_added_up_only_if_the_rules_of_all_of_them_say_so() -> None:
    joint, alone = (SeriesGame(rank_totals((2, 1)), kind) for kind in ("agreed", "independent"))
    assert Series(3, 2, "agreed", (joint, joint)).standing == "sum"
    assert Series(3, 2, "agreed", (joint, alone)).standing is None
    assert Series(3, 2, "independent", (joint, joint)).standing is None
    assert Series(3, 2, "independent", (joint, alone), "wins").scores == (2, 0)


def test_a_game_without_points_adds_nothing_to_a_sum_and_counts_by_its_places() -> None:
    chips = game_of(SeriesResult(3, 2), SeriesResult(0, 1), has_points=False)
    points = game_of(SeriesResult(200, 1), SeriesResult(190, 2))
    assert Series(2, 2, "none", (points, chips), "sum").scores == (200, 190)
    assert Series(2, 2, "none", (points, chips), "places").scores == (3, 3)
    assert Series(2, 2, "none", (points, chips), "wins").scores == (1, 1)


def test_a_handicap_counts_for_every_game_and_changes_no_total() -> None:
    games = (
        game_of(SeriesResult(200, 1), SeriesResult(180, 2, 30)),
        game_of(SeriesResult(200, 1), SeriesResult(150, 2, 30)),
    )
    assert Series(2, 2, "agreed", games).scores == (400, 390)
    assert Series(2, 2, "agreed", games, "wins").scores == (1, 1)
    assert Series(2, 2, "agreed", games, "places").scores == (3, 3)
    assert Series(2, 2, "agreed", games).totals == ((200, 180), (200, 150))


def test_no_handicap_lifts_whoever_left_a_game_above_those_who_stayed() -> None:
    left = game_of(SeriesResult(180, 2, 99, left=True), SeriesResult(20, 1))
    assert left.places == (2, 1)


def test_a_handicap_makes_equal_players_share_a_place() -> None:
    assert game_of(SeriesResult(100, 2, 50), SeriesResult(150, 1), SeriesResult(90, 3)).places == (1, 1, 3)


def test_a_handicap_means_nothing_in_a_game_without_points() -> None:
    assert game_of(SeriesResult(3, 2, 50), SeriesResult(0, 1), has_points=False).places == (2, 1)


def test_whoever_missed_a_game_has_no_points_for_it_and_comes_last_in_it() -> None:
    missed = game_of(SeriesResult(100, 1), SeriesResult(0, 0, 40), SeriesResult(90, 2))
    assert missed.places == (1, 3, 2)
    assert Series(2, 3, "agreed", (missed,)).scores == (100, 0, 90)


def test_players_who_share_a_place_take_up_several() -> None:
    assert rank_seats(((2,), (0, 3), (1,)), 4) == (2, 4, 1, 2)
    assert rank_seats(((1,),), 2) == (0, 1), "the first was not there"


def test_handicaps_even_out_what_was_lost_in_past_games() -> None:
    assert suggest_handicaps(((10.0, 20.0), (40.4,), ())) == (0, 25, 0)
    assert suggest_handicaps(((), ())) == (0, 0)
