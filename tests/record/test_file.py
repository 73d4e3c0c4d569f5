"""Records: the committed ones replay for ever, damaged ones are refused with the reason, saving is all or nothing.

A record in `tests/records` was made once and is never made again; `totals.json` beside it says how it ended. They were
written by `knobel play EDITION --player bot:greedy --player bot:random --seed EDITION --save EDITION.knobel`, but for
`everything.knobel`, which was typed: real dice, an undone entry, points without dice, a crossed-out box, a beginner, a
seat left. Those are of format 1. The ones of format 2 are in `tests/records/format-2`, games of
`tests/support/played_tables.py`; `pad.knobel` is its `pad()`: dice shown, points alone, entries played anyway,
corrections, and beside them our dice and a bot. `tests/records/format-3` has the same games with the keys, and so the
hashes, of format 3; `lots.knobel` and `roll-off.knobel` came later.
"""

import errno
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from knobel import fair
from knobel.cli import main
from knobel.errors import (
    FileError,
    FileMissing,
    FileTooLarge,
    FileUnreadable,
    FileUnwritable,
    KnobelError,
    NotRegularFile,
    RecordChainBroken,
    RecordDigestMismatch,
    RecordError,
    RecordFormatUnknown,
    RecordIllegalEvent,
    RecordLineInvalid,
    RecordRulesInvalid,
    RecordTruncated,
)
from knobel.game import Roll
from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator
from knobel.record.events import (
    Acted,
    Assisted,
    Away,
    Back,
    Closed,
    Corrected,
    Drawn,
    EditionInfo,
    Event,
    Landed,
    Record,
    Revealed,
    Seat,
    StandIn,
    StartedWithout,
    Undone,
)
from knobel.record.file import MAX_BYTES, load_record, parse_record, save_record
from knobel.record.formats import FORMAT, FORMATS
from knobel.record.replay import replay_record
from knobel.record.verify import verify
from knobel.rules import load_edition
from tests.support.house_rules import EXAMPLES, describe_error
from tests.support.independent_verifier import find_wrong_line
from tests.support.played_tables import encode_record, is_closed, open_table
from tests.support.record_forger import RecordForger, add_digest, encode_compact, split_lines
from tests.support.rulesets import SHEETS
from tests.support.selection import mostly_rest
from tests.support.waiting import HANG_SECONDS

FOLDER = Path(__file__).parents[1] / "records"
TOTALS: dict[str, dict[str, Any]] = json.loads((FOLDER / "totals.json").read_text(encoding="utf-8"))
FILES = sorted(path.name for path in FOLDER.glob("*.knobel"))
CHAINED_FOLDERS = {number: FOLDER / f"format-{number}" for number in (2, 3)}
CHAINED_TOTALS: dict[Path, dict[str, Any]] = {
    folder / name: totals
    for folder in CHAINED_FOLDERS.values()
    for name, totals in json.loads((folder / "totals.json").read_text(encoding="utf-8")).items()
}
CHAINED = sorted(path for folder in CHAINED_FOLDERS.values() for path in folder.glob("*.knobel"))
NEW = CHAINED_FOLDERS[FORMAT]
CONTENT = (FOLDER / "mb-yahtzee.knobel").read_bytes()
EVERYTHING = (FOLDER / "everything.knobel").read_bytes()
LIVELY = (NEW / "lively.knobel").read_bytes()
OLD_LIVELY = (CHAINED_FOLDERS[2] / "lively.knobel").read_bytes()
FILE = "game.knobel"
TWO_DICE = str(EXAMPLES / "two-dice.toml")
FIRST = {number: form.first_event_line for number, form in FORMATS.items()}


def convert_to_all_formats(content: bytes) -> dict[int, bytes]:
    """Give a game of format 1 in every format."""
    record = parse_record(content, FILE)
    return {
        1: content,
        **{n: encode_record(Record(replace(record.header, knobel=n), record.events)) for n in CHAINED_FOLDERS},
    }


AGAIN, EVERYTHING_AGAIN = convert_to_all_formats(CONTENT), convert_to_all_formats(EVERYTHING)


@pytest.fixture(params=sorted(FORMATS), ids=lambda form: f"format {form}")
def form(request: pytest.FixtureRequest) -> int:
    """Take each format in turn."""
    return int(request.param)


newest_format_first = pytest.mark.parametrize(
    "form", mostly_rest(sorted(FORMATS), FORMAT), indirect=True, ids=lambda form: f"format {form}"
)
"""Leaves the older formats to `make test-rest`."""


@pytest.fixture
def forger(form: int) -> RecordForger:
    """Take the same game apart, from a record of each format."""
    return RecordForger(AGAIN[form])


