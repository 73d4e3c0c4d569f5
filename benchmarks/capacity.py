"""How many commands a second a server holds at a latency: the load comes from processes of its own.

The processor time of the server, the load and the database is read apart, so that a figure for one core is honest on
a machine where all three share its cores.
"""

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
from tests.support.load_clients import LoadProfile, percentile_ms
from tests.support.socket_players import ServerProcess, read_cpu_seconds

from benchmarks.load_process import LoadOrder, LoadPart, LoadReport

MAX_LINE = 1 << 28
LIMIT_MS, LIMIT_PART = 150.0, 0.99
GROWTH = 1.3
HALVINGS = 2
"""How often the step between the last rate that was held and the first one that was not is halved."""


@dataclass(frozen=True)
class RateResult:
    """What came of one rate: microseconds of a processor for each command, apart, and how long commands took."""

    wanted: float
    rate: float
    times: tuple[float, float, float]
    errors: int
    server: float
    load: float
    database: float
    parent: float
    machine: float

    @property
    def is_held(self) -> bool:
        """Whether the commands were carried out as fast as they came, in time, and all of them."""
        return not self.errors and self.times[2] <= LIMIT_MS and self.rate > 0.95 * self.wanted


class LoadProcesses:
    """Processes that play at a server, started and told what to do together."""

    def __init__(self, port: int, profile: LoadProfile, count: int) -> None:
        self.port, self.profile, self.count = port, profile, count
        self.processes: list[Process] = []

    async def start(self) -> None:
        rooms = self.profile.rooms
        for number in range(self.count):
            first, last = rooms * number // self.count, rooms * (number + 1) // self.count
            part = LoadPart(self.port, first, last - first, rooms, self.profile.players, self.profile.spectators)
            command = ("-m", "benchmarks.load_process", msgspec.json.encode(part).decode())
            self.processes.append(
                await asyncio.create_subprocess_exec(sys.executable, *command, stdin=PIPE, stdout=PIPE, limit=MAX_LINE)
            )
        await self.read_lines()

    async def read_lines(self) -> list[bytes]:
        """Read the next line of each."""
        lines = await asyncio.gather(*(one.stdout.readline() for one in self.processes if one.stdout is not None))
        if not all(lines):
            raise RuntimeError("a load process has ended")
        return lines

    async def begin(self, rate: float) -> None:
        """Let all of them play, and wait until they count."""
        order = LoadOrder(rate / self.count, self.profile.seconds, self.profile.warm_up)
        for one in self.processes:
            if one.stdin is not None:
                one.stdin.write(msgspec.json.encode(order) + b"\n")
        await self.read_lines()

    async def read_reports(self) -> list[LoadReport]:
        return [msgspec.json.decode(line, type=LoadReport) for line in await self.read_lines()]

    def list_pids(self) -> list[int]:
        return [one.pid for one in self.processes]

    async def kill(self) -> None:
        for one in self.processes:
            if one.returncode is None:
                one.kill()
            await one.wait()


async def measure_rate(
    server: ServerProcess, load: LoadProcesses, rate: float, list_database: Callable[[], Sequence[int]]
) -> RateResult:
    """Play at one rate, and read what server, load and database used meanwhile."""
    await load.begin(rate)
    groups = server.list_processes(), load.list_pids(), list_database(), server.list_processes()[:1]
    before = [read_group(group) for group in groups]
    await asyncio.sleep(load.profile.seconds)
    after = [read_group(group) for group in groups]
    return summarize(rate, await load.read_reports(), [end - begin for begin, end in zip(before, after, strict=True)])


async def measure_twice(
    server: ServerProcess,
    load: LoadProcesses,
    rate: float,
    list_database: Callable[[], Sequence[int]],
    show: Callable[[RateResult], None],
) -> RateResult:
    """Measure a rate, and once more if it was not held: one long write of the disk says nothing about the server."""
    for _ in range(2):
        found = await measure_rate(server, load, rate, list_database)
        show(found)
        if found.is_held:
            break
    return found


def summarize(rate: float, reports: Sequence[LoadReport], used_seconds: Sequence[float]) -> RateResult:
    """Put together what all load processes counted; processor time is that of server, load, database and parent."""
    times = sorted(time for report in reports for time in report.command_seconds)
    commands = max(1, len(times))
    used = [seconds / commands * 1e6 for seconds in used_seconds]
    parts = tuple(percentile_ms(times, part) if times else float("inf") for part in (0.5, 0.95, LIMIT_PART))
    seconds = max(report.seconds for report in reports)
    errors = sum(len(report.errors) for report in reports)
    server_time, load_time, database_time, parent_time = used
    return RateResult(
        wanted=rate,
        rate=commands / seconds,
        times=(parts[0], parts[1], parts[2]),
        errors=errors,
        server=server_time,
        load=load_time,
        database=database_time,
        parent=parent_time,
        machine=os.getloadavg()[0],
    )


def read_group(pids: Sequence[int]) -> float:
    """Say how many seconds of a processor some processes have had; one that has ended in between counts nothing."""
    total = 0.0
    for pid in pids:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            total += read_cpu_seconds(pid)
    return total


async def find_capacity(
    server: ServerProcess,
    profile: LoadProfile,
    processes: int,
    list_database: Callable[[], Sequence[int]],
    show: Callable[[RateResult], None],
) -> RateResult | None:
    """Raise the rate until it is not held, then halve the step; give the highest rate that was held."""
    load = LoadProcesses(server.port, profile, processes)
    await server.start()
    try:
        await load.start()
        # The first games begin all at once, which no later window has to carry.
        await measure_rate(server, load, profile.rate / 2, list_database)
        held: RateResult | None = None
        low, high, rate = 0.0, float("inf"), profile.rate
        halvings = HALVINGS
        while halvings:
            found = await measure_twice(server, load, rate, list_database, show)
            if found.is_held:
                held, low = found, rate
            else:
                high = rate
            if high == float("inf"):
                rate *= GROWTH
            elif low == 0.0 and rate > profile.rate / 8:
                rate /= 2
            else:
                rate, halvings = (low + high) / 2, halvings - 1
        return held
    finally:
        await load.kill()
        stop_server(server)


def stop_server(server: ServerProcess) -> None:
    """Kill a server with all its processes: a worker left alone would go on for a moment, without its database."""
    for pid in reversed(server.list_processes()):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    server.kill()
