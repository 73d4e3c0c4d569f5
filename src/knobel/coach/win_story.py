"""What a win chart says: the turning points, the luckiest roll and the costliest choice, and the ledger in chances."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from knobel.coach.ledger import DICE, POINTS, UNSEEN
from knobel.coach.serialize import Translate
from knobel.coach.win_chance import EXACT_OPEN_BOXES
from knobel.coach.win_chart import CHOICE, Shares, WinChange, WinChart, WinTurn
from knobel.phrase import BoxName, FormattedNumber, Phrase, phrase

MOST_TURNING_POINTS = 3
TURNING_POINT = 0.1
"""A turn that changes a chance by less is no turning point."""
NOTICEABLE_CHANGE = 0.0005
"""What is written as 0.0 % is not mentioned."""
LEAST_CHANCE = 0.001


@dataclass(frozen=True, slots=True)
class WinLedger:
    """The ledger of a seat in chances to win: final = start + dice + choices + others, exactly.

    `others` is what the others rolled and chose, and what approximate chances were off by.
    """

    start: float
    dice: float
    choices: float
    others: float
    final: float


def sum_win_ledger(chart: WinChart, seat: int) -> WinLedger:
    """Add up what changed a seat's chance to win."""
    own = [one for one in chart.changes if one.seat == seat]
    dice = sum(one.changes[seat] for one in own if one.kind in {DICE, UNSEEN})
    choices = sum(one.changes[seat] for one in own if one.kind == CHOICE)
    start, final = chart.start[seat], chart.final[seat]
    return WinLedger(start, dice, choices, final - start - dice - choices, final)


def find_turning_points(chart: WinChart, seat: int) -> list[tuple[WinTurn, float]]:
    """Find the turns, of whoever, that changed a seat's chance most, with that change, in the order of the game."""
    sums: dict[tuple[int, int], float] = {}
    for one in chart.changes:
        sums[one.seat, one.turn] = sums.get((one.seat, one.turn), 0.0) + one.changes[seat]
    found = [(turn, sums[turn.seat, turn.turn]) for turn in chart.turns]
    largest = sorted(found, key=lambda one: -abs(one[1]))[:MOST_TURNING_POINTS]
    return [one for one in found if one in largest and abs(one[1]) >= TURNING_POINT]


def find_extremes(chart: WinChart, seat: int) -> tuple[WinChange | None, WinChange | None]:
    """Find the luckiest roll of a seat and its costliest choice, if there are any."""

    def read_change(one: WinChange) -> float:
        return one.changes[seat]

    own = [one for one in chart.changes if one.seat == seat]
    luckiest = max((one for one in own if one.kind == DICE), key=read_change, default=None)
    costliest = min((one for one in own if one.kind == CHOICE), key=read_change, default=None)
    return (
        luckiest if luckiest and read_change(luckiest) >= NOTICEABLE_CHANGE else None,
        costliest if costliest and read_change(costliest) <= -NOTICEABLE_CHANGE else None,
    )


def format_chance(chance: float) -> FormattedNumber:
    """Format a chance in whole percent; what is possible is never 0, and what is open never 100."""
    if chance in {0.0, 1.0} or 0.005 <= chance < 0.995:
        return FormattedNumber(chance, 0, percent=True)
    return FormattedNumber(min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE), 1, percent=True)


def format_change(change: float) -> FormattedNumber:
    return FormattedNumber(change, 1, signed=True, percent=True)


def describe_choice_change(change: float | None) -> Phrase | None:
    """Say what a choice changed the chance to win by, if that is worth mentioning."""
    if change is None or abs(change) < NOTICEABLE_CHANGE:
        return None
    return phrase("coach.win.to_win", change=format_change(change))


