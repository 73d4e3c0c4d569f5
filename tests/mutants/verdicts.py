"""What became of every mutant, kept in build/mutants, so that a run continues where the last one stopped."""

import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass, replace
from functools import cache

from tests.mutants.changes import Mutant, list_mutants
from tests.mutants.modules import KEPT, ROOT, TESTS, source_of


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: killed by a test, out of time, or survived what `tests` stands for."""

    mutant: str
    outcome: str
    by: str
    tests: str
    line: int
    place: str
    before: str
    after: str


def load_verdicts(module: str) -> dict[str, Verdict]:
    """Read what earlier runs found; a survivor counts only for the tests it survived."""
    path = KEPT / f"{module.replace('/', '.')}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    verdicts = (Verdict(**json.loads(line)) for line in lines if line.endswith("}"))
    mutants, tests = {mutant.id: mutant for mutant in list_mutants(module)}, hash_tests(module)
    return {
        verdict.mutant: replace(verdict, line=mutants[verdict.mutant].line)
        for verdict in verdicts
        if verdict.mutant in mutants and (verdict.outcome in ("killed", "timeout") or verdict.tests == tests)
    }


def keep_verdict(module: str, mutant: Mutant, outcome: str, by: str) -> None:
    what = (mutant.line, mutant.place, mutant.before, mutant.after)
    verdict = Verdict(mutant.id, outcome, by, hash_tests(module), *what)
    with (KEPT / f"{module.replace('/', '.')}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(verdict)) + "\n")


@cache
def hash_tests(module: str) -> str:
    return hashlib.sha256(b"".join((ROOT / path).read_bytes() for path in TESTS[module])).hexdigest()[:16]


@cache
def hash_profile(module: str) -> str:
    """Hash what the profile of tests depends on."""
    sources = b"".join(source_of(other).read_bytes() for other in TESTS)
    return hashlib.sha256(hash_tests(module).encode() + sources).hexdigest()[:16]


def report(modules: list[str]) -> None:
    """Print the score of each module, and every survivor; what was not judged yet counts as not killed."""
    verdicts = {module: load_verdicts(module) for module in modules}
    counts = {module: Counter(verdict.outcome for verdict in found.values()) for module, found in verdicts.items()}
    for module, count in counts.items():
        count["open"] = len(list_mutants(module)) - len(verdicts[module])
    rows = {**counts, "together": sum(counts.values(), Counter())}
    columns = ("killed", "timeout", "survived", "broken", "open")
    print("| module | mutants |", " | ".join(columns), "| score |\n" + "|---" * (len(columns) + 3) + "|")
    for module, count in rows.items():
        score = f"{100 * (count['killed'] + count['timeout']) / max(1, count.total()):.1f} %"
        print("|", " | ".join(map(str, (module, count.total(), *(count[column] for column in columns), score))), "|")
    for module, found in verdicts.items():
        for verdict in sorted(found.values(), key=lambda verdict: verdict.line):
            if verdict.outcome in ("survived", "broken"):
                print(f"{module}.py:{verdict.line} {verdict.place}\n    {verdict.before}\n    {verdict.after}")
