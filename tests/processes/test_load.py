"""A full server answers everybody: a thousand players, and nobody is refused; how fast is for `benchmarks.load`."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from knobel.web.limits import find_fastest_loop, run_event_loop
from tests.support.load_clients import GOALS, MAX_MEMORY_MB, LoadProfile, measure_load, percentile_ms, raise_file_limit
from tests.support.socket_players import ServerProcess


@pytest.mark.torture
def test_a_thousand_players_in_three_hundred_rooms_are_all_answered(tmp_path: Path) -> None:
    raise_file_limit()
    found = asyncio.run(measure_load(ServerProcess(f"sqlite:///{tmp_path / 'load.db'}"), LoadProfile(seconds=20.0)))
    times = {part: percentile_ms(found.command_seconds, part) for part in GOALS}
    print(f"{found.rate:.0f} commands/s, {times} ms, {found.peak_memory_mb:.0f} MB, load {found.load_average:.1f}")
    assert found.errors == []
    assert found.peak_memory_mb <= MAX_MEMORY_MB
    assert found.command_seconds


def test_a_server_takes_more_sockets_than_it_was_given_at_first() -> None:
    program = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 4096))
from knobel.web.limits import raise_socket_limit
raise_socket_limit()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == "4096\n"


def test_a_server_waits_for_events_in_c_where_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_fastest_loop()
    assert (found is None) == (sys.platform == "win32")
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert find_fastest_loop() is None
    done: list[int] = []

    async def work() -> None:
        done.append(1)

    run_event_loop(work())
    assert done == [1]


@pytest.mark.rest
def test_a_few_players_are_played_by_the_load_client_without_a_refusal(tmp_path: Path) -> None:
    pool = LoadProfile(players=7, rooms=3, spectators=2, rate=30.0, seconds=2.0, warm_up=0.5, least=20)
    found = asyncio.run(measure_load(ServerProcess(f"sqlite:///{tmp_path / 'load.db'}"), pool))
    assert found.errors == []
    assert len(found.update_seconds) > len(found.command_seconds) >= pool.least
