"""The server's log as JSON lines, for programs: what happened, never who or what was said.

A line holds only what was named as a field where it was logged. Names, keys, seeds and the ids of rooms and games are
never among them, and of a line from elsewhere only its pattern is kept.
"""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

LOG = logging.getLogger("knobel")
FIELDS = "knobel_fields"


def log_event(event: str, level: int = logging.INFO, **fields: Any) -> None:
    """Log that something happened, with numbers and codes that may be known."""
    if LOG.isEnabledFor(level):
        LOG.log(level, "%s %s", event, fields, extra={FIELDS: {"event": event, **fields}})


class JsonFormatter(logging.Formatter):
    """Writes a record as one line of JSON."""

    def __init__(self, worker: int | None = None) -> None:
        super().__init__()
        self.worker = worker

    def format(self, record: logging.LogRecord) -> str:
        """Write the fields of a record; one without any is named by its pattern, without what was put into it."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
        }
        if self.worker is not None:
            line["worker"] = self.worker
        line |= getattr(record, FIELDS, None) or {"event": "log", "logger": record.name, "text": str(record.msg)}
        if record.exc_info and record.exc_info[0] is not None:
            # The text of an exception may quote what somebody sent; where it came from says enough.
            frames = traceback.extract_tb(record.exc_info[2])
            line |= {
                "exception": record.exc_info[0].__name__,
                "at": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
            }
        return json.dumps(line, default=str)


def start_json_log(worker: int | None = None) -> None:
    """Write everything that is logged in this process as JSON lines to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter(worker))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    LOG.setLevel(logging.INFO)
