"""Compiled: many games at once, one step each; whatever chooses the actions sits outside."""

# The order of actions and of the numbers of an observation is that of `lab/sheet_encoding.py`, which builds the same
# from a state of the game; the tests compare both, number by number. Every game draws its dice from a stream of its
# own, so any number of threads plays the same. Arrays are taken out of their tuples before a loop: doing so counts a
# reference, and threads that count the same ones wait for each other.

import numpy as np
from numpy.typing import NDArray

from knobel.solver.arrays import ANNOUNCED, NO_BOX, SITUATIONS, Ints
from knobel.solver.batch_arrays import (
    ANNOUNCED_BOX,
    FLAG_STATE,
    HAND,
    ILLEGAL_REWARD,
    IS_OVER,
    LOCKED,
    MASK,
    NO_DICE,
    NOT_A_KEEP,
    OFFER_BOXES,
    OFFER_FLAG_STATE,
    OFFER_IS_MISSED,
    OFFER_ROW,
    OPEN_BOX,
    POINTS,
    POSITION_SIZE,
    ROLLS_LEFT,
    UPPER_TOTAL,
    BatchGames,
    BatchTables,
    BatchView,
)
from knobel.solver.compiled import U, compiled_as_one, inlined, signed
from knobel.solver.simulation_kernel import HALF_SHIFT, LOW_HALF_MASK, SPLITMIX_GAMMA, mix_bits
from knobel.solver.value_kernel import encode_situation, find_allowed_boxes


@inlined
def draw_dice(kept: int, missing: int, faces: int, game: int, larger: Ints, counters: NDArray[np.uint64]) -> int:
    """Roll the dice that are missing and give the hand; a draw that would favour a face is drawn again."""
    count, reject_below = np.uint64(faces), np.uint64((1 << 32) % faces)
    counter, rolled = counters[U(game)], kept
    while missing > 0:
        counter += SPLITMIX_GAMMA
        drawn = (mix_bits(counter) >> HALF_SHIFT) * count
        if drawn & LOW_HALF_MASK >= reject_below:
            rolled = larger[U(rolled * faces + signed(drawn >> HALF_SHIFT))]
            missing -= 1
    counters[U(game)] = counter
    return rolled


@inlined
def roll_dice(game: int, kept: int, games: BatchGames, tables: BatchTables) -> None:
    """Roll all dice but those kept."""
    positions, missing = games.positions, tables.dice - tables.set_sizes[U(kept)]
    positions[U(game * POSITION_SIZE + HAND)] = draw_dice(
        kept, missing, tables.faces, game, tables.larger, games.counters
    )
    positions[U(game * POSITION_SIZE + ROLLS_LEFT)] -= 1


@inlined
def clear_tray(at: int, rolls: int, positions: Ints) -> None:
    positions[U(at + HAND)] = NO_DICE
    positions[U(at + LOCKED)] = 0
    positions[U(at + ANNOUNCED_BOX)] = NO_BOX
    positions[U(at + ROLLS_LEFT)] = rolls


@inlined
def begin_game(game: int, games: BatchGames, tables: BatchTables) -> None:
    positions, entries, boxes = games.positions, games.entries, tables.sheet.offer.box_count
    for number in range(POSITION_SIZE):
        positions[U(game * POSITION_SIZE + number)] = 0
    for box in range(boxes):
        entries[U(game * boxes + box)] = OPEN_BOX
    clear_tray(game * POSITION_SIZE, tables.rolls, positions)


