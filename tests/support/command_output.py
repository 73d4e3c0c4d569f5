"""What a command of the terminal printed."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CommandOutput:
    """The exit code of a command and what it printed."""

    code: int
    out: str
    err: str

    @property
    def form(self) -> Any:
        """The JSON that was printed."""
        assert (self.code, self.err) == (0, "")
        return json.loads(self.out)
