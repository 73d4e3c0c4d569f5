"""Why a move in a game of rounds is worse than the best one: how likely each way the turn can end is.

A follower beats the total to beat or does not. An opener is beaten or not: where the whole game is solved by the next
player, where only the round is by all others, which is how a round is lost. Whoever rolls on as the opener lets the
others roll more often, too. Where all ones are special, everybody may roll them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from knobel.coach.figures import format_percents
from knobel.coach.rounds import (
    compute_chance_to_beat,
    count_players,
    find_follower_turn,
    find_total_to_beat,
    is_whole_game_solved,
    list_chips_from_opener,
    solve_single_round,
    solve_whole_game,
)
from knobel.dice import sort_dice
from knobel.game import Move, Roll, Stand
from knobel.games.round_state import FOLLOW, OVER, RoundState
from knobel.games.rounds import RoundsGame
from knobel.phrase import Phrase, Value, phrase
from knobel.solver.arrays import Floats, Ints
from knobel.solver.chip_game import ChipFollowerSituation, choose_aims
from knobel.solver.round_dice import Aim, DiceTurn
from knobel.solver.rounds import AIMS, value_openings

NOTICEABLE = 0.005
"""A chance that differs by less is not named."""


@dataclass(frozen=True, slots=True)
class WayComparison:
    """One way a turn can end: how likely it is after the move played and after the best one."""

    name: str
    played: float
    best: float
    is_good: bool
    values: tuple[tuple[str, Value], ...] = ()

    @property
    def lost(self) -> float:
        """How much worse the move played is."""
        return self.best - self.played if self.is_good else self.played - self.best


def find_round_reasons(
    game: RoundsGame, state: RoundState, played: Move, best: Move, chances: Sequence[float], kind: str
) -> tuple[Phrase, ...]:
    """Say how likely each way is, what is worse first; where no way is, say the chance of not losing itself."""
    ways = sorted(compare_ways(game, state, played, best), key=lambda one: -one.lost)
    ways = [one for one in ways if abs(one.lost) >= NOTICEABLE]
    if not any(one.lost > 0 for one in ways):
        percents = format_percents(*chances)
        away = phrase(f"coach.why.away_{kind}", played=percents[0], best=percents[1])
        return (away, *describe_more_rolls(state, played, best))
    lost = [describe_way(one) for one in ways if one.lost > 0]
    return (*lost, *describe_more_rolls(state, played, best), *(describe_way(one) for one in ways if one.lost < 0))


def describe_more_rolls(state: RoundState, played: Move, best: Move) -> Iterator[Phrase]:
    """Say how often an opener who should have stood lets the others roll."""
    if state.phase != FOLLOW and isinstance(played, Roll) and isinstance(best, Stand):
        yield phrase("coach.why.more_rolls", n=state.rolls_used + 1, best=state.rolls_used)


def describe_way(way: WayComparison) -> Phrase:
    percents = format_percents(way.played, way.best)
    name = way.name if way.lost > 0 else f"but_{way.name}"
    return phrase(f"coach.why.{name}", **dict(way.values), played=percents[0], best=percents[1])


def compare_ways(game: RoundsGame, state: RoundState, played: Move, best: Move) -> Iterator[WayComparison]:
    """Compare the ways the turn can end."""
    if state.phase == FOLLOW:
        beats = [compute_chance_to_beat(game, state, move) for move in (played, best)]
        yield WayComparison("beats", *beats, is_good=True, values=(("total", find_total_to_beat(game, state)),))
    else:
        beaten = [compute_chance_beaten(game, state, move) for move in (played, best)]
        yield WayComparison(find_opening(game, state).name, *beaten, is_good=False)
    if game.rules.chicago_special:
        ones = [compute_special_chance(game, state, move) for move in (played, best)]
        yield WayComparison("special", *ones, is_good=True)


def compute_special_chance(game: RoundsGame, state: RoundState, move: Move) -> float:
    """Compute how likely a turn ends with all ones, followed by best play."""
    turn = find_follower_turn(game, state) if state.phase == FOLLOW else find_opening(game, state).turn
    ones = np.array([float(set(hand) == {1}) for hand in turn.round_dice.hands])
    return follow_turn(turn, [ones] * len(turn.stand_values), state, move)


def compute_chance_beaten(game: RoundsGame, state: RoundState, move: Move) -> float:
    """Compute how likely an opener is beaten, everybody followed by best play; nobody beats all ones."""
    opening, rolled = find_opening(game, state), state.rolls_used
    if isinstance(move, Stand):
        return opening.find_chance_beaten(AIMS.index(move.aim), sum(state.dice), rolled) if move.aim in AIMS else 0.0
    return follow_turn(opening.turn, opening.chances_beaten, state, move)


@dataclass(frozen=True)
class SolvedOpening:
    """The opener's turn, and for each hand after each roll the better way to announce it, by its place in the aims."""

    turn: DiceTurn
    aims: tuple[Ints, ...]
    name: str
    """Who beats the opener: the next player, or all others."""
    compute_chance: Callable[[Aim, int, int], float]

    @cached_property
    def chances_beaten(self) -> list[Floats]:
        """How likely each hand is beaten after each roll."""
        dice = self.turn.round_dice
        return [
            np.array(
                [
                    0.0 if dice.special and set(hand) == {1} else self.find_chance_beaten(int(aim), sum(hand), rolled)
                    for hand, aim in zip(dice.hands, aims, strict=True)
                ]
            )
            for rolled, aims in enumerate(self.aims, 1)
        ]

    def find_chance_beaten(self, aim: int, total: int, rolled: int) -> float:
        """Find how likely a total is beaten."""
        if (aim, total, rolled) not in self.known_chances:
            self.known_chances[aim, total, rolled] = self.compute_chance(AIMS[aim], total, rolled)
        return self.known_chances[aim, total, rolled]

    @cached_property
    def known_chances(self) -> dict[tuple[int, int, int], float]:
        return {}


