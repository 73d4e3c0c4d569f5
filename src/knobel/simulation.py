"""Plays very many games of one bot: perfect play all together by the book, any other bot game by game."""

import time
from dataclasses import dataclass
from random import Random
from statistics import fmean, pstdev

from knobel.bots import load_bot
from knobel.game import Land, play
from knobel.games.sheet import SheetGame
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.position import Book
from knobel.solver.solve import ProgressCallback, pad_to_stride


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """What came of it."""

    games: int
    mean: float
    sd: float
    seconds: float
    prepare_seconds: float
    face_counts: list[int]


def simulate_bot(
    rules: SheetRules, name: str, games: int, seed: int, book: Book | None, progress: ProgressCallback, started: float
) -> SimulationResult:
    """Play so many games; a book means perfect play."""
    if book is None:
        return simulate_one_by_one(rules, name, games, seed, progress, started)
    from knobel.solver.simulate import compile_kernels, simulate

    values = pad_to_stride(book.tables, book.values)
    compile_kernels(book.tables, values)
    prepared = time.perf_counter() - started
    found = simulate(book.tables, values, games, seed, progress)
    return SimulationResult(
        games, found.mean, found.sd, found.seconds + prepared, prepared, [int(n) for n in found.faces]
    )


def simulate_one_by_one(
    rules: SheetRules, name: str, games: int, seed: int, progress: ProgressCallback, started: float
) -> SimulationResult:
    """Play games one after the other through the real machine."""
    random, player = Random(seed), load_bot(name, "sheet")  # noqa: S311
    game, totals, faces = SheetGame(rules, practice=True), list[int](), [0] * rules.faces
    prepared = time.perf_counter() - started
    for number in range(games):
        state = game.start(1, 0)
        while state.seat is not None:
            if fall := game.pending_roll(state):
                dice = tuple(random.randint(1, rules.faces) for _ in fall.positions)
                for die in dice:
                    faces[die - 1] += 1
                state = game.apply(state, Land(dice))
            else:
                state = play(game, state, player(game, state, random))
        totals.append(game.tally(state, 0).total)
        progress((number + 1) / games)
    return SimulationResult(games, fmean(totals), pstdev(totals), time.perf_counter() - started, prepared, faces)
