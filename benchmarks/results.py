"""Writes docs/results.md, its pictures and its tables: exact results for every printed game.

python -m benchmarks.results          work out what is missing; fifteen boxes take about 100 processor seconds, with
                                      announced boxes seven times as much
python -m benchmarks.results --known  only write what was worked out before

Numbers are kept beside the books, so it can be stopped and started again; aims are also read from the tables in
docs/results, so delete a table to work its aims out again. Texts that play alike share a section.
What `python -m benchmarks.calibration` and `python -m benchmarks.winner` found is read from docs/results.
"""

import argparse
import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from benchmarks.result_charts import draw_calibration, draw_totals
from benchmarks.winner import GOAL, describe, read_games
from benchmarks.winner import KEPT as WINNER
from knobel.cli.aims import NOTE_KIND as AIMS_KIND
from knobel.cli.aims import list_shown_totals, load_aims, read_aim
from knobel.cli.odds_report import NOTE_KIND as ODDS_KIND
from knobel.cli.odds_report import decode_odds, encode_odds
from knobel.coach.rounds import WHOLE_GAME_PLAYERS, solve_single_round, solve_whole_game
from knobel.games.rounds import RoundsGame
from knobel.lang import SOURCE_LANGUAGE, Translator
from knobel.phrase import LanguageName
from knobel.rules import Edition, edition_ids, load_edition
from knobel.rules.families import ROUNDS, SHEET
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import Floats
from knobel.solver.book_cache import open_book, read_note, write_note
from knobel.solver.odds import Odds, compute_odds
from knobel.solver.solve import pad_to_stride

DOCS = Path(__file__).parents[1] / "docs"
FOLDER = DOCS / "results"
CALIBRATION = FOLDER / "calibration.json"
FEWEST_GAMES = 10
"""Of fewer games played to win nothing is said."""
QUANTILES = (0.01, 0.1, 0.25, 0.75, 0.9, 0.99)
SHOWN_SHARE = 0.0005
"""The share of all games that a picture leaves out at either end."""
ROUND_PLAYERS = range(2, 9)
LEAST_LISTED = 1e-6
"""Totals that are reached less often, and those missed less often, are not in a table."""


@dataclass(frozen=True)
class Result:
    """What is known about one ruleset: its texts, its odds, and how likely each total is for who plays for it."""

    edition: str
    title: str
    texts: tuple[str, ...]
    rules: SheetRules
    odds: Odds
    aims: Floats | None

    @property
    def name(self) -> str:
        return f"{self.edition}-{self.texts[0]}"

    @property
    def words(self) -> str:
        """The edition and text as a command takes them."""
        return f"{self.edition} --text {self.texts[0]}"

    @property
    def heading(self) -> str:
        return title_section(load_edition(self.edition), self.texts)


def load_odds(rules: SheetRules) -> Odds:
    """Load the odds kept beside the book, or compute and keep them."""
    note = read_note(rules, ODDS_KIND)
    if note is not None:
        return decode_odds(note)
    book = open_book(rules)
    odds = compute_odds(book.tables, pad_to_stride(book.tables, book.values))
    write_note(rules, ODDS_KIND, encode_odds(odds))
    return odds


def find_results(known_only: bool) -> Iterator[Result]:
    """Find the results of all printed score sheets, one after another."""
    for name in edition_ids():
        edition = load_edition(name)
        if edition.family != SHEET:
            continue
        for group in list_texts(edition):
            rules = edition.rules(group[0])
            aims = find_aims(rules, FOLDER / f"{name}-{group[0]}.csv", known_only)
            title = f"{edition.title} ({edition.publisher})"
            yield Result(name, title, group, rules, load_odds(rules), aims)


def find_aims(rules: SheetRules, table: Path, known_only: bool) -> Floats | None:
    """Find the greatest chance to reach each total: beside the book, in the table written before, or by working."""
    if read_note(rules, AIMS_KIND) is not None:
        return load_aims(rules)
    aims = read_table(table)
    return load_aims(rules) if aims is None and not known_only else aims


def read_table(path: Path) -> Floats | None:
    """Read the greatest chances from a table; totals before its first are certain."""
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) if path.exists() else []
    if not rows or "at_least_aiming" not in rows[0]:
        return None
    return np.concatenate((np.ones(int(rows[0]["total"])), [float(row["at_least_aiming"]) for row in rows]))


def percent(share: float, digits: int = 2) -> str:
    return f"{100 * share:.{digits}f} %"


def list_summary(results: list[Result]) -> Iterator[str]:
    """List the main figures of all rulesets."""
    yield "| rules | par | standard deviation | median | bonus | 1 % | 99 % |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for one in results:
        odds, bonus = one.odds, percent(one.odds.bonus_chance) if one.rules.bonus else "–"
        yield (
            f"| `{one.words}` | {odds.mean:.6f} | {odds.sd:.4f} | {odds.quantile(0.5)} | {bonus} "
            f"| {odds.quantile(0.01)} | {odds.quantile(0.99)} |"
        )


