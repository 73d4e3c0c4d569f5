"""The outbox of a client: one write for each turn of the event loop, in order, within a limit."""

import asyncio
from collections.abc import Sequence

from knobel.web.outbox import MAX_QUEUED, MAX_QUEUED_BYTES, Outbox
from tests.support.hosted_rooms import run_async


class Socket:
    """Takes writes while it is open, and notes them."""

    def __init__(self) -> None:
        self.open = True
        self.writes: list[list[bytes]] = []

    def try_write(self, messages: Sequence[bytes]) -> bool:
        if self.open:
            self.writes.append(list(messages))
        return self.open


def connect() -> tuple[Outbox, Socket]:
    outbox, socket = Outbox(), Socket()
    outbox.try_write = socket.try_write
    return outbox, socket


@run_async
async def test_messages_of_one_turn_leave_in_one_write() -> None:
    outbox, socket = connect()
    outbox.put(b"position")
    outbox.put(b"done")
    await asyncio.sleep(0)
    outbox.put(b"pong")
    await asyncio.sleep(0)
    assert socket.writes == [[b"position", b"done"], [b"pong"]]


@run_async
async def test_what_was_put_for_everybody_can_leave_before_the_turn_ends() -> None:
    (own, own_socket), (other, other_socket) = connect(), connect()
    own.put(b"position")
    other.put(b"position")
    own.put(b"done")
    own.flush_everybody()
    assert (own_socket.writes, other_socket.writes) == ([[b"position", b"done"]], [[b"position"]])
    own.put(b"pong")
    await asyncio.sleep(0)
    assert own_socket.writes == [[b"position", b"done"], [b"pong"]]
    assert other_socket.writes == [[b"position"]]


@run_async
async def test_what_a_socket_cannot_take_is_sent_later_and_nothing_overtakes_it() -> None:
    outbox, socket = connect()
    socket.open = False
    outbox.put(b"first")
    await asyncio.sleep(0)
    socket.open = True
    outbox.put(b"second")
    await asyncio.sleep(0)
    assert socket.writes == []
    assert [await outbox.take(), await outbox.take()] == [b"first", b"second"]
    waiting = asyncio.ensure_future(outbox.take())
    await asyncio.sleep(0)
    outbox.put(b"third")
    await asyncio.sleep(0)
    assert socket.writes == [[b"third"]]
    assert not waiting.done()
    waiting.cancel()


@run_async
async def test_a_client_that_does_not_read_overruns_its_outbox_once_it_is_full() -> None:
    outbox, socket = connect()
    socket.open = False
    overruns: list[int] = []
    outbox.on_overrun = lambda: overruns.append(len(outbox.messages))
    for number in range(MAX_QUEUED):
        outbox.put(str(number).encode())
    assert not outbox.is_overrun
    outbox.put(b"one too many")
    assert outbox.is_overrun
    assert overruns == [MAX_QUEUED]


@run_async
async def test_few_large_messages_overrun_an_outbox_like_many_small_ones() -> None:
    outbox, socket = connect()
    socket.open = False
    part = bytes(MAX_QUEUED_BYTES // 4)
    for _ in range(4):
        outbox.put(part)
    assert not outbox.is_overrun
    await asyncio.sleep(0)
    assert await outbox.take() == part
    outbox.put(part)
    assert not outbox.is_overrun
    outbox.put(b"one byte too many")
    assert outbox.is_overrun
    assert sum(map(len, outbox.messages)) == MAX_QUEUED_BYTES


@run_async
async def test_a_message_larger_than_all_that_may_wait_is_sent_if_nothing_else_waits() -> None:
    outbox, socket = connect()
    outbox.put(bytes(2 * MAX_QUEUED_BYTES))
    await asyncio.sleep(0)
    assert [len(message) for message in socket.writes[0]] == [2 * MAX_QUEUED_BYTES]
    outbox.put(bytes(MAX_QUEUED_BYTES))
    assert not outbox.is_overrun


@run_async
async def test_a_burst_that_the_socket_takes_overruns_nothing() -> None:
    outbox, socket = connect()
    for number in range(3 * MAX_QUEUED):
        outbox.put(str(number).encode())
    await asyncio.sleep(0)
    assert not outbox.is_overrun
    assert [message for write in socket.writes for message in write] == [
        str(number).encode() for number in range(3 * MAX_QUEUED)
    ]


@run_async
async def test_trouble_with_one_socket_keeps_nothing_from_the_others() -> None:
    troubles: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: troubles.append(context["exception"]))
    broken, trouble = Outbox(), OSError("broken")

    def fail(_: Sequence[bytes]) -> bool:
        raise trouble

    broken.try_write = fail
    outbox, socket = connect()
    for one in (broken, outbox):
        one.put(b"position")
    await asyncio.sleep(0)
    assert socket.writes == [[b"position"]]
    assert troubles == [trouble]
