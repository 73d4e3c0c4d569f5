"""`knobel play` and `knobel replay` as people start them: on a pipe, interrupted, resumed, with odd words."""

import asyncio
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import pytest

from knobel.cli import main
from knobel.game import CHANCE
from knobel.host import Host
from knobel.host.archive import default_database_path
from knobel.record.file import load_record
from knobel.record.replay import replay_record
from knobel.rooms.intents import BeginGame, ChangeSettings, Sit
from knobel.store.sqlite import SqliteStore
from tests.support.house_rules import EXAMPLES
from tests.support.played_tables import is_closed
from tests.support.selection import mostly_rest, rest
from tests.support.stored_games import dump_tables, read_games, read_records
from tests.support.waiting import HANG_SECONDS

TWO_DICE = str(EXAMPLES / "two-dice.toml")
RECORDS = Path(__file__).parents[1] / "records"
TACTIC = ("tactic-xl-yatzy", "--player", "Ann", "--player", "bot:greedy", "--seed", "seven")
INTERRUPTED = (130, -signal.SIGINT)
"""What a shell calls 130: Python says it itself, or lets the signal end it if that came while it loaded something."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Play in an empty folder, with nothing kept yet, in English."""
    monkeypatch.chdir(tmp_path)
    for name in ("LANGUAGE", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"LC_ALL": "C.UTF-8", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8:strict"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


Ended: TypeAlias = subprocess.CompletedProcess[str]


def knobel(*words: str, typed: Iterable[str] = ()) -> Ended:
    """Run a command here with typed input; each reads again what is on disk."""
    given = "".join(f"{line}\n" for line in typed).encode()
    keyboard, out, wrong = (
        io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", errors="strict", newline="\n")
        for content in (given, b"", b"")
    )
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in {"stdin": keyboard, "stdout": out, "stderr": wrong}.items():
            patch.setattr(sys, name, stream)
        code = main(words)
    told = []
    for stream in (out, wrong):
        stream.flush()
        told.append(stream.buffer.getvalue().decode())
    return subprocess.CompletedProcess(words, code, *told)


def process(*words: str | bytes, typed: Iterable[str] | bytes = ()) -> Ended:
    """Run a command in a process of its own; whatever happens, nobody sees a traceback."""
    given = typed if isinstance(typed, bytes) else "".join(f"{line}\n" for line in typed).encode()
    line = [sys.executable, "-m", "knobel", *words]
    run = subprocess.run(line, input=given, capture_output=True, timeout=HANG_SECONDS, check=False)
    answer = subprocess.CompletedProcess(run.args, run.returncode, run.stdout.decode(), run.stderr.decode())
    assert "Traceback" not in answer.stderr, answer.stderr
    return answer


def play(*words: str, typed: Iterable[str] = ()) -> str:
    """Play, and give what was said; all must go well."""
    return went_well(knobel("play", *words, typed=typed))


def play_through_pipe(*words: str | bytes, typed: Iterable[str] | bytes = ()) -> str:
    """Play on a pipe, in a process of its own."""
    return went_well(process("play", *words, typed=typed))


def went_well(run: Ended) -> str:
    """Insist that a command went well, and give what was said."""
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def assert_refused(*words: str, typed: Iterable[str] = ()) -> str:
    """Insist on a refusal in one line and exit code 2."""
    return in_one_line(knobel(*words, typed=typed))


def in_one_line(run: Ended) -> str:
    """Insist that a command was refused in one line."""
    assert run.returncode == 2
    (line,) = run.stderr.splitlines()
    assert line.isprintable()
    assert len(line) < 400
    return line


# On a pipe.


@pytest.mark.process
def test_a_game_among_bots_plays_itself_on_a_pipe(home: Path) -> None:
    said = play_through_pipe(
        "mb-yahtzee", "--player", "bot:greedy", "--player", "bot:random", "--seed", "7", "--save", "bots.knobel"
    )
    assert "1. Bot greedy" in said
    assert "> " not in said
    assert is_closed(load_record(home / "bots.knobel"))


@pytest.mark.process
def test_a_whole_game_is_typed_on_a_pipe(home: Path) -> None:
    typed = ["r", "s twins", "r", "s neighbours", "r", "s odd", "r", "s even", "r", "s chance", ""]
    said = play_through_pipe(TWO_DICE, "--player", "Ann", "--seed", "1", typed=typed)
    assert said.count("Ann, roll 1 of 2") == 5
    assert "1. Ann: " in said
    (record,) = read_records()
    assert is_closed(record)
    assert f"knobel export {record.header.game}" in " ".join(said.split())


@pytest.mark.process
def test_nothing_typed_at_all_keeps_the_game(home: Path) -> None:
    said = play_through_pipe(*TACTIC)
    (record,) = read_records()
    assert said.endswith(f"The game is saved. Continue it with: knobel play --resume {record.header.game}\n")
    assert not is_closed(record)


@pytest.mark.process
def test_the_end_of_input_keeps_what_was_done(home: Path) -> None:
    play_through_pipe(*TACTIC, typed=["r", "k 6 6 2", "r"])
    state = replay_record(read_records()[0]).state
    assert (state.seat, state.dice, state.rolls_used) == (0, (6, 6, 2, 4, 4), 2)


@pytest.mark.rest
@pytest.mark.process
def test_a_line_without_its_end_is_read_too(home: Path) -> None:
    play_through_pipe(*TACTIC, typed=b"t\nt")
    assert replay_record(read_records()[0]).state.rolls_used == 2


@pytest.mark.rest
@pytest.mark.process
def test_a_closed_input_keeps_the_game(home: Path) -> None:
    line = f'"{sys.executable}" -m knobel play {" ".join(TACTIC)} <&-'
    run = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=HANG_SECONDS, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert len(read_records()) == 1


@pytest.mark.process
def test_a_reader_who_goes_away_is_no_error(home: Path) -> None:
    line = f'"{sys.executable}" -m knobel play mb-yahtzee --player bot:greedy --player bot:greedy | head -n 1'
    run = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=HANG_SECONDS, check=False)
    assert (run.stdout.count("\n"), run.stderr) == (1, "")


