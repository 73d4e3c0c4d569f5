"""Continue a game from one of its positions, in a room of its own: one person against bots."""

import msgspec

from knobel.errors import GameNotFound, RoomNotFound
from knobel.game import CHANCE
from knobel.host import Host
from knobel.host.archive import load_table
from knobel.host.command_memory import RoomRequest
from knobel.host.room_setup import derive_room_id, draw_next_game
from knobel.notation import write_action
from knobel.record.events import Header, StartPosition
from knobel.record.replay import ROLL_OFF, Replay
from knobel.rooms.intents import Start
from knobel.rooms.room import Room, RoomSeat, Settings, resolve_rules
from knobel.rules import edition_ids
from knobel.rules.fields import abbreviate
from knobel.store import StoredGame
from knobel.table import Table


async def continue_game(host: Host, device: str, command: str, game_id: str, event: int, seat: int, bot: str) -> Room:
    """Open a room that continues a stored game after one of its events; the other seats are bots."""
    table, stored = await load_table(host.store, game_id)
    header = table.header
    if header.free or not 0 <= seat < len(header.seats) or table.replay.closed is None:
        raise GameNotFound(name=abbreviate(game_id))
    name = derive_room_id(device, command)
    first = header.first if table.replay.drawn is None else table.replay.drawn
    quoted = StartPosition(game_id, first, list_actions_until(table, event))
    start: Start | None = "roll_off" if header.start == ROLL_OFF else None
    settings = msgspec.structs.replace(await restore_settings(host, header, stored), quoted=quoted, start=start)
    seats = tuple(
        RoomSeat(one.name, device if place == seat else None, None if place == seat else bot, one.beginner)
        for place, one in enumerate(header.seats)
    )
    room = Room(name, device, settings, draw_next_game(settings, 1), seats)
    asked = msgspec.json.encode((game_id, event, seat, bot))
    return await host.add_room(room, RoomRequest.receive(command, device, asked))


def list_actions_until(table: Table, event: int) -> tuple[str, ...]:
    """Write the actions that lead to the position after an event, without what was undone or still rolls."""
    replay = Replay(table.header)
    for one in table.events[:event]:
        replay.apply_event(one)
    if replay.state.seat == CHANCE:
        replay.steps.pop()
    if replay.state.seat is None:
        raise GameNotFound(name=table.header.game)
    actions = table.header.quoted.actions if table.header.quoted else ()
    dice = replay.game.rules.dice
    return (
        *actions,
        *(write_action(step.before, step.action, dice) for step in replay.steps if step.action is not None),
    )


async def restore_settings(host: Host, header: Header, stored: StoredGame) -> Settings:
    """Find the settings of a stored game: those of its room, else by its house rules, else as printed."""
    try:
        settings = (await host.find_session(stored.room_id)).room.settings
    except RoomNotFound:
        settings = None
    if settings is None or resolve_rules(settings).fingerprint != header.fingerprint:
        text = await host.store.find_house_rules(stored.house_rules) if stored.house_rules else None
        if text is None and header.edition.id not in edition_ids():
            raise GameNotFound(name=abbreviate(header.game))
        settings = Settings(header.edition.id, header.text, header.switches, house_rules=text)
    return msgspec.structs.replace(settings, games=1, seed=None, free=False, duplicate=False)
