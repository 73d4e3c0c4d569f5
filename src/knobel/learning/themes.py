"""What a choice is about, found from the position and the two moves between which somebody hesitates."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from knobel.dice import is_all_alike
from knobel.game import Announce, Move, Roll, Score, Stand
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules.sheet_rules import SheetRules

ANNOUNCE, JOKER, CROSS_OUT, BONUS = "announce", "joker", "cross_out", "bonus"
STRAIGHT, ALL_ALIKE, BOX, STOP, KEEP, AIM = "straight", "all_alike", "box", "stop", "keep", "aim"
THEMES = (BONUS, CROSS_OUT, STRAIGHT, JOKER, ANNOUNCE, ALL_ALIKE, BOX, STOP, KEEP, AIM)
"""Every theme of every family, in the order in which they are offered."""

MIN_RUN = 3
"""So many different dice in a row are kept for a straight."""
MIN_ALIKE = 3
"""So many equal dice are kept for all dice alike."""


@dataclass(frozen=True, slots=True)
class SheetChoice:
    """A choice on a score sheet: the best move, and another one."""

    game: SheetGame
    state: SheetState
    best: Move
    other: Move

    @property
    def rules(self) -> SheetRules:
        return self.game.rules_for(self.state.player)

    @property
    def moves(self) -> tuple[Move, Move]:
        return self.best, self.other

    def list_kept(self, move: Move) -> tuple[int, ...]:
        """List the dice a move keeps, sorted; nothing if it is no roll."""
        return tuple(sorted(self.state.dice[place] for place in move.keep)) if isinstance(move, Roll) else ()

    def is_upper(self, move: Move) -> bool:
        """Tell whether a move scores in the upper half."""
        return isinstance(move, Score) and self.rules.boxes[self.rules.index[move.box]].upper

    def has_open(self, pattern: str) -> bool:
        """Tell whether a box of this pattern is open."""
        return any(self.rules.boxes[place].pattern.name == pattern for place in self.state.column.open_boxes)

    @property
    def is_yatzy_open(self) -> bool:
        """Whether the box for all dice alike is open."""
        yatzy = self.rules.yatzy
        return yatzy is not None and self.state.column.entries[self.rules.index[yatzy.box]] is None


def is_announcement(choice: SheetChoice) -> bool:
    return isinstance(choice.best, Announce)


def is_joker(choice: SheetChoice) -> bool:
    """Tell whether all dice are alike once more: their own box is filled."""
    has_box = choice.rules.yatzy is not None
    return has_box and not choice.is_yatzy_open and bool(choice.state.dice) and is_all_alike(choice.state.hand)


def is_crossing_out(choice: SheetChoice) -> bool:
    """Tell whether the best move scores nothing."""
    best = choice.best
    return isinstance(best, Score) and choice.game.list_options(choice.state)[best.box].points == 0


def is_about_bonus(choice: SheetChoice) -> bool:
    """Tell whether one move scores in the upper half and the other one does not, where there is a bonus."""
    is_entry = all(isinstance(move, Score) for move in choice.moves)
    return has_bonus(choice.rules) and is_entry and choice.is_upper(choice.best) != choice.is_upper(choice.other)


def is_straight_or_alike(choice: SheetChoice) -> bool:
    """Tell whether one move keeps a part of a straight and the other one equal dice."""
    kept = [choice.list_kept(move) for move in choice.moves]
    runs = [len(dice) >= MIN_RUN and len(set(dice)) == len(dice) for dice in kept]
    alike = [max(Counter(dice).values(), default=0) > 1 for dice in kept]
    return choice.has_open("run") and ((runs[0] and alike[1]) or (runs[1] and alike[0]))


def is_for_all_alike(choice: SheetChoice) -> bool:
    """Tell whether one move alone keeps equal dice and nothing else, while the box for all dice alike is open."""
    kept = [choice.list_kept(move) for move in choice.moves]
    chasing = [len(dice) >= MIN_ALIKE and is_all_alike(dice) for dice in kept]
    return choice.is_yatzy_open and chasing[0] != chasing[1]


SHEET_THEMES: dict[str, Callable[[SheetChoice], bool]] = {
    ANNOUNCE: is_announcement,
    JOKER: is_joker,
    CROSS_OUT: is_crossing_out,
    BONUS: is_about_bonus,
    STRAIGHT: is_straight_or_alike,
    ALL_ALIKE: is_for_all_alike,
}
"""The themes of a score sheet; the first that fits counts."""


THEMES_OF_BEST_MOVE = (ANNOUNCE, JOKER, CROSS_OUT)
"""The themes that depend on the position and its best move alone."""


def may_be_sheet_theme(theme: str, game: SheetGame, state: SheetState, best: Move) -> bool:
    """Tell whether a choice can have a theme, before anybody looks for a tempting move."""
    return theme not in THEMES_OF_BEST_MOVE or SHEET_THEMES[theme](SheetChoice(game, state, best, best))


def has_bonus(rules: SheetRules) -> bool:
    """Tell whether the upper half earns a bonus; house rules may give 0 points for it."""
    return rules.bonus is not None and rules.bonus.points > 0


def scores_all_alike_again(rules: SheetRules) -> bool:
    """Tell whether all dice alike score something special once more."""
    yatzy = rules.yatzy
    return yatzy is not None and (yatzy.joker != "none" or yatzy.prime > 0 or yatzy.second > 0)


def has_sheet_theme(rules: SheetRules, theme: str) -> bool:
    """Tell whether puzzles of a theme can be expected by some rules."""
    is_chosen, can_roll_again = rules.order == "free", rules.rolls > 1
    needed = {
        ANNOUNCE: rules.order == "announced",
        JOKER: is_chosen and scores_all_alike_again(rules),
        ALL_ALIKE: rules.yatzy is not None and rules.dice > MIN_ALIKE and can_roll_again,
        BONUS: has_bonus(rules) and is_chosen,
        BOX: is_chosen,
        CROSS_OUT: rules.order != "top_down",
        STRAIGHT: any(box.pattern.name == "run" for box in rules.boxes) and rules.dice > MIN_RUN and can_roll_again,
        KEEP: can_roll_again,
        STOP: can_roll_again,
    }
    return needed[theme]


def find_sheet_theme(game: SheetGame, state: SheetState, best: Move, other: Move) -> str:
    """Find the theme of a choice on a score sheet."""
    choice = SheetChoice(game, state, best, other)
    found = next((name for name, fits in SHEET_THEMES.items() if fits(choice)), None)
    return found or find_plain_theme(best, other)


def find_plain_theme(best: Move, other: Move) -> str:
    """Find the theme of a choice by its moves alone: which box or aim, whether to stop, or which dice to keep."""
    rolls = [isinstance(move, Roll) for move in (best, other)]
    if rolls[0] != rolls[1]:
        return STOP
    if rolls[0]:
        return KEEP
    return AIM if isinstance(best, Stand) else BOX
