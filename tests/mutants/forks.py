"""Work in a process of its own, with a limit of time and memory."""

import os
import resource
import select
import signal
import time
from collections.abc import Callable
from typing import NoReturn

MEMORY = 4 << 30
SURVIVED, KILLED, CANNOT_PATCH, BROKEN = 0, 1, 2, 3


def run_forked(work: Callable[[], tuple[int, str]], seconds: float) -> tuple[int | None, str]:
    """Do something in a process of its own within a limit of processor time; give nothing if that was not enough."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        run_child(work, writer, seconds)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        text = read_until(answers.fileno(), time.monotonic() + 60 + 20 * seconds, child).decode()
    _, status = os.waitpid(child, 0)
    if not text:
        out_of_time = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
        return (None if out_of_time else BROKEN), f"status {status}"
    answer, _, rest = text.partition("\n")
    return int(answer), rest


def run_child(work: Callable[[], tuple[int, str]], writer: int, seconds: float) -> NoReturn:
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    try:
        answer, rest = work()
    except BaseException as error:  # noqa: BLE001  an error of ours is not a test that failed
        answer, rest = BROKEN, repr(error)
    with os.fdopen(writer, "w") as answers:
        answers.write(f"{answer}\n{rest}")
    os._exit(0)


def read_until(answers: int, end: float, child: int) -> bytes:
    """Read everything a process answers; one that takes far too long without using its processor is ended."""
    parts: list[bytes] = []
    while True:
        ready, _, _ = select.select([answers], [], [], max(0, end - time.monotonic()))
        if not ready:
            os.kill(child, signal.SIGKILL)
            return b""
        part = os.read(answers, 1 << 16)
        if not part:
            return b"".join(parts)
        parts.append(part)