def forge(change: Callable[[dict[str, Any]], object], event: int = 0, content: bytes = CONTENT) -> bytes:
    """Change one event of a record, or its header, and seal it again."""
    forger = RecordForger(content)
    change(forger.events[event - 1] if event else forger.header)
    return forger.content


def assert_refused(error: type[KnobelError], content: bytes) -> KnobelError:
    """Insist that a record is refused with exactly this error, in one line that names the file."""
    with pytest.raises(KnobelError) as caught:
        replay_record(parse_record(content, FILE), FILE)
    assert type(caught.value) is error
    assert describe_error(caught.value).startswith(FILE)
    return caught.value


# For ever.


@pytest.mark.parametrize("name", FILES)
def test_a_committed_record_replays_for_ever(name: str) -> None:
    record = load_record(FOLDER / name)
    replay = replay_record(record, name)
    outcome = replay.game.outcome(replay.state)
    assert outcome is not None
    assert is_closed(record)
    assert TOTALS[name] == {
        "totals": list(outcome.totals),
        "places": [list(place) for place in outcome.places],
        "events": len(record.events),
    }


def test_every_record_has_its_totals_and_every_edition_its_record() -> None:
    assert sorted(TOTALS) == FILES
    assert {load_record(FOLDER / name).header.edition.id for name in FILES} >= set(SHEETS)
    assert {load_record(FOLDER / name).header.text for name in FILES} >= {"da"}


