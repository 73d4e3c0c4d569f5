"""Measures speed: every figure beside a reference of the same run, never alone.

python benchmarks/run.py             everything
python benchmarks/run.py play solve  only these groups
"""

import asyncio
import fcntl
import json
import os
import pty
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knobel.solver.position import ColumnKey
    from knobel.solver.tables import Tables

HERE = Path(__file__).parent
ROOT = HERE.parent
KNOBEL = [sys.executable, "-m", "knobel"]
TIMES = 5
FIRST_SCREEN = b"Hasbro"
"""What the first screen of the terminal lists."""


def time_best(work: Callable[[], object], times: int = TIMES, clock: Callable[[], float] = time.perf_counter) -> float:
    """Time something a few times and take the best."""
    found = []
    for _ in range(times):
        begin = clock()
        work()
        found.append(clock() - begin)
    return min(found)


def run_reference() -> None:
    """A fixed piece of plain Python, to compare this machine with another."""
    total = 0
    for number in range(200_000):
        total += number % 7


def show(name: str, seconds: float, against: str, compared: float, goal: str = "") -> None:
    """Write one line: the figure, its reference, the ratio, and the goal if there is one."""
    print(f"{name:<44} {seconds * 1e3:11.3f} ms  {seconds / compared:8.2f} x {against:<22} {goal}")


def run(*words: str, cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command of Knobel."""
    environment = os.environ | ({"XDG_CACHE_HOME": str(cache), "NUMBA_CACHE_DIR": str(cache)} if cache else {})
    return subprocess.run([*KNOBEL, *words], env=environment, capture_output=True, text=True, check=True)


def bench_start() -> None:
    """How long until help is on the screen."""
    bare = time_best(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    show("knobel --help", time_best(lambda: run("--help")), "bare interpreter", bare, "goal under 200 ms")
    with tempfile.TemporaryDirectory() as folder:
        seconds = time_best(lambda: wait_for_first_screen(Path(folder)))
    show("the first screen in a terminal", seconds, "bare interpreter", bare, "goal under 600 ms")


def wait_for_first_screen(folder: Path) -> None:
    """Start the full screen in a terminal of its own, wait for its first screen, and leave it."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update({"TERM": "xterm-256color", "XDG_DATA_HOME": str(folder)})
        os.execv(KNOBEL[0], list(KNOBEL))  # noqa: S606
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    seen = b""
    while FIRST_SCREEN not in seen:
        seen += os.read(terminal, 65536)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    os.close(terminal)


def bench_score() -> None:
    """Scoring all boxes of a hand."""
    from knobel.rules import load_edition
    from knobel.rules.column import empty_column, list_options

    rules = load_edition("tactic-xl-yatzy").rules()
    column = empty_column(rules)
    hands = [tuple(sorted(Random(seed).choices(range(1, 7), k=5))) for seed in range(200)]

    def score_all() -> None:
        list_options.cache_clear()
        for hand in hands:
            list_options(rules, column, hand)

    seconds = time_best(score_all) / len(hands)
    show("all fifteen boxes of a hand", seconds, "plain Python loop", time_best(run_reference))


def bench_play() -> None:
    """Whole games through the real machine, at a table and at the host, and records replayed."""
    from knobel.bots import load_bot
    from knobel.host.room_setup import draw_next_game
    from knobel.record.chain import encode_header, hash_line, link_events
    from knobel.record.file import encode_log, parse_record
    from knobel.record.replay import replay_record
    from knobel.rooms.intents import ChangeSettings
    from knobel.rooms.room import Room, RoomSeat, build_header, build_settings
    from knobel.table import Table

    settings = build_settings(ChangeSettings("tactic-xl-yatzy"), "bench")
    seats = tuple(RoomSeat(f"Bot {seat}", None, "random") for seat in range(4))
    room = Room("bench", "bench", settings, draw_next_game(settings, 1), seats)

    def play_game() -> bytes:
        table = Table(build_header(room), room.coming.seed)
        chance, ask = Random("bench"), load_bot("random", "sheet")
        while table.state.seat is not None:
            table.apply(table.decide(table.state.seat, ask(table.game, table.state, chance)))
        table.apply(table.decide_end())
        first = encode_header(table.header)
        links, _ = link_events(hash_line(first), table.events, table.header.knobel)
        return encode_log(first, tuple(seat.name for seat in table.header.seats), links)

    plain = time_best(run_reference)
    show("a game of four random bots, recorded", time_best(play_game), "plain Python loop", plain, "goal 40 ms")
    show("the same at the host, every move on disk", time_best(play_hosted_game), "plain Python loop", plain)
    content = play_game()
    show(
        "replay of one record (of 1,000)",
        time_replays(content, parse_record, replay_record) / 1000,
        "plain Python loop",
        plain,
    )


def play_hosted_game() -> None:
    """Let four random bots play a game at the host, over a new database."""
    from knobel.host import Host
    from knobel.rooms.intents import BeginGame, ChangeSettings, SitBot
    from knobel.store.sqlite import SqliteStore

    async def play_game(folder: Path) -> None:
        host = Host(await SqliteStore.open(folder / "bench.db"), paced=False)
        bots = [SitBot("random", f"Bot {seat}") for seat in range(4)]
        room = await host.open_room("bench", "open", ChangeSettings("tactic-xl-yatzy"), bots, "bench")
        await host.execute(room.id, "bench", "begin", BeginGame(), b"begin")
        while await host.step(room.id):
            pass
        await host.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play_game(Path(folder)))


