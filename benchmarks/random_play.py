"""Measures what random moves lose per real decision by each printed ruleset: src/knobel/coach/random_play.toml.

python -m benchmarks.random_play              all rulesets; some minutes on one core
python -m benchmarks.random_play noris-yatzy  those of some editions; the others stay as they are

Games are played at random, in games of rounds by one player against best play; at each decision whose moves differ it
counts what all of them lose on average, which varies far less than what the move played loses.
"""

import sys
from pathlib import Path

from tests.support.printed_rulesets import PrintedRuleset, list_printed_rulesets, read_kept_tables

from knobel.coach.random_play import ALONE, FILE, RandomPlay, measure_rounds, measure_sheet
from knobel.coach.sheet import open_coach
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import fill_top_down
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import SheetRules

INTO = Path(__file__).parents[1] / "src" / "knobel" / "coach" / FILE.name
SHEET_GAMES, ROUND_GAMES, MAX_ROUND_PLAYERS = 60, 600, 16
HEAD = """\
# What random moves lose per real decision, by the fingerprint of the rules and the number of players; a score sheet is
# measured alone, in points, games of rounds in percentage points. `error` is the standard error.
# Written by `python -m benchmarks.random_play`, which says how; no figure is typed by hand.
"""


def measure(rules: SheetRules | RoundRules) -> dict[int, RandomPlay]:
    """Measure some rules, for every number of players that matters."""
    if isinstance(rules, RoundRules):
        most = min(rules.players.most or MAX_ROUND_PLAYERS, MAX_ROUND_PLAYERS)
        return {
            players: measure_rounds(RoundsGame(rules), players, ROUND_GAMES)
            for players in range(rules.players.least, most + 1)
        }
    return {ALONE: measure_sheet(open_coach(rules), SHEET_GAMES)}


def list_measured_rulesets() -> list[PrintedRuleset]:
    """List the printed rules, and after each score sheet that of its beginners."""
    found: dict[str, PrintedRuleset] = {}
    for ruleset in list_printed_rulesets():
        found[ruleset.rules.fingerprint] = ruleset
        if not isinstance(ruleset.rules, RoundRules):
            beginners = fill_top_down(ruleset.rules)
            found.setdefault(
                beginners.fingerprint, PrintedRuleset(beginners, [f"{text} beginners" for text in ruleset.texts])
            )
    return list(found.values())


def write_ruleset(ruleset: PrintedRuleset) -> str:
    """Write the figures of a ruleset as a table."""
    lines = [f"[{ruleset.rules.fingerprint}]", f"texts = {ruleset.texts!r}".replace("'", '"')]
    for players, found in measure(ruleset.rules).items():
        figures = f"rate = {found.rate:.3f}, error = {found.error:.3f}, games = {found.games}"
        lines.append(f'"{players}" = {{ {figures} }}')
        print(ruleset.texts[0], lines[-1], flush=True)
    return "\n".join(lines)


def main() -> None:
    """Write the figures of all rulesets, or of those of some editions anew."""
    wanted, tables = sys.argv[1:], read_kept_tables(INTO)
    rulesets = list_measured_rulesets()
    for ruleset in rulesets:
        if not wanted or any(text.split()[0] in wanted for text in ruleset.texts):
            tables[ruleset.rules.fingerprint] = write_ruleset(ruleset)
        known = [tables[one.rules.fingerprint] for one in rulesets if one.rules.fingerprint in tables]
        INTO.write_text("\n\n".join([HEAD.strip(), *known]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
