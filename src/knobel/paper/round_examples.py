"""Worked examples beside the rules of a game of rounds: a round over and a round under the opener."""

from itertools import cycle, islice

from knobel.game import Land, Roll, Stand, play
from knobel.games.round_state import AIMS, FOLLOW, RoundState
from knobel.games.rounds import RoundsGame
from knobel.paper.boxes import CaptionedExample, Example, PageTranslator
from knobel.paper.pad import translate_term
from knobel.phrase import phrase
from knobel.rules.round_rules import RoundRules

EXAMPLE_SEATS = 3
EXAMPLE_ROLLS = ((5, 4, 2), (6, 5, 3), (4, 3, 1))
"""What the players of the example roll: the opener, one above, one below."""


def build_round_examples(rules: RoundRules, words: PageTranslator) -> tuple[CaptionedExample, ...]:
    return tuple(shown for aim in AIMS for shown in build_round_example(rules, words, aim))


def build_round_example(rules: RoundRules, words: PageTranslator, aim: str) -> tuple[CaptionedExample, ...]:
    """Play one round by the rules, and show who rolls what and who takes the chip."""
    game = RoundsGame(rules)
    seats = max(rules.players.least, min(EXAMPLE_SEATS, rules.players.most or EXAMPLE_SEATS))
    state, rolled = game.start(seats, 0), list[tuple[int, ...]]()
    while state.result is None and state.rolloff is None:
        rolled.append(choose_example_roll(rules, len(rolled)))
        state = roll_and_stand(game, state, rolled[-1], aim)
    loser = state.result.loser if state.result else None

    def caption_roll(seat: int, dice: tuple[int, ...]) -> CaptionedExample:
        name = "rules.term.player" if seat else "rules.term.opener"
        outcome = (
            "" if state.result is None else words.translate(phrase("paper.takes" if seat == loser else "paper.beats"))
        )
        hint = outcome if seat else translate_term(words, f"rules.term.announce_{aim}")
        return CaptionedExample(
            translate_term(words, name), hint, Example(dice, (True,) * len(dice), sum(dice)), seat == loser, not seat
        )

    return tuple(caption_roll(seat, dice) for seat, dice in enumerate(rolled))


def roll_and_stand(game: RoundsGame, state: RoundState, dice: tuple[int, ...], aim: str) -> RoundState:
    """Roll these dice for the player whose turn it is, and stand."""
    said = None if state.phase == FOLLOW or game.is_all_ones(dice) else aim
    for action in (Roll(()), Land(dice), Stand(said)):
        state = play(game, state, action)
    return state


def choose_example_roll(rules: RoundRules, number: int) -> tuple[int, ...]:
    """Choose the dice of a player of the example."""
    shown = EXAMPLE_ROLLS[min(number, len(EXAMPLE_ROLLS) - 1)]
    return tuple(min(face, rules.faces) for face in islice(cycle(shown), rules.dice))
