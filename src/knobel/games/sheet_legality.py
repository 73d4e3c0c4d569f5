"""What may be done on a score sheet; `rules` are those the player whose turn it is plays by."""

from collections.abc import Mapping

from knobel.game import EnterPoints, Score, refuse_faces
from knobel.games.sheet_state import SheetState
from knobel.phrase import BoxName, Phrase, phrase
from knobel.rules import column as sheet
from knobel.rules.column import Option
from knobel.rules.sheet_rules import SheetRules


def refuse_leave(state: SheetState, seat: int) -> Phrase | None:
    """Allow each seat to leave once."""
    if not 0 <= seat < len(state.columns):
        return phrase("rules.refusal.no_seat", seat=seat + 1, n=len(state.columns))
    return phrase("rules.refusal.gone") if seat in state.left else None


def refuse_roll(rules: SheetRules, state: SheetState, keep: tuple[int, ...]) -> Phrase | None:
    """Allow a roll while there are rolls left, of at least one die, with locked dice left alone."""
    dice = rules.dice
    if not state.dice:
        if needs_announcement(rules, state):
            return phrase("rules.refusal.announce_first")
        return phrase("rules.refusal.first_roll", n=dice) if keep else None
    if state.rolls_used >= rules.rolls:
        return phrase("rules.refusal.no_rolls", n=rules.rolls)
    if keep and (keep[0] < 0 or keep[-1] >= dice or tuple(sorted(set(keep))) != keep):
        return phrase("rules.refusal.no_die", n=dice)
    if len(keep) == dice:
        return phrase("rules.refusal.nothing_rolled")
    if state.locked and not set(state.locked) <= set(keep):
        return phrase("rules.refusal.locked", dice=" ".join(str(state.dice[place]) for place in state.locked))
    return None


def needs_announcement(rules: SheetRules, state: SheetState) -> bool:
    """Tell whether a box must be announced before the dice are rolled."""
    return rules.order == "announced" and state.announced is None and state.rolloff is None


def refuse_enter_dice(rules: SheetRules, state: SheetState, dice: tuple[int, ...]) -> Phrase | None:
    """Allow entering real dice on an empty tray."""
    if state.dice:
        return phrase("rules.refusal.dice_seen")
    if needs_announcement(rules, state):
        return phrase("rules.refusal.announce_first")
    return refuse_faces(dice, rules.dice, rules.faces)


def refuse_announce(rules: SheetRules, state: SheetState, box: str) -> Phrase | None:
    """Allow one open box to be announced, before the first roll."""
    if rules.order != "announced":
        return phrase("rules.refusal.no_announcing")
    if state.announced is not None or state.dice:
        return phrase("rules.refusal.announced_late")
    return refuse_box(rules, state, box)


def refuse_box(rules: SheetRules, state: SheetState, box: str) -> Phrase | None:
    """Refuse a box that is filled or not on this sheet."""
    if box not in rules.index:
        return phrase("rules.refusal.no_box", name=box)
    return phrase("rules.refusal.filled") if state.column.entries[rules.index[box]] is not None else None


def refuse_score(rules: SheetRules, state: SheetState, action: Score) -> Phrase | None:
    """Allow what the options allow; crossing out only where zeros are free."""
    if not state.dice:
        return phrase("rules.refusal.roll_first")
    if action.box not in rules.index:
        return phrase("rules.refusal.no_box", name=action.box)
    option = find_option(rules, state, action)
    bound = action.cross_out and option.points and not action.anyway and not can_cross_out(rules, state)
    if option.refusal is None and bound:
        return phrase("rules.refusal.no_cross_out")
    return option.refusal


def find_option(rules: SheetRules, state: SheetState, action: Score) -> Option:
    """Say what a box scores: by the rules, or by the dice alone where it is scored against them."""
    if not action.anyway:
        return list_options(rules, state)[action.box]
    return sheet.find_option_against_rules(rules, state.column, state.hand, action.box)


def can_cross_out(rules: SheetRules, state: SheetState) -> bool:
    """Tell whether a box may be crossed out where the dice would score."""
    return not sheet.is_bound(rules, state.column, state.hand)


def refuse_enter_points(rules: SheetRules, state: SheetState, action: EnterPoints) -> Phrase | None:
    """Allow only points that some dice could have scored in this box of this column."""
    if state.dice:
        return phrase("rules.refusal.dice_seen")
    if refused := refuse_box(rules, state, action.box):
        return refused
    if needs_announcement(rules, state) and not action.anyway:
        return phrase("rules.refusal.announce_first")
    possible = list_possible_entries(rules, state, action.box, action.anyway)
    if not possible:
        return find_main_refusal(rules, state, action.box)
    if action.points not in possible:
        return phrase("rules.refusal.points", box=BoxName(action.box), points=action.points, allowed=tuple(possible))
    extras = {extra for extra, _ in possible[action.points]}
    if action.extra not in extras:
        wanted = "rules.refusal.extra" if max(extras) else "rules.refusal.no_extra"
        return phrase(wanted, box=BoxName(action.box), points=action.points, extra=max(extras))
    if action.all_alike and (action.extra, True) not in possible[action.points]:
        return phrase("rules.refusal.not_alike", box=BoxName(action.box), points=action.points)
    return None


def list_possible_entries(
    rules: SheetRules, state: SheetState, box: str, anyway: bool
) -> dict[int, frozenset[tuple[int, bool]]]:
    """List the points that can be entered in a box, each with its extras and whether all dice were alike."""
    return sheet.list_possible_entries(rules, state.column, box, state.announced, anyway)


def find_main_refusal(rules: SheetRules, state: SheetState, box: str) -> Phrase | None:
    """Say why dice cannot be scored in a box now: the refusal that applies to most of them."""
    return sheet.find_main_refusal(rules, state.column, box, state.announced)


def list_options(rules: SheetRules, state: SheetState) -> Mapping[str, Option]:
    """Say what each box would score now, or why not."""
    return sheet.list_options(rules, state.column, state.hand, state.announced)
