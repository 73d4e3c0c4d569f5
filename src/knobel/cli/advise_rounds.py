"""`knobel advise` for a game of rounds: every move with the chance of losing, in percentage points, best first."""

from dataclasses import replace

from knobel.cli.parser import Given
from knobel.cli.screen import say, say_columns, say_json
from knobel.cli.selection import Selection
from knobel.cli.solve_rounds import read_players
from knobel.cli.typed_words import read_aim
from knobel.coach.moves import describe_move
from knobel.coach.rounds import RoundMoveValue, convert_move, find_round_moves, solve_single_round
from knobel.errors import AimUnknown, MissingValue, NoSuchFace, NumberOutOfRange, UnknownOption, WrongDiceCount
from knobel.games.round_state import AIM_WORDS, AIMS, FOLLOW, OPEN, RoundState
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
                "move": selection.words.translate(describe_move(state.dice, one.move)),
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
                **({"opener_rolls": state.rolls_allowed} if state.phase == FOLLOW else {}),
                "value": ranked[0].value,
                "moves": moves,
            }
        )
        return
    say(selection.words("interface.advise.lose", probability=FormattedNumber(ranked[0].value, 2, percent=True)))
    say_columns(
        [
            f"  {selection.words.translate(describe_move(state.dice, one.move))}",
            f"{selection.words.format_number(FormattedNumber(one.value, 2, percent=True)):>8}",
            f"{selection.words.format_number(FormattedNumber(100 * one.loss, 2, signed=True)):>7}" if one.loss else "",
        ]
        for one in ranked
    )


def refuse_unused_options(given: Given) -> None:
    """Refuse options that do not apply here instead of ignoring them."""
    unused = [name for name in ("sheet", "announced", "yatzys", "locked", "against") if given.has(name)]
    if not given.has("aim"):
        unused += [name for name in ("target", "made", "opener-rolls") if given.has(name)]
    if unused:
        raise UnknownOption(name=f"--{unused[0]}", known=("--players", "--dice", "--rolls-left", "--aim"))


def read_state(selection: Selection, game: RoundsGame, given: Given) -> RoundState:
    """Read a position of a round: the opener's, or with an aim and a target a follower's."""
    players, dice = read_players(given, selection), given.read_dice("dice", selection.round_rules.faces)
    rules = selection.round_rules
    if len(dice) != rules.dice:
        raise WrongDiceCount(n=len(dice), wanted=rules.dice)
    for die in dice:
        if not 1 <= die <= rules.faces:
            raise NoSuchFace(value=die, faces=rules.faces)
    allowed = read_opener_rolls(given, rules.rolls)
    left = given.read_number("rolls-left", 0, allowed - 1)
    left = allowed - 1 if left is None else left
    state = replace(game.start(players, 0), dice=dice, rolls_used=allowed - left, phase=OPEN)
    aim = read_aim(selection.words, given.required("aim")) if given.has("aim") else None
    return state if aim is None else build_follower_state(selection, state, aim, allowed, given)


def read_opener_rolls(given: Given, most: int) -> int:
    """Read how many rolls the opener used, which is how many every follower has; all of them by default."""
    rolls = given.read_number("opener-rolls", 1, most)
    return most if rolls is None else rolls


def build_follower_state(
    selection: Selection, state: RoundState, aim: str, rolls_allowed: int, given: Given
) -> RoundState:
    """Build the state of a follower, after the opener's total and the totals of earlier followers."""
    rules = selection.round_rules
    if aim not in AIMS:
        raise AimUnknown(value=abbreviate(aim), **AIM_WORDS)
    low, high = rules.dice, rules.dice * rules.faces
    target, made = given.read_number("target", low, high), given.read_numbers("made", low, high)
    if target is None:
        raise MissingValue(name="--target")
    if len(made) > state.players_at_start - 2:
        raise NumberOutOfRange(name="--made", least=0, most=state.players_at_start - 2, value=len(made))
    totals = tuple(enumerate((target, *made)))
    seat = len(totals)
    return replace(state, phase=FOLLOW, aim=aim, totals=totals, player=seat, seat=seat, rolls_allowed=rolls_allowed)
