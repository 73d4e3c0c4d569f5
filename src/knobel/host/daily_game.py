"""The game of the day at a server: whoever has the moves has the game, because its dice follow from the date.

It is no game of a room: nothing of it is stored but the first result of a person. The browser keeps its moves and
sends them all; they are played again with the dice of the day, so none can be made up.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from knobel.errors import NotationError, NotSheetGame, SolveFailed
from knobel.extras import SOLVER, require_extra
from knobel.game import Announce, Land, Roll, Score, is_against_rules, play
from knobel.games.families import FAMILIES as GAME_FAMILIES
from knobel.host.daily_record import load_daily_table, read_daily_id, write_daily_id
from knobel.host.mistakes import plan_mistakes
from knobel.host.practice import PracticeService, ShownPuzzle
from knobel.notation import read_exact_action, write_action
from knobel.rules import Edition
from knobel.rules.families import Rules
from knobel.rules.fields import abbreviate
from knobel.solver.request import DAY, SolveRequest
from knobel.store.learning import PutAnswer, StoredAnswer

if TYPE_CHECKING:
    from knobel.learning.game_of_day import DayPar

GAME = "game"
MILLI = 1000


class DailyGameService:
    """Plays the moves of a game of the day again, and says what its dice were worth."""

    def __init__(self, practice: PracticeService) -> None:
        self.practice = practice
        self.host = practice.host

    async def play_moves(self, edition: Edition, text: str, day: str, moves: Sequence[str]) -> ShownPuzzle:
        """Play the moves with the dice of a day, and show where they lead."""
        require_extra(SOLVER)
        from knobel.learning.families import find_family

        rules: Rules = edition.rules(text)
        game = GAME_FAMILIES[rules.family].build(rules, frozenset(), True)
        if not find_family(game).has_game_of_day:
            raise NotSheetGame(title=edition.title)
        coach = await self.practice.open_coach(game, 0)
        puzzle = await asyncio.to_thread(replay_moves, game, day, moves)
        return self.practice.show(edition, text, puzzle, coach)

    async def prepare_par(self, rules: Any, day: str) -> None:
        """Let the worth of a day’s dice be computed while somebody plays."""
        await self.host.solve_queue.wait_briefly(SolveRequest(rules, DAY, day=day), 0)

    async def find_par(self, rules: Any, day: str) -> "DayPar":
        """Find what the dice of a day were worth."""
        from knobel.learning.game_of_day import DayPar
        from knobel.solver.day_totals import read_day_totals

        request = SolveRequest(rules, DAY, day=day)
        await self.host.solve_queue.wait_for(request)
        totals = await asyncio.to_thread(read_day_totals, request)
        if totals is None:
            raise SolveFailed
        return DayPar(*totals)

    async def find_result(self, owner: str | None, fingerprint: str, day: str) -> dict[str, int] | None:
        """Find the first result of a person on a day."""
        found = await self.practice.store.list_answers(owner) if owner else ()
        key = (GAME, fingerprint, day)
        result = next((one for one in found if (one.kind, one.fingerprint, one.name) == key), None)
        return None if result is None else json.loads(result.body)

    async def keep_result(self, owner: str, shown: ShownPuzzle, day: str, result: dict[str, int]) -> None:
        """Keep a result; the first of a day counts."""
        lost = max(0, result["perfect"] - result["total"]) * MILLI
        rules, edition = shown.puzzle.rules, shown.table.header.edition.id
        answer = StoredAnswer(
            owner, GAME, rules.fingerprint, day, edition, "", lost, json.dumps(result), self.host.clock()
        )
        await self.practice.store.commit(PutAnswer(answer))

    async def keep_mistakes(self, owner: str, game_id: str) -> None:
        """Look for the mistakes of a person in a game that counts; they are found again by its id without the name."""
        anonymous = write_daily_id(replace(read_daily_id(game_id), player=""))
        table = await load_daily_table(self.host.store, anonymous)
        review = await self.practice.coaching.run_review(table, 0)
        await self.host.store.commit(plan_mistakes(table, review, owner, self.host.clock(), anonymous))


def replay_moves(game: Any, day: str, moves: Sequence[str]) -> Any:
    """Play moves with the dice of a day; one that the rules forbid is refused."""
    from knobel.learning.game_of_day import GameOfDay
    from knobel.learning.puzzle import Puzzle
    from knobel.learning.themes import KEEP

    of_day, state, actions = GameOfDay(game.rules, day), game.start(1, 0), list[str]()
    for text in moves:
        move = None if state.seat is None else read_exact_action(state, text, game.rules.dice)
        if not isinstance(move, Announce | Roll | Score) or is_against_rules(move):
            raise NotationError(text=abbreviate(text))
        actions.append(write_action(state, move, game.rules.dice))
        state = play(game, state, move)
        if pending := game.pending_roll(state):
            values = of_day.roll(pending.turn, pending.roll_number)
            landed = Land(tuple(values[place] for place in pending.positions))
            actions.append(write_action(state, landed, game.rules.dice))
            state = game.apply(state, landed)
    return Puzzle(game, state, KEEP, actions=tuple(actions))
