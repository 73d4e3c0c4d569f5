"""House rules by upload: limits before anything is parsed, books worked out in a child while the tables go on."""

import asyncio
import contextlib
import gc
import json
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import expect

from knobel.bots.levels import KNOWN_CARE
from knobel.coach.sheet import OPEN_COACHES, open_coach
from knobel.errors import (
    GameTooLargeToServe,
    KnobelError,
    SolveError,
    SolveFailed,
    SolveMemoryExceeded,
    SolveQueueFull,
    SolveTimeout,
    StillSolving,
)
from knobel.host import Host, solve_queue, waiting_rooms
from knobel.host.session import SessionUpdate, SolveProgress
from knobel.host.solver_process import SolverProcess
from knobel.lang import Translator
from knobel.record.events import Acted
from knobel.rooms.documents import fingerprint_house_rules
from knobel.rooms.intents import Advance, BeginGame, ChangeSettings, LeaveSeat, Sit, SitBot, StopGame, Undo
from knobel.rooms.room import build_settings, open_edition
from knobel.rules import load_edition
from knobel.rules.sheet_rules import SheetRules
from knobel.rules.toml_file import MAX_BYTES, MAX_DEPTH, MAX_DOTS, MAX_LINES
from knobel.solve_worker import COMMAND, is_ready, load_cached
from knobel.solver import book_cache
from knobel.solver.request import BOOK, EXPECTED_SCORES, LEVEL, SolveRequest, decode_request
from knobel.solver.solve import check_size
from knobel.web.rate_limits import FILES_PER_DEVICE, RateLimits
from tests.support.browser import QUICK_PROGRESS, Screen, Server, launch_browser, open_screen
from tests.support.devices import Device, RunningServer, run_server
from tests.support.hosted_rooms import ANN, BEN, HostedRoom, open_host, run_async
from tests.support.house_rules import EXAMPLES, MINIMAL_RULES, to_toml, with_changes
from tests.support.selection import rest
from tests.support.waiting import HANG_SECONDS, wait_until

KNIFFEL, FOUR, TWO, POKER, MAXI = (
    ChangeSettings(name, house_rules=(EXAMPLES / f"{name}.toml").read_text(encoding="utf-8"), pace=10.0)
    for name in ("kniffel", "four-rolls", "two-dice", "poker-dice", "maxi-yatzy")
)
PERFECT = SitBot("perfect", "Pia")
PATIENT = 2 * HANG_SECONDS * 1000
"""Milliseconds for something that is worked out at low priority on a busy machine."""


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test an empty cache folder, and open no book yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    OPEN_COACHES.clear()
    KNOWN_CARE.clear()
    return book_cache.books_dir()


