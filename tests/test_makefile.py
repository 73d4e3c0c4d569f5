"""First contact with `make`: what keeps it from setting up is said in one line."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.house_rules import ROOT

OF_MAKE = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHON")
"""What `make` tells the programs it starts; a test that it starts must not pass it on."""
pytestmark = [pytest.mark.rest, pytest.mark.process]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Copy what setting up begins with."""
    for name in ("Makefile", "requirements-uv.lock"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def set_up(checkout: Path, python: str, **environment: str) -> str:
    """Try to set up; it must fail. Give what was said on purpose."""
    answer = subprocess.run(
        ["make", ".venv/uv", f"PYTHON={python}"],
        cwd=checkout,
        env={**{name: value for name, value in os.environ.items() if name not in OF_MAKE}, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 2
    return answer.stdout


def test_an_old_python_is_told_which_one_is_needed(checkout: Path) -> None:
    old = checkout / "old-python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    expected = "Knobel needs Python 3.11 or newer; say which with: make PYTHON=python3.12 …\n"
    assert set_up(checkout, str(old)) == expected
    assert set_up(checkout, "no-such-python") == expected


def test_offline_it_says_that_only_setting_up_needs_the_network(checkout: Path) -> None:
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(checkout), "PIP_CONFIG_FILE": os.devnull}
    said = set_up(checkout, sys.executable, **offline)
    assert said.startswith("Knobel could not fetch its packages; if you are offline")
