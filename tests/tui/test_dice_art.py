"""Dice as text have the pips of their value and one size."""

import pytest

from knobel.tui.dice_art import LARGE, PIP, SMALL, draw_die, write_caption
from knobel.tui.settings import DIGITS, PIPS


@pytest.mark.parametrize("width", [SMALL, LARGE])
@pytest.mark.parametrize("value", range(1, 13))
@pytest.mark.parametrize("faces", [PIPS, DIGITS])
def test_a_die_shows_its_value(value: int, width: int, faces: str) -> None:
    lines = draw_die(value, faces, width)
    assert [len(line) for line in lines] == [width] * 5
    text = "".join(lines)
    assert text.count(PIP) == value if faces == PIPS and value <= 9 else str(value) in text


def test_a_die_that_was_not_rolled_is_blank_and_a_kept_one_is_drawn_heavier() -> None:
    assert "".join(draw_die(None, PIPS, SMALL)).strip("╭─╮│╰╯ ") == ""
    assert draw_die(3, PIPS, SMALL, kept=True)[0] == "┏━━━━━┓"


@pytest.mark.parametrize("word", ["", "kept", "zatrzymana", "удержана"])
def test_the_word_below_a_die_is_as_wide_as_the_die(word: str) -> None:
    assert len(write_caption(word, SMALL)) == SMALL
