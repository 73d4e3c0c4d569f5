"""Stored logs are what was written: the chain, the count, the head and the promised seed are checked when one is read.

A log that is not is set aside: nothing is added to it, and everything else goes on.
"""

from collections.abc import AsyncIterator, Sequence

import msgspec

from knobel import fair
from knobel.errors import GameDamaged, KnobelError, RoomDamaged, RoomNotFound
from knobel.host.room_store import read_room
from knobel.record.chain import encode_link, hash_line
from knobel.record.duplicate import is_duplicate
from knobel.record.events import Header
from knobel.record.file import restore_names
from knobel.record.formats import FORMATS, decode_header
from knobel.rooms.room import Room, open_edition
from knobel.store import EventRow, NewGame, Store, StoredGame
from knobel.table import Table


def build_table(game: StoredGame | NewGame, rows: Sequence[EventRow] = ()) -> Table:
    """Replay a stored game up to where it stands, and check all of it; one that has just begun stands at its start."""
    name = game.game_id if isinstance(game, NewGame) else game.id
    at = 0
    try:
        header = restore_names(decode_header(game.header), game.names)
        check_seed(header, game.seed)
        table = Table(header, game.seed, (), header.game, game.header)
        decode = FORMATS[header.knobel].decode_event
        heads = list_checked_heads(name, table.head, 0, rows)
        for row, head in zip(rows, heads, strict=True):
            at = row.seq
            table.apply_events((decode(row.body),), (head,))
    except GameDamaged:
        raise
    except (KnobelError, msgspec.MsgspecError, ValueError, KeyError, TypeError, IndexError):
        raise GameDamaged(name=name, event=at) from None
    if isinstance(game, StoredGame):
        check_end(game, table.heads)
    return table


def check_log(game: StoredGame, rows: Sequence[EventRow]) -> None:
    """Check that a stored log is what was written, without replaying it."""
    try:
        check_seed(decode_header(game.header), game.seed)
    except (msgspec.MsgspecError, ValueError, KeyError):
        raise GameDamaged(name=game.id, event=0) from None
    first = hash_line(game.header)
    check_end(game, [first, *list_checked_heads(game.id, first, 0, rows)])


def check_seed(header: Header, seed: str) -> None:
    """Check that the secret seed is the one that was promised."""
    promised = fair.commit_server_seed(header.game, bytes.fromhex(header.fingerprint), bytes.fromhex(seed)).hex()
    if promised != header.dice.commitment:
        raise GameDamaged(name=header.game, event=0)


def list_checked_heads(name: str, head: str, count: int, rows: Sequence[EventRow]) -> list[str]:
    """Hash rows that follow a head, each of which must carry the hash before it; list the head after each."""
    heads = []
    for number, row in enumerate(rows, count + 1):
        if row.seq != number or row.previous != head:
            raise GameDamaged(name=name, event=number)
        head = hash_line(encode_link(row.previous, row.body))
        heads.append(head)
    return heads


def check_end(game: StoredGame, heads: Sequence[str]) -> None:
    """Check that nothing is missing at the end, and that the last event is the one that was written."""
    count = len(heads) - 1
    if count != game.event_count:
        raise GameDamaged(name=game.id, event=min(count, game.event_count) + 1)
    if game.head is not None and game.head != heads[-1]:
        raise GameDamaged(name=game.id, event=count)


async def load_checked_table(store: Store, game_id: str) -> tuple[Table, StoredGame, Sequence[EventRow]] | None:
    """Read a game and its events, and replay it."""
    if (log := await read_log(store, game_id)) is None:
        return None
    return build_table(*log), *log


def hides_stored_turns(stored: StoredGame) -> bool:
    """Tell whether a stored game is duplicate and still being played: then its log is not for everybody."""
    return not stored.is_closed and is_duplicate(decode_header(stored.header))


async def read_log(store: Store, game_id: str) -> tuple[StoredGame, Sequence[EventRow]] | None:
    """Read a game and its events up to its count; what others write between the two reads is no damage."""
    if (game := await store.find_game(game_id)) is None:
        return None
    rows = await store.list_events(game_id)
    if len(rows) > game.event_count:
        # Rows and count are written together: a count read after the rows covers all of them, or some are not ours.
        later = await store.find_game(game_id)
        if later is not None and later.event_count >= len(rows):
            rows = rows[: game.event_count]
    return game, rows


def read_header(game: StoredGame) -> Header | None:
    """Read what was agreed on for a game, unless that is damaged."""
    try:
        return decode_header(game.header)
    except (msgspec.MsgspecError, ValueError, KeyError):
        return None


async def find_damage(store: Store) -> AsyncIterator[KnobelError]:
    """Check every room and every log of a store."""
    missing = set(await store.list_incomplete_games())
    for stored in await store.list_rooms():
        try:
            room = await read_room(store, stored)
            check_edition(room)
        except RoomNotFound:
            yield RoomDamaged(name=stored.id)  # its house rules are gone
            continue
        except KnobelError as error:
            yield error
            continue
        if room.game is not None and await store.find_game(room.game) is None:
            missing.add(room.game)
    for name in sorted(missing):
        yield GameDamaged(name=name, event=0)
    for game in await store.list_games(limit=1_000_000):
        try:
            await load_checked_table(store, game.id)
        except KnobelError as error:
            yield error


def check_edition(room: Room) -> None:
    """Check that the rules a room names can be read."""
    try:
        open_edition(room.settings.edition, room.settings.house_rules)
    except KnobelError:
        raise RoomDamaged(name=room.id) from None
