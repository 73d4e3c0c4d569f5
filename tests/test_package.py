"""The wheel: built twice it is the same, its metadata are valid, and installed it works outside the checkout.

It is installed with all extras for every Python of the metadata that is found here, and once without extras.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest
from packaging.metadata import Metadata
from trove_classifiers import classifiers

from knobel import __version__
from knobel.extras import EXTRAS
from tests.support.bare_installation import BARE_PLAY, REFUSED, WORKING
from tests.support.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSIONS = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
MOST_LIGHT_MEGABYTES = 60
UV = Path(sys.executable).with_name("uv")
EMPTY = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
pytestmark = [pytest.mark.rest, pytest.mark.process]


def find_pythons() -> dict[str, str]:
    """Find an interpreter of each version the metadata names, as far as there is one here."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = {}
    for version in VERSIONS:
        others = [str(path) for path in sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True)]
        for candidate in (sys.executable, *others, shutil.which(f"python{version}") or ""):
            if candidate and version not in found and ask_version(candidate) == version:
                found[version] = candidate
    return found


def ask_version(python: str) -> str:
    code = "import sys; print('.'.join(map(str, sys.version_info[:2])))"
    answer = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return answer.stdout.strip()


PYTHONS = find_pythons()
"""The interpreters that are here, by version."""
HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"
OTHERS = [version for version in PYTHONS if version != HERE]
"""Versions for which everything is compiled anew, in `make torture` alone."""


def build(folder: Path) -> Path:
    """Build wheel and source archive as `make dist` does."""
    subprocess.run([UV, "build", "--quiet", "--out-dir", folder, ROOT], check=True)
    return folder / f"knobel-{__version__}-py3-none-any.whl"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("dist"))


def install(wheel: Path, folder: Path, python: str, extra: str = "") -> Path:
    """Install the wheel into an environment of its own; give its `knobel`."""
    subprocess.run([UV, "venv", "--quiet", "--python", python, folder], check=True)
    wanted = f"knobel{extra} @ {wheel.as_uri()}"
    subprocess.run([UV, "pip", "install", "--quiet", "--python", folder / "bin" / "python", wanted], check=True)
    return folder / "bin" / "knobel"


@pytest.fixture(scope="module", params=PYTHONS)
def installed(wheel: Path, request: pytest.FixtureRequest) -> Path:
    """Install everything, once for each version of Python that is here."""
    return install(wheel, wheel.parent / f"all-{request.param}", PYTHONS[request.param], "[all]")


@pytest.fixture(scope="module")
def light(wheel: Path) -> Path:
    """Install the wheel without extras."""
    return install(wheel, wheel.parent / "light", sys.executable)


def run(command: Path, line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Type a line outside the checkout, beside a record and a house-rule file."""
    for path in (
        ROOT / "tests" / "records" / "carlit-yatzy.knobel",
        ROOT / "examples" / "house-rules" / "two-dice.toml",
    ):
        shutil.copy(path, folder)
    return subprocess.run(
        [command, *shlex.split(line)],
        cwd=folder,
        env={**EMPTY, "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def measure_megabytes(environment: Path) -> float:
    """Add up the files of an environment."""
    return sum(path.stat().st_size for path in environment.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6


def test_built_again_it_is_the_same(wheel: Path, tmp_path: Path) -> None:
    assert build(tmp_path).read_bytes() == wheel.read_bytes()


def test_the_wheel_has_catalogs_pages_and_types_and_the_archive_no_more_than_the_repository(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"knobel/lang/uk/LC_MESSAGES/web.mo", "knobel/web/static/app.js", "knobel/py.typed"} <= names
    with tarfile.open(wheel.with_name(f"knobel-{__version__}.tar.gz")) as archive:
        inner = [name.partition("/")[2] for name in archive.getnames()]
    assert [name for name in inner if name.startswith((".venv", "node_modules", "build", "dist"))] == []


def test_the_metadata_are_complete_and_strictly_valid(wheel: Path) -> None:
    name = f"knobel-{__version__}.dist-info/METADATA"
    of_wheel = zipfile.ZipFile(wheel).read(name)
    with tarfile.open(wheel.with_name(f"knobel-{__version__}.tar.gz")) as archive:
        file = archive.extractfile(f"knobel-{__version__}/PKG-INFO")
        assert file is not None
        assert file.read() == of_wheel
    found = Metadata.from_email(of_wheel, validate=True)
    assert found.description == (ROOT / "README.md").read_text(encoding="utf-8")
    assert found.description_content_type == "text/markdown"
    assert (found.author, found.license_expression) == ("Knobel contributors", "MIT")
    assert found.keywords
    assert str(found.requires_python) == ">=3.11"
    assert set(found.provides_extra or ()) == {*EXTRAS, "all"}


def test_the_classifiers_exist_and_promise_only_what_is_tested() -> None:
    given = PROJECT["classifiers"]
    assert set(given) <= set(classifiers)
    assert [one for one in given if "Windows" in one or one.endswith("OS Independent")] == []
    assert VERSIONS == ["3.11", "3.12", "3.13"]
    assert HERE in PYTHONS


def test_the_version_is_the_same_everywhere() -> None:
    changes = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert changes[:2] == ["Unreleased", __version__]
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--version", __version__),
        ("score mb-yahtzee 4 4 4 4 4", "Yahtzee"),
        (BARE_PLAY, "Total"),
        ("pad tactic-xl-yatzy --lang uk -o pad.pdf", "pad.pdf"),
    ],
    ids=["version", "score", "play", "pad"],
)
def test_it_works_outside_the_checkout(installed: Path, tmp_path: Path, line: str, said: str) -> None:
    answer = run(installed, line, tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert said in answer.stdout


@pytest.mark.parametrize(
    "installed", [HERE, *(pytest.param(other, marks=pytest.mark.torture) for other in OTHERS)], indirect=True
)
def test_it_solves_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    answer = run(installed, "solve two-dice.toml", tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "16.064815" in answer.stdout


def test_its_server_serves_the_page(installed: Path, tmp_path: Path) -> None:
    check_server(installed, tmp_path)


def check_server(command: Path, folder: Path) -> None:
    """Start a server outside the checkout, and fetch its page."""
    with subprocess.Popen(
        [command, "serve", "--no-open", "--port", "0", "--lang", "en"],
        cwd=folder,
        env={**EMPTY, "HOME": str(folder), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        try:
            with urlopen(address, timeout=HANG_SECONDS) as page:  # noqa: S310
                assert b"knobel" in page.read().lower()
        finally:
            server.terminate()


@pytest.mark.parametrize("line", WORKING)
def test_without_extras_it_plays_scores_and_verifies(light: Path, tmp_path: Path, line: str) -> None:
    answer = run(light, line, tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert WORKING[line] in answer.stdout


@pytest.mark.parametrize("line", REFUSED)
def test_without_extras_the_rest_says_what_to_install(light: Path, tmp_path: Path, line: str) -> None:
    answer = run(light, line, tmp_path)
    assert (answer.returncode, answer.stdout, answer.stderr) == (2, "", f"{REFUSED[line]}\n")


def test_without_extras_it_serves(light: Path, tmp_path: Path) -> None:
    check_server(light, tmp_path)


def test_without_extras_it_is_light(light: Path) -> None:
    assert measure_megabytes(light.parents[1]) < MOST_LIGHT_MEGABYTES
