"""What can be seen of a turn of real dice that is to be corrected: what it was, and what it could be instead."""

from msgspec import Struct

from knobel.record.replay import check_real_dice
from knobel.table import Table
from knobel.view.families import find_family
from knobel.view.sentences import Translate


def draw_turn(table: Table, seat: int, box: str, dice: str, say: Translate) -> Struct:
    """Show the turn behind an entry of real dice, perhaps with other dice."""
    check_real_dice(table.replay, seat)
    return find_family(table).build_turn(table.replay.track(seat), seat, box, dice, say)
