"""The modules that are mutated, and the tests that are to notice."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "mutants"
QUICK = "not (browser or database or process or solve or rest or torture)"
SHEET = ("tests/games/test_sheet_legality.py", "tests/games/test_sheet.py")
ROUNDS = (
    "tests/games/test_round_leaving.py",
    "tests/games/test_round_legality.py",
    "tests/games/test_round_rolloff.py",
    "tests/games/test_rounds.py",
)
TESTS = {
    "series": ("tests/test_series.py",),
    "fair": ("tests/test_fair.py",),
    "record/chain": ("tests/record/test_file.py",),
    "rules/scoring": ("tests/rules/test_scoring.py",),
    "rules/switches": ("tests/rules/test_switches.py",),
    "games/round_leaving": ROUNDS,
    "games/round_legality": ROUNDS,
    "games/round_rolloff": ROUNDS,
    "games/round_settlement": ROUNDS,
    "games/round_state": ROUNDS,
    "games/rounds": ROUNDS,
    "games/sheet": SHEET,
    "games/sheet_legality": SHEET,
    "games/sheet_state": SHEET,
    "rules/column": ("tests/rules/test_entries.py", "tests/rules/test_column.py", *SHEET),
}
"""The tests that are to notice a change of a module; more would only take longer."""


def source_of(module: str) -> Path:
    return ROOT / "src" / "knobel" / f"{module}.py"


def name_of(module: str) -> str:
    return "knobel." + module.replace("/", ".")
