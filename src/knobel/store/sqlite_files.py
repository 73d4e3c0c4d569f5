"""The files of a SQLite database while it is open: whether they are still those that were opened, and whole."""

import os
from pathlib import Path
from typing import TypeAlias

LOG_MAGIC = (bytes.fromhex("377f0682"), bytes.fromhex("377f0683"))
"""How a write-ahead log begins, in either byte order of its checksums."""
LOG_HEADER_BYTES = 32

FileIdentity: TypeAlias = tuple[int, int]


class FileWatch:
    """Notices that the database or its write-ahead log was deleted, replaced or cut short: once so, always so.

    The log stays the same file as long as the database is open. The database itself is never opened here: closing it
    would give up SQLite's own locks.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.log_path = path, path.with_name(f"{path.name}-wal")
        self._log = open_log(self.log_path)
        self._identities = identify(find_file(self.path)), identify(find_file(self.log_path))
        self._size, self._log_size, self._log_header = 0, 0, b""
        self.is_gone = False
        self.look()

    def look(self) -> bool:
        """Look at the files; tell whether what was written could not be found again."""
        if not self.is_gone:
            # Another process may restart the log at this moment, so its header is read right before its size.
            found, header, log = find_file(self.path), self._read_log_header(), find_file(self.log_path)
            self.is_gone = (identify(found), identify(log)) != self._identities or self._was_cut(found, log, header)
        return self.is_gone

    def close(self) -> None:
        if self._log is not None:
            os.close(self._log)
            self._log = None

    def _was_cut(self, found: os.stat_result | None, log: os.stat_result | None, header: bytes | None) -> bool:
        if header is None:
            return False  # what cannot be read now may be whole
        size, log_size = found.st_size if found else 0, log.st_size if log else 0
        # A log that begins anew has another header, and may be shorter; an empty one has none yet.
        log_was_cut = bool(log_size and header) and (
            not header.startswith(LOG_MAGIC) or (log_size < self._log_size and header == self._log_header)
        )
        was_cut = size < self._size or log_was_cut
        self._size, self._log_size, self._log_header = size, log_size, header
        return was_cut

    def _read_log_header(self) -> bytes | None:
        """Read the header of the log, which may have none yet; `None` if it cannot be read now."""
        try:
            return os.pread(self._log, LOG_HEADER_BYTES, 0) if self._log is not None else b""
        except OSError:
            return None


def open_log(path: Path) -> int | None:
    """Open the log once: later there may be no file descriptor left."""
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def find_file(path: Path) -> os.stat_result | None:
    """Find what stands at a path; `None` if there is nothing."""
    try:
        return os.stat(path)  # noqa: PTH116 - pathlib takes three times as long, and this is asked at every commit
    except OSError:
        return None


def identify(found: os.stat_result | None) -> FileIdentity | None:
    return (found.st_dev, found.st_ino) if found else None
