"""A bot that looks only at its best box right now: it keeps the dice that count there and re-rolls the rest."""

from random import Random

from knobel.game import Announce, Move, Roll, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules.scoring import Box, find_pattern


def greedy_bot(game: SheetGame, state: SheetState, random: Random) -> Move:  # noqa: ARG001
    """Score when the best box is complete or no rolls are left; else re-roll what does not count in it."""
    if not state.dice:
        first = next(game.legal_moves(state))
        return first if isinstance(first, Roll) else choose_announcement(game, state)
    options = game.list_options(state)
    open_boxes = [box for box in game.rules.boxes if options[box.id].refusal is None]
    best = max(open_boxes, key=lambda box: (options[box.id].points, -game.rules.index[box.id]))
    keep = choose_keep(game, state, best)
    roll = Roll(keep)
    if len(keep) == game.rules.dice or game.refusal(state, roll) is not None:
        return Score(best.id)
    return roll


def choose_announcement(game: SheetGame, state: SheetState) -> Announce:
    """Announce the first open box; the hard ones are at the bottom of the sheet."""
    return Announce(game.rules.boxes[state.column.open_boxes[0]].id)


def choose_keep(game: SheetGame, state: SheetState, box: Box) -> tuple[int, ...]:
    """Find the positions of the dice that count in this box, and of the locked ones."""
    if box.pattern.name == "sum":
        high = [place for place, die in enumerate(state.dice) if 2 * die > game.rules.faces + 1]
        return tuple(sorted({*high, *state.locked}))
    group = find_pattern(box.pattern, state.hand) or ()
    kept = game.find_positions(state, group) or ()
    return tuple(sorted({*kept, *state.locked}))
