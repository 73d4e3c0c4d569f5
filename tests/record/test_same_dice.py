"""Several records together: whether everybody had the same dice, and who had not."""

import json
from functools import cache
from pathlib import Path
from random import Random

import pytest

from knobel.cli import main
from knobel.record.events import Landed, Seat
from knobel.record.same_dice import find_other_dice
from knobel.record.verify import Verdict, verify
from knobel.table import Table
from tests.support.played_tables import encode_table, open_table, play_moves, reveal_seeds

EDITION = "noris-yatzy"
FOUR = (Seat("Ada"), Seat("Bo"), Seat("Cy"), Seat("Di"))


@cache
def play_duplicate(random: int, name: str = EDITION, silent: tuple[int, ...] = ()) -> Table:
    """Play a duplicate table with seeds that depend on the edition alone, so that two tables share their dice."""
    table = open_table(name, FOUR, duplicate=True)
    reveal_seeds(table, name, silent)
    play_moves(table, Random(random), lively=True)
    table.apply(table.decide_end())
    return table


def verify_table(table: Table) -> Verdict:
    return verify(encode_table(table), "game.knobel")


def test_every_seat_of_a_duplicate_table_rolls_the_same_dice() -> None:
    shown: dict[tuple[int, int, int], set[int]] = {}
    for table in (play_duplicate(1), play_duplicate(2)):
        for event in table.events:
            if isinstance(event, Landed):
                for place, die in zip(event.positions, event.dice, strict=True):
                    shown.setdefault((event.turn, event.roll, place), set()).add(die)
    assert len(shown) > 100
    assert all(len(dice) == 1 for dice in shown.values())


def test_two_tables_with_the_same_seeds_had_the_same_dice_and_others_are_named() -> None:
    records = {
        "a": verify_table(play_duplicate(1)),
        "b": verify_table(play_duplicate(2)),
        "c": verify_table(play_duplicate(3, silent=(2,))),
    }
    assert all(verdict.is_verified for verdict in records.values())
    assert find_other_dice({name: records[name] for name in "ab"}) == ()
    assert find_other_dice(records) == ("c",)
    assert find_other_dice({"c": records["c"], "a": records["a"]}) == ("a",)


def play_alone(typed: str, seats: tuple[Seat, ...], random: int) -> Verdict:
    table = open_table(EDITION, seats, typed=typed)
    play_moves(table, Random(random))
    table.apply(table.decide_end())
    return verify_table(table)


def test_games_for_one_with_the_same_typed_seed_had_the_same_dice_but_two_seats_have_two_streams() -> None:
    one, other = (play_alone("day", FOUR[:1], random) for random in (1, 2))
    assert find_other_dice({"one": one, "other": other}) == ()
    assert find_other_dice({"one": one, "next": play_alone("tomorrow", FOUR[:1], 1)}) == ("next",)
    two = {"one": play_alone("day", FOUR[:2], 1), "other": play_alone("day", FOUR[:2], 2)}
    assert find_other_dice(two) == ("one", "other")


def test_real_dice_are_never_the_same() -> None:
    seats = (Seat("Ada"), Seat("Bo", real_dice=True))
    table = open_table(EDITION, seats, free=True)
    reveal_seeds(table, EDITION)
    play_moves(table, Random(1))
    table.apply(table.decide_end())
    assert find_other_dice({"a": verify_table(table), "b": verify_table(table)}) == ("a", "b")


def test_the_command_says_whether_several_records_had_the_same_dice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = []
    for random, silent in ((1, ()), (2, ()), (3, (2,))):
        files.append(str(tmp_path / f"{random}.knobel"))
        Path(files[-1]).write_bytes(encode_table(play_duplicate(random, silent=silent)))
    assert main(["verify", files[0]]) == 0
    assert "every seat had the same dice" in capsys.readouterr().out
    assert main(["verify", *files[:2]]) == 0
    assert capsys.readouterr().out.startswith("All 2 records are verified")
    assert main(["verify", *files]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert files[2] in said.err
    assert files[1] not in said.err
    assert main(["verify", *files, "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["same_dice"], answer["other_dice"]) == (False, files[2:])
    assert [one["verified"] for one in answer["records"]] == [True] * 3
    assert main(["verify", files[0], files[0]]) == 0
