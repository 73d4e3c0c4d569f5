"""Verifying: true records are verified, every other one is caught, and the first line that is wrong is named."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import FrozenInstanceError
from functools import cache
from pathlib import Path
from random import Random

import pytest

from knobel import fair
from knobel.cli import main
from knobel.cli.parser import parse_arguments
from knobel.cli.verify import COMMAND
from knobel.errors import (
    IllegalAction,
    KnobelError,
    RecordDiceMismatch,
    RecordError,
    RecordFormatUnknown,
    RecordLineInvalid,
    RecordSchemeUnknown,
    RecordTruncated,
    RecordUnfinished,
)
from knobel.game import Leave, Roll
from knobel.lang import Translator
from knobel.phrase import Phrase, phrase
from knobel.record.events import Acted, Drawn, Seat
from knobel.record.verify import Verdict, verify
from knobel.rules import edition_ids
from knobel.table import Table
from tests.support.house_rules import EXAMPLES, describe_error
from tests.support.independent_verifier import find_wrong_line
from tests.support.played_tables import encode_table, open_table, play_game, play_moves, play_stopped_game, reveal_seeds
from tests.support.record_forger import RecordForger, add_digest, split_lines
from tests.support.selection import mostly_rest, rest
from tests.support.waiting import HANG_SECONDS

FOLDER = Path(__file__).parents[1] / "records"
OLD = sorted((*FOLDER.glob("*.knobel"), *FOLDER.glob("rounds/*.knobel")))
FILE = "game.knobel"
TWO_DICE = str(EXAMPLES / "two-dice.toml")
REAL = (Seat("Zoë", real_dice=True), Seat("Bo"), Seat("Cy", beginner=True))

GAMES: dict[str, Callable[[], Table]] = {
    **{name: lambda name=name: play_game(name) for name in edition_ids()},  # type: ignore[misc]
    "two dice": lambda: play_game(TWO_DICE),
    "lively": lambda: play_game(lively=True),
    "free": lambda: play_game("noris-yatzy", free=True, lively=True),
    "free two dice": lambda: play_game(TWO_DICE, free=True, lively=True),
    "duplicate": lambda: play_game("noris-yatzy", duplicate=True, lively=True),
    "real dice": lambda: play_game("philos-yatzi", REAL),
    "rounds": lambda: play_game("carlit-chicago", lively=True),
    "without one": lambda: play_game(TWO_DICE, silent=(1,)),
    "without all": lambda: play_game(TWO_DICE, silent=(0, 1)),
    "no seal": lambda: play_game(TWO_DICE, sealed=()),
    "one device": lambda: play_game(TWO_DICE, sealed=(0,)),
    "seeded": lambda: play_game(TWO_DICE, typed="evening"),
    "lots": lambda: play_game(TWO_DICE, start="random"),
    "lots without one": lambda: play_game(TWO_DICE, silent=(0,), start="random"),
    "lots, no seal": lambda: play_game(TWO_DICE, sealed=(), start="random"),
    "lots, seeded": lambda: play_game("tactic-xl-yatzy", typed="evening", start="random"),
    "lots for rounds": lambda: play_game("carlit-chicago", start="random"),
    "lots, free": lambda: play_game("noris-yatzy", free=True, start="random"),
    "roll-off": lambda: play_game("philos-yatzi", start="roll_off"),
    "stopped": play_stopped_game,
    "expired": lambda: play_stopped_game(expired=True),
}


@cache
def table_of(name: str) -> Table:
    return GAMES[name]()


def content_of(name: str) -> bytes:
    return encode_table(table_of(name))


def assert_not_verified(content: bytes) -> int | None:
    """Insist that a record is not verified, and said to be so in one line; give the line that is wrong, if one is."""
    said, line = "", None
    try:
        verdict = verify(content, FILE)
    except RecordError as error:
        said = describe_error(error)
    else:
        assert verdict.why is not None
        assert verdict.line in range(1, content.count(b"\n") + 1)
        said, line = describe_error(RecordDiceMismatch(why=verdict.why)), verdict.line
    assert said.startswith(f"Not verified. {FILE}" if line else FILE)
    return line


def find_wrong(content: bytes) -> tuple[int | None, str]:
    """Give the line that is wrong and the reason, by its key."""
    verdict = verify(content, FILE)
    assert verdict.why is not None
    why = verdict.why.values.get("why")
    return verdict.line, (why if isinstance(why, Phrase) else verdict.why).key


# True records.


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_was_played_is_verified_by_us_and_by_a_stranger(name: str) -> None:
    table, content = table_of(name), content_of(name)
    verdict = verify(content, FILE)
    assert (verdict.why, verdict.line, verdict.event) == (None, None, None)
    assert verdict.is_verified
    assert verdict.head == table.head
    assert not verdict.is_unfinished
    landed = [event["event"] for event in map(json.loads, split_lines(content)[2:]) if "dice" in event["event"]]
    assert (verdict.rolls, verdict.real_rolls) == tuple(sum(e["real"] == own for e in landed) for own in (False, True))
    assert find_wrong_line(content) == 0


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_a_record_of_format_1_is_verified_for_ever_by_us_and_by_a_stranger(path: Path) -> None:
    verdict = verify(path.read_bytes(), path.name)
    assert verdict.is_verified
    assert (verdict.is_seeded, verdict.seeds, verdict.head) == (True, 0, None)
    assert find_wrong_line(path.read_bytes()) == 0


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("two dice", (2, 0, False)),
        ("without one", (1, 1, False)),
        ("without all", (0, 2, False)),
        ("no seal", (0, 0, False)),
        ("one device", (1, 0, False)),
        ("seeded", (0, 0, True)),
    ],
)
def test_it_is_said_whose_seeds_took_part(name: str, found: tuple[int, int, bool]) -> None:
    verdict = verify(content_of(name), FILE)
    assert (verdict.seeds, verdict.without_seed, verdict.is_seeded) == found


def test_what_is_not_ours_is_counted() -> None:
    verdict = verify((FOLDER / "everything.knobel").read_bytes(), FILE)
    assert (verdict.rolls, verdict.real_rolls, verdict.entries_without_dice) == (0, 4, 2)
    assert verify(content_of("real dice"), FILE).real_rolls > 0


def test_a_player_can_be_forgotten() -> None:
    forger = RecordForger(content_of("lively"))
    forger.names["names"] = ["", "", ""]
    assert verify(forger.content, FILE) == verify(content_of("lively"), FILE)


def test_somebody_can_leave_a_free_table() -> None:
    table = open_table(TWO_DICE, free=True)
    reveal_seeds(table, TWO_DICE)
    table.apply(table.decide(1, Leave(0)))
    play_moves(table, Random(5))
    table.apply(table.decide_end())
    assert verify(encode_table(table), FILE).is_verified
    assert b'"action":"leave 1"' in encode_table(table)


def test_a_game_that_goes_on_cannot_be_verified_yet_but_its_lines_can_be_wrong() -> None:
    table = open_table()
    contents = [encode_table(table)]
    reveal_seeds(table, "mb-yahtzee")
    table.apply(table.decide(0, Roll()))
    contents.append(encode_table(table))
    for content in contents:
        with pytest.raises(RecordUnfinished) as error:
            verify(content, FILE)
        assert describe_error(error.value).startswith(FILE)
    verdict = verify(contents[-1].replace(b'"seat":0,"turn":0', b'"seat":0,"turn":1'), FILE)
    assert (verdict.line, verdict.event, verdict.is_unfinished) == (6, 4, True)


def test_a_verdict_is_frozen() -> None:
    verdict = verify(content_of("two dice"), FILE)
    assert isinstance(verdict, Verdict)
    with pytest.raises(FrozenInstanceError):
        verdict.rolls = 5  # type: ignore[misc]


# Damage.

DAMAGED = ["mb-yahtzee", "two dice", "free", "real dice", "rounds", "without one", "seeded", "stopped"]
FLIPS = 2000


def flip_bit(content: bytes, random: Random, lines: range | None = None) -> bytes:
    """Flip one bit anywhere, or within some lines."""
    start, end = 0, len(content)
    if lines is not None:
        ends = [0, *(found.end() for found in re.finditer(rb"\n", content))]
        start, end = ends[lines.start], ends[lines.stop] - 1
    place = random.randrange(start, end)
    return content[:place] + bytes([content[place] ^ 1 << random.randrange(8)]) + content[place + 1 :]


@pytest.mark.solve
@pytest.mark.parametrize("name", mostly_rest([*DAMAGED, "old everything", "old kniffel"], "two dice"))
def test_two_thousand_flipped_bits_are_all_caught_by_us_and_by_a_stranger(name: str) -> None:
    path = FOLDER / f"{name.removeprefix('old ')}.knobel"
    content = path.read_bytes() if name.startswith("old ") else content_of(name)
    random = Random(name)
    for _ in range(FLIPS // 10):
        damaged = flip_bit(content, random)
        ours, theirs = assert_not_verified(damaged), by_a_stranger(damaged)
        assert theirs != 0
        assert ours is None or theirs is None or ours <= theirs


def by_a_stranger(content: bytes) -> int | None:
    """Ask the stranger which line is wrong; what cannot be read is none."""
    try:
        return find_wrong_line(content)
    except (ValueError, KeyError, TypeError, IndexError, RecursionError, AttributeError):
        return None


@pytest.mark.solve
@pytest.mark.parametrize("name", ["two dice", rest("rounds"), rest("stopped"), rest("free")])
def test_a_flip_in_the_header_or_an_event_is_caught_though_the_digest_was_repaired(name: str) -> None:
    content, random = content_of(name), Random(name)
    count = len(split_lines(content))
    for _ in range(150):
        lines = range(0, 1) if random.random() < 0.2 else range(2, count)
        damaged = add_digest(split_lines(flip_bit(content, random, lines)))
        assert damaged != content
        assert assert_not_verified(damaged) not in (2, damaged.count(b"\n"))


@pytest.mark.solve
def test_every_flip_in_the_last_event_is_caught_though_nothing_follows_it_in_the_chain() -> None:
    table = open_table(TWO_DICE)
    reveal_seeds(table, TWO_DICE)
    table.apply(table.decide_end())
    *lines, last = split_lines(encode_table(table))
    for place in range(len(last)):
        for bit in range(8):
            changed = last[:place] + bytes([last[place] ^ 1 << bit]) + last[place + 1 :]
            assert assert_not_verified(add_digest([*lines, changed])) in (len(lines) + 1, len(lines) + 2, None)


@pytest.mark.parametrize("name", mostly_rest(["two dice", "seeded", "free two dice", "rounds"], "two dice"))
def test_a_file_cut_at_any_line_is_not_verified_though_the_digest_was_repaired(name: str) -> None:
    lines = split_lines(content_of(name))
    for cut in range(2, len(lines)):
        with pytest.raises(RecordUnfinished):
            verify(add_digest(lines[:cut]), FILE)
    assert assert_not_verified(add_digest(lines[:1])) == 2
    assert assert_not_verified(add_digest([])) is None


# The chain.


@pytest.mark.rest
@pytest.mark.solve
def test_any_changed_event_is_found_by_the_chain_though_digest_rules_and_dice_fit() -> None:
    lines = split_lines(content_of("lively"))
    for place in (0, *range(2, len(lines) - 1)):
        changed = lines[place].replace(b",", b", ", 1)
        assert changed != lines[place]
        found = find_wrong(add_digest([*lines[:place], changed, *lines[place + 1 :]]))
        assert found == (max(place + 2, 3), "errors.record_chain")


def test_another_stand_in_is_found_by_nothing_but_the_chain() -> None:
    content = content_of("lively")
    line = RecordForger(content).line("stand_in")
    lines = split_lines(content)
    lines[line - 1] = lines[line - 1].replace(b'"bot":"greedy"', b'"bot":"random"')
    assert find_wrong(add_digest(lines)) == (line + 1, "errors.record_chain")
    assert find_wrong_line(add_digest(lines)) == line + 1
    forger = RecordForger(content)
    forger.first("stand_in")["bot"] = "random"
    verdict = verify(forger.content, FILE)
    assert verdict.is_verified
    assert verdict.head != verify(content, FILE).head


@pytest.mark.solve
@pytest.mark.parametrize("name", ["two dice", rest("free two dice"), rest("rounds")])
def test_events_left_out_doubled_or_swapped_are_found_by_the_chain(name: str) -> None:
    lines = split_lines(content_of(name))
    for place in range(2, len(lines) - 1):
        before, here, after = lines[:place], lines[place], lines[place + 1 :]
        for events in ([*before, *after], [*before, here, here, *after], [*before, after[0], here, *after[1:]]):
            line, key = find_wrong(add_digest(events))
            assert line in (place + 1, place + 2)
            assert key == "errors.record_chain"
            assert by_a_stranger(add_digest(events)) in (line, None)


# A forger who rebuilds chain and digest.


@pytest.mark.solve
@pytest.mark.parametrize("name", ["two dice", "free two dice", "rounds", rest("real dice"), rest("lively")])
def test_a_changed_die_is_found_at_its_line(name: str) -> None:
    whole_record = RecordForger(content_of(name))
    for place, event in enumerate(whole_record.events):
        if event["event"] == "landed" and not event["real"]:
            forger = deepcopy(whole_record)
            forger.events[place]["dice"][0] = event["dice"][0] % 6 + 1
            assert find_wrong(forger.content) == (place + 3, "errors.record_dice")
            assert find_wrong_line(forger.content) == place + 3


def other(seed: str) -> str:
    """Change a seed a little."""
    return f"{int(seed[0], 16) ^ 1:x}{seed[1:]}"


def server_seed(forger: RecordForger) -> None:
    forger.first("closed")["seeds"]["server"] = other(forger.first("closed")["seeds"]["server"])


def promised_anew(forger: RecordForger) -> None:
    server_seed(forger)
    server, rules = forger.first("closed")["seeds"]["server"], bytes.fromhex(forger.header["fingerprint"])
    forger.header["dice"]["commitment"] = fair.commit_server_seed(
        forger.header["game"], rules, bytes.fromhex(server)
    ).hex()


def client_seed(forger: RecordForger) -> None:
    forger.first("revealed")["seed"] = other(forger.first("revealed")["seed"])


def client_seed_at_the_end(forger: RecordForger) -> None:
    clients = forger.first("closed")["seeds"]["clients"]
    clients[0] = other(clients[0])


def sealed_anew(forger: RecordForger) -> None:
    client_seed(forger)
    shown = forger.first("revealed")
    seal = fair.commit_client_seed(forger.header["game"], shown["seat"], bytes.fromhex(shown["seed"])).hex()
    forger.header["dice"]["seals"][str(shown["seat"])] = seal
    forger.first("closed")["seeds"]["clients"][shown["seat"]] = shown["seed"]


def left_out(forger: RecordForger) -> None:
    seat = forger.first("revealed")["seat"]
    forger.events[forger.line("revealed") - 3] = {"event": "without", "seat": seat}
    del forger.first("closed")["seeds"]["clients"][seat]


def seal_dropped(forger: RecordForger) -> None:
    forger.header["dice"]["seals"] = {}
    forger.events = [event for event in forger.events if event["event"] != "revealed"]


def seal_of_nobody(forger: RecordForger) -> None:
    forger.header["dice"]["seals"]["3"] = "0" * 64


def another_game(forger: RecordForger) -> None:
    forger.header["game"] = "0" * 16


def another_turn_said(forger: RecordForger) -> None:
    forger.first("landed")["turn"] += 1


def real_said(forger: RecordForger) -> None:
    forger.first("landed")["real"] = True


def closed_early(forger: RecordForger) -> None:
    del forger.events[-3:-1]


def other_rules(forger: RecordForger) -> None:
    forger.header["rules"]["throws"] += 1


def more_totals(forger: RecordForger) -> None:
    forger.header["evening"]["totals"] = [[5, 5, 5]]


def one_name_too_many(forger: RecordForger) -> None:
    forger.names["names"].append("Dora")


FORGERIES: list[tuple[Callable[[RecordForger], None], str, str]] = [
    (server_seed, "closed", "errors.record_promise"),
    (promised_anew, "landed", "errors.record_dice"),
    (client_seed, "revealed", "rules.refusal.seed_wrong"),
    (client_seed_at_the_end, "closed", "rules.refusal.seed_wrong"),
    (sealed_anew, "landed", "errors.record_dice"),
    (left_out, "landed", "errors.record_dice"),
    (seal_dropped, "landed", "errors.record_dice"),
    (seal_of_nobody, "header", "errors.record_seal"),
    (another_game, "revealed", "rules.refusal.seed_wrong"),
    (another_turn_said, "landed", "rules.refusal.wrong_fall"),
    (real_said, "landed", "rules.refusal.wrong_fall"),
    (closed_early, "closed", "rules.refusal.not_over"),
    (other_rules, "header", "errors.record_fingerprint"),
    (more_totals, "header", "errors.record_line"),
    (one_name_too_many, "names", "errors.record_line"),
]


def another_lot(forger: RecordForger) -> None:
    forger.first("drawn")["seat"] = (forger.first("drawn")["seat"] + 1) % 3


def lot_of_nobody(forger: RecordForger) -> None:
    forger.first("drawn")["seat"] = 3


def second_lot(forger: RecordForger) -> None:
    forger.events.insert(forger.line("acted") - 3, dict(forger.first("drawn")))


def lot_left_out(forger: RecordForger) -> None:
    del forger.events[forger.line("drawn") - 3]


def lot_before_the_seeds(forger: RecordForger) -> None:
    forger.events.insert(0, forger.events.pop(forger.line("drawn") - 3))


def lot_not_agreed(forger: RecordForger) -> None:
    del forger.header["start"]


def rolled_off_instead(forger: RecordForger) -> None:
    forger.header["start"] = "roll_off"


LOT_FORGERIES: list[tuple[Callable[[RecordForger], None], str, str]] = [
    (another_lot, "drawn", "errors.record_lot"),
    (lot_of_nobody, "drawn", "rules.refusal.no_lot"),
    (second_lot, "acted", "rules.refusal.no_lot"),
    (lot_left_out, "acted", "rules.refusal.lot_first"),
    (lot_before_the_seeds, "drawn", "rules.refusal.seeds"),
    (lot_not_agreed, "drawn", "rules.refusal.no_lot"),
    (rolled_off_instead, "drawn", "rules.refusal.no_lot"),
]


@pytest.mark.parametrize(("forge", "kind", "why"), LOT_FORGERIES, ids=[forge.__name__ for forge, _, _ in LOT_FORGERIES])
def test_what_a_careful_forger_changes_about_the_lot_is_found_where_it_is(
    forge: Callable[[RecordForger], None], kind: str, why: str
) -> None:
    forger = RecordForger(content_of("lots"))
    forge(forger)
    line = forger.line(kind) - (forge is second_lot)
    assert find_wrong(forger.content) == (line, why)
    assert find_wrong_line(forger.content) in (line, line + 1)


def test_a_start_nobody_knows_is_not_part_of_a_record() -> None:
    forger = RecordForger(content_of("lots"))
    forger.header["start"] = "oldest"
    with pytest.raises(RecordLineInvalid):
        verify(forger.content, FILE)


@pytest.mark.parametrize("name", [name for name in GAMES if name.startswith("lots")])
def test_the_lot_is_said_to_be_verified_and_lets_its_seat_begin(name: str) -> None:
    table, verdict = table_of(name), verify(content_of(name), FILE)
    drawn = [event for event in table.events if isinstance(event, Drawn)]
    assert [event.seat for event in drawn] == [verdict.drawn] == [table.replay.drawn]
    if not table.header.free:
        assert table.replay.tracks[0].start.player == verdict.drawn
        assert next(event.seat for event in table.events if isinstance(event, Acted)) == verdict.drawn


def test_other_seeds_let_others_begin() -> None:
    starters = {play_game(TWO_DICE, typed=f"evening {n}", start="random").replay.drawn for n in range(12)}
    assert starters == {0, 1, 2}


def test_nothing_is_played_before_the_lot_is_drawn() -> None:
    table = open_table(TWO_DICE, sealed=(), start="random")
    with pytest.raises(IllegalAction) as refused:
        table.decide(0, Roll())
    assert refused.value.values["why"] == phrase("rules.refusal.lot_first")


@pytest.mark.parametrize(("forge", "kind", "why"), FORGERIES, ids=[forge.__name__ for forge, _, _ in FORGERIES])
def test_what_a_careful_forger_changes_is_found_where_it_is(
    forge: Callable[[RecordForger], None], kind: str, why: str
) -> None:
    forger = RecordForger(content_of("two dice"))
    forge(forger)
    line = {"header": 1, "names": 2}.get(kind) or forger.line(kind)
    assert find_wrong(forger.content) == (line, why)
    assert_not_verified(forger.content)
    verdict = verify(forger.content, FILE)
    assert verdict.event == (line - 2 if line > 2 else None)


def test_seeds_nobody_sealed_are_refused() -> None:
    forger = RecordForger(content_of("no seal"))
    forger.first("closed")["seeds"]["clients"] = ["ab" * 32]
    assert find_wrong(forger.content) == (forger.line("closed"), "rules.refusal.seed_wrong")


@pytest.mark.parametrize("typed", ["another", "", "evening/1"])
def test_a_typed_seed_must_be_the_one_that_was_typed(typed: str) -> None:
    forger = RecordForger(content_of("seeded"))
    forger.header["dice"]["seed"] = typed
    assert find_wrong(forger.content) == (1, "errors.record_seeded")


def test_a_game_is_not_seeded_by_giving_it_the_name_of_a_seeded_one() -> None:
    table = open_table(TWO_DICE, typed="evening")
    own = "ab" * 32
    rules = bytes.fromhex(table.header.fingerprint)
    forger = RecordForger(content_of("seeded"))
    forger.header["dice"]["commitment"] = fair.commit_server_seed(table.header.game, rules, bytes.fromhex(own)).hex()
    forger.events = [{"event": "closed", "seeds": {"server": own, "clients": []}, "why": "stopped"}]
    assert find_wrong(forger.content) == (3, "errors.record_seeded")


def test_dice_said_to_be_real_from_the_start_are_not_called_ours() -> None:
    forger = RecordForger(content_of("two dice"))
    for seat in forger.header["seats"]:
        seat["real_dice"] = True
    for event in forger.events:
        if event["event"] == "landed":
            event["real"] = True
    verdict = verify(forger.content, FILE)
    assert verdict.is_verified
    assert (verdict.rolls, verdict.real_rolls > 0) == (0, True)


def test_if_only_the_digest_is_wrong_that_is_said() -> None:
    content = content_of("lively")
    flip = content.replace("Zoë".encode(), b"Eve")
    assert find_wrong(flip) == (flip.count(b"\n"), "errors.record_edited")
    assert verify(flip, FILE).event is None
    lines = split_lines(content)
    assert find_wrong(b"".join(line + b"\n" for line in lines) + b'{"sha256":""}\n')[1] == "errors.record_edited"


# Files that cannot be read.


@pytest.mark.parametrize(
    ("header", "error"),
    [
        (b'{"knobel":4}', RecordFormatUnknown),
        (b'{"knobel":0}', RecordFormatUnknown),
        (b'{"knobel":2}', RecordLineInvalid),
        (b'{"knobel":3}', RecordLineInvalid),
        (b'{"knobel":"2"}', RecordLineInvalid),
        (b"[" * 5000, RecordLineInvalid),
        (b"\xff", RecordLineInvalid),
        (b"", RecordLineInvalid),
        (split_lines(content_of("two dice"))[0].replace(b"knobel-dice-1", b"knobel-dice-9"), RecordSchemeUnknown),
    ],
    ids=lambda value: repr(value[:30]) if isinstance(value, bytes) else "",
)
def test_a_header_that_cannot_be_read_is_an_error(header: bytes, error: type[KnobelError]) -> None:
    with pytest.raises(error) as raised:
        verify(add_digest([header, *split_lines(content_of("two dice"))[1:]]), FILE)
    assert type(raised.value) is error
    assert describe_error(raised.value).startswith(FILE)
    assert raised.value.exit_status == 2


@pytest.mark.parametrize("content", [b"", b"\n", b"{}\n", b"\x00" * 99, b"[" * 9999, b"hello\n"], ids=repr)
def test_what_is_no_record_is_an_error(content: bytes) -> None:
    with pytest.raises(RecordTruncated):
        verify(content, FILE)


# The command.


def ask(*line: str) -> None:
    """Type a line, without the shell."""
    COMMAND.run(parse_arguments(COMMAND, [*line, "--lang", "en"]))


@pytest.mark.parametrize(
    ("name", "said", "unsaid"),
    [
        (
            "two dice",
            ["rolls were ours", "seeds of 2 players", "nobody chose", "It doesn’t prove"],
            ["real", "Seeded"],
        ),
        ("without one", ["seed of 1 player ", "1 player sealed a seed but didn’t reveal it"], ["Seeded"]),
        ("no seal", ["No player sealed a seed", "It doesn’t prove"], ["nobody chose"]),
        ("seeded", ["Seeded, not fair play"], ["nobody chose", "It doesn’t prove"]),
        ("real dice", ["rolls were made with real dice, not ours"], ["without their dice"]),
    ],
)
def test_the_command_says_what_is_proved_and_what_not(
    name: str, said: list[str], unsaid: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FILE).write_bytes(content_of(name))
    ask(str(tmp_path / FILE))
    words = " ".join(capsys.readouterr().out.split())
    assert f"game {table_of(name).header.game}: verified; every move was allowed." in words
    assert f"Head of the chain: {table_of(name).head}" in words
    assert [part for part in said if part not in words] == []
    assert [part for part in unsaid if part in words] == []


def test_where_no_roll_was_ours_nothing_is_claimed(capsys: pytest.CaptureFixture[str]) -> None:
    ask(str(FOLDER / "everything.knobel"))
    words = " ".join(capsys.readouterr().out.split())
    assert "No roll was ours" in words
    assert "4 rolls were made with real dice" in words
    assert "2 entries were made without their dice" in words
    assert "nobody" not in words


def test_the_command_answers_in_json_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / FILE).write_bytes(content_of("two dice"))
    ask(str(tmp_path / FILE), "--json")
    form = json.loads(capsys.readouterr().out)
    assert (form["verified"], form["seeds"], form["head"]) == (True, 2, table_of("two dice").head)
    forger = RecordForger(content_of("two dice"))
    server_seed(forger)
    (tmp_path / FILE).write_bytes(forger.content)
    with pytest.raises(RecordDiceMismatch) as error:
        ask(str(tmp_path / FILE), "--json")
    assert error.value.exit_status == 1
    form = json.loads(capsys.readouterr().out)
    assert (form["verified"], form["line"], form["event"]) == (False, forger.line("closed"), forger.line("closed") - 2)
    assert Translator("en").describe_error(error.value) == f"Not verified. {form['why']}"


def run_command(*line: str) -> tuple[int, str, str]:
    """Type a line into the real command."""
    run = subprocess.run(
        [sys.executable, "-m", "knobel", "verify", *line, "--lang", "en"],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    return run.returncode, run.stdout, run.stderr


@pytest.mark.process
def test_the_exit_code_is_0_1_or_2(tmp_path: Path) -> None:
    content, path = content_of("two dice"), tmp_path / FILE
    forger = RecordForger(content)
    forger.first("landed")["dice"][0] = forger.first("landed")["dice"][0] % 6 + 1
    cases = [(content, 0), (forger.content, 1), (add_digest(split_lines(content)[:-1]), 2), (content[:-9], 2), (b"", 2)]
    for each, status in cases:
        path.write_bytes(each)
        code, out, err = run_command(str(path))
        assert code == status
        assert len(err.splitlines()) == (status > 0)
        assert bool(out) == (status == 0)
    path.write_bytes(forger.content)
    reason = "these aren’t the dice the seeds give for this roll"
    assert run_command(str(path))[2] == f"Not verified. {FILE}, line {forger.line('landed')}: {reason}.\n"
    assert run_command(str(tmp_path))[0] == run_command(str(tmp_path / "none"))[0] == 2


@pytest.mark.rest
@pytest.mark.process
def test_dozens_of_flips_are_caught_by_the_real_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random, path = Random(36), tmp_path / FILE
    for number in range(36):
        content = content_of(("two dice", "stopped")[number % 2])
        path.write_bytes(flip_bit(content, random))
        if number < 10:
            code, out, err = run_command(str(path))
        else:
            code, (out, err) = main(["verify", str(path), "--lang", "en"]), capsys.readouterr()
        assert (code in (1, 2), FILE in err, out, len(err.splitlines())) == (True, True, "", 1)
