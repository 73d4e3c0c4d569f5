"""What just happened in a game of rounds, as phrases."""

from knobel.game import EnterDice, Land, Leave, Roll, Stand
from knobel.games.round_state import FOLLOW, RoundResult
from knobel.notation import read_action
from knobel.phrase import Phrase, phrase
from knobel.record.events import Corrected
from knobel.record.track import Step
from knobel.table import Table
from knobel.view.steps import narrate_entered_dice, narrate_keep, narrate_roll


def narrate_action(table: Table, step: Step, seat: int) -> tuple[Phrase, ...]:
    """Say what a player did, and the result of the round if that ended it."""
    return (*narrate_move(table, step, table.header.seats[seat].name), *narrate_result(table, step))


def narrate_move(table: Table, step: Step, name: str) -> tuple[Phrase, ...]:
    before = step.before
    match step.action:
        case Roll(places) if places:
            return (narrate_keep(step, name, places),)
        case Land(dice) | EnterDice(dice) if before.rolloff:
            return (phrase("interface.rounds.tie_rolled", name=name, sum=sum(dice)),)
        case EnterDice():
            return (narrate_entered_dice(step, name),)
        case Land():
            allowed = before.rolls_allowed if before.phase == FOLLOW else table.game.rules.rolls
            return (narrate_roll(step, name, allowed),)
        case Stand(aim):
            key = f"interface.rounds.stands.{aim}" if aim else "interface.rounds.stands.at"
            return (phrase(key, name=name, n=sum(before.dice)),)
        case Leave():
            return (phrase("interface.play.gone", name=name),)
    return ()


def narrate_result(table: Table, step: Step) -> tuple[Phrase, ...]:
    """Say what the round came to, once it is over."""
    found: RoundResult | None = step.after.result
    if found is None or found is step.before.result:
        return ()
    names = [seat.name for seat in table.header.seats]
    if found.loser is None:
        first = phrase("interface.rounds.void")
    elif found.chip_from is None:
        first = phrase("interface.rounds.chip", name=names[found.loser], n=step.after.kitty)
    else:
        first = phrase("interface.rounds.chip_of", name=names[found.loser], other=names[found.chip_from])
    return (first, *(phrase("interface.rounds.leaves", name=names[seat]) for seat in found.out))


def narrate_correction(table: Table, step: Step, event: Corrected) -> tuple[Phrase, ...]:
    """Say which round was corrected, and the new total in it."""
    before, name = table.replay.corrections[step.number], table.header.seats[event.seat].name
    actions = [read_action(before, text) for text in event.actions]
    total = sum(sum(action.dice) for action in actions if isinstance(action, EnterDice))
    return (phrase("interface.narration.corrected_round", name=name, round=before.rounds, sum=total),)
