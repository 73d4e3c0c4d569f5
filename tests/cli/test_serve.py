"""First contact: `knobel serve` says one helpful thing where it cannot simply open a page."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from knobel.cli import main
from knobel.cli.serve import find_obstacle, write_tunnel
from knobel.web.serve import open_page
from tests.support.waiting import HANG_SECONDS

NO_BROWSER, ROOT, TUNNEL = (f"interface.serve.{key}" for key in ("no_browser", "root", "tunnel"))
PLACE = ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "BROWSER")


@pytest.fixture(autouse=True)
def _nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sit nowhere in particular, on Linux, as an ordinary person."""
    for name in PLACE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)


@pytest.mark.parametrize(
    ("environment", "platform", "user", "obstacle"),
    [
        ({"DISPLAY": ":0"}, "linux", 1000, None),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", 1000, None),
        ({}, "darwin", 501, None),
        ({}, "linux", 1000, NO_BROWSER),
        ({}, "linux", 0, NO_BROWSER),
        ({"DISPLAY": ":0"}, "linux", 0, ROOT),
        ({"SSH_CONNECTION": "10.0.0.2 5000 10.0.0.1 22"}, "linux", 1000, TUNNEL),
        ({"SSH_CONNECTION": "10.0.0.2 5000 10.0.0.1 22", "DISPLAY": "localhost:10.0"}, "linux", 0, TUNNEL),
        ({"SSH_CONNECTION": "10.0.0.2 5000 10.0.0.1 22"}, "darwin", 501, TUNNEL),
    ],
)
def test_a_browser_is_opened_only_where_somebody_sits(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], platform: str, user: int, obstacle: str | None
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert find_obstacle() == obstacle


@pytest.mark.parametrize(
    ("connection", "command"),
    [
        ("10.0.0.2 5000 10.0.0.1 22", "ssh -L 8765:localhost:8765 ann@10.0.0.1"),
        ("10.0.0.2 5000 10.0.0.1 2222", "ssh -p 2222 -L 8765:localhost:8765 ann@10.0.0.1"),
        ("odd", f"ssh -L 8765:localhost:8765 ann@{socket.gethostname()}"),
    ],
)
def test_the_tunnel_leads_to_the_machine_one_is_connected_to(
    monkeypatch: pytest.MonkeyPatch, connection: str, command: str
) -> None:
    monkeypatch.setenv("SSH_CONNECTION", connection)
    monkeypatch.setenv("LOGNAME", "ann")
    assert write_tunnel(8765) == command


@pytest.mark.parametrize("opens", [True, False])
def test_a_browser_that_does_not_open_is_reported(monkeypatch: pytest.MonkeyPatch, opens: bool) -> None:
    called: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda _: opens)
    open_page("http://localhost:1/", lambda: called.append("none"))
    assert called == ([] if opens else ["none"])


@contextmanager
def serving(folder: Path, *arguments: str, **environment: str) -> Iterator[list[str]]:
    """Start a server as somebody would type it; give the lines it greets with."""
    plain = {name: value for name, value in os.environ.items() if name not in PLACE}
    with subprocess.Popen(
        [sys.executable, "-m", "knobel", "serve", *arguments, "--lang", "en"],
        env={**plain, "XDG_DATA_HOME": str(folder), "PYTHONUNBUFFERED": "1", **environment},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().strip()]
        while "Ctrl+C" not in lines[-1] and lines[-1]:
            lines.append(process.stdout.readline().strip())
        try:
            yield lines
            process.send_signal(signal.SIGINT)
            process.wait(HANG_SECONDS)
        finally:
            process.kill()


@pytest.mark.process
def test_over_ssh_it_says_how_to_reach_the_page(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", SSH_CONNECTION="10.0.0.2 5000 10.0.0.1 22", LOGNAME="ann") as lines:
        address, tunnel, _ = lines
    port = address.rpartition(":")[2].strip("/")
    assert tunnel.endswith(f"open the address there: ssh -L {port}:localhost:{port} ann@10.0.0.1")


@pytest.mark.rest
@pytest.mark.process
def test_without_a_screen_it_asks_to_open_the_address(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0") as lines:
        assert lines[1:-1] == ["No browser can be opened here. Open the address in one yourself."]
    with serving(tmp_path, "--port", "0", "--no-open", SSH_CONNECTION="10.0.0.2 5000 10.0.0.1 22") as lines:
        assert lines[1:-1] == []


@pytest.mark.process
def test_a_port_in_use_is_one_line_with_a_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        database = f"sqlite:///{tmp_path / 'games.db'}"
        assert main(["serve", "--no-open", "--port", str(port), "--lang", "en", "--database", database]) == 2
    said = capsys.readouterr()
    expected = f"The server can’t use port {port}: address already in use. Choose another one with --port.\n"
    assert (said.out, said.err.casefold()) == ("", expected.casefold())


@pytest.mark.parametrize("line", [["serve"], ["play", "mb-yahtzee"], ["--version"], []])
def test_on_windows_it_names_what_to_use_instead(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: list[str]
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setenv("LANGUAGE", "en")
    assert main(line) == 2
    expected = "Knobel runs on Linux and macOS. On Windows use WSL, the Windows Subsystem for Linux.\n"
    assert capsys.readouterr() == ("", expected)


@pytest.mark.process
def test_without_the_modules_of_unix_there_is_no_traceback() -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['fcntl', 'resource', 'pwd', 'grp', 'termios', 'uvloop'])); "
        "from knobel.cli import main; sys.exit(main(['serve', '--lang', 'en']))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout, answer.stderr.count("\n")) == (2, "", 1)
    assert "WSL" in answer.stderr
