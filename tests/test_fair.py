"""Fair dice: the vectors that are printed, and no face and no roll favoured, at thresholds fixed beforehand."""

import hashlib
import hmac
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from knobel import fair
from tests.support.independent_verifier import draw_dice
from tests.support.selection import mostly_rest

PAGE = (Path(__file__).parents[1] / "docs" / "fair-dice.md").read_text(encoding="utf-8")
GAME = "G-TEST-1"
SERVER = bytes(range(32))
RULES = hashlib.sha256(b"rules").digest()
CLIENTS = [b"\xaa" * 32, b"\xbb" * 32]
KEY = bytes.fromhex("ba1694499c05b6e8b91bfdf82189f6793f8ae5c7bff6e5fc0157fab6803e51b7")


# The vectors of docs/fair-dice.md.


def hashes() -> dict[str, bytes]:
    """Compute everything the page prints as hex."""
    return {
        "47ff7afef216181955eb7da81f2eabab4b78adf3421c45844cbe1d25025b3390": fair.commit_server_seed(
            GAME, RULES, SERVER
        ),
        "af6c720ef0197ad8d2d1d6b10cb4520f8421c6a7ade474530d86c5673e8f25b8": fair.commit_client_seed(
            GAME, 0, CLIENTS[0]
        ),
        "d4d168d0e54310038e3b2c697b1a0210a415e445b15eb5e05d231c2948adb708": fair.commit_client_seed(
            GAME, 1, CLIENTS[1]
        ),
        "ba1694499c05b6e8b91bfdf82189f6793f8ae5c7bff6e5fc0157fab6803e51b7": fair.derive_dice_key(
            GAME, RULES, SERVER, CLIENTS
        ),
        "23e0af7ded98b327caccd0e7d589717e102ce610e8c242748012a6a435614e10": fair.derive_dice_key(
            GAME, RULES, SERVER, []
        ),
        "6181f44590a9018253d2a74c7a4be15c56b7ad8c75a061297ac7a6845bedafd0": fair.derive_game_seed("evening", 2)[0],
        "d5a5a4e2cf15d895": bytes.fromhex(fair.derive_game_seed("evening", 2)[1]),
        "0000000200000002616200000000": fair.pack(b"ab", b""),
    }


def test_the_scheme_and_the_length_of_a_seed_are_those_of_the_page() -> None:
    assert f"This page describes the scheme, `{fair.SCHEME}`" in PAGE
    assert f"Seeds are {fair.SEED_BYTES} bytes." in PAGE


@pytest.mark.parametrize("printed", hashes())
def test_a_hash_is_that_of_the_vectors_and_the_page_prints_it(printed: str) -> None:
    assert hashes()[printed].hex() == printed
    assert f"`{printed}`" in PAGE


@pytest.mark.parametrize(
    ("address", "faces", "dice"),
    [
        ((0, 0, 0), 6, (3, 3, 1, 6, 3)),
        ((0, 0, 1), 6, (6, 4, 5, 3, 3)),
        ((1, 0, 0), 6, (2, 1, 3, 6, 6)),
        ((0, 12, 2), 6, (1, 5, 1, 6, 1, 5)),
        ((0, 0, 0), 10, (9, 2, 7, 1, 4, 3)),
    ],
)
def test_a_roll_is_that_of_the_vectors_and_the_page_prints_it(
    address: tuple[int, int, int], faces: int, dice: tuple[int, ...]
) -> None:
    assert fair.roll(KEY, *address, len(dice), faces) == dice
    assert f"| {' '.join(map(str, dice))} |" in PAGE


@pytest.mark.parametrize(
    ("address", "faces", "dice"),
    [
        ((0, 0), 6, (6, 2, 4, 5, 2)),
        ((0, 1), 6, (5, 5, 2, 4, 5)),
        ((1, 0), 6, (6, 5, 4, 3, 1)),
        ((12, 2), 6, (4, 4, 1, 4, 3, 3)),
        ((0, 0), 10, (10, 2, 2, 9, 1, 8)),
    ],
)
def test_a_duplicate_roll_is_that_of_the_vectors_whatever_the_seat(
    address: tuple[int, int], faces: int, dice: tuple[int, ...]
) -> None:
    assert fair.roll_duplicate(KEY, *address, len(dice), faces) == dice
    assert f"| {' '.join(map(str, dice))} |" in PAGE
    for seat in (0, 1, 98):
        assert fair.roll_by_scheme("knobel-dice-2", KEY, seat, *address, len(dice), faces) == dice
        assert fair.roll_by_scheme("knobel-dice-1", KEY, seat, *address, len(dice), faces) == fair.roll(
            KEY, seat, *address, len(dice), faces
        )


