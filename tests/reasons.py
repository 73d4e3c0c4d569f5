"""Prints why the coach calls moves worse, in context, from games of bots under every printed ruleset, to be read.

python -m tests.reasons             a hundred reasons, spread over all rulesets and bots, and how much they explain
python -m tests.reasons --count 20  fewer of them
python -m tests.reasons --summary   only the figures
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from statistics import fmean

from knobel.coach.ledger import POINTS, Decision, Review
from knobel.coach.review import find_book_rules, review_seat
from knobel.coach.serialize import REASON_SEPARATOR
from knobel.coach.sheet import SheetCoach, open_coach
from knobel.lang import Translator
from knobel.phrase import BoxName, FormattedNumber, Phrase
from knobel.record.events import Seat
from knobel.rules import edition_ids, load_edition
from knobel.rules.sheet_rules import SheetRules
from knobel.solve_worker import prepare
from knobel.solver.request import EXPECTED_SCORES, SolveRequest
from tests.support.played_tables import open_table, play_bot_step

BOTS = {"sheet": ("random", "greedy", "human:15"), "rounds": ("random", "greedy")}
ROUND_PLAYERS = (2, 3, 5)
HALF = 0.5
MORE_THAN_LOST = 1.5


@dataclass(frozen=True)
class FoundReason:
    """A flawed decision of a bot, with the game it is from."""

    game: str
    review: Review
    decision: Decision
    rules: SheetRules | None
    words: Translator


@cache
def open_seeing_coach(rules: SheetRules) -> SheetCoach:
    """Open the coach of some rules with what every box scores by the end."""
    prepare(SolveRequest(rules, EXPECTED_SCORES), lambda _: None)
    return open_coach(rules)


def list_games() -> Iterator[tuple[str, str, str, int]]:
    """List an edition, a text, a bot and how many play, once for each printed ruleset and bot."""
    seen = set()
    for name in edition_ids():
        edition = load_edition(name)
        for text in edition.printed:
            if (rules := edition.rules(text)).fingerprint not in seen:
                seen.add(rules.fingerprint)
                for bot in BOTS[rules.family]:
                    for players in (1,) if rules.family == "sheet" else ROUND_PLAYERS:
                        yield name, text, bot, players


def review_bot_game(name: str, text: str, bot: str, players: int, seed: int) -> list[FoundReason]:
    """Play a game of a bot, or of one bot against better ones, and find what was wrong with its moves."""
    seats = (Seat("Bot", bot), *(Seat(f"Bot {place}", "perfect") for place in range(2, players + 1)))
    table, random = open_table(name, seats, typed=f"{seed}", text=text, first=0), Random(seed)
    while table.state.seat is not None:
        play_bot_step(table, random)
    review = review_seat(table.record, table.replay, 0, open_seeing_coach)
    words = Translator("en", load_edition(name))
    rules = find_book_rules(table.replay, 0)
    game = f"{name} {text}, {bot}" + (f", {players} players" if players > 1 else "")
    return [FoundReason(game, review, decision, rules, words) for decision in review.flawed_decisions]


def weigh_reason(found: FoundReason, said: Phrase) -> float:
    """Say how many points of a loss a reason makes up, a gain as a negative number: from the figures it shows."""
    comparison, rules, name = found.decision.comparison, found.rules, said.key.rpartition(".")[2]
    figures = {
        key: float(found.words.format_value(value))
        for key, value in said.values.items()
        if isinstance(value, FormattedNumber | int)
    }
    match name:
        case "bonus" | "bonus_less" | "but_bonus":
            assert comparison is not None
            chances = comparison.best.bonus_chance or 0, comparison.played.bonus_chance or 0
            return (rules.bonus.points if rules and rules.bonus else 0) * (chances[0] - chances[1])
        case "brings" | "brings_now" | "announces" | "leaves":
            return figures["best"] - figures["played"]
        case "uses_up":
            return figures["best"] - figures["points"]
        case "crosses_out":
            return figures["best"]
        case "passes_up":
            return figures["points"] - figures["played"]
        case "comes_up" if "points" not in figures:
            assert comparison is not None
            assert rules is not None
            place = next(rules.index[value.box] for value in said.values.values() if isinstance(value, BoxName))
            return (comparison.best.final_means or ())[place] - (comparison.played.final_means or ())[place]
    return -figures["points"] if name.startswith("but_") else figures["points"]


def print_reason(number: int, found: FoundReason) -> None:
    """Print a reason with the sheet and the dice it is about."""
    say, decision = found.words.translate, found.decision
    dice = " ".join(map(str, decision.dice)) or "before the first roll"
    filled = [line for line in found.review.turn_summaries if line.turn < decision.turn and line.box]
    sheet = ", ".join(f"{found.words.name_box(line.box or '')} {line.points}" for line in filled)
    print(f"{number}. {found.game}: turn {decision.turn}, roll {decision.roll_number}: {dice}")
    if sheet:
        print(f"   filled: {sheet}")
    print(f"   played: {say(decision.played)}; best: {say(decision.best)} ({decision.grade}, {decision.loss:.2f})")
    print(f"   {say(REASON_SEPARATOR).join(map(say, decision.reasons))}")


def print_summary(every: list[FoundReason]) -> None:
    """Print how much of the losses the reasons name, by bot."""
    for bot in BOTS["sheet"]:
        chosen = [one for one in every if one.review.unit == POINTS and f", {bot}" in one.game]
        shares = [sum(weigh_reason(one, said) for said in one.decision.reasons) / one.decision.loss for one in chosen]
        if not shares:
            continue
        less, more = fmean(share < HALF for share in shares), fmean(share > MORE_THAN_LOST for share in shares)
        count = fmean(len(one.decision.reasons) for one in chosen)
        print(
            f"{bot}: {len(shares)} reasons; {less:.1%} name less than half of the loss, "
            f"{more:.1%} over {MORE_THAN_LOST} times as much; {count:.2f} phrases each"
        )
    rounds = [one for one in every if one.review.unit != POINTS]
    again = [one for one in rounds if all(".away_" in said.key for said in one.decision.reasons)]
    if rounds:
        print(f"games of rounds: {len(rounds)} reasons; {len(again) / len(rounds):.1%} say only the loss again")


def main() -> None:
    """Review the games, print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--games", type=int, default=1, help="how many of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--summary", action="store_true")
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.games)
    games = [review_bot_game(*game, seed) for game in list_games() for seed in seeds]
    every = [one for game in games for one in game]
    if not given.summary:
        random, number = Random(given.seed), 0
        shuffled = [random.sample(game, len(game)) for game in games if game]
        for turn in range(max(map(len, shuffled))):
            for game in shuffled:
                if turn < len(game) and number < given.count:
                    print_reason(number := number + 1, game[turn])
    print_summary(every)


if __name__ == "__main__":
    main()
