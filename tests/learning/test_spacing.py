"""Spacing agrees with the vectors that the library fsrs publishes in its own tests."""

import json

import pytest
from fsrs import Rating

from knobel.learning.spacing import rate_loss, schedule, start_card

NOON = 1669725000.0  # 2022-11-29 12:30 UTC, where the library's vectors begin
DAY = 86400.0
RIGHT, WRONG = 0.0, 3.0


def test_intervals_are_those_of_the_librarys_own_test() -> None:
    card, at, days = start_card(NOON), NOON, []
    for loss in (*(RIGHT,) * 6, WRONG, WRONG, *(RIGHT,) * 5):
        card, due = schedule(card, loss, at)
        days.append(int((due - at) // DAY))
        at = due
    assert days == [0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21]


def test_the_memory_after_some_answers_is_that_of_the_librarys_own_test() -> None:
    card, at = start_card(NOON), NOON
    for loss, days in zip((WRONG, *(RIGHT,) * 5), (0, 0, 1, 3, 8, 21), strict=True):
        at += days * DAY
        card, _ = schedule(card, loss, at)
    memory = json.loads(card)
    assert memory["stability"] == pytest.approx(53.62691, abs=1e-4)
    assert memory["difficulty"] == pytest.approx(6.3574867, abs=1e-4)


@pytest.mark.parametrize(
    ("loss", "rating"), [(0.0, Rating.Good), (0.05, Rating.Good), (0.3, Rating.Hard), (0.5, Rating.Again)]
)
def test_an_answer_is_rated_by_what_it_cost(loss: float, rating: Rating) -> None:
    assert rate_loss(loss) == rating
