"""Measures everything about the server on a quiet machine, and writes it down: python -m benchmarks.server [FILE].

One process under the full load beside a bare echo of the same run, where its processor time goes, and how many commands
a second one process and 1, 2 and 4 workers hold. About twenty minutes; FILE is build/server.md unless another is named.
Options of the parts follow their names: python -m benchmarks.server out.md workers --players 200.
"""

import os
import subprocess
import sys
from pathlib import Path

PARTS: dict[str, tuple[str, ...]] = {
    "load": ("--rate", "1000"),
    "command_parts": ("--rate", "500"),
    "workers": (),
}


def describe_machine() -> str:
    averages = " / ".join(f"{one:.1f}" for one in os.getloadavg())
    return f"{os.cpu_count()} cores, load average {averages} (1, 5, 15 minutes)"


def run_part(name: str, options: tuple[str, ...]) -> str:
    """Run one benchmark; what it says on the way is seen, its figures are kept."""
    before = describe_machine()
    print(f"{name}: {before}", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", f"benchmarks.{name}", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if not done.stdout:
        raise SystemExit(f"benchmarks.{name} wrote no figures")
    said = done.stdout if done.stdout.lstrip().startswith("|") or "|---" in done.stdout else f"```\n{done.stdout}```\n"
    return f"## {name} {' '.join(options)}\n\nBefore: {before}; after: {describe_machine()}\n\n{said}"


def read_options(words: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Read which parts are wanted, each with its options; without any, all of them."""
    found: dict[str, tuple[str, ...]] = {}
    name = ""
    for word in words:
        if word in PARTS:
            name = word
            found[name] = ()
        elif not name:
            raise SystemExit(f"{word!r} is no part; the parts are {', '.join(PARTS)}")
        else:
            found[name] = (*found[name], word)
    return found or PARTS


def main(*words: str) -> int:
    file, wanted = Path(words[0] if words else "build/server.md"), read_options(words[1:])
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") as table:
        for name, options in wanted.items():
            table.write(run_part(name, options) + "\n")
            table.flush()
    print(file.read_text(encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
