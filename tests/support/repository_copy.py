"""A copy of the repository in which the steps of a contributor are tried, with its own catalogs and its own tests."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
COPIED = (
    "src",
    "tests",
    "docs",
    "examples",
    "README.md",
    "CONTRIBUTING.md",
    "Makefile",
    "catalogs.py",
    "pyproject.toml",
)


@dataclass(frozen=True)
class RepositoryCopy:
    """The folder of a copy; what is compiled comes along, so that little has to be compiled again."""

    folder: Path

    def read(self, path: str) -> str:
        return (self.folder / path).read_text(encoding="utf-8")

    def write(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def append(self, path: str, text: str) -> None:
        self.write(path, f"{self.read(path).rstrip()}\n{text}")

    def replace(self, path: str, old: str, new: str) -> None:
        """Put new text in place of what is there once."""
        before = self.read(path)
        assert before.count(old) == 1, (path, old, before.count(old))
        self.write(path, before.replace(old, new))

    def add_words(self, lang: str, words: dict[str, str], context: str = "") -> None:
        """Add entries to the catalogs of a language, each to that of its area."""
        about = f'msgctxt "{context}"\n' if context else ""
        for key, text in words.items():
            path = f"src/knobel/lang/{lang}/LC_MESSAGES/{key.partition('.')[0]}.po"
            self.append(path, f'\n{about}msgid "{key}"\nmsgstr "{text}"\n')

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python on the copy's own sources."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**environment, "PYTHONPATH": str(self.folder / "src")},
            capture_output=True,
            text=True,
            check=False,
        )

    def update_catalogs(self) -> None:
        """Do what `make update compile` does."""
        for task in ("update", "compile"):
            done = self.run("catalogs.py", task)
            assert done.returncode == 0, done.stderr

    def check(self, *tests: str) -> subprocess.CompletedProcess[str]:
        """Run tests of the copy, by the paths that CONTRIBUTING names and further words for pytest."""
        named = [f"tests/{word}" if word.partition("::")[0].endswith(".py") else word for word in tests]
        return self.run("-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *named)


def copy_repository(folder: Path) -> RepositoryCopy:
    """Copy everything that the tests of a contributor's step read."""
    for name in COPIED:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    return RepositoryCopy(folder)
