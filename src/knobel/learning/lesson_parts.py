"""What the lessons of score-sheet games share: boxes of a kind, moves to offer, averages of a sheet."""

from collections.abc import Iterator, Sequence

from knobel.coach.sheet import SheetCoach
from knobel.dice import Hand
from knobel.game import Score
from knobel.games.sheet import SheetGame
from knobel.learning.scenes import FREE, Scene
from knobel.rules.column import build_column
from knobel.rules.scoring import Box
from knobel.rules.sheet_rules import SheetRules


def is_free(rules: SheetRules) -> bool:
    return rules.order == FREE


def has_rerolls(rules: SheetRules) -> bool:
    return rules.rolls > 1


def list_upper(rules: SheetRules) -> list[Box]:
    """List the boxes of single faces, the highest face last."""
    return sorted((box for box in rules.boxes if box.face is not None), key=lambda box: box.face or 0)


def count_of_each(rules: SheetRules) -> int:
    """Count about how many of each face reach the bonus, if all upper boxes get equally many."""
    whole = sum(box.face or 0 for box in list_upper(rules))
    return max(1, round(rules.bonus.goal / whole)) if rules.bonus and whole else (rules.dice + 1) // 2


def rank_scores(scene: Scene, game: SheetGame) -> list[Score]:
    """List the boxes that could be scored now, the most points first."""
    options = game.list_options(scene.state)
    allowed = [box for box, option in options.items() if option.refusal is None]
    return [Score(box) for box in sorted(allowed, key=lambda box: (-options[box].points, game.rules.index[box]))]


def with_dice(scene: Scene, hands: Sequence[Hand], rolls_used: int) -> Iterator[Scene]:
    return (scene.roll(hand, rolls_used) for hand in hands)


def expect(game: SheetGame, coach: SheetCoach, entries: dict[str, int], yatzys: int = 0) -> float:
    """Give the total that a sheet with these entries leads to on average."""
    return coach.expected_total(game.rules, build_column(game.rules, entries, yatzys=yatzys))
