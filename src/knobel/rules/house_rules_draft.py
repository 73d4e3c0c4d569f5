"""House rules from a form: what a table changes in a printed edition, written as a house-rule file."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from knobel.rules.sheet_rules import Bonus, SheetRules


@dataclass(frozen=True, slots=True)
class HouseRulesDraft:
    """What people change; no threshold means no bonus."""

    title: str
    base: str
    text: str
    rolls: int
    bonus: tuple[int, int] | None
    chance: str | None
    points: Mapping[str, int]
    dropped: tuple[str, ...]


def write_draft(draft: HouseRulesDraft, printed: SheetRules) -> str:
    """Write the file, with nothing in it that the edition says already."""
    heads = [f"title = {quote(draft.title)}", f"extends = {quote(draft.base)}", f"text = {quote(draft.text)}"]
    boxes = list(list_box_lines(draft, printed))
    return "\n".join([*heads, "", *list_rule_lines(draft, printed), *(["", "[boxes]", *boxes] if boxes else []), ""])


def list_single_changes(draft: HouseRulesDraft, printed: SheetRules) -> Iterator[HouseRulesDraft]:
    """Give every change of a draft alone, the rest as printed: so each mistake can be told, not only the first."""
    bonus = read_bonus(printed.bonus) if printed.bonus else None
    plain = HouseRulesDraft(draft.base, draft.base, draft.text, printed.rolls, bonus, None, {}, ())
    yield replace(plain, title=draft.title)
    yield replace(plain, rolls=draft.rolls)
    yield replace(plain, chance=draft.chance)
    if draft.bonus and bonus:
        yield replace(plain, bonus=(draft.bonus[0], bonus[1]))
        yield replace(plain, bonus=(bonus[0], draft.bonus[1]))
    for box in printed.boxes:
        if box.id in draft.points and box.id not in draft.dropped:
            yield replace(plain, points={box.id: draft.points[box.id]})
    yield replace(plain, dropped=draft.dropped)


def list_rule_lines(draft: HouseRulesDraft, printed: SheetRules) -> Iterator[str]:
    if draft.rolls != printed.rolls:
        yield f"rolls = {draft.rolls}"
    if draft.bonus != (printed.bonus and read_bonus(printed.bonus)):
        yield "bonus = false" if draft.bonus is None else write_bonus(*draft.bonus)
    if printed.chance and printed.chance.box in draft.dropped:
        yield "chance = false"
    elif printed.chance and draft.chance not in (None, printed.chance.rule):
        yield f"chance = {{ rule = {quote(str(draft.chance))} }}"
    if printed.yatzy and printed.yatzy.box in draft.dropped:
        yield "yatzy = false"
    elif printed.yatzy and printed.yatzy.second and printed.chance and printed.chance.box in draft.dropped:
        yield "yatzy = { second = 0 }"  # There is no box left that it would be scored in.


def list_box_lines(draft: HouseRulesDraft, printed: SheetRules) -> Iterator[str]:
    """Write the boxes that go, and those that pay something else."""
    for box in printed.boxes:
        if box.id in draft.dropped:
            yield f"{box.id} = false"
        elif draft.points.get(box.id, box.points) != box.points:
            yield f"{box.id} = {{ points = {draft.points[box.id]} }}"


def read_bonus(bonus: Bonus) -> tuple[int, int]:
    """Give the upper total it takes and what it pays, as a form shows them."""
    return bonus.goal, bonus.points


def write_bonus(threshold: int, points: int) -> str:
    return f"bonus = {{ threshold = {threshold}, points = {points}, strict = false }}"


def quote(text: str) -> str:
    """Write a string as TOML does."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
