"""Bots that open the book: one never errs, one errs by about as many points a game as you like."""

from collections.abc import Callable
from math import exp
from random import Random

from knobel.coach import Judged, coach, known_coach, shelved_coach
from knobel.errors import BotLoss
from knobel.game import Land as Landing
from knobel.game import Move, play
from knobel.games.sheet import Sheet, SheetState
from knobel.rules.ruleset import SheetRules
from knobel.solver.book import build, one_at_a_time, read_note, read_values, write_note
from knobel.solver.solve import Progress

MOST_LOSS = 100
GAMES = 60
ROUNDS = 4
KIND = "human"
WARM: dict[tuple[str, int], float] = {}
"""How warm a head must be, by rules and loss, as far as it was asked."""

AHEAD = "ahead"
"""The level of somebody who does not play but explains: the coach, who wants to see what lies ahead of each move."""


def perfect(game: Sheet, state: SheetState, random: Random) -> Move:  # noqa: ARG001
    """Play the move with the highest expected total."""
    return coach(game.rules_of(state.player)).judge(game, state)[0].move


def prepare(rules: SheetRules, level: str, progress: Progress) -> None:
    """Open the book, and find how warm a head must be, before the game rather than in the middle of it."""
    coach(rules, None, progress)
    if level:
        warmth(rules, int(level), progress)


def ready(rules: SheetRules, level: str) -> bool:
    """Tell whether a bot can move at once: its book is open, and it knows how warm its head must be."""
    found = known_coach(rules)
    if level == AHEAD:
        return found is not None and found.prospects is not None
    return found is not None and (not level or (rules.fingerprint, int(level)) in WARM)


def shelved(rules: SheetRules, level: str) -> bool:
    """Open what lies on the shelf; tells whether that is all a bot needs."""
    found = shelved_coach(rules)
    if found is None or level == AHEAD:
        return found is not None and found.look_ahead(write=False)
    return not level or known_warmth(rules, int(level)) is not None


def work_out(rules: SheetRules, level: str, progress: Progress) -> None:
    """Write down here and now what is needed: the book, then how warm a head must be, or what lies ahead."""
    parts = 2 if level else 1
    with one_at_a_time(rules.fingerprint):
        if read_values(rules, None) is None:
            build(rules, lambda done: progress(done / parts))
    if level == AHEAD:
        coach(rules).work_ahead(lambda done: progress((1 + done) / parts))
    elif level:
        warmth(rules, int(level), lambda done: progress((1 + done) / parts))


def human(loss: str) -> Callable[[Sheet, SheetState, Random], Move]:
    """Make a bot that loses about so many points a game by choosing slightly worse moves."""
    if not loss.isdecimal() or not 1 <= int(loss) <= MOST_LOSS:
        raise BotLoss(value=loss, most=MOST_LOSS)

    def move(game: Sheet, state: SheetState, random: Random) -> Move:
        rules = game.rules_of(state.player)
        return drawn(coach(rules).judge(game, state), warmth(rules, int(loss)), random)

    return move


def drawn(moves: list[Judged], warm: float, random: Random) -> Move:
    """Draw a move: the more it costs, the rarer, and the warmer the head, the less that matters."""
    weights = [exp(-one.loss / warm) for one in moves]
    return random.choices([one.move for one in moves], weights)[0]


def warmth(rules: SheetRules, loss: int, progress: Progress | None = None) -> float:
    """Find how warm a head must be to lose so many points a game; found once for each ruleset and kept."""
    known = known_warmth(rules, loss)
    if known is None:
        known = WARM[rules.fingerprint, loss] = calibrated(rules, loss, progress)
        write_note(rules, KIND, {"warmth": {**noted(rules), str(loss): known}})
    return known


def known_warmth(rules: SheetRules, loss: int) -> float | None:
    """Remember how warm a head must be, or look it up."""
    key = (rules.fingerprint, loss)
    if key not in WARM and isinstance(found := noted(rules).get(str(loss)), float):
        WARM[key] = found
    return WARM.get(key)


def noted(rules: SheetRules) -> dict[str, object]:
    """Read what was found for these rules before."""
    found = (read_note(rules, KIND) or {}).get("warmth")
    return dict(found) if isinstance(found, dict) else {}


def calibrated(rules: SheetRules, loss: int, progress: Progress | None = None) -> float:
    """Play some games, see what such a head would have lost in them, and correct it, a few times."""
    random = Random(loss)  # noqa: S311
    warm = 0.02 * loss
    for number in range(ROUNDS):
        costs: list[list[float]] = []
        for game in range(GAMES):
            costs += costs_of_game(rules, warm, random)
            if progress:
                progress((number * GAMES + game + 1) / (ROUNDS * GAMES))
        warm = solved(costs, loss * GAMES)
    return warm


def costs_of_game(rules: SheetRules, warm: float, random: Random) -> list[list[float]]:
    """Play a game alone and note at every decision what each move would have cost."""
    game = Sheet(rules, practice=True)
    state, known, found = game.start(1, 0), coach(rules), []
    while state.seat is not None:
        fall = game.falling(state)
        if fall:
            state = play(game, state, Landing(tuple(random.randint(1, rules.faces) for _ in fall.positions)))
            continue
        moves = known.judge(game, state)
        if len(moves) > 1:
            found.append([one.loss for one in moves])
        state = play(game, state, drawn(moves, warm, random))
    return found


def solved(costs: list[list[float]], wanted: float) -> float:
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
        if ((weights * losses).sum(axis=1) / weights.sum(axis=1)).sum() < wanted:
            low = middle
        else:
            high = middle
    return float((low * high) ** 0.5)


def expected(losses: list[float], warm: float) -> float:
    """Say what a decision costs on average at a warmth."""
    weights = [exp(-loss / warm) for loss in losses]
    return sum(weight * loss for weight, loss in zip(weights, losses, strict=True)) / sum(weights)
