"""What players of a game of rounds can type: stand, over or under, and correct a round."""

from collections.abc import Iterator
from contextlib import contextmanager

from knobel.cli.commands import CommandTable, TypedCommand
from knobel.cli.conversation import CORRECT_NAME, Conversation
from knobel.cli.typed_words import list_aims, read_aim, split_aim, strip_quotes
from knobel.cli.verbs import (
    LEAVING,
    ROLLING,
    awaits_real_dice,
    awaits_whole_turn,
    enter_dice,
    has_entered_real_dice,
    is_at_dice,
    parse_final_dice,
    say_preview,
    show_board,
    type_dice,
)
from knobel.errors import IllegalAction, NotationError, WrongDiceCount
from knobel.game import Stand
from knobel.games.round_legality import SAY_AIM
from knobel.games.round_state import AIM_WORDS
from knobel.rules.fields import abbreviate

STAND_NAME = "s"


@contextmanager
def await_aim(conversation: Conversation, line: str) -> Iterator[None]:
    """Remember a line that is refused because over or under is missing, so that the word alone completes it."""
    try:
        yield
    except IllegalAction as refusal:
        if refusal.values["why"] == SAY_AIM:
            conversation.unfinished_line = line
        raise


def is_aim(conversation: Conversation, line: str) -> bool:
    return strip_quotes(line).casefold() in list_aims(conversation.words)


def say_aim(conversation: Conversation, line: str) -> None:
    """Complete the line that lacked over or under; without one, stand."""
    command, rest = conversation.commands.find(conversation, f"{conversation.line_to_complete or STAND_NAME} {line}")
    command.run(conversation, rest)


def stand(conversation: Conversation, rest: str) -> None:
    """Stop rolling; an opener says over or under."""
    with await_aim(conversation, STAND_NAME):
        conversation.act(Stand(read_aim(conversation.words, rest) or None))


def correct(conversation: Conversation, rest: str) -> None:
    """Enter other dice for a round: one's own, or of the player whose number comes first; an opener says the aim."""
    typed, aim = split_aim(conversation.words, rest)
    words = typed.split()
    if not 2 <= len(words) <= 3 or not all(word.isdecimal() for word in words[:-1]):
        raise NotationError(text=abbreviate(f"c {rest}"))
    seat = conversation.roster.find_seat(words[0]) if len(words) == 3 else conversation.player
    shown, wanted = parse_final_dice(words[-1]), conversation.game.rules.dice
    if len(shown.dice) != wanted:
        raise WrongDiceCount(n=len(shown.dice), wanted=wanted)
    with await_aim(conversation, f"{CORRECT_NAME} {rest}"):
        conversation.client.correct(seat, words[-2], (shown, Stand(aim)))


def can_stand_over(conversation: Conversation) -> bool:
    """Tell whether the opener may stand, and says over or under."""
    return can_stand(conversation, "over")


def can_stand_plainly(conversation: Conversation) -> bool:
    """Tell whether a player may stand without a word."""
    return can_stand(conversation, None)


def can_stand(conversation: Conversation, aim: str | None) -> bool:
    return is_at_dice(conversation) and conversation.game.refusal(conversation.state, Stand(aim)) is None


def name_aims(conversation: Conversation) -> tuple[str, ...]:
    """Name the words for over and under, where they can be typed now."""
    return tuple(list_aims(conversation.words)) if can_stand_over(conversation) else ()


ROUND_COMMANDS = CommandTable(
    (
        *ROLLING,
        TypedCommand(
            (STAND_NAME,), stand, (("s {over}", "stand_over"), ("s {under}", "stand_under")), "stand", can_stand_over
        ),
        TypedCommand((STAND_NAME,), stand, (("s", "stand"),), "stand", can_stand_plainly),
        TypedCommand(("d",), enter_dice, (("d 1 4 3", "land"),), "dice", awaits_real_dice),
        TypedCommand((), type_dice, (("143:2", "shown_rolls"),), helps=awaits_whole_turn),
        TypedCommand((), say_aim, fits=is_aim),
        TypedCommand(
            (CORRECT_NAME,),
            correct,
            (("c 3 143:2 {over}", "correct_round"),),
            "correct",
            has_entered_real_dice,
            changes_past=True,
        ),
        TypedCommand(("o",), say_preview, (("o", "sum"),), "sum", is_at_dice),
        TypedCommand(("p",), show_board, (("p", "chips"),), "chips"),
        *LEAVING,
    ),
    lambda _: AIM_WORDS,
    name_aims,
)
