"""The locks pin, by hash, everything an installation may take."""

import re
import tomllib

import pytest

from tests.support.house_rules import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
WANTED = [
    *PROJECT["dependencies"],
    *(one for extra, packages in EXTRAS.items() if extra != "lab" for one in packages),
]


@pytest.mark.parametrize(
    ("lock", "wanted"), [("requirements.lock", WANTED), ("requirements-dev.lock", [*WANTED, *EXTRAS["lab"]])]
)
def test_everything_an_installation_may_take_is_pinned_by_hash(lock: str, wanted: list[str]) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    pinned = set(re.findall(r"^([a-z0-9-]+)(?:\[.*\])?==.*\\\n    --hash=sha256:", text, re.MULTILINE))
    assert {re.split(r"[^a-z0-9-]", one)[0] for one in wanted} - {PROJECT["name"]} <= pinned
    assert "psycopg-binary" in pinned


@pytest.mark.parametrize("lock", sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("*requirements*.lock")))
def test_a_lock_has_a_hash_for_everything_and_names_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    entries = re.findall(r"^\S+==.*", text, re.MULTILINE)
    assert entries
    assert all(entry.endswith("\\") for entry in entries)
    assert "://" not in text
