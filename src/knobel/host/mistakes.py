"""The mistakes of people as puzzles: found in their games, asked when they are due, scheduled by the answers.

The coach and the puzzles are imported where they are needed, because they need the solver.
"""

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from knobel.errors import DatabaseError, KnobelError, ServerBusy
from knobel.host.archive import load_table
from knobel.host.daily_record import is_daily_id, load_daily_table, read_daily_id
from knobel.store import Store
from knobel.store.learning import PutCard, PutMistakes, StoredMistake
from knobel.table import Table

if TYPE_CHECKING:
    from knobel.coach.review import Review
    from knobel.learning.puzzle import Puzzle

MILLI = 1000
LEAST_FOR_TREND = 5
"""Of so many games it is said how the cost of a theme changes."""
MOST_GAMES = 2000
"""So many of the last games of a person are counted for it; nobody waits for a hundred thousand."""
SeatReviewer: TypeAlias = "Callable[[Table, int], Awaitable[Review]]"


@dataclass(frozen=True, slots=True)
class ThemeCost:
    """What a theme costs somebody per game of an edition, and in the older and the newer half of the games."""

    edition: str
    theme: str
    per_game: float
    earlier: float | None = None
    recent: float | None = None


def plan_mistakes(table: Table, review: "Review", person: str, at: float, known_as: str = "") -> PutMistakes:
    """Plan to write the mistakes of a reviewed seat, in a game that may be found by another id than its own."""
    from knobel.learning.mistakes import list_mistakes
    from knobel.learning.spacing import start_card

    game, edition, card = known_as or table.header.game, table.header.edition.id, start_card(at)
    rows = tuple(
        StoredMistake(person, game, one.event, review.seat, edition, one.theme, round(one.loss * MILLI), card, at)
        for one in list_mistakes(table.record, table.replay, review)
    )
    return PutMistakes(game, review.seat, rows)


async def search_games(store: Store, review: SeatReviewer, person: str, limit: int, now: float) -> int:
    """Look for mistakes in games of a person nobody has looked through yet, the last one first; say in how many."""
    found = await store.list_unsearched(person, limit)
    for one in found:
        await search_seat(store, review, one, now)
    return len(found)


async def search_seat(store: Store, review: SeatReviewer, place: tuple[str, int, str], now: float) -> None:
    """Look for the mistakes of a person on a seat of a game; one that cannot be reviewed is not tried again."""
    game, seat, person = place
    write = PutMistakes(game, seat, ())
    try:
        table, _ = await load_table(store, game)
        write = plan_mistakes(table, await review(table, seat), person, now)
    except (DatabaseError, ServerBusy):
        raise
    except KnobelError:
        pass
    await store.commit(write)


def list_due(mistakes: Sequence[StoredMistake], now: float, edition: str = "") -> list[StoredMistake]:
    """List what is to be asked now, the dearest first."""
    due = [one for one in mistakes if one.due <= now and edition in ("", one.edition)]
    return sorted(due, key=lambda one: (-one.lost, one.game, one.event))


async def list_askable(store: Store, person: str, now: float, edition: str = "") -> list[StoredMistake]:
    """List what can be asked now, the dearest first: house rules of a game of the day may be forgotten before it."""
    due = list_due(await store.list_mistakes(person), now, edition)
    return [one for one in due if await has_rules(store, one)]


async def has_rules(store: Store, mistake: StoredMistake) -> bool:
    house_rules = read_daily_id(mistake.game).house_rules if is_daily_id(mistake.game) else ""
    return not house_rules or await store.find_house_rules(house_rules) is not None


async def load_puzzle(store: Store, mistake: StoredMistake) -> "tuple[Table, Puzzle]":
    """Load the position of a mistake from the log of its game, or from the moves of a game of the day."""
    from knobel.learning.mistakes import build_mistake_puzzle

    if is_daily_id(mistake.game):
        table = await load_daily_table(store, mistake.game)
    else:
        table, _ = await load_table(store, mistake.game)
    return table, build_mistake_puzzle(table.replay, mistake.seat, mistake.event, mistake.theme)


async def keep_schedule(store: Store, mistake: StoredMistake, loss: float, now: float) -> float:
    """Write when a mistake is to be asked again after an answer, and say when."""
    from knobel.learning.spacing import schedule

    card, due = schedule(mistake.card, loss, now)
    await store.commit(PutCard(mistake, card, due))
    return due


async def list_theme_costs(store: Store, person: str) -> list[ThemeCost]:
    """List what each theme costs somebody per reviewed game, by edition, the dearest first, and how that changes."""
    games = defaultdict[str, list[str]](list)
    for edition, game in reversed(await store.list_searched(person, MOST_GAMES)):
        games[edition].append(game)
    counted = {game for some in games.values() for game in some}
    lost = defaultdict[tuple[str, str], Counter[str]](Counter)
    for one in await store.list_mistakes(person):
        if one.game in counted:
            lost[one.edition, one.theme][one.game] += one.lost
    costs = [count_theme_cost(edition, theme, games[edition], by_game) for (edition, theme), by_game in lost.items()]
    return sorted(costs, key=lambda one: (one.edition, -one.per_game, one.theme))


def count_theme_cost(edition: str, theme: str, games: Sequence[str], lost: Mapping[str, int]) -> ThemeCost:
    """Count what a theme costs per game; of few games nothing is said about a change."""

    def average(some: Sequence[str]) -> float:
        return sum(lost.get(game, 0) for game in some) / MILLI / len(some)

    if len(games) < LEAST_FOR_TREND:
        return ThemeCost(edition, theme, average(games))
    half = len(games) // 2
    return ThemeCost(edition, theme, average(games), average(games[:half]), average(games[half:]))
