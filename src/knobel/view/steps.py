"""What every family says about a step or a turn."""

from typing import Any

from knobel.game import EnterDice
from knobel.notation import read_action, write_action
from knobel.phrase import Phrase, phrase
from knobel.record.track import Step
from knobel.table import Table


def describe_lot(table: Table) -> Phrase | None:
    """Say who was drawn to start, as long as nothing has been played."""
    seat = table.replay.drawn
    if seat is None or any(track.steps for track in table.replay.tracks):
        return None
    return phrase("interface.narration.drawn", name=table.header.seats[seat].name)


def narrate_roll(step: Step, name: str, rolls: int) -> Phrase:
    dice = " ".join(map(str, step.after.dice))
    return phrase("interface.play.rolled", name=name, dice=dice, roll=step.after.rolls_used, rolls=rolls)


def narrate_keep(step: Step, name: str, places: tuple[int, ...]) -> Phrase:
    dice = " ".join([str(step.before.dice[place]) for place in places])
    return phrase("interface.play.keeps", name=name, dice=dice)


def narrate_entered_dice(step: Step, name: str) -> Phrase:
    """Say what real dice show at the end of a turn."""
    return phrase("interface.narration.shown", name=name, dice=" ".join(map(str, step.after.dice)))


def write_actions(steps: list[Step], dice: int) -> tuple[str, ...]:
    return tuple(write_action(step.before, step.action, dice) for step in steps if step.action)


def read_entered_dice(state: Any, text: str) -> EnterDice:
    """Read the dice a client asks about."""
    entered = read_action(state, f"={text}")
    return entered if isinstance(entered, EnterDice) else EnterDice(())
