"""What `make test` leaves out is listed, the list is true, and every test is run by one of the commands."""

import re
import tomllib
from collections.abc import Callable

import pytest

from tests.left_out import TESTS, count_left_out, write_table
from tests.support.selection import FIXTURES, FOLDERS, VALUES, mostly_rest, mostly_solve

ROOT = TESTS.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
MARKERS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"][
    "markers"
]

LEFT_OUT = """
import pytest

SIZES = [1, rest(2)]

def walks():
    yield pytest.param(1, marks=pytest.mark.rest)

@pytest.mark.rest
@pytest.mark.parametrize("size", SIZES)
def test_wholly(size): ...

@pytest.mark.parametrize("size", SIZES)
def test_by_a_list(size): ...

@pytest.mark.parametrize("walk", walks())
async def test_by_a_function(walk): ...

@pytest.fixture(params=[1, rest(2)])
def place(request): ...

def test_by_a_fixture(place): ...

@pytest.mark.parametrize("name", mostly_rest(NAMES, "one"))
class TestOfAClass:
    def test_one(self, name): ...
    def test_other(self, name): ...

@pytest.mark.parametrize("size", [1, 2])
def test_never(size):
    rest = size
    assert rest
"""


def test_contributors_are_told_what_make_test_leaves_out() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert write_table() in guide, "renew the table of CONTRIBUTING.md with: python -m tests.left_out"


def test_tests_are_counted_wholly_or_partly_wherever_their_parameters_stand() -> None:
    found = count_left_out("test_it.py", LEFT_OUT)
    assert (found.wholly, found.partly) == (1, 5)


def selection(target: str) -> str:
    """Give the markers by which a target of the Makefile chooses its tests."""
    found = re.search(rf'^{target}:.*\n(?:\t.*-m (?:"([^"\n]*)"|(\S+)).*\n)', MAKEFILE, re.MULTILINE)
    assert found is not None
    return found[1] or found[2]


def test_every_marker_of_a_command_is_known() -> None:
    known = {line.split(":")[0] for line in MARKERS}
    used = " ".join(map(selection, ("quick", "test", "test-rest", "test-all", "languages", "torture")))
    assert set(re.findall(r"[a-z]+", used)) - {"not", "or", "and"} == known - {"golden"}
    assert {*FOLDERS.values(), *FIXTURES.values(), *VALUES.values()} <= known
    assert all((TESTS / folder).is_dir() for folder in FOLDERS)


@pytest.mark.parametrize("rest", [False, True])
@pytest.mark.parametrize("torture", [False, True])
def test_make_test_and_make_test_rest_share_all_that_make_test_all_runs_and_nothing_twice(
    rest: bool, torture: bool
) -> None:
    def runs(target: str) -> bool:
        return bool(eval(selection(target), {"rest": rest, "torture": torture}))  # noqa: S307

    assert runs("test") + runs("test-rest") == runs("test-all")
    assert runs("test-all") + runs("torture") == 1


def test_folders_that_make_quick_does_not_even_read_are_those_it_has_nothing_of() -> None:
    ignored = re.search(r"--ignore tests/,([a-z ]+)\)", MAKEFILE)
    assert ignored is not None
    assert set(ignored[1].split()) == {folder for folder, marker in FOLDERS.items() if marker in selection("quick")}


@pytest.mark.parametrize("choose", [mostly_rest, mostly_solve])
def test_a_value_that_is_chosen_but_not_there_is_noticed(choose: Callable[..., list[object]]) -> None:
    assert len(choose("abc", "a")) == 3
    with pytest.raises(ValueError, match="z"):
        choose("abc", "z")
