"""Checking the dice in the browser: its verdict is that of `knobel verify`, and its page says so to everybody."""

import base64
import hashlib
import hmac
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from knobel import fair
from knobel.errors import KnobelError
from knobel.phrase import Phrase
from knobel.record.events import Seat
from knobel.record.verify import verify
from knobel.table import Table
from tests.browser.test_play import SHORT
from tests.record.test_verify import (
    FILE,
    FOLDER,
    FORGERIES,
    GAMES,
    LOT_FORGERIES,
    content_of,
    flip_bit,
    other,
)
from tests.support.browser import OpenScreen, Screen, Server, open_screen
from tests.support.independent_verifier import find_wrong_line
from tests.support.played_tables import apply_actions, encode_table, open_table, play_moves, reveal_seeds
from tests.support.record_forger import RecordForger, add_digest, split_lines
from tests.support.selection import rest

RECORDS = sorted(FOLDER.rglob("*.knobel"))
LANDED = ["two dice", "free two dice", "rounds", "real dice", "lively", "without one", "seeded", "stopped", "expired"]
SAME = {
    "errors.record_torn": "torn",
    "errors.record_format": "version",
    "errors.record_scheme": "scheme",
    "errors.record_unfinished": "unfinished",
    "errors.record_line": "line",
    "errors.record_rules": "rules",
    "errors.record_seal": "seal",
    "errors.record_seeded": "seeded",
    "errors.record_chain": "chain",
    "errors.record_dice": "dice",
    "errors.record_lot": "lot",
    "errors.record_promise": "promise",
    "errors.record_edited": "digest",
    "rules.refusal.seed_wrong": "seed",
    "rules.refusal.seed_late": "late",
    "rules.refusal.seeds": "pending",
    "rules.refusal.lot_first": "lots",
    "rules.refusal.no_lot": "lots",
    "rules.refusal.no_seat": "seat",
    "rules.refusal.not_real_dice": "noted",
}
"""What both name, by the key of the one and the word of the other; other reasons are of rules the page has none of."""
FIGURES = {
    "rolls": "rolls",
    "realRolls": "real_rolls",
    "entriesWithoutDice": "entries_without_dice",
    "againstRules": "against_rules",
    "correctedTurns": "corrected_turns",
    "seeds": "seeds",
    "without": "without_seed",
    "isSeeded": "is_seeded",
    "drawn": "drawn",
}
"""What both count, by the name of the page and that of `verify`."""
ASK = """async (records) => {
  const { verifyRecord } = await import("/static/verify.js");
  return records.map((record) => {
    const found = verifyRecord(Uint8Array.from(atob(record), (one) => one.charCodeAt(0)));
    return { ...found, header: null, landings: null, seeds: found.shown.size, without: found.without.length };
  });
}"""
CALL = (
    "async ([file, name, sets]) => { const one = (await import(file))[name]; return sets.map((set) => one(...set)); }"
)
BYTES = """async ([name, sets]) => {
  const all = await import("/static/sha256.js");
  return sets.map((set) => all.toHex(all[name](...set.map((one) => new Uint8Array(one)))));
}"""


@pytest.fixture(scope="module")
def bench(browser: Browser, server: Server) -> Iterator[Page]:
    """A page of the server on which its modules are tried."""
    one = open_screen(browser)
    one.page.goto(f"{server.url}/check/")
    one.wait_for("knobel-check label")
    yield one.page
    one.page.context.close()
    one.check_problems()


# The same verdict.


def by_page(bench: Page, contents: list[bytes]) -> list[dict[str, Any]]:
    """Ask the page about records."""
    found: list[dict[str, Any]] = bench.evaluate(ASK, [base64.b64encode(content).decode() for content in contents])
    return found


def by_python(content: bytes) -> tuple[str | None, int | None]:
    """Ask `verify`: the key of what is wrong, and its line where it names one."""
    try:
        verdict = verify(content, FILE)
    except KnobelError as error:
        return error.phrase.key, None
    if verdict.why is None:
        return None, None
    why = verdict.why.values.get("why") if verdict.why.key == "errors.record_illegal" else verdict.why
    assert isinstance(why, Phrase)
    return why.key, verdict.line


def compare_verdicts(bench: Page, contents: list[bytes]) -> Counter[str]:
    """Insist that both say the same of every record, and count what they say; what is legality alone counts as such."""
    said: Counter[str] = Counter()
    for content, found in zip(contents, by_page(bench, contents), strict=True):
        key, line = by_python(content)
        if key is None:
            assert found["verified"], found
            same(content, found)
            said["verified"] += 1
        elif key in SAME:
            assert (found["why"], found["verified"]) == (SAME[key], False), (key, line, found)
            assert line is None or found["line"] == line, (key, line, found)
            said[found["why"]] += 1
        else:
            assert key.startswith(("rules.refusal.", "errors.notation")), key
            assert line is not None
            assert found["line"] is None or found["line"] >= line, (key, line, found)
            if found["verified"]:
                assert find_wrong_line(content) == 0
            said["legality, seen" if found["line"] == line else "legality"] += 1
    return said


