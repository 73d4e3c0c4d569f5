"""How a round ends: who loses, where the chip comes from, who is out, who opens the next one."""

from dataclasses import replace

from knobel.games.round_state import (
    BEST,
    GIVER,
    OVER,
    WORST,
    RoundResult,
    RoundRollOff,
    RoundState,
    beats_opener,
    end_game,
    find_next_seat,
    give_dice,
    has_failed,
    list_clockwise,
    open_round,
    rank_seat,
    take_out,
)
from knobel.rules.round_rules import RoundRules


def continue_round(rules: RoundRules, state: RoundState) -> RoundState:
    """Let the next follower roll, or settle the round."""
    done = {seat for seat, _ in state.totals}
    waiting = [seat for seat in list_clockwise(state) if seat not in done]
    return give_dice(state, waiting[0]) if waiting else settle_round(rules, state)


def settle_round(rules: RoundRules, state: RoundState) -> RoundState:
    """Find the loser: the opener if all beat them, else the follower who failed worst."""
    failed = [(seat, total) for seat, total in state.totals if has_failed(state, seat, total)]
    if not failed:
        return give_chip(rules, state, state.opener)
    worst = (min if state.aim == OVER else max)(total for _, total in failed)
    seats = tuple(seat for seat, total in failed if total == worst)
    if len(seats) > 1:
        return give_dice(replace(state, rolloff=RoundRollOff(WORST, seats)), seats[0])
    return give_chip(rules, state, seats[0])


def give_chip(rules: RoundRules, state: RoundState, loser: int) -> RoundState:
    """Give the loser a chip: from the kitty, else from the player with the best result who holds one."""
    state = replace(state, loser=loser)
    if state.kitty:
        return move_chip(rules, state, None)
    holders = [seat for seat, _ in state.totals if seat in state.active and seat != loser and state.chips[seat]]
    best = min(rank_seat(state, seat) for seat in holders)
    tied = tuple(seat for seat in holders if rank_seat(state, seat) == best)
    if len(tied) > 1:
        return give_dice(replace(state, rolloff=RoundRollOff(GIVER, tied)), tied[0])
    return move_chip(rules, state, tied[0])


def move_chip(rules: RoundRules, state: RoundState, giver: int | None) -> RoundState:
    """Move the chip of the round to its loser: from a player, or from the kitty if nobody gives it."""
    chips = tuple(own + (seat == state.loser) - (seat == giver) for seat, own in enumerate(state.chips))
    kitty = state.kitty - (giver is None)
    return find_winner(rules, replace(state, chips=chips, kitty=kitty, chip_from=giver))


def find_winner(rules: RoundRules, state: RoundState) -> RoundState:
    """Find the round's winner: three ones, else the best of those who beat the opener, else the opener."""
    ones = [seat for seat, _ in state.totals if seat in state.out_this_round]
    if ones:
        return close_round(rules, state, ones[0], ())
    beat = {seat: total for seat, total in state.totals if seat != state.opener and beats_opener(state, total)}
    if not beat:
        return take_winner_out(rules, state, state.opener)
    best = (max if state.aim == OVER else min)(beat.values())
    seats = tuple(seat for seat, total in beat.items() if total == best)
    if state.best in seats:  # the player who gave the chip had a roll-off with the other holders only
        seats = tuple(seat for seat in seats if seat == state.best or not state.chips[seat])
    if len(seats) > 1 and state.players_at_start >= 4:
        return give_dice(replace(state, rolloff=RoundRollOff(BEST, seats)), seats[0])
    return take_winner_out(rules, state, seats[0])


def take_winner_out(rules: RoundRules, state: RoundState, winner: int) -> RoundState:
    """Take the winner of a round with four or more players out of the game."""
    return close_round(rules, state, winner, (winner,) if state.players_at_start >= 4 else ())


def close_round(rules: RoundRules, state: RoundState, winner: int, leaving: tuple[int, ...]) -> RoundState:
    """Close the round: who goes out, and who opens the next one."""
    left = (*state.out_this_round, *leaving)
    result = RoundResult(state.loser, winner, state.chip_from, left, state.opener, state.aim, state.totals)
    for seat in leaving:
        state = take_out(state, seat)
    following = state.loser if state.loser in state.active else find_next_seat(state, state.loser)
    return end_or_continue(rules, replace(state, result=result), following)


def end_or_continue(rules: RoundRules, state: RoundState, opener: int) -> RoundState:
    """End the game, or take one more player out, or open the next round."""
    holders = [seat for seat in state.active if state.chips[seat] == rules.chips]
    if holders or len(state.active) == 1:
        last = holders[0] if holders else state.active[0]
        others = tuple(seat for seat in state.active if seat != last)
        return end_game(replace(state, places=(*state.places, *((others,) if others else ()), (last,)), active=()))
    free = [seat for seat in state.active if not state.chips[seat]]
    if len(state.active) == 3 and not state.kitty and len(free) == 1:
        result = state.result or RoundResult()
        state = replace(take_out(state, free[0]), result=replace(result, out=(*result.out, free[0])))
        opener = opener if opener in state.active else find_next_seat(state, opener)
    return open_round(state, opener)
