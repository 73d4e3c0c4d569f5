"""Solved values on disk: named by the rules' fingerprint, checked before a value is used, read by mapping."""

import contextlib
import fcntl
import hashlib
import json
import os
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import platformdirs

from knobel.phrase import Phrase, phrase
from knobel.rules.ruleset import SheetRules
from knobel.solver.position import Book
from knobel.solver.solve import Progress, check_size, columns_of, stride_of
from knobel.solver.tables import Floats, tables

MAGIC = b"KNOBELBK"
VERSION = 1
HEAD = struct.Struct("<8sIIQ32s")
"""Magic, version, length of the note, length of the file, SHA-256 of everything after this head."""

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
        raise Damaged(rules.fingerprint)
    return Book(tables(rules), found[0])


def read_values(rules: SheetRules, notice: Notice | None) -> tuple[Floats, dict[str, object]] | None:
    """Map the values of a book, or give nothing; a damaged one is reported and set aside."""
    path = shelf() / f"{rules.fingerprint}.book"
    try:
        note, offset = read(path, rules.fingerprint)
        known = tables(rules)
        rows, lanes = columns_of(rules), known.lanes
        if path.stat().st_size != offset + rows * lanes * 8:
            raise Damaged(path.name)
    except FileNotFoundError:
        return None
    except (Damaged, OSError):
        if notice:
            notice(phrase("interface.book.damaged", file=path.name))
        path.unlink(missing_ok=True)
        return None
    return np.memmap(path, np.float64, "r", offset, (rows, lanes)), note


def build(rules: SheetRules, progress: Progress | None = None) -> dict[str, object]:
    """Solve the rules here and now, and keep the book."""
    from knobel.solver.solve import solve

    known = tables(rules)
    solution = solve(known, progress)
    stride = stride_of(known)
    values = np.ascontiguousarray(solution.values.reshape(-1, stride)[:, : known.lanes])
    note: dict[str, object] = {
        "fingerprint": rules.fingerprint,
        "par": float(values[0, 0]),
        "states": solution.states,
        "seconds": solution.seconds,
    }
    write(shelf() / f"{rules.fingerprint}.book", note, values)
    return note


def build_in_child(rules: SheetRules, progress: Progress | None = None) -> None:
    """Let a child process solve the rules: compiling would hold up everything else in this one."""
    with one_at_a_time(rules.fingerprint):
        if read_values(rules, None) is not None:
            return
        command = [sys.executable, "-m", "knobel.solver"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:  # noqa: S603
            if child.stdin is None or child.stdout is None:
                raise Damaged(rules.fingerprint)
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


def write(path: Path, note: dict[str, object], values: Floats | None = None) -> None:
    """Write a file that is whole at every moment, or not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(note).encode()
    text += b" " * (-(HEAD.size + len(text)) % 64)
    body = text + (b"" if values is None else values.tobytes())
    head = HEAD.pack(MAGIC, VERSION, len(text), HEAD.size + len(body), hashlib.sha256(body).digest())
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with beside.open("wb") as file:
        file.write(head + body)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def read(path: Path, fingerprint: str) -> tuple[dict[str, object], int]:
    """Read the note of a file and where its values begin, after checking every byte."""
    with path.open("rb") as file:
        head = file.read(HEAD.size)
        if len(head) != HEAD.size:
            raise Damaged(path.name)
        magic, version, noted, length, digest = HEAD.unpack(head)
        if magic != MAGIC or version != VERSION or path.stat().st_size != length or noted > length:
            raise Damaged(path.name)
        if hashlib.file_digest(file, "sha256").digest() != digest:
            raise Damaged(path.name)
        file.seek(HEAD.size)
        note = json.loads(file.read(noted))
    if note.get("fingerprint") != fingerprint:
        raise Damaged(path.name)
    return note, HEAD.size + noted


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
