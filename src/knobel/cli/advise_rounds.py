"""`knobel advise` for a game of rounds: every move with the chance of losing, in percentage points, best first."""

from dataclasses import replace

from knobel.cli.parser import Given
from knobel.cli.screen import say, say_columns, say_json
from knobel.cli.selection import Selection
from knobel.cli.solve_rounds import read_players
from knobel.coach.rounds import RoundMoveValue, convert_move, find_round_moves, solve_single_round
from knobel.errors import AimUnknown, NoSuchFace, NumberOutOfRange, UnknownOption, WrongDiceCount
from knobel.game import Move, Roll
from knobel.games.round_state import AIMS, FOLLOW, OPEN, RoundState
from knobel.games.rounds import RoundsGame
from knobel.notation import write_action
from knobel.phrase import FormattedNumber
from knobel.rules.fields import abbreviate


def advise_rounds(selection: Selection, given: Given) -> None:
    """Rank the moves of a round by the chance of losing it."""
    refuse_unused_options(given)
    game = RoundsGame(selection.round_rules)
    state = read_state(selection, game, given)
    solved = find_round_moves(game, solve_single_round(game, state.players_at_start), state)
    ranked = [RoundMoveValue(convert_move(game, state, one), one.value, one.value - solved[0].value) for one in solved]
    if given.has("json"):
        moves = [
            {
                "move": format_move(selection, state, one.move),
                "action": write_action(state, one.move, selection.round_rules.dice),
                "value": one.value,
                "loss": one.loss,
            }
            for one in ranked
        ]
        say_json(
            {
                "edition": selection.edition.id,
                "lang": selection.words.lang,
                "text": selection.text,
                "value": ranked[0].value,
                "moves": moves,
            }
        )
        return
    say(selection.words("interface.advise.lose", chance=FormattedNumber(ranked[0].value, 2, percent=True)))
    say_columns(
        [
            f"  {format_move(selection, state, one.move)}",
            f"{selection.words.format_number(FormattedNumber(one.value, 2, percent=True)):>8}",
            f"{selection.words.format_number(FormattedNumber(100 * one.loss, 2, signed=True)):>7}" if one.loss else "",
        ]
        for one in ranked
    )


def refuse_unused_options(given: Given) -> None:
    """Refuse options that do not apply here instead of ignoring them."""
    unused = [name for name in ("sheet", "announced", "yatzys", "locked") if given.has(name)]
    if not given.has("aim"):
        unused += [name for name in ("target", "made") if given.has(name)]
    if unused:
        raise UnknownOption(name=f"--{unused[0]}", known=("--players", "--dice", "--rolls-left", "--aim"))


def format_move(selection: Selection, state: RoundState, move: Move) -> str:
    """Describe a move in players' words."""
    words = selection.words
    if isinstance(move, Roll):
        dice = " ".join(map(str, sorted(state.dice[place] for place in move.keep)))
        return words("interface.advise.keep", dice=dice) if dice else words("interface.advise.roll_all")
    aim = getattr(move, "aim", None)
    return words(f"interface.advise.stand_{aim}") if aim else words("interface.advise.stand")


def read_state(selection: Selection, game: RoundsGame, given: Given) -> RoundState:
    """Read a position of a round: the opener's, or with an aim and a target a follower's."""
    players, dice = read_players(given, selection), given.numbers("dice")
    rules = selection.round_rules
    if len(dice) != rules.dice:
        raise WrongDiceCount(n=len(dice), wanted=rules.dice)
    for die in dice:
        if not 1 <= die <= rules.faces:
            raise NoSuchFace(value=die, faces=rules.faces)
    left = given.number("rolls-left", "--rolls-left")
    left = rules.rolls - 1 if left is None else left
    if not 0 <= left < rules.rolls:
        raise NumberOutOfRange(name="--rolls-left", least=0, most=rules.rolls - 1, value=left)
    state = replace(game.start(players, 0), dice=dice, rolls_used=rules.rolls - left, phase=OPEN)
    aim = given.value("aim")
    return state if aim is None else build_follower_state(selection, state, aim, left, given)


def build_follower_state(
    selection: Selection, state: RoundState, aim: str, rolls_left: int, given: Given
) -> RoundState:
    """Build the state of a follower, after the opener's total and the totals of earlier followers."""
    rules = selection.round_rules
    if aim not in AIMS:
        raise AimUnknown(value=abbreviate(aim))
    low, high = rules.dice, rules.dice * rules.faces
    target, made = given.number("target", "--target"), given.numbers("made")
    for name, total in (("--target", target), *(("--made", total) for total in made)):
        if total is None or not low <= total <= high:
            raise NumberOutOfRange(name=name, least=low, most=high, value=abbreviate(total))
    if len(made) > state.players_at_start - 2:
        raise NumberOutOfRange(name="--made", least=0, most=state.players_at_start - 2, value=len(made))
    totals = tuple(enumerate((target or 0, *made)))
    seat = len(totals)
    return replace(
        state, phase=FOLLOW, aim=aim, totals=totals, player=seat, seat=seat, rolls_used=1, rolls_allowed=1 + rolls_left
    )
