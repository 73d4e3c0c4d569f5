"""The games of rounds and chips: the opener sets a total, the others roll over or under it, the worst takes a chip."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from knobel.errors import NoSeatAtTable, WrongPlayerCount
from knobel.game import (
    CHANCE,
    Action,
    EnterDice,
    Land,
    Leave,
    Move,
    Outcome,
    PendingRoll,
    Roll,
    Stand,
    count_turn,
    find_dice,
    find_pending_roll,
    list_keeps,
    place_dice,
    positions_to_roll,
    refuse_land,
)
from knobel.games.round_leaving import leave
from knobel.games.round_legality import (
    is_all_ones,
    max_rolls,
    refuse_enter_dice,
    refuse_leave,
    refuse_roll,
    refuse_stand,
)
from knobel.games.round_rolloff import count_rolloff_roll
from knobel.games.round_settlement import continue_round, end_or_continue
from knobel.games.round_state import (
    AIMS,
    FOLLOW,
    OPEN,
    START,
    RoundResult,
    RoundRollOff,
    RoundState,
    beats_opener,
    find_next_seat,
    has_failed,
    take_out,
)
from knobel.phrase import Phrase, phrase
from knobel.rules.round_articles import describe_round_players
from knobel.rules.round_rules import RoundRules


@dataclass(frozen=True)
class RoundsGame:
    """A game of rounds and chips."""

    rules: RoundRules

    def start(self, seats: int, first: int | None = None, roll_off: bool = True) -> RoundState:  # noqa: ARG002
        """Put the chips into the kitty; the highest roll opens, unless it is agreed."""
        least, most = self.rules.players.least, self.rules.players.most or seats
        if not least <= seats <= most:
            raise WrongPlayerCount(n=seats, limits=describe_round_players(self.rules))
        if first is not None and not 0 <= first < seats:
            raise NoSeatAtTable(seat=first + 1, seats=seats)
        everyone, opener = tuple(range(seats)), first or 0
        state = RoundState((0,) * seats, self.rules.chips, everyone, opener, opener, opener, OPEN, turns=(0,) * seats)
        if first is None:
            return replace(state, phase=START, rolloff=RoundRollOff(START, everyone), players_at_start=seats)
        return replace(state, players_at_start=seats, rounds=1)

    def has_left(self, state: RoundState, seat: int) -> bool:
        return seat in state.quit

    def refusal(self, state: RoundState, action: Action) -> Phrase | None:
        if state.seat is None:
            return phrase("rules.refusal.over")
        if isinstance(action, Land):
            return refuse_land(state, action, len(state.rolling), self.rules.faces)
        if state.seat == CHANCE:
            return phrase("rules.refusal.falling")
        match action:
            case Leave(seat):
                return refuse_leave(state, seat)
            case Roll(keep):
                return refuse_roll(self.rules, state, keep)
            case EnterDice():
                return refuse_enter_dice(self.rules, state, action)
            case Stand(aim):
                return refuse_stand(self.rules, state, aim)
        return phrase("rules.refusal.not_now")

    def max_rolls(self, state: RoundState) -> int:
        """Say how many rolls a player has: as many as the opener used, once they have."""
        return max_rolls(self.rules, state)

    def is_all_ones(self, dice: tuple[int, ...]) -> bool:
        """Tell whether these dice win at once."""
        return is_all_ones(self.rules, dice)

    def beats_opener(self, state: RoundState, total: int) -> bool:
        """Tell whether a total is strictly better than the opener's."""
        return beats_opener(state, total)

    def has_failed(self, state: RoundState, seat: int, total: int) -> bool:
        """Tell whether a follower still in the game has not beaten the opener; equal is not beaten."""
        return has_failed(state, seat, total)

    def legal_moves(self, state: RoundState) -> Iterator[Move]:
        if state.seat in (None, CHANCE):
            return
        stands: list[Move] = [Stand(), *(Stand(aim) for aim in AIMS)]
        rolls: list[Move] = [Roll(keep) for keep in list_keeps(state.dice, ())]
        yield from (move for move in (*stands, *rolls) if self.refusal(state, move) is None)

    def apply(self, state: RoundState, action: Action) -> RoundState:
        match action:
            case Roll(keep):
                rolling = positions_to_roll(self.rules.dice, keep)
                return replace(state, seat=CHANCE, rolling=rolling, result=None)
            case Land(dice):
                return land(self.rules, state, dice)
            case EnterDice():
                return enter_dice(self.rules, replace(state, result=None), action)
            case Stand(aim):
                return stand(self.rules, state, aim)
            case Leave(seat):
                return leave(self.rules, state, seat)
        raise TypeError(action)

    def pending_roll(self, state: RoundState) -> PendingRoll | None:
        return find_pending_roll(state)

    def outcome(self, state: RoundState) -> Outcome | None:
        """Rank by the order of going out, quitters behind all others, the last to quit before the first."""
        if state.seat is not None:
            return None
        return Outcome((*state.places, *((seat,) for seat in reversed(state.quit))), state.chips)

    def find_positions(self, state: RoundState, values: tuple[int, ...]) -> tuple[int, ...] | None:
        return find_dice(state.dice, values)


def land(rules: RoundRules, state: RoundState, dice: tuple[int, ...]) -> RoundState:
    """Put the dice that landed on the tray, or count them for a roll-off."""
    tray = place_dice(state.dice, state.rolling, dice)
    if state.rolloff:
        return count_rolloff_roll(rules, state, state.rolloff, sum(tray))
    return replace(state, seat=state.player, dice=tray, rolls_used=state.rolls_used + 1, rolling=())


def enter_dice(rules: RoundRules, state: RoundState, action: EnterDice) -> RoundState:
    """Put real dice on the tray after this many rolls, or count them for a roll-off."""
    if state.rolloff:
        return count_rolloff_roll(rules, state, state.rolloff, sum(action.dice))
    return replace(state, dice=action.dice, rolls_used=action.rolls or max_rolls(rules, state))


def stand(rules: RoundRules, state: RoundState, aim: str | None) -> RoundState:
    """End a player's rolls: note the total, or let all ones go out."""
    player, total = state.player, sum(state.dice)
    ones = is_all_ones(rules, state.dice)
    turns, allowed = count_turn(state.turns, player), state.rolls_allowed or state.rolls_used
    state = replace(state, turns=turns, rolls_allowed=allowed)
    if ones and state.phase == OPEN:
        result = RoundResult(out=(player,), opener=player, totals=((player, total),))
        return end_or_continue(rules, replace(take_out(state, player), result=result), find_next_seat(state, player))
    state = replace(state, totals=(*state.totals, (player, total)), aim=aim or state.aim, phase=FOLLOW)
    return continue_round(rules, take_out(state, player) if ones else state)
