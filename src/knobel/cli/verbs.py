"""What players of every family can type: roll, keep, real dice, undo, leave, look, stop."""

from knobel.cli.commands import TypedCommand
from knobel.cli.conversation import UNDO_NAMES, Conversation, Quit
from knobel.cli.parser import parse_int
from knobel.cli.screen import say
from knobel.errors import IllegalAction
from knobel.game import CHANCE, EnterDice, Land, Leave, Roll
from knobel.phrase import phrase


def roll(conversation: Conversation, rest: str) -> None:
    """Roll what is not kept; values typed with it are kept first."""
    if rest:
        keep(conversation, rest)
    action = Roll(conversation.kept_dice.positions)
    state = conversation.state
    # A roll of no dice has no text to send.
    nothing_left = bool(state.dice) and len(action.keep) == len(state.dice)
    if nothing_left and (refusal := conversation.table.game.refusal(state, action)):
        raise IllegalAction(why=refusal)
    conversation.act(action)


def keep(conversation: Conversation, rest: str) -> None:
    """Keep dice by their values for the next roll."""
    state, kept = conversation.state, conversation.kept_dice
    kept.choose(conversation.table.game, state, parse_dice(rest))
    dice = " ".join(str(state.dice[place]) for place in kept.positions)
    say(conversation.words("interface.play.kept", dice=dice, n=len(state.dice) - len(kept.positions)))


def enter_dice(conversation: Conversation, rest: str) -> None:
    """Enter what real dice show."""
    dice = parse_dice(rest)
    if not conversation.roster.has_real_dice(conversation.player):
        raise IllegalAction(why=phrase("rules.refusal.not_real_dice"))
    if conversation.state.seat != CHANCE:
        conversation.act(Roll(conversation.kept_dice.positions))
    conversation.act(Land(dice))


def enter_final_dice(conversation: Conversation, rest: str) -> None:
    """Enter the real dice a turn ended with; after a colon, in how many rolls."""
    conversation.act(parse_final_dice(rest))


def undo(conversation: Conversation, _: str) -> None:
    """Undo a person's last entry or announcement."""
    if conversation.undo_seat is None:
        raise IllegalAction(why=phrase("rules.refusal.no_undo"))
    conversation.client.undo(conversation.undo_seat)
    conversation.forget_kept_dice()


def leave(conversation: Conversation, _: str) -> None:
    """Leave for good, after confirmation."""
    if conversation.confirm("leave", "leaving"):
        conversation.act(Leave(conversation.player))


def say_preview(conversation: Conversation, _: str) -> None:
    conversation.display.say_preview()


def show_board(conversation: Conversation, _: str) -> None:
    conversation.display.show_board()


def stop(conversation: Conversation, _: str) -> None:  # noqa: ARG001
    raise Quit


def show_help(conversation: Conversation, _: str) -> None:
    conversation.commands.show_help(conversation.words)


def parse_final_dice(text: str) -> EnterDice:
    """Read real dice as they lie at the end of a turn; after a colon, in how many rolls."""
    dice, _, rolls = text.partition(":")
    return EnterDice(parse_dice(dice), parse_int(rolls.strip(), "dice") if rolls.strip() else 0)


def parse_dice(text: str) -> tuple[int, ...]:
    """Read dice as they are typed: apart, or together where each is one digit."""
    words = text.replace(",", " ").split()
    if len(words) == 1 and words[0].isdecimal():
        words = list(words[0])
    return tuple(parse_int(word, "dice") for word in words)


ROLLING = (
    TypedCommand(("r", "t"), roll, (("r", "roll"),)),
    TypedCommand(("k",), keep, (("k 6 6", "keep"),)),
)
LEAVING = (
    TypedCommand(UNDO_NAMES, undo, (("undo", "undo"),)),
    TypedCommand(("leave",), leave, (("leave", "leave"),)),
    TypedCommand(("q",), stop, (("q", "quit"),)),
    TypedCommand(("?", "help"), show_help),
)
