"""How much more often does who plays to win win? `python -m benchmarks.winner --minutes 120`.

Two players: one plays to win once ten boxes are open, the other for points all along. Wins themselves are noisy, so the
edge of a game is added up from exact chances. At the start of a turn the *lead* is the chance to win with best play
against the other as they stand, less the chance with play for points. The lead of the first such turn is exactly what
playing to win gains against somebody whose sheet is looked at only then (*frozen*). From one turn to the next the lead
changes because the other has moved and the plan is made again; what that adds is the lead at the next turn less the
lead, under the old plan, where the turn ended. On average the sum is exactly the edge, and the luck of one's own dice
is not in it.

Every game is a line in `--file`, and games already there are not played again: stop it and start it as you like. All
printed score sheets get the same processor time, whenever it is stopped; where positions are many, that is fewer games.
"""

import argparse
import json
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

from knobel.coach.sheet import add_points_so_far, open_coach
from knobel.coach.total_moves import TotalMoves
from knobel.coach.win_chance import EXACT_OPEN_BOXES, find_final_total, list_positions, rank_players
from knobel.coach.winning import can_play_to_win, value_against
from knobel.game import CHANCE, Land, Move
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules import edition_ids, load_edition
from knobel.rules.column import Column
from knobel.rules.families import SHEET
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.position import encode_column
from knobel.solver.solve import count_processors, limit_processors
from knobel.solver.total_values import TotalValues

WINNER = 0
KEPT = Path(__file__).parents[1] / "docs" / "results" / "winner.jsonl"
"""The games played so far, which the page of results shows."""
GOAL = 2000
"""How many games by each set of rules there should be."""


@dataclass(frozen=True)
class WinningTurn:
    """The turn of who plays to win: its column when it began, and what everything is worth against the other."""

    column: Column
    values: TotalValues

    def find_chance(self, column: Column) -> float:
        """Give the chance to win with best play by this plan, when the turn begins or after it."""
        if column == self.column:
            return self.values.value_at(0)
        tables = self.values.tables
        scored = add_points_so_far(tables.rules, column) - add_points_so_far(tables.rules, self.column)
        return self.values.value_next(encode_column(tables, column), scored)


def find_win_share(game: SheetGame, state: SheetState) -> float:
    """Give the exact chance of the first player to win if both go on for points, ties shared."""
    if (outcome := game.outcome(state)) is not None:
        return 1 / len(outcome.places[0]) if WINNER in outcome.places[0] else 0.0
    totals = [find_final_total(seat, EXACT_OPEN_BOXES + 1)[0] for seat in list_positions(game, state)]
    return rank_players(totals)[WINNER].share


def find_lead(game: SheetGame, state: SheetState, turn: WinningTurn) -> float:
    """Give how much more likely the plan of a turn wins than play for points, between two turns."""
    return turn.find_chance(state.columns[WINNER]) - find_win_share(game, state)


def begin_turn(game: SheetGame, state: SheetState) -> WinningTurn:
    others = list_positions(game, state)[WINNER + 1 :]
    return WinningTurn(state.column, value_against(game.rules, state.column, others))


def choose_move(game: SheetGame, state: SheetState, turn: WinningTurn | None) -> tuple[Move, bool]:
    """Choose a move, and say whether it loses points."""
    ranked = open_coach(game.rules).rank_moves(game, state)
    if turn is None or state.player != WINNER:
        return ranked[0].move, False
    move = TotalMoves(turn.values, 0).rank_moves(game, state)[0].move
    return move, next(one.loss for one in ranked if one.move == move) > 0


def play_game(game: SheetGame, seed: int) -> dict[str, Any]:
    """Play one game; give the edge, that against a frozen sheet, how many decisions lost points, and who won."""
    random, state = Random(seed), game.start(2, first=seed % 2)
    leads, differed = list[float](), 0
    turn: WinningTurn | None = None
    while state.seat is not None:
        if state.seat == CHANCE:
            state = game.apply(state, Land(tuple(random.randint(1, game.rules.faces) for _ in state.rolling)))
            continue
        column = state.columns[WINNER]
        if state.player == WINNER and can_play_to_win(state) and (turn is None or turn.column != column):
            turn = begin_turn(game, state)
            leads.append(find_lead(game, state, turn))
        move, has_lost = choose_move(game, state, turn)
        state, differed = game.apply(state, move), differed + has_lost
        if turn and state.columns[WINNER] != column:
            leads.append(-find_lead(game, state, turn))
    won = find_win_share(game, state)
    return {"seed": seed, "edge": sum(leads), "frozen": leads[0], "differed": differed, "won": won}


