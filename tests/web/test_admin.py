"""Whoever runs the server asks it how it is, at an address of its own, in a format Prometheus reads."""

import asyncio
import errno
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from knobel.errors import AdminAddressInvalid, AdminAddressTaken
from knobel.host import Host
from knobel.store.sqlite import SqliteStore
from knobel.web.admin import AdminServer
from knobel.web.hubs import RoomHubs
from knobel.web.meters import COUNTER, GAUGE, HISTOGRAM, Histogram, Metric, Sample, write_metrics
from knobel.web.options import read_admin_address
from knobel.web.readiness import Readiness
from tests.support.hosted_rooms import run_async
from tests.support.ports import free_port
from tests.support.waiting import HANG_SECONDS

SAMPLE = re.compile(r'[a-z_]+\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\} [0-9.e+-]+')


async def ask(port: int, request: str) -> tuple[int, str]:
    """Send a request as it is, and give the status and the text of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request.encode())
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    return (int(head.split(" ")[1]), body) if head else (0, "")


async def tell_nothing() -> list[tuple[str, tuple[Metric, ...]]]:
    return [("server", (Metric("knobel_rooms", GAUGE, (Sample(3),)),))]


def tell_state(state: str | None) -> Callable[[], Awaitable[str | None]]:
    async def tell() -> str | None:
        return state

    return tell


@run_async
async def test_the_admin_address_tells_health_readiness_and_figures_and_nothing_else() -> None:
    port = free_port()
    async with AdminServer(("127.0.0.1", port), tell_state(None), tell_nothing):
        assert await ask(port, "GET /healthz HTTP/1.1\r\n\r\n") == (200, "ok\n")
        assert await ask(port, "GET /readyz HTTP/1.1\r\n\r\n") == (200, "ok\n")
        told = '# TYPE knobel_rooms gauge\nknobel_rooms{process="server"} 3\n'
        assert await ask(port, "GET /metrics?x=1 HTTP/1.1\r\n\r\n") == (200, told)
        assert await ask(port, "GET / HTTP/1.1\r\n\r\n") == (404, "")
        assert await ask(port, "POST /metrics HTTP/1.1\r\n\r\n") == (405, "")
        assert await ask(port, "x" * 20_000) == (0, "")
        with pytest.raises(AdminAddressTaken) as taken:
            await AdminServer(("127.0.0.1", port), tell_state(None), tell_nothing).__aenter__()
        assert taken.value.values == {"value": f"127.0.0.1:{port}", "reason": os.strerror(errno.EADDRINUSE)}
    async with AdminServer(("127.0.0.1", port), tell_state("draining"), tell_nothing):
        assert await ask(port, "GET /readyz HTTP/1.1\r\n\r\n") == (503, "draining\n")
    async with AdminServer(None, tell_state(None), tell_nothing) as silent:
        assert silent.server is None


@run_async
async def test_a_database_that_hangs_and_does_not_let_go_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go, was_cancelled = asyncio.Event(), asyncio.Event()

    async def hang() -> None:
        try:
            await let_go.wait()
        except asyncio.CancelledError:
            was_cancelled.set()
            await let_go.wait()

    host = Host(await SqliteStore.open(tmp_path / "games.db"))
    readiness = Readiness(host, RoomHubs(host))
    assert await readiness.explain_unready() is None
    with monkeypatch.context() as patched:
        patched.setattr("knobel.web.readiness.ANSWER_SECONDS", 0.01)
        patched.setattr(host.store, "find_upkeep", hang)
        assert await asyncio.wait_for(readiness.explain_unready(), HANG_SECONDS) == "database"
    await was_cancelled.wait()
    let_go.set()
    assert await readiness.explain_unready() is None
    await host.close()


def test_a_histogram_counts_everything_up_to_each_bound() -> None:
    histogram = Histogram((0.5, 1, 2))
    for value in (0.1, 0.5, 0.7, 2, 3):
        histogram.observe(value)
    found = [(one.suffix, one.labels.get("le"), one.value) for one in histogram.list_samples()]
    buckets = [("_bucket", "0.5", 2), ("_bucket", "1", 3), ("_bucket", "2", 4), ("_bucket", "+Inf", 5)]
    assert found == [*buckets, ("_sum", None, pytest.approx(6.3)), ("_count", None, 5)]


def test_each_metric_is_declared_once_and_every_line_can_be_read() -> None:
    metrics = (
        Metric("knobel_errors_total", COUNTER, (Sample(2, {"code": "stale"}),)),
        Metric("knobel_command_seconds", HISTOGRAM, Histogram((0.1,)).list_samples()),
    )
    lines = write_metrics([("worker0", metrics), ("worker1", metrics)]).splitlines()
    declared = [line for line in lines if line.startswith("#")]
    assert declared == ["# TYPE knobel_errors_total counter", "# TYPE knobel_command_seconds histogram"]
    assert all(SAMPLE.fullmatch(line) for line in lines if line not in declared)
    assert 'knobel_errors_total{process="worker1",code="stale"} 2' in lines
    assert lines.index(declared[1]) == 3, "the samples of a metric stand together"


@pytest.mark.parametrize(
    ("value", "address"),
    [("127.0.0.1:9100", ("127.0.0.1", 9100)), ("[::1]:1", ("::1", 1)), ("10.0.0.1:65535", ("10.0.0.1", 65535))],
)
def test_an_admin_address_is_a_number_and_a_port(value: str, address: tuple[str, int]) -> None:
    assert read_admin_address(value) == address


@pytest.mark.parametrize(
    "value", ["", "9100", "localhost:9100", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", ":1"]
)
def test_anything_else_is_refused_by_name(value: str) -> None:
    with pytest.raises(AdminAddressInvalid):
        read_admin_address(value)