def same(content: bytes, found: dict[str, Any]) -> None:
    """Insist on the same figures."""
    verdict = verify(content, FILE)
    for figure, name in FIGURES.items():
        assert found[figure] == getattr(verdict, name), figure
    assert verdict.head in (None, found["head"])
    begin = 2 if verdict.head else 1
    events = [json.loads(line) for line in split_lines(content)[begin:]]
    landed = [
        one for one in (event.get("event", event) if verdict.head else event for event in events) if "dice" in one
    ]
    assert found["events"] == len(events)
    assert found["dice"] == sum(len(one["dice"]) for one in landed if not one.get("real", one.get("own")))


@pytest.mark.rest
def test_every_record_kept_and_every_kind_of_game_is_verified_with_the_same_figures(bench: Page) -> None:
    contents = [path.read_bytes() for path in RECORDS] + [content_of(name) for name in GAMES]
    assert compare_verdicts(bench, contents) == {"verified": len(RECORDS) + len(GAMES)}
    assert {json.loads(content.split(b"\n")[0])["knobel"] for content in contents} == {1, 2, 3}


def test_a_game_that_goes_on_is_called_so(bench: Page) -> None:
    contents = []
    for moves in (0, 1, 9):
        table = open_table()
        if moves:
            reveal_seeds(table, "mb-yahtzee")
            play_moves(table, Random(moves), most=moves)
        contents.append(encode_table(table))
    assert compare_verdicts(bench, contents) == {"unfinished": 3}


@pytest.mark.rest
def test_bits_flipped_anywhere_are_named_at_the_same_line(bench: Page) -> None:
    contents = []
    for name in ("two dice", "free two dice", "rounds", "without one", "seeded", "stopped"):
        content, random = content_of(name), Random(f"flip {name}")
        whole = range(len(split_lines(content)))
        contents += [flip_bit(content, random) for _ in range(10)]
        contents += [add_digest(split_lines(flip_bit(content, random, whole))) for _ in range(10)]
    for path in (FOLDER / "everything.knobel", FOLDER / "kniffel.knobel"):
        random = Random(path.stem)
        contents += [flip_bit(path.read_bytes(), random) for _ in range(10)]
    said = compare_verdicts(bench, contents)
    assert sum(said.values()) == 140
    assert said["verified"] == 0
    assert {"chain", "line"} <= set(said)


def test_a_name_may_be_another_but_not_without_its_digest(bench: Page) -> None:
    content = content_of("lively").replace("Zoë".encode(), b"Eve")
    assert compare_verdicts(bench, [content]) == {"digest": 1}
    assert compare_verdicts(bench, [add_digest(split_lines(content))]) == {"verified": 1}


def rebuild_record(name: str, change: Callable[[RecordForger], object]) -> bytes:
    """Change a record and give it a chain and a digest that fit."""
    forger = RecordForger(content_of(name))
    change(forger)
    return forger.content


def test_whatever_is_forged_about_the_lot_is_named_at_the_same_line(bench: Page) -> None:
    contents = [rebuild_record("lots", forge) for forge, _, _ in LOT_FORGERIES]
    assert compare_verdicts(bench, contents) == {"lot": 1, "lots": 5, "pending": 1}


