"""Maxi Yatzy, the largest example: six dice and twenty boxes, solved exactly. It takes minutes and more than a GB."""

from random import Random

import pytest

import knobel
from tests.support.house_rules import EXAMPLES

MAXI = EXAMPLES / "maxi-yatzy.toml"
PAR = 394.557507


@pytest.mark.torture
@pytest.mark.solve
def test_par_advice_and_perfect_play_of_six_dice_and_twenty_boxes() -> None:
    book = knobel.solve(MAXI)
    assert book.par == pytest.approx(PAR, abs=1e-6)
    played = book.simulate(20_000, seed=1)
    assert abs(played.mean - PAR) < 4 * played.sd / 20_000**0.5
    board = knobel.Board(book.rules, random=Random(5))
    regret = 0.0
    while not board.is_over:
        ranked = book.rank(board)
        regret += ranked[0].loss
        board.push(ranked[0].move)
    assert regret == 0.0
