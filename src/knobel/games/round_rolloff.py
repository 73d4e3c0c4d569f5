"""Roll-offs in a game of rounds: for the start, and between equal totals."""

from dataclasses import replace

from knobel.game import count_turn
from knobel.games.round_settlement import give_chip, move_chip, take_winner_out
from knobel.games.round_state import OVER, START, WORST, RoundRollOff, RoundState, give_dice, open_round
from knobel.rules.round_rules import RoundRules


def count_rolloff_roll(rules: RoundRules, state: RoundState, rolloff: RoundRollOff, total: int) -> RoundState:
    state = replace(state, turns=count_turn(state.turns, state.player))
    return continue_rolloff(rules, state, replace(rolloff, sums=(*rolloff.sums, total)))


def continue_rolloff(rules: RoundRules, state: RoundState, rolloff: RoundRollOff) -> RoundState:
    """Pass the roll-off to the next seat; when all have rolled, find the starter, the worst or the best."""
    sums = rolloff.sums
    if len(sums) < len(rolloff.seats):
        return give_dice(replace(state, rolloff=rolloff), rolloff.seats[len(sums)])
    upwards = rolloff.kind == START or (state.aim == OVER) == (rolloff.kind != WORST)
    wanted = max(sums) if upwards else min(sums)
    found = tuple(seat for seat, own in zip(rolloff.seats, sums, strict=True) if own == wanted)
    if len(found) > 1:
        return give_dice(replace(state, rolloff=RoundRollOff(rolloff.kind, found)), found[0])
    state = replace(state, rolloff=None)
    return resolve_rolloff(rules, state, rolloff.kind, found[0])


def resolve_rolloff(rules: RoundRules, state: RoundState, kind: str, seat: int) -> RoundState:
    """Continue with the seat a roll-off has found."""
    match kind:
        case "start":
            return open_round(state, seat)
        case "worst":
            return give_chip(rules, state, seat)
        case "giver":
            return move_chip(rules, replace(state, best=seat), seat)
    return take_winner_out(rules, state, seat)
