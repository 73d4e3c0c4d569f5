"""The score-sheet games: throw, keep, write; the Yatzy family and every house rule of its kind."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from knobel.dice import Hand, is_all_alike, sort_dice
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
    list_keeps,
    place_dice,
    positions_to_roll,
    refuse_faces,
    refuse_land,
)
from knobel.phrase import BoxName, Phrase, phrase
from knobel.rules import column as sheet
from knobel.rules.articles import describe_players
from knobel.rules.column import Column, Option, Tally
from knobel.rules.sheet_rules import SheetRules


@dataclass(frozen=True, slots=True)
class StartRollOff:
    """The throws for who begins: the seats still in it, and the sums thrown so far in this round."""

    seats: tuple[int, ...]
    sums: tuple[int, ...] = ()

    @property
    def best(self) -> tuple[int, ...]:
        """The seats with the highest sum."""
        return tuple(seat for seat, total in zip(self.seats, self.sums, strict=True) if total == max(self.sums))


class SheetState(NamedTuple):
    """Where a game stands."""

    columns: tuple[Column, ...]
    player: int
    seat: int | None
    dice: tuple[int, ...] = ()
    rolls_used: int = 0
    rolling: tuple[int, ...] = ()
    locked: tuple[int, ...] = ()
    announced: str | None = None
    turns: tuple[int, ...] = ()
    left: frozenset[int] = frozenset()
    rolloff: StartRollOff | None = None
    first: int | None = None

    @property
    def column(self) -> Column:
        """The column of the player whose turn it is."""
        return self.columns[self.player]

    @property
    def hand(self) -> Hand:
        """The dice on the tray, sorted."""
        return sort_dice(self.dice)


@dataclass(frozen=True)
class SheetGame:
    """A score-sheet game; seats among the beginners fill their column from top to bottom."""

    rules: SheetRules
    beginners: frozenset[int] = frozenset()
    practice: bool = False

    def start(self, seats: int, first: int | None = None) -> SheetState:
        """Lay out the columns; roll off for the start where the rules want it."""
        limits = self.rules.players
        outside = seats < limits.least or (limits.most is not None and seats > limits.most)
        if seats < 1 or (outside and not self.practice):
            raise WrongPlayerCount(n=seats, limits=describe_players(self.rules).phrase)
        if first is not None and not 0 <= first < seats:
            raise NoSeatAtTable(seat=first + 1, seats=seats)
        start = 0 if first is None else first
        state = SheetState((sheet.empty_column(self.rules),) * seats, start, start, turns=(0,) * seats, first=start)
        if first is None and self.rules.start == "highest" and seats > 1:
            return state._replace(rolloff=StartRollOff(tuple(range(seats))), first=None)
        return state

    def rules_for(self, seat: int) -> SheetRules:
        """Give the rules a seat plays by."""
        return self.beginner_rules if seat in self.beginners else self.rules

    @cached_property
    def beginner_rules(self) -> SheetRules:
        """The same rules, filled from top to bottom."""
        return replace(self.rules, order="top_down")

    def refusal(self, state: SheetState, action: Action) -> Phrase | None:
        """Say why an action is not allowed."""
        if state.seat is None:
            return phrase("rules.refusal.over")
        if isinstance(action, Land):
            return refuse_land(state, action, len(state.rolling), self.rules.faces)
        if state.seat == CHANCE:
            return phrase("rules.refusal.falling")
        match action:
            case Leave(seat):
                return self.refuse_leave(state, seat)
            case Roll(keep):
                return self.refuse_roll(state, keep)
            case EnterDice(dice, 0):
                return self.refuse_enter_dice(state, dice)
            case Announce(box) if state.rolloff is None:
                return self.refuse_announce(state, box)
            case Score() if state.rolloff is None:
                return self.refuse_score(state, action)
            case EnterPoints() if state.rolloff is None:
                return self.refuse_enter_points(state, action)
        return phrase("rules.refusal.not_now")

    def refuse_leave(self, state: SheetState, seat: int) -> Phrase | None:
        """Let each seat leave once."""
        if not 0 <= seat < len(state.columns):
            return phrase("rules.refusal.no_seat", seat=seat + 1, n=len(state.columns))
        return phrase("rules.refusal.gone") if seat in state.left else None

    def refuse_roll(self, state: SheetState, keep: tuple[int, ...]) -> Phrase | None:
        """Allow a throw while there are throws, with some die in it, and with locked dice left alone."""
        dice = self.rules.dice
        if not state.dice:
            if self.needs_announcement(state):
                return phrase("rules.refusal.announce_first")
            return phrase("rules.refusal.first_roll", n=dice) if keep else None
        if state.rolls_used >= self.rules.rolls:
            return phrase("rules.refusal.no_rolls", n=self.rules.rolls)
        if keep and (keep[0] < 0 or keep[-1] >= dice or tuple(sorted(set(keep))) != keep):
            return phrase("rules.refusal.no_die", n=dice)
        if len(keep) == dice:
            return phrase("rules.refusal.nothing_rolled")
        if state.locked and not set(state.locked) <= set(keep):
            return phrase("rules.refusal.locked", dice=" ".join(str(state.dice[place]) for place in state.locked))
        return None

    def needs_announcement(self, state: SheetState) -> bool:
        """Tell whether a box must be announced first."""
        order = self.rules_for(state.player).order
        return order == "announced" and state.announced is None and state.rolloff is None

    def refuse_enter_dice(self, state: SheetState, dice: tuple[int, ...]) -> Phrase | None:
        """Let real dice be laid down where none lie yet."""
        if state.dice:
            return phrase("rules.refusal.dice_seen")
        if self.needs_announcement(state):
            return phrase("rules.refusal.announce_first")
        return refuse_faces(dice, self.rules.dice, self.rules.faces)

    def refuse_announce(self, state: SheetState, box: str) -> Phrase | None:
        """Allow one open box to be announced, before the first throw."""
        if self.rules_for(state.player).order != "announced":
            return phrase("rules.refusal.no_announcing")
        if state.announced is not None or state.dice:
            return phrase("rules.refusal.announced_late")
        return self.refuse_box(state, box)

    def refuse_box(self, state: SheetState, box: str) -> Phrase | None:
        """Want an open box of this sheet."""
        if box not in self.rules.index:
            return phrase("rules.refusal.no_box", name=box)
        return phrase("rules.refusal.filled") if state.column.entries[self.rules.index[box]] is not None else None

    def refuse_score(self, state: SheetState, action: Score) -> Phrase | None:
        """Allow what the rules of writing allow; a strike only where zeros are free."""
        if not state.dice:
            return phrase("rules.refusal.roll_first")
        if action.box not in self.rules.index:
            return phrase("rules.refusal.no_box", name=action.box)
        option = self.find_option(state, action)
        bound = action.cross_out and option.points and not action.anyway and not self.can_cross_out(state)
        if option.refusal is None and bound:
            return phrase("rules.refusal.no_cross_out")
        return option.refusal

    def find_option(self, state: SheetState, action: Score) -> Option:
        """Say what a box brings: by the rules, or by the dice alone where the table plays it anyway."""
        if not action.anyway:
            return self.list_options(state)[action.box]
        return sheet.find_option_against_rules(self.rules_for(state.player), state.column, state.hand, action.box)

    def can_cross_out(self, state: SheetState) -> bool:
        """Tell whether a deliberate zero may be written where the dice would score."""
        return not sheet.is_bound(self.rules_for(state.player), state.column, state.hand)

    def refuse_enter_points(self, state: SheetState, action: EnterPoints) -> Phrase | None:
        """Allow only points that some dice could have brought in this box of this column."""
        if state.dice:
            return phrase("rules.refusal.dice_seen")
        if refused := self.refuse_box(state, action.box):
            return refused
        if self.needs_announcement(state) and not action.anyway:
            return phrase("rules.refusal.announce_first")
        written = self.list_possible_entries(state, action.box, action.anyway)
        if not written:
            return self.find_main_refusal(state, action.box) or phrase("rules.refusal.not_now")
        if action.points not in written:
            return phrase("rules.refusal.points", box=BoxName(action.box), points=action.points, allowed=tuple(written))
        extras = {extra for extra, _ in written[action.points]}
        if action.extra not in extras:
            wanted = "rules.refusal.extra" if max(extras) else "rules.refusal.no_extra"
            return phrase(wanted, box=BoxName(action.box), points=action.points, extra=max(extras))
        if action.all_alike and (action.extra, True) not in written[action.points]:
            return phrase("rules.refusal.not_alike", box=BoxName(action.box), points=action.points)
        return None

    def list_possible_entries(
        self, state: SheetState, box: str, anyway: bool = False
    ) -> dict[int, frozenset[tuple[int, bool]]]:
        """List the points that can be noted in a box, each with its extras and whether all dice were alike."""
        return sheet.list_possible_entries(self.rules_for(state.player), state.column, box, state.announced, anyway)

    def find_main_refusal(self, state: SheetState, box: str) -> Phrase | None:
        """Say why dice may not be written in a box now: none at all, or most of those that may not."""
        return sheet.find_main_refusal(self.rules_for(state.player), state.column, box, state.announced)

    def legal_moves(self, state: SheetState) -> Iterator[Move]:
        """Walk through the moves of the seat whose turn it is."""
        if state.seat in (None, CHANCE):
            return
        if state.rolloff is None and state.dice:
            yield from (Score(box) for box, option in self.list_options(state).items() if option.refusal is None)
        elif state.rolloff is None:
            announced = (Announce(box.id) for box in self.rules.boxes)
            yield from (move for move in announced if self.refuse_announce(state, move.box) is None)
        if self.refuse_roll(state, state.locked) is None:
            yield from (Roll(keep) for keep in self.list_keeps(state))

    def list_keeps(self, state: SheetState) -> Iterator[tuple[int, ...]]:
        """Walk through what can be kept; of keeps that differ only in equal dice, the one with the lowest positions."""
        yield from list_keeps(state.dice, state.locked)

    def apply(self, state: SheetState, action: Action) -> SheetState:
        """Give the state after a legal action."""
        match action:
            case Announce(box):
                return state._replace(announced=box)
            case Roll(keep):
                falling = positions_to_roll(self.rules.dice, keep)
                locked = keep if self.rules.locked_dice and state.dice else ()
                return state._replace(seat=CHANCE, rolling=falling, locked=locked)
            case Land(dice):
                return self.land(state, dice)
            case EnterDice(dice):
                return self.enter_dice(state, dice)
            case Score():
                return self.score(state, action)
            case EnterPoints():
                return self.enter_points(state, action)
            case Leave(seat):
                return self.leave(state, seat)
        raise TypeError(action)

    def land(self, state: SheetState, dice: tuple[int, ...]) -> SheetState:
        """Put the fallen dice on the tray."""
        tray = place_dice(state.dice, state.rolling, dice)
        if state.rolloff:
            return self.count_rolloff_roll(state, state.rolloff, sum(tray))
        return state._replace(seat=state.player, dice=tray, rolls_used=state.rolls_used + 1, rolling=())

    def enter_dice(self, state: SheetState, dice: tuple[int, ...]) -> SheetState:
        """Put real dice on the tray, after the last throw."""
        if state.rolloff:
            return self.count_rolloff_roll(state, state.rolloff, sum(dice))
        return state._replace(dice=dice, rolls_used=self.rules.rolls)

    def count_rolloff_roll(self, state: SheetState, rolloff: StartRollOff, total: int) -> SheetState:
        """Count one throw for the start; the highest begins, ties throw again."""
        sums = (*rolloff.sums, total)
        state = state._replace(rolling=(), turns=count_turn(state.turns, state.player))
        if len(sums) < len(rolloff.seats):
            player = rolloff.seats[len(sums)]
            return state._replace(player=player, seat=player, rolloff=StartRollOff(rolloff.seats, sums))
        best = StartRollOff(rolloff.seats, sums).best
        tied = StartRollOff(best) if len(best) > 1 else None
        return state._replace(player=best[0], seat=best[0], rolloff=tied, first=None if tied else best[0])

    def score(self, state: SheetState, action: Score) -> SheetState:
        """Write the dice on the tray."""
        option = self.find_option(state, action)
        return self.make_entry(
            state, action.box, 0 if action.cross_out else option.points, option.extra, is_all_alike(state.hand)
        )

    def enter_points(self, state: SheetState, action: EnterPoints) -> SheetState:
        """Write points of dice nobody showed us; they were all alike if said so or if nothing else brings them."""
        cases = self.list_possible_entries(state, action.box, action.anyway)[action.points]
        were_alike = action.all_alike or (action.extra, False) not in cases
        return self.make_entry(state, action.box, action.points, action.extra, were_alike)

    def make_entry(self, state: SheetState, box: str, points: int, extra: int, were_alike: bool) -> SheetState:
        """Make the entry and pass the turn on."""
        column, place, player = state.column, self.rules.index[box], state.player
        entries = (*column.entries[:place], points, *column.entries[place + 1 :])
        written = Column(entries, column.extra + extra, column.yatzys + were_alike)
        columns = (*state.columns[:player], written, *state.columns[player + 1 :])
        return self.pass_turn(state._replace(columns=columns, turns=count_turn(state.turns, player)))

    def leave(self, state: SheetState, seat: int) -> SheetState:
        """Take a seat out of the game: its column stays, its turn passes."""
        state = state._replace(left=state.left | {seat})
        staying = self.list_active_seats(state)
        if len(staying) <= (1 if self.rules.players.least > 1 else 0):
            return end_game(state)
        if state.rolloff:
            return self.leave_rolloff(state, state.rolloff, seat)
        if seat == state.player:
            return self.pass_turn(state._replace(turns=count_turn(state.turns, seat)))
        return state

    def leave_rolloff(self, state: SheetState, rolloff: StartRollOff, seat: int) -> SheetState:
        """Take a seat out of the roll-off; whoever is left in it alone begins."""
        pairs = [
            (other, rolloff.sums[place] if place < len(rolloff.sums) else None)
            for place, other in enumerate(rolloff.seats)
            if other != seat
        ]
        seats, sums = tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs if pair[1] is not None)
        if not seats:
            seats, sums = self.list_active_seats(state), ()
        if len(seats) > len(sums) and len(seats) > 1:
            player = seats[len(sums)]
            return state._replace(player=player, seat=player, rolloff=StartRollOff(seats, sums))
        best = StartRollOff(seats, sums).best if len(sums) == len(seats) else seats
        tied = StartRollOff(best) if len(best) > 1 else None
        return state._replace(player=best[0], seat=best[0], rolloff=tied, first=None if tied else best[0])

    def list_active_seats(self, state: SheetState) -> tuple[int, ...]:
        """List the seats still in the game."""
        return tuple(seat for seat in range(len(state.columns)) if seat not in state.left)

    def pass_turn(self, state: SheetState) -> SheetState:
        """Clear the tray and give the turn to the next seat clockwise that still has an open box."""
        seats = len(state.columns)
        state = state._replace(dice=(), rolls_used=0, rolling=(), locked=(), announced=None)
        for step in range(1, seats + 1):
            seat = (state.player + step) % seats
            if seat not in state.left and not state.columns[seat].is_full:
                return state._replace(player=seat, seat=seat)
        return end_game(state)

    def pending_roll(self, state: SheetState) -> PendingRoll | None:
        """Say what must land next."""
        if state.seat != CHANCE:
            return None
        return PendingRoll(state.player, state.turns[state.player], state.rolls_used, state.rolling)

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
        """Say what each box would bring now, and why not; every window asks here."""
        return sheet.list_options(self.rules_for(state.player), state.column, state.hand, state.announced)

    def tally(self, state: SheetState, seat: int) -> Tally:
        """Add up a column."""
        return sheet.tally(self.rules, state.columns[seat])

    def find_positions(self, state: SheetState, values: tuple[int, ...]) -> tuple[int, ...] | None:
        """Find the positions of typed values: locked dice first, then the lowest; none if they do not lie there."""
        wanted = Counter(values)
        found = []
        order = (*state.locked, *(place for place in range(len(state.dice)) if place not in state.locked))
        for place in order:
            if wanted[state.dice[place]] > 0:
                wanted[state.dice[place]] -= 1
                found.append(place)
        return None if any(wanted.values()) else tuple(sorted(found))


def end_game(state: SheetState) -> SheetState:
    """End the game."""
    return state._replace(seat=None, dice=(), rolls_used=0, rolling=(), locked=(), announced=None, rolloff=None)
