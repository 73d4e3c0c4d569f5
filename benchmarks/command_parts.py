"""Says where the processor time of a command goes, by part: python -m benchmarks.command_parts --rate 300.

The same load as `benchmarks.load`, against a server that looks at its own stack every millisecond of processor time.
"""

import asyncio
import json
import os
import signal
import sys
import tempfile
from pathlib import Path

from tests.support.load_clients import LoadProfile, LoadResult, LoadRoom, measure_load, raise_file_limit
from tests.support.socket_players import ServerProcess
from tests.support.waiting import poll_until

from benchmarks.load import read_option
from benchmarks.profiled_server import REPORT_VARIABLE

COMMAND = (sys.executable, "-m", "benchmarks.profiled_server")
SECONDS, RATE = 20.0, 300.0


class ProfiledServer(ServerProcess):
    """A server that writes its profile before it is killed."""

    def __init__(self, database: str, report: Path) -> None:
        super().__init__(database, COMMAND)
        self.report = report

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGUSR2)
            poll_until(self.report.exists)
        super().kill()


async def measure(server: ProfiledServer, profile: LoadProfile) -> LoadResult:
    """Measure, and let the server count from when everybody plays."""

    async def begin() -> None:
        await asyncio.sleep(profile.warm_up)
        if server.process is not None:
            server.process.send_signal(signal.SIGUSR1)

    class ProfiledRoom(LoadRoom):
        """The first room to be scheduled starts the count."""

        started: "asyncio.Task[None] | None" = None

        def schedule(self, due: float) -> None:
            if ProfiledRoom.started is None:
                ProfiledRoom.started = asyncio.get_running_loop().create_task(begin())
            super().schedule(due)

    return await measure_load(server, profile, ProfiledRoom)


def main(*words: str) -> int:
    raise_file_limit()
    # Fewer rooms than in `benchmarks.load`, each as full and busier: in a short run, games are not only begun.
    seconds, rate = read_option(words, "--seconds", SECONDS), read_option(words, "--rate", RATE)
    profile = LoadProfile(players=200, rooms=60, spectators=40, seconds=seconds, rate=rate)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "profile.json"
        os.environ[REPORT_VARIABLE] = str(report)
        result = asyncio.run(measure(ProfiledServer(f"sqlite:///{folder}/load.db", report), profile))
        found = json.loads(report.read_text(encoding="utf-8"))
    used, parts = found["seconds"], found["parts"]
    total, commands = sum(parts.values()), result.rate * result.seconds
    print(f"{result.rate:,.0f} commands/s, {result.cpu_microseconds:.0f} µs each, {len(result.errors)} errors")
    other = 1 - used["main"] / used["process"]
    writing = used["writing"] / used["process"]
    for name, share in (
        ("the thread that writes to SQLite", writing),
        ("other threads: reviews, reads", other - writing),
    ):
        print(f"{name:<50} {share * result.cpu_microseconds:6.0f} µs {share:6.1%}")
    for name, count in sorted(parts.items(), key=lambda one: -one[1]):
        share = count / total * (1 - other)
        print(f"{name:<50} {share * result.cpu_microseconds:6.0f} µs {share:6.1%}")
    return 0 if commands and not result.errors else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
