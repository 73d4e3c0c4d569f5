"""What a browser needs to open the page without the server: the service worker, with the list of files it keeps."""

import hashlib
import json
from functools import cache
from pathlib import Path

WORKER = "service-worker.js"
LEFT_OUT = (WORKER, ".txt")
"""Files the page never asks for."""


@cache
def build_service_worker(static: Path) -> str:
    """Write the service worker; its version is the content of all files, so that a new one comes with any change."""
    files = sorted(path for path in static.rglob("*") if path.is_file() and not path.name.endswith(LEFT_OUT))
    version = hashlib.sha256()
    for path in (*files, static / WORKER):
        version.update(path.read_bytes())
    kept = [f"/static/{path.relative_to(static).as_posix()}" for path in files]
    text = (static / WORKER).read_text(encoding="utf-8")
    return text.replace("@VERSION", version.hexdigest()[:16]).replace('"@FILES"', json.dumps(kept))
