"""Play many games of one bot: the perfect one all together by the book, any other game by game."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, TypeAlias

from knobel.bots import load_bot
from knobel.game import Land, play
from knobel.games.sheet import SheetGame
from knobel.rules.sheet_rules import SheetRules

if TYPE_CHECKING:
    from knobel.solver.position import BookValues

Progress: TypeAlias = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """What many games of one bot came to."""

    games: int
    mean: float
    sd: float
    seconds: float
    prepare_seconds: float
    face_counts: list[int]


def simulate_bot(
    rules: SheetRules, name: str, games: int, seed: int, book: "BookValues | None", progress: Progress, started: float
) -> SimulationResult:
    """Play games of a bot; with a book, that of the perfect one."""
    if book is None:
        return simulate_one_by_one(rules, name, games, seed, progress, started)
    from knobel.solver.simulate import compile_kernels, simulate
    from knobel.solver.solve import pad_to_stride

    values = pad_to_stride(book.tables, book.values)
    compile_kernels(book.tables, values)
    prepared = time.perf_counter() - started
    scores = simulate(book.tables, values, games, seed, progress)
    faces = [int(count) for count in scores.faces]
    return SimulationResult(games, scores.mean, scores.sd, scores.seconds + prepared, prepared, faces)


def simulate_one_by_one(
    rules: SheetRules, name: str, games: int, seed: int, progress: Progress, started: float
) -> SimulationResult:
    """Play games one after the other by the rules of the game itself."""
    random, bot = Random(seed), load_bot(name, rules.family)  # noqa: S311
    game, totals, faces = SheetGame(rules, practice=True), list[int](), [0] * rules.faces
    prepared = time.perf_counter() - started
    for number in range(games):
        state = game.start(1, 0)
        while state.seat is not None:
            if pending := game.pending_roll(state):
                dice = tuple(random.randint(1, rules.faces) for _ in pending.positions)
                for die in dice:
                    faces[die - 1] += 1
                state = game.apply(state, Land(dice))
            else:
                state = play(game, state, bot(game, state, random))
        totals.append(game.tally(state, 0).total)
        progress((number + 1) / games)
    return SimulationResult(games, fmean(totals), pstdev(totals), time.perf_counter() - started, prepared, faces)
