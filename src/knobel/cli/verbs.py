"""What players of every family can type: roll, keep, real dice, undo, leave, look, stop."""

from knobel.cli.commands import TypedCommand
from knobel.cli.conversation import Conversation, Quit
from knobel.cli.parser import parse_int
from knobel.cli.screen import say_paragraph
from knobel.errors import IllegalAction
from knobel.game import CHANCE, EnterDice, EnterPoints, Land, Leave, Roll, Score, Stand
from knobel.phrase import phrase
from knobel.record.events import Acted

ENTRIES = (Score, EnterPoints, Stand)
"""What ends a turn."""


def roll(conversation: Conversation, rest: str) -> None:
    """Roll what is not kept; values typed with it are kept first."""
    if rest:
        keep(conversation, rest)
    action = Roll(conversation.kept_dice.positions)
    state = conversation.state
    # A roll of no dice has no text to send.
    nothing_left = bool(state.dice) and len(action.keep) == len(state.dice)
    if nothing_left and (refusal := conversation.game.refusal(state, action)):
        raise IllegalAction(why=refusal)
    conversation.act(action)


def keep(conversation: Conversation, rest: str) -> None:
    """Keep dice by their values for the next roll."""
    state, kept = conversation.state, conversation.kept_dice
    kept.choose(conversation.game, state, parse_dice(rest))
    dice, left = " ".join(str(state.dice[place]) for place in kept.positions), len(state.dice) - len(kept.positions)
    how = "kept_all" if not left else "kept_real" if conversation.has_real_dice else "kept"
    say_paragraph(conversation.words(f"interface.play.{how}", dice=dice, n=left))


def type_dice(conversation: Conversation, rest: str) -> None:
    """Do what bare dice mean: the end of a turn with real dice, else dice to keep."""
    state, whole = conversation.state, len(parse_final_dice(rest).dice) == conversation.game.rules.dice
    if conversation.has_real_dice and (whole or not state.dice or state.seat == CHANCE):
        enter_final_dice(conversation, rest) if state.seat != CHANCE else enter_dice(conversation, rest)
    else:
        keep(conversation, rest)


def enter_dice(conversation: Conversation, rest: str) -> None:
    """Enter what real dice show."""
    dice = parse_dice(rest)
    if not conversation.has_real_dice:
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
    if conversation.confirm("leaving"):
        conversation.act(Leave(conversation.player))


def say_preview(conversation: Conversation, _: str) -> None:
    conversation.display.say_preview()


def show_board(conversation: Conversation, _: str) -> None:
    conversation.display.show_board()


def stop(conversation: Conversation, _: str) -> None:  # noqa: ARG001
    raise Quit


def show_help(conversation: Conversation, _: str) -> None:
    conversation.commands.show_help(conversation)


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


def is_at_dice(conversation: Conversation) -> bool:
    """Tell whether dice lie before the player whose turn it is."""
    return conversation.is_own_turn and bool(conversation.state.dice) and conversation.state.seat != CHANCE


def can_roll(conversation: Conversation) -> bool:
    """Tell whether our dice can be rolled now."""
    state = conversation.state
    if not conversation.is_own_turn or conversation.has_real_dice or state.seat == CHANCE:
        return False
    return conversation.game.refusal(state, Roll(conversation.display.locked_positions)) is None


def can_keep(conversation: Conversation) -> bool:
    """Tell whether there are dice to keep, and a roll left for the others."""
    state = conversation.state
    if not is_at_dice(conversation):
        return False
    return conversation.game.refusal(state, Roll(conversation.display.locked_positions)) is None


def awaits_real_dice(conversation: Conversation) -> bool:
    """Tell whether real dice can be entered now."""
    state = conversation.state
    if not conversation.is_own_turn or not conversation.has_real_dice:
        return False
    return state.seat == CHANCE or conversation.game.refusal(state, Roll(conversation.kept_dice.positions)) is None


def awaits_whole_turn(conversation: Conversation) -> bool:
    """Tell whether a turn with real dice can be entered by the dice it ended with."""
    return awaits_real_dice(conversation) and not conversation.state.dice and conversation.state.seat != CHANCE


def has_entered_real_dice(conversation: Conversation) -> bool:
    """Tell whether somebody here has finished a turn with real dice, which can be corrected."""
    replay, client = conversation.table.replay, conversation.client
    finished = (step.event for track in replay.tracks for step in track.steps if isinstance(step.action, ENTRIES))
    return any(
        isinstance(event, Acted) and replay.real_dice[event.seat] and client.plays(event.seat) for event in finished
    )


def can_undo(conversation: Conversation) -> bool:
    return conversation.undo_seat is not None


def is_own_turn(conversation: Conversation) -> bool:
    return conversation.is_own_turn


ROLLING = (
    TypedCommand(("r", "t"), roll, (("r", "roll"),), "roll", can_roll),
    TypedCommand(("k",), keep, (("k 6 6", "keep"),), "keep", can_keep),
)
LEAVING = (
    TypedCommand(("u",), undo, (("undo", "undo"),), "undo", can_undo, changes_past=True),
    TypedCommand((), leave, (("leave", "leave"),), "leave", is_own_turn, fits=lambda *_: False),
    TypedCommand(("q",), stop, (("q", "quit"),), "quit"),
    TypedCommand(("?", "h"), show_help, (), "help"),
)
