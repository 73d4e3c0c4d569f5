"""A played game of rounds, one line for each round."""

from dataclasses import replace

from knobel.games.round_state import RoundState
from knobel.paper.boxes import PageTranslator
from knobel.paper.chips import ROUND_LABEL, ChipPad, ChipTable, RoundLine, find_table_words
from knobel.paper.page import PrintedSheets, count_max_columns
from knobel.paper.played_game import CORRECTED_MARK, GAME_PAPER, build_footer, number_places
from knobel.phrase import Phrase, phrase
from knobel.record.events import Header
from knobel.record.marks import list_corrected_turns
from knobel.record.replay import Replay
from knobel.record.track import Step
from knobel.rules.families import expect_round_rules

NO_SEAT = -1


def build_filled_table(replay: Replay, words: PageTranslator, chain_head: str, date: str) -> ChipPad:
    """List the rounds of a game, one line for each."""
    header: Header = replay.header
    state: RoundState = replay.state
    names = tuple(seat.name for seat in header.seats)
    outcome = replay.outcome
    places = {seat: place for place, group in number_places(outcome.places) for seat in group} if outcome else {}
    corrected = list_corrected_turns(replay)
    paper = replace(GAME_PAPER, more_label=ROUND_LABEL)
    landscape = len(names) > count_max_columns(paper)
    table = ChipTable(
        page=paper.lay_out_page(landscape),
        lang=words.lang,
        title=header.edition.title,
        publisher=header.edition.printed_by,
        date=date,
        words=find_table_words(words),
        chips=expect_round_rules(replay.game.rules).chips,
        names=names,
        held=state.chips,
        rounds=tuple(line for step in replay.steps for line in build_round_lines(step, len(names), corrected)),
        places=tuple(f"{places[seat]}." if seat in places else "" for seat in range(len(names))),
        foot=build_footer(replay, words, chain_head, rank_alone),
        written=True,
    )
    return PrintedSheets(paper.find_paper(landscape), (table,))


def build_round_lines(step: Step, seats: int, corrected: set[tuple[int, int]]) -> tuple[RoundLine, ...]:
    """Build the line of the round that a step has ended, if it has; corrected totals are marked."""
    before, after = step.before, step.after
    result = after.result
    if result is None or result is before.result:
        return ()
    totals = dict(result.totals)
    marks = [CORRECTED_MARK if (before.rounds, seat) in corrected else "" for seat in range(seats)]
    line = RoundLine(
        number=before.rounds,
        opener=NO_SEAT if result.opener is None else result.opener,
        target=str(totals.get(result.opener, "")),
        aim=result.aim or "",
        totals=tuple(f"{totals.get(seat, '')}{mark}" for seat, mark in enumerate(marks)),
        loser=NO_SEAT if result.loser is None else result.loser,
        left=result.out,
    )
    return (line,)


def rank_alone(place: int, names: tuple[str, ...], _total: int) -> Phrase:
    return phrase("paper.rank_alone", place=place, names=names)
