"""A server is checked from outside: whether sockets get through, and whether others can listen in."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from knobel.client.device_file import KnownServer
from knobel.client.requests import describe_mistrust
from knobel.client.server_check import check_server, find_socket_problem, is_readable_by_others
from knobel.errors import KnobelError, ServerForeign, ServerMisnamed, ServerUntrusted
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


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (b"200 OK\r\nSet-Cookie: other=1\r\nContent-Length: 0", ServerForeign),
        (b"404 Not Found\r\nContent-Length: 0", ServerForeign),
        (b"421 Misdirected Request\r\nContent-Length: 0", ServerMisnamed),
    ],
)
@run_async
async def test_another_program_and_a_server_with_another_name_are_called_so(
    reply: bytes, error: type[KnobelError]
) -> None:
    async with answering(reply) as origin:
        with pytest.raises(error) as refused:
            await check_server(origin, "en")
    assert refused.value.values == {"server": origin}


@run_async
async def test_where_no_https_is_spoken_that_is_said() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        with pytest.raises(ServerUntrusted) as refused:
            await check_server(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}", "en")
    assert refused.value.values["reason"]


def test_what_is_wrong_with_a_certificate_is_said_in_the_words_of_openssl() -> None:
    error = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed (_ssl.c:992)")
    error.verify_message = "Hostname mismatch, certificate is not valid for 'dice.example'."
    assert describe_mistrust(error) == "Hostname mismatch, certificate is not valid for 'dice.example'"
    error.verify_message = ""
    error.reason = "CERTIFICATE_VERIFY_FAILED"
    assert describe_mistrust(error) == "certificate verify failed"