def describe_result(one: Result) -> Iterator[str]:
    """Write the section of one ruleset, its picture and its table."""
    odds, aims = one.odds, one.aims
    low, high = odds.quantile(SHOWN_SHARE), odds.quantile(1 - SHOWN_SHARE)
    reached = np.cumsum(odds.distribution[::-1])[::-1]
    aimed = None if aims is None else [read_aim(aims, total) for total in range(low, high + 1)]
    picture = draw_totals(odds.distribution[low : high + 1].tolist(), low, reached[low : high + 1].tolist(), aimed)
    (FOLDER / f"{one.name}.svg").write_text(picture, encoding="utf-8")
    (FOLDER / f"{one.name}.csv").write_text("\n".join(list_table(odds, reached, aims)) + "\n", encoding="utf-8")
    quantiles = ", ".join(f"{100 * share:g} % {odds.quantile(share)}" for share in QUANTILES)
    bonus = f" The bonus is earned in {percent(odds.bonus_chance)} of all games." if one.rules.bonus else ""
    yield f"### {one.heading}"
    yield ""
    yield (
        f"Par {odds.mean:.6f}, standard deviation {odds.sd:.4f}, median {odds.quantile(0.5)}; quantiles: {quantiles}."
        f"{bonus} Every total: [table]({FOLDER.name}/{one.name}.csv). Made again by `knobel solve {one.words}` and "
        f"`knobel odds {one.words} --aim`."
    )
    yield ""
    alt = f"How likely each final total is in {one.title}, and how likely at least as many points are"
    yield f"![{alt}]({FOLDER.name}/{one.name}.svg)"
    yield ""
    yield from list_aims(odds, aims)
    yield ""


def list_table(odds: Odds, reached: Floats, aims: Floats | None) -> Iterator[str]:
    """List every total that is neither nearly certain nor nearly impossible."""
    yield "total,exactly,at_least_for_points" + ("" if aims is None else ",at_least_aiming")
    most = reached if aims is None else np.maximum(reached, [read_aim(aims, total) for total in range(reached.size)])
    for total in np.flatnonzero((most >= LEAST_LISTED) & (reached <= 1 - LEAST_LISTED)).tolist():
        aim = "" if aims is None else f",{read_aim(aims, total):.6f}"
        yield f"{total},{odds.distribution[total]:.8f},{reached[total]:.8f}{aim}"


def list_aims(odds: Odds, aims: Floats | None) -> Iterator[str]:
    """List round totals, playing for points and for just that."""
    if aims is None:
        yield "The greatest chance to reach each total has not been worked out for these rules."
        return
    gains = [read_aim(aims, total) - odds.chance_at_least(total) for total in range(aims.size)]
    best = int(np.argmax(gains))
    yield (
        f"Playing for just one total gains most at {best}: {percent(odds.chance_at_least(best))} becomes "
        f"{percent(read_aim(aims, best))}."
    )
    yield ""
    yield "| at least | playing for points | playing for just that |"
    yield "|---:|---:|---:|"
    for total in list_shown_totals(odds):
        yield f"| {total} | {percent(odds.chance_at_least(total))} | {percent(read_aim(aims, total))} |"


def list_texts(edition: Edition) -> list[tuple[str, ...]]:
    """Put the texts together that play alike, English first."""
    texts: dict[str, list[str]] = {}
    for text in edition.printed:
        texts.setdefault(edition.rules(text).fingerprint, []).append(text)
    return [tuple(sorted(group, key=lambda text: text != SOURCE_LANGUAGE)) for group in texts.values()]


def title_section(edition: Edition, texts: tuple[str, ...]) -> str:
    """Name an edition with its publisher, and the texts a section is about."""
    words = Translator(SOURCE_LANGUAGE, edition)
    languages = words.join_sentence(words.format_value(LanguageName(text)) for text in texts)
    return f"{edition.title} ({edition.publisher}): {languages}"


def describe_rounds() -> Iterator[str]:
    """Write the sections of the games of rounds: everybody's chance to lose a round, and places in the whole game."""
    yield "## Every round"
    yield ""
    yield (
        "With best play by everybody: how likely the opener, each follower and nobody loses a round; and which place "
        "each player finishes in on average, from the first round on, the opener first. The whole game is solved for "
        "two and three players."
    )
    yield ""
    for name in edition_ids():
        edition = load_edition(name)
        for texts in list_texts(edition) if edition.family == ROUNDS else ():
            yield from describe_round_rules(edition, texts)


