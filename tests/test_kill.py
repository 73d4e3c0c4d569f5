"""Killed at any moment, again and again, the house loses nothing it promised, and does nothing twice."""

import asyncio
import os
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.crowd import Crowd, Faults, House, Manners, faults, kept_in, until, wrong_records, wrongly_served

PARTIES = 20
LEAST = 20
"""However busy the machine is, so many commands at least are promised between two kills."""
READY = 2.0
"""So many seconds after its start the house serves its first page."""


@dataclass(frozen=True)
class Seen:
    """What a crowd lived through: its faults, how much it was promised, and how the house came back."""

    faults: Faults
    wrong: list[str]
    promised: int
    resent: int
    games: int
    closed: int
    starts: list[float]
    load: float

    def __str__(self) -> str:
        return (
            f"{len(self.starts) - 1} kills, {self.promised} promises, {self.resent} sent again, {self.games} games "
            f"({self.closed} closed), ready after {max(self.starts):.2f} s at most, "
            f"{sorted(self.starts)[len(self.starts) // 2]:.2f} s mostly, load {self.load:.1f} at most"
        )


async def lived_through(house: House, kills: int, seed: int, least: int = LEAST) -> Seen:
    """Play under load while the house is killed at random moments, then compare all promises with what is stored."""
    crowd, chance, load = Crowd([house.port], PARTIES, seed), Random(seed), 0.0
    try:
        await house.start()
        crowd.come()
        for _ in range(kills):
            enough = crowd.promised + least
            await asyncio.sleep(chance.uniform(0.1, 0.4))
            await until(lambda enough=enough: crowd.promised >= enough, 60)  # type: ignore[misc]
            house.kill()
            await house.start()
            load = max(load, os.getloadavg()[0])
        await crowd.settle()
        kept = await kept_in(house.database)
        wrong = wrong_records(kept) + await wrongly_served(house.port, kept)
        closed = sum(log.game.is_closed for log in kept.logs.values())
        found = faults(crowd, kept)
        return Seen(found, wrong, crowd.promised, crowd.resent, len(kept.logs), closed, house.starts, load)
    finally:
        await crowd.leave()
        house.kill()


def database(folder: Path) -> str:
    """Give the address of a file in a folder."""
    return f"sqlite:///{folder / 'kill.db'}"


def check_killed(folder: Path, kills: int, seed: int) -> None:
    """Insist that nothing is lost, doubled or missing, and that the house is soon there again."""
    seen = asyncio.run(lived_through(House(database(folder)), kills, seed))
    print(seen)
    check_kept(seen)
    assert seen.promised >= LEAST * kills
    assert seen.resent > kills
    # The load of the last minute says little about a moment of it, so a few starts may have been held up by others.
    slow = sorted(seen.starts)[len(seen.starts) * 9 // 10 - 1]
    assert slow < patience(READY, seen.load), str(seen)
    assert max(seen.starts) < 5 * patience(READY, seen.load), str(seen)


def check_kept(seen: Seen) -> None:
    """Insist that every promise was kept, once, and that stored, served and replayed are the same."""
    assert seen.faults == {name: [] for name in seen.faults}
    assert seen.wrong == []


def patience(seconds: float, load: float | None = None) -> float:
    """Give more time where other work shares the machine with the crowd and the house, now or while it was measured."""
    return seconds * max(1.0, (os.getloadavg()[0] if load is None else load) / (os.cpu_count() or 1))


def test_fifty_kills_under_load_lose_nothing_double_nothing_and_leave_no_gap(tmp_path: Path) -> None:
    check_killed(tmp_path, 50, 1)


@pytest.mark.torture
def test_five_hundred_kills_under_load_lose_nothing_double_nothing_and_leave_no_gap(tmp_path: Path) -> None:
    check_killed(tmp_path, 500, 2)


def mutant(name: str, folder: Path) -> Faults:
    """Put a house with one thing wrong through the same as the right one, and insist that it does not pass."""
    house = House(database(folder), (sys.executable, "-m", "tests.mutants", name))
    seen = asyncio.run(lived_through(house, 2, 3, least=600))
    with pytest.raises(AssertionError):
        check_kept(seen)
    print(seen, {kind: len(found) for kind, found in seen.faults.items()})
    return seen.faults


def test_a_house_that_answers_before_it_commits_is_caught_losing_what_it_promised(tmp_path: Path) -> None:
    assert mutant("ack-before-commit", tmp_path)["lost"]


def test_a_house_that_knows_no_command_again_is_caught_doing_things_twice(tmp_path: Path) -> None:
    found = mutant("no-command-id", tmp_path)
    assert found["duplicated"]
    assert found["contradicted"]


async def filled_up(house: House) -> tuple[Crowd, Faults, list[str], list[int]]:
    """Play, let the disk be full for a while, play on; note how many promises there were at each turn."""
    crowd = Crowd([house.port], 6, 4, manners=Manners(pause=0.01))
    try:
        await house.start()
        crowd.come()
        await until(lambda: crowd.promised > 150, 30)
        assert house.process is not None
        sizes = [file.stat().st_size for file in Path(house.database.removeprefix("sqlite:///")).parent.iterdir()]
        free = resource.prlimit(house.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(house.process.pid, resource.RLIMIT_FSIZE, (max(sizes), free[1]))
        await until(lambda: bool(crowd.complaints("database_full")), 20)
        await asyncio.sleep(0.5)
        counts = [crowd.promised]
        await asyncio.sleep(1.5)
        counts.append(crowd.promised)
        resource.prlimit(house.process.pid, resource.RLIMIT_FSIZE, free)
        begin = time.monotonic()
        await until(lambda: crowd.promised > counts[1] + 50, 30)
        print(f"played on {time.monotonic() - begin:.2f} s after there was space again")
        await crowd.settle()
        counts.append(crowd.promised)
        kept = await kept_in(house.database)
        return crowd, faults(crowd, kept), wrong_records(kept) + await wrongly_served(house.port, kept), counts
    finally:
        await crowd.leave()
        house.kill()


def test_a_full_disk_is_said_in_a_sentence_loses_nothing_and_is_over_when_there_is_space_again(tmp_path: Path) -> None:
    crowd, found, wrong, (full, still, after) = asyncio.run(filled_up(House(database(tmp_path))))
    assert found == {name: [] for name in found}
    assert wrong == []
    assert full == still < after
    said = {text for _, text in crowd.complaints("database_full")}
    assert len(said) == 1
    assert str(tmp_path) in said.pop()
