"""Appends of many callers, written to PostgreSQL together."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from knobel.store import AppendEvents, CommitListener, StoreWrite
from knobel.store.postgres_connection import SQL, PgConnection, PostgresPool
from knobel.store.schema import TABLES
from knobel.store.statements import build_event_rows

MAX_BATCH = 256

AppendJob: TypeAlias = tuple[asyncio.Future[None], AppendEvents]
CommitTogether: TypeAlias = Callable[[tuple[StoreWrite, ...]], Awaitable[None]]
ExplainRefusal: TypeAlias = Callable[[tuple[StoreWrite, ...]], Awaitable[Exception]]


class AppendQueue:
    """Writes what waits in batches, each with one append of a game at most, in one round trip."""

    def __init__(
        self, pool: PostgresPool, process_id: str, commit_together: CommitTogether, explain_refusal: ExplainRefusal
    ) -> None:
        self.pool, self.process_id = pool, process_id
        self.commit_together, self.explain_refusal = commit_together, explain_refusal
        self.on_commit: CommitListener = lambda _: None
        self._jobs: list[AppendJob] = []
        self._task: asyncio.Task[None] | None = None

    async def append(self, append: AppendEvents) -> None:
        """Wait until an append is written, together with others that wait."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.append((future, append))
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        await future

    async def drain(self) -> None:
        """Wait until nothing waits any more."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            while self._jobs:
                batch: dict[str, AppendJob] = {}
                later: list[AppendJob] = []
                for job in self._jobs:
                    if len(batch) < MAX_BATCH and job[1].game_id not in batch:
                        batch[job[1].game_id] = job
                    else:
                        later.append(job)
                self._jobs = later
                await self._write_batch(batch)
        finally:
            self._task = None

    async def _write_batch(self, batch: dict[str, AppendJob]) -> None:
        """Write a batch in one round trip, and answer everybody in it."""
        import psycopg

        appends = [append for _, append in batch.values()]
        try:
            written = await self.pool.run(lambda connection: self._write_together(connection, appends))
        except (psycopg.IntegrityError, psycopg.DataError, ValueError):  # one of them is at fault
            await asyncio.gather(*(self._write_alone(future, append) for future, append in batch.values()))
            return
        except BaseException as error:
            for future, _ in batch.values():
                if not future.done():
                    is_ordinary = isinstance(error, Exception)
                    future.set_exception(error if is_ordinary else RuntimeError(self.pool.display_address))
            if not isinstance(error, Exception):
                raise
            return
        self.on_commit(len(written))
        lost = []
        for game, (future, append) in batch.items():
            if game not in written:
                lost.append((future, append))
            elif not future.done():
                future.set_result(None)
        await asyncio.gather(*(self._refuse(future, append) for future, append in lost))

    async def _write_together(self, connection: PgConnection, appends: list[AppendEvents]) -> set[str]:
        """Add the events of all appends that fit, and say of which games they are."""
        requested = [
            {
                "game": append.game_id,
                "was": append.after,
                "now": append.after + len(append.links),
                "at": append.at,
                "closes": int(append.closes_game),
                "command": append.command,
                "head": append.head,
            }
            for append in appends
        ]
        rows = [dict(zip(TABLES["events"], row, strict=True)) for append in appends for row in build_event_rows(append)]
        values = (json.dumps(requested), json.dumps(rows), f"{self.process_id} ")
        return {game for (game,) in await (await connection.execute(SQL["append_events"], values)).fetchall()}

    async def _write_alone(self, future: asyncio.Future[None], append: AppendEvents) -> None:
        """Write one append of a batch that could not be written as a whole."""
        try:
            await self.commit_together((append,))
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
            if not future.done():
                future.set_exception(error)
        else:
            if not future.done():
                future.set_result(None)

    async def _refuse(self, future: asyncio.Future[None], append: AppendEvents) -> None:
        """Tell the waiting caller why an append was not written."""
        try:
            error = await self.explain_refusal((append,))
        except Exception as unreachable:  # noqa: BLE001 - whoever waits must hear of it
            error = unreachable
        if not future.done():
            future.set_exception(error)
