"""Results of games that nobody played, for tests and benchmarks: many, quickly, always the same for a seed."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from knobel.store.people import ResultRow

DAY_SECONDS = 86400.0
FIRST_MOMENT = 1_600_000_000.0
BOXES = ("ones", "twos", "threes", "fours", "fives", "sixes", "chance", "yatzy")
LEVELS = ("beginner", "casual", "intermediate", "advanced", "expert")


def make_games(
    count: int,
    people: Sequence[str],
    editions: Sequence[str] = ("mb-yahtzee",),
    seed: int = 1,
    reviewed: float = 0.5,
    always: str | None = None,
) -> Iterator[tuple[ResultRow, ...]]:
    """Make the results of some games of up to four of these people and perhaps a bot; the times only grow."""
    random = Random(seed)
    for number in range(count):
        seated: list[str | None] = list(random.sample(people, min(len(people), random.randint(1, 4))))
        if always is not None:
            seated[0] = always
        if random.random() < 0.3 or len(seated) == 1:
            seated.append(None)
        yield make_game(random, number, seated, random.choice(editions), reviewed)


def make_game(
    random: Random, number: int, seated: Sequence[str | None], edition: str, reviewed: float
) -> tuple[ResultRow, ...]:
    totals = [max(5, round(random.gauss(210, 40))) for _ in seated]
    ended = FIRST_MOMENT + number * 1800.0 + random.random()
    rows = []
    for seat, (person, total) in enumerate(zip(seated, totals, strict=True)):
        place = 1 + sum(other > total for other in totals)
        detail = {f"box.{box}": random.randint(0, 30) for box in BOXES}
        detail |= {"bonus": random.randint(0, 1), "alike": random.randint(0, 2), "first_roll": random.randint(0, 1)}
        if place == 1 and random.random() < 0.5:
            detail["comeback"] = random.randint(1, 90)
        row = ResultRow(
            game=f"made{number:08}",
            seat=seat,
            room=f"room{number // 4}",
            person=person,
            bot=None if person else "greedy",
            edition=edition,
            title=edition.title(),
            text="en",
            fingerprint="f" * 64,
            family="sheet",
            ended=ended,
            total=total,
            place=place,
            players=len(seated),
            practice=0,
            free=0,
            assisted=int(random.random() < 0.1),
            real_dice=0,
            imported=0,
            counts=int(random.random() < 0.97),
            detail=json.dumps(detail, sort_keys=True, separators=(",", ":")),
        )
        if person is None:
            row = replace(row, reviewed=1)
        elif random.random() < reviewed:
            lost, luck = random.randint(0, 60_000), random.randint(-50_000, 50_000)
            row = replace(row, luck=luck, lost=lost, level=random.choice(LEVELS), reviewed=1)
        rows.append(row)
    return tuple(rows)
