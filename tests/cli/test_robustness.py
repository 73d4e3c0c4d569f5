"""Commands where something is missing: a folder to write to, room on the screen, somebody who types."""

import io
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from knobel.cli import main
from knobel.cli.screen import count_cells
from knobel.lang import LANGUAGES
from knobel.rules import load_edition
from knobel.solve_worker import EXIT_UNSAVED
from knobel.solver import book_cache
from knobel.solver.request import BOOK, SolveRequest
from tests.support.house_rules import EXAMPLES, ROOT
from tests.support.selection import mostly_solve, rest
from tests.support.waiting import HANG_SECONDS

TWO_DICE = str(EXAMPLES / "two-dice.toml")
TOP_DOWN = ("carlit-yatzy", "--set", "order=top_down")
BELOW_A_FILE = "/dev/null/nowhere"
Captured = pytest.CaptureFixture[str]


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, without input."""
    return subprocess.run(
        [sys.executable, "-m", "knobel", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "LANG": "C", "XDG_CACHE_HOME": BELOW_A_FILE, **environment},
        timeout=300,
        check=False,
    )


@pytest.mark.process
@pytest.mark.parametrize(
    "words",
    [("solve", *TOP_DOWN), rest(("advise", *TOP_DOWN, "--dice", "11346")), rest(("odds", *TOP_DOWN))],
    ids=lambda words: words[0],
)
def test_an_unusable_cache_folder_is_named_once_and_the_answer_comes_all_the_same(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.returncode == 0
    assert "121.269" in done.stdout or "122.229" in done.stdout
    assert done.stderr.count("\n") == 1
    for part in (f"{BELOW_A_FILE}/knobel/books", "Not a directory", "XDG_CACHE_HOME"):
        assert part in done.stderr
    assert "damaged" not in done.stderr


@pytest.mark.rest
@pytest.mark.process
def test_a_review_needs_no_cache_folder(tmp_path: Path) -> None:
    done = run("review", str(ROOT / "tests" / "records" / "carlit-yatzy.knobel"), XDG_DATA_HOME=str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)


@pytest.mark.process
def test_doctor_calls_an_unusable_cache_folder_a_problem(tmp_path: Path) -> None:
    done = run("doctor", "--json", XDG_DATA_HOME=str(tmp_path))
    assert "books" in done.stderr
    assert f"{BELOW_A_FILE}/knobel/books" in done.stdout
    assert "Not a directory" in done.stdout


@pytest.mark.rest
@pytest.mark.process
@pytest.mark.parametrize("option", [(), ("--no-cache",)])
def test_a_read_only_installation_without_a_home_solves(option: tuple[str, ...], tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src" / "knobel", tmp_path / "knobel", ignore=shutil.ignore_patterns("__pycache__", "web"))
    (tmp_path / "knobel" / "solver" / "__pycache__").touch()  # a file where a folder is wanted: nobody can write there
    done = run("solve", TWO_DICE, *option, PYTHONPATH=str(tmp_path), HOME=BELOW_A_FILE, PYTHONDONTWRITEBYTECODE="1")
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "points on average" in done.stdout
    assert (BELOW_A_FILE in done.stderr) is (not option)


@pytest.mark.process
def test_a_worker_says_by_its_status_that_it_could_not_keep_a_book() -> None:
    request = SolveRequest(load_edition(TWO_DICE).rules(), BOOK)
    command = [sys.executable, "-m", "knobel.solve_worker", str(4 << 30)]
    environment = {**os.environ, "XDG_CACHE_HOME": BELOW_A_FILE}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as worker:
        assert worker.stdin is not None
        worker.stdin.write(request.encode())
        worker.stdin.flush()
        assert worker.wait(300) == EXIT_UNSAVED


@pytest.mark.process
def test_a_worker_that_is_interrupted_shows_no_traceback(tmp_path: Path) -> None:
    request = SolveRequest(load_edition("noris-yatzy").rules(), BOOK)
    command = [sys.executable, "-m", "knobel.solve_worker", str(4 << 30)]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert worker.stderr is not None
        worker.stdin.write(request.encode())
        worker.stdin.flush()
        worker.stdout.readline()  # the first step of progress: it is solving
        worker.send_signal(signal.SIGINT)
        assert (worker.wait(HANG_SECONDS), worker.stderr.read()) == (-signal.SIGINT, b"")


def test_an_old_book_is_solved_again_without_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rules = load_edition(TWO_DICE).rules()
    book_cache.build_book(rules)
    path = book_cache.books_dir() / f"{rules.fingerprint}.book"
    content = path.read_bytes()
    path.write_bytes(content[:8] + b"\1\0\0\0" + content[12:])
    said: list[object] = []
    assert book_cache.read_values(rules, said.append) is None
    assert (said, path.exists()) == ([], False)


def test_a_full_disk_leaves_nothing_behind_but_what_is_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(book_cache, "UNSAVED", {})
    monkeypatch.setattr(book_cache, "PENDING_WARNINGS", [])
    monkeypatch.setattr(os, "fsync", fail)
    rules = load_edition(TWO_DICE).rules()
    book = book_cache.open_book(rules)
    assert book.par > 0
    assert [path.suffix for path in book_cache.books_dir().iterdir()] == [".lock"]
    problem = book_cache.take_problem()
    assert problem is not None
    assert "No space left on device" in str(problem.values)
    assert book_cache.take_problem() is None


@pytest.mark.parametrize("columns", ["1", "10", "40"])
def test_odds_are_drawn_on_any_screen(columns: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert main(["odds", TWO_DICE]) == 0
    assert "%" in capsys.readouterr().out


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("columns", [40, 60])
def test_odds_are_no_wider_than_the_screen(
    columns: int, lang: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["odds", TWO_DICE, "--at-least", "20", "--lang", lang]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if count_cells(line) > columns] == []


@pytest.mark.parametrize("option", ["copies", "columns", "players", "per-page"])
@pytest.mark.parametrize("number", ["0", "-1", "1000", "9" * 30])
def test_numbers_of_a_pad_out_of_range_are_named_by_their_option(
    option: str, number: str, tmp_path: Path, capsys: Captured
) -> None:
    assert main(["pad", TWO_DICE, f"--{option}", number, "--output", str(tmp_path / "pad.pdf"), "--lang", "en"]) == 2
    said = capsys.readouterr().err
    assert f"--{option}" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("record", ["kniffel.knobel", "rounds/carlit-chicago.knobel"])
@pytest.mark.parametrize("columns", mostly_solve([30, 40, 60], 40))
def test_a_review_is_no_wider_than_the_screen(
    record: str, columns: int, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["review", str(ROOT / "tests" / "records" / record)]) == 0
    assert max(map(count_cells, capsys.readouterr().out.splitlines())) <= columns


@pytest.mark.parametrize("dice", [["11346"], ["1,1,3,4,6"], ["1", "1", "3,4", "6"]])
@pytest.mark.parametrize("joined", [False, True])
def test_dice_are_typed_apart_together_or_with_commas(dice: list[str], joined: bool, capsys: Captured) -> None:
    options = [f"--dice={','.join(dice)}"] if joined else ["--dice", *dice]
    assert main(["advise", *TOP_DOWN, *options, "--json"]) == 0
    typed = capsys.readouterr().out
    assert main(["advise", *TOP_DOWN, "--dice", *"11346", "--json"]) == 0
    assert typed == capsys.readouterr().out


def test_dice_of_a_hand_may_be_typed_together(capsys: Captured) -> None:
    assert main(["score", "mb-yahtzee", "44444", "--box", "yatzy"]) == 0
    assert "50" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["play", "mb-yahtzee", "--games", "9" * 30], "--games must be 1 to 99"),
        (["simulate", "mb-yahtzee", "--games", "10000000000"], "--games must be 1 to 1000000000"),
        (["simulate", "mb-yahtzee", "--games", "x"], "--games needs a whole number, not “x”"),
        (["serve", "--port", "70000"], "--port must be 0 to 65535"),
        (["doctor", "--port", "70000"], "--port must be 0 to 65535"),
        (["advise", "mb-yahtzee", "--dice", "11111", "--rolls-left", "3"], "--rolls-left must be 0 to 2"),
        (["advise", "mb-yahtzee", "--dice", "1", "x"], "--dice needs a whole number"),
        (["score", "mb-yahtzee", "1", "x"], "DICE needs a whole number"),
        (["solve", "carlit-chicago", "--players", "1"], "--players must be 2 to"),
        (["advise", "mb-yahtzee", "--yatzys", "14"], "--yatzys must be 0 to 13"),
    ],
)
def test_a_number_is_refused_by_the_name_of_its_option(words: list[str], said: str, capsys: Captured) -> None:
    assert main([*words, "--lang", "en"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("words", [["help", "solve"], ["--help", "solve"], ["-h", "solve"]])
def test_help_of_a_command_is_shown_by_its_name(words: list[str], capsys: Captured) -> None:
    assert main(words) == 0
    asked = capsys.readouterr().out
    assert main(["solve", "--help"]) == 0
    assert asked == capsys.readouterr().out
    assert main(["help", "sovle"]) == 2


@pytest.mark.process
def test_nobody_who_types_starts_no_game(tmp_path: Path) -> None:
    done = run(XDG_DATA_HOME=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_a_round_with_a_die_too_many_is_refused_for_its_dice(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO("c 1 1545\nq\n"))
    assert main(["play", "carlit-chicago", "--real-dice", "--player", "A", "--player", "B", "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert "4 dice were given, but this game has 3." in said
    assert "a box and its points" not in said