def dice_changed(name: str) -> Iterator[bytes]:
    """Turn one die of ours, in some rolls of a game."""
    events = RecordForger(content_of(name)).events
    ours = [place for place, event in enumerate(events) if event["event"] == "landed" and not event["real"]]
    for place in ours[:: max(1, len(ours) // 8)]:
        forger = RecordForger(content_of(name))
        dice = forger.events[place]["dice"]
        dice[-1] = dice[-1] % 6 + 1
        yield forger.content


@pytest.mark.parametrize("name", LANDED)
def test_a_die_that_was_turned_is_named_at_its_line(bench: Page, name: str) -> None:
    contents = list(dice_changed(name))
    assert compare_verdicts(bench, contents) == {"dice": len(contents)}


@pytest.mark.parametrize("path", [FOLDER / "kniffel.knobel", FOLDER / "rounds" / "carlit-chicago.knobel"])
def test_a_die_turned_in_an_old_record_is_named_at_its_line(bench: Page, path: Path) -> None:
    lines, contents = split_lines(path.read_bytes()), []
    for place, line in enumerate(lines):
        event = json.loads(line)
        if event.get("event") == "landed":
            event["dice"][0] = event["dice"][0] % 6 + 1
            contents.append(add_digest([*lines[:place], json.dumps(event).encode(), *lines[place + 1 :]]))
    contents = contents[::4]
    assert len(contents) > 7
    assert compare_verdicts(bench, contents) == {"dice": len(contents)}


def seeds_swapped(forger: RecordForger) -> None:
    first, second = [event for event in forger.events if event["event"] == "revealed"]
    first["seed"], second["seed"] = second["seed"], first["seed"]


def seeds_and_seals_swapped(forger: RecordForger) -> None:
    seeds_swapped(forger)
    for event in forger.events[:2]:
        seal = fair.commit_client_seed(forger.header["game"], event["seat"], bytes.fromhex(event["seed"]))
        forger.header["dice"]["seals"][str(event["seat"])] = seal.hex()
    forger.first("closed")["seeds"]["clients"].reverse()


def seats_swapped(forger: RecordForger) -> None:
    forger.header["seats"].reverse()


def names_swapped(forger: RecordForger) -> None:
    forger.names["names"].reverse()


def shown_in_another_order(forger: RecordForger) -> None:
    forger.events[:2] = forger.events[1::-1]


def shown_twice(forger: RecordForger) -> None:
    forger.events.insert(1, forger.events[0])


def shown_too_late(forger: RecordForger) -> None:
    forger.events.insert(3, forger.events.pop(0))


def promise_changed(forger: RecordForger) -> None:
    forger.header["dice"]["commitment"] = other(forger.header["dice"]["commitment"])


def nobody_rolls(forger: RecordForger) -> None:
    forger.first("acted")["seat"] = 9


def noted_by_whom(forger: RecordForger) -> None:
    forger.first("acted")["action"] = "chance=30"


def closed_twice(forger: RecordForger) -> None:
    forger.events.append(forger.events[-1])


def rolled_elsewhere(forger: RecordForger) -> None:
    forger.first("landed")["positions"].reverse()


def of_more_faces(forger: RecordForger) -> None:
    forger.first("landed")["faces"] = 8


def a_turn_left_out(forger: RecordForger) -> None:
    """Leave out a bad first roll, as if the turn had begun with the second: a server that rolls again would do so."""
    roll_count = [place for place, event in enumerate(forger.events) if event["event"] == "landed"]
    for one, next_ in pairwise(roll_count):
        if forger.events[next_]["roll"] == 1 and forger.events[one]["seat"] == forger.events[next_]["seat"]:
            del forger.events[one - 1 : one + 1]
            return
    raise AssertionError(roll_count)


def everything_rolled_is_kept(forger: RecordForger) -> None:
    for event in forger.events:
        if event["event"] == "acted" and set(event["action"]) - {"."} and "." in event["action"]:
            die = next(one for one in event["action"] if one != ".")
            event["action"] = event["action"].replace(die, str(int(die) % 6 + 1), 1)
            return
    raise AssertionError(forger.events)


def totals_of_others(forger: RecordForger) -> None:
    forger.header["evening"] = {"games": 2, "number": 2, "totals": [[5]], "first": None}


def left_out_as_well(forger: RecordForger) -> None:
    forger.events.insert(2, {"event": "without", "seat": 0})


def one_die_too_many(forger: RecordForger) -> None:
    forger.first("acted")["action"] += "."


def swap_events(place: int) -> Callable[[RecordForger], None]:
    """Swap two events in the middle of a game."""

    def move(forger: RecordForger) -> None:
        forger.events[place : place + 2] = forger.events[place : place + 2][::-1]

    return move


def drop_event(place: int) -> Callable[[RecordForger], None]:
    """Drop an event in the middle of a game."""
    return lambda forger: forger.events.pop(place)


CAREFUL: list[tuple[Callable[[RecordForger], None], str]] = [
    (seeds_swapped, "seed"),
    (seeds_and_seals_swapped, "dice"),
    (names_swapped, "verified"),
    (shown_in_another_order, "verified"),
    (shown_twice, "late"),
    (shown_too_late, "pending"),
    (promise_changed, "promise"),
    (nobody_rolls, "seat"),
    (noted_by_whom, "noted"),
    (totals_of_others, "line"),
    (left_out_as_well, "late"),
    (one_die_too_many, "legality, seen"),
    (closed_twice, "legality, seen"),
    (rolled_elsewhere, "legality, seen"),
    (of_more_faces, "legality, seen"),
    (a_turn_left_out, "legality, seen"),
    (everything_rolled_is_kept, "legality, seen"),
]


@pytest.mark.parametrize(("forge", "said"), CAREFUL, ids=[forge.__name__ for forge, _ in CAREFUL])
def test_what_a_careful_forger_does_is_seen_alike(
    bench: Page, forge: Callable[[RecordForger], None], said: str
) -> None:
    assert compare_verdicts(bench, [rebuild_record(name, forge) for name in ("two dice", "mb-yahtzee")]) == {said: 2}


def test_a_real_die_has_no_seventh_face(bench: Page) -> None:
    def seven(forger: RecordForger) -> None:
        next(event for event in forger.events if event.get("real"))["dice"][0] = 7

    assert compare_verdicts(bench, [rebuild_record("real dice", seven)]) == {"legality, seen": 1}


PAD = (FOLDER / "format-2" / "pad.knobel").read_bytes()
MENDED: list[tuple[dict[str, object], str]] = [
    ({"seat": 2}, "noted"),
    ({"seat": 9}, "seat"),
    ({"actions": []}, "line"),
    ({"actions": ["!ones", "=11111", "ones", "twos"]}, "line"),
    ({"actions": "ones=1"}, "line"),
    ({"turn": -1}, "line"),
    ({"turn": True}, "line"),
    ({"why": "typo"}, "line"),
    ({"turn": 99}, "legality"),
    ({"actions": ["=66661"]}, "legality"),
    ({"actions": ["sixes=25"]}, "legality"),
    ({"other": {"turn": 0, "actions": []}}, "line"),
    ({"other": {"turn": 0}}, "line"),
    ({"other": None}, "line"),
    ({"other": {"turn": 0, "actions": ["sixes=6"], "seat": 0}}, "line"),
    ({"other": {"turn": 1, "actions": ["sixes=6"]}}, "legality"),
]


def test_a_correction_is_looked_at_alike(bench: Page) -> None:
    for change, said in MENDED:
        forger = RecordForger(PAD)
        forger.first("corrected").update(change)
        assert compare_verdicts(bench, [forger.content]) == {said: 1}, change
    forger = RecordForger(PAD)
    bent = next(event for event in forger.events if event.get("action", "").startswith("~"))
    bent["seat"] = 2
    assert compare_verdicts(bench, [forger.content]) == {"noted": 1}
    forger = RecordForger(PAD)
    forger.events.insert(0, forger.first("corrected"))
    assert compare_verdicts(bench, [forger.content]) == {"pending": 1}


def test_a_corrected_turn_that_is_undone_may_be_rolled_again(bench: Page) -> None:
    table = open_table("mb-yahtzee", (Seat("Ann", real_dice=True), Seat("Ben")), free=True)
    reveal_seeds(table, "mb-yahtzee")
    apply_actions(table, 0, ".....", ">12345", "1234.", ">6", "chance")
    table.apply(table.decide_correction(0, "chance", ("=66666", "chance")))
    for _ in range(2):
        table.apply(table.decide_undo(0))
    apply_actions(table, 0, ".....", ">33333", "yatzy")
    table.apply(table.decide_end())
    assert compare_verdicts(bench, [encode_table(table)]) == {"verified": 1}


def test_turns_that_were_swapped_and_undone_may_be_rolled_again(bench: Page) -> None:
    table = open_table("mb-yahtzee", (Seat("Ann", real_dice=True), Seat("Ben")), free=True)
    reveal_seeds(table, "mb-yahtzee")
    apply_actions(table, 0, ".....", ">12345", "full_house", ".....", ">33322", "large_straight")
    table.apply(table.decide_swap(0, "full_house", "large_straight"))
    swapped = Table(table.header, table.server_seed, tuple(table.events))
    swapped.apply(swapped.decide_end())
    for _ in range(4):
        table.apply(table.decide_undo(0))
    apply_actions(table, 0, ".....", ">33333", "yatzy", ".....", ">33333", "threes")
    table.apply(table.decide_end())
    assert compare_verdicts(bench, [encode_table(swapped), encode_table(table)]) == {"verified": 2}


def test_a_game_is_not_seeded_by_its_name_alone(bench: Page) -> None:
    forger = RecordForger(content_of("seeded"))
    own, rules = "ab" * 32, bytes.fromhex(forger.header["fingerprint"])
    forger.header["dice"]["commitment"] = fair.commit_server_seed(
        forger.header["game"], rules, bytes.fromhex(own)
    ).hex()
    forger.events = [{"event": "closed", "seeds": {"server": own, "clients": []}, "why": "stopped"}]
    assert compare_verdicts(bench, [forger.content]) == {"seeded": 1}


def test_seats_that_changed_places_are_seen_where_bots_and_real_dice_sit_elsewhere(bench: Page) -> None:
    said = compare_verdicts(
        bench, [rebuild_record(name, seats_swapped) for name in ("real dice", "two dice", "lively")]
    )
    assert said["legality, seen"] >= 1
    assert sum(said.values()) == 3


def test_a_game_that_went_on_from_another_is_looked_at_as_closely(bench: Page) -> None:
    content, contents = (FOLDER / "format-2" / "played-on.knobel").read_bytes(), []
    assert "quoted" in RecordForger(content).header
    for place, event in enumerate(RecordForger(content).events):
        if event["event"] == "landed":
            forger = RecordForger(content)
            dice = forger.events[place]["dice"]
            dice[-1] = dice[-1] % 6 + 1
            contents.append(forger.content)
    contents = contents[:1] + contents[1::9]
    assert compare_verdicts(bench, contents) == {"dice": len(contents)}
    forger = RecordForger(content)
    del forger.header["quoted"]
    assert compare_verdicts(bench, [forger.content]) == {"legality": 1}
    assert by_page(bench, [forger.content])[0]["why"] == "address"


UNFIT = {"without one": ("left_out",), "free two dice": ("closed_early",)}
"""Where only one seed was shown; where the last entry had been undone and made again, which can be left out."""


@pytest.mark.parametrize("name", ["two dice", "free two dice", "rounds", "without one", "one device"])
def test_the_forgeries_verify_is_tested_with_are_seen_alike(bench: Page, name: str) -> None:
    contents = [rebuild_record(name, forge) for forge, _, _ in FORGERIES if forge.__name__ not in UNFIT.get(name, ())]
    said = compare_verdicts(bench, contents)
    assert {"promise", "dice", "seed", "rules", "seal", "line"} <= set(said)
    assert said["verified"] == 0


@pytest.mark.parametrize("name", ["two dice", rest("free two dice"), rest("rounds"), rest("stopped")])
def test_events_dropped_or_moved_are_seen_alike(bench: Page, name: str) -> None:
    lines = split_lines(content_of(name))
    places = range(2, len(lines) - 2, 7)
    loose = [add_digest([*lines[:place], *lines[place + 1 :]]) for place in places]
    loose += [add_digest([*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]) for place in places]
    assert compare_verdicts(bench, loose) == {"chain": len(loose)}
    tight = [rebuild_record(name, change(place - 2)) for place in places for change in (drop_event, swap_events)]
    said = compare_verdicts(bench, tight)
    assert sum(said.values()) == len(tight)
    assert set(said) <= {"verified", "legality", "legality, seen", "late", "pending", "seed", "dice"}


@pytest.mark.parametrize("name", ["two dice", "seeded", "rounds"])
def test_a_file_that_was_cut_is_seen_alike(bench: Page, name: str) -> None:
    content = content_of(name)
    lines = split_lines(content)
    torn = [content[:cut] for cut in (0, 1, 500, len(content) // 2, len(content) - 60, len(content) - 1)]
    assert compare_verdicts(bench, torn) == {"torn": len(torn)}
    cut = [add_digest(lines[:end]) for end in range(2, len(lines), 9)]
    assert compare_verdicts(bench, cut) == {"unfinished": len(cut)}
    assert compare_verdicts(bench, [add_digest(lines[:1]), add_digest([])]) == {"line": 1, "torn": 1}


def test_what_cannot_be_read_is_seen_alike(bench: Page) -> None:
    lines = split_lines(content_of("two dice"))
    first, event = lines[0], lines[4]
    headers = [b'{"knobel":4}', b'{"knobel":2}', b'{"knobel":"2"}', b'{"knobel":true}', b'{"knobel":2.0}', b"[" * 5000]
    headers += [b"\xff", b"", b"null", b"\xef\xbb\xbf" + first, first.replace(b"knobel-dice-1", b"knobel-dice-9")]
    headers += [first.replace(b'"free":', b'"fre":'), first.replace(b'"practice":', b'"practise":'), first[:-1] + b",}"]
    contents = [add_digest([header, *lines[1:]]) for header in headers]
    events = [event.replace(b'"seat":0', seat) for seat in (b'"seat":0.0', b'"seat":256', b'"seat":-1', b'"seat":"0"')]
    events += [event.replace(b'"seat":0', seat) for seat in (b'"seat":null', b'"seat":0,"x":0', b'"seat":true', b"")]
    events += [event.replace(b'"acted"', word) for word in (b'"toString"', b'"act"', b"7", b'"\\ud800"')]
    events += [event.replace(b".", b"\\ud800", 1), event.replace(b".", b"\x01", 1), event.replace(b".", b"." * 90, 1)]
    assert all(one != event for one in events)
    contents += [add_digest([*lines[:4], one, *lines[5:]]) for one in events]
    contents += [b"", b"\n", b"{}\n", b"\x00" * 99, b"[" * 9999, b"hello\n", b'{"sha256":""}\n', b'\n{"sha256":""}\n']
    said = compare_verdicts(bench, contents)
    assert set(said) == {"line", "version", "scheme", "torn"}


def test_a_file_that_is_too_large_is_not_read(bench: Page) -> None:
    found = bench.evaluate(
        "async () => (await import('/static/verify.js')).verifyRecord(new Uint8Array(4 * 1024 * 1024 + 1)).why"
    )
    assert found == "large"


# Hashes and dice of our own.


def test_sha256_and_hmac_are_those_of_everybody(bench: Page) -> None:
    random = Random(7)
    texts = [list(random.randbytes(length)) for length in (*range(130), 1000, 4096)]
    assert bench.evaluate(BYTES, ["sha256", [[one] for one in texts]]) == [
        hashlib.sha256(bytes(one)).hexdigest() for one in texts
    ]
    keys = [list(random.randbytes(length)) for length in (0, 1, 20, 32, 63, 64)]
    assert bench.evaluate(BYTES, ["hmac", [[key, text] for key in keys for text in texts[::20]]]) == [
        hmac.digest(bytes(key), bytes(text), "sha256").hex() for key in keys for text in texts[::20]
    ]


@pytest.mark.parametrize("faces", [2, 6, 7, 12])
def test_dice_are_drawn_as_by_the_server(bench: Page, faces: int) -> None:
    key = hashlib.sha256(b"key").digest()
    addresses = [(seat, turn, nth) for seat in (0, 3) for turn in (0, 12) for nth in (0, 2)]
    read = """async ([key, sets]) => {
      const { deriveDice } = await import("/static/event-checker.js");
      return sets.map(([address, count]) => deriveDice(new Uint8Array(key), address, count));
    }"""
    found = bench.evaluate(read, [list(key), [[[*one, faces], 40] for one in addresses]])
    assert [tuple(dice) for dice in found] == [fair.roll(key, *one, 40, faces) for one in addresses]


# How odd dice look.


def ask(bench: Page, name: str, sets: list[list[Any]]) -> list[float]:
    """Ask the page for figures about luck."""
    found: list[float] = bench.evaluate(CALL, ["/static/dice-stats.js", name, sets])
    return found


def test_the_tail_of_chi_square_is_the_closed_form(bench: Page) -> None:
    def closed(square: float, freedom: int) -> float:
        x, even = square / 2, freedom % 2 == 0
        tail = math.exp(-x) if even else math.erfc(math.sqrt(x))
        for step in range(1 if even else 0, freedom // 2):
            place = step if even else step + 0.5
            tail += x**place * math.exp(-x) / math.gamma(place + 1)
        return tail

    sets = [(square / 4, freedom) for square in range(1, 160) for freedom in range(1, 12)]
    for found, (square, freedom) in zip(ask(bench, "chiSquareTail", [list(one) for one in sets]), sets, strict=True):
        assert found == pytest.approx(closed(square, freedom), abs=1e-12)
    printed = {(11.0705, 5): 0.05, (15.0863, 5): 0.01, (4.3515, 5): 0.5, (3.8415, 1): 0.05, (19.6751, 11): 0.05}
    assert ask(bench, "chiSquareTail", [list(one) for one in printed]) == pytest.approx(
        list(printed.values()), abs=1e-5
    )


@pytest.mark.parametrize(("dice", "faces"), [(1, 6), (5, 6), (6, 6), (7, 4), (10, 2), (4, 12)])
def test_few_dice_are_counted_exactly(bench: Page, dice: int, faces: int) -> None:
    sums = Counter(
        sum(count * count for count in Counter(hand).values()) for hand in product(range(faces), repeat=dice)
    )
    levels = sorted(sums)
    found = ask(bench, "exactTail", [[dice, faces, level] for level in levels])
    truth = [sum(sums[one] for one in levels if one >= level) / faces**dice for level in levels]
    assert found == pytest.approx(truth, abs=1e-12)


def test_the_two_ways_to_count_meet(bench: Page) -> None:
    for faces in (6, 8):
        dice = 5 * faces
        levels = [squares for squares in range(5 * dice, 8 * dice, 24) if squares % 2 == dice % 2]
        exact = ask(bench, "exactTail", [[dice, faces, level] for level in levels])
        rough = ask(bench, "chiSquareTail", [[level * faces / dice - dice, faces - 1] for level in levels])
        assert exact == pytest.approx(rough, abs=0.06)
    assert ask(bench, "chanceOfUneven", [[[20] * 6], [[30, 10, 20, 20, 20, 20]]]) == pytest.approx(
        [1, 0.0752352], abs=1e-6
    )
    assert ask(bench, "chanceOfUneven", [[[1, 1, 1, 1, 1, 1]], [[5, 0, 0, 0, 0, 0]]]) == pytest.approx(
        [1, 6**-4], abs=1e-12
    )


def test_waits_are_as_long_as_chance_has_them(bench: Page) -> None:
    def waited(dice: int, wait: int, faces: int) -> Fraction:
        miss, ages = Fraction(faces - 1, faces), [Fraction(1)] + [Fraction(0)] * (wait - 1)
        for _ in range(dice):
            ages = [(1 - miss) * sum(ages), *(miss * one for one in ages[:-1])]
        return 1 - sum(ages, Fraction(0))

    sets = [
        (dice, wait, faces) for dice in (1, 2, 9, 40, 130) for wait in (1, 2, 9, 30) for faces in (2, 6) if wait <= dice
    ]
    for found, one in zip(ask(bench, "chanceOfDrought", [list(one) for one in sets]), sets, strict=True):
        assert found == pytest.approx(float(waited(*one)), abs=1e-12)
    assert ask(bench, "chanceOfDrought", [[5, 0, 6], [3, 3, 6]]) == pytest.approx([1, (5 / 6) ** 3])


def test_what_fell_is_counted_for_each_seat(bench: Page) -> None:
    rolls = {0: [1, 1, 2, 6, 3, 1], 1: [4, 4, 4]}
    landings = [{"seat": 0, "dice": [1, 1, 2], "real": False}, {"seat": 1, "dice": [4, 4, 4], "real": True}]
    landings.append({"seat": 0, "dice": [6, 3, 1], "real": False})
    (found,) = ask(bench, "tallyFaces", [[landings, 3, 6]])
    for seat, dice in rolls.items():
        counts = [dice.count(face) for face in range(1, 7)]
        waits = [max(map(len, "".join(map(str, dice)).split(str(face)))) for face in range(1, 7)]
        assert (found[seat]["counts"], found[seat]["waits"]) == (counts, waits)  # type: ignore[index]
    assert [one["dice"] for one in found] == [6, 3, 0]  # type: ignore[attr-defined]
    assert [one["real"] for one in found] == [0, 3, 0]  # type: ignore[attr-defined]


# The page.


def play_short_game(one: Screen, server: Server, folder: Path) -> str:
    """Play a short game of two people at one screen to its end, and give its name."""
    file = folder / "short.toml"
    file.write_text(SHORT)
    one.open_home(server.url).upload_house_rules(file).start_shared_game("Ada", "Ben")
    one.play_to_end()
    one.confirm_end()
    return str(one.find(".end [data-act=check]").get_attribute("href")).removeprefix("/check/")


def no_wider(one: Screen) -> None:
    """Insist that nothing sticks out of the screen."""
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert one.find(".checking").evaluate("one => one.scrollWidth <= one.clientWidth + 1")


def chosen(one: Screen, content: bytes) -> None:
    """Choose a file of this device."""
    one.find("[data-field=record]").set_input_files({"name": FILE, "mimeType": "", "buffer": content})


def states(one: Screen) -> dict[str, str]:
    """Read how each step came out, in words."""
    read = "all => all.map((one) => [one.dataset.step, one.querySelector('b').textContent])"
    return dict(one.find(".steps li").evaluate_all(read))


@pytest.fixture(scope="module")
def ended(browser: Browser, server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Screen, str]]:
    """A screen on which a game has just ended, and the name of the game."""
    one = open_screen(browser, color_scheme="light")
    yield one, play_short_game(one, server, tmp_path_factory.mktemp("short"))
    one.page.context.close()
    one.check_problems()


def test_after_a_game_its_dice_are_checked_on_the_spot(ended: tuple[Screen, str]) -> None:
    read_check_page(*ended)


@pytest.mark.rest
def test_the_same_on_a_phone_in_the_dark(screen: OpenScreen, server: Server, tmp_path: Path) -> None:
    one = screen("phone", color_scheme="dark")
    read_check_page(one, play_short_game(one, server, tmp_path))


def read_check_page(one: Screen, game: str) -> None:
    """Open the check at the end of a game, and read all of it."""
    content = one.download_record()
    verdict = verify(content, FILE)
    one.open_more().press(".end [data-act=check]")
    one.wait_for("dialog [data-verdict=verified]")
    words = one.find("dialog").inner_text()
    told = [
        "The dice are genuine",
        f"{verdict.rolls} rolls",
        verdict.header.dice.commitment,
        "The seeds of Ada were used",
    ]
    told += [str(verdict.head), "This device’s own seed was used.", f"knobel verify {game}.knobel", "asked a solver"]
    assert [part for part in told if part not in words] == []
    assert states(one) == dict.fromkeys(("file", "chain", "promise", "seals", "dice", "device"), "confirmed")
    no_wider(one)
    one.press(".rolls summary")
    expect(one.find(".rolls tbody tr")).to_have_count(verdict.rolls)
    assert one.find(".rolls thead th[scope=col]").all_inner_texts() == ["Player", "Turn", "Roll", "Kept", "Rolled"]
    one.press(".face-counts:not([open]) summary")
    landed = [event for event in RecordForger(content).events if event["event"] == "landed"]
    for seat, name in enumerate(("Ada", "Ben")):
        dice = [die for event in landed if event["seat"] == seat for die in event["dice"]]
        fallen = one.find(".face-counts").nth(seat)
        assert fallen.locator("summary").inner_text() == f"{name}: {len(dice)} dice"
        counts = fallen.locator("tbody tr").evaluate_all("all => all.map((row) => Number(row.cells[1].textContent))")
        assert counts == [dice.count(face) for face in range(1, 7)]
    no_wider(one)
    one.press("dialog [data-act=close]")
    expect(one.find(".end [data-act=check]")).to_be_focused()


def tab_to(one: Screen, selector: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(12):
        one.page.keyboard.press("Tab")
        if one.find(f"{selector}:focus").count():
            return
    raise AssertionError(selector)


def test_keys_alone_lead_to_the_check_and_back(ended: tuple[Screen, str]) -> None:
    one, _ = ended
    keyboard = one.page.keyboard
    one.open_more().find(".end [data-act=lobby]").focus()
    tab_to(one, ".end [data-act=check]")
    keyboard.press("Enter")
    one.wait_for("dialog [data-verdict=verified]")
    tab_to(one, ".rolls summary")
    keyboard.press("Enter")
    expect(one.find(".rolls tbody tr").first).to_be_visible()
    keyboard.press("Escape")
    expect(one.find("dialog")).to_have_count(0)
    expect(one.find(".end [data-act=check]")).to_be_focused()


def test_the_address_of_a_check_works_for_whoever_was_not_there(
    ended: tuple[Screen, str], screen: OpenScreen, server: Server
) -> None:
    _, game = ended
    one = screen("phone")
    one.page.goto(f"{server.url}/check/{game}")
    one.wait_for("knobel-check [data-verdict=verified]")
    assert states(one)["device"] == "nothing to check"
    assert one.find("[data-act=download]").get_attribute("href") == f"/games/{game}.knobel"
    no_wider(one)


def test_a_device_that_was_shown_another_promise_says_so(ended: tuple[Screen, str]) -> None:
    one, game = ended
    one.page.evaluate("game => { localStorage[`knobel.promise.${game}`] = '0'.repeat(64); }", game)
    one.open_more().press(".end [data-act=check]")
    one.wait_for("dialog [data-verdict=device]")
    assert states(one)["device"] == "failed"
    assert "this device saw a different promise" in one.find(".reason").inner_text()
    one.press("dialog [data-act=close]")


def test_a_file_from_the_device_is_checked_and_its_first_bad_line_named(screen: OpenScreen, server: Server) -> None:
    one = screen("phone")
    one.page.goto(f"{server.url}/check/")
    one.wait_for("knobel-check label")
    chosen(one, content_of("without one"))
    one.wait_for("[data-verdict=verified]")
    assert "didn’t reveal it" in one.find(".seeds").inner_text()
    forger = RecordForger(content_of("rounds"))
    event = forger.first("landed")
    event["dice"][0] = event["dice"][0] % 6 + 1
    chosen(one, forger.content)
    one.wait_for("[data-verdict=dice]")
    assert states(one)["dice"] == "failed"
    reason = "these aren’t the dice the seeds give for this roll."
    assert one.find(".reason").inner_text() == f"Line {forger.line('landed')} is the first that doesn’t match: {reason}"
    no_wider(one)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("seeded", ["come from a seed somebody typed", "“evening”", "not fair play"]),
        ("real dice", ["rolls were made with real dice", "Rolled", "Real dice are counted"]),
        ("no seal", ["No player’s seed was used", "could have tried many seeds"]),
        ("stopped", ["stopped before the end", "stopped for a good reason"]),
        ("expired", ["closed before the end"]),
        ("without all", ["never revealed", "nobody was left out on purpose", "could choose between the dice"]),
        ("without one", ["The dice match, but a seed was left out", "doesn’t prove that nobody chose these dice"]),
        ("carlit-chicago", ["The dice are genuine"]),
        ("free", ["The dice are genuine"]),
    ],
)
def test_every_kind_of_game_says_what_it_proves(bench: Page, name: str, said: list[str]) -> None:
    one = Screen(bench, touch=False)
    chosen(one, content_of(name))
    one.wait_for("[data-verdict=verified]")
    expect(one.find(".verdict")).to_be_visible()
    one.find(".rolls summary").click()
    one.find(".rolls tbody").wait_for()
    for fallen in one.find(".face-counts").all():
        if fallen.get_attribute("open") is None:
            fallen.locator("summary").click()
    words = one.find("knobel-check").inner_text()
    assert [part for part in [*said, "What it doesn’t prove", "knobel verify"] if part not in words] == []
    assert not (name.startswith("without") and ("Nobody chose these dice" in words or "genuine" in words))
    assert "[" not in words.replace("[check", "")
    assert "[check" not in words
    assert "{" not in words


def test_a_game_nobody_knows_is_not_there(screen: OpenScreen, server: Server) -> None:
    one = screen()
    one.expected_problems = ("404",)
    one.page.goto(f"{server.url}/check/nothing")
    expect(one.find(".found")).to_contain_text("no record of that game")


@pytest.mark.rest
def test_a_game_that_goes_on_is_not_checked_yet(screen: OpenScreen, server: Server, tmp_path: Path) -> None:
    one = screen()
    file = tmp_path / "short.toml"
    file.write_text(SHORT)
    one.open_home(server.url).upload_house_rules(file).start_shared_game("Ada")
    one.roll()
    chosen_game = one.page.evaluate("async () => (await import('/static/connection.js')).connection.room.game")
    one.page.goto(f"{server.url}/check/{chosen_game}")
    one.wait_for("[data-verdict=unfinished]")
    assert "isn’t over" in one.find(".verdict").inner_text()


def test_the_words_of_the_check_are_not_fetched_before_it(bench: Page) -> None:
    read = "async (part) => Object.keys((await (await fetch(`/api/words${part}`)).json()).words)"
    first, more, none = (bench.evaluate(read, part) for part in ("", "?part=check", "?part=nothing"))
    assert first == none
    assert not [key for key in first if key.startswith("web.check.")]
    assert more
    assert all(key.startswith("web.check.") for key in more)
