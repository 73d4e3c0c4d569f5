"""`knobel play` and `knobel replay` as people start them: on a pipe, interrupted, resumed, with odd words."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from knobel.record.file import load
from knobel.record.replay import replayed
from tests.house import EXAMPLES

TWO_DICE = str(EXAMPLES / "two-dice.toml")
RECORDS = Path(__file__).parent / "records"
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


def knobel(*words: str | bytes, typed: Iterable[str] | bytes = ()) -> subprocess.CompletedProcess[str]:
    """Run a command with what is typed; whatever happens, nobody sees a traceback."""
    given = typed if isinstance(typed, bytes) else "".join(f"{line}\n" for line in typed).encode()
    line = [sys.executable, "-m", "knobel", *words]
    run = subprocess.run(line, input=given, capture_output=True, timeout=60, check=False)
    answer = subprocess.CompletedProcess(run.args, run.returncode, run.stdout.decode(), run.stderr.decode())
    assert "Traceback" not in answer.stderr, answer.stderr
    return answer


def play(*words: str | bytes, typed: Iterable[str] | bytes = ()) -> str:
    """Play, and give what was said; all must go well."""
    run = knobel("play", *words, typed=typed)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def refused(*words: str | bytes, typed: Iterable[str] = ()) -> str:
    """Insist on a refusal in one line and exit code 2."""
    run = knobel(*words, typed=typed)
    assert run.returncode == 2
    (line,) = run.stderr.splitlines()
    assert line.isprintable()
    assert len(line) < 400
    return line


def kept(home: Path) -> list[Path]:
    return sorted((home / "data" / "knobel" / "games").glob("*.knobel"))


# On a pipe.


def test_a_game_among_bots_plays_itself_on_a_pipe(home: Path) -> None:
    said = play(
        "mb-yahtzee", "--player", "bot:greedy", "--player", "bot:random", "--seed", "7", "--save", "bots.knobel"
    )
    assert "1. Bot greedy" in said
    assert "> " not in said
    assert load(home / "bots.knobel").closed


def test_a_whole_game_is_typed_on_a_pipe(home: Path) -> None:
    typed = ["t", "s twins", "t", "s neighbours", "t", "s odd", "t", "s even", "t", "s chance", ""]
    said = play(TWO_DICE, "--player", "Ann", "--seed", "1", typed=typed)
    assert said.count("Ann, throw 1 of 2") == 5
    assert "1. Ann: " in said
    assert load(kept(home)[0]).closed


def test_nothing_typed_at_all_keeps_the_game(home: Path) -> None:
    said = play(*TACTIC)
    (path,) = kept(home)
    assert str(path) in said.replace("\n", "")
    assert not load(path).closed


def test_the_end_of_input_keeps_what_was_done(home: Path) -> None:
    play(*TACTIC, typed=["t", "k 6 6 4 4", "t"])
    state = replayed(load(kept(home)[0])).state
    assert (state.seat, state.dice, state.thrown) == (0, (6, 6, 4, 4, 4), 2)


def test_a_line_without_its_end_is_read_too(home: Path) -> None:
    play(*TACTIC, typed=b"t\nt")
    assert replayed(load(kept(home)[0])).state.thrown == 2


def test_a_closed_input_keeps_the_game(home: Path) -> None:
    line = f'"{sys.executable}" -m knobel play {" ".join(TACTIC)} <&-'
    run = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert len(kept(home)) == 1


def test_a_reader_who_goes_away_is_no_error(home: Path) -> None:
    line = f'"{sys.executable}" -m knobel play mb-yahtzee --player bot:greedy --player bot:greedy | head -n 1'
    run = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60, check=False)
    assert (run.stdout.count("\n"), run.stderr) == (1, "")


def test_bytes_that_are_no_text_are_no_move(home: Path) -> None:
    said = play(*TACTIC, typed=b"\xff\xfe\nt\nk \xc3\x28\ns \xf0\x9f\n")
    assert "is no move" in said
    assert "throw 1 of 3" in said


@pytest.mark.parametrize(
    "line", ["k --5", "k 5-5", "k 99999999999", "d ²", "t x", "w", "w chance", "w chance +", "s", "k -1"]
)
def test_figures_that_are_none_are_said_and_asked_again(line: str, home: Path) -> None:
    said = play(*TACTIC, typed=["t", line, "o"])
    assert said.count("It brings: Chance 23") == 2


# Interrupted.


def started(*words: str) -> subprocess.Popen[str]:
    line = [sys.executable, "-u", "-m", "knobel", "play", *words]
    return subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )


def test_ctrl_c_keeps_the_game_and_says_so(home: Path) -> None:
    with started(*TACTIC) as game:
        assert game.stdin is not None
        assert game.stdout is not None
        game.stdin.write("t\n")
        game.stdin.flush()
        while "throw 1 of 3" not in game.stdout.readline():
            pass
        game.send_signal(signal.SIGINT)
        said, wrong = game.communicate(timeout=30)
    assert game.returncode in INTERRUPTED
    assert wrong == ""
    assert "Kept for later" in said
    state = replayed(load(kept(home)[0])).state
    assert (state.dice, state.thrown) == ((6, 6, 4, 4, 3), 1)


def test_ctrl_c_among_bots_keeps_the_game_too(home: Path) -> None:
    words = [word for _ in range(40) for word in ("--player", "bot:random")]
    with started("tactic-xl-yatzy", *words) as game:
        assert game.stdout is not None
        while "throw 1 of 3" not in game.stdout.readline():
            pass
        game.send_signal(signal.SIGINT)
        said, wrong = game.communicate(timeout=60)
    assert game.returncode in INTERRUPTED
    assert wrong == ""
    assert "Kept for later" in said
    record = load(kept(home)[0])
    assert not record.closed
    assert replayed(record).state.seat is not None


# Resumed.

GAME = ["t", "s twins", "t", "s neighbours", "t", "s odd", "t", "s even", "t", "s chance"]
PEOPLE = ("--player", "Ann", "--player", "bot:greedy", "--seed", "again", "--save", "game.knobel")


def test_a_resumed_game_goes_on_with_the_same_dice(home: Path) -> None:
    play(TWO_DICE, *PEOPLE, typed=GAME)
    whole = (home / "game.knobel").read_bytes()
    assert load(home / "game.knobel").closed
    for stops in ([1], [2], [3, 4], [1, 2, 3, 4, 5, 6, 7, 8, 9]):
        (home / "game.knobel").unlink()
        pieces = [GAME[start:end] for start, end in zip([0, *stops], [*stops, len(GAME)], strict=True)]
        play(TWO_DICE, *PEOPLE, typed=pieces[0])
        for piece in pieces[1:]:
            assert not load(home / "game.knobel").closed
            play("--resume", "game.knobel", typed=piece)
        assert (home / "game.knobel").read_bytes() == whole


def test_without_a_name_the_last_unfinished_game_is_resumed(home: Path) -> None:
    play(*TACTIC, typed=["t", "s chance"])
    (path,) = kept(home)
    assert "Ann, total 23" in play("--resume", typed=["p"])
    assert kept(home) == [path]


def test_a_finished_game_is_not_resumed(home: Path) -> None:
    assert "over" in refused("play", "--resume", str(RECORDS / "mb-yahtzee.knobel"))
    refused("play", "--resume")
    refused("play", "--resume", "nowhere.knobel")


def test_a_resumed_game_says_which_dice_lie_there(home: Path) -> None:
    play(*TACTIC, typed=["t"])
    said = play("--resume")
    assert "6 6 4 4 3" in said
    assert "It brings: Chance 23" in said


def test_dice_that_must_stay_stay_in_a_resumed_game(home: Path) -> None:
    noris = ("noris-yatzy", "--player", "Ann", "--player", "Ben", "--seed", "fest")
    play(*noris, typed=["t", "k 5 5", "t"])
    assert "throw 3 of 3" in play("--resume", typed=["t"])


def test_a_resumed_evening_stays_in_its_file(home: Path) -> None:
    evening = ("noris-yatzy", "--player", "Ann", "--player", "bot:greedy", "--games", "2", "--seed", "abend")
    play(*evening, typed=["t"])
    before = kept(home)
    play("--resume", typed=["t"])
    assert kept(home) == before


def test_the_games_of_a_resumed_evening_are_numbered_on(home: Path) -> None:
    evening = ("noris-yatzy", "--player", "Ann", "--player", "Ben", "--games", "4", "--seed", "abend")
    leave = ["leave", "leave", "p"]
    play(*evening, "--save", "x.knobel", typed=leave)
    play("--resume", "x-2.knobel", typed=[*leave, *leave, *leave])
    assert sorted(path.name for path in home.glob("*.knobel")) == [f"x-{number}.knobel" for number in range(1, 5)]
    assert all(load(home / f"x-{number}.knobel").closed for number in range(1, 5))


def test_how_to_go_on_is_said_so_that_it_works(home: Path) -> None:
    said = play(*TACTIC, "--save", "mine.knobel").replace("\n", " ")
    words = said.split("knobel play ")[-1].split()
    assert "Kept for later" in play(*words).replace("\n", " ")
    assert replayed(load(home / "mine.knobel")).state.seat == 0


def test_equal_seeds_never_cost_a_kept_game(home: Path) -> None:
    play("tactic-xl-yatzy", "--player", "Ann", "--seed", "7", typed=["t"])
    play("noris-yatzy", "--player", "Ann", "--player", "Ben", "--seed", "7", typed=["t"])
    assert sorted(load(path).header.edition.id for path in kept(home)) == ["noris-yatzy", "tactic-xl-yatzy"]


# What is said in a conversation.


def test_a_question_is_answered_by_the_same_words_in_capitals_too(home: Path) -> None:
    assert "Ann writes 0 in Yatzy" in play(*TACTIC, typed=["t", "S Yatzy", "s yatzy"])
    assert "Ann has left" in play(*TACTIC, typed=["LEAVE", "LEAVE"])


def test_everybody_is_asked_by_himself(home: Path) -> None:
    two = ("tactic-xl-yatzy", "--player", "Ann", "--player", "Ben", "--seed", "7")
    said = play(*two, typed=["t", "x ones", "x ones", "t", "x ones"])
    assert "Ann writes 0 in Ones" in said
    assert "Ben writes 0" not in said
    said = play(*two, typed=["leave", "leave", "leave"])
    assert "Ann has left" in said
    assert "Ben has left" not in said


def test_another_command_in_between_takes_the_question_back(home: Path) -> None:
    said = play(*TACTIC, typed=["t", "x ones", "o", "x ones"])
    assert said.count("Type it again if you mean it") == 2


def test_saying_what_dice_show_throws_none_of_ours(home: Path) -> None:
    said = play(*TACTIC, typed=["d 6 6 6 6 6"])
    assert "throw 1 of 3" not in said
    assert "Not allowed" in said


def test_after_taking_back_the_dice_that_stay_still_stay(home: Path) -> None:
    noris = ("noris-yatzy", "--player", "Ann", "--player", "Ben", "--seed", "fest")
    said = play(*noris, typed=["t", "k 5 5", "t", "s fives", "undo", "t"])
    assert "Ann, throw 3 of 3" in said


def test_a_line_typed_at_the_end_of_a_game_is_for_the_next_one(home: Path) -> None:
    short = (TWO_DICE, "--player", "Ann", "--games", "2", "--seed", "7")
    said = play(*short, typed=[*GAME, "t", "q"])
    assert said.count("throw 1 of 2") == 6
    assert "Kept for later" in said


def test_five_alike_that_nobody_saw_can_be_said(home: Path) -> None:
    philos = ("philos-yatzi", "--own-dice", "--player", "Ann", "--seed", "7")
    said = play(*philos, typed=["w four of a kind 25*", "w chance 100"])
    assert "Ann writes 100 in Chance. Total 125." in said


def test_practice_is_said_plainly(home: Path) -> None:
    said = play("philos-yatzi", "--player", "Ann")
    assert "This is practice" in said
    assert "2 to 10" in said
    assert "This is practice" not in play("philos-yatzi", "--player", "Ann", "--player", "Ben")


def test_seeded_dice_are_said_not_to_be_fair(home: Path) -> None:
    assert "not fair play" in play("mb-yahtzee", "--player", "Ann", "--seed", "7")
    assert "not fair play" not in play("mb-yahtzee", "--player", "Ann")


def test_one_person_and_a_bot_play_if_nobody_is_named(home: Path) -> None:
    play("tactic-xl-yatzy")
    seats = load(kept(home)[0]).header.seats
    assert [seat.bot for seat in seats] == [None, "greedy"]


# Odd words.


@pytest.mark.parametrize("name", ["bot:", "bot:genius", "bot:Random", "bot:greedy:3"])
def test_an_unknown_bot_is_refused(name: str, home: Path) -> None:
    assert name.removeprefix("bot:") in refused("play", "tactic-xl-yatzy", "--player", name)
    assert kept(home) == []


@pytest.mark.parametrize("games", ["0", "100", "-1", "x", "1.5", "", "9" * 20, "--5"])
def test_a_bad_number_of_games_is_refused(games: str, home: Path) -> None:
    refused("play", "tactic-xl-yatzy", f"--games={games}")
    assert kept(home) == []


@pytest.mark.parametrize("edition", ["", "nowhere", "nowhere.toml", "../../etc/passwd"])
def test_an_unknown_edition_is_refused(edition: str, home: Path) -> None:
    refused("play", edition)


def test_an_edition_is_needed(home: Path) -> None:
    assert "EDITION" in refused("play")


def test_a_beginner_must_be_among_the_players(home: Path) -> None:
    assert "zoe" in refused("play", "carlit-yatzy", "--player", "Ann", "--beginner", "Zoe").casefold()


def test_more_players_than_there_are_seats_are_refused(home: Path) -> None:
    refused("play", "tactic-xl-yatzy", *(word for _ in range(100) for word in ("--player", "Ann")))


def names(home: Path, *asked: str | bytes) -> list[str]:
    words = [word for name in asked for word in ("--player", name)]
    play("tactic-xl-yatzy", *words, "--save", "names.knobel")
    return [seat.name for seat in load(home / "names.knobel").header.seats]


def test_long_names_are_cut(home: Path) -> None:
    assert names(home, "A" * 500, "Ann") == ["A" * 20, "Ann"]


def test_control_characters_are_taken_out_of_names(home: Path) -> None:
    assert names(home, "A\x1b[31mnn\x07\r\n", "B\u202een\u200b", " C  \t leo ") == ["A[31mnn", "Ben", "C leo"]


def test_bytes_that_are_no_text_are_taken_out_of_names(home: Path) -> None:
    assert names(home, b"A\xffnn") == ["Ann"]


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
    refused("play", "tactic-xl-yatzy", f"--player={name}")


def test_words_in_braces_and_percent_signs_are_just_words(home: Path) -> None:
    assert "{n} %s {0}" in play("tactic-xl-yatzy", "--player", "{n} %s {0}", typed=["t", "s chance"])


@pytest.mark.parametrize("seed", ["", "0", "x" * 300, "зерно", b"\xff\xfe", "a\x1bb", "{}"])
def test_whatever_the_seed_is_the_game_can_be_read_again(seed: str | bytes, home: Path) -> None:
    run = knobel("play", TWO_DICE, "--player", "bot:greedy", "--seed", seed, "--save", "seed.knobel")
    if run.returncode == 0:
        assert knobel("replay", "seed.knobel").returncode == 0
    else:
        assert (run.returncode, len(run.stderr.splitlines())) == (2, 1)
        assert not (home / "seed.knobel").exists()


@pytest.mark.parametrize("place", ["/", ".", "plain/game.knobel", "x" * 300, "folder", "/proc/game.knobel"])
def test_where_nothing_can_be_kept_it_is_said_before_the_first_throw(place: str, home: Path) -> None:
    (home / "plain").write_text("a file")
    (home / "folder").mkdir()
    run = knobel("play", *TACTIC, "--save", place, typed=["t", "s chance"])
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert "throw 1 of 3" not in run.stdout


# Replay.


def test_a_record_is_replayed_and_shown(home: Path) -> None:
    run = knobel("replay", str(RECORDS / "everything.knobel"))
    assert (run.returncode, run.stderr) == (0, "")
    assert "17 events, every one allowed" in run.stdout
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
    play(*TACTIC, "--save", "half.knobel", typed=["t", "s chance"])
    run = knobel("replay", "half.knobel")
    assert run.returncode == 0
    assert "not over" in run.stdout
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
    line = refused("replay", str(path))
    assert line.startswith("a[31mb c.knobel" if kind == "named" else "bad.knobel")
