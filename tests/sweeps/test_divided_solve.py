"""A solve divided over the workers of a real cluster finds the same values, whatever happens to a worker."""

import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest

from knobel.errors import ServerUnreachable
from knobel.rules import load_edition
from knobel.solver.solve import solve
from knobel.solver.tables import Tables, build_tables
from knobel.sweeps import cluster as clusters
from knobel.sweeps import divided_solve
from knobel.sweeps.divided_solve import solve_on_dask
from tests.support.house_rules import EXAMPLES

if TYPE_CHECKING:
    from distributed import LocalCluster

pytestmark = [pytest.mark.rest, pytest.mark.process]


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> "Iterator[LocalCluster]":
    """Two workers in processes of their own; blocks are small, so that a small game has many."""
    from distributed import LocalCluster  # loads slowly, and every run of the tests collects this file

    monkeypatch.setattr(divided_solve, "MIN_BLOCK", 4)
    with LocalCluster(2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0") as running:
        yield running


@pytest.fixture(params=["shared file", "sent"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that see the files of this machine, and workers that do not."""
    if request.param == "sent":
        monkeypatch.setattr(divided_solve, "is_shared", lambda *_: False)


def load_tables(name: str, **switches: str) -> Tables:
    return build_tables(load_edition(name).rules(None, switches))


@pytest.mark.usefixtures("way")
def test_every_value_is_the_same_though_a_worker_is_killed(cluster: "LocalCluster") -> None:
    tables = load_tables(str(EXAMPLES / "two-dice.toml"))
    expected, killed, fractions = solve(tables), list[int](), list[float]()

    def kill_one(fraction: float) -> None:
        fractions.append(fraction)
        if not killed and fraction > 0.2:
            killed.append(next(iter(cluster.workers.values())).process.pid)
            os.kill(killed[0], signal.SIGKILL)

    found = solve_on_dask(tables, cluster.scheduler_address, kill_one)
    assert killed
    assert np.array_equal(found.values, expected.values)
    assert (found.states, fractions[-1]) == (expected.states, 1.0)
    assert fractions == sorted(fractions)


@pytest.mark.usefixtures("way")
def test_a_column_filled_from_top_to_bottom_has_the_same_values(cluster: "LocalCluster") -> None:
    tables = load_tables("carlit-yatzy", order="top_down")
    assert np.array_equal(solve_on_dask(tables, cluster.scheduler_address).values, solve(tables).values)


def test_a_worker_that_does_not_see_the_file_is_sent_what_it_needs(
    cluster: "LocalCluster", monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = load_tables("carlit-yatzy", order="top_down")
    monkeypatch.setattr(divided_solve, "send_block", hide_file(divided_solve.send_block))
    assert np.array_equal(solve_on_dask(tables, cluster.scheduler_address).values, solve(tables).values)


def hide_file(send_block: object) -> object:
    """Name a file that no worker sees instead of the real one."""

    def send_with_wrong_name(*words: object) -> object:
        *others, shared = words
        return send_block(*others, shared and f"{shared}-elsewhere")  # type: ignore[operator]

    return send_with_wrong_name


def test_an_address_without_a_cluster_or_a_cluster_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 1)
    tables = load_tables("carlit-yatzy", order="top_down")
    with pytest.raises(ServerUnreachable):
        solve_on_dask(tables, "tcp://127.0.0.1:1")
    with (
        LocalCluster(n_workers=0, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0") as empty,
        pytest.raises(ServerUnreachable),
    ):
        solve_on_dask(tables, empty.scheduler_address)
