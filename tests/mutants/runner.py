"""Runs the tests of a module for one mutant after the other."""

import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from types import CodeType, FrameType

import pytest

from tests.mutants.changes import Mutant
from tests.mutants.forks import BROKEN, CANNOT_PATCH, KILLED, SURVIVED, run_forked
from tests.mutants.live import CodePath, Importer, Live, clear_caches, find_caches, list_code
from tests.mutants.modules import KEPT, QUICK, ROOT, TESTS, source_of
from tests.mutants.verdicts import hash_profile, keep_verdict

SLOWEST_TEST = 0.25
"""Tests that take more seconds are left out: every mutant that nothing kills would wait for them."""


MOST_SECONDS = 5.0
"""How long tests try to kill a mutant at most; what is alive then counts as a survivor."""


@dataclass(frozen=True)
class Profile:
    """What a test costs, and which functions of the module it calls."""

    seconds: float
    calls: frozenset[CodePath]


class FirstFailure:
    """Notes the first test that fails."""

    def __init__(self) -> None:
        self.test = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.test = self.test or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.test = self.test or report.nodeid or "import"


def run_items(session: pytest.Session, items: list[pytest.Item]) -> str:
    """Run tests until one fails, and say which."""
    failure = FirstFailure()
    session.config.pluginmanager.register(failure)
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if failure.test:
            break
    session.config.pluginmanager.unregister(failure)
    return failure.test


class Runner:
    """A run of pytest that has collected the tests of a module, and runs them for one mutant after the other."""

    def __init__(self, module: str, mutants: list[Mutant]) -> None:
        self.module, self.mutants = module, mutants
        self.kills: Counter[str] = Counter()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Failed("the tests cannot be collected")
        self.session, self.live = session, Live.find(self.module)
        find_caches()
        self.items = {item.nodeid: item for item in session.items}
        self.profiles = self.measure()
        self.check_import()
        for mutant in self.mutants:
            outcome, by = self.judge(mutant)
            self.kills[by] += 1
            keep_verdict(self.module, mutant, outcome, by)
            if outcome in ("survived", "broken"):
                say(f"{self.module}.py:{mutant.line}: {mutant.before}  →  {mutant.after}")
        return True

    def measure(self) -> dict[str, Profile]:
        """Run every test once unchanged: what it costs, and what it calls of all modules that have the same tests."""
        kept = KEPT / f"profile.{hash_profile(self.module)}.json"
        if not kept.exists():
            answer, text = run_forked(self.profile_tests, 900)
            if answer != SURVIVED:
                raise SystemExit(f"{self.module}: the tests do not run even without a change: {text or answer}")
            kept.write_text(text, encoding="utf-8")
        found = json.loads(kept.read_text(encoding="utf-8"))
        for test in found["failures"]:
            say(f"{test} fails without any change here, and is left out")
        return {
            test: Profile(seconds, frozenset(tuple(map(tuple, path)) for path in calls.get(self.module, ())))
            for test, (seconds, calls) in found["profiles"].items()
        }

    def check_import(self) -> None:
        """See that importing everything again kills nothing by itself."""
        source = source_of(self.module).read_text(encoding="utf-8")
        answer, text = run_forked(lambda: run_imported(self.module, source, self.order(None)), 900)
        if answer != SURVIVED:
            raise SystemExit(f"{self.module}: imported again without a change, this fails: {text or answer}")

    def profile_tests(self) -> tuple[int, str]:
        lives = {module: Live.find(module) for module in TESTS if TESTS[module] == TESTS[self.module]}
        names: dict[int, tuple[str, CodePath]] = {}
        for module, live in lives.items():
            live.patch(live.codes)
            names |= {id(live.codes[path]): (module, path) for path in live.functions}
        calls: set[tuple[str, CodePath]] = set()

        def trace(frame: FrameType, _event: str, _value: object) -> None:
            if found := names.get(id(frame.f_code)):
                calls.add(found)

        profiles, failures = {}, []
        for test, item in self.items.items():
            clear_caches()
            calls.clear()
            started = time.process_time()
            sys.settrace(trace)
            failed = run_items(self.session, [item])
            sys.settrace(None)
            seconds = time.process_time() - started
            if failed:
                failures.append(failed)
            elif seconds <= SLOWEST_TEST:
                profiles[test] = (seconds, {name: [path for own, path in calls if own == name] for name in lives})
        return SURVIVED, json.dumps({"profiles": profiles, "failures": failures})

    def order(self, functions: set[CodePath] | None) -> list[str]:
        """Put tests in order that call one of the functions: first those that killed most, then the fastest."""
        chosen = [test for test, profile in self.profiles.items() if functions is None or profile.calls & functions]
        chosen.sort(key=lambda test: (-self.kills[test], self.profiles[test].seconds))
        spent = accumulate(self.profiles[test].seconds for test in chosen)
        return [test for test, seconds in zip(chosen, spent, strict=True) if seconds <= MOST_SECONDS]

    def judge(self, mutant: Mutant) -> tuple[str, str]:
        codes = dict(list_code(compile(mutant.code, str(source_of(self.module)), "exec")))
        functions = self.live.find_changed(codes)
        tests = self.order(functions)
        seconds = 10 + 4 * sum(self.profiles[test].seconds for test in tests)
        answer: int | None = CANNOT_PATCH
        if functions is not None and tests:
            answer, by = run_forked(lambda: self.try_patched(codes, tests), seconds)
        if answer == CANNOT_PATCH:
            answer, by = run_forked(lambda: run_imported(self.module, mutant.code, self.order(None)), seconds + 10)
        return {SURVIVED: "survived", KILLED: "killed", None: "timeout", BROKEN: "broken"}[answer], by

    def try_patched(self, codes: dict[CodePath, CodeType], tests: list[str]) -> tuple[int, str]:
        try:
            self.live.patch(codes)
        except ValueError:
            return CANNOT_PATCH, ""
        clear_caches()
        failed = run_items(self.session, [self.items[test] for test in tests])
        return (KILLED, failed) if failed else (SURVIVED, "")


class Order:
    """Runs tests in a given order, and no others."""

    def __init__(self, tests: list[str]) -> None:
        self.places = {test: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.places), key=lambda item: self.places[item.nodeid]
        )


def run_imported(module: str, code: str, tests: list[str]) -> tuple[int, str]:
    """Import everything of ours again with a mutant in it, and run tests."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("knobel", "tests")]:
        del sys.modules[name]
    sys.meta_path.insert(0, Importer(module, code))
    failure = FirstFailure()
    status = run_pytest(module, failure, Order(tests), "-x")
    if status == pytest.ExitCode.NO_TESTS_COLLECTED:
        return BROKEN, "no tests"
    if status == 0:
        return SURVIVED, ""
    return (KILLED, failure.test) if failure.test else (BROKEN, f"pytest ended with {status}")


def run_pytest(module: str, *plugins: object) -> int | pytest.ExitCode:
    words = [plugin for plugin in plugins if isinstance(plugin, str)]
    base = KEPT / f"{module.replace('/', '.')}.files"
    arguments = ["-m", QUICK, "-p", "no:cacheprovider", "-p", "no:xdist", "--capture=no", f"--rootdir={ROOT}"]
    arguments += ["-W", "ignore::pytest.PytestAssertRewriteWarning", f"--basetemp={base}", *words, *TESTS[module]]
    return pytest.main(arguments, [plugin for plugin in plugins if not isinstance(plugin, str)])


def say(text: str) -> None:
    sys.stderr.write(text + "\n")
