"""A ruleset as plain arrays, as the rest of the solver sees it."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from knobel.rules.column import Column, extra_yatzy_points, find_box_values
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import (
    ANNOUNCED,
    CHANCE_USED,
    LANES,
    LAST_BOX,
    LAST_RESORT,
    MATCH_USED,
    ROLLED_BEFORE,
    SCORED_BEFORE,
    SITUATIONS,
    TOP_DOWN,
    UPPER_USED,
    YATZY_ROLLED,
    YATZY_SCORED,
    YATZY_USED,
    Ints,
    LockArrays,
    OfferRules,
    SheetArrays,
    TurnDice,
)
from knobel.solver.multisets import LockPairs, Multisets, build_lock_pairs, build_multisets, group_steps
from knobel.solver.table_checks import check_lock_arrays, check_sheet_arrays, check_turn_dice

ORDERS = {"free": 0, "top_down": TOP_DOWN, "announced": ANNOUNCED}
CHANCE_RULES = {"free": 0, "last_resort": LAST_RESORT, "last_box": LAST_BOX}


@dataclass(frozen=True)
class Tables:
    """A ruleset as bits and numbers: which hand is offered which box for how many points.

    Dice all alike are worth different things on different columns, so each of their situations (whether the Yatzy box,
    the upper box of the face and Chance are used, and the flags) has a row of its own behind the plain hands.
    """

    rules: SheetRules
    multisets: Multisets
    flags: int
    worth: Ints
    extra: Ints
    scoring_boxes: Ints
    situation_rows: Ints
    is_upper: Ints
    upper_cap: int
    bonus: float
    offer: OfferRules
    alike_faces: Ints

    @cached_property
    def lock_pairs(self) -> LockPairs:
        return build_lock_pairs(self.multisets.dice, self.multisets.faces)

    @property
    def upper_states(self) -> int:
        """The number of distinct upper totals."""
        return self.upper_cap + 1

    @property
    def flag_states(self) -> int:
        """The number of distinct combinations of flags."""
        return count_flag_states(self.rules)

    @cached_property
    def stride(self) -> int:
        """How many numbers compiled code gives a column: its upper totals, and room to read past the last one."""
        highest = int(self.worth[:, self.is_upper > 0].max(initial=0))
        return round_up_to_strips(self.upper_states) + round_up_to_strips(highest)

    @cached_property
    def max_upper_totals(self) -> Ints:
        """For each set of used boxes how high the upper total can be; filled top down nobody asks."""
        if self.offer.order == TOP_DOWN:
            return np.zeros(1, np.int64)
        totals = np.zeros(1 << self.offer.box_count, np.int64)
        for box, most in enumerate(self.worth.max(axis=0) * self.is_upper):
            totals[1 << box : 2 << box] = totals[: 1 << box] + most
        return totals

    @cached_property
    def sheet_arrays(self) -> SheetArrays:
        arrays = SheetArrays(
            alike_faces=self.alike_faces,
            situation_rows=self.situation_rows,
            scoring_boxes=self.scoring_boxes,
            worth=self.worth.reshape(-1),
            extra=self.extra,
            is_upper=self.is_upper,
            offer=self.offer,
            upper_cap=self.upper_cap,
            stride=self.stride,
            flag_states=self.flag_states,
            points_limit=int(self.worth.max()) + 1,
            prime=self.rules.yatzy.prime if self.rules.yatzy else 0,
        )
        return check_sheet_arrays(arrays)

    @cached_property
    def turn_dice(self) -> TurnDice:
        sets = self.multisets
        groups, steps = group_steps(sets.smaller_starts, sets.smaller)
        dice = TurnDice(
            rolls=self.rules.rolls,
            first_hand=sets.first_hand,
            faces=sets.faces,
            larger=sets.larger * LANES,
            smaller_starts=sets.smaller_starts,
            smaller=sets.smaller * LANES,
            keep_groups=groups,
            keep_steps=steps * LANES,
            hand_chances=sets.hand_chances,
        )
        return check_turn_dice(dice)

    @cached_property
    def lock_arrays(self) -> LockArrays:
        if not self.rules.locked_dice:
            nothing = np.zeros(1, np.int64)
            return LockArrays(False, nothing, nothing, nothing, nothing, nothing[:0], np.zeros(1))
        pairs = self.lock_pairs
        arrays = LockArrays(
            enabled=True,
            pair_starts=pairs.pair_starts,
            union=pairs.union,
            smaller_starts=pairs.smaller_starts,
            smaller=pairs.smaller,
            parts=pairs.parts * LANES,
            roll_chances=pairs.roll_chances,
        )
        return check_lock_arrays(arrays, len(self.multisets.sets))


def round_up_to_strips(count: int) -> int:
    """Give the smallest multiple of LANES that is not smaller."""
    return -(-count // LANES) * LANES


def find_flags(rules: SheetRules) -> int:
    """Say which flags a column of these rules needs."""
    yatzy = rules.yatzy
    flags = YATZY_SCORED if yatzy and yatzy.prime else 0
    return flags | (YATZY_ROLLED if yatzy and yatzy.second and rules.chance else 0)


def count_flag_states(rules: SheetRules) -> int:
    return 1 << find_flags(rules).bit_count()


@lru_cache(maxsize=8)
def build_tables(rules: SheetRules) -> Tables:
    sets = build_multisets(rules.dice, rules.faces)
    flags = find_flags(rules)
    empty = Column((None,) * len(rules.boxes))
    worth = [find_box_values(rules, empty, hand) for hand in sets.hands]
    extra = [0] * len(worth)
    situation_rows = np.full((rules.faces + 1) * SITUATIONS, -1, np.int64)
    for face, situation, column in list_alike_situations(rules, flags) if rules.yatzy else []:
        situation_rows[face * SITUATIONS + situation] = len(worth)
        hand = (face,) * rules.dice
        worth.append(find_box_values(rules, column, hand))
        extra.append(extra_yatzy_points(rules, column, hand))
    scoring = [sum(1 << place for place, points in enumerate(values) if points) for values in worth]
    cap = rules.bonus.goal if rules.bonus else 0
    return Tables(
        rules=rules,
        multisets=sets,
        flags=flags,
        worth=np.array(worth, np.int64),
        extra=np.array(extra, np.int64),
        scoring_boxes=np.array(scoring, np.int64),
        situation_rows=situation_rows,
        is_upper=np.array([box.upper and cap > 0 for box in rules.boxes], np.int64),
        upper_cap=cap,
        bonus=float(rules.bonus.points if rules.bonus else 0),
        offer=build_offer_rules(rules),
        alike_faces=np.array([hand[0] if rules.yatzy and hand[0] == hand[-1] else 0 for hand in sets.hands], np.int64),
    )


def list_alike_situations(rules: SheetRules, flags: int) -> list[tuple[int, int, Column]]:
    """List for each face and situation a column on which dice all alike are worth what they are in it."""
    yatzy, chance = rules.yatzy, rules.chance
    found = []
    for face in range(1, rules.faces + 1):
        for situation in range(SITUATIONS):
            scored, rolled = bool(situation & SCORED_BEFORE), bool(situation & ROLLED_BEFORE)
            if scored and not (flags & YATZY_SCORED and situation & YATZY_USED):
                continue
            if rolled and not flags & YATZY_ROLLED:
                continue
            entries: list[int | None] = [None] * len(rules.boxes)
            match = rules.upper_box_by_face.get(face)
            if situation & UPPER_USED:
                entries = [0 if box.upper else None for box in rules.boxes]
            if match is not None and situation & MATCH_USED:
                entries[match] = 0
            if chance and situation & CHANCE_USED:
                entries[rules.index[chance.box]] = 0
            # The Yatzy box comes last: it may be one of the other two, and only its points matter.
            if yatzy and situation & YATZY_USED:
                entries[rules.index[yatzy.box]] = int(scored)
            found.append((face, situation, Column(tuple(entries), yatzys=int(rolled))))
    return found


def build_offer_rules(rules: SheetRules) -> OfferRules:
    yatzy, chance, flags = rules.yatzy, rules.chance, find_flags(rules)
    match_bits = {face: 1 << box for face, box in rules.upper_box_by_face.items()}
    # The flags a game needs take the lowest bits of its flag state, so one flag alone is always bit 1.
    scored_flag = 1 if flags & YATZY_SCORED else 0
    return OfferRules(
        order=ORDERS[rules.order],
        must_fit=rules.must_fit,
        chance_rule=CHANCE_RULES[chance.rule] if chance else 0,
        chance_bit=1 << rules.index[chance.box] if chance else 0,
        yatzy_bit=1 << rules.index[yatzy.box] if yatzy else 0,
        is_joker_forced=yatzy is not None and yatzy.joker == "forced",
        upper_bits=sum(1 << place for place, box in enumerate(rules.boxes) if box.upper),
        scored_flag=scored_flag,
        rolled_flag=1 + scored_flag if flags & YATZY_ROLLED else 0,
        box_count=len(rules.boxes),
        match_bits=np.array([match_bits.get(face, 0) for face in range(rules.faces + 1)], np.int64),
    )