# What is brought to the door.


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that is open to the network, and takes rules from it because it was told to."""
    with run_server(tmp_path_factory.mktemp("house"), "--lan", "--house-rules") as place:
        yield place


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[RunningServer]:
    """A server that is open to the network, and takes no rules from it."""
    with run_server(tmp_path, "--lan") as place:
        yield place


def upload_file(
    place: RunningServer, content: bytes, name: str = "mine.toml", **headers: str
) -> tuple[int, dict[str, Any]]:
    """Upload a file to a server, from one of its own pages."""
    origin = f"http://localhost:{place.port}"
    answer = place.request(f"/api/house-rules?lang=en&name={name}", "POST", content, origin=origin, **headers)
    return answer.status, json.loads(answer.body)


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b"#" * (MAX_BYTES + 1), "file_too_large", ("mine.toml", f"{MAX_BYTES}")),
        (b"#\n" * (MAX_LINES + 1), "file_lines", ("mine.toml", f"{MAX_LINES + 1}", f"{MAX_LINES}")),
        (b"#\n" + b"a." * (MAX_DOTS + 1) + b"a = 1", "file_dots", ("mine.toml", "line 2", f"{MAX_DOTS}")),
        (
            b"a = " + b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1),
            "file_depth",
            ("mine.toml", "line 1", f"{MAX_DEPTH}"),
        ),
        (b'title = "A"\ndice = = 3\n', "file_toml", ("mine.toml", "line 2")),
        (b"\xff", "file_encoding", ("mine.toml", "UTF-8")),
        (
            to_toml(with_changes(MINIMAL_RULES, {"dice": 9})).encode(),
            "key_range",
            ("mine.toml", "dice", "1 to 8", "not 9"),
        ),
        (to_toml(with_changes(MINIMAL_RULES, {"boxs": 9})).encode(), "key_unknown", ("mine.toml", "boxs")),
    ],
    ids=["bytes", "lines", "dots", "depth", "TOML", "encoding", "range", "key"],
)
def test_a_wrong_file_is_refused_in_one_line_that_names_file_place_and_limit(
    content: bytes, code: str, said: tuple[str, ...], server: RunningServer
) -> None:
    status, answer = upload_file(server, content)
    assert (status, answer["code"]) == (400, code)
    assert answer["text"].startswith("mine.toml")
    assert answer["text"].isprintable()
    assert all(part in answer["text"] for part in said), answer["text"]


def posting(place: RunningServer, **headers: str) -> HTTPConnection:
    """Begin to upload a file."""
    link = HTTPConnection("127.0.0.1", place.port, timeout=HANG_SECONDS)
    link.putrequest("POST", "/api/house-rules?lang=en", skip_host=True)
    for name, value in {
        "host": f"localhost:{place.port}",
        "origin": f"http://localhost:{place.port}",
        **headers,
    }.items():
        link.putheader(name, value)
    link.endheaders()
    return link


def test_a_file_that_says_it_is_too_large_is_refused_before_it_is_sent(server: RunningServer) -> None:
    with contextlib.closing(posting(server, **{"content-length": str(10**9)})) as link:
        assert json.loads(link.getresponse().read())["code"] == "file_too_large"


def test_a_file_that_does_not_say_how_large_it_is_is_read_up_to_the_limit(server: RunningServer) -> None:
    with contextlib.closing(posting(server, **{"transfer-encoding": "chunked"})) as link:
        piece = b"#" * 8192
        for _ in range(MAX_BYTES // len(piece) + 1):
            link.send(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        assert json.loads(link.getresponse().read())["code"] == "file_too_large"


def test_a_card_says_what_differs_from_the_box_it_builds_on(server: RunningServer) -> None:
    status, card = upload_file(server, (KNIFFEL.house_rules or "").encode(), "kniffel.toml")
    assert (status, card["title"], card["base"]) == (200, "Kniffel", "Yahtzee")
    assert card["par"] is None or card["par"] == pytest.approx(250.001752)  # another test may have solved it
    extra = next(row for row in card["differences"] if row["topic"] == "Kniffel bonus")
    assert "100 extra points" in extra["printed"]
    assert "50 extra points" in extra["here"]
    assert len(card["differences"]) == 3
    assert upload_file(server, (TWO.house_rules or "").encode())[1]["differences"] == []


def test_a_card_notes_which_key_of_the_file_has_a_new_name(server: RunningServer) -> None:
    old = to_toml({("throws" if key == "rolls" else key): value for key, value in MINIMAL_RULES.items()}).encode()
    assert upload_file(server, old)[1]["notes"] == ["mine.toml: throws is now called rolls; the old name still works."]
    assert upload_file(server, to_toml(MINIMAL_RULES).encode())[1]["notes"] == []


def test_a_file_named_like_a_printed_edition_is_none(server: RunningServer) -> None:
    content = (KNIFFEL.house_rules or "").replace('series = "agreed"', 'order = "top_down"').encode()
    card = upload_file(server, content, "mb-yahtzee.toml")[1]
    order = [one["default"] for one in card["switches"]["fr"] if one["name"] == "order"]
    assert order == ["top_down"]


def test_nobody_brings_files_without_end(server: RunningServer) -> None:
    cookie = f"knobel={secrets.token_hex(32)}"
    answers = [upload_file(server, b"dice = ", cookie=cookie) for _ in range(FILES_PER_DEVICE + 1)]
    assert {answer["code"] for _, answer in answers[:FILES_PER_DEVICE]} == {"file_toml"}
    assert answers[FILES_PER_DEVICE][1]["code"] == "files_too_many"
    assert f"{FILES_PER_DEVICE}" in answers[FILES_PER_DEVICE][1]["text"]
    assert upload_file(server, b"dice = ", cookie=f"knobel={secrets.token_hex(32)}")[1]["code"] == "file_toml"


def test_after_a_while_files_are_taken_again() -> None:
    now = [0.0]
    door = RateLimits(lambda: now[0])
    for _ in range(FILES_PER_DEVICE):
        door.count_file("ann", "here")
    with pytest.raises(KnobelError):
        door.count_file("ann", "here")
    now[0] = 600.0
    door.count_file("ann", "here")


@pytest.mark.process
@run_async
async def test_a_server_open_to_the_network_takes_no_rules_unless_asked_to(lan: RunningServer) -> None:
    assert json.loads(lan.request("/api/hello").body)["house_rules"] is False
    status, answer = upload_file(lan, (TWO.house_rules or "").encode())
    assert (status, answer["code"]) == (403, "house_rules_closed")
    settings = {"edition": "two-dice", "house_rules": fingerprint_house_rules(TWO.house_rules or "")}
    async with Device(lan.port).session() as device:
        refused = await device.post("/api/rooms", {"id": "1", "settings": settings})
        assert (refused.status, json.loads(refused.body)["code"]) == (400, "house_rules_unknown")
        await device.open_room("Ann")
        assert (await device.send_intent({"want": "settle", **settings}))["code"] == "house_rules_unknown"
        text = {"edition": "two-dice", "house_rules": TWO.house_rules}
        assert (await device.send_intent({"want": "settle", **text}))["code"] == "house_rules_unknown"
        assert device.room["house_rules"] is None


@run_async
async def test_whoever_knows_the_room_reads_the_rules_it_plays_by(server: RunningServer) -> None:
    async with Device(server.port).session() as device:
        room = await device.open_room(
            "Ann", edition="kniffel", house_rules=await device.upload_house_rules(KNIFFEL.house_rules or "")
        )
    answer = server.request(f"/api/rules?room={room}&lang=en")
    found = json.loads(answer.body)
    assert (answer.status, found["title"]) == (200, "Kniffel")
    assert any("50 extra points" in rule["rule"] for chapter in found["chapters"] for rule in chapter["rules"])
    assert server.request("/api/rules?room=nowhere").status == 404
    averages = {one["bot"]: one["average"] for one in json.loads(server.request(f"/api/bots?room={room}").body)}
    assert averages["greedy"] is None
    printed = json.loads(server.request("/api/bots?edition=mb-yahtzee&lang=de").body)
    assert (printed[0]["about"], printed[0]["average"] > 0) == ("wild, fröhlich, ahnungslos", True)


@pytest.mark.process
def test_serving_needs_no_compiler() -> None:
    script = "import sys, knobel.web.serve; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


# The study.


class Watched:
    """A room somebody looks at: everything that is said about its book."""

    def __init__(self, host: Host, hosted: HostedRoom) -> None:
        self.host = host
        self.hosted = hosted
        self.said: list[SolveProgress] = []
        self.news = asyncio.Event()

    def hear(self, news: SessionUpdate) -> None:
        """Note what is said."""
        if news.progress:
            self.said.append(news.progress)
        self.news.set()

    async def until_done(self) -> SolveProgress:
        """Wait until nothing is worked out any more."""
        while not self.said or self.said[-1].fraction is not None:
            self.news.clear()
            await self.news.wait()
        return self.said[-1]

    async def until_working(self) -> None:
        """Wait until a child works for this room."""
        while not self.said or self.said[-1].fraction is None or self.said[-1].is_queued:
            self.news.clear()
            await self.news.wait()


@asynccontextmanager
async def open_watched_room(host: Host, settle: ChangeSettings, *seating: Sit | SitBot) -> AsyncIterator[Watched]:
    """Open a room and look at it; Ann is its host."""
    room = Watched(host, await HostedRoom.open(host, settle))
    room_session = await host.watch(room.hosted.id, room.hear)
    for taken in seating:
        await room.hosted.execute(taken)
    yield room
    host.unwatch(room_session, room.hear)


def rules_in(settle: ChangeSettings) -> SheetRules:
    """Give the rules of an agreement."""
    rules: SheetRules = open_edition(settle.edition, settle.house_rules).rules()
    return rules


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note every child the study has."""
    pids: list[int] = []
    real = asyncio.create_subprocess_exec

    async def noted(*words: Any, **how: Any) -> asyncio.subprocess.Process:
        child = await real(*words, **how)
        pids.append(child.pid)
        return child

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    return pids


