"""Compiled: many games of rounds and chips at once, in which greedy bots play every seat but the first."""

# The rules are those of `games/round_settlement.py` and its neighbours, the bot that of `bots/rounds.py`, the numbers
# those of `lab/round_encoding.py`; a test plays the same dice through both and compares every number. A roll-off leaves
# nothing to decide, so it is rolled to its end where it comes up. Seats are gone through clockwise from the opener,
# which is the order in which they have rolled.

import numpy as np
from numpy.typing import NDArray

from knobel.solver.arrays import Ints
from knobel.solver.batch_arrays import ILLEGAL_REWARD, NO_DICE, NOT_A_KEEP, BatchView
from knobel.solver.batch_kernel import draw_dice
from knobel.solver.compiled import U, compiled, part, signed
from knobel.solver.round_batch_arrays import (
    AIM,
    AIM_OVER,
    AIM_UNDER,
    CHIP_GIVER,
    CHIPS,
    HAND,
    HAS_TOTAL,
    HEAD_SIZE,
    IS_ACTIVE,
    IS_FOLLOWING,
    IS_OUT,
    IS_OVER,
    KITTY,
    NO_AIM,
    NOBODY,
    OPENER,
    OWN_RATE,
    OWN_SEAT,
    PLACED,
    PLAYER,
    PLAYERS_AT_START,
    ROLLS_ALLOWED,
    ROLLS_USED,
    SEAT_SIZE,
    TOTAL,
    RoundGames,
    RoundTables,
)

FEWEST_TO_LEAVE = 4
"""With so many players the winner of a round leaves the game."""


@part
def find_seat(seat: int, number: int) -> int:
    """Say where a number of a seat stands."""
    return HEAD_SIZE + seat * SEAT_SIZE + number


@part
def roll_dice(kept: int, game: int, games: RoundGames, tables: RoundTables) -> int:
    """Roll all dice but those kept and give the hand."""
    missing = tables.dice - tables.set_sizes[U(kept)]
    return draw_dice(kept, missing, tables.faces, game, tables.larger, games.counters)


@part
def give_dice(state: Ints, player: int) -> None:
    state[PLAYER], state[HAND], state[ROLLS_USED] = player, NO_DICE, 0


@part
def find_next_seat(state: Ints, seat: int, tables: RoundTables) -> int:
    """Find the next other seat clockwise that is still in the game; without one, the seat itself."""
    for step in range(1, tables.seats):
        other = (seat + step) % tables.seats
        if state[find_seat(other, IS_ACTIVE)]:
            return other
    return seat


@part
def beats_opener(state: Ints, total: int) -> bool:
    target = state[find_seat(state[OPENER], TOTAL)]
    return total > target if state[AIM] == AIM_OVER else total < target


@part
def roll_off(seats: int, is_highest: bool, game: int, state: Ints, games: RoundGames, tables: RoundTables) -> int:
    """Let the seats of these bits roll until one is alone with the highest or lowest total; a lone seat has it."""
    while seats & (seats - 1):
        found, best = 0, signed(0)
        for step in range(tables.seats):
            seat = (state[OPENER] + step) % tables.seats
            if (seats >> seat) & 1:
                total = tables.sums[roll_dice(signed(0), game, games, tables) - tables.first_hand]
                if found == 0 or (total != best and (total > best) == is_highest):
                    found, best = 1 << seat, total
                elif total == best:
                    found |= 1 << seat
        seats = found
    seat = signed(0)
    while not (seats >> seat) & 1:
        seat += 1
    return seat


@part
def take_out(state: Ints, seat: int) -> None:
    """Take a seat out of the game with the next place; its chips return to the kitty."""
    state[KITTY] += state[find_seat(seat, CHIPS)]
    state[find_seat(seat, CHIPS)] = 0
    state[find_seat(seat, IS_ACTIVE)] = 0
    state[find_seat(seat, IS_OUT)] = 1
    if seat == OWN_SEAT:
        state[OWN_RATE] = 2 * state[PLACED]
    state[PLACED] += 1


