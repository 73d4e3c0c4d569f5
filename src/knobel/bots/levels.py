"""Mistakes of the human bot: the temperature at which it loses about as many points a game as its level says.

A bot at temperature t plays a move that costs c points with a weight of exp(-c / t).
"""

from math import exp
from random import Random

from knobel.coach.sheet import MoveValue, open_coach
from knobel.game import Land, Move, play
from knobel.games.sheet import SheetGame
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.book_cache import read_note, write_note
from knobel.solver.solve import ProgressCallback

CALIBRATION_GAMES = 60
CALIBRATION_PASSES = 4
NOTE_KIND = "human"
MAX_TEMPERATURES = 256
TEMPERATURES: dict[tuple[str, int], float] = {}
"""The temperatures known in this process, by fingerprint of the rules and points lost a game."""


def draw_move(moves: list[MoveValue], temperature: float, random: Random) -> Move:
    """Draw a move at random: costly moves are rarer, less so at higher temperatures."""
    weights = [exp(-one.loss / temperature) for one in moves]
    return random.choices([one.move for one in moves], weights)[0]


def calibrate_level(rules: SheetRules, loss: int, progress: ProgressCallback | None = None) -> float:
    """Find the temperature of a level; it is calibrated once per ruleset and stored beside the book."""
    known = find_known_temperature(rules, loss)
    if known is None:
        known = remember_temperature(rules, loss, calibrate_temperature(rules, loss, progress))
        write_note(rules, NOTE_KIND, {"warmth": {**read_temperatures(rules), str(loss): known}})
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


def calibrate_temperature(rules: SheetRules, loss: int, progress: ProgressCallback | None = None) -> float:
    """Play some games, compute what the bot would have lost in them, correct the temperature, and repeat."""
    random = Random(loss)  # noqa: S311
    temperature = 0.02 * loss
    for number in range(CALIBRATION_PASSES):
        costs: list[list[float]] = []
        for game in range(CALIBRATION_GAMES):
            costs += collect_move_costs(rules, temperature, random)
            if progress:
                progress((number * CALIBRATION_GAMES + game + 1) / (CALIBRATION_PASSES * CALIBRATION_GAMES))
        temperature = solve_temperature(costs, loss * CALIBRATION_GAMES)
    return temperature


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


def solve_temperature(costs: list[list[float]], target: float) -> float:
    """Find by bisection the temperature at which these decisions would have cost this much in total."""
    import numpy as np

    losses = np.zeros((len(costs), max(map(len, costs), default=0)))
    offered = np.zeros(losses.shape)
    for row, choice in enumerate(costs):
        losses[row, : len(choice)] = choice
        offered[row, : len(choice)] = 1
    low, high = 1e-3, 100.0
    for _ in range(40):
        middle = (low * high) ** 0.5
        weights = offered * np.exp(-losses / middle)
        if ((weights * losses).sum(axis=1) / weights.sum(axis=1)).sum() < target:
            low = middle
        else:
            high = middle
    return float((low * high) ** 0.5)
