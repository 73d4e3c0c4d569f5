"""What just happened at a table, as a phrase; every window says it with the same words."""

from knobel.game import Announce, EnterDice, EnterPoints, Land, Leave, Roll, Score, Stand, is_against_rules
from knobel.games.round_state import FOLLOW, RoundResult
from knobel.games.rounds import RoundsGame
from knobel.notation import read_action
from knobel.phrase import BoxName, Phrase, phrase
from knobel.record.events import Acted, Assisted, Away, Back, Closed, Corrected, Landed, StandIn, Undone
from knobel.record.track import Step
from knobel.table import Table


def narrate(table: Table, step: Step) -> tuple[Phrase, ...]:
    """Say what a step was; nothing, where there is nothing to say."""
    names = [seat.name for seat in table.header.seats]
    match step.event:
        case Acted() | Landed():
            return narrate_action(table, step, names[step.event.seat])
        case Corrected():
            return narrate_correction(table, step, step.event, names[step.event.seat])
        case Undone():
            return (phrase("interface.play.undone"),)
        case Away(seat):
            return (phrase("interface.told.away", name=names[seat]),)
        case Back(seat):
            return (phrase("interface.told.back", name=names[seat]),)
        case Assisted(seat):
            return (phrase("interface.told.assisted", name=names[seat]),)
        case StandIn(seat, _):
            return (phrase("interface.told.stand_in", name=names[seat]),)
        case Closed(why=why) if why != "over":
            return (phrase(f"interface.told.{why}"),)
    return ()


def narrate_action(table: Table, step: Step, name: str) -> tuple[Phrase, ...]:
    """Say what somebody did, or which dice fell."""
    if isinstance(table.game, RoundsGame):
        return (*narrate_round_action(table, step, name), *narrate_round_result(table, step))
    before = step.before
    match step.action:
        case Announce(box):
            return (phrase("interface.play.announced", name=name, box=BoxName(box)),)
        case Roll(places) if places:
            return (narrate_keep(step, name, places),)
        case Land(dice) if before.rolloff:
            return (phrase("interface.play.rolled", name=name, sum=sum(dice)),)
        case EnterDice(dice) if before.rolloff:
            return (phrase("interface.play.rolled", name=name, sum=sum(dice)),)
        case EnterDice():
            return (narrate_shown_dice(step, name),)
        case Land():
            return (narrate_roll(step, name, table.game.rules.rolls),)
        case Score(box) | EnterPoints(box):
            said = narrate_entry(table, step, name, box)
            return (said, phrase("interface.told.anyway")) if is_against_rules(step.action) else (said,)
        case Leave():
            return (phrase("interface.play.gone", name=name),)
    return ()


def narrate_entry(table: Table, step: Step, name: str, box: str) -> Phrase:
    """Say what somebody wrote, and what that makes together."""
    game = table.replay.track(step.event.seat).game  # type: ignore[union-attr]
    player = step.before.player
    points = step.after.columns[player].entries[game.rules.index[box]] or 0  # type: ignore[attr-defined]
    total = game.tally(step.after, player).total  # type: ignore[attr-defined]
    return phrase("interface.play.wrote", n=points, name=name, box=BoxName(box), total=total)


def narrate_correction(table: Table, step: Step, event: Corrected, name: str) -> tuple[Phrase, ...]:
    """Say what corrected turns have become, and what the column comes to now."""
    lane = table.replay.track(event.seat)
    if isinstance(lane.game, RoundsGame):
        return (narrate_round_correction(table, step, event, name),)
    within = lane.local_seat(event.seat)
    total = lane.game.tally(step.after, within).total  # type: ignore[attr-defined]
    entries = step.after.columns[within].entries
    found = []
    for turn, actions in event.turns.items():
        box = read_action(step.after, actions[-1]).box  # type: ignore[union-attr]
        points = entries[lane.game.rules.index[box]]  # type: ignore[attr-defined]
        found.append(
            phrase("interface.told.corrected", n=points, name=name, box=BoxName(box), total=total, turn=turn + 1)
        )
    return tuple(found)


def narrate_round_correction(table: Table, step: Step, event: Corrected, name: str) -> Phrase:
    """Say which round was corrected, and what somebody has thrown in it."""
    before = table.replay.corrections[step.number]
    shows = [read_action(before, text) for text in event.actions]
    total = sum(sum(action.dice) for action in shows if isinstance(action, EnterDice))
    return phrase("interface.told.corrected_round", name=name, round=before.rounds, sum=total)


def narrate_shown_dice(step: Step, name: str) -> Phrase:
    """Say what real dice show at the end of a turn."""
    return phrase("interface.told.shown", name=name, dice=" ".join(map(str, step.after.dice)))


def narrate_round_action(table: Table, step: Step, name: str) -> tuple[Phrase, ...]:
    """Say what somebody did in a round."""
    before = step.before
    match step.action:
        case Roll(places) if places:
            return (narrate_keep(step, name, places),)
        case Land(dice) if before.rolloff:
            return (phrase("interface.rounds.thrown_off", name=name, sum=sum(dice)),)
        case EnterDice(dice) if before.rolloff:
            return (phrase("interface.rounds.thrown_off", name=name, sum=sum(dice)),)
        case EnterDice():
            return (narrate_shown_dice(step, name),)
        case Land():
            allowed = before.rolls_allowed if before.phase == FOLLOW else table.game.rules.rolls
            return (narrate_roll(step, name, allowed),)
        case Stand(aim):
            key = f"interface.rounds.stands.{aim}" if aim else "interface.rounds.stands.at"
            return (phrase(key, name=name, n=sum(before.dice)),)
        case Leave():
            return (phrase("interface.play.gone", name=name),)
    return ()


def narrate_round_result(table: Table, step: Step) -> tuple[Phrase, ...]:
    """Say what the round came to, once it has."""
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


def narrate_roll(step: Step, name: str, rolls: int) -> Phrase:
    """Say what the dice show."""
    dice = " ".join(map(str, step.after.dice))
    return phrase("interface.play.thrown", name=name, dice=dice, throw=step.after.rolls_used, throws=rolls)


def narrate_keep(step: Step, name: str, places: tuple[int, ...]) -> Phrase:
    """Say what somebody keeps."""
    dice = " ".join(str(step.before.dice[place]) for place in places)
    return phrase("interface.play.keeps", name=name, dice=dice)
