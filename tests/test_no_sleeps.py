"""No test hangs on time: whoever sleeps, or stretches a bound by the load of the machine, says here why."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ALLOWED = {
    "support/waiting.py": "the one place where tests look again and again",
    "support/socket_players.py": "players pause before they connect again or act, as people do",
    "support/load_clients.py": "a load is a rate over a time, and the load of the machine is printed beside it",
    "support/faulty_servers.py": "being late is what is wrong with this server",
    "browser/test_accessibility.py": "the timers of a page go off in order: this one after every sentence that waits",
}
NAMES = {"sleep", "wait_for_timeout", "getloadavg"}
TIMERS = ("setTimeout", "setInterval")
"""What takes time in a script that a page is given."""


def find_sleeps(source: str) -> Iterator[int]:
    """Give the line of every sleep that takes time, every timer of a script, and every look at the load average."""
    if not any(name in source for name in (*NAMES, *TIMERS)):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            only_yields = name == "sleep" and [ast.unparse(argument) for argument in node.args] == ["0"]
            if name in NAMES and not only_yields:
                yield node.lineno
        elif isinstance(node, ast.Constant) and any(f"{name}(" in str(node.value) for name in TIMERS):
            yield node.lineno


@pytest.mark.parametrize(
    "source",
    [
        "time.sleep(1)",
        "asyncio.sleep(0.01)",
        "sleep(pause)",
        "page.wait_for_timeout(100)",
        "os.getloadavg()[0]",
    ],
)
def test_a_sleep_is_found(source: str) -> None:
    assert list(find_sleeps(source)) == [1]


@pytest.mark.parametrize("timer", TIMERS)
def test_a_timer_in_a_script_is_found(timer: str) -> None:
    assert list(find_sleeps(f"page.evaluate('() => {timer}(look, 100)')")) == [1]


def test_letting_others_go_on_is_no_sleep() -> None:
    assert list(find_sleeps("asyncio.sleep(0)")) == []


def test_nothing_waits_for_time_but_what_says_why() -> None:
    files = {path.relative_to(TESTS).as_posix(): path for path in TESTS.rglob("*.py")}
    found = {
        name: lines for name, path in files.items() if (lines := list(find_sleeps(path.read_text(encoding="utf-8"))))
    }
    assert {name: lines for name, lines in found.items() if name not in ALLOWED} == {}
    assert set(found) == set(ALLOWED)
