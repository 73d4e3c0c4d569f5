"""What compiled code and its callers share: constants, and the named tuples that kernels are given.

Nothing here needs numba: opening a book must not wait for a compiler. The functions are plain Python and are compiled
again where a kernel uses them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
SingleFloats = NDArray[np.float32]
LaneMasks = NDArray[np.uint16]
Records = NDArray[np.uint64]

LANES = 16
"""How many neighbouring upper totals are worked out together: a strip, one lane for each of them."""

CACHE_LINE = 64
"""How many bytes of memory a processor fetches together."""

WORST_VALUE = -1e18
"""Below every value a position can have: what must never be chosen starts here."""

TIE_TOLERANCE = 1e-11
"""Values this close count as equal, so that rounding never decides which of two moves is played."""

TOP_DOWN, ANNOUNCED = 1, 2
"""Orders of filling the column; 0 is any order."""

NO_BOX = -1
"""Where a box may be announced: none is."""

LAST_RESORT, LAST_BOX = 1, 2
"""When Chance may be used: if nothing else fits, or when every other box is used; 0 is any time."""

YATZY_SCORED, YATZY_ROLLED = 1, 2
"""Flags a column may need: its Yatzy box holds points; an earlier turn ended with all dice alike."""

YATZY_USED, MATCH_USED, CHANCE_USED, SCORED_BEFORE, ROLLED_BEFORE, UPPER_USED = 1, 2, 4, 8, 16, 32
"""Bits of a situation: used boxes (Match is the upper one of the face, Upper all upper ones), and the two flags."""

SITUATIONS = 64
"""How many situations the six bits make."""

NEGLIGIBLE_CHANCE = 1e-24
"""Ends of a position's points less likely than this in the whole game are left out of the odds."""

SINGLE_TIE_TOLERANCE = 2e-5
"""The same in single precision, where distances of up to a hundred points are rounded to about 4e-6."""

MOMENT_STRIPS = 3
"""How many strips a multiset has where its spread is worked out: value, square and cube."""

ENTRY_SIZE = 4
"""How many places an entry takes where rows are valued."""

NO_PLACE = -1
"""Said of a column that no position of a level has: nothing can come from there."""

NO_ZERO, ANY_ZERO, ZERO_EXCEPT_CHANCE = 0, 1, 2
"""Which open boxes a hand may cross out, besides the choices listed for it."""


OPEN_SIZE, AFTER_PLAIN, AFTER_ALIKE, IF_SCORED = 4, 1, 2, 3
"""How many places an open box takes, and which of them say where the book goes on after most hands and after dice all
alike, and how much further where the Yatzy box gets points; the first one is the number of the box."""


class OfferRules(NamedTuple):
    """Which boxes a hand may be scored in.

    Boxes are bits, the first box of the sheet the lowest; 0 is no box. `scored_flag` and `rolled_flag` are the bits a
    flag state has for the two flags, 0 where the game needs none.
    """

    order: int
    must_fit: bool
    chance_rule: int
    chance_bit: int
    yatzy_bit: int
    is_joker_forced: bool
    upper_bits: int
    scored_flag: int
    rolled_flag: int
    box_count: int
    match_bits: Ints
    """The upper box of each face; the place of face 0, which no die has, is unused."""


class SheetArrays(NamedTuple):
    """The sheet: what hands are worth and which boxes they are offered.

    A row of `worth` has one number for each box. The first rows are the hands; hands of dice all alike have further
    rows, one for each situation, found by `situation_rows[face * SITUATIONS + situation]`.
    """

    alike_faces: Ints
    """For each hand the face of dice all alike, 0 for other hands and where such dice are nothing special."""
    situation_rows: Ints
    scoring_boxes: Ints
    """For each row the boxes worth more than nothing, as bits."""
    worth: Ints
    extra: Ints
    """For each row the points beside the box: the prime of a further Yatzy."""
    is_upper: Ints
    offer: OfferRules
    upper_cap: int
    stride: int
    """How many values a column takes in the book; behind the last upper total its value is repeated."""
    flag_states: int
    points_limit: int
    """More than any box can be worth."""
    prime: int


