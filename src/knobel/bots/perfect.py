"""Bots that open the book: one never errs, one errs by about as many points a game as you like."""

from collections.abc import Callable
from math import exp
from random import Random

from knobel.coach.sheet import MoveValue, find_open_coach, load_cached_coach, open_coach
from knobel.errors import BotLossOutOfRange
from knobel.game import Land as Landing
from knobel.game import Move, play
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.book_cache import build_book, lock_book, read_note, read_values, write_note
from knobel.solver.solve import ProgressCallback

MAX_LOSS = 100
CALIBRATION_GAMES = 60
CALIBRATION_PASSES = 4
NOTE_KIND = "human"
TEMPERATURES: dict[tuple[str, int], float] = {}
"""How warm a head must be, by rules and loss, as far as it was asked."""

PROSPECTS_LEVEL = "ahead"
"""The level of somebody who does not play but explains: the coach, who wants to see what lies ahead of each move."""


def perfect_bot(game: SheetGame, state: SheetState, random: Random) -> Move:  # noqa: ARG001
    """Play the move with the highest expected total."""
    return open_coach(game.rules_for(state.player)).rank_moves(game, state)[0].move


def prepare_bot(rules: SheetRules, level: str, progress: ProgressCallback) -> None:
    """Open the book, and find how warm a head must be, before the game rather than in the middle of it."""
    open_coach(rules, None, progress)
    if level:
        find_temperature(rules, int(level), progress)


def is_ready(rules: SheetRules, level: str) -> bool:
    """Tell whether a bot can move at once: its book is open, and it knows how warm its head must be."""
    found = find_open_coach(rules)
    if level == PROSPECTS_LEVEL:
        return found is not None and found.prospects is not None
    return found is not None and (not level or (rules.fingerprint, int(level)) in TEMPERATURES)


def load_cached_book(rules: SheetRules, level: str) -> bool:
    """Open what lies on the shelf; tells whether that is all a bot needs."""
    found = load_cached_coach(rules)
    if found is None or level == PROSPECTS_LEVEL:
        return found is not None and found.load_prospects(build=False)
    return not level or find_known_temperature(rules, int(level)) is not None


def build_bot_data(rules: SheetRules, level: str, progress: ProgressCallback) -> None:
    """Write down here and now what is needed: the book, then how warm a head must be, or what lies ahead."""
    parts = 2 if level else 1
    with lock_book(rules.fingerprint):
        if read_values(rules, None) is None:
            build_book(rules, lambda done: progress(done / parts))
    if level == PROSPECTS_LEVEL:
        open_coach(rules).save_prospects(lambda done: progress((1 + done) / parts))
    elif level:
        find_temperature(rules, int(level), lambda done: progress((1 + done) / parts))


def make_human_bot(loss: str) -> Callable[[SheetGame, SheetState, Random], Move]:
    """Make a bot that loses about so many points a game by choosing slightly worse moves."""
    if not loss.isdecimal() or not 1 <= int(loss) <= MAX_LOSS:
        raise BotLossOutOfRange(value=loss, most=MAX_LOSS)

    def move(game: SheetGame, state: SheetState, random: Random) -> Move:
        rules = game.rules_for(state.player)
        return draw_move(open_coach(rules).rank_moves(game, state), find_temperature(rules, int(loss)), random)

    return move


def draw_move(moves: list[MoveValue], temperature: float, random: Random) -> Move:
    """Draw a move: the more it costs, the rarer, and the warmer the head, the less that matters."""
    weights = [exp(-one.loss / temperature) for one in moves]
    return random.choices([one.move for one in moves], weights)[0]


def find_temperature(rules: SheetRules, loss: int, progress: ProgressCallback | None = None) -> float:
    """Find how warm a head must be to lose so many points a game; found once for each ruleset and kept."""
    known = find_known_temperature(rules, loss)
    if known is None:
        known = TEMPERATURES[rules.fingerprint, loss] = calibrate_temperature(rules, loss, progress)
        write_note(rules, NOTE_KIND, {"warmth": {**read_temperatures(rules), str(loss): known}})
    return known


def find_known_temperature(rules: SheetRules, loss: int) -> float | None:
    """Remember how warm a head must be, or look it up."""
    key = (rules.fingerprint, loss)
    if key not in TEMPERATURES and isinstance(found := read_temperatures(rules).get(str(loss)), float):
        TEMPERATURES[key] = found
    return TEMPERATURES.get(key)


def read_temperatures(rules: SheetRules) -> dict[str, object]:
    """Read what was found for these rules before."""
    found = (read_note(rules, NOTE_KIND) or {}).get("warmth")
    return dict(found) if isinstance(found, dict) else {}


def calibrate_temperature(rules: SheetRules, loss: int, progress: ProgressCallback | None = None) -> float:
    """Play some games, see what such a head would have lost in them, and correct it, a few times."""
    random = Random(loss)  # noqa: S311
    warm = 0.02 * loss
    for number in range(CALIBRATION_PASSES):
        costs: list[list[float]] = []
        for game in range(CALIBRATION_GAMES):
            costs += collect_move_costs(rules, warm, random)
            if progress:
                progress((number * CALIBRATION_GAMES + game + 1) / (CALIBRATION_PASSES * CALIBRATION_GAMES))
        warm = solve_temperature(costs, loss * CALIBRATION_GAMES)
    return warm


def collect_move_costs(rules: SheetRules, temperature: float, random: Random) -> list[list[float]]:
    """Play a game alone and note at every decision what each move would have cost."""
    game = SheetGame(rules, practice=True)
    state, known, found = game.start(1, 0), open_coach(rules), []
    while state.seat is not None:
        fall = game.pending_roll(state)
        if fall:
            state = play(game, state, Landing(tuple(random.randint(1, rules.faces) for _ in fall.positions)))
            continue
        moves = known.rank_moves(game, state)
        if len(moves) > 1:
            found.append([one.loss for one in moves])
        state = play(game, state, draw_move(moves, temperature, random))
    return found


def solve_temperature(costs: list[list[float]], target: float) -> float:
    """Find the warmth at which these decisions would have cost so much together."""
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


def expected_loss(losses: list[float], temperature: float) -> float:
    """Say what a decision costs on average at a warmth."""
    weights = [exp(-loss / temperature) for loss in losses]
    return sum(weight * loss for weight, loss in zip(weights, losses, strict=True)) / sum(weights)
