"""The limits of a solve are options of the server."""

import pytest

from knobel.host.solve_queue import MAX_SECONDS, MAX_SOLUTION_BYTES
from knobel.web.options import ServerOptions
from knobel.web.server import build_solve_queue


@pytest.mark.parametrize(
    ("options", "limits"),
    [
        (ServerOptions(0), (MAX_SECONDS, MAX_SOLUTION_BYTES)),
        (ServerOptions(0, solve_seconds=400), (400, MAX_SOLUTION_BYTES)),
        (ServerOptions(0, solve_megabytes=2048), (MAX_SECONDS, 2 * 1024**3)),
    ],
)
def test_a_server_may_have_limits_of_its_own(options: ServerOptions, limits: tuple[float, int]) -> None:
    queue = build_solve_queue(options)
    assert (queue.max_seconds, queue.max_bytes) == limits
