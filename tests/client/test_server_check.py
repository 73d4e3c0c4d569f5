"""A server is checked from outside: whether sockets get through, and whether others can listen in."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from knobel.client.device_file import KnownServer
from knobel.client.server_check import check_server, find_socket_problem, is_readable_by_others
from knobel.errors import ServerForeign
from tests.support.hosted_rooms import run_async

KNOWN = KnownServer("a" * 64, "b" * 64)


@pytest.mark.parametrize(
    ("origin", "is_plain"),
    [
        ("https://dice.example", False),
        ("http://dice.example", True),
        ("http://192.168.1.5:8765", True),
        ("http://localhost:8765", False),
        ("http://127.0.0.1", False),
        ("http://[::1]:8765", False),
    ],
)
def test_only_plain_http_over_a_network_can_be_read_on_the_way(origin: str, is_plain: bool) -> None:
    assert is_readable_by_others(origin) is is_plain


@asynccontextmanager
async def answering(reply: bytes) -> AsyncIterator[str]:
    """Run a program that answers every request alike, and give its address."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 " + reply + b"\r\nConnection: close\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@run_async
async def test_a_proxy_that_passes_no_sockets_on_is_noticed_by_its_answer() -> None:
    async with answering(b"404 Not Found\r\nContent-Length: 0") as origin:
        assert await find_socket_problem(origin, "en", KNOWN) == "404"
    assert await find_socket_problem(origin, "en", KNOWN)


@run_async
async def test_another_program_at_the_address_is_called_so() -> None:
    async with answering(b"200 OK\r\nSet-Cookie: other=1\r\nContent-Length: 0") as origin:
        with pytest.raises(ServerForeign) as refused:
            await check_server(origin, "en")
    assert refused.value.values == {"server": origin}