def time_replays(content: bytes, parse: Callable[..., object], replayed: Callable[..., object]) -> float:
    """Replay a thousand records."""
    return time_best(lambda: [replayed(parse(content, "bench")) for _ in range(1000)], 1)


SOLVED = [
    ("Scandinavian Yatzy", "tactic-xl-yatzy", "en", 1.6),
    ("Yahtzee with joker", "mb-yahtzee", None, 1.5),
    ("Noris, locked dice", "noris-yatzy", None, 6.0),
    ("Danish, announced", "tactic-xl-yatzy", "da", 6.0),
]


def bench_solve() -> None:
    """The exact solver beside the yardstick, a plain C loop hard-wired to one game, run in turn with it."""
    from knobel.rules import load_edition
    from knobel.solver.solve import solve
    from knobel.solver.tables import build_tables

    yardstick = open_yardstick()
    rulesets = [(title, build_tables(load_edition(name).rules(text)), goal) for title, name, text, goal in SOLVED]
    for title, known, goal in rulesets:
        solve(known)
        found, compared = [], []
        for _ in range(TIMES if goal < 6 else 2):
            found.append(solve(known).seconds)
            compared.append(yardstick() if yardstick else found[-1])
        against = "yardstick" if yardstick else "(no yardstick here)"
        show(f"solve {title}", min(found), against, min(compared), f"goal {goal} x yardstick")


def open_yardstick() -> Callable[[], float] | None:
    """Build the yardstick, or say why there is none here."""
    has_vectors = " avx " in Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else False
    if not has_vectors or shutil.which("gcc") is None:
        print("No yardstick on this machine: it needs gcc and a processor with AVX.")
        return None
    import importlib.util

    spec = importlib.util.spec_from_file_location("limit", HERE / "limit.py")
    if spec is None or spec.loader is None:
        return None
    limit = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(limit)
    print(f"The yardstick uses vectors of {limit.limit.vector_bits()} bits.")
    return lambda: float(limit.solve()[0])


