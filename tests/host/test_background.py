"""Work that nobody waits for: what goes wrong in it is a line of the log."""

import asyncio
import gc

import pytest

from knobel.errors import DatabaseUnreachable
from knobel.host.background import BackgroundTasks
from tests.support.hosted_rooms import run_async


@run_async
async def test_a_mistake_of_ours_is_logged_with_where_it_happened(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ZeroDivisionError

    tasks = BackgroundTasks()
    tasks.spawn(fail())
    while tasks.tasks:
        await asyncio.sleep(0)
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert record.exc_info is not None
    assert record.exc_info[0] is ZeroDivisionError


@run_async
async def test_a_database_that_does_not_answer_is_a_line_of_the_log_and_no_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail() -> None:
        raise DatabaseUnreachable(value="somewhere", reason="away")

    complaints: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    tasks = BackgroundTasks()
    tasks.spawn(fail())
    while tasks.tasks:
        await asyncio.sleep(0)
    gc.collect()
    assert complaints == []
    assert [record.getMessage().split()[0] for record in caplog.records] == ["database_unreachable"]