def is_gone(pid: int) -> bool:
    """Tell whether nothing is left of a child, nor of its group."""
    for ask in (os.kill, os.killpg):
        with contextlib.suppress(ProcessLookupError):
            ask(pid, 0)
            return False
    return True


@pytest.mark.process
@run_async
async def test_a_book_is_worked_out_before_the_game_and_everybody_sees_how_far_it_is(
    tmp_path: Path, children: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve_queue, "PROGRESS_SECONDS", 0.0)
    async with (
        open_host(tmp_path, paced=True, undo_seconds=0.0) as host,
        open_watched_room(host, POKER, Sit("Ann")) as room,
    ):
        assert room.said == []
        await room.hosted.execute(PERFECT)
        assert (await room.until_done()).error is None
        done = [one.fraction for one in room.said[:-1]]
        assert done == sorted(one for one in done if one is not None)
        assert done[0] == 0.0
        assert len(done) > len(rules_in(POKER).boxes)
        assert load_cached(SolveRequest(rules_in(POKER)))
        await room.hosted.begin_game()
        table = await room.hosted.play(most=16)
        assert any(isinstance(step.event, Acted) and step.event.seat == 1 for step in table.replay.steps)
        assert len(children) == 1
        assert is_gone(children[0])


@run_async
async def test_a_book_that_is_in_the_cache_folder_is_only_opened(tmp_path: Path, children: list[int]) -> None:
    book_cache.build_book(rules_in(POKER))
    async with open_host(tmp_path, paced=True) as host, open_watched_room(host, POKER, Sit("Ann"), PERFECT) as room:
        assert (await room.until_done()).error is None
        assert children == []
        assert host.solve_queue.jobs == {}


