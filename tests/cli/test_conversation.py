"""The conversation forgives: words instead of letters, short names of boxes, near misses, and only what helps now."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knobel.bots import find_usual_bot
from knobel.bots.families import FAMILIES as BOT_FAMILIES
from knobel.cli.conversation import Conversation, InputLines, Quit
from knobel.cli.families import FAMILIES
from knobel.cli.play import prepare_bots
from knobel.cli.room_client import RoomClient, open_host, open_room
from knobel.cli.typed_words import list_words
from knobel.extras import SOLVER
from knobel.lang import LANGUAGES, Translator
from knobel.rooms.intents import ChangeSettings, Sit, SitBot
from knobel.rules import edition_ids, load_edition
from tests.support.played_tables import is_closed
from tests.support.selection import mostly_rest
from tests.support.stored_games import read_records
from tests.support.waiting import HANG_SECONDS

Captured = pytest.CaptureFixture[str]
STATIC = Path(__file__).parents[2] / "src" / "knobel" / "web" / "static"


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("COLUMNS", "80")


@contextmanager
def converse(
    edition: str, lang: str = "en", *, real_dice: bool = False, text: str | None = None, bots: int = 0
) -> Iterator[Conversation]:
    """Sit down with Ann and Ben, or with Ann and bots; what is typed is run line by line."""
    people: list[Sit | SitBot] = [Sit("Ann", False, real_dice), Sit("Ben", False, real_dice)]
    seats = [people[0], *(SitBot("random", f"Bot {number}") for number in range(bots))] if bots else people
    found = load_edition(edition)
    wanted = ChangeSettings(edition, found.choose_text(text, None), start="first")
    with open_host(None) as (runner, host):
        client = open_room(runner, host, wanted, seats, "seven")
        client.begin()
        prepare_bots(client.table, Translator("en"))
        yield build_conversation(client, Translator(lang, found))


def build_conversation(client: RoomClient, words: Translator) -> Conversation:
    family = FAMILIES[client.table.game.rules.family]
    return Conversation(client, words, InputLines(iter(())), family.display(client.table, words), family.commands)


def type_lines(conversation: Conversation, capsys: Captured, *lines: str) -> str:
    """Type lines, and give what was said, on one line."""
    capsys.readouterr()
    for line in lines:
        conversation.run_line(line)
    return " ".join(capsys.readouterr().out.split())


# Words.


@pytest.mark.parametrize("line", ["r", "t", "roll", "ROLL", "throw", "“roll”", " Throw "])
def test_dice_are_rolled_by_every_word_for_it(line: str, capsys: Captured) -> None:
    with converse("tactic-xl-yatzy") as talk:
        assert "Ann, roll 1 of 3: 6 6 2 1 2." in type_lines(talk, capsys, line)


@pytest.mark.parametrize("line", ["k 6 6", "k66", "k 66", "keep 6 6", "keep 66", "hold 6,6", "6 6", "66", "K66"])
def test_dice_are_kept_in_every_way_to_say_it(line: str, capsys: Captured) -> None:
    with converse("tactic-xl-yatzy") as talk:
        said = type_lines(talk, capsys, "r", line)
        assert "Kept: 6 6. Type r to roll 3 dice." in said
        assert "roll 2 of 3: 6 6" in type_lines(talk, capsys, "r")


@pytest.mark.parametrize("line", ["r 6 6", "r66", "roll 6 6", "throw 66"])
def test_keeping_and_rolling_are_one_line(line: str, capsys: Captured) -> None:
    with converse("tactic-xl-yatzy") as talk:
        assert "roll 2 of 3: 6 6" in type_lines(talk, capsys, "r", line)


@pytest.mark.parametrize(
    "line", ["s chance", "s cha", "score chance", "put chance", "chance", "CHANCE", "ch", "take chan"]
)
def test_dice_are_scored_in_every_way_to_name_the_box(line: str, capsys: Captured) -> None:
    with converse("tactic-xl-yatzy") as talk:
        assert "Ann scores 17 in Chance." in type_lines(talk, capsys, "r", line)


@pytest.mark.parametrize(
    ("typed", "box"),
    [
        ("s full", "full_house"),
        ("fh", "full_house"),
        ("s f h", "full_house"),
        ("s sm str", "small_straight"),
        ("s big", "large_straight"),
        ("s toak", "three_of_a_kind"),
        ("s four kind", "four_of_a_kind"),
        ("s full_house", "full_house"),
        ("s 2p", "two_pairs"),
    ],
)
def test_a_box_may_be_shortened_where_only_one_is_meant(typed: str, box: str, capsys: Captured) -> None:
    with converse("tactic-xl-yatzy") as talk:
        said = type_lines(talk, capsys, "r", typed, typed)
        assert f"in {talk.words.name_box(box)}." in said


def test_a_name_that_several_boxes_have_is_asked_back(capsys: Captured) -> None:
    with converse("tactic-xl-yatzy") as talk:
        said = type_lines(talk, capsys, "r", "s f")
        assert "“f” could be any of these boxes: Fours, Fives, Four of a Kind, Full House." in said
        assert "Ann scores" not in type_lines(talk, capsys, "s t")


def test_of_several_boxes_the_only_open_one_is_meant(capsys: Captured) -> None:
    with converse("tactic-xl-yatzy", bots=1) as talk:
        said = type_lines(talk, capsys, "r", "s sm", "s sm")
        assert "scores 0 in Small Straight" in said
        talk.client.wait_for_others()
        while not talk.is_own_turn:
            talk.client.wait_for_others()
        assert "in Big Straight." in type_lines(talk, capsys, "r", "s straight", "s straight")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_words_of_a_language_and_english_ones_name_every_command_once(lang: str) -> None:
    words = Translator(lang)
    for family in FAMILIES.values():
        by_name: dict[str, set[object]] = {}
        for command in family.commands.commands:
            for name in command.list_names(words):
                by_name.setdefault(name, set()).add(command.run)
        assert {name for name, runs in by_name.items() if len(runs) > 1} == set()
    assert set(list_words(Translator("en"), "roll")) <= set(list_words(words, "roll"))


# Near misses.


@pytest.mark.parametrize(
    ("line", "nearest"),
    [("rol", "roll"), ("rolll", "roll"), ("kep 6 6", "keep"), ("scoer chance", "chance"), ("ful hose", "full house")],
)
def test_a_near_miss_gets_a_suggestion(line: str, nearest: str, capsys: Captured) -> None:
    with converse("tactic-xl-yatzy") as talk:
        assert f"“{line}” isn’t a move here. Did you mean {nearest}?" in type_lines(talk, capsys, "r", line)


def test_what_is_like_nothing_is_answered_with_help(capsys: Captured) -> None:
    with converse("tactic-xl-yatzy") as talk:
        assert type_lines(talk, capsys, "zzyzx") == "“zzyzx” isn’t a move here. Type ? to see what you can do."


# Help for now.


def list_help(conversation: Conversation, capsys: Captured) -> set[str]:
    """List how the commands that help lists are typed."""
    capsys.readouterr()
    conversation.run_line("?")
    return set(re.findall(r"^  (\S.*?)  +\S", capsys.readouterr().out, re.MULTILINE))


LOOKING = {"p", "leave", "q"}


def test_help_lists_only_what_helps_now(capsys: Captured) -> None:
    with converse("tactic-xl-yatzy") as talk:
        assert list_help(talk, capsys) == {"r", *LOOKING}
        type_lines(talk, capsys, "r")
        assert list_help(talk, capsys) == {"r", "k 6 6", "s BOX", "x BOX", "o", *LOOKING}
        type_lines(talk, capsys, "r", "r")
        assert list_help(talk, capsys) == {"s BOX", "x BOX", "o", *LOOKING}
        type_lines(talk, capsys, "s chance")
        assert list_help(talk, capsys) == {"r", "undo", *LOOKING}


def test_help_where_a_box_is_announced(capsys: Captured) -> None:
    with converse("tactic-xl-yatzy", text="da") as talk:
        assert list_help(talk, capsys) == {"a BOX", *LOOKING}
        assert "Ann announces Chance." in type_lines(talk, capsys, "chance")
        assert list_help(talk, capsys) == {"r", "undo", *LOOKING}


def test_help_of_real_dice(capsys: Captured) -> None:
    with converse("mb-yahtzee", real_dice=True) as talk:
        assert list_help(talk, capsys) == {"d 3 3 5 5 5", "33555", "e BOX 18", "~ BOX 18", *LOOKING}
        type_lines(talk, capsys, "d 33555")
        assert list_help(talk, capsys) == {"k 6 6", "s BOX", "x BOX", "d 3 3 5 5 5", "~ BOX 18", "o", *LOOKING}
        type_lines(talk, capsys, "fh")
        assert {"c BOX 18", "c BOX BOX", "undo"} <= list_help(talk, capsys)


def test_help_of_a_game_of_rounds(capsys: Captured) -> None:
    with converse("carlit-chicago") as talk:
        assert list_help(talk, capsys) == {"r", *LOOKING}
        type_lines(talk, capsys, "r")
        assert list_help(talk, capsys) == {"r", "k 6 6", "s over", "s under", "o", *LOOKING}
        assert "stands on" in type_lines(talk, capsys, "s ov")
        assert list_help(talk, capsys) >= {"r", "undo"}


@pytest.mark.parametrize(
    ("edition", "real_dice"), [("carlit-chicago", True), ("mb-yahtzee", True), ("carlit-chicago", False)]
)
def test_no_sentence_names_a_command_that_does_not_exist_here(edition: str, real_dice: bool, capsys: Captured) -> None:
    """Whatever is typed, “type x” in an answer names something that can be typed in this game."""
    with converse(edition, real_dice=real_dice) as talk:
        talk.display.say_turn()
        said = capsys.readouterr().out
        rolled = "d 1 4 3" if edition.endswith("chicago") else "d 3 3 5 5 5"
        for line in ("zzz", "s", rolled if real_dice else "r", "k 3", "k", "r", "o", "e", "w", "s over", "c", "?"):
            talk.run_line(line)
            said += capsys.readouterr().out
        names = {name for command in talk.commands.commands for name in command.list_names(talk.words)}
        typed = set(re.findall(r"\b[Tt]ype (\S+?)[ .,]", said))
        assert typed
        assert typed - names - {"it", "the"} == set()
        assert ("e, a box" in said) == (edition == "mb-yahtzee")
        if real_dice:
            assert "Type r" not in said


# Zeros.


def test_striking_where_nothing_scores_is_not_called_a_loss(capsys: Captured) -> None:
    with converse("mb-yahtzee", real_dice=True) as talk:
        for box in [box.id for box in load_edition("mb-yahtzee").rules().boxes][:-1]:
            for _ in ("Ann", "Ben"):
                points = {"full_house": 25, "small_straight": 30, "large_straight": 40, "yatzy": 50}.get(box, 0)
                type_lines(talk, capsys, f"e {box} {points}")
        (last,) = talk.state.column.open_boxes
        name = load_edition("mb-yahtzee").rules().boxes[last].id
        assert name == "chance"
        assert "although" in type_lines(talk, capsys, "d 11234", "x chance")
    with converse("tactic-xl-yatzy") as talk:
        said = type_lines(talk, capsys, "r", "x yatzy")
        assert "although these dice could score points" in said


@pytest.mark.parametrize("line", ["x yatzy", "strike yatzy", "cross out yatzy", "s yatzy"])
def test_the_only_open_box_is_struck_without_a_question(line: str, capsys: Captured) -> None:
    boxes = [box.id for box in load_edition("philos-yatzi").rules().boxes]
    with converse("philos-yatzi", real_dice=True) as talk:
        for box in boxes:
            if box != "yatzy":
                assert "scores" in type_lines(talk, capsys, f"~ {box} 0")
                assert "scores" in type_lines(talk, capsys, f"~ {box} 0")
        said = type_lines(talk, capsys, "d 1 2 3 4 6", line)
        assert "although" not in said
        assert "Ann scores 0 in Yatzi." in said


# The opponent, and the end.


def test_the_usual_opponent_is_that_of_the_browser() -> None:
    (listed,) = re.findall(r'\[prefs\.get\("bot"\), (.*?)\]', (STATIC / "game-setup.js").read_text(encoding="utf-8"))
    order = [name.strip().strip('"') for name in listed.split(",")]
    for family, known in BOT_FAMILIES.items():
        assert find_usual_bot(family) == next(bot for bot in order if bot in known.kinds)
        assert known.kinds[find_usual_bot(family)].extra != SOLVER


TWO_DICE = Path(__file__).parents[2] / "examples" / "house-rules" / "two-dice.toml"
GAME = ["r", "twins", "r", "neighbours", "r", "odd", "r", "even", "r", "chance", ""]


def run_on_a_pipe(*words: str, typed: list[str]) -> str:
    """Play in a process of its own; everything must go well."""
    run = subprocess.run(
        [sys.executable, "-m", "knobel", *words],
        input="".join(f"{line}\n" for line in typed),
        capture_output=True,
        encoding="utf-8",
        timeout=HANG_SECONDS,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


@pytest.mark.process
def test_at_the_end_a_review_and_another_game_are_offered() -> None:
    typed = [*GAME, "reveiw", "review", "again", *GAME, ""]
    said = run_on_a_pipe("play", str(TWO_DICE), "--player", "Ann", "--lang", "en", typed=typed)
    flat = " ".join(said.split())
    assert flat.count("Type review to see what your moves cost, again for another game, or press Enter") == 4
    assert "Did you mean review?" in flat
    assert "Your level" in flat
    assert said.count("1. Ann:") == 2
    assert sorted(map(is_closed, read_records())) == [True, True]


@pytest.mark.process
def test_bots_among_themselves_are_offered_nothing() -> None:
    said = run_on_a_pipe("play", str(TWO_DICE), "--player", "bot:random", "--lang", "en", typed=[])
    assert "Type review" not in said


# Whole sessions on a pipe, and nonsense.


def write_session(edition: str) -> list[str]:
    """Write a session that ends every game, whatever the rules forbid: what cannot be done is refused and skipped."""
    rules = load_edition(edition).rules()
    boxes = [box.id for box in getattr(rules, "boxes", ())]
    if not boxes:
        return ["roll", "s over", "stand"] * 300
    tries = [line for box in boxes for line in (f"score {box}", f"score {box}")]
    return ["roll", *([*(f"announce {box}" for box in boxes), "roll", *tries, ""] * len(boxes))]


@pytest.mark.process
@pytest.mark.parametrize("edition", mostly_rest(edition_ids(), "noris-yatzy", "carlit-chicago"))
def test_every_edition_is_played_on_a_pipe(edition: str) -> None:
    typed = write_session(edition)
    run_on_a_pipe("play", edition, "--plain", "--player", "Ann", "--player", "bot:greedy", "--seed", "7", typed=typed)
    (record,) = read_records()
    assert is_closed(record)


PIECES = [
    *("r", "k", "s", "x", "a", "d", "e", "c", "~", "o", "p", "u", "?"),
    *("roll", "keep", "score", "undo", "stand", "leave", "over", "under", "full", "house", "chance", "six", "one"),
    *("of", "a", "kind", "1", "66", "33555", "143:2", "20+100", "5*", "-1", "99", "=", ":"),
    *("+", "“", "²", "½", "ß", "İ", "'", "_", "-"),
]
NONSENSE = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from([*PIECES, "\x00", "\u202e", "\t"]), max_size=6).flatmap(
        lambda parts: st.sampled_from([" ".join(parts), "".join(parts)])
    ),
)
TABLES = [
    ("mb-yahtzee", False, None),
    ("mb-yahtzee", True, None),
    ("tactic-xl-yatzy", False, "da"),
    ("carlit-chicago", False, None),
    ("carlit-chicago", True, None),
]
LINES = 20


def type_nonsense(examples: int, capsys: Captured) -> None:
    """Type lines of nonsense at every kind of table in every language; a line may be refused, but never raises."""

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(st.sampled_from(TABLES), st.sampled_from(LANGUAGES), st.lists(NONSENSE, min_size=LINES, max_size=LINES))
    def check(table: tuple[str, bool, str | None], lang: str, lines: list[str]) -> None:
        edition, real_dice, text = table
        with converse(edition, lang, real_dice=real_dice, text=text) as talk:
            for line in lines:
                if talk.state.seat is None:
                    break
                try:
                    talk.run_line(line)
                except Quit:
                    continue
        capsys.readouterr()

    check()


def test_nonsense_never_raises(capsys: Captured) -> None:
    type_nonsense(10, capsys)


@pytest.mark.rest
@pytest.mark.solve
def test_ten_thousand_lines_of_nonsense_never_raise(capsys: Captured) -> None:
    type_nonsense(10_000 // LINES, capsys)
