"""Solved values on disk: named by the rules' fingerprint, checked before a value is used, read by mapping."""

import contextlib
import fcntl
import hashlib
import json
import os
import struct
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple

import numpy as np
import platformdirs
from numpy.typing import NDArray

from knobel.errors import SolveFailed
from knobel.phrase import Phrase, phrase
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import Floats
from knobel.solver.position import BookValues
from knobel.solver.solve import ProgressCallback, SheetSolution, check_size, count_columns, solve
from knobel.solver.tables import Tables, build_tables

MAGIC = b"KNOBELBK"
VERSION = 2
"""Version 1 held wrong values where the Yatzy box is an upper box or Chance; such files are solved again silently."""
HEADER = struct.Struct("<8sIIQ32s")
"""Magic, version, length of the note, length of the file, SHA-256 of everything after this head."""

CACHE_LIMIT_BYTES = 1024**3
"""The maximum size of the cache; the least recently opened book is deleted first."""
ROWS_PER_CHUNK = 1 << 16
"""How many columns of a book are written at a time, so that a large one is not in memory twice."""

NoticeCallback = Callable[[Phrase], None]
SolveFunction = Callable[[Tables, ProgressCallback | None], SheetSolution]


class CachedBook(NamedTuple):
    """The values of a book, mapped from its file, and what the file notes about them."""

    values: Floats
    note: dict[str, object]


class VerifiedFile(NamedTuple):
    """The note of a file whose every byte was checked, and where its values begin."""

    note: dict[str, object]
    offset: int


class DamagedCacheFile(Exception):
    """A file that is not what it should be."""


class OutdatedCacheFile(DamagedCacheFile):
    """A file of an earlier version, which is solved again silently."""


class UnsavedFile(NamedTuple):
    """What could not be written; it stays in memory as long as this process runs."""

    note: dict[str, object]
    values: NDArray[np.floating] | None


UNSAVED: dict[Path, UnsavedFile] = {}
PENDING_WARNINGS: list[Phrase] = []
"""Warnings that a file could not be written and that have not been shown yet."""


def take_problem() -> Phrase | None:
    """Return, once, the warning that solved values could not be saved."""
    return PENDING_WARNINGS.pop() if PENDING_WARNINGS else None


def find_folder_problem() -> str | None:
    """Return the system's message if nothing can be saved in the folder."""
    try:
        books_dir().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=books_dir()):
            return None
    except OSError as error:
        return os.strerror(error.errno or 0)


def books_dir() -> Path:
    return platformdirs.user_cache_path("knobel") / "books"


def open_book(
    rules: SheetRules, notice: NoticeCallback | None = None, progress: ProgressCallback | None = None
) -> BookValues:
    """Open the book of these rules; one that is missing or damaged is solved again in this process."""
    found = read_values(rules, notice)
    if found is None:
        check_size(rules)
        build_missing_book(rules, progress)
        found = read_values(rules, None)
    if found is None:
        raise SolveFailed
    return BookValues(build_tables(rules), found.values)


def read_values(rules: SheetRules, notice: NoticeCallback | None) -> CachedBook | None:
    """Map the values of a book, or give nothing; a damaged one is reported and set aside."""
    path = books_dir() / f"{rules.fingerprint}.book"
    if (unsaved := UNSAVED.get(path)) and unsaved.values is not None:
        return CachedBook(unsaved.values.astype(np.float64, copy=False), unsaved.note)
    try:
        with path.open("rb") as file:
            # The mapping holds this lock as long as it lives, so that eviction sees that the book is open.
            fcntl.flock(file, fcntl.LOCK_SH)
            note, offset = verify_open_file(file, path.name, rules.fingerprint)
            columns, upper_states = count_columns(rules), build_tables(rules).upper_states
            if os.fstat(file.fileno()).st_size != offset + columns * upper_states * 8:
                raise DamagedCacheFile(path.name)
            values = np.memmap(file, np.float64, "r", offset, (columns, upper_states))
    except OSError:
        return None
    except DamagedCacheFile as damage:
        if notice and not isinstance(damage, OutdatedCacheFile):
            notice(phrase("interface.book.damaged", file=str(path)))
        delete_file(path)
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return CachedBook(values, note)


def build_book(
    rules: SheetRules, progress: ProgressCallback | None = None, solve: SolveFunction = solve
) -> dict[str, object]:
    """Solve the rules here and now, and keep the book."""
    known = build_tables(rules)
    solution = solve(known, progress)
    values = solution.values.reshape(-1, known.stride)[:, : known.upper_states]
    note: dict[str, object] = {
        "fingerprint": rules.fingerprint,
        "par": float(values[0, 0]),
        "states": solution.states,
        "seconds": solution.seconds,
    }
    write_cache_file(books_dir() / f"{rules.fingerprint}.book", note, values)
    evict_old_books(CACHE_LIMIT_BYTES, rules.fingerprint)
    return note


def build_missing_book(rules: SheetRules, progress: ProgressCallback | None = None) -> None:
    """Solve the rules unless their book is there, perhaps just written by another process."""
    with lock_book(rules.fingerprint):
        if read_values(rules, None) is None:
            build_book(rules, progress)


