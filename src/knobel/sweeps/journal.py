"""What a sweep has found so far: a line for each set of rules, on disk before the next one is counted as done."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from knobel.errors import FileUnwritable
from knobel.rules.fields import abbreviate
from knobel.sweeps.solving import Figures

JOURNAL = "done.jsonl"


class Journal:
    """The figures of every set of rules that is done, by its fingerprint."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.done: dict[str, Figures] = {}
        intact = 0
        for line in file.readlines():
            try:
                fingerprint, figures = json.loads(line)
            except ValueError:
                break  # the line that was being written when the last run ended
            intact += len(line)
            self.done[fingerprint] = figures
        file.seek(intact)
        file.truncate()

    def write(self, fingerprint: str, figures: Figures) -> None:
        """Add the figures of one set of rules, for good."""
        self.file.write(json.dumps([fingerprint, figures]).encode() + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())
        self.done[fingerprint] = figures


@contextmanager
def open_journal(folder: Path) -> Iterator[Journal]:
    """Open the journal of a folder; another sweep that writes there is waited for."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.fdopen(os.open(folder / JOURNAL, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
    except OSError as error:
        raise FileUnwritable(file=abbreviate(folder.name), reason=abbreviate(error.strerror)) from None
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield Journal(file)
