"""The log for programs says what happened, and never who it was, what they said or where they play."""

import asyncio
import io
import json
import logging
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from knobel.errors import DatabaseUnreachable, KnobelError, SeedsMissing
from knobel.host.background import BackgroundTasks
from knobel.web.logs import JsonFormatter, log_event, start_json_log
from knobel.web.request_meter import hide_ids
from knobel.web.wire import WIRE_VERSION
from tests.support.socket_players import SERVE_COMMAND, PlayerPool, ServerProcess
from tests.support.waiting import HANG_SECONDS, wait_until


@pytest.fixture
def log_lines(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Log as JSON lines in this process, and give what was logged."""
    root, ours = logging.getLogger(), logging.getLogger("knobel")
    handlers, levels, stream = list(root.handlers), (root.level, ours.level), io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    for name in ("uvicorn", "uvicorn.error"):  # a server that ran in this process before may have turned it off
        monkeypatch.setattr(logging.getLogger(name), "propagate", True)
    start_json_log(3)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:] = handlers
    root.setLevel(levels[0])
    ours.setLevel(levels[1])


def without_time(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in line.items() if key != "time"} for line in lines]


def test_an_event_is_a_line_with_its_fields_and_its_worker(log_lines: Any) -> None:
    log_event("worker_ended", logging.WARNING, slot=1, code=-9)
    line = {"level": "warning", "worker": 3, "event": "worker_ended", "slot": 1, "code": -9}
    assert without_time(log_lines()) == [line]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (SeedsMissing(names=("Ann",)), {"code": "seeds_missing"}),
        (DatabaseUnreachable(value="x", reason="gone"), {"code": "database_unreachable", "reason": "gone"}),
    ],
)
def test_of_an_error_only_its_code_is_logged_and_of_a_database_why(
    error: KnobelError, told: dict[str, str], log_lines: Any
) -> None:
    async def fail() -> None:
        raise error

    async def main() -> None:
        tasks = BackgroundTasks()
        tasks.spawn(fail())
        await wait_until(lambda: not tasks.tasks)

    asyncio.run(main())
    assert without_time(log_lines()) == [{"level": "warning", "worker": 3, "event": "error", **told}]


def test_what_others_log_loses_its_values_and_what_an_exception_quotes(log_lines: Any) -> None:
    try:
        raise ValueError("Ann’s secret")
    except ValueError:
        logging.getLogger("uvicorn.error").exception("trouble with %s", "Ann")
    (line,) = log_lines()
    assert (line["logger"], line["text"], line["exception"]) == ("uvicorn.error", "trouble with %s", "ValueError")
    assert "Ann" not in json.dumps(line)
    assert line["at"]


def test_ids_in_a_path_are_hidden() -> None:
    words = frozenset({"", "room", "api"})
    assert hide_ids("/room/abc", words) == "/room/*"
    assert hide_ids("/api/rooms/../x", words) == "/api/*/*/*"


def test_a_formatter_without_a_worker_names_none() -> None:
    record = logging.makeLogRecord({"msg": "x", "levelname": "INFO", "created": 0.0})
    line = json.loads(JsonFormatter().format(record))
    assert line == {
        "time": "1970-01-01T00:00:00.000+00:00", "level": "info", "event": "log", "logger": None, "text": "x"
    }  # fmt: skip


async def play_and_end(server: ServerProcess) -> list[str]:
    """Play a little, end the server, and list everything that must not be in its log."""
    pool = PlayerPool([server.port], 2, 5)
    await server.start()
    try:
        pool.start()
        await wait_until(lambda: pool.acknowledged_count > 30)
        secrets = [secret for player in pool.players for secret in (player.token, player.device_id, player.name)]
        secrets += [seed.hex() for player in pool.players for seed in player.seeds.values()]
        secrets += [group.room or "" for group in pool.groups]
        secrets += [str(player.position["game"]) for player in pool.players if player.position]
        assert server.process is not None
        server.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(server.process.wait, HANG_SECONDS)
    finally:
        await pool.stop()
        server.kill()
    return secrets


@pytest.mark.process
def test_a_played_game_leaves_no_name_key_seed_or_id_in_the_log(tmp_path: Path) -> None:
    server = ServerProcess(f"sqlite:///{tmp_path / 'games.db'}", (*SERVE_COMMAND, "--log-json"))
    with (tmp_path / "log").open("wb") as server.stderr:
        secrets = asyncio.run(play_and_end(server))
    lines = (tmp_path / "log").read_text().splitlines()
    events = [json.loads(line) for line in lines]
    asked = {(one["event"], one["method"], one["path"], one["status"]) for one in events if "path" in one}
    assert ("request", "POST", "/api/rooms", 200) in asked
    assert ("socket", None, f"/ws/{WIRE_VERSION}/*", 1012) in asked
    assert len(secrets) > 12
    assert [secret for secret in secrets if secret and secret in "\n".join(lines)] == []
