"""Practice at a server: puzzles of printed editions, the position of the day, and mistakes, each as a table to draw.

Puzzles are made one at a time in a thread, and those of an edition are kept. What needs the solver is imported on the
first request.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from knobel import fair
from knobel.errors import HouseRulesUnknown, MessageMalformed, PuzzleNotFound, ServerBusy, ThemeNotFound, UnknownTheme
from knobel.extras import SOLVER, require_extra
from knobel.games.families import FAMILIES as GAME_FAMILIES
from knobel.host.coach_service import EXPECTED_SCORES_SECONDS, CoachService
from knobel.host.mistakes import MILLI, keep_schedule, list_askable, load_puzzle
from knobel.record.events import DiceSource, Header, Seat, SeriesPosition, StartPosition
from knobel.record.formats import FORMAT
from knobel.rooms.room import describe_edition, load_printed_edition, open_edition
from knobel.rules import Edition
from knobel.rules.families import Rules, list_boxes
from knobel.rules.fields import abbreviate
from knobel.solver.request import EXPECTED_SCORES, SolveRequest
from knobel.store import WriteConflict
from knobel.store.learning import PutAnswer, StoredAnswer, StoredMistake
from knobel.table import Table

if TYPE_CHECKING:
    from knobel.learning.puzzle import GradedAnswer, Puzzle

PRACTICE, POSITION = "practice", "position"
MAX_GAMES = 600
"""How many games a server searches in vain for a theme."""
MAX_SECONDS = 15.0
"""How long it searches."""
MAX_NUMBER = 300
"""How many puzzles of a theme a server makes; then they begin again."""
MAX_WAITING = 8
"""How many requests wait while puzzles are made."""
MAX_STREAMS = 64
NO_SEED = "00" * fair.SEED_BYTES


@dataclass(frozen=True, slots=True)
class ShownPuzzle:
    """A puzzle, the table that shows it, and the coach that grades answers."""

    table: Table
    puzzle: "Puzzle"
    coach: Any


@dataclass(slots=True)
class PuzzleStream:
    """The puzzles of a generator: those made so far, and where the others come from."""

    source: "Iterator[Puzzle]"
    made: "list[Puzzle]" = field(default_factory=list)

    def find(self, number: int) -> "Puzzle":
        """Find a puzzle by its place; of a search that ended in vain there are no more."""
        while len(self.made) <= number:
            found = next(self.source, None)
            if found is None:
                raise ThemeNotFound(games=MAX_GAMES)
            self.made.append(found)
        return self.made[number]


class PracticeService:
    """Makes puzzles, grades answers and keeps them for people."""

    def __init__(self, coaching: CoachService) -> None:
        self.coaching = coaching
        self.host = coaching.host
        self.store = coaching.host.store
        self.streams: dict[tuple[str, str, str], PuzzleStream] = {}
        self.making = asyncio.Lock()
        self.waiting = 0

    async def find_puzzle(self, edition: Edition, text: str, theme: str, number: int) -> ShownPuzzle:
        """Find a puzzle of an edition by its theme, or any, and its number."""
        from knobel.learning.generator import BLOCK, name_practice_seed

        number %= MAX_NUMBER
        return await self.make(edition, text, name_practice_seed(number), theme, number % BLOCK)

    async def find_position_of_day(self, edition: Edition, text: str, day: str) -> ShownPuzzle:
        return await self.make(edition, text, f"day {day}", "", 0)

    async def make(self, edition: Edition, text: str, seed: str, theme: str, number: int) -> ShownPuzzle:
        """Make a puzzle in a thread, one request after the other."""
        require_extra(SOLVER)
        from knobel.learning.families import list_themes

        rules: Rules = edition.rules(text)
        game = GAME_FAMILIES[rules.family].build(rules, frozenset(), True)
        known = tuple(list_themes(game))
        if theme and theme not in known:
            raise UnknownTheme(name=abbreviate(theme), known=known)
        coach = await self.open_coach(game, 0)
        async with self.take_turn():
            stream = self.open_stream(game, coach, seed, theme)
            try:
                puzzle = await asyncio.to_thread(stream.find, number)
            except (ThemeNotFound, PuzzleNotFound):
                self.streams.pop((rules.fingerprint, seed, theme), None)
                raise
        return self.show(edition, text, puzzle, coach)

    @contextlib.asynccontextmanager
    async def take_turn(self) -> AsyncIterator[None]:
        """Wait until nothing else is made; refuse if too many wait."""
        if self.waiting >= MAX_WAITING:
            raise ServerBusy
        self.waiting += 1
        try:
            async with self.making:
                yield
        finally:
            self.waiting -= 1

    def show(self, edition: Edition, text: str, puzzle: "Puzzle", coach: Any) -> ShownPuzzle:
        """Lay out the table that shows a puzzle."""
        return ShownPuzzle(Table(build_header(edition, text, puzzle.rules, puzzle), NO_SEED), puzzle, coach)

    async def find_edition(self, name: str, house_rules: str) -> Edition:
        """Find a printed edition, or house rules by the fingerprint of their file."""
        if not house_rules:
            return load_printed_edition(name)
        content = await self.store.find_house_rules(house_rules)
        if content is None:
            raise HouseRulesUnknown
        return open_edition(name, content)

    def open_stream(self, game: Any, coach: Any, seed: str, theme: str) -> PuzzleStream:
        from knobel.learning.generator import PuzzleGenerator

        key = (game.rules.fingerprint, seed, theme)
        if key not in self.streams:
            while len(self.streams) >= MAX_STREAMS:
                del self.streams[next(iter(self.streams))]
            generator = PuzzleGenerator(game, coach, seed, MAX_GAMES, MAX_SECONDS)
            self.streams[key] = PuzzleStream(generator.list_puzzles(theme or None))
        return self.streams[key]

    async def open_coach(self, game: Any, seat: int) -> Any:
        """Open the book of a seat’s rules as soon as it is solved, and the numbers behind reasons if they come soon."""
        from knobel.coach.families import find_family
        from knobel.coach.sheet import open_coach

        rules = find_family(game).find_rules(game, seat)
        if rules is None:
            return None
        await self.host.solve_queue.wait_for(SolveRequest(rules))
        await self.host.solve_queue.wait_briefly(SolveRequest(rules, EXPECTED_SCORES), EXPECTED_SCORES_SECONDS)
        return await asyncio.to_thread(open_coach, rules)

    async def find_mistake(self, person: str, edition: str = "") -> tuple[StoredMistake | None, int]:
        """Find the mistake to be asked next, and how many are due."""
        due = await list_askable(self.store, person, self.host.clock(), edition)
        return (due[0] if due else None), len(due)

    async def show_mistake(self, mistake: StoredMistake) -> ShownPuzzle:
        """Show the position in which a mistake was made."""
        require_extra(SOLVER)
        table, puzzle = await load_puzzle(self.store, mistake)
        coach = await self.open_coach(puzzle.game, mistake.seat)
        before = Table(table.header, table.server_seed, tuple(table.events[: mistake.event - 1]), table.header.game)
        return ShownPuzzle(before, puzzle, coach)

    async def grade(self, shown: ShownPuzzle, action: str) -> "GradedAnswer":
        from knobel.learning.puzzle import grade_answer

        move = shown.puzzle.read_answer(action)
        return await asyncio.to_thread(grade_answer, shown.puzzle, move, shown.coach)

    async def schedule_mistake(self, mistake: StoredMistake, loss: float) -> None:
        """Write when a mistake is asked again; if the same answer came twice, the first one counts."""
        with contextlib.suppress(WriteConflict):
            await keep_schedule(self.store, mistake, loss, self.host.clock())

    async def keep_answer(
        self, owner: str, kind: str, name: str, shown: ShownPuzzle, action: str, graded: "GradedAnswer"
    ) -> None:
        """Keep a first answer of a person."""
        answer = StoredAnswer(
            owner,
            kind,
            shown.puzzle.rules.fingerprint,
            name,
            shown.table.header.edition.id,
            shown.puzzle.theme,
            round(graded.loss * MILLI),
            json.dumps({"action": action}),
            self.host.clock(),
        )
        await self.store.commit(PutAnswer(answer))

    async def list_answers(self, owner: str, kind: str, fingerprint: str) -> dict[str, str]:
        """List what somebody answered first, by the name of the puzzle."""
        found = await self.store.list_answers(owner)
        mine = [one for one in found if (one.kind, one.fingerprint) == (kind, fingerprint)]
        return {one.name: json.loads(one.body)["action"] for one in mine}


def choose_day(asked: str, now: float) -> str:
    """Choose the day that is asked for, today’s by default; one that is neither today nor yesterday is refused."""
    from knobel.learning.daily import list_open_days

    days = list_open_days(now)
    if asked and asked not in days:
        raise MessageMalformed
    return asked or days[0]


def build_header(edition: Edition, text: str, rules: Rules, puzzle: "Puzzle") -> Header:
    """Describe a game that stands at a puzzle, for those who draw it; it is stored nowhere."""
    return Header(
        knobel=FORMAT,
        game=PRACTICE,
        edition=describe_edition(edition, list_boxes(rules)),
        text=text,
        switches={},
        fingerprint=rules.fingerprint,
        seats=tuple(Seat(str(seat + 1)) for seat in range(len(puzzle.state.turns))),
        first=0,
        practice=True,
        dice=DiceSource(fair.SCHEME, NO_SEED, None, {}),
        evening=SeriesPosition(1, 1, (), 0),
        rules=rules.as_dict,
        quoted=StartPosition(PRACTICE, 0, puzzle.actions),
    )
