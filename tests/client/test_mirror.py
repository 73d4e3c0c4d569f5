"""A game of a server replayed here: event by event, from the record where something was missed, and never on trust."""

import asyncio
from random import Random

import pytest
from msgspec.structs import replace

from knobel.bots import load_bot
from knobel.client.device_file import GameSecret
from knobel.client.fair_check import check_fair_dice
from knobel.client.messages import WIRE_VERSION, PlayerName, PositionNews, PositionSummary, read_message
from knobel.client.mirror import TableMirror
from knobel.errors import ServerContradicts
from knobel.record.chain import encode_header, hash_line, link_events
from knobel.record.events import Acted, Landed
from knobel.record.file import encode_log
from knobel.table import Table
from knobel.web.wire import WIRE_VERSION as SERVED_VERSION
from tests.support.played_tables import open_table


class FakeServer:
    """A table elsewhere, whose record can be fetched as far as it is."""

    def __init__(self) -> None:
        self.table = open_table("mb-yahtzee", sealed=())
        self.random = Random(5)
        self.fetched = 0

    def play(self, moves: int = 1) -> int:
        """Let somebody move; give the number of the first new event."""
        first = self.table.replay.count
        for _ in range(moves):
            state = self.table.state
            move = load_bot("random", "sheet")(self.table.game, state, self.random)
            self.table.apply(self.table.decide(state.seat, move))
        return first

    def tell(self, first: int) -> PositionNews:
        """Say what happened since an event, as the wire does."""
        table = self.table
        seats = tuple(PlayerName(seat.name) for seat in table.header.seats)
        view = PositionSummary(table.header.game, table.replay.count, table.head, seats)
        return PositionNews(view, tuple(table.events[first:]))

    async def fetch(self, game: str) -> bytes:
        assert game == self.table.header.game
        self.fetched += 1
        return write_record(self.table)


def write_record(table: Table) -> bytes:
    first = encode_header(table.header)
    links, _ = link_events(hash_line(first), table.events, table.header.knobel)
    return encode_log(first, tuple(seat.name for seat in table.header.seats), links)


def follow(mirror: TableMirror, news: PositionNews) -> None:
    asyncio.run(mirror.follow(news))


def test_the_same_wire_is_spoken_as_the_server_speaks() -> None:
    assert WIRE_VERSION == SERVED_VERSION


def test_a_game_is_followed_event_by_event_after_its_record_was_read_once() -> None:
    server = FakeServer()
    mirror = TableMirror(server.fetch, server.fetch)
    for _ in range(30):
        follow(mirror, server.tell(server.play()))
        assert mirror.table is not None
        assert (mirror.table.head, mirror.table.state) == (server.table.head, server.table.state)
    assert server.fetched == 1


def test_what_was_missed_is_read_from_the_record_and_told_once() -> None:
    server = FakeServer()
    mirror, steps = TableMirror(server.fetch, server.fetch), list[int]()
    mirror.on_table = lambda table: table.listeners.append(lambda step: steps.append(step.number))
    follow(mirror, server.tell(server.play()))
    seen = server.table.replay.count
    server.play(5)
    follow(mirror, server.tell(server.play()))
    assert mirror.table is not None
    assert mirror.table.head == server.table.head
    assert steps == list(range(seen + 1, server.table.replay.count + 1))


def test_a_position_that_comes_again_or_late_changes_nothing() -> None:
    server = FakeServer()
    mirror = TableMirror(server.fetch, server.fetch)
    old = server.tell(server.play())
    follow(mirror, old)
    follow(mirror, server.tell(server.play()))
    follow(mirror, old)
    follow(mirror, replace(server.tell(0), last=()))
    assert mirror.table is not None
    assert mirror.table.head == server.table.head


@pytest.mark.parametrize("kind", ["dice", "move", "head"])
def test_a_server_that_makes_something_up_is_caught_at_once(kind: str) -> None:
    server = FakeServer()
    mirror = TableMirror(server.fetch, server.fetch)
    follow(mirror, server.tell(server.play()))
    news = server.tell(server.play())
    acted, landed = news.last
    assert isinstance(acted, Acted)
    assert isinstance(landed, Landed)
    made_up = {
        "dice": replace(news, last=(acted, replace(landed, dice=tuple(7 - die for die in landed.dice)))),
        "move": replace(news, last=(replace(acted, seat=1 - acted.seat), landed)),
        "head": replace(news, view=replace(news.view, head="0" * 64)),
    }
    with pytest.raises(ServerContradicts):
        follow(mirror, made_up[kind])


def test_a_server_that_tells_another_story_later_is_caught() -> None:
    server, other = FakeServer(), FakeServer()
    other.random = Random(6)
    mirror = TableMirror(server.fetch, server.fetch)
    follow(mirror, server.tell(server.play(12)))
    mirror.fetch_record = other.fetch
    other.play(20)
    with pytest.raises(ServerContradicts):
        follow(mirror, replace(other.tell(0), last=()))


def test_a_new_name_is_taken_over() -> None:
    server = FakeServer()
    mirror = TableMirror(server.fetch, server.fetch)
    news = server.tell(server.play())
    follow(mirror, replace(news, view=replace(news.view, seats=(PlayerName("Zoe"), PlayerName("Bo")))))
    assert mirror.table is not None
    assert [seat.name for seat in mirror.table.header.seats] == ["Zoe", "Bo"]


def test_messages_of_no_use_here_are_passed_over() -> None:
    assert read_message('{"is":"pong"}') is None
    assert read_message('{"is":"tomorrow","more":[1]}') is None


def test_the_dice_are_checked_against_the_promise_that_was_made() -> None:
    server = FakeServer()
    while server.table.state.seat is not None:
        server.play()
    server.table.apply(server.table.decide_end())
    content, game = write_record(server.table), server.table.header.game
    promise = server.table.header.dice.commitment
    assert check_fair_dice(content, game, None).is_fair
    kept = check_fair_dice(content, game, GameSecret("0" * 64, promise))
    assert (kept.is_fair, kept.is_promise_kept, kept.is_seed_used) == (True, True, False)
    assert not check_fair_dice(content, game, GameSecret("0" * 64, "f" * 64)).is_fair
