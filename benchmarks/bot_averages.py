"""Works out what each bot scores on average by each printed ruleset, and writes src/knobel/bots/averages.toml.

python -m benchmarks.bot_averages              all rulesets; half an hour on one core
python -m benchmarks.bot_averages noris-yatzy  those of some editions; the others stay as they are
python -m benchmarks.bot_averages --bots human those of some bots; the others stay as they are

The perfect bot scores par, as the solver has it. A human bot scores par less what its mistakes cost: over some games it
plays, the expected cost of every decision with its care is added up, which varies far less than scores do. The
other bots play whole games, as `knobel simulate` does with the same seed.

In games of rounds there are no points: there each bot plays games for two against the perfect one, taking turns to
start, and what counts is how often it wins.
"""

import argparse
import math
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean, stdev

from tests.support.printed_rulesets import PrintedRuleset, list_printed_rulesets, read_kept_tables

from knobel.bots import find_kind, load_bot
from knobel.bots.families import FAMILIES
from knobel.bots.levels import calibrate_level, collect_choices, compute_losses
from knobel.game import Land, play
from knobel.games.rounds import RoundsGame
from knobel.rules.families import ROUNDS
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import SheetRules
from knobel.simulation import simulate_one_by_one
from knobel.solver.book_cache import open_book
from knobel.solver.request import BOOK

INTO = Path(__file__).parents[1] / "src" / "knobel" / "bots" / "averages.toml"
SEED = 1
GAMES = {"random": 2000, "greedy": 2000, "cautious": 4000}
HUMAN_GAMES = 60
ROUND_GAMES = 2000
STRONGEST = "perfect"
HEAD = """\
# What each bot scores on average, by the fingerprint of the rules; `error` is the standard error of the average.
# In games of rounds `wins` is how often it wins a game for two against the perfect bot.
# Written by `python -m benchmarks.bot_averages`, which says how each figure is made; no figure is typed by hand.
"""


@dataclass(frozen=True)
class Average:
    """What a bot scores on average; a solved one has no error and no games."""

    mean: float
    error: float = 0.0
    games: int = 0


def measure(rules: SheetRules, bot: str) -> Average:
    """Work out what a bot scores on average, in the way its kind asks for."""
    kind = find_kind(bot, rules.family)
    if kind.needs == BOOK:
        return Average(float(open_book(rules).par))
    if kind.has_level:
        return measure_human(rules, int(bot.partition(":")[2]))
    played = simulate_one_by_one(rules, bot, GAMES[bot], SEED, lambda _: None, time.perf_counter())
    return Average(played.mean, played.sd / math.sqrt(played.games), played.games)


def measure_human(rules: SheetRules, level: int) -> Average:
    """Take what mistakes cost off par."""
    import numpy as np

    care, random = calibrate_level(rules, level), Random(SEED)
    grid = np.array([care])
    lost = [float(compute_losses(collect_choices(rules, care, random), grid)[0]) for _ in range(HUMAN_GAMES)]
    return Average(float(open_book(rules).par) - fmean(lost), stdev(lost) / math.sqrt(HUMAN_GAMES), HUMAN_GAMES)


def measure_wins(rules: RoundRules, bot: str) -> Average:
    """Let a bot play games for two against the strongest one."""
    game, random, won = RoundsGame(rules), Random(SEED), 0
    players = load_bot(bot, ROUNDS), load_bot(STRONGEST, ROUNDS)
    for number in range(ROUND_GAMES):
        state = game.start(2, number % 2)
        while state.seat is not None:
            if pending := game.pending_roll(state):
                state = game.apply(state, Land(tuple(random.randint(1, rules.faces) for _ in pending.positions)))
            else:
                state = play(game, state, players[state.player](game, state, random))
        won += 0 in state.places[0]
    share = won / ROUND_GAMES
    return Average(share, math.sqrt(share * (1 - share) / ROUND_GAMES), ROUND_GAMES)


def write_ruleset(ruleset: PrintedRuleset, kept: str, bots: str) -> str:
    """Write the figures of a ruleset as a table; lines of bots that are not asked for stay as they were kept."""
    lines = [f"[{ruleset.rules.fingerprint}]", f"texts = {ruleset.texts!r}".replace("'", '"')]
    for bot in FAMILIES[ruleset.rules.family].offered:
        known = [line for line in kept.splitlines() if line.startswith(f'"{bot}"')]
        written = write_bot(ruleset.rules, bot) if bot.startswith(bots) or not known else known
        lines += written
        print(ruleset.texts[0], *written, flush=True)
    return "\n".join(lines)


def write_bot(rules: SheetRules | RoundRules, bot: str) -> list[str]:
    """Write the line of a bot; the strongest one has none where bots are measured by it."""
    if isinstance(rules, RoundRules):
        if bot == STRONGEST:
            return []
        found = measure_wins(rules, bot)
        return [f'"{bot}" = {{ wins = {found.mean:.3f}, error = {found.error:.3f}, games = {found.games} }}']
    found = measure(rules, bot)
    tail = f", error = {found.error:.2f}, games = {found.games}" if found.games else ""
    return [f'"{bot}" = {{ mean = {found.mean:.2f}{tail} }}']


def main() -> None:
    """Write the averages of all rulesets, or of those of some editions anew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("editions", nargs="*")
    parser.add_argument("--bots", default="", help="how the names of the bots begin")
    given, tables = parser.parse_args(), read_kept_tables(INTO)
    for ruleset in list_printed_rulesets():
        if not given.editions or any(text.split()[0] in given.editions for text in ruleset.texts):
            kept = tables.get(ruleset.rules.fingerprint, "")
            tables[ruleset.rules.fingerprint] = write_ruleset(ruleset, kept, given.bots)
        known = [tables[one.rules.fingerprint] for one in list_printed_rulesets() if one.rules.fingerprint in tables]
        INTO.write_text("\n\n".join([HEAD.strip(), *known]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