class TurnDice(NamedTuple):
    """The dice of a turn and every multiset of them, smallest first, the full hands last.

    `larger`, `smaller` and `keep_steps` name a multiset by the place of its strip, its number times LANES, which saves
    the inner loops a multiplication. `keep_groups` and `keep_steps` hold once more what `smaller` says, put together so
    that a loop over a group always goes round equally often: `group_steps` says how.
    """

    rolls: int
    first_hand: int
    faces: int
    larger: Ints
    smaller_starts: Ints
    smaller: Ints
    keep_groups: Ints
    keep_steps: Ints
    hand_chances: Floats


class LockArrays(NamedTuple):
    """Where kept dice stay: for each kept multiset every way to keep more, as pairs of kept and added dice.

    `smaller` names a pair by its distance from the first pair of the same kept multiset, `parts` the two that make it
    up by their strips. Games with free dice have arrays that nobody reads.
    """

    enabled: bool
    pair_starts: Ints
    union: Ints
    smaller_starts: Ints
    smaller: Ints
    parts: Ints
    roll_chances: Floats


class ColumnModel(NamedTuple):
    """All that best play depends on: the solved values, the dice and the sheet."""

    values: Floats
    dice: TurnDice
    lock: LockArrays
    sheet: SheetArrays


class StripAt(NamedTuple):
    """Where a strip of positions stands: used boxes as bits, the flag state, the upper total of the first lane."""

    mask: int
    flag_state: int
    lane: int


class ColumnBatch(NamedTuple):
    """Columns, each `mask * flag_states + flag_state`, and between which upper totals each is worked out."""

    numbers: Ints
    lowest_totals: Ints
    highest_totals: Ints


class ChoiceList(NamedTuple):
    """What hands may do on a column: the choices of each lie from its start to the next, each with its box and points.

    `hands` says which hands these are: all, or one for each kind that the column tells apart.
    `address` is where the book has the value after a choice, for the upper total 0: the strip that is looked at is
    added to it. Most hands may cross out most boxes; those zeros are the same for all of them and not listed.
    `open_places` has OPEN_SIZE places for each open box.
    """

    hands: Ints
    zero_kind: Ints
    starts: Ints
    boxes: Ints
    address: Ints
    points: Floats
    open_places: Ints


class TurnScratch(NamedTuple):
    """Strips for one turn: a value for each multiset, a second set of them, one for each pair of locked dice."""

    set_values: Floats
    spare_values: Floats
    pair_values: Floats


class SolveScratch(NamedTuple):
    """What valuing columns needs room for."""

    choices: ChoiceList
    turn: TurnScratch


class EntryScratch(NamedTuple):
    """The entries a column leads to, numbered as they are met: an entry is a box, its points and what follows.

    `ids` holds by key the number of an entry plus one, 0 for one not met. `chances` has `stride` lanes an entry.
    """

    ids: Ints
    chances: Floats
    stride: int
    of_choice: Ints
    of_zero: Ints


class BestMarks(NamedTuple):
    """Which choices are best, one bit a lane, set where a choice beats all those before it."""

    choices: LaneMasks
    any_zero: LaneMasks
    zero_except_chance: LaneMasks
    keeps: LaneMasks


class ColumnScratch(NamedTuple):
    """All that following best play through the turns of a column writes to."""

    choices: ChoiceList
    turn: TurnScratch
    set_chances: Floats
    marks: BestMarks
    entries: EntryScratch
    announced_boxes: Ints


class Entries(NamedTuple):
    """Where the turns of columns lead: for each entry its chance, from which lane, to where, for how many points.

    A target is a flag state and an upper total. `starts` has one place for each column and box, and one for the end.
    """

    chances: Floats
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    points: NDArray[np.int32]
    starts: Ints


class BoxSums(NamedTuple):
    """Sums over all turns, weighted by how likely they are: for each box chance and mean of points, and the primes."""

    scored: Floats
    points: Floats
    prime: Floats
    """An array of one number: compiled code can only add to arrays."""


class LevelDistribution(NamedTuple):
    """Positions with equally many boxes used: for each how likely it is reached with how many points so far.

    The chances of a position are `sizes` numbers from `starts` on, the first of them for `lowest_points`.
    """

    masks: Ints
    starts: Ints
    lowest_points: Ints
    sizes: Ints
    reach_chances: Floats
    chances: Floats


