"""`make mutants`: judge every mutant that no earlier run has judged, then say what survived."""

import os
import sys

from hypothesis import settings

from tests.mutants.changes import list_mutants
from tests.mutants.modules import KEPT, ROOT, TESTS
from tests.mutants.runner import Runner, run_pytest, say
from tests.mutants.verdicts import load_verdicts, report


def run_module(module: str) -> None:
    """Judge what no earlier run has judged, in a process of its own."""
    verdicts = load_verdicts(module)
    mutants = [mutant for mutant in list_mutants(module) if mutant.id not in verdicts]
    mutants.sort(key=lambda mutant: mutant.id)  # in no order of lines: a run that is stopped has judged a fair sample
    say(f"{module}: {len(verdicts)} known, {len(mutants)} to judge")
    if mutants and not (child := os.fork()):
        os._exit(int(run_pytest(module, Runner(module, mutants))))
    if mutants and os.waitpid(child, 0)[1]:
        raise SystemExit(f"{module}: the run was not finished")


def main(words: list[str]) -> None:
    """Judge the modules whose names contain one of the words, or all, and report; `report` alone only reports."""
    settings.register_profile("mutants", derandomize=True, deadline=None, database=None)
    settings.load_profile("mutants")
    os.chdir(ROOT)
    KEPT.mkdir(parents=True, exist_ok=True)
    wanted = [module for module in TESTS if words in ([], ["report"]) or any(word in module for word in words)]
    for module in wanted if words != ["report"] else ():
        run_module(module)
    report(wanted)


if __name__ == "__main__":
    main(sys.argv[1:])
