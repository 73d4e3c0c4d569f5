"""What players of a game of rounds can type: stand, over or under, and correct a round."""

from knobel.cli.commands import CommandTable, TypedCommand
from knobel.cli.conversation import CORRECT_NAME, Conversation
from knobel.cli.verbs import (
    LEAVING,
    ROLLING,
    enter_dice,
    enter_final_dice,
    parse_final_dice,
    say_preview,
    show_board,
)
from knobel.errors import NotationError
from knobel.game import Stand
from knobel.games.round_state import AIMS
from knobel.rules.fields import abbreviate


def stand(conversation: Conversation, rest: str) -> None:
    """Stop rolling; an opener says over or under."""
    conversation.act(Stand(rest.casefold() or None))


def correct(conversation: Conversation, rest: str) -> None:
    """Enter other dice for a round: one's own, or of the player whose number comes first; an opener says the aim."""
    words = rest.casefold().split()
    aim = words.pop() if words and words[-1] in AIMS else None
    if not 2 <= len(words) <= 3 or not all(word.isdecimal() for word in words[:-1]):
        raise NotationError(text=abbreviate(f"c {rest}"))
    seat = conversation.roster.find_seat(words[0]) if len(words) == 3 else conversation.player
    conversation.client.correct(seat, words[-2], (parse_final_dice(words[-1]), Stand(aim)))


STANDING = (("s over", "stand_over"), ("s under", "stand_under"), ("s", "stand"))
ROUND_COMMANDS = CommandTable(
    (
        *ROLLING,
        TypedCommand(("s", "stand"), stand, STANDING),
        TypedCommand(("d",), enter_dice, (("d 1 4 3", "land"),)),
        TypedCommand((), enter_final_dice, (("143:2", "shown_rolls"),)),
        TypedCommand((CORRECT_NAME,), correct, (("c 3 143:2 over", "correct_round"),)),
        TypedCommand(("o",), say_preview, (("o", "sum"),)),
        TypedCommand(("p",), show_board, (("p", "chips"),)),
        *LEAVING,
    )
)