@pytest.mark.rest
@pytest.mark.process
@run_async
async def test_rules_settled_around_a_bot_are_worked_out_and_those_before_no_longer(
    tmp_path: Path, children: list[int]
) -> None:
    async with open_host(tmp_path, paced=True) as host, open_watched_room(host, FOUR, PERFECT) as room:
        await wait_until(lambda: bool(children))
        await room.hosted.execute(POKER)
        assert (await room.until_done()).error is None
        assert load_cached(SolveRequest(rules_in(POKER)))
        assert not load_cached(SolveRequest(rules_in(FOUR)))
        assert len(children) == 2
        assert all(map(is_gone, children))


@pytest.mark.rest
@run_async
async def test_a_level_is_found_in_the_child_too(tmp_path: Path) -> None:
    async with open_host(tmp_path, paced=True) as host, open_watched_room(host, TWO, SitBot("human:3", "Hugo")) as room:
        assert (await room.until_done()).error is None
        assert (rules_in(TWO).fingerprint, 3) in KNOWN_CARE


@run_async
async def test_the_table_goes_on_while_the_book_of_a_bot_is_worked_out(tmp_path: Path) -> None:
    async with open_host(tmp_path, paced=True) as host, open_watched_room(host, FOUR, Sit("Ann"), PERFECT) as room:
        await room.until_working()
        hosted = room.hosted
        table = await hosted.begin_game()
        await hosted.act(0, ".....")
        await hosted.act(0, "chance")
        ply = table.replay.ply
        refused = await hosted.assert_refused(StillSolving, Advance(ply))
        assert Translator("en").describe_error(refused).startswith("The bot can play as soon as")
        await hosted.execute(Undo(0, ply))
        await hosted.act(0, "chance")
        assert host.waiting_rooms.progress_of(hosted.id).fraction is not None
        await hosted.execute(StopGame())
        assert not (await hosted.room()).running
        assert host.waiting_rooms.progress_of(hosted.id).fraction is not None
        assert (await hosted.session()).lock.locked() is False


@pytest.mark.process
@run_async
async def test_a_bot_moves_by_itself_as_soon_as_its_book_is_there(tmp_path: Path) -> None:
    quick = ChangeSettings(TWO.edition, house_rules=TWO.house_rules, pace=0.0)
    async with (
        open_host(tmp_path, paced=True, undo_seconds=0.0) as host,
        open_watched_room(host, quick, Sit("Ann"), PERFECT) as room,
    ):
        await room.hosted.execute(BeginGame(anyway=True))
        assert host.solve_queue.jobs
        await room.hosted.act(0, "..")
        await room.hosted.act(0, "twins")
        table = await room.hosted.table()
        while len([step for step in table.replay.steps if isinstance(step.event, Acted) and step.event.seat == 1]) < 2:
            room.news.clear()
            await room.news.wait()
        assert host.solve_queue.jobs == {}