class ExpectedArrays(NamedTuple):
    """The expected scores of best play: for each column of the book a block of rows, one number for each upper total.

    A block has a row for the mean of each open box, in their order, and a last one for the chance of the bonus.
    """

    column_starts: Ints
    scores: Floats


class MomentArrays(NamedTuple):
    """Variance and third central moment of the points to come, laid out as the values of a book."""

    variances: SingleFloats
    thirds: SingleFloats


class LaneRows(NamedTuple):
    """What positions are worth for each number of points scored before: a row of numbers for each position.

    A row has one number for each number of points from `lows` up to, but without, `highs`; below them everything is 0
    and from there on 1. So that a strip may be read across either end, LANES zeros and ones lie around each row, and
    `starts` is where the zeros begin.
    """

    starts: Ints
    lows: Ints
    highs: Ints
    numbers: Floats | SingleFloats


class LaneIndex(NamedTuple):
    """The positions of a level: for each column, `mask * flag_states + flag_state`, its upper totals one after another.

    `total_starts` has one place for each column and one for the end. Only from `fewest` to `most` points of a position
    are its values asked for; these have one place for each position.
    """

    columns: Ints
    total_starts: Ints
    totals: Ints
    fewest: Ints
    most: Ints


class LaneScratch(NamedTuple):
    """All that valuing rows writes to: the choices of a column, its entries, and the strips of a turn.

    An entry takes ENTRY_SIZE places of `entries`: the column it leads to, its upper points, all its points, its key in
    `ids`. `sources` are the rows the entries lead to from the upper total at hand, `highs` from how many points on they
    are worth 1.
    """

    choices: ChoiceList
    of_choice: Ints
    ids: Ints
    entries: Ints
    sources: Ints
    highs: Ints
    strips: Floats | SingleFloats
    turn: TurnScratch


class PointsSheet(NamedTuple):
    """Scratch for the positions of one set of boxes: a row of chances by points for each, and which part is in use.

    `merged` says in which row a position is counted.
    """

    width: int
    chances: Floats
    lowest: Ints
    highest: Ints
    merged: Ints


def encode_situation(mask: int, flag_state: int, match_bit: int, offer: OfferRules) -> int:
    """Say in which situation a column is for dice all alike of the face whose upper box is given."""
    situation = 0
    if mask & offer.yatzy_bit:
        situation |= YATZY_USED
    if mask & match_bit:
        situation |= MATCH_USED
    if mask & offer.chance_bit:
        situation |= CHANCE_USED
    if flag_state & offer.scored_flag:
        situation |= SCORED_BEFORE
    if flag_state & offer.rolled_flag:
        situation |= ROLLED_BEFORE
    if mask & offer.upper_bits == offer.upper_bits:
        situation |= UPPER_USED
    return situation


def allocate_choices(hands: int, boxes: int) -> ChoiceList:
    return ChoiceList(
        hands=np.arange(hands),
        zero_kind=np.zeros(hands, np.int64),
        starts=np.zeros(hands + 1, np.int64),
        boxes=np.zeros(hands * boxes, np.int64),
        address=np.zeros(hands * boxes, np.int64),
        points=np.zeros(hands * boxes, np.float64),
        open_places=np.zeros(boxes * OPEN_SIZE, np.int64),
    )


def allocate_strips(count: int, kind: DTypeLike) -> Floats:
    """Make room for strips that begin where lines of the cache do: elsewhere a turn takes half as long again."""
    room = np.zeros((count + 1) * LANES, kind)
    skip = np.int64((CACHE_LINE - (room.ctypes.data & (CACHE_LINE - 1))) & (CACHE_LINE - 1)) // room.itemsize
    return room[skip : skip + count * LANES]


def lay_out_turn(strips: Floats, size: int) -> TurnScratch:
    """Divide strips: so many numbers for the multisets, as many to spare, the rest for pairs of kept and added dice.

    A kept multiset has never more pairs than there are multisets; there are fewer full hands.
    """
    return TurnScratch(strips[:size], strips[size : 2 * size], strips[2 * size :])
