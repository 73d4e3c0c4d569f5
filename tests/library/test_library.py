"""`import knobel` as a library: what it promises, through the names it exports."""

import inspect
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import knobel
from knobel.errors import IllegalAction, NoSuchFace, NotationError, NotationTrayMismatch, WrongDiceCount
from knobel.library import board as board_module
from knobel.rules import edition_ids
from tests.support.guide_examples import list_wrong_examples

ROOT = Path(__file__).parents[2]
RECORDS = sorted((ROOT / "tests" / "records").rglob("*.knobel"))


@pytest.mark.solve
def test_the_examples_of_the_guide_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    count, wrong = list_wrong_examples("api.md")
    assert count > 25
    assert wrong == ""


@pytest.mark.solve
def test_a_book_values_only_boards_of_its_own_rules() -> None:
    book = knobel.solve(ROOT / "examples" / "house-rules" / "two-dice.toml")
    assert round(book.par, 6) == 16.064815
    assert repr(book) == "<Book par=16.064815>"
    assert pickle.loads(pickle.dumps(book)).par == book.par  # noqa: S301
    with pytest.raises(knobel.KnobelError):
        book.value(knobel.Board("mb-yahtzee"))


def test_every_public_name_is_there_and_described() -> None:
    assert sorted(knobel.__all__) == knobel.__all__
    assert sorted(knobel.HOMES) == knobel.__all__
    assert [name for name in knobel.__all__ if not inspect.getdoc(getattr(knobel, name))] == []
    assert set(knobel.__all__) <= set(dir(knobel))
    assert [name for name in dir(knobel) if not name.startswith("__")] == knobel.__all__
    with pytest.raises(AttributeError, match="module 'knobel' has no attribute 'no_such_name'"):
        getattr(knobel, "no_such_name")  # noqa: B009


def test_moves_and_results_are_of_public_types() -> None:
    board = knobel.Board("mb-yahtzee")
    board.roll(dice="66421")
    assert {type(move) for move in board.legal_moves} == {knobel.Roll, knobel.Score}
    board.push(knobel.Roll(keep=(0, 1)))
    board.push(knobel.Score("sixes"))
    assert isinstance(knobel.verify_record(RECORDS[-1]), knobel.Verdict)
    board = knobel.Board("carlit-chicago", 2)
    board.roll(dice="661")
    assert knobel.Stand("over") in board.legal_moves
    board = knobel.Board(knobel.edition("tactic-xl-yatzy").rules("da"))
    assert knobel.Announce("sixes") in board.legal_moves


@pytest.mark.solve
def test_what_a_book_gives_is_of_public_types() -> None:
    book = knobel.solve(ROOT / "examples" / "house-rules" / "two-dice.toml")
    board = knobel.Board(book.rules)
    assert isinstance(book.rank(board)[0], knobel.MoveValue)
    assert isinstance(book.odds, knobel.Odds)
    assert repr(book.odds).startswith("<Odds mean=16.064815 sd=")
    assert isinstance(book.simulate(2, seed=1), knobel.SimulationResult)
    while not board.is_over:
        board.push(book.best(board))
    assert isinstance(board.outcome, knobel.Outcome)


def test_importing_it_loads_no_solver() -> None:
    code = "import sys, knobel; knobel.Board('mb-yahtzee'); print({'numpy', 'numba', 'starlette'} & set(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout == "set()\n"


@pytest.mark.parametrize("dice", ["65432", "6 5 4 3 2", "2,3,4,5,6", (4, 2, 6, 5, 3), [6, 5, 4, 3, 2]])
def test_dice_may_come_in_any_order_and_form(dice: str | tuple[int, ...]) -> None:
    assert knobel.score("mb-yahtzee", dice, "large_straight") == 40


