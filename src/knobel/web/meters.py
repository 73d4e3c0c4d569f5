"""What a process counts about itself, and how Prometheus reads it."""

import contextlib
import os
import sys
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from knobel.host import Host

SECONDS_BOUNDS = (0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SIZE_BOUNDS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
COUNTER, GAUGE, HISTOGRAM = "counter", "gauge", "histogram"


class Sample(Struct, frozen=True, array_like=True):
    """One number: what is added to the name of its metric, its labels, and its value."""

    value: float
    labels: dict[str, str] = {}
    suffix: str = ""


class Metric(Struct, frozen=True, array_like=True):
    """A metric with its samples."""

    name: str
    kind: str
    samples: tuple[Sample, ...]


@dataclass
class Histogram:
    """How many values were at most as large as each bound."""

    bounds: Sequence[float]
    counts: list[int] = field(init=False)
    total: float = 0.0

    def __post_init__(self) -> None:
        self.counts = [0] * (len(self.bounds) + 1)

    def observe(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def list_samples(self) -> tuple[Sample, ...]:
        """List the buckets, each with everything below it, as Prometheus wants them; then sum and count."""
        samples, below = [], 0
        for bound, count in zip((*map(format_number, self.bounds), "+Inf"), self.counts, strict=True):
            below += count
            samples.append(Sample(below, {"le": bound}, "_bucket"))
        return (*samples, Sample(self.total, {}, "_sum"), Sample(below, {}, "_count"))


class ServerMeters:
    """What one process has counted since it started."""

    def __init__(self) -> None:
        self.commands: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.requests: Counter[str] = Counter()
        self.connections = 0
        self.command_seconds = Histogram(SECONDS_BOUNDS)
        self.commit_sizes = Histogram(SIZE_BOUNDS)

    def count_command(self, began: float, error: str | None = None) -> None:
        """Count a command that was answered, and how long that took."""
        self.command_seconds.observe(time.perf_counter() - began)
        self.commands["done" if error is None else "refused"] += 1

    def collect(self, host: Host, rooms: int) -> tuple[Metric, ...]:
        """List everything, with what is so at this moment."""
        jobs = host.solve_queue.jobs.values()
        return (
            Metric("knobel_rooms", GAUGE, (Sample(rooms),)),
            Metric("knobel_sessions", GAUGE, (Sample(len(host.registry.sessions)),)),
            Metric("knobel_connections", GAUGE, (Sample(self.connections),)),
            Metric("knobel_commands_total", COUNTER, count_samples(self.commands, "outcome", ("done", "refused"))),
            Metric("knobel_command_seconds", HISTOGRAM, self.command_seconds.list_samples()),
            Metric("knobel_commit_size", HISTOGRAM, self.commit_sizes.list_samples()),
            Metric("knobel_solves", GAUGE, (Sample(sum(job.is_active for job in jobs)),)),
            Metric("knobel_errors_total", COUNTER, count_samples(self.errors, "code")),
            Metric("knobel_requests_total", COUNTER, count_samples(self.requests, "status")),
            *collect_process(),
        )


def count_samples(counted: Counter[str], label: str, always: Iterable[str] = ()) -> tuple[Sample, ...]:
    return tuple(Sample(counted[key], {label: key}) for key in sorted({*counted, *always}))


def collect_process() -> tuple[Metric, ...]:
    """List what this process uses of the machine, as far as the system tells."""
    found = [Metric("knobel_process_id", GAUGE, (Sample(os.getpid()),))]
    with contextlib.suppress(ImportError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        cpu = Sample(round(used.ru_utime + used.ru_stime, 3))
        found += [
            Metric("process_cpu_seconds_total", COUNTER, (cpu,)),
            Metric("knobel_peak_memory_bytes", GAUGE, (Sample(peak),)),
        ]
    return tuple(found)


def write_metrics(found: Iterable[tuple[str, Sequence[Metric]]]) -> str:
    """Write the metrics of some processes in the text format of Prometheus, each process as a label."""
    lines: dict[str, list[str]] = {}
    for process, metrics in found:
        for metric in metrics:
            told = lines.setdefault(metric.name, [f"# TYPE {metric.name} {metric.kind}"])
            for sample in metric.samples:
                labels = ",".join(f'{name}="{value}"' for name, value in {"process": process, **sample.labels}.items())
                told.append(f"{metric.name}{sample.suffix}{{{labels}}} {format_number(sample.value)}")
    return "".join(f"{line}\n" for told in lines.values() for line in told)


def format_number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))
