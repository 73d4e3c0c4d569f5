"""Finds how careful the human bot is at each level by each printed score sheet, and writes src/knobel/bots/levels.toml.

python -m benchmarks.human_levels              all rulesets; ten minutes on one core
python -m benchmarks.human_levels noris-yatzy  those of some editions; the others stay as they are

It is what the bot does by itself for other rules, with more games.
"""

import sys
from pathlib import Path

from tests.support.printed_rulesets import list_printed_rulesets, read_kept_tables

from knobel.bots.levels import FILE, calibrate_all_levels
from knobel.rules.sheet_rules import SheetRules

INTO = Path(__file__).parents[1] / "src" / "knobel" / "bots" / FILE.name
GAMES = 40
HEAD = """\
# How careful the human bot is at the levels 1 to 100 by printed rules, by their fingerprints.
# Written by `python -m benchmarks.human_levels`, which says how; no figure is typed by hand.
"""


def main() -> None:
    """Write the levels of all rulesets, or those of some editions anew."""
    editions, tables = sys.argv[1:], read_kept_tables(INTO)
    sheets = {one.rules: one.texts for one in list_printed_rulesets() if isinstance(one.rules, SheetRules)}
    for rules, texts in sheets.items():
        if not editions or any(text.split()[0] in editions for text in texts):
            levels = calibrate_all_levels(rules, games=GAMES)
            cares = ", ".join(f"{care:.4g}" for care in levels.values())
            named = f"texts = {texts!r}".replace("'", '"')
            tables[rules.fingerprint] = f"[{rules.fingerprint}]\n{named}\ncare = [{cares}]"
            print(texts[0], *(f"{level}: {levels[level]:.4g}" for level in (5, 15, 30, 60)), flush=True)
        known = [tables[rules.fingerprint] for rules in sheets if rules.fingerprint in tables]
        INTO.write_text("\n\n".join([HEAD.strip(), *known]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
