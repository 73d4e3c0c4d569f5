"""What just happened in a score-sheet game, as phrases."""

from knobel.game import Announce, EnterDice, EnterPoints, Land, Leave, Roll, Score, is_against_rules
from knobel.notation import read_action
from knobel.phrase import BoxName, Phrase, phrase
from knobel.record.events import Corrected
from knobel.record.track import Step
from knobel.table import Table
from knobel.view.sheet import find_sheet_game
from knobel.view.steps import narrate_entered_dice, narrate_keep, narrate_roll


def narrate_action(table: Table, step: Step, seat: int) -> tuple[Phrase, ...]:
    """Say what a player did, or what the dice show."""
    before, name = step.before, table.header.seats[seat].name
    match step.action:
        case Announce(box):
            return (phrase("interface.play.announced", name=name, box=BoxName(box)),)
        case Roll(places) if places:
            return (narrate_keep(step, name, places),)
        case Land(dice) | EnterDice(dice) if before.rolloff:
            return (phrase("interface.play.rolloff_rolled", name=name, sum=sum(dice)),)
        case EnterDice():
            return (narrate_entered_dice(step, name),)
        case Land():
            return (narrate_roll(step, name, table.game.rules.rolls),)
        case Score(box) | EnterPoints(box):
            said = narrate_entry(table, step, seat, box)
            return (said, phrase("interface.narration.anyway")) if is_against_rules(step.action) else (said,)
        case Leave():
            return (phrase("interface.play.gone", name=name),)
    return ()


def narrate_entry(table: Table, step: Step, seat: int, box: str) -> Phrase:
    """Say what a player scored, and their total."""
    game, player = find_sheet_game(table.replay.track(seat)), step.before.player
    points = step.after.columns[player].entries[game.rules.index[box]] or 0
    total = game.tally(step.after, player).total
    name = table.header.seats[seat].name
    said = {"n": points, "name": name, "box": BoxName(box), "total": total}
    if extra := step.after.columns[player].extra - step.before.columns[player].extra:
        return phrase("interface.play.scored_extra", extra=extra, **said)
    return phrase("interface.play.scored", **said)


def narrate_correction(table: Table, step: Step, event: Corrected) -> tuple[Phrase, ...]:
    """Say what corrected turns have become, and the new total."""
    track, name = table.replay.track(event.seat), table.header.seats[event.seat].name
    game, seat = find_sheet_game(track), track.local_seat(event.seat)
    total = game.tally(step.after, seat).total
    entries = step.after.columns[seat].entries
    found = []
    for turn, actions in event.turns.items():
        box = find_entry_box(step, actions[-1])
        points = entries[game.rules.index[box]]
        found.append(
            phrase("interface.narration.corrected", n=points, name=name, box=BoxName(box), total=total, turn=turn + 1)
        )
    return tuple(found)


def find_entry_box(step: Step, text: str) -> str:
    """Name the box that the last action of a turn fills."""
    entry = read_action(step.after, text)
    return entry.box if isinstance(entry, Score | EnterPoints) else ""
