"""Measures a full house: 1,000 players in 300 rooms and 200 spectators on real sockets, 1,000 legal commands a second.

python -m benchmarks.load              60 seconds, then a bare echo of as many bytes as its reference
python -m benchmarks.load --seconds 10
python -m benchmarks.load --rate 750   fewer commands a second, to find out what the house can bear
"""

import asyncio
import sys
import tempfile
import time

from tests.crowd import House
from tests.rush import GOALS, RATE, SECONDS, Crowd, Line, Party, measured, more_files, reached, within

ECHO = (sys.executable, "-m", "benchmarks.echo")


class Echo(Party):
    """The same room at a house that has nothing to think about: it answers, and passes as many bytes on."""

    async def come(self) -> None:
        """Connect and enter."""
        for line in self.lines:
            await line.dial(f"room{self.number}")

    def wish(self) -> tuple[Line, dict[str, object]] | None:
        """Let everybody speak in turn."""
        seat = self.count // 3 % len(self.players)
        return self.players[seat], {"want": "act", "seat": seat, "ply": self.count, "action": "....."}

    def hear_position(self, line: Line, _: bytes) -> None:
        """Note when it came."""
        if line is not self.speaker and self.meter.running:
            self.meter.told.append(time.perf_counter() - self.due)


def show(name: str, times: list[float], compared: list[float], goals: dict[float, float] | None = None) -> None:
    """Write one line: half, 95 and 99 of a hundred, each beside the reference."""
    for part in GOALS:
        here, there = within(times, part), within(compared, part)
        goal = f"goal {goals[part]:.0f} ms" if goals else ""
        title = f"{name}, {part * 100:.0f} %"
        print(f"{title:<44} {here:9.1f} ms  {here / there:8.2f} x a bare echo ({there:.1f} ms)  {goal}")


def told(words: tuple[str, ...], name: str, usual: float) -> float:
    """Read a number, if it is said."""
    return float(words[words.index(name) + 1]) if name in words else usual


def main(*words: str) -> int:
    """Measure the house, then the echo."""
    more_files()
    crowd = Crowd(seconds=told(words, "--seconds", SECONDS), rate=told(words, "--rate", RATE))
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measured(House(f"sqlite:///{folder}/load.db"), crowd))
    less = Crowd(seconds=min(crowd.seconds, 15.0), warm=2.0, rate=crowd.rate)
    echo = asyncio.run(measured(House(str(round(found.message)), ECHO), less, Echo))
    print(
        f"{crowd.players:,} players in {crowd.rooms} rooms, {crowd.spectators} spectators, "
        f"{found.rate:,.0f} commands/s for {found.seconds:.0f} s (echo {echo.rate:,.0f}/s), "
        f"load average {found.load:.1f}"
    )
    show("command to its own done", found.done, echo.done, GOALS)
    show("command to the others' position", found.told, echo.told)
    print(f"{'errors':<44} {len(found.errors):9}            {'; '.join(found.errors[:3])}")
    print(f"{'memory of the house':<44} {found.memory:9.0f} MB  {found.memory / echo.memory:8.2f} x a bare echo")
    print(
        f"{'processor of the house, for each command':<44} {found.each:9.0f} µs  "
        f"{found.each / echo.each:8.2f} x a bare echo ({echo.each:.0f} µs), {found.busy * 100:.0f} % of one"
    )
    print(f"{'every figure reached':<44} {'yes' if reached(found) else 'NO':>9}")
    return 0 if reached(found) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
