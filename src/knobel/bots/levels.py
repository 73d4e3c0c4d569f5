"""Mistakes of the human bot: how careful it is, so that it loses about as many points a game as its level says.

The bot chooses between the best move and those of the plans people have. A move that costs c points is chosen with its
own weight times exp(-c * care): with more care costly plans are rarer. Somebody who loses very much has less than no
care, and prefers the plans that cost most.

For printed rules `levels.toml` has the care of every level, from many games. For other rules a few games are played the
first time, and what they tell is kept beside the book.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path
from random import Random

from knobel.coach.plans import PlannedMove, list_planned_moves
from knobel.coach.sheet import open_coach
from knobel.game import Land, play
from knobel.games.sheet import SheetGame
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import Floats
from knobel.solver.book_cache import read_note, write_note
from knobel.solver.solve import ProgressCallback

MAX_LOSS = 100
CALIBRATION_GAMES = 6
CALIBRATION_LOSSES = (20, 10, 5, 2, 40, 30, 80, 80)
"""Games are played with the care of about these levels; the first ones for 80 lose less, as nobody had lost so much."""
NEAR = 0.6
"""What games tell about a level counts less the further it is from what they lost: by e at this logarithm."""
FILE = Path(__file__).with_name("levels.toml")
FIRST_CARE = 0.5
"""About that of the first of these levels in most games."""
SMALLEST_LOSS = 0.01
"""Games that lost less count as this."""
GRID = 192
"""At how many degrees of care, from the least to the most, the losses of the games played are worked out."""
LEAST_CARE, MOST_CARE, CARE_UNIT = -50.0, 1000.0, 0.05
"""The range of care, and near which care its degrees are evenly spaced; further out they grow by the same part."""
NOTE_KIND = "human"
PLANS = 4
"""Which plans a note is about. Raise it when they change: what was noted about others is found anew."""
MAX_KNOWN_LEVELS = 256
KNOWN_CARE: dict[tuple[str, int], float] = {}
"""The care known in this process, by fingerprint of the rules and points lost a game."""


@dataclass(frozen=True)
class CalibrationRun:
    """What some games cost: with the care they were played with, and what they would have with each degree of it."""

    lost: float
    losses: Floats


@dataclass(frozen=True, slots=True)
class WeighedChoice:
    """What the moves of one decision cost, and how natural each is."""

    losses: tuple[float, ...]
    weights: tuple[float, ...]


def draw_move(moves: list[PlannedMove], care: float, random: Random) -> PlannedMove:
    """Draw a move at random: costly moves are rarer, the more so with more care."""
    exponents = [-one.loss * care for one in moves]
    most = max(exponents)
    weights = [one.weight * exp(exponent - most) for one, exponent in zip(moves, exponents, strict=True)]
    return random.choices(moves, weights)[0]


def calibrate_level(rules: SheetRules, loss: int, progress: ProgressCallback | None = None) -> float:
    """Find the care of a level; all levels are calibrated at once per ruleset and stored beside the book."""
    known = find_known_care(rules, loss)
    if known is None:
        found = calibrate_all_levels(rules, progress)
        write_note(rules, NOTE_KIND, {"plans": PLANS, "care": {str(level): care for level, care in found.items()}})
        known = remember_care(rules, loss, found[loss])
    return known


def find_known_care(rules: SheetRules, loss: int, *, on_disk: bool = True) -> float | None:
    """Find the care of a level in memory, among those of printed rules, or beside the book."""
    known = KNOWN_CARE.get((rules.fingerprint, loss))
    if known is None and (printed := load_printed_care().get(rules.fingerprint)):
        return printed[loss - 1]
    if known is None and on_disk and isinstance(found := read_levels(rules).get(str(loss)), float):
        return remember_care(rules, loss, found)
    return known


@cache
def load_printed_care() -> Mapping[str, list[float]]:
    """Load the care of all levels by printed rules, by their fingerprints."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return {fingerprint: table["care"] for fingerprint, table in tables.items()}


def remember_care(rules: SheetRules, loss: int, care: float) -> float:
    KNOWN_CARE[rules.fingerprint, loss] = care
    for key in list(KNOWN_CARE)[:-MAX_KNOWN_LEVELS]:
        KNOWN_CARE.pop(key, None)
    return care


