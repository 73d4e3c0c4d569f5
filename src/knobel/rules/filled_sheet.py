"""A sheet as somebody gives it, box by box, checked against the rules and read into a column."""

from collections.abc import Mapping

from knobel.errors import ImpossiblePoints, UnknownBox
from knobel.phrase import BoxName
from knobel.rules.column import Column, build_column, list_mixed_worths, possible_points
from knobel.rules.fields import abbreviate, check_type
from knobel.rules.scoring import joker_worth, worth
from knobel.rules.sheet_rules import SheetRules


def read_sheet(rules: SheetRules, entries: Mapping[str, int]) -> Column:
    """Read points by the id of their box into a column."""
    check_type("sheet", entries, Mapping)
    for box, points in entries.items():
        if box not in rules.index:
            raise UnknownBox(name=abbreviate(box), known=tuple(rules.index))
        check_type(box, points, int)
        if points not in (allowed := possible_points(rules, box)):
            raise ImpossiblePoints(box=BoxName(box), points=points, allowed=allowed)
    return build_column(rules, entries, yatzys=count_yatzys(rules, entries))


def count_yatzys(rules: SheetRules, entries: Mapping[str, int]) -> int:
    """Count the turns of all dice alike that can be seen on the sheet: points that no other dice can have scored."""
    yatzy = rules.yatzy
    if yatzy is None:
        return 0
    boxes = {yatzy.box, *([rules.chance.box] if rules.chance and yatzy.second else ())}
    alike = [box for box in boxes if entries.get(box) and entries[box] not in list_mixed_worths(rules, box)]
    second = rules.chance is not None and rules.chance.box in alike and entries[rules.chance.box] == yatzy.second
    # Only a further Yatzy pays the second one, unless the first would have scored just as much there.
    return max(len(alike), 2) if second and yatzy.second not in list_alike_worths(rules) else len(alike)


def list_alike_worths(rules: SheetRules) -> set[int]:
    """List what dice all alike score in Chance without the second Yatzy, as a joker too."""
    chance = next(box for box in rules.boxes if rules.chance and box.id == rules.chance.box)
    hands = [(face,) * rules.dice for face in range(1, rules.faces + 1)]
    return {score(chance, hand) for score in (worth, joker_worth) for hand in hands}
