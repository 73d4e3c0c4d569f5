"""The round-and-chip games: the opener sets a total, the others throw over or under it, the worst takes a chip."""

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
    list_keeps,
    place_dice,
    positions_to_roll,
    refuse_faces,
    refuse_land,
)
from knobel.games.round_state import (
    AIMS,
    BEST,
    FOLLOW,
    GIVER,
    OPEN,
    OVER,
    START,
    WORST,
    RoundResult,
    RoundRollOff,
    RoundState,
    end_game,
    find_next_seat,
    give_dice,
    list_clockwise,
)
from knobel.phrase import Phrase, phrase
from knobel.rules.round_rules import RoundRules


@dataclass(frozen=True)
class RoundsGame:
    """A game of rounds and chips."""

    rules: RoundRules
    practice: bool = False

    def start(self, seats: int, first: int | None = None) -> RoundState:
        """Put the chips into the kitty; the highest throw opens, unless it is agreed."""
        least, most = self.rules.players.least, self.rules.players.most or seats
        if not least <= seats <= most:
            raise WrongPlayerCount(n=seats, limits=phrase("rules.players.between", n=most, least=least))
        if first is not None and not 0 <= first < seats:
            raise NoSeatAtTable(seat=first + 1, seats=seats)
        everyone, opener = tuple(range(seats)), first or 0
        state = RoundState((0,) * seats, self.rules.chips, everyone, opener, opener, opener, OPEN, turns=(0,) * seats)
        if first is None:
            return replace(state, phase=START, rolloff=RoundRollOff(START, everyone), players_at_start=seats)
        return replace(state, players_at_start=seats, rounds=1)

    def refusal(self, state: RoundState, action: Action) -> Phrase | None:
        """Say why an action is not allowed."""
        if state.seat is None:
            return phrase("rules.refusal.over")
        if isinstance(action, Land):
            return refuse_land(state, action, len(state.rolling), self.rules.faces)
        if state.seat == CHANCE:
            return phrase("rules.refusal.falling")
        match action:
            case Leave(seat):
                if not 0 <= seat < len(state.chips):
                    return phrase("rules.refusal.no_seat", seat=seat + 1, n=len(state.chips))
                return None if seat in state.active else phrase("rules.refusal.gone")
            case Roll(keep):
                return self.refuse_roll(state, keep)
            case EnterDice():
                return self.refuse_enter_dice(state, action)
            case Stand(aim):
                return self.refuse_stand(state, aim)
        return phrase("rules.refusal.not_now")

    def refuse_roll(self, state: RoundState, keep: tuple[int, ...]) -> Phrase | None:
        """Allow a throw while there are throws and some die is in it; a follower has no more than the opener used."""
        dice = self.rules.dice
        if not state.dice:
            return phrase("rules.refusal.first_roll", n=dice) if keep else None
        if state.rolls_used >= (allowed := self.max_rolls(state)):
            return phrase("rules.refusal.no_rolls", n=allowed)
        if any(not 0 <= place < dice for place in keep) or len(set(keep)) != len(keep):
            return phrase("rules.refusal.no_die", n=dice)
        return phrase("rules.refusal.stand_instead") if len(keep) == dice else None

    def max_rolls(self, state: RoundState) -> int:
        """Say how many throws a player has: no more than the opener used, once he has."""
        return state.rolls_allowed if state.phase == FOLLOW else self.rules.rolls

    def refuse_enter_dice(self, state: RoundState, action: EnterDice) -> Phrase | None:
        """Let real dice be laid down where none lie yet; the others must know how many throws an opener took."""
        if state.dice:
            return phrase("rules.refusal.dice_seen")
        most = 1 if state.rolloff else self.max_rolls(state)
        if action.rolls > most or (state.phase == OPEN and not state.rolloff and not action.rolls):
            return phrase("rules.refusal.show_rolls", n=most)
        return refuse_faces(action.dice, self.rules.dice, self.rules.faces)

    def refuse_stand(self, state: RoundState, aim: str | None) -> Phrase | None:
        """Let one stand who has thrown; an opener says over or under, unless three ones end his round."""
        if state.rolloff or not state.dice:
            return phrase("rules.refusal.roll_first")
        if state.phase == FOLLOW or self.is_all_ones(state.dice):
            return phrase("rules.refusal.no_aim") if aim else None
        return None if aim in AIMS else phrase("rules.refusal.say_aim")

    def is_all_ones(self, dice: tuple[int, ...]) -> bool:
        """Tell whether these dice win at once."""
        return self.rules.chicago_special and set(dice) == {1}

    def legal_moves(self, state: RoundState) -> Iterator[Move]:
        """Walk through the moves of the seat whose turn it is."""
        if state.seat in (None, CHANCE):
            return
        stands: list[Move] = [Stand(), *(Stand(aim) for aim in AIMS)]
        throws: list[Move] = [Roll(keep) for keep in self.list_keeps(state)]
        yield from (move for move in (*stands, *throws) if self.refusal(state, move) is None)

    def list_keeps(self, state: RoundState) -> Iterator[tuple[int, ...]]:
        """Walk through what can be kept; of keeps that differ only in equal dice, the lowest positions."""
        yield from list_keeps(state.dice, ())

    def apply(self, state: RoundState, action: Action) -> RoundState:
        """Give the state after a legal action."""
        match action:
            case Roll(keep):
                falling = positions_to_roll(self.rules.dice, keep)
                return replace(state, seat=CHANCE, rolling=falling, result=None)
            case Land(dice):
                return self.land(state, dice)
            case EnterDice():
                return self.enter_dice(replace(state, result=None), action)
            case Stand(aim):
                return self.stand(state, aim)
            case Leave(seat):
                return self.leave(state, seat)
        raise TypeError(action)

    def land(self, state: RoundState, dice: tuple[int, ...]) -> RoundState:
        """Put the fallen dice on the tray, or count them for a tie."""
        tray = place_dice(state.dice, state.rolling, dice)
        if state.rolloff:
            return self.count_rolloff_roll(state, state.rolloff, sum(tray))
        return replace(state, seat=state.player, dice=tray, rolls_used=state.rolls_used + 1, rolling=())

    def enter_dice(self, state: RoundState, action: EnterDice) -> RoundState:
        """Put real dice on the tray after so many throws, or count them for a tie."""
        if state.rolloff:
            return self.count_rolloff_roll(state, state.rolloff, sum(action.dice))
        return replace(state, dice=action.dice, rolls_used=action.rolls or self.max_rolls(state))

    def count_rolloff_roll(self, state: RoundState, rolloff: RoundRollOff, total: int) -> RoundState:
        """Count one throw of a tie."""
        state = replace(state, rolling=(), turns=count_turn(state.turns, state.player))
        return self.continue_rolloff(state, replace(rolloff, sums=(*rolloff.sums, total)))

    def continue_rolloff(self, state: RoundState, rolloff: RoundRollOff) -> RoundState:
        """Let the next one of a tie throw; when all have thrown, the highest starts, or the worst or best is found."""
        sums = rolloff.sums
        if len(sums) < len(rolloff.seats):
            return give_dice(replace(state, rolloff=rolloff), rolloff.seats[len(sums)])
        upwards = rolloff.kind == START or (state.aim == OVER) == (rolloff.kind != WORST)
        wanted = max(sums) if upwards else min(sums)
        found = tuple(seat for seat, own in zip(rolloff.seats, sums, strict=True) if own == wanted)
        if len(found) > 1:
            return give_dice(replace(state, rolloff=RoundRollOff(rolloff.kind, found)), found[0])
        state = replace(state, rolloff=None)
        return self.resolve_rolloff(state, rolloff.kind, found[0])

    def resolve_rolloff(self, state: RoundState, kind: str, seat: int) -> RoundState:
        """Go on with whom a tie has found."""
        match kind:
            case "start":
                return self.open_round(state, seat)
            case "worst":
                return self.give_chip(state, seat)
            case "giver":
                return self.move_chip(replace(state, best=seat), seat)
        return self.take_winner_out(state, seat)

    def stand(self, state: RoundState, aim: str | None) -> RoundState:
        """End a player's throws: note his total, or let three ones leave."""
        player, total = state.player, sum(state.dice)
        ones = self.is_all_ones(state.dice)
        state = replace(
            state,
            turns=count_turn(state.turns, player),
            dice=(),
            rolls_used=0,
            rolls_allowed=state.rolls_allowed or state.rolls_used,
        )
        if ones and state.phase == OPEN:
            told = RoundResult(out=(player,), opener=player, totals=((player, total),))
            return self.end_or_continue(
                replace(self.take_out(state, player), result=told), find_next_seat(state, player)
            )
        state = replace(state, totals=(*state.totals, (player, total)), aim=aim or state.aim, phase=FOLLOW)
        return self.continue_round(self.take_out(state, player) if ones else state)

    def continue_round(self, state: RoundState) -> RoundState:
        """Let the next follower throw, or settle the round."""
        done = {seat for seat, _ in state.totals}
        waiting = [seat for seat in list_clockwise(state, state.opener) if seat not in done]
        return give_dice(state, waiting[0]) if waiting else self.settle_round(state)

    def settle_round(self, state: RoundState) -> RoundState:
        """Find the loser: the opener if all beat him, else the follower who failed worst."""
        failed = [(seat, total) for seat, total in state.totals if self.has_failed(state, seat, total)]
        if not failed:
            return self.give_chip(state, state.opener)
        worst = (min if state.aim == OVER else max)(total for _, total in failed)
        seats = tuple(seat for seat, total in failed if total == worst)
        if len(seats) > 1:
            return give_dice(replace(state, rolloff=RoundRollOff(WORST, seats)), seats[0])
        return self.give_chip(state, seats[0])

    def has_failed(self, state: RoundState, seat: int, total: int) -> bool:
        """Tell whether a follower still in the game has not beaten the opener; equal is not beaten."""
        return seat != state.opener and seat in state.active and not self.beats_opener(state, total)

    def beats_opener(self, state: RoundState, total: int) -> bool:
        """Tell whether a total is strictly better than the opener's."""
        return total > state.target if state.aim == OVER else total < state.target

    def give_chip(self, state: RoundState, loser: int) -> RoundState:
        """Give the loser his chip: from the kitty, else from the best placed other player who owns one."""
        state = replace(state, loser=loser)
        if state.kitty:
            return self.move_chip(state, None)
        owners = [seat for seat, _ in state.totals if seat in state.active and seat != loser and state.chips[seat]]
        best = min(self.rank_seat(state, seat) for seat in owners)
        tied = tuple(seat for seat in owners if self.rank_seat(state, seat) == best)
        if len(tied) > 1:
            return give_dice(replace(state, rolloff=RoundRollOff(GIVER, tied)), tied[0])
        return self.move_chip(state, tied[0])

    def rank_seat(self, state: RoundState, seat: int) -> tuple[int, int]:
        """Place a player in this round, the best lowest: who beat the opener, the opener, who failed."""
        total = dict(state.totals)[seat]
        group = 1 if seat == state.opener else 0 if self.beats_opener(state, total) else 2
        return group, -total if state.aim == OVER else total

    def move_chip(self, state: RoundState, giver: int | None) -> RoundState:
        """Move the chip of the round to its loser: from a player, or from the kitty if nobody gives it."""
        loser = state.opener if state.loser is None else state.loser
        moved = {loser: 1} if giver is None else {loser: 1, giver: -1}
        chips = tuple(own + moved.get(seat, 0) for seat, own in enumerate(state.chips))
        kitty = state.kitty - (giver is None)
        return self.find_winner(replace(state, chips=chips, kitty=kitty, chip_from=giver))

    def find_winner(self, state: RoundState) -> RoundState:
        """Find the round's winner: three ones, else the best of those who beat the opener, else the opener."""
        ones = [seat for seat, _ in state.totals if seat in state.out_this_round]
        if ones:
            return self.close_round(state, ones[0], ())
        beat = {seat: total for seat, total in state.totals if seat != state.opener and self.beats_opener(state, total)}
        if not beat:
            return self.take_winner_out(state, state.opener)
        best = (max if state.aim == OVER else min)(beat.values())
        seats = tuple(seat for seat, total in beat.items() if total == best)
        if state.best in seats:  # who gave the chip has thrown it out with the other owners, but with nobody else
            seats = tuple(seat for seat in seats if seat == state.best or not state.chips[seat])
        if len(seats) > 1 and state.players_at_start >= 4:
            return give_dice(replace(state, rolloff=RoundRollOff(BEST, seats)), seats[0])
        return self.take_winner_out(state, state.best if state.best in seats else seats[0])

    def take_winner_out(self, state: RoundState, winner: int) -> RoundState:
        """Let the winner of a round of four and more leave."""
        return self.close_round(state, winner, (winner,) if state.players_at_start >= 4 else ())

    def close_round(self, state: RoundState, winner: int, leaving: tuple[int, ...]) -> RoundState:
        """Close the round: who leaves, who is told, who opens next."""
        loser = state.opener if state.loser is None else state.loser
        left = (*state.out_this_round, *leaving)
        told = RoundResult(loser, winner, state.chip_from, left, state.opener, state.aim, state.totals)
        for seat in leaving:
            state = self.take_out(state, seat)
        following = loser if loser in state.active else find_next_seat(state, loser)
        return self.end_or_continue(replace(state, result=told), following)

    def end_or_continue(self, state: RoundState, opener: int) -> RoundState:
        """End the game, or let one more leave, or open the next round."""
        holders = [seat for seat in state.active if state.chips[seat] == self.rules.chips]
        if holders or len(state.active) == 1:
            last = holders[0] if holders else state.active[0]
            others = tuple(seat for seat in state.active if seat != last)
            return end_game(replace(state, places=(*state.places, *((others,) if others else ()), (last,)), active=()))
        free = [seat for seat in state.active if not state.chips[seat]]
        if len(state.active) == 3 and not state.kitty and len(free) == 1:
            told = state.result or RoundResult()
            state = replace(self.take_out(state, free[0]), result=replace(told, out=(*told.out, free[0])))
            opener = opener if opener in state.active else find_next_seat(state, opener)
        return self.open_round(state, opener)

    def open_round(self, state: RoundState, opener: int) -> RoundState:
        """Open a round."""
        fresh = replace(
            state,
            opener=opener,
            phase=OPEN,
            rolls_allowed=0,
            aim=None,
            totals=(),
            out_this_round=(),
            loser=None,
            chip_from=None,
            best=None,
        )
        return give_dice(replace(fresh, players_at_start=len(state.active), rounds=state.rounds + 1), opener)

    def take_out(self, state: RoundState, seat: int) -> RoundState:
        """Let a seat leave with the next place; its chips return to the kitty."""
        chips = tuple(0 if place == seat else own for place, own in enumerate(state.chips))
        return replace(
            state,
            chips=chips,
            kitty=state.kitty + state.chips[seat],
            active=tuple(other for other in state.active if other != seat),
            places=(*state.places, (seat,)),
            out_this_round=(*state.out_this_round, seat),
        )

    def leave(self, state: RoundState, seat: int) -> RoundState:
        """Let a player quit: behind everyone still in; a round whose opener quits is void."""
        before = state
        state = self.take_out(state, seat)
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
            return self.leave_rolloff(state, before.rolloff, seat)
        if seat == state.opener:
            following = find_next_seat(before, seat)
            return self.end_or_continue(replace(state, turns=count_turn(state.turns, before.player)), following)
        state = replace(state, totals=tuple(pair for pair in state.totals if pair[0] != seat))
        if seat == before.player:
            state = replace(state, dice=(), rolls_used=0, turns=count_turn(state.turns, seat))
            return self.continue_round(state) if len(state.active) > 1 else self.end_or_continue(state, state.opener)
        return state

    def leave_rolloff(self, state: RoundState, rolloff: RoundRollOff, seat: int) -> RoundState:
        """Take a quitter out of a tie; a tie with one seat left is decided."""
        if rolloff.kind != START and seat == state.opener:
            return self.end_or_continue(replace(state, rolloff=None), find_next_seat(state, seat))
        pairs = [(other, rolloff.sums[place : place + 1]) for place, other in enumerate(rolloff.seats) if other != seat]
        seats = tuple(other for other, _ in pairs)
        sums = tuple(total for _, own in pairs for total in own)
        totals = tuple(pair for pair in state.totals if pair[0] != seat)
        state = replace(state, rolloff=None, totals=totals)
        if rolloff.kind == GIVER and seat == state.loser:
            return self.settle_round(replace(state, loser=None))
        if rolloff.kind == GIVER and state.kitty and state.loser is not None:
            return self.give_chip(state, state.loser)
        if len(seats) > 1:
            return self.continue_rolloff(state, RoundRollOff(rolloff.kind, seats, sums))
        return self.resolve_rolloff(state, rolloff.kind, seats[0])

    def pending_roll(self, state: RoundState) -> PendingRoll | None:
        """Say what must land next."""
        if state.seat != CHANCE:
            return None
        return PendingRoll(state.player, state.turns[state.player], state.rolls_used, state.rolling)

    def outcome(self, state: RoundState) -> Outcome | None:
        """Rank by the order of leaving, quitters behind all others, the last to quit before the first."""
        if state.seat is not None:
            return None
        return Outcome((*state.places, *((seat,) for seat in reversed(state.quit))), state.chips)

    def find_positions(self, state: RoundState, values: tuple[int, ...]) -> tuple[int, ...] | None:
        """Find the lowest positions of typed values; none if they do not lie there."""
        free = list(range(len(state.dice)))
        found = []
        for value in values:
            place = next((place for place in free if state.dice[place] == value), None)
            if place is None:
                return None
            free.remove(place)
            found.append(place)
        return tuple(sorted(found))
