"""Several played games on one sheet: one player's, numbered as on a printed pad, or those of the same players."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from knobel.errors import PlayerNotInRecord, RecordPlayersDiffer, RecordRulesDiffer
from knobel.paper.boxes import PageTranslator
from knobel.paper.filled_pad import PlayedColumn, build_filled_sheet, rank_with_total, share_sheets
from knobel.paper.pad import Footer, ScorePad, translate_term
from knobel.paper.played_game import describe_checks, list_remarks, number_places
from knobel.phrase import Phrase, phrase
from knobel.record.replay import Replay

MAX_CHECKED = 6
"""More games than a printed sheet has columns are not named one by one."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game to be printed, and the name and head of its record."""

    record: str
    replay: Replay
    chain_head: str


def build_joined_pad(games: Sequence[PlayedGame], words: PageTranslator, player: str | None = None) -> ScorePad:
    """Fill in one sheet with several games: all columns of each, or those of one player."""
    columns = [column for game in games for column in choose_columns(game, games[0], player)]
    players = len(columns) // len(games)
    sheet = build_filled_sheet(columns, words, build_joined_footer(games, columns, words), "")
    if players == 1:
        numbers = tuple(str(number + 1) for number in range(len(games))) if len(games) > 1 else ("",)
        owner = columns[0].name
        sheet = replace(sheet, names=numbers, owner=owner, player=translate_term(words, "rules.term.player"))
    elif len(games) > 1:
        heads = tuple(words.translate(phrase("paper.game", number=number + 1)) for number in range(len(games)))
        sheet = replace(sheet, games=heads)
    return share_sheets(columns, players, sheet)


def choose_columns(game: PlayedGame, first: PlayedGame, player: str | None) -> list[PlayedColumn]:
    """Choose the columns of a game, in the order of the first one; refuse a game that does not belong with it."""
    header, leading = game.replay.header, first.replay.header
    if header.rules != leading.rules or header.edition.title != leading.edition.title:
        raise RecordRulesDiffer(name=game.record, first=first.record)
    names = [seat.name for seat in header.seats]
    if player is not None:
        if player not in names:
            raise PlayerNotInRecord(player=player, name=game.record)
        return [PlayedColumn(game.replay, names.index(player))]
    wanted = [seat.name for seat in leading.seats]
    if sorted(names) != sorted(wanted):
        raise RecordPlayersDiffer(name=game.record, first=first.record)
    order = range(len(names)) if len(set(names)) < len(names) else [names.index(name) for name in wanted]
    return [PlayedColumn(game.replay, seat) for seat in order]


def build_joined_footer(games: Sequence[PlayedGame], columns: Sequence[PlayedColumn], words: PageTranslator) -> Footer:
    """Write who has the most points in all games, remarks about any of them, and how to check them."""
    remarks = dict.fromkeys(said for game in games for said in list_remarks(game.replay))
    named = games if len(games) <= MAX_CHECKED else ()
    return Footer(
        notes=tuple(map(words.translate, remarks)),
        lines=tuple(map(words.translate, rank_totals(columns, len(columns) // len(games)))),
        print=tuple(describe_checks(game.replay, game.chain_head, words) for game in named),
    )


def rank_totals(columns: Sequence[PlayedColumn], players: int) -> list[Phrase]:
    """Rank the players by their points in all games."""
    if players == 1:
        return []
    totals = [sum(one.tally.total for one in columns[seat::players]) for seat in range(players)]
    groups = tuple(
        tuple(seat for seat in range(players) if totals[seat] == total) for total in sorted(set(totals), reverse=True)
    )
    return [
        rank_with_total(place, tuple(columns[seat].name for seat in group), totals[group[0]])
        for place, group in number_places(groups)
    ]
