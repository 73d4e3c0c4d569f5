"""A played game on paper: its block filled in, or its rounds one by one, the ranking, and how to check it."""

from dataclasses import dataclass
from typing import Any

from knobel.games.round_state import RoundState
from knobel.games.rounds import Rounds
from knobel.paper.boxes import Speaker
from knobel.paper.chips import ChipTable, RoundLine, words_of
from knobel.paper.pad import Block, Foot, Pad, filled_rows
from knobel.paper.page import most_columns, page_of, size_of
from knobel.phrase import Phrase, phrase
from knobel.record.events import Header
from knobel.record.lane import Lane, Step
from knobel.record.replay import Replay
from knobel.rules.ruleset import SheetRules

PAPER = "a4"
NOBODY = -1
ANYWAY, CORRECTED = "*", "†"
"""What stands behind an entry that was played anyway, or corrected."""


@dataclass(frozen=True, slots=True)
class Played:
    """Which form a played game is printed with, and what stands on it."""

    form: str
    page: Block | ChipTable


def played(replay: Replay, words: Speaker, head: str, date: str = "") -> Played:
    """Put a played game on paper."""
    if isinstance(replay.game, Rounds):
        return Played("chips", chips_of(replay, replay.game, words, head, date))
    return Played("pad", block_of(replay, words, head, date))


def block_of(replay: Replay, words: Speaker, head: str, date: str) -> Block:
    """Fill in the block; many players share several sheets."""
    seats = range(len(replay.header.seats))
    most = most_columns(size_of(PAPER), large=False)
    sheets = -(-len(seats) // most)
    each = -(-len(seats) // sheets)
    return Block(
        tuple(
            sheet_of(replay, seats[first : first + each], words, foot_of(replay, words, head), date)
            for first in range(0, len(seats), each)
        )
    )


def sheet_of(replay: Replay, seats: range, words: Speaker, foot: Foot, date: str) -> Pad:
    """Fill in one sheet with the columns of these seats."""
    header, rules = replay.header, replay.game.rules
    if not isinstance(rules, SheetRules):
        raise TypeError(rules)
    lanes: list[tuple[Lane, int]] = [(replay.lane(seat), replay.lane(seat).within(seat)) for seat in seats]
    columns = [lane.state.columns[within] for lane, within in lanes]
    games: list[Any] = [lane.game for lane, _ in lanes]
    tallies = [game.tally(lane.state, within) for game, (lane, within) in zip(games, lanes, strict=True)]
    upper, lower = filled_rows(rules, words, columns, tallies, [marks_of(replay, seat) for seat in seats])
    return Pad(
        page=page_of(PAPER, False, len(seats)),
        lang=words.lang,
        title=header.edition.title,
        publisher=header.edition.publisher,
        date=date,
        faces=rules.faces,
        games=(),
        names=tuple(header.seats[seat].name for seat in seats),
        player="",
        marks=0,
        upper=upper,
        lower=lower,
        foot=foot,
    )


def marks_of(replay: Replay, seat: int) -> dict[str, str]:
    """Mark the entries of a seat that were played anyway, and those that were corrected."""
    bent, mended = replay.by_hand(seat)
    return {
        box: (ANYWAY if box in bent else "") + (CORRECTED if box in mended else "")
        for box in dict.fromkeys((*bent, *mended))
    }


def chips_of(replay: Replay, game: Rounds, words: Speaker, head: str, date: str) -> ChipTable:
    """Write down a game of rounds, one line for each."""
    header: Header = replay.header
    state: RoundState = replay.state
    names = tuple(seat.name for seat in header.seats)
    outcome = replay.outcome
    places = {seat: place for place, group in ranked(outcome.places) for seat in group} if outcome else {}
    twice = replay.told_twice()
    return ChipTable(
        page=page_of(PAPER, False, len(names), narrow=True),
        lang=words.lang,
        title=header.edition.title,
        publisher=header.edition.publisher,
        date=date,
        words=words_of(words),
        chips=game.rules.chips,
        names=names,
        held=state.chips,
        rounds=tuple(line for step in replay.steps for line in lines_of(step, len(names), twice)),
        places=tuple(f"{places[seat]}." if seat in places else "" for seat in range(len(names))),
        foot=foot_of(replay, words, head),
        written=True,
    )


def lines_of(step: Step, seats: int, twice: set[tuple[int, int]]) -> tuple[RoundLine, ...]:
    """Write down the round that a step has ended, if it has; totals that were told twice have their mark."""
    before, after = step.before, step.after
    told = after.told
    if told is None or told is before.told:
        return ()
    totals = dict(told.totals)
    marks = [CORRECTED if (before.rounds, seat) in twice else "" for seat in range(seats)]
    line = RoundLine(
        number=before.rounds,
        opener=NOBODY if told.opener is None else told.opener,
        target=str(totals.get(told.opener, "")),
        aim=told.aim or "",
        totals=tuple(f"{totals.get(seat, '')}{mark}" for seat, mark in enumerate(marks)),
        loser=NOBODY if told.loser is None else told.loser,
        left=told.left,
    )
    return (line,)


def foot_of(replay: Replay, words: Speaker, head: str) -> Foot:
    """Write the ranking, what one should know about the game, and how to check it."""
    header = replay.header
    notes = [phrase("paper.unfinished")] if replay.outcome is None else []
    notes += [phrase("paper.seeded")] if header.dice.seed is not None else []
    notes += [phrase("paper.practice")] if header.practice and header.dice.seed is None else []
    marks = "".join(mark for seat in range(len(header.seats)) for mark in marks_of(replay, seat).values())
    notes += [phrase("paper.anyway", mark=ANYWAY)] if ANYWAY in marks else []
    notes += [phrase("paper.corrected", mark=CORRECTED)] if CORRECTED in marks or replay.told_twice() else []
    checks = [phrase("paper.game_name", game=header.game)]
    checks += [phrase("paper.head", head=head)] if head else []
    return Foot(
        notes=tuple(words.say(said) for said in notes),
        lines=tuple(words.say(said) for said in ranking(replay)),
        print=tuple(words.say(said) for said in checks),
    )


def ranking(replay: Replay) -> list[Phrase]:
    """Say who came where."""
    outcome, seats = replay.outcome, replay.header.seats
    if outcome is None or len(seats) == 1:
        return []
    rounds = isinstance(replay.game, Rounds)
    lines = []
    for place, group in ranked(outcome.places):
        names = tuple(seats[seat].name for seat in group)
        if rounds:
            lines.append(phrase("paper.rank_alone", place=place, names=names))
        else:
            lines.append(phrase("paper.rank", place=place, names=names, total=outcome.totals[group[0]]))
    return lines


def ranked(groups: tuple[tuple[int, ...], ...]) -> list[tuple[int, tuple[int, ...]]]:
    """Number the places; who shares one takes up several."""
    place, found = 1, []
    for group in groups:
        found.append((place, group))
        place += len(group)
    return found
