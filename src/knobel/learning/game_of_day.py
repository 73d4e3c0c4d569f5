"""The game of the day: the same dice for everybody who plays an edition that day, and what they could have come to.

Its dice are those of a game with a typed seed (`fair`): what die k shows in roll r of turn t follows from the key of
the day alone, whatever was kept before. So everybody can be compared with perfect play on the same dice, and with a
clairvoyant who knew them all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from knobel import fair
from knobel.coach.sheet import SheetCoach
from knobel.game import Land
from knobel.games.sheet import SheetGame
from knobel.learning.families import rank_sheet
from knobel.learning.generator import choose_best
from knobel.phrase import Phrase, phrase
from knobel.rules.column import tally
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.known_dice import find_best_total
from knobel.solver.solve import ProgressCallback

VERSION = 1
"""Changes whenever the same day would have other dice."""
SQUARES = ((1.0, "🟩"), (0.9, "🟨"), (0.75, "🟧"), (0.0, "🟥"))
"""How a share of what perfect play made of these dice is shown."""


def name_seed(day: str) -> str:
    """Give the seed that is typed for the game of a day."""
    return f"knobel-daily-{VERSION}-{day}"


@dataclass(frozen=True)
class GameOfDay:
    """The dice of a day by some rules."""

    rules: SheetRules
    day: str

    @cached_property
    def seeds(self) -> tuple[bytes, str]:
        """The seed of the dice, and the id of the game."""
        return fair.derive_game_seed(name_seed(self.day), 1, bytes.fromhex(self.rules.fingerprint))

    @property
    def game_id(self) -> str:
        return self.seeds[1]

    @cached_property
    def key(self) -> bytes:
        """The key of the dice: nobody adds a seed of their own."""
        return fair.derive_dice_key(self.game_id, bytes.fromhex(self.rules.fingerprint), self.seeds[0], ())

    def roll(self, turn: int, roll_number: int) -> tuple[int, ...]:
        """Give what each die shows in a roll of a turn, both counted from 0, if it is rolled then."""
        return fair.roll(self.key, 0, turn, roll_number, self.rules.dice, self.rules.faces)

    def list_turns(self) -> list[list[tuple[int, ...]]]:
        """List what each die shows in each roll of each turn."""
        return [[self.roll(turn, roll) for roll in range(self.rules.rolls)] for turn in range(len(self.rules.boxes))]


@dataclass(frozen=True, slots=True)
class DayPar:
    """What the dice of a day were worth: to perfect play, which does not know them before, and to a clairvoyant."""

    perfect: int
    clairvoyant: int


def play_perfectly(of_day: GameOfDay, coach: SheetCoach) -> int:
    """Give the total of perfect play with the dice of a day."""
    return play_dice(of_day.rules, coach, of_day.roll)


def play_dice(rules: SheetRules, coach: SheetCoach, roll: Callable[[int, int], tuple[int, ...]]) -> int:
    """Give the total of perfect play with dice that follow from the number of the turn and of the roll."""
    game = SheetGame(rules, practice=True)
    state = game.start(1, 0)
    while state.seat is not None:
        if pending := game.pending_roll(state):
            values = roll(pending.turn, pending.roll_number)
            state = game.apply(state, Land(tuple(values[place] for place in pending.positions)))
        else:
            state = game.apply(state, choose_best(game, state, rank_sheet(game, state, coach)).move)
    return tally(rules, state.columns[0]).total


def find_day_par(of_day: GameOfDay, coach: SheetCoach, progress: ProgressCallback | None = None) -> DayPar:
    """Find what the dice of a day were worth."""
    perfect = play_perfectly(of_day, coach)
    return DayPar(perfect, find_best_total(coach.book.tables, of_day.list_turns(), progress))


def describe_to_share(title: str, day: str, total: int, par: DayPar) -> Phrase:
    """Say how somebody did, for others who have not played yet: no dice, no boxes."""
    share = total / max(par.perfect, 1)
    mark = next(square for least, square in SQUARES if share >= least)
    return phrase(
        "coach.daily.share",
        title=title,
        day=day,
        mark=mark,
        total=total,
        perfect=par.perfect,
        clairvoyant=par.clairvoyant,
    )
