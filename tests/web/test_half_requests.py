"""Requests that are never finished are not waited for, refusals name no path, and no key is taken twice."""

import asyncio
import socket
from pathlib import Path

import pytest

from knobel.errors import DatabaseFull, DatabaseUnreachable, MessageMalformed
from knobel.lang import Translator
from knobel.web.connection import decode
from knobel.web.hubs import encode_refusal
from tests.support.devices import RunningServer, run_server
from tests.support.waiting import HANG_SECONDS, wait_until

HALVES = (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")


@pytest.mark.rest
@pytest.mark.process
def test_half_a_request_is_not_waited_for(tmp_path: Path) -> None:
    async def wait_for_end(port: int, sent: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        async with asyncio.timeout(HANG_SECONDS):
            answer = await reader.read()
        writer.close()
        return answer

    async def wait_for_all(port: int) -> list[bytes]:
        return await asyncio.gather(*(wait_for_end(port, sent) for sent in HALVES))

    with run_server(tmp_path) as server:
        assert not any(b" 200 " in answer for answer in asyncio.run(wait_for_all(server.port)))


@pytest.mark.rest
@pytest.mark.process
def test_an_answer_that_nobody_reads_is_not_kept_for_ever(tmp_path: Path) -> None:
    async def leave_answers_unread(server: RunningServer) -> None:
        held = server.connection_count
        request = f"GET /schema.json HTTP/1.1\r\nHost: localhost:{server.port}\r\n\r\n".encode()
        # Few answers fit into what the system buffers; of some the end waits here, of more the next is waited for.
        lines = [open_narrow_socket(server.port, request * times) for times in range(1, 20)]
        await wait_until(lambda: server.connection_count > held)
        await wait_until(lambda: server.connection_count <= held)
        for line in lines:
            line.close()

    with run_server(tmp_path) as server:
        asyncio.run(leave_answers_unread(server))


def open_narrow_socket(port: int, sent: bytes) -> socket.socket:
    """Open a connection that takes in very little before it is read, and send something."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", port))
    line.sendall(sent)
    return line


@pytest.mark.parametrize(
    "error", [DatabaseFull(value="/secret/knobel.db"), DatabaseUnreachable(value="/secret", reason="no")]
)
def test_a_refusal_tells_players_no_path(error: DatabaseFull | DatabaseUnreachable) -> None:
    refusal = encode_refusal("c", error, "en").decode()
    assert "secret" not in refusal
    assert f'"code":"{error.code}"' in refusal
    assert Translator("en")("errors.storage") in refusal


@pytest.mark.parametrize(
    "text",
    [
        '{"do":"ping","do":"ping"}',
        '{"do":"want","id":"a","id":"b","intent":{"want":"sit","name":"x"}}',
        '{"do":"want","id":"a","intent":{"want":"sit","name":"x","name":"y"}}',
        '{"do":"want","id":"a","intent":{"want":"sit","name":"x","n\\u0061me":"y"}}',
        '{"do":"want","id":"a","intent":{"want":"act","seat":0,"ply":0,"action":"x"}}',
    ],
)
def test_a_key_twice_and_a_game_command_without_its_game_are_malformed(text: str) -> None:
    with pytest.raises(MessageMalformed):
        decode(text)


def test_the_same_key_in_two_objects_is_fine() -> None:
    decode('{"do":"want","id":"a","game":null,"intent":{"want":"seal","game":"g","seal":"' + "0" * 64 + '"}}')
