"""A played game on a score pad, filled in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from knobel.paper.boxes import PageTranslator
from knobel.paper.pad import Footer, PadSheet, ScorePad, build_filled_lines
from knobel.paper.page import PrintedSheets, plan_columns
from knobel.paper.played_game import GAME_PAPER, build_footer, mark_entries
from knobel.phrase import Phrase, phrase
from knobel.record.replay import Replay
from knobel.rules.column import Column, Tally, tally
from knobel.rules.families import expect_sheet_rules
from knobel.rules.sheet_rules import SheetRules


@dataclass(frozen=True, slots=True)
class PlayedColumn:
    """The column of a seat in a game."""

    replay: Replay
    seat: int

    @property
    def name(self) -> str:
        """Whose it is."""
        return self.replay.header.seats[self.seat].name

    @property
    def rules(self) -> SheetRules:
        """The rules it was filled by."""
        return expect_sheet_rules(self.replay.game.rules, self.replay.header.edition.title)

    @property
    def column(self) -> Column:
        """Its entries."""
        track = self.replay.track(self.seat)
        column: Column = track.state.columns[track.local_seat(self.seat)]
        return column

    @property
    def tally(self) -> Tally:
        """Its totals."""
        return tally(self.rules, self.column)


def build_filled_pad(replay: Replay, words: PageTranslator, chain_head: str, date: str) -> ScorePad:
    """Fill in the score pad; many players share several sheets."""
    columns = [PlayedColumn(replay, seat) for seat in range(len(replay.header.seats))]
    foot = build_footer(replay, words, chain_head, rank_with_total)
    return share_sheets(columns, len(columns), build_filled_sheet(columns, words, foot, date))


def build_filled_sheet(columns: Sequence[PlayedColumn], words: PageTranslator, foot: Footer, date: str) -> PadSheet:
    """Fill in one sheet with these columns, all of games with the same rules."""
    edition, rules = columns[0].replay.header.edition, columns[0].rules
    marks = [mark_entries(one.replay, one.seat) for one in columns]
    upper, lower = build_filled_lines(
        rules, words, [one.column for one in columns], [one.tally for one in columns], marks
    )
    return PadSheet(
        page=GAME_PAPER.lay_out_page(),
        lang=words.lang,
        title=edition.title,
        publisher=edition.printed_by,
        date=date,
        faces=rules.faces,
        games=(),
        names=tuple(one.name for one in columns),
        player="",
        marks=0,
        upper=upper,
        lower=lower,
        foot=foot,
    )


def share_sheets(columns: Sequence[PlayedColumn], players: int, whole: PadSheet) -> ScorePad:
    """Share the columns of a wide sheet among as many sheets as they need, whole games together."""
    plan = plan_columns(GAME_PAPER, len(columns), players, turnable=False)
    return PrintedSheets(GAME_PAPER.find_paper(), tuple(cut_sheet(whole, part, players) for part in plan.sheets))


def cut_sheet(whole: PadSheet, part: range, players: int) -> PadSheet:
    """Cut some columns out of a sheet."""
    chosen = slice(part.start, part.stop)
    upper, lower = (
        tuple(replace(line, entries=line.entries[chosen]) for line in half) for half in (whole.upper, whole.lower)
    )
    games = whole.games[part.start // players : -(-part.stop // players)]
    return replace(whole, games=games, names=whole.names[chosen], upper=upper, lower=lower)


def rank_with_total(place: int, names: tuple[str, ...], total: int) -> Phrase:
    return phrase("paper.rank", place=place, names=names, total=total)