def list_rulesets() -> Iterator[SheetRules]:
    """List the rules of all printed score sheets, each once."""
    found = dict[str, SheetRules]()
    for name in edition_ids():
        edition = load_edition(name)
        if edition.family == SHEET:
            found |= {edition.rules(text).fingerprint: edition.rules(text) for text in edition.printed}
    yield from found.values()


def play_one(rules: SheetRules, seed: int) -> dict[str, Any]:
    """Play one game on one processor, in a process of its own."""
    limit_processors(1)
    open_coach(rules)
    begin = time.process_time()
    return play_game(SheetGame(rules, practice=True), seed) | {"seconds": round(time.process_time() - begin, 2)}


def describe(rows: list[dict[str, Any]], name: str) -> str:
    """Say the mean of a figure in percent, with its standard error."""
    numbers = [100 * row[name] for row in rows]
    error = stdev(numbers) / len(numbers) ** 0.5 if len(numbers) > 1 else 0.0
    return f"{mean(numbers):+.2f} % ± {error:.2f} %"


def read_games(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


class Schedule:
    """Which game is played next: the next one of the rules that have had the least processor time."""

    def __init__(self, rulesets: list[SheetRules], games: int, rows: list[dict[str, Any]]) -> None:
        self.seconds = {rules.fingerprint: 0.0 for rules in rulesets}
        done = {(row["rules"], row["seed"]) for row in rows}
        self.missing = {
            rules: deque(seed for seed in range(games) if (rules.fingerprint, seed) not in done) for rules in rulesets
        }
        for row in rows:
            self.count_game(row)

    def count_game(self, row: dict[str, Any]) -> None:
        if row["rules"] in self.seconds:
            self.seconds[row["rules"]] += row["seconds"]

    def take_game(self) -> tuple[SheetRules, int] | None:
        open_rules = [rules for rules, seeds in self.missing.items() if seeds]
        if not open_rules:
            return None
        chosen = min(open_rules, key=lambda rules: self.seconds[rules.fingerprint])
        # Counts as something until it is known, so that the games that run at the same time are of different rules.
        self.seconds[chosen.fingerprint] += 1
        return chosen, self.missing[chosen].popleft()


def play_missing(schedule: Schedule, path: Path, processes: int, minutes: float) -> None:
    """Play games until none is missing or the time is over; every game is written down when it is over."""
    until = time.monotonic() + 60 * minutes
    running = dict[Future[dict[str, Any]], SheetRules]()
    with ProcessPoolExecutor(processes) as pool:
        while True:
            while len(running) < processes and time.monotonic() < until and (game := schedule.take_game()):
                running[pool.submit(play_one, *game)] = game[0]
            if not running:
                return
            for one in wait(running, return_when=FIRST_COMPLETED).done:
                row = {"rules": running.pop(one).fingerprint, **one.result()}
                schedule.count_game(row)
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edition", nargs="?", help="one edition; all printed score sheets if left out")
    parser.add_argument("--text")
    parser.add_argument("--games", type=int, default=GOAL, help="of each set of rules, at most")
    parser.add_argument("--minutes", type=float, default=120, help="how long games are begun")
    parser.add_argument("--file", type=Path, default=KEPT)
    parser.add_argument("--processes", type=int, default=count_processors())
    chosen = parser.parse_args()
    rulesets = [load_edition(chosen.edition).rules(chosen.text)] if chosen.edition else list(list_rulesets())
    play_missing(
        Schedule(rulesets, chosen.games, read_games(chosen.file)), chosen.file, chosen.processes, chosen.minutes
    )
    for rules in rulesets:
        rows = [row for row in read_games(chosen.file) if row["rules"] == rules.fingerprint]
        if rows:
            print(f"{len(rows)} games: edge {describe(rows, 'edge')}, frozen {describe(rows, 'frozen')}")


if __name__ == "__main__":
    main()
