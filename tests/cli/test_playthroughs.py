"""Committed playthroughs: what is typed and, word for word, what is answered.

A file in `tests/playthroughs` is what a screen would show: a line after `$ ` is a command, a line after `> ` is typed
while it runs, everything else is the answer. To renew them after a change of the words, and to look at the difference:
`KNOBEL_RENEW=1 pytest tests/cli/test_playthroughs.py; git diff tests/playthroughs`.
"""

import io
import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from knobel.cli import main
from tests.support.house_rules import EXAMPLES

FOLDER = Path(__file__).parents[1] / "playthroughs"
FILES = sorted(FOLDER.glob("*.txt"))
RENEW = "KNOBEL_RENEW"
COMMAND, TYPED = "$ knobel ", "> "


class Screen(io.TextIOWrapper):
    """A screen that keeps everything that was ever written on it."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True, newline="\n")

    @property
    def shown(self) -> str:
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode()


class Keyboard:
    """Hands out typed lines one by one, and shows each on the screen when it is read."""

    def __init__(self, lines: Iterable[str], screen: Screen) -> None:
        self.left = list(lines)
        self.screen = screen

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        if not self.left:
            return ""
        line = self.left.pop(0)
        self.screen.write(f"{TYPED}{line}".rstrip() + "\n")
        return f"{line}\n"

    def reconfigure(self, **_: object) -> None:
        """Be told about encodings, as a real one is."""


def run_playthrough(text: str) -> str:
    """Run the commands of a playthrough with what is typed into each, and give the new playthrough."""
    screen = Screen()
    for command in text.split(COMMAND)[1:]:
        first, *rest = command.split("\n")
        typed = [line[len(TYPED) :] for line in rest if line.startswith(TYPED.rstrip())]
        keyboard = Keyboard(typed, screen)
        screen.write(f"{COMMAND}{first}\n")
        with pytest.MonkeyPatch.context() as patch:
            for name, stream in {"stdin": keyboard, "stdout": screen, "stderr": screen}.items():
                patch.setattr(sys, name, stream)
            code = main(shlex.split(first.replace("EXAMPLES", str(EXAMPLES))))
        if code:
            screen.write(f"[exit {code}]\n")
        screen.write("".join(f"[nobody read: {line}]\n" for line in keyboard.left))
    return screen.shown


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Play in an empty room, in English, on a screen of eighty columns, with nothing kept yet."""
    monkeypatch.chdir(tmp_path)
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"LANG": "C", "COLUMNS": "80"}.items():
        monkeypatch.setenv(name, value)
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    return tmp_path


def compare(path: Path, renew: bool) -> None:
    """Compare a playthrough with a new performance, or renew it if that is wanted."""
    committed = path.read_text(encoding="utf-8")
    performance = run_playthrough(committed)
    if renew:
        path.write_text(performance, encoding="utf-8")
    assert renew or performance.splitlines() == committed.splitlines()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_goes_word_for_word(path: Path, room: Path) -> None:
    compare(path, renew=bool(os.environ.get(RENEW)))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_in_a_playthrough_everything_typed_is_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith(COMMAND)
    assert f"\n{TYPED}" in text
    assert "[nobody read" not in text


SMALL = f"{COMMAND}play EXAMPLES/two-dice.toml --player A --seed 1\n{TYPED}r\n{TYPED}q\n"


def test_a_changed_answer_is_noticed_and_renewed_only_on_demand(room: Path) -> None:
    path = room / "small.txt"
    right = run_playthrough(SMALL)
    assert right.count("\n") > SMALL.count("\n")
    for wrong in (right.replace("A, roll", "A rolls"), right + "more\n", right.replace("> r\n", "> r\n> r\n")):
        path.write_text(wrong, encoding="utf-8")
        with pytest.raises(AssertionError):
            compare(path, renew=False)
        assert path.read_text(encoding="utf-8") == wrong
    path.write_text(right.replace("A, roll", "A rolls"), encoding="utf-8")
    compare(path, renew=True)
    assert path.read_text(encoding="utf-8") == right


def test_what_nobody_reads_is_said(room: Path) -> None:
    assert run_playthrough(f"{SMALL}{TYPED}r\n").endswith("[nobody read: r]\n")


def test_an_exit_code_is_said(room: Path) -> None:
    assert run_playthrough(f"{COMMAND}play nowhere\n").endswith("[exit 2]\n")
