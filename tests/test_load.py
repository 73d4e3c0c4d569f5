"""A full house answers in time: a thousand players, and nobody is refused."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from knobel.web.limits import find_fastest_loop, run_event_loop
from tests.crowd import House
from tests.rush import GOALS, MOST_MB, Crowd, measured, more_files, within
from tests.test_kill import patience


@pytest.mark.torture
def test_a_thousand_players_in_three_hundred_rooms_are_answered_in_time(tmp_path: Path) -> None:
    more_files()
    found = asyncio.run(measured(House(f"sqlite:///{tmp_path / 'load.db'}"), Crowd(seconds=20.0)))
    times = {part: within(found.done, part) for part in GOALS}
    print(f"{found.rate:.0f} commands/s, {times} ms, {found.memory:.0f} MB, load {found.load:.1f}")
    assert found.errors == []
    assert found.memory <= MOST_MB
    assert found.rate > 950
    assert {part: took for part, took in times.items() if took > patience(GOALS[part])} == {}


def test_a_house_takes_more_sockets_than_it_was_given_at_first() -> None:
    program = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 4096))
from knobel.web.limits import raise_socket_limit
raise_socket_limit()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == "4096\n"


def test_a_house_waits_for_events_in_c_where_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_fastest_loop()
    assert (found is None) == (sys.platform == "win32")
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert find_fastest_loop() is None
    done: list[int] = []

    async def work() -> None:
        done.append(1)

    run_event_loop(work())
    assert done == [1]


def test_a_small_crowd_is_played_by_the_load_client_without_a_refusal(tmp_path: Path) -> None:
    crowd = Crowd(players=7, rooms=3, spectators=2, rate=30.0, seconds=2.0, warm=0.5)
    found = asyncio.run(measured(House(f"sqlite:///{tmp_path / 'load.db'}"), crowd))
    assert found.errors == []
    assert found.rate > 10
    assert len(found.told) > len(found.done)