def describe_turning_point(chart: WinChart, turn: WinTurn, change: float, seat: int, names: Sequence[str]) -> Phrase:
    after, place = turn.shares[seat], chart.turns.index(turn)
    was_exact = chart.turns[place - 1].exact if place else chart.start_exact
    before = format_chance(min(1.0, max(0.0, after - change)))
    return phrase(
        "coach.win.turning_point",
        round=turn.turn,
        name=names[turn.seat],
        points=turn.points,
        box=BoxName(turn.box),
        player=names[seat],
        before=replace(before, about=not was_exact),
        after=replace(format_chance(after), about=not turn.exact),
    )


def describe_extreme(key: str, change: WinChange) -> Phrase:
    where, to_win = phrase(f"coach.report.in_{POINTS}", turn=change.turn), format_change(change.changes[change.seat])
    dice = " ".join(map(str, change.dice))
    return phrase(key, where=where, dice=dice, change=to_win)


def list_highlights(chart: WinChart, seat: int, names: Sequence[str]) -> list[Phrase]:
    """List what there is to say about a chart for one seat: the turning points first."""
    luckiest, costliest = find_extremes(chart, seat)
    said = [describe_turning_point(chart, *one, seat, names) for one in find_turning_points(chart, seat)]
    if luckiest:
        said.append(describe_extreme("coach.win.luckiest", luckiest))
    if costliest:
        said.append(describe_extreme("coach.win.costliest", costliest))
    return said


def describe_win_ledger(ledger: WinLedger) -> Phrase:
    """Say how a chance to win came about; the others are shown as the rest, so that what is shown adds up."""
    start, dice, choices, final = (round(one, 3) for one in (ledger.start, ledger.dice, ledger.choices, ledger.final))
    return phrase(
        "coach.win.ledger",
        start=FormattedNumber(start, 1, percent=True),
        dice=format_change(dice),
        choices=format_change(choices),
        others=format_change(round(final - start - dice - choices, 3)),
        final=FormattedNumber(final, 1, percent=True),
    )


def describe_method(chart: WinChart, at_levels: bool = False) -> list[Phrase]:
    """Say how the chances of a chart were found, and what everybody is taken to play like."""
    if at_levels:
        return [phrase("coach.win.levels")]
    exact = chart.start_exact and all(turn.exact for turn in chart.turns)
    return [phrase("coach.win.exact") if exact else phrase("coach.win.partly_exact", boxes=EXACT_OPEN_BOXES)]


def serialize_win_chart(
    chart: WinChart, seat: int, names: Sequence[str], say: Translate, at_levels: bool = False
) -> dict[str, object]:
    """Serialize a chart for one seat: with what there is to say about it, and what each step of this seat changed."""
    ledger, own = sum_win_ledger(chart, seat), [one for one in chart.changes if one.seat == seat]
    return {
        "title": say(phrase("coach.win.title")),
        "start": chart.start,
        "start_exact": chart.start_exact,
        "start_label": say(phrase("coach.win.start")),
        "turns": [serialize_win_turn(turn) for turn in chart.turns],
        "final": chart.final,
        "choices": {str(number): change for number, change in chart.find_choice_changes(seat).items()},
        "rolls": {str(one.event_number): one.changes[seat] for one in own if one.kind == DICE},
        "ledger": {name: getattr(ledger, name) for name in ("start", "dice", "choices", "others", "final")},
        "turning_points": [turn.event_number for turn, _ in find_turning_points(chart, seat)],
        "turning_point_label": say(phrase("coach.win.turning_point_label")),
        "highlights": [say(one) for one in list_highlights(chart, seat, names)],
        "ledger_line": say(describe_win_ledger(ledger)),
        "method": [say(one) for one in describe_method(chart, at_levels)],
    }


def serialize_win_turn(turn: WinTurn) -> dict[str, object]:
    read = attrgetter("seat", "turn", "event_number", "box", "points", "shares", "exact")
    return dict(zip(("seat", "turn", "event", "box", "points", "shares", "exact"), read(turn), strict=True))


def list_rounds(chart: WinChart) -> list[tuple[int, Shares, bool]]:
    """List the chances after each round: those after the last turn with its number."""
    last = {turn.turn: turn for turn in chart.turns}
    return [(number, turn.shares, turn.exact) for number, turn in sorted(last.items())]
