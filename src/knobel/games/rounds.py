"""The round-and-chip games: the opener sets a total, the others throw over or under it, the worst takes a chip."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from knobel.errors import BadSeat, PlayersOutside
from knobel.game import (
    CHANCE,
    Action,
    Fall,
    Land,
    Leave,
    Move,
    Outcome,
    Show,
    Stand,
    Throw,
    counted,
    keeps_of,
    landed,
    refuse_faces,
    refuse_land,
    thrown,
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
    RoundState,
    Tied,
    Told,
    after_clockwise,
    clockwise,
    over,
    to_throw,
)
from knobel.phrase import Phrase, phrase
from knobel.rules.rounds import RoundRules


@dataclass(frozen=True)
class Rounds:
    """A game of rounds and chips."""

    rules: RoundRules
    practice: bool = False

    def start(self, seats: int, first: int | None = None) -> RoundState:
        """Put the chips into the kitty; the highest throw opens, unless it is agreed."""
        least, most = self.rules.players.least, self.rules.players.most or seats
        if not least <= seats <= most:
            raise PlayersOutside(n=seats, limits=phrase("rules.players.between", n=most, least=least))
        if first is not None and not 0 <= first < seats:
            raise BadSeat(seat=first + 1, seats=seats)
        everyone, opener = tuple(range(seats)), first or 0
        state = RoundState((0,) * seats, self.rules.chips, everyone, opener, opener, opener, OPEN, turns=(0,) * seats)
        if first is None:
            return replace(state, phase=START, tied=Tied(START, everyone), began=seats)
        return replace(state, began=seats, rounds=1)

    def refusal(self, state: RoundState, action: Action) -> Phrase | None:
        """Say why an action is not allowed."""
        if state.seat is None:
            return phrase("rules.refusal.over")
        if isinstance(action, Land):
            return refuse_land(state, action, len(state.falling), self.rules.faces)
        if state.seat == CHANCE:
            return phrase("rules.refusal.falling")
        match action:
            case Leave(seat):
                if not 0 <= seat < len(state.chips):
                    return phrase("rules.refusal.no_seat", seat=seat + 1, n=len(state.chips))
                return None if seat in state.inside else phrase("rules.refusal.gone")
            case Throw(keep):
                return self.refuse_throw(state, keep)
            case Show():
                return self.refuse_show(state, action)
            case Stand(aim):
                return self.refuse_stand(state, aim)
        return phrase("rules.refusal.not_now")

    def refuse_throw(self, state: RoundState, keep: tuple[int, ...]) -> Phrase | None:
        """Allow a throw while there are throws and some die is in it; a follower has no more than the opener used."""
        dice = self.rules.dice
        if not state.dice:
            return phrase("rules.refusal.first_throw", n=dice) if keep else None
        if state.thrown >= (allowed := self.allowed(state)):
            return phrase("rules.refusal.no_throws", n=allowed)
        if any(not 0 <= place < dice for place in keep) or len(set(keep)) != len(keep):
            return phrase("rules.refusal.no_die", n=dice)
        return phrase("rules.refusal.stand_instead") if len(keep) == dice else None

    def allowed(self, state: RoundState) -> int:
        """Say how many throws a player has: no more than the opener used, once he has."""
        return state.allowed if state.phase == FOLLOW else self.rules.throws

    def refuse_show(self, state: RoundState, action: Show) -> Phrase | None:
        """Let real dice be laid down where none lie yet; the others must know how many throws an opener took."""
        if state.dice:
            return phrase("rules.refusal.dice_seen")
        most = 1 if state.tied else self.allowed(state)
        if action.throws > most or (state.phase == OPEN and not state.tied and not action.throws):
            return phrase("rules.refusal.show_throws", n=most)
        return refuse_faces(action.dice, self.rules.dice, self.rules.faces)

    def refuse_stand(self, state: RoundState, aim: str | None) -> Phrase | None:
        """Let one stand who has thrown; an opener says over or under, unless three ones end his round."""
        if state.tied or not state.dice:
            return phrase("rules.refusal.throw_first")
        if state.phase == FOLLOW or self.is_all_ones(state.dice):
            return phrase("rules.refusal.no_aim") if aim else None
        return None if aim in AIMS else phrase("rules.refusal.say_aim")

    def is_all_ones(self, dice: tuple[int, ...]) -> bool:
        """Tell whether these dice win at once."""
        return self.rules.chicago_special and set(dice) == {1}

    def moves(self, state: RoundState) -> Iterator[Move]:
        """Walk through the moves of the seat whose turn it is."""
        if state.seat in (None, CHANCE):
            return
        stands: list[Move] = [Stand(), *(Stand(aim) for aim in AIMS)]
        throws: list[Move] = [Throw(keep) for keep in self.keeps(state)]
        yield from (move for move in (*stands, *throws) if self.refusal(state, move) is None)

    def keeps(self, state: RoundState) -> Iterator[tuple[int, ...]]:
        """Walk through what can be kept; of keeps that differ only in equal dice, the lowest positions."""
        yield from keeps_of(state.dice, ())

    def after(self, state: RoundState, action: Action) -> RoundState:
        """Give the state after a legal action."""
        match action:
            case Throw(keep):
                falling = thrown(self.rules.dice, keep)
                return replace(state, seat=CHANCE, falling=falling, told=None)
            case Land(dice):
                return self.land(state, dice)
            case Show():
                return self.show(replace(state, told=None), action)
            case Stand(aim):
                return self.stand(state, aim)
            case Leave(seat):
                return self.leave(state, seat)
        raise TypeError(action)

    def land(self, state: RoundState, dice: tuple[int, ...]) -> RoundState:
        """Put the fallen dice on the tray, or count them for a tie."""
        tray = landed(state.dice, state.falling, dice)
        if state.tied:
            return self.tie_thrown(state, state.tied, sum(tray))
        return replace(state, seat=state.player, dice=tray, thrown=state.thrown + 1, falling=())

    def show(self, state: RoundState, action: Show) -> RoundState:
        """Put real dice on the tray after so many throws, or count them for a tie."""
        if state.tied:
            return self.tie_thrown(state, state.tied, sum(action.dice))
        return replace(state, dice=action.dice, thrown=action.throws or self.allowed(state))

    def tie_thrown(self, state: RoundState, tied: Tied, total: int) -> RoundState:
        """Count one throw of a tie."""
        state = replace(state, falling=(), turns=counted(state.turns, state.player))
        return self.tie_counted(state, replace(tied, sums=(*tied.sums, total)))

    def tie_counted(self, state: RoundState, tied: Tied) -> RoundState:
        """Let the next one of a tie throw; when all have thrown, the highest starts, or the worst or best is found."""
        sums = tied.sums
        if len(sums) < len(tied.seats):
            return to_throw(replace(state, tied=tied), tied.seats[len(sums)])
        upwards = tied.kind == START or (state.aim == OVER) == (tied.kind != WORST)
        wanted = max(sums) if upwards else min(sums)
        found = tuple(seat for seat, own in zip(tied.seats, sums, strict=True) if own == wanted)
        if len(found) > 1:
            return to_throw(replace(state, tied=Tied(tied.kind, found)), found[0])
        state = replace(state, tied=None)
        return self.tie_decided(state, tied.kind, found[0])

    def tie_decided(self, state: RoundState, kind: str, seat: int) -> RoundState:
        """Go on with whom a tie has found."""
        match kind:
            case "start":
                return self.next_round(state, seat)
            case "worst":
                return self.pay(state, seat)
            case "giver":
                return self.take(replace(state, best=seat), seat)
        return self.winner_leaves(state, seat)

    def stand(self, state: RoundState, aim: str | None) -> RoundState:
        """End a player's throws: note his total, or let three ones leave."""
        player, total = state.player, sum(state.dice)
        ones = self.is_all_ones(state.dice)
        state = replace(
            state, turns=counted(state.turns, player), dice=(), thrown=0, allowed=state.allowed or state.thrown
        )
        if ones and state.phase == OPEN:
            told = Told(left=(player,), opener=player, totals=((player, total),))
            return self.end_tests(replace(self.leaves(state, player), told=told), after_clockwise(state, player))
        state = replace(state, totals=(*state.totals, (player, total)), aim=aim or state.aim, phase=FOLLOW)
        return self.go_on(self.leaves(state, player) if ones else state)

    def go_on(self, state: RoundState) -> RoundState:
        """Let the next follower throw, or settle the round."""
        done = {seat for seat, _ in state.totals}
        waiting = [seat for seat in clockwise(state, state.opener) if seat not in done]
        return to_throw(state, waiting[0]) if waiting else self.settle(state)

    def settle(self, state: RoundState) -> RoundState:
        """Find the loser: the opener if all beat him, else the follower who failed worst."""
        failed = [(seat, total) for seat, total in state.totals if self.failed(state, seat, total)]
        if not failed:
            return self.pay(state, state.opener)
        worst = (min if state.aim == OVER else max)(total for _, total in failed)
        seats = tuple(seat for seat, total in failed if total == worst)
        if len(seats) > 1:
            return to_throw(replace(state, tied=Tied(WORST, seats)), seats[0])
        return self.pay(state, seats[0])

    def failed(self, state: RoundState, seat: int, total: int) -> bool:
        """Tell whether a follower still in the game has not beaten the opener; equal is not beaten."""
        return seat != state.opener and seat in state.inside and not self.beats(state, total)

    def beats(self, state: RoundState, total: int) -> bool:
        """Tell whether a total is strictly better than the opener's."""
        return total > state.target if state.aim == OVER else total < state.target

    def pay(self, state: RoundState, loser: int) -> RoundState:
        """Give the loser his chip: from the kitty, else from the best placed other player who owns one."""
        state = replace(state, loser=loser)
        if state.kitty:
            return self.take(state, None)
        owners = [seat for seat, _ in state.totals if seat in state.inside and seat != loser and state.chips[seat]]
        best = min(self.rank(state, seat) for seat in owners)
        tied = tuple(seat for seat in owners if self.rank(state, seat) == best)
        if len(tied) > 1:
            return to_throw(replace(state, tied=Tied(GIVER, tied)), tied[0])
        return self.take(state, tied[0])

    def rank(self, state: RoundState, seat: int) -> tuple[int, int]:
        """Place a player in this round, the best lowest: who beat the opener, the opener, who failed."""
        total = dict(state.totals)[seat]
        group = 1 if seat == state.opener else 0 if self.beats(state, total) else 2
        return group, -total if state.aim == OVER else total

    def take(self, state: RoundState, giver: int | None) -> RoundState:
        """Move the chip of the round to its loser: from a player, or from the kitty if nobody gives it."""
        loser = state.opener if state.loser is None else state.loser
        moved = {loser: 1} if giver is None else {loser: 1, giver: -1}
        chips = tuple(own + moved.get(seat, 0) for seat, own in enumerate(state.chips))
        kitty = state.kitty - (giver is None)
        return self.find_winner(replace(state, chips=chips, kitty=kitty, chip_from=giver))

    def find_winner(self, state: RoundState) -> RoundState:
        """Find the round's winner: three ones, else the best of those who beat the opener, else the opener."""
        ones = [seat for seat, _ in state.totals if seat in state.gone]
        if ones:
            return self.settled(state, ones[0], ())
        beat = {seat: total for seat, total in state.totals if seat != state.opener and self.beats(state, total)}
        if not beat:
            return self.winner_leaves(state, state.opener)
        best = (max if state.aim == OVER else min)(beat.values())
        seats = tuple(seat for seat, total in beat.items() if total == best)
        if state.best in seats:  # who gave the chip has thrown it out with the other owners, but with nobody else
            seats = tuple(seat for seat in seats if seat == state.best or not state.chips[seat])
        if len(seats) > 1 and state.began >= 4:
            return to_throw(replace(state, tied=Tied(BEST, seats)), seats[0])
        return self.winner_leaves(state, state.best if state.best in seats else seats[0])

    def winner_leaves(self, state: RoundState, winner: int) -> RoundState:
        """Let the winner of a round of four and more leave."""
        return self.settled(state, winner, (winner,) if state.began >= 4 else ())

    def settled(self, state: RoundState, winner: int, leaving: tuple[int, ...]) -> RoundState:
        """Close the round: who leaves, who is told, who opens next."""
        loser = state.opener if state.loser is None else state.loser
        left = (*state.gone, *leaving)
        told = Told(loser, winner, state.chip_from, left, state.opener, state.aim, state.totals)
        for seat in leaving:
            state = self.leaves(state, seat)
        following = loser if loser in state.inside else after_clockwise(state, loser)
        return self.end_tests(replace(state, told=told), following)

    def end_tests(self, state: RoundState, opener: int) -> RoundState:
        """End the game, or let one more leave, or open the next round."""
        holders = [seat for seat in state.inside if state.chips[seat] == self.rules.chips]
        if holders or len(state.inside) == 1:
            last = holders[0] if holders else state.inside[0]
            others = tuple(seat for seat in state.inside if seat != last)
            return over(replace(state, places=(*state.places, *((others,) if others else ()), (last,)), inside=()))
        free = [seat for seat in state.inside if not state.chips[seat]]
        if len(state.inside) == 3 and not state.kitty and len(free) == 1:
            told = state.told or Told()
            state = replace(self.leaves(state, free[0]), told=replace(told, left=(*told.left, free[0])))
            opener = opener if opener in state.inside else after_clockwise(state, opener)
        return self.next_round(state, opener)

    def next_round(self, state: RoundState, opener: int) -> RoundState:
        """Open a round."""
        fresh = replace(
            state,
            opener=opener,
            phase=OPEN,
            allowed=0,
            aim=None,
            totals=(),
            gone=(),
            loser=None,
            chip_from=None,
            best=None,
        )
        return to_throw(replace(fresh, began=len(state.inside), rounds=state.rounds + 1), opener)

    def leaves(self, state: RoundState, seat: int) -> RoundState:
        """Let a seat leave with the next place; its chips return to the kitty."""
        chips = tuple(0 if place == seat else own for place, own in enumerate(state.chips))
        return replace(
            state,
            chips=chips,
            kitty=state.kitty + state.chips[seat],
            inside=tuple(other for other in state.inside if other != seat),
            places=(*state.places, (seat,)),
            gone=(*state.gone, seat),
        )

    def leave(self, state: RoundState, seat: int) -> RoundState:
        """Let a player quit: behind everyone still in; a round whose opener quits is void."""
        before = state
        state = self.leaves(state, seat)
        state = replace(state, places=state.places[:-1], gone=state.gone[:-1], quit=(*state.quit, seat), told=None)
        if len(state.inside) == 1:
            return over(replace(state, places=(*state.places, state.inside), inside=()))
        if before.tied:
            return self.leave_tie(state, before.tied, seat)
        if seat == state.opener:
            following = after_clockwise(before, seat)
            return self.end_tests(replace(state, turns=counted(state.turns, before.player)), following)
        state = replace(state, totals=tuple(pair for pair in state.totals if pair[0] != seat))
        if seat == before.player:
            state = replace(state, dice=(), thrown=0, turns=counted(state.turns, seat))
            return self.go_on(state) if len(state.inside) > 1 else self.end_tests(state, state.opener)
        return state

    def leave_tie(self, state: RoundState, tied: Tied, seat: int) -> RoundState:
        """Take a quitter out of a tie; a tie with one seat left is decided."""
        if tied.kind != START and seat == state.opener:
            return self.end_tests(replace(state, tied=None), after_clockwise(state, seat))
        pairs = [(other, tied.sums[place : place + 1]) for place, other in enumerate(tied.seats) if other != seat]
        seats = tuple(other for other, _ in pairs)
        sums = tuple(total for _, own in pairs for total in own)
        totals = tuple(pair for pair in state.totals if pair[0] != seat)
        state = replace(state, tied=None, totals=totals)
        if tied.kind == GIVER and seat == state.loser:
            return self.settle(replace(state, loser=None))
        if tied.kind == GIVER and state.kitty and state.loser is not None:
            return self.pay(state, state.loser)
        if len(seats) > 1:
            return self.tie_counted(state, Tied(tied.kind, seats, sums))
        return self.tie_decided(state, tied.kind, seats[0])

    def falling(self, state: RoundState) -> Fall | None:
        """Say what must land next."""
        if state.seat != CHANCE:
            return None
        return Fall(state.player, state.turns[state.player], state.thrown, state.falling)

    def outcome(self, state: RoundState) -> Outcome | None:
        """Rank by the order of leaving, quitters behind all others, the last to quit before the first."""
        if state.seat is not None:
            return None
        return Outcome((*state.places, *((seat,) for seat in reversed(state.quit))), state.chips)

    def positions(self, state: RoundState, values: tuple[int, ...]) -> tuple[int, ...] | None:
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