@inlined
def find_offer(at: int, positions: Ints, tables: BatchTables) -> None:
    """Note what the dice on the table are offered, as `list_choices` does for all hands."""
    sheet, offer = tables.sheet, tables.sheet.offer
    hand = positions[U(at + HAND)] - tables.first_hand
    mask, flag_state, announced = (
        positions[U(at + MASK)],
        positions[U(at + FLAG_STATE)],
        positions[U(at + ANNOUNCED_BOX)],
    )
    open_boxes = ((1 << offer.box_count) - 1) & ~mask
    face = sheet.alike_faces[U(hand)]
    row, state_after = hand, flag_state
    if face > 0:
        situation = encode_situation(mask, flag_state, offer.match_bits[U(face)], offer)
        row = sheet.situation_rows[U(face * SITUATIONS + situation)]
        state_after = flag_state | offer.rolled_flag
    scoring = sheet.scoring_boxes[U(row)]
    boxes, is_missed = open_boxes, 0
    if announced == NO_BOX:
        boxes = find_allowed_boxes(scoring, face, open_boxes, offer)
    elif (scoring >> announced) & 1:
        boxes = 1 << announced
    else:
        is_missed = 1
    positions[U(at + OFFER_ROW)] = row
    positions[U(at + OFFER_BOXES)] = boxes
    positions[U(at + OFFER_FLAG_STATE)] = state_after
    positions[U(at + OFFER_IS_MISSED)] = is_missed


@inlined
def score_box(game: int, box: int, games: BatchGames, tables: BatchTables) -> int:
    """Score the dice and clear the table; the last entry brings the bonus along."""
    positions, sheet, offer = games.positions, tables.sheet, tables.sheet.offer
    at, bit = game * POSITION_SIZE, 1 << box
    row, points = positions[U(at + OFFER_ROW)], signed(0)
    if not positions[U(at + OFFER_IS_MISSED)] or offer.chance_bit & bit:
        points = sheet.worth[U(row * offer.box_count + box)]
    scored = offer.scored_flag if offer.yatzy_bit & bit and points > 0 else 0
    games.entries[U(game * offer.box_count + box)] = points
    positions[U(at + MASK)] |= bit
    positions[U(at + FLAG_STATE)] = positions[U(at + OFFER_FLAG_STATE)] | scored
    if sheet.is_upper[U(box)]:
        positions[U(at + UPPER_TOTAL)] = min(positions[U(at + UPPER_TOTAL)] + points, sheet.upper_cap)
    gained, rolls = points + sheet.extra[U(row)], tables.rolls
    if positions[U(at + MASK)] == (1 << offer.box_count) - 1:
        positions[U(at + IS_OVER)] = 1
        rolls = 0
        if positions[U(at + UPPER_TOTAL)] >= sheet.upper_cap:
            gained += tables.bonus
    positions[U(at + POINTS)] += gained
    clear_tray(at, rolls, positions)
    return gained


@inlined
def show_actions(game: int, games: BatchGames, tables: BatchTables, view: BatchView) -> None:
    """Mark the possible actions."""
    masks, positions, keeps, contains = view.action_masks, games.positions, tables.keeps, tables.contains
    at, first, boxes = game * POSITION_SIZE, game * tables.action_count, tables.sheet.offer.box_count
    keep_count, is_locked, sets = tables.keep_count, tables.is_locked, tables.set_sizes.size
    hand, locked = positions[U(at + HAND)], positions[U(at + LOCKED)]
    offered, announced = positions[U(at + OFFER_BOXES)], 0
    can_keep = hand != NO_DICE and positions[U(at + ROLLS_LEFT)] > 0
    row = (hand - tables.first_hand) * keep_count if can_keep else 0
    for action in range(keep_count):
        kept = keeps[U(row + action)]
        is_possible = can_keep and kept != NOT_A_KEEP
        if is_possible and is_locked:
            is_possible = contains[U(kept * sets + locked)]
        masks[U(first + action)] = is_possible
    if hand == NO_DICE:
        offered, announced = 0, ~positions[U(at + MASK)]
    for box in range(boxes):
        masks[U(first + keep_count + box)] = (offered >> box) & 1
    if tables.sheet.offer.order == ANNOUNCED:
        for box in range(boxes):
            masks[U(first + keep_count + boxes + box)] = (announced >> box) & 1


