"""Makes puzzles from good play: games at best play with dice from a seed, and in them the choices worth asking.

A choice is worth asking if the best move is clearly better than every other one, and if a move that people choose
there costs something. The same rules, seed and version give the same puzzles everywhere: moves are compared after
rounding, so that the last bits of a solved book, which may differ between processors, decide nothing.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count, islice
from time import monotonic
from typing import Any

from knobel import fair
from knobel.coach.sheet import MoveValue
from knobel.errors import PuzzleNotFound, ThemeNotFound
from knobel.game import Action, Game, Land
from knobel.learning.families import DIGITS, LearningFamily, find_family
from knobel.learning.puzzle import Puzzle
from knobel.notation import write_action

VERSION = 1
"""Changes whenever the same seed would give another puzzle."""
CLEAR_GAP = 0.05
"""How much better than every other move the best one must be, in points or percent."""
TEMPTING_GAP = 0.5
"""What the tempting move costs at least: the coach calls that an inaccuracy."""
OBVIOUS_GAP = 5.0
"""What it costs at most: the coach calls that a howler, and few would hesitate."""
MAX_GAMES = 1000
"""How many games are searched for a theme."""
MAX_SECONDS = 30.0
"""How long games are searched in vain; a rare theme is given up then."""
PUZZLES_PER_GAME = 3
"""How many puzzles one game gives at most, so that they differ."""

BLOCK = 10
"""So many puzzles of practice have a seed of their own, so that any number is found soon."""

Watcher = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class PuzzleGenerator:
    """The puzzles of one game’s rules; `coach` has the book open where the family needs one."""

    game: Game[Any]
    coach: Any
    seed: str
    max_games: int = MAX_GAMES
    max_seconds: float = MAX_SECONDS

    @property
    def family(self) -> LearningFamily:
        return find_family(self.game)

    def list_puzzles(self, theme: str | None = None, watch: Watcher | None = None) -> Iterator[Puzzle]:
        """Give puzzles of a theme, or of any, until so many games were searched in vain."""
        number, last, since = 0, -1, monotonic()
        for played in count():
            searched = played - last - 1
            if searched >= self.max_games or (searched and monotonic() - since > self.max_seconds):
                raise ThemeNotFound(games=searched) if theme else PuzzleNotFound(games=searched)
            if watch:
                watch(max(searched / self.max_games, (monotonic() - since) / self.max_seconds))
            found = [one for one in self.search_game(played, theme) if theme in (None, one.theme)]
            for puzzle in self.choose_some(found, played):
                yield replace(puzzle, number=number)
                number, last, since = number + 1, played, monotonic()

    def find_puzzle(self, number: int, theme: str | None = None, watch: Watcher | None = None) -> Puzzle:
        """Give the puzzle of a number, counted from 0."""
        return next(islice(self.list_puzzles(theme, watch), number, None))

    def choose_some(self, puzzles: list[Puzzle], played: int) -> list[Puzzle]:
        """Choose a few puzzles of a game by its seed, rare themes first: every game has many about dice to keep."""
        themes = [one.theme for one in puzzles]
        order = sorted(
            range(len(puzzles)), key=lambda place: (themes.count(themes[place]), self.draw_key(f"{played}/{place}"))
        )
        return [puzzles[place] for place in order[:PUZZLES_PER_GAME]]

    def draw_key(self, name: str) -> bytes:
        """Derive a key from the generator’s version, the rules, the seed and a name."""
        rules = bytes.fromhex(self.game.rules.fingerprint)
        packed = fair.pack(b"knobel-puzzle", fair.encode_uint32(VERSION), rules, self.seed.encode(), name.encode())
        return hashlib.sha256(packed).digest()

    def search_game(self, played: int, theme: str | None = None) -> list[Puzzle]:
        """Play one game at best play, and collect the choices that are worth asking, at least those of a theme."""
        game, family, key = self.game, self.family, self.draw_key(f"game {played}")
        state, found, actions = family.start(game), list[Puzzle](), list[str]()
        while state.seat is not None:
            if pending := game.pending_roll(state):
                values = fair.roll(
                    key, pending.seat, pending.turn, pending.roll_number, game.rules.dice, game.rules.faces
                )
                action: Action = Land(tuple(values[place] for place in pending.positions))
            elif len(moves := list(game.legal_moves(state))) == 1:
                action = moves[0]
            else:
                ranked = family.rank(game, state, self.coach)
                best = choose_best(game, state, ranked)
                is_wanted = theme is None or family.may_be_theme(theme, game, state, best.move)
                if is_wanted and (puzzle := self.build_puzzle(state, best, ranked)):
                    found.append(replace(puzzle, actions=tuple(actions)))
                action = best.move
            actions.append(write_action(state, action, game.rules.dice))
            state = game.apply(state, action)
        return found

    def build_puzzle(self, state: Any, best: MoveValue, ranked: list[MoveValue]) -> Puzzle | None:
        """Make a puzzle of a choice, unless it is too close or nobody would hesitate."""
        game, family = self.game, self.family
        if not is_clear(self.game, family, state, ranked):
            return None
        tempting = family.find_tempting(game, state, self.coach, ranked, TEMPTING_GAP)
        if tempting is None or round(tempting.loss, DIGITS) > OBVIOUS_GAP:
            return None
        return Puzzle(game, state, family.find_theme(game, state, best.move, tempting.move))


def name_practice_seed(number: int) -> str:
    """Name the seed of a puzzle of practice, counted from 0."""
    return f"practice {number // BLOCK}"


def choose_best(game: Game[Any], state: Any, ranked: list[MoveValue]) -> MoveValue:
    """Choose the best move; of equally good ones always the same."""
    least = min(round(one.loss, DIGITS) for one in ranked)
    equal = [one for one in ranked if round(one.loss, DIGITS) == least]
    return min(equal, key=lambda one: write_action(state, one.move, game.rules.dice))


def is_clear(game: Game[Any], family: LearningFamily, state: Any, ranked: list[MoveValue]) -> bool:
    """Tell whether the best move is better than every other one by more than the least gap."""
    near = [one for one in ranked if round(one.loss, DIGITS) <= CLEAR_GAP]
    return len({family.describe(game, state, one.move) for one in near}) == 1
