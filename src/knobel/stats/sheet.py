"""What is counted of a column: every box, the bonus, dice all alike, and what came with the first roll."""

from collections.abc import Iterator
from typing import Any, cast

from knobel.dice import is_all_alike, sort_dice
from knobel.game import Score
from knobel.record.track import GameTrack
from knobel.rules.column import possible_points, tally
from knobel.rules.sheet_rules import SheetRules

BOX_PREFIX = "box."
FIXED_BOX_VALUES = 2
"""A box with these many possible values pays a fixed amount or nothing."""


def find_rules(track: GameTrack) -> SheetRules:
    rules: Any = track.game.rules
    return cast("SheetRules", rules)


def count_sheet(track: GameTrack, seat: int) -> dict[str, int]:
    """Count a column: points by box, upper total, bonus, turns with all dice alike, first-roll wonders."""
    rules = find_rules(track)
    local = track.local_seat(seat)
    column = track.state.columns[local]
    sums = tally(rules, column)
    counted = {f"{BOX_PREFIX}{box.id}": points or 0 for box, points in zip(rules.boxes, column.entries, strict=True)}
    if rules.bonus:
        counted |= {"upper": sums.upper, "bonus": int(sums.bonus > 0)}
    return counted | {"alike": column.yatzys, "first_roll": sum(list_wonders(track, rules, local))}


def list_wonders(track: GameTrack, rules: SheetRules, local: int) -> Iterator[bool]:
    """Say of each entry whether one roll gave all dice alike, or what a box with a fixed value wants."""
    for step in track.steps:
        state = step.before
        if (
            isinstance(step.action, Score)
            and state.player == local
            and state.rolls_used == 1
            and not step.action.anyway
        ):
            place = rules.index[step.action.box]
            is_paid = bool(step.after.columns[local].entries[place])
            is_fixed = len(possible_points(rules, step.action.box)) == FIXED_BOX_VALUES
            yield is_paid and (is_fixed or is_all_alike(sort_dice(state.dice)))


def list_standings(tracks: list[GameTrack]) -> list[tuple[int, ...]]:
    """List what everybody had whenever all had filled equally many boxes."""
    filled = [list_totals(track, seat) for track in tracks for seat in range(len(track.state.columns))]
    return list(zip(*filled, strict=False))


def list_totals(track: GameTrack, seat: int) -> list[int]:
    """List the total of a column after each of its entries, as they stand in the end."""
    rules, found = find_rules(track), list[int]()
    for step in track.steps:
        before, after = step.before.columns[seat], step.after.columns[seat]
        if before is not after and before != after:
            found.append(tally(rules, after).total)
    return found