@part
def open_round(state: Ints, opener: int, players: int, tables: RoundTables) -> None:
    state[OPENER], state[IS_FOLLOWING], state[ROLLS_ALLOWED], state[AIM] = opener, 0, 0, NO_AIM
    state[CHIP_GIVER], state[PLAYERS_AT_START] = NOBODY, players
    for seat in range(tables.seats):
        state[find_seat(seat, HAS_TOTAL)] = 0
        state[find_seat(seat, TOTAL)] = 0
        state[find_seat(seat, IS_OUT)] = 0
    give_dice(state, opener)


@part
def end_game(state: Ints, last: int, tables: RoundTables) -> None:
    """Put one seat last, and whoever else is left before it, all alike."""
    others = 0
    for seat in range(tables.seats):
        if seat != last and state[find_seat(seat, IS_ACTIVE)]:
            others += 1
    if last == OWN_SEAT:
        state[OWN_RATE] = 2 * (state[PLACED] + others)
    elif state[find_seat(OWN_SEAT, IS_ACTIVE)]:
        state[OWN_RATE] = 2 * state[PLACED] + others - 1
    for seat in range(tables.seats):
        state[find_seat(seat, IS_ACTIVE)] = 0
    state[IS_OVER] = 1
    give_dice(state, state[PLAYER])


@part
def end_or_continue(state: Ints, opener: int, tables: RoundTables) -> None:
    """End the game, or take one more player out, or open the next round."""
    active, free, last, first_free, first = 0, 0, NOBODY, NOBODY, NOBODY
    for seat in range(tables.seats - 1, -1, -1):
        if state[find_seat(seat, IS_ACTIVE)]:
            active, first = active + 1, seat
            if state[find_seat(seat, CHIPS)] == tables.chips:
                last = seat
            if state[find_seat(seat, CHIPS)] == 0:
                free, first_free = free + 1, seat
    if last != NOBODY or active == 1:
        end_game(state, last if last != NOBODY else first, tables)
        return
    if active == 3 and state[KITTY] == 0 and free == 1:
        take_out(state, first_free)
        active -= 1
        if opener == first_free:
            opener = find_next_seat(state, opener, tables)
    open_round(state, opener, active, tables)


@part
def find_loser(game: int, state: Ints, games: RoundGames, tables: RoundTables) -> int:
    """Find the follower who failed worst; if nobody did, it is the opener."""
    is_over, tied, worst = state[AIM] == AIM_OVER, 0, signed(0)
    for step in range(1, tables.seats):
        seat = (state[OPENER] + step) % tables.seats
        total = state[find_seat(seat, TOTAL)]
        if state[find_seat(seat, IS_ACTIVE)] and not beats_opener(state, total):
            if tied == 0 or (total != worst and (total < worst) == is_over):
                tied, worst = 1 << seat, total
            elif total == worst:
                tied |= 1 << seat
    return roll_off(tied, not is_over, game, state, games, tables) if tied else state[OPENER]


@part
def find_giver(game: int, state: Ints, loser: int, games: RoundGames, tables: RoundTables) -> int:
    """Find who gives the chip: nobody while the kitty has some, else the best result among those who hold one."""
    if state[KITTY]:
        return NOBODY
    is_over, tied, best = state[AIM] == AIM_OVER, 0, signed(0)
    worst_total = tables.dice * tables.faces + 1
    for step in range(tables.seats):
        seat = (state[OPENER] + step) % tables.seats
        if seat == loser or not state[find_seat(seat, IS_ACTIVE)] or state[find_seat(seat, CHIPS)] == 0:
            continue
        total = state[find_seat(seat, TOTAL)]
        group = 1 if step == 0 else 0 if beats_opener(state, total) else 2
        rank = group * worst_total + (worst_total - total if is_over else total)
        if tied == 0 or rank < best:
            tied, best = 1 << seat, rank
        elif rank == best:
            tied |= 1 << seat
    giver = roll_off(tied, is_over, game, state, games, tables)
    if tied & (tied - 1):
        state[CHIP_GIVER] = giver
    return giver


