"""A game of a server, replayed here event by event: by the rules, and in the chain of its record."""

from collections.abc import Awaitable, Callable

from knobel.client.messages import PositionNews
from knobel.client.visible_game import check_settled_turns, read_visible_game, replay_visible_game, take_over
from knobel.errors import KnobelError, ServerContradicts, ServerRefused
from knobel.record.events import Record
from knobel.record.file import parse_record
from knobel.record.replay import Replay
from knobel.table import Table, rename_players


class TableMirror:
    """The table of the game that is played now or was played last; `None` before the first.

    A position that does not follow on what was seen is completed from the record. `on_table` is told of each new game.
    """

    def __init__(
        self, fetch_record: Callable[[str], Awaitable[bytes]], fetch_visible: Callable[[str], Awaitable[bytes]]
    ) -> None:
        self.fetch_record = fetch_record
        self.fetch_visible = fetch_visible
        self.shown_count: int | None = None
        """How much of a duplicate game was seen, while part of it is hidden."""
        self.table: Table | None = None
        self.on_table: Callable[[Table], None] = lambda _: None

    @property
    def game(self) -> str | None:
        return self.table.header.game if self.table else None

    @property
    def replay(self) -> Replay | None:
        return self.table.replay if self.table else None

    def has_seen(self, game: str | None, count: int) -> bool:
        """Tell whether so many events of a game were seen, or already another game."""
        if self.table is None:
            return False
        seen = self.table.replay.count if self.shown_count is None else self.shown_count
        return self.game != game or seen >= count

    async def follow(self, news: PositionNews) -> None:
        """Come to where the server is, or say that it contradicts itself."""
        view = news.view
        if not view.head:
            await self.look(view.game)
            return
        if self.shown_count is not None:
            await self.complete(view.game)
        if self.table is None or self.game != view.game:
            await self.open(view.game)
        table = self.table
        if table is None:
            return
        missing = view.count - table.replay.count
        if missing == len(news.last):
            self.apply(table, news)
        elif missing > 0:
            await self.catch_up(table)
        if table.replay.count >= view.count and table.heads[view.count] != view.head:
            raise ServerContradicts(name=view.game, event=view.count)
        rename_players(table, [seat.name for seat in view.seats])

    async def look(self, game: str) -> None:
        """Replay what is shown of a duplicate game; if it is over by now, its whole record follows."""
        try:
            visible = read_visible_game(await self.fetch_visible(game))
        except ServerRefused:
            return
        later = replay_visible_game(visible)
        self.shown_count = visible.count
        if self.table is not None and self.game == game:
            take_over(self.table, later)
        else:
            self.table = later
            self.on_table(later)

    async def complete(self, game: str) -> None:
        """Replay the whole record of a duplicate game that is over; what was seen of it must be part of it."""
        self.shown_count = None
        if self.table is None or self.game != game:
            return
        content = await self.fetch_record(game)
        whole = build_table(content, parse_record(content, game))
        check_settled_turns(self.table.replay, whole.replay)
        take_over(self.table, whole)

    def apply(self, table: Table, news: PositionNews) -> None:
        """Replay what just happened; the rules decide whether it can have happened."""
        try:
            table.apply_events(news.last)
        except KnobelError:
            raise ServerContradicts(name=news.view.game, event=table.replay.count + 1) from None

    async def open(self, game: str) -> None:
        """Replay a game from its record as far as it is."""
        content = await self.fetch_record(game)
        record = parse_record(content, game)
        table = build_table(content, record)
        if self.game != game:
            self.table = table
            self.on_table(table)

    async def catch_up(self, table: Table) -> None:
        """Replay what was missed; what was seen before must be part of it."""
        game = table.header.game
        record = parse_record(await self.fetch_record(game), game)
        seen = len(table.events)
        if tuple(table.events) != record.events[:seen]:
            raise ServerContradicts(name=game, event=seen)
        table.apply_events(record.events[seen:])


def build_table(content: bytes, record: Record) -> Table:
    """Set up the table of a record; its server seed is nobody's to know yet."""
    first = content.partition(b"\n")[0].decode()
    return Table(record.header, "", record.events, record.header.game, first)
