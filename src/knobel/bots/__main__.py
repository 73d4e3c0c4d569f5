"""`python -m knobel.bots BOT BYTES`: reads rules as one line, writes down what the bot needs, tells how far it is."""

import contextlib
import json
import os
import resource
import sys
from threading import Thread

from knobel.bots import EXIT_OUT_OF_MEMORY, build_bot_data
from knobel.rules.fields import KeyPath
from knobel.rules.schema import read_sheet_rules

NICENESS = 5


def report_progress(done: float) -> None:
    """Write how much is done."""
    sys.stdout.write(f"{done:.4f}\n")
    sys.stdout.flush()


def exit_with_parent() -> None:
    """Stop as soon as nobody is there any more who could want the answer."""
    while os.read(0, 1024):
        pass
    os._exit(1)


def main(name: str, max_bytes: int) -> None:
    """Work out rules modestly: after everybody else, within this much memory, and for nobody who is gone."""
    os.nice(NICENESS)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
    rules = read_sheet_rules(json.loads(sys.stdin.readline()), KeyPath("stdin"))
    Thread(target=exit_with_parent, daemon=True).start()
    try:
        build_bot_data(name, rules, report_progress)
    except MemoryError:
        sys.exit(EXIT_OUT_OF_MEMORY)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
