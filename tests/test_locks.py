"""The locks pin, by hash, everything an installation may take."""

import re
import tomllib

import pytest

from tests.support.house_rules import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WANTED = [*PROJECT["dependencies"], *(one for extra in PROJECT["optional-dependencies"].values() for one in extra)]


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_everything_an_installation_may_take_is_pinned_by_hash(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    pinned = set(re.findall(r"^([a-z0-9-]+)(?:\[.*\])?==.*\\\n    --hash=sha256:", text, re.MULTILINE))
    assert {re.split(r"[^a-z0-9-]", one)[0] for one in WANTED} - {PROJECT["name"]} <= pinned
    assert "psycopg-binary" in pinned