@pytest.mark.parametrize(
    ("dice", "error"),
    [("1234", WrongDiceCount), ("123456", WrongDiceCount), ("12347", NoSuchFace), ("0xyz1", NotationError)],
)
def test_wrong_dice_are_refused_in_one_sentence(dice: str, error: type[knobel.KnobelError]) -> None:
    with pytest.raises(error) as found:
        knobel.score("mb-yahtzee", dice)
    assert str(found.value) == knobel.explain(found.value)
    assert str(found.value)[0].isupper() or str(found.value)[0] in "“‘0123456789"


def test_a_sheet_that_cannot_be_is_refused() -> None:
    with pytest.raises(knobel.KnobelError, match="Fives"):
        knobel.score("mb-yahtzee", "55555", sheet={"fives": 7})
    with pytest.raises(knobel.KnobelError, match="full_hose"):
        knobel.score("mb-yahtzee", "55555", sheet={"full_hose": 25})
    with pytest.raises(IllegalAction):
        knobel.score("mb-yahtzee", "55555", "fives", sheet={"fives": 20})


def test_switches_are_checked_by_name() -> None:
    with pytest.raises(knobel.KnobelError, match="ordr"):
        knobel.edition("carlit-yatzy").rules(ordr="top_down")
    with pytest.raises(knobel.KnobelError, match="sideways"):
        knobel.edition("carlit-yatzy").rules(order="sideways")


def play_at_random(board: knobel.Board, random: Random) -> None:
    while not board.is_over:
        board.push(random.choice(board.legal_moves))


@pytest.mark.parametrize("edition", edition_ids())
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 3))
def test_a_whole_game_reads_back_from_its_text_and_can_be_taken_back(edition: str, seed: int, players: int) -> None:
    random = Random(seed)
    board = knobel.Board(edition, players, random=random)
    play_at_random(board, random)
    assert board.outcome is not None
    assert board.turn is None
    assert board.legal_moves == ()
    assert knobel.Board.read(edition, board.text, players).state == board.state
    while board.history:
        board.pop()
    assert board.state == knobel.Board(edition, players).state
    with pytest.raises(IllegalAction):
        board.pop()


def test_a_copy_goes_on_alone() -> None:
    board = knobel.Board("mb-yahtzee")
    board.roll(dice="66421")
    other = board.copy()
    other.score("sixes")
    assert board.dice == (6, 6, 4, 2, 1)
    assert other.sheet()["sixes"] == 12
    assert "sixes" in other.text
    assert repr(board) == "<Board turn=0 dice=(6, 6, 4, 2, 1) totals=(0,)>"


def test_boards_are_equal_where_they_stand_alike() -> None:
    board = knobel.Board("mb-yahtzee", 2)
    board.roll(dice="66421")
    other = knobel.Board.read("mb-yahtzee", " ..... ,>66421,\n", 2)
    assert board == other == board.copy()
    assert board != knobel.Board("mb-yahtzee", 2)
    assert board != knobel.Board(knobel.edition("mb-yahtzee").rules(must_fit=True), 2)
    assert board != "....., >66421"


def test_a_board_shows_itself_as_a_sheet() -> None:
    board = knobel.Board("mb-yahtzee", 2)
    board.roll(dice="66421")
    board.score("sixes")
    board.roll(dice="11111")
    lines = str(board).splitlines()
    assert (lines[0], lines[5]) == ("ones             .  .", "sixes           12  .")
    assert lines[-2:] == ["total           12  0", "seat 1: 1 1 1 1 1"]
    assert str(knobel.Board("carlit-chicago", 3)).splitlines() == ["total 0 0 0", "seat 0"]


@pytest.mark.parametrize("edition", edition_ids())
def test_every_move_has_a_text_that_reads_back(edition: str) -> None:
    board = knobel.Board(edition, 2, random=Random(5))
    for _ in range(12):
        texts = [board.write(move) for move in board.legal_moves]
        assert [board.parse(text) for text in texts] == list(board.legal_moves)
        board.push(texts[-1])


def test_dice_that_cannot_be_leave_the_board_as_it_was() -> None:
    board = knobel.Board("mb-yahtzee")
    board.roll(dice="66421")
    for dice in ("123", "1", "17", "xy", 5, [1.5, 2]):
        with pytest.raises(knobel.KnobelError):
            board.roll(keep="664", dice=dice)  # type: ignore[arg-type]
        assert board.text == "....., >66421"
        assert board.legal_moves
    board.roll(keep="664", dice="11")


