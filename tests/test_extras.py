"""Without the extras everything else works, and what needs one says in one line what to install."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from knobel.bots import load_bot
from knobel.errors import PaperMissing, SolverMissing
from knobel.extras import EXTRAS, LAB, PAPER, SOLVER, find_missing, require_extra
from tests.support.bare_installation import (
    BARE_COMMAND,
    BARE_PLAY,
    BARE_SERVE_COMMAND,
    PAPER_LINE,
    POSTGRES_LINE,
    REFUSED,
    SOLVER_LINE,
    WORKING,
)
from tests.support.devices import Device, RunningServer, run_server
from tests.support.hosted_rooms import run_async
from tests.support.house_rules import EXAMPLES, ROOT
from tests.support.selection import mostly_rest

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_extras_are_those_of_the_project() -> None:
    declared = dict(PROJECT["optional-dependencies"])
    (everything,) = declared.pop("all")
    assert everything == f"knobel[{','.join(extra for extra in declared if extra != LAB)}]"
    packages = {
        extra: {re.split(r"[^a-z-]", one)[0].replace("-", "_") for one in wanted} for extra, wanted in declared.items()
    }
    assert packages == {extra: set(found.packages) for extra, found in EXTRAS.items()}


def test_here_every_extra_is_installed() -> None:
    assert [extra for extra in EXTRAS if find_missing(extra)] == []


@pytest.mark.parametrize(
    ("extra", "package", "error"), [(SOLVER, "numba", SolverMissing), (PAPER, "typst", PaperMissing)]
)
def test_an_extra_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, extra: str, package: str, error: type[Exception]
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(error):
        require_extra(extra)


@pytest.mark.parametrize(("name", "family"), [("perfect", "sheet"), ("human:5", "sheet"), ("perfect", "rounds")])
def test_a_bot_without_its_extra_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, family: str) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(SolverMissing):
        load_bot(name, family)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with a record and a house-rule file."""
    for path in (ROOT / "tests" / "records" / "carlit-yatzy.knobel", EXAMPLES / "two-dice.toml"):
        shutil.copy(path, tmp_path)
    return tmp_path


def run_bare(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder / "kept"), "LANG": "C.UTF-8"}
    return subprocess.run(
        [*BARE_COMMAND, *shlex.split(line)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.process
@pytest.mark.parametrize("line", mostly_rest(WORKING, BARE_PLAY, "odds --help"))
def test_without_extras_it_works(folder: Path, line: str) -> None:
    answer = run_bare(folder, line)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert WORKING[line] in answer.stdout


@pytest.mark.process
@pytest.mark.parametrize("line", mostly_rest(REFUSED, "odds two-dice.toml", "pad tactic-xl-yatzy"))
def test_what_needs_an_extra_says_in_one_line_what_to_install(folder: Path, line: str) -> None:
    answer = run_bare(folder, line)
    assert (answer.returncode, answer.stdout, answer.stderr) == (2, "", f"{REFUSED[line]}\n")


@pytest.mark.rest
@pytest.mark.process
def test_the_doctor_knows_what_is_not_installed(folder: Path) -> None:
    found = json.loads(run_bare(folder, "doctor --json --port 0").stdout)
    said = {one["topic"]: (one["ok"], one["text"]) for one in found}
    assert said["books"] == (True, SOLVER_LINE)
    assert said["paper"] == (True, PAPER_LINE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with run_server(tmp_path_factory.mktemp("bare"), command=BARE_SERVE_COMMAND) as found:
        yield found


@pytest.mark.process
def test_a_server_without_extras_says_what_it_cannot_do(server: RunningServer) -> None:
    hello = json.loads(server.request("/api/hello?lang=en").body)
    assert hello["missing"] == {"solver": SOLVER_LINE, "paper": PAPER_LINE, "postgres": POSTGRES_LINE}
    unavailable = {(family, one["bot"]) for family, bots in hello["bots"].items() for one in bots if one["missing"]}
    assert unavailable == {
        *(("sheet", bot) for bot in ("human:30", "human:15", "human:5", "winner", "perfect")),
        ("rounds", "perfect"),
    }
    bots = json.loads(server.request("/api/bots?edition=mb-yahtzee&lang=en").body)
    assert {one["bot"]: one["missing"] for one in bots}["perfect"] == SOLVER_LINE
    for path in ("pad.pdf?edition=mb-yahtzee", "rules.pdf?edition=mb-yahtzee"):
        answer = server.request(f"/paper/{path}&lang=en")
        assert answer.status >= 400
        assert json.loads(answer.body)["text"] == PAPER_LINE


@run_async
async def test_there_people_play_with_simple_bots_and_the_coach_excuses_itself(server: RunningServer) -> None:
    async with Device(server.port).session() as ann:
        await ann.open_room("Ann", edition="mb-yahtzee")
        refused = await ann.send_intent({"want": "sit_bot", "bot": "perfect", "name": "Bot"})
        assert (refused["code"], refused["text"]) == ("solver_missing", SOLVER_LINE)
        seated = await ann.send_intent({"want": "sit_bot", "bot": "cautious", "name": "Bot"})
        assert seated["is"] == "done"
        await ann.seal_seed()
        await ann.send_intent({"want": "begin", "anyway": True})
        hint = await ann.send_and_wait({"do": "hint", "id": "hint", "seat": 0}, "hint")
        assert (hint["code"], hint["text"]) == ("solver_missing", SOLVER_LINE)


@pytest.mark.rest
def test_the_coach_of_a_finished_game_says_what_to_install(server: RunningServer) -> None:
    answer = server.request("/api/games/none/review?lang=en")
    assert json.loads(answer.body)["text"] == SOLVER_LINE
