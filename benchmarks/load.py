"""Measures a full server: 1,000 players in 300 rooms and 200 spectators on real sockets, 1,000 legal commands a second.

python -m benchmarks.load              60 seconds, then a bare echo of as many bytes as its reference
python -m benchmarks.load --seconds 10
python -m benchmarks.load --rate 750   fewer commands a second, to find out what the server can take
"""

import asyncio
import sys
import tempfile
import time

from tests.support.load_clients import (
    GOALS,
    RATE,
    SECONDS,
    LoadClient,
    LoadProfile,
    LoadRoom,
    measure_load,
    meets_goals,
    percentile_ms,
    raise_file_limit,
)
from tests.support.socket_players import ServerProcess

ECHO = (sys.executable, "-m", "benchmarks.echo")
MAX_PROCESSOR_RATIO, MAX_LATENCY_RATIO = 2.2, 5.0
"""How many times the processor time of the echo a command may cost, and how many times its latency at 99 %."""


class Echo(LoadRoom):
    """The same room at a server that has nothing to think about: it answers, and passes as many bytes on."""

    async def set_up(self) -> None:
        for client in self.clients:
            await client.connect(f"room{self.number}")

    def choose_intent(self) -> tuple[LoadClient, dict[str, object]] | None:
        """Let everybody send in turn."""
        seat = self.command_count // 3 % len(self.players)
        return self.players[seat], {"want": "act", "seat": seat, "ply": self.command_count, "action": "....."}

    def receive_position(self, client: LoadClient, _: bytes) -> None:
        """Note when it came."""
        if client is not self.sender and self.meter.is_running:
            self.meter.update_seconds.append(time.perf_counter() - self.due)


def show(name: str, times: list[float], compared: list[float], goals: dict[float, float] | None = None) -> None:
    """Write one line: half, 95 and 99 of a hundred, each beside the reference."""
    for part in GOALS:
        here, there = percentile_ms(times, part), percentile_ms(compared, part)
        goal = f"goal {goals[part]:.0f} ms" if goals else ""
        title = f"{name}, {part * 100:.0f} %"
        print(f"{title:<44} {here:9.1f} ms  {here / there:8.2f} x a bare echo ({there:.1f} ms)  {goal}")


def read_option(words: tuple[str, ...], name: str, usual: float) -> float:
    """Read a number, if it is said."""
    return float(words[words.index(name) + 1]) if name in words else usual


def main(*words: str) -> int:
    """Measure the server, then the echo."""
    raise_file_limit()
    profile = LoadProfile(seconds=read_option(words, "--seconds", SECONDS), rate=read_option(words, "--rate", RATE))
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure_load(ServerProcess(f"sqlite:///{folder}/load.db"), profile))
    less = LoadProfile(seconds=min(profile.seconds, 15.0), warm_up=2.0, rate=profile.rate)
    echo = asyncio.run(measure_load(ServerProcess(str(round(found.mean_message_bytes)), ECHO), less, Echo))
    print(
        f"{profile.players:,} players in {profile.rooms} rooms, {profile.spectators} spectators, "
        f"{found.rate:,.0f} commands/s for {found.seconds:.0f} s (echo {echo.rate:,.0f}/s), "
        f"load average {found.load_average:.1f}"
    )
    show("command to its own done", found.command_seconds, echo.command_seconds, GOALS)
    show("command to the others' position", found.update_seconds, echo.update_seconds)
    print(f"{'errors':<44} {len(found.errors):9}            {'; '.join(found.errors[:3])}")
    memory, processor = found.peak_memory_mb / echo.peak_memory_mb, found.cpu_microseconds / echo.cpu_microseconds
    print(f"{'memory of the server':<44} {found.peak_memory_mb:9.0f} MB  {memory:8.2f} x a bare echo")
    print(
        f"{'processor of the server, for each command':<44} {found.cpu_microseconds:9.0f} µs  "
        f"{processor:8.2f} x a bare echo ({echo.cpu_microseconds:.0f} µs), {found.cpu * 100:.0f} % of one"
    )
    latency = percentile_ms(found.command_seconds, 0.99) / percentile_ms(echo.command_seconds, 0.99)
    print(f"{'times the echo: processor':<44} {processor:9.2f}      goal {MAX_PROCESSOR_RATIO}")
    print(f"{'times the echo: done at 99 %':<44} {latency:9.2f}      goal {MAX_LATENCY_RATIO:.0f}")
    is_reached = meets_goals(found) and processor <= MAX_PROCESSOR_RATIO and latency <= MAX_LATENCY_RATIO
    print(f"{'every figure reached':<44} {'yes' if is_reached else 'NO':>9}")
    return 0 if is_reached else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