@part
def find_winner(game: int, state: Ints, games: RoundGames, tables: RoundTables) -> int:
    """Find the best of those who beat the opener, else the opener; a tie that leads to nothing goes to the first."""
    is_over, tied, best, first = state[AIM] == AIM_OVER, 0, signed(0), state[OPENER]
    for step in range(1, tables.seats):
        seat = (state[OPENER] + step) % tables.seats
        total = state[find_seat(seat, TOTAL)]
        if state[find_seat(seat, IS_ACTIVE)] and beats_opener(state, total):
            if tied == 0 or (total != best and (total > best) == is_over):
                tied, best, first = 1 << seat, total, seat
            elif total == best:
                tied |= 1 << seat
    giver = state[CHIP_GIVER]
    if tied and giver != NOBODY and (tied >> giver) & 1:
        # The player who gave the chip has rolled against the other holders already.
        for seat in range(tables.seats):
            if seat != giver and state[find_seat(seat, CHIPS)]:
                tied &= ~(1 << seat)
    if tied and state[PLAYERS_AT_START] >= FEWEST_TO_LEAVE:
        return roll_off(tied, is_over, game, state, games, tables)
    return first


@part
def settle_round(game: int, state: Ints, games: RoundGames, tables: RoundTables) -> None:
    """Give the loser a chip, take the winner of many out, and go on."""
    loser = find_loser(game, state, games, tables)
    giver = find_giver(game, state, loser, games, tables)
    state[find_seat(loser, CHIPS)] += 1
    if giver == NOBODY:
        state[KITTY] -= 1
    else:
        state[find_seat(giver, CHIPS)] -= 1
    has_ones = False
    for seat in range(tables.seats):
        has_ones |= state[find_seat(seat, IS_OUT)] and state[find_seat(seat, HAS_TOTAL)]
    if not has_ones:
        winner = find_winner(game, state, games, tables)
        if state[PLAYERS_AT_START] >= FEWEST_TO_LEAVE:
            take_out(state, winner)
    is_in = state[find_seat(loser, IS_ACTIVE)]
    end_or_continue(state, loser if is_in else find_next_seat(state, loser, tables), tables)


@part
def stand(game: int, state: Ints, aim: int, games: RoundGames, tables: RoundTables) -> None:
    """End a player's rolls: note the total, or let all ones go out; then the next one rolls, or the round is over."""
    player, hand = state[PLAYER], state[HAND]
    if state[ROLLS_ALLOWED] == 0:
        state[ROLLS_ALLOWED] = state[ROLLS_USED]
    if hand == tables.ones and not state[IS_FOLLOWING]:
        following = find_next_seat(state, player, tables)
        take_out(state, player)
        end_or_continue(state, following, tables)
        return
    state[find_seat(player, HAS_TOTAL)] = 1
    state[find_seat(player, TOTAL)] = tables.sums[hand - tables.first_hand]
    state[IS_FOLLOWING] = 1
    if aim != NO_AIM:
        state[AIM] = aim
    if hand == tables.ones:
        take_out(state, player)
    for step in range(tables.seats):
        seat = (state[OPENER] + step) % tables.seats
        if state[find_seat(seat, IS_ACTIVE)] and not state[find_seat(seat, HAS_TOTAL)]:
            give_dice(state, seat)
            return
    settle_round(game, state, games, tables)


@part
def count_rolls(state: Ints, tables: RoundTables) -> int:
    """Count the rolls a player may use: as many as the opener did, once they have."""
    return state[ROLLS_ALLOWED] if state[IS_FOLLOWING] else tables.rolls


@part
def play_bot(game: int, state: Ints, games: RoundGames, tables: RoundTables) -> None:
    """Roll the dice on the wrong side of the middle again, until the total is safe."""
    hand, aim, dice, faces = state[HAND], state[AIM], tables.dice, tables.faces
    row = hand - tables.first_hand
    total, middle = tables.sums[row], dice * (faces + 1)
    if aim == NO_AIM:
        aim = AIM_OVER if 2 * total >= middle else AIM_UNDER
    if state[IS_FOLLOWING]:
        is_safe = beats_opener(state, total) or hand == tables.ones
    else:
        is_safe = 3 * abs(2 * total - middle) >= middle
    kept = signed(0)
    for place in range(dice):
        die = tables.hand_dice[row * dice + place]
        if 2 * die > faces + 1 if aim == AIM_OVER else 2 * die < faces + 1:
            kept = tables.larger[kept * faces + die - 1]
    if is_safe or kept >= tables.first_hand or state[ROLLS_USED] >= count_rolls(state, tables):
        says_aim = not state[IS_FOLLOWING] and hand != tables.ones
        stand(game, state, aim if says_aim else NO_AIM, games, tables)
    else:
        state[HAND] = roll_dice(kept, game, games, tables)
        state[ROLLS_USED] += 1


