"""Puzzles, the position and the game of the day on a terminal; small sheets, so that nothing takes long."""

import json
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from knobel.cli import main
from knobel.rules import load_edition
from tests.support.command_output import CommandOutput
from tests.support.house_rules import EXAMPLES

TWO_DICE = str(EXAMPLES / "two-dice.toml")
DAY = 86400.0


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))


class Terminal:
    """Runs commands with typed lines, at a time that can be set."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys = capsys
        self.monkeypatch = monkeypatch

    def __call__(self, *words: str, typed: Iterable[str] = ()) -> CommandOutput:
        for module in ("puzzle_session", "daily_session", "mistake_session", "lesson_session"):
            self.monkeypatch.setattr(f"knobel.cli.{module}.read_lines", lambda: iter(typed))
        code = main(words)
        out, err = self.capsys.readouterr()
        return CommandOutput(code, out, err)

    def set_day(self, day: int) -> None:
        at = 1_790_000_000.0 + day * DAY
        self.monkeypatch.setattr(time, "time", lambda: at)


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Terminal:
    return Terminal(capsys, monkeypatch)


def test_an_answer_is_graded_and_the_next_puzzle_follows(terminal: Terminal) -> None:
    asked = terminal("puzzle", TWO_DICE, "--json").form
    assert asked["number"] == 1
    for move in asked["moves"]:
        answer = terminal("puzzle", TWO_DICE, "--number", "1", "--answer", move["action"], "--json").form["answer"]
        assert answer["move"] == move["move"]
        assert (answer["loss"] == 0) == (answer["best_action"] == move["action"])
    best = answer["best"]
    second = terminal("puzzle", TWO_DICE, "--json").form["moves"][0]["action"]
    shown = terminal("puzzle", TWO_DICE, typed=("what", "", second, "q"))
    assert shown.code == 0
    assert "Puzzle 2" in shown.out  # the first one was answered on the command line
    assert "Puzzle 3" in shown.out
    assert best in terminal("puzzle", TWO_DICE, "--number", "1", "--answer", answer["best_action"]).out
    assert terminal("puzzle", TWO_DICE, "--json").form["number"] == 3


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("puzzle", TWO_DICE, "--theme", "nonsense"), "stop, keep"),
        (("puzzle", TWO_DICE, "--theme", "announce"), "stop, keep"),
        (("tournament", "http://localhost:8765/room/ABCD"), "link to a tournament"),
        (("puzzle", TWO_DICE, "--number", "0"), "--number"),
        (("puzzle", TWO_DICE, "--answer", "nonsense"), "nonsense"),
        (("daily", "carlit-chicago", "--game"), "Chicago"),
        (("daily", TWO_DICE, "--player", "Nobody"), "Nobody"),
        (("daily", TWO_DICE, "--game", "--answer", "1"), "--answer"),
        (("puzzle", TWO_DICE, "--mistakes", "--player", "Ann", "--theme", "box"), "--theme"),
        (("puzzle", TWO_DICE, "--mistakes", "--player", "Ann", "--number", "2"), "--number"),
    ],
)
def test_what_cannot_be_is_one_line_that_names_it(terminal: Terminal, words: tuple[str, ...], named: str) -> None:
    refused = terminal(*words)
    assert refused.code == 2
    assert refused.err.count("\n") == 1
    assert named in refused.err


def test_in_chicago_an_opener_says_over_or_under(terminal: Terminal) -> None:
    answer = terminal("puzzle", "carlit-chicago", "--number", "1", "--answer", "under", "--json").form["answer"]
    assert answer["move"] == "stand, under"


def test_a_puzzle_of_chicago_comes_with_its_round_and_speaks_of_no_boxes(terminal: Terminal) -> None:
    asked = terminal("puzzle", "carlit-chicago", "--json").form
    assert "announced" not in asked
    assert {"seat", "opener", "kitty", "rolls_allowed", "aim", "target", "totals"} <= asked.keys()
    assert [one["chips"] for one in asked["players"]][asked["seat"] - 1] == asked["player"]["chips"]
    is_opener = asked["seat"] == asked["opener"]
    assert is_opener == (asked["target"] is None)


def test_the_first_answer_of_a_day_counts_and_a_missed_day_is_forgiven(terminal: Terminal) -> None:
    terminal.set_day(0)
    moves = [one["action"] for one in terminal("daily", TWO_DICE, "--json").form["moves"]]
    first = terminal("daily", TWO_DICE, "--answer", moves[0], "--json").form
    again = terminal("daily", TWO_DICE, "--answer", moves[-1], "--json").form
    assert first["answer"] == again["answer"]
    assert "first try counts" in terminal("daily", TWO_DICE).out
    for day, streak in ((2, 2), (5, 1)):
        terminal.set_day(day)
        asked = terminal("daily", TWO_DICE, "--json").form
        assert "answer" not in asked
        shown = terminal("daily", TWO_DICE, typed=(asked["moves"][0]["action"],))
        assert f"Your streak: {streak} day" in shown.out


def test_the_game_of_the_day_is_resumed_counted_once_and_beside_par(terminal: Terminal) -> None:
    terminal.set_day(0)
    boxes = [box.id for box in load_edition(TWO_DICE).rules().boxes]
    assert terminal("daily", TWO_DICE, "--game", "--json").form["played"] is False
    stopped = terminal("daily", TWO_DICE, "--game", typed=("r", "q"))
    begun = next(line for line in stopped.out.splitlines() if "roll 1" in line)
    lines = [line for box in boxes for line in (f"s {box}", f"s {box}", "r")]
    over = terminal("daily", TWO_DICE, "--game", typed=(*lines, "", ""))
    assert begun in over.out
    result = terminal("daily", TWO_DICE, "--game", "--json").form
    assert result["played"]
    assert result["clairvoyant"] >= max(result["total"], result["perfect"])
    again = terminal("daily", TWO_DICE, "--game")
    assert again.out.splitlines()[-1] == over.out.splitlines()[-1]
    assert json.dumps(result["total"]) in again.out


def test_mistakes_of_a_person_come_back_and_stand_in_the_statistics(terminal: Terminal) -> None:
    boxes = [box.id for box in load_edition(TWO_DICE).rules().boxes]
    lines = [line for box in boxes for line in ("r", f"s {box}", f"s {box}")]
    terminal.monkeypatch.setattr("knobel.cli.play.read_lines", lambda: iter((*lines, "", "", "")))
    terminal("play", TWO_DICE, "--player", "Ann")
    assert terminal("puzzle", TWO_DICE, "--mistakes").code == 2
    asked = terminal("puzzle", TWO_DICE, "--mistakes", "--player", "Ann", "--json").form
    shown = terminal("puzzle", TWO_DICE, "--mistakes", "--player", "Ann", typed=(asked["moves"][0]["action"], "q"))
    assert str(asked["due"]) in shown.out
    left = terminal("puzzle", TWO_DICE, "--mistakes", "--player", "Ann", "--json").form["due"]
    assert left == asked["due"] - 1
    refused = terminal("puzzle", TWO_DICE, "--mistakes", "--player", "Ann", "--answer", "nonsense")
    assert (refused.code, refused.out) == (2, "")
    due = terminal("puzzle", TWO_DICE, "--mistakes", "--player", "Ann", "--json").form
    given = terminal("puzzle", TWO_DICE, "--mistakes", "--player", "Ann", "--answer", due["moves"][0]["action"])
    assert due["moves"][0]["move"] in given.out
    assert terminal("puzzle", TWO_DICE, "--mistakes", "--player", "Ann", "--json").form["due"] == left - 1
    themes = terminal("stats", "Ann", "--json").form[0]["themes"]
    assert sum(themes.values()) > 0


def test_a_lesson_is_gone_through_step_by_step_and_remembered(terminal: Terminal) -> None:
    listed = terminal("lesson", "carlit-chicago", "--json").form["lessons"]
    assert [one["number"] for one in listed] == list(range(1, 11))
    shown = terminal("lesson", "carlit-chicago", "1", "--json").form
    assert shown["key"] == "aim"
    best = [next(one for one in step["choices"] if not one["loss"]) for step in shown["steps"]]
    stopped = terminal("lesson", "carlit-chicago", "1", typed=("nonsense", "9", "q"))
    assert "1 to 2" in stopped.out
    gone = terminal("lesson", "carlit-chicago", "aim", typed=(best[0]["move"], "1"))
    assert "Lesson finished." in gone.out
    assert f"{best[0]['value']:.2f}" in gone.out
    drawn = terminal("lesson", "carlit-chicago", "aim", "--simple", typed=("1", "2")).out
    assert "●" in drawn
    finished = terminal("lesson", "carlit-chicago", "--json").form["lessons"]
    assert [one["key"] for one in finished if one["finished"]] == ["aim"]
    assert "✓ Over or under" in terminal("lesson", "carlit-chicago").out
    assert terminal("lesson", TWO_DICE, "bonus").code == 2


@pytest.mark.parametrize("lang", ["fr", "it"])
def test_an_answer_may_be_typed_as_it_is_shown(terminal: Terminal, lang: str) -> None:
    for edition in ("carlit-chicago", TWO_DICE):
        asked = terminal("puzzle", edition, "--number", "1", "--lang", lang, "--json").form
        for move in asked["moves"]:
            given = ("--number", "1", "--lang", lang, "--json", "--answer", move["move"])
            assert terminal("puzzle", edition, *given).form["answer"]["move"] == move["move"]