def find_opening(game: RoundsGame, state: RoundState) -> SolvedOpening:
    """Find the solved turn of the opener: in the whole game with few players, else in the round."""
    if is_whole_game_solved(state):
        return find_game_opening(game, count_players(state), list_chips_from_opener(state))
    return find_round_opening(game, count_players(state))


@lru_cache(maxsize=64)
def find_game_opening(game: RoundsGame, players: int, chips: tuple[int, ...]) -> SolvedOpening:
    solution = solve_whole_game(game, players)
    solved = solution.solved_round(chips)

    def compute_chance(aim: Aim, total: int, rolled: int) -> float:
        following = solution.follower_turn(ChipFollowerSituation(chips, aim, total, rolled, ()))
        better = following.round_dice.mark_better_hands(aim, total)
        return float(following.find_stop_chances().sum(axis=0)[0] @ better)

    aims = tuple(map(choose_aims, solved.opener_stand_values))
    return SolvedOpening(solved.opener_turn, aims, "beaten", compute_chance)


@lru_cache(maxsize=64)
def find_round_opening(game: RoundsGame, players: int) -> SolvedOpening:
    solution = solve_single_round(game, players)
    dice, openings = solution.round_dice, solution.openings
    # All ones of an opener are never announced.
    aims = tuple(
        np.array(
            [AIMS.index(known.aim) if (known := openings.get((rolled, sum(hand)))) else 0 for hand in dice.hands]
        )
        for rolled in range(1, dice.rolls + 1)
    )

    def compute_chance(aim: Aim, total: int, rolled: int) -> float:
        known = openings[rolled, total]
        return known.over if aim == OVER else known.under

    return SolvedOpening(DiceTurn(dice, value_openings(dice, openings)), aims, "all_beaten", compute_chance)


def follow_turn(turn: DiceTurn, ends: Sequence[Floats], state: RoundState, move: Move) -> float:
    """Follow best play after a move; `ends` says for each roll and hand how likely something is after standing."""
    dice, rolled = turn.round_dice, state.rolls_used
    kept = sort_dice(state.dice[place] for place in move.keep) if isinstance(move, Roll) else sort_dice(state.dice)
    place = dice.find_place(kept)
    if not isinstance(move, Roll):
        return float(ends[rolled - 1][place - dice.first_hand])
    chances = ends[-1]
    for standing, values in zip(ends[rolled:-1][::-1], turn.set_values[rolled:][::-1], strict=True):
        both = np.concatenate((chances @ dice.roll_chances.T, standing))
        chances = both[dice.choose_options(values)[0]]
    return float((chances @ dice.roll_chances.T)[place])
