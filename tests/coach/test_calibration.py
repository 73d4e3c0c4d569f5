"""Win chances against games played out: of positions with equal chances, that share of the games is won."""

from random import Random

import pytest

from knobel.bots import load_bot
from knobel.coach.win_chance import compute_win_chances, list_positions
from knobel.game import CHANCE, Land
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules import load_edition
from knobel.rules.sheet_rules import SheetRules
from tests.support.house_rules import load_house_rules
from tests.support.small_games import GAMES

GROUPS = 10
MOST_ERRORS = 3.5


def play_perfectly(game: SheetGame, seats: int, random: Random) -> list[SheetState]:
    """Let perfect bots play a game; give all its states."""
    bot, states = load_bot("perfect", "sheet"), [game.start(seats, first=0)]
    while (state := states[-1]).seat is not None:
        if state.seat == CHANCE:
            rolled = tuple(random.randint(1, game.rules.faces) for _ in state.rolling)
            states.append(game.apply(state, Land(rolled)))
        else:
            states.append(game.apply(state, bot(game, state, random)))
    return states


def check_calibration(rules: SheetRules, seats: int, games: int, least: int) -> None:
    """Take one random position of each game, and compare the shares of all seats in groups of equal chances."""
    game, random = SheetGame(rules, practice=True), Random(seats)
    found: list[list[tuple[float, float]]] = [[] for _ in range(GROUPS + 1)]
    for _ in range(games):
        *before, end = play_perfectly(game, seats, random)
        first = (outcome := game.outcome(end)) and outcome.places[0]
        assert first
        chances = compute_win_chances(list_positions(game, random.choice(before))).players
        seat = random.randrange(seats)
        found[int(GROUPS * chances[seat].share)].append((chances[seat].share, (seat in first) / len(first)))
    large = [group for group in found if len(group) >= least]
    assert large
    for group in large:
        expected = sum(share for share, _ in group) / len(group)
        won = sum(share for _, share in group) / len(group)
        # A share lies between 0 and 1, so its variance is never larger than that of a game won or lost.
        error = max(expected * (1 - expected), 1e-4) ** 0.5 / len(group) ** 0.5
        assert abs(won - expected) < MOST_ERRORS * error


@pytest.mark.rest
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_small_games_are_won_as_often_as_their_chances_say(seats: int) -> None:
    check_calibration(load_house_rules(GAMES["plain"]).rules(), seats, 1000, 60)


@pytest.mark.torture
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", ["mb-yahtzee", "tactic-xl-yatzy"])
def test_large_games_are_won_as_often_as_their_chances_say(name: str, seats: int) -> None:
    check_calibration(load_edition(name).rules(), seats, 20_000, 500)
