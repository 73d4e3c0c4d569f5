"""Are chances to win right? `python -m benchmarks.calibration mb-yahtzee --text fr`.

20,000 games of two, three and four players each, one random moment of every game: of moments with nearly equal chances
that share of the games must be won. What is found goes to docs/results/calibration.json, for the page of results. It
takes about six minutes of one processor.
"""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.support.calibration import calibrate

from knobel.rules import load_edition
from knobel.rules.sheet_rules import SheetRules

INTO = Path(__file__).parents[1] / "docs" / "results" / "calibration.json"
LEAST = 500
"""How many moments a tenth needs to be judged."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edition")
    parser.add_argument("--text", required=True)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4])
    given = parser.parse_args()
    rules = load_edition(given.edition).rules(given.text)
    if not isinstance(rules, SheetRules):
        parser.error(f"{given.edition} is not a score sheet; choose one that is")
    for players, groups, exact in calibrate(rules, given.players, given.games):
        found: dict[str, Any] = {"edition": given.edition, "text": given.text, "players": players}
        known = json.loads(INTO.read_text(encoding="utf-8")) if INTO.exists() else []
        others = [run for run in known if any(run[name] != found[name] for name in found)]
        found |= {"games": given.games, "exact": exact, "least": LEAST, "groups": [asdict(group) for group in groups]}
        ordered = sorted([*others, found], key=lambda run: (run["edition"], run["text"], run["players"]))
        INTO.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")
        off = max(
            (abs(group.won - group.expected) / group.error for group in groups if group.count >= LEAST), default=0
        )
        print(f"{players} players, {given.games} games: at most {off:.2f} standard errors off", flush=True)


if __name__ == "__main__":
    main()
