"""Records: the committed ones replay for ever, damaged ones are refused with the reason, saving is all or nothing.

A record in `tests/records` was made once and is never made again; `totals.json` beside it says how it ended. They were
written by `knobel play EDITION --player bot:greedy --player bot:random --seed EDITION --save EDITION.knobel`, but for
`everything.knobel`, which was typed: real dice, an entry taken back, noted points, a strike, a beginner, a seat left.
"""

import errno
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from knobel import fair
from knobel.errors import (
    FileError,
    FileKind,
    FileMissing,
    FileTooLarge,
    FileUnreadable,
    FileUnwritable,
    GameFinished,
    KnobelError,
    NothingToResume,
    RecordEdited,
    RecordError,
    RecordFormat,
    RecordIllegal,
    RecordLine,
    RecordRules,
    RecordTorn,
)
from knobel.game import CHANCE, Throw
from knobel.host import Agreed, agreed_again, bot_step, edition_of, keep, last_unfinished, open_table, resume
from knobel.lang import Words
from knobel.record.events import Acted, Box, Closed, Evening, Landed, Record, Seat, Undone
from knobel.record.file import FORMAT, MOST_BYTES, dump, load, parse, save
from knobel.record.replay import replayed
from knobel.rules import load as load_edition
from knobel.table import Table
from tests.house import EXAMPLES, sentence
from tests.rulesets import SHEETS

FOLDER = Path(__file__).parent / "records"
TOTALS: dict[str, dict[str, Any]] = json.loads((FOLDER / "totals.json").read_text(encoding="utf-8"))
FILES = sorted(path.name for path in FOLDER.glob("*.knobel"))
CONTENT = (FOLDER / "mb-yahtzee.knobel").read_bytes()
EVERYTHING = (FOLDER / "everything.knobel").read_bytes()
FILE = "game.knobel"


def sealed(lines: list[bytes]) -> bytes:
    """Put lines together with a digest that fits, as a careful forger would."""
    body = b"".join(line + b"\n" for line in lines)
    return body + b'{"sha256":"' + hashlib.sha256(body).hexdigest().encode() + b'"}\n'


def lines_of(content: bytes) -> list[bytes]:
    """Give the lines of a record without its digest."""
    return content.split(b"\n")[:-2]


def forged(change: Callable[[dict[str, Any]], object], line: int = 1, content: bytes = CONTENT) -> bytes:
    """Change one line of a record, and seal it again."""
    lines = lines_of(content)
    form = json.loads(lines[line - 1])
    change(form)
    lines[line - 1] = json.dumps(form, ensure_ascii=False, separators=(",", ":")).encode()
    return sealed(lines)


def refused(error: type[KnobelError], content: bytes) -> KnobelError:
    """Insist that a record is refused with exactly this error, in one line that names the file."""
    with pytest.raises(KnobelError) as caught:
        replayed(parse(content, FILE), FILE)
    assert type(caught.value) is error
    assert sentence(caught.value).startswith(FILE)
    return caught.value


# For ever.


@pytest.mark.parametrize("name", FILES)
def test_a_committed_record_replays_for_ever(name: str) -> None:
    record = load(FOLDER / name)
    replay = replayed(record, name)
    outcome = replay.game.outcome(replay.state)
    assert outcome is not None
    assert record.closed
    assert TOTALS[name] == {
        "totals": list(outcome.totals),
        "places": [list(place) for place in outcome.places],
        "events": len(record.events),
    }


def test_every_record_has_its_totals_and_every_edition_its_record() -> None:
    assert sorted(TOTALS) == FILES
    assert {load(FOLDER / name).header.edition.id for name in FILES} >= set(SHEETS)
    assert {load(FOLDER / name).header.text for name in FILES} >= {"da"}


def test_the_records_hold_every_kind_of_event() -> None:
    events = [event for name in FILES for event in load(FOLDER / name).events]
    assert {type(event) for event in events} == {Acted, Landed, Undone, Closed}
    shapes = {shape for event in events if isinstance(event, Acted) for shape in "./!=" if shape in event.action}
    assert shapes == {".", "/", "!", "="}
    assert any(isinstance(event, Acted) and event.action.startswith("leave") for event in events)
    assert {event.own for event in events if isinstance(event, Landed)} == {True, False}


