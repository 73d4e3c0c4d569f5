"""Replay one simulation, or run many: python -m tests.simulated SEED, python -m tests.simulated 0 --count 1000."""

import argparse
import contextlib
import sys
import time

from tests.simulated.broken_protocols import BROKEN, break_protocol
from tests.simulated.world import find_wrong_in, simulate

PROGRESS = 100


def main() -> int:
    """Run what was asked for; 1 says that something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulated", description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("--count", type=int, default=1, help="how many seeds, from this one on; one shows its trace")
    parser.add_argument("--broken", choices=BROKEN, help="break the protocol in one way first")
    given = parser.parse_args()
    with break_protocol(given.broken) if given.broken else contextlib.nullcontext():
        return replay(given.seed) if given.count == 1 else run_many(given.seed, given.count)


def replay(seed: int) -> int:
    """Show everything that happens, and what is wrong in the end."""
    world = simulate(seed)
    print(*world.trace, sep="\n")
    print(*world.wrong or ["nothing is wrong"], sep="\n")
    return int(bool(world.wrong))


def run_many(first: int, count: int) -> int:
    """Run many seeds, and name those that fail."""
    began, failed = time.process_time(), 0
    for done, seed in enumerate(range(first, first + count), 1):
        if wrong := find_wrong_in(seed):
            failed += 1
            print(f"{seed}: {wrong[0]}", flush=True)
        if done % PROGRESS == 0 or done == count:
            rate = done / (time.process_time() - began)
            print(f"{done} seeds, {failed} failed, {rate:.1f} a second of one processor", file=sys.stderr, flush=True)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
