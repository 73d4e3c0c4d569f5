"""What docs/security.md names is there: every test, every file of tests, every module and class."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
TABLES = "\n".join(line for line in GUIDE.splitlines() if line.startswith("|"))
TESTS = sorted(set(re.findall(r"`(test_\w+…?|test_\w+…\w*|…\w+)`", TABLES)))
TEST_FILES = sorted(set(re.findall(r"`((?:\w+/)*test_\w+\.py)`", GUIDE)))
MODULES = sorted(set(re.findall(r"`((?:\w+/)+(?!test_)[\w.-]+\.(?:py|js))`", GUIDE)))
NAMES = sorted(
    {(name, module) for names, module in re.findall(r"((?:`\w+`(?:, | and )?)+) in `([\w/]+\.py)`", TABLES)
     for name in re.findall(r"`(\w+)`", names)}
)  # fmt: skip
DEFECTS = [f"D{number}" for number in range(1, 22)]


@cache
def list_tests() -> frozenset[str]:
    """List the names of all tests."""
    return frozenset(
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    )


def defines(module: str) -> set[str]:
    """List what a module defines, methods and constants too."""
    tree = ast.parse((ROOT / "src" / "knobel" / module).read_text(encoding="utf-8"))
    found = {
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    return found | {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


@pytest.mark.parametrize("name", TESTS)
def test_a_test_the_guide_names_exists(name: str) -> None:
    pattern = re.compile(name.replace("…", r"\w+"))
    assert [one for one in list_tests() if pattern.fullmatch(one)]


@pytest.mark.parametrize("path", TEST_FILES)
def test_a_file_of_tests_the_guide_names_exists(path: str) -> None:
    assert (ROOT / "tests" / path).is_file()


@pytest.mark.parametrize("path", MODULES)
def test_a_module_the_guide_names_exists(path: str) -> None:
    assert (ROOT / "src" / "knobel" / path).is_file()


@pytest.mark.parametrize(("name", "module"), NAMES)
def test_a_module_has_what_the_guide_says_it_has(name: str, module: str) -> None:
    assert name in defines(module)


@pytest.mark.parametrize("defect", DEFECTS)
def test_every_defect_has_its_test(defect: str) -> None:
    rows = [line for line in TABLES.splitlines() if re.match(rf"\| (?:D\d+, )*{defect}\b", line)]
    assert len(rows) == 1
    assert re.search(r"`test_\w+`", rows[0].split("|")[-2])