@pytest.mark.parametrize("name", FILES)
def test_a_record_is_written_again_byte_by_byte(name: str) -> None:
    content = (FOLDER / name).read_bytes()
    assert dump(parse(content, name)) == content


@pytest.mark.parametrize("name", FILES)
def test_a_record_is_of_this_format_and_ends_with_the_digest_of_all_before(name: str) -> None:
    *before, digest, nothing = (FOLDER / name).read_bytes().split(b"\n")
    body = b"".join(line + b"\n" for line in before)
    assert json.loads(before[0])["knobel"] == FORMAT == 1
    assert json.loads(digest) == {"sha256": hashlib.sha256(body).hexdigest()}
    assert nothing == b""


@pytest.mark.parametrize("name", FILES)
def test_the_dice_of_a_record_are_those_its_seeds_give(name: str) -> None:
    record = load(FOLDER / name)
    closed = record.events[-1]
    assert isinstance(closed, Closed)
    header, server = record.header, bytes.fromhex(closed.seeds.server)
    rules_hash = bytes.fromhex(header.fingerprint)
    assert fair.commitment(header.game, rules_hash, server).hex() == header.dice.commitment
    key = fair.key(header.game, rules_hash, server, [bytes.fromhex(seed) for seed in closed.seeds.clients])
    for event in record.events:
        if isinstance(event, Landed) and not event.own:
            values = fair.throw(key, event.seat, event.turn, event.throw, 8, event.faces)
            assert event.dice == tuple(values[place] for place in event.positions)


def test_a_record_outlives_its_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knobel.rules.boxes", dict)
    record = load(FOLDER / "kniffel.knobel")
    assert replayed(record).state.seat is None
    assert Words("de", edition_of(record.header)).box("yatzy") == "Kniffel"


# Torn and edited.


def test_a_file_torn_anywhere_is_refused() -> None:
    ends = [place for place, byte in enumerate(CONTENT) if byte == ord("\n")]
    near = {end + off for end in ends for off in (0, 1)} - {len(CONTENT)}
    for cut in sorted({*range(0, len(CONTENT), 61), *range(len(CONTENT) - 90, len(CONTENT)), *near}):
        refused(RecordTorn, CONTENT[:cut])


@pytest.mark.parametrize("content", [CONTENT, EVERYTHING], ids=["mb-yahtzee", "everything"])
def test_two_hundred_bit_flips_are_all_noticed(content: bytes) -> None:
    random = Random(200)
    for _ in range(200):
        place, flip = random.randrange(len(content)), 1 << random.randrange(8)
        damaged = bytearray(content)
        damaged[place] ^= flip
        with pytest.raises((RecordTorn, RecordEdited)) as caught:
            parse(bytes(damaged), FILE)
        assert sentence(caught.value).startswith(FILE)


def test_bytes_changed_left_out_or_put_in_are_noticed() -> None:
    random = Random(7)
    for _ in range(100):
        place = random.randrange(len(CONTENT))
        before, after = CONTENT[:place], CONTENT[place:]
        other = bytes([random.randrange(256)])
        for damaged in (before + after[1:], before + other + after, before + other + after[1:]):
            if damaged != CONTENT:
                with pytest.raises((RecordTorn, RecordEdited)):
                    parse(damaged, FILE)


def test_every_bit_of_the_digest_matters() -> None:
    start = CONTENT.rindex(b"\n", 0, -1) + 1
    for place in range(start, len(CONTENT)):
        for bit in range(8):
            damaged = bytearray(CONTENT)
            damaged[place] ^= 1 << bit
            with pytest.raises((RecordTorn, RecordEdited)):
                parse(bytes(damaged), FILE)


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\n", b"\n\n", b"{}", b"{}\n", b"not a record at all\n", b"\x00" * 500, b"[" * 100_000, b"\xff\n"),
        *(CONTENT + b"\n", CONTENT + b"{}\n", CONTENT * 2, CONTENT.upper(), b"\xef\xbb\xbf" + CONTENT),
        CONTENT.replace(b"\n", b"\r\n"),
    ],
    ids=lambda content: repr(content[:12]) + f" {len(content)}",
)
def test_other_files_are_no_records(content: bytes) -> None:
    with pytest.raises((RecordTorn, RecordEdited)) as caught:
        parse(content, FILE)
    assert sentence(caught.value).startswith(FILE)