@contextlib.contextmanager
def lock_book(fingerprint: str) -> Iterator[None]:
    """Let one process at a time write a book; another waits and then finds it written.

    Where nothing can be written nobody has to wait.
    """
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):
            books_dir().mkdir(parents=True, exist_ok=True)
            lock = held.enter_context((books_dir() / f"{fingerprint}.lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def write_cache_file(path: Path, note: dict[str, object], values: NDArray[np.floating] | None = None) -> None:
    """Write a file atomically; what cannot be written is kept in memory, and once there is something to say."""
    try:
        replace_cache_file(path, note, values)
    except OSError as error:
        if not UNSAVED:
            reason = os.strerror(error.errno or 0)
            PENDING_WARNINGS.append(phrase("interface.book.unkept", folder=str(path.parent), reason=reason))
        UNSAVED[path] = UnsavedFile(note, values)
    else:
        UNSAVED.pop(path, None)


def replace_cache_file(path: Path, note: dict[str, object], values: NDArray[np.floating] | None) -> None:
    """Write a file beside its place, and rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(note).encode()
    text += b" " * (-(HEADER.size + len(text)) % 64)
    body = hashlib.sha256(text)
    length = HEADER.size + len(text) + (0 if values is None else values.size * values.itemsize)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(bytes(HEADER.size))
            file.write(text)
            for piece in () if values is None else iter_chunks(values):
                body.update(piece)
                file.write(piece)
            file.seek(0)
            file.write(HEADER.pack(MAGIC, VERSION, len(text), length, body.digest()))
            file.flush()
            os.fsync(file.fileno())
            beside.replace(path)
    except OSError:
        delete_file(beside)
        raise


def delete_file(path: Path) -> None:
    """Delete a file, if that is possible."""
    with contextlib.suppress(OSError):
        path.unlink()


def iter_chunks(values: NDArray[np.floating]) -> Iterator[bytes]:
    """Cut values into pieces that are small beside them."""
    for first in range(0, values.shape[0], ROWS_PER_CHUNK):
        yield values[first : first + ROWS_PER_CHUNK].tobytes()


def verify_file(path: Path, fingerprint: str) -> VerifiedFile:
    """Read the note of a file and where its values begin, after checking every byte."""
    with path.open("rb") as file:
        return verify_open_file(file, path.name, fingerprint)


def verify_open_file(file: BufferedReader, name: str, fingerprint: str) -> VerifiedFile:
    """Check every byte of an open file; give its note, and where its values begin."""
    head = file.read(HEADER.size)
    if len(head) != HEADER.size:
        raise DamagedCacheFile(name)
    magic, version, noted, length, digest = HEADER.unpack(head)
    if magic == MAGIC and 0 < version < VERSION:
        raise OutdatedCacheFile(name)
    if magic != MAGIC or version != VERSION or os.fstat(file.fileno()).st_size != length or noted > length:
        raise DamagedCacheFile(name)
    if hashlib.file_digest(file, "sha256").digest() != digest:
        raise DamagedCacheFile(name)
    file.seek(HEADER.size)
    note = json.loads(file.read(noted))
    if note.get("fingerprint") != fingerprint:
        raise DamagedCacheFile(name)
    return VerifiedFile(note, HEADER.size + noted)


def evict_old_books(limit_bytes: int = CACHE_LIMIT_BYTES, keep_fingerprint: str | None = None) -> tuple[str, ...]:
    """Delete the books opened longest ago until the others fit, none that is open, none to be kept.

    What was noted beside a book counts and goes with it.
    """
    for _, size, beside in sorted(list_cache_files(".*")):
        # One without a byte was opened just now, and is about to be held.
        if size and not is_locked(beside):
            delete_file(beside)
    sizes: Counter[str] = Counter()
    for _, size, found in list_cache_files("[!.]*"):
        sizes[found.stem] += size
    too_much, gone = sizes.total() - limit_bytes, []
    for _, _, found in sorted(list_cache_files("*.book")):
        if too_much <= 0:
            break
        if found.stem == keep_fingerprint or is_locked(found.with_suffix(".lock")) or is_locked(found):
            continue
        for one in books_dir().glob(f"{found.stem}.*"):
            delete_file(one)
        too_much -= sizes[found.stem]
        gone.append(found.stem)
    return tuple(gone)


def list_cache_files(pattern: str) -> Iterator[tuple[float, int, Path]]:
    """List files of the cache: when each was used last, and its size."""
    for found in books_dir().glob(pattern):
        with contextlib.suppress(FileNotFoundError):
            known = found.stat()
            yield known.st_mtime, known.st_size, found


def is_locked(path: Path) -> bool:
    """Tell whether any process is reading or writing a file."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def read_book_note(rules: SheetRules) -> dict[str, object] | None:
    """Read what a book says about itself, after checking it; a damaged one says nothing."""
    if unsaved := UNSAVED.get(books_dir() / f"{rules.fingerprint}.book"):
        return unsaved.note
    try:
        return verify_file(books_dir() / f"{rules.fingerprint}.book", rules.fingerprint).note
    except (DamagedCacheFile, OSError, ValueError):
        return None


def read_note(rules: SheetRules, kind: str) -> dict[str, object] | None:
    """Read a note kept beside the book."""
    path = books_dir() / f"{rules.fingerprint}.{kind}"
    if unsaved := UNSAVED.get(path):
        return unsaved.note
    try:
        return verify_file(path, rules.fingerprint).note
    except OSError:
        return None
    except (DamagedCacheFile, ValueError):
        delete_file(path)
        return None


def write_note(rules: SheetRules, kind: str, note: dict[str, object]) -> None:
    """Keep a note beside the book."""
    write_cache_file(books_dir() / f"{rules.fingerprint}.{kind}", {"fingerprint": rules.fingerprint, **note})