def bench_cold() -> None:
    """The first run on a cold machine, and its memory; then odds, advice and simulation from a book."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        bare = time_best(lambda: subprocess.run([sys.executable, "-c", "import numba"], check=True), 2)
        cold = time_best(lambda: run("solve", "tactic-xl-yatzy", "--json", cache=cache), 1)
        show("first solve, nothing compiled", cold, "import of numba", bare)
        ahead = time_best(lambda: run("solve", "tactic-xl-yatzy", "--no-cache", "--json", cache=cache))
        show("first solve after make install", ahead, "import of numba", bare, "goal under 3 s")
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{'peak memory of solve':<44} {memory:11.0f} MB  {'':33} goal under 300 MB")
        words = ("advise", "tactic-xl-yatzy", "--dice", "1", "1", "5", "5", "6")
        show(
            "advise, cold command with a book",
            time_best(lambda: run(*words, cache=cache)),
            "import of numba",
            bare,
            "goal under 1 s",
        )
        run("odds", "carlit-yatzy", "--set", "order=top_down", cache=cache)
        show(
            "odds of the whole game",
            time_best(lambda: run("odds", "tactic-xl-yatzy", "--json", cache=cache), 1),
            "import of numba",
            bare,
            "goal 2.5 s",
        )
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{'peak memory so far (odds)':<44} {memory:11.0f} MB  {'':33} goal under 1024 MB")


def bench_advise() -> None:
    """Advice on a warm process."""
    from knobel.coach.sheet import SheetCoach
    from knobel.games.sheet import SheetGame, SheetState
    from knobel.rules import load_edition
    from knobel.rules.column import build_column
    from knobel.solver.book_cache import open_book

    rules = load_edition("tactic-xl-yatzy").rules()
    book, game = open_book(rules), SheetGame(rules, practice=True)
    states = [
        SheetState(
            (build_column(rules, {"ones": 3, "sixes": 18}),),
            0,
            0,
            tuple(Random(seed).choices(range(1, 7), k=5)),
            1,
            turns=(0,),
        )
        for seed in range(50)
    ]
    seconds = time_best(lambda: [SheetCoach(book).rank_moves(game, state) for state in states]) / len(states)
    show(
        "advise, warm, a new position each time",
        seconds,
        "plain Python loop",
        time_best(run_reference),
        "goal under 1 ms",
    )


def bench_review() -> None:
    """The review of a whole game of fifteen rounds, with a coach that remembers nothing."""
    from knobel.coach.review import review_seat
    from knobel.coach.sheet import SheetCoach
    from knobel.record.file import load_record
    from knobel.record.replay import replay_record
    from knobel.solver.book_cache import open_book

    record = load_record(ROOT / "tests" / "records" / "tactic-xl-yatzy.knobel")
    replayed = replay_record(record, "")
    seconds = time_best(lambda: review_seat(record, replayed, 0, lambda rules: SheetCoach(open_book(rules))))
    show("review of fifteen rounds", seconds, "plain Python loop", time_best(run_reference), "goal under 5 s")


def bench_large() -> None:
    """The largest example, six dice and twenty boxes, as a whole command beside the yardstick."""
    yardstick = open_yardstick()
    compared = min(yardstick() for _ in range(TIMES)) if yardstick else time_best(run_reference)
    with tempfile.TemporaryDirectory() as folder:
        words = ("solve", str(ROOT / "examples" / "house-rules" / "maxi-yatzy.toml"), "--json")
        environment = os.environ | {"XDG_CACHE_HOME": folder}
        begin = time.perf_counter()
        solving = subprocess.Popen([*KNOBEL, *words], env=environment, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(solving.pid, 0)
        seconds = time.perf_counter() - begin
    if status:
        raise ChildProcessError(status)
    against = "yardstick" if yardstick else "plain Python loop"
    show("solve Maxi Yatzy, whole command", seconds, against, compared, "goal 90 s")
    busy, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(f"{'processor time and peak memory of it':<44} {busy:11.1f} s, {memory:,.0f} MB  {'':15} goal 1,500 MB")


def bench_simulate() -> None:
    """Ten million perfect games."""
    run("simulate", "tactic-xl-yatzy", "--games", "100000")
    found = json.loads(run("simulate", "tactic-xl-yatzy", "--games", "10000000", "--seed", "1", "--json").stdout)
    seconds = 1e7 / found["games_per_second"]
    show("ten million perfect games", seconds, "plain Python loop", time_best(run_reference), "goal 750,000 games/s")
    print(f"{'':<44} {found['games_per_second']:11.0f} games/s, mean {found['mean']:.4f}")
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{'peak memory so far (simulation)':<44} {memory:11.0f} MB  {'':33} goal under 1024 MB")


def bench_chances() -> None:
    """The spread of the points to come, chances from the middle of a game, and aims."""
    from knobel.rules import load_edition
    from knobel.rules.column import build_column
    from knobel.solver.approximate_totals import approximate_points_to_come
    from knobel.solver.book_cache import open_book
    from knobel.solver.column_position import ColumnPosition
    from knobel.solver.final_totals import compute_points_to_come
    from knobel.solver.moments import compute_moments, open_moments
    from knobel.solver.position import encode_column
    from knobel.solver.solve import pad_to_stride, solve

    book = open_book(load_edition("tactic-xl-yatzy").rules("en"))
    tables, wide = book.tables, pad_to_stride(book.tables, book.values)
    solved = min(solve(tables).seconds for _ in range(TIMES))
    compute_moments(tables, wide)
    spread = time_best(lambda: compute_moments(tables, wide), clock=time.process_time)
    compared = time_best(lambda: solve(tables), clock=time.process_time)
    show("spread of all positions, processor time", spread, "solve", compared, "goal twice")
    empty = tables.rules.boxes[-5:]
    column = build_column(tables.rules, {box.id: 0 for box in empty})
    ten, start = ColumnPosition(column), ColumnPosition(build_column(tables.rules, {}))
    moments, plain = open_moments(book), time_best(run_reference)
    near = time_best(lambda: approximate_points_to_come(moments, start))
    show("approximate distribution, all boxes open", near, "plain Python loop", plain, "goal 20 ms")
    show("exact distribution, ten boxes open", time_best(lambda: compute_points_to_come(book, ten)), "solve", solved)
    measure_aims(tables, encode_column(tables, column), encode_column(tables, start.column), solved)


def measure_aims(tables: "Tables", ten: "ColumnKey", root: "ColumnKey", solved: float) -> None:
    """Aims in processor seconds: they take minutes, and other work on the machine would be measured too."""
    from knobel.solver.total_values import AIM, compute_total_values

    yardstick = open_yardstick()
    measure = time_best(yardstick, clock=time.process_time) if yardstick else solved
    against = "yardstick" if yardstick else "solve"
    every = time_best(lambda: compute_total_values(tables, ten, AIM), 2, time.process_time)
    show("aims, ten boxes open, every total", every, against, measure)
    clock = time_best(lambda: compute_total_values(tables, ten, AIM))
    show("the same on the clock", clock, "its processor time", every, "goal 0.5 s on a quiet machine")
    one = time_best(lambda: compute_total_values(tables, ten, AIM, points=-150), 2, time.process_time)
    show("aims, ten boxes open, 150 points", one, against, measure)
    clock = time_best(lambda: compute_total_values(tables, ten, AIM, points=-150))
    show("the same on the clock", clock, "its processor time", one, "goal 0.5 s on a quiet machine")
    whole = time_best(lambda: compute_total_values(tables, root, AIM), 1, time.process_time)
    show("aims, fifteen boxes", whole, against, measure, "goal 130 x yardstick")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'peak memory of aims':<44} {memory:11.0f} MB  {'':33} goal under 1024 MB")


def list_benchmarks() -> Iterator[tuple[str, Callable[[], None]]]:
    """List what can be measured."""
    for name, work in globals().items():
        if name.startswith("bench_"):
            yield name.removeprefix("bench_"), work


def main(wanted: list[str]) -> int:
    """Measure what is wanted."""
    known = dict(list_benchmarks())
    unknown = [name for name in wanted if name not in known]
    if unknown:
        print(f"There is no group {unknown[0]}; choose from: {', '.join(known)}")
        return 2
    for name, work in known.items():
        if not wanted or name in wanted:
            work()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
