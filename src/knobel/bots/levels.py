"""Mistakes of the human bot: the temperature at which it loses about as many points a game as its level says.

A bot at temperature t plays a move that costs c points with a weight of exp(-c / t).
"""

from math import exp
from random import Random

from knobel.coach.sheet import MoveValue, open_coach
from knobel.game import Land, Move, play
from knobel.games.sheet import SheetGame
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import Floats
from knobel.solver.book_cache import read_note, write_note
from knobel.solver.solve import ProgressCallback

MAX_LOSS = 100
CALIBRATION_GAMES = 7
CALIBRATION_LOSSES = (20, 4, 80)
"""Games are played at the temperatures of these levels; what they tell about a level counts more the nearer it is."""
FIRST_TEMPERATURE = 1.0
"""About that of the first of these levels in most games."""
GRID = 96
"""At how many temperatures, from the lowest to the highest, the losses of the games played are worked out."""
LOWEST_TEMPERATURE, HIGHEST_TEMPERATURE = 1e-3, 1e4
NOTE_KIND = "human"
MAX_TEMPERATURES = 256
TEMPERATURES: dict[tuple[str, int], float] = {}
"""The temperatures known in this process, by fingerprint of the rules and points lost a game."""


def draw_move(moves: list[MoveValue], temperature: float, random: Random) -> Move:
    """Draw a move at random: costly moves are rarer, less so at higher temperatures."""
    weights = [exp(-one.loss / temperature) for one in moves]
    return random.choices([one.move for one in moves], weights)[0]


def calibrate_level(rules: SheetRules, loss: int, progress: ProgressCallback | None = None) -> float:
    """Find the temperature of a level; all levels are calibrated at once per ruleset and stored beside the book."""
    known = find_known_temperature(rules, loss)
    if known is None:
        found = calibrate_all_levels(rules, progress)
        write_note(rules, NOTE_KIND, {"warmth": {str(level): temperature for level, temperature in found.items()}})
        known = remember_temperature(rules, loss, found[loss])
    return known


def find_known_temperature(rules: SheetRules, loss: int, *, on_disk: bool = True) -> float | None:
    """Find a temperature in memory, or beside the book."""
    known = TEMPERATURES.get((rules.fingerprint, loss))
    if known is None and on_disk and isinstance(found := read_temperatures(rules).get(str(loss)), float):
        return remember_temperature(rules, loss, found)
    return known


def remember_temperature(rules: SheetRules, loss: int, temperature: float) -> float:
    TEMPERATURES[rules.fingerprint, loss] = temperature
    for key in list(TEMPERATURES)[:-MAX_TEMPERATURES]:
        TEMPERATURES.pop(key, None)
    return temperature


def read_temperatures(rules: SheetRules) -> dict[str, object]:
    found = (read_note(rules, NOTE_KIND) or {}).get("warmth")
    return dict(found) if isinstance(found, dict) else {}


def calibrate_all_levels(rules: SheetRules, progress: ProgressCallback | None = None) -> dict[int, float]:
    """Play a few games each at three temperatures, and read every level off what they would cost."""
    import numpy as np

    random = Random(1)  # noqa: S311
    grid = np.geomspace(LOWEST_TEMPERATURE, HIGHEST_TEMPERATURE, GRID)
    levels = np.arange(1, MAX_LOSS + 1)
    found: list[Floats] = []
    for number, loss in enumerate(CALIBRATION_LOSSES):
        temperature = float(np.exp(np.mean([one[loss - 1] for one in found]))) if found else FIRST_TEMPERATURE
        costs: list[list[float]] = []
        for game in range(CALIBRATION_GAMES):
            costs += collect_move_costs(rules, temperature, random)
            if progress:
                progress((number * CALIBRATION_GAMES + game + 1) / (len(CALIBRATION_LOSSES) * CALIBRATION_GAMES))
        found.append(np.interp(levels, compute_losses(costs, grid) / CALIBRATION_GAMES, np.log(grid)))
    nearness = np.exp(-np.square(np.log(levels / np.array(CALIBRATION_LOSSES)[:, None])))
    temperatures = np.exp((nearness * np.array(found)).sum(axis=0) / nearness.sum(axis=0))
    return dict(zip(levels.tolist(), temperatures.tolist(), strict=True))


def collect_move_costs(rules: SheetRules, temperature: float, random: Random) -> list[list[float]]:
    """Play a game alone and note at every decision what each move would have cost."""
    game = SheetGame(rules, practice=True)
    state, coach, costs = game.start(1, 0), open_coach(rules), []
    while state.seat is not None:
        pending = game.pending_roll(state)
        if pending:
            state = play(game, state, Land(tuple(random.randint(1, rules.faces) for _ in pending.positions)))
            continue
        moves = coach.rank_moves(game, state)
        if len(moves) > 1:
            costs.append([one.loss for one in moves])
        state = play(game, state, draw_move(moves, temperature, random))
    return costs


def compute_losses(costs: list[list[float]], grid: Floats) -> Floats:
    """Compute what these decisions would have cost in total at each temperature."""
    import numpy as np

    losses = np.full((len(costs), max(map(len, costs), default=1)), np.inf)
    for row, choice in enumerate(costs):
        losses[row, : len(choice)] = choice
    offered, known = np.isfinite(losses), np.where(np.isfinite(losses), losses, 0.0)
    totals = []
    for temperature in grid:
        weights = offered * np.exp(-known / temperature)
        totals.append(((weights * known).sum(axis=1) / weights.sum(axis=1)).sum())
    return np.array(totals)
