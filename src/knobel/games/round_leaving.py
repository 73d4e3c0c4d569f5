"""What happens when a player leaves a game of rounds."""

from dataclasses import replace

from knobel.game import count_turn
from knobel.games.round_rolloff import continue_rolloff, resolve_rolloff
from knobel.games.round_settlement import continue_round, end_or_continue, give_chip, settle_round
from knobel.games.round_state import (
    GIVER,
    START,
    RoundRollOff,
    RoundState,
    end_game,
    find_next_seat,
    take_out,
)
from knobel.rules.round_rules import RoundRules


def leave(rules: RoundRules, state: RoundState, seat: int) -> RoundState:
    """Let a player quit: behind everyone still in; a round whose opener quits is void."""
    before = state
    state = take_out(state, seat)
    state = replace(
        state,
        places=state.places[:-1],
        out_this_round=state.out_this_round[:-1],
        quit=(*state.quit, seat),
        result=None,
    )
    if len(state.active) == 1:
        return end_game(replace(state, places=(*state.places, state.active), active=()))
    if before.rolloff:
        return leave_rolloff(rules, state, before.rolloff, seat)
    if seat == state.opener:
        following = find_next_seat(before, seat)
        return end_or_continue(rules, replace(state, turns=count_turn(state.turns, before.player)), following)
    state = replace(state, totals=tuple(pair for pair in state.totals if pair[0] != seat))
    if seat == before.player:
        return continue_round(rules, replace(state, turns=count_turn(state.turns, seat)))
    return state


def leave_rolloff(rules: RoundRules, state: RoundState, rolloff: RoundRollOff, seat: int) -> RoundState:
    """Take a quitter out of a tie; a tie with one seat left is decided."""
    if rolloff.kind != START and seat == state.opener:
        return end_or_continue(rules, replace(state, rolloff=None), find_next_seat(state, seat))
    pairs = [(other, rolloff.sums[place : place + 1]) for place, other in enumerate(rolloff.seats) if other != seat]
    seats = tuple(other for other, _ in pairs)
    sums = tuple(total for _, own in pairs for total in own)
    totals = tuple(pair for pair in state.totals if pair[0] != seat)
    state = replace(state, rolloff=None, totals=totals)
    if rolloff.kind == GIVER and seat == state.loser:
        return settle_round(rules, state)
    if rolloff.kind == GIVER and state.kitty:
        return give_chip(rules, state, state.loser)
    if len(seats) > 1:
        return continue_rolloff(rules, state, RoundRollOff(rolloff.kind, seats, sums))
    return resolve_rolloff(rules, state, rolloff.kind, seats[0])