@pytest.mark.rest
@pytest.mark.process
@run_async
async def test_one_game_is_worked_out_at_a_time_and_the_next_one_waits(tmp_path: Path, children: list[int]) -> None:
    async with (
        open_host(tmp_path, paced=True) as host,
        open_watched_room(host, TWO, PERFECT) as first,
        open_watched_room(host, POKER, PERFECT) as second,
    ):
        await first.until_working()
        while not second.said[-1].is_queued:
            second.news.clear()
            await second.news.wait()
        assert len(children) <= 1
        assert (await first.until_done()).error is None
        assert (await second.until_done()).error is None
        assert len(children) == 2


@pytest.mark.rest
@pytest.mark.process
@run_async
async def test_rooms_with_the_same_rules_share_the_work(tmp_path: Path, children: list[int]) -> None:
    async with open_host(tmp_path, paced=True) as host, open_watched_room(host, POKER, PERFECT) as first:
        other = ChangeSettings(POKER.edition, house_rules=POKER.house_rules, games=2)
        async with open_watched_room(host, other, PERFECT) as second:
            assert (await first.until_done()).error is None
            assert (await second.until_done()).error is None
    assert len(children) == 1


@run_async
async def test_too_many_games_in_the_queue_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_queue, "MAX_QUEUED", 1)
    async with (
        open_host(tmp_path, paced=True) as host,
        open_watched_room(host, FOUR, PERFECT),
        open_watched_room(host, POKER, PERFECT) as second,
    ):
        assert isinstance((await second.until_done()).error, SolveQueueFull)


@pytest.mark.process
@run_async
async def test_what_takes_too_long_is_killed_and_leaves_nothing_behind(
    tmp_path: Path, children: list[int], cache_folder: Path
) -> None:
    async with open_host(tmp_path, paced=True) as host, open_watched_room(host, TWO, Sit("Ann")) as room:
        host.solve_queue.max_seconds = 0.2
        cache_folder.mkdir(parents=True)
        (cache_folder / ".half.book.1").write_bytes(b"half")
        await room.hosted.execute(PERFECT)
        error = (await room.until_done()).error
        assert isinstance(error, SolveTimeout)
        assert Translator("en").describe_error(error) == (
            "Solving these rules took longer than 0.2 s. Choose another bot or simpler rules."
        )
        assert len(children) == 1
        assert is_gone(children[0])
        assert list(cache_folder.glob(".*")) == list(cache_folder.glob("*.book")) == []
        await room.hosted.assert_refused(SolveTimeout, BeginGame(anyway=True))
        host.solve_queue.max_seconds = HANG_SECONDS
        await room.hosted.execute(LeaveSeat(1))
        assert room.said[-1] == SolveProgress(None)
        await room.hosted.execute(PERFECT)
        assert (await room.until_done()).error is None
        await room.hosted.execute(BeginGame(anyway=True))


Attempt: TypeAlias = Callable[[SolverProcess, float], Awaitable[None]]


def replace_worker(monkeypatch: pytest.MonkeyPatch, *attempts: Attempt) -> list[SolveRequest]:
    """Let the first runs of the worker end as given, all others as they do; note what was requested."""
    requests: list[SolveRequest] = []
    real = SolverProcess.run

    async def run(self: SolverProcess, max_seconds: float) -> None:
        requests.append(self.request)
        await [*attempts, real][min(len(requests) - 1, len(attempts))](self, max_seconds)

    monkeypatch.setattr(SolverProcess, "run", run)
    return requests


async def crash(_: SolverProcess, __: float) -> None:
    raise SolveFailed


async def time_out(_: SolverProcess, __: float) -> None:
    raise SolveTimeout(limit="1")


