"""Check house-rule files in a process of its own.

`python -m tests.support.house_rule_checker FOLDER` prints one verdict a line as JSON.
"""

import io
import json
import resource
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass
from pathlib import Path

from knobel.cli import main
from knobel.errors import KnobelError
from knobel.lang import LANGUAGES, Translator
from knobel.rules import load_edition

SOUND = "sound"
CRASH = "crash"
HEADROOM = 64 << 20
MEMORY_FILE = Path("/proc/self/statm")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What became of a file: the code of its error, the words for it, and how long it took to find out."""

    file: str
    code: str
    messages: tuple[str, ...]
    seconds: float


def check_file(path: Path) -> CheckResult:
    """Try a file against the clock."""
    begun = time.process_time()
    code, words = load_and_check(str(path))
    return CheckResult(path.name, code, words, time.process_time() - begun)


def load_and_check(path: str) -> tuple[str, tuple[str, ...]]:
    """Load a file, and check it as the command does; what is refused must be sayable in every language."""
    try:
        load_edition(path)
        return (SOUND, ()) if run_check_command(path) == 0 else (CRASH, ("check refuses what load accepts",))
    except KnobelError as error:
        return error.code, tuple(dict.fromkeys(Translator(lang).describe_error(error) for lang in LANGUAGES))
    except Exception as error:  # noqa: BLE001 - any other exception is what we are looking for
        return CRASH, (f"{type(error).__name__}: {error}"[:300],)


def run_check_command(path: str) -> int:
    """Run `knobel check`, and discard its output."""
    with redirect_stdout(io.TextIOWrapper(io.BytesIO())), redirect_stderr(io.TextIOWrapper(io.BytesIO())):
        return main(["check", path, "--lang", "en"])


def limit_memory() -> None:
    """Give this process little more memory than it has; whatever wants more meets a MemoryError."""
    if MEMORY_FILE.exists():
        most = int(MEMORY_FILE.read_text(encoding="ascii").split()[0]) * resource.getpagesize() + HEADROOM
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    check_file(Path(__file__).parents[2] / "examples" / "house-rules" / "kniffel.toml")
    limit_memory()
    for file in sorted(Path(sys.argv[1]).iterdir()):
        print(json.dumps(asdict(check_file(file))))
