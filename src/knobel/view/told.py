"""What just happened at a table, as a phrase; every window says it with the same words."""

from knobel.game import Announce, Fill, Land, Leave, Show, Stand, Throw, Write, bends
from knobel.games.round_state import FOLLOW, Told
from knobel.games.rounds import Rounds
from knobel.notation import read
from knobel.phrase import BoxName, Phrase, phrase
from knobel.record.events import Acted, Assisted, Away, Back, Closed, Corrected, Landed, StandIn, Undone
from knobel.record.lane import Step
from knobel.table import Table


def told(table: Table, step: Step) -> tuple[Phrase, ...]:
    """Say what a step was; nothing, where there is nothing to say."""
    names = [seat.name for seat in table.header.seats]
    match step.event:
        case Acted() | Landed():
            return played(table, step, names[step.event.seat])
        case Corrected():
            return mended(table, step, step.event, names[step.event.seat])
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


def played(table: Table, step: Step, name: str) -> tuple[Phrase, ...]:
    """Say what somebody did, or which dice fell."""
    if isinstance(table.game, Rounds):
        return (*in_a_round(table, step, name), *round_told(table, step))
    before = step.before
    match step.action:
        case Announce(box):
            return (phrase("interface.play.announced", name=name, box=BoxName(box)),)
        case Throw(places) if places:
            return (kept(step, name, places),)
        case Land(dice) if before.rolloff:
            return (phrase("interface.play.rolled", name=name, sum=sum(dice)),)
        case Show(dice) if before.rolloff:
            return (phrase("interface.play.rolled", name=name, sum=sum(dice)),)
        case Show():
            return (shown(step, name),)
        case Land():
            return (thrown(step, name, table.game.rules.throws),)
        case Fill(box) | Write(box):
            said = wrote(table, step, name, box)
            return (said, phrase("interface.told.anyway")) if bends(step.action) else (said,)
        case Leave():
            return (phrase("interface.play.gone", name=name),)
    return ()


def wrote(table: Table, step: Step, name: str, box: str) -> Phrase:
    """Say what somebody wrote, and what that makes together."""
    game = table.replay.lane(step.event.seat).game  # type: ignore[union-attr]
    player = step.before.player
    points = step.after.columns[player].entries[game.rules.index[box]] or 0  # type: ignore[attr-defined]
    total = game.tally(step.after, player).total  # type: ignore[attr-defined]
    return phrase("interface.play.wrote", n=points, name=name, box=BoxName(box), total=total)


def mended(table: Table, step: Step, event: Corrected, name: str) -> tuple[Phrase, ...]:
    """Say what corrected turns have become, and what the column comes to now."""
    lane = table.replay.lane(event.seat)
    if isinstance(lane.game, Rounds):
        return (mended_round(table, step, event, name),)
    within = lane.within(event.seat)
    total = lane.game.tally(step.after, within).total  # type: ignore[attr-defined]
    entries = step.after.columns[within].entries
    found = []
    for turn, actions in event.turns.items():
        box = read(step.after, actions[-1]).box  # type: ignore[union-attr]
        points = entries[lane.game.rules.index[box]]  # type: ignore[attr-defined]
        found.append(
            phrase("interface.told.corrected", n=points, name=name, box=BoxName(box), total=total, turn=turn + 1)
        )
    return tuple(found)


def mended_round(table: Table, step: Step, event: Corrected, name: str) -> Phrase:
    """Say which round was corrected, and what somebody has thrown in it."""
    before = table.replay.mended[step.number]
    shows = [read(before, text) for text in event.actions]
    total = sum(sum(action.dice) for action in shows if isinstance(action, Show))
    return phrase("interface.told.corrected_round", name=name, round=before.rounds, sum=total)


def shown(step: Step, name: str) -> Phrase:
    """Say what real dice show at the end of a turn."""
    return phrase("interface.told.shown", name=name, dice=" ".join(map(str, step.after.dice)))


def in_a_round(table: Table, step: Step, name: str) -> tuple[Phrase, ...]:
    """Say what somebody did in a round."""
    before = step.before
    match step.action:
        case Throw(places) if places:
            return (kept(step, name, places),)
        case Land(dice) if before.tied:
            return (phrase("interface.rounds.thrown_off", name=name, sum=sum(dice)),)
        case Show(dice) if before.tied:
            return (phrase("interface.rounds.thrown_off", name=name, sum=sum(dice)),)
        case Show():
            return (shown(step, name),)
        case Land():
            allowed = before.allowed if before.phase == FOLLOW else table.game.rules.throws
            return (thrown(step, name, allowed),)
        case Stand(aim):
            key = f"interface.rounds.stands.{aim}" if aim else "interface.rounds.stands.at"
            return (phrase(key, name=name, n=sum(before.dice)),)
        case Leave():
            return (phrase("interface.play.gone", name=name),)
    return ()


def round_told(table: Table, step: Step) -> tuple[Phrase, ...]:
    """Say what the round came to, once it has."""
    found: Told | None = step.after.told
    if found is None or found is step.before.told:
        return ()
    names = [seat.name for seat in table.header.seats]
    if found.loser is None:
        first = phrase("interface.rounds.void")
    elif found.chip_from is None:
        first = phrase("interface.rounds.chip", name=names[found.loser], n=step.after.kitty)
    else:
        first = phrase("interface.rounds.chip_of", name=names[found.loser], other=names[found.chip_from])
    return (first, *(phrase("interface.rounds.leaves", name=names[seat]) for seat in found.left))


def thrown(step: Step, name: str, throws: int) -> Phrase:
    """Say what the dice show."""
    dice = " ".join(map(str, step.after.dice))
    return phrase("interface.play.thrown", name=name, dice=dice, throw=step.after.thrown, throws=throws)


def kept(step: Step, name: str, places: tuple[int, ...]) -> Phrase:
    """Say what somebody keeps."""
    dice = " ".join(str(step.before.dice[place]) for place in places)
    return phrase("interface.play.keeps", name=name, dice=dice)
