"""Plays very many games of one bot: perfect play all together by the book, any other bot game by game."""

import time
from dataclasses import dataclass
from random import Random
from statistics import fmean, pstdev

from knobel.bots import bot
from knobel.game import Land, play
from knobel.games.sheet import Sheet
from knobel.rules.ruleset import SheetRules
from knobel.solver.position import Book
from knobel.solver.solve import Progress, strided


@dataclass(frozen=True, slots=True)
class Played:
    """What came of it."""

    games: int
    mean: float
    sd: float
    seconds: float
    prepare_seconds: float
    faces: list[int]


def play_bot(
    rules: SheetRules, name: str, games: int, seed: int, book: Book | None, progress: Progress, begun: float
) -> Played:
    """Play so many games; a book means perfect play."""
    if book is None:
        return one_by_one(rules, name, games, seed, progress, begun)
    from knobel.solver.simulate import simulate, warm

    values = strided(book.tables, book.values)
    warm(book.tables, values)
    prepared = time.perf_counter() - begun
    found = simulate(book.tables, values, games, seed, progress)
    return Played(games, found.mean, found.sd, found.seconds + prepared, prepared, [int(n) for n in found.faces])


def one_by_one(rules: SheetRules, name: str, games: int, seed: int, progress: Progress, begun: float) -> Played:
    """Play games one after the other through the real machine."""
    random, player = Random(seed), bot(name)  # noqa: S311
    game, totals, faces = Sheet(rules, practice=True), list[int](), [0] * rules.faces
    prepared = time.perf_counter() - begun
    for number in range(games):
        state = game.start(1, 0)
        while state.seat is not None:
            if fall := game.falling(state):
                dice = tuple(random.randint(1, rules.faces) for _ in fall.positions)
                for die in dice:
                    faces[die - 1] += 1
                state = game.after(state, Land(dice))
            else:
                state = play(game, state, player(game, state, random))
        totals.append(game.tally(state, 0).total)
        progress((number + 1) / games)
    return Played(games, fmean(totals), pstdev(totals), time.perf_counter() - begun, prepared, faces)
