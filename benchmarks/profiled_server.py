"""Serves as `knobel serve` does, and says at its end where the processor time of its main thread went, by part.

python -m benchmarks.profiled_server --port 8765 --database sqlite:////tmp/load.db

Every millisecond of processor time the stack is looked at and counted for the first part one of its frames belongs to.
"""

import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType

from knobel.atomic_write import write_atomically
from knobel.cli import main

EVERY_SECONDS = 0.001
REPORT_VARIABLE = "KNOBEL_PROFILE"
"""Names the file the report is written to."""
PARTS: tuple[tuple[str, str, str], ...] = (
    ("view of the position", "web/messages.py", "encode_position"),
    ("view of the room", "web/messages.py", "encode_room"),
    ("other messages", "web/messages.py", ""),
    ("writing to sockets", "web/outbox.py", "flush"),
    ("checking and decoding a message", "web/connection.py", "decode"),
    ("deciding", "host/decisions.py", ""),
    ("deciding", "host/commands.py", "decide_bot_move"),
    ("hashing the chain", "record/chain.py", ""),
    ("applying", "table.py", "apply"),
    ("queueing the commit", "store/", ""),
)
"""Parts that any frame of a stack may show: a name, a part of the file’s path, and of the function’s name."""
LAYERS: tuple[tuple[str, str], ...] = (
    ("host: locks, memory, replies, timers", "knobel/host/"),
    ("connection: receiving, budget, answering", "knobel/web/"),
    ("reading sockets", "uvicorn/protocols/"),
    ("reading sockets", "websockets/"),
    ("starlette", "starlette/"),
)
"""What the innermost frame of any other stack shows that is in one of these."""
FOUND: Counter[str] = Counter()


def find_part(frame: FrameType | None) -> str:
    """Find the part of a stack: the first one of the list that any of its frames belongs to."""
    stack = []
    while frame is not None:
        stack.append((frame.f_code.co_filename, frame.f_code.co_name))
        frame = frame.f_back
    for name, path, function in PARTS:
        if any(path in file and function in called for file, called in stack):
            return name
    found = (name for file, _ in stack for name, path in LAYERS if path in file)
    return next(found, "event loop and everything else")


def note(_: int, frame: FrameType | None) -> None:
    FOUND[find_part(frame)] += 1


def restart(*_: object) -> None:
    """Count from now on: what the players needed to come is not meant."""
    FOUND.clear()
    STARTED.update(read_times())


STARTED: dict[str, float] = {}


def read_times() -> dict[str, float]:
    writing = sum(
        time.clock_gettime(time.pthread_getcpuclockid(one.ident))
        for one in threading.enumerate()
        if one.name == "knobel-write" and one.ident is not None
    )
    return {"process": time.process_time(), "main": time.thread_time(), "writing": writing}


def report(*_: object) -> None:
    """Write what was counted."""
    used = {name: now - STARTED.get(name, 0.0) for name, now in read_times().items()}
    with write_atomically(Path(os.environ[REPORT_VARIABLE])) as file:
        file.write(json.dumps({"seconds": used, "parts": FOUND}).encode())


if __name__ == "__main__":
    signal.signal(signal.SIGPROF, note)
    signal.signal(signal.SIGUSR1, restart)
    signal.signal(signal.SIGUSR2, report)
    signal.setitimer(signal.ITIMER_PROF, EVERY_SECONDS, EVERY_SECONDS)
    sys.exit(main(["serve", "--no-open", *sys.argv[1:]]))
