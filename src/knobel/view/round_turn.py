"""What can be seen of a turn of real dice in a round that is to be corrected."""

from msgspec import Struct

from knobel.game import Stand, play
from knobel.games.round_state import OPEN, RoundState
from knobel.record.correction import find_turn
from knobel.record.track import GameTrack
from knobel.record.turns import list_turn_steps
from knobel.view.rounds import StandView, build_stand_views, find_rounds_game
from knobel.view.sentences import Translate
from knobel.view.steps import read_entered_dice, write_actions


class RoundTurnView(Struct, frozen=True):
    """A turn in a round: its dice, or others that are asked about, in how many rolls, and how they could stand."""

    seat: int
    round: int
    turn: int
    actions: tuple[str, ...]
    opens: bool
    aim: str | None
    dice: tuple[int, ...]
    rolled: int
    rolls: int
    stands: tuple[StandView, ...]


def build_round_turn_view(track: GameTrack, seat: int, box: str, dice: str, _: Translate) -> RoundTurnView:
    """Show a turn with the dice it ended with, or with others; the number of the round stands for the box."""
    game, turn = find_rounds_game(track), find_turn(track, seat, box)
    steps = list_turn_steps(track, seat, turn)
    state: RoundState = steps[0].before
    stood = steps[-1].action
    shown: RoundState = play(game, state, read_entered_dice(state, dice)) if dice else steps[-1].before
    return RoundTurnView(
        seat=seat,
        round=state.rounds,
        turn=turn,
        actions=write_actions(steps, game.rules.dice),
        opens=state.phase == OPEN,
        aim=stood.aim if isinstance(stood, Stand) else None,
        dice=shown.dice,
        rolled=shown.rolls_used,
        rolls=game.max_rolls(state),
        stands=build_stand_views(game, shown),
    )
