"""Servers with one thing wrong, to see that the tests notice: python -m tests.support.faulty_servers NAME --port N."""

import asyncio
import secrets
import sys
from typing import Any

from msgspec.structs import replace

from knobel.cli import main
from knobel.host.command_memory import RoomRequest
from knobel.host.session import RoomSession
from knobel.store import AppendEvents, StoreWrite
from knobel.store.sqlite import SqliteStore

COMMIT_DELAY = 0.2


def ack_before_commit() -> None:
    """Answer and tell at once, and commit a moment later."""
    commit = SqliteStore.commit
    late: set[asyncio.Task[None]] = set()

    async def later(store: SqliteStore, writes: tuple[StoreWrite, ...]) -> None:
        await asyncio.sleep(COMMIT_DELAY)
        await commit(store, *writes)

    async def hasty(store: SqliteStore, *writes: StoreWrite) -> None:
        if not isinstance(writes[0], AppendEvents):
            await asyncio.gather(*late)
            await commit(store, *writes)
            return
        task = asyncio.create_task(later(store, writes))
        late.add(task)
        task.add_done_callback(late.discard)

    SqliteStore.commit = hasty  # type: ignore[method-assign, assignment]


def no_command_id() -> None:
    """Recognise no command again: each is carried out as often as it comes."""
    write_down, change = RoomSession.commit_events, RoomSession.commit_room

    def renamed(request: RoomRequest) -> RoomRequest:
        return replace(request, id=f"{request.id}#{secrets.token_hex(4)}")

    async def write_again(session: RoomSession, request: RoomRequest, *others: Any, **kwargs: Any) -> Any:
        return await write_down(session, renamed(request), *others, **kwargs)

    async def change_again(session: RoomSession, room: Any, request: RoomRequest, *others: Any, **kwargs: Any) -> Any:
        return await change(session, room, renamed(request), *others, **kwargs)

    RoomSession.commit_events = write_again  # type: ignore[method-assign, assignment]
    RoomSession.commit_room = change_again  # type: ignore[method-assign, assignment]

    async def forget(*_: Any) -> None: ...

    RoomSession.find_reply = lambda *_: None  # type: ignore[method-assign]
    RoomSession.look_up_reply = forget  # type: ignore[method-assign, assignment]


FAULTS = {"ack-before-commit": ack_before_commit, "no-command-id": no_command_id}


def run(name: str, arguments: list[str]) -> None:
    """Serve as `knobel serve` does, but for one thing."""
    FAULTS[name]()
    sys.exit(main(["serve", "--no-open", *arguments]))


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2:])
