"""The wheel: built twice it is the same, and installed into an empty environment it works outside the checkout."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from knobel import __version__

ROOT = Path(__file__).parents[1]
UV = Path(sys.executable).with_name("uv")
EMPTY = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
pytestmark = [pytest.mark.rest, pytest.mark.process]


def build(folder: Path) -> Path:
    """Build wheel and source archive as `make dist` does."""
    subprocess.run([UV, "build", "--quiet", "--out-dir", folder, ROOT], check=True)
    return folder / f"knobel-{__version__}-py3-none-any.whl"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """Install the wheel into an environment of its own; give its `knobel`."""
    environment = wheel.parent / "environment"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, environment], check=True)
    subprocess.run([UV, "pip", "install", "--quiet", "--python", environment / "bin" / "python", wheel], check=True)
    return environment / "bin" / "knobel"


def test_built_again_it_is_the_same(wheel: Path, tmp_path: Path) -> None:
    assert build(tmp_path).read_bytes() == wheel.read_bytes()


def test_the_wheel_has_catalogs_pages_and_types_and_the_archive_no_more_than_the_repository(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"knobel/lang/uk/LC_MESSAGES/web.mo", "knobel/web/static/app.js", "knobel/py.typed"} <= names
    with tarfile.open(wheel.with_name(f"knobel-{__version__}.tar.gz")) as archive:
        inner = [name.partition("/")[2] for name in archive.getnames()]
    assert [name for name in inner if name.startswith((".venv", "node_modules", "build", "dist"))] == []


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["--version"], __version__),
        (["score", "mb-yahtzee", "4", "4", "4", "4", "4"], "Yahtzee"),
        (["play", "carlit-yatzy", "--player", "bot:greedy", "--player", "bot:cautious", "--seed", "7"], "Total"),
        (["pad", "tactic-xl-yatzy", "--lang", "uk", "-o", "pad.pdf"], "pad.pdf"),
        (["solve", "two-dice.toml"], "16.064815"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_it_works_outside_the_checkout(installed: Path, tmp_path: Path, command: list[str], said: str) -> None:
    example = ROOT / "examples" / "house-rules" / "two-dice.toml"
    (tmp_path / "two-dice.toml").write_bytes(example.read_bytes())
    answer = subprocess.run(
        [installed, *command],
        cwd=tmp_path,
        env={**EMPTY, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    assert said in answer.stdout


def test_its_server_serves_the_page(installed: Path, tmp_path: Path) -> None:
    with subprocess.Popen(
        [installed, "serve", "--no-open", "--port", "0"],
        cwd=tmp_path,
        env={**EMPTY, "HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        assert "http://localhost:" in server.stdout.readline()
        server.terminate()
