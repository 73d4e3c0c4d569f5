"""Write files atomically: beside their place, flushed to disk, then renamed."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from knobel.errors import FileUnwritable
from knobel.rules.fields import abbreviate, clean_text

SHARED_MODE, PRIVATE_MODE = 0o666, 0o600


@contextlib.contextmanager
def write_atomically(path: Path, mode: int = SHARED_MODE) -> Iterator[BinaryIO]:
    """Write a file; if anything goes wrong, the previous content stays."""
    if not path.name:
        raise FileUnwritable(file=clean_text(str(path)), reason=os.strerror(errno.EISDIR))
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with os.fdopen(os.open(beside, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_CLOEXEC, mode), "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
        sync_folder(path.parent)
    except OSError as error:
        raise FileUnwritable(file=abbreviate(path.name), reason=abbreviate(error.strerror)) from None


def sync_folder(folder: Path) -> None:
    """Flush the folder, so that the renamed file survives a power failure."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