@pytest.mark.parametrize("path", CHAINED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_committed_record_with_a_chain_replays_for_ever_and_is_verified_by_us_and_by_a_stranger(path: Path) -> None:
    content = path.read_bytes()
    record, verdict = parse_record(content, path.name), verify(content, path.name)
    replay = replay_record(record, path.name)
    assert replay.closed is not None
    assert verdict.is_verified
    assert verdict.header.knobel == int(path.parent.name.removeprefix("format-"))
    assert find_wrong_line(content) == 0
    outcome = replay.outcome
    assert CHAINED_TOTALS[path] == {
        "totals": list(outcome.totals) if outcome else None,
        "places": [list(place) for place in outcome.places] if outcome else None,
        "why": replay.closed.why,
        "events": len(record.events),
        "throws": verdict.rolls,
        "head": verdict.head,
    }


@pytest.mark.parametrize("path", CHAINED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_record_with_a_chain_is_shown_with_everybodys_total(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(path), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    if CHAINED_TOTALS[path]["totals"] and "boxes" in load_record(path).header.rules:
        assert [player["total"] for player in shown["players"]] == CHAINED_TOTALS[path]["totals"]
    assert main(["replay", str(path)]) == 0
    assert ("corrected" in capsys.readouterr().out) == (path.name == "pad.knobel")


@pytest.mark.parametrize("number", CHAINED_FOLDERS)
def test_every_record_with_a_chain_has_its_totals(number: int) -> None:
    assert sorted(CHAINED_TOTALS) == CHAINED
    headers = [load_record(path).header for path in CHAINED if path.parent == CHAINED_FOLDERS[number]]
    assert {header.knobel for header in headers} == {number}
    assert {header.free for header in headers} == {True, False}
    assert {header.rules.get("game", "sheet") for header in headers} == {"sheet", "rounds"}
    assert (
        {bool(header.dice.seed) for header in headers}
        == {bool(header.dice.seals) for header in headers}
        == {True, False}
    )


@pytest.mark.parametrize("number", CHAINED_FOLDERS)
def test_the_records_with_a_chain_hold_every_kind_of_event(number: int) -> None:
    events = [event for path in CHAINED_FOLDERS[number].glob("*.knobel") for event in load_record(path).events]
    assert {type(event) for event in events} == set(Event.__args__) - ({Drawn} if number < 3 else set())
    people = {Revealed, StartedWithout, Drawn, Away, StandIn, Back, Assisted}
    assert {Acted, Landed, Undone, Corrected, Closed} | people == set(Event.__args__)
    texts = [event.action for event in events if isinstance(event, Acted)]
    assert {mark for mark in "=~" if any(text.startswith(mark) for text in texts)} == {"=", "~"}
    assert {event.why for event in events if isinstance(event, Closed)} == {"over", "stopped", "expired"}
    assert {event.real for event in events if isinstance(event, Landed)} == {True, False}


@pytest.mark.parametrize("name", sorted(path.name for path in CHAINED_FOLDERS[2].glob("*.knobel")))
def test_a_game_is_the_same_in_formats_2_and_3_but_for_its_keys_and_hashes(name: str) -> None:
    old, new = (load_record(folder / name) for folder in CHAINED_FOLDERS.values())
    assert new == Record(replace(old.header, knobel=3), old.events)
    lines, others = (split_lines((folder / name).read_bytes()) for folder in CHAINED_FOLDERS.values())
    assert list(map(with_new_keys, lines)) == list(map(strip_hash, others))


def with_new_keys(line: bytes) -> bytes:
    """Give a line of format 2 with the keys of format 3, without its hash."""
    for old, new in ((b"throw", b"roll"), (b"own", b"real"), (b"own_dice", b"real_dice")):
        line = line.replace(b'"%s":' % old, b'"%s":' % new)
    return strip_hash(line.replace(b'"knobel":2', b'"knobel":3'))


def strip_hash(line: bytes) -> bytes:
    return re.sub(rb'^{"after":"[0-9a-f]{64}"', b"", line)


@pytest.mark.parametrize("number", sorted(FORMATS))
def test_the_keys_of_one_format_are_unknown_in_another(number: int) -> None:
    old = number < 3
    landing = next(n for n, event in enumerate(RecordForger(AGAIN[number]).events, 1) if event["event"] == "landed")
    for pair in (("throw", "roll"), ("own", "real")):
        forger = RecordForger(AGAIN[number])
        mine, foreign = pair if old else pair[::-1]
        forger.events[landing - 1][foreign] = forger.events[landing - 1].pop(mine)
        assert assert_refused(RecordLineInvalid, forger.content).values["line"] == landing + FIRST[number] - 1
    seat = "real_dice" if old else "own_dice"
    change = forge(lambda header: header["seats"][0].update({seat: True}), content=AGAIN[number])
    assert assert_refused(RecordLineInvalid, change).values["line"] == 1


def test_the_records_hold_every_kind_of_event() -> None:
    events = [event for name in FILES for event in load_record(FOLDER / name).events]
    assert {type(event) for event in events} == {Acted, Landed, Undone, Closed}
    shapes = {shape for event in events if isinstance(event, Acted) for shape in "./!=" if shape in event.action}
    assert shapes == {".", "/", "!", "="}
    assert any(isinstance(event, Acted) and event.action.startswith("leave") for event in events)
    assert {event.real for event in events if isinstance(event, Landed)} == {True, False}


@pytest.mark.parametrize("path", CHAINED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_record_is_written_again_byte_by_byte(path: Path) -> None:
    content = path.read_bytes()
    assert encode_record(parse_record(content, path.name)) == content


@pytest.mark.parametrize("name", FILES)
def test_a_record_of_format_1_is_written_again_in_the_newest_and_is_the_same_game(name: str) -> None:
    old = load_record(FOLDER / name)
    new = parse_record(encode_record(old), name)
    assert new == Record(replace(old.header, knobel=FORMAT), old.events)
    assert (replay_record(new).state, replay_record(new).outcome) == (
        replay_record(old).state,
        replay_record(old).outcome,
    )
    assert encode_record(new) == encode_record(old)


@pytest.mark.parametrize(
    "path", [FOLDER / name for name in FILES] + CHAINED, ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_a_record_is_of_its_format_and_ends_with_the_digest_of_all_before(path: Path) -> None:
    *before, digest, nothing = path.read_bytes().split(b"\n")
    body = b"".join(line + b"\n" for line in before)
    assert json.loads(before[0])["knobel"] == int(path.parent.name.removeprefix("format-") if path in CHAINED else 1)
    assert json.loads(digest) == {"sha256": hashlib.sha256(body).hexdigest()}
    assert nothing == b""


@pytest.mark.parametrize("path", CHAINED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_event_of_a_record_carries_the_hash_of_the_line_before_it(path: Path) -> None:
    header, names, *links = split_lines(path.read_bytes())
    for before, line in zip([header, *links], links, strict=False):
        assert json.loads(line)["after"] == hashlib.sha256(before).hexdigest()
    seats = json.loads(header)["seats"]
    assert len(json.loads(names)["names"]) == len(seats)
    assert not any("name" in seat for seat in seats)


def test_a_name_can_be_forgotten_and_the_chain_still_holds() -> None:
    forger = RecordForger(LIVELY)
    before = verify(LIVELY, FILE).head
    forger.names["names"][0] = ""
    again = forger.content
    assert (verify(again, FILE).is_verified, verify(again, FILE).head) == (True, before)
    assert replay_record(parse_record(again, FILE)).state == replay_record(parse_record(LIVELY, FILE)).state


@pytest.mark.parametrize("name", FILES)
def test_the_dice_of_a_record_are_those_its_seeds_give(name: str) -> None:
    record = load_record(FOLDER / name)
    closed = record.events[-1]
    assert isinstance(closed, Closed)
    header, server = record.header, bytes.fromhex(closed.seeds.server)
    rules_hash = bytes.fromhex(header.fingerprint)
    assert fair.commit_server_seed(header.game, rules_hash, server).hex() == header.dice.commitment
    key = fair.derive_dice_key(header.game, rules_hash, server, [bytes.fromhex(seed) for seed in closed.seeds.clients])
    for event in record.events:
        if isinstance(event, Landed) and not event.real:
            values = fair.roll(key, event.seat, event.turn, event.roll, 8, event.faces)
            assert event.dice == tuple(values[place] for place in event.positions)


def test_a_record_outlives_its_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knobel.rules.find_edition_files", dict)
    record = load_record(FOLDER / "kniffel.knobel")
    assert replay_record(record).state.seat is None
    assert Translator("de", rebuild_edition(record.header)).name_box("yatzy") == "Kniffel"


# Torn and edited.


@pytest.mark.parametrize("content", [CONTENT, OLD_LIVELY, LIVELY], ids=["format 1", "format 2", "format 3"])
def test_a_file_torn_anywhere_is_refused(content: bytes) -> None:
    ends = [place for place, byte in enumerate(content) if byte == ord("\n")]
    near = {end + off for end in ends for off in (0, 1)} - {len(content)}
    for cut in sorted({*range(0, len(content), 61), *range(len(content) - 90, len(content)), *near}):
        assert_refused(RecordTruncated, content[:cut])
        with pytest.raises(RecordTruncated):
            verify(content[:cut], FILE)


@pytest.mark.parametrize("content", [CONTENT, EVERYTHING, OLD_LIVELY, LIVELY])
def test_two_hundred_bit_flips_are_all_noticed(content: bytes) -> None:
    random = Random(200)
    for _ in range(200):
        place, flip = random.randrange(len(content)), 1 << random.randrange(8)
        damaged = bytearray(content)
        damaged[place] ^= flip
        with pytest.raises((RecordTruncated, RecordDigestMismatch)) as caught:
            parse_record(bytes(damaged), FILE)
        assert describe_error(caught.value).startswith(FILE)


def test_bytes_changed_left_out_or_put_in_are_noticed() -> None:
    random = Random(7)
    for _ in range(100):
        place = random.randrange(len(CONTENT))
        before, after = CONTENT[:place], CONTENT[place:]
        other = bytes([random.randrange(256)])
        for damaged in (before + after[1:], before + other + after, before + other + after[1:]):
            if damaged != CONTENT:
                with pytest.raises((RecordTruncated, RecordDigestMismatch)):
                    parse_record(damaged, FILE)


def test_every_bit_of_the_digest_matters() -> None:
    start = CONTENT.rindex(b"\n", 0, -1) + 1
    for place in range(start, len(CONTENT)):
        for bit in range(8):
            damaged = bytearray(CONTENT)
            damaged[place] ^= 1 << bit
            with pytest.raises((RecordTruncated, RecordDigestMismatch)):
                parse_record(bytes(damaged), FILE)


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
    with pytest.raises((RecordTruncated, RecordDigestMismatch)) as caught:
        parse_record(content, FILE)
    assert describe_error(caught.value).startswith(FILE)


def test_a_digest_alone_is_no_record() -> None:
    assert_refused(RecordTruncated, add_digest([]))


# Forged: the digest fits, the game does not.


@pytest.mark.solve
@newest_format_first
def test_swapped_lines_are_illegal_and_the_line_is_named(forger: RecordForger) -> None:
    events = forger.events
    for place in range(len(events) - 1):
        swapped = [*events[:place], events[place + 1], events[place], *events[place + 2 :]]
        error = assert_refused(RecordIllegalEvent, forger.encode(swapped))
        assert error.values["line"] in (place + forger.begin, place + forger.begin + 1)


@pytest.mark.solve
@newest_format_first
def test_a_line_left_out_or_doubled_is_illegal_and_the_line_is_named(forger: RecordForger) -> None:
    events = forger.events
    for place in range(len(events) - 1):
        without = assert_refused(RecordIllegalEvent, forger.encode([*events[:place], *events[place + 1 :]]))
        assert without.values["line"] in (place + forger.begin, place + forger.begin + 1)
        doubled = assert_refused(RecordIllegalEvent, forger.encode([*events[: place + 1], *events[place:]]))
        assert doubled.values["line"] == place + forger.begin + 1


def test_without_a_new_chain_the_line_after_a_forgery_is_named() -> None:
    lines = split_lines(LIVELY)
    for place in range(2, len(lines) - 1):
        link = json.loads(lines[place])
        link["event"] = {"event": "away", "seat": 7}
        changed = [*lines[:place], encode_compact(link), *lines[place + 1 :]]
        assert assert_refused(RecordChainBroken, add_digest(changed)).values["line"] == place + 2
        swapped = [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]
        assert assert_refused(RecordChainBroken, add_digest(swapped)).values["line"] == place + 1
        without = [*lines[:place], *lines[place + 1 :]]
        assert assert_refused(RecordChainBroken, add_digest(without)).values["line"] == place + 1
        doubled = [*lines[: place + 1], *lines[place:]]
        assert assert_refused(RecordChainBroken, add_digest(doubled)).values["line"] == place + 2


def test_a_changed_header_breaks_the_chain_at_the_first_event() -> None:
    header, *rest = split_lines(LIVELY)
    form = json.loads(header)
    form["dice"]["commitment"] = "0" * 64
    assert assert_refused(RecordChainBroken, add_digest([encode_compact(form), *rest])).values["line"] == 3


@pytest.mark.parametrize(
    "names", [[], ["A"], ["A", "B", "C", "D"], None, "ABC", [1, 2, 3], ["x" * 81, "", ""]], ids=repr
)
def test_names_that_are_none_or_of_others_are_refused(names: object) -> None:
    forger = RecordForger(LIVELY)
    forger.names["names"] = names
    assert assert_refused(RecordLineInvalid, forger.content).values["line"] == 2


def test_a_record_with_a_chain_needs_its_names() -> None:
    header, _, *rest = split_lines(LIVELY)
    assert assert_refused(RecordLineInvalid, add_digest([header, *rest])).values["line"] == 2
    assert assert_refused(RecordLineInvalid, add_digest([header])).values["line"] == 2


def test_nothing_comes_after_the_end(forger: RecordForger) -> None:
    events = forger.events
    for more in (events[0], events[1], {"event": "undone", "number": 1}, {"event": "away", "seat": 0}, events[-1]):
        error = assert_refused(RecordIllegalEvent, forger.encode([*events, more]))
        assert error.values["line"] == len(events) + forger.begin


@pytest.mark.parametrize("change", [{"seat": 1}, {"turn": 1}, {"roll": 1}, {"faces": 5}, {"positions": [0, 1, 2, 3]}])
def test_dice_that_fell_elsewhere_are_illegal(change: dict[str, object], form: int) -> None:
    if form < 3:
        change = {"throw" if key == "roll" else key: value for key, value in change.items()}
    error = assert_refused(RecordIllegalEvent, forge(lambda event: event.update(change), 2, AGAIN[form]))
    assert (error.values["line"], reason(error)) == (FIRST[form] + 1, "wrong_fall")


@pytest.mark.parametrize(("dice", "why"), [([1, 2, 3, 4], "land_count"), ([1, 2, 3, 4, 7], "land_face")])
def test_dice_that_cannot_be_are_illegal(dice: list[int], why: str, form: int) -> None:
    error = assert_refused(RecordIllegalEvent, forge(lambda event: event.update(dice=dice), 2, AGAIN[form]))
    assert (error.values["line"], reason(error)) == (FIRST[form] + 1, why)


def reason(error: KnobelError) -> str:
    return error.values["why"].key.split(".")[-1]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "action", ["", "....", "6....", "eights", ">12345", "!ones", "stand", "leave 9", "ones=9", "…"]
)
def test_an_action_that_is_none_is_illegal(action: str, form: int) -> None:
    error = assert_refused(RecordIllegalEvent, forge(lambda event: event.update(action=action), 1, AGAIN[form]))
    assert error.values["line"] == FIRST[form]


@pytest.mark.parametrize(("seat", "why"), [(1, "not_your_turn"), (2, "no_seat"), (255, "no_seat")])
def test_an_action_of_another_seat_is_illegal(seat: int, why: str, form: int) -> None:
    error = assert_refused(RecordIllegalEvent, forge(lambda event: event.update(seat=seat), 1, AGAIN[form]))
    assert (error.values["line"], reason(error)) == (FIRST[form], why)


@pytest.mark.parametrize("number", [0, 4, 6, 99])
def test_what_was_not_the_last_entry_cannot_have_been_undone(number: int, form: int) -> None:
    content = EVERYTHING_AGAIN[form]
    error = assert_refused(RecordIllegalEvent, forge(lambda event: event.update(number=number), 6, content))
    assert (error.values["line"], reason(error)) == (FIRST[form] + 5, "no_undo")


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
def test_a_line_that_is_no_event_is_named(change: dict[str, object], form: int) -> None:
    error = assert_refused(RecordLineInvalid, forge(lambda event: event.update(change), 1, AGAIN[form]))
    assert error.values["line"] == FIRST[form]


@pytest.mark.parametrize("line", [b"", b" ", b"{", b"null", b"[]", b"5", b'"\xff"', b'{"event":"acted"}', b"[" * 5000])
def test_a_line_that_is_nothing_is_named(line: bytes, form: int) -> None:
    lines = split_lines(AGAIN[form])
    error = assert_refused(RecordLineInvalid, add_digest([*lines[:4], line, *lines[4:]]))
    assert error.values["line"] == 5


def test_a_line_with_a_key_twice_is_named(form: int) -> None:
    """Readers don't agree on which value counts, so a verifier could see other dice than another."""
    lines = split_lines(AGAIN[form])
    place = next(number for number, line in enumerate(lines) if b'"dice":' in line and number > 1)
    doubled = lines[place].replace(b'"dice":', b'"dice":[6,6],"dice":')
    error = assert_refused(RecordLineInvalid, add_digest([*lines[:place], doubled, *lines[place + 1 :]]))
    assert error.values["line"] == place + 1


# The header.


@pytest.mark.parametrize("version", [0, 4, 99, -1, 10**30])
def test_a_newer_format_is_refused_by_its_number(version: int) -> None:
    error = assert_refused(RecordFormatUnknown, forge(lambda header: header.update(knobel=version)))
    assert (error.values["version"], error.values["known"]) == (version, 3)


def test_a_newer_format_is_known_by_its_number_alone() -> None:
    error = assert_refused(RecordFormatUnknown, add_digest([b'{"knobel":4,"something":"else"}', b'{"event":"sung"}']))
    assert error.values["version"] == 4


def test_one_format_is_not_taken_for_the_other() -> None:
    assert assert_refused(RecordLineInvalid, forge(lambda header: header.update(knobel=2))).values["line"] == 2
    assert assert_refused(RecordLineInvalid, forge(lambda header: header.update(knobel=3))).values["line"] == 1
    for content in (OLD_LIVELY, LIVELY):
        forgery = forge(lambda header: header.update(knobel=1), content=content)
        assert assert_refused(RecordLineInvalid, forgery).values["line"] == 2
    new = (NEW / "real.knobel").read_bytes()
    assert (
        assert_refused(RecordLineInvalid, forge(lambda header: header.update(knobel=2), content=new)).values["line"]
        == 1
    )


@pytest.mark.parametrize("version", [True, "1", 1.5, None, [1]])
def test_a_format_that_is_no_number_is_no_header(version: object) -> None:
    error = assert_refused(RecordLineInvalid, forge(lambda header: header.update(knobel=version)))
    assert error.values["line"] == 1


def test_a_format_with_a_number_of_five_thousand_digits_is_refused_in_one_line() -> None:
    lines = split_lines(CONTENT)
    with pytest.raises(RecordError) as caught:
        parse_record(add_digest([b'{"knobel":' + b"9" * 5000 + b"}", *lines[1:]]), FILE)
    assert describe_error(caught.value).startswith(FILE)


@pytest.mark.parametrize("fingerprint", ["", "0" * 64, "nothing like one"])
def test_a_wrong_fingerprint_is_refused(fingerprint: str, form: int) -> None:
    assert_refused(
        RecordRulesInvalid, forge(lambda header: header.update(fingerprint=fingerprint), content=AGAIN[form])
    )


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
def test_rules_that_were_changed_or_are_none_are_refused(change: dict[str, object], form: int) -> None:
    assert_refused(RecordRulesInvalid, forge(lambda header: header["rules"].update(change), content=AGAIN[form]))


@pytest.mark.parametrize(
    "key", ["game", "edition", "text", "fingerprint", "seats", "dice", "evening", "rules", "practice"]
)
def test_a_header_without_its_parts_is_none(key: str, form: int) -> None:
    error = assert_refused(RecordLineInvalid, forge(lambda header: header.pop(key), content=AGAIN[form]))
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
    error = assert_refused(RecordLineInvalid, forge(lambda header: header.update(change)))
    assert error.values["line"] == 1


def test_a_first_seat_that_is_not_there_is_refused() -> None:
    assert_refused(RecordRulesInvalid, forge(lambda header: header.update(first=2)))


def test_players_outside_the_limits_are_refused_unless_it_is_practice() -> None:
    content = (FOLDER / "philos-yatzi.knobel").read_bytes()
    assert_refused(RecordRulesInvalid, forge(lambda header: header.update(seats=header["seats"][:1]), content=content))


def test_whatever_is_forged_is_a_game_or_a_record_error() -> None:
    random = Random(11)
    for content in (CONTENT, EVERYTHING, OLD_LIVELY, LIVELY):
        lines = split_lines(content)
        for _ in range(250):
            place = 0 if random.random() < 0.5 else random.randrange(len(lines))
            line = bytearray(lines[place])
            for _ in range(random.randint(1, 3)):
                line[random.randrange(len(line))] = random.choice(b'0123456789abcxyz{}[]",:.-\\\xff\x00 ')
            assert game_or_error(rebuild_chain([*lines[:place], bytes(line), *lines[place + 1 :]]))


def rebuild_chain(lines: list[bytes]) -> bytes:
    """Put lines together with a digest that fits, and a chain where there was one, as a careful forger would."""
    found, head = lines[:2], hashlib.sha256(lines[0]).hexdigest().encode()
    for line in lines[2:]:
        found.append(re.sub(rb'(?<=^{"after":")[0-9a-f]{64}', head, line))
        head = hashlib.sha256(found[-1]).hexdigest().encode()
    return add_digest(found)


def game_or_error(content: bytes) -> bool:
    try:
        record = parse_record(content, FILE)
        replay_record(record, FILE)
        rebuild_edition(record.header)
    except RecordError as error:
        return describe_error(error).startswith(FILE)
    return True


# Files that are none.


def test_a_file_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileMissing):
        load_record(tmp_path / FILE)


def test_a_folder_is_no_record(tmp_path: Path) -> None:
    with pytest.raises(NotRegularFile):
        load_record(tmp_path)


@pytest.mark.process
def test_a_pipe_is_no_record_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.knobel")
    line = [sys.executable, "-m", "knobel", "replay", str(tmp_path / "pipe.knobel"), "--lang", "en"]
    run = subprocess.run(line, capture_output=True, text=True, timeout=HANG_SECONDS, check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.splitlines() == ["pipe.knobel: this isn’t a file."]


def test_a_huge_file_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / FILE
    with path.open("wb") as file:
        file.truncate(64 * 1024**3)
    with pytest.raises(FileTooLarge) as caught:
        load_record(path)
    assert caught.value.values["limit"] == MAX_BYTES
    path.unlink()


def test_a_file_we_may_not_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / FILE).write_bytes(CONTENT)
    monkeypatch.setattr(Path, "open", failing(errno.EACCES))
    with pytest.raises(FileUnreadable):
        load_record(tmp_path / FILE)


@pytest.mark.parametrize("name", ["x" * 300, "a\x1b[31m.knobel", "no\nsuch.knobel"])
def test_a_strange_name_is_said_in_one_line(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        load_record(tmp_path / name)
    assert describe_error(caught.value)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def failing(code: int) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    return fail


# Saving.

RECORD = parse_record(EVERYTHING, FILE)
OTHER = AGAIN[FORMAT]


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "folder" / FILE
    save_record(LIVELY, path)
    assert path.read_bytes() == LIVELY
    assert load_record(path) == parse_record(LIVELY, FILE)
    assert names_in(path.parent) == [FILE]


@pytest.mark.parametrize("step", ["os.replace", "os.fsync"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
def test_a_failed_save_leaves_the_old_file_and_nothing_else(
    step: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_record(OTHER, tmp_path / FILE)
    with monkeypatch.context() as patch:
        patch.setattr(step, failing(code))
        with pytest.raises(FileUnwritable) as caught:
            save_record(LIVELY, tmp_path / FILE)
    assert describe_error(caught.value).startswith(FILE)
    assert (tmp_path / FILE).read_bytes() == OTHER
    assert names_in(tmp_path) == [FILE]


def test_an_interrupted_save_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    save_record(OTHER, tmp_path / FILE)
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            save_record(LIVELY, tmp_path / FILE)
    assert (tmp_path / FILE).read_bytes() == OTHER
    assert names_in(tmp_path) == [FILE]


FULL_DISK = """
import resource, sys
from pathlib import Path
from knobel.record.file import save_record
from knobel.errors import FileUnwritable
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
content, path = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
try:
    save_record(content, path)
except FileUnwritable:
    print("refused")
"""


def test_a_disk_that_is_really_full_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    save_record(OTHER, tmp_path / FILE)
    line = [sys.executable, "-c", FULL_DISK, str(NEW / "lively.knobel"), str(tmp_path / FILE)]
    run = subprocess.run(line, capture_output=True, text=True, timeout=HANG_SECONDS, check=False)
    assert (run.stdout, run.stderr, run.returncode) == ("refused\n", "", 0)
    assert (tmp_path / FILE).read_bytes() == OTHER
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
    save_record(LIVELY, tmp_path / FILE)
    assert done == ["sync", "move", "sync"]


@pytest.mark.parametrize("name", ["plain/game.knobel", "x" * 300, ".", "/", "..", "folder", "plain/deeper/game.knobel"])
def test_where_nothing_can_be_saved_it_is_said(name: str, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("a file")
    (tmp_path / "folder").mkdir()
    place = Path(name) if name in (".", "/") else tmp_path / name
    with pytest.raises(FileUnwritable) as caught:
        save_record(LIVELY, place)
    assert describe_error(caught.value)
    assert names_in(tmp_path) == ["folder", "plain"]


# House rules with names of their own.


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_a_house_rule_with_its_names_comes_back(path: Path, tmp_path: Path) -> None:
    edition = load_edition(str(path))
    people = tuple(Seat(name) for name in ("Zoë", "Łukasz", "Наталя"))
    table = open_table(str(path), people, typed="house", first=0)
    rules = edition.rules()
    table.apply(table.decide(0, Roll()))
    save_record(encode_record(table.record), tmp_path / FILE)
    again = load_record(tmp_path / FILE)
    assert again == table.record
    assert again.header.rules == json.loads(json.dumps(rules.as_dict))
    assert replay_record(again).state == table.state
    for lang in ("en", "de", "sv", "fr"):
        said, spoken = Translator(lang, edition), Translator(lang, rebuild_edition(again.header))
        assert [spoken.name_box(box.id) for box in rules.boxes] == [said.name_box(box.id) for box in rules.boxes]


@pytest.mark.parametrize("long", ["title", "id", "name", "seed"])
def test_whatever_can_be_played_can_be_read_again(long: str, tmp_path: Path) -> None:
    marks = "a" + "\N{COMBINING ACUTE ACCENT}\N{COMBINING DOT BELOW}" * 60
    title = marks if long == "title" else "House"
    names = f'names = {{ en = "{marks if long == "name" else "Sum"}" }}'
    path = tmp_path / f"{'h' * (100 if long == 'id' else 5)}.toml"
    box = f'boxes.sum = {{ pattern = "sum", counts = "all", {names} }}'
    path.write_text(f'title = "{title}"\ndice = 2\nfaces = 6\nrolls = 1\n{box}\n', encoding="utf-8")
    try:
        table = open_table(str(path), (Seat("Zoë"),), typed="s" * 100 if long == "seed" else "s")
    except KnobelError:
        return
    save_record(encode_record(table.record), tmp_path / FILE)
    assert load_record(tmp_path / FILE).header == table.header


# Unfinished ones.


def test_an_unfinished_record_holds_no_seeds_and_stands_where_it_stood() -> None:
    table = open_table(TWO_DICE, (Seat("A"), Seat("Bot", "greedy")), sealed=())
    for _ in range(2):
        table.apply(table.decide(0, Roll()))
        content = encode_record(table.record)
        assert table.server_seed.encode() not in content
        assert (is_closed(parse_record(content, FILE)), replay_record(parse_record(content, FILE)).state) == (
            False,
            table.state,
        )


def test_an_unfinished_record_of_format_1_is_still_read_with_its_seeds_but_written_without() -> None:
    table = open_table(TWO_DICE, (Seat("A"),), sealed=())
    table.apply(table.decide(0, Roll()))
    old = RecordForger(encode_record(table.record))
    old.form = old.header["knobel"] = 1
    old.header["seats"] = [{"name": "A", "bot": None, "beginner": False, "own_dice": False}]
    for event in old.events:
        if event["event"] == "landed":
            event["throw"], event["own"] = event.pop("roll"), event.pop("real")
    old.header["dice"]["secret"] = {"server": table.server_seed, "clients": []}
    record = parse_record(old.content, FILE)
    assert replay_record(record).state == table.state
    assert table.server_seed.encode() not in encode_record(record)


@pytest.mark.parametrize("seeds", [{"server": "no hex"}, {"server": "ab"}, {"server": "", "clients": ["zz"]}], ids=str)
def test_seeds_that_are_none_are_refused(seeds: dict[str, object], form: int) -> None:
    content = AGAIN[form]
    assert_refused(RecordLineInvalid, forge(lambda header: header["dice"].update(secret=seeds), content=content))
    assert_refused(
        RecordLineInvalid, forge(lambda event: event.update(seeds=seeds), len(RecordForger(content).events), content)
    )


@pytest.mark.parametrize("totals", [[[1]], [[1, 2, 3]], [[1, 2], []], [[1, 2], [3, 4], [5, 6]]], ids=str)
def test_totals_of_other_seats_are_refused(totals: list[list[int]], form: int) -> None:
    evening = {"games": 3, "number": len(totals) + 1, "totals": totals}
    content = forge(lambda header: header["evening"].update(evening), content=AGAIN[form])
    assert assert_refused(RecordLineInvalid, content).values["line"] == 1


@pytest.mark.parametrize("change", [{"text": "klingon"}, {"switches": {"luck": "7"}}, {"switches": {"order": "up"}}])
def test_a_switch_or_a_text_nobody_knows_any_more_does_not_end_a_record(change: dict[str, object], form: int) -> None:
    record = parse_record(forge(lambda header: header.update(change), content=AGAIN[form]), FILE)
    assert replay_record(record).outcome == replay_record(parse_record(CONTENT, FILE)).outcome
    assert Translator("de", rebuild_edition(record.header)).name_box("yatzy")


def test_a_record_is_plain_and_frozen() -> None:
    assert isinstance(RECORD, Record)
    assert isinstance(RECORD.header.edition, EditionInfo)
    with pytest.raises(AttributeError):
        RECORD.header.game = "another"  # type: ignore[misc]
    assert msgspec.json.decode(msgspec.json.encode(RECORD.header), type=type(RECORD.header)) == RECORD.header