def describe_round_rules(edition: Edition, texts: tuple[str, ...]) -> Iterator[str]:
    game = RoundsGame(edition.rules(texts[0]))
    yield f"### {title_section(edition, texts)}"
    yield ""
    yield f"Made again by `knobel solve {edition.id} --text {texts[0]} --players N`."
    yield ""
    yield "| players | opener | each follower | void | average places |"
    yield "|---:|---:|---:|---:|---|"
    for players in ROUND_PLAYERS:
        one, places = solve_single_round(game, players), ""
        if players in WHOLE_GAME_PLAYERS:
            whole = solve_whole_game(game, players).places[(0,) * players]
            places = ", ".join(f"{place:.4f}" for place in whole)
        opener, *followers = (percent(chance, 4) for chance in one.losing_chances)
        (follower,) = set(followers)
        yield f"| {players} | {opener} | {follower} | {percent(one.void_chance, 4)} | {places} |"
    yield ""


def describe_calibration() -> Iterator[str]:
    """Say how often games were won against the chances given before, if that was measured."""
    if not CALIBRATION.exists():
        return
    runs: list[dict[str, Any]] = json.loads(CALIBRATION.read_text(encoding="utf-8"))
    yield "## Are the chances to win right?"
    yield ""
    yield (
        "Simulated: games are played perfectly, and one random moment of each is judged: what chance does a random "
        "player have there? Positions are put together by tenths of that chance; of each tenth the share of games won "
        "is compared with the mean of the chances. Ties count by their share. Measured by "
        "`python -m benchmarks.calibration`; a tenth with at least 500 positions may be off by 3.5 standard errors."
    )
    yield ""
    yield "| rules | players | games | of these exact | tenths of 500 or more | farthest off, in standard errors |"
    yield "|---|---:|---:|---:|---:|---:|"
    for run in runs:
        large = [group for group in run["groups"] if group["count"] >= run["least"]]
        worst = max(abs(group["won"] - group["expected"]) / group["error"] for group in large)
        yield (
            f"| `{run['edition']} --text {run['text']}` | {run['players']} | {run['games']:,} "
            f"| {percent(run['exact'] / run['games'], 0)} | {len(large)} | {worst:.2f} |"
        )
    yield ""
    groups = [group for run in runs for group in run["groups"] if group["count"] >= run["least"]]
    shown = [(group["expected"], group["won"], group["error"]) for group in groups]
    (FOLDER / "calibration.svg").write_text(draw_calibration(shown), encoding="utf-8")
    yield (
        f"![Games won against the chance that was given: each point is a tenth of one run, with 3.5 standard errors]"
        f"({FOLDER.name}/calibration.svg)"
    )
    yield ""


def describe_winner(results: list[Result]) -> Iterator[str]:
    """Say how much playing to win gains, if that was measured."""
    rows = read_games(WINNER)
    yield "## What playing to win gains"
    yield ""
    yield (
        "Simulated: of two players one plays to win once ten boxes are open, the other for points all along. *Frozen* "
        "is what that gains if the opponent’s sheet is looked at only once, when ten boxes are left; *known* is what "
        "it gains if it is looked at every turn, as `bot:winner` does. The edge of a game is added up from exact "
        "chances to win, without the luck of one’s own dice, so it varies far less than wins do; ± is one standard "
        "error. Measured by `python -m benchmarks.winner`, which goes on where it stopped: the goal of "
        f"{GOAL:,} games by every set of rules is not reached yet where the table has fewer."
    )
    yield ""
    yield "| rules | games | frozen | known | what knowing adds | decisions that cost points, a game | won |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for one in results:
        played = [row for row in rows if row["rules"] == one.rules.fingerprint]
        if len(played) < FEWEST_GAMES:
            continue
        added = [row | {"added": row["edge"] - row["frozen"]} for row in played]
        yield (
            f"| `{one.words}` | {len(played):,} | {describe(played, 'frozen')} | {describe(played, 'edge')} "
            f"| {describe(added, 'added')} | {mean(row['differed'] for row in played):.2f} "
            f"| {percent(mean(row['won'] for row in played), 1)} |"
        )
    yield ""


def write_page(results: list[Result]) -> None:
    """Write the page and everything it shows."""
    lines = [
        "# Results",
        "",
        "Exact results for the printed editions, and what was measured with them. Nothing below is simulated unless it "
        "says so: par and distributions come from the [solver](solver.md), the greatest chance to reach a total from "
        "[aims](solver.md#aims), the chances in a round from the [solver of Chicago](solver.md#chicago). `python -m "
        "benchmarks.results` writes this page again; texts with the same rules share a section, and rules are named as "
        "the commands take them.",
        "",
        *list_summary(results),
        "",
        "Par is exact to all digits shown, the greatest chance to reach a total to about 4e-6, because it is worked "
        "out in single precision.",
        "",
        "## Every total",
        "",
        "In the pictures, above: how likely each final total is under perfect play for points. Below: how likely at "
        "least so many points are, playing for points, and playing for just that total.",
        "",
    ]
    for one in results:
        lines += describe_result(one)
    lines += [*describe_rounds(), *describe_calibration(), *describe_winner(results)]
    (DOCS / "results.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--known", action="store_true", help="work out no aims, only write what is known")
    FOLDER.mkdir(exist_ok=True)
    write_page(list(find_results(parser.parse_args().known)))


if __name__ == "__main__":
    main()
