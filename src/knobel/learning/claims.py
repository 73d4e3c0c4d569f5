"""What the sentences of lessons claim about a position: one is shown only where the best move agrees with it."""

from collections.abc import Callable, Mapping
from typing import Any

from knobel.game import Move, Roll, Score, Stand
from knobel.games.round_state import OVER, UNDER
from knobel.learning.chances import average_of_die
from knobel.learning.scenes import Scene
from knobel.phrase import BoxName, FormattedNumber, Value

Claim = Callable[[Scene, Move, Mapping[str, Value]], bool]
"""Tells from a position, its best move and the numbers of a sentence whether the sentence holds there."""


def claim_nothing(scene: Scene, best: Move, figures: Mapping[str, Value]) -> bool:  # noqa: ARG001
    """Hold everywhere: the sentence is about numbers alone."""
    return True


def read_number(figure: Value) -> float:
    return figure.value if isinstance(figure, FormattedNumber) else float(str(figure))


def find_points(scene: Scene, best: Move) -> int | None:
    """Find what the best move scores, if it scores."""
    game: Any = scene.game
    return game.list_options(scene.state)[best.box].points if isinstance(best, Score) else None


def score_above(scene: Scene, best: Move, figures: Mapping[str, Value]) -> bool:  # noqa: ARG001
    """Agree that dice of one face belong in the upper half."""
    rules: Any = scene.game.rules
    return isinstance(best, Score) and rules.boxes[rules.index[best.box]].face is not None


def cross_out_named(scene: Scene, best: Move, figures: Mapping[str, Value]) -> bool:
    """Agree that the box that is named as the least missed gets the zero."""
    return find_points(scene, best) == 0 and isinstance(best, Score) and figures["box"] == BoxName(best.box)


def score_single_point(scene: Scene, best: Move, figures: Mapping[str, Value]) -> bool:  # noqa: ARG001
    """Agree that a single point is better than a zero elsewhere."""
    return find_points(scene, best) == 1


def score_pair_where_more(scene: Scene, best: Move, figures: Mapping[str, Value]) -> bool:  # noqa: ARG001
    """Agree that a pair belongs where it leads to more."""
    is_below = isinstance(best, Score) and figures["box"] == BoxName(best.box)
    return is_below == (read_number(figures["below"]) >= read_number(figures["above"]))


def keep_above_average(scene: Scene, best: Move, figures: Mapping[str, Value]) -> bool:  # noqa: ARG001
    """Agree that where the sum counts all dice above the average of those to be rolled are kept, and no others."""
    rules = scene.game.rules
    average = average_of_die(rules.faces, rules.rolls - scene.state.rolls_used)
    return list_kept(scene, best) == sorted(die for die in scene.state.dice if die > average)


def list_kept(scene: Scene, best: Move) -> list[int] | None:
    """List the dice that the best move keeps, if it rolls."""
    return sorted(scene.state.dice[place] for place in best.keep) if isinstance(best, Roll) else None


def choose_less_beaten(scene: Scene, best: Move, figures: Mapping[str, Value]) -> bool:
    """Agree that a total up to the one named goes where it is beaten less often."""
    if sum(scene.state.dice) > read_number(figures["total"]):
        return True
    return best == Stand(UNDER if read_number(figures["under"]) <= read_number(figures["over"]) else OVER)


def choose_over_from_total(scene: Scene, best: Move, figures: Mapping[str, Value]) -> bool:
    """Agree that over is better from a total on, and under below it."""
    return best == Stand(OVER if sum(scene.state.dice) >= read_number(figures["total"]) else UNDER)


def roll_middle_dice(scene: Scene, best: Move, figures: Mapping[str, Value]) -> bool:
    """Agree to keep dice on one side of the average alone."""
    kept, mean = list_kept(scene, best), read_number(figures["mean"])
    return kept is not None and len({die > mean for die in kept}) <= 1


def keep_big_dice(scene: Scene, best: Move, figures: Mapping[str, Value]) -> bool:
    """Agree to keep nothing but dice above the average."""
    kept = list_kept(scene, best)
    return kept is not None and all(die > read_number(figures["mean"]) for die in kept)


def keep_small_dice(scene: Scene, best: Move, figures: Mapping[str, Value]) -> bool:
    """Agree to keep nothing but dice below the average."""
    kept = list_kept(scene, best)
    return kept is not None and all(die < read_number(figures["mean"]) for die in kept)


def roll_on(scene: Scene, best: Move, figures: Mapping[str, Value]) -> bool:  # noqa: ARG001
    return isinstance(best, Roll)


def stand(scene: Scene, best: Move, figures: Mapping[str, Value]) -> bool:  # noqa: ARG001
    return isinstance(best, Stand)
