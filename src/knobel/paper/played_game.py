"""A played game on paper: its block filled in, or its rounds one by one, the ranking, and how to check it."""

from dataclasses import dataclass
from typing import Any

from knobel.games.round_state import RoundState
from knobel.games.rounds import RoundsGame
from knobel.paper.boxes import PageTranslator
from knobel.paper.chips import ChipTable, RoundLine, find_table_words
from knobel.paper.pad import Footer, PadSheet, ScorePad, build_filled_lines
from knobel.paper.page import count_max_columns, find_paper_size, lay_out_page
from knobel.phrase import Phrase, phrase
from knobel.record.events import Header
from knobel.record.marks import list_corrected_turns, list_marked_boxes
from knobel.record.replay import Replay
from knobel.record.track import GameTrack, Step
from knobel.rules.sheet_rules import SheetRules

GAME_PAPER_SIZE = "a4"
NO_SEAT = -1
ANYWAY_MARK, CORRECTED_MARK = "*", "†"
"""What stands behind an entry that was played anyway, or corrected."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """Which form a played game is printed with, and what stands on it."""

    template: str
    page: ScorePad | ChipTable


def lay_out_game(replay: Replay, words: PageTranslator, chain_head: str, date: str = "") -> PlayedGame:
    """Put a played game on paper."""
    if isinstance(replay.game, RoundsGame):
        return PlayedGame("chips", build_filled_table(replay, replay.game, words, chain_head, date))
    return PlayedGame("pad", build_filled_pad(replay, words, chain_head, date))


def build_filled_pad(replay: Replay, words: PageTranslator, chain_head: str, date: str) -> ScorePad:
    """Fill in the block; many players share several sheets."""
    seats = range(len(replay.header.seats))
    most = count_max_columns(find_paper_size(GAME_PAPER_SIZE), large=False)
    sheets = -(-len(seats) // most)
    each = -(-len(seats) // sheets)
    return ScorePad(
        tuple(
            build_filled_sheet(
                replay, seats[first : first + each], words, build_footer(replay, words, chain_head), date
            )
            for first in range(0, len(seats), each)
        )
    )


def build_filled_sheet(replay: Replay, seats: range, words: PageTranslator, foot: Footer, date: str) -> PadSheet:
    """Fill in one sheet with the columns of these seats."""
    header, rules = replay.header, replay.game.rules
    if not isinstance(rules, SheetRules):
        raise TypeError(rules)
    lanes: list[tuple[GameTrack, int]] = [(replay.track(seat), replay.track(seat).local_seat(seat)) for seat in seats]
    columns = [lane.state.columns[within] for lane, within in lanes]
    games: list[Any] = [lane.game for lane, _ in lanes]
    tallies = [game.tally(lane.state, within) for game, (lane, within) in zip(games, lanes, strict=True)]
    upper, lower = build_filled_lines(rules, words, columns, tallies, [mark_entries(replay, seat) for seat in seats])
    return PadSheet(
        page=lay_out_page(GAME_PAPER_SIZE, False, len(seats)),
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


def mark_entries(replay: Replay, seat: int) -> dict[str, str]:
    """Mark the entries of a seat that were played anyway, and those that were corrected."""
    bent, mended = list_marked_boxes(replay, seat)
    return {
        box: (ANYWAY_MARK if box in bent else "") + (CORRECTED_MARK if box in mended else "")
        for box in dict.fromkeys((*bent, *mended))
    }


def build_filled_table(
    replay: Replay, game: RoundsGame, words: PageTranslator, chain_head: str, date: str
) -> ChipTable:
    """Write down a game of rounds, one line for each."""
    header: Header = replay.header
    state: RoundState = replay.state
    names = tuple(seat.name for seat in header.seats)
    outcome = replay.outcome
    places = {seat: place for place, group in number_places(outcome.places) for seat in group} if outcome else {}
    twice = list_corrected_turns(replay)
    return ChipTable(
        page=lay_out_page(GAME_PAPER_SIZE, False, len(names), allow_narrow=True),
        lang=words.lang,
        title=header.edition.title,
        publisher=header.edition.publisher,
        date=date,
        words=find_table_words(words),
        chips=game.rules.chips,
        names=names,
        held=state.chips,
        rounds=tuple(line for step in replay.steps for line in build_round_lines(step, len(names), twice)),
        places=tuple(f"{places[seat]}." if seat in places else "" for seat in range(len(names))),
        foot=build_footer(replay, words, chain_head),
        written=True,
    )


def build_round_lines(step: Step, seats: int, corrected: set[tuple[int, int]]) -> tuple[RoundLine, ...]:
    """Write down the round that a step has ended, if it has; totals that were told twice have their mark."""
    before, after = step.before, step.after
    told = after.result
    if told is None or told is before.result:
        return ()
    totals = dict(told.totals)
    marks = [CORRECTED_MARK if (before.rounds, seat) in corrected else "" for seat in range(seats)]
    line = RoundLine(
        number=before.rounds,
        opener=NO_SEAT if told.opener is None else told.opener,
        target=str(totals.get(told.opener, "")),
        aim=told.aim or "",
        totals=tuple(f"{totals.get(seat, '')}{mark}" for seat, mark in enumerate(marks)),
        loser=NO_SEAT if told.loser is None else told.loser,
        left=told.out,
    )
    return (line,)


def build_footer(replay: Replay, words: PageTranslator, chain_head: str) -> Footer:
    """Write the ranking, what one should know about the game, and how to check it."""
    header = replay.header
    notes = [phrase("paper.unfinished")] if replay.outcome is None else []
    notes += [phrase("paper.seeded")] if header.dice.seed is not None else []
    notes += [phrase("paper.practice")] if header.practice and header.dice.seed is None else []
    marks = "".join(mark for seat in range(len(header.seats)) for mark in mark_entries(replay, seat).values())
    notes += [phrase("paper.anyway", mark=ANYWAY_MARK)] if ANYWAY_MARK in marks else []
    notes += (
        [phrase("paper.corrected", mark=CORRECTED_MARK)]
        if CORRECTED_MARK in marks or list_corrected_turns(replay)
        else []
    )
    checks = [phrase("paper.game_name", game=header.game)]
    checks += [phrase("paper.head", head=chain_head)] if chain_head else []
    return Footer(
        notes=tuple(words.translate(said) for said in notes),
        lines=tuple(words.translate(said) for said in describe_ranking(replay)),
        print=tuple(words.translate(said) for said in checks),
    )


def describe_ranking(replay: Replay) -> list[Phrase]:
    """Say who came where."""
    outcome, seats = replay.outcome, replay.header.seats
    if outcome is None or len(seats) == 1:
        return []
    rounds = isinstance(replay.game, RoundsGame)
    lines = []
    for place, group in number_places(outcome.places):
        names = tuple(seats[seat].name for seat in group)
        if rounds:
            lines.append(phrase("paper.rank_alone", place=place, names=names))
        else:
            lines.append(phrase("paper.rank", place=place, names=names, total=outcome.totals[group[0]]))
    return lines


def number_places(groups: tuple[tuple[int, ...], ...]) -> list[tuple[int, tuple[int, ...]]]:
    """Number the places; who shares one takes up several."""
    place, found = 1, []
    for group in groups:
        found.append((place, group))
        place += len(group)
    return found
