"""Answers that are the same for everybody: worked out once, beside the event loop, and served from memory."""

import asyncio
import hashlib
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from knobel.errors import ServerBusy

MAX_ANSWERS = 256
MAX_WAITING = 64
"""How many different answers may wait to be worked out."""


@dataclass(frozen=True, slots=True)
class RenderedAnswer:
    """The bytes of an answer, and the tag by which a browser knows that it has them."""

    content: bytes
    tag: str
    media_type: str

    def respond(self, request: Request) -> Response:
        """Answer a request; a browser that has the content already is only told so."""
        headers = {"ETag": self.tag}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(self.content, media_type=self.media_type, headers=headers)


class RenderedAnswers:
    """Answers by what they depend on; each is worked out once, one at a time, however many ask."""

    def __init__(self) -> None:
        self.answers: dict[Hashable, asyncio.Future[RenderedAnswer]] = {}
        self.worker = ThreadPoolExecutor(1, thread_name_prefix="knobel-render")

    async def find(
        self, key: Hashable, build: Callable[[], object], media_type: str = "application/json"
    ) -> RenderedAnswer:
        """Give an answer from memory, or work it out for everybody who asks for it now; bytes are sent as they are."""
        if (answer := self.answers.get(key)) is None:
            if sum(not one.done() for one in self.answers.values()) >= MAX_WAITING:
                raise ServerBusy
            loop = asyncio.get_running_loop()
            answer = self.answers[key] = loop.run_in_executor(self.worker, render, build, media_type)
            for oldest in list(self.answers)[:-MAX_ANSWERS]:
                del self.answers[oldest]
        try:
            return await asyncio.shield(answer)
        except BaseException:
            if answer.done() and self.answers.get(key) is answer:
                del self.answers[key]
            raise

    def close(self) -> None:
        self.worker.shutdown(wait=False, cancel_futures=True)


def render(build: Callable[[], object], media_type: str) -> RenderedAnswer:
    built = build()
    content = built if isinstance(built, bytes) else msgspec.json.encode(built)
    return RenderedAnswer(content, f'"{hashlib.sha256(content).hexdigest()[:32]}"', media_type)
