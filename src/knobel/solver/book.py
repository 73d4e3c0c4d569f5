"""Solved values on disk: named by the rules' fingerprint, checked before a value is used, read by mapping."""

import contextlib
import fcntl
import hashlib
import json
import os
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

from knobel.errors import SolvingFailed
from knobel.phrase import Phrase, phrase
from knobel.rules.ruleset import SheetRules
from knobel.solver.position import Book
from knobel.solver.solve import Progress, check_size, columns_of, stride_of
from knobel.solver.tables import Floats, tables

MAGIC = b"KNOBELBK"
VERSION = 1
HEAD = struct.Struct("<8sIIQ32s")
"""Magic, version, length of the note, length of the file, SHA-256 of everything after this head."""

SHELF_BYTES = 1024**3
"""All books together take so much at most; the one not opened for the longest time goes first."""
PIECE = 1 << 16
"""So many columns of a book are written at a time, so that a large one is not in memory twice."""

Notice = Callable[[Phrase], None]


class Damaged(Exception):
    """A file that is not what it should be."""


def shelf() -> Path:
    """Say where books are kept."""
    return platformdirs.user_cache_path("knobel") / "books"


def open_book(rules: SheetRules, notice: Notice | None = None, progress: Progress | None = None) -> Book:
    """Open the book of these rules; one that is missing or damaged is written anew by a child process."""
    found = read_values(rules, notice)
    if found is None:
        check_size(rules)
        build_in_child(rules, progress)
        found = read_values(rules, None)
    if found is None:
        raise SolvingFailed
    return Book(tables(rules), found[0])


def read_values(rules: SheetRules, notice: Notice | None) -> tuple[Floats, dict[str, object]] | None:
    """Map the values of a book, or give nothing; a damaged one is reported and set aside."""
    path = shelf() / f"{rules.fingerprint}.book"
    try:
        with path.open("rb") as file:
            # The mapping keeps this lock as long as it lives: whoever tidies up sees that the book is open.
            fcntl.flock(file, fcntl.LOCK_SH)
            note, offset = checked(file, path.name, rules.fingerprint)
            rows, lanes = columns_of(rules), tables(rules).lanes
            if os.fstat(file.fileno()).st_size != offset + rows * lanes * 8:
                raise Damaged(path.name)
            values = np.memmap(file, np.float64, "r", offset, (rows, lanes))
    except FileNotFoundError:
        return None
    except (Damaged, OSError):
        if notice:
            notice(phrase("interface.book.damaged", file=path.name))
        path.unlink(missing_ok=True)
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return values, note


def build(rules: SheetRules, progress: Progress | None = None) -> dict[str, object]:
    """Solve the rules here and now, and keep the book."""
    from knobel.solver.solve import solve

    known = tables(rules)
    solution = solve(known, progress)
    values = solution.values.reshape(-1, stride_of(known))[:, : known.lanes]
    note: dict[str, object] = {
        "fingerprint": rules.fingerprint,
        "par": float(values[0, 0]),
        "states": solution.states,
        "seconds": solution.seconds,
    }
    write(shelf() / f"{rules.fingerprint}.book", note, values)
    tidy(SHELF_BYTES, rules.fingerprint)
    return note


def build_in_child(rules: SheetRules, progress: Progress | None = None) -> None:
    """Let a child process solve the rules: compiling would hold up everything else in this one."""
    with one_at_a_time(rules.fingerprint):
        if read_values(rules, None) is not None:
            return
        ask_child(rules, progress)


def ask_child(rules: SheetRules, progress: Progress | None, *wanted: str) -> None:
    """Let a child process write what is wanted of these rules, the book if nothing is said."""
    command = [sys.executable, "-m", "knobel.solver", *wanted]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:  # noqa: S603
        if child.stdin is None or child.stdout is None:
            raise SolvingFailed
        child.stdin.write(json.dumps(rules.form).encode())
        child.stdin.close()
        for line in child.stdout:
            if progress:
                progress(float(line))


