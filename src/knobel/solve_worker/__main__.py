"""`python -m knobel.solve_worker BYTES`: reads one request, solves it within this much memory, writes progress."""

import contextlib
import os
import resource
import signal
import sys
from threading import Thread

from knobel.solve_worker import EXIT_OUT_OF_MEMORY, EXIT_UNSAVED, has_unsaved, solve
from knobel.solver.request import decode_request

NICENESS = 5


def report_progress(fraction: float) -> None:
    sys.stdout.write(f"{fraction:.4f}\n")
    sys.stdout.flush()


def exit_with_parent() -> None:
    """Exit as soon as the input is closed: nobody is left who wants the answer."""
    while os.read(0, 1024):
        pass
    os._exit(1)


def main(max_bytes: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
    os.nice(NICENESS)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
    request = decode_request(sys.stdin.readline())
    Thread(target=exit_with_parent, daemon=True).start()
    try:
        solve(request, report_progress)
    except MemoryError:
        sys.exit(EXIT_OUT_OF_MEMORY)
    if has_unsaved():
        sys.exit(EXIT_UNSAVED)


if __name__ == "__main__":
    main(int(sys.argv[1]))