def test_a_digest_alone_is_no_record() -> None:
    refused(RecordTorn, sealed([]))


# Forged: the digest fits, the game does not.


def test_swapped_lines_are_illegal_and_the_line_is_named() -> None:
    lines = lines_of(CONTENT)
    for place in range(1, len(lines) - 1):
        swapped = [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]
        error = refused(RecordIllegal, sealed(swapped))
        assert error.values["line"] in (place + 1, place + 2)


def test_a_line_left_out_or_doubled_is_illegal_and_the_line_is_named() -> None:
    lines = lines_of(CONTENT)
    for place in range(1, len(lines) - 1):
        without = refused(RecordIllegal, sealed([*lines[:place], *lines[place + 1 :]]))
        assert without.values["line"] in (place + 1, place + 2)
        doubled = refused(RecordIllegal, sealed([*lines[: place + 1], *lines[place:]]))
        assert doubled.values["line"] == place + 2


def test_nothing_comes_after_the_end() -> None:
    lines = lines_of(CONTENT)
    for more in (lines[1], lines[2], b'{"event":"undone","number":1}', lines[-1]):
        error = refused(RecordIllegal, sealed([*lines, more]))
        assert error.values["line"] == len(lines) + 1


@pytest.mark.parametrize("change", [{"seat": 1}, {"turn": 1}, {"throw": 1}, {"faces": 5}, {"positions": [0, 1, 2, 3]}])
def test_dice_that_fell_elsewhere_are_illegal(change: dict[str, object]) -> None:
    error = refused(RecordIllegal, forged(lambda event: event.update(change), line=3))
    assert (error.values["line"], reason(error)) == (3, "wrong_fall")


@pytest.mark.parametrize(("dice", "why"), [([1, 2, 3, 4], "land_count"), ([1, 2, 3, 4, 7], "land_face")])
def test_dice_that_cannot_be_are_illegal(dice: list[int], why: str) -> None:
    error = refused(RecordIllegal, forged(lambda event: event.update(dice=dice), line=3))
    assert (error.values["line"], reason(error)) == (3, why)


def reason(error: KnobelError) -> str:
    return error.values["why"].key.split(".")[-1]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "action", ["", "....", "6....", "eights", ">12345", "!ones", "stand", "leave 9", "ones=9", "…"]
)
def test_an_action_that_is_none_is_illegal(action: str) -> None:
    error = refused(RecordIllegal, forged(lambda event: event.update(action=action), line=2))
    assert error.values["line"] == 2


def test_an_action_of_another_seat_is_illegal() -> None:
    error = refused(RecordIllegal, forged(lambda event: event.update(seat=1), line=2))
    assert (error.values["line"], reason(error)) == (2, "not_your_turn")


@pytest.mark.parametrize("number", [0, 4, 6, 99])
def test_what_was_not_the_last_entry_cannot_have_been_taken_back(number: int) -> None:
    error = refused(RecordIllegal, forged(lambda event: event.update(number=number), 7, EVERYTHING))
    assert (error.values["line"], reason(error)) == (7, "no_undo")


@pytest.mark.parametrize(
    "change",
    [
        {"event": "cheated"},
        {"event": None},
        {"seat": -1},
        {"seat": 256},
        {"seat": "0"},
        {"seat": None},
        {"action": 5},
        {"action": "x" * 81},
        {"luck": 7},
    ],
    ids=str,
)
def test_a_line_that_is_no_event_is_named(change: dict[str, object]) -> None:
    error = refused(RecordLine, forged(lambda event: event.update(change), line=2))
    assert error.values["line"] == 2


@pytest.mark.parametrize("line", [b"", b" ", b"{", b"null", b"[]", b"5", b'"\xff"', b'{"event":"acted"}', b"[" * 5000])
def test_a_line_that_is_nothing_is_named(line: bytes) -> None:
    lines = lines_of(CONTENT)
    error = refused(RecordLine, sealed([*lines[:4], line, *lines[4:]]))
    assert error.values["line"] == 5


# The header.


@pytest.mark.parametrize("version", [0, 2, 99, -1, 10**30])
def test_a_newer_format_is_refused_by_its_number(version: int) -> None:
    error = refused(RecordFormat, forged(lambda header: header.update(knobel=version)))
    assert (error.values["version"], error.values["known"]) == (version, 1)