@contextlib.contextmanager
def one_at_a_time(name: str) -> Iterator[None]:
    """Let one process at a time write a book; another waits and then finds it written."""
    shelf().mkdir(parents=True, exist_ok=True)
    with (shelf() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def write(path: Path, note: dict[str, object], values: NDArray[np.floating] | None = None) -> None:
    """Write a file that is whole at every moment, or not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(note).encode()
    text += b" " * (-(HEAD.size + len(text)) % 64)
    body = hashlib.sha256(text)
    length = HEAD.size + len(text) + (0 if values is None else values.size * values.itemsize)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with beside.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(bytes(HEAD.size))
        file.write(text)
        for piece in () if values is None else pieces(values):
            body.update(piece)
            file.write(piece)
        file.seek(0)
        file.write(HEAD.pack(MAGIC, VERSION, len(text), length, body.digest()))
        file.flush()
        os.fsync(file.fileno())
        beside.replace(path)


def pieces(values: NDArray[np.floating]) -> Iterator[bytes]:
    """Cut values into pieces that are small beside them."""
    for first in range(0, values.shape[0], PIECE):
        yield values[first : first + PIECE].tobytes()


def read(path: Path, fingerprint: str) -> tuple[dict[str, object], int]:
    """Read the note of a file and where its values begin, after checking every byte."""
    with path.open("rb") as file:
        return checked(file, path.name, fingerprint)


def checked(file: BufferedReader, name: str, fingerprint: str) -> tuple[dict[str, object], int]:
    """Check every byte of an open file; give its note, and where its values begin."""
    head = file.read(HEAD.size)
    if len(head) != HEAD.size:
        raise Damaged(name)
    magic, version, noted, length, digest = HEAD.unpack(head)
    if magic != MAGIC or version != VERSION or os.fstat(file.fileno()).st_size != length or noted > length:
        raise Damaged(name)
    if hashlib.file_digest(file, "sha256").digest() != digest:
        raise Damaged(name)
    file.seek(HEAD.size)
    note = json.loads(file.read(noted))
    if note.get("fingerprint") != fingerprint:
        raise Damaged(name)
    return note, HEAD.size + noted


def tidy(most: int = SHELF_BYTES, keep: str | None = None) -> tuple[str, ...]:
    """Take the books opened longest ago off the shelf until the others fit, none that is open, none to be kept.

    What was noted beside a book counts and goes with it.
    """
    for _, size, beside in sorted(files(".*")):
        # One without a byte was opened just now, and is about to be held.
        if size and not held(beside):
            beside.unlink(missing_ok=True)
    sizes: Counter[str] = Counter()
    for _, size, found in files("[!.]*"):
        sizes[found.stem] += size
    too_much, gone = sizes.total() - most, []
    for _, _, found in sorted(files("*.book")):
        if too_much <= 0:
            break
        if found.stem == keep or held(found.with_suffix(".lock")) or held(found):
            continue
        for one in shelf().glob(f"{found.stem}.*"):
            one.unlink(missing_ok=True)
        too_much -= sizes[found.stem]
        gone.append(found.stem)
    return tuple(gone)


def files(pattern: str) -> Iterator[tuple[float, int, Path]]:
    """List files of the shelf: when each was used last, and its size."""
    for found in shelf().glob(pattern):
        with contextlib.suppress(FileNotFoundError):
            known = found.stat()
            yield known.st_mtime, known.st_size, found


def held(path: Path) -> bool:
    """Tell whether somebody reads from a file or writes it just now, in whatever process."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def book_note(rules: SheetRules) -> dict[str, object] | None:
    """Read what a book says about itself, after checking it; a damaged one says nothing."""
    try:
        return read(shelf() / f"{rules.fingerprint}.book", rules.fingerprint)[0]
    except (Damaged, OSError, ValueError):
        return None


def read_note(rules: SheetRules, kind: str) -> dict[str, object] | None:
    """Read a note kept beside the book."""
    path = shelf() / f"{rules.fingerprint}.{kind}"
    try:
        return read(path, rules.fingerprint)[0]
    except FileNotFoundError:
        return None
    except (Damaged, OSError, ValueError):
        path.unlink(missing_ok=True)
        return None


def write_note(rules: SheetRules, kind: str, note: dict[str, object]) -> None:
    """Keep a note beside the book."""
    write(shelf() / f"{rules.fingerprint}.{kind}", {"fingerprint": rules.fingerprint, **note})
