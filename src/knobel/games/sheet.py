"""The score-sheet games: roll, keep, score; the Yatzy family and every house rule of its kind."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from knobel.dice import is_all_alike
from knobel.errors import NoSeatAtTable, WrongPlayerCount
from knobel.game import (
    CHANCE,
    Action,
    Announce,
    EnterDice,
    EnterPoints,
    Land,
    Leave,
    Move,
    Outcome,
    PendingRoll,
    Roll,
    Score,
    count_turn,
    find_dice,
    find_pending_roll,
    list_keeps,
    place_dice,
    positions_to_roll,
    refuse_land,
)
from knobel.games.sheet_legality import (
    can_cross_out,
    find_option,
    list_options,
    list_possible_entries,
    needs_announcement,
    refuse_announce,
    refuse_enter_dice,
    refuse_enter_points,
    refuse_leave,
    refuse_roll,
    refuse_score,
)
from knobel.games.sheet_state import (
    SheetState,
    StartRollOff,
    count_rolloff_roll,
    end_game,
    leave_rolloff,
    list_active_seats,
    pass_turn,
)
from knobel.phrase import Phrase, phrase
from knobel.rules import column as sheet
from knobel.rules.articles import describe_players
from knobel.rules.column import Column, Option, Tally
from knobel.rules.sheet_rules import SheetRules


@dataclass(frozen=True)
class SheetGame:
    """A score-sheet game; seats among the beginners fill their column from top to bottom."""

    rules: SheetRules
    beginners: frozenset[int] = frozenset()
    practice: bool = False

    def start(self, seats: int, first: int | None = None, roll_off: bool = False) -> SheetState:
        """Lay out the columns; roll off for the start where the rules or the players want it."""
        limits = self.rules.players
        outside = seats < limits.least or (limits.most is not None and seats > limits.most)
        if seats < 1 or (outside and not self.practice):
            raise WrongPlayerCount(n=seats, limits=describe_players(self.rules).phrase)
        if first is not None and not 0 <= first < seats:
            raise NoSeatAtTable(seat=first + 1, seats=seats)
        start = 0 if first is None else first
        state = SheetState((sheet.empty_column(self.rules),) * seats, start, start, turns=(0,) * seats, first=start)
        if first is None and seats > 1 and (roll_off or self.rules.starts_with_rolloff):
            return state._replace(rolloff=StartRollOff(tuple(range(seats))), first=None)
        return state

    def has_left(self, state: SheetState, seat: int) -> bool:
        return seat in state.left

    def rules_for(self, seat: int) -> SheetRules:
        """Give the rules a seat plays by."""
        return fill_top_down(self.rules) if seat in self.beginners else self.rules

    def refusal(self, state: SheetState, action: Action) -> Phrase | None:
        if state.seat is None:
            return phrase("rules.refusal.over")
        if isinstance(action, Land):
            return refuse_land(state, action, len(state.rolling), self.rules.faces)
        if state.seat == CHANCE:
            return phrase("rules.refusal.falling")
        rules = self.rules_for(state.player)
        match action:
            case Leave(seat):
                return refuse_leave(state, seat)
            case Roll(keep):
                return refuse_roll(rules, state, keep)
            case EnterDice(dice, 0):
                return refuse_enter_dice(rules, state, dice)
            case Announce(box) if state.rolloff is None:
                return refuse_announce(rules, state, box)
            case Score() if state.rolloff is None:
                return refuse_score(rules, state, action)
            case EnterPoints() if state.rolloff is None:
                return refuse_enter_points(rules, state, action)
        return phrase("rules.refusal.not_now")

    def legal_moves(self, state: SheetState) -> Iterator[Move]:
        if state.seat in (None, CHANCE):
            return
        rules = self.rules_for(state.player)
        if state.rolloff is None and state.dice:
            yield from (Score(box) for box, option in self.list_options(state).items() if option.refusal is None)
        elif state.rolloff is None:
            announced = (Announce(box.id) for box in rules.boxes)
            yield from (move for move in announced if refuse_announce(rules, state, move.box) is None)
        if refuse_roll(rules, state, state.locked) is None:
            yield from (Roll(keep) for keep in list_keeps(state.dice, state.locked))

    def apply(self, state: SheetState, action: Action) -> SheetState:
        rules = self.rules_for(state.player)
        match action:
            case Announce(box):
                return state._replace(announced=box)
            case Roll(keep):
                locked = keep if rules.locked_dice and state.dice else ()
                return state._replace(seat=CHANCE, rolling=positions_to_roll(rules.dice, keep), locked=locked)
            case Land(dice):
                return land(state, dice)
            case EnterDice(dice):
                return enter_dice(rules, state, dice)
            case Score():
                return score(rules, state, action)
            case EnterPoints():
                return enter_points(rules, state, action)
            case Leave(seat):
                return leave(rules, state, seat)
        raise TypeError(action)

    def pending_roll(self, state: SheetState) -> PendingRoll | None:
        return find_pending_roll(state)

    def outcome(self, state: SheetState) -> Outcome | None:
        """Rank by total, equal totals together; who left ranks behind all who stayed."""
        if state.seat is not None:
            return None
        totals = tuple(self.tally(state, seat).total for seat in range(len(state.columns)))
        ranks = [(seat not in state.left, total) for seat, total in enumerate(totals)]
        places = tuple(
            tuple(seat for seat, own in enumerate(ranks) if own == rank) for rank in sorted(set(ranks), reverse=True)
        )
        return Outcome(places, totals)

    def list_options(self, state: SheetState) -> Mapping[str, Option]:
        """Say what each box would score now, or why it cannot."""
        return list_options(self.rules_for(state.player), state)

    def needs_announcement(self, state: SheetState) -> bool:
        """Tell whether a box must be announced before the dice are rolled."""
        return needs_announcement(self.rules_for(state.player), state)

    def can_cross_out(self, state: SheetState) -> bool:
        """Tell whether a box may be crossed out where the dice would score."""
        return can_cross_out(self.rules_for(state.player), state)

    def list_possible_entries(
        self, state: SheetState, box: str, anyway: bool = False
    ) -> dict[int, frozenset[tuple[int, bool]]]:
        """List the points that can be entered in a box, each with its extras and whether all dice were alike."""
        return list_possible_entries(self.rules_for(state.player), state, box, anyway)

    def tally(self, state: SheetState, seat: int) -> Tally:
        return sheet.tally(self.rules, state.columns[seat])

    def find_positions(self, state: SheetState, values: tuple[int, ...]) -> tuple[int, ...] | None:
        """Find the positions of typed values, those of locked dice first."""
        return find_dice(state.dice, values, state.locked)


@lru_cache(maxsize=256)
def fill_top_down(rules: SheetRules) -> SheetRules:
    """Give the same rules, filled from top to bottom."""
    return replace(rules, order="top_down")


def land(state: SheetState, dice: tuple[int, ...]) -> SheetState:
    """Put the dice that landed on the tray."""
    tray = place_dice(state.dice, state.rolling, dice)
    if state.rolloff:
        return count_rolloff_roll(state, state.rolloff, sum(tray))
    return state._replace(seat=state.player, dice=tray, rolls_used=state.rolls_used + 1, rolling=())


def enter_dice(rules: SheetRules, state: SheetState, dice: tuple[int, ...]) -> SheetState:
    """Put real dice on the tray, after the last roll."""
    if state.rolloff:
        return count_rolloff_roll(state, state.rolloff, sum(dice))
    return state._replace(dice=dice, rolls_used=rules.rolls)


def score(rules: SheetRules, state: SheetState, action: Score) -> SheetState:
    """Score the dice on the tray."""
    option = find_option(rules, state, action)
    return make_entry(
        rules, state, action.box, 0 if action.cross_out else option.points, option.extra, is_all_alike(state.hand)
    )


def enter_points(rules: SheetRules, state: SheetState, action: EnterPoints) -> SheetState:
    """Score points without dice; the dice were all alike if said so or if nothing else scores that much."""
    cases = list_possible_entries(rules, state, action.box, action.anyway)[action.points]
    were_alike = action.all_alike or (action.extra, False) not in cases
    return make_entry(rules, state, action.box, action.points, action.extra, were_alike)


def make_entry(rules: SheetRules, state: SheetState, box: str, points: int, extra: int, were_alike: bool) -> SheetState:
    """Make the entry and pass the turn on."""
    column, place, player = state.column, rules.index[box], state.player
    entries = (*column.entries[:place], points, *column.entries[place + 1 :])
    filled = Column(entries, column.extra + extra, column.yatzys + were_alike)
    columns = (*state.columns[:player], filled, *state.columns[player + 1 :])
    return pass_turn(state._replace(columns=columns, turns=count_turn(state.turns, player)))


def leave(rules: SheetRules, state: SheetState, seat: int) -> SheetState:
    """Take a seat out of the game: its column stays, its turn passes."""
    state = state._replace(left=state.left | {seat})
    staying = list_active_seats(state)
    if len(staying) <= (1 if rules.players.least > 1 else 0):
        return end_game(state)
    if state.rolloff:
        return leave_rolloff(state, state.rolloff, seat)
    if seat == state.player:
        return pass_turn(state._replace(turns=count_turn(state.turns, seat)))
    return state


__all__ = ["SheetGame", "SheetState"]
