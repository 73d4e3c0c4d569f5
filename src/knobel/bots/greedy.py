"""A bot that sees only its best box of the moment: it keeps the dice that count there and throws the rest."""

from random import Random

from knobel.game import Announce, Move, Roll, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules.scoring import Box, find_pattern


def greedy_bot(game: SheetGame, state: SheetState, random: Random) -> Move:  # noqa: ARG001
    """Write when the best box is made or the throws are up; else throw what does not count in it."""
    if not state.dice:
        first = next(game.legal_moves(state))
        return first if isinstance(first, Roll) else choose_announcement(game, state)
    options = game.list_options(state)
    free = [box for box in game.rules.boxes if options[box.id].refusal is None]
    best = max(free, key=lambda box: (options[box.id].points, -game.rules.index[box.id]))
    keep = choose_keep(game, state, best)
    throw = Roll(keep)
    if len(keep) == game.rules.dice or game.refusal(state, throw) is not None:
        return Score(best.id)
    return throw


def choose_announcement(game: SheetGame, state: SheetState) -> Announce:
    """Announce the lowest open box: what is hard comes last."""
    return Announce(game.rules.boxes[state.column.open_boxes[0]].id)


def choose_keep(game: SheetGame, state: SheetState, box: Box) -> tuple[int, ...]:
    """Find the positions of the dice that make this box, the locked ones among them."""
    if box.pattern.name == "sum":
        high = [place for place, die in enumerate(state.dice) if 2 * die > game.rules.faces + 1]
        return tuple(sorted({*high, *state.locked}))
    group = find_pattern(box.pattern, state.hand) or ()
    kept = game.find_positions(state, group) or ()
    return tuple(sorted({*kept, *state.locked}))
