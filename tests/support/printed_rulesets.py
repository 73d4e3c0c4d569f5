"""The rules as printed, and files of figures that hold one table for each of them."""

from dataclasses import dataclass
from pathlib import Path
from tomllib import loads

from knobel.rules import edition_ids, load_edition
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import SheetRules


@dataclass(frozen=True)
class PrintedRuleset:
    """Rules that some printed texts share."""

    rules: SheetRules | RoundRules
    texts: list[str]


def list_printed_rulesets() -> list[PrintedRuleset]:
    """List the rules as printed; texts that play alike share theirs."""
    found: dict[str, PrintedRuleset] = {}
    for name in edition_ids():
        edition = load_edition(name)
        for text in edition.printed:
            rules = edition.rules(text)
            found.setdefault(rules.fingerprint, PrintedRuleset(rules, [])).texts.append(f"{name} {text}")
    return list(found.values())


def read_kept_tables(path: Path) -> dict[str, str]:
    """Read the tables written before, by fingerprint, as they stand there."""
    parts = path.read_text(encoding="utf-8").split("\n\n")[1:] if path.exists() else []
    return {next(iter(loads(part))): part.strip() for part in parts}