@part
def continue_to_decision(game: int, state: Ints, games: RoundGames, tables: RoundTables) -> None:
    """Let first rolls happen and bots play, until the first seat has to decide or the game is over."""
    while not state[IS_OVER]:
        if state[HAND] == NO_DICE:
            state[HAND], state[ROLLS_USED] = roll_dice(signed(0), game, games, tables), 1
        if state[PLAYER] == OWN_SEAT:
            return
        play_bot(game, state, games, tables)


@part
def begin_game(state: Ints, tables: RoundTables) -> None:
    state[:] = 0
    state[KITTY] = tables.chips
    for seat in range(tables.seats):
        state[find_seat(seat, IS_ACTIVE)] = 1
    open_round(state, signed(0), tables.seats, tables)


@part
def show_actions(state: Ints, masks: NDArray[np.int8], tables: RoundTables) -> None:
    """Mark the possible actions."""
    masks[:] = 0
    if state[IS_OVER]:
        return
    hand = state[HAND]
    if state[ROLLS_USED] < count_rolls(state, tables):
        for action in range(tables.keep_count):
            kept = tables.keeps[(hand - tables.first_hand) * tables.keep_count + action]
            masks[action] = kept != NOT_A_KEEP
    says_no_aim = state[IS_FOLLOWING] or hand == tables.ones
    masks[tables.keep_count + NO_AIM] = says_no_aim
    masks[tables.keep_count + AIM_OVER] = not says_no_aim
    masks[tables.keep_count + AIM_UNDER] = not says_no_aim


@part
def show_position(state: Ints, seen: NDArray[np.float32], tables: RoundTables) -> None:
    """Write down the dice, the round, and every seat."""
    dice, faces, is_on, place = tables.dice, tables.faces, not state[IS_OVER], tables.dice + tables.faces
    seen[:] = 0
    if is_on:
        row = state[HAND] - tables.first_hand
        for number in range(dice):
            seen[number] = tables.hand_dice[row * dice + number]
        for face in range(faces):
            seen[dice + face] = tables.face_counts[state[HAND] * faces + face]
        seen[place] = count_rolls(state, tables) - state[ROLLS_USED]
    seen[place + 1] = is_on and state[IS_FOLLOWING]
    seen[place + 2], seen[place + 3] = state[AIM] == AIM_OVER, state[AIM] == AIM_UNDER
    seen[place + 4], seen[place + 5] = state[find_seat(state[OPENER], TOTAL)], state[KITTY]
    place += 6
    for seat in range(tables.seats):
        seen[place] = state[find_seat(seat, CHIPS)]
        seen[place + 1] = state[find_seat(seat, IS_ACTIVE)]
        seen[place + 2] = seat == state[OPENER]
        seen[place + 3] = is_on and seat == state[PLAYER]
        seen[place + 4] = state[find_seat(seat, TOTAL)]
        place += 5


@compiled
def step_rounds(begin: int, end: int, actions: Ints, games: RoundGames, tables: RoundTables, view: BatchView) -> None:
    """Step some games; one that is over begins anew, whatever its action is."""
    size, count = HEAD_SIZE + tables.seats * SEAT_SIZE, tables.action_count
    for game in range(begin, end):
        state, action = games.positions[game * size : (game + 1) * size], actions[game]
        masks = view.action_masks[game * count : (game + 1) * count]
        view.rewards[game], view.is_illegal[game] = 0.0, False
        if state[IS_OVER]:
            begin_game(state, tables)
        elif not (0 <= action < count and masks[action]):
            view.rewards[game], view.is_illegal[game] = ILLEGAL_REWARD, True
            continue
        elif action < tables.keep_count:
            kept = tables.keeps[(state[HAND] - tables.first_hand) * tables.keep_count + action]
            state[HAND] = roll_dice(kept, game, games, tables)
            state[ROLLS_USED] += 1
        else:
            stand(game, state, action - tables.keep_count, games, tables)
        continue_to_decision(game, state, games, tables)
        if state[IS_OVER]:
            view.rewards[game] = 1.0 - state[OWN_RATE] / max(tables.seats - 1, 1)
        show_actions(state, masks, tables)
        seen = view.observations[game * tables.observation_size : (game + 1) * tables.observation_size]
        show_position(state, seen, tables)
