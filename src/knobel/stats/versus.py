"""Head to head: what two people have done against each other in one edition."""

from dataclasses import dataclass

from knobel.stats.summary import NO_SUMS, FinishedGame, RecordMark, SeatScore, Sums, choose_higher


@dataclass(slots=True)
class Versus:
    """Games in which two people met; the first is the one whose id comes first."""

    games: int = 0
    last: int | None = None
    first_ahead: int = 0
    second_ahead: int = 0
    level: int = 0
    first_totals: Sums = NO_SUMS
    second_totals: Sums = NO_SUMS
    first_best_win: RecordMark | None = None
    second_best_win: RecordMark | None = None


def add_meeting(versus: Versus, game: FinishedGame, first: SeatScore, second: SeatScore) -> None:
    """Count one game of two people."""
    moment = game.key[0]
    versus.games += 1
    versus.last = moment if versus.last is None else max(versus.last, moment)
    versus.first_ahead += first.place < second.place
    versus.second_ahead += second.place < first.place
    versus.level += first.place == second.place
    if not game.has_totals:
        return
    versus.first_totals = versus.first_totals.add(first.total)
    versus.second_totals = versus.second_totals.add(second.total)
    margin = first.total - second.total
    if margin > 0:
        mark = RecordMark(margin, moment, game.game, first.seat)
        versus.first_best_win = choose_higher(versus.first_best_win, mark)
    elif margin < 0:
        mark = RecordMark(-margin, moment, game.game, second.seat)
        versus.second_best_win = choose_higher(versus.second_best_win, mark)
