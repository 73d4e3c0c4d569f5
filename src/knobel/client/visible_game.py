"""A duplicate game as far as the server shows it to this device, replayed by the rules."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from knobel.errors import KnobelError, ServerContradicts
from knobel.record.duplicate import count_settled_turns, list_steps_until
from knobel.record.events import Event, Undone
from knobel.record.file import restore_names
from knobel.record.formats import FORMATS, decode_header
from knobel.record.replay import Replay
from knobel.record.track import GameTrack, Step
from knobel.table import Table


class VisibleGame(Struct, frozen=True):
    """What the server shows of a game: events that still stand, and how often each column has changed."""

    header: str
    names: tuple[str, ...]
    events: tuple[msgspec.Raw, ...]
    plies: tuple[int, ...]
    count: int


DECODER = msgspec.json.Decoder(VisibleGame)


def read_visible_game(content: bytes) -> VisibleGame:
    return DECODER.decode(content)


def replay_visible_game(visible: VisibleGame) -> Table:
    """Replay what is shown; the rules decide whether it can have happened."""
    header = restore_names(decode_header(visible.header), visible.names)
    decode = FORMATS[header.knobel].decode_event
    try:
        table = Table(header, "", tuple(decode(bytes(one)) for one in visible.events), header.game, visible.header)
    except KnobelError:
        raise ServerContradicts(name=header.game, event=visible.count) from None
    for track, ply in zip(table.replay.tracks, visible.plies, strict=True):
        track.ply = ply
    return table


def take_over(table: Table, later: Table) -> None:
    """Let a table that is shown somewhere become a later one of the same game, and tell its listeners what is new."""
    news = list_news(table.replay, later.replay)
    table.replay, table.events, table.heads = later.replay, later.events, later.heads
    for listener in table.listeners:
        for step in news:
            listener(step)


def list_news(before: Replay, after: Replay) -> list[Step]:
    """List what is new, column by column; an entry that stands no more was undone."""
    news = list[Step]()
    for old, new in zip(before.tracks, after.tracks, strict=True):
        same = count_same(list_events(old.steps), list_events(new.steps))
        if same < len(old.steps):
            news.append(Step(after.count, Undone(0), None, old.state, new.state))
        news += new.steps[same:]
    if after.closed is not None and before.closed is None:
        news.append(Step(after.count, after.closed, None, after.state, after.state))
    return news


def list_events(steps: Sequence[Step]) -> list[Event]:
    return [step.event for step in steps]


def count_same(one: Sequence[Event], other: Sequence[Event]) -> int:
    """Count how many events two columns begin with alike."""
    return next(
        (place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )


def check_settled_turns(seen: Replay, whole: Replay) -> None:
    """Insist that turns which could no longer change are the same in the whole record."""
    for old, new in zip(seen.tracks, whole.tracks, strict=True):
        if not has_same_turns(old, new, count_settled_turns(old)):
            raise ServerContradicts(name=whole.header.game, event=whole.count)


def has_same_turns(old: GameTrack, new: GameTrack, turns: int) -> bool:
    return list_events(list_steps_until(old, turns)) == list_events(list_steps_until(new, turns))