@pytest.mark.process
def test_bytes_that_are_no_text_are_no_move(home: Path) -> None:
    said = play_through_pipe(*TACTIC, typed=b"\xff\xfe\nt\nk \xc3\x28\ns \xf0\x9f\n")
    assert "isn’t a move" in said
    assert "roll 1 of 3" in said


@pytest.mark.parametrize(
    "line", ["k --5", "k 5-5", "k 99999999999", "d ²", "r x", "e", "e chance", "e chance +", "s", "k -1"]
)
def test_figures_that_are_none_are_said_and_asked_again(line: str, home: Path) -> None:
    said = play(*TACTIC, typed=["r", line, "o"])
    assert said.count("You could score: Chance 17") == 2


# Interrupted.


def start_game(*words: str) -> subprocess.Popen[str]:
    """Start a game that can be interrupted, even where the tests themselves run in the background and cannot."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        line = [sys.executable, "-u", "-m", "knobel", "play", *words]
        return subprocess.Popen(
            line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
        )
    finally:
        signal.signal(signal.SIGINT, before)


def read_until(game: subprocess.Popen[str], words: str) -> None:
    """Read what a game says until these words come."""
    assert game.stdout is not None
    while words not in (line := game.stdout.readline()):
        assert line, "the game has ended"


@pytest.mark.process
def test_ctrl_c_keeps_the_game_and_says_so(home: Path) -> None:
    with start_game(*TACTIC) as game:
        assert game.stdin is not None
        game.stdin.write("t\n")
        game.stdin.flush()
        read_until(game, "roll 1 of 3")
        game.send_signal(signal.SIGINT)
        said, wrong = game.communicate(timeout=HANG_SECONDS)
    assert game.returncode in INTERRUPTED
    assert wrong == ""
    assert "The game is saved. Continue" in said
    state = replay_record(read_records()[0]).state
    assert (state.dice, state.rolls_used) == ((6, 6, 2, 1, 2), 1)


@pytest.mark.rest
@pytest.mark.process
def test_ctrl_c_among_bots_keeps_the_game_too(home: Path) -> None:
    words = [word for _ in range(40) for word in ("--player", "bot:random")]
    with start_game("tactic-xl-yatzy", *words) as game:
        read_until(game, "roll 1 of 3")
        game.send_signal(signal.SIGINT)
        said, wrong = game.communicate(timeout=HANG_SECONDS)
    assert game.returncode in INTERRUPTED
    assert wrong == ""
    assert "The game is saved. Continue" in said
    (record,) = read_records()
    assert not is_closed(record)
    assert replay_record(record).state.seat is not None


@pytest.mark.process
@pytest.mark.parametrize("steps", [rest(0), rest(1), rest(2), 7, rest(20)])
def test_a_game_that_is_killed_is_all_there_and_no_dice_hang_in_the_air(steps: int, home: Path) -> None:
    with start_game(TWO_DICE, "--player", "Ann", "--player", "bot:random", "--seed", "kill") as game:
        assert game.stdin is not None
        assert game.stdout is not None
        game.stdin.write("".join(f"{line}\n" for line in GAME))
        game.stdin.flush()
        said = [game.stdout.readline() for _ in range(8 + steps)]
        game.kill()
    (record,) = read_records()
    state = replay_record(record).state
    assert state.seat != CHANCE
    whole = play_through_pipe(TWO_DICE, "--player", "Ann", "--player", "bot:random", "--seed", "kill", typed=GAME)
    assert whole.startswith("".join(said))
    (other,) = read_records()
    assert is_closed(other)
    assert other.events[: len(record.events)] == record.events


# Resumed.

GAME = ["r", "s twins", "r", "s neighbours", "r", "s odd", "r", "s even", "r", "s chance"]
PEOPLE = ("--player", "Ann", "--player", "bot:greedy", "--seed", "again")
SAVED = ("--save", "game.knobel")


@pytest.mark.process
def test_a_resumed_game_goes_on_with_the_same_dice(home: Path) -> None:
    play_through_pipe(TWO_DICE, *PEOPLE, *SAVED, typed=GAME)
    whole = (home / "game.knobel").read_bytes()
    record = load_record(home / "game.knobel")
    assert is_closed(record)
    for stops, played in (([3], play_through_pipe), ([2, 4, 7, 9], play)):
        (home / "game.knobel").unlink()
        pieces = [GAME[start:end] for start, end in zip([0, *stops], [*stops, len(GAME)], strict=True)]
        played(TWO_DICE, *PEOPLE, *SAVED, typed=pieces[0])
        for piece in pieces[1:]:
            assert not is_closed(load_record(home / "game.knobel"))
            played("--resume", record.header.game, *SAVED, typed=piece)
        assert (home / "game.knobel").read_bytes() == whole


@pytest.mark.process
def test_a_game_without_a_seed_goes_on_with_its_sealed_one(home: Path) -> None:
    play_through_pipe("mb-yahtzee", "--player", "Ann", typed=["r", "k", "r"])
    (before,) = read_records()
    play_through_pipe("--resume", "--save", "game.knobel", typed=["r", "s chance", "leave", "leave"])
    assert load_record(home / "game.knobel").events[: len(before.events)] == before.events
    run = process("verify", "game.knobel")
    assert (run.returncode, run.stderr) == (0, "")


def test_nobody_can_look_ahead_in_a_record_that_is_not_over(home: Path) -> None:
    play("mb-yahtzee", "--player", "Ann", "--save", "half.knobel", typed=["r"])
    (game,) = read_games()
    assert len(bytes.fromhex(game.seed)) == 32
    assert game.seed not in (home / "half.knobel").read_text(encoding="utf-8")


def test_without_a_name_the_last_unfinished_game_is_resumed(home: Path) -> None:
    play("noris-yatzy", "--player", "Zoe", "--player", "Ben", typed=["r"])
    play(*TACTIC, typed=["r", "s chance"])
    play(TWO_DICE, "--player", "Cid", typed=["leave", "leave"])
    before = [game.id for game in read_games()]
    assert "Ann, total 17" in play("--resume", typed=["p"])
    assert sorted(game.id for game in read_games()) == sorted(before)


def test_the_game_touched_last_goes_on_first(home: Path) -> None:
    for name in ("Ann", "Ben", "Cid"):
        play(TWO_DICE, "--player", name, typed=["r"])
    for name in ("Ann", "Cid", "Ben"):
        (game,) = (game.id for game in read_games() if game.names == (name,))
        assert f"{name}, roll" in play("--resume", game, typed=["r"])
        assert f"{name}, roll" in play("--resume")


def test_a_game_can_be_named_by_its_beginning_if_that_is_no_other_ones(home: Path) -> None:
    names: list[str] = []
    while len({name[0] for name in names}) == len(names):
        play(TWO_DICE, "--player", f"P{len(names)}", "--seed", str(len(names)), typed=["r"])
        names = sorted({*names, *(game.id for game in read_games())})
    assert 2 <= len(names) == len(read_games())
    for name in names:
        begin = next(name[:end] for end in range(1, 17) if sum(one.startswith(name[:end]) for one in names) == 1)
        assert f"--resume {name}" in play("--resume", begin)
    shared = next(name[0] for name in names if sum(one[0] == name[0] for one in names) > 1)
    assert shared in assert_refused("play", "--resume", shared)


def test_a_finished_game_is_not_resumed(home: Path) -> None:
    play(TWO_DICE, *PEOPLE, typed=GAME)
    (game,) = read_games()
    assert game.is_closed
    before = dump_tables()
    assert "over" in assert_refused("play", "--resume", game.id)
    assert "over" in assert_refused("play", "--resume", game.id[:5])
    assert_refused("play", "--resume")
    assert "nowhere" in assert_refused("play", "--resume", "nowhere")
    assert dump_tables() == before


@pytest.mark.parametrize("name", ["", " ", "%", "_", "' OR 1 = 1 --", "a\x1b[31mb", "x" * 300, "../game.knobel"])
def test_a_name_that_is_none_is_refused(name: str, home: Path) -> None:
    play(*TACTIC)
    assert_refused("play", "--resume", name)


def test_where_nothing_was_ever_kept_there_is_nothing_to_resume(home: Path) -> None:
    assert "no unfinished game" in assert_refused("play", "--resume")


def test_a_game_of_the_browser_is_not_resumed_in_the_terminal(home: Path) -> None:
    async def begun() -> str:
        host = Host(await SqliteStore.open(default_database_path()), paced=False)
        room = await host.open_room("phone", "1", ChangeSettings("mb-yahtzee"), [Sit("Zoe")])
        await host.execute(room.id, "phone", "2", BeginGame(anyway=True), b"begin")
        game = (await host.find_session(room.id)).room.game
        await host.close()
        return game or ""

    game = asyncio.run(begun())
    assert game in assert_refused("play", "--resume", game)
    assert "no unfinished game" in assert_refused("play", "--resume")


def test_a_resumed_game_says_which_dice_lie_there(home: Path) -> None:
    play(*TACTIC, typed=["r"])
    said = play("--resume")
    assert "6 6 2 1 2" in said
    assert "You could score: Chance 17" in said


def test_real_dice_in_the_air_are_still_awaited_in_a_resumed_game(home: Path) -> None:
    own = ("mb-yahtzee", "--player", "Ann", "--real-dice", "--seed", "real")
    play(*own, typed=["d 1 2 3 4 5", "r 1 2"])
    assert replay_record(read_records()[0]).state.seat == CHANCE
    assert "Ann, roll 2 of 3: 1 2 6 6 6." in play("--resume", typed=["d 6 6 6"])


NORIS = ("noris-yatzy", "--player", "Ann", "--player", "Ben", "--seed", "stay")
"""Two fives lie there after the first roll."""


def test_dice_that_must_stay_stay_in_a_resumed_game(home: Path) -> None:
    assert "Kept: 5 5" in play(*NORIS, typed=["r", "k 5 5", "r"])
    said = play("--resume", typed=["k 3", "r"])
    assert "kept dice can’t be re-rolled: 5 5" in said
    assert "roll 3 of 3" in said
    assert replay_record(read_records()[0]).state.locked


def test_a_resumed_evening_goes_on_in_its_room(home: Path) -> None:
    evening = ("noris-yatzy", "--player", "Ann", "--player", "bot:greedy", "--games", "2", "--seed", "abend")
    play(*evening, typed=["r"])
    play("--resume", typed=["r"])
    assert len(read_records()) == 1
    said = play("--resume", typed=["leave", "leave", "r"])
    assert "Game 2 of 2" in said
    assert [record.header.evening.number for record in reversed(read_records())] == [1, 2]
    assert len({game.room_id for game in read_games()}) == 1
    said = play("--resume", typed=["leave", "leave"])
    assert "Series: 1. Bot greedy" in said


def test_an_evening_of_several_editions_is_counted_as_agreed_after_every_game(home: Path) -> None:
    bots = ("--player", "bot:greedy", "--player", "bot:random", "--seed", "x")
    said = play("noris-yatzy", "--then", "carlit-chicago", *bots, "--standing", "wins", "--handicap", "Bot random=999")
    assert "Handicap: Bot random gets 999 points for each game" in said
    first, second = said.split("After 1 of 2 games:")[1].split("After 2 of 2 games:")
    assert "Series: 1. Bot random: 1 win" in first, "with its handicap"
    assert "Game 2 of 2" in first
    titles = [record.header.edition.id for record in reversed(read_records())]
    assert titles == ["noris-yatzy", "carlit-chicago"]
    assert "Series: 1. Bot" in second


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--standing", "luck"), "isn’t a way to count the games of an evening"),
        (("--handicap", "Ann"), "like Ann=20"),
        (("--handicap", "Ann=1000"), "0 to 999"),
        (("--handicap", "Zoe=10"), "no player “Zoe”"),
        (("--then", "nowhere"), "nowhere"),
        (("--then", "carlit-chicago"), "at least 2 players"),
    ],
)
def test_an_evening_that_cannot_be_is_refused_before_its_first_game(
    words: tuple[str, ...], said: str, home: Path
) -> None:
    refused = knobel("play", "noris-yatzy", "--player", "Ann", *words)
    assert refused.returncode == 2
    assert said in refused.stderr
    assert read_games() == []
    assert all(is_closed(record) for record in read_records())


def test_the_games_of_a_resumed_evening_are_numbered_on(home: Path) -> None:
    evening = ("noris-yatzy", "--player", "Ann", "--player", "Ben", "--games", "4", "--seed", "abend")
    leave = ["leave", "leave", "p"]
    play(*evening, "--save", "x.knobel", typed=leave)
    play("--resume", "--save", "x.knobel", typed=[*leave, *leave, *leave])
    assert sorted(path.name for path in home.glob("*.knobel")) == [f"x-{number}.knobel" for number in range(1, 5)]
    assert all(is_closed(load_record(home / f"x-{number}.knobel")) for number in range(1, 5))


def test_how_to_go_on_is_said_so_that_it_works(home: Path) -> None:
    said = play(*TACTIC).replace("\n", " ")
    words = said.split("knobel play ")[-1].split()
    assert "The game is saved. Continue" in play(*words, typed=["r"]).replace("\n", " ")
    assert replay_record(read_records()[0]).state.rolls_used == 1


def test_equal_seeds_never_cost_a_kept_game(home: Path) -> None:
    play("tactic-xl-yatzy", "--player", "Ann", "--seed", "7", typed=["r"])
    play("noris-yatzy", "--player", "Ann", "--player", "Ben", "--seed", "7", typed=["r"])
    assert sorted(record.header.edition.id for record in read_records()) == ["noris-yatzy", "tactic-xl-yatzy"]


# In a database.


@pytest.mark.parametrize("address", ["sqlite:///mine.db", "sqlite:///{home}/deep/mine.db"])
def test_games_are_kept_where_it_is_said(address: str, home: Path) -> None:
    place = address.format(home=home)
    play(*TACTIC, "--database", place, typed=["r"])
    assert not default_database_path().exists()
    path = Path(place.removeprefix("sqlite:///"))
    assert len(read_records(path)) == 1
    assert path.stat().st_mode & 0o077 == 0
    assert "6 6 2 1 2" in play("--resume", "--database", place)
    assert "no unfinished game" in assert_refused("play", "--resume")


@pytest.mark.parametrize("address", ["", "mine.db", "sqlite://", "sqlite:///", "sqlite:///:memory:", "mysql://x/y"])
def test_a_database_that_is_none_is_refused(address: str, home: Path) -> None:
    assert_refused("play", *TACTIC, f"--database={address}")
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("kind", ["folder", "text", "foreign"])
def test_a_file_that_is_no_database_of_ours_is_refused_and_left_alone(kind: str, home: Path) -> None:
    path = home / "mine.db"
    match kind:
        case "folder":
            path.mkdir()
        case "text":
            path.write_text("my diary\n" * 200)
        case "foreign":
            with sqlite3.connect(path) as link:
                link.execute("CREATE TABLE recipes (name TEXT)")
            link.close()
    before = path.read_bytes() if path.is_file() else b""
    assert "mine.db" in assert_refused("play", *TACTIC, "--database", "sqlite:///mine.db")
    assert (path.read_bytes() if path.is_file() else b"") == before


# What is said in a conversation.


def test_a_question_is_answered_by_the_same_words_in_capitals_too(home: Path) -> None:
    assert "Ann scores 0 in Yatzy" in play(*TACTIC, typed=["r", "S Yatzy", "s yatzy"])
    assert "Ann has left" in play(*TACTIC, typed=["LEAVE", "LEAVE"])


def test_everybody_is_asked_by_himself(home: Path) -> None:
    two = ("tactic-xl-yatzy", "--player", "Ann", "--player", "Ben", "--seed", "7")
    said = play(*two, typed=["r", "x ones", "x ones", "r", "x ones"])
    assert "Ann scores 0 in Ones" in said
    assert "Ben scores 0" not in said
    said = play(*two, typed=["leave", "leave", "leave"])
    assert "Ann has left" in said
    assert "Ben has left" not in said


def test_another_command_in_between_takes_the_question_back(home: Path) -> None:
    said = " ".join(play(*TACTIC, typed=["r", "x ones", "o", "x ones"]).split())
    assert said.count("Type it again if you mean it") == 2


def test_the_old_letters_still_roll_and_enter_points(home: Path) -> None:
    assert "Ann, roll 1 of 3" in play(*TACTIC, typed=["t"])
    real = ("philos-yatzi", "--real-dice", "--player", "Ann", "--seed", "7")
    assert "Ann scores 20 in Chance" in play(*real, typed=["w chance 20"])
    helped = play(*TACTIC, typed=["?"])
    assert "\n  r " in helped
    assert "\n  t " not in helped
    assert "\n  w " not in helped


def test_saying_what_dice_show_rolls_none_of_ours(home: Path) -> None:
    said = play(*TACTIC, typed=["d 6 6 6 6 6"])
    assert "roll 1 of 3" not in said
    assert "Not allowed" in said


def test_after_taking_back_the_dice_that_stay_still_stay(home: Path) -> None:
    said = play(*NORIS, typed=["r", "k 5 5", "r", "s fives", "undo", "r"])
    assert "Kept: 5 5" in said
    assert "Undone" in said
    assert "Ann, roll 3 of 3" in said


def test_a_line_typed_at_the_end_of_a_game_is_for_the_next_one(home: Path) -> None:
    short = (TWO_DICE, "--player", "Ann", "--games", "2", "--seed", "7")
    said = play(*short, typed=[*GAME, "r", "q"])
    assert said.count("roll 1 of 2") == 6
    assert "The game is saved. Continue" in said


def test_five_alike_that_nobody_saw_can_be_said(home: Path) -> None:
    philos = ("philos-yatzi", "--real-dice", "--player", "Ann", "--seed", "7")
    said = play(*philos, typed=["e four of a kind 25*", "e chance 100"])
    assert "Ann scores 100 in Chance. Total 125." in said


def test_practice_is_said_plainly(home: Path) -> None:
    said = play("philos-yatzi", "--player", "Ann")
    assert "This is a practice game" in said
    assert "2 to 10" in said
    assert "This is a practice game" not in play("philos-yatzi", "--player", "Ann", "--player", "Ben")


def test_seeded_dice_are_said_not_to_be_fair(home: Path) -> None:
    assert "not fair play" in play("mb-yahtzee", "--player", "Ann", "--seed", "7")
    assert "not fair play" not in play("mb-yahtzee", "--player", "Ann")


def test_one_person_and_a_bot_play_if_nobody_is_named(home: Path) -> None:
    play("tactic-xl-yatzy")
    seats = read_records()[0].header.seats
    assert [seat.bot for seat in seats] == [None, "cautious"]


# Odd words.


@pytest.mark.parametrize("name", ["bot:", "bot:genius", "bot:Random", "bot:greedy:3"])
def test_an_unknown_bot_is_refused(name: str, home: Path) -> None:
    assert name.removeprefix("bot:") in assert_refused("play", "tactic-xl-yatzy", "--player", name)
    assert read_records() == []


@pytest.mark.parametrize("games", ["0", "100", "-1", "x", "1.5", "", "9" * 20, "--5"])
def test_a_bad_number_of_games_is_refused(games: str, home: Path) -> None:
    assert_refused("play", "tactic-xl-yatzy", f"--games={games}")
    assert read_records() == []


@pytest.mark.parametrize("edition", ["", "nowhere", "nowhere.toml", "../../etc/passwd"])
def test_an_unknown_edition_is_refused(edition: str, home: Path) -> None:
    assert_refused("play", edition)


@pytest.mark.process
def test_an_edition_is_needed(home: Path) -> None:
    assert "EDITION" in in_one_line(process("play"))


def test_a_beginner_must_be_among_the_players(home: Path) -> None:
    assert "zoe" in assert_refused("play", "carlit-yatzy", "--player", "Ann", "--beginner", "Zoe").casefold()


def test_more_players_than_there_are_seats_are_refused(home: Path) -> None:
    assert_refused("play", "tactic-xl-yatzy", *(word for _ in range(100) for word in ("--player", "Ann")))


def names(home: Path, *asked: str | bytes) -> list[str]:
    words = [word for name in asked for word in ("--player", name)]
    play_through_pipe("tactic-xl-yatzy", *words, "--save", "names.knobel")
    return [seat.name for seat in load_record(home / "names.knobel").header.seats]


@pytest.mark.rest
@pytest.mark.process
def test_long_names_are_cut(home: Path) -> None:
    assert names(home, "A" * 500, "Ann") == ["A" * 20, "Ann"]


@pytest.mark.rest
@pytest.mark.process
def test_control_characters_are_taken_out_of_names(home: Path) -> None:
    assert names(home, "A\x1b[31mnn\x07\r\n", "B\u202een\u200b", " C  \t leo ") == ["A[31mnn", "Ben", "C leo"]


@pytest.mark.process
def test_bytes_that_are_no_text_are_taken_out_of_names(home: Path) -> None:
    assert names(home, b"A\xffnn") == ["Ann"]


@pytest.mark.process
def test_equal_names_are_told_apart(home: Path) -> None:
    assert names(home, "Ann", "Ann", "bot:greedy", "bot:greedy", "Ann") == [
        "Ann",
        "Ann 2",
        "Bot greedy",
        "Bot greedy 2",
        "Ann 3",
    ]


@pytest.mark.parametrize("name", ["", " ", "\x1b", "\u200b\u202e"])
def test_a_name_with_nothing_in_it_is_refused(name: str, home: Path) -> None:
    assert_refused("play", "tactic-xl-yatzy", f"--player={name}")


def test_words_in_braces_and_percent_signs_are_just_words(home: Path) -> None:
    assert "{n} %s {0}" in play("tactic-xl-yatzy", "--player", "{n} %s {0}", typed=["r", "s chance"])


@pytest.mark.process
@pytest.mark.parametrize(
    "seed", mostly_rest(["", "0", "x" * 300, "зерно", b"\xff\xfe", "a\x1bb", "{}"], "зерно", b"\xff\xfe")
)
def test_whatever_the_seed_is_the_game_can_be_read_again(seed: str | bytes, home: Path) -> None:
    run = process("play", TWO_DICE, "--player", "bot:greedy", "--seed", seed, "--save", "seed.knobel")
    if run.returncode == 0:
        assert knobel("replay", "seed.knobel").returncode == 0
    else:
        assert (run.returncode, len(run.stderr.splitlines())) == (2, 1)
        assert not (home / "seed.knobel").exists()


@pytest.mark.parametrize("place", ["/", ".", "plain/game.knobel", "x" * 300, "folder", "/proc/game.knobel"])
def test_where_nothing_can_be_kept_it_is_said_before_the_first_roll(place: str, home: Path) -> None:
    (home / "plain").write_text("a file")
    (home / "folder").mkdir()
    run = knobel("play", *TACTIC, "--save", place, typed=["r", "s chance"])
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert "roll 1 of 3" not in run.stdout


# Replay.


def test_a_record_is_replayed_and_shown(home: Path) -> None:
    run = knobel("replay", str(RECORDS / "everything.knobel"))
    assert (run.returncode, run.stderr) == (0, "")
    assert "17 events, all allowed" in run.stdout
    assert "1. Zoë: 150 points" in run.stdout
    assert "2. Bo: 7 points, left the game" in run.stdout


def test_a_record_is_replayed_for_machines(home: Path) -> None:
    run = knobel("replay", str(RECORDS / "everything.knobel"), "--json")
    form = json.loads(run.stdout)
    assert (form["edition"], form["events"], form["over"], form["places"]) == ("philos-yatzi", 17, True, [[1], [2]])
    zoe, bo = form["players"]
    assert (zoe["name"], zoe["total"], zoe["left"], zoe["boxes"]["chance"]) == ("Zoë", 150, False, 100)
    assert (bo["name"], bo["total"], bo["left"], bo["boxes"]["sixes"]) == ("Bo", 7, True, None)


def test_an_unfinished_record_is_replayed_as_far_as_it_goes(home: Path) -> None:
    play(*TACTIC, "--save", "half.knobel", typed=["r", "s chance"])
    run = knobel("replay", "half.knobel")
    assert run.returncode == 0
    assert "The game isn’t over" in run.stdout
    assert json.loads(knobel("replay", "half.knobel", "--json").stdout)["places"] is None


@pytest.mark.parametrize("kind", ["missing", "folder", "torn", "edited", "empty", "other", "named"])
def test_a_bad_file_is_refused_in_one_line(kind: str, home: Path) -> None:
    content = (RECORDS / "mb-yahtzee.knobel").read_bytes()
    path = home / ("a\x1b[31mb\nc.knobel" if kind == "named" else "bad.knobel")
    if kind == "folder":
        path.mkdir()
    elif kind != "missing":
        damaged = {"torn": content[:-20], "edited": content.replace(b"yatzy", b"yaztz", 1), "empty": b""}
        path.write_bytes(damaged.get(kind, os.urandom(2000)))
    line = assert_refused("replay", str(path))
    assert line.startswith("a[31mb c.knobel" if kind == "named" else "bad.knobel")


# Who starts.


def play_two_dice(*words: str) -> str:
    """Play with bots alone, and give what was said."""
    ended = knobel("play", TWO_DICE, "--player", "bot:greedy", "--player", "bot:random", *words)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.usefixtures("home")
def test_who_starts_can_be_drawn_by_lot_and_is_in_the_record(home: Path) -> None:
    starters = set()
    for seed in "abcdef":
        told = play_two_dice("--start", "random", "--seed", seed, "--save", "lots.knobel")
        replay = replay_record(load_record(home / "lots.knobel"))
        assert replay.drawn is not None
        name = replay.header.seats[replay.drawn].name
        assert f"Lots are drawn: {name} starts." in told
        assert told.index("Lots are drawn") < told.index(", roll 1 of")
        verified = knobel("verify", "lots.knobel")
        assert f"Seat {replay.drawn + 1} won the draw to start, and the seeds give the same result." in (
            " ".join(verified.stdout.split())
        )
        assert json.loads(knobel("verify", "lots.knobel", "--json").stdout)["drawn"] == replay.drawn + 1
        starters.add(replay.drawn)
    assert starters == {0, 1}


@pytest.mark.usefixtures("home")
def test_who_starts_can_be_rolled_for_where_the_rules_are_silent() -> None:
    assert "to see who starts" in play_two_dice("--start", "roll-off")
    for start in ((), ("--start", "first")):
        assert "to see who starts" not in play_two_dice(*start)


@pytest.mark.usefixtures("home")
def test_the_roll_off_that_is_printed_can_be_left_out() -> None:
    typed = ("play", "mb-yahtzee", "--player", "Ann", "--player", "bot:greedy")
    assert "Ann rolls to see who starts." in knobel(*typed).stdout
    assert "to see who starts" not in knobel(*typed, "--start", "first").stdout
    assert "Lots are drawn" in knobel(*typed, "--start", "random").stdout


@pytest.mark.usefixtures("home")
def test_with_real_dice_the_roll_off_is_typed() -> None:
    typed = ("play", "noris-yatzy", "--player", "Ann", "--player", "Ben", "--real-dice", "--start", "roll-off")
    told = knobel(*typed, typed=("11223", "66665")).stdout
    assert "Ben rolls 29 to see who starts." in told
    assert told.rstrip().rpartition("to see who starts.")[2].strip().startswith("Ben")


@pytest.mark.usefixtures("home")
def test_another_way_to_start_is_refused_in_one_line() -> None:
    ended = knobel("play", TWO_DICE, "--start", "oldest")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "“oldest” isn’t a way to decide who starts. Choose from: first, random, roll-off.\n"
