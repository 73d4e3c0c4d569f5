"""What just happened at a table, as phrases; every screen says it with the same words."""

from knobel.phrase import Phrase, phrase
from knobel.record.events import Acted, Assisted, Away, Back, Closed, Corrected, Drawn, Landed, StandIn, Undone
from knobel.record.track import Step
from knobel.table import Table
from knobel.view.families import find_family


def narrate(table: Table, step: Step) -> tuple[Phrase, ...]:
    """Say what a step was; nothing where there is nothing to say."""
    seats = table.header.seats
    match step.event:
        case Acted() | Landed():
            return find_family(table).narrate_action(table, step, step.event.seat)
        case Corrected():
            return find_family(table).narrate_correction(table, step, step.event)
        case Undone():
            return (phrase("interface.play.undone"),)
        case Drawn(seat):
            return (phrase("interface.narration.drawn", name=seats[seat].name),)
        case Away(seat):
            return (phrase("interface.narration.away", name=seats[seat].name),)
        case Back(seat):
            return (phrase("interface.narration.back", name=seats[seat].name),)
        case Assisted(seat):
            return (phrase("interface.narration.assisted", name=seats[seat].name),)
        case StandIn(seat, _):
            return (phrase("interface.narration.stand_in", name=seats[seat].name),)
        case Closed(why=why) if why != "over":
            return (phrase(f"interface.narration.{why}"),)
    return ()