def test_a_duplicate_roll_is_that_of_a_stranger_who_has_read_the_page() -> None:
    block = hmac.digest(KEY, b"yz-roll-v2" + fair.encode_uint32(0) * 2 + bytes((0, 0, 0, 6)) + bytes(4), "sha256")
    assert f"`{block.hex()}`" in PAGE
    assert f"| {' '.join(map(str, fair.roll_duplicate(KEY, 0, 0, 40)[30:]))} |" in PAGE
    for turn, roll, faces in ((0, 0, 6), (3, 1, 6), (14, 2, 8), (7, 0, 10)):
        event = {"seat": 5, "turn": turn, "faces": faces, "positions": list(range(40))}
        assert tuple(draw_dice("knobel-dice-2", KEY, event, roll)) == fair.roll_duplicate(KEY, turn, roll, 40, faces)


def test_the_next_block_is_that_of_the_vectors_and_the_page_prints_it() -> None:
    later = fair.roll(KEY, 0, 0, 0, 40)[30:]
    assert f"| {' '.join(map(str, later))} |" in PAGE


def test_the_lots_are_those_of_the_vectors_and_the_page_prints_them() -> None:
    block = hmac.digest(KEY, b"yz-lot-v1" + fair.encode_uint32(3) + fair.encode_uint32(0), "sha256")
    assert f"`{block.hex()}`" in PAGE
    for key, lots in ((KEY, (1, 2, 4, 4, 73)), (fair.derive_dice_key(GAME, RULES, SERVER, []), (0, 0, 4, 3, 8))):
        assert tuple(fair.draw_lot(key, seats) for seats in (2, 3, 5, 10, 99)) == lots
        assert f"| {' '.join(map(str, lots))} |" in PAGE


@pytest.mark.parametrize("seats", [2, 3, 6, 7, 99])
def test_no_seat_is_favoured_by_the_lot(seats: int) -> None:
    draws = 400 * seats
    counts = Counter(fair.draw_lot(hashlib.sha256(f"lot {n}".encode()).digest(), seats) for n in range(draws))
    assert set(counts) == set(range(seats))
    deviation = math.sqrt(draws / seats * (1 - 1 / seats))
    assert all(abs(count - draws / seats) < 5 * deviation for count in counts.values())


def test_the_lot_passes_over_bytes_that_would_favour_a_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [b"\xff" * 32, b"\xfe\x04" + b"\x00" * 30]
    monkeypatch.setattr("knobel.fair.hmac.digest", lambda _key, message, _name: blocks[message[-1]])
    assert fair.draw_lot(KEY, 3) == 254 % 3
    assert fair.draw_lot(KEY, 7) == 4


def test_the_chain_of_the_page_holds() -> None:
    lines = [line.strip() for line in PAGE.rpartition("\n\n")[2].splitlines()]
    for line, printed in zip(lines[::2], lines[1::2], strict=True):
        assert hashlib.sha256(line.encode()).hexdigest() == printed
    for line, before in zip(lines[2::2], lines[1::2], strict=False):
        assert line.startswith(f'{{"after":"{before}","event":{{')


def test_a_seal_is_of_one_game_one_seat_and_one_seed() -> None:
    seals = {
        fair.commit_client_seed(game, seat, seed)
        for game in (GAME, "G-TEST-2")
        for seat in (0, 1, 2, 256)
        for seed in CLIENTS
    }
    assert len(seals) == 16


def test_a_typed_seed_gives_another_game_at_each_place_of_the_series() -> None:
    assert fair.derive_game_seed("x", 1) == fair.derive_game_seed("x", 1)
    assert len({fair.derive_game_seed(seed, place) for seed in ("x", "y", "x/1", "") for place in (1, 2)}) == 8


# No face and no roll favoured.

RollFunction: TypeAlias = Callable[[bytes, int, int, int, int], tuple[int, ...]]
Counts: TypeAlias = Any

LUCK = 1e-6
"""How often honest dice may fail: fixed before any was rolled, and so are the limits that follow from it."""
FACES_LIMIT, FACES_FREE = 35.888186879672865, 5
JOINT_LIMIT, JOINT_FREE = 8382.211989919308, 7775
WEIGHTS = np.array([1296, 216, 36, 6, 1])


def tail(surprise: float, free: int) -> float:
    """Give the chance that a chi-square with these degrees of freedom is larger: a continued fraction, by Lentz."""
    a, x = free / 2, surprise / 2
    assert x > a + 1
    b = x + 1 - a
    c, d = math.inf, 1 / b
    fraction = d
    for n in range(1, 100_000):
        b += 2
        step = n * (a - n)
        d = 1 / (b + step * d)
        c = b + step / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(a * math.log(x) - x - math.lgamma(a)) * fraction


@pytest.mark.parametrize(("limit", "free"), [(FACES_LIMIT, FACES_FREE), (JOINT_LIMIT, JOINT_FREE)])
def test_the_limits_are_those_luck_exceeds_once_in_a_million(limit: float, free: int) -> None:
    assert tail(limit, free) == pytest.approx(LUCK, rel=1e-6)
    z, part = 4.753424308822899, 2 / (9 * free)
    assert limit == pytest.approx(free * (1 - part + z * math.sqrt(part)) ** 3, rel=0.05)
    """The formula of Wilson and Hilferty, an approximation, agrees."""


