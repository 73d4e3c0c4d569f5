"""The lessons of score-sheet games, and what the rules must have for each."""

from knobel.learning.box_lessons import (
    compute_announce,
    compute_bonus,
    compute_cross_out,
    compute_joker,
    compute_pair,
    find_pair_box,
    list_announce_scenes,
    list_bonus_scenes,
    list_cross_out_scenes,
    list_joker_scenes,
    list_pair_scenes,
)
from knobel.learning.claims import (
    claim_nothing,
    cross_out_named,
    keep_above_average,
    score_above,
    score_pair_where_more,
    score_single_point,
)
from knobel.learning.keep_lessons import (
    compute_all_alike,
    compute_house,
    compute_last_box,
    compute_locked,
    compute_stop,
    compute_straight,
    compute_sum,
    compute_two_pairs,
    find_straight,
    find_sum_box,
    list_all_alike_scenes,
    list_house_scenes,
    list_last_box_scenes,
    list_locked_scenes,
    list_stop_scenes,
    list_straight_scenes,
    list_sum_scenes,
    list_two_pairs_scenes,
)
from knobel.learning.lesson import Lesson, lacks
from knobel.learning.lesson_parts import has_rerolls, is_free, list_upper
from knobel.learning.scenes import ANNOUNCED, TOP_DOWN, find_all_alike_box, find_boxes
from knobel.learning.themes import (
    ALL_ALIKE,
    ANNOUNCE,
    BONUS,
    CROSS_OUT,
    JOKER,
    STOP,
    STRAIGHT,
    has_bonus,
    scores_all_alike_again,
)
from knobel.rules.sheet_rules import SheetRules


def has_upper_bonus(rules: SheetRules) -> bool:
    return has_bonus(rules) and bool(list_upper(rules))


def is_announced(rules: SheetRules) -> bool:
    return rules.order == ANNOUNCED


def is_not_announced(rules: SheetRules) -> bool:
    return rules.order != ANNOUNCED


def has_house(rules: SheetRules) -> bool:
    return bool(find_boxes(rules, "house")) and rules.dice >= 4


SHEET_LESSONS = (
    Lesson(
        "bonus",
        lacks(bonus=has_upper_bonus, order=is_free),
        list_bonus_scenes,
        compute_bonus,
        BONUS,
        claims=(score_above, score_above),
    ),
    Lesson(
        "cross_out",
        lacks(order=is_free),
        list_cross_out_scenes,
        compute_cross_out,
        CROSS_OUT,
        claims=(cross_out_named, score_single_point),
    ),
    Lesson(
        "straight", lacks(straight=find_straight, rolls=has_rerolls), list_straight_scenes, compute_straight, STRAIGHT
    ),
    Lesson("full_house", lacks(house=has_house, rolls=has_rerolls), list_house_scenes, compute_house),
    Lesson("two_pairs", lacks(house=has_house, rolls=has_rerolls), list_two_pairs_scenes, compute_two_pairs),
    Lesson(
        "all_alike",
        lacks(all_alike=lambda r: find_all_alike_box(r) and r.dice > 3, rolls=has_rerolls),
        list_all_alike_scenes,
        compute_all_alike,
        ALL_ALIKE,
    ),
    Lesson("joker", lacks(joker=scores_all_alike_again, order=is_free), list_joker_scenes, compute_joker, JOKER),
    Lesson(
        "pair",
        lacks(pair=find_pair_box, order=is_free),
        list_pair_scenes,
        compute_pair,
        claims=(score_pair_where_more, claim_nothing),
    ),
    Lesson("stop", lacks(rolls=has_rerolls, order=is_not_announced), list_stop_scenes, compute_stop, STOP),
    Lesson(
        "chance",
        lacks(sum=find_sum_box, rolls=has_rerolls),
        list_sum_scenes,
        compute_sum,
        claims=(keep_above_average, keep_above_average),
    ),
    Lesson(
        "last_box",
        lacks(nothing=list_upper, rolls=has_rerolls, order=lambda r: r.order != TOP_DOWN),
        list_last_box_scenes,
        compute_last_box,
    ),
    Lesson("announce", lacks(announce=is_announced), list_announce_scenes, compute_announce, ANNOUNCE),
    Lesson("locked", lacks(locked=lambda r: r.locked_dice, rolls=has_rerolls), list_locked_scenes, compute_locked),
)