def test_a_newer_format_is_known_by_its_number_alone() -> None:
    error = refused(RecordFormat, sealed([b'{"knobel":2,"something":"else"}', b'{"event":"sung"}']))
    assert error.values["version"] == 2


@pytest.mark.parametrize("version", [True, "1", 1.5, None, [1]])
def test_a_format_that_is_no_number_is_no_header(version: object) -> None:
    error = refused(RecordLine, forged(lambda header: header.update(knobel=version)))
    assert error.values["line"] == 1


def test_a_format_with_a_number_of_five_thousand_digits_is_refused_in_one_line() -> None:
    lines = lines_of(CONTENT)
    with pytest.raises(RecordError) as caught:
        parse(sealed([b'{"knobel":' + b"9" * 5000 + b"}", *lines[1:]]), FILE)
    assert sentence(caught.value).startswith(FILE)


@pytest.mark.parametrize("fingerprint", ["", "0" * 64, "nothing like one"])
def test_a_wrong_fingerprint_is_refused(fingerprint: str) -> None:
    refused(RecordRules, forged(lambda header: header.update(fingerprint=fingerprint)))


@pytest.mark.parametrize(
    "change",
    [
        {"throws": 4},
        {"bonus": False},
        {"must_fit": True},
        {"dice": 0},
        {"dice": "five"},
        {"boxes": {}},
        {"boxes": None},
        {"order": "sideways"},
        {"players": {"least": 3}},
        {"luck": 7},
    ],
    ids=str,
)
def test_rules_that_were_changed_or_are_none_are_refused(change: dict[str, object]) -> None:
    refused(RecordRules, forged(lambda header: header["rules"].update(change)))


@pytest.mark.parametrize(
    "key", ["game", "edition", "text", "fingerprint", "seats", "dice", "evening", "rules", "practice"]
)
def test_a_header_without_its_parts_is_none(key: str) -> None:
    error = refused(RecordLine, forged(lambda header: header.pop(key)))
    assert error.values["line"] == 1


@pytest.mark.parametrize(
    "change",
    [
        {"seats": []},
        {"seats": [{"name": "x"}] * 100},
        {"seats": [{"name": "x", "clothes": "none"}]},
        {"first": -1},
        {"game": "x" * 81},
        {"luck": 7},
    ],
    ids=str,
)
def test_a_header_that_cannot_be_is_none(change: dict[str, object]) -> None:
    error = refused(RecordLine, forged(lambda header: header.update(change)))
    assert error.values["line"] == 1


def test_a_first_seat_that_is_not_there_is_refused() -> None:
    refused(RecordRules, forged(lambda header: header.update(first=2)))


def test_players_outside_the_limits_are_refused_unless_it_is_practice() -> None:
    content = (FOLDER / "philos-yatzi.knobel").read_bytes()
    refused(RecordRules, forged(lambda header: header.update(seats=header["seats"][:1]), content=content))


def test_whatever_is_forged_is_a_game_or_a_record_error() -> None:
    random = Random(11)
    for content in (CONTENT, EVERYTHING):
        lines = lines_of(content)
        for _ in range(250):
            place = 0 if random.random() < 0.5 else random.randrange(len(lines))
            line = bytearray(lines[place])
            for _ in range(random.randint(1, 3)):
                line[random.randrange(len(line))] = random.choice(b'0123456789abcxyz{}[]",:.-\\\xff\x00 ')
            assert game_or_error(sealed([*lines[:place], bytes(line), *lines[place + 1 :]]))


def game_or_error(content: bytes) -> bool:
    try:
        record = parse(content, FILE)
        replayed(record, FILE)
        edition_of(record.header)
    except RecordError as error:
        return sentence(error).startswith(FILE)
    return True


# Files that are none.


def test_a_file_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileMissing):
        load(tmp_path / FILE)


def test_a_folder_is_no_record(tmp_path: Path) -> None:
    with pytest.raises(FileKind):
        load(tmp_path)