@pytest.mark.parametrize(("surprise", "free", "chance"), [(11.0705, 5, 0.05), (15.0863, 5, 0.01), (29.5883, 10, 0.001)])
def test_the_tail_is_that_of_the_printed_tables(surprise: float, free: int, chance: float) -> None:
    assert tail(surprise, free) == pytest.approx(chance, rel=1e-3)


def rolls(one_roll: RollFunction, key: bytes, dice: int) -> Iterator[tuple[int, ...]]:
    """Roll dice: half of them five at a time, as at a table, half of them two hundred at a time."""
    for place in range(dice // 10):
        yield one_roll(key, place % 2, place // 6, place // 2 % 3, 5)
    for place in range(dice // 400):
        yield one_roll(key, 2, place, 0, 200)


def count_outcomes(rolled: Iterable[tuple[int, ...]]) -> Counts:
    """Count the 7,776 outcomes of five dice, in order."""
    counts = np.zeros(7776, np.int64)
    rest = iter(rolled)
    while some := b"".join(map(bytes, islice(rest, 10_000))):
        fives = np.frombuffer(some, np.uint8).reshape(-1, 5).astype(np.int64) - 1
        counts += np.bincount(fives @ WEIGHTS, minlength=7776)
    return counts


def surprises(counts: Counts) -> tuple[float, float]:
    """Give the chi-squares of the faces and of the outcomes of five dice."""
    by_place = counts.reshape(6, 6, 6, 6, 6)
    faces = sum(by_place.sum(axis=tuple({0, 1, 2, 3, 4} - {place})) for place in range(5))
    return surprise(faces), surprise(counts)


def surprise(counts: Counts) -> float:
    expected = counts.sum() / len(counts)
    return float(((counts - expected) ** 2 / expected).sum())


def passes(one_roll: RollFunction, key: bytes = KEY, dice: int = 1_000_000) -> bool:
    """Put a way of rolling to the test."""
    counts = count_outcomes(rolls(one_roll, key, dice))
    assert counts.sum() * 5 == dice
    faces, joint = surprises(counts)
    return faces < FACES_LIMIT and joint < JOINT_LIMIT


@pytest.mark.solve
def test_a_million_dice_favour_no_face_and_no_roll() -> None:
    assert passes(fair.roll)


def mutant(
    limit: int = 252, block: Callable[[int], int] = int, address: Callable[..., tuple[int, ...]] = lambda *all_: all_
) -> RollFunction:
    """Make a way of rolling that is wrong in one thing."""

    def one_roll(key: bytes, seat: int, turn: int, number: int, dice: int) -> tuple[int, ...]:
        values: list[int] = []
        blocks = 0
        start = b"yz-roll-v1" + b"".join(map(fair.encode_uint32, (*address(seat, turn, number), 6)))
        while len(values) < dice:
            stream = hmac.digest(key, start + fair.encode_uint32(block(blocks)), "sha256")
            values += [byte % 6 + 1 for byte in stream if byte < limit]
            blocks += 1
        return tuple(values[:dice])

    return one_roll


def in_order(key: bytes, *address: int) -> tuple[int, ...]:
    """Roll dice that lie in order, as a hand does but a tray must not: every face is as frequent as it should be."""
    seat, turn, number, dice = address
    return tuple(sorted(fair.roll(key, seat, turn, number, dice)))


MUTANTS: dict[str, RollFunction] = {
    "no byte is passed over": mutant(limit=256),
    "one byte too many": mutant(limit=253),
    "one byte too few": mutant(limit=251),
    "a block is used again": mutant(block=lambda _: 0),
    "an address is used again": mutant(address=lambda seat, turn, _: (seat, turn, 0)),
    "dice lie in order": in_order,
}


def test_the_mutants_are_wrong_in_nothing_else() -> None:
    assert list(rolls(mutant(), KEY, 4000)) == list(rolls(fair.roll, KEY, 4000))


@pytest.mark.solve
@pytest.mark.parametrize("name", mostly_rest(MUTANTS, "no byte is passed over"))
def test_a_biased_way_of_rolling_fails_the_same_test(name: str) -> None:
    assert not passes(MUTANTS[name])


PARTS = 20


def part(number: int) -> Counts:
    """Count the dice of one key."""
    return count_outcomes(rolls(fair.roll, hashlib.sha256(b"part %d" % number).digest(), 100_000_000 // PARTS))


@pytest.mark.torture
def test_a_hundred_million_dice_favour_no_face_and_no_roll() -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as workers:
        counts = sum(workers.map(part, range(PARTS)))
    assert counts.sum() * 5 == 100_000_000
    faces, joint = surprises(counts)
    assert faces < FACES_LIMIT
    assert joint < JOINT_LIMIT
