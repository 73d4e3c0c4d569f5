"""`python -m knobel.bots BOT BYTES`: reads rules as one line, writes down what the bot needs, tells how far it is."""

import contextlib
import json
import os
import resource
import sys
from threading import Thread

from knobel.bots import NO_MEMORY, work_out
from knobel.rules.fields import Place
from knobel.rules.schema import read_rules

NICE = 5


def tell(done: float) -> None:
    """Write how much is done."""
    sys.stdout.write(f"{done:.4f}\n")
    sys.stdout.flush()


def end_with_parent() -> None:
    """Stop as soon as nobody is there any more who could want the answer."""
    while os.read(0, 1024):
        pass
    os._exit(1)


def main(name: str, memory: int) -> None:
    """Work out rules modestly: after everybody else, within this much memory, and for nobody who is gone."""
    os.nice(NICE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    rules = read_rules(json.loads(sys.stdin.readline()), Place("stdin"))
    Thread(target=end_with_parent, daemon=True).start()
    try:
        work_out(name, rules, tell)
    except MemoryError:
        sys.exit(NO_MEMORY)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
