"""A game that goes on from one of its positions: in a room of its own, one person against bots."""

import msgspec

from knobel.errors import GameUnknown, RoomUnknown
from knobel.game import CHANCE
from knobel.host import Host
from knobel.host.keeping import table_again
from knobel.host.opening import coming_of, room_id
from knobel.notation import write
from knobel.record.events import Header, Quoted
from knobel.record.replay import Replay
from knobel.room.chairs import Chair, Room, Settings, rules_of
from knobel.rules import editions
from knobel.rules.fields import shown
from knobel.store import PutRoom, Taken
from knobel.table import Table


async def play_on(host: Host, owner: str, command: str, game: str, event: int, seat: int, bot: str) -> Room:
    """Open a room in which a kept game goes on after one of its events; the others are bots."""
    table, stored = await table_again(host.store, game)
    header = table.header
    if header.free or not 0 <= seat < len(header.seats) or table.replay.closed is None:
        raise GameUnknown(name=shown(game))
    name = room_id(owner, command)
    quoted = Quoted(game, header.first, told_until(table, event))
    settings = msgspec.structs.replace(await settings_again(host, header, stored.room), quoted=quoted)
    chairs = tuple(
        Chair(one.name, owner if place == seat else None, None if place == seat else bot, one.beginner)
        for place, one in enumerate(header.seats)
    )
    room = Room(name, owner, settings, coming_of(settings, 1), chairs)
    host.know_bots(room)
    try:
        await host.store.commit(PutRoom(name, 0, msgspec.json.encode(room).decode(), None, host.clock()))
    except Taken:
        return (await host.desk(name)).room
    return room


def told_until(table: Table, event: int) -> tuple[str, ...]:
    """Write down what a game had come to after an event: nothing taken back by then, no dice in the air."""
    replay = Replay(table.header)
    for one in table.events[:event]:
        replay.then(one)
    if replay.state.seat == CHANCE:
        replay.steps.pop()
    if replay.state.seat is None:
        raise GameUnknown(name=table.header.game)
    actions = table.header.quoted.actions if table.header.quoted else ()
    dice = replay.game.rules.dice
    return (*actions, *(write(step.before, step.action, dice) for step in replay.steps if step.action is not None))


async def settings_again(host: Host, header: Header, room: str) -> Settings:
    """Agree once more on what was played: as in the room it was played in, else as printed."""
    try:
        settings = (await host.desk(room)).room.settings
    except RoomUnknown:
        settings = None
    if settings is None or rules_of(settings).fingerprint != header.fingerprint:
        if header.edition.id not in editions():
            raise GameUnknown(name=shown(header.game))
        settings = Settings(header.edition.id, header.text, header.switches)
    return msgspec.structs.replace(settings, games=1, seed=None, free=False)
