"""`knobel` alone: the full screen on a terminal that can show one, the conversation everywhere else."""

import fcntl
import io
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import pytest

from knobel.cli import full_screen, main, welcome
from knobel.cli.full_screen import can_show
from knobel.cli.parser import Given
from tests.support.waiting import HANG_SECONDS

GOOD = {"TERM": "xterm-256color"}
TUI_LINE = "The full-screen game needs the extra “tui”: pip install 'knobel[tui]'."


class FakeTerminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def sit_at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, FakeTerminal())


@pytest.mark.parametrize(
    ("environment", "shown"),
    [
        (GOOD, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": ""}, False),
        ({}, False),
        (GOOD | {"KNOBEL_PLAIN": "1"}, False),
        (GOOD | {"ACCESSIBLE": "1"}, False),
        (GOOD | {"ACCESSIBLE": ""}, True),
        (GOOD | {"NO_COLOR": "1"}, True),
    ],
)
def test_a_terminal_shows_the_full_screen_unless_it_cannot_or_should_not(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], shown: bool
) -> None:
    sit_at_terminal(monkeypatch)
    assert can_show(environment) is shown


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
def test_a_pipe_on_any_side_is_no_terminal(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    sit_at_terminal(monkeypatch)
    monkeypatch.setattr(sys, name, io.StringIO())
    assert not can_show(GOOD)
    monkeypatch.setattr(sys, name, None)
    assert not can_show(GOOD)


@pytest.mark.parametrize(("given", "can", "full"), [({}, True, True), ({"plain": []}, True, False), ({}, False, False)])
def test_the_conversation_stays_for_whoever_wants_it(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, list[str]], can: bool, full: bool
) -> None:
    calls = list[str]()
    monkeypatch.setattr(full_screen, "can_show", lambda: can)
    monkeypatch.setattr(full_screen, "show", lambda *_: calls.append("full"))
    monkeypatch.setattr(welcome, "converse", lambda *_: calls.append("plain"))
    welcome.run(Given(given))
    assert calls == ["full" if full else "plain"]


def test_without_the_extra_the_conversation_starts_and_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(full_screen, "can_show", lambda: True)
    monkeypatch.setitem(sys.modules, "textual", None)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main(["--lang", "en"]) == 0
    said = capsys.readouterr()
    assert said.err == f"{TUI_LINE}\n"
    assert "Which game is on yours?" in said.out


@pytest.mark.parametrize("line", [["--plain"], ["welcome", "--plain"], ["--plain", "--lang=de"], ["--lang", "de"]])
def test_options_may_stand_without_a_command(
    line: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main(line) == 0
    assert "tactic-xl-yatzy" in capsys.readouterr().out


def test_textual_is_loaded_only_when_it_is_used() -> None:
    code = "import sys, knobel.cli.welcome, knobel.cli.play; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.process
def test_the_first_screen_is_shown_on_a_real_terminal_and_q_ends_it(tmp_path: Path) -> None:
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(GOOD | {"XDG_DATA_HOME": str(tmp_path), "LANG": "C.UTF-8", "LANGUAGE": "", "LC_ALL": ""})
        os.execv(sys.executable, [sys.executable, "-m", "knobel"])  # noqa: S606
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    seen = read_until(terminal, "Hasbro")
    os.write(terminal, b"q")
    seen += read_until(terminal, None)
    _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == 0, seen
    assert "Traceback" not in seen


def read_until(terminal: int, word: str | None) -> str:
    """Read what a program writes until a word comes, or its end."""
    seen = b""
    with suppress(OSError):
        while select.select([terminal], [], [], HANG_SECONDS)[0]:
            part = os.read(terminal, 65536)
            seen += part
            if not part or (word is not None and word.encode() in seen):
                break
    return seen.decode(errors="replace")
