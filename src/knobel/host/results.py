"""What came of a game, as rows beside its log: written when it closes, and again whenever they are missing."""

import json
from collections.abc import Mapping

from knobel.stats.results import list_seat_results
from knobel.store.people import PutResults, ResultRow
from knobel.table import Table


def plan_results(table: Table, room_id: str, people: Mapping[int, str], ended: float) -> tuple[PutResults, ...]:
    """Plan the rows of a game that ends; one that was stopped before its end has none."""
    rows = build_results(table, room_id, people, ended)
    return (PutResults(rows),) if rows else ()


def build_results(table: Table, room_id: str, people: Mapping[int, str], ended: float) -> tuple[ResultRow, ...]:
    """Build a row for every seat; dice that follow from a typed seed count for nobody."""
    header, replay = table.header, table.replay
    return tuple(
        ResultRow(
            game=header.game,
            seat=one.seat,
            room=room_id,
            person=people.get(one.seat),
            bot=header.seats[one.seat].bot,
            edition=header.edition.id,
            title=header.edition.title,
            text=header.text,
            fingerprint=header.fingerprint,
            family=replay.game.rules.family,
            ended=ended,
            total=one.total,
            place=one.place,
            players=len(header.seats),
            practice=int(header.practice),
            free=int(header.free),
            assisted=int(one.seat in replay.attendance.assisted),
            real_dice=int(header.seats[one.seat].real_dice),
            imported=0,
            counts=int(one.is_own and header.dice.seed is None),
            detail=json.dumps(one.detail, separators=(",", ":"), sort_keys=True),
            reviewed=int(people.get(one.seat) is None),
        )
        for one in list_seat_results(replay)
    )
