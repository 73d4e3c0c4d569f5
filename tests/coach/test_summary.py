"""One sentence about a game: what stands out most, with numbers that are those of the review."""

from dataclasses import replace
from random import Random

import pytest

from knobel.coach.ledger import DICE, PERCENT, POINTS, Decision, LuckEvent, Review, TurnSummary
from knobel.coach.report import describe_play, format_ledger
from knobel.coach.summary import summarize
from knobel.lang import COMPLETE, Translator
from knobel.phrase import FormattedNumber, phrase

RANDOM_LOSS, REAL_DECISIONS = 5.88, 42
"""What random moves lose per real decision of the standard sheet, and how many of these a game has."""


def make_review(losses: tuple[float, ...], luck: float) -> Review:
    """Make the review of a game on the standard sheet: what each choice lost, and the luck of all rolls."""
    move = phrase("coach.class.perfect")
    decisions = tuple(
        Decision(turn, turn, 3, (), move, move, "", "", 250.0, loss, "fine", random_loss=RANDOM_LOSS)
        for turn, loss in enumerate((*losses, *(0.0,) * (REAL_DECISIONS - len(losses))), 1)
    )
    turns = tuple(TurnSummary(turn, 0, 0, 0) for turn in range(1, 16))
    rolls = (LuckEvent(DICE, 1, 1, 1, (), luck, "plain"),)
    final = 248.44 + luck - sum(losses)
    return Review(0, POINTS, 248.44, final, final, True, decisions, rolls, turns)


@pytest.mark.parametrize(
    ("losses", "luck", "said"),
    [
        ((0.1, 0.2), 40, "Every choice was fine; the rest was luck."),
        ((3.0, 5.2), -30, "The dice cost you 30 points, your choices only 8."),
        ((3.0, 5.2), 41, "The dice gave you 41 points more than usual; your choices cost you 8."),
        ((0.4, 0.6), 3, "Your choices cost you only 1 point; your level this game: supernatural."),
        ((1.0, 9.4, 2.2), -4, "Your choices cost you 13 points, 9 of them at once in turn 2."),
        ((30.0, 12.0), -30, "Your choices cost you 42 points, 30 of them at once in turn 1."),
    ],
)
def test_a_game_is_summarized_by_what_stands_out_most(losses: tuple[float, ...], luck: float, said: str) -> None:
    found = summarize(make_review(losses, luck))
    assert found is not None
    assert Translator("en").translate(found) == said
    assert all(Translator(lang).translate(found) for lang in COMPLETE)


def test_whoever_lost_no_less_than_random_play_is_not_compared_with_it() -> None:
    for lang in COMPLETE:
        words = Translator(lang)
        compared, alone = (
            " ".join(map(words.translate, describe_play(make_review((loss,) * REAL_DECISIONS, 0)))) for loss in (4, 5.9)
        )
        assert words.format_number(FormattedNumber(RANDOM_LOSS, 2)) in compared
        assert words.format_number(FormattedNumber(RANDOM_LOSS, 2)) not in alone
    assert "42 real choices cost you 5.90 points each." in " ".join(
        map(Translator("en").translate, describe_play(make_review((5.9,) * REAL_DECISIONS, 0)))
    )


def test_a_range_of_levels_is_told_with_all_levels_in_order() -> None:
    said = [Translator("en").translate(one) for one in describe_play(make_review((4.0,), 2))]
    assert "probably between perfect and expert" in said[0]
    assert said[-1] == (
        "The levels, from best to worst: perfect, supernatural, world class, expert, advanced, intermediate, casual, "
        "beginner and distracted."
    )


@pytest.mark.parametrize("seed", range(50))
@pytest.mark.parametrize("digits", [1, 2])
def test_a_ledger_adds_up_as_it_is_shown_and_a_whole_total_has_no_decimals(seed: int, digits: int) -> None:
    random = Random(seed)
    par, lost, final = random.uniform(10, 300), random.uniform(0, 90), random.randrange(400)
    review = replace(make_review((lost,), final - par + lost), par=par, final=float(final) + 1e-12)
    shown = format_ledger(review, digits)
    units = [round(one.value * 10**digits) for one in shown]
    assert units[0] + units[1] - units[2] == units[3]
    assert units[1] == pytest.approx(review.luck * 10**digits, abs=1.01)
    assert shown[3].digits == 0


def test_rounds_tell_the_level_and_a_game_that_was_stopped_tells_nothing() -> None:
    review = make_review((4.0,), 2)
    level = summarize(replace(review, unit=PERCENT))
    assert level is not None
    assert (
        Translator("en").translate(level) == "Your level this game: world class, probably between perfect and expert."
    )
    assert summarize(replace(review, finished=False)) is None
    assert summarize(replace(review, decisions=())) is None