def test_a_pipe_is_no_record_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.knobel")
    line = [sys.executable, "-m", "knobel", "replay", str(tmp_path / "pipe.knobel"), "--lang", "en"]
    run = subprocess.run(line, capture_output=True, text=True, timeout=30, check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.splitlines() == ["pipe.knobel: this is not a file."]


def test_a_huge_file_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / FILE
    with path.open("wb") as file:
        file.truncate(64 * 1024**3)
    with pytest.raises(FileTooLarge) as caught:
        load(path)
    assert caught.value.values["limit"] == MOST_BYTES
    path.unlink()


def test_a_file_we_may_not_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / FILE).write_bytes(CONTENT)
    monkeypatch.setattr(Path, "open", failing(errno.EACCES))
    with pytest.raises(FileUnreadable):
        load(tmp_path / FILE)


@pytest.mark.parametrize("name", ["x" * 300, "a\x1b[31m.knobel", "no\nsuch.knobel"])
def test_a_strange_name_is_said_in_one_line(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        load(tmp_path / name)
    assert sentence(caught.value)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def failing(code: int) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    return fail


# Saving.

RECORD = parse(EVERYTHING, FILE)
OLD = parse(CONTENT, FILE)


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "folder" / FILE
    save(RECORD, path)
    assert load(path) == RECORD
    assert names_in(path.parent) == [FILE]


@pytest.mark.parametrize("step", ["os.replace", "os.fsync"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
def test_a_failed_save_leaves_the_old_file_and_nothing_else(
    step: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(OLD, tmp_path / FILE)
    with monkeypatch.context() as patch:
        patch.setattr(step, failing(code))
        with pytest.raises(FileUnwritable) as caught:
            save(RECORD, tmp_path / FILE)
    assert sentence(caught.value).startswith(FILE)
    assert load(tmp_path / FILE) == OLD
    assert names_in(tmp_path) == [FILE]


def test_an_interrupted_save_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    save(OLD, tmp_path / FILE)
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            save(RECORD, tmp_path / FILE)
    assert load(tmp_path / FILE) == OLD
    assert names_in(tmp_path) == [FILE]


FULL_DISK = """
import resource, sys
from pathlib import Path
from knobel.record.file import load, save
from knobel.errors import FileUnwritable
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
record, path = load(Path(sys.argv[1])), Path(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
try:
    save(record, path)
except FileUnwritable:
    print("refused")
"""


def test_a_disk_that_is_really_full_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    save(OLD, tmp_path / FILE)
    line = [sys.executable, "-c", FULL_DISK, str(FOLDER / "everything.knobel"), str(tmp_path / FILE)]
    run = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert (run.stdout, run.stderr, run.returncode) == ("refused\n", "", 0)
    assert load(tmp_path / FILE) == OLD
    assert names_in(tmp_path) == [FILE]


def test_a_save_is_on_disk_before_it_takes_the_place_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def noted(name: str, step: Callable[..., object]) -> Callable[..., object]:
        def do(*given: object) -> object:
            done.append(name)
            return step(*given)

        return do

    monkeypatch.setattr("os.fsync", noted("sync", os.fsync))
    monkeypatch.setattr("os.replace", noted("move", os.replace))
    save(RECORD, tmp_path / FILE)
    assert done == ["sync", "move", "sync"]


@pytest.mark.parametrize("name", ["plain/game.knobel", "x" * 300, ".", "/", "..", "folder", "plain/deeper/game.knobel"])
def test_where_nothing_can_be_saved_it_is_said(name: str, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("a file")
    (tmp_path / "folder").mkdir()
    place = Path(name) if name in (".", "/") else tmp_path / name
    with pytest.raises(FileUnwritable) as caught:
        save(RECORD, place)
    assert sentence(caught.value)
    assert names_in(tmp_path) == ["folder", "plain"]


# House rules with names of their own.


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_a_house_rule_with_its_names_comes_back(path: Path, tmp_path: Path) -> None:
    edition = load_edition(str(path))
    people = tuple(Seat(name) for name in ("Zoë", "Łukasz", "Наталя"))
    table = open_table(Agreed(edition, edition.default_text, {}, people, seed="house"), first=0)
    rules = edition.rules()
    table.apply(table.decide(0, Throw()))
    save(table.record, tmp_path / FILE)
    again = load(tmp_path / FILE)
    assert again == table.record
    assert again.header.rules == json.loads(json.dumps(rules.form))
    assert replayed(again).state == table.state
    for lang in ("en", "de", "sv", "fr"):
        said, spoken = Words(lang, edition), Words(lang, edition_of(again.header))
        assert [spoken.box(box.id) for box in rules.boxes] == [said.box(box.id) for box in rules.boxes]


@pytest.mark.parametrize("long", ["title", "id", "name", "seed"])
def test_whatever_can_be_played_can_be_read_again(long: str, tmp_path: Path) -> None:
    marks = "a" + "\N{COMBINING ACUTE ACCENT}\N{COMBINING DOT BELOW}" * 60
    title = marks if long == "title" else "House"
    names = f'names = {{ en = "{marks if long == "name" else "Sum"}" }}'
    path = tmp_path / f"{'h' * (100 if long == 'id' else 5)}.toml"
    box = f'boxes.sum = {{ pattern = "sum", counts = "all", {names} }}'
    path.write_text(f'title = "{title}"\ndice = 2\nfaces = 6\nthrows = 1\n{box}\n', encoding="utf-8")
    try:
        edition = load_edition(str(path))
        seed = "s" * 100 if long == "seed" else "s"
        table = open_table(Agreed(edition, edition.default_text, {}, (Seat("Zoë"),), seed=seed))
    except KnobelError:
        return
    keep(table, tmp_path / FILE)
    assert load(tmp_path / FILE).header.edition == table.header.edition


# Going on with a record.


def begun(path: Path, seats: tuple[Seat, ...] = (Seat("A"), Seat("Bot", "greedy")), games: int = 1) -> Table:
    """Begin a game of two dice and keep it."""
    edition = load_edition(str(EXAMPLES / "two-dice.toml"))
    table = open_table(Agreed(edition, "en", {}, seats, games, seed="go on"), Evening(games, 1))
    table.apply(table.decide(0, Throw()))
    keep(table, path)
    return table


def test_an_unfinished_game_goes_on_where_it_stood(tmp_path: Path) -> None:
    table = begun(tmp_path / FILE)
    again, place = resume(tmp_path / FILE)
    assert (again.record, again.state, place) == (table.record, table.state, tmp_path / FILE)
    assert again.decide(0, Throw()) == table.decide(0, Throw())
    assert again.header.dice.secret is None


def test_seeds_are_in_the_file_only_while_the_game_goes_on(tmp_path: Path) -> None:
    table = begun(tmp_path / FILE, (Seat("Bot", "greedy"),))
    secret = load(tmp_path / FILE).header.dice.secret
    assert secret == table.seeds
    random = Random(1)
    while table.state.seat is not None:
        bot_step(table, random)
    table.apply(table.close())
    keep(table, tmp_path / FILE)
    record = load(tmp_path / FILE)
    assert record.header.dice.secret is None
    assert record.events[-1] == Closed(table.seeds)
    with pytest.raises(GameFinished):
        resume(tmp_path / FILE)


def test_what_was_agreed_is_found_in_the_record(tmp_path: Path) -> None:
    begun(tmp_path / FILE, games=3)
    agreed = agreed_again(resume(tmp_path / FILE)[0].header)
    assert (agreed.games, agreed.seed, agreed.text) == (3, "go on", "en")
    rules = load_edition(str(EXAMPLES / "two-dice.toml")).rules()
    assert agreed.edition.rules(agreed.text, agreed.switches).fingerprint == rules.fingerprint


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty home for games."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    games = tmp_path / "knobel" / "games"
    games.mkdir(parents=True)
    return games


def test_without_an_unfinished_game_there_is_nothing_to_go_on_with(home: Path) -> None:
    with pytest.raises(NothingToResume):
        resume()
    (home / "done.knobel").write_bytes(CONTENT)
    with pytest.raises(NothingToResume):
        resume()


def test_the_game_kept_last_goes_on_first(home: Path) -> None:
    for age, name in ((30, "old"), (10, "new"), (20, "middle")):
        begun(home / f"{name}.knobel")
        os.utime(home / f"{name}.knobel", (1e9 - age, 1e9 - age))
    (home / "finished.knobel").write_bytes(CONTENT)
    assert last_unfinished() == home / "new.knobel"


@pytest.mark.parametrize("kind", ["torn", "edited", "folder", "huge", "dangling", "pipe"])
def test_what_lies_about_there_does_not_stop_it(kind: str, home: Path) -> None:
    begun(home / "game.knobel")
    os.utime(home / "game.knobel", (1e9, 1e9))
    strange = home / "strange.knobel"
    match kind:
        case "torn":
            strange.write_bytes(CONTENT[:500])
        case "edited":
            strange.write_bytes(CONTENT.replace(b"greedy", b"perfect"))
        case "folder":
            strange.mkdir()
        case "huge":
            strange.write_bytes(b"x" * (MOST_BYTES + 1))
        case "dangling":
            strange.symlink_to(home / "nowhere")
        case "pipe":
            os.mkfifo(strange)
    assert resume()[1] == home / "game.knobel"


def changed(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Forge the header of a kept game."""
    path.write_bytes(forged(change, content=path.read_bytes()))


@pytest.mark.parametrize("seeds", [{"server": "no hex"}, {"server": "ab"}, {"server": "", "clients": ["zz"]}], ids=str)
def test_seeds_that_are_none_are_refused(seeds: dict[str, object], tmp_path: Path) -> None:
    begun(tmp_path / FILE)
    changed(tmp_path / FILE, lambda header: header["dice"].update(secret=seeds))
    with pytest.raises(RecordError):
        resume(tmp_path / FILE)


@pytest.mark.parametrize("totals", [[[1]], [[1, 2, 3]], [[1, 2], []]], ids=str)
def test_totals_of_other_seats_are_refused(totals: list[list[int]], tmp_path: Path) -> None:
    begun(tmp_path / FILE, games=3)
    changed(tmp_path / FILE, lambda header: header["evening"].update(number=len(totals) + 1, totals=totals))
    with pytest.raises(RecordError):
        resume(tmp_path / FILE)


@pytest.mark.parametrize("change", [{"text": "klingon"}, {"switches": {"luck": "7"}}, {"switches": {"order": "up"}}])
def test_a_switch_or_a_text_nobody_knows_any_more_does_not_end_the_evening(
    change: dict[str, object], tmp_path: Path
) -> None:
    begun(tmp_path / FILE, games=2)
    changed(tmp_path / FILE, lambda header: header.update(change))
    agreed = agreed_again(resume(tmp_path / FILE)[0].header)
    table = open_table(agreed, Evening(2, 2, ((1, 2),), 0), 1)
    assert table.game.rules == load_edition(str(EXAMPLES / "two-dice.toml")).rules()


def test_an_illegal_game_is_refused_by_the_name_of_its_file(tmp_path: Path) -> None:
    begun(tmp_path / FILE)
    lines = lines_of((tmp_path / FILE).read_bytes())
    (tmp_path / FILE).write_bytes(sealed([*lines, lines[2]]))
    with pytest.raises(RecordIllegal) as caught:
        resume(tmp_path / FILE)
    assert sentence(caught.value).startswith(FILE)


@pytest.mark.parametrize("seat", [Seat("A"), Seat("Bot", "greedy")], ids=["person", "bot"])
def test_dice_that_were_still_in_the_air_fall_when_the_game_goes_on(seat: Seat, tmp_path: Path) -> None:
    table = begun(tmp_path / FILE, (seat,))
    in_the_air = Table(table.header, table.seeds, (table.events[0],))
    assert in_the_air.state.seat == CHANCE
    keep(in_the_air, tmp_path / FILE)
    assert resume(tmp_path / FILE)[0].state == table.state


def test_real_dice_in_the_air_are_still_awaited(tmp_path: Path) -> None:
    begun(tmp_path / FILE, (Seat("A", own_dice=True),))
    assert resume(tmp_path / FILE)[0].state.seat == CHANCE


def test_names_are_cleaned_before_they_are_said(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31mb.knobel"
    path.write_bytes(CONTENT)
    with pytest.raises(GameFinished) as caught:
        resume(path)
    assert sentence(caught.value)


def test_a_record_is_plain_and_frozen() -> None:
    assert isinstance(RECORD, Record)
    assert isinstance(RECORD.header.edition, Box)
    with pytest.raises(AttributeError):
        RECORD.header.game = "another"  # type: ignore[misc]
    assert msgspec.json.decode(msgspec.json.encode(RECORD.header), type=type(RECORD.header)) == RECORD.header
