"""What dice score, box by box."""

from collections.abc import Mapping
from typing import TypeAlias, overload

from knobel.errors import IllegalAction, UnknownBox
from knobel.library.selection import DiceLike, RulesLike, parse_dice, resolve_rules
from knobel.rules.column import list_options, list_options_if_announced
from knobel.rules.families import expect_sheet_rules
from knobel.rules.fields import abbreviate, check_type
from knobel.rules.filled_sheet import read_sheet
from knobel.rules.hand import read_hand

Sheet: TypeAlias = Mapping[str, int | None]
"""Points by the id of their box; an open box has none, or is left out."""


@overload
def score(rules: RulesLike, dice: DiceLike, box: None = None, *, sheet: Sheet = ...) -> dict[str, int]: ...


@overload
def score(rules: RulesLike, dice: DiceLike, box: str, *, sheet: Sheet = ...) -> int: ...


def score(
    rules: RulesLike, dice: DiceLike, box: str | None = None, *, sheet: Sheet | None = None
) -> dict[str, int] | int:
    """Score dice in one box, or in every box where they may be scored now.

    Points include the extra points they earn. `sheet` holds what is scored already, as `Board.sheet` gives it. Where
    boxes are announced, each one is scored as if it had been.
    """
    played = expect_sheet_rules(resolve_rules(rules), str(rules))
    column, hand = read_sheet(played, take_used_boxes(sheet)), read_hand(played, parse_dice(dice))
    is_announced = played.order == "announced"
    options = (list_options_if_announced if is_announced else list_options)(played, column, hand)
    if box is None:
        return {name: one.points + one.extra for name, one in options.items() if one.refusal is None}
    check_type("box", box, str)
    if box not in options:
        raise UnknownBox(name=abbreviate(box), known=tuple(options))
    if (refusal := options[box].refusal) is not None:
        raise IllegalAction(why=refusal)
    return options[box].points + options[box].extra


def take_used_boxes(sheet: Sheet | None) -> Mapping[str, int]:
    """Leave out the open boxes of a sheet, which hold nothing."""
    if sheet is None:
        return {}
    check_type("sheet", sheet, Mapping)
    return {box: points for box, points in sheet.items() if points is not None}
