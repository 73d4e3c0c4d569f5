"""Wrong arguments of the public face: each is refused by a `KnobelError` of one line, which survives pickling."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import knobel
from knobel.errors import IllegalAction, OtherRules, UnknownSwitch, WrongArgument

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "tests" / "records" / "format-3" / "yahtzee.knobel"
TWO_DICE = ROOT / "examples" / "house-rules" / "two-dice.toml"
GAME = "mb-yahtzee"
WRONG: tuple[Any, ...] = (1.5, -1, "nonsense", [None], {1: 2}, object(), b"x", (1.5,) * 5, 10**30, float("nan"))


def begin(edition: str = GAME) -> knobel.Board:
    board = knobel.Board(edition, 2)
    board.roll(dice="66421"[: board.rules.dice])
    return board


CALLS: dict[str, Callable[[Any], object]] = {
    "edition": knobel.edition,
    "house_rules": knobel.house_rules,
    "explain": knobel.explain,
    "explain.lang": lambda value: knobel.explain(OtherRules(), value),
    "score.rules": lambda value: knobel.score(value, "12345"),
    "score.dice": lambda value: knobel.score(GAME, value),
    "score.box": lambda value: knobel.score(GAME, "12345", value),
    "score.sheet": lambda value: knobel.score(GAME, "12345", sheet=value),
    "score.points": lambda value: knobel.score(GAME, "12345", sheet={"ones": value}),
    "solve": knobel.solve,
    "read_record": knobel.read_record,
    "encode_record": knobel.encode_record,
    "Board.rules": knobel.Board,
    "Board.players": lambda value: knobel.Board(GAME, value),
    "Board.first": lambda value: knobel.Board(GAME, 2, first=value),
    "Board.random": lambda value: knobel.Board(GAME, random=value),
    "Board.push": lambda value: begin().push(value),
    "Board.score": lambda value: begin().score(value),
    "Board.cross_out": lambda value: begin().score("chance", cross_out=value),
    "Board.announce": lambda value: begin().announce(value),
    "Board.stand": lambda value: begin("carlit-chicago").stand(value),
    "Board.apply": lambda value: begin().apply(value),
    "Board.land": lambda value: begin().land(value),
    "Board.roll": lambda value: begin().roll(dice=value),
    "Board.parse": lambda value: begin().parse(value),
    "Board.write": lambda value: begin().write(value),
    "Board.sheet": lambda value: begin().sheet(value),
    "Board.read": lambda value: knobel.Board.read(GAME, value),
    "Edition.rules.text": lambda value: knobel.edition(GAME).rules(value),
    "Edition.rules.switches": lambda value: knobel.edition(GAME).rules(None, value),
    "Edition.rules.switch": lambda value: knobel.edition(GAME).rules(must_fit=value),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_argument_is_refused_in_one_line(name: str) -> None:
    for value in WRONG:
        with pytest.raises(knobel.KnobelError) as found:
            CALLS[name](value)
        assert "\n" not in str(found.value)
        assert str(pickle.loads(pickle.dumps(found.value))) == str(found.value)  # noqa: S301


def test_a_switch_that_is_yes_or_no_takes_a_bool() -> None:
    edition = knobel.edition(GAME)
    assert edition.rules(must_fit=True) == edition.rules(must_fit="true")
    assert edition.rules(must_fit=False) == edition.rules(must_fit="false")
    with pytest.raises(knobel.KnobelError, match="order"):
        edition.rules(order=True)


def test_a_switch_that_does_not_exist_is_named_whatever_its_value() -> None:
    for value in ("true", 1, None):
        with pytest.raises(UnknownSwitch, match="ordr"):
            knobel.edition(GAME).rules(ordr=value)  # type: ignore[arg-type]


def test_dice_are_not_kept_before_they_are_rolled() -> None:
    with pytest.raises(IllegalAction, match="roll the dice first"):
        knobel.Board(GAME).roll(keep="66")


@pytest.mark.solve
def test_a_book_refuses_what_is_not_of_its_rules() -> None:
    book = knobel.solve(TWO_DICE)
    with pytest.raises(OtherRules):
        book.rank(knobel.Board(GAME))
    with pytest.raises(OtherRules):
        book.review(RECORD)
    for wrong in (None, 5, "nonsense"):
        with pytest.raises(knobel.KnobelError):
            book.rank(wrong)  # type: ignore[arg-type]
    with pytest.raises(knobel.KnobelError):
        book.simulate(0)
    assert book.odds.chance_at_least(np.int64(1)) == book.odds.chance_at_least(1)
    values: tuple[Any, ...] = (None, "nonsense", 1.5, float("nan"))
    for value in values:
        with pytest.raises(WrongArgument, match="n must be int"):
            book.odds.chance_at_least(value)
        with pytest.raises(WrongArgument, match="p must be 0"):
            book.odds.quantile(value)
