"""Moves in players' words, as the coach and `knobel advise` name them."""

from collections.abc import Sequence

from knobel.game import Announce, Move, Roll, Score, Stand
from knobel.phrase import BoxName, Phrase, phrase


def describe_move(dice: Sequence[int], move: Move) -> Phrase:
    """Describe a move of any family with the dice on the table."""
    match move:
        case Roll(()):
            return phrase("interface.advise.roll_all")
        case Roll(keep):
            return phrase("interface.advise.keep", dice=" ".join(map(str, sorted(dice[place] for place in keep))))
        case Announce(box):
            return phrase("interface.advise.announce", box=BoxName(box))
        case Score(box):
            return phrase("interface.advise.score", box=BoxName(box))
        case Stand(None):
            return phrase("interface.advise.stand")
        case Stand(aim):
            return phrase(f"interface.advise.stand_{aim}")
    raise TypeError(move)
