"""Requests to the application itself, without a server: devices with a proof, by the identity they speak for."""

import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Message

from knobel.host import Host
from knobel.store import AddDevice
from knobel.web.app import AppContext, build_app
from tests.support.hosted_rooms import open_host
from tests.support.proofs import derive_secret, proof_headers

HOST_NAME = "localhost"


@dataclass(frozen=True)
class Answer:
    """What the application answered."""

    status: int
    body: Any


@dataclass
class PlainServer:
    """An application over a host, to which devices speak by their identities."""

    host: Host
    app: ASGIApp

    async def introduce(self, *identities: str) -> None:
        """Let the proof of each device speak for its identity."""
        for identity in identities:
            token = derive_token(identity)
            hashed = [hashlib.sha256(text.encode()).hexdigest() for text in (token, derive_secret(token))]
            await self.host.store.commit(AddDevice(hashed[0], hashed[1], identity))

    async def get(self, path: str, identity: str) -> Answer:
        return await self.ask("GET", path, identity)

    async def post(self, path: str, identity: str, body: object = None) -> Answer:
        return await self.ask("POST", path, identity, json.dumps({} if body is None else body).encode())

    async def ask(self, method: str, path: str, identity: str, body: bytes = b"") -> Answer:
        status, content = await self.fetch(method, path, identity, body)
        return Answer(status, json.loads(content) if content else None)

    async def fetch(self, method: str, path: str, identity: str, body: bytes = b"") -> tuple[int, bytes]:
        """Ask for something, and give the status and the bytes of the answer."""
        plain, _, query = path.partition("?")
        headers = {"host": HOST_NAME, "origin": f"http://{HOST_NAME}", "content-length": str(len(body))}
        headers |= proof_headers(derive_token(identity))
        scope = {
            **{"type": "http", "method": method, "path": plain, "query_string": query.encode(), "scheme": "http"},
            **{"http_version": "1.1", "root_path": "", "client": ("127.0.0.1", 5), "server": (HOST_NAME, 80)},
            "headers": [(key.lower().encode(), value.encode()) for key, value in headers.items()],
        }
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


def derive_token(identity: str) -> str:
    return hashlib.sha256(f"token of {identity}".encode()).hexdigest()


@asynccontextmanager
async def open_plain_server(path: Path, *identities: str, **options: Any) -> AsyncIterator[PlainServer]:
    """Open an application over a new host."""
    async with open_host(path) as host:
        server = PlainServer(host, build_app(AppContext(host, frozenset({HOST_NAME}), **options)))
        await server.introduce(*identities)
        yield server
