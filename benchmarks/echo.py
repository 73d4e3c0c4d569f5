"""A server without a game: answers every command at once, and passes as many bytes on to the others in the room.

python -m benchmarks.echo --port 8000 --database BYTES
"""

import sys
from collections import defaultdict
from typing import Any

import msgspec
import uvicorn

ROOMS: defaultdict[str, list[Any]] = defaultdict(list)


def application(size: int) -> Any:
    """Build an application that passes on `size` bytes for each command."""
    news = f'{{"is":"position","ply":1,"view":"{"x" * size}"}}'

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            room = ROOMS[scope["path"]]
            room.append(send)
            await talk(receive, send, room)

    async def talk(receive: Any, send: Any, room: list[Any]) -> None:
        while (event := await receive())["type"] == "websocket.receive":
            message = msgspec.json.decode(event["text"])
            await send({"type": "websocket.send", "text": f'{{"is":"done","id":"{message["id"]}"}}'})
            for other in room:
                await other({"type": "websocket.send", "text": news})

    return app


def main(*words: str) -> None:
    """Serve, with the settings of the real server."""
    given = dict(zip(words[::2], words[1::2], strict=True))
    uvicorn.run(
        application(int(given["--database"])),
        port=int(given["--port"]),
        log_level="error",
        access_log=False,
        lifespan="off",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