@pytest.mark.rest
@pytest.mark.process
@pytest.mark.parametrize("failure", [crash, time_out])
@run_async
async def test_a_preparation_that_failed_once_succeeds_at_the_second_request(
    failure: Attempt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = replace_worker(monkeypatch, failure)
    async with open_host(tmp_path) as host:
        request = SolveRequest(rules_in(TWO), EXPECTED_SCORES)
        with pytest.raises(SolveError):
            await host.solve_queue.wait_for(request)
        assert host.solve_queue.jobs == {}
        await host.solve_queue.wait_for(request)
        assert is_ready(request)
        await host.solve_queue.wait_for(request)
    assert requests == [request, request]


@pytest.mark.rest
@pytest.mark.process
@run_async
async def test_a_room_that_comes_later_has_a_failed_solve_tried_again_for_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_worker(monkeypatch, crash)
    async with open_host(tmp_path, paced=True) as host, open_watched_room(host, TWO, Sit("Ann"), PERFECT) as first:
        assert isinstance((await first.until_done()).error, SolveFailed)
        await first.hosted.execute(Sit("Ben"))
        assert isinstance(first.said[-1].error, SolveFailed)
        first.news.clear()
        other = ChangeSettings(TWO.edition, house_rules=TWO.house_rules, games=2)
        async with open_watched_room(host, other, PERFECT) as second:
            assert (await second.until_done()).error is None
            assert first.said[-1] == SolveProgress(None)
        assert host.solve_queue.jobs == {}
        assert host.waiting_rooms.rooms == {}


@run_async
async def test_what_nobody_waits_for_goes_on_and_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = asyncio.Event()

    async def wait(_: SolverProcess, __: float) -> None:
        await free.wait()
        raise SolveTimeout(limit="1")

    many = 2 * solve_queue.MAX_PAUSED
    replace_worker(monkeypatch, *[wait] * many)
    async with open_host(tmp_path) as host:
        queue = host.solve_queue
        requests = [SolveRequest(rules_in(TWO), LEVEL, level) for level in range(1, many)]
        for request in requests[: 3 * solve_queue.MAX_QUEUED]:
            await queue.wait_briefly(request, 0.0)
            assert queue.join(request, "a room").progress.error is None or len(queue.jobs) > solve_queue.MAX_QUEUED
            queue.leave(queue.jobs[request.key], "a room")
            assert len(queue.jobs) <= solve_queue.MAX_QUEUED
        free.set()
        for request in requests:
            await queue.wait_briefly(request, 60.0)
        assert queue.jobs == {}
        assert len(queue.paused_until) == solve_queue.MAX_PAUSED
        await queue.wait_briefly(requests[-1], 60.0)
        assert not is_ready(requests[-1])
        monkeypatch.setattr(solve_queue, "PAUSE_SECONDS", 0.0)
        queue.pause(requests[-1])
        free.clear()
        await queue.wait_briefly(requests[-1], 0.0)
        assert list(queue.jobs) == [requests[-1].key]


@run_async
async def test_a_closing_server_takes_its_child_along(tmp_path: Path, children: list[int]) -> None:
    async with open_host(tmp_path, paced=True) as host, open_watched_room(host, FOUR, PERFECT) as room:
        await room.until_working()
        await wait_until(lambda: bool(children))
        assert not is_gone(children[0])
    assert is_gone(children[0])


@run_async
async def test_nothing_is_worked_out_for_a_room_that_everybody_left(
    tmp_path: Path, children: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting_rooms, "LINGER_SECONDS", 0.1)
    async with open_host(tmp_path, paced=True) as host:
        async with open_watched_room(host, FOUR, PERFECT) as room:
            await room.until_working()
        await wait_until(lambda: not host.solve_queue.jobs)
        await wait_until(lambda: all(map(is_gone, children)))


def worker(request: SolveRequest) -> subprocess.Popen[bytes]:
    """Start a worker as the queue does."""
    command = [*COMMAND, str(4 * 1024**3)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    process.stdin.write(request.encode())
    process.stdin.flush()
    return process


def test_a_worker_ends_by_itself_when_its_parent_is_killed(cache_folder: Path) -> None:
    with worker(SolveRequest(rules_in(FOUR))) as orphan:
        assert orphan.stdin is not None
        orphan.stdin.close()
        assert orphan.wait(HANG_SECONDS) == 1
    assert not list(cache_folder.glob("*.book"))


@pytest.mark.solve
@pytest.mark.parametrize(
    ("what", "level", "files"),
    [
        (BOOK, 0, {".book"}),
        rest(EXPECTED_SCORES, 0, {".book", ".prospects", ".random"}),
        rest(LEVEL, 3, {".book", ".human"}),
    ],
)
def test_one_worker_command_solves_whatever_can_be_requested(
    what: str, level: int, files: set[str], cache_folder: Path
) -> None:
    request = SolveRequest(rules_in(TWO), what, level)
    assert decode_request(request.encode().decode()) == request
    with worker(request) as process:
        assert process.wait(HANG_SECONDS) == 0
    assert {path.suffix for path in cache_folder.glob(f"{request.rules.fingerprint}.*")} == {".lock"} | files
    assert not is_ready(request)
    assert load_cached(request)
    assert is_ready(request)


@pytest.mark.process
@run_async
async def test_a_child_gets_only_so_much_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_queue, "estimate_memory", lambda *_: 256 * 1024**2)
    async with open_host(tmp_path, paced=True) as host, open_watched_room(host, KNIFFEL, PERFECT) as room:
        assert isinstance((await room.until_done()).error, SolveMemoryExceeded | SolveFailed)


@run_async
async def test_what_would_take_too_long_is_refused_with_its_cost_before_it_begins(
    tmp_path: Path, children: list[int]
) -> None:
    async with open_host(tmp_path, paced=True) as host, open_watched_room(host, MAXI, Sit("Ann"), PERFECT) as room:
        await room.hosted.assert_refused(GameTooLargeToServe, BeginGame(anyway=True))
        error = (await room.until_done()).error
        assert isinstance(error, GameTooLargeToServe)
        said = Translator("en").describe_error(error)
        assert all(part in said for part in ("89128960 positions", "60 s", "1024 MB", "Choose another bot")), said
        assert children == []
        await room.hosted.execute(LeaveSeat(1))
        await room.hosted.execute(BeginGame(anyway=True))


def test_the_command_line_may_take_its_time() -> None:
    assert check_size(rules_in(MAXI)).seconds > solve_queue.MAX_SECONDS


@run_async
async def test_while_rules_are_read_others_are_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, free = threading.Event(), threading.Event()

    def slow(wanted: ChangeSettings) -> object:
        reading.set()
        assert free.wait(HANG_SECONDS)
        return build_settings(wanted)

    monkeypatch.setattr("knobel.host.house_rules_reader.build_settings", slow)
    async with open_host(tmp_path) as host:
        hosted = HostedRoom(host, (await host.open_room(ANN, "1", ChangeSettings("mb-yahtzee"))).id)
        opening = asyncio.create_task(host.open_room(BEN, "1", TWO))
        settling = asyncio.create_task(hosted.execute(TWO))
        await wait_until(reading.is_set)
        await hosted.execute(Sit("Ann"))
        assert [taken.name for taken in (await hosted.room()).seats] == ["Ann"]
        assert not opening.done()
        assert not settling.done()
        free.set()
        assert (await opening).settings.house_rules == TWO.house_rules
        await settling
        assert (await hosted.room()).settings.house_rules == TWO.house_rules


# The cache folder.


@pytest.mark.solve
def test_the_book_opened_longest_ago_goes_first_but_none_that_is_open(cache_folder: Path) -> None:
    sheets = [rules_in(TWO), rules_in(POKER), load_edition("carlit-yatzy").rules(None, {"order": "top_down"})]
    for age, rules in enumerate(sheets):
        book_cache.build_book(rules)
        os.utime(cache_folder / f"{rules.fingerprint}.book", (age, age))
    oldest, middle, newest = (rules.fingerprint for rules in sheets)
    book_cache.write_note(sheets[1], "human", {"warmth": {}})
    held = open_coach(sheets[0])
    os.utime(cache_folder / f"{oldest}.book", (0, 0))
    assert book_cache.evict_old_books(limit_bytes=0, keep_fingerprint=newest) == (middle,)
    assert not list(cache_folder.glob(f"{middle}.*"))
    assert {path.stem for path in cache_folder.glob("*.book")} == {oldest, newest}
    assert held.book.par > 0
    OPEN_COACHES.clear()
    del held
    gc.collect()
    assert book_cache.evict_old_books(limit_bytes=book_cache.CACHE_LIMIT_BYTES) == ()
    assert set(book_cache.evict_old_books(limit_bytes=0)) == {oldest, newest}


def test_opening_a_book_makes_it_the_newest(cache_folder: Path) -> None:
    for rules in (rules_in(TWO), rules_in(POKER)):
        book_cache.build_book(rules)
        os.utime(cache_folder / f"{rules.fingerprint}.book", (1, 1))
    assert book_cache.read_values(rules_in(TWO), None) is not None
    size = (cache_folder / f"{rules_in(TWO).fingerprint}.book").stat().st_size
    assert book_cache.evict_old_books(limit_bytes=size) == (rules_in(POKER).fingerprint,)


def test_after_each_write_the_cache_folder_is_tidied_and_the_new_book_stays(
    cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book_cache, "CACHE_LIMIT_BYTES", 10)
    for rules in (rules_in(TWO), rules_in(POKER)):
        book_cache.build_book(rules)
        assert [path.stem for path in cache_folder.glob("*.book")] == [rules.fingerprint]


@pytest.mark.process
@run_async
async def test_the_server_tidies_the_cache_folder(tmp_path: Path, cache_folder: Path) -> None:
    cache_folder.mkdir(parents=True)
    (cache_folder / ".half.book.1").write_bytes(b"half")
    async with open_host(tmp_path) as host:
        await host.solve_queue.tidy_books()
    assert not (cache_folder / ".half.book.1").exists()


# In the browser.

NOTE_PROGRESS = """() => {
  const root = document.documentElement, line = document.querySelector("knobel-lobby [role=progressbar]");
  new MutationObserver(() => {
    const shown = line.getClientRects().length > 0;
    if (shown) root.dataset.seen = `${root.dataset.seen ?? ""}|${line.getAttribute("aria-valuetext")}`;
    else if (root.dataset.seen) root.dataset.solved = "";
  }).observe(line.parentElement, { attributes: true, subtree: true });
}"""
"""Notes what the line says while it is to be seen, however short that is."""


def choose_file(screen: Screen, file: Path) -> None:
    """Choose a file as somebody does."""
    with screen.page.expect_file_chooser() as chooser:
        screen.press("label.file")
    chooser.value.set_files(file)


@pytest.mark.browser
@pytest.mark.rest
def test_rules_are_brought_worked_out_and_played_in_the_browser(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('title = "Wrong"\nextends = "mb-yahtzee"\ndice = = 3\n', encoding="utf-8")
    with Server(tmp_path, changes=QUICK_PROGRESS) as server, launch_browser() as browser:
        screen = open_screen(browser, "phone")
        screen.expected_problems = ("status of 400",)
        choose_file(screen.open_home(server.url), wrong)
        expect(screen.find("[data-wrong]")).to_contain_text("wrong.toml: not valid TOML")
        expect(screen.find("[data-wrong]")).to_contain_text("line 3")
        screen.upload_house_rules(EXAMPLES / "kniffel.toml")
        expect(screen.find("[data-wrong]")).to_be_hidden()
        screen.press("[data-differs] summary")
        expect(screen.find("[data-differs]")).to_contain_text("Every further 5 of a kind earns 50 extra points")
        screen.open_room("Ada")
        screen.page.evaluate(NOTE_PROGRESS)
        screen.add_bot("perfect")
        screen.press("knobel-lobby [data-act=rules]")
        expect(screen.find("dialog.rules")).to_contain_text("Kniffel")
        expect(screen.find("dialog.rules .chapters li").first).to_be_visible()
        screen.page.keyboard.press("Escape")
        screen.page.locator("html[data-solved]").wait_for(timeout=PATIENT)
        expect(screen.find("knobel-lobby .solving")).to_be_hidden()
        seen = [words for words in str(screen.find("html").get_attribute("data-seen")).split("|") if words]
        percent = [int(words.removeprefix("Solving these rules: ").removesuffix("%")) for words in seen]
        assert percent == sorted(percent)
        assert len(percent) > 1
        screen.press("[data-act=start]")
        screen.wait_for("knobel-table .tray")
        screen.skip_guide().play_turn()
        expect(screen.find("knobel-table .solving")).to_be_hidden()
        expect(screen.find("knobel-table")).to_contain_text("Perfect scores")
        screen.check_problems()
