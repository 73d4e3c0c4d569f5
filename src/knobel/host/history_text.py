"""Games that are over, in words: when one was played, and how everybody did."""

from knobel.host.play_history import HistoryGame
from knobel.lang import Translator


def format_ended(game: HistoryGame, words: Translator) -> str:
    """Say when a game ended."""
    ended = game.results[0].row.ended
    return f"{words.format_date(ended)} {words.format_time(ended)}"


def format_ranking(game: HistoryGame) -> str:
    """List everybody with place and total, the best first."""
    ranked = sorted(game.results, key=lambda one: (one.row.place, one.row.seat))
    return ", ".join(f"{one.row.place}. {one.name} {one.row.total}" for one in ranked)