@inlined
def show_dice(game: int, games: BatchGames, tables: BatchTables, view: BatchView) -> int:
    """Write down the dice, what is locked, the rolls left and the announced box; say where the boxes follow."""
    seen, positions, face_counts, hand_dice = view.observations, games.positions, tables.face_counts, tables.hand_dice
    at, place, faces, dice = game * POSITION_SIZE, game * tables.observation_size, tables.faces, tables.dice
    hand = positions[U(at + HAND)]
    for number in range(tables.observation_size):
        seen[U(place + number)] = 0.0
    if hand != NO_DICE:
        for die in range(dice):
            seen[U(place + die)] = hand_dice[U((hand - tables.first_hand) * dice + die)]
        for face in range(faces):
            seen[U(place + dice + face)] = face_counts[U(hand * faces + face)]
    place += dice + faces
    if tables.is_locked:
        for face in range(faces):
            seen[U(place + face)] = face_counts[U(positions[U(at + LOCKED)] * faces + face)]
        place += faces
    seen[U(place)] = positions[U(at + ROLLS_LEFT)]
    place += 1
    if tables.sheet.offer.order == ANNOUNCED:
        if positions[U(at + ANNOUNCED_BOX)] != NO_BOX:
            seen[U(place + positions[U(at + ANNOUNCED_BOX)])] = 1.0
        place += tables.sheet.offer.box_count
    return place


@inlined
def show_boxes(game: int, place: int, games: BatchGames, tables: BatchTables, view: BatchView) -> None:
    """Write down what every box would score now, what it holds, and the sums of the column."""
    seen, positions, entries, worth = view.observations, games.positions, games.entries, tables.sheet.worth
    offer, at, boxes = tables.sheet.offer, game * POSITION_SIZE, tables.sheet.offer.box_count
    row, flag_state, chance = positions[U(at + OFFER_ROW)], positions[U(at + FLAG_STATE)], offer.chance_bit
    offered, is_missed = positions[U(at + OFFER_BOXES)], positions[U(at + OFFER_IS_MISSED)]
    if positions[U(at + HAND)] == NO_DICE:
        offered = 0
    extra = tables.sheet.extra[U(row)]
    for box in range(boxes):
        if (offered >> box) & 1:
            points = worth[U(row * boxes + box)] if not is_missed or chance & (1 << box) else 0
            seen[U(place + box)] = points + extra
    place += boxes
    for box in range(boxes):
        points = entries[U(game * boxes + box)]
        if points != OPEN_BOX:
            seen[U(place + box)] = 1.0
            seen[U(place + boxes + box)] = points
    place += 2 * boxes
    seen[U(place)] = positions[U(at + UPPER_TOTAL)]
    seen[U(place + 1)] = positions[U(at + POINTS)]
    seen[U(place + 2)] = flag_state & offer.scored_flag != 0
    seen[U(place + 3)] = flag_state & offer.rolled_flag != 0


@compiled_as_one
def step_games(begin: int, end: int, actions: Ints, games: BatchGames, tables: BatchTables, view: BatchView) -> None:
    """Step some games; one that is over begins anew, whatever its action is."""
    positions, rewards, is_illegal, masks = games.positions, view.rewards, view.is_illegal, view.action_masks
    keep_count, boxes = tables.keep_count, tables.sheet.offer.box_count
    for game in range(begin, end):
        at, action, reward = game * POSITION_SIZE, actions[U(game)], signed(0)
        if positions[U(at + IS_OVER)]:
            begin_game(game, games, tables)
        elif not (0 <= action < tables.action_count and masks[U(game * tables.action_count + action)]):
            rewards[U(game)], is_illegal[U(game)] = ILLEGAL_REWARD, True
            continue
        elif keep_count <= action < keep_count + boxes:
            reward = score_box(game, action - keep_count, games, tables)
        elif action >= keep_count + boxes:
            positions[U(at + ANNOUNCED_BOX)] = action - keep_count - boxes
        kept, is_rolling = signed(0), not positions[U(at + IS_OVER)]
        if positions[U(at + HAND)] != NO_DICE:
            kept = tables.keeps[U((positions[U(at + HAND)] - tables.first_hand) * keep_count + action)]
            if tables.is_locked:
                positions[U(at + LOCKED)] = kept
        elif tables.sheet.offer.order == ANNOUNCED and positions[U(at + ANNOUNCED_BOX)] == NO_BOX:
            is_rolling = False
        if is_rolling:
            roll_dice(game, kept, games, tables)
            find_offer(at, positions, tables)
        rewards[U(game)], is_illegal[U(game)] = reward, False
        show_actions(game, games, tables, view)
        show_boxes(game, show_dice(game, games, tables, view), games, tables, view)
