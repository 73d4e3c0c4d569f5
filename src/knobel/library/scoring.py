"""What dice score, box by box."""

from collections.abc import Mapping
from typing import overload

from knobel.errors import IllegalAction, UnknownBox
from knobel.library.selection import DiceLike, RulesLike, parse_dice, resolve_rules
from knobel.rules.column import list_options, list_options_if_announced
from knobel.rules.families import expect_sheet_rules
from knobel.rules.fields import abbreviate, check_type
from knobel.rules.filled_sheet import read_sheet
from knobel.rules.hand import read_hand


@overload
def score(rules: RulesLike, dice: DiceLike, box: None = None, *, sheet: Mapping[str, int] = ...) -> dict[str, int]: ...


@overload
def score(rules: RulesLike, dice: DiceLike, box: str, *, sheet: Mapping[str, int] = ...) -> int: ...


def score(
    rules: RulesLike, dice: DiceLike, box: str | None = None, *, sheet: Mapping[str, int] | None = None
) -> dict[str, int] | int:
    """Score dice in one box, or in every box where they may be scored now.

    Points include the extra points they earn. `sheet` holds what is scored already. Where boxes are announced, each one
    is scored as if it had been.
    """
    played = expect_sheet_rules(resolve_rules(rules), str(rules))
    column, hand = read_sheet(played, {} if sheet is None else sheet), read_hand(played, parse_dice(dice))
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
