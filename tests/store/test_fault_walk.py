"""Every call of a game to its files fails once: nothing promised is lost, doubled, or refused when it is sent again."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SHIM = Path(__file__).parents[1] / "support" / "fault_shim.c"
COMPILER = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(
        COMPILER is None or not sys.platform.startswith("linux"), reason="needs a C compiler and a Linux that preloads"
    ),
]


def walk_calls(folder: Path, step: int) -> dict[str, Any]:
    """Let every nth call of each kind fail in a game of its own; give what was found for each kind."""
    shim = folder / "shim.so"
    subprocess.run([str(COMPILER), "-shared", "-fPIC", "-o", str(shim), str(SHIM), "-ldl"], check=True)
    command = [sys.executable, "-m", "tests.support.fault_walk", str(folder / "walk"), str(step)]
    done = subprocess.run(command, env={**os.environ, "LD_PRELOAD": str(shim)}, capture_output=True, check=True)
    print(done.stdout.decode())
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["call"]: line for line in lines}


def check_walk(folder: Path, step: int) -> None:
    """Insist that calls of every kind failed, that some were noticed, and that no promise was broken."""
    found = walk_calls(folder, step)
    assert {name: one["faults"] for name, one in found.items()} == {name: [] for name in found}
    assert all(one["failed"] == -(-one["calls"] // step) > 0 for one in found.values())
    assert found["write"]["noticed"] > 0
    assert sum(one["promises"] for one in found.values()) > 10


def test_a_call_that_fails_breaks_no_promise(tmp_path: Path) -> None:
    check_walk(tmp_path, 60)


@pytest.mark.torture
def test_no_call_of_a_game_that_fails_breaks_a_promise(tmp_path: Path) -> None:
    check_walk(tmp_path, 1)
