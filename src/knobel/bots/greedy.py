"""A bot that sees only its best box of the moment: it keeps the dice that count there and throws the rest."""

from random import Random

from knobel.game import Announce, Fill, Move, Throw
from knobel.games.sheet import Sheet, SheetState
from knobel.rules.scoring import Box, find


def greedy(game: Sheet, state: SheetState, random: Random) -> Move:  # noqa: ARG001
    """Write when the best box is made or the throws are up; else throw what does not count in it."""
    if not state.dice:
        first = next(game.moves(state))
        return first if isinstance(first, Throw) else announce(game, state)
    options = game.options(state)
    free = [box for box in game.rules.boxes if options[box.id].refusal is None]
    best = max(free, key=lambda box: (options[box.id].points, -game.rules.index[box.id]))
    keep = keeping(game, state, best)
    throw = Throw(keep)
    if len(keep) == game.rules.dice or game.refusal(state, throw) is not None:
        return Fill(best.id)
    return throw


def announce(game: Sheet, state: SheetState) -> Announce:
    """Announce the lowest open box: what is hard comes last."""
    return Announce(game.rules.boxes[state.column.open[0]].id)


def keeping(game: Sheet, state: SheetState, box: Box) -> tuple[int, ...]:
    """Find the positions of the dice that make this box, the locked ones among them."""
    if box.pattern.name == "sum":
        high = [place for place, die in enumerate(state.dice) if 2 * die > game.rules.faces + 1]
        return tuple(sorted({*high, *state.locked}))
    group = find(box.pattern, state.hand) or ()
    kept = game.positions(state, group) or ()
    return tuple(sorted({*kept, *state.locked}))
