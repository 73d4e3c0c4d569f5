"""A played game on a score pad, filled in."""

from knobel.paper.boxes import PageTranslator
from knobel.paper.pad import Footer, PadSheet, ScorePad, build_filled_lines
from knobel.paper.page import count_max_columns, find_paper_size, lay_out_page
from knobel.paper.played_game import GAME_PAPER_SIZE, build_footer, mark_entries
from knobel.phrase import Phrase, phrase
from knobel.record.replay import Replay
from knobel.rules.column import Column, tally
from knobel.rules.families import expect_sheet_rules


def build_filled_pad(replay: Replay, words: PageTranslator, chain_head: str, date: str) -> ScorePad:
    """Fill in the score pad; many players share several sheets."""
    seats = range(len(replay.header.seats))
    most = count_max_columns(find_paper_size(GAME_PAPER_SIZE), large=False)
    sheets = -(-len(seats) // most)
    each = -(-len(seats) // sheets)
    foot = build_footer(replay, words, chain_head, rank_with_total)
    return ScorePad(
        tuple(
            build_filled_sheet(replay, seats[first : first + each], words, foot, date)
            for first in range(0, len(seats), each)
        )
    )


def build_filled_sheet(replay: Replay, seats: range, words: PageTranslator, foot: Footer, date: str) -> PadSheet:
    """Fill in one sheet with the columns of these seats."""
    header, rules = replay.header, expect_sheet_rules(replay.game.rules, replay.header.edition.title)
    tracks = [replay.track(seat) for seat in seats]
    columns: list[Column] = [
        track.state.columns[track.local_seat(seat)] for track, seat in zip(tracks, seats, strict=True)
    ]
    tallies = [tally(rules, column) for column in columns]
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


def rank_with_total(place: int, names: tuple[str, ...], total: int) -> Phrase:
    return phrase("paper.rank", place=place, names=names, total=total)