def read_levels(rules: SheetRules) -> dict[str, object]:
    note = read_note(rules, NOTE_KIND) or {}
    found = note.get("care")
    return dict(found) if isinstance(found, dict) and note.get("plans") == PLANS else {}


def calibrate_all_levels(
    rules: SheetRules, progress: ProgressCallback | None = None, games: int = CALIBRATION_GAMES
) -> dict[int, float]:
    """Play some games each with several degrees of care, and read every level off what they cost.

    Whoever errs often has less left to lose, so games tell little about levels far from their own.
    """
    random = Random(1)  # noqa: S311
    runs: list[CalibrationRun] = []
    for number, loss in enumerate(CALIBRATION_LOSSES):
        care = read_care(runs, [loss])[0] if runs else FIRST_CARE
        choices: list[WeighedChoice] = []
        for game in range(games):
            choices += collect_choices(rules, care, random)
            if progress:
                progress((number * games + game + 1) / (len(CALIBRATION_LOSSES) * games))
        runs.append(count_costs(choices, care, games))
    levels = list(range(1, MAX_LOSS + 1))
    return dict(zip(levels, read_care(runs, levels), strict=True))


def list_degrees() -> Floats:
    """List degrees of care from the most to the least: evenly spaced in arsinh(care), fine around zero."""
    import numpy as np

    return CARE_UNIT * np.sinh(np.linspace(np.arcsinh(MOST_CARE / CARE_UNIT), np.arcsinh(LEAST_CARE / CARE_UNIT), GRID))


def count_costs(choices: list[WeighedChoice], care: float, games: int) -> CalibrationRun:
    """Count what the decisions of some games cost a game on average."""
    import numpy as np

    return CalibrationRun(
        float(compute_losses(choices, np.array([care]))[0]) / games, compute_losses(choices, list_degrees()) / games
    )


def read_care(runs: list[CalibrationRun], levels: list[int]) -> list[float]:
    """Read the care of levels off some games; those that lost about as much count most."""
    import numpy as np

    degrees = list_degrees()
    cares = np.array([np.interp(levels, run.losses, degrees) for run in runs])
    lost = np.array([max(run.lost, SMALLEST_LOSS) for run in runs])
    distance = np.square(np.log(np.array(levels) / lost[:, None]) / NEAR)
    nearness = np.exp(distance.min(axis=0) - distance)
    found = (nearness * cares).sum(axis=0) / nearness.sum(axis=0)
    # Two runs of a few games may disagree; a higher level never takes more care.
    return [float(care) for care in np.minimum.accumulate(found)]


def collect_choices(rules: SheetRules, care: float, random: Random) -> list[WeighedChoice]:
    """Play a game alone and note at every decision what each move would have cost."""
    game = SheetGame(rules, practice=True)
    state, coach, choices = game.start(1, 0), open_coach(rules), []
    while state.seat is not None:
        pending = game.pending_roll(state)
        if pending:
            state = play(game, state, Land(tuple(random.randint(1, rules.faces) for _ in pending.positions)))
            continue
        moves = list_planned_moves(coach, game, state)
        if len(moves) > 1:
            choices.append(WeighedChoice(tuple(one.loss for one in moves), tuple(one.weight for one in moves)))
        state = play(game, state, draw_move(moves, care, random).move)
    return choices


def compute_losses(choices: list[WeighedChoice], grid: Floats) -> Floats:
    """Compute what these decisions would have cost in total with each degree of care."""
    import numpy as np

    size = len(choices), max((len(choice.losses) for choice in choices), default=1)
    losses, weights = np.zeros(size), np.zeros(size)
    for row, choice in enumerate(choices):
        losses[row, : len(choice.losses)], weights[row, : len(choice.losses)] = choice.losses, choice.weights
    totals = []
    for care in grid:
        exponents = np.where(weights > 0, -losses * care, -np.inf)
        shares = weights * np.exp(exponents - exponents.max(axis=1, keepdims=True, initial=-1e300))
        totals.append(((shares * losses).sum(axis=1) / shares.sum(axis=1)).sum())
    return np.array(totals)