def test_the_sheet_of_a_board_is_a_sheet_to_score_on() -> None:
    board = knobel.Board("mb-yahtzee")
    board.roll(dice="55555")
    board.score("yatzy")
    board.roll(dice="66666")
    scores = knobel.score(board.rules, board.dice, sheet=board.sheet())
    assert (scores["sixes"], "yatzy" in scores) == (130, False)


def test_dice_of_arrays_are_dice() -> None:
    dice = np.array([6, 6, 4, 2, 1])
    assert knobel.score("mb-yahtzee", dice, "sixes") == 12
    board = knobel.Board("mb-yahtzee")
    assert board.roll(dice=dice) == (6, 6, 4, 2, 1)
    assert board.text == "....., >66421"
    with pytest.raises(knobel.KnobelError):
        knobel.score("mb-yahtzee", np.ones(5))


def test_results_show_themselves_in_a_line_and_say_why() -> None:
    path = ROOT / "tests" / "records" / "format-3" / "yahtzee.knobel"
    record, verdict = knobel.read_record(path), knobel.verify_record(path)
    assert repr(record) == "<Record ee09f4c78cd1ba67: Yahtzee, 244 events>"
    assert repr(verdict) == "<Verdict verified: 101 rolls>"
    torn = knobel.verify_record(path.read_bytes().replace(b'"seat":0,"turn":0', b'"seat":0,"turn":1', 1))
    assert repr(torn) == f"<Verdict wrong: line {torn.line}>"
    assert torn.why is not None
    assert knobel.explain(torn.why).endswith(".")
    assert knobel.explain(torn.why, "de") != knobel.explain(torn.why)


def test_a_board_that_was_read_goes_on_with_the_dice_it_is_given() -> None:
    begun = knobel.Board("mb-yahtzee")
    begun.roll(dice="66421")
    boards = [knobel.Board.read("mb-yahtzee", begun.text, random=Random(4)) for _ in range(2)]
    for board in boards:
        board.roll()
        board.roll()
    assert boards[0].dice == boards[1].dice
    assert boards[0].text == boards[1].text


def test_who_starts_is_rolled_for_where_nobody_is_named() -> None:
    board = knobel.Board("mb-yahtzee", 3, first=None, random=Random(4))
    while board.state.rolloff:
        board.roll()
    assert len(board.history) >= 6
    assert knobel.Board.read("mb-yahtzee", board.text, 3, first=None).turn == board.turn


def test_dice_that_do_not_lie_there_cannot_be_kept() -> None:
    board = knobel.Board("mb-yahtzee")
    board.roll(dice="66421")
    with pytest.raises(NotationTrayMismatch, match="55"):
        board.roll(keep="55")
    with pytest.raises(IllegalAction):
        board.land("12345")
    with pytest.raises(IllegalAction):
        board.announce("sixes")
    assert board.text == "....., >66421"


def test_announced_boxes_and_rounds_are_played_on_the_same_board() -> None:
    board = knobel.Board(knobel.edition("tactic-xl-yatzy").rules("da"))
    board.announce("sixes")
    board.roll(dice="66421")
    assert board.text == f"!sixes{board_module.SEPARATOR}....., >66421"
    board = knobel.Board("carlit-chicago", 3)
    board.roll(dice="661")
    board.stand("over")
    assert board.turn == 1
    assert board.sheet() == {}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_record_is_written_as_it_was_read(path: Path, tmp_path: Path) -> None:
    record = knobel.read_record(path)
    if record.header.knobel == 1:
        with pytest.raises(knobel.KnobelError):
            knobel.encode_record(record)
        return
    knobel.write_record(record, tmp_path / "again.knobel")
    assert (tmp_path / "again.knobel").read_bytes() == path.read_bytes()
    assert knobel.read_record(path.read_bytes()) == record
