"""Books: whatever happens to the file is noticed before a value is used."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from knobel.phrase import Phrase
from knobel.rules import load_edition
from knobel.rules.sheet_rules import SheetRules
from knobel.solver import book_cache
from knobel.solver.solve import solve
from knobel.solver.tables import build_tables

SWITCHES = {"order": "top_down"}
PAR = 121.26949645623606


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SheetRules:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found: SheetRules = load_edition("carlit-yatzy").rules(None, SWITCHES)
    return found


@pytest.fixture
def path(rules: SheetRules) -> Path:
    book_cache.build_book(rules)
    return book_cache.books_dir() / f"{rules.fingerprint}.book"


def damages(content: bytes) -> list[bytes]:
    """Make 370 damaged copies: flips, truncations, extensions, swaps, an old version, nothing at all."""
    random = Random(370)
    copies = []
    for _ in range(250):
        place, bit = random.randrange(len(content)), 1 << random.randrange(8)
        copies.append(content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :])
    copies += [content[: random.randrange(len(content))] for _ in range(60)]
    copies += [content + random.randbytes(random.randrange(1, 200)) for _ in range(38)]
    for _ in range(20):
        first, second = sorted(random.sample(range(64, len(content) // 8), 2))
        a, b = content[first * 8 : first * 8 + 8], content[second * 8 : second * 8 + 8]
        swapped = bytearray(content)
        swapped[first * 8 : first * 8 + 8], swapped[second * 8 : second * 8 + 8] = b, a
        copies.append(bytes(swapped) if a != b else content[:-1])
    return [*copies, b"", content[:8] + b"\0\0\0\0" + content[12:]]


def test_every_one_of_370_damages_is_detected_before_a_value_is_used(rules: SheetRules, path: Path) -> None:
    content = path.read_bytes()
    copies = damages(content)
    assert len(copies) == 370
    for copy in copies:
        assert copy != content
        path.write_bytes(copy)
        said: list[Phrase] = []
        assert book_cache.read_values(rules, said.append) is None
        assert [one.key for one in said] == ["interface.book.damaged"]
        assert not path.exists()


def test_a_damaged_book_is_rebuilt_and_one_line_says_so(rules: SheetRules, path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-8])
    said: list[Phrase] = []
    assert book_cache.open_book(rules, said.append).par == pytest.approx(PAR, abs=1e-9)
    assert len(said) == 1
    assert path.exists()


def test_a_book_of_other_rules_under_this_name_is_not_believed(rules: SheetRules, path: Path) -> None:
    other = load_edition("carlit-yatzy").rules(None, {**SWITCHES, "five_alike_full_house": "true"})
    book_cache.build_book(other)
    path.write_bytes((book_cache.books_dir() / f"{other.fingerprint}.book").read_bytes())
    assert book_cache.read_values(rules, None) is None


def test_a_good_book_is_mapped_and_says_what_was_solved(rules: SheetRules, path: Path) -> None:
    found = book_cache.read_values(rules, None)
    assert found is not None
    values, note = found
    assert note["par"] == values[0, 0] == solve(build_tables(rules)).values[0]
    assert not values.flags.writeable


def test_two_processes_building_at_once_end_with_one_good_file(rules: SheetRules) -> None:
    script = (
        "from knobel.rules import load_edition; from knobel.solver.book_cache import open_book;"
        "print(open_book(load_edition('carlit-yatzy').rules(None, {'order': 'top_down'})).par)"
    )
    children = [subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [float(child.communicate()[0]) for child in children] == pytest.approx([PAR, PAR], abs=1e-9)
    assert [found.name for found in book_cache.books_dir().glob("*.book")] == [f"{rules.fingerprint}.book"]
    assert not list(book_cache.books_dir().glob(".*"))


def test_notes_beside_a_book_come_back_and_a_damaged_one_is_forgotten(rules: SheetRules) -> None:
    book_cache.write_note(rules, "odds", {"mean": 3})
    assert (book_cache.read_note(rules, "odds") or {})["mean"] == 3
    path = book_cache.books_dir() / f"{rules.fingerprint}.odds"
    path.write_bytes(path.read_bytes().replace(b"3", b"4"))
    assert book_cache.read_note(rules, "odds") is None
    assert book_cache.read_note(rules, "none") is None


def test_advice_needs_no_compiler(rules: SheetRules, path: Path) -> None:
    script = (
        "import sys; from knobel.cli import main;"
        "main(['advise', 'carlit-yatzy', '--set', 'order=top_down', '--dice', '1', '1', '3', '4', '6']);"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], stdout=subprocess.DEVNULL, check=False).returncode == 0
