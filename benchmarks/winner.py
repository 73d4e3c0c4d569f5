"""How much more often does who plays to win win? `python -m benchmarks.winner mb-yahtzee --games 2000`.

Two players: one plays to win, the other for points. Wins themselves are noisy, so the edge is the sum of what each
decision gains: the exact chance to win after the move played minus that after the move for points, both followed by
play for points. On average this sum is exactly the edge. With `--frozen` the opponent's sheet is looked at only once,
when ten boxes are left; what the other way gains beyond that is what knowing the sheet adds.

Every game is a line in `--file`, and games already there are not played again: stop it and start it as you like.
"""

import argparse
import json
from pathlib import Path
from random import Random
from statistics import mean, stdev

from knobel.coach.sheet import open_coach
from knobel.coach.total_moves import TotalMoves
from knobel.coach.win_chance import EXACT_OPEN_BOXES, SeatPosition, find_final_total, list_positions, rank_players
from knobel.coach.winning import can_play_to_win, value_against
from knobel.game import CHANCE, Land, Move
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules import load_edition

WINNER = 0
KEPT = Path(__file__).parents[1] / "docs" / "results" / "winner.jsonl"
"""The games played so far, which the page of results shows."""


def find_win_share(game: SheetGame, state: SheetState) -> float:
    """Give the exact chance of the first player to win if both go on for points, ties shared."""
    if (outcome := game.outcome(state)) is not None:
        return 1 / len(outcome.places[0]) if WINNER in outcome.places[0] else 0.0
    totals = [find_final_total(seat, EXACT_OPEN_BOXES + 1)[0] for seat in list_positions(game, state)]
    return rank_players(totals)[WINNER].share


def choose_to_win(game: SheetGame, state: SheetState, others: tuple[SeatPosition, ...]) -> Move:
    values = value_against(game.rules, state.column, others)
    return TotalMoves(values, 0).rank_moves(game, state)[0].move


def play_game(game: SheetGame, seed: int, frozen: bool) -> dict[str, float]:
    """Play one game; give what the decisions gained, in how many of them the moves differed, and who won."""
    random, coach = Random(seed), open_coach(game.rules)
    state, gain, differed = game.start(2, first=seed % 2), 0.0, 0
    seen: tuple[SeatPosition, ...] | None = None
    while state.seat is not None:
        if state.seat == CHANCE:
            rolled = tuple(random.randint(1, game.rules.faces) for _ in state.rolling)
            state = game.apply(state, Land(rolled))
            continue
        move = for_points = coach.rank_moves(game, state)[0].move
        if state.player == WINNER and can_play_to_win(state):
            if seen is None or not frozen:
                seen = list_positions(game, state)[1:]
            move = choose_to_win(game, state, seen)
        if move != for_points:
            after, instead = (
                find_win_share(game, game.apply(state, move)),
                find_win_share(game, game.apply(state, for_points)),
            )
            gain += after - instead
            differed += abs(after - instead) > 1e-9
        state = game.apply(state, move)
    return {"seed": seed, "gain": gain, "differed": differed, "won": find_win_share(game, state)}


def report(rows: list[dict[str, float]]) -> str:
    gains = [row["gain"] for row in rows]
    error = stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else 0.0
    won = mean(row["won"] for row in rows)
    return (
        f"{len(rows)} games: edge {100 * mean(gains):+.3f} % ± {100 * error:.3f} %, "
        f"{mean(row['differed'] for row in rows):.2f} different decisions a game, {100 * won:.1f} % won"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edition")
    parser.add_argument("--text")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--frozen", action="store_true")
    parser.add_argument("--file", type=Path, default=KEPT)
    chosen = parser.parse_args()
    game = SheetGame(load_edition(chosen.edition).rules(chosen.text), practice=True)
    kind = f"{game.rules.fingerprint} {'frozen' if chosen.frozen else 'recomputed'}"
    lines = chosen.file.read_text(encoding="utf-8").splitlines() if chosen.file.exists() else []
    rows = [row for row in map(json.loads, lines) if row["kind"] == kind]
    done = {row["seed"] for row in rows}
    for seed in range(chosen.games):
        if seed not in done:
            rows.append(play_game(game, seed, chosen.frozen))
            with chosen.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"kind": kind, **rows[-1]}) + "\n")
            print(report(rows), flush=True)
    if rows:
        print(report(rows))


if __name__ == "__main__":
    main()
