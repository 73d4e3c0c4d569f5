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

from knobel.bots.levels import TEMPERATURES
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
from tests.browser import Screen, Server, launched, screen_of
from tests.guests import Guest, Place, opened
from tests.house import EXAMPLES, SMALL, changed, toml
from tests.parties import ANN, BEN, Party, awaited, hosted

KNIFFEL, FOUR, TWO, POKER, MAXI = (
    ChangeSettings(name, house=(EXAMPLES / f"{name}.toml").read_text(encoding="utf-8"), pace=10.0)
    for name in ("kniffel", "four-rolls", "two-dice", "poker-dice", "maxi-yatzy")
)
PERFECT = SitBot("perfect", "Pia")
PATIENT = 60_000
"""Milliseconds for something that is worked out at low priority on a busy machine."""


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test an empty shelf, and open no book yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    OPEN_COACHES.clear()
    TEMPERATURES.clear()
    return book_cache.books_dir()


# What is brought to the door.


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A house that is open to the network, and takes rules from it because it was told to."""
    with opened(tmp_path_factory.mktemp("house"), "--lan", "--house-rules") as place:
        yield place


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[Place]:
    """A house that is open to the network, and takes no rules from it."""
    with opened(tmp_path, "--lan") as place:
        yield place


def brought(place: Place, content: bytes, name: str = "mine.toml", **headers: str) -> tuple[int, dict[str, Any]]:
    """Bring a file to a house, from one of its own pages."""
    origin = f"http://localhost:{place.port}"
    answer = place.ask(f"/api/house-rules?lang=en&name={name}", "POST", content, origin=origin, **headers)
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
        (toml(changed(SMALL, {"dice": 9})).encode(), "key_range", ("mine.toml", "dice", "from 1 to 8", "not 9")),
        (toml(changed(SMALL, {"boxs": 9})).encode(), "key_unknown", ("mine.toml", "boxs")),
    ],
    ids=["bytes", "lines", "dots", "depth", "TOML", "encoding", "range", "key"],
)
def test_a_wrong_file_is_refused_in_one_line_that_names_file_place_and_limit(
    content: bytes, code: str, said: tuple[str, ...], house: Place
) -> None:
    status, answer = brought(house, content)
    assert (status, answer["code"]) == (400, code)
    assert answer["text"].startswith("mine.toml")
    assert answer["text"].isprintable()
    assert all(part in answer["text"] for part in said), answer["text"]


def posting(place: Place, **headers: str) -> HTTPConnection:
    """Begin to bring a file."""
    link = HTTPConnection("127.0.0.1", place.port, timeout=10)
    link.putrequest("POST", "/api/house-rules?lang=en", skip_host=True)
    for name, value in {
        "host": f"localhost:{place.port}",
        "origin": f"http://localhost:{place.port}",
        **headers,
    }.items():
        link.putheader(name, value)
    link.endheaders()
    return link


def test_a_file_that_says_it_is_too_large_is_refused_before_it_is_sent(house: Place) -> None:
    with contextlib.closing(posting(house, **{"content-length": str(10**9)})) as link:
        assert json.loads(link.getresponse().read())["code"] == "file_too_large"


def test_a_file_that_does_not_say_how_large_it_is_is_read_up_to_the_limit(house: Place) -> None:
    with contextlib.closing(posting(house, **{"transfer-encoding": "chunked"})) as link:
        piece = b"#" * 8192
        for _ in range(MAX_BYTES // len(piece) + 1):
            link.send(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        assert json.loads(link.getresponse().read())["code"] == "file_too_large"


def test_a_card_says_what_differs_from_the_box_it_builds_on(house: Place) -> None:
    status, card = brought(house, (KNIFFEL.house or "").encode(), "kniffel.toml")
    assert (status, card["title"], card["base"]) == (200, "Kniffel", "Yahtzee")
    assert card["par"] is None or card["par"] == pytest.approx(250.001752)  # another test may have solved it
    extra = next(row for row in card["differences"] if row["topic"] == "Extra Yatzys")
    assert "100 points" in extra["printed"]
    assert "50 points" in extra["here"]
    assert len(card["differences"]) == 3
    assert brought(house, (TWO.house or "").encode())[1]["differences"] == []


def test_a_card_notes_which_key_of_the_file_has_a_new_name(house: Place) -> None:
    old = toml({("throws" if key == "rolls" else key): value for key, value in SMALL.items()}).encode()
    assert brought(house, old)[1]["notes"] == ["mine.toml: throws is now called rolls; the old name is still read."]
    assert brought(house, toml(SMALL).encode())[1]["notes"] == []


def test_a_file_called_like_a_printed_box_is_none(house: Place) -> None:
    content = (KNIFFEL.house or "").replace('series = "agreed"', 'order = "top_down"').encode()
    card = brought(house, content, "mb-yahtzee.toml")[1]
    order = [one["default"] for one in card["switches"]["fr"] if one["name"] == "order"]
    assert order == ["top_down"]


def test_nobody_brings_files_without_end(house: Place) -> None:
    cookie = f"knobel={secrets.token_hex(32)}"
    answers = [brought(house, b"dice = ", cookie=cookie) for _ in range(FILES_PER_DEVICE + 1)]
    assert {answer["code"] for _, answer in answers[:FILES_PER_DEVICE]} == {"file_toml"}
    assert answers[FILES_PER_DEVICE][1]["code"] == "files_too_many"
    assert f"{FILES_PER_DEVICE}" in answers[FILES_PER_DEVICE][1]["text"]
    assert brought(house, b"dice = ", cookie=f"knobel={secrets.token_hex(32)}")[1]["code"] == "file_toml"


def test_after_a_while_files_are_taken_again() -> None:
    now = [0.0]
    door = RateLimits(lambda: now[0])
    for _ in range(FILES_PER_DEVICE):
        door.count_file("ann", "here")
    with pytest.raises(KnobelError):
        door.count_file("ann", "here")
    now[0] = 600.0
    door.count_file("ann", "here")


@awaited
async def test_a_house_open_to_the_network_takes_no_rules_unless_asked_to(lan: Place) -> None:
    assert json.loads(lan.ask("/api/hello").body)["house_rules"] is False
    status, answer = brought(lan, (TWO.house or "").encode())
    assert (status, answer["code"]) == (403, "house_rules_closed")
    settings = {"edition": "two-dice", "house_rules": fingerprint_house_rules(TWO.house or "")}
    async with Guest(lan.port).here() as guest:
        refused = await guest.post("/api/rooms", {"id": "1", "settings": settings})
        assert (refused.status, json.loads(refused.body)["code"]) == (400, "house_rules_unknown")
        await guest.open("Ann")
        assert (await guest.want({"want": "settle", **settings}))["code"] == "house_rules_unknown"
        text = {"edition": "two-dice", "house_rules": TWO.house}
        assert (await guest.want({"want": "settle", **text}))["code"] == "house_rules_unknown"
        assert guest.room["house_rules"] is None


@awaited
async def test_whoever_knows_the_room_reads_the_rules_it_plays_by(house: Place) -> None:
    async with Guest(house.port).here() as guest:
        room = await guest.open("Ann", edition="kniffel", house_rules=await guest.bring(KNIFFEL.house or ""))
    answer = house.ask(f"/api/rules?room={room}&lang=en")
    found = json.loads(answer.body)
    assert (answer.status, found["title"]) == (200, "Kniffel")
    assert any("50 points extra" in rule["rule"] for chapter in found["chapters"] for rule in chapter["rules"])
    assert house.ask("/api/rules?room=nowhere").status == 404


def test_serving_needs_no_compiler() -> None:
    script = "import sys, knobel.web.serve; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


# The study.


class Watched:
    """A room somebody looks at: everything that is said about its book."""

    def __init__(self, host: Host, party: Party) -> None:
        self.host = host
        self.party = party
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
async def watched(host: Host, settle: ChangeSettings, *chairs: Sit | SitBot) -> AsyncIterator[Watched]:
    """Open a room and look at it; Ann is its host."""
    room = Watched(host, await Party.open(host, settle))
    desk = await host.watch(room.party.room, room.hear)
    for chair in chairs:
        await room.party.want(chair)
    yield room
    host.unwatch(desk, room.hear)


def rules_in(settle: ChangeSettings) -> SheetRules:
    """Give the rules of an agreement."""
    rules: SheetRules = open_edition(settle.edition, settle.house).rules()
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


def gone(pid: int) -> bool:
    """Tell whether nothing is left of a child, nor of its group."""
    for ask in (os.kill, os.killpg):
        with contextlib.suppress(ProcessLookupError):
            ask(pid, 0)
            return False
    return True


@awaited
async def test_a_book_is_worked_out_before_the_game_and_everybody_sees_how_far_it_is(
    tmp_path: Path, children: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve_queue, "PROGRESS_SECONDS", 0.0)
    async with hosted(tmp_path, paced=True, undo_seconds=0.0) as host, watched(host, POKER, Sit("Ann")) as room:
        assert room.said == []
        await room.party.want(PERFECT)
        assert (await room.until_done()).error is None
        done = [one.fraction for one in room.said[:-1]]
        assert done == sorted(one for one in done if one is not None)
        assert done[0] == 0.0
        assert len(done) > len(rules_in(POKER).boxes)
        assert load_cached(SolveRequest(rules_in(POKER)))
        await room.party.begin()
        table = await room.party.play(most=16)
        assert any(isinstance(step.event, Acted) and step.event.seat == 1 for step in table.replay.steps)
        assert len(children) == 1
        assert gone(children[0])


@awaited
async def test_a_book_that_lies_on_the_shelf_is_only_opened(tmp_path: Path, children: list[int]) -> None:
    book_cache.build_book(rules_in(POKER))
    async with hosted(tmp_path, paced=True) as host, watched(host, POKER, Sit("Ann"), PERFECT) as room:
        assert (await room.until_done()).error is None
        assert children == []
        assert host.solve_queue.jobs == {}


@awaited
async def test_rules_settled_around_a_bot_are_worked_out_and_those_before_no_longer(
    tmp_path: Path, children: list[int]
) -> None:
    async with hosted(tmp_path, paced=True) as host, watched(host, FOUR, PERFECT) as room:
        while not children:
            await asyncio.sleep(0.01)
        await room.party.want(POKER)
        assert (await room.until_done()).error is None
        assert load_cached(SolveRequest(rules_in(POKER)))
        assert not load_cached(SolveRequest(rules_in(FOUR)))
        assert len(children) == 2
        assert all(map(gone, children))


@awaited
async def test_a_level_is_found_in_the_child_too(tmp_path: Path) -> None:
    async with hosted(tmp_path, paced=True) as host, watched(host, TWO, SitBot("human:3", "Hugo")) as room:
        assert (await room.until_done()).error is None
        assert (rules_in(TWO).fingerprint, 3) in TEMPERATURES


@awaited
async def test_the_table_goes_on_while_the_book_of_a_bot_is_worked_out(tmp_path: Path) -> None:
    async with hosted(tmp_path, paced=True) as host, watched(host, FOUR, Sit("Ann"), PERFECT) as room:
        await room.until_working()
        party = room.party
        table = await party.begin()
        await party.act(0, ".....")
        await party.act(0, "chance")
        ply = table.replay.ply
        refused = await party.refused(StillSolving, Advance(ply))
        assert Translator("en").describe_error(refused).startswith("The bot plays as soon as")
        await party.want(Undo(0, ply))
        await party.act(0, "chance")
        assert host.waiting_rooms.progress_of(party.room).fraction is not None
        await party.want(StopGame())
        assert not (await party.now()).running
        assert host.waiting_rooms.progress_of(party.room).fraction is not None
        assert (await party.desk()).lock.locked() is False


@awaited
async def test_a_bot_moves_by_itself_as_soon_as_its_book_is_there(tmp_path: Path) -> None:
    quick = ChangeSettings(TWO.edition, house=TWO.house, pace=0.0)
    async with (
        hosted(tmp_path, paced=True, undo_seconds=0.0) as host,
        watched(host, quick, Sit("Ann"), PERFECT) as room,
    ):
        await room.party.want(BeginGame(anyway=True))
        assert host.solve_queue.jobs
        await room.party.act(0, "..")
        await room.party.act(0, "twins")
        table = await room.party.table()
        while len([step for step in table.replay.steps if isinstance(step.event, Acted) and step.event.seat == 1]) < 2:
            room.news.clear()
            await room.news.wait()
        assert host.solve_queue.jobs == {}


@awaited
async def test_one_game_is_worked_out_at_a_time_and_the_next_one_waits(tmp_path: Path, children: list[int]) -> None:
    async with (
        hosted(tmp_path, paced=True) as host,
        watched(host, TWO, PERFECT) as first,
        watched(host, POKER, PERFECT) as second,
    ):
        await first.until_working()
        while not second.said[-1].is_queued:
            second.news.clear()
            await second.news.wait()
        assert len(children) <= 1
        assert (await first.until_done()).error is None
        assert (await second.until_done()).error is None
        assert len(children) == 2


@awaited
async def test_rooms_with_the_same_rules_share_the_work(tmp_path: Path, children: list[int]) -> None:
    async with hosted(tmp_path, paced=True) as host, watched(host, POKER, PERFECT) as first:
        other = ChangeSettings(POKER.edition, house=POKER.house, games=2)
        async with watched(host, other, PERFECT) as second:
            assert (await first.until_done()).error is None
            assert (await second.until_done()).error is None
    assert len(children) == 1


@awaited
async def test_too_many_games_in_the_queue_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_queue, "MAX_QUEUED", 1)
    async with (
        hosted(tmp_path, paced=True) as host,
        watched(host, FOUR, PERFECT),
        watched(host, POKER, PERFECT) as second,
    ):
        assert isinstance((await second.until_done()).error, SolveQueueFull)


@awaited
async def test_what_takes_too_long_is_killed_and_leaves_nothing_behind(
    tmp_path: Path, children: list[int], shelf: Path
) -> None:
    async with hosted(tmp_path, paced=True) as host, watched(host, TWO, Sit("Ann")) as room:
        host.solve_queue.max_seconds = 0.2
        shelf.mkdir(parents=True)
        (shelf / ".half.book.1").write_bytes(b"half")
        await room.party.want(PERFECT)
        error = (await room.until_done()).error
        assert isinstance(error, SolveTimeout)
        assert Translator("en").describe_error(error) == (
            "Working out these rules took longer than 0.2 s. Choose another bot or simpler rules."
        )
        assert len(children) == 1
        assert gone(children[0])
        assert list(shelf.glob(".*")) == list(shelf.glob("*.book")) == []
        await room.party.refused(SolveTimeout, BeginGame(anyway=True))
        host.solve_queue.max_seconds = 60.0
        await room.party.want(LeaveSeat(1))
        assert room.said[-1] == SolveProgress(None)
        await room.party.want(PERFECT)
        assert (await room.until_done()).error is None
        await room.party.want(BeginGame(anyway=True))


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


@pytest.mark.parametrize("failure", [crash, time_out])
@awaited
async def test_a_preparation_that_failed_once_succeeds_at_the_second_request(
    failure: Attempt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = replace_worker(monkeypatch, failure)
    async with hosted(tmp_path) as host:
        request = SolveRequest(rules_in(TWO), EXPECTED_SCORES)
        with pytest.raises(SolveError):
            await host.solve_queue.wait_for(request)
        assert host.solve_queue.jobs == {}
        await host.solve_queue.wait_for(request)
        assert is_ready(request)
        await host.solve_queue.wait_for(request)
    assert requests == [request, request]


@awaited
async def test_a_room_that_comes_later_has_a_failed_solve_tried_again_for_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_worker(monkeypatch, crash)
    async with hosted(tmp_path, paced=True) as host, watched(host, TWO, Sit("Ann"), PERFECT) as first:
        assert isinstance((await first.until_done()).error, SolveFailed)
        await first.party.want(Sit("Ben"))
        assert isinstance(first.said[-1].error, SolveFailed)
        first.news.clear()
        other = ChangeSettings(TWO.edition, house=TWO.house, games=2)
        async with watched(host, other, PERFECT) as second:
            assert (await second.until_done()).error is None
            assert first.said[-1] == SolveProgress(None)
        assert host.solve_queue.jobs == {}
        assert host.waiting_rooms.rooms == {}


@awaited
async def test_what_nobody_waits_for_goes_on_and_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = asyncio.Event()

    async def wait(_: SolverProcess, __: float) -> None:
        await free.wait()
        raise SolveTimeout(limit="1")

    many = 2 * solve_queue.MAX_PAUSED
    replace_worker(monkeypatch, *[wait] * many)
    async with hosted(tmp_path) as host:
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


@awaited
async def test_a_closing_house_takes_its_child_along(tmp_path: Path, children: list[int]) -> None:
    async with hosted(tmp_path, paced=True) as host, watched(host, FOUR, PERFECT) as room:
        await room.until_working()
        while not children:
            await asyncio.sleep(0.01)
        assert not gone(children[0])
    assert gone(children[0])


@awaited
async def test_nothing_is_worked_out_for_a_room_that_everybody_left(
    tmp_path: Path, children: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting_rooms, "LINGER_SECONDS", 0.1)
    async with hosted(tmp_path, paced=True) as host:
        async with watched(host, FOUR, PERFECT) as room:
            await room.until_working()
        while host.solve_queue.jobs:
            await asyncio.sleep(0.02)
        while not all(map(gone, children)):
            await asyncio.sleep(0.02)


def worker(request: SolveRequest) -> subprocess.Popen[bytes]:
    """Start a worker as the queue does."""
    command = [*COMMAND, str(4 * 1024**3)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    process.stdin.write(request.encode())
    process.stdin.flush()
    return process


def test_a_worker_ends_by_itself_when_its_parent_is_killed(shelf: Path) -> None:
    with worker(SolveRequest(rules_in(FOUR))) as orphan:
        assert orphan.stdin is not None
        orphan.stdin.close()
        assert orphan.wait(30) == 1
    assert not list(shelf.glob("*.book"))


@pytest.mark.parametrize(
    ("what", "level", "suffix"), [(BOOK, 0, "book"), (EXPECTED_SCORES, 0, "prospects"), (LEVEL, 3, "human")]
)
def test_one_worker_command_solves_whatever_can_be_requested(what: str, level: int, suffix: str, shelf: Path) -> None:
    request = SolveRequest(rules_in(TWO), what, level)
    assert decode_request(request.encode().decode()) == request
    with worker(request) as process:
        assert process.wait(60) == 0
    assert {path.suffix for path in shelf.glob(f"{request.rules.fingerprint}.*")} == {".lock", ".book", f".{suffix}"}
    assert not is_ready(request)
    assert load_cached(request)
    assert is_ready(request)


@awaited
async def test_a_child_gets_only_so_much_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_queue, "estimate_memory", lambda *_: 256 * 1024**2)
    async with hosted(tmp_path, paced=True) as host, watched(host, KNIFFEL, PERFECT) as room:
        assert isinstance((await room.until_done()).error, SolveMemoryExceeded | SolveFailed)


@awaited
async def test_what_would_take_too_long_is_refused_with_its_cost_before_it_begins(
    tmp_path: Path, children: list[int]
) -> None:
    async with hosted(tmp_path, paced=True) as host, watched(host, MAXI, Sit("Ann"), PERFECT) as room:
        await room.party.refused(GameTooLargeToServe, BeginGame(anyway=True))
        error = (await room.until_done()).error
        assert isinstance(error, GameTooLargeToServe)
        said = Translator("en").describe_error(error)
        assert all(part in said for part in ("89128960 positions", "60 s", "1024 MB", "Choose another bot")), said
        assert children == []
        await room.party.want(LeaveSeat(1))
        await room.party.want(BeginGame(anyway=True))


def test_the_command_line_may_take_its_time() -> None:
    assert check_size(rules_in(MAXI)).seconds > solve_queue.MAX_SECONDS


@awaited
async def test_while_rules_are_read_others_are_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, free = threading.Event(), threading.Event()

    def slow(wanted: ChangeSettings) -> object:
        reading.set()
        assert free.wait(10)
        return build_settings(wanted)

    monkeypatch.setattr("knobel.host.house_rules_reader.build_settings", slow)
    async with hosted(tmp_path) as host:
        party = Party(host, (await host.open_room(ANN, "1", ChangeSettings("mb-yahtzee"))).id)
        opening = asyncio.create_task(host.open_room(BEN, "1", TWO))
        settling = asyncio.create_task(party.want(TWO))
        while not reading.is_set():
            await asyncio.sleep(0.01)
        await party.want(Sit("Ann"))
        assert [chair.name for chair in (await party.now()).seats] == ["Ann"]
        assert not opening.done()
        assert not settling.done()
        free.set()
        assert (await opening).settings.house == TWO.house
        await settling
        assert (await party.now()).settings.house == TWO.house


# The shelf.


def test_the_book_opened_longest_ago_goes_first_but_none_that_is_open(shelf: Path) -> None:
    sheets = [rules_in(TWO), rules_in(POKER), load_edition("carlit-yatzy").rules(None, {"order": "top_down"})]
    for age, rules in enumerate(sheets):
        book_cache.build_book(rules)
        os.utime(shelf / f"{rules.fingerprint}.book", (age, age))
    oldest, middle, newest = (rules.fingerprint for rules in sheets)
    book_cache.write_note(sheets[1], "human", {"warmth": {}})
    held = open_coach(sheets[0])
    os.utime(shelf / f"{oldest}.book", (0, 0))
    assert book_cache.evict_old_books(limit_bytes=0, keep_fingerprint=newest) == (middle,)
    assert not list(shelf.glob(f"{middle}.*"))
    assert {path.stem for path in shelf.glob("*.book")} == {oldest, newest}
    assert held.book.par > 0
    OPEN_COACHES.clear()
    del held
    gc.collect()
    assert book_cache.evict_old_books(limit_bytes=book_cache.CACHE_LIMIT_BYTES) == ()
    assert set(book_cache.evict_old_books(limit_bytes=0)) == {oldest, newest}


def test_opening_a_book_makes_it_the_newest(shelf: Path) -> None:
    for rules in (rules_in(TWO), rules_in(POKER)):
        book_cache.build_book(rules)
        os.utime(shelf / f"{rules.fingerprint}.book", (1, 1))
    assert book_cache.read_values(rules_in(TWO), None) is not None
    size = (shelf / f"{rules_in(TWO).fingerprint}.book").stat().st_size
    assert book_cache.evict_old_books(limit_bytes=size) == (rules_in(POKER).fingerprint,)


def test_after_each_write_the_shelf_is_tidied_and_the_new_book_stays(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book_cache, "CACHE_LIMIT_BYTES", 10)
    for rules in (rules_in(TWO), rules_in(POKER)):
        book_cache.build_book(rules)
        assert [path.stem for path in shelf.glob("*.book")] == [rules.fingerprint]


@awaited
async def test_the_house_tidies_the_shelf(tmp_path: Path, shelf: Path) -> None:
    shelf.mkdir(parents=True)
    (shelf / ".half.book.1").write_bytes(b"half")
    async with hosted(tmp_path) as host:
        await host.solve_queue.tidy_books()
    assert not (shelf / ".half.book.1").exists()


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


def handed(screen: Screen, file: Path) -> None:
    """Choose a file as somebody does."""
    with screen.page.expect_file_chooser() as chooser:
        screen.press("label.file")
    chooser.value.set_files(file)


def test_rules_are_brought_worked_out_and_played_in_the_browser(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('title = "Wrong"\nextends = "mb-yahtzee"\ndice = = 3\n', encoding="utf-8")
    with Server(tmp_path) as server, launched() as browser:
        screen = screen_of(browser, "phone")
        screen.forgiven = ("status of 400",)
        handed(screen.home(server.url), wrong)
        expect(screen.find("[data-wrong]")).to_contain_text("wrong.toml: not valid TOML")
        expect(screen.find("[data-wrong]")).to_contain_text("line 3")
        screen.own_rules(EXAMPLES / "kniffel.toml")
        expect(screen.find("[data-wrong]")).to_be_hidden()
        screen.press("[data-differs] summary")
        expect(screen.find("[data-differs]")).to_contain_text("Every further 5 alike bring 50 points extra")
        screen.invite("Ada")
        screen.find("[data-field=bot]").locator("visible=true").select_option("perfect")
        screen.page.evaluate(NOTE_PROGRESS)
        screen.press("[data-act=add-bot]")
        screen.press("knobel-lobby [data-act=rules]")
        expect(screen.find("dialog.rules")).to_contain_text("Kniffel")
        expect(screen.find("dialog.rules .chapters li").first).to_be_visible()
        screen.page.keyboard.press("Escape")
        screen.page.locator("html[data-solved]").wait_for(timeout=PATIENT)
        expect(screen.find("knobel-lobby .solving")).to_be_hidden()
        seen = [words for words in str(screen.find("html").get_attribute("data-seen")).split("|") if words]
        percent = [int(words.removeprefix("Working out these rules: ").removesuffix("%")) for words in seen]
        assert percent == sorted(percent)
        assert len(percent) > 1
        screen.press("[data-act=start]")
        screen.await_("knobel-table .tray")
        screen.skip_guide().turn()
        expect(screen.find("knobel-table .solving")).to_be_hidden()
        expect(screen.find("knobel-table")).to_contain_text("Perfect scores")
        screen.check()
